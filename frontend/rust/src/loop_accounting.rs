//! Names the loops of a text that were not counted: every loop is counted, or a diagnostic says that it is not.
//!
//! The bodies of functions are desugared as far as their calls are followed. A closure that is stored, a generic
//! function beyond a budget, a macro of another crate may contain loops that no body reaches. Here, the loops of the
//! text ([`crate::text_loops`]) are compared with the loops that were emitted and the places that were rejected
//! ([`CoverageMark`]). What remains becomes a nest of which nothing is known, at the start of the function that contains it, or
//! in a function of its own; loops that never run get a note.

use crate::ast_builder;
use crate::context::ProgramContext;
use crate::macro_expansion::macro_limit;
use crate::positions::TextCopy;
use crate::text_loops::{LoopContext, TextLoop};
use premiss_ast::syntax::{
    Binary, Expression, ExpressionKind as Kind, For, Function, Linkage, Name, Signature, Statement,
    StatementKind, TextRange, TypeName,
};
use premiss_source::{Diagnostic, FileId, Label, Severity, Span};
use premiss_tree::RejectReason;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// What became of a piece of text, as a place in the text of its unit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CoverageMark {
    /// A loop that was emitted: its header.
    Loop(TextRange),
    Rejected(TextRange),
    /// Statements behind one that is always left by a jump.
    Unreachable(TextRange),
}

/// What became of the text of a file, in bytes of the file.
#[derive(Debug, Default)]
pub(crate) struct FileMarks {
    loops: BTreeSet<usize>,
    rejected: Vec<Range<usize>>,
    unreachable: Vec<Range<usize>>,
}

impl FileMarks {
    pub(crate) fn add(&mut self, mark: CoverageMark, at: Range<usize>) {
        match mark {
            CoverageMark::Loop(_) => {
                self.loops.insert(at.start);
            }
            CoverageMark::Rejected(_) => self.rejected.push(at),
            CoverageMark::Unreachable(_) => self.unreachable.push(at),
        }
    }
}

/// What is reported about a file.
#[derive(Debug, Default)]
pub(crate) struct UnknownNests {
    /// Functions for loops that are in none.
    pub(crate) functions: Vec<Function>,
    pub(crate) notes: Vec<Diagnostic>,
}

/// Adds nests of which nothing is known to the functions of a file for the loops that were not counted.
pub(crate) fn add_uncounted(
    ctx: &ProgramContext,
    unit: usize,
    functions: &mut [(usize, Function)],
) -> UnknownNests {
    let mut result = UnknownNests::default();
    let mut owners: BTreeMap<Option<usize>, Vec<(TextLoop, RejectReason)>> = BTreeMap::new();
    for one in uncounted_loops(ctx, unit) {
        let owner = ctx.index.function_around(unit, one.at.start);
        match reason(ctx, unit, &one, owner) {
            Ok(reason) => owners.entry(owner).or_default().push((one, reason)),
            Err((message, help)) => {
                let note = note(ctx, unit, &one.at, message, help);
                result.notes.push(note);
            }
        }
    }
    let mut taken: BTreeSet<Name> = functions.iter().map(|(_, f)| f.name.clone()).collect();
    for (owner, loops) in owners {
        let nests = loops
            .into_iter()
            .map(|(one, reason)| unknown_nest(ctx, unit, &one.at, reason));
        let nests: Vec<Statement> = nests.collect();
        let instance = functions
            .iter_mut()
            .find(|(index, _)| Some(*index) == owner);
        match instance {
            Some((_, function)) => put_first(&mut function.body, nests),
            None => result
                .functions
                .extend(function_of(ctx, owner, nests, &mut taken)),
        }
    }
    result
}

/// The outermost loops of a file that were neither counted nor rejected.
fn uncounted_loops(ctx: &ProgramContext, unit: usize) -> Vec<TextLoop> {
    let marks = &ctx.marks[unit];
    let mut found: Vec<TextLoop> = Vec::new();
    for one in &ctx.texts[unit].loops {
        let is_inner = found
            .last()
            .is_some_and(|around| around.extent.contains(&one.at.start));
        if is_inner {
            continue;
        }
        let is_rejected = marks.rejected.iter().any(|at| at.contains(&one.at.start));
        if !marks.loops.contains(&one.at.start) && !is_rejected {
            found.push(one.clone());
        }
    }
    found
}

/// Why a loop was not counted; a note with its help if it makes no access when the program runs.
fn reason(
    ctx: &ProgramContext,
    unit: usize,
    one: &TextLoop,
    owner: Option<usize>,
) -> Result<RejectReason, (&'static str, &'static str)> {
    let start = one.at.start;
    let unreachable = &ctx.marks[unit].unreachable;
    if unreachable.iter().any(|at| at.contains(&start)) {
        return Err((
            "the loop is never reached: a jump always comes before it",
            "remove it, or the jump",
        ));
    }
    let construct = match &one.context {
        LoopContext::Constant => {
            return Err((
                "the compiler runs this loop: it makes no accesses at run time",
                "move it to a function, to count it",
            ));
        }
        LoopContext::Macro(name) if ctx.macros.too_long.contains(name) => {
            let limit = macro_limit();
            return Ok(RejectReason::Budget { limit });
        }
        LoopContext::Macro(name) => format!("the macro `{name}!`"),
        LoopContext::Closure => {
            "a loop in a closure that is stored, returned, or passed to unknown code".to_owned()
        }
        LoopContext::Function if owner.is_some() => {
            "a loop in code that nothing follows".to_owned()
        }
        LoopContext::Function => "a loop outside of functions".to_owned(),
    };
    Ok(RejectReason::Unsupported { construct })
}

/// A nest around a rejection, at a place in the file.
fn unknown_nest(
    ctx: &ProgramContext,
    unit: usize,
    at: &Range<usize>,
    reason: RejectReason,
) -> Statement {
    let ground = &ctx.positions[unit];
    let place = ground.fresh(ground.at(TextCopy::default(), at.clone()));
    rejected_nest(place, place, reason)
}

/// A nest around a rejection: what is accessed in it is unknown, so that one iteration stands for any number.
pub(crate) fn rejected_nest(header: TextRange, at: TextRange, reason: RejectReason) -> Statement {
    let iterator: Name = "unknown@".into();
    let name = || ast_builder::name(header, &iterator);
    let end = ast_builder::integer(header, 1);
    let step = Kind::Increment {
        step: 1,
        is_prefix: false,
        operand: Box::new(name()),
    };
    let rejected = ast_builder::evaluated(ast_builder::rejected(at, reason));
    let head = For {
        header,
        initial: ast_builder::declaration(
            header,
            &iterator,
            ast_builder::wide(),
            Some(ast_builder::integer(header, 0)),
        ),
        condition: Some(ast_builder::binary(header, Binary::Less, name(), end)),
        step: Some(Expression::new(header, step)),
        body: ast_builder::block(at, vec![rejected]),
    };
    ast_builder::statement(header.to(at), StatementKind::For(Box::new(head)))
}

fn put_first(body: &mut Statement, mut nests: Vec<Statement>) {
    if let StatementKind::Block(list) = &mut body.kind {
        nests.append(list);
        *list = nests;
    }
}

/// A function for nests whose own function has no instance, or that are in none.
fn function_of(
    ctx: &ProgramContext,
    owner: Option<usize>,
    nests: Vec<Statement>,
    taken: &mut BTreeSet<Name>,
) -> Option<Function> {
    let at = nests.first()?.at;
    let wanted = match owner {
        Some(owner) => ctx.index.functions[owner].name.clone(),
        None => "outside of functions".to_owned(),
    };
    let mut name = Name::from(wanted.as_str());
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}'{number}").into();
        number += 1;
    }
    let signature = Signature {
        result: Arc::new(TypeName::Void),
        parameters: Vec::new(),
        order: Vec::new(),
    };
    Some(Function {
        name,
        at,
        signature: Arc::new(signature),
        linkage: Linkage::External,
        body: ast_builder::block(at, nests),
        assumed_types: Vec::new(),
        assumed_kinds: Vec::new(),
    })
}

fn note(
    ctx: &ProgramContext,
    unit: usize,
    at: &Range<usize>,
    message: impl Into<String>,
    help: &str,
) -> Diagnostic {
    text_diagnostic(
        ctx.positions[unit].file(),
        at,
        (Severity::Note, "not-run"),
        message,
        help,
    )
}

/// A diagnostic about a piece of a file.
pub(crate) fn text_diagnostic(
    file: FileId,
    at: &Range<usize>,
    (severity, code): (Severity, &'static str),
    message: impl Into<String>,
    help: &str,
) -> Diagnostic {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Diagnostic {
        code,
        severity,
        message: message.into(),
        labels: vec![Label {
            span: Span {
                file,
                start: offset(at.start),
                end: offset(at.end.max(at.start + 1)),
            },
            text: String::new(),
        }],
        help: Some(help.to_owned()),
        sizes: Vec::new(),
    }
}
