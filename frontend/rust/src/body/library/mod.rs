//! The standard library and `ndarray`, by the receivers of methods.

pub(crate) mod complex;
pub(crate) mod functions;
pub(crate) mod intrinsics;
pub(crate) mod method_call;
pub(crate) mod ndarray;
pub(crate) mod numbers;
pub(crate) mod options;
pub(crate) mod slices;
pub(crate) mod streams;
pub(crate) mod trait_numbers;
pub(crate) mod vectors;
