//! The pieces as JSON. Rows are over the constant, the given columns, computed columns, loop variables and floors, in
//! this order; numbers of more than 53 bits are strings.

use super::Emitted;
use crate::SCHEMA_VERSION;
use premiss_analyze::{
    Affine, CodeQuantity, CodeValue, Column, Combination, Floor, FunctionCode, Piece,
    ResidueClassForm, System,
};
use premiss_source::SourceMap;
use premiss_tree::NestTree;
use schemars::JsonSchema;
use serde::Serialize;

/// Not every JSON reader keeps larger integers exact.
const MOST: i128 = 1 << 53;

pub(super) fn write(
    sources: &SourceMap,
    functions: &Emitted<'_>,
    assumptions: &[String],
) -> String {
    let code = Code {
        schema_version: SCHEMA_VERSION,
        assumptions,
        functions: functions
            .iter()
            .map(|(tree, code)| function(sources, tree, code))
            .collect(),
    };
    let mut json = serde_json::to_string(&code).unwrap_or_default();
    json.push('\n');
    json
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Code<'a> {
    schema_version: &'static str,
    assumptions: &'a [String],
    functions: Vec<CodeFunctionJson<'a>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Function")]
struct CodeFunctionJson<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    line_size: u64,
    /// The sizes as the source names them, in the order of arguments.
    sizes: Vec<&'a str>,
    left_out: &'a [String],
    quantities: Vec<Quantity<'a>>,
}

/// A number: `forms` where it is exact, `lower` and `upper` where it is bounded, `of` where it is another
/// one at a capacity, `combined` where it is made of others, which is the least that it can be.
#[derive(Serialize, JsonSchema)]
struct Quantity<'a> {
    name: &'a str,
    meaning: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// Whether the capacity in lines is the last given column.
    capacity: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forms: Vec<ResidueClassJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lower: Vec<ResidueClassJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    upper: Vec<ResidueClassJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "of")]
    at_capacity: Option<QuantityAtCapacity<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    combined: Option<Combined<'a>>,
}

/// `floor(sum / denominator)`, the sum of the greatest of each list of sums of terms.
#[derive(Serialize, JsonSchema)]
struct Combined<'a> {
    sum: Vec<Vec<Vec<TermJson<'a>>>>,
    denominator: Integer,
}

/// Another quantity, at a capacity if it has one, times a factor; the lower one where it is bounded.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Term")]
struct TermJson<'a> {
    quantity: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Integer>,
    factor: Integer,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Of")]
struct QuantityAtCapacity<'a> {
    quantity: &'a str,
    lines: Integer,
    times: Integer,
}

/// The form of one class: `size = factor * column + residue`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Class")]
struct ResidueClassJson<'a> {
    sizes: Vec<Size<'a>>,
    /// The columns for which it holds, none of them negative.
    domain: Domain,
    /// Numbers behind the given columns, each a polynomial over the given columns and its floors.
    computed: Vec<Summand>,
    /// Those in whose domains the columns are add up.
    pieces: Vec<Summand>,
    looped: Vec<Looped>,
}

#[derive(Serialize, JsonSchema)]
struct Size<'a> {
    name: &'a str,
    factor: i64,
    residue: i64,
}

#[derive(Serialize, JsonSchema)]
struct Domain {
    /// `floor(numerator / denominator)`, a column each.
    floors: Vec<Quotient>,
    /// Rows that are zero.
    zero: Vec<Vec<Integer>>,
    /// Rows that are not negative.
    not_negative: Vec<Vec<Integer>>,
}

#[derive(Serialize, JsonSchema)]
struct Quotient {
    numerator: Vec<Integer>,
    denominator: Integer,
}

#[derive(Serialize, JsonSchema)]
struct Summand {
    domain: Domain,
    /// Products of columns, each with its coefficient.
    terms: Vec<(Vec<usize>, Integer)>,
    denominator: Integer,
}

/// Pieces that are added up over all values of loop variables.
#[derive(Serialize, JsonSchema)]
struct Looped {
    /// For each loop variable the rows that are not negative: it is their last column.
    bounds: Vec<Vec<Vec<Integer>>>,
    computed: Summand,
    pieces: Vec<Summand>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Integer {
    Small(i64),
    Large(String),
}

impl From<i128> for Integer {
    fn from(value: i128) -> Self {
        match i64::try_from(value).ok().filter(|_| value.abs() <= MOST) {
            Some(small) => Self::Small(small),
            None => Self::Large(value.to_string()),
        }
    }
}

fn function<'a>(
    sources: &'a SourceMap,
    tree: &'a NestTree,
    code: &'a FunctionCode,
) -> CodeFunctionJson<'a> {
    let name = |id: &premiss_tree::ParameterId| tree.work.parameters[*id].name.as_str();
    CodeFunctionJson {
        name: &tree.function,
        file: sources.file(tree.span.file).path(),
        line: sources.start(tree.span).line,
        line_size: code.line_size,
        sizes: code.sizes.iter().map(name).collect(),
        left_out: &code.left_out,
        quantities: code
            .quantities
            .iter()
            .map(|x| quantity(tree, code, x))
            .collect(),
    }
}

fn quantity<'a>(tree: &'a NestTree, code: &'a FunctionCode, of: &'a CodeQuantity) -> Quantity<'a> {
    let mut written = Quantity {
        name: &of.name,
        meaning: &of.meaning,
        kind: "exact",
        reason: None,
        capacity: false,
        forms: Vec::new(),
        lower: Vec::new(),
        upper: Vec::new(),
        at_capacity: None,
        combined: None,
    };
    let forms =
        |forms: &'a [ResidueClassForm]| forms.iter().map(|form| class(tree, form)).collect();
    match &of.value {
        Err(why) => (written.kind, written.reason) = ("unknown", Some(why.as_str())),
        Ok(CodeValue::Exact(all)) => written.forms = forms(all),
        Ok(CodeValue::OfCapacity(all)) => (written.capacity, written.forms) = (true, forms(all)),
        Ok(CodeValue::Between([lower, upper])) => {
            (written.lower, written.upper) = (forms(lower), forms(upper));
            written.kind = "bounded";
        }
        Ok(CodeValue::AtCapacity {
            quantity,
            lines,
            times,
        }) => {
            written.at_capacity = Some(QuantityAtCapacity {
                quantity: &code.quantities[*quantity].name,
                lines: i128::from(*lines).into(),
                times: i128::from(*times).into(),
            });
        }
        Ok(CodeValue::Combined(of)) => {
            (written.kind, written.combined) = ("least", Some(combined(code, of)));
        }
    }
    written
}

fn combined<'a>(code: &'a FunctionCode, of: &Combination) -> Combined<'a> {
    let term = |term: &premiss_analyze::QuantityTerm| TermJson {
        quantity: &code.quantities[term.quantity].name,
        lines: term.lines.map(|lines| i128::from(lines).into()),
        factor: term.factor.into(),
    };
    let linear = |linear: &Vec<premiss_analyze::QuantityTerm>| linear.iter().map(term).collect();
    let lists = of.sum.iter();
    Combined {
        sum: lists
            .map(|list| list.iter().map(linear).collect())
            .collect(),
        denominator: of.denominator.into(),
    }
}

fn class<'a>(tree: &'a NestTree, of: &ResidueClassForm) -> ResidueClassJson<'a> {
    let size = |size: &premiss_analyze::SymbolicParameter| Size {
        name: &tree.work.parameters[size.id].name,
        factor: size.factor,
        residue: size.residue,
    };
    let looped = of.form.looped.iter().map(|looped| Looped {
        bounds: looped.bounds.iter().map(|x| rows(x)).collect(),
        computed: summand(&looped.computed),
        pieces: looped.pieces.iter().map(summand).collect(),
    });
    ResidueClassJson {
        sizes: of.sizes.iter().map(size).collect(),
        domain: domain(&of.context),
        computed: of.form.computed.iter().map(summand).collect(),
        pieces: of.form.pieces.iter().map(summand).collect(),
        looped: looped.collect(),
    }
}

fn summand(piece: &Piece) -> Summand {
    let (terms, denominator) = piece.value.scaled_terms();
    let terms = terms.iter().map(|(monomial, x)| {
        (
            monomial.factors().map(Column::number).collect(),
            (*x).into(),
        )
    });
    Summand {
        domain: domain(&piece.domain),
        terms: terms.collect(),
        denominator: denominator.into(),
    }
}

fn domain(system: &System) -> Domain {
    let floor = |floor: &Floor| Quotient {
        numerator: row(&floor.numerator),
        denominator: i128::from(floor.denominator).into(),
    };
    Domain {
        floors: system.floors.iter().map(floor).collect(),
        zero: rows(&system.equalities),
        not_negative: rows(&system.inequalities),
    }
}

fn rows(forms: &[Affine]) -> Vec<Vec<Integer>> {
    forms.iter().map(row).collect()
}

fn row(form: &Affine) -> Vec<Integer> {
    form.coefficients()
        .iter()
        .map(|x| i128::from(*x).into())
        .collect()
}
