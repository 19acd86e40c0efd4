//! The macros that are defined before a file is read: those of GCC on x86-64 Linux, then those of the command line.

use super::directives;
use std::rc::Rc;

use super::directives::Definer;
use super::macros::{Macro, Shape};
use super::options::MacroFlag;
use super::state::Preprocessor;
use super::token::Name;

/// Macros whose replacement depends on their place.
const DYNAMIC: &[Name] = &[
    Name::FILE,
    Name::BASE_FILE,
    Name::LINE,
    Name::COUNTER,
    Name::INCLUDE_LEVEL,
    Name::HAS_INCLUDE,
    Name::HAS_INCLUDE_NEXT,
];

/// One definition per line, as after `#define`. The date is fixed, so that results do not depend on the clock.
const PREDEFINED: &str = include_str!("predefined.txt");

/// Defines the predefined macros, then processes `-D` and `-U` in order.
pub(super) fn define_predefined(ctx: &mut Preprocessor) {
    for &name in DYNAMIC {
        let definition = Macro {
            shape: Shape::Dynamic,
            body: Vec::new(),
            defined_at: None,
        };
        ctx.macros.set(name, Some(Rc::new(definition)));
    }
    for line in PREDEFINED.lines() {
        let line = ctx.tokenise(line);
        directives::define(ctx, &line, Definer::BuiltIn, None);
    }
    let options = ctx.options;
    for flag in &options.macros {
        match flag {
            MacroFlag::Define { name, value } => {
                let line = ctx.tokenise(&format!("{name} {value}"));
                directives::define(ctx, &line, Definer::CommandLine, None);
            }
            MacroFlag::Undefine { name } => {
                let name = ctx.names.intern(name);
                ctx.macros.set(name, None);
            }
        }
    }
}
