//! Settings in variables: `PREMISS_MACHINE=zen4`, `PREMISS_PARAMS=N=1000,M=500`.

use super::layer::{Layer, Origin, Set};
use crate::arguments::MissingFlagsChoice;
use crate::failure::Failure;
use crate::values::{named_size, percent};
use clap::ValueEnum;
use std::ffi::OsString;

/// The settings in environment variables; empty ones count as not set.
///
/// # Errors
///
/// A value is invalid.
pub(super) fn environment(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Layer, Failure> {
    let get = |name: &'static str| {
        let value = variable(name).filter(|value| !value.is_empty())?;
        let origin = Origin::Environment(name);
        let value = value.to_string_lossy().into_owned();
        Some(Set { value, origin })
    };
    let mut layer = Layer {
        machine: get("PREMISS_MACHINE"),
        build: get("PREMISS_BUILD"),
        baseline: get("PREMISS_BASELINE"),
        limit: get("PREMISS_LIMIT"),
        ..Layer::default()
    };
    if let Some(Set { value, origin }) = get("PREMISS_MISSING_FLAGS") {
        let how = MissingFlagsChoice::from_str(&value, false);
        let value = how.map_err(|_| {
            Failure::usage(format!(
                "PREMISS_MISSING_FLAGS={value}: it is error, skip or guess"
            ))
        })?;
        layer.missing_flags = Some(Set { value, origin });
    }
    if let Some(Set { value, origin }) = get("PREMISS_MIN_COVERAGE") {
        let value = percent(&value)
            .map_err(|why| Failure::usage(format!("PREMISS_MIN_COVERAGE={value}: {why}")))?;
        layer.min_coverage = Some(Set { value, origin });
    }
    if let Some(Set { value, origin }) = get("PREMISS_PARAMS") {
        for text in value.split(',') {
            let (name, value) = named_size(text)
                .map_err(|why| Failure::usage(format!("PREMISS_PARAMS: `{text}`: {why}")))?;
            let origin = origin.clone();
            layer.params.insert(name, Set { value, origin });
        }
    }
    Ok(layer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer_of(name: &'static str, value: &'static str) -> Result<Layer, Failure> {
        environment(&|variable| (variable == name).then(|| value.into()))
    }

    #[test]
    fn variables_are_read() {
        let layer = layer_of("PREMISS_PARAMS", "N=1000, M=5").expect("sizes");
        assert_eq!(layer.params["N"].value, 1000);
        assert_eq!(layer.params["M"].value, 5);
        let machine = layer_of("PREMISS_MACHINE", "zen4")
            .expect("a machine")
            .machine;
        assert_eq!(machine.map(|x| x.value), Some("zen4".to_owned()));
        assert!(
            layer_of("PREMISS_MACHINE", "")
                .expect("nothing")
                .machine
                .is_none()
        );
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for (name, value) in [
            ("PREMISS_PARAMS", "N"),
            ("PREMISS_MIN_COVERAGE", "half"),
            ("PREMISS_MISSING_FLAGS", "ignore"),
        ] {
            let error = layer_of(name, value).expect_err(name).to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
