//! JSON Schemas (draft 2020-12) of the published forms, generated from the serialised types, so that schemas and output
//! agree.

use crate::{coverage, emit, explain, formula, json, sweep};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// A published schema: its name, and its text.
pub type NamedSchema = (&'static str, fn() -> String);

/// The schemas of this crate's forms, except that of a check (see [`check_schema`](crate::check_schema)).
pub const SCHEMAS: [NamedSchema; 6] = [
    ("report", || {
        schema::<json::ReportJson<'_>>("What premiss report writes")
    }),
    ("coverage", || {
        schema::<coverage::ReportJson<'_>>("What premiss coverage writes")
    }),
    ("sweep", || {
        schema::<sweep::Report>("What premiss sweep writes")
    }),
    ("explain", || {
        schema::<explain::Report>("What premiss explain writes of a place")
    }),
    ("formula", || {
        schema::<formula::FormulaReport>("What premiss formula writes")
    }),
    ("formula-emit", || {
        schema::<emit::Code<'_>>("What premiss formula --emit json writes")
    }),
];

/// The schema of a type's serialised form, with a final line break.
///
/// # Panics
///
/// Never: a schema has text for keys and finite numbers.
#[must_use]
pub fn schema<T: JsonSchema>(title: &str) -> String {
    let generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    let json = serde_json::to_string_pretty(&schema);
    json.expect("a schema has nothing that JSON cannot say") + "\n"
}
