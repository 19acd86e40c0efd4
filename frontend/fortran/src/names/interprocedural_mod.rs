//! Interprocedural mod analysis: the variables that procedures change, directly or through calls.

use super::effects::PassedArgument;
use super::index::ProgramIndex;
use super::symbols::ProcedureId;
use crate::syntax::NameKey;
use std::collections::BTreeSet;

/// The results, by procedure.
pub(super) struct ModSets {
    pub(super) by_procedure: Vec<BTreeSet<NameKey>>,
    pub(super) escaping: BTreeSet<ProcedureId>,
}

/// A variable that procedure `from` passes to another one, which changes it if it changes the dummy argument at
/// `position`.
struct ArgumentFlow<'i> {
    from: usize,
    key: &'i NameKey,
    position: usize,
}

/// The variables that each procedure may change, directly or through calls: the least fixpoint over the call graph.
pub(super) fn modified_variables(index: &ProgramIndex) -> ModSets {
    let mut found = ModSets {
        by_procedure: Vec::new(),
        escaping: BTreeSet::new(),
    };
    let mut into: Vec<Vec<ArgumentFlow>> = index.procedures.iter().map(|_| Vec::new()).collect();
    for (from, procedure) in index.procedures.iter().enumerate() {
        let effects = &procedure.summary.effects;
        let mut modified = effects.mod_set.clone();
        for passed in &effects.passed_arguments {
            found.pass(index, passed, &mut modified, &mut |to, flow| {
                into[to.0].push(ArgumentFlow { from, ..flow });
            });
        }
        found.by_procedure.push(modified);
    }
    found.propagate(index, &mut into);
    found
}

impl ModSets {
    fn pass<'i>(
        &mut self,
        index: &ProgramIndex,
        passed: &'i PassedArgument,
        modified: &mut BTreeSet<NameKey>,
        flow: &mut dyn FnMut(ProcedureId, ArgumentFlow<'i>),
    ) {
        let ids = index.targets_of(&passed.to);
        if ids.is_empty() && passed.may_be_intrinsic {
            return;
        }
        // A procedure that is passed as an argument may be called where only its type is known.
        self.escaping.extend(index.targets_of(&passed.procedure));
        if ids.is_empty() {
            // An undefined procedure may change all its arguments.
            modified.insert(passed.root.clone());
        }
        for id in ids {
            let interface = &index.procedure(id).summary.interface;
            let position = interface.position(passed.idx, passed.keyword.as_ref());
            flow(
                id,
                ArgumentFlow {
                    from: 0,
                    key: &passed.root,
                    position,
                },
            );
        }
    }

    /// Propagates changes along the flows until a fixpoint is reached.
    fn propagate(&mut self, index: &ProgramIndex, into: &mut [Vec<ArgumentFlow>]) {
        // The worklist: procedures whose sets have grown since their callers were last updated.
        let mut open: BTreeSet<usize> = (0..index.procedures.len()).collect();
        while let Some(changer) = open.pop_first() {
            for (procedure, key) in self.changed_by(changer, index, &mut into[changer]) {
                if self.by_procedure[procedure].insert(key) {
                    open.insert(procedure);
                }
            }
        }
    }

    /// The changes that follow from those of one procedure: in its callers, their arguments; in its host, the host's
    /// variables; and in external procedures of the same name, which share one interface, the arguments at the same
    /// positions. Flows that have taken effect are removed.
    fn changed_by(
        &self,
        changer: usize,
        index: &ProgramIndex,
        flows: &mut Vec<ArgumentFlow>,
    ) -> Vec<(usize, NameKey)> {
        let procedure = &index.procedures[changer];
        let interface = &procedure.summary.interface;
        let modified = &self.by_procedure[changer];
        let mut changed = Vec::new();
        let dummies = interface.dummies.iter();
        let is_kept: Vec<bool> = dummies
            .map(|dummy| dummy.as_ref().is_some_and(|x| !modified.contains(&x.key)))
            .collect();
        flows.retain(|flow| {
            let is_kept = is_kept.get(flow.position).is_some_and(|is_kept| *is_kept);
            if !is_kept {
                changed.push((flow.from, flow.key.clone()));
            }
            is_kept
        });
        if let Some(host) = procedure.host {
            let captured = procedure.summary.effects.host_associated.keys();
            let of_host = captured.filter(|key| modified.contains(*key));
            changed.extend(of_host.map(|key| (host.0, key.clone())));
        }
        let same = index.externals.get(&interface.key);
        let same = same.filter(|ids| 1 < ids.len() && ids.contains(&ProcedureId(changer)));
        for id in same.into_iter().flatten() {
            let others = &index.procedure(*id).summary.interface.dummies;
            for (own, other) in interface.dummies.iter().zip(others) {
                if let (Some(own), Some(other)) = (own, other)
                    && modified.contains(&own.key)
                {
                    changed.push((id.0, other.key.clone()));
                }
            }
        }
        changed
    }
}
