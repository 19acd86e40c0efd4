//! Tables whose cells are HTML.

use crate::chart::escaped;
use std::fmt::Write as _;

/// A table; the first cell of a row is its header. Column heads are text.
pub(super) fn table(caption: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut html = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table><caption>{0}</caption><thead><tr>",
        escaped(caption)
    );
    let is_text = |column: usize| rows.iter().all(|row| is_text(row.get(column)));
    let texts: Vec<&str> = (0..heads.len())
        .map(|column| {
            if is_text(column) {
                " class=\"text\""
            } else {
                ""
            }
        })
        .collect();
    for (head, class) in heads.iter().zip(&texts) {
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escaped(head));
    }
    html.push_str("</tr></thead><tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        for (idx, cell) in row.iter().enumerate() {
            let _ = match idx {
                0 => write!(html, "<th scope=\"row\">{cell}</th>"),
                _ => write!(html, "<td{}>{cell}</td>", texts.get(idx).unwrap_or(&"")),
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html
}

/// Whether a cell has words, which are left-aligned, and no number.
fn is_text(cell: Option<&String>) -> bool {
    let Some(cell) = cell else {
        return false;
    };
    let starts = |c: char| c.is_alphabetic() || c == '<';
    !cell.contains("<data ") && cell.starts_with(starts)
}
