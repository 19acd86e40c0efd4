//! Slices in the convention of PBound as a C file, in the form that PBound itself writes: a function for each analysed
//! function, with a call for each loop that logs the counts of the loop, the log, and a program that takes the sizes
//! and prints the sums.
//!
//! ```text
//! pbound_log("loop at axpy4.c:5", 0, 0, 5 * n, n, 3 * n + 1, 4 * n);
//! ```

mod control;
mod growth;
mod number;
mod places;
mod runtime;

use super::c::comment;
use super::names::unique;
use super::text::Lines;
use control::Control;
use growth::Growth;
use number::{Number, number, within};
use places::{Labels, quoted};
use premiss_analyze::{
    ClosedNest, Form, LoopControl, NestInput, PboundPart, PboundRow, Refusal, Slice, SliceNode,
};
use premiss_source::SourceMap;
use premiss_tree::{Comparison, LoopId, NestTree, ParameterKind, VariableId};
use std::collections::BTreeSet;

/// The most characters in a line of calls.
const WIDTH: usize = 112;

/// The slices of functions as the text of one C file (after Narayanan, Norris and Hovland's PBound); `assumptions`
/// become comments at its start.
#[must_use]
pub fn emit_pbound(
    sources: &SourceMap,
    functions: &[(&NestTree, &Slice)],
    assumptions: &[String],
) -> String {
    let mut taken = BTreeSet::new();
    let mut body = Lines::default();
    let mut rows = Vec::new();
    let mut n_sites = 1;
    for (tree, slice) in functions {
        let name = unique(&tree.function, "kernel", &mut taken);
        let writer = Writer::new(sources, tree, slice, &name);
        writer.function(&mut body);
        rows.push(writer.row());
        n_sites += tree.loops.len() + 2;
    }
    let body = body.finish();
    let most_sizes = functions.iter().map(|(_, slice)| slice.sizes.len()).max();
    let mut head = Lines::default();
    comment(&mut head, assumptions);
    for (name, value) in [
        ("PBOUND_SITES", n_sites),
        ("PBOUND_FUNCTIONS", functions.len()),
        ("PBOUND_MOST_SIZES", most_sizes.unwrap_or(0).max(1)),
    ] {
        head.line(&format!("#define {name} {value}"));
    }
    head.line("");
    head.finish() + &runtime::program(&body, &rows)
}

/// Writes one function.
struct Writer<'a> {
    sources: &'a SourceMap,
    tree: &'a NestTree,
    slice: &'a Slice,
    name: &'a str,
    labels: Labels,
    control: Control<'a>,
}

impl<'a> Writer<'a> {
    fn new(sources: &'a SourceMap, tree: &'a NestTree, slice: &'a Slice, name: &'a str) -> Self {
        Self {
            sources,
            tree,
            slice,
            name,
            labels: Labels::new(sources, tree),
            control: Control::new(tree, slice, name),
        }
    }

    /// Its row in the table of functions.
    fn row(&self) -> String {
        let sizes = self.control.sizes.values();
        let sizes: String = sizes.map(|size| format!(" {size}")).collect();
        format!(
            "    {{{}, {}, {}, {}, {}_run}},",
            quoted(&self.tree.function),
            quoted(&self.labels.of(None)),
            quoted(&sizes),
            self.slice.sizes.len(),
            self.name
        )
    }

    fn function(&self, out: &mut Lines) {
        let names: Vec<&String> = self.control.sizes.values().collect();
        self.control.tables(out);
        out.line("");
        comment(out, &self.comment_lines());
        let arguments = names.iter().map(|name| format!("pbound_wide {name}"));
        let arguments: Vec<String> = arguments.collect();
        let list = match arguments.is_empty() {
            true => "void".to_owned(),
            false => arguments.join(", "),
        };
        out.line(&format!("void {}_pbound({list});", self.name));
        out.line(&format!("void {}_pbound({list})", self.name));
        out.line("{");
        out.inside(|out| {
            let variables: Vec<&str> = self
                .control
                .variables
                .values()
                .map(String::as_str)
                .collect();
            if !variables.is_empty() {
                let zero = variables.iter().map(|name| format!("{name} = 0"));
                out.line(&format!(
                    "pbound_wide {};",
                    zero.collect::<Vec<_>>().join(", ")
                ));
                for name in variables {
                    out.line(&format!("(void){name};"));
                }
            }
            for name in &names {
                let why = quoted(&format!(
                    "{name} is negative: the counts hold for no such size"
                ));
                out.line(&format!("pbound_require(0 <= {name}, {why});"));
            }
            let [integers, floats] = self.slice.scalars;
            let scalars = [integers, 0, floats, 0, 0, 0].map(|x| x.to_string());
            self.log(out, "pbound_log", None, &scalars);
            self.nodes(out, &self.slice.nodes);
        });
        out.line("}");
        out.line("");
        out.line(&format!(
            "static void {}_run(const int64_t *sizes)",
            self.name
        ));
        out.line("{");
        out.inside(|out| {
            out.line("(void)sizes;");
            let values = (0..names.len()).map(|idx| format!("sizes[{idx}]"));
            let values = values.collect::<Vec<_>>().join(", ");
            out.line(&format!("{}_pbound({values});", self.name));
        });
        out.line("}");
    }

    /// The place of the function, its sizes, and the parts that are left out.
    fn comment_lines(&self) -> Vec<String> {
        let mut about = vec![self.labels.of(None)];
        for (id, argument) in &self.control.sizes {
            let name = &self.tree.work.parameters[*id].name;
            if name != argument {
                about.push(format!("{argument} is {name}"));
            }
        }
        let sizes = self.tree.work.parameters.values();
        for size in sizes.filter(|size| size.kind == ParameterKind::Size) {
            if let Some(value) = size.value {
                about.push(format!("{} is {value}", size.name));
            }
        }
        let mut left_out = Vec::new();
        self.slice
            .nodes
            .iter()
            .for_each(|node| self.missing(node, &mut left_out));
        left_out.dedup();
        about.extend(left_out);
        about
    }

    fn missing(&self, node: &SliceNode, about: &mut Vec<String>) {
        if let SliceNode::LeftOut {
            inside,
            span,
            reason: why,
        } = node
        {
            let place = self.labels.left_out(self.sources, *inside, *span);
            about.push(format!("left out: {place}: {why}"));
        }
        node.inner().for_each(|node| self.missing(node, about));
    }

    fn nodes(&self, out: &mut Lines, nodes: &[SliceNode]) {
        nodes.iter().for_each(|node| self.node(out, node));
    }

    fn node(&self, out: &mut Lines, node: &SliceNode) {
        match node {
            SliceNode::Row {
                inside,
                certain,
                possible,
            } => self.row_of(out, *inside, [certain, possible]),
            SliceNode::Closed(nest) => self.closed(out, nest),
            SliceNode::Assign(id, value) => {
                let value = self.control.expression(value);
                out.line(&format!("{} = {value};", self.variable(*id)));
            }
            SliceNode::Trips(id, header) => {
                let [first, bound, step] = self.header(header);
                let comparison = comparison(header.comparison).1;
                let name = self.variable(*id);
                out.line(&format!(
                    "{name} = pbound_trips({first}, {comparison}, {bound}, {step});"
                ));
            }
            SliceNode::Loop {
                id,
                variable,
                header,
                reason: why,
                body,
            } => {
                comment(
                    out,
                    &[format!("{}, kept: {why}", self.labels.of(Some(*id)))],
                );
                let [first, bound, step] = self.header(header);
                let name = self.variable(*variable);
                let sign = comparison(header.comparison).0;
                out.line(&format!(
                    "for ({name} = {first}; {name} {sign} {bound}; {name} = pbound_add({name}, {step})) {{"
                ));
                out.inside(|out| {
                    out.line("pbound_step();");
                    self.nodes(out, body);
                });
                out.line("}");
            }
            SliceNode::Branch {
                condition,
                then_nodes: then,
                else_nodes: otherwise,
            } => {
                out.line(&format!("if ({}) {{", self.control.expression(condition)));
                out.inside(|out| self.nodes(out, then));
                if !otherwise.is_empty() {
                    out.line("} else {");
                    out.inside(|out| self.nodes(out, otherwise));
                }
                out.line("}");
            }
            SliceNode::LeftOut {
                inside,
                span,
                reason: why,
            } => {
                let place = self.labels.left_out(self.sources, *inside, *span);
                out.line(&format!(
                    "pbound_left_out({}, {});",
                    quoted(&place),
                    quoted(why)
                ));
            }
        }
    }

    fn variable(&self, id: VariableId) -> &str {
        self.control.variables.get(&id).map_or("", String::as_str)
    }

    fn header(&self, header: &LoopControl) -> [String; 3] {
        [&header.first, &header.bound, &header.step].map(|x| self.control.expression(x))
    }

    fn row_of(&self, out: &mut Lines, inside: Option<LoopId>, rows: [&PboundRow; 2]) {
        for (call, row) in ["pbound_log", "pbound_log_possible"].into_iter().zip(rows) {
            if *row != [0; 6] {
                self.log(out, call, inside, &row.map(|x| x.to_string()));
            }
        }
    }

    fn closed(&self, out: &mut Lines, nest: &ClosedNest) {
        let is_signed = |id: &VariableId| nest.inputs.contains(&NestInput::Negated(*id));
        let input = |input: &NestInput| match input {
            NestInput::Size(id) => self.control.sizes[id].clone(),
            NestInput::Variable(id) if !is_signed(id) => self.variable(*id).to_owned(),
            NestInput::Variable(id) => format!("pbound_positive({})", self.variable(*id)),
            NestInput::Negated(id) => format!("pbound_positive(-{})", self.variable(*id)),
        };
        let names: Vec<String> = nest.inputs.iter().map(input).collect();
        let written = within(&nest.context, &names).and_then(|context| {
            let mut growth = context.growth;
            let mut calls = Vec::new();
            for part in &nest.parts {
                calls.push(part_calls(part, &names, &mut growth)?);
            }
            Ok((context, growth, calls))
        });
        let Ok((context, growth, calls)) = written else {
            let why = "a coefficient does not fit 64 bits";
            for part in &nest.parts {
                let place = quoted(&self.labels.of(part.inside));
                out.line(&format!("pbound_left_out({place}, {});", quoted(why)));
            }
            return;
        };
        self.domain(out, &names, &context, growth);
        for (part, calls) in nest.parts.iter().zip(calls) {
            for (call, numbers) in calls {
                self.log(out, call, part.inside, &numbers);
            }
        }
    }

    /// Checks that forms hold, and that their numbers fit.
    fn domain(&self, out: &mut Lines, names: &[String], context: &Number, growth: Growth) {
        if names.is_empty() {
            return;
        }
        let limit = format!("PBOUND_LIMIT({}, {})", growth.limit(62), growth.limit(126));
        for name in names {
            let why = quoted(&format!("{name} is too large: a number may not fit"));
            out.line(&format!("pbound_require({name} <= {limit}, {why});"));
        }
        if !context.text.is_empty() {
            let why = "the counts do not hold for these sizes";
            out.line(&format!(
                "pbound_require({}, {});",
                context.text,
                quoted(why)
            ));
        }
    }

    /// A call, with its numbers on separate lines if they are long.
    fn log(&self, out: &mut Lines, call: &str, inside: Option<LoopId>, numbers: &[String; 6]) {
        let place = quoted(&self.labels.of(inside));
        let line = format!("{call}({place}, {});", numbers.join(", "));
        if line.len() <= WIDTH {
            return out.line(&line);
        }
        out.line(&format!("{call}({place},"));
        out.inside(|out| {
            const NAMES: [&str; 6] = [
                "integer loads",
                "integer stores",
                "fp loads",
                "fp stores",
                "integer operations",
                "fp operations",
            ];
            for (idx, (name, number)) in NAMES.iter().zip(numbers).enumerate() {
                let end = if idx == 5 { ");" } else { "," };
                out.line(&format!("/* {name} */ {number}{end}"));
            }
        });
    }
}

/// A call with its numbers.
type Call = (&'static str, [String; 6]);

fn part_calls(
    part: &PboundPart,
    names: &[String],
    growth: &mut Growth,
) -> Result<Vec<Call>, Refusal> {
    let mut calls = Vec::new();
    let both = [
        ("pbound_log", &part.certain),
        ("pbound_log_possible", &part.possible),
    ];
    for (call, forms) in both {
        if forms.iter().all(|form| *form == Form::default()) {
            continue;
        }
        let mut numbers: [String; 6] = Default::default();
        for (form, text) in forms.iter().zip(&mut numbers) {
            let found = number(form, names)?;
            *growth = growth.plus(found.growth);
            *text = found.text;
        }
        calls.push((call, numbers));
    }
    Ok(calls)
}

/// A comparison in C, and in the log.
fn comparison(comparison: Comparison) -> (&'static str, &'static str) {
    match comparison {
        Comparison::Less => ("<", "PBOUND_LT"),
        Comparison::LessEqual => ("<=", "PBOUND_LE"),
        Comparison::Greater => (">", "PBOUND_GT"),
        Comparison::GreaterEqual => (">=", "PBOUND_GE"),
        Comparison::NotEqual => ("!=", "PBOUND_NE"),
    }
}
