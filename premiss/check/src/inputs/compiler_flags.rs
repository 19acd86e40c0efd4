//! The options of a compiler's command line that affect the text of a file.

use premiss_analyze::{Language, MacroFlag, ReadOptions};
use std::path::Path;

/// The options of one compilation that premiss uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileFlags {
    include_dirs: Vec<String>,
    /// `-isystem`: searched after `-I`.
    system_dirs: Vec<String>,
    /// `-idirafter`: searched last.
    late_dirs: Vec<String>,
    quote_dirs: Vec<String>,
    forced_includes: Vec<String>,
    macros: Vec<MacroFlag>,
    /// The language given by `-x`.
    language: Option<String>,
    /// An option that changes sizes and offsets from those that premiss assumes.
    pub(crate) other_layout: Option<String>,
}

/// Compiler options that take the next word as value, apart from those that are used here.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-T",
    "-u",
    "-z",
    "-L",
    "-l",
    "-arch",
    "-target",
    "--param",
    "-aux-info",
    "-isysroot",
    "--sysroot",
    "-imultilib",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-B",
    "-e",
    "-dumpbase",
    "-J",
];

impl FileFlags {
    /// Parses the words after the compiler's name. Paths are relative to a folder.
    pub(super) fn new(words: &[String], place: &dyn Fn(&str) -> String) -> Self {
        let mut flags = Self::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if let Some(list) = word.strip_prefix("-Wp,") {
                let inner: Vec<String> = list.split(',').map(str::to_owned).collect();
                flags.add(Self::new(&inner, place));
            } else if !flags.option(word, &mut words, place) && WITH_VALUE.contains(&word) {
                words.next();
            }
        }
        flags
    }

    fn add(&mut self, other: Self) {
        self.include_dirs.extend(other.include_dirs);
        self.system_dirs.extend(other.system_dirs);
        self.late_dirs.extend(other.late_dirs);
        self.quote_dirs.extend(other.quote_dirs);
        self.forced_includes.extend(other.forced_includes);
        self.macros.extend(other.macros);
    }

    /// Handles an option with its value, appended or as the next word. Returns whether it is one that is used here.
    fn option<'w>(
        &mut self,
        word: &'w str,
        rest: &mut dyn Iterator<Item = &'w str>,
        place: &dyn Fn(&str) -> String,
    ) -> bool {
        const NAMES: &[&str] = &[
            "-isystem",
            "-iquote",
            "-idirafter",
            "-include",
            "-imacros",
            "-I",
            "-D",
            "-U",
            "-x",
        ];
        let is_ours = |name: &&&str| {
            let joined = word.strip_prefix(**name);
            joined.is_some_and(|joined| is_value(name, joined))
        };
        let Some(name) = NAMES.iter().find(is_ours) else {
            self.other_option(word);
            return false;
        };
        let joined = &word[name.len()..];
        let value = match joined.is_empty() {
            true => rest.next().unwrap_or(""),
            false => joined,
        };
        match *name {
            "-I" => self.include_dirs.push(place(value)),
            "-isystem" => self.system_dirs.push(place(value)),
            "-idirafter" => self.late_dirs.push(place(value)),
            "-iquote" => self.quote_dirs.push(place(value)),
            "-include" | "-imacros" => {
                // A file that is not in the folder is looked for like other headers.
                let placed = place(value);
                let is_there = Path::new(&placed).exists();
                let path = if is_there { placed } else { value.to_owned() };
                self.forced_includes.push(path);
            }
            "-D" => {
                let (name, value) = value.split_once('=').unwrap_or((value, "1"));
                self.define(name, value);
            }
            "-U" => self.undefine(value),
            _ => self.language = Some(value.to_owned()),
        }
        true
    }

    fn define(&mut self, name: &str, value: &str) {
        self.macros.push(MacroFlag::Define {
            name: name.to_owned(),
            value: value.to_owned(),
        });
    }

    fn undefine(&mut self, name: &str) {
        let name = name.to_owned();
        self.macros.push(MacroFlag::Undefine { name });
    }

    /// Handles options that change predefined macros, or the sizes of types.
    fn other_option(&mut self, word: &str) {
        if let Some(standard) = word.strip_prefix("-std=") {
            return self.standard(standard);
        }
        match word {
            "-ansi" => self.standard("c90"),
            "-O0" => self.undefine("__OPTIMIZE__"),
            "-fopenmp" => self.define("_OPENMP", "201511"),
            "-pthread" => self.define("_REENTRANT", "1"),
            "-ffast-math" => self.define("__FAST_MATH__", "1"),
            "-m32" | "-mx32" | "-m16" | "-fshort-enums" | "-mlong-double-64" | "-mms-bitfields"
            | "-fpack-struct" => self.other_layout = Some(word.to_owned()),
            _ if word.starts_with("-fpack-struct=") => self.other_layout = Some(word.to_owned()),
            _ => {}
        }
    }

    fn standard(&mut self, name: &str) {
        let (is_strict, year) = match name.strip_prefix("gnu") {
            Some(year) => (false, year),
            // Options of Fortran.
            None if name.starts_with('f') || name == "legacy" => return,
            None => (true, name.strip_prefix('c').unwrap_or(name)),
        };
        let version = match year {
            "89" | "90" | "iso9899:1990" => None,
            "iso9899:199409" => Some("199409L"),
            "99" | "9x" | "iso9899:1999" => Some("199901L"),
            "11" | "1x" | "iso9899:2011" => Some("201112L"),
            "23" | "2x" => Some("202311L"),
            _ => Some("201710L"),
        };
        self.undefine("__STDC_VERSION__");
        if let Some(version) = version {
            self.define("__STDC_VERSION__", version);
        }
        if is_strict {
            self.define("__STRICT_ANSI__", "1");
            for name in ["linux", "unix"] {
                self.undefine(name);
            }
        }
    }

    /// Whether a file with these options is in a supported language.
    pub(super) fn is_read(&self, file: &Path) -> bool {
        let name = file.to_string_lossy();
        match self.language.as_deref() {
            Some("none") | None => match Language::of_path(&name) {
                Some(Language::C) => file.extension().is_some_and(|x| x == "c"),
                Some(Language::Fortran) => true,
                Some(Language::Rust) | None => false,
            },
            Some(language) => {
                let is_fortran = language.starts_with("f77") || language.starts_with("f95");
                language == "c" || is_fortran && Language::of_path(&name) == Some(Language::Fortran)
            }
        }
    }

    /// The options to read the file with: include folders of premiss's command line are searched first, and its macros
    /// take precedence.
    pub(crate) fn with(&self, own: &ReadOptions) -> ReadOptions {
        let mut options = own.clone();
        let preprocessor = &mut options.preprocessor;
        for dirs in [&self.include_dirs, &self.system_dirs, &self.late_dirs] {
            preprocessor.include_dirs.extend(dirs.iter().cloned());
        }
        preprocessor
            .quote_dirs
            .extend(self.quote_dirs.iter().cloned());
        let own = &own.preprocessor;
        let forced = self.forced_includes.iter().chain(&own.forced_includes);
        preprocessor.forced_includes = forced.cloned().collect();
        preprocessor.macros = self.macros.iter().chain(&own.macros).cloned().collect();
        options
    }
}

/// Whether the text appended to an option can be its value: `-xHost` and `-include-pch` are other options.
fn is_value(option: &str, joined: &str) -> bool {
    match option {
        "-x" => {
            let languages = ["", "c", "none", "f77", "f95"];
            let families = ["c++", "c-", "cpp-", "objective-c", "assembler", "cu"];
            languages.contains(&joined) || families.iter().any(|x| joined.starts_with(x))
        }
        "-include" | "-imacros" => !joined.starts_with('-'),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> FileFlags {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        FileFlags::new(&words, &|path| format!("/b/{path}"))
    }

    #[test]
    fn options_are_read_joined_and_apart() {
        let flags = read("-Iinc -I more -isystem sys -iquotenear -idirafter late -include pre.h");
        assert_eq!(flags.include_dirs, ["/b/inc", "/b/more"]);
        assert_eq!(flags.system_dirs, ["/b/sys"]);
        assert_eq!(flags.quote_dirs, ["/b/near"]);
        assert_eq!(flags.late_dirs, ["/b/late"]);
        assert_eq!(flags.forced_includes, ["pre.h"]);
    }

    #[test]
    fn macros_keep_their_order_and_values_their_text() {
        let define = |name: &str, value: &str| MacroFlag::Define {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let flags = read("-DN=3 -D M -UN -Wp,-DX=1,-MD,x.d -o -DNOT.o");
        let undefine = MacroFlag::Undefine {
            name: "N".to_owned(),
        };
        assert_eq!(
            flags.macros,
            [
                define("N", "3"),
                define("M", "1"),
                undefine,
                define("X", "1")
            ]
        );
    }

    #[test]
    fn the_language_is_that_of_x_or_of_the_name() {
        assert!(read("-c").is_read(Path::new("a.c")));
        assert!(!read("-c").is_read(Path::new("a.cc")));
        assert!(read("-x c").is_read(Path::new("a.inc")));
        assert!(!read("-xc++").is_read(Path::new("a.c")));
        assert!(read("-Jmodules -cpp").is_read(Path::new("a.f90")));
        assert!(read("-x f95-cpp-input").is_read(Path::new("a.F")));
    }

    #[test]
    fn other_layouts_are_reported() {
        assert_eq!(read("-m32").other_layout.as_deref(), Some("-m32"));
        assert_eq!(read("-m64 -march=native").other_layout, None);
    }
}
