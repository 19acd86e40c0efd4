//! A linked program whose results may be reused from an earlier run and recorded for the next one.

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

/// The input from a front end for one unit.
pub struct UnitInput<'a> {
    /// The unit to be linked.
    pub unit: LinkUnit<'a>,
    /// A fingerprint of the inputs of its translation apart from its text.
    pub translation: u64,
    /// A fingerprint of the text that it includes from other files
    /// ([`included_text_fingerprint`](crate::included_text_fingerprint)).
    pub included: u64,
    /// What its front end keeps of it for the next run; may be empty.
    pub frontend_summary: &'a [u8],
}

/// A linked program with the records of an earlier run, if there are any.
pub struct IncrementalProgram<'a> {
    pub(crate) program: Program<'a>,
    /// One per unit, in order.
    pub(crate) inputs: Vec<FrontendInput<'a>>,
    cache: Option<&'a IncrementalCache>,
    pub(crate) images: ConstantImages,
    /// One per unit, computed on first use.
    fingerprints: OnceLock<Vec<UnitFingerprint>>,
}

/// The input from a front end for one unit, without its syntax.
pub(crate) struct FrontendInput<'a> {
    pub(crate) translation: u64,
    included: u64,
    pub(crate) frontend_summary: &'a [u8],
}

impl<'a> IncrementalProgram<'a> {
    /// Links units; the id of each is its index in the list. With a cache, the dependencies of results are recorded,
    /// and results of the previous run can be reused. `options.models.builtin` must be the id of one of the units.
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

    /// The linked program.
    #[must_use]
    pub fn program(&self) -> &Program<'a> {
        &self.program
    }

    pub(crate) fn linked(&self) -> &Arc<LinkedProgram<'a>> {
        self.program.linked()
    }

    /// The cache, if results can be recorded: not if files share a budget, as their results depend on each other then.
    pub(crate) fn usable_cache(&self) -> Option<&'a IncrementalCache> {
        let budget = self.linked().budget();
        let cache = self.cache.filter(|_| budget.own_bodies == u64::MAX)?;
        let has_bytes = |(_, file): (_, &premiss_source::SourceFile)| 0 < file.invalid_bytes();
        // The note on them is reported once, in the first file.
        let sources = self.linked().sources();
        (!sources.files().any(has_bytes)).then_some(cache)
    }

    /// Executes a pure call.
    pub(crate) fn evaluate(&self, call: &PureCall) -> Option<PureCallResult> {
        evaluate_pure_call(&self.program, &self.images, call)
    }

    /// The number of the first unit's file.
    pub(crate) fn first_file(&self) -> u32 {
        let first = self.linked().unit_ids().next();
        first.map_or(0, |unit| self.linked().inputs(unit).origins.main().as_u32())
    }

    /// The number of texts.
    pub(crate) fn n_texts(&self) -> usize {
        self.linked().sources().files().count()
    }

    /// A fingerprint of the inputs that all files share, and of the list of files.
    pub(crate) fn environment(&self) -> u64 {
        let linked = self.linked();
        let mut hasher = DefaultHasher::new();
        linked.budget().per_function.hash(&mut hasher);
        self.paths().hash(&mut hasher);
        // The preludes of units depend on what all of them begin with.
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

    /// A fingerprint of the contents of a unit's file, independent of positions.
    pub(crate) fn text_fingerprint(&self, unit: UnitId) -> Option<u64> {
        let main = self.linked().inputs(unit).origins.main();
        let sources = self.linked().sources();
        self.cache
            .map(|cache| cache.text_fingerprint(sources, main))
    }

    /// The fingerprints of each unit, of its contents and syntax tree and of its functions' signatures.
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
