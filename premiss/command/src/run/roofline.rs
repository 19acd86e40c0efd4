//! `premiss roofline`

use super::selection::{Selected, read_selected};
use crate::arguments::RooflineArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output::{self, Colours};
use crate::profile::Profiles;
use clap::ArgMatches;
use premiss_analyze::measure;
use premiss_report::{NoRoofline, render_diagnostics, roofline_svg};
use premiss_source::SourceMap;

pub(crate) fn run(
    arguments: &RooflineArguments,
    matches: &ArgMatches,
    colours: Colours,
) -> Result<Exit, Failure> {
    let reading = flags::reading(&arguments.reading, matches)?;
    let measuring = flags::measuring(&arguments.measuring)?;
    let mut sources = SourceMap::new();
    let function = arguments.function.as_deref();
    let Selected {
        files, mut program, ..
    } = read_selected(
        &mut sources,
        &arguments.input,
        (&arguments.reading, &reading),
        &measuring,
        function,
    )?;
    Profiles::read(&arguments.profile.profile)?.give(&sources, &files, &mut program)?;
    let analysis = measure(program, &measuring);
    let chatter = render_diagnostics(&sources, &analysis.diagnostics, colours.stderr);
    output::say(&chatter);
    match roofline_svg(&sources, &analysis) {
        Ok(svg) => {
            output::write(arguments.output.as_deref(), &svg)?;
            Ok(Exit::Clean)
        }
        Err(why @ NoRoofline::Functions) => {
            output::say(&format!("note: {why}\n"));
            Ok(Exit::Inconclusive)
        }
        Err(why) => Err(Failure::usage(why.to_string())),
    }
}
