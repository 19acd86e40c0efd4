//! The format of the file.

use super::{SavedBase, SavedConditions, SavedError, SavedKernel, SavedReference};
use crate::matching::Likeness;
use crate::shape::NestShape;
use premiss_histogram::{Counted, Estimate, SamplingError};
use premiss_report::SCHEMA_VERSION;
use premiss_tree::AccessKind;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

const KIND: &str = "premiss-base";

#[derive(Serialize, Deserialize)]
struct File<'a> {
    kind: Cow<'a, str>,
    schema_version: Cow<'a, str>,
    machine: Cow<'a, str>,
    sizes: Cow<'a, BTreeMap<String, i64>>,
    unparsed: Cow<'a, BTreeMap<String, Vec<String>>>,
    kernels: Vec<KernelForm>,
}

#[derive(Serialize, Deserialize)]
struct KernelForm {
    function: usize,
    name: String,
    file: String,
    position: usize,
    path: String,
    line: u32,
    shape: String,
    so_far: String,
    is_opaque: bool,
    sizes: Vec<(String, Option<i64>)>,
    names: BTreeMap<String, u64>,
    accesses: Vec<AccessForm>,
    counts: Vec<CountForm>,
    references: Vec<PartForm>,
}

#[derive(Serialize, Deserialize)]
struct AccessForm {
    stores: bool,
    size: u32,
    depth: usize,
    number: u64,
}

#[derive(Serialize, Deserialize)]
struct PartForm {
    text: String,
    array: String,
    counts: Vec<CountForm>,
}

/// A number, two bounds, an estimate, one from samples with the variance and what else it may be off by, or unknown. Numbers
/// are text: they may exceed 2^53.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CountForm {
    Exact(String),
    Bounded(String, String),
    Estimate(f64),
    Sampled(f64, f64, f64),
    Unknown,
}

impl SavedBase {
    /// The content of the file, with a final line break.
    ///
    /// # Panics
    ///
    /// Never: the form has text for keys and finite numbers.
    #[must_use]
    pub fn to_json(&self) -> String {
        let file = File {
            kind: KIND.into(),
            schema_version: SCHEMA_VERSION.into(),
            machine: self.conditions.machine.as_str().into(),
            sizes: Cow::Borrowed(&self.conditions.sizes),
            unparsed: Cow::Borrowed(&self.conditions.unparsed),
            kernels: self.kernels.iter().map(form).collect(),
        };
        let json = serde_json::to_string_pretty(&file);
        json.expect("a base has nothing that JSON cannot say") + "\n"
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    ///
    /// The text is not a saved base, or is malformed.
    pub fn parse(text: &str) -> Result<Self, SavedError> {
        let broken = |why: String| SavedError(why);
        let file: File<'_> =
            serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
        if file.kind != KIND {
            return Err(broken(format!(
                "it is of the kind `{}`, not `{KIND}`",
                file.kind
            )));
        }
        let kernels: Option<Vec<SavedKernel>> = file.kernels.into_iter().map(kernel).collect();
        Ok(Self {
            conditions: SavedConditions {
                machine: file.machine.into_owned(),
                sizes: file.sizes.into_owned(),
                unparsed: file.unparsed.into_owned(),
            },
            kernels: kernels
                .ok_or_else(|| broken("a digest or a number in it is none".to_owned()))?,
        })
    }
}

fn form(kernel: &SavedKernel) -> KernelForm {
    let accesses = kernel.likeness.accesses.iter();
    let access = |((kind, size, depth), number): (&(AccessKind, u32, usize), &u64)| AccessForm {
        stores: *kind == AccessKind::Store,
        size: *size,
        depth: *depth,
        number: *number,
    };
    let part = |part: &SavedReference| PartForm {
        text: part.text.clone(),
        array: part.array.clone(),
        counts: part.counts.iter().map(|count| count_form(*count)).collect(),
    };
    KernelForm {
        function: kernel.function,
        name: kernel.name.clone(),
        file: kernel.file.clone(),
        position: kernel.position,
        path: kernel.path.clone(),
        line: kernel.line,
        shape: kernel.shape.to_hex(),
        so_far: kernel.so_far.to_hex(),
        is_opaque: kernel.is_opaque,
        sizes: kernel.sizes.clone(),
        names: kernel.likeness.names.clone(),
        accesses: accesses.map(access).collect(),
        counts: kernel
            .counts
            .iter()
            .map(|count| count_form(*count))
            .collect(),
        references: kernel.parts.iter().map(part).collect(),
    }
}

fn kernel(form: KernelForm) -> Option<SavedKernel> {
    let access = |x: AccessForm| {
        let kind = if x.stores {
            AccessKind::Store
        } else {
            AccessKind::Load
        };
        ((kind, x.size, x.depth), x.number)
    };
    let counts = |all: Vec<CountForm>| all.into_iter().map(count).collect::<Option<Vec<_>>>();
    let part = |x: PartForm| {
        Some(SavedReference {
            text: x.text,
            array: x.array,
            counts: counts(x.counts)?,
        })
    };
    Some(SavedKernel {
        function: form.function,
        name: form.name,
        file: form.file,
        position: form.position,
        path: form.path,
        line: form.line,
        shape: NestShape::of_hex(&form.shape)?,
        so_far: NestShape::of_hex(&form.so_far)?,
        is_opaque: form.is_opaque,
        likeness: Likeness {
            names: form.names,
            accesses: form.accesses.into_iter().map(access).collect(),
        },
        sizes: form.sizes,
        counts: counts(form.counts)?,
        parts: form
            .references
            .into_iter()
            .map(part)
            .collect::<Option<_>>()?,
    })
}

fn count_form(count: Counted) -> CountForm {
    match count {
        Counted::Exact(value) => CountForm::Exact(value.to_string()),
        Counted::Bounded { lower, upper } => {
            CountForm::Bounded(lower.to_string(), upper.to_string())
        }
        Counted::Estimate(Estimate { value, error }) => match error {
            _ if !value.is_finite() => CountForm::Unknown,
            Some(error) => CountForm::Sampled(value, error.variance, error.common),
            None => CountForm::Estimate(value),
        },
        Counted::Unknown => CountForm::Unknown,
    }
}

fn count(form: CountForm) -> Option<Counted> {
    Some(match form {
        CountForm::Exact(value) => Counted::Exact(value.parse().ok()?),
        CountForm::Bounded(lower, upper) => {
            let (lower, upper) = (lower.parse().ok()?, upper.parse().ok()?);
            (lower <= upper).then(|| Counted::between(lower, upper))?
        }
        CountForm::Estimate(value) => Counted::estimate(value),
        CountForm::Sampled(value, variance, common) => {
            let is_error = |x: f64| x.is_finite() && 0.0 <= x;
            let error = SamplingError { variance, common };
            (is_error(variance) && is_error(common))
                .then(|| Counted::Estimate(Estimate::sampled(value, error)))?
        }
        CountForm::Unknown => Counted::Unknown,
    })
}
