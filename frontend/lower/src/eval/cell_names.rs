//! Names for the contents of memory, in the notation of the language: `v->size`, `v%size`, `v.size`.

use crate::context::Lowering;
use crate::domain::types::Type;
use crate::domain::values::ArrayRow;
use crate::syntax::{Notation, TextRange};

/// The name of a scalar in an array: `v->size`, `p[2].n`, `*n`; of an extent that a component has, `size(g%u,1)`.
pub(crate) fn cell_name(ctx: &Lowering, row: ArrayRow, offset: i64, at: TextRange) -> String {
    let name = scalar_name(ctx, row, offset, at);
    let inquiry = name
        .rsplit_once('%')
        .and_then(|(object, member)| Some((object, member.split_once('(')?)));
    match inquiry {
        Some((object, (inquiry @ ("size" | "lbound"), component))) => {
            format!("{inquiry}({object}%{component}")
        }
        _ => name,
    }
}

/// The name of a scalar by the members that lead to it.
fn scalar_name(ctx: &Lowering, row: ArrayRow, offset: i64, at: TextRange) -> String {
    let data = &ctx.symbols.arrays[row.0];
    let element = data.kind.innermost();
    let size = element.scalar_size().map_or(0, i64::from);
    if size == 0 {
        return reference_name(ctx, at);
    }
    let notation = ctx.program.notation(data.at.unit);
    let is_register = ctx.symbols.registers.contains(&row);
    let (idx, within) = (offset.div_euclid(size), offset.rem_euclid(size));
    let is_pointer = !matches!(data.kind, Type::Array(..));
    let name = &data.name;
    let Some(path) = member_path(notation, element, within) else {
        return reference_name(ctx, at);
    };
    // In Fortran, the name of an element depends on bounds and the number of dimensions.
    if path.is_empty() && notation == Notation::Fortran && !is_register {
        return reference_name(ctx, at);
    }
    if path.is_empty() {
        let text = reference_name(ctx, at);
        let is_first = idx == 0 && is_pointer && text.starts_with('*');
        return match is_first {
            true => format!("*{name}"),
            false => format!("{name}{}", notation.element(idx)),
        };
    }
    match (is_pointer, idx) {
        _ if is_register => format!("{name}{}{path}", notation.member()),
        (true, 0) => format!("{name}{}{path}", notation.pointed_member()),
        _ => {
            let element = notation.element(idx);
            format!("{name}{element}{}{path}", notation.member())
        }
    }
}

/// The members that lead to the scalar at a byte offset of a type: `vector.size`.
fn member_path(notation: Notation, kind: &Type, offset: i64) -> Option<String> {
    let Type::Struct(_, layout) = kind else {
        return (offset == 0).then(String::new);
    };
    let member = layout.members.iter().rev().find(|member| {
        let start = i64::from(member.offset);
        start <= offset && member.name.is_some()
    })?;
    let rest = offset - i64::from(member.offset);
    let name = member.name.as_ref()?;
    let (element, suffix, rest) = match &member.kind {
        Type::Array(element, _) => {
            let size = i64::from(element.scalar_size()?).max(1);
            (&**element, notation.element(rest / size), rest % size)
        }
        kind => (kind, String::new(), rest),
    };
    let inner = member_path(notation, element, rest)?;
    let dot = if inner.is_empty() {
        ""
    } else {
        notation.member()
    };
    Some(format!("{name}{suffix}{dot}{inner}"))
}

/// A reference as written, without white space.
pub(crate) fn reference_name(ctx: &Lowering, at: TextRange) -> String {
    let text = ctx.program.text(at);
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
