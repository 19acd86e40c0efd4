//! The meanings of names at a statement: the scope of its program unit, the names of `ASSOCIATE` constructs and
//! statement functions, and the procedures of all files.

use crate::intrinsics::is_intrinsic;
use crate::names::{
    ArgumentPassing, ArraySpec, DerivedType, Entity, FortranType, NameScope, Procedure,
    ProcedureId, ProgramIndex, StorageArea, Symbol, Variable,
};
use crate::syntax::{
    Expr, ExprKind, NameKey, ProgramUnit, Statement as FortranStatement, StatementKind, UnitKind,
};
use crate::translate::operations::Operation;
use premiss_ast::syntax::{Name, TextRange};
use std::sync::Arc;

/// The procedure being translated: its text and its interface.
#[derive(Clone, Copy)]
pub(crate) struct ProcedureInTranslation<'i> {
    pub(crate) ast: &'i ProgramUnit,
    pub(crate) interface: &'i Procedure,
}

/// The array result of a function: the result variable with its rank.
pub(crate) struct ArrayResult {
    pub(crate) symbol: Symbol,
    pub(crate) variable: Arc<Variable>,
    pub(crate) rank: usize,
}

/// The selectors of `ASSOCIATE` constructs, outermost first.
pub(crate) type Selectors = Vec<Vec<(NameKey, Arc<Expr>)>>;

/// The meanings of names.
pub(crate) struct NameEnvironment<'i> {
    /// The procedures and modules of all files.
    pub(crate) index: &'i ProgramIndex,
    /// The procedure; `None` for the specification part of a module.
    pub(crate) procedure: Option<ProcedureInTranslation<'i>>,
    /// Its names, including those that the translation has added.
    pub(crate) scope: Arc<NameScope>,
    /// The text of its file.
    text: &'i str,
    /// The selectors of the enclosing `ASSOCIATE` constructs, outermost first.
    selectors: Selectors,
    /// The variables for the dummy arguments of the statement function being expanded.
    pub(crate) statement_arguments: Vec<(NameKey, Name)>,
}

impl<'i> NameEnvironment<'i> {
    /// The environment of the statements of a procedure, or of a module.
    pub(crate) fn new(
        index: &'i ProgramIndex,
        procedure: Option<ProcedureInTranslation<'i>>,
        scope: Arc<NameScope>,
        text: &'i str,
    ) -> Self {
        Self {
            index,
            procedure,
            scope,
            text,
            selectors: Vec::new(),
            statement_arguments: Vec::new(),
        }
    }

    /// The source between two places, without blanks.
    pub(crate) fn source_text(&self, at: TextRange) -> String {
        let text = self.text.get(at.start as usize..at.end as usize);
        text.unwrap_or("").split_whitespace().collect()
    }

    /// The selector that an `ASSOCIATE` construct associates with a name.
    pub(crate) fn selector(&self, key: &NameKey) -> Option<Arc<Expr>> {
        let mut levels = self.selectors.iter().rev().flatten();
        levels
            .find(|(name, _)| name == key)
            .map(|(_, selector)| selector.clone())
    }

    /// Enters an `ASSOCIATE` construct.
    pub(crate) fn push_selectors(&mut self, list: &[(NameKey, Expr)]) {
        let list = list.iter();
        let list = list.map(|(key, selector)| (key.clone(), Arc::new(selector.clone())));
        self.selectors.push(list.collect());
    }

    /// Leaves an `ASSOCIATE` construct.
    pub(crate) fn pop_selectors(&mut self) {
        self.selectors.pop();
    }

    /// The number of enclosing `ASSOCIATE` constructs.
    pub(crate) fn n_selectors(&self) -> usize {
        self.selectors.len()
    }

    /// Hides all but the outermost `ASSOCIATE` constructs.
    pub(crate) fn hide_selectors(&mut self, n_visible: usize) -> Selectors {
        self.selectors.split_off(n_visible)
    }

    /// Undoes [`Self::hide_selectors`].
    pub(crate) fn show_selectors(&mut self, hidden: Selectors) {
        self.selectors.extend(hidden);
    }

    /// The variable for a dummy argument of the statement function being expanded.
    pub(crate) fn statement_argument(&self, key: &NameKey) -> Option<Name> {
        let mut arguments = self.statement_arguments.iter();
        arguments
            .find(|(name, _)| name == key)
            .map(|(_, local)| local.clone())
    }

    /// The symbol of a name, including host association.
    pub(crate) fn symbol(&self, key: &NameKey) -> Option<Symbol> {
        self.scope.lookup(key).cloned()
    }

    /// Whether a name denotes a variable, or a part of one by association.
    pub(crate) fn is_variable(&self, key: &NameKey) -> bool {
        let entity = self.entity(key);
        let is_object = matches!(entity, Some(Entity::Variable(_) | Entity::Constant { .. }));
        is_object || self.selector(key).is_some()
    }

    /// The entity that a name denotes.
    pub(crate) fn entity(&self, key: &str) -> Option<&Entity> {
        self.scope.lookup(key).map(|symbol| &symbol.entity)
    }

    /// A derived type by its name, wherever it is declared.
    pub(crate) fn derived_type(&self, key: &NameKey) -> Option<Arc<DerivedType>> {
        match self.entity(key) {
            Some(Entity::DerivedType(found)) => Some(found.clone()),
            _ => self.index.types.get(key).cloned(),
        }
    }

    /// The name of a component as it is declared.
    pub(crate) fn component_name(&self, base: &Expr, key: &NameKey) -> Option<Name> {
        let FortranType::Derived(kind, _) = self.type_of(base) else {
            return None;
        };
        let found = self.derived_type(&kind)?;
        let mut components = found.members.iter();
        components
            .find(|(own, ..)| own == key)
            .map(|(_, name, _)| name.clone())
    }

    /// A named constant that is an array of one dimension, with its value.
    pub(crate) fn named_constant_array(&self, base: &Expr) -> Option<(NameKey, Arc<Expr>)> {
        let key = base.as_name()?;
        match self.entity(key)? {
            Entity::Constant {
                value,
                is_array: true,
                ..
            } => Some((key.clone(), value.clone())),
            _ => None,
        }
    }

    /// A COMMON block or EQUIVALENCE area by its name.
    pub(crate) fn storage_area(&self, name: &Name) -> Option<Arc<StorageArea>> {
        let mut scope = Some(&self.scope);
        while let Some(current) = scope {
            if let Some(area) = current.areas.get(name) {
                return Some(area.clone());
            }
            scope = current.host.as_ref();
        }
        None
    }

    /// The procedures that a call of a name may refer to; empty if no file defines one.
    pub(crate) fn callees(&self, key: &NameKey) -> Vec<ProcedureId> {
        self.index.callees(&self.scope, key)
    }

    /// The name of a procedure without a definition: a dummy procedure is a variable.
    pub(crate) fn callee_name(&self, key: &NameKey) -> Name {
        match self.scope.lookup(key) {
            Some(symbol) => symbol.name.clone(),
            None => key.clone(),
        }
    }

    /// Whether a name denotes the intrinsic procedure of that name.
    pub(crate) fn names_intrinsic(&self, key: &str) -> bool {
        let is_own = match self.entity(key) {
            Some(Entity::External(_)) | None => false,
            Some(_) => true,
        };
        !is_own && is_intrinsic(key) && self.callees(&Arc::from(key)).is_empty()
    }

    /// Whether an expression is a reference to a non-intrinsic function.
    pub(crate) fn is_function_call(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Apply(base, _) => {
                let is_intrinsic = || base.as_name().is_some_and(|key| self.names_intrinsic(key));
                !self.is_array_object(base) && !is_intrinsic()
            }
            ExprKind::Defined(..) => true,
            ExprKind::Unary(..) | ExprKind::Binary(..) if self.index.has_defined_operations => {
                self.operation(expr) != Operation::Intrinsic
            }
            _ => false,
        }
    }

    /// Whether a statement itself is a call: a `CALL`, or an assignment that a procedure defines.
    pub(crate) fn is_call(&self, statement: &FortranStatement) -> bool {
        match &statement.kind {
            StatementKind::Call(..) => true,
            StatementKind::Assign(left, right) if self.index.has_defined_operations => {
                self.assignment(left, right) != Operation::Intrinsic
            }
            _ => false,
        }
    }

    /// The array result of this function, if it has one.
    pub(crate) fn array_result(&self) -> Option<ArrayResult> {
        let key = self.result_key()?;
        let variable = self.scope.variable(key)?.clone();
        Some(ArrayResult {
            symbol: self.symbol(key)?,
            rank: variable.shape.as_ref()?.rank(),
            variable,
        })
    }

    /// The name of the result variable of this function.
    pub(crate) fn result_key(&self) -> Option<&'i NameKey> {
        let ast = self.procedure?.ast;
        if ast.kind != UnitKind::Function {
            return None;
        }
        Some(&ast.result.as_ref().unwrap_or(&ast.name).key)
    }

    /// How a variable of this procedure or its host is passed, if it is.
    pub(crate) fn passing_of(&self, key: &NameKey) -> Option<ArgumentPassing> {
        if let Some(passing) = self.passing_of_result(key) {
            return Some(passing);
        }
        let procedure = self.procedure?.interface;
        let mut dummies = procedure.summary.interface.dummies.iter().flatten();
        if let Some(idx) = dummies.position(|dummy| dummy.key == *key) {
            return procedure.passing.get(idx).copied();
        }
        let mut captured = procedure.host_associated.iter();
        captured
            .find(|(own, _)| own == key)
            .map(|(_, passing)| *passing)
    }

    /// How the result of this function is passed, if the variable is the result variable.
    fn passing_of_result(&self, key: &NameKey) -> Option<ArgumentPassing> {
        self.result_key().filter(|result| *result == key)?;
        let result = self.array_result()?;
        let is_deferred = matches!(result.variable.shape, Some(ArraySpec::Deferred(_)));
        is_deferred.then_some(ArgumentPassing::Descriptor(result.rank))
    }
}
