//! Random C: pointers that move, blocks from `malloc`, unsigned numbers that wrap, conditions with loads in them,
//! subscripts with side effects, every kind of loop and of exit, structs, and calls.

mod expressions;
mod functions;
mod loops;
mod statements;

use super::marked::counted_only;

/// What stands before all programs.
pub(super) const PRELUDE: &str = "#include <stdlib.h>\n\
    struct S { double x; float y[3]; int z; };\n";

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
    /// Pointers to doubles that may not be changed.
    arrays: Vec<String>,
    /// Pointers to doubles that may.
    pointers: Vec<String>,
    /// Functions of one integer.
    integer_functions: Vec<String>,
    /// Functions of an integer and an array.
    array_functions: Vec<String>,
    /// Variables that the statement under way changes.
    changed: Vec<String>,
    /// Names that the statement under way reads.
    read: Vec<String>,
    /// How many loops, and how many `switch` inside of the innermost one, are around the place.
    n_loops: usize,
    n_switches: usize,
}

impl Writer {
    /// Writes a line.
    fn write(&mut self, text: &str) {
        self.write_line("  ", text);
        self.scope.changed.clear();
        self.scope.read.clear();
    }

    /// Begins a loop.
    fn open(&mut self, header: &str) {
        let tick = counted_only(" TICK;");
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
