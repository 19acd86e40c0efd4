//! One function.

use super::settled::Path;
use super::{Allowance, ConstantImages, Frame, Lowered, Lowering};
use crate::syntax::{At, Function, StatementKind};
use premiss_link::Queries;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

impl<'p> Lowering<'p> {
    /// Lowers a function. Where the budget runs out, or its header cannot be evaluated, all of it
    /// becomes opaque.
    pub(super) fn of_function(
        program: &'p dyn Queries,
        images: &'p ConstantImages,
        function: &Arc<Function>,
        allowance: Allowance,
    ) -> Self {
        let mut lowering = Self::new(program, images, function, allowance);
        let entered = lowering.enter(function);
        let checkpoint = lowering.checkpoint();
        let result = entered.and_then(|()| match &function.body.kind {
            StatementKind::Block(list) => lowering.in_scope(|l| l.function_list(list)),
            _ => Ok(()),
        });
        if let Err(escape) = result {
            lowering.roll_back(&checkpoint);
            let body = std::slice::from_ref(&function.body);
            lowering.give_up(body, &escape.reason, escape.at);
        }
        lowering
    }

    pub(super) fn new(
        program: &'p dyn Queries,
        images: &'p ConstantImages,
        function: &Arc<Function>,
        allowance: Allowance,
    ) -> Self {
        let name = function.global_name();
        let unit = name.unit;
        let facts = program.syntax_facts(&name);
        Self {
            program,
            images,
            call_summary: program.call_summary(&name),
            entry: Vec::new(),
            parameters: Vec::new(),
            variables: Vec::new(),
            pointers: Vec::new(),
            arrays: Vec::new(),
            array_rows: BTreeMap::new(),
            loops: Vec::new(),
            references: Vec::new(),
            rejections: Vec::new(),
            rejection_rows: HashMap::new(),
            globals: FxHashMap::default(),
            layouts: BTreeMap::new(),
            callees: Vec::new(),
            frames: vec![Frame::new(name, At::start_of(unit), Path::default(), facts)],
            state: super::State::default(),
            block: Vec::new(),
            prelude: super::loops::Prelude::default(),
            symbols: super::memory::Symbols::default(),
            tables: super::constants::Tables::default(),
            truths: super::truths::Truths::default(),
            settled: super::settled::Settled::default(),
            passes: super::asked_at_heads::Passes::default(),
            extremes: super::extremes::Extremes::default(),
            registers: BTreeSet::new(),
            addressed: BTreeSet::new(),
            starting_with_pointers: BTreeSet::new(),
            declared_at: At::start_of(unit),
            in_header: false,
            recorder: super::operations::Recorder::new(At::start_of(unit)),
            open: BTreeMap::new(),
            open_loops: Vec::new(),
            calls: Vec::new(),
            lost_calls: BTreeSet::new(),
            has_forgotten: false,
            n_nodes: 0,
            work: 0,
            allowance,
            linked_work: 0,
            linked_limit: None,
            too_long: BTreeMap::new(),
            depth: 0,
        }
    }

    fn enter(&mut self, function: &Arc<Function>) -> Lowered<()> {
        let changed = self.program.modified_globals(&self.call_summary);
        self.enter_globals(changed);
        for (idx, parameter) in function.signature.parameters.iter().enumerate() {
            self.own_parameter(parameter, idx)?;
        }
        Ok(())
    }
}
