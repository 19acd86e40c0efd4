//! Random Rust: closures that borrow and that move, generic functions, iterators, `let _`, slices of slices, `while let`,
//! labelled breaks, blocks in subscripts, patterns, structs, and calls.

mod closures;
mod expressions;
mod functions;
mod loops;
mod statements;

use super::marked::counted_only;

/// What stands before all programs.
pub(super) const PRELUDE: &str = "#[derive(Clone, Copy)]\n\
    pub struct S { pub x: f64, pub y: [f32; 3], pub z: i32 }\n\
    trait At { fn at(&self, i: usize) -> usize; }\n\
    impl At for usize { fn at(&self, i: usize) -> usize { *self + 2 * i } }\n\
    impl At for (usize, usize) { fn at(&self, i: usize) -> usize { self.0 + i % (self.1 + 1) } }\n";

/// The program of a number as marked text, of which the first line is `first_line` in its file.
pub(super) fn program(number: u64, first_line: u32) -> String {
    let mut writer = Writer::new(number, first_line);
    writer.function();
    writer.text
}

type Writer = super::writer::Writer<Scope>;

/// The names that a place may use.
#[derive(Clone, Default)]
struct Scope {
    /// Integers that are read: sizes and counters.
    integers: Vec<String>,
    /// Integers that may be changed.
    variables: Vec<String>,
    /// Slices of doubles that may be stored to.
    arrays: Vec<String>,
    /// Whether `d` and `s` may be used.
    has_others: bool,
    /// Places of doubles that are read, such as `*x`.
    places: Vec<String>,
    /// Functions and closures of one integer.
    integer_functions: Vec<String>,
    /// Functions that change a slice, and how they are called: `$k` is an integer, `$a` a slice.
    array_functions: Vec<String>,
    /// Ways out.
    exits: Vec<String>,
}

impl Writer {
    /// Writes a line.
    fn write(&mut self, text: &str) {
        self.write_line("    ", text);
    }

    /// Begins a loop.
    fn open(&mut self, header: &str) {
        let tick = counted_only(" tick();");
        self.write(&format!("{header} {{{tick}"));
        self.indent += 1;
    }

    fn close(&mut self, end: &str) {
        self.indent -= 1;
        self.write(&format!("}}{end}"));
    }

    /// A new name.
    fn name(&mut self, kind: &str) -> String {
        format!("{kind}{}", self.next_number())
    }
}
