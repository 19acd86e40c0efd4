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
    let nests = after.functions.iter().flat_map(|x| x.nests.iter().cloned());
    let coverage = coverage_summary(&nests.collect::<Vec<_>>());
    let machine = after.machine.name();
    let conditions = Conditions {
        machine: machine.to_owned(),
        machine_id: after.machine.id(),
        coverage: coverage.trim_end().to_owned(),
        held_back: None,
    };
    let about = format!("{} · {}", conditions.coverage, conditions.machine_id);
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
            // Refused before anything is compared.
            Form::Callgrind => continue,
        };
        output::write(file.as_deref(), &text)?;
        if *form == Form::Github && 0 < formats::without_annotation(&results) {
            output::summarise_step(&markdown())?;
        }
    }
    Ok(())
}
