//! Names text that was not read: included files, modules whose file is not there, the items of unknown macros, and
//! macros that nothing uses.

use crate::context::ProgramContext;
use crate::loop_accounting::text_diagnostic;
use crate::modules;
use crate::positions::PositionMap;
use crate::text_loops::FileLoops;
use premiss_source::{Diagnostic, Severity, SourceMap};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::Item;

/// The paths of all files of the program.
fn given_files(ctx: &ProgramContext, sources: &SourceMap) -> BTreeSet<PathBuf> {
    let files = ctx.positions.iter().map(PositionMap::file);
    files
        .map(|file| PathBuf::from(sources.file(file).path()))
        .collect()
}

/// The modules that a file declares and of which no file was given: notes where there is one among `others`, warnings
/// where there is none.
pub(crate) fn unread_modules(
    ctx: &ProgramContext,
    sources: &SourceMap,
    others: &BTreeSet<PathBuf>,
    unit: usize,
    items: &[Item],
) -> Vec<Diagnostic> {
    let file = ctx.positions[unit].file();
    let path = Path::new(sources.file(file).path());
    let unread = modules::unread_modules(items, path, &given_files(ctx, sources), others);
    let diagnostics = unread.into_iter().map(|module| {
        let name = &module.name;
        let (severity, message, help) = match module.has_file {
            true => (
                Severity::Note,
                format!("the module `{name}` was not read: its file is not among those given"),
                "give its file",
            ),
            false => (
                Severity::Warning,
                format!("the module `{name}` was not read: there is no file for it"),
                "add its file; it has to be a regular file of at most 64 MiB",
            ),
        };
        text_diagnostic(file, &module.at, (severity, "not-read"), message, help)
    });
    diagnostics.collect()
}

/// Notes on text that was not read: included files, the items of unknown macros, and macros that nothing uses.
pub(crate) fn unread_text(
    ctx: &ProgramContext,
    sources: &SourceMap,
    unit: usize,
) -> Vec<Diagnostic> {
    let texts: &FileLoops = &ctx.texts[unit];
    let file = ctx.positions[unit].file();
    let folder = Path::new(sources.file(file).path())
        .parent()
        .unwrap_or(Path::new(""));
    let given = given_files(ctx, sources);
    let mut found = Vec::new();
    let is_given = |path: &str| given.contains(&folder.join(path));
    for (path, at) in texts.included.iter().filter(|(path, _)| !is_given(path)) {
        let message = format!("`{path}` is included and not followed");
        let help = "give the included file itself";
        let kind = (Severity::Warning, "not-read");
        found.push(text_diagnostic(file, at, kind, message, help));
    }
    for (name, at) in &texts.item_macros {
        if name == "include" {
            continue;
        }
        let message = format!("the items that `{name}!` makes are not read");
        let help = "write out what the macro makes, to have its loops counted";
        let kind = (Severity::Note, "not-read");
        found.push(text_diagnostic(file, at, kind, message, help));
    }
    let is_used = |name: &String| {
        ctx.macros.expanded.contains(name) || ctx.texts.iter().any(|text| text.mentions_macro(name))
    };
    for (name, at) in &texts.definitions {
        if ctx.macros.with_loops.contains(name) && !is_used(name) {
            let message =
                format!("nothing here uses the macro `{name}!`: its loops are not counted");
            let help = "give the files that use it";
            let kind = (Severity::Note, "not-read");
            found.push(text_diagnostic(file, at, kind, message, help));
        }
    }
    found
}
