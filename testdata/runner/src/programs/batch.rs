//! Programs that are compiled and run together.

use super::build::{is_installed, run};
use super::{c, counters, fortran, marked, rust};
use crate::decisions::Decisions;
use crate::language::Language;
use crate::memo::computed_once;
use std::collections::BTreeMap;
use std::path::Path;

/// Loads, stores and floating-point operations of a line.
pub type LineCounts = [u64; 3];

/// Programs of one language in one file.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The language.
    pub language: Language,
    /// The text as premiss reads it.
    pub plain: String,
    /// The text that is compiled.
    pub counted: String,
    /// The number of each program, its sizes, and its first line.
    pub programs: Vec<(u64, [i64; 2], u32)>,
}

impl Batch {
    /// The programs of these numbers.
    #[must_use]
    pub fn new(language: Language, numbers: std::ops::Range<u64>) -> Self {
        let (prelude, program): (&str, fn(u64, u32) -> String) = match language {
            Language::C => (c::PRELUDE, c::program),
            Language::Fortran => (fortran::PRELUDE, fortran::program),
            Language::Rust => (rust::PRELUDE, rust::program),
        };
        let mut text = prelude.to_owned();
        let mut programs = Vec::new();
        for number in numbers {
            let line = u32::try_from(text.lines().count() + 1).expect("a short file");
            let mut sizes = Decisions::of(!number);
            programs.push((number, [sizes.within(0, 11), sizes.within(0, 11)], line));
            text += &program(number, line);
        }
        Self {
            language,
            plain: marked::plain(&text),
            counted: marked::counted(&text),
            programs,
        }
    }

    /// Values of the sizes of all programs, by name.
    #[must_use]
    pub fn sizes(&self) -> Vec<(String, i64)> {
        let sizes = self.programs.iter().flat_map(|(number, [n, m], _)| {
            [(format!("n{number}"), *n), (format!("m{number}"), *m)]
        });
        sizes.collect()
    }

    /// A name that tells the language.
    #[must_use]
    pub fn file_name(&self) -> &'static str {
        match self.language {
            Language::C => "program.c",
            Language::Fortran => "program.f90",
            Language::Rust => "program.rs",
        }
    }

    /// The sizes of a program.
    #[must_use]
    pub fn sizes_of(&self, number: u64) -> [i64; 2] {
        let program = self.programs.iter().find(|x| x.0 == number);
        program.expect("one of ours").1
    }

    /// The lines of a program.
    #[must_use]
    pub fn text_of(&self, number: u64) -> String {
        let at = self
            .programs
            .iter()
            .position(|x| x.0 == number)
            .expect("one of ours");
        let end = self.programs.get(at + 1).map_or(u32::MAX, |next| next.2);
        let lines = (1..).zip(self.plain.lines());
        let lines = lines.filter(|(line, _)| (self.programs[at].2..end).contains(line));
        lines
            .map(|(line, text)| format!("{line:5}  {text}\n"))
            .collect()
    }

    /// What each program counts, line by line, by its number; nothing of those that do not end. `None` where tools are
    /// missing.
    ///
    /// # Panics
    /// The programs cannot be compiled or run.
    #[must_use]
    pub fn run(&self, scratch: &Path) -> Option<BTreeMap<u64, BTreeMap<u32, LineCounts>>> {
        if !is_installed(self.language) {
            return None;
        }
        let files = self.files();
        let key: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
        let output = computed_once("programs", &key.concat(), || {
            run(self.language, &files, scratch)
        });
        Some(parse(&output))
    }

    fn files(&self) -> Vec<(&'static str, String)> {
        let calls: Vec<_> = self
            .programs
            .iter()
            .map(|(x, [n, m], _)| (*x, *n, *m))
            .collect();
        match self.language {
            Language::C => {
                let before = format!("{}#line 1\n", counters::C);
                let text = [&before[..], &self.counted, &counters::c_main(&calls)].concat();
                vec![("program.c", text)]
            }
            Language::Fortran => vec![
                ("main.c", counters::fortran_main(&calls)),
                ("program.f90", self.counted.clone()),
            ],
            Language::Rust => vec![(
                "program.rs",
                [counters::RUST, &self.counted, &counters::rust_main(&calls)].concat(),
            )],
        }
    }
}

/// What the main program prints.
fn parse(output: &str) -> BTreeMap<u64, BTreeMap<u32, LineCounts>> {
    let mut programs = BTreeMap::new();
    let mut under_way = None;
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |idx: usize| words[idx].parse::<u64>().expect("a number");
        match words[..] {
            ["program", _, "ended"] => under_way = Some(number(1)),
            ["program", ..] => under_way = None,
            _ => {
                let line = u32::try_from(number(0)).expect("a line");
                let counts = [number(1), number(2), number(3)];
                let program = under_way.expect("a program that ended");
                let lines: &mut BTreeMap<_, _> = programs.entry(program).or_default();
                lines.insert(line, counts);
            }
        }
        if let Some(program) = under_way {
            programs.entry(program).or_default();
        }
    }
    programs
}
