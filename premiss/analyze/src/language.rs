//! The source languages.

/// A source language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Language {
    /// C.
    C,
    /// Fortran, in fixed or free form.
    Fortran,
    /// Rust.
    Rust,
}

impl Language {
    /// The language of a file by its extension; `None` if the extension is of no language.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            "c" | "h" | "i" => Some(Self::C),
            "rs" => Some(Self::Rust),
            other => {
                let other = other.to_ascii_lowercase();
                let is_fortran = matches!(
                    other.as_str(),
                    "f" | "for" | "ftn" | "fpp" | "f77" | "f90" | "f95" | "f03" | "f08" | "f18"
                );
                is_fortran.then_some(Self::Fortran)
            }
        }
    }
}
