//! `premiss roofline`

use super::completeness::Completeness;
use crate::arguments::RooflineArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::invocation::Invocation;
use crate::output;
use premiss_analyze::measure;
use premiss_check::{Profiles, SelectedProgram, read_selected};
use premiss_report::{NoRoofline, render_diagnostics, roofline_svg};
use premiss_source::SourceMap;

pub(crate) fn run(
    arguments: &RooflineArguments,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, invocation.matches)?;
    let measuring = flags::reporting(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let function = arguments.function.as_deref();
    let options = flags::input_options(&arguments.reading);
    let request = flags::file_request(&arguments.input, &options, &reading, invocation.host);
    let SelectedProgram {
        files, mut program, ..
    } = read_selected(&mut sources, &request, &measuring, function)?;
    Profiles::read(&arguments.profile.profile)?.apply(&sources, &files, &mut program)?;
    let analysis = measure(program, &measuring);
    output::say(&render_diagnostics(
        &sources,
        &analysis.diagnostics,
        invocation.colours.stderr,
    ));
    match roofline_svg(&sources, &analysis) {
        Ok(svg) => {
            output::write(arguments.output.as_deref(), &svg)?;
            Ok(Completeness::of_analysis(&analysis))
        }
        Err(why @ NoRoofline::Functions) => {
            output::say(&format!("note: {why}\n"));
            Ok(Exit::Inconclusive)
        }
        Err(why) => Err(Failure::usage(why.to_string())),
    }
}
