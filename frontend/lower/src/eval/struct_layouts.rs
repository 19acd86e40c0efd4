//! Layouts of structs: offsets of members, sizes and alignments.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::integers::{plus, times};
use crate::domain::types::{BitField, NumberType, StructLayout, StructMember, Type, find_member};
use crate::domain::values::as_offset;
use crate::eval::file_scope::at_file_scope;
use crate::eval::undeclared_types::assume_undeclared;
use crate::syntax::{
    Alignment, Designator, Enumeration, Expression as Expr, Field, Name, Notation, Packing, Struct,
    StructId, TypeName,
};
use premiss_ast::layout::{LayoutRules, MemberLayout, RecordLayout, lay_out_members};
use premiss_tree::{Assumption, AssumptionKind, Expression, IntegerType};
use std::rc::Rc;

/// The maximum number of scalars of a struct that is copied as a whole.
const MAX_COPIED_FIELDS: usize = 256;

/// The size and alignment in bytes of a type that nothing declares.
const UNDECLARED_BYTES: i64 = 8;

/// The alignment in bytes of `aligned` without a number.
const GREATEST_ALIGNMENT: i64 = 16;

/// The layout of a struct; `None` where it is not declared, or its size is not a constant.
pub(crate) fn struct_layout(ctx: &mut Lowering, id: StructId) -> Lowered<Option<Rc<StructLayout>>> {
    if let Some(known) = ctx.symbols.layouts.get(&id) {
        return Ok(known.clone());
    }
    // A struct that contains itself has no layout.
    ctx.symbols.layouts.insert(id, None);
    let is_global = ctx
        .program
        .struct_declaration(id)
        .is_some_and(|row| row.is_at_file_scope);
    let layout = match is_global {
        true => at_file_scope(ctx, id.unit, |ctx| compute_layout(ctx, id)).flatten(),
        false => compute_layout(ctx, id)?,
    };
    let layout = layout.map(Rc::new);
    ctx.symbols.layouts.insert(id, layout.clone());
    Ok(layout)
}

fn compute_layout(ctx: &mut Lowering, id: StructId) -> Lowered<Option<StructLayout>> {
    let program = ctx.program;
    let Some(row) = program.struct_declaration(id) else {
        return Ok(None);
    };
    let (Some(fields), false) = (&row.fields, row.attributes.is_foreign) else {
        return Ok(None);
    };
    let packing = match row.packing {
        None | Some(Packing::Natural) => None,
        Some(Packing::Bytes(bytes)) => Some(i64::from(bytes)),
        Some(Packing::Unknown) => return Ok(None),
    };
    let mut shapes = Vec::new();
    let mut kinds = Vec::new();
    for field in fields {
        let kind = ctx.resolve(&field.kind)?;
        match member_shape(ctx, field, &kind, row.attributes.packed)? {
            Some(shape) => shapes.push(shape),
            None => return Ok(None),
        }
        kinds.push(kind);
    }
    let Some(aligned) = strictest_alignment(ctx, &row.attributes.aligned)? else {
        return Ok(None);
    };
    let form = LayoutRules {
        is_union: row.is_union,
        packing,
        aligned,
    };
    let found = lay_out_members(form, &shapes);
    Ok(found.and_then(|placed| layout_of_members(row, &shapes, kinds, &placed)))
}

/// The layout properties of a member; `None` if its size is not constant.
fn member_shape(
    ctx: &mut Lowering,
    field: &Field,
    kind: &Type,
    packed: bool,
) -> Lowered<Option<MemberLayout>> {
    let n_bytes = match (kind, kind.size()) {
        (Type::Array(_, None), _) => Some(0),
        (_, Some(Expression::Integer(bytes))) => Some(bytes),
        _ => undeclared_bytes(ctx, &field.kind, kind),
    };
    assume_undeclared(ctx, kind.innermost());
    let width = match &field.width {
        None => None,
        Some(syntax) => match lower_constant(ctx, syntax)? {
            Some(width) if 0 <= width && kind.integer().is_some() => Some(width),
            _ => return Ok(None),
        },
    };
    let alignment = match undeclared_name(&field.kind) {
        Some(_) => n_bytes.map(|_| UNDECLARED_BYTES),
        None => alignment_of(ctx, &field.kind)?,
    };
    let aligned = strictest_alignment(ctx, &field.attributes.aligned)?;
    let (Some(n_bytes), Some(alignment), Some(aligned)) = (n_bytes, alignment, aligned) else {
        return Ok(None);
    };
    let is_size = (0..1 << 32).contains(&n_bytes);
    let fits = width.is_none_or(|width| width / 8 <= n_bytes);
    if !is_size || !fits || !is_alignment(alignment) {
        return Ok(None);
    }
    // Packing only affects members that may have padding.
    let can_pack = field.width.is_some() || 1 < alignment;
    Ok(Some(MemberLayout {
        n_bytes,
        alignment,
        width,
        is_named: field.name.is_some(),
        packed: (packed || field.attributes.packed) && can_pack,
        aligned,
    }))
}

/// The bytes of a member of a type of Fortran or Rust that no file declares, or of an array of them: those of pointers, which
/// most such types are or fit into (`W` of `struct Encoder<W: Write>`). It is an assumption, and told as one. Those of C have
/// a size wherever they stand.
fn undeclared_bytes(ctx: &mut Lowering, name: &TypeName, kind: &Type) -> Option<i64> {
    let (name, unit) = (undeclared_name(name)?, ctx.unit());
    let n_elements = n_elements(kind)?;
    if ctx.program.notation(unit) == Notation::Rust {
        if let Some(bytes) = library_bytes(name) {
            return n_elements.checked_mul(bytes);
        }
        if UNNAMED.contains(&&**name) {
            return None;
        }
    }
    ctx.assumptions.insert(Assumption {
        kind: AssumptionKind::UndeclaredType,
        subject: name.to_string(),
    });
    n_elements.checked_mul(UNDECLARED_BYTES)
}

/// What stands for the name of a type in Rust that has none, or whose size depends on that of its parts.
const UNNAMED: [&str; 8] = [
    "_", "!", "slice", "Option", "Result", "ArrayVec", "SmallVec", "dyn",
];

/// The bytes of types of Rust's library whose parts are not modelled, on machines of 64 bits.
fn library_bytes(name: &str) -> Option<i64> {
    Some(match name {
        "HashMap" | "HashSet" => 48,
        "VecDeque" => 32,
        "BTreeMap" | "BTreeSet" | "PathBuf" | "OsString" => 24,
        "Instant" | "Duration" | "SystemTime" => 16,
        _ => return None,
    })
}

/// The name of an undeclared type, or of that of the elements of arrays.
fn undeclared_name(name: &TypeName) -> Option<&Name> {
    match name {
        TypeName::Unknown(name) => Some(name),
        TypeName::Array(element, _) => undeclared_name(element),
        _ => None,
    }
}

/// The number of elements of nested arrays: 1 for what is no array.
fn n_elements(kind: &Type) -> Option<i64> {
    match kind {
        Type::Array(element, length) => {
            let length = length.as_ref()?.as_integer()?;
            n_elements(element)?.checked_mul(length)
        }
        _ => Some(1),
    }
}

/// The strictest of some alignments in bytes, 0 if there are none; `None` if one is unknown.
fn strictest_alignment(ctx: &mut Lowering, aligned: &[Alignment]) -> Lowered<Option<i64>> {
    let mut strictest = 0;
    for alignment in aligned {
        let bytes = match alignment {
            Alignment::Greatest => Some(GREATEST_ALIGNMENT),
            Alignment::OfType(kind) => alignment_of(ctx, kind)?,
            Alignment::Bytes(syntax) => lower_constant(ctx, syntax)?,
        };
        match bytes {
            Some(0) => {}
            Some(bytes) if is_alignment(bytes) => {
                strictest = strictest.max(bytes);
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(strictest))
}

/// The alignment of a type in bytes; `None` if it is unknown.
pub(crate) fn alignment_of(ctx: &mut Lowering, name: &TypeName) -> Lowered<Option<i64>> {
    match name {
        TypeName::Aligned(inner, aligned) => match strictest_alignment(ctx, aligned)? {
            Some(0) => alignment_of(ctx, inner),
            other => Ok(other),
        },
        TypeName::Array(element, _) => alignment_of(ctx, element),
        TypeName::Complex(part) => Ok(Some(i64::from(*part))),
        TypeName::Vector(bytes) => lower_constant(ctx, bytes),
        name => {
            let kind = ctx.resolve(name)?;
            let is_known = !matches!(kind.innermost(), Type::Unknown(_));
            Ok(is_known.then(|| i64::from(kind.alignment())))
        }
    }
}

/// The value of a constant expression.
fn lower_constant(ctx: &mut Lowering, syntax: &Expr) -> Lowered<Option<i64>> {
    let value = ctx.expression(syntax)?;
    Ok(as_offset(value).as_integer())
}

/// A vector type, which counts as a single number of its size.
pub(crate) fn vector_type(ctx: &mut Lowering, bytes: &Expr) -> Lowered<Type> {
    let bytes = lower_constant(ctx, bytes)?.and_then(|x| u32::try_from(x).ok());
    Ok(match bytes {
        Some(bytes) => Type::Floating(NumberType::real(bytes)),
        None => Type::Unknown("vector".into()),
    })
}

/// The type of an enumeration: `int` if it holds all values; for a packed one, the smallest type that does.
pub(crate) fn enumeration_type(ctx: &mut Lowering, row: &Enumeration) -> Lowered<IntegerType> {
    let (mut least, mut greatest) = (0, 0);
    for (base, plus) in &row.values {
        let base = match base {
            Some(syntax) => lower_constant(ctx, syntax)?,
            None => Some(0),
        };
        if let Some(value) = base.and_then(|base| base.checked_add(*plus)) {
            least = least.min(value);
            greatest = greatest.max(value);
        }
    }
    let signed = least < 0;
    let fits = |bits: u32| match signed {
        true => -(1_i128 << (bits - 1)) <= least.into() && i128::from(greatest) < 1 << (bits - 1),
        false => i128::from(greatest) < 1 << bits,
    };
    let choices: &[u8] = if row.packed { &[8, 16, 32] } else { &[32] };
    let bits = choices.iter().copied().find(|bits| fits(u32::from(*bits)));
    let bits = bits.unwrap_or(64);
    let signed = signed || bits == 32;
    Ok(IntegerType { bits, signed })
}

/// The offset of a part of an object from its start, in bytes; data if there is no such part.
pub(crate) fn lower_offset_of(
    ctx: &mut Lowering,
    kind: Type,
    steps: &[Designator],
) -> Lowered<Expression> {
    let mut kind = kind;
    let mut offset = Expression::Integer(0);
    for step in steps {
        match (step, kind) {
            (Designator::Member(name), Type::Struct(_, layout)) => {
                let Some(member) = find_member(&layout, name) else {
                    return Ok(Expression::Data);
                };
                offset = plus(offset, i64::from(member.offset).into());
                kind = member.kind;
            }
            (Designator::Index(syntax), Type::Array(element, _)) => {
                let index = ctx.expression(syntax)?;
                let Some(size) = element.size() else {
                    return Ok(Expression::Data);
                };
                offset = plus(offset, times(size, as_offset(index)));
                kind = (*element).clone();
            }
            _ => return Ok(Expression::Data),
        }
    }
    Ok(offset)
}

/// Whether a number of bytes is a power of two that GCC accepts as an alignment.
fn is_alignment(bytes: i64) -> bool {
    (1..1 << 29).contains(&bytes) && bytes & (bytes - 1) == 0
}

/// The layout with the named members.
fn layout_of_members(
    row: &Struct,
    shapes: &[MemberLayout],
    kinds: Vec<Type>,
    placed: &RecordLayout,
) -> Option<StructLayout> {
    let fields = row.fields.iter().flatten();
    let mut members = Vec::new();
    for ((field, kind), (shape, start)) in fields.zip(kinds).zip(shapes.iter().zip(&placed.starts))
    {
        let first = start / 8;
        let kind = match shape.width {
            // An unnamed bit-field is padding.
            Some(_) if field.name.is_none() => continue,
            Some(width) => Type::BitField(BitField {
                kind: kind.integer()?,
                n_bytes: u32::try_from((start + width + 7) / 8 - first).ok()?,
                is_whole: start % 8 == 0 && matches!(width, 8 | 16 | 32 | 64),
            }),
            None => kind,
        };
        members.push(StructMember {
            name: field.name.clone(),
            offset: u32::try_from(first).ok()?,
            kind,
        });
    }
    Some(StructLayout {
        size: u32::try_from(placed.size).ok()?,
        alignment: u32::try_from(placed.alignment).ok()?,
        is_union: row.is_union,
        members,
    })
}

/// Adds offset and size in bytes of each scalar of a type; false if there are too many. A union counts as the first of
/// its largest members.
pub(crate) fn scalars_of(kind: &Type, start: i64, scalars: &mut Vec<(i64, u32)>) -> bool {
    if scalars.len() >= MAX_COPIED_FIELDS {
        return false;
    }
    match kind {
        Type::Struct(_, layout) if layout.is_union => match largest_member(layout) {
            Some(member) => scalars_of(&member.kind, start, scalars),
            None => layout.members.is_empty(),
        },
        Type::Struct(_, layout) => layout.members.iter().all(|member| {
            let offset = start.saturating_add(i64::from(member.offset));
            // A flexible array member is not copied with its struct.
            matches!(member.kind, Type::Array(_, None)) || scalars_of(&member.kind, offset, scalars)
        }),
        Type::Array(element, Some(Expression::Integer(length))) => {
            let Some(size) = element.size().and_then(|size| size.as_integer()) else {
                return false;
            };
            (0..*length).all(|idx| {
                let offset = start.saturating_add(size.saturating_mul(idx));
                scalars_of(element, offset, scalars)
            })
        }
        other => match other.scalar_size() {
            Some(size) => {
                scalars.push((start, size));
                true
            }
            None => false,
        },
    }
}

/// The member of a union that covers all others; `None` if no member does.
fn largest_member(layout: &StructLayout) -> Option<&StructMember> {
    let size = |member: &StructMember| member.kind.size().and_then(|size| size.as_integer());
    let sizes: Option<Vec<i64>> = layout.members.iter().map(size).collect();
    let greatest = sizes?.into_iter().max()?;
    layout
        .members
        .iter()
        .find(|member| size(member) == Some(greatest))
}
