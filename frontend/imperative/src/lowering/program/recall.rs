//! Which files a program has as an earlier run left them.

use super::asked::Answered;
use super::{Digests, Global, GlobalName, Program};
use crate::lowering::answers::Question;
use crate::lowering::noted::{Asked, Names};
use crate::memory::{AnswerRecord, Definers, Memory, ProgramMemory, UnitMemory};
use crate::syntax::{StructId, UnitId};
use crate::threads::side_by_side;
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
        let written = self.written_digest();
        let units = before.units.iter().zip(digests);
        let (same, alike): (Vec<bool>, Vec<bool>) = units
            .map(|(unit, now)| (unit.digest == now.whole, unit.surface == now.surface))
            .unzip();
        let still_holds = |unit: &UnitMemory| {
            let is_same = |unit: &u32| same.get(*unit as usize).is_some_and(|same| *same);
            let is_alike = |unit: &u32| alike.get(*unit as usize).is_some_and(|alike| *alike);
            unit.units.iter().all(is_same)
                && unit.surfaces.iter().all(is_alike)
                && (unit.declarers().all(|unit| is_same(&unit)) || self.declares_the_same(unit))
                && (!unit.asks_all_written || before.written == written)
                && self.means_the_same(unit)
                && self.takes_as_many_steps(unit)
        };
        for (record, asked) in &before.answers {
            if still_holds(asked) {
                self.linked
                    .answers
                    .insert(record.question(), asked.answered(record));
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
        self.answered(&record.question()).answer.as_ref() == Some(&record.answer)
    }

    /// What functions answer that files asked, with what that rests upon.
    pub(in crate::lowering) fn answers(
        &self,
        units: &[UnitMemory],
    ) -> Vec<(AnswerRecord, UnitMemory)> {
        let records = units.iter().flat_map(|unit| &unit.answers);
        let questions: BTreeSet<Question> = records.map(AnswerRecord::question).collect();
        let nowhere = Digests {
            whole: 0,
            surface: 0,
        };
        let remembered = questions.iter().filter_map(|question| {
            let answered = self.answered(question);
            let record = AnswerRecord::of(question, &answered)?;
            Some((record, self.remember(nowhere, answered.asked.clone())))
        });
        remembered.collect()
    }

    /// Whether units say what they did about the names that a unit asked for.
    fn declares_the_same(&self, unit: &UnitMemory) -> bool {
        self.declarations(&unit.declared, &unit.structs) == unit.declarations
    }

    /// A digest of what units say about names at file scope and about structs.
    fn declarations(&self, names: &[(u32, String)], structs: &[(u32, usize)]) -> u64 {
        let mut hasher = FxHasher::default();
        for (unit, name) in names {
            let table = self.unnoted(UnitId(*unit));
            table.declaration(name, &mut hasher);
            if let Some(Global::Object(object)) = table.global(&name.as_str().into()) {
                self.is_standard(object.at).hash(&mut hasher);
            }
        }
        for (unit, row) in structs {
            let unit = self.unnoted(UnitId(*unit)).unit();
            unit.structs.get(*row).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Whether names mean what they did when a unit was lowered.
    fn means_the_same(&self, unit: &UnitMemory) -> bool {
        let functions = unit
            .functions
            .iter()
            .all(|(name, units)| self.definers(name) == *units);
        let objects = unit
            .objects
            .iter()
            .all(|(name, known)| self.object_definers(name) == *known);
        let written = unit.written.iter().all(|(unit, name, is_written)| {
            let name = GlobalName {
                unit: UnitId(*unit),
                name: name.as_str().into(),
            };
            self.linked.written.contains(&name) == *is_written
        });
        functions && objects && written
    }

    /// Whether functions take as many steps as they did where a unit asked.
    fn takes_as_many_steps(&self, unit: &UnitMemory) -> bool {
        let mut steps = unit.steps.iter();
        steps.all(|(function, steps)| steps.contains(self.linked.steps_of(function)))
    }

    fn definers(&self, name: &str) -> Vec<u32> {
        let units = self.linked.externals.functions(name).iter();
        units.map(|unit| unit.0).collect()
    }

    fn object_definers(&self, name: &str) -> Option<Definers> {
        let (defined, first) = self.linked.externals.object(name)?;
        Some((defined.iter().map(|unit| unit.0).collect(), first.0))
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

    /// A digest of each unit: what its text says, what it was parsed to, and whether others touch its arrays.
    pub(in crate::lowering) fn digests(&self) -> &[Digests] {
        let linked = &*self.linked;
        let before = linked.memory.and_then(|x| x.before(self.first_file()));
        let digest = |(idx, table): (usize, &super::Table<'_>)| {
            if let (Some(_), Some(before)) = (linked.summary(table), before) {
                let unit = &before.units[idx];
                return Digests {
                    whole: unit.digest,
                    surface: unit.surface,
                };
            }
            let mut hasher = FxHasher::default();
            let main = table.parsed.origins.main();
            let meaning = linked.memory.map(|x| x.meaning(linked.sources, main));
            (meaning, table.parsed.included, table.parsed.after).hash(&mut hasher);
            table.unit().hash(&mut hasher);
            let seen = linked.surface(UnitId(idx as u32));
            seen.has_shared_arrays.hash(&mut hasher);
            let mut surface = FxHasher::default();
            table.parsed.after.hash(&mut surface);
            seen.digest(&mut surface);
            Digests {
                whole: hasher.finish(),
                surface: surface.finish(),
            }
        };
        self.linked
            .digests
            .get_or_init(|| side_by_side(linked.tables.iter().enumerate(), digest))
    }

    pub(in crate::lowering) fn written_digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.linked.written.hash(&mut hasher);
        hasher.finish()
    }

    /// What was asked since this was called last.
    pub(in crate::lowering) fn asked(&self) -> Asked {
        self.noted.take()
    }

    /// What to remember of a unit that asked this.
    pub(in crate::lowering) fn remember(&self, digests: Digests, asked: Asked) -> UnitMemory {
        let names = asked.names;
        let functions = names.functions.iter();
        let objects = names.objects.iter();
        let written = names.written.iter();
        let declared = names.declared.iter();
        let declared: Vec<_> = declared
            .map(|name| (name.unit.0, name.name.to_string()))
            .collect();
        let structs = names.structs.iter();
        let structs: Vec<_> = structs.map(|id| (id.unit.0, id.row)).collect();
        UnitMemory {
            digest: digests.whole,
            surface: digests.surface,
            units: asked.units.iter().map(|unit| unit.0).collect(),
            surfaces: asked.surfaces.iter().map(|unit| unit.0).collect(),
            functions: functions
                .map(|name| (name.to_string(), self.definers(name)))
                .collect(),
            objects: objects
                .map(|name| (name.to_string(), self.object_definers(name)))
                .collect(),
            declarations: self.declarations(&declared, &structs),
            declared,
            structs,
            written: written
                .map(|name| {
                    let is_written = self.linked.written.contains(name);
                    (name.unit.0, name.name.to_string(), is_written)
                })
                .collect(),
            answers: names
                .answers
                .iter()
                .filter_map(|question| AnswerRecord::of(question, &self.answered(question)))
                .collect(),
            steps: names.steps.into_iter().collect(),
            asks_all_written: names.all_written,
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
            unit: question.function.unit.0,
            function: question.function.name.to_string(),
            arguments: question.arguments.clone(),
            answer: answered.answer.clone()?,
        })
    }

    fn question(&self) -> Question {
        Question {
            function: GlobalName::of_memory(&(self.unit, self.function.clone())),
            arguments: self.arguments.clone(),
        }
    }
}

impl StructId {
    fn of_memory((unit, row): &(u32, usize)) -> Self {
        Self {
            unit: UnitId(*unit),
            row: *row,
        }
    }
}

impl UnitMemory {
    /// The units of which it asked what they say about names.
    fn declarers(&self) -> impl Iterator<Item = u32> {
        let structs = self.structs.iter().map(|(unit, _)| *unit);
        let names = self.declared.iter().map(|(unit, _)| *unit);
        names.chain(structs)
    }

    /// An answer, where this was asked to find it.
    fn answered(&self, record: &AnswerRecord) -> Arc<Answered> {
        let units = |numbers: &[u32]| numbers.iter().copied().map(UnitId).collect();
        let names = Names {
            functions: self.functions.iter().map(|x| x.0.as_str().into()).collect(),
            objects: self.objects.iter().map(|x| x.0.as_str().into()).collect(),
            declared: self.declared.iter().map(GlobalName::of_memory).collect(),
            structs: self.structs.iter().map(StructId::of_memory).collect(),
            written: self
                .written
                .iter()
                .map(|(unit, name, _)| GlobalName::of_memory(&(*unit, name.clone())))
                .collect(),
            all_written: self.asks_all_written,
            sizes: self.used_sizes.iter().cloned().collect(),
            answers: BTreeSet::new(),
            steps: self.steps.iter().cloned().collect(),
        };
        Arc::new(Answered {
            answer: Some(record.answer.clone()),
            asked: Asked {
                units: units(&self.units),
                surfaces: units(&self.surfaces),
                names,
            },
        })
    }
}
