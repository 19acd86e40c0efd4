//! Plain algebra for symbolica and other computer algebra systems: one expression for each quantity, on its own line
//! after a comment that says what it is.

use super::program::{
    ArgumentColumn, Body, ClassCode, CodeCondition, CodeFunction, Expression, Statement, column,
};
use super::{Emitted, kernel};
use premiss_source::SourceMap;
use std::collections::{BTreeMap, BTreeSet};

const WORDS: &str = "\
# Lines that begin with # are comments; each other line is an expression.
# floor(x) is the largest integer not above x, mod(a, b) is a - b*floor(a/b), max and min are the largest
# and the least argument; at_least_zero(x) is 1 where x >= 0 and 0 elsewhere, zero(x) is 1 where x = 0 and
# 0 elsewhere; sum(v, a, b, f) is f added up over the integers v from a to b. An expression is of use where
# its domain is 1; one that has the name of another one with arguments stands for it, and needs its domain.
";

pub(super) fn write(
    sources: &SourceMap,
    functions: &Emitted<'_>,
    assumptions: &[String],
) -> String {
    let mut text: String = assumptions
        .iter()
        .map(|line| format!("# {line}\n"))
        .collect();
    text.push_str(WORDS);
    let mut taken = BTreeSet::new();
    for (tree, code) in functions {
        let kernel = kernel(sources, tree, code, &mut taken);
        text.push('\n');
        kernel
            .comment
            .iter()
            .for_each(|line| text.push_str(&format!("# {line}\n")));
        kernel.functions.iter().for_each(|x| function(&mut text, x));
    }
    text
}

fn function(text: &mut String, function: &CodeFunction) {
    let about: String = function
        .comment
        .iter()
        .map(|line| format!("# {line}\n"))
        .collect();
    let head = format!("{}({})", function.name, function.arguments.join(", "));
    match &function.body {
        Body::Unknown(why) => {
            text.push_str(&format!(
                "\n# {} is not known: {why}\n{about}",
                function.name
            ));
        }
        Body::Steps(steps) => {
            let (_, terms) = statements(steps, &mut BTreeMap::new());
            text.push_str(&format!("\n# {head}\n{about}{}\n", terms.join(" + ")));
        }
        Body::Classes { columns, classes } => {
            let [domain, value] = classes_of(columns, classes);
            text.push_str(&format!(
                "\n# {head}: the domain\n{domain}\n# {head}\n{about}{value}\n"
            ));
        }
    }
}

/// The condition under which some class holds, and the value there.
fn classes_of(columns: &[ArgumentColumn], classes: &[ClassCode]) -> [String; 2] {
    let negative = columns
        .iter()
        .map(|x| format!("at_least_zero({})", x.argument));
    let negative: Vec<String> = negative.collect();
    let [mut domains, mut values] = [Vec::new(), Vec::new()];
    for class in classes {
        let mut names = BTreeMap::new();
        let mut factors = negative.clone();
        for (idx, x) in columns.iter().enumerate() {
            let residue = class.residues.get(idx).copied().unwrap_or(0);
            let value = match x.factor {
                1 => x.argument.clone(),
                factor => format!("(({} - {residue})/{factor})", x.argument),
            };
            names.insert(column(idx + 1), value);
            if 1 < x.factor {
                factors.push(format!(
                    "zero(mod({} - {residue}, {}))",
                    x.argument, x.factor
                ));
            }
        }
        let (required, terms) = statements(&class.statements, &mut names);
        factors.extend(required);
        let whole = factors.join("*");
        let sum = if terms.is_empty() {
            "0".to_owned()
        } else {
            terms.join(" + ")
        };
        let one = if whole.is_empty() {
            "1".to_owned()
        } else {
            whole
        };
        values.push(match class.denominator {
            1 => format!("{one}*({sum})"),
            denominator => format!("{one}*({sum})/{denominator}"),
        });
        domains.push(one);
    }
    [domains.join(" + "), values.join(" + ")]
}

/// What statements require, and the sum that they add up.
fn statements(
    statements: &[Statement],
    names: &mut BTreeMap<String, String>,
) -> (Vec<String>, Vec<String>) {
    let [mut required, mut terms] = [Vec::new(), Vec::new()];
    for statement in statements {
        match statement {
            Statement::Require(conditions) => {
                required.extend(conditions.iter().map(|x| condition(x, names)));
            }
            Statement::Let(name, value) => {
                let value = expression(value, names);
                names.insert(name.clone(), value);
            }
            Statement::Call {
                name,
                function,
                arguments,
            } => {
                let call = format!("{function}({})", arguments.join(", "));
                names.insert(name.clone(), call);
            }
            Statement::Add(conditions, value) => {
                let all = conditions.iter().map(|x| condition(x, names));
                let all = all.chain([expression(value, names)]);
                terms.push(all.collect::<Vec<_>>().join("*"));
            }
            Statement::For {
                name,
                low,
                high,
                body,
            } => {
                let bound = |function: &str, list: &[Expression]| {
                    let all: Vec<String> = list.iter().map(|x| expression(x, names)).collect();
                    format!("{function}({})", all.join(", "))
                };
                let (low, high) = (bound("max", low), bound("min", high));
                let mut inner = names.clone();
                // A name that ends in an underscore is a wildcard in symbolica.
                let plain = name.trim_end_matches('_').replacen('v', "v__", 1);
                inner.insert(name.clone(), plain.clone());
                let (_, own) = self::statements(body, &mut inner);
                terms.push(format!("sum({plain}, {low}, {high}, {})", own.join(" + ")));
            }
        }
    }
    (required, terms)
}

fn condition(condition: &CodeCondition, names: &BTreeMap<String, String>) -> String {
    match condition {
        CodeCondition::NotNegative(value) => format!("at_least_zero({})", expression(value, names)),
        CodeCondition::Zero(value) => format!("zero({})", expression(value, names)),
    }
}

fn expression(value: &Expression, names: &BTreeMap<String, String>) -> String {
    match value {
        Expression::Integer(value @ 0..) => value.to_string(),
        Expression::Integer(value) => format!("({value})"),
        Expression::Name(name) => names.get(name).unwrap_or(name).clone(),
        Expression::Sum(pair) => {
            let [a, b] = pair.as_ref();
            format!("({} + {})", expression(a, names), expression(b, names))
        }
        Expression::Product(pair) => {
            let [a, b] = pair.as_ref();
            format!("{}*{}", expression(a, names), expression(b, names))
        }
        Expression::Greatest(list) => {
            let list: Vec<String> = list.iter().map(|x| expression(x, names)).collect();
            format!("max({})", list.join(", "))
        }
        Expression::Floor(value, denominator) => {
            format!("floor({}/{denominator})", expression(value, names))
        }
    }
}
