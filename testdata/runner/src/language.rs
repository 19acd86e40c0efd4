//! The languages of kernels: their folders and suffixes, and how they spell names.

use crate::truth::testdata;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A language that a kernel can be written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Language {
    /// C99.
    C,
    /// Fortran in free and in fixed form.
    Fortran,
    /// Rust.
    Rust,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::C, Self::Fortran, Self::Rust];

    /// The language of a file.
    ///
    /// # Panics
    /// It is in none of ours.
    #[must_use]
    pub fn of(path: &str) -> Self {
        let of = |language: &Self| language.stem(path).is_some();
        let found = Self::ALL.into_iter().find(of);
        found.unwrap_or_else(|| panic!("{path} is in no language that we read"))
    }

    /// The name of a file without the suffix, where that is one of this language.
    fn stem(self, path: &str) -> Option<&str> {
        let suffixes = self.suffixes().iter();
        suffixes
            .into_iter()
            .find_map(|suffix| path.strip_suffix(suffix))
    }

    fn suffixes(self) -> &'static [&'static str] {
        match self {
            Self::C => &[".c"],
            Self::Fortran => &[".f90", ".f"],
            Self::Rust => &[".rs"],
        }
    }

    /// The folder of its kernels in `testdata`.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::C => "kernels/c",
            Self::Fortran => "kernels/fortran",
            Self::Rust => "kernels/rust",
        }
    }

    /// What begins a comment behind a statement.
    #[must_use]
    pub fn comment(self) -> &'static str {
        match self {
            Self::C | Self::Rust => "//",
            Self::Fortran => "!",
        }
    }

    /// Its kernels: names such as `shapes/red_black`, and their files in `testdata`.
    #[must_use]
    pub fn kernels(self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        self.add_kernels("", &mut found);
        found
    }

    fn add_kernels(self, folder: &str, found: &mut BTreeMap<String, String>) {
        let path = testdata().join(self.folder()).join(folder);
        for entry in fs::read_dir(path).expect("a folder of kernels") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a plain name");
            let name = Path::new(folder).join(name);
            let name = name.to_str().expect("a plain name");
            if entry.path().is_dir() {
                self.add_kernels(name, found);
            } else if let Some(stem) = self.stem(name) {
                let other = found.insert(stem.to_owned(), format!("{}/{name}", self.folder()));
                assert_eq!(other, None, "one kernel of a name in each language");
            }
        }
    }

    /// Sizes by name, macros of C among them, as the language spells names: Fortran in lower case, as
    /// case means nothing there; Rust in both cases, as constants are written in upper case there and
    /// variables in lower.
    #[must_use]
    pub fn sizes(self, macros: &[(&str, i64)], sizes: &[(&str, i64)]) -> BTreeMap<String, i64> {
        let mut spelled = BTreeMap::new();
        for (name, value) in sizes.iter().chain(macros) {
            if self != Self::Fortran {
                spelled.insert((*name).to_owned(), *value);
            }
            if self != Self::C {
                spelled.insert(name.to_lowercase(), *value);
            }
        }
        spelled
    }
}
