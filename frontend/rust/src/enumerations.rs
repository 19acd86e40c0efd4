//! Enumerations: those without fields are integers whose variants are constants; of others only the names are known.

use premiss_tree::IntegerType;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{Expr, Lit};

/// An enumeration.
pub(crate) struct Enumeration<'a> {
    /// The index of its file.
    pub(crate) unit: usize,
    pub(crate) item: &'a syn::ItemEnum,
    pub(crate) name: String,
    /// The variants with their discriminants; `None` for one that is no literal.
    pub(crate) variants: Vec<(String, Option<i64>)>,
    /// The type of the discriminant; `None` for an enumeration with fields.
    pub(crate) representation: Option<IntegerType>,
}

impl<'a> Enumeration<'a> {
    pub(crate) fn of(unit: usize, item: &'a syn::ItemEnum) -> Self {
        let mut next = Some(0);
        let variants = item.variants.iter().map(|variant| {
            let stated = variant.discriminant.as_ref();
            let own = match stated {
                Some((_, value)) => literal(value),
                None => next,
            };
            next = own.map(|own| own + 1);
            (variant.ident.to_string(), own)
        });
        let variants: Vec<(String, Option<i64>)> = variants.collect();
        let has_fields = item.variants.iter().any(|one| !one.fields.is_empty());
        let stated = stated_representation(&item.attrs);
        let representation = stated.or_else(|| least_representation(&variants));
        Self {
            unit,
            item,
            name: item.ident.to_string(),
            representation: representation.filter(|_| !has_fields),
            variants,
        }
    }

    /// The discriminant of a variant; `None` if it is no variant, or no literal.
    pub(crate) fn discriminant(&self, variant: &str) -> Option<i64> {
        let found = self.variants.iter().find(|(name, _)| name == variant);
        found.and_then(|(_, value)| *value)
    }

    pub(crate) fn has_variant(&self, variant: &str) -> bool {
        self.variants.iter().any(|(name, _)| name == variant)
    }
}

/// An integer literal, which may be negative.
fn literal(value: &Expr) -> Option<i64> {
    match value {
        Expr::Lit(one) => match &one.lit {
            Lit::Int(one) => one.base10_parse().ok(),
            Lit::Byte(one) => Some(one.value().into()),
            Lit::Char(one) => Some(u32::from(one.value()).into()),
            _ => None,
        },
        Expr::Unary(one) if matches!(one.op, syn::UnOp::Neg(_)) => {
            literal(&one.expr)?.checked_neg()
        }
        Expr::Paren(one) => literal(&one.expr),
        Expr::Group(one) => literal(&one.expr),
        Expr::Cast(one) => literal(&one.expr),
        _ => None,
    }
}

/// The integer type of `#[repr(u8)]`.
fn stated_representation(attributes: &[syn::Attribute]) -> Option<IntegerType> {
    let repr = attributes.iter().find(|a| a.path().is_ident("repr"))?;
    let syn::Meta::List(list) = &repr.meta else {
        return None;
    };
    let text = list.tokens.to_token_stream().to_string();
    let words = text.split(',').map(str::trim);
    let integer = |bits, signed| Some(IntegerType { bits, signed });
    words.into_iter().find_map(|word| match word {
        "u8" => integer(8, false),
        "i8" => integer(8, true),
        "u16" => integer(16, false),
        "i16" => integer(16, true),
        "u32" => integer(32, false),
        "i32" | "C" => integer(32, true),
        "u64" | "usize" => integer(64, false),
        "i64" | "isize" => integer(64, true),
        _ => None,
    })
}

/// The least integer type that holds all discriminants, as the compiler chooses it; `None` if some are not known.
fn least_representation(variants: &[(String, Option<i64>)]) -> Option<IntegerType> {
    let values: Option<Vec<i64>> = variants.iter().map(|(_, value)| *value).collect();
    // A single variant takes no memory.
    let values = values.filter(|values| values.len() != 1)?;
    let least = values.iter().copied().min().unwrap_or(0);
    let greatest = values.iter().copied().max().unwrap_or(0);
    let signed = least < 0;
    let fits = |bits: u8| match signed {
        true => -(1i64 << (bits - 1)) <= least && greatest < 1i64 << (bits - 1),
        false => greatest < 1i64 << bits,
    };
    let bits = [8, 16, 32].into_iter().find(|bits| fits(*bits));
    Some(IntegerType {
        bits: bits.unwrap_or(64),
        signed,
    })
}

/// The enumerations of a program, by name.
#[derive(Default)]
pub(crate) struct Enumerations<'a> {
    pub(crate) list: Vec<Enumeration<'a>>,
    by_name: BTreeMap<String, Vec<usize>>,
    by_variant: BTreeMap<String, Vec<usize>>,
}

impl<'a> Enumerations<'a> {
    pub(crate) fn add(&mut self, unit: usize, item: &'a syn::ItemEnum) {
        let one = Enumeration::of(unit, item);
        let idx = self.list.len();
        self.by_name.entry(one.name.clone()).or_default().push(idx);
        for (variant, _) in &one.variants {
            self.by_variant
                .entry(variant.clone())
                .or_default()
                .push(idx);
        }
        self.list.push(one);
    }

    /// Whether some enumeration has this name.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Whether some enumeration of this name, or of any name, has a variant: `Error::Width`, or `Width` if it is imported.
    pub(crate) fn is_variant(&self, owner: Option<&str>, variant: &str) -> bool {
        let all = self.by_variant.get(variant);
        let is_it = |idx: &usize| owner.is_none_or(|owner| self.list[*idx].name == owner);
        all.is_some_and(|all| all.iter().any(is_it))
    }

    /// The enumeration of that name, if there is only one.
    pub(crate) fn of_name(&self, name: &str) -> Option<usize> {
        match self.by_name.get(name)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The enumeration without fields that alone has a variant of this name: variants may be imported.
    pub(crate) fn with_variant(&self, variant: &str) -> Option<usize> {
        match self.by_variant.get(variant)?.as_slice() {
            [only] => self.list[*only].representation.map(|_| *only),
            _ => None,
        }
    }
}
