//! Continues from a preamble that an earlier file left, and keeps new ones for later files.

use super::integers;
use super::preambles::{
    Preamble, PreambleId, PreambleOptions, PreamblePlace, PreambleState, PreambleStep, Recording,
};
use super::preprocessed::Pragma;
use super::state::Preprocessor;
use premiss_ast::{OriginMap, Run};
use premiss_source::FileId;
use std::rc::Rc;

/// Starts a file of which nothing has been read.
pub(super) fn start_preamble(ctx: &mut Preprocessor) {
    if !ctx.options.forced_includes.is_empty() {
        return;
    }
    let all = &mut ctx.cache.preambles;
    let nearby = all.nearby_of(ctx.options);
    let n_known = all.options.len();
    let options = PreambleOptions::of(ctx.options, nearby);
    let row = *all.options.entry(options).or_insert(n_known);
    ctx.progress.place = Some(PreamblePlace::Start(row));
}

/// Records that something other than a header was read in the main file.
pub(super) fn end_preamble(ctx: &mut Preprocessor) {
    if ctx.readers.len() == 1 {
        ctx.progress.place = None;
    }
}

/// Continues after a header if its result is known; otherwise returns false, and the header must be read.
pub(super) fn resume_after(ctx: &mut Preprocessor, header: FileId) -> bool {
    let Some(place) = ctx.progress.place.filter(|_| ctx.readers.len() == 1) else {
        return false;
    };
    let all = &mut ctx.cache.preambles;
    let n_known = all.outcomes.len();
    let step = *all.steps.entry((place, header)).or_insert(n_known);
    ctx.progress.place = Some(PreamblePlace::After(step));
    match all.outcomes.get(step) {
        None => all.outcomes.push(PreambleStep::SeenOnce),
        Some(PreambleStep::SeenOnce) => {
            ctx.progress.recording = Some(start_recording(ctx, place, step));
        }
        Some(PreambleStep::Shared(state)) => {
            let state = Rc::clone(state);
            restore(ctx, &state);
            return true;
        }
        Some(PreambleStep::FileSpecific) => ctx.progress.place = None,
    }
    false
}

fn start_recording(ctx: &Preprocessor, place: PreamblePlace, step: usize) -> Recording {
    Recording {
        step,
        after: ctx.cache.preambles.text_before(place),
        text: ctx.output.text.len(),
        n_runs: ctx.output.runs.len(),
        n_pragmas: ctx.pragmas.len(),
        n_diagnostics: ctx.report.diagnostics.len(),
        n_tokens: ctx.budget.spent(),
        headers: ctx.budget.headers(),
    }
}

fn restore(ctx: &mut Preprocessor, state: &PreambleState) {
    ctx.progress.after = Some(state.text);
    ctx.progress.n_bytes += ctx.cache.preambles.texts[state.text.0].text.len();
    ctx.macros = state.macros.clone();
    ctx.symbolic_macros = state.symbolic_macros.clone();
    ctx.candidates = state.candidates.clone();
    ctx.progress.integer_macros = Some(state.integer_macros.clone());
    ctx.overridden.clone_from(&state.overridden);
    ctx.entered.clone_from(&state.entered);
    ctx.once.clone_from(&state.once);
    ctx.guards.clone_from(&state.guards);
    ctx.missing.clone_from(&state.missing);
    ctx.by_name.clone_from(&state.by_name);
    ctx.sizes_in_conditions
        .clone_from(&state.sizes_in_conditions);
    ctx.counter = state.counter;
    let diagnostics = state.diagnostics.iter().cloned();
    diagnostics.for_each(|diagnostic| ctx.report.push(diagnostic));
    ctx.budget.charge_reading(state.n_tokens);
    ctx.budget.charge_headers(state.headers);
}

/// Keeps the state after a header from which the main file has just returned.
pub(super) fn keep_preamble(ctx: &mut Preprocessor, header: FileId) {
    let Some(recording) = ctx.progress.recording.take_if(|_| ctx.readers.len() == 1) else {
        return;
    };
    let is_own = ctx.names_main
        || ctx.entered.contains(&ctx.main)
        || ctx.budget.is_over()
        || ctx.budget.has_header_over()
        || !ctx.report.is_whole();
    let step = match is_own {
        true => PreambleStep::FileSpecific,
        false => PreambleStep::Shared(Rc::new(state_after(ctx, header, &recording))),
    };
    if matches!(step, PreambleStep::FileSpecific) {
        ctx.progress.place = None;
    }
    ctx.cache.preambles.outcomes[recording.step] = step;
}

fn state_after(ctx: &mut Preprocessor, header: FileId, recording: &Recording) -> PreambleState {
    let text = PreambleId(ctx.cache.preambles.texts.len());
    let preamble = preamble_text(ctx, header, recording);
    ctx.cache.preambles.texts.push(preamble);
    let diagnostics = &ctx.report.diagnostics[recording.n_diagnostics..];
    PreambleState {
        text,
        macros: ctx.macros.clone(),
        symbolic_macros: ctx.symbolic_macros.clone(),
        candidates: ctx.candidates.clone(),
        integer_macros: Rc::new(integers::integer_macros(ctx)),
        overridden: ctx.overridden.clone(),
        entered: ctx.entered.clone(),
        once: ctx.once.clone(),
        guards: ctx.guards.clone(),
        missing: ctx.missing.clone(),
        by_name: ctx.by_name.clone(),
        sizes_in_conditions: ctx.sizes_in_conditions.clone(),
        counter: ctx.counter,
        diagnostics: diagnostics.to_vec(),
        n_tokens: ctx.budget.spent() - recording.n_tokens,
        headers: ctx.budget.headers().since(recording.headers),
    }
}

fn preamble_text(ctx: &Preprocessor, header: FileId, recording: &Recording) -> Preamble {
    let runs = ctx.output.runs[recording.n_runs..].iter();
    let runs = runs.map(|run| Run {
        start: run.start - recording.text,
        end: run.end - recording.text,
        ..*run
    });
    let pragmas = ctx.pragmas[recording.n_pragmas..].iter();
    let pragmas = pragmas.map(|pragma| Pragma {
        offset: pragma.offset - recording.text,
        ..pragma.clone()
    });
    let kept = ctx.symbolic_macros.iter();
    let kept = kept.map(|(name, kept)| {
        let name = ctx.names.spelling(*name).to_owned();
        (name, kept.defined_at)
    });
    Preamble {
        after: recording.after,
        text: ctx.output.text[recording.text..].to_owned(),
        origins: OriginMap::new(header, runs.collect()),
        pragmas: pragmas.collect(),
        symbolic_macros: kept.collect(),
    }
}
