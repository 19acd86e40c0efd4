//! Writers and readers of types that the program does not define: `W: Write`, `BufReader<File>`.
//!
//! They have memory of their own, and reach the arrays of the program only through the slices that they are passed, whose
//! elements they visit in order, from the first on, as far as they come:
//!
//! ```text
//! w.write_all(&a[..n])?        loads 0 to n elements
//! r.read_exact(&mut a[..n])?   stores 0 to n elements
//! w.write_u16::<LE>(x)?        accesses no array
//! let bytes = r.fill_buf()?    yields some bytes in a block of its own
//! ```

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::control::branches;
use crate::body::iterators::drive::{LoopNames, drive};
use crate::body::library::method_call::MethodCall;
use crate::body::values::places;
use crate::types::Ty;
use crate::value::{ItemSequence, SequenceItem, Slice, Value};
use premiss_ast::syntax::{Statement, TextRange};
use std::sync::Arc;

/// Methods of `std::io::Write` and `std::fmt::Write` that load the bytes of a slice.
const WRITE: [&str; 3] = ["write", "write_all", "write_str"];

/// Methods of `std::io::Read` that store bytes to a slice.
const READ: [&str; 2] = ["read", "read_exact"];

/// Methods that are passed numbers, or nothing.
const OF_NUMBERS: [&str; 7] = [
    "flush",
    "seek",
    "seek_relative",
    "rewind",
    "position",
    "stream_position",
    "consume",
];

/// What a method of a writer or reader whose type is unknown does; `None` if it is none.
pub(crate) fn stream_method<'a>(
    ctx: &mut Body<'a, '_>,
    receiver: &Value<'a>,
    method: &MethodCall<'a, '_>,
) -> Option<Value<'a>> {
    let at = method.at;
    let name = method.name;
    let kind = ctx.inference.resolve(&receiver.kind());
    let is_unknown = matches!(kind.peeled(), Ty::Unknown(_)) && !kind.peeled().is_rejected();
    if is_unknown && name == "fill_buf" && method.arguments.is_empty() {
        return Some(own_buffer(ctx, at));
    }
    let is_of_bytes = WRITE.contains(&name) || READ.contains(&name);
    if !is_unknown || !(is_of_bytes || passes_number(name)) {
        return None;
    }
    let list = method.arguments.iter().map(|x| (*x, None)).collect();
    let values = ctx.operands(list);
    if is_of_bytes {
        let [bytes] = values.as_slice() else {
            return None;
        };
        let slice = places::as_slice(ctx, bytes.clone(), at)?;
        visit_possibly(ctx, &slice, name, at);
        let count = Ty::primitive("usize").filter(|_| matches!(name, "write" | "read"));
        let done = ctx.unknown_value(&count.unwrap_or(Ty::Unit), at);
        return Some(Value::Option(ctx.unknown_integer(at), Box::new(done)));
    }
    for value in values {
        ctx.evaluate(value);
    }
    let number = name.strip_prefix("read_").and_then(Ty::primitive);
    let result = match number {
        Some(number) => ctx.unknown_value(&number, at),
        None if name == "consume" => return Some(Value::Unit),
        None if name.starts_with("write_") || name == "flush" => Value::Unit,
        None => {
            return Some(
                ctx.unknown_value(&method.expected.clone().unwrap_or_else(Ty::unknown), at),
            );
        }
    };
    Some(Value::Option(ctx.unknown_integer(at), Box::new(result)))
}

/// `fill_buf`: the bytes that a reader holds, in memory that nothing else of the program leads to.
fn own_buffer<'a>(ctx: &mut Body<'a, '_>, at: TextRange) -> Value<'a> {
    let byte = Arc::new(Ty::primitive("u8").unwrap_or_else(Ty::unknown));
    let kind = Ty::Slice(byte.clone()).pointer();
    let memory = ctx.variable_type(&Ty::Pointer(byte.clone()));
    let bytes = ast_builder::data(at, memory.clone());
    let slice = Slice {
        pointer: ctx.declare(at, "buffer", memory, bytes),
        length: ctx.unknown_integer(at),
        element: byte,
        kind,
    };
    Value::Option(ctx.unknown_integer(at), Box::new(Value::Slice(slice)))
}

/// Whether a method is passed numbers or nothing: those of the crate `byteorder` among them.
fn passes_number(name: &str) -> bool {
    let number = name
        .strip_prefix("read_")
        .or_else(|| name.strip_prefix("write_"));
    let is_number = number
        .and_then(Ty::primitive)
        .is_some_and(|kind| kind.is_scalar());
    is_number || OF_NUMBERS.contains(&name)
}

/// Loads the elements of a slice, or stores to them, if data say so.
fn visit_possibly<'a>(ctx: &mut Body<'a, '_>, slice: &Slice, name: &str, at: TextRange) {
    let is_read = READ.contains(&name);
    let place = ctx.fresh_at(at);
    let (list, ()): (Vec<Statement>, ()) = ctx.emit_aside(|ctx| {
        let item = SequenceItem::Element {
            pointer: slice.pointer.clone(),
            element: slice.element.clone(),
        };
        let sequence = ItemSequence::counted(slice.length.clone(), item);
        let names = LoopNames::nothing();
        drive(ctx, sequence, place, &names, &mut |ctx, item| {
            let element = places::dereference(ctx, item, place);
            match (is_read, element) {
                (true, Value::Plain(element, kind)) => {
                    let value = ctx.unknown_value(&kind, place);
                    places::store(ctx, element, &kind, value, place);
                }
                (_, element) => places::load_whole(ctx, &element, place),
            }
        });
    });
    let condition = ctx.unknown_integer(at);
    branches::emit_if(ctx, condition, list, Vec::new(), at);
}
