//! The shapes and colours of marks.

/// Colours that readers with colour vision deficiency can distinguish (Okabe and Ito, *Color Universal Design*, 2008),
/// by falling contrast with both backgrounds.
pub(crate) const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b2a300",
];

/// A shape of a size of about 12 around a point: circle, square, triangle, diamond, inverted triangle, then again.
pub(crate) fn shape(kind: usize, x: f64, y: f64, paint: &str) -> String {
    let points = |points: &[(f64, f64)]| {
        let list = points
            .iter()
            .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy));
        let list = list.collect::<Vec<_>>().join(" ");
        format!("<polygon points=\"{list}\" {paint}/>")
    };
    match kind % 5 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" {paint}/>"),
        1 => points(&[(-5.5, -5.5), (5.5, -5.5), (5.5, 5.5), (-5.5, 5.5)]),
        2 => points(&[(0.0, -7.0), (6.5, 5.0), (-6.5, 5.0)]),
        3 => points(&[(0.0, -7.5), (7.5, 0.0), (0.0, 7.5), (-7.5, 0.0)]),
        _ => points(&[(0.0, 7.0), (6.5, -5.0), (-6.5, -5.0)]),
    }
}

/// The attributes of a shape: filled, or hollow.
pub(crate) fn paint(colour: &str, is_solid: bool) -> String {
    let fill = if is_solid { colour } else { "none" };
    format!("fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"")
}

/// Escapes text for XML and HTML, including attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            // Characters that change the direction of text would display something other than what is there.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                escaped.push('?');
            }
            c => escaped.push(c),
        }
    }
    escaped
}
