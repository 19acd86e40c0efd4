//! Counts are those that barvinok, a library that shares nothing with ours, has answered.
//!
//! `testdata/counting/record.py` recorded them and describes the format.

use premiss_presburger::{Affine, Budget, Column, Evaluator, Piece, System, count, disjoint};

const RECORDED: &str = include_str!("../../../testdata/counting/barvinok.txt");

/// Steps for one set.
const STEPS: u64 = 200_000;

/// A union of systems, and how many points it has for some values of its parameters.
struct Recorded<'a> {
    name: &'a str,
    free: usize,
    counted: usize,
    systems: Vec<System>,
    answers: Vec<(Vec<i128>, i128)>,
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    let parsed = text.trim().parse();
    parsed.unwrap_or_else(|_| panic!("a number: {text}"))
}

fn row(text: &str) -> Vec<i64> {
    text.split_whitespace().map(number).collect()
}

impl<'a> Recorded<'a> {
    fn read(block: &'a str) -> Self {
        let mut set = Self {
            name: "",
            free: 0,
            counted: 0,
            systems: Vec::new(),
            answers: Vec::new(),
        };
        for line in block.lines() {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            set.add(key, rest);
        }
        set
    }

    fn add(&mut self, key: &str, rest: &'a str) {
        let variables = self.free + self.counted;
        match (key, self.systems.last_mut()) {
            ("set", _) => self.name = rest,
            ("free", _) => self.free = number(rest),
            ("counted", _) => self.counted = number(rest),
            ("system", _) => self.systems.push(System::universe(variables)),
            ("floor", Some(system)) => {
                let (denominator, numerator) = rest.split_once(" | ").expect("a floor");
                let numerator = row(numerator);
                let known = Affine::new(numerator[..system.columns()].to_vec());
                system.add_floor(&known, number(denominator));
            }
            ("equal", Some(system)) => system.equalities.push(Affine::new(row(rest))),
            ("least", Some(system)) => system.inequalities.push(Affine::new(row(rest))),
            ("at", Some(_)) => {
                let (point, answer) = rest.split_once(" = ").expect("an answer");
                let point = point.split_whitespace().map(number).collect();
                self.answers.push((point, number(answer)));
            }
            _ => panic!("{}: no such line: {key} {rest}", self.name),
        }
    }

    /// The pieces of the count; values of pieces add up.
    fn count(&self) -> Vec<Piece> {
        let variables = self.free + self.counted;
        let over: Vec<Column> = Column::variables(variables).skip(self.free).collect();
        let mut budget = Budget::new(STEPS);
        let parts = match &self.systems[..] {
            [only] => vec![only.clone()],
            several => disjoint(
                several,
                &System::universe(several[0].variables),
                &mut budget,
            )
            .unwrap_or_else(|refusal| panic!("{}: {refusal}", self.name)),
        };
        let context = System::universe(variables);
        let mut pieces = Vec::new();
        for part in &parts {
            let found = count(part, &over, &context, &mut budget);
            pieces.extend(found.unwrap_or_else(|refusal| panic!("{}: {refusal}", self.name)));
        }
        pieces
    }
}

fn recorded() -> Vec<Recorded<'static>> {
    let blocks = RECORDED.split("\n\n").map(str::trim);
    blocks
        .filter(|block| block.starts_with("set "))
        .map(Recorded::read)
        .collect()
}

#[test]
fn counts_are_those_of_barvinok() {
    let sets = recorded();
    assert!(441 <= sets.len(), "only {} sets", sets.len());
    let mut wrong = Vec::new();
    for set in &sets {
        let pieces = set.count();
        let evaluator = Evaluator::new(set.free + set.counted, &pieces);
        assert!(!set.answers.is_empty(), "{} has no answers", set.name);
        for (point, answer) in &set.answers {
            let mut at = point.clone();
            at.resize(set.free + set.counted, 0);
            let found = evaluator.at(&at).expect("fits").to_integer();
            if found != Some(*answer) {
                wrong.push(format!(
                    "{} at {point:?}: {found:?}, not {answer}",
                    set.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
