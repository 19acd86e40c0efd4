//! Specification statements by their first words; blocks of them are assembled by
//! [`program_units`](super::program_units).

use super::cursor::{Cursor, ParseResult};
use super::flat_statement::FlatStatement;
use super::{data_statements, declarations, expressions, flat_statement, type_specs};
use crate::syntax::{
    ASSIGNMENT, Attribute, EntityDeclaration, NameKey, PassedObject, ProcedureBinding,
    SpecificationKind as Spec, UseStatement, dotted_generic_name,
};
use crate::text::TokenKind;

/// A specification statement that starts with a word; `None` if no such statement does.
pub(super) fn specification(cursor: &mut Cursor, word: &str) -> ParseResult<Option<FlatStatement>> {
    if flat_statement::is_type_word(word) || matches!(word, "type" | "class" | "procedure") {
        return type_statement(cursor, word).map(Some);
    }
    let start = cursor.position();
    cursor.advance();
    let spec = match word {
        "implicit" => implicit(cursor)?,
        "parameter" => parameter(cursor)?,
        "common" => common(cursor)?,
        "equivalence" => equivalence(cursor)?,
        "namelist" => namelist(cursor)?,
        "data" => data_statements::data_statement(cursor)?,
        "use" => use_statement(cursor)?,
        "dimension" | "allocatable" | "pointer" | "target" | "external" | "intrinsic"
        | "optional" | "value" | "contiguous" => {
            cursor.eat("::");
            Spec::Attribute(
                declarations::plain_attribute(word),
                declarations::entities(cursor)?,
            )
        }
        "intent" => {
            let intent = declarations::intent(cursor)?;
            cursor.eat("::");
            Spec::Attribute(Attribute::Intent(intent), declarations::entities(cursor)?)
        }
        "generic" => return generic_statement(cursor).map(Some),
        "save" | "volatile" | "asynchronous" | "protected" | "private" | "public" | "sequence"
        | "import" | "format" | "bind" | "codimension" | "final" | "enum" | "enumerator" => {
            cursor.skip();
            return Ok(Some(FlatStatement::Nothing));
        }
        "interface" | "abstract" => return interface_statement(cursor).map(Some),
        "entry" => {
            let name = cursor.ident()?;
            cursor.skip();
            return Ok(Some(FlatStatement::Entry(name)));
        }
        _ => {
            cursor.back_to(start);
            return Ok(None);
        }
    };
    Ok(Some(FlatStatement::Specification(Box::new(spec))))
}

/// A declaration, a derived type, or a `PROCEDURE` of one.
fn type_statement(cursor: &mut Cursor, word: &str) -> ParseResult<FlatStatement> {
    if word == "type" && !cursor.is_mark_after(1, "(") {
        return derived_type_statement(cursor);
    }
    if word == "procedure" {
        return bound_procedures(cursor);
    }
    let spec = declarations::type_declaration(cursor)?;
    Ok(FlatStatement::Specification(Box::new(spec)))
}

fn derived_type_statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.advance();
    let mut extends = None;
    while cursor.eat(",") {
        let is_extends = cursor.is_word("extends");
        cursor.advance();
        if cursor.eat("(") {
            let name = cursor.ident()?;
            extends = Some(name.key).filter(|_| is_extends);
            cursor.expect(")")?;
        }
    }
    cursor.eat("::");
    let name = cursor.ident()?;
    cursor.skip();
    Ok(FlatStatement::DerivedType(name, extends))
}

fn bound_procedures(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.advance();
    if cursor.is_mark("(") {
        cursor.skip_parentheses();
    }
    let mut passed = PassedObject::First;
    while cursor.eat(",") {
        passed = binding_attribute(cursor)?.unwrap_or(passed);
    }
    cursor.eat("::");
    let names = cursor.list(|c| {
        let name = c.ident()?.key;
        let target = match c.eat("=>") {
            true => c.ident()?.key,
            false => name.clone(),
        };
        if c.is_mark("(") {
            c.skip_parentheses();
        }
        let passed = passed.clone();
        Ok(ProcedureBinding {
            name,
            target,
            passed,
        })
    })?;
    cursor.skip();
    Ok(FlatStatement::Procedures(names))
}

/// `PASS`, `PASS (name)`, `NOPASS`; `None` for an attribute that does not concern the passed object.
fn binding_attribute(cursor: &mut Cursor) -> ParseResult<Option<PassedObject>> {
    let word = cursor.ident()?.key;
    let passed = match (&*word, cursor.is_mark("(")) {
        ("nopass", _) => Some(PassedObject::Nothing),
        ("pass", true) => {
            cursor.advance();
            let name = cursor.ident()?.key;
            cursor.expect(")")?;
            Some(PassedObject::Named(name))
        }
        _ => None,
    };
    if cursor.is_mark("(") {
        cursor.skip_parentheses();
    }
    Ok(passed)
}

/// `GENERIC, PUBLIC :: OPERATOR(+) => add, add_scalar`
fn generic_statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    while cursor.eat(",") {
        cursor.ident()?;
    }
    cursor.eat("::");
    let Some(generic) = generic_spec(cursor)? else {
        cursor.skip();
        return Ok(FlatStatement::Nothing);
    };
    cursor.expect("=>")?;
    let names = cursor.list(|c| c.ident().map(|name| name.key))?;
    cursor.end()?;
    Ok(FlatStatement::Generic(generic, names))
}

/// A generic name: `name`, `OPERATOR(+)`, `OPERATOR(.cross.)` or `ASSIGNMENT(=)`; `None` for `READ(FORMATTED)` and
/// similar ones.
fn generic_spec(cursor: &mut Cursor) -> ParseResult<Option<NameKey>> {
    let name = cursor.ident()?.key;
    if !cursor.eat("(") {
        return Ok(Some(name));
    }
    let generic = match (&*name, cursor.peek()) {
        ("operator", Some(TokenKind::Mark(mark))) => {
            Some(NameKey::from(format!("operator({mark})")))
        }
        ("operator", Some(TokenKind::Dotted(word))) => Some(dotted_generic_name(word)),
        ("assignment", Some(TokenKind::Mark("="))) => Some(NameKey::from(ASSIGNMENT)),
        _ => None,
    };
    cursor.advance();
    cursor.expect(")")?;
    Ok(generic)
}

fn interface_statement(cursor: &mut Cursor) -> ParseResult<FlatStatement> {
    cursor.eat_word("interface");
    let name = match cursor.word() {
        Some(_) => generic_spec(cursor)?,
        None => None,
    };
    cursor.skip();
    Ok(FlatStatement::Interface(name))
}

/// `IMPLICIT NONE`, `IMPLICIT REAL*8 (A-H, O-Z), INTEGER (I-N)`
fn implicit(cursor: &mut Cursor) -> ParseResult<Spec> {
    if cursor.eat_word("none") {
        cursor.skip();
        return Ok(Spec::Implicit(Vec::new()));
    }
    let rules = cursor.list(|c| {
        let before = c.position();
        let kind = match type_specs::type_spec(c) {
            Ok(kind) if c.is_mark("(") => kind,
            // `IMPLICIT REAL (A-H)`: what was parsed as a kind is the list of letters.
            _ => {
                c.back_to(before);
                type_specs::bare_type_spec(c)?
            }
        };
        Ok((kind, type_specs::letter_ranges(c)?))
    })?;
    cursor.end()?;
    Ok(Spec::Implicit(rules))
}

/// `PARAMETER (N = 5, M = 2*N)`
fn parameter(cursor: &mut Cursor) -> ParseResult<Spec> {
    let has_parentheses = cursor.eat("(");
    let list = cursor.list(|c| {
        let name = c.ident()?;
        c.expect("=")?;
        Ok((name, c.expr()?))
    })?;
    if has_parentheses {
        cursor.expect(")")?;
    }
    cursor.end()?;
    Ok(Spec::Parameter(list))
}

/// `COMMON /BLOCK/ A(10), N /OTHER/ B`
fn common(cursor: &mut Cursor) -> ParseResult<Spec> {
    let mut blocks = Vec::new();
    while !cursor.is_at_end() {
        let mut name = NameKey::from("");
        if cursor.eat("//") {
        } else if cursor.eat("/") {
            if let Some(word) = cursor.word() {
                name = word.clone();
                cursor.advance();
            }
            cursor.expect("/")?;
        }
        let mut entities = vec![common_entity(cursor)?];
        while cursor.eat(",") {
            if cursor.is_mark("/") || cursor.is_mark("//") {
                break;
            }
            entities.push(common_entity(cursor)?);
        }
        blocks.push((name, entities));
    }
    Ok(Spec::Common(blocks))
}

/// `NAMELIST /group/ n, m /other/ k`
fn namelist(cursor: &mut Cursor) -> ParseResult<Spec> {
    let mut groups = Vec::new();
    while cursor.eat("/") {
        let group = cursor.ident()?.key;
        cursor.expect("/")?;
        let mut names = vec![cursor.ident()?.key];
        while cursor.eat(",") && !cursor.is_mark("/") {
            names.push(cursor.ident()?.key);
        }
        groups.push((group, names));
    }
    cursor.end()?;
    Ok(Spec::Namelist(groups))
}

fn common_entity(cursor: &mut Cursor) -> ParseResult<EntityDeclaration> {
    let name = cursor.ident()?;
    let shape = match cursor.is_mark("(") {
        true => Some(declarations::array_spec(cursor)?),
        false => None,
    };
    Ok(EntityDeclaration {
        name,
        shape,
        length: None,
        initial: None,
    })
}

fn equivalence(cursor: &mut Cursor) -> ParseResult<Spec> {
    let sets = cursor.list(|c| {
        c.expect("(")?;
        let set = c.list(expressions::designator)?;
        c.expect(")")?;
        Ok(set)
    })?;
    cursor.end()?;
    Ok(Spec::Equivalence(sets))
}

/// `USE m, ONLY: a => b, c`
fn use_statement(cursor: &mut Cursor) -> ParseResult<Spec> {
    while cursor.eat(",") {
        cursor.ident()?; // INTRINSIC
    }
    cursor.eat("::");
    let module = cursor.ident()?;
    let mut names = Vec::new();
    let mut only = false;
    if cursor.eat(",") {
        if cursor.is_word("only") && cursor.is_mark_after(1, ":") {
            cursor.advance();
            cursor.advance();
            only = true;
        }
        while !cursor.is_at_end() {
            only_item(cursor, &mut names)?;
            if !cursor.eat(",") {
                break;
            }
        }
    }
    cursor.end()?;
    Ok(Spec::Use(UseStatement {
        module,
        only,
        names,
    }))
}

fn only_item(cursor: &mut Cursor, names: &mut Vec<(NameKey, NameKey)>) -> ParseResult<()> {
    let Some(local) = generic_spec(cursor)? else {
        return Ok(());
    };
    let original = match cursor.eat("=>") {
        true => generic_spec(cursor)?,
        false => Some(local.clone()),
    };
    names.extend(original.map(|original| (local, original)));
    Ok(())
}
