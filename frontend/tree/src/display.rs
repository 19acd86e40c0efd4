//! A tree as text: the [`Display`] implementation of [`NestTree`].
//!
//! ```text
//! function scale
//!   size n = 100
//!   array a parameter, elements of 8, ends at 8 * n
//!   loop i = 0; i < n; i += 1
//!     load a + 8 * i   a[i]
//!     store a + 8 * i   a[i]
//! ```
//!
//! Variables that share a name are numbered: `i`, `i'2`. Positions in the source are never shown, so
//! that reformatting a file leaves the text as it is.
//!
//! The alternate form (`{tree:#}`) also prints ids, the kind of each parameter, and the strides of arrays:
//!
//! ```text
//! function scale
//!   P0 size n = 100
//!   A0 array a parameter, elements of 8, ends at 8 * n, strides 8
//!   L0 loop i = 0; i < n; i += 1
//!     R0 load a + 8 * i   a[i]
//!     R1 store a + 8 * i   a[i]
//! ```

use crate::{
    AccessKind, BinaryOperator, BoundingRange, Comparison, Expression, Loop, NestTree, Node,
    ParameterKind, ReferenceId, Storage, UnaryOperator, VariableId,
};
use cranelift_entity::EntityRef;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

/// How many entries of a table are shown.
const MAX_SHOWN_ENTRIES: usize = 16;

impl Display for NestTree {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let printer = Printer::new(self, f.alternate());
        writeln!(f, "function {}", self.function)?;
        printer.parameters(f)?;
        printer.arrays(f)?;
        printer.tables(f)?;
        printer.nodes(f, &self.body, 1)
    }
}

struct Printer<'tree> {
    tree: &'tree NestTree,
    variables: Vec<String>,
    /// Whether ids, kinds of parameters and strides are shown.
    shows_ids: bool,
}

impl<'tree> Printer<'tree> {
    fn new(tree: &'tree NestTree, shows_ids: bool) -> Self {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for parameter in tree.parameters.values() {
            seen.insert(&parameter.name, 1);
        }
        let mut variables = Vec::new();
        for variable in tree.variables.values() {
            let count = seen.entry(&variable.name).or_insert(0);
            *count += 1;
            variables.push(match count {
                1 => variable.name.clone(),
                n => format!("{}'{n}", variable.name),
            });
        }
        Self {
            tree,
            variables,
            shows_ids,
        }
    }

    /// An id as a prefix of its line; empty where ids are not shown.
    fn id(&self, id: impl Display) -> String {
        match self.shows_ids {
            true => format!("{id} "),
            false => String::new(),
        }
    }

    fn parameters(&self, f: &mut Formatter) -> fmt::Result {
        for (id, parameter) in &self.tree.parameters {
            let kind = match parameter.kind {
                ParameterKind::Extremum if self.shows_ids => "extremum",
                ParameterKind::Predicate if self.shows_ids => "predicate",
                _ => "size",
            };
            write!(f, "  {}{kind} {}", self.id(id), parameter.name)?;
            match parameter.value {
                Some(value) => writeln!(f, " = {value}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }

    fn arrays(&self, f: &mut Formatter) -> fmt::Result {
        for (id, array) in &self.tree.arrays {
            let (id, name, storage) = (self.id(id), &array.name, storage_name(array.storage));
            let size = array.element_size;
            write!(f, "  {id}array {name} {storage}, elements of {size}")?;
            if let Some(extent) = &array.extent {
                write!(f, ", ends at {}", self.expression(extent))?;
            }
            if self.shows_ids && !array.strides.is_empty() {
                let strides = array.strides.iter().map(|stride| self.expression(stride));
                write!(f, ", strides {}", strides.collect::<Vec<_>>().join(", "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn tables(&self, f: &mut Formatter) -> fmt::Result {
        for (id, table) in &self.tree.tables {
            let shown = table.entries.iter().take(MAX_SHOWN_ENTRIES);
            let shown: Vec<String> = shown.map(i64::to_string).collect();
            let more = table.entries.len() - shown.len();
            let id = self.id(id);
            write!(f, "  {id}table {} = {}", table.name, shown.join(", "))?;
            match more {
                0 => writeln!(f)?,
                more => writeln!(f, ", and {more} more")?,
            }
        }
        Ok(())
    }

    fn nodes(&self, f: &mut Formatter, nodes: &[Node], depth: usize) -> fmt::Result {
        nodes.iter().try_for_each(|node| self.node(f, node, depth))
    }

    fn node(&self, f: &mut Formatter, node: &Node, depth: usize) -> fmt::Result {
        write!(f, "{:1$}", "", 2 * depth)?;
        match node {
            Node::Loop(inner) => {
                write!(f, "{}{}", self.id(inner.id), self.header(inner))?;
                match self.tree.bounding_ranges.get(&inner.id) {
                    Some(range) => writeln!(f, "   within {}", self.bounding_range(range))?,
                    None => writeln!(f)?,
                }
                self.nodes(f, &inner.body, depth + 1)
            }
            Node::Access(id) => writeln!(f, "{}{}", self.id(id), self.access(*id)),
            Node::Branch {
                condition,
                then,
                otherwise,
            } => {
                writeln!(f, "if {}", self.expression(condition))?;
                self.nodes(f, then, depth + 1)?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                writeln!(f, "{:1$}else", "", 2 * depth)?;
                self.nodes(f, otherwise, depth + 1)
            }
            Node::Assign { variable, value } => {
                let name = self.variable(*variable);
                writeln!(f, "{name} := {}", self.expression(value))
            }
            Node::Opaque(id) => {
                let reason = &self.tree.rejections[*id].reason;
                let id = self.id(id);
                writeln!(f, "{id}opaque {}: {}", reason.code(), reason.message())
            }
            Node::Operations(id) => writeln!(f, "{}operations", self.id(id)),
        }
    }

    fn header(&self, inner: &Loop) -> String {
        let name = self.variable(inner.variable);
        let comparison = match inner.comparison {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::NotEqual => "!=",
        };
        let first = self.expression(&inner.first);
        let bound = self.expression(&inner.bound);
        let step = self.expression(&inner.step);
        let mut text =
            format!("loop {name} = {first}; {name} {comparison} {bound}; {name} += {step}");
        let function = &self.tree.loops[inner.id].function;
        self.add_function(&mut text, function);
        text
    }

    fn bounding_range(&self, range: &BoundingRange) -> String {
        let first = self.expression(&range.first);
        let bound = self.expression(&range.bound);
        format!("{first}, {bound} in steps of {}", range.step)
    }

    fn access(&self, id: ReferenceId) -> String {
        let reference = &self.tree.references[id];
        let array = &self.tree.arrays[reference.array];
        let kind = match reference.kind {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
        };
        let offset = self.expression(&reference.offset);
        let mut text = format!("{kind} {} + {offset}", array.name);
        if reference.size != array.element_size {
            let _ = write!(text, " ({} bytes)", reference.size);
        }
        let _ = write!(text, "   {}", reference.text);
        self.add_function(&mut text, &reference.function);
        text
    }

    /// Adds the name of the function that something is written in, where that is a callee.
    fn add_function(&self, text: &mut String, function: &str) {
        if function != self.tree.function {
            let _ = write!(text, "   in {function}");
        }
    }

    fn variable(&self, id: VariableId) -> &str {
        &self.variables[id.index()]
    }

    fn expression(&self, expression: &Expression) -> String {
        let mut text = String::new();
        self.write(&mut text, expression, 0);
        text
    }

    /// Writes an expression, in parentheses if it binds less tightly than `least`.
    fn write(&self, text: &mut String, expression: &Expression, least: u8) {
        match expression {
            Expression::Integer(value) => {
                let _ = write!(text, "{value}");
            }
            Expression::Parameter(id) => text.push_str(&self.tree.parameters[*id].name),
            Expression::Variable(id) => text.push_str(self.variable(*id)),
            Expression::Data => text.push_str("data"),
            Expression::Unary(operator, x) => {
                text.push_str(match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::BitNot => "~",
                    UnaryOperator::Not => "!",
                    UnaryOperator::Unsigned => return self.write_call(text, "u64", &[x]),
                });
                self.write(text, x, 11);
            }
            Expression::Binary(operator, a, b) => self.write_binary(text, *operator, a, b, least),
            Expression::Select(operands) => {
                let [condition, then, otherwise] = &**operands;
                self.write_call(text, "select", &[condition, then, otherwise]);
            }
            Expression::Wrap(kind, x) => {
                let sign = if kind.signed { 'i' } else { 'u' };
                self.write_call(text, &format!("{sign}{}", kind.bits), &[x]);
            }
            Expression::Entry(id, index) => {
                text.push_str(&self.tree.tables[*id].name);
                text.push('[');
                self.write(text, index, 0);
                text.push(']');
            }
        }
    }

    fn write_call(&self, text: &mut String, name: &str, operands: &[&Expression]) {
        text.push_str(name);
        text.push('(');
        for (idx, operand) in operands.iter().enumerate() {
            if idx > 0 {
                text.push_str(", ");
            }
            self.write(text, operand, 0);
        }
        text.push(')');
    }

    fn write_binary(
        &self,
        text: &mut String,
        operator: BinaryOperator,
        a: &Expression,
        b: &Expression,
        least: u8,
    ) {
        let Some((symbol, precedence)) = symbol(operator) else {
            let name = match operator {
                BinaryOperator::Minimum => "min",
                BinaryOperator::Maximum => "max",
                BinaryOperator::LessUnsigned => "less_unsigned",
                _ => "less_equal_unsigned",
            };
            return self.write_call(text, name, &[a, b]);
        };
        let needs_parentheses = precedence < least;
        if needs_parentheses {
            text.push('(');
        }
        self.write(text, a, precedence);
        let _ = write!(text, " {symbol} ");
        self.write(text, b, precedence + 1);
        if needs_parentheses {
            text.push(')');
        }
    }
}

/// An operator as C writes it, and its precedence.
fn symbol(operator: BinaryOperator) -> Option<(&'static str, u8)> {
    Some(match operator {
        BinaryOperator::Or => ("||", 1),
        BinaryOperator::And => ("&&", 2),
        BinaryOperator::BitOr => ("|", 3),
        BinaryOperator::BitXor => ("^", 4),
        BinaryOperator::BitAnd => ("&", 5),
        BinaryOperator::Equal => ("==", 6),
        BinaryOperator::NotEqual => ("!=", 6),
        BinaryOperator::Less => ("<", 7),
        BinaryOperator::LessEqual => ("<=", 7),
        BinaryOperator::ShiftLeft => ("<<", 8),
        BinaryOperator::ShiftRight => (">>", 8),
        BinaryOperator::Add => ("+", 9),
        BinaryOperator::Subtract => ("-", 9),
        BinaryOperator::Multiply => ("*", 10),
        BinaryOperator::Quotient => ("/", 10),
        BinaryOperator::Remainder => ("%", 10),
        BinaryOperator::Minimum
        | BinaryOperator::Maximum
        | BinaryOperator::LessUnsigned
        | BinaryOperator::LessEqualUnsigned => return None,
    })
}

fn storage_name(storage: Storage) -> &'static str {
    match storage {
        Storage::Global => "global",
        Storage::Parameter => "parameter",
        Storage::Local => "local",
        Storage::Callee => "callee",
    }
}
