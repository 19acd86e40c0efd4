//! From C text to NestTree.

mod preprocess;
pub use preprocess::{
    MacroFlag, ObjectMacro, OriginMap, Pragma, PreprocessOptions, Preprocessed, preprocess,
};
