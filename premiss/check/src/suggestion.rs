//! Suggestions of names similar to one that does not exist.

/// `; did you mean …?` with the most similar name, or else the first twenty names; empty if there are no names.
#[must_use]
pub fn suggest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let near = |name: &&&str| {
        let distance = edit_distance(wrong, name);
        distance <= wrong.len().max(3) / 3 && distance < wrong.len().max(name.len())
    };
    let mut nearest: Vec<&str> = names.iter().filter(near).copied().collect();
    nearest.sort_by_key(|name| (edit_distance(wrong, name), *name));
    if let Some(nearest) = nearest.first() {
        return format!("; did you mean `{nearest}`?");
    }
    let quoted: Vec<String> = names
        .iter()
        .take(20)
        .map(|name| format!("`{name}`"))
        .collect();
    if quoted.is_empty() {
        String::new()
    } else {
        format!("; there are: {}", quoted.join(", "))
    }
}

/// The least number of letters to insert, delete or change to turn one name into the other, ignoring case.
fn edit_distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| text.to_lowercase().chars().take(64).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_others_listed() {
        assert_eq!(suggest("nn", ["n", "m"]), "; did you mean `n`?");
        assert_eq!(
            suggest("kernel_gem", ["kernel_gemm", "main"]),
            "; did you mean `kernel_gemm`?"
        );
        assert_eq!(suggest("z", ["n", "m"]), "; there are: `n`, `m`");
        assert_eq!(suggest("zzzz", ["n", "m"]), "; there are: `n`, `m`");
        assert_eq!(suggest("zzzz", []), "");
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
