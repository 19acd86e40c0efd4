//! One function.

use super::types::Type;
use super::{Frame, Lowered, Lowering, Program};
use crate::syntax::{At, Function, StatementKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

impl<'p> Lowering<'p> {
    /// Lowers a function. Where the budget runs out, or its header cannot be evaluated, all of it
    /// becomes opaque.
    ///
    /// `left` is how many steps are left of the file's budget.
    pub(super) fn of_function(
        program: &'p Program<'p>,
        function: &Rc<Function>,
        left: u64,
    ) -> Self {
        let mut lowering = Self::new(program, function, left);
        let entered = lowering.enter(function);
        let checkpoint = lowering.checkpoint();
        let result = entered.and_then(|()| match &function.body.kind {
            StatementKind::Block(list) => lowering.in_scope(|l| l.function_list(list)),
            _ => Ok(()),
        });
        if let Err(escape) = result {
            lowering.roll_back(&checkpoint);
            lowering.opaque_at(&function.body, escape.reason, escape.at);
        }
        lowering
    }

    fn new(program: &'p Program<'p>, function: &Rc<Function>, left: u64) -> Self {
        let nowhere = At { start: 0, end: 0 };
        Self {
            program,
            changed: program.changed_by(&function.name),
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
            globals: BTreeMap::new(),
            layouts: BTreeMap::new(),
            callees: Vec::new(),
            frames: vec![Frame {
                function: function.name.clone(),
                call: nowhere,
                scopes: vec![BTreeMap::new()],
                changed: program.facts_of(&function.name),
                result_type: Type::Void,
                result: None,
                result_slot: None,
                n_loops: 0,
                n_branches: 0,
                may_have_returned: false,
            }],
            state: super::State::default(),
            block: Vec::new(),
            prelude: Vec::new(),
            open: BTreeMap::new(),
            open_loops: Vec::new(),
            calls: Vec::new(),
            lost_calls: BTreeSet::new(),
            n_nodes: 0,
            work: 0,
            left,
            depth: 0,
        }
    }

    fn enter(&mut self, function: &Rc<Function>) -> Lowered<()> {
        let changed = self.changed.clone();
        self.enter_globals(&changed);
        for (idx, parameter) in function.signature.parameters.iter().enumerate() {
            self.own_parameter(parameter, idx)?;
        }
        Ok(())
    }
}
