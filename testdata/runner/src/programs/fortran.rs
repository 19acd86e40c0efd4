//! Random Fortran: loops whose bounds their bodies change, counters used after loops, shared labels, jumps, named exits,
//! sections, `where`, `forall`, statement functions, arguments in parentheses, internal procedures, derived types.

mod expressions;
mod functions;
mod loops;
mod statements;

use super::marked::counted_only;

/// What stands before all programs.
pub(super) const PRELUDE: &str = "module types\n\
    type point\n  real(8) :: x\n  real(4) :: y(3)\n  integer :: z\nend type\n\
    end module\n";

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
    /// Arrays of doubles of one dimension.
    arrays: Vec<String>,
    /// Functions of one integer.
    integer_functions: Vec<String>,
    /// Subroutines of an integer, of which some change it, and of an array.
    subroutines: Vec<String>,
    /// Ways out.
    exits: Vec<String>,
}

impl Writer {
    /// Writes a line.
    fn write(&mut self, text: &str) {
        self.write_line("  ", text);
    }

    /// Begins a loop.
    fn open(&mut self, header: &str) {
        let tick = counted_only("; call tick()");
        self.write(&format!("{header}{tick}"));
        self.indent += 1;
    }

    fn close(&mut self, end: &str) {
        self.indent -= 1;
        self.write(end);
    }

    /// A new name: an integer, where it begins with a letter from `i` to `n`.
    fn name(&mut self, kind: &str) -> String {
        format!("{kind}_{}", self.next_number())
    }
}
