//! A comparison in the forms that were asked for.

use super::side::Read;
use crate::failure::Failure;
use crate::output;
use crate::repository::Repository;
use crate::targets::{Form, Target};
use premiss_analyze::Analysis;
use premiss_gate::formats::{self, Conditions, Results};
use premiss_gate::{Delta, delta_json, delta_markdown, delta_text};
use premiss_report::coverage_summary;

/// Writes each form to its file.
///
/// # Errors
///
/// A file cannot be written.
pub(super) fn write(
    targets: &[Target],
    delta: &Delta,
    (base, head): (&Read, &Read),
    after: &Analysis,
) -> Result<(), Failure> {
    let current = std::env::current_dir().map_err(|error| Failure::file(".", &error))?;
    let repository = Repository::around(&current);
    let path_of = |path: &str| repository.path_of(path);
    let coverage = coverage(after);
    let machine = after.machine.name();
    let conditions = Conditions {
        machine: machine.to_owned(),
        machine_id: after.machine.id(),
        coverage: coverage.trim_end().to_owned(),
        held_back: None,
    };
    let about = about(after);
    let results = Results::of_delta(&head.sources, &path_of, delta, conditions);
    let names = (base.name.as_str(), head.name.as_str());
    let markdown = || delta_markdown(delta, names, &path_of, &about);
    for Target { form, file } in targets {
        let text = match form {
            Form::Json => delta_json(delta, names.0, names.1, machine),
            Form::Text => delta_text(delta, names.0, names.1, machine) + &coverage,
            Form::Sarif => formats::sarif(&results),
            Form::Github => formats::github(&results),
            Form::Gitlab => formats::gitlab(&results),
            Form::Junit => formats::junit(&results),
            Form::Markdown => markdown(),
            // The one is refused before anything is compared, the other needs more than that.
            Form::Callgrind | Form::Html => continue,
        };
        output::write(file.as_deref(), &text)?;
        if *form == Form::Github && 0 < formats::without_annotation(&results) {
            output::summarise_step(&markdown())?;
        }
    }
    Ok(())
}

/// How much is covered, and the machine, as a line.
pub(super) fn about(after: &Analysis) -> String {
    format!("{} · {}", coverage(after).trim_end(), after.machine.id())
}

fn coverage(after: &Analysis) -> String {
    let nests = after.functions.iter().flat_map(|x| x.nests.iter().cloned());
    coverage_summary(&nests.collect::<Vec<_>>())
}
