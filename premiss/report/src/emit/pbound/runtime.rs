//! The text around the functions of slices: the log, the helpers that they call, and the main program.

const HEAD: &str = include_str!("head.c");
const HELPERS: &str = include_str!("helpers.c");
const MAIN: &str = include_str!("main.c");

/// A file with these functions, each with its row in the table of functions.
pub(super) fn program(functions: &str, rows: &[String]) -> String {
    let (declared, run) = MAIN.split_once("\n\n").unwrap_or((MAIN, ""));
    let helpers = helpers(functions);
    let rows = rows.join("\n");
    format!(
        "{HEAD}{helpers}{functions}\n{declared}\n\n\
         static const struct pbound_function pbound_functions[] = {{\n{rows}\n}};\n\n{run}"
    )
}

/// The helpers that a text uses, directly or through other helpers.
fn helpers(body: &str) -> String {
    let mut text = String::new();
    for helper in HELPERS.trim_end().rsplit("\n\n") {
        let starts = helper.lines().filter(|line| {
            (line.starts_with("static ") && line.contains('(')) || line.starts_with("#define ")
        });
        let names = starts.filter_map(|line| {
            let end = line.find('(')?;
            line[..end].rsplit([' ', '*']).next()
        });
        let is_used = |name: &str| {
            let call = format!("{name}(");
            body.contains(&call) || text.contains(&call)
        };
        if names.into_iter().any(is_used) {
            text = format!("\n{helper}\n{text}");
        }
    }
    text
}
