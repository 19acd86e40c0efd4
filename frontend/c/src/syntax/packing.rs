//! `#pragma pack`: the maximum alignment of members, from each place of the text on.

use super::Packing;
use crate::preprocess::Pragma;

/// Packings with the offset in the text from which on they apply, in order.
pub(super) struct Packings(Vec<(usize, Packing)>);

impl Packings {
    /// Evaluates the pragmas of a text.
    pub(super) fn new(pragmas: &[Pragma]) -> Self {
        let mut current = Packing::Natural;
        let mut stack = Vec::new();
        let mut changes = Vec::new();
        for pragma in pragmas {
            let Some(rest) = pragma.text.trim().strip_prefix("pack") else {
                if pragma.text.trim().starts_with("ms_struct") {
                    current = Packing::Unknown;
                    changes.push((pragma.offset, current));
                }
                continue;
            };
            current = step(rest, current, &mut stack).unwrap_or(Packing::Unknown);
            changes.push((pragma.offset, current));
        }
        Self(changes)
    }

    /// The packing that applies at an offset.
    pub(super) fn at(&self, offset: u32) -> Packing {
        let n_before = self.0.partition_point(|(at, _)| *at <= offset as usize);
        match n_before.checked_sub(1).and_then(|idx| self.0.get(idx)) {
            Some((_, packing)) => *packing,
            None => Packing::Natural,
        }
    }
}

/// `(n)`, `()`, `(push)`, `(push, n)`, `(push, name, n)`, `(pop)`, `(pop, name)`.
fn step(rest: &str, current: Packing, stack: &mut Vec<(String, Packing)>) -> Option<Packing> {
    let inner = rest.trim().strip_prefix('(')?.split(')').next()?;
    let words: Vec<&str> = inner.split(',').map(str::trim).collect();
    let bytes = |word: &str| match word.parse::<u8>().ok()? {
        0 => Some(Packing::Natural),
        n @ (1 | 2 | 4 | 8 | 16) => Some(Packing::Bytes(n)),
        _ => None,
    };
    match words.as_slice() {
        [""] => Some(Packing::Natural),
        ["push"] => {
            stack.push((String::new(), current));
            Some(current)
        }
        ["push", last] => {
            let is_name = last.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let name = if is_name { *last } else { "" };
            stack.push((name.to_owned(), current));
            if is_name { Some(current) } else { bytes(last) }
        }
        ["push", name, n] => {
            stack.push(((*name).to_owned(), current));
            bytes(n)
        }
        ["pop"] => Some(stack.pop().map_or(current, |(_, packing)| packing)),
        ["pop", name] => {
            let Some(idx) = stack.iter().rposition(|(known, _)| known == name) else {
                return Some(current);
            };
            let (_, packing) = stack.swap_remove(idx);
            stack.truncate(idx);
            Some(packing)
        }
        [n] => bytes(n),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_and_pops_are_followed() {
        let mut stack = Vec::new();
        let mut current = Packing::Natural;
        let mut after = |text: &str| {
            current = step(text, current, &mut stack).unwrap_or(Packing::Unknown);
            current
        };
        assert_eq!(after("(push, 1)"), Packing::Bytes(1));
        assert_eq!(after("(push, here, 4)"), Packing::Bytes(4));
        assert_eq!(after("(2)"), Packing::Bytes(2));
        assert_eq!(after("(push)"), Packing::Bytes(2));
        assert_eq!(after("(pop, here)"), Packing::Bytes(1));
        assert_eq!(after("(pop)"), Packing::Natural);
        assert_eq!(after("()"), Packing::Natural);
        assert_eq!(after("(3)"), Packing::Unknown);
    }
}
