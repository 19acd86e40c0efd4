//! C11. A function returns a status, and its value through a pointer.

use super::MOST_STEPS;
use super::program::{
    ArgumentColumn, Body, ClassCode, CodeCondition, CodeFunction, Expression, Kernel, Statement,
    column,
};
use super::text::{Lines, divided, has_loops, index, nested};

const HEAD: &str = "\
#include <stdint.h>

#ifndef PREMISS_STATUS_
#define PREMISS_STATUS_
/* What a function yields beside its value. */
enum premiss_status {
    PREMISS_OK = 0,
    PREMISS_OUTSIDE = 1,  /* the formula does not hold for these sizes */
    PREMISS_OVERFLOW = 2, /* a number does not fit */
    PREMISS_EFFORT = 3    /* a sum goes through more values than PREMISS_MOST_STEPS_ */
};
#endif
";

/// The helpers with their names, in order; each is emitted if later text uses its name.
const HELPERS: [(&str, &str); 6] = [
    (
        "premiss_result_",
        "\
static inline enum premiss_status premiss_result_(premiss_wide_ sum, premiss_wide_ denominator, int bad,
                                                  uint64_t *value)
{
    if (bad)
        return PREMISS_OVERFLOW;
    if (sum < 0)
        return PREMISS_OUTSIDE;
    if (denominator != 1) {
        premiss_wide_ quotient = sum / denominator;
        if (quotient * denominator != sum)
            return PREMISS_OUTSIDE;
        sum = quotient;
    }
    if ((premiss_wide_)UINT64_MAX < sum)
        return PREMISS_OVERFLOW;
    *value = (uint64_t)sum;
    return PREMISS_OK;
}
",
    ),
    (
        "premiss_floor_",
        "\
static premiss_wide_ premiss_floor_(premiss_wide_ a, int64_t b)
{
    if (a == (int64_t)a)
        return (int64_t)a / b - ((int64_t)a % b < 0);
    return a / b - (a % b < 0);
}
",
    ),
    (
        "premiss_mul_",
        "\
static premiss_wide_ premiss_mul_(premiss_wide_ a, premiss_wide_ b, int *bad)
{
    if (a == (int64_t)a && b == (int64_t)b)
        return a * b;
    if (a == 0 || b == 0)
        return 0;
    premiss_wide_ limit = PREMISS_MOST_ / (a < 0 ? -a : a);
    if ((b < 0 ? -b : b) <= limit)
        return a * b;
    *bad = 1;
    return 0;
}
",
    ),
    (
        "premiss_add_",
        "\
static inline premiss_wide_ premiss_add_(premiss_wide_ a, premiss_wide_ b, int *bad)
{
    if (b < 0 ? a < -PREMISS_MOST_ - b : PREMISS_MOST_ - b < a) {
        *bad = 1;
        return 0;
    }
    return a + b;
}
",
    ),
    (
        "premiss_max_",
        "\
static inline premiss_wide_ premiss_max_(premiss_wide_ a, premiss_wide_ b)
{
    return a < b ? b : a;
}
",
    ),
    (
        "premiss_min_",
        "\
static inline premiss_wide_ premiss_min_(premiss_wide_ a, premiss_wide_ b)
{
    return b < a ? b : a;
}
",
    ),
];

/// The text of a file.
pub(super) fn write(kernels: &[Kernel], assumptions: &[String]) -> String {
    let mut body = Lines::default();
    for kernel in kernels {
        body.line("");
        comment(&mut body, &kernel.comment);
        for written in &kernel.functions {
            function(&mut body, written);
        }
    }
    let body = body.finish();
    let mut head = Lines::default();
    comment(&mut head, assumptions);
    let mut text = head.finish() + HEAD;
    text.push_str("\n__extension__ typedef __int128 premiss_wide_;\n");
    text.push_str("__extension__ typedef unsigned __int128 premiss_unsigned_;\n\n");
    text.push_str("#define PREMISS_MOST_ ((premiss_wide_)(~(premiss_unsigned_)0 >> 1))\n");
    text.push_str(&format!("#define PREMISS_MOST_STEPS_ {MOST_STEPS}\n"));
    for (name, helper) in HELPERS {
        if body.contains(name) {
            text.push('\n');
            text.push_str(helper);
        }
    }
    text + &body
}

pub(super) fn comment(out: &mut Lines, lines: &[String]) {
    let safe = |line: &String| line.replace("*/", "* /").replace("/*", "/ *");
    for (idx, line) in lines.iter().enumerate() {
        let start = if idx == 0 { "/*" } else { " *" };
        let end = if idx + 1 == lines.len() { " */" } else { "" };
        out.line(&format!("{start} {}{end}", safe(line)));
    }
}

fn function(out: &mut Lines, function: &CodeFunction) {
    out.line("");
    let name = format!("premiss_{}", function.name);
    match &function.body {
        Body::Unknown(why) => {
            let first = format!("{name} is not known: {why}");
            let about = std::iter::once(first).chain(function.comment.iter().cloned());
            comment(out, &about.collect::<Vec<_>>());
        }
        Body::Steps(steps) => {
            comment(out, &function.comment);
            open(out, &name, &function.arguments);
            out.inside(|out| {
                out.line("int bad_ = 0;");
                out.line("premiss_wide_ sum_ = 0;");
                out.line("enum premiss_status status_;");
                steps.iter().for_each(|x| statement(out, x));
                out.line("return premiss_result_(sum_, 1, bad_, value_);");
            });
            out.line("}");
        }
        Body::Classes { columns, classes } => {
            for class in classes {
                form(out, &name, columns, class);
                out.line("");
            }
            comment(out, &function.comment);
            open(out, &name, &function.arguments);
            out.inside(|out| dispatch(out, &name, function, (columns, classes)));
            out.line("}");
        }
    }
}

fn open(out: &mut Lines, name: &str, arguments: &[String]) {
    let arguments = arguments.iter().map(|name| format!("int64_t {name}, "));
    let arguments: String = arguments.collect();
    out.line(&format!(
        "enum premiss_status {name}({arguments}uint64_t *value_)"
    ));
    out.line("{");
}

fn dispatch(
    out: &mut Lines,
    name: &str,
    function: &CodeFunction,
    (columns, classes): (&[ArgumentColumn], &[ClassCode]),
) {
    let is_used = |argument: &&String| columns.iter().any(|x| x.argument == **argument);
    for argument in function.arguments.iter().filter(|x| !is_used(x)) {
        out.line(&format!("(void){argument};"));
    }
    if !columns.is_empty() {
        let negative = columns.iter().map(|x| format!("{} < 0", x.argument));
        out.line(&format!(
            "if ({})",
            negative.collect::<Vec<_>>().join(" || ")
        ));
        out.inside(|out| out.line("return PREMISS_OUTSIDE;"));
    }
    let values = columns.iter().map(|x| match x.factor {
        1 => format!("{}, ", x.argument),
        factor => format!("{} / {factor}, ", x.argument),
    });
    let values: String = values.collect();
    let call =
        |class: &ClassCode| format!("return {name}_{}_({values}value_);", index(class, columns));
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
        "switch ({}) {{",
        number.map_or_else(String::new, |x| x.0)
    ));
    for class in classes {
        out.line(&format!("case {}:", index(class, columns)));
        out.inside(|out| out.line(&call(class)));
    }
    out.line("default:");
    out.inside(|out| out.line("return PREMISS_OUTSIDE;"));
    out.line("}");
}

fn form(out: &mut Lines, name: &str, columns: &[ArgumentColumn], class: &ClassCode) {
    let arguments = (1..=columns.len()).map(|x| format!("premiss_wide_ {}, ", column(x)));
    let arguments: String = arguments.collect();
    let number = index(class, columns);
    out.line(&format!(
        "static enum premiss_status {name}_{number}_({arguments}uint64_t *value_)"
    ));
    out.line("{");
    out.inside(|out| {
        out.line("int bad_ = 0;");
        out.line("premiss_wide_ sum_ = 0;");
        if has_loops(&class.statements) {
            out.line("int64_t steps_ = 0;");
        }
        for x in 1..=columns.len() {
            out.line(&format!("(void){};", column(x)));
        }
        class.statements.iter().for_each(|x| statement(out, x));
        let denominator = integer(class.denominator);
        out.line(&format!(
            "return premiss_result_(sum_, {denominator}, bad_, value_);"
        ));
    });
    out.line("}");
}

fn statement(out: &mut Lines, written: &Statement) {
    match written {
        Statement::Require(conditions) => {
            out.line(&format!("if (!({}))", all(conditions)));
            out.inside(|out| out.line("return bad_ ? PREMISS_OVERFLOW : PREMISS_OUTSIDE;"));
        }
        Statement::Let(name, value) => {
            out.line(&format!("premiss_wide_ {name} = {};", expression(value)));
            out.line(&format!("(void){name};"));
        }
        Statement::Call {
            name,
            function,
            arguments,
        } => {
            let arguments = arguments.join(", ");
            out.line(&format!("uint64_t {name} = 0;"));
            out.line(&format!(
                "status_ = premiss_{function}({arguments}, &{name});"
            ));
            out.line("if (status_ != PREMISS_OK)");
            out.inside(|out| out.line("return status_;"));
        }
        Statement::Add(conditions, value) => {
            let sum = format!("sum_ = premiss_add_(sum_, {}, &bad_);", expression(value));
            if conditions.is_empty() {
                return out.line(&sum);
            }
            out.line(&format!("if ({})", all(conditions)));
            out.inside(|out| out.line(&sum));
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
            out.line("if (bad_)");
            out.inside(|out| out.line("return PREMISS_OVERFLOW;"));
            let (low, high) = (bound("premiss_max_", low), bound("premiss_min_", high));
            let end = format!("end_{name}");
            out.line(&format!(
                "for (premiss_wide_ {name} = {low}, {end} = {high}; {name} <= {end}; {name}++) {{"
            ));
            out.inside(|out| {
                out.line("if (PREMISS_MOST_STEPS_ < ++steps_)");
                out.inside(|out| out.line("return PREMISS_EFFORT;"));
                body.iter().for_each(|x| statement(out, x));
            });
            out.line("}");
        }
    }
}

fn all(conditions: &[CodeCondition]) -> String {
    let one = |condition: &CodeCondition| match condition {
        CodeCondition::NotNegative(value) => format!("{} >= 0", expression(value)),
        CodeCondition::Zero(value) => format!("{} == 0", expression(value)),
    };
    conditions.iter().map(one).collect::<Vec<_>>().join(" && ")
}

fn expression(value: &Expression) -> String {
    match value {
        Expression::Integer(value) => integer(*value),
        Expression::Name(name) => name.clone(),
        Expression::Sum(pair) => {
            let [a, b] = pair.as_ref();
            format!("premiss_add_({}, {}, &bad_)", expression(a), expression(b))
        }
        Expression::Product(pair) => {
            let [a, b] = pair.as_ref();
            format!("premiss_mul_({}, {}, &bad_)", expression(a), expression(b))
        }
        Expression::Greatest(list) => nested(
            "premiss_max_",
            list.iter().map(expression).collect(),
            |call| call,
        ),
        Expression::Floor(value, denominator) => {
            format!("premiss_floor_({}, {denominator})", expression(value))
        }
    }
}

/// Splits an integer, because C has no constants of more than 64 bits.
fn integer(value: i128) -> String {
    match i64::try_from(value) {
        Ok(i64::MIN) => "(INT64_MIN)".to_owned(),
        Ok(small) => small.to_string(),
        Err(_) => {
            let (high, low) = (value.div_euclid(1 << 62), value.rem_euclid(1 << 62));
            format!("((premiss_wide_){high} * ((premiss_wide_)1 << 62) + {low})")
        }
    }
}
