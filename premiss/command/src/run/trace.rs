//! `premiss trace`

use super::completeness::Completeness;
use crate::arguments::{TraceArguments, TraceFormat};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output::{self, stdout_failure};
use premiss_analyze::{AddressedAccess, MeasureOptions, show_accesses, trace_error};
use premiss_check::{SelectedProgram, read_selected};
use premiss_report::render_diagnostics;
use premiss_source::{Diagnostic, SourceMap};
use premiss_tree::{AccessKind, NestTree};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

pub(crate) fn run(arguments: &TraceArguments, invocation: Invocation<'_>) -> Result<Exit, Failure> {
    let TraceFormat::Addresses = arguments.format;
    let reading = flags::reading(&arguments.reading, invocation.matches)?;
    let placing = flags::placing(&arguments.placing)?;
    let mut sources = SourceMap::new();
    let function = arguments.function.as_deref();
    let options = flags::input_options(&arguments.reading);
    let request = flags::file_request(&arguments.input, &options, &reading, invocation.host);
    let SelectedProgram { program, .. } =
        read_selected(&mut sources, &request, &placing, function)?;
    output::say(&render_diagnostics(
        &sources,
        &program.diagnostics,
        invocation.colours.stderr,
    ));
    let stderr = invocation.colours.stderr;
    let is_counted = match write_functions(&program.functions, &placing) {
        Ok(diagnostics) => {
            output::say(&render_diagnostics(&sources, &diagnostics, stderr));
            diagnostics.is_empty()
        }
        // The reader has what it wanted, if there was anything for it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            program.functions.iter().all(has_sizes)
        }
        Err(error) => return Err(stdout_failure(&error)),
    };
    let completeness = Completeness {
        functions: program.functions.len(),
        is_counted,
        diagnostics: &program.diagnostics,
    };
    Ok(completeness.exit())
}

/// Whether all sizes that a function uses have values.
fn has_sizes(tree: &NestTree) -> bool {
    let mut sizes = tree.used_parameters().into_iter();
    sizes.all(|id| tree.parameters[id].value.is_some())
}

/// Writes the accesses of all functions to standard output; returns a diagnostic for each that cannot be run to its end.
fn write_functions(
    functions: &[NestTree],
    options: &MeasureOptions,
) -> io::Result<Vec<Diagnostic>> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut diagnostics = Vec::new();
    for tree in functions {
        if 1 < functions.len() {
            writeln!(out, "# {}", tree.function)?;
        }
        diagnostics.extend(write_accesses(tree, options, &mut out)?);
    }
    out.flush()?;
    Ok(diagnostics)
}

/// Writes one line for each access; returns the diagnostic if the function cannot be run to its end.
fn write_accesses(
    tree: &NestTree,
    options: &MeasureOptions,
    out: &mut dyn Write,
) -> io::Result<Option<Diagnostic>> {
    let mut broken = None;
    let run = show_accesses(
        tree,
        options,
        &mut |access| match write_access(tree, &access, out) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                broken = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    match broken {
        Some(error) => Err(error),
        None => Ok(run.err().map(|error| trace_error(tree, &error, options))),
    }
}

fn write_access(tree: &NestTree, access: &AddressedAccess, out: &mut dyn Write) -> io::Result<()> {
    let possible = if access.certain { "" } else { "?" };
    let kind = match access.kind {
        AccessKind::Load => "L",
        AccessKind::Store => "S",
    };
    write!(out, "{possible}{kind} ")?;
    match access.address {
        Some(address) => write!(out, "{address:#x}")?,
        None => write!(out, "?")?,
    }
    let text = &tree.references[access.reference].text;
    writeln!(out, " {} {text}", access.size)
}
