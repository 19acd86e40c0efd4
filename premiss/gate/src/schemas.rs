//! JSON Schemas of the forms of this crate.

use crate::baseline::Baseline;
use crate::delta::DeltaJson;
use crate::rule::RuleJson;
use premiss_report::{NamedSchema, schema};

/// The schemas of comparisons, rules and baselines, by name.
pub const SCHEMAS: [NamedSchema; 3] = [
    ("diff", || {
        schema::<DeltaJson<'_>>("What premiss diff writes")
    }),
    ("rule", || {
        schema::<RuleJson<'_>>("What premiss explain writes of a rule")
    }),
    ("baseline", || {
        schema::<Baseline>("What premiss baseline write keeps")
    }),
];
