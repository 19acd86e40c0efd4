//! The template of a page, and its substitution.

pub(super) const PAGE: &str = include_str!("page.html");
pub(super) const STYLE: &str = include_str!("page.css");
pub(super) const SCRIPT: &str = include_str!("page.js");

/// JSON documents larger than this many bytes are left out of the page.
pub(super) const LARGEST_JSON: usize = 1_400_000;
/// Functions are shown in full as long as they and the JSON document have at most this many bytes, but at least one is.
/// Tables over all functions are not counted.
pub(super) const FULL_PAGE: usize = 1_700_000;

/// A document as it is embedded in a page; if it is larger than `most` bytes, the reason, with the command that writes
/// it.
pub(super) fn embedded(json: &str, most: usize, command: &str) -> (String, Option<String>) {
    let n_bytes = json.len();
    match n_bytes <= most {
        true => (script_safe(json), None),
        false => (
            "null".to_owned(),
            Some(format!(
                "The JSON document is left out: it has {n_bytes} bytes. `{command}` writes it."
            )),
        ),
    }
}

/// JSON that cannot end the element that contains it: `<` occurs only in strings.
fn script_safe(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// The template with each `{{name}}` replaced; inserted text is not substituted again.
pub(super) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        let part = parts.iter().find(|(known, _)| *known == name);
        page.push_str(part.map_or("", |(_, text)| text));
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_template_is_filled_once() {
        let names: Vec<&str> = PAGE
            .split("{{")
            .skip(1)
            .filter_map(|x| x.split("}}").next())
            .collect();
        let expected = [
            "title",
            "style",
            "title",
            "coverage",
            "levels",
            "overview",
            "functions",
            "roofline",
            "about",
            "id",
            "json",
            "script",
        ];
        assert_eq!(names, expected);
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("1{{a}}2{{b}}3", &parts), "1{{b}}2x3");
    }

    #[test]
    fn json_cannot_end_its_element() {
        assert_eq!(
            script_safe(r#"["</script><!--"]"#),
            r#"["\u003c/script>\u003c!--"]"#
        );
    }
}
