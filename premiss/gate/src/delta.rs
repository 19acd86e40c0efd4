//! How the misses of a program changed: nest by nest, each metric with its verdict.

mod compare;
mod count;
mod findings;
mod json;
mod kernel_delta;
mod markdown;
mod page;
mod program;
mod reference_group;
mod save;
mod symbolic;
mod text;
mod verdicts;
mod worst;

pub use count::metric_names;
pub(crate) use json::DeltaJson;
pub use json::delta_json;
pub use kernel_delta::{Delta, ForAllSizes, KernelDelta, Metric, ReferenceDelta};
pub use markdown::delta_markdown;
pub use page::{FunctionPair, Page, delta_html, functions_of_page};
pub use program::ComparedProgram;
pub use text::delta_text;
