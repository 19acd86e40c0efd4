//! The macros that are there before a file is read: those of GCC on x86-64 Linux, then those of the
//! command line.

use std::sync::Arc as Rc;

use super::directives::Definer;
use super::macros::{Macro, Shape};
use super::token::Name;
use super::{MacroFlag, Preprocessor};

/// Macros whose replacement depends on where they stand.
const DYNAMIC: &[Name] = &[
    Name::FILE,
    Name::BASE_FILE,
    Name::LINE,
    Name::COUNTER,
    Name::INCLUDE_LEVEL,
    Name::HAS_INCLUDE,
    Name::HAS_INCLUDE_NEXT,
];

/// One definition a line, as after `#define`. There is no clock in a result: the date is fixed.
const PREDEFINED: &str = include_str!("predefined.txt");

impl Preprocessor<'_> {
    /// Defines what is predefined, then obeys `-D` and `-U` in order.
    pub(super) fn define_predefined(&mut self) {
        for &name in DYNAMIC {
            let definition = Macro {
                shape: Shape::Dynamic,
                body: Vec::new(),
                defined_at: None,
            };
            self.macros.set(name, Some(Rc::new(definition)));
        }
        for line in PREDEFINED.lines() {
            let line = self.tokenise(line);
            self.define(&line, Definer::BuiltIn, None);
        }
        let options = self.options;
        for flag in &options.macros {
            match flag {
                MacroFlag::Define { name, value } => {
                    let line = self.tokenise(&format!("{name} {value}"));
                    self.define(&line, Definer::CommandLine, None);
                }
                MacroFlag::Undefine { name } => {
                    let name = self.names.intern(name);
                    self.macros.set(name, None);
                }
            }
        }
    }
}
