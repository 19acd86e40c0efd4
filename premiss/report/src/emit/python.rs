//! Python. A function returns its value or raises a `ValueError`; integers are unbounded.

use super::MOST_STEPS;
use super::program::{
    ArgumentColumn, Body, ClassCode, CodeCondition, CodeFunction, Expression, Kernel, Statement,
    column,
};
use super::text::{Lines, divided, has_loops, index};

const HEAD: &str = "
import operator as _operator


class OutsideDomain(ValueError):
    \"\"\"The formula does not hold for these sizes.\"\"\"


class TooManySteps(ValueError):
    \"\"\"A sum goes through more values than MOST_STEPS.\"\"\"


def _result_(sum_, denominator):
    value, rest = divmod(sum_, denominator)
    if rest != 0 or value < 0:
        raise OutsideDomain(\"the formula does not hold for these sizes\")
    return value


def _class_(forms, number):
    if number not in forms:
        raise OutsideDomain(\"the formula is of other residue classes than these sizes are in\")
    return forms[number]


def _size_(name, value):
    value = _operator.index(value)
    if value < 0:
        raise OutsideDomain(f\"{name} is {value}: a size is not negative\")
    return value
";

/// The text of a file.
pub(super) fn write(kernels: &[Kernel], assumptions: &[String]) -> String {
    let mut out = Lines::default();
    comment(&mut out, assumptions);
    let mut text = out.finish() + HEAD;
    text.push_str(&format!("\n\nMOST_STEPS = {MOST_STEPS}\n"));
    let mut out = Lines::default();
    for kernel in kernels {
        out.line("");
        out.line("");
        comment(&mut out, &kernel.comment);
        for written in &kernel.functions {
            function(&mut out, written);
        }
    }
    text + &out.finish()
}

fn comment(out: &mut Lines, lines: &[String]) {
    lines
        .iter()
        .for_each(|line| out.line(format!("# {line}").trim_end()));
}

fn function(out: &mut Lines, function: &CodeFunction) {
    out.line("");
    let name = &function.name;
    match &function.body {
        Body::Unknown(why) => {
            out.line(&format!("# {name} is not known: {why}"));
            comment(out, &function.comment);
        }
        Body::Steps(steps) => {
            out.line("");
            open(out, function);
            out.inside(|out| {
                out.line("sum_ = 0");
                steps.iter().for_each(|x| statement(out, x));
                out.line("return _result_(sum_, 1)");
            });
        }
        Body::Classes { columns, classes } => {
            for class in classes {
                out.line("");
                form(out, name, columns, class);
                out.line("");
            }
            out.line("");
            open(out, function);
            out.inside(|out| dispatch(out, name, columns, classes));
        }
    }
}

fn open(out: &mut Lines, function: &CodeFunction) {
    out.line(&format!(
        "def {}({}):",
        function.name,
        function.arguments.join(", ")
    ));
    out.inside(|out| {
        for (idx, line) in function.comment.iter().enumerate() {
            let quote = if idx == 0 { "\"\"\"" } else { "" };
            let end = if idx + 1 == function.comment.len() {
                ".\"\"\""
            } else {
                ""
            };
            out.line(&format!(
                "{quote}{}{end}",
                line.replace('\\', "/").replace('"', "'")
            ));
        }
    });
}

fn dispatch(out: &mut Lines, name: &str, columns: &[ArgumentColumn], classes: &[ClassCode]) {
    for x in columns {
        out.line(&format!("{0} = _size_(\"{0}\", {0})", x.argument));
    }
    let values = columns.iter().map(|x| match x.factor {
        1 => x.argument.clone(),
        factor => format!("{} // {factor}", x.argument),
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let divided = divided(columns);
    if divided.is_empty() {
        for class in classes {
            out.line(&format!(
                "return _{name}_{}_({values})",
                index(class, columns)
            ));
        }
        return;
    }
    let digits = divided
        .iter()
        .map(|x| (format!("{} % {}", x.argument, x.factor), x.factor));
    let number =
        digits.reduce(|(sum, _), (next, factor)| (format!("({sum}) * {factor} + {next}"), factor));
    let of_one = |class: &ClassCode| {
        let index = index(class, columns);
        format!("{index}: _{name}_{index}_")
    };
    let forms: Vec<String> = classes.iter().map(of_one).collect();
    out.line(&format!("forms_ = {{{}}}", forms.join(", ")));
    let number = number.map_or_else(String::new, |x| x.0);
    out.line(&format!("return _class_(forms_, {number})({values})"));
}

fn form(out: &mut Lines, name: &str, columns: &[ArgumentColumn], class: &ClassCode) {
    let arguments: Vec<String> = (1..=columns.len()).map(column).collect();
    let number = index(class, columns);
    out.line(&format!("def _{name}_{number}_({}):", arguments.join(", ")));
    out.inside(|out| {
        out.line("sum_ = 0");
        if has_loops(&class.statements) {
            out.line("steps_ = 0");
        }
        class.statements.iter().for_each(|x| statement(out, x));
        out.line(&format!("return _result_(sum_, {})", class.denominator));
    });
}

fn statement(out: &mut Lines, written: &Statement) {
    match written {
        Statement::Require(conditions) => {
            out.line(&format!("if not ({}):", all(conditions)));
            out.inside(|out| {
                out.line("raise OutsideDomain(\"the formula does not hold for these sizes\")");
            });
        }
        Statement::Let(name, value) => out.line(&format!("{name} = {}", expression(value))),
        Statement::Call {
            name,
            function,
            arguments,
        } => out.line(&format!("{name} = {function}({})", arguments.join(", "))),
        Statement::Add(conditions, value) => {
            let sum = format!("sum_ += {}", expression(value));
            if conditions.is_empty() {
                return out.line(&sum);
            }
            out.line(&format!("if {}:", all(conditions)));
            out.inside(|out| out.line(&sum));
        }
        Statement::For {
            name,
            low,
            high,
            body,
        } => {
            let list =
                |list: &[Expression]| list.iter().map(expression).collect::<Vec<_>>().join(", ");
            let bound = |function: &str, bounds: &[Expression]| match bounds.len() {
                1 => list(bounds),
                _ => format!("{function}({})", list(bounds)),
            };
            let (low, high) = (bound("max", low), bound("min", high));
            out.line(&format!("for {name} in range({low}, {high} + 1):"));
            out.inside(|out| {
                out.line("steps_ += 1");
                out.line("if MOST_STEPS < steps_:");
                out.inside(|out| {
                    out.line("raise TooManySteps(\"a sum goes through too many values\")");
                });
                body.iter().for_each(|x| statement(out, x));
            });
        }
    }
}

fn all(conditions: &[CodeCondition]) -> String {
    let one = |condition: &CodeCondition| match condition {
        CodeCondition::NotNegative(value) => format!("{} >= 0", expression(value)),
        CodeCondition::Zero(value) => format!("{} == 0", expression(value)),
    };
    conditions.iter().map(one).collect::<Vec<_>>().join(" and ")
}

fn expression(value: &Expression) -> String {
    match value {
        Expression::Integer(value) => match value {
            0.. => value.to_string(),
            _ => format!("({value})"),
        },
        Expression::Name(name) => name.clone(),
        Expression::Sum(pair) => {
            let [a, b] = pair.as_ref();
            format!("({} + {})", expression(a), expression(b))
        }
        Expression::Product(pair) => {
            let [a, b] = pair.as_ref();
            format!("{} * {}", expression(a), expression(b))
        }
        Expression::Greatest(list) => {
            let list: Vec<String> = list.iter().map(expression).collect();
            format!("max({})", list.join(", "))
        }
        Expression::Floor(value, denominator) => {
            format!("(({}) // {denominator})", expression(value))
        }
    }
}
