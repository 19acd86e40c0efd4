//! The state of the whole program while its functions are desugared: types, their layouts, and the instances of
//! functions that are needed.

use crate::ast_builder::wide;
use crate::implementations::FunctionsOfTypes;
use crate::item_index::{Index, name_of_type};
use crate::loop_accounting::{CoverageMark, FileMarks};
use crate::macro_expansion::MacroUses;
use crate::positions::{PositionMap, TextCopy};
use crate::text_loops::FileLoops;
use crate::type_resolution::ResolutionBudget;
use crate::type_shapes::{Shape, non_zero, order_of_fields, shape_of_enumeration, shape_of_member};
use crate::types::{ArrayLength, GenericArg, Ty, integer_in_memory};
use premiss_ast::syntax::{
    Attributes, Expression, ExpressionKind, Field, Name, Struct, StructId, TypeName, UnitId,
};
use premiss_tree::IntegerType;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The maximum nesting depth of types.
const MAX_TYPES: usize = 40;
/// The maximum number of instances of functions beyond the first of each.
pub(crate) const MAX_INSTANCES: usize = 2_000;

/// What a function may do to a vector that it borrows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum VectorEffect {
    Nothing,
    Length,
    /// Replaces it by another one.
    Whole,
}

/// The values of the generic parameters of types and functions at some place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Substitution {
    pub(crate) types: BTreeMap<String, Ty>,
    pub(crate) values: BTreeMap<String, Arc<Expression>>,
    pub(crate) self_type: Option<Ty>,
}

/// A function with its generic arguments.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) function: usize,
    pub(crate) substitution: Arc<Substitution>,
    pub(crate) name: Name,
    key: (usize, String),
    /// The types that were assumed for its generic parameters, or for those of the function that calls it.
    pub(crate) assumed_types: Arc<[Name]>,
    /// The copy of its file with its places.
    pub(crate) copy: TextCopy,
}

/// The state of desugaring a program.
pub(crate) struct ProgramContext<'a> {
    pub(crate) index: Index<'a>,
    pub(crate) positions: Vec<PositionMap>,
    pub(crate) structs: Vec<Struct>,
    rows: BTreeMap<String, StructId>,
    /// The alignments of types that have been asked for, by their keys.
    alignments: RefCell<BTreeMap<String, u32>>,
    /// The shapes of types with members that have been asked for, by their keys, and of enumerations, by their names.
    pub(crate) shapes: RefCell<BTreeMap<String, Option<Shape>>>,
    /// What each function may do to borrowed vectors, once it has been asked for.
    pub(crate) vector_effects: OnceCell<Vec<VectorEffect>>,
    pub(crate) resolution: ResolutionBudget,
    /// The file whose text is being resolved: its imports tell which traits a name may belong to.
    pub(crate) text_unit: Cell<usize>,
    instances: BTreeMap<(usize, String), Instance>,
    n_instances: BTreeMap<usize, usize>,
    /// The types that are assumed for the generic parameters of instances that are requested now.
    pub(crate) assumed_types: Arc<[Name]>,
    /// The types that the user states for generic parameters, by their names, `T` or `scale::T`.
    pub(crate) stated_types: BTreeMap<String, syn::Type>,
    /// The types that names have which nothing declares, as far as the body at hand asked for them: `Real = f64`.
    pub(crate) undeclared_types: RefCell<BTreeSet<Name>>,
    /// Whether an `index` and an `index_mut` find the same element for arguments of some types.
    pub(crate) same_elements: BTreeMap<(usize, usize, String), bool>,
    /// The types `Self` of the implementations of the index.
    pub(crate) implementing_types: Vec<Ty>,
    pub(crate) functions_of_types: RefCell<FunctionsOfTypes>,
    /// Instances that are not desugared yet.
    pub(crate) worklist: VecDeque<Instance>,
    /// The number of statements of all bodies so far.
    pub(crate) n_statements: usize,
    /// The loops of each file, and what became of its text.
    pub(crate) texts: Vec<FileLoops>,
    pub(crate) marks: Vec<FileMarks>,
    pub(crate) macros: MacroUses,
    /// Functions whose body was put in the place of a call.
    pub(crate) inlined: BTreeSet<usize>,
}

impl<'a> ProgramContext<'a> {
    pub(crate) fn new(
        index: Index<'a>,
        positions: Vec<PositionMap>,
        texts: Vec<FileLoops>,
        macros: MacroUses,
    ) -> Self {
        let marks = texts.iter().map(|_| FileMarks::default()).collect();
        let mut made = Self {
            texts,
            marks,
            macros,
            inlined: BTreeSet::new(),
            index,
            positions,
            structs: Vec::new(),
            rows: BTreeMap::new(),
            alignments: RefCell::default(),
            shapes: RefCell::default(),
            vector_effects: OnceCell::default(),
            resolution: ResolutionBudget::default(),
            text_unit: Cell::default(),
            instances: BTreeMap::new(),
            assumed_types: Arc::default(),
            stated_types: BTreeMap::new(),
            undeclared_types: RefCell::default(),
            implementing_types: Vec::new(),
            functions_of_types: RefCell::default(),
            same_elements: BTreeMap::new(),
            n_instances: BTreeMap::new(),
            worklist: VecDeque::new(),
            n_statements: 0,
        };
        made.resolve_implementations();
        made
    }

    /// The instance of a function for a substitution; `None` if there are too many instances.
    pub(crate) fn instance(&mut self, function: usize, scope: Substitution) -> Option<Instance> {
        let own = scope.self_type.as_ref().map(Ty::key);
        let types = scope.types.iter();
        let types = types.map(|(name, kind)| format!("{name}={}", kind.key()));
        let types: Vec<String> = types.chain(own).collect();
        let key = (function, types.join(" "));
        if let Some(known) = self.instances.get(&key) {
            return Some(known.clone());
        }
        let item = &self.index.functions[function];
        let n_before = self.n_instances.get(&function).copied().unwrap_or(0);
        // The first instance of each function is free: there are as many as functions in the text.
        if 0 < n_before && MAX_INSTANCES + self.n_instances.len() <= self.instances.len() {
            return None;
        }
        let (name, copy) = match n_before {
            0 if !item.is_repeated => (item.name.clone(), TextCopy::default()),
            0 => (item.name.clone(), self.positions[item.unit].copy()?),
            n => {
                let copy = self.positions[item.unit].copy()?;
                (format!("{}'{}", item.name, n + 1), copy)
            }
        };
        self.n_instances.insert(function, n_before + 1);
        let instance = Instance {
            function,
            substitution: Arc::new(scope),
            name: name.into(),
            key: key.clone(),
            assumed_types: assumed_types_now(self),
            copy,
        };
        self.instances.insert(key, instance.clone());
        self.worklist.push_back(instance.clone());
        Some(instance)
    }

    /// Drops the instances requested since there were `n_open` open ones.
    pub(crate) fn undo(&mut self, n_open: usize) {
        for instance in self.worklist.split_off(n_open.min(self.worklist.len())) {
            self.instances.remove(&instance.key);
            if let Some(number) = self.n_instances.get_mut(&instance.function) {
                *number -= 1;
            }
        }
        self.n_instances.retain(|_, number| 0 < *number);
    }

    /// Whether an instance of a function exists already.
    pub(crate) fn has_instance(&self, function: usize) -> bool {
        self.n_instances.contains_key(&function)
    }

    /// Records what became of the text of a body.
    pub(crate) fn add_marks(&mut self, marks: Vec<CoverageMark>) {
        for mark in marks {
            let (CoverageMark::Loop(at)
            | CoverageMark::Rejected(at)
            | CoverageMark::Unreachable(at)) = mark;
            let unit = self
                .positions
                .iter()
                .position(|ground| ground.unit == at.unit);
            if let Some(unit) = unit {
                let bytes = self.positions[unit].bytes(at);
                self.marks[unit].add(mark, bytes);
            }
        }
    }

    /// Resolves something in the text of a file.
    pub(crate) fn in_text<T>(&self, unit: usize, resolve: impl FnOnce(&Self) -> T) -> T {
        let around = self.text_unit.replace(unit);
        let found = resolve(self);
        self.text_unit.set(around);
        found
    }

    /// The type of a constant.
    pub(crate) fn constant_type(&self, constant: usize) -> Ty {
        let item = &self.index.constants[constant];
        let mut scope = Substitution::default();
        if let Some(own) = item.owner.as_ref().and_then(|owner| owner.self_type) {
            scope.self_type = Some(self.resolve(own, &scope));
        }
        let kind = self.resolve(item.kind, &scope);
        with_written_length(kind, item.value)
    }

    /// The fields of a struct, in the order of its declaration.
    pub(crate) fn fields(&self, record: usize, arguments: &[GenericArg]) -> Vec<(String, Ty)> {
        let item = &self.index.records[record];
        let scope = self.scope_of(item.generics, arguments);
        let fields = item.fields.iter();
        let fields = fields.map(|(name, kind)| {
            let kind = match name_of_type(kind).as_str() {
                // Its layout depends on the type of the error, too.
                "Result" => Ty::Unknown("Result".into()),
                _ => self.in_text(item.unit, |c| c.resolve(kind, &scope)),
            };
            (name.clone(), kind)
        });
        fields.collect()
    }

    /// The values of generic parameters for these arguments.
    pub(crate) fn scope_of(
        &self,
        generics: &syn::Generics,
        arguments: &[GenericArg],
    ) -> Substitution {
        let mut scope = Substitution::default();
        let is_lifetime = |p: &&syn::GenericParam| matches!(p, syn::GenericParam::Lifetime(_));
        let parameters = generics.params.iter().filter(|p| !is_lifetime(p));
        let mut arguments = arguments.iter();
        for parameter in parameters {
            match (parameter, arguments.next()) {
                (syn::GenericParam::Type(parameter), Some(GenericArg::Type(kind))) => {
                    let name = parameter.ident.to_string();
                    scope.types.insert(name, kind.clone());
                }
                (syn::GenericParam::Type(parameter), None) => {
                    if let Some((_, default)) = &parameter.default {
                        let kind = self.resolve(default, &scope);
                        scope.types.insert(parameter.ident.to_string(), kind);
                    }
                }
                (syn::GenericParam::Const(parameter), Some(GenericArg::Value(value))) => {
                    let name = parameter.ident.to_string();
                    scope.values.insert(name, value.0.clone());
                }
                _ => {}
            }
        }
        scope
    }

    /// The type of an object in memory.
    pub(crate) fn memory(&mut self, kind: &Ty) -> TypeName {
        self.memory_at(kind, 0)
    }

    fn memory_at(&mut self, kind: &Ty, depth: usize) -> TypeName {
        if MAX_TYPES < depth {
            return TypeName::Unknown("_".into());
        }
        let pointer = |c: &mut Self, to: &Ty| {
            let to = match to {
                Ty::Array(element, _) => c.memory_at(element, depth + 1),
                Ty::Slice(_) | Ty::Str => TypeName::Void,
                other => c.memory_at(other, depth + 1),
            };
            TypeName::Pointer(Arc::new(to))
        };
        match kind {
            Ty::Unit | Ty::Never => TypeName::Void,
            Ty::Bool => TypeName::Bool,
            Ty::Char => TypeName::Integer(IntegerType {
                bits: 32,
                signed: false,
            }),
            Ty::Int(kind) | Ty::Enum(_, kind) => integer_in_memory(*kind),
            Ty::Float(0) => TypeName::Floating(8),
            Ty::Float(size) | Ty::Opaque(size) | Ty::Simd(_, size) => TypeName::Floating(*size),
            Ty::Array(element, ArrayLength(length)) => {
                let element = Arc::new(self.memory_at(element, depth + 1));
                TypeName::Array(element, Some(length.clone()))
            }
            Ty::Pointer(inner) | Ty::Box(inner) if !matches!(**inner, Ty::Slice(_) | Ty::Str) => {
                pointer(self, inner)
            }
            Ty::Slice(_) | Ty::Str => TypeName::Unknown("slice".into()),
            // The size of an enumeration with fields depends on them.
            Ty::Unknown(name) if self.index.enumerations.is_name(name) => {
                match shape_of_enumeration(self, name) {
                    Some(shape) => shape.memory(),
                    None => TypeName::Unknown("_".into()),
                }
            }
            Ty::Unknown(name) => match non_zero(name) {
                Some(kind) => integer_in_memory(kind),
                None => TypeName::Unknown(name.clone()),
            },
            Ty::Infer(_) => TypeName::Unknown("_".into()),
            Ty::Option(inner) => self.maybe(inner, depth),
            Ty::Record(..) if let Some(array) = self.wrapped_array(kind, depth) => {
                self.memory_at(&array, depth + 1)
            }
            composite => TypeName::Struct(self.row(composite, depth)),
        }
    }

    /// The array that a struct has as its only member with a size, if the length of that array is no constant of the
    /// program: `struct Row<T, const N: usize>([T; N])` is laid out as its array, whatever `N` is.
    pub(crate) fn wrapped_array(&self, kind: &Ty, depth: usize) -> Option<Ty> {
        let Ty::Record(record, _) = kind else {
            return None;
        };
        if MAX_TYPES < depth || self.index.records[*record].is_foreign {
            return None;
        }
        let (members, _) = self.members(kind, depth);
        let has_size = |kind: &Ty| !matches!(kind, Ty::Tuple(parts) if parts.is_empty());
        let mut members = members.into_iter().filter(|(_, kind)| has_size(kind));
        let (_, only) = members.next()?;
        match (&only, members.next()) {
            (Ty::Array(_, length), None) if is_open_length(&self.index, &length.0) => Some(only),
            (Ty::Record(..), None) => self.wrapped_array(&only, depth + 1),
            _ => None,
        }
    }

    /// A pointer to the first of several elements, each of which may be an array.
    fn pointer_to_elements(&mut self, element: &Ty, depth: usize) -> TypeName {
        TypeName::Pointer(Arc::new(self.memory_at(element, depth)))
    }

    /// The layout of `Option`: only the content if that is never null.
    fn maybe(&mut self, inner: &Ty, depth: usize) -> TypeName {
        match inner {
            Ty::Pointer(_) | Ty::Box(_) | Ty::Vec(_) => self.memory_at(inner, depth + 1),
            Ty::Int(_) | Ty::Float(_) | Ty::Char => {
                let alignment = self.alignment(inner, 0);
                TypeName::Floating(2 * alignment)
            }
            _ => match self.has_niche(inner, depth) {
                Some(true) => self.memory_at(inner, depth + 1),
                Some(false) => {
                    TypeName::Struct(self.row(&Ty::Option(Arc::new(inner.clone())), depth))
                }
                None => TypeName::Unknown("Option".into()),
            },
        }
    }

    /// Whether a type has values that are none of its own, one of which then means `None`; `None` if this is not
    /// known.
    fn has_niche(&self, kind: &Ty, depth: usize) -> Option<bool> {
        match kind {
            _ if MAX_TYPES < depth => None,
            Ty::Int(_) | Ty::Float(_) | Ty::Opaque(_) | Ty::Simd(..) | Ty::Unit => Some(false),
            Ty::Bool | Ty::Char | Ty::Pointer(_) | Ty::Box(_) | Ty::Vec(_) => Some(true),
            Ty::Enum(idx, kind) => {
                let n_variants = self.index.enumerations.list[*idx].variants.len();
                Some(8 < kind.bits || n_variants < 256)
            }
            Ty::Unknown(name) if non_zero(name).is_some() => Some(true),
            Ty::Unknown(name) => {
                let shape = shape_of_enumeration(self, name)?;
                Some(shape.niche.is_some())
            }
            // A length of zero has no values.
            Ty::Array(element, _) => match self.has_niche(element, depth + 1)? {
                true => None,
                false => Some(false),
            },
            Ty::Tuple(_) | Ty::Record(..) => {
                let (members, _) = self.members(kind, depth + 1);
                let all = members
                    .iter()
                    .map(|(_, kind)| self.has_niche(kind, depth + 1));
                let all: Option<Vec<bool>> = all.collect();
                Some(all?.contains(&true))
            }
            _ => None,
        }
    }

    fn row(&mut self, kind: &Ty, depth: usize) -> StructId {
        let key = kind.key();
        if let Some(known) = self.rows.get(&key) {
            return *known;
        }
        let id = StructId {
            unit: UnitId(0),
            row: self.structs.len(),
        };
        self.structs.push(Struct {
            is_at_file_scope: true,
            ..Struct::default()
        });
        self.rows.insert(key, id);
        let (fields, is_ordered) = self.members(kind, depth);
        let shapes = fields.iter().map(|(_, kind)| {
            let alignment = self.alignment(kind, 0);
            shape_of_member(self, kind, alignment)
        });
        let shapes: Vec<Shape> = shapes.collect();
        let mut fields: Vec<Field> = fields
            .into_iter()
            .map(|(name, kind)| {
                let memory = match &kind {
                    Ty::Pointer(element) if name.is_empty() => {
                        self.pointer_to_elements(element, depth + 1)
                    }
                    kind => self.memory_at(kind, depth + 1),
                };
                Field {
                    name: Some(name.into()),
                    kind: Arc::new(memory),
                    width: None,
                    attributes: Attributes::default(),
                }
            })
            .collect();
        if !is_ordered {
            let order = order_of_fields(&shapes);
            fields = order.into_iter().map(|idx| fields[idx].clone()).collect();
        }
        self.structs[id.row].fields = Some(fields);
        self.structs[id.row].attributes.is_foreign = self.is_foreign(kind);
        id
    }

    fn is_foreign(&self, kind: &Ty) -> bool {
        matches!(kind, Ty::Record(record, _) if self.index.records[*record].is_foreign)
    }

    /// The members of a type represented as a struct, and whether they are in this order in memory. The pointer to the
    /// elements of a container has no name of its own: `m.data` denotes both.
    pub(crate) fn members(&self, kind: &Ty, depth: usize) -> (Vec<(String, Ty)>, bool) {
        let size = || crate::types::SIZE;
        let to = |element: &Arc<Ty>| (String::new(), Ty::Pointer(element.clone()));
        if depth > MAX_TYPES {
            return (Vec::new(), true);
        }
        match kind {
            Ty::Vec(element) => {
                let members = vec![
                    ("capacity()".to_owned(), size()),
                    to(element),
                    ("len()".to_owned(), size()),
                ];
                (members, true)
            }
            Ty::Pointer(_) | Ty::Box(_) => {
                let element = kind.slice_element().unwrap_or_else(|| Arc::new(Ty::Unit));
                (vec![to(&element), ("len()".to_owned(), size())], true)
            }
            Ty::NdArray(element, rank) => {
                let mut members = vec![("owner".to_owned(), Ty::Vec(element.clone())), to(element)];
                members.extend(dimensions(*rank).into_iter().map(|name| (name, size())));
                let strides = (0..*rank).map(|idx| (format!("strides()[{idx}]"), size()));
                members.extend(strides);
                (members, true)
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let members = parts.map(|(idx, kind)| (idx.to_string(), kind.clone()));
                (members.collect(), false)
            }
            Ty::Option(inner) => {
                let bits = u16::try_from(8 * self.alignment(inner, depth)).unwrap_or(64);
                let bits = u8::try_from(bits).unwrap_or(64);
                let tag = Ty::Int(IntegerType {
                    bits,
                    signed: false,
                });
                let members = vec![
                    ("is_some()".to_owned(), tag),
                    ("value".to_owned(), (**inner).clone()),
                ];
                (members, true)
            }
            Ty::Range(kind) => {
                let bound = |name: &str| (name.to_owned(), (**kind).clone());
                (vec![bound("start"), bound("end")], true)
            }
            Ty::Record(record, arguments) => {
                let is_c = self.index.records[*record].is_c;
                (self.fields(*record, arguments), is_c)
            }
            _ => (Vec::new(), true),
        }
    }

    /// The alignment of a type, in bytes.
    fn alignment(&self, kind: &Ty, depth: usize) -> u32 {
        match kind {
            _ if depth > MAX_TYPES => 8,
            Ty::Unit | Ty::Never | Ty::Bool => 1,
            Ty::Char => 4,
            Ty::Int(kind) if kind.bits == 0 => 4,
            Ty::Int(kind) | Ty::Enum(_, kind) => u32::from(kind.bits / 8).max(1),
            Ty::Float(0) => 8,
            Ty::Float(size) => *size,
            Ty::Array(element, _) => self.alignment(element, depth + 1),
            Ty::Option(inner) => self.alignment(inner, depth + 1),
            Ty::Opaque(size) => (*size).min(16),
            Ty::Unknown(name)
                if self.index.enumerations.is_name(name) || non_zero(name).is_some() =>
            {
                let shape = shape_of_enumeration(self, name);
                shape.map_or(8, |shape| u32::try_from(shape.alignment).unwrap_or(8))
            }
            Ty::Simd(_, size) => *size,
            Ty::Tuple(_) | Ty::Record(..) => self.alignment_of_members(kind, depth),
            _ => 8,
        }
    }

    /// The strictest alignment of the members of a type, found once: structs of structs have exponentially many.
    fn alignment_of_members(&self, kind: &Ty, depth: usize) -> u32 {
        let key = kind.key();
        if let Some(known) = self.alignments.borrow().get(&key) {
            return *known;
        }
        let (members, _) = self.members(kind, depth);
        let all = members.iter();
        let all = all.map(|(_, kind)| self.alignment(kind, depth + 1));
        let found = all.max().unwrap_or(1);
        self.alignments.borrow_mut().insert(key, found);
        found
    }

    /// The parts of a value of a type as variables: the suffix of each name, and the type.
    pub(crate) fn parts(&mut self, kind: &Ty) -> Vec<(String, TypeName)> {
        if let Some(element) = kind.slice_element() {
            let pointer = self.pointer_to_elements(&element, 0);
            return vec![(String::new(), pointer), (".len()".to_owned(), wide())];
        }
        if let Some((element, rank)) = kind.grid() {
            let pointer = self.pointer_to_elements(&element, 0);
            let sizes = dimensions(rank);
            let sizes = sizes.into_iter().map(|name| (format!(".{name}"), wide()));
            return [(String::new(), pointer)]
                .into_iter()
                .chain(sizes)
                .collect();
        }
        match kind {
            Ty::Unit | Ty::Never => Vec::new(),
            Ty::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let mut all = Vec::new();
                for (idx, part) in parts {
                    let inner = self.parts(part).into_iter();
                    all.extend(inner.map(|(name, kind)| (format!(".{idx}{name}"), kind)));
                }
                all
            }
            Ty::Range(_) => vec![(".start".to_owned(), wide()), (".end".to_owned(), wide())],
            Ty::Option(inner) => {
                let mut all = vec![(".is_some()".to_owned(), wide())];
                all.extend(self.parts(inner));
                all
            }
            kind => {
                let memory = self.memory(kind);
                vec![(String::new(), kind.variable(memory))]
            }
        }
    }
}

/// The type of a constant that is initialized so: `&[f64] = &[1.0, 2.0]` leads to an array of two.
fn with_written_length(kind: Ty, value: &syn::Expr) -> Ty {
    let (Some(inner), syn::Expr::Reference(value)) = (slice_of(&kind), value) else {
        return kind;
    };
    let length = match &*value.expr {
        syn::Expr::Array(list) => i64::try_from(list.elems.len()).ok().map(|length| {
            let at = premiss_ast::syntax::TextRange::start_of(UnitId(0));
            crate::ast_builder::integer(at, length)
        }),
        syn::Expr::Repeat(list) => Some(crate::type_resolution::constant(
            &list.len,
            &Substitution::default(),
        )),
        _ => None,
    };
    match length {
        Some(length) => Ty::Array(inner, ArrayLength(Arc::new(length))).pointer(),
        None => kind,
    }
}

/// The element type of a reference to a slice.
fn slice_of(kind: &Ty) -> Option<Arc<Ty>> {
    match kind {
        Ty::Pointer(inner) => match &**inner {
            Ty::Slice(element) => Some(element.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The types on which instances rest that are requested now.
fn assumed_types_now(program: &ProgramContext) -> Arc<[Name]> {
    let undeclared = program.undeclared_types.borrow();
    match undeclared.is_empty() {
        true => program.assumed_types.clone(),
        false => {
            let all: BTreeSet<&Name> = program.assumed_types.iter().chain(&*undeclared).collect();
            all.into_iter().cloned().collect()
        }
    }
}

/// Whether a length mentions a generic parameter.
fn is_open_length(index: &Index, length: &Expression) -> bool {
    match &length.kind {
        ExpressionKind::Name(name) => index.constant_of(usize::MAX, name).is_none(),
        ExpressionKind::Binary(_, a, b) => is_open_length(index, a) || is_open_length(index, b),
        _ => false,
    }
}

/// The names of the dimensions of an array of `ndarray`.
pub(crate) fn dimensions(rank: usize) -> Vec<String> {
    match rank {
        1 => vec!["len()".to_owned()],
        2 => vec!["nrows()".to_owned(), "ncols()".to_owned()],
        _ => (0..rank).map(|idx| format!("shape()[{idx}]")).collect(),
    }
}
