//! Finds and parses the Rust files of a workspace.
//!
//! Files that git ignores are left out, and so are programs that are data here: the kernels and rejects of `testdata`
//! (all but its crates) and the fuzz targets, which are a separate workspace.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// Why a workspace could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The files below the root could not be listed.
    #[error("cannot list files: {0}")]
    List(#[from] ignore::Error),
    /// A file could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A file is not valid Rust.
    #[error("{}: {error}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The parse error with its place.
        error: syn::Error,
    },
    /// A manifest has no package name.
    #[error("{}: no package with a name", .0.display())]
    Manifest(PathBuf),
}

/// One parsed file.
pub(crate) struct RustFile {
    /// The path relative to the root of the workspace.
    pub(crate) path: PathBuf,
    /// Index in [`Workspace::packages`]; `None` if there is no manifest above the file.
    pub(crate) package: Option<usize>,
    pub(crate) n_lines: usize,
    pub(crate) syntax: syn::File,
}

impl RustFile {
    /// Whether the file belongs to tests or benchmarks rather than to the product.
    pub(crate) fn is_test(&self) -> bool {
        let mut parts = self.path.iter().filter_map(|part| part.to_str());
        let stem = self.path.file_stem().and_then(|stem| stem.to_str());
        stem == Some("tests") || parts.any(|part| TEST_FOLDERS.contains(&part))
    }
}

/// One crate: a folder with a manifest.
pub(crate) struct Package {
    pub(crate) name: String,
    /// The path relative to the root of the workspace.
    pub(crate) folder: PathBuf,
}

/// All Rust files of a workspace, parsed, sorted by path.
pub struct Workspace {
    pub(crate) packages: Vec<Package>,
    pub(crate) files: Vec<RustFile>,
}

/// Folders whose files are tests.
const TEST_FOLDERS: [&str; 4] = ["tests", "benches", "testdata", "examples"];

impl Workspace {
    /// Reads all Rust files below `root`, or those of the package named `only`.
    ///
    /// # Errors
    ///
    /// The files cannot be listed, a file cannot be read or parsed, or a manifest has no package name.
    pub fn read(root: &Path, only: Option<&str>) -> Result<Self, ReadError> {
        let mut paths = Vec::new();
        for entry in WalkBuilder::new(root).require_git(false).build() {
            let path = entry?.into_path();
            let relative = path.strip_prefix(root).unwrap_or(&path);
            if is_measured(relative) {
                paths.push(relative.to_owned());
            }
        }
        paths.sort();
        let mut packages = packages(root, &paths)?;
        packages.sort_by(|a, b| a.folder.cmp(&b.folder));
        let mut files = Vec::new();
        for path in paths {
            let package = package_of(&packages, &path);
            let name = package.map(|idx| packages[idx].name.as_str());
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            if is_rust && only.is_none_or(|only| name == Some(only)) {
                files.push(parse(root, path, package)?);
            }
        }
        Ok(Self { packages, files })
    }
}

/// Whether a file is a Rust source or a manifest to be measured.
fn is_measured(path: &Path) -> bool {
    let is_crate = |name| path.starts_with(Path::new("testdata").join(name));
    let is_data =
        path.starts_with("testdata") && !["memo", "oracle", "runner"].iter().any(is_crate);
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    (is_source || path.ends_with("Cargo.toml")) && !is_data && !path.starts_with("fuzz")
}

fn packages(root: &Path, paths: &[PathBuf]) -> Result<Vec<Package>, ReadError> {
    let mut packages = Vec::new();
    for path in paths.iter().filter(|path| path.ends_with("Cargo.toml")) {
        let manifest: Option<toml::Table> = text_of(root, path)?.parse().ok();
        let manifest = manifest.ok_or_else(|| ReadError::Manifest(path.clone()))?;
        // The manifest of the workspace itself has no package.
        let Some(package) = manifest.get("package") else {
            continue;
        };
        let name = package.get("name").and_then(toml::Value::as_str);
        let name = name.ok_or_else(|| ReadError::Manifest(path.clone()))?;
        packages.push(Package {
            name: name.to_owned(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        });
    }
    Ok(packages)
}

/// The package with the innermost folder that contains a file.
fn package_of(packages: &[Package], path: &Path) -> Option<usize> {
    let around = (0..packages.len()).filter(|idx| path.starts_with(&packages[*idx].folder));
    around.max_by_key(|idx| packages[*idx].folder.components().count())
}

fn text_of(root: &Path, path: &Path) -> Result<String, ReadError> {
    fs::read_to_string(root.join(path)).map_err(|error| ReadError::Read {
        path: path.to_owned(),
        error,
    })
}

fn parse(root: &Path, path: PathBuf, package: Option<usize>) -> Result<RustFile, ReadError> {
    let text = text_of(root, &path)?;
    match syn::parse_file(&text) {
        Ok(syntax) => Ok(RustFile {
            path,
            package,
            n_lines: text.lines().count(),
            syntax,
        }),
        Err(error) => Err(ReadError::Syntax { path, error }),
    }
}
