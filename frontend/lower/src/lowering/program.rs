//! Files with all that can be known of them before their functions are lowered, linked.

mod asked;
mod externals;
pub(super) mod reach;
pub(super) mod recall;
mod statements;
pub(super) mod surface;
mod table;

use super::constants::{Image, only_loads_outside};
use super::noted::{Asked, Noted};
use super::types::Type;
use crate::deferred::Said;
use crate::memory::Memory;
use crate::syntax::{
    At, Declaration, Function, GlobalName, Lifetime, Name, Notation, Object, Struct, StructId,
    TypeName, Unit, UnitId,
};
use externals::Externals;
use premiss_ast::{FunctionEffect, FunctionTable, OriginMap, ResultKind, SyntaxFacts, is_handler};
use premiss_parallel as parallel;
use premiss_source::{SourceMap, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use table::{Contents, Table, is_definition};

/// How long a text that is quoted may be, in characters.
const MAX_QUOTED: usize = 200;

/// How many steps of one function may go into bodies of other files, however few functions there are: what
/// it takes itself has to find room, too.
const MAX_LINKED_WORK: u64 = super::MAX_WORK / 2;

/// What a unit is, digested.
#[derive(Clone, Copy)]
pub(super) struct Digests {
    /// All of it, but for where it stands.
    pub(super) whole: u64,
    /// How its functions are called.
    pub(super) signatures: u64,
}

/// A declaration at file scope.
#[derive(Clone, Copy)]
pub(super) enum Global<'a> {
    Object(&'a Object),
    Enumerator(&'a Declaration),
}

/// A file with all that it includes, parsed.
pub struct Parsed<'a> {
    /// What it says.
    pub said: Said<'a>,
    /// A digest of what its translation depends on besides its text.
    pub depends: u64,
    /// A digest of the part of it that other files say ([`digest_of_included`](crate::digest_of_included)).
    pub included: u64,
    /// What its front end keeps of it for the next run; empty for nothing.
    pub draft: &'a [u8],
    /// Where each part of its text was written.
    pub origins: &'a OriginMap,
    /// Names that stayed in the text as sizes without a value, with where they are defined.
    pub kept: &'a BTreeMap<String, Option<Span>>,
    /// The unit that stands before it: what that declares holds here too. It defines nothing.
    pub after: Option<UnitId>,
}

/// What the user says about sizes.
#[derive(Clone, Copy)]
pub struct Sizes<'a> {
    /// Values by name.
    pub values: &'a BTreeMap<String, i64>,
    /// The names that are kept without a value.
    pub symbolic: &'a BTreeSet<String>,
    /// Whether real and complex numbers that only running the program would tell are numbers, and equal none of the
    /// constants that they are compared with.
    pub dense: bool,
    /// Whether operations are left out of the trees: what asks for nests alone needs none.
    pub without_operations: bool,
}

/// What a call by name leads to.
pub(super) enum Callee<'a> {
    Body(&'a Arc<Function>),
    /// Somebody says what it does.
    Stated(&'a FunctionEffect),
    /// Other files define it, more than one of them.
    Several,
    Nowhere,
}

/// Where what a call by name leads to is.
enum Meaning<'a> {
    /// This unit defines it.
    Unit(UnitId),
    Stated(&'a FunctionEffect),
    Several,
    Nowhere,
}

impl Meaning<'_> {
    fn definition(&self, name: &Name) -> Option<GlobalName> {
        match self {
            Self::Unit(unit) => Some(GlobalName {
                unit: *unit,
                name: name.clone(),
            }),
            Self::Stated(_) | Self::Several | Self::Nowhere => None,
        }
    }
}

/// Parsed files that are linked into one program, indexed.
///
/// A name means what its own unit defines. What a unit only declares is what the one other unit says
/// that defines it with external linkage; where several do, these belong to several programs, and
/// the name keeps its meaning within the unit.
///
/// Lowering notes in it what it asks; each thread has a view of its own.
pub struct Program<'a> {
    linked: Arc<Linked<'a>>,
    used_sizes: RefCell<BTreeSet<String>>,
    /// What objects hold that are there once and never change, by where they are declared.
    images: RefCell<BTreeMap<At, Kept>>,
    /// What lowering asked since it was last looked at.
    noted: Noted,
}

/// What all views of a program have in common.
pub(super) struct Linked<'a> {
    tables: Vec<Table<'a>>,
    externals: Externals,
    /// Names at file scope that some function changes, in order.
    written: Vec<GlobalName>,
    stated: Stated<'a>,
    sizes: Sizes<'a>,
    sources: &'a SourceMap,
    links: Links,
    memory: Option<&'a Memory>,
    /// What its units are, found when it is first asked for.
    digests: OnceLock<Vec<Digests>>,
    answers: asked::Answers,
    reaches: reach::Reaches,
    statements: statements::Statements,
}

/// What an object holds, with what was asked to find it.
type Kept = (Option<Rc<Image>>, Asked);

/// How far functions are followed, in steps; the first three are of calls into other files.
#[derive(Clone, Copy)]
pub struct Links {
    /// For one function.
    pub of_one: u64,
    /// What functions with a loop share evenly where that is more for each of them: programs of few
    /// functions are followed further.
    pub of_few: u64,
    /// For all functions together.
    pub of_all: u64,
    /// How many steps the files of a program may take together in bodies of their own.
    pub of_files: u64,
}

impl Links {
    /// Why a call into another file is not followed any further.
    pub(super) fn limit(self) -> String {
        let Self { of_one, of_all, .. } = self;
        format!(
            "{of_one} steps for calls into other files from one function, {of_all} for all \
             functions together"
        )
    }
}

/// What is stated of functions apart from the definitions in the files.
#[derive(Clone, Copy)]
pub struct Stated<'a> {
    /// By the user, which counts before all definitions.
    pub table: &'a FunctionTable,
    /// The unit of known definitions, which count where the files have none.
    pub known: UnitId,
}

/// That error handlers touch no array.
const HANDLED: &FunctionEffect = &FunctionEffect::Nothing(ResultKind::Void);

impl<'a> Program<'a> {
    /// Indexes files; the unit of each is its place in the list.
    pub fn new(
        units: Vec<Parsed<'a>>,
        stated: Stated<'a>,
        sizes: Sizes<'a>,
        links: Links,
        sources: &'a SourceMap,
        memory: Option<&'a Memory>,
    ) -> Self {
        let tables = parallel::map(units, Table::new);
        let mut linked = Linked {
            externals: Externals::of(&tables, stated.known),
            tables,
            written: Vec::new(),
            stated,
            sizes,
            sources,
            links,
            memory,
            digests: OnceLock::new(),
            answers: asked::Answers::default(),
            reaches: reach::Reaches::default(),
            statements: statements::Statements::default(),
        };
        linked.settle_summaries();
        linked.links.of_one = linked.linked_steps();
        let mut linked = Arc::new(linked);
        linked.find_surfaces();
        let found = Arc::get_mut(&mut linked).expect("there are no views any more");
        found.written = found.find_written();
        linked.view()
    }

    /// What all views of it have in common.
    pub(super) fn shared(&self) -> &Arc<Linked<'a>> {
        &self.linked
    }

    /// How far calls into other files are followed.
    pub(super) fn links(&self) -> Links {
        self.linked.links
    }

    fn table(&self, unit: UnitId) -> &Table<'a> {
        // What is known of functions is part of the program.
        if unit != self.linked.stated.known {
            self.noted.unit(unit);
        }
        self.unnoted(unit)
    }

    /// The table of a unit, where it is noted in other ways what is asked of it, or need not be.
    fn unnoted(&self, unit: UnitId) -> &Table<'a> {
        &self.linked.tables[unit.0 as usize]
    }

    fn contents(&self, unit: UnitId) -> &Contents {
        self.table(unit).contents()
    }

    /// The units whose texts say what names mean in a unit, its own first, with their tables.
    fn scope(&self, unit: UnitId) -> impl Iterator<Item = (UnitId, &Table<'a>)> {
        let after = |unit: &UnitId| self.unnoted(*unit).parsed.after;
        let units = std::iter::successors(Some(unit), after);
        units.map(|unit| (unit, self.unnoted(unit)))
    }

    /// The tables that say what a name at file scope means in a unit, its own first.
    fn scope_of(&self, name: &GlobalName) -> impl Iterator<Item = &Table<'a>> {
        self.scope(name.unit).map(|(unit, table)| {
            self.noted.declared(unit, &name.name);
            table
        })
    }

    /// The units, in order.
    pub(super) fn units(&self) -> impl Iterator<Item = UnitId> {
        (0..).map(UnitId).take(self.linked.tables.len())
    }

    /// What a unit says.
    pub(super) fn unit(&self, unit: UnitId) -> &'a Unit {
        self.unnoted(unit).unit()
    }

    /// How the language of a unit writes parts of objects.
    pub(super) fn notation(&self, unit: UnitId) -> Notation {
        // It is that of the program.
        self.unnoted(unit).parsed.said.notation()
    }

    /// What a call by name in a unit leads to.
    pub(super) fn callee(&self, unit: UnitId, name: &Name) -> Callee<'_> {
        match self.meaning(unit, name) {
            Meaning::Unit(unit) => {
                // Who follows it asks for more.
                self.noted.signatures(unit);
                let function = self.unnoted(unit).contents().functions.get(name);
                function.map_or(Callee::Nowhere, Callee::Body)
            }
            Meaning::Stated(effect) => Callee::Stated(effect),
            Meaning::Several => Callee::Several,
            Meaning::Nowhere => Callee::Nowhere,
        }
    }

    /// The name of the definition that a call in a unit leads to.
    pub(super) fn definition(&self, unit: UnitId, name: &Name) -> Option<GlobalName> {
        self.meaning(unit, name).definition(name)
    }

    fn meaning(&self, unit: UnitId, name: &Name) -> Meaning<'_> {
        let meaning = self.linked.meaning(unit, name);
        let is_own = matches!(meaning, Meaning::Unit(other) if other == unit);
        if !is_own && !matches!(meaning, Meaning::Stated(_)) {
            self.noted.function(name);
        }
        meaning
    }

    /// Whether a definition is none of a file's, but stated or known.
    pub(super) fn is_known(&self, function: &Function) -> bool {
        function.at.unit == self.linked.stated.known
    }

    /// The function of that name.
    pub(super) fn function(&self, name: &GlobalName) -> Option<&Arc<Function>> {
        self.contents(name.unit).functions.get(&name.name)
    }

    /// The result of a function that a unit declares.
    pub(super) fn prototype(&self, name: &GlobalName) -> Option<Arc<TypeName>> {
        let mut scope = self.scope_of(name);
        scope.find_map(|table| table.contents().prototypes.get(&name.name).cloned())
    }

    /// Whether a name of a unit is that of a function.
    pub(super) fn is_function(&self, name: &GlobalName) -> bool {
        self.noted.declared(name.unit, &name.name);
        let own = self.unnoted(name.unit).contents();
        own.functions.contains_key(&name.name) || self.prototype(name).is_some()
    }

    /// A struct or union; `None` for one that nothing declares.
    pub(super) fn record(&self, id: StructId) -> Option<&'a Struct> {
        self.noted.structure(id);
        self.unnoted(id.unit).unit().structs.get(id.row)
    }

    /// The unit whose text says what a name at file scope means in a unit, with the name.
    pub(super) fn owner(&self, unit: UnitId, name: &Name) -> GlobalName {
        let own = GlobalName {
            unit,
            name: name.clone(),
        };
        let is_elsewhere = match self.global(&own) {
            Some(Global::Object(object)) => !is_definition(object),
            Some(Global::Enumerator(_)) => false,
            // Declared within a function, or by a header that is not there.
            None => !self.is_function(&own),
        };
        self.noted.object(name);
        let unit = match self.linked.externals.object(name) {
            Some((defined, first)) if is_elsewhere => match defined {
                [] => first,
                [other] => *other,
                [_, _, ..] => unit,
            },
            _ => unit,
        };
        GlobalName { unit, ..own }
    }

    /// What the text says about a name at file scope: where nothing defines it, what is said first.
    pub(super) fn global(&self, name: &GlobalName) -> Option<Global<'a>> {
        let mut declared = None;
        for table in self.scope_of(name) {
            let Some(global) = table.global(&name.name) else {
                continue;
            };
            declared = Some(global);
            if !matches!(global, Global::Object(object) if !is_definition(object)) {
                break;
            }
        }
        declared
    }

    /// Whether some function changes an object at file scope.
    pub(super) fn is_written(&self, name: &GlobalName) -> bool {
        self.noted.written(name);
        self.linked.is_written(name)
    }

    /// Whether all that a unit does with an object of its own is to load scalars from it; nobody else
    /// sees it.
    pub(super) fn only_loads(&self, name: &GlobalName, object: &Object, kind: &Type) -> bool {
        if object.lifetime != Lifetime::Static {
            return false;
        }
        let table = self.table(name.unit);
        let contents = table.contents();
        let facts = contents.facts.values().map(|facts| &**facts);
        let mut facts = facts.chain([&contents.file_scope]);
        !table.unit().has_error
            && facts.all(|facts| !facts.has_error && only_loads_outside(facts, &name.name, kind))
    }

    /// What an object holds that is there once and never changes, found when it is first asked for.
    pub(super) fn image(
        &self,
        at: At,
        find: impl FnOnce() -> Option<Rc<Image>>,
    ) -> Option<Rc<Image>> {
        if let Some((known, asked)) = self.images.borrow().get(&at) {
            self.noted.add(asked);
            return known.clone();
        }
        // Whoever asks for it depends on what was asked to find it.
        let around = self.noted.take();
        let found = find();
        let asked = self.noted.take();
        self.noted.add(&around);
        self.noted.add(&asked);
        let mut images = self.images.borrow_mut();
        images.insert(at, (found.clone(), asked));
        found
    }

    /// Whether functions of other files may touch arrays at the file scope of a unit.
    fn shares_arrays(&self, unit: UnitId) -> bool {
        let mut globals = self.scope(unit).flat_map(|(_, table)| table.globals());
        globals.any(|(name, global)| self.is_shared_array(unit, name, &global))
    }

    /// Whether functions of other files may touch an array at file scope, by its name or by a pointer
    /// that went somewhere, and this file does, too.
    fn is_shared_array(&self, unit: UnitId, name: &Name, global: &Global) -> bool {
        let Global::Object(object) = global else {
            return false;
        };
        if !matches!(*object.kind, TypeName::Array(..) | TypeName::Pointer(_))
            || self.is_standard(object.at)
        {
            return false;
        }
        let is_static = object.lifetime == Lifetime::Static;
        self.contents(unit).facts.values().any(|facts| {
            let is_hidden = !facts.mentioned_outside.contains(name);
            let is_passed = facts.passed.iter().any(|(callee, passed)| {
                passed == name && self.definition(unit, callee).is_some() != is_static
            });
            let is_used = facts.bare.contains(name) || is_passed;
            !is_hidden && (is_used || (!is_static && facts.subscripted.contains(name)))
        })
    }

    /// What the text of a function tells.
    pub(super) fn facts_of(&self, function: &GlobalName) -> Arc<SyntaxFacts> {
        let facts = &self.contents(function.unit).facts;
        facts.get(&function.name).cloned().unwrap_or_default()
    }

    /// The value that the user gave for a name that the program has.
    pub(super) fn given(&self, name: &Name) -> Option<i64> {
        let (given, value) = match self.linked.sizes.values.get_key_value(&**name) {
            Some(known) => known,
            None => self.any_case(name, self.linked.sizes.values.iter(), |(given, _)| given)?,
        };
        self.use_size(given);
        Some(*value)
    }

    /// Whether the user says something about sizes.
    pub(super) fn has_given_sizes(&self) -> bool {
        let Sizes {
            values, symbolic, ..
        } = self.linked.sizes;
        !values.is_empty() || !symbolic.is_empty()
    }

    /// Notes that the program has a name for a size that is given or kept symbolic.
    pub(super) fn use_size(&self, given: &str) {
        self.noted.size(given);
        self.used_sizes.borrow_mut().insert(given.to_owned());
    }

    /// What the user says of a name in other upper and lower case, which Fortran does not tell apart.
    fn any_case<T>(
        &self,
        name: &Name,
        mut given: impl Iterator<Item = T>,
        key: impl Fn(&T) -> &String,
    ) -> Option<T> {
        let first = self.linked.tables.first()?;
        if first.parsed.said.notation() != Notation::Fortran {
            return None;
        }
        given.find(|one| key(one).eq_ignore_ascii_case(name))
    }

    /// Whether a name that the program has is to be kept as a size without a value.
    pub(super) fn is_symbolic(&self, name: &Name) -> bool {
        let known = match self.linked.sizes.symbolic.get(&**name) {
            Some(known) => Some(known),
            None => self.any_case(name, self.linked.sizes.symbolic.iter(), |given| given),
        };
        if let Some(given) = known {
            self.use_size(given);
        }
        known.is_some()
    }

    /// Whether a name is a macro that stayed in the text as a size without a value.
    pub(super) fn is_kept_macro(&self, name: &GlobalName) -> bool {
        self.noted.declared(name.unit, &name.name);
        let parsed = &self.unnoted(name.unit).parsed;
        parsed.kept.contains_key(&*name.name)
    }

    /// Where a size is declared.
    pub(super) fn span_of_size(&self, name: &Name, at: At) -> Span {
        let kept = self.unnoted(at.unit).parsed.kept.get(&**name);
        kept.and_then(|kept| *kept).unwrap_or_else(|| self.span(at))
    }

    /// Whether numbers that only running the program would tell are not zero.
    pub(super) fn is_dense(&self) -> bool {
        self.linked.sizes.dense
    }

    /// Whether trees say which operations run.
    pub(super) fn has_operations(&self) -> bool {
        !self.linked.sizes.without_operations
    }

    /// The sizes that the user gave for names that the program has, after lowering.
    pub fn used_sizes(&self) -> BTreeSet<String> {
        self.used_sizes.borrow().clone()
    }

    /// The integer constants that a unit declares at file scope, which `-P` can name.
    pub(super) fn constants_of(&self, unit: UnitId) -> impl Iterator<Item = String> {
        let is_constant = |global: &Global| match global {
            Global::Object(object) => {
                matches!(*object.kind, TypeName::Integer(_)) && !self.is_standard(object.at)
            }
            Global::Enumerator(_) => true,
        };
        let globals = self.unnoted(unit).globals();
        let constants = globals.filter(move |(_, global)| is_constant(global));
        constants.map(|(name, _)| name.to_string())
    }

    /// Those that hold in it because it comes after what declares them.
    pub(super) fn constants_before(&self, unit: UnitId) -> impl Iterator<Item = String> {
        let others = self.scope(unit).skip(1);
        others.flat_map(|(unit, _)| self.constants_of(unit))
    }

    /// Where a piece of the preprocessed text was written. Nothing that is found depends on it: places move with
    /// their lines.
    pub fn span(&self, at: At) -> Span {
        let origins = self.unnoted(at.unit).parsed.origins;
        origins.span(at.start as usize..at.end as usize)
    }

    /// A piece of the program as written, runs of white space as one space.
    pub(super) fn text(&self, at: At) -> String {
        self.table(at.unit);
        let text = self.linked.sources.text(self.span(at));
        let words: Vec<&str> = text.split_whitespace().collect();
        let joined = words.join(" ");
        match joined.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("{}…", &joined[..end]),
            None => joined,
        }
    }

    /// The pointer of a reference as written: `p[i]` without its last subscript, `*p` without `*`.
    pub(super) fn pointer_text(&self, at: At) -> String {
        let text = self.text(at);
        if let Some(rest) = text.strip_prefix('*') {
            return rest.trim_matches(['(', ')', '+']).to_owned();
        }
        let mut open = 0_usize;
        for (idx, c) in text.char_indices().rev() {
            match c {
                ']' => open += 1,
                '[' => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 && c == '[' {
                return text[..idx].trim().to_owned();
            }
        }
        match text.rsplit_once("->") {
            Some((pointer, _)) => pointer.to_owned(),
            None => text,
        }
    }

    /// Whether something stands in a header of the standard library.
    pub(super) fn is_standard(&self, at: At) -> bool {
        let file = self.linked.sources.file(self.span(at).file);
        file.path().starts_with('<')
    }
}

impl<'a> Linked<'a> {
    /// The program, of which nothing was asked yet.
    pub(super) fn view(self: &Arc<Self>) -> Program<'a> {
        let n_noted = match self.memory {
            Some(_) => self.tables.len(),
            None => 0,
        };
        Program {
            linked: self.clone(),
            used_sizes: RefCell::default(),
            images: RefCell::default(),
            noted: Noted::of(n_noted),
        }
    }

    fn table(&self, unit: UnitId) -> &Table<'a> {
        &self.tables[unit.0 as usize]
    }

    /// What a call by name in a unit leads to.
    fn meaning(&self, unit: UnitId, name: &Name) -> Meaning<'_> {
        let known = self.stated.known;
        let is_known = self.table(known).defines(name);
        match self.stated.table.effect(name) {
            Some(FunctionEffect::Body(_)) if is_known => return Meaning::Unit(known),
            Some(effect) => return Meaning::Stated(effect),
            None if is_handler(name) => return Meaning::Stated(HANDLED),
            None if self.table(unit).defines(name) => return Meaning::Unit(unit),
            None => {}
        }
        match self.externals.functions(name) {
            [other] => Meaning::Unit(*other),
            several @ [_, _, ..] => match self.nearest(unit, several) {
                Some(other) => Meaning::Unit(other),
                None => Meaning::Several,
            },
            [] if is_known => Meaning::Unit(known),
            [] => Meaning::Nowhere,
        }
    }

    fn definition(&self, unit: UnitId, name: &Name) -> Option<GlobalName> {
        self.meaning(unit, name).definition(name)
    }

    /// Whether some function changes an object at file scope.
    fn is_written(&self, name: &GlobalName) -> bool {
        self.written.binary_search(name).is_ok()
    }

    /// Of several units, the only one in the folder of a unit, else in the next one above it: programs
    /// that share a tree of folders have their own definitions beside what calls them.
    fn nearest(&self, unit: UnitId, several: &[UnitId]) -> Option<UnitId> {
        // Where files are has nothing to do with what they say.
        let folder = |unit: UnitId| {
            let main = self.table(unit).parsed.origins.main();
            let path = self.sources.file(main).path();
            Path::new(path).parent().unwrap_or(Path::new(""))
        };
        let own = folder(unit);
        let above = |other: &&UnitId| own.starts_with(folder(**other));
        let depth = |other: &UnitId| folder(*other).components().count();
        let deepest = several.iter().filter(above).map(depth).max()?;
        let nearest = several.iter().filter(above);
        let mut nearest = nearest.filter(|other| depth(other) == deepest);
        match (nearest.next(), nearest.next()) {
            (Some(only), None) => Some(*only),
            _ => None,
        }
    }

    /// How far calls into other files are followed from one function.
    fn linked_steps(&self) -> u64 {
        let n_functions: u64 = self.tables.iter().map(Table::n_loops).sum();
        let part = self.links.of_few / n_functions.max(1);
        self.links.of_one.max(part.min(MAX_LINKED_WORK))
    }
}
