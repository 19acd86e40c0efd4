//! Kernels of C, written by chance.
//!
//! A loop's iterator has a range that is linear in the sizes `n` and `m`; subscripts are made of
//! iterators, and arrays are declared so large in the end that they hold all of them.

use super::Knowledge;
use super::genes::Genes;
use std::fmt::Write;

/// At most this many loops over a size in each other.
const DEPTH: usize = 3;
/// At most this many statements, branches and loops in all.
const STEPS: usize = 8;
/// Types of elements; doubles more often than others.
const TYPES: [&str; 6] = ["double", "double", "double", "float", "char", "short"];

/// `n·n + m·m + constant`
#[derive(Clone, Copy, PartialEq, Eq)]
struct Linear {
    n: i64,
    m: i64,
    constant: i64,
}

impl Linear {
    fn new(n: i64, m: i64, constant: i64) -> Self {
        Self { n, m, constant }
    }

    fn plus(self, other: Self) -> Self {
        Self::new(
            self.n + other.n,
            self.m + other.m,
            self.constant + other.constant,
        )
    }

    fn offset(self, by: i64) -> Self {
        self.plus(Self::new(0, 0, by))
    }

    fn times(self, factor: i64) -> Self {
        Self::new(self.n * factor, self.m * factor, self.constant * factor)
    }

    /// At least both, as sizes are not negative.
    fn most(self, other: Self) -> Self {
        Self::new(
            self.n.max(other.n),
            self.m.max(other.m),
            self.constant.max(other.constant),
        )
    }

    /// Whether it grows with no size with which the other does not.
    fn fits(self, other: Self) -> bool {
        self.n <= other.n && self.m <= other.m
    }

    fn text(self) -> String {
        let mut text = String::new();
        for (factor, name) in [(self.n, "n"), (self.m, "m")] {
            for _ in 0..factor {
                let join = if text.is_empty() { "" } else { " + " };
                text = text + join + name;
            }
        }
        if text.is_empty() {
            return self.constant.to_string();
        }
        shifted(&text, self.constant)
    }
}

/// `text + by`
fn shifted(text: &str, by: i64) -> String {
    match by {
        0 => text.to_owned(),
        1.. => format!("{text} + {by}"),
        _ => format!("{text} - {}", -by),
    }
}

/// An expression of iterators and all values that it may take.
#[derive(Clone)]
struct Value {
    text: String,
    least: i64,
    greatest: Linear,
}

/// A loop's iterator.
#[derive(Clone)]
struct Iterator {
    value: Value,
    /// Where it steps from tile to tile: their extent and the end of the last.
    tile: Option<(i64, Linear)>,
}

struct Array {
    element: &'static str,
    /// Its subscripts need so much; the constant is that of what they need beyond it.
    extents: Vec<Linear>,
    /// Elements of each row that nothing needs.
    spare: i64,
    /// Rows are told apart by the subscript's text only.
    flat: bool,
    /// Small sizes are too small: numbers are not heeded.
    tight: bool,
}

struct Writer<'a, 'b> {
    genes: &'a mut Genes<'b>,
    knowledge: Knowledge,
    arrays: Vec<Array>,
    scope: Vec<Iterator>,
    n_iterators: usize,
    steps: usize,
    text: String,
}

/// A kernel; with partial knowledge, what some branches do depends on elements.
pub(super) fn write(genes: &mut Genes, knowledge: Knowledge) -> String {
    let arrays = (0..genes.within(1, 3)).map(|_| array(genes)).collect();
    let mut writer = Writer {
        genes,
        knowledge,
        arrays,
        scope: Vec::new(),
        n_iterators: 0,
        steps: 0,
        text: String::new(),
    };
    let nests = writer.genes.within(1, 3);
    let is_timed = writer.genes.once_in(4);
    if is_timed {
        writer.text += "  for (int t = 0; t < 2; t++) {\n";
    }
    for _ in 0..nests {
        writer.repeat();
    }
    if is_timed {
        writer.text += "  }\n";
    }
    writer.finish()
}

fn array(genes: &mut Genes) -> Array {
    let sizes = [Linear::new(1, 0, 0), Linear::new(0, 1, 0)];
    let dimensions = genes.one_of(&[2, 1, 2, 3]);
    Array {
        element: genes.one_of(&TYPES),
        extents: (0..dimensions).map(|_| genes.one_of(&sizes)).collect(),
        spare: genes.one_of(&[0, 0, 1, 3, 5]),
        flat: genes.once_in(5),
        tight: genes.once_in(2),
    }
}

impl Writer<'_, '_> {
    /// The function, its arrays as large as their subscripts want.
    fn finish(self) -> String {
        let mut text = self.text;
        let mut declared = String::from("int n, int m");
        for (number, array) in self.arrays.iter().enumerate() {
            let mut extents = array.extents.clone();
            if let Some(row) = extents.last_mut() {
                *row = row.offset(array.spare);
            }
            let factors = extents.iter().map(|extent| format!("({})", extent.text()));
            let factors: Vec<String> = factors.collect();
            for (place, factor) in factors.iter().enumerate() {
                text = text.replace(&hole(number, place), factor);
            }
            let all = match array.flat {
                true => format!("[{}]", factors.join(" * ")),
                false => factors.iter().map(|factor| format!("[{factor}]")).collect(),
            };
            let _ = write!(declared, ", {} A{number}{all}", array.element);
        }
        format!("#define MIN(a, b) ((a) < (b) ? (a) : (b))\n\nvoid f({declared})\n{{\n{text}}}\n")
    }

    fn line(&mut self, line: &str) {
        let indent = 2 * (self.scope.len() + 1);
        let _ = writeln!(self.text, "{:indent$}{line}", "");
    }

    fn steps(&mut self) {
        for _ in 0..self.genes.within(1, 3) {
            self.step();
        }
    }

    fn step(&mut self) {
        self.steps += 1;
        if STEPS < self.steps {
            return;
        }
        let shallow = self.deep() < DEPTH;
        let is_open = self.knowledge == Knowledge::Partial;
        match self.genes.below(8) {
            3..=5 if shallow => self.repeat(),
            6 => self.branch(),
            1 | 2 | 7 if is_open => self.open_step(),
            _ => self.statement(),
        }
    }

    /// How many loops over a size there are around.
    fn deep(&self) -> usize {
        let over_size = |x: &&Iterator| 0 < x.value.greatest.n + x.value.greatest.m;
        let is_tile = |x: &&Iterator| x.tile.is_none();
        self.scope.iter().filter(over_size).filter(is_tile).count()
    }

    fn repeat(&mut self) {
        let name = format!("i{}", self.n_iterators);
        self.n_iterators += 1;
        let (head, iterator) = match self.genes.below(12) {
            1 | 2 => self.strided(&name),
            3..=5 => self.relative_to_outer(&name),
            6 => self.tiles(&name),
            7 | 8 => self.in_tile(&name),
            9 => self.halved(&name),
            _ => self.plain(&name),
        };
        self.line(&format!("for (int {head}) {{"));
        self.scope.push(iterator);
        self.steps();
        if self.scope.last().is_some_and(|last| last.tile.is_some()) && self.deep() < DEPTH {
            self.repeat();
        }
        self.scope.pop();
        self.line("}");
    }

    /// A first value and the end of a range over a size, or over a few numbers.
    fn range(&mut self) -> (i64, Linear) {
        let least = self.genes.one_of(&[0, 0, 1, 2]);
        let end = match self.genes.below(5) {
            0 | 1 => Linear::new(1, 0, -self.genes.within(0, 2)),
            2 | 3 => Linear::new(0, 1, -self.genes.within(0, 2)),
            _ => Linear::new(0, 0, least + self.genes.within(1, 5)),
        };
        (least, end)
    }

    fn plain(&mut self, name: &str) -> (String, Iterator) {
        let (least, end) = self.range();
        let head = format!("{name} = {least}; {name} < {}; {name}++", end.text());
        (head, iterator(name, least, end.offset(-1)))
    }

    fn strided(&mut self, name: &str) -> (String, Iterator) {
        let (least, end) = self.range();
        let by = self.genes.one_of(&[1, 2, 3, 4, 8]);
        let last = end.offset(-1).text();
        let head = match self.genes.once_in(2) {
            true => format!("{name} = {last}; {name} >= {least}; {name} -= {by}"),
            false => format!("{name} = {least}; {name} <= {last}; {name} += {by}"),
        };
        (head, iterator(name, least, end.offset(-1)))
    }

    /// From or to an iterator around it, or about it.
    fn relative_to_outer(&mut self, name: &str) -> (String, Iterator) {
        let idx = self.genes.below(self.scope.len());
        let Some(outer) = self.scope.get(idx).map(|outer| outer.value.clone()) else {
            return self.plain(name);
        };
        let (least, end) = self.range();
        let by = self.genes.within(-1, 2);
        let other = shifted(&outer.text, by);
        let (up, down) = (outer.greatest.offset(by), outer.least + by);
        match self.genes.below(5) {
            0 => {
                let head = format!("{name} = {other}; {name} < {}; {name}++", end.text());
                (head, iterator(name, down, end.offset(-1)))
            }
            1 => {
                let head = format!("{name} = {least}; {name} <= {other}; {name}++");
                (head, iterator(name, least, up))
            }
            2 => {
                let head = format!("{name} = {other}; {name} >= {least}; {name}--");
                (head, iterator(name, least, up))
            }
            3 => {
                let last = end.offset(-1);
                let head = format!("{name} = {}; {name} > {other}; {name}--", last.text());
                (head, iterator(name, down, last))
            }
            _ => {
                let (from, to) = (shifted(&outer.text, -by.abs()), shifted(&outer.text, 1));
                let head = format!("{name} = {from}; {name} <= {to}; {name}++");
                let least = outer.least - by.abs();
                (head, iterator(name, least, outer.greatest.offset(1)))
            }
        }
    }

    fn tiles(&mut self, name: &str) -> (String, Iterator) {
        let (least, end) = self.range();
        let extent = self.genes.one_of(&[4, 8, 3, 16]);
        let head = format!(
            "{name} = {least}; {name} < {}; {name} += {extent}",
            end.text()
        );
        let tile = Some((extent, end));
        let iterator = iterator(name, least, end.offset(-1));
        (head, Iterator { tile, ..iterator })
    }

    /// Over a tile of a loop around it.
    fn in_tile(&mut self, name: &str) -> (String, Iterator) {
        let tiles = self.scope.iter().rev().cloned();
        let tiles: Vec<Iterator> = tiles.filter(|x| x.tile.is_some()).collect();
        let idx = self.genes.below(tiles.len());
        let Some((outer, (extent, end))) = tiles.get(idx).and_then(|x| Some((x, x.tile?))) else {
            return self.plain(name);
        };
        let first = &outer.value.text;
        let end_text = end.text();
        let head =
            format!("{name} = {first}; {name} < MIN({first} + {extent}, {end_text}); {name}++");
        (head, iterator(name, outer.value.least, end.offset(-1)))
    }

    fn halved(&mut self, name: &str) -> (String, Iterator) {
        let (least, end) = self.range();
        let head = format!("{name} = {least}; {name} < ({}) / 2; {name}++", end.text());
        // Half of a size is no more than it.
        (head, iterator(name, least, end.offset(2)))
    }

    /// Something that elements decide.
    fn open_step(&mut self) {
        let condition = self.element();
        match self.genes.below(4) {
            0 if !self.scope.is_empty() => self.line(&format!("if ({condition} > 0) break;")),
            1 => {
                let [target, then, otherwise] = [(); 3].map(|()| self.element());
                self.line(&format!(
                    "{target} = {condition} < 1 ? {then} : {otherwise};"
                ));
            }
            2 if self.deep() < DEPTH => {
                self.line(&format!("if ({condition} > 0) {{"));
                self.repeat();
                self.line("}");
            }
            _ => {
                self.line(&format!("if ({condition} > 0) {{"));
                self.statement();
                self.line("} else {");
                self.statement();
                self.line("}");
            }
        }
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.statement();
        if self.genes.once_in(2) {
            self.line("} else {");
            self.statement();
        }
        self.line("}");
    }

    fn condition(&mut self) -> String {
        let one = self.comparison();
        let is_open = self.knowledge == Knowledge::Partial;
        match self.genes.below(6) {
            1 if is_open => format!("{one} && {} > 0", self.element()),
            2 if is_open => format!("{} > 0 || {one}", self.element()),
            4 => format!("{one} && {}", self.comparison()),
            5 => format!("!({one}) || {}", self.comparison()),
            _ => one,
        }
    }

    fn comparison(&mut self) -> String {
        let (left, right) = (self.iterator().text, self.iterator().text);
        let by = self.genes.within(-1, 3);
        let size = self.genes.one_of(&["n", "m"]);
        let operator = self.genes.one_of(&["<", "==", "<=", "!="]);
        match self.genes.below(7) {
            1 => format!("{left} {operator} {}", by.max(0)),
            2 => format!("{left} + {right} < {}", shifted(size, by)),
            3 => format!("{left} % 2 == {}", by.rem_euclid(2)),
            4 => format!("({left} + {right}) % 3 == {}", by.max(0)),
            5 => format!("{left} {operator} {}", shifted(size, -by)),
            _ => format!("{left} {operator} {}", shifted(&right, by)),
        }
    }

    fn iterator(&mut self) -> Value {
        let idx = self.genes.below(self.scope.len());
        let found = self.scope.get(idx).map(|x| x.value.clone());
        found.unwrap_or_else(nothing)
    }

    fn statement(&mut self) {
        let target = self.element();
        let operator = self.genes.one_of(&["=", "=", "+="]);
        let mut line = format!("{target} {operator} {}", self.element());
        for _ in 0..self.genes.below(3) {
            let _ = write!(line, " + {}", self.element());
        }
        self.line(&(line + ";"));
    }

    fn element(&mut self) -> String {
        let number = self.genes.below(self.arrays.len());
        let array = &self.arrays[number];
        let (flat, dimensions) = (array.flat, array.extents.len());
        let mut texts = Vec::new();
        for place in 0..dimensions {
            let extent = self.arrays[number].extents[place];
            let value = self.subscript(extent, dimensions - 1 - place);
            let array = &mut self.arrays[number];
            if !array.tight || !value.greatest.fits(Linear::new(0, 0, 0)) {
                array.extents[place] = value.greatest.offset(1).most(extent);
            }
            texts.push(value.text);
        }
        if !flat {
            return format!("A{number}[{}]", texts.join("]["));
        }
        let mut text = texts[0].clone();
        for (place, next) in texts.iter().enumerate().skip(1) {
            text = format!("({text}) * {} + {next}", hole(number, place));
        }
        format!("A{number}[{text}]")
    }

    /// Something for a dimension of an array, the `inwards`-th from within.
    fn subscript(&mut self, extent: Linear, inwards: usize) -> Value {
        let by = self.genes.one_of(&[0, 0, 0, 1, -1, 2, 7]);
        let n_scope = self.scope.len();
        // The innermost iterator likes the last subscript best.
        let idx = match self.genes.below(3) {
            0 => self.genes.below(n_scope),
            _ => n_scope.saturating_sub(1 + inwards),
        };
        let preferred = self.scope.get(idx).map(|iterator| iterator.value.clone());
        let mut value = preferred.unwrap_or_else(nothing);
        let strange = self.genes.once_in(12);
        if !strange && !value.greatest.fits(extent) {
            let fitting = self.scope.iter().map(|x| &x.value);
            let mut fitting = fitting.filter(|value| value.greatest.fits(extent));
            value = fitting.next_back().cloned().unwrap_or_else(nothing);
        }
        match self.genes.below(12) {
            8 => value = reversed(&value),
            9 => {
                value.text = format!("2 * {}", value.text);
                value.least *= 2;
                value.greatest = value.greatest.times(2);
            }
            10 => {
                let other = self.iterator();
                value.text = format!("{} + {}", value.text, other.text);
                value.least += other.least;
                value.greatest = value.greatest.plus(other.greatest);
            }
            _ => {}
        }
        let by = by.max(-value.least);
        value.text = shifted(&value.text, by);
        value.greatest = value.greatest.offset(by);
        value
    }
}

/// Where the extent of a dimension of an array will be written.
fn hole(array: usize, place: usize) -> String {
    format!("@{array}.{place}@")
}

/// The greatest value minus a value: zero at the least.
fn reversed(value: &Value) -> Value {
    Value {
        text: format!("{} - ({})", value.greatest.text(), value.text),
        least: 0,
        greatest: value.greatest.offset(-value.least),
    }
}

/// Zero.
fn nothing() -> Value {
    Value {
        text: "0".to_owned(),
        least: 0,
        greatest: Linear::new(0, 0, 0),
    }
}

fn iterator(name: &str, least: i64, greatest: Linear) -> Iterator {
    Iterator {
        value: Value {
            text: name.to_owned(),
            least,
            greatest,
        },
        tile: None,
    }
}
