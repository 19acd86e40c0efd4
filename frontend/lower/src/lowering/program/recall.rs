//! Which files a program has as an earlier run left them.

use super::asked::Answered;
use super::{Digests, Global, Program};
use crate::lowering::answers::Question;
use crate::lowering::noted::{Asked, Names};
use crate::memory::{AnswerRecord, Definers, Memory, ProgramMemory, UnitMemory};
use crate::syntax::GlobalName;
use crate::syntax::{Name, StructId, UnitId};
use premiss_parallel as parallel;
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What an earlier run left of a program whose surroundings are the same.
pub(in crate::lowering) struct Recalled<'p> {
    pub(in crate::lowering) before: &'p ProgramMemory,
    /// For each unit, whether it comes to the same.
    known: Vec<bool>,
}

impl Recalled<'_> {
    /// What is remembered of a unit that comes to the same.
    pub(in crate::lowering) fn known(&self, unit: UnitId) -> Option<&UnitMemory> {
        let idx = unit.0 as usize;
        let is_known = self.known.get(idx).is_some_and(|is_known| *is_known);
        self.before.units.get(idx).filter(|_| is_known)
    }
}

impl Program<'_> {
    /// Where something is to be remembered, and can be: programs whose files share a budget have no files that
    /// come to the same whatever others do.
    pub(in crate::lowering) fn memory(&self) -> Option<&Memory> {
        let memory = self
            .linked
            .memory
            .filter(|_| self.linked.links.of_files == u64::MAX)?;
        let has_bytes = |(_, file): (_, &premiss_source::SourceFile)| 0 < file.invalid_bytes();
        // A note on them is told once, in the first file.
        (!self.linked.sources.files().any(has_bytes)).then_some(memory)
    }

    /// What an earlier run left of this program.
    pub(in crate::lowering) fn recalled(&self) -> Option<Recalled<'_>> {
        let memory = self.memory()?;
        let before = memory.before(self.first_file())?;
        let is_usable = before.environment == self.environment()
            && before.units.len() == self.linked.tables.len();
        if !is_usable {
            return None;
        }
        let digests = self.digests();
        let units = before.units.iter().zip(digests);
        let (same, alike): (Vec<bool>, Vec<bool>) = units
            .map(|(unit, now)| (unit.digest == now.whole, unit.signatures == now.signatures))
            .unzip();
        let still_holds = |unit: &UnitMemory| {
            let is_one = |units: &[bool], unit: UnitId| units.get(unit.0 as usize) == Some(&true);
            let is_same = |unit| is_one(&same, unit);
            unit.units.iter().all(|unit| is_same(*unit))
                && unit.callees.iter().all(|unit| is_one(&alike, *unit))
                && (unit.declarers().all(is_same) || self.declares_the_same(unit))
                && self.means_the_same(unit)
                && self.reaches_the_same(unit)
        };
        for (record, asked) in &before.answers {
            if still_holds(asked) {
                let answers = &self.linked.answers;
                answers.insert(record.question.clone(), asked.answered(record));
            }
        }
        let known = |(idx, unit): (usize, &UnitMemory)| {
            let is_stated = idx == self.linked.stated.known.0 as usize;
            !is_stated
                && same[idx]
                && !memory.is_lost(self.linked.tables[idx].parsed.origins.main())
                && still_holds(unit)
                && unit.answers.iter().all(|record| self.still_answers(record))
        };
        let known = before.units.iter().enumerate().map(known).collect();
        self.noted.take();
        Some(Recalled { before, known })
    }

    fn still_answers(&self, record: &AnswerRecord) -> bool {
        self.answered(&record.question).answer.as_ref() == Some(&record.answer)
    }

    /// What functions answer that files asked, with what that rests upon.
    pub(in crate::lowering) fn answers(
        &self,
        units: &[UnitMemory],
    ) -> Vec<(AnswerRecord, UnitMemory)> {
        let records = units.iter().flat_map(|unit| &unit.answers);
        let questions: BTreeSet<Question> = records.map(|record| record.question.clone()).collect();
        let nowhere = Digests {
            whole: 0,
            signatures: 0,
        };
        let remembered = questions.iter().filter_map(|question| {
            let answered = self.answered(question);
            let record = AnswerRecord::of(question, &answered)?;
            Some((record, self.remember(nowhere, self.rests_upon(answered))))
        });
        remembered.collect()
    }

    /// Whether units say what they did about the names that a unit asked for.
    fn declares_the_same(&self, unit: &UnitMemory) -> bool {
        self.declarations(&unit.declared, &unit.structs) == unit.declarations
    }

    /// A digest of what units say about names at file scope and about structs.
    fn declarations(&self, names: &[GlobalName], structs: &[StructId]) -> u64 {
        let mut hasher = FxHasher::default();
        for GlobalName { unit, name } in names {
            let table = self.unnoted(*unit);
            table.declaration(name, &mut hasher);
            if let Some(Global::Object(object)) = table.global(name) {
                self.is_standard(object.at).hash(&mut hasher);
            }
        }
        for id in structs {
            let unit = self.unnoted(id.unit).unit();
            unit.structs.get(id.row).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Whether names mean what they did when a unit was lowered.
    fn means_the_same(&self, unit: &UnitMemory) -> bool {
        let mut functions = unit.functions.iter();
        let mut objects = unit.objects.iter();
        let mut written = unit.written.iter();
        functions.all(|(name, units)| self.linked.externals.functions(name) == units)
            && objects.all(|(name, known)| self.object_definers(name) == *known)
            && written.all(|(name, is_written)| self.linked.is_written(name) == *is_written)
    }

    /// Whether functions reach what they did when a unit was lowered, in as many steps as was told then.
    fn reaches_the_same(&self, unit: &UnitMemory) -> bool {
        let linked = &self.linked;
        let mut reaches = unit.reaches.iter();
        let mut steps = unit.steps.iter();
        reaches.all(|(function, digest)| linked.reach_digest(function) == *digest)
            && steps.all(|(function, steps)| linked.takes(function, *steps))
    }

    fn object_definers(&self, name: &str) -> Option<Definers> {
        let (defined, first) = self.linked.externals.object(name)?;
        Some((defined.to_vec(), first))
    }

    pub(in crate::lowering) fn first_file(&self) -> u32 {
        let first = self.linked.tables.first();
        first.map_or(0, |table| table.parsed.origins.main().as_u32())
    }

    /// How many texts there are.
    pub(in crate::lowering) fn n_texts(&self) -> usize {
        self.linked.sources.files().count()
    }

    /// A digest of what holds for all files, and of which files they are.
    pub(in crate::lowering) fn environment(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.linked.links.of_one.hash(&mut hasher);
        self.paths().hash(&mut hasher);
        // Which ones stand before others is decided by what all of them begin with.
        let n_files = self.linked.stated.known.0 as usize;
        for table in self.linked.tables.iter().skip(n_files) {
            let parsed = &table.parsed;
            (parsed.origins.main().as_u32(), parsed.after).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// A digest of the paths of all texts.
    pub(in crate::lowering) fn paths(&self) -> u64 {
        Memory::paths(self.linked.sources)
    }

    /// A digest of each unit: what its text says, what it was parsed to, and how its functions are called.
    pub(in crate::lowering) fn digests(&self) -> &[Digests] {
        let linked = &*self.linked;
        let before = linked.memory.and_then(|x| x.before(self.first_file()));
        let digest = |(idx, table): (usize, &super::Table<'_>)| {
            if let (Some(_), Some(before)) = (linked.summary(table), before) {
                let unit = &before.units[idx];
                return Digests {
                    whole: unit.digest,
                    signatures: unit.signatures,
                };
            }
            let mut hasher = FxHasher::default();
            let main = table.parsed.origins.main();
            let meaning = linked.memory.map(|x| x.meaning(linked.sources, main));
            (meaning, table.parsed.included, table.parsed.after).hash(&mut hasher);
            table.unit().hash(&mut hasher);
            let mut signatures = FxHasher::default();
            let surface = table.surface.get();
            surface.inspect(|surface| surface.signatures(&mut signatures));
            Digests {
                whole: hasher.finish(),
                signatures: signatures.finish(),
            }
        };
        self.linked
            .digests
            .get_or_init(|| parallel::map(linked.tables.iter().enumerate(), digest))
    }

    /// What was asked since this was called last.
    pub(in crate::lowering) fn asked(&self) -> Asked {
        self.noted.take()
    }

    /// What to remember of a unit that asked this.
    pub(in crate::lowering) fn remember(&self, digests: Digests, asked: Asked) -> UnitMemory {
        let names = asked.names;
        let declared: Vec<_> = names.declared.into_iter().collect();
        let structs: Vec<_> = names.structs.into_iter().collect();
        let linked = &self.linked;
        let function = |name: Name| {
            let units = linked.externals.functions(&name).to_vec();
            (name, units)
        };
        let object = |name: Name| {
            let definers = self.object_definers(&name);
            (name, definers)
        };
        let written = |name: GlobalName| {
            let is_written = linked.is_written(&name);
            (name, is_written)
        };
        let reach = |function: GlobalName| {
            let digest = linked.reach_digest(&function);
            (function, digest)
        };
        let answer = |question| AnswerRecord::of(question, &self.answered(question));
        UnitMemory {
            digest: digests.whole,
            signatures: digests.signatures,
            units: asked.units,
            callees: asked.signatures,
            functions: names.functions.into_iter().map(function).collect(),
            objects: names.objects.into_iter().map(object).collect(),
            declarations: self.declarations(&declared, &structs),
            declared,
            structs,
            written: names.written.into_iter().map(written).collect(),
            answers: names.answers.iter().filter_map(answer).collect(),
            reaches: names.reaches.into_iter().map(reach).collect(),
            steps: names.steps.into_iter().collect(),
            used_sizes: names.sizes.into_iter().collect(),
            names: Vec::new(),
            linked_work: 0,
            passes: Vec::new(),
        }
    }
}

impl AnswerRecord {
    fn of(question: &Question, answered: &Answered) -> Option<Self> {
        Some(Self {
            question: question.clone(),
            answer: answered.answer.clone()?,
        })
    }
}

impl UnitMemory {
    /// The units of which it asked what they say about names.
    fn declarers(&self) -> impl Iterator<Item = UnitId> {
        let structs = self.structs.iter().map(|id| id.unit);
        let names = self.declared.iter().map(|name| name.unit);
        names.chain(structs)
    }

    /// An answer, where this was asked to find it.
    fn answered(&self, record: &AnswerRecord) -> Arc<Answered> {
        let names = Names {
            functions: self.functions.iter().map(|x| x.0.clone()).collect(),
            objects: self.objects.iter().map(|x| x.0.clone()).collect(),
            declared: self.declared.iter().cloned().collect(),
            structs: self.structs.iter().copied().collect(),
            written: self.written.iter().map(|x| x.0.clone()).collect(),
            sizes: self.used_sizes.iter().cloned().collect(),
            answers: BTreeSet::new(),
            reaches: self.reaches.iter().map(|x| x.0.clone()).collect(),
            steps: self.steps.iter().cloned().collect(),
        };
        Arc::new(Answered {
            answer: Some(record.answer.clone()),
            asked: Asked {
                units: self.units.clone(),
                signatures: self.callees.clone(),
                names,
            },
        })
    }
}
