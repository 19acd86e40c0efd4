//! Where the forms of results go: `--format github,sarif:out.sarif`.

use crate::failure::Failure;
use clap::{ArgAction, Args};
use premiss_check::{OutputForm, suggest};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

/// The options of `premiss check` and `premiss diff` that say what is written where.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct TargetArguments {
    /// One or more of text, json, sarif, github, gitlab, junit, markdown, callgrind (check), html (diff)
    ///
    /// All but one need a file of their own: github,sarif:out.sarif [default: text, or by the suffix of -o, .html or
    /// .json].
    #[arg(long, value_name = "FORMAT[:FILE],...", value_delimiter = ',',
          value_parser = target, action = ArgAction::Append)]
    format: Vec<Target>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
}

/// A form, and the file for it; `None` is standard output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) form: OutputForm,
    pub(crate) file: Option<String>,
}

/// The forms by name.
const FORMS: [(&str, OutputForm); 9] = [
    ("text", OutputForm::Text),
    ("json", OutputForm::Json),
    ("sarif", OutputForm::Sarif),
    ("github", OutputForm::Github),
    ("gitlab", OutputForm::Gitlab),
    ("junit", OutputForm::Junit),
    ("markdown", OutputForm::Markdown),
    ("callgrind", OutputForm::Callgrind),
    ("html", OutputForm::Html),
];

impl TargetArguments {
    /// The targets: no two forms go to the same file, and at most one goes to standard output.
    pub(crate) fn targets(&self) -> Result<Vec<Target>, Failure> {
        let mut targets = self.format.clone();
        if targets.is_empty() {
            let form = self
                .output
                .as_deref()
                .map_or(OutputForm::Text, form_of_file);
            targets.push(Target { form, file: None });
        }
        if let Some(output) = &self.output {
            let [Target { file, .. }] = targets.as_mut_slice() else {
                return Err(Failure::usage(
                    "-o names the file of one format: with several, each has its own \
                     (--format github,sarif:out.sarif)",
                ));
            };
            if let Some(file) = file {
                return Err(Failure::usage(format!(
                    "--format says `{file}` and -o says `{output}`: name the file once"
                )));
            }
            *file = Some(output.clone());
        }
        let mut files = BTreeSet::new();
        for target in &targets {
            if !files.insert(&target.file) {
                let place = target.file.as_deref();
                let place = place.map_or("standard output".to_owned(), |file| format!("`{file}`"));
                return Err(Failure::usage(format!(
                    "two formats go to {place}: give all but one a file of its own \
                     (--format github,sarif:out.sarif)"
                )));
            }
        }
        Ok(targets)
    }
}

/// The form by the extension of a file, if no option gives one.
fn form_of_file(path: &str) -> OutputForm {
    let ending = Path::new(path).extension().and_then(OsStr::to_str);
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => OutputForm::Html,
        Some("json") => OutputForm::Json,
        _ => OutputForm::Text,
    }
}

/// Parses `sarif`, or `sarif:out.sarif`.
fn target(text: &str) -> Result<Target, String> {
    let (name, file) = match text.split_once(':') {
        Some((_, "")) => return Err("no file is named after the colon".to_owned()),
        Some((name, file)) => (name, Some(file.to_owned())),
        None => (text, None),
    };
    let found = FORMS.iter().find(|(known, _)| *known == name);
    let form = found.map(|(_, form)| *form).ok_or_else(|| {
        let names = FORMS.iter().map(|(known, _)| *known);
        format!("`{name}` is no format{}", suggest(name, names))
    })?;
    Ok(Target { form, file })
}
