//! Reads the files of a program together.

use crate::body;
use crate::context::{ProgramContext, Substitution};
use crate::item_index::Index;
use crate::loop_accounting::add_uncounted;
use crate::missing_text::{unread_modules, unread_text};
use crate::parse::{Source, parse};
use crate::positions::PositionMap;
use crate::text_loops::FileLoops;
use crate::{Options, macro_expansion::expand};
use premiss_ast::OriginMap;
use premiss_ast::syntax::{Function, Item, Name, Notation, Unit, UnitId};
use premiss_incremental::{
    FileOutcome, FrontendReport, IncrementalProgram, TranslationUnit, UnitInput,
    add_notes_on_bytes, translate,
};
use premiss_link::{FunctionModels, InlineBudget, LazyUnit, LinkOptions, LinkUnit, SizeOptions};
use premiss_source::{Diagnostic, FileId, SourceMap, Span};
use proc_macro2::TokenTree;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The limits of inlining. Of the functions of large crates that lead to all the others, as those that plan a transform
/// of any size, each step takes longer than the one before; no nest of theirs is understood in the end.
const INLINE_BUDGET: InlineBudget = InlineBudget {
    per_function: 100_000,
    shared: 10_000_000,
    for_loops: 0,
    total: 20_000_000,
    own_bodies: 40_000_000,
    own_body: 100_000,
};

/// Reads files that form one program; `other_modules` are files of its modules that could have been among them.
pub(crate) fn read(
    sources: &SourceMap,
    mains: &[FileId],
    options: &Options,
    other_modules: &BTreeSet<PathBuf>,
    each: &mut dyn FnMut(FileOutcome<TranslationUnit>),
) {
    let parsed = mains.iter().map(|file| parse(sources.file(*file).text()));
    let parsed: Vec<Source> = parsed.collect();
    let (mut items, errors): (Vec<_>, Vec<_>) = parsed
        .into_iter()
        .map(|source| (source.items, source.errors))
        .unzip();
    let macros = expand(&mut items);
    let texts = items.iter().map(|items| FileLoops::of(items, &macros));
    let texts: Vec<FileLoops> = texts.collect();
    let grounds = (0..).map(UnitId).zip(mains);
    let grounds = grounds.map(|(unit, file)| {
        let text = sources.file(*file).text();
        PositionMap::new(unit, *file, text.len())
    });
    let paths = mains.iter().map(|file| sources.file(*file).path());
    let paths: Vec<&str> = paths.collect();
    let index = Index::new(&items, &paths);
    let mut ctx = ProgramContext::new(index, grounds.collect(), texts, macros);
    ctx.stated_types = stated_types(options);
    let (mut units, mut notes) = units(&mut ctx, &errors);
    for (unit, notes) in notes.iter_mut().enumerate() {
        notes.extend(unread_text(&ctx, sources, unit));
        notes.extend(unread_modules(
            &ctx,
            sources,
            other_modules,
            unit,
            &items[unit],
        ));
    }
    let mut origins: Vec<OriginMap> = ctx.positions.iter().map(PositionMap::origins).collect();
    // Functions stated in another language have no text here.
    units.push(Unit::default());
    origins.push(OriginMap::new(mains[0], Vec::new()));
    let size_macros = BTreeMap::new();
    let parsed = units.iter().zip(&origins).map(|(unit, origins)| UnitInput {
        unit: LinkUnit {
            syntax: LazyUnit::Ready(unit),
            origins,
            size_macros: &size_macros,
            prelude: None,
        },
        translation: 0,
        included: 0,
        frontend_summary: &[],
    });
    let sizes = SizeOptions {
        values: &options.sizes,
        symbolic: &options.symbolic,
        dense: options.dense,
        without_operations: options.without_operations,
    };
    let models = FunctionModels {
        stated: &options.functions,
        builtin: UnitId(u32::try_from(mains.len()).unwrap_or(u32::MAX)),
    };
    let options = LinkOptions {
        models,
        sizes,
        budget: INLINE_BUDGET,
    };
    let program = IncrementalProgram::link(parsed.collect(), options, sources, None);
    let reports = mains.iter().zip(&errors).zip(notes).enumerate();
    let reports = reports.map(|(idx, ((file, errors), notes))| {
        let mut report = FrontendReport {
            diagnostics: notes,
            ..FrontendReport::default()
        };
        for (reason, bytes) in errors {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let span = Span {
                file: *file,
                start: offset(bytes.start),
                end: offset(bytes.end.max(bytes.start + 1)),
            };
            report.syntax_errors.push((reason.clone(), span));
        }
        if idx == 0 {
            add_notes_on_bytes(sources, &mut report.diagnostics);
        }
        report
    });
    translate(&program, reports.collect(), &BTreeSet::new(), each);
}

/// The types that the user states for generic parameters.
fn stated_types(options: &Options) -> BTreeMap<String, syn::Type> {
    let all = options.types.iter();
    let all = all.filter_map(|(name, text)| Some((name.clone(), syn::parse_str(text).ok()?)));
    all.collect()
}

/// The units of the files, and the notes on loops that never run.
fn units<E>(ctx: &mut ProgramContext, errors: &[Vec<E>]) -> (Vec<Unit>, Vec<Vec<Diagnostic>>) {
    let functions = functions(ctx);
    let mut units: Vec<Unit> = errors
        .iter()
        .map(|errors| Unit {
            has_error: !errors.is_empty(),
            notation: Notation::Rust,
            ..Unit::default()
        })
        .collect();
    for constant in 0..ctx.index.constants.len() {
        let unit = ctx.index.constants[constant].unit;
        let object = body::constant(ctx, constant);
        units[unit].items.push(object);
    }
    let mut notes: Vec<Vec<Diagnostic>> = Vec::new();
    let mut of_unit: Vec<Vec<(usize, Function)>> = errors.iter().map(|_| Vec::new()).collect();
    for (index, unit, function) in functions {
        of_unit[unit].push((index, function));
    }
    for (unit, mut functions) in of_unit.into_iter().enumerate() {
        let uncounted = add_uncounted(ctx, unit, &mut functions);
        let all = functions.into_iter().map(|(_, function)| function);
        let all = all.chain(uncounted.functions);
        units[unit]
            .items
            .extend(all.map(|function| Item::Function(Arc::new(function))));
        notes.push(uncounted.notes);
    }
    if let Some(first) = units.first_mut() {
        first.structs = std::mem::take(&mut ctx.structs);
    }
    (units, notes)
}

/// All functions with their index and unit, one per instance, in the order of the text.
fn functions(ctx: &mut ProgramContext) -> Vec<(usize, usize, Function)> {
    let mut made = Vec::new();
    let all = 0..ctx.index.functions.len();
    // Functions with generic parameters are only instantiated by calls.
    let (generic, plain): (Vec<usize>, Vec<usize>) =
        all.partition(|function| ctx.needs_types(*function));
    for function in plain.into_iter().chain(generic) {
        // A function that takes code is counted where it is called with some.
        if !ctx.has_instance(function) && !ctx.inlined.contains(&function) {
            let (scope, assumed) = ctx.own_scope(function);
            ctx.assumed_types = assumed.into();
            ctx.instance(function, scope);
        }
        while let Some(instance) = ctx.worklist.pop_front() {
            ctx.assumed_types = instance.assumed_types.clone();
            let unit = ctx.index.functions[instance.function].unit;
            let order = (instance.function, instance.name.clone());
            made.push((order, unit, body::lower(ctx, &instance)));
        }
    }
    made.sort_by(|a, b| a.0.cmp(&b.0));
    made.into_iter()
        .map(|((index, _), unit, function)| (index, unit, function))
        .collect()
}

/// Whether a parameter is a function or closure, or of any type with some trait.
fn takes_code(argument: &syn::FnArg) -> bool {
    let syn::FnArg::Typed(typed) = argument else {
        return false;
    };
    let is_code = |token: TokenTree| matches!(token, TokenTree::Ident(name) if ["Fn", "FnMut", "FnOnce", "fn"].contains(&name.to_string().as_str()));
    let mut tokens = typed.ty.to_token_stream().into_iter();
    matches!(*typed.ty, syn::Type::ImplTrait(_)) || tokens.any(is_code)
}

impl ProgramContext<'_> {
    /// Whether a function has generic type parameters.
    fn needs_types(&self, function: usize) -> bool {
        let item = &self.index.functions[function];
        let of_owner = item
            .owner
            .iter()
            .flat_map(|owner| owner.generics.params.iter());
        let is_trait = item
            .owner
            .as_ref()
            .is_some_and(|owner| owner.self_type.is_none());
        let mut all = of_owner.chain(item.sig.generics.params.iter());
        is_trait
            || all.any(|parameter| matches!(parameter, syn::GenericParam::Type(_)))
            || item.sig.inputs.iter().any(takes_code)
    }

    /// The generic arguments of a function that nothing calls, and those of them that are assumed.
    fn own_scope(&mut self, function: usize) -> (Substitution, Vec<Name>) {
        let mut scope = Substitution::default();
        for name in self.constant_parameters(function) {
            let value = crate::type_resolution::named_constant(&name);
            scope.values.insert(name, Arc::new(value));
        }
        self.text_unit.set(self.index.functions[function].unit);
        let assumed = self.assume_types(function, &mut scope);
        let owner = self.index.functions[function].owner.clone();
        if let Some(own) = owner.and_then(|owner| owner.self_type) {
            scope.self_type = Some(self.resolve(own, &scope));
        }
        (scope, assumed)
    }
}
