//! A chart with its numbers beside it, and buttons to save both.

use super::table::table;
use crate::chart::escaped;

/// The parts of a figure.
pub(super) struct Figure<'a> {
    /// The name of its files.
    pub(super) name: String,
    /// Its heading.
    pub(super) title: &'a str,
    /// Its caption, as HTML.
    pub(super) caption: String,
    pub(super) svg: String,
    /// The table of its numbers: heads, and cells as HTML.
    pub(super) heads: Vec<&'a str>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Figure<'_> {
    pub(super) fn html(&self) -> String {
        let Self {
            name,
            title,
            caption,
            svg,
            ..
        } = self;
        let (name, title) = (escaped(name), escaped(title));
        let numbers = table(&format!("Numbers of: {title}"), &self.heads, &self.rows);
        format!(
            "<figure data-name=\"{name}\">\n<h4>{title}</h4>\n<figcaption>{caption}</figcaption>\n\
             <div class=\"scroll picture\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">{svg}</div>\n\
             <p class=\"scripted\"><button type=\"button\" data-save=\"svg\">Save SVG</button> \
             <button type=\"button\" data-save=\"csv\">Save CSV</button></p>\n\
             <details><summary>Numbers</summary>{numbers}</details>\n</figure>\n"
        )
    }
}

/// A name for files: `premiss-kernel_gemm-miss-ratio`.
pub(super) fn file_name(function: &str, index: usize, what: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let function: String = function.chars().take(60).map(plain).collect();
    format!("premiss-{}-{function}-{what}", index + 1)
}
