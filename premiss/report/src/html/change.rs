//! Earlier numbers, shown beside current ones.

use super::comparison::ComparedFunction;
use super::number::count;
use crate::chart::escaped;
use crate::listing::Counts;
use premiss_histogram::Counted;
use premiss_tree::ReferenceId;

/// The earlier counts of references.
pub(super) enum PreviousCounts {
    /// There is no comparison.
    NotCompared,
    /// The references are new.
    New,
    /// Their sums were these.
    Counts(Counts),
}

impl ComparedFunction {
    /// The earlier counts of references together; those of new ones are 0.
    pub(super) fn previous_counts(&self, ids: &[ReferenceId]) -> PreviousCounts {
        let is_of_them = |own: &[ReferenceId]| own.first().is_some_and(|id| ids.contains(id));
        let of_them = self.references.iter().filter(|(own, _)| is_of_them(own));
        let mut all = of_them.map(|(_, was)| was).peekable();
        if all.peek().is_none() {
            return PreviousCounts::NotCompared;
        }
        let mut sum: Option<Counts> = None;
        for (accesses, misses) in all.flatten() {
            let counts = Counts {
                accesses: *accesses,
                misses: misses.clone(),
            };
            match &mut sum {
                None => sum = Some(counts),
                Some(sum) => sum.add(&counts),
            }
        }
        sum.map_or(PreviousCounts::New, PreviousCounts::Counts)
    }
}

/// The direction of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Same,
    More,
    Less,
    /// The counts leave it open.
    Open,
}

impl Direction {
    pub(super) fn of(before: Counted, after: Counted) -> Self {
        match (before.bounds(), after.bounds()) {
            _ if before == Counted::Unknown || after == Counted::Unknown => Self::Open,
            _ if before == after => Self::Same,
            (Some((_, most)), Some((least, _))) if most < least => Self::More,
            (Some((least, _)), Some((_, most))) if most < least => Self::Less,
            (Some(_), Some(_)) => Self::Open,
            _ => match (before.magnitude(), after.magnitude()) {
                (Some(before), Some(after)) if before < after => Self::More,
                (Some(before), Some(after)) if after < before => Self::Less,
                _ => Self::Open,
            },
        }
    }

    /// An arrow, and its description.
    pub(super) fn arrow(self) -> &'static str {
        match self {
            Self::Same => "=",
            Self::More => "▲",
            Self::Less => "▼",
            Self::Open => "≈",
        }
    }

    /// The CSS class of its colour.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Same | Self::Open => "same",
        }
    }
}

/// The cell below a number, with its earlier value.
pub(super) fn previous_cell(
    now: Counted,
    was: &PreviousCounts,
    of: impl Fn(&Counts) -> Counted,
) -> String {
    let before = match was {
        PreviousCounts::NotCompared => return String::new(),
        PreviousCounts::New => return "<span class=\"was same\">new</span>".to_owned(),
        PreviousCounts::Counts(counts) => of(counts),
    };
    let way = Direction::of(before, now);
    let (class, arrow) = (way.class(), way.arrow());
    match way {
        _ if (before, now) == (Counted::Unknown, Counted::Unknown) => String::new(),
        Direction::Same => format!("<span class=\"was {class}\">{arrow}</span>"),
        _ => format!(
            "<span class=\"was {class}\">{arrow} was {}</span>",
            count(before, "")
        ),
    }
}

/// The sign of a verdict, so that it does not depend on colour.
pub(super) fn mark(verdict: &str) -> String {
    let sign = match verdict {
        "exceeds" => "✗",
        "undecided" => "?",
        _ => "✓",
    };
    format!(
        "<span class=\"sign {}\" aria-hidden=\"true\">{sign}</span>",
        escaped(verdict)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_has_a_direction() {
        let way = |before, after| Direction::of(before, after);
        assert_eq!(way(Counted::Exact(1), Counted::Exact(1)), Direction::Same);
        assert_eq!(
            way(Counted::Exact(1), Counted::between(2, 3)),
            Direction::More
        );
        assert_eq!(
            way(Counted::Exact(2), Counted::between(1, 3)),
            Direction::Open
        );
        assert_eq!(
            way(Counted::Exact(9), Counted::between(1, 3)),
            Direction::Less
        );
        assert_eq!(way(Counted::Unknown, Counted::Unknown), Direction::Open);
        assert_eq!(
            way(Counted::estimate(1.0), Counted::Exact(2)),
            Direction::More
        );
    }

    #[test]
    fn what_is_new_was_nothing() {
        let id = |idx| <ReferenceId as premiss_tree::EntityRef>::new(idx);
        let was = Some((Counted::Exact(10), vec![Counted::Exact(3)]));
        let function = ComparedFunction {
            head: 0,
            base: Some(0),
            verdict: "within",
            sentences: Vec::new(),
            findings: Vec::new(),
            references: vec![(vec![id(0), id(1)], was), (vec![id(2)], None)],
            gone: Vec::new(),
        };
        assert!(matches!(
            function.previous_counts(&[id(3)]),
            PreviousCounts::NotCompared
        ));
        assert!(matches!(
            function.previous_counts(&[id(2)]),
            PreviousCounts::New
        ));
        let PreviousCounts::Counts(counts) = function.previous_counts(&[id(0), id(2)]) else {
            panic!("one of them was there");
        };
        assert_eq!(counts.misses, [Counted::Exact(3)]);
    }
}
