//! Rust. A function returns its value or an error; arithmetic is checked.

use super::MOST_STEPS;
use super::program::{
    ArgumentColumn, Body, ClassCode, CodeCondition, CodeFunction, Expression, Kernel, Statement,
    column,
};
use super::text::{Lines, divided, has_loops, index, nested};

const HEAD: &str = "
#![allow(dead_code, unused_variables, unused_mut, non_snake_case, clippy::all)]

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// The formula does not hold for these sizes.
    Outside,
    /// A number does not fit.
    Overflow,
    /// A sum goes through more values than `MOST_STEPS`.
    Effort,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Outside => \"the formula does not hold for these sizes\",
            Self::Overflow => \"a number does not fit\",
            Self::Effort => \"a sum goes through too many values\",
        })
    }
}

impl std::error::Error for Error {}

fn add_(a: i128, b: i128) -> Result<i128, Error> {
    a.checked_add(b).ok_or(Error::Overflow)
}

fn mul_(a: i128, b: i128) -> Result<i128, Error> {
    a.checked_mul(b).ok_or(Error::Overflow)
}

fn result_(sum: i128, denominator: i128) -> Result<u64, Error> {
    if sum < 0 || sum % denominator != 0 {
        return Err(Error::Outside);
    }
    u64::try_from(sum / denominator).map_err(|_| Error::Overflow)
}

fn step_(steps: &mut u64) -> Result<(), Error> {
    *steps += 1;
    if MOST_STEPS < *steps { Err(Error::Effort) } else { Ok(()) }
}
";

/// The text of a file.
pub(super) fn write(kernels: &[Kernel], assumptions: &[String]) -> String {
    let mut out = Lines::default();
    comment(&mut out, "//!", assumptions);
    let mut text = out.finish() + HEAD;
    text.push_str(&format!("\nconst MOST_STEPS: u64 = {MOST_STEPS};\n"));
    let mut out = Lines::default();
    for kernel in kernels {
        out.line("");
        comment(&mut out, "//", &kernel.comment);
        for written in &kernel.functions {
            function(&mut out, written);
        }
    }
    text + &out.finish()
}

fn comment(out: &mut Lines, start: &str, lines: &[String]) {
    lines
        .iter()
        .for_each(|line| out.line(format!("{start} {line}").trim_end()));
}

fn function(out: &mut Lines, function: &CodeFunction) {
    out.line("");
    let name = &function.name;
    match &function.body {
        Body::Unknown(why) => {
            out.line(&format!("// {name} is not known: {why}"));
            comment(out, "//", &function.comment);
        }
        Body::Steps(steps) => {
            comment(out, "///", &function.comment);
            open(out, name, &function.arguments);
            out.inside(|out| {
                out.line("let mut sum_: i128 = 0;");
                steps.iter().for_each(|x| statement(out, x));
                out.line("result_(sum_, 1)");
            });
            out.line("}");
        }
        Body::Classes { columns, classes } => {
            for class in classes {
                form(out, name, columns, class);
                out.line("");
            }
            comment(out, "///", &function.comment);
            open(out, name, &function.arguments);
            out.inside(|out| dispatch(out, name, columns, classes));
            out.line("}");
        }
    }
}

fn open(out: &mut Lines, name: &str, arguments: &[String]) {
    let arguments = arguments.iter().map(|name| format!("{name}: i64"));
    let arguments: Vec<String> = arguments.collect();
    out.line(&format!(
        "pub fn {name}({}) -> Result<u64, Error> {{",
        arguments.join(", ")
    ));
}

fn dispatch(out: &mut Lines, name: &str, columns: &[ArgumentColumn], classes: &[ClassCode]) {
    if !columns.is_empty() {
        let negative = columns.iter().map(|x| format!("{} < 0", x.argument));
        out.line(&format!(
            "if {} {{",
            negative.collect::<Vec<_>>().join(" || ")
        ));
        out.inside(|out| out.line("return Err(Error::Outside);"));
        out.line("}");
    }
    let values = columns.iter().map(|x| match x.factor {
        1 => format!("i128::from({})", x.argument),
        factor => format!("i128::from({} / {factor})", x.argument),
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let call = |class: &ClassCode| format!("{name}_{}_({values})", index(class, columns));
    let divided = divided(columns);
    if divided.is_empty() {
        classes.iter().for_each(|class| out.line(&call(class)));
        return;
    }
    let digits = divided
        .iter()
        .map(|x| (format!("{} % {}", x.argument, x.factor), x.factor));
    let number =
        digits.reduce(|(sum, _), (next, factor)| (format!("({sum}) * {factor} + {next}"), factor));
    out.line(&format!(
        "match {} {{",
        number.map_or_else(String::new, |x| x.0)
    ));
    out.inside(|out| {
        for class in classes {
            out.line(&format!("{} => {},", index(class, columns), call(class)));
        }
        out.line("_ => Err(Error::Outside),");
    });
    out.line("}");
}

fn form(out: &mut Lines, name: &str, columns: &[ArgumentColumn], class: &ClassCode) {
    let arguments = (1..=columns.len()).map(|x| format!("{}: i128", column(x)));
    let arguments: Vec<String> = arguments.collect();
    let number = index(class, columns);
    out.line(&format!(
        "fn {name}_{number}_({}) -> Result<u64, Error> {{",
        arguments.join(", ")
    ));
    out.inside(|out| {
        out.line("let mut sum_: i128 = 0;");
        if has_loops(&class.statements) {
            out.line("let mut steps_: u64 = 0;");
        }
        class.statements.iter().for_each(|x| statement(out, x));
        out.line(&format!("result_(sum_, {})", class.denominator));
    });
    out.line("}");
}

fn statement(out: &mut Lines, written: &Statement) {
    match written {
        Statement::Require(conditions) => {
            out.line(&format!("if !({}) {{", all(conditions)));
            out.inside(|out| out.line("return Err(Error::Outside);"));
            out.line("}");
        }
        Statement::Let(name, value) => {
            out.line(&format!("let {name}: i128 = {};", expression(value)));
        }
        Statement::Call {
            name,
            function,
            arguments,
        } => {
            let arguments = arguments.join(", ");
            out.line(&format!(
                "let {name} = i128::from({function}({arguments})?);"
            ));
        }
        Statement::Add(conditions, value) => {
            let sum = format!("sum_ = add_(sum_, {})?;", expression(value));
            if conditions.is_empty() {
                return out.line(&sum);
            }
            out.line(&format!("if {} {{", all(conditions)));
            out.inside(|out| out.line(&sum));
            out.line("}");
        }
        Statement::For {
            name,
            low,
            high,
            body,
        } => {
            let bound = |function, list: &[Expression]| {
                nested(function, list.iter().map(expression).collect(), |call| call)
            };
            let (low, high) = (bound("i128::max", low), bound("i128::min", high));
            out.line(&format!("for {name} in {low}..={high} {{"));
            out.inside(|out| {
                out.line("step_(&mut steps_)?;");
                body.iter().for_each(|x| statement(out, x));
            });
            out.line("}");
        }
    }
}

fn all(conditions: &[CodeCondition]) -> String {
    let one = |condition: &CodeCondition| match condition {
        CodeCondition::NotNegative(value) => format!("0 <= {}", expression(value)),
        CodeCondition::Zero(value) => format!("0 == {}", expression(value)),
    };
    conditions.iter().map(one).collect::<Vec<_>>().join(" && ")
}

fn expression(value: &Expression) -> String {
    match value {
        Expression::Integer(value) => value.to_string(),
        Expression::Name(name) => name.clone(),
        Expression::Sum(pair) => {
            let [a, b] = pair.as_ref();
            format!("add_({}, {})?", expression(a), expression(b))
        }
        Expression::Product(pair) => {
            let [a, b] = pair.as_ref();
            format!("mul_({}, {})?", expression(a), expression(b))
        }
        Expression::Greatest(list) => {
            nested("i128::max", list.iter().map(expression).collect(), |call| {
                call
            })
        }
        Expression::Floor(value, denominator) => {
            format!("i128::div_euclid({}, {denominator})", expression(value))
        }
    }
}
