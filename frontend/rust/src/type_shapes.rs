//! The sizes of types as rustc lays them out: of enumerations with fields; and the order of fields in structs.
//!
//! ```text
//! struct Block { n: usize, bytes: [u8; 64] }  `bytes` at 0, `n` at 64: fields are ordered by size as far as it is a power of two
//! enum Shape { Disc(f32), Box(f32, f32) }     12 bytes: a tag, and the fields of the largest variant
//! enum Text { Short(u8), Long(Vec<u8>) }      24 bytes: capacities that no vector has tell that it is short
//! ```
//!
//! Values that a type never has, as `0` for a reference, are its *niche*. If the largest variant has a niche with room for
//! the other variants, and their fields fit beside it, the niche tells the variant; else a tag does (`rustc_abi`,
//! `layout_of_enum`; the compiler takes the smaller one).

use crate::ast_builder::{as_integer, integer};
use crate::context::{ProgramContext, Substitution};
use crate::item_index::name_of_type;
use crate::types::Ty;
use premiss_ast::syntax::{TextRange, TypeName, UnitId};
use premiss_tree::IntegerType;
use std::cmp::Reverse;
use std::sync::Arc;

/// The maximum number of types inside each other.
const MAX_DEPTH: usize = 24;

/// The bytes and the alignment of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) bytes: u64,
    pub(crate) alignment: u64,
    pub(crate) niche: Option<Niche>,
}

/// The largest set of values that a scalar within a type never has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Niche {
    /// The first byte of the scalar.
    at: u64,
    bytes: u64,
    n_values: u128,
}

/// How the fields of a struct or variant are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldOrder {
    AsWritten,
    /// The strictest alignment first; niches before other fields of theirs.
    NicheFirst,
    /// The strictest alignment first; niches behind other fields of theirs.
    NicheLast,
    /// Behind a tag of this many bytes, the strictest alignment last.
    BehindTag(u64),
}

/// A field and its offset.
type PlacedField = (usize, u64);

impl Shape {
    /// A number that has all values.
    const fn number(bytes: u64) -> Self {
        Self {
            bytes,
            alignment: bytes,
            niche: None,
        }
    }

    /// A type whose first scalar, of `bytes`, has not all values.
    fn with_niche(bytes: u64, alignment: u64, scalar: u64, n_values: u128) -> Self {
        let niche = Niche {
            at: 0,
            bytes: scalar,
            n_values,
        };
        Self {
            bytes,
            alignment,
            niche: (0 < n_values).then_some(niche),
        }
    }

    fn n_niche_values(&self) -> u128 {
        self.niche.map_or(0, |niche| niche.n_values)
    }

    /// The type of an object of this size and alignment.
    pub(crate) fn memory(&self) -> TypeName {
        let bits = u8::try_from(8 * self.alignment.min(8)).unwrap_or(64);
        let kind = IntegerType {
            bits,
            signed: false,
        };
        let at = TextRange::start_of(UnitId(0));
        let n_words = i64::try_from(self.bytes / self.alignment.min(8)).unwrap_or(0);
        let length = Arc::new(integer(at, n_words));
        TypeName::Array(Arc::new(TypeName::Integer(kind)), Some(length))
    }
}

/// The shape of the enumeration of a name, if it is the only one of the name and has fields without generic
/// parameters.
pub(crate) fn shape_of_enumeration(program: &ProgramContext, name: &str) -> Option<Shape> {
    shape(program, &Ty::Unknown(name.into()), 0)
}

/// The shape of a type; `None` if it is not known.
fn shape(program: &ProgramContext, kind: &Ty, depth: usize) -> Option<Shape> {
    if MAX_DEPTH < depth {
        return None;
    }
    let bits_of = |kind: &IntegerType| u64::from(kind.bits);
    Some(match kind {
        Ty::Unit | Ty::Never => Shape {
            bytes: 0,
            alignment: 1,
            niche: None,
        },
        Ty::Bool => Shape::with_niche(1, 1, 1, 254),
        Ty::Char => Shape::with_niche(4, 4, 4, (1 << 32) - 0x11_0000),
        Ty::Int(kind) if 0 < kind.bits => Shape::number(bits_of(kind) / 8),
        Ty::Enum(idx, kind) => {
            let n_variants = program.index.enumerations.list[*idx].variants.len();
            let bytes = bits_of(kind) / 8;
            let n_values = (1u128 << kind.bits).saturating_sub(n_variants as u128);
            Shape::with_niche(bytes, bytes, bytes, n_values)
        }
        Ty::Float(size) if 0 < *size => Shape::number(u64::from(*size)),
        Ty::Opaque(size) if *size <= 16 => Shape::number(u64::from(*size)),
        Ty::Simd(_, size) => Shape::number(u64::from(*size)),
        Ty::Pointer(inner) | Ty::Box(inner) => match &**inner {
            Ty::Slice(_) | Ty::Str => Shape::with_niche(16, 8, 8, 1),
            // It may be a trait object.
            Ty::Unknown(name) if &**name == "_" => return None,
            _ => Shape::with_niche(8, 8, 8, 1),
        },
        // The capacity is less than 2^63.
        Ty::Vec(_) => Shape::with_niche(24, 8, 8, 1 << 63),
        Ty::Array(element, length) => {
            let element = shape(program, element, depth + 1)?;
            let n = u64::try_from(as_integer(&length.0)?).ok()?;
            Shape {
                bytes: element.bytes.checked_mul(n)?,
                niche: element.niche.filter(|_| 0 < n),
                ..element
            }
        }
        Ty::Option(inner) => {
            let inner = shape(program, inner, depth + 1)?;
            shape_of_variants(&[vec![inner], Vec::new()])?
        }
        Ty::Record(record, _) if program.index.records[*record].is_foreign => return None,
        Ty::Tuple(_) | Ty::Record(..) | Ty::Range(_) => shape_of_members(program, kind, depth + 1)?,
        Ty::Unknown(name) => match non_zero(name) {
            Some(kind) => {
                let bytes = bits_of(&kind) / 8;
                Shape::with_niche(bytes, bytes, bytes, 1)
            }
            None => shape_of_named(program, name, depth + 1)?,
        },
        _ => return None,
    })
}

/// The shape of a member of a struct; of one whose size is not known, that of a pointer.
pub(crate) fn shape_of_member(program: &ProgramContext, kind: &Ty, alignment: u32) -> Shape {
    let unknown = Shape::number(u64::from(alignment));
    shape(program, kind, 0).unwrap_or(unknown)
}

/// The shape of a type with members, found once: structs of structs have exponentially many.
fn shape_of_members(program: &ProgramContext, kind: &Ty, depth: usize) -> Option<Shape> {
    let key = kind.key();
    if let Some(known) = program.shapes.borrow().get(&key) {
        return *known;
    }
    let (members, is_ordered) = program.members(kind, depth);
    let all = members.iter().map(|(_, kind)| shape(program, kind, depth));
    let all: Option<Vec<Shape>> = all.collect();
    let found = all.and_then(|all| match is_ordered {
        true => placed_in(&all, FieldOrder::AsWritten).map(|(_, shape)| shape),
        false => shape_of_fields(&all),
    });
    program.shapes.borrow_mut().insert(key, found);
    found
}

/// The shape of an enumeration with fields.
fn shape_of_named(program: &ProgramContext, name: &str, depth: usize) -> Option<Shape> {
    if let Some(known) = program.shapes.borrow().get(name) {
        return *known;
    }
    // One that contains itself has it behind a pointer.
    program.shapes.borrow_mut().insert(name.to_owned(), None);
    let variants = variants_of(program, name, depth);
    let found = variants.and_then(|variants| shape_of_variants(&variants));
    program.shapes.borrow_mut().insert(name.to_owned(), found);
    found
}

fn variants_of(program: &ProgramContext, name: &str, depth: usize) -> Option<Vec<Vec<Shape>>> {
    let idx = program.index.enumerations.of_name(name)?;
    let one = &program.index.enumerations.list[idx];
    let has_types = one.item.generics.type_params().next().is_some()
        || one.item.generics.const_params().next().is_some();
    let is_stated = one.item.attrs.iter().any(|a| a.path().is_ident("repr"));
    if has_types || is_stated {
        return None;
    }
    let scope = Substitution::default();
    let variants = one.item.variants.iter().map(|variant| {
        let fields = variant.fields.iter().map(|field| {
            if name_of_type(&field.ty) == "Result" {
                return None;
            }
            let kind = program.in_text(one.unit, |c| c.resolve(&field.ty, &scope));
            shape(program, &kind, depth)
        });
        fields.collect()
    });
    variants.collect()
}

fn rounded_up(bytes: u64, alignment: u64) -> u64 {
    bytes.next_multiple_of(alignment.max(1))
}

/// The order of the fields of a struct in memory, as indices.
pub(crate) fn order_of_fields(fields: &[Shape]) -> Vec<usize> {
    match placed(fields) {
        Some((placed, _)) => placed.into_iter().map(|(idx, _)| idx).collect(),
        None => (0..fields.len()).collect(),
    }
}

/// The fields of a struct that the compiler orders: niches first, unless the last place is nearer to an end.
fn placed(fields: &[Shape]) -> Option<(Vec<PlacedField>, Shape)> {
    let first = placed_in(fields, FieldOrder::NicheFirst)?;
    let space = |shape: &Shape| {
        let niche = shape.niche?;
        Some((niche.at, shape.bytes - niche.at - niche.bytes))
    };
    if let Some((head, tail)) = space(&first.1)
        && 1 < fields.len()
        && head != 0
        && 0 < tail
    {
        let last = placed_in(fields, FieldOrder::NicheLast)?;
        if let Some((_, tail)) = space(&last.1)
            && tail < head
        {
            return Some(last);
        }
    }
    Some(first)
}

/// What fields are ordered by, as the logarithm of an alignment: `[u8; 4]` is among those of four bytes.
fn group(field: &Shape, fields: &[Shape], order: FieldOrder) -> u32 {
    let size = field.alignment.max(field.bytes).trailing_zeros();
    let most = fields.iter().map(Shape::n_niche_values).max().unwrap_or(0);
    if most == 0 {
        return size;
    }
    match order {
        FieldOrder::NicheLast if field.n_niche_values() == most => field.alignment.trailing_zeros(),
        FieldOrder::NicheLast => size,
        _ => size.min(strictest_alignment(fields).trailing_zeros()),
    }
}

fn strictest_alignment(fields: &[Shape]) -> u64 {
    let all = fields.iter().map(|field| field.alignment);
    all.max().unwrap_or(1)
}

/// Places fields in an order (`univariant_biased`).
fn placed_in(fields: &[Shape], order: FieldOrder) -> Option<(Vec<PlacedField>, Shape)> {
    let mut sorted: Vec<usize> = (0..fields.len()).collect();
    let group_of = |idx: usize| group(&fields[idx], fields, order);
    let niche_at = |idx: usize| fields[idx].niche.map_or(0, |niche| niche.at);
    let behind_niche = |idx: usize| {
        let field = fields[idx];
        let behind = field
            .niche
            .map(|niche| field.bytes - niche.bytes - niche.at);
        behind.map_or(0, |behind| !behind)
    };
    match order {
        FieldOrder::AsWritten => {}
        FieldOrder::NicheFirst => sorted.sort_by_key(|idx| {
            let n_values = fields[*idx].n_niche_values();
            (Reverse(group_of(*idx)), Reverse(n_values), niche_at(*idx))
        }),
        FieldOrder::NicheLast => sorted.sort_by_key(|idx| {
            let n_values = fields[*idx].n_niche_values();
            (Reverse(group_of(*idx)), n_values, behind_niche(*idx))
        }),
        FieldOrder::BehindTag(_) => {
            sorted.sort_by_key(|idx| (group_of(*idx), fields[*idx].n_niche_values()));
        }
    }
    let mut end = match order {
        FieldOrder::BehindTag(bytes) => bytes,
        _ => 0,
    };
    let mut niche: Option<Niche> = None;
    let mut all = Vec::new();
    for idx in sorted {
        let field = fields[idx];
        let at = rounded_up(end, field.alignment);
        end = at.checked_add(field.bytes)?;
        all.push((idx, at));
        let is_larger = |own: &Niche| match niche {
            None => true,
            Some(best) if order == FieldOrder::NicheLast => best.n_values <= own.n_values,
            Some(best) => best.n_values < own.n_values,
        };
        if let Some(own) = field.niche.filter(is_larger) {
            niche = Some(Niche {
                at: at + own.at,
                ..own
            });
        }
    }
    let alignment = strictest_alignment(fields);
    let shape = Shape {
        bytes: rounded_up(end, alignment),
        alignment,
        niche,
    };
    Some((all, shape))
}

/// The number that a `NonZeroU32` holds.
pub(crate) fn non_zero(name: &str) -> Option<IntegerType> {
    let number = name.strip_prefix("NonZero")?.to_ascii_lowercase();
    match Ty::primitive(&number)? {
        Ty::Int(kind) => Some(kind),
        _ => None,
    }
}

/// The shape of a struct, or of a variant without a tag.
fn shape_of_fields(fields: &[Shape]) -> Option<Shape> {
    placed(fields).map(|(_, shape)| shape)
}

/// The shape of an enumeration whose variants have fields of these shapes.
fn shape_of_variants(variants: &[Vec<Shape>]) -> Option<Shape> {
    if let [only] = variants {
        return shape_of_fields(only);
    }
    let tagged = with_tag(variants)?;
    match with_niche(variants) {
        Some(other) if other.bytes < tagged.bytes => Some(other),
        Some(other)
            if other.bytes == tagged.bytes && tagged.n_niche_values() < other.n_niche_values() =>
        {
            Some(other)
        }
        _ => Some(tagged),
    }
}

/// A tag before the fields of each variant.
fn with_tag(variants: &[Vec<Shape>]) -> Option<Shape> {
    let least: u64 = if variants.len() <= 256 { 1 } else { 2 };
    let mut shape = Shape::number(least);
    let mut room: Option<u64> = None;
    for fields in variants {
        let (placed, own) = placed_in(fields, FieldOrder::BehindTag(least))?;
        shape.bytes = shape.bytes.max(own.bytes);
        shape.alignment = shape.alignment.max(own.alignment);
        let is_there = |field: &Shape| 0 < field.bytes || 1 < field.alignment;
        let mut first = placed.iter().map(|(idx, _)| fields[*idx]);
        if let Some(first) = first.find(is_there) {
            room = Some(room.map_or(first.alignment, |room| room.min(first.alignment)));
        }
    }
    // The tag takes the room before the first field.
    let tag = room.filter(|room| *room <= 16).unwrap_or(least).max(least);
    let n_values = match tag {
        16 => u128::MAX,
        tag => 1u128 << (8 * tag),
    };
    let n_values = n_values.saturating_sub(variants.len() as u128);
    let bytes = rounded_up(shape.bytes, shape.alignment);
    Some(Shape::with_niche(bytes, shape.alignment, tag, n_values))
}

/// The largest variant, in whose niche the others are told apart; `None` if they do not fit.
fn with_niche(variants: &[Vec<Shape>]) -> Option<Shape> {
    let all = variants.iter().map(|fields| shape_of_fields(fields));
    let all: Option<Vec<Shape>> = all.collect();
    let all = all?;
    let (largest, shape) = all.iter().enumerate().max_by_key(|(_, one)| one.bytes)?;
    let mut rest = (0..all.len()).filter(|idx| *idx != largest);
    let (first, last) = (rest.next()?, rest.next_back());
    let n_needed = (last.unwrap_or(first) - first + 1) as u128;
    let niche = shape.niche.filter(|niche| n_needed <= niche.n_values)?;
    let fits = |one: &Shape| {
        let behind = rounded_up(niche.at + niche.bytes, one.alignment);
        one.bytes <= niche.at || behind + one.bytes <= shape.bytes
    };
    let others = all.iter().enumerate().filter(|(idx, _)| *idx != largest);
    if !others.into_iter().all(|(_, one)| fits(one)) {
        return None;
    }
    let n_values = niche.n_values - n_needed;
    let alignment = all.iter().map(|one| one.alignment).max()?;
    Some(Shape {
        bytes: rounded_up(shape.bytes, alignment),
        alignment,
        niche: (0 < n_values).then_some(Niche { n_values, ..niche }),
    })
}
