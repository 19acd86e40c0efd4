//! `premiss formula --emit pbound`: slices that count in the convention of PBound.

use crate::arguments::FormulaArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::output;
use crate::run::completeness::Completeness;
use premiss_analyze::{MeasureOptions, Program, Slice, SliceNode, parallel, slice};
use premiss_report::{emit_pbound, render_diagnostics};
use premiss_source::SourceMap;
use premiss_tree::NestTree;

pub(super) fn run(
    arguments: &FormulaArguments,
    measuring: &MeasureOptions,
    sources: &SourceMap,
    program: &Program,
    invocation: Invocation<'_>,
) -> Result<Exit, Failure> {
    if !arguments.class.is_empty() {
        let why = "--class: the counts of --emit pbound hold for all remainders; leave it out";
        return Err(Failure::usage(why));
    }
    output::say(&render_diagnostics(
        sources,
        &program.diagnostics,
        invocation.colours.stderr,
    ));
    let steps = measuring.effort.steps;
    let found = parallel::map(&program.functions, |tree| slice(tree, steps));
    let functions: Vec<(&NestTree, &Slice)> = program.functions.iter().zip(&found).collect();
    let mut n_known = 0;
    for (tree, slice) in &functions {
        let left_out = left_out(&slice.nodes);
        n_known += usize::from(left_out.is_empty());
        for why in left_out {
            output::say(&format!(
                "note: the slice of `{}` leaves out {why}\n",
                tree.function
            ));
        }
    }
    let assumptions = [
        format!(
            "Written by premiss {} formula --emit pbound: cc -o slice FILE && ./slice [FUNCTION] SIZE...",
            env!("CARGO_PKG_VERSION")
        ),
        "What is counted: integers and real numbers loaded and stored, operations on integers and on real numbers, as"
            .to_owned(),
        "PBound does. Scalars are loaded once and never stored, a loop's header counts for each iteration and once more,"
            .to_owned(),
        "a sum with a product for an operand is one operation. Each line of the log is what a loop does itself, without"
            .to_owned(),
        "the loops inside. Where data decide, the number is between two.".to_owned(),
    ];
    let text = emit_pbound(sources, &functions, &assumptions);
    output::write(arguments.output.output.as_deref(), &text)?;
    let completeness = Completeness {
        functions: functions.len(),
        is_counted: n_known == functions.len(),
        diagnostics: &program.diagnostics,
    };
    Ok(completeness.exit())
}

/// The reasons for which parts are not counted, each once.
fn left_out(nodes: &[SliceNode]) -> Vec<String> {
    let mut found = Vec::new();
    for node in nodes {
        if let SliceNode::LeftOut { reason, inside, .. } = node {
            let what = match inside {
                Some(_) => "a loop",
                None => "a statement",
            };
            found.push(format!("{what}: {reason}"));
        }
        found.extend(
            node.inner()
                .flat_map(|node| left_out(std::slice::from_ref(node))),
        );
    }
    found.dedup();
    found
}
