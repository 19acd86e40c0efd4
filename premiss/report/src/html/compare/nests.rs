//! All nests, with a row for each metric: both counts, the limit, and remarks.

use crate::chart::escaped;
use crate::html::change::{Direction, mark};
use crate::html::comparison::{ComparedMetric, ComparedNest};
use crate::html::number::{count, difference};
use crate::number::Number;
use premiss_histogram::Counted;
use premiss_misses::SignedCount;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// If there are more rows, unchanged nests are left out first, then others.
const MOST_ROWS: usize = 900;

/// The kinds of rows, worst first, with the verb for each.
const GROUPS: [(&str, &str); 6] = [
    ("exceeds", "exceed"),
    ("undecided", "undecided"),
    ("within", "within"),
    ("added", "added"),
    ("removed", "removed"),
    ("unchanged", "unchanged"),
];

const HEADS: [(&str, &str); 9] = [
    ("Nest", "text"),
    ("Metric", "text"),
    ("Base", ""),
    ("Head", ""),
    ("Change", ""),
    ("Relative", ""),
    ("Kind", "text"),
    ("Limit", "text"),
    ("Verdict", "text"),
];

/// A metric of a nest, by its indices in the document.
struct NestRow<'a> {
    nest: (usize, &'a ComparedNest),
    metric: (usize, &'a ComparedMetric),
    group: usize,
}

/// The numbers that a row shows: the counts at the sizes of a witness, if there is one.
struct Numbers {
    before: Counted,
    after: Counted,
    /// The JSON pointer to both counts, relative to the metric.
    within: &'static str,
}

impl Numbers {
    fn of(metric: &ComparedMetric) -> Self {
        match &metric.witness {
            Some(witness) => Self {
                before: Counted::Exact(witness.before),
                after: Counted::Exact(witness.after),
                within: "for_all_sizes/witness/",
            },
            None => Self {
                before: metric.before,
                after: metric.after,
                within: "",
            },
        }
    }
}

/// The table, with a choice of the rows to show.
pub(super) fn table(nests: &[ComparedNest], shown: &BTreeSet<usize>) -> String {
    let mut rows: Vec<NestRow> = Vec::new();
    for nest in nests.iter().enumerate() {
        let metrics = nest.1.metrics.iter().enumerate();
        rows.extend(metrics.map(|metric| NestRow {
            nest,
            metric,
            group: group(nest.1, metric.1),
        }));
    }
    if rows.is_empty() {
        return "<p>There is no loop nest on either side.</p>\n".to_owned();
    }
    // The sort is stable: within a group, rows are in the order of the head.
    rows.sort_by_key(|row| row.group);
    let mut n_of: BTreeMap<usize, usize> = BTreeMap::new();
    for row in &rows {
        *n_of.entry(row.group).or_default() += 1;
    }
    let n_hidden = rows.len().saturating_sub(MOST_ROWS);
    rows.truncate(MOST_ROWS);
    let mut html = choice(&n_of);
    html.push_str(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Metrics of nests\"><table class=\"nests\">\
         <caption>Each metric of each nest: base, head, and the limit that it is held to</caption><thead><tr>",
    );
    for (column, (head, class)) in HEADS.iter().enumerate() {
        let _ = write!(
            html,
            "<th scope=\"col\" class=\"{class}\"><span class=\"plain\">{head}</span><button type=\"button\" \
             class=\"scripted\" data-sort=\"{column}\">{head}</button></th>"
        );
    }
    html.push_str("</tr></thead><tbody>\n");
    for row in &rows {
        row.write(shown, &mut html);
    }
    html.push_str("</tbody></table></div>\n");
    if 0 < n_hidden {
        let _ = writeln!(
            html,
            "<p class=\"notes\">{n_hidden} more rows are left out; `premiss diff --format json` has all.</p>"
        );
    }
    html
}

fn group(nest: &ComparedNest, metric: &ComparedMetric) -> usize {
    let name = match (metric.verdict, nest.status) {
        ("within", "changed") => "within",
        ("within", status) => status,
        (verdict, _) => verdict,
    };
    let found = GROUPS.iter().position(|(known, _)| *known == name);
    found.unwrap_or(GROUPS.len() - 1)
}

/// The initial choice of rows: unchanged nests are shown only if there are no others.
fn choice(n_of: &BTreeMap<usize, usize>) -> String {
    let mut html = "<div class=\"scripted choice\" role=\"toolbar\" aria-label=\"What the table shows\"><fieldset>\
                    <legend>Show</legend>"
        .to_owned();
    for (group, n) in n_of {
        let (name, text) = GROUPS[*group];
        let is_shown = name != "unchanged" || n_of.len() == 1;
        let checked = if is_shown { " checked" } else { "" };
        let _ = write!(
            html,
            "<label><input type=\"checkbox\" name=\"group\" value=\"{name}\"{checked}> {text} ({n})</label>"
        );
    }
    html.push_str(
        "</fieldset><label>Filter <input type=\"search\" id=\"filter\" autocomplete=\"off\"></label></div>\n",
    );
    html
}

impl NestRow<'_> {
    fn write(&self, shown: &BTreeSet<usize>, html: &mut String) {
        let ((nest_idx, nest), (metric_idx, metric)) = (self.nest, self.metric);
        let at = |what: &str| format!("/kernels/{nest_idx}/metrics/{metric_idx}/{what}");
        let Numbers {
            before,
            after,
            within,
        } = Numbers::of(metric);
        let group = GROUPS[self.group].0;
        let _ = write!(
            html,
            "<tr data-group=\"{group}\"><th scope=\"row\">{}</th><td class=\"text\">{}</td>",
            name(nest, shown),
            escaped(&metric.name)
        );
        // A side on which the nest does not exist has no count.
        let cell = |is_there: bool, number: Counted, what: &str| match is_there {
            true => count(number, &at(what)),
            false => "–".to_owned(),
        };
        let (is_new, is_gone) = (nest.status == "added", nest.status == "removed");
        let _ = write!(
            html,
            "<td>{}</td><td>{}</td>",
            cell(!is_new, before, &format!("{within}before")),
            cell(!is_gone, after, &format!("{within}after"))
        );
        let (change, relative) = match is_new || is_gone {
            true => (String::new(), String::new()),
            false => (change(before, after), relative(before, after)),
        };
        let _ = write!(html, "<td>{change}</td><td>{relative}</td>");
        let _ = writeln!(
            html,
            "<td class=\"text\">{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
            match &metric.witness {
                Some(witness) => escaped(&format!("exact at {}", witness.sizes)),
                None => kind(nest.status, before, after),
            },
            escaped(&metric.limit),
            remarks(metric, &at)
        );
    }
}

/// The function and its place, with how it was matched.
fn name(nest: &ComparedNest, shown: &BTreeSet<usize>) -> String {
    let place = escaped(&nest.place);
    let mut html = match nest.function.filter(|function| shown.contains(function)) {
        Some(function) => format!("<a href=\"#f{function}\">{place}</a>"),
        None => place,
    };
    let mut words: Vec<String> = Vec::new();
    if ["added", "removed"].contains(&nest.status) {
        words.push(nest.status.to_owned());
    }
    words.extend(
        nest.moved_from
            .iter()
            .map(|from| format!("was {}", escaped(from))),
    );
    if nest.status != "unchanged" {
        words.extend(nest.found_by.map(escaped));
    }
    if !words.is_empty() {
        let _ = write!(html, "<br><small>{}</small>", words.join(" · "));
    }
    html
}

/// The growth with its sign.
pub(super) fn change(before: Counted, after: Counted) -> String {
    let way = Direction::of(before, after);
    let class = way.class();
    let number = difference(SignedCount::difference(after, before), "");
    match way {
        _ if before == Counted::Unknown || after == Counted::Unknown => number,
        Direction::Same => format!("<span class=\"{class}\">{number}</span>"),
        _ => format!("<span class=\"{class}\">{} {number}</span>", way.arrow()),
    }
}

/// `+700.0 %`; empty if there was nothing before, or either count is unknown.
pub(super) fn relative(before: Counted, after: Counted) -> String {
    match (before.magnitude(), after.magnitude()) {
        (Some(before), Some(after)) if 0.0 < before => {
            let share = 100.0 * (after - before) / before;
            let sign = match share {
                _ if share < 0.0 => "−",
                _ if 0.0 < share => "+",
                _ => "",
            };
            format!(
                "<data value=\"{share:.4}\">{sign}{:.1} %</data>",
                share.abs()
            )
        }
        _ => String::new(),
    }
}

/// How the counts were obtained: one word if both in the same way.
fn kind(status: &str, before: Counted, after: Counted) -> String {
    let [before, after] = [before, after].map(|x| Number::from(x).kind());
    match status {
        "added" => after.to_owned(),
        "removed" => before.to_owned(),
        _ if before == after => after.to_owned(),
        _ => format!("{before} → {after}"),
    }
}

fn remarks(metric: &ComparedMetric, at: &dyn Fn(&str) -> String) -> String {
    let word = match metric.verdict {
        "exceeds" => format!("exceeds {}", metric.limit),
        verdict => verdict.to_owned(),
    };
    let mut html = format!("{} {}", mark(metric.verdict), escaped(&word));
    let mut notes: Vec<String> = metric.remark.iter().map(|remark| escaped(remark)).collect();
    if let Some((place, before, after)) = &metric.worst {
        let unknown = (Counted::Unknown, Counted::Unknown);
        let numbers = ((*before, *after) != unknown).then(|| {
            let before = count(*before, &at("worst/before"));
            format!(": {before} → {}", count(*after, &at("worst/after")))
        });
        notes.push(format!("{}{}", escaped(place), numbers.unwrap_or_default()));
    }
    for note in notes {
        let _ = write!(html, "<br><small>{note}</small>");
    }
    html
}
