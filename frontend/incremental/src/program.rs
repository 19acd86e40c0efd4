//! A linked program whose results may be reused from an earlier run, and recorded for the next one.

use crate::cache::IncrementalCache;
use crate::recorder::DependencyRecorder;
use crate::records::UnitFingerprint;
use premiss_ast::syntax::UnitId;
use premiss_link::{
    LinkOptions, LinkUnit, LinkedProgram, Program, PureCall, PureCallResult, Recorder, UnitSummary,
    no_recorder,
};
use premiss_lower::{ConstantImages, evaluate_pure_call};
use premiss_parallel as parallel;
use premiss_source::SourceMap;
use rustc_hash::FxHasher;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// What a front end gives of a unit.
pub struct UnitInput<'a> {
    /// What is linked.
    pub unit: LinkUnit<'a>,
    /// A fingerprint of what its translation depends on besides its text.
    pub translation: u64,
    /// A fingerprint of the part of it that other files say
    /// ([`included_text_fingerprint`](crate::included_text_fingerprint)).
    pub included: u64,
    /// What its front end keeps of it for the next run; empty for nothing.
    pub frontend_summary: &'a [u8],
}

/// A linked program, with what is there of an earlier run.
pub struct IncrementalProgram<'a> {
    pub(crate) program: Program<'a>,
    /// Of each unit, in order.
    pub(crate) inputs: Vec<FrontendInput<'a>>,
    cache: Option<&'a IncrementalCache>,
    pub(crate) images: ConstantImages,
    /// Of each unit, computed when they are first needed.
    fingerprints: OnceLock<Vec<UnitFingerprint>>,
}

/// What a front end gives of a unit beside its syntax.
pub(crate) struct FrontendInput<'a> {
    pub(crate) translation: u64,
    included: u64,
    pub(crate) frontend_summary: &'a [u8],
}

impl<'a> IncrementalProgram<'a> {
    /// Links units; the id of each is its place in the list.
    #[must_use]
    pub fn link(
        units: Vec<UnitInput<'a>>,
        options: LinkOptions<'a>,
        sources: &'a SourceMap,
        cache: Option<&'a IncrementalCache>,
    ) -> Self {
        let first = units.first().map(|unit| unit.unit.origins.main().as_u32());
        let (units, inputs): (Vec<LinkUnit>, Vec<FrontendInput>) = units
            .into_iter()
            .map(|input| {
                let fingerprints = FrontendInput {
                    translation: input.translation,
                    included: input.included,
                    frontend_summary: input.frontend_summary,
                };
                (input.unit, fingerprints)
            })
            .unzip();
        let earlier = first.and_then(|first| cache?.earlier(first));
        let summaries: Option<Vec<&UnitSummary>> =
            earlier.map(|earlier| earlier.summaries.iter().map(|x| &x.summary).collect());
        let new_recorder = match cache {
            Some(_) => new_recorder,
            None => no_recorder,
        };
        let program = Program::link(units, options, sources, summaries.as_deref(), new_recorder);
        Self {
            program,
            inputs,
            cache,
            images: ConstantImages::default(),
            fingerprints: OnceLock::new(),
        }
    }

    /// The program, through which front ends find where something was written.
    #[must_use]
    pub fn program(&self) -> &Program<'a> {
        &self.program
    }

    pub(crate) fn linked(&self) -> &Arc<LinkedProgram<'a>> {
        self.program.linked()
    }

    /// Where results are to be recorded, and can be: programs whose files share a budget have no files that come to the
    /// same whatever others do.
    pub(crate) fn usable_cache(&self) -> Option<&'a IncrementalCache> {
        let budget = self.linked().budget();
        let cache = self.cache.filter(|_| budget.own_bodies == u64::MAX)?;
        let has_bytes = |(_, file): (_, &premiss_source::SourceFile)| 0 < file.invalid_bytes();
        // A note on them is reported once, in the first file.
        let sources = self.linked().sources();
        (!sources.files().any(has_bytes)).then_some(cache)
    }

    /// Executes a pure call.
    pub(crate) fn evaluate(&self, call: &PureCall) -> Option<PureCallResult> {
        evaluate_pure_call(&self.program, &self.images, call)
    }

    /// The number of the first file.
    pub(crate) fn first_file(&self) -> u32 {
        let first = self.linked().unit_ids().next();
        first.map_or(0, |unit| self.linked().inputs(unit).origins.main().as_u32())
    }

    /// How many texts there are.
    pub(crate) fn n_texts(&self) -> usize {
        self.linked().sources().files().count()
    }

    /// A fingerprint of what holds for all files, and of which files they are.
    pub(crate) fn environment(&self) -> u64 {
        let linked = self.linked();
        let mut hasher = DefaultHasher::new();
        linked.budget().per_function.hash(&mut hasher);
        self.paths().hash(&mut hasher);
        // Which units stand before others is decided by what all of them begin with.
        let n_files = linked.builtin_unit().0 as usize;
        for unit in linked.unit_ids().skip(n_files) {
            let inputs = linked.inputs(unit);
            (inputs.origins.main().as_u32(), inputs.prelude).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// A fingerprint of the paths of all texts.
    pub(crate) fn paths(&self) -> u64 {
        IncrementalCache::paths(self.linked().sources())
    }

    /// A fingerprint of what the text of a unit says, wherever that stands.
    pub(crate) fn text_fingerprint(&self, unit: UnitId) -> Option<u64> {
        let main = self.linked().inputs(unit).origins.main();
        let sources = self.linked().sources();
        self.cache
            .map(|cache| cache.text_fingerprint(sources, main))
    }

    /// Fingerprints of each unit: of what its text says and of what it was parsed to, and of how its functions are called.
    pub(crate) fn fingerprints(&self) -> &[UnitFingerprint] {
        let linked = &**self.linked();
        let (cache, inputs) = (self.cache, &self.inputs);
        let earlier = cache.and_then(|cache| cache.earlier(self.first_file()));
        let fingerprint = |unit: UnitId| {
            let idx = unit.0 as usize;
            if let (Some(_), Some(earlier)) = (linked.valid_summary(unit), earlier) {
                return earlier.units[idx].fingerprint;
            }
            let mut hasher = FxHasher::default();
            let given = linked.inputs(unit);
            let main = given.origins.main();
            let text = cache.map(|cache| cache.text_fingerprint(linked.sources(), main));
            (text, inputs[idx].included, given.prelude).hash(&mut hasher);
            given.syntax.unit().hash(&mut hasher);
            let mut signatures = FxHasher::default();
            linked.interface(unit).hash_signatures(&mut signatures);
            UnitFingerprint {
                contents: hasher.finish(),
                signatures: signatures.finish(),
            }
        };
        self.fingerprints
            .get_or_init(|| parallel::map(linked.unit_ids(), fingerprint))
    }
}

fn new_recorder(n_units: usize) -> Box<dyn Recorder> {
    Box::new(DependencyRecorder::new(n_units))
}
