//! Compiles programs and runs them.

use crate::language::Language;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether the compilers of a language are there.
pub(super) fn is_installed(language: Language) -> bool {
    let tools: &[&str] = match language {
        Language::C => &["gcc"],
        Language::Fortran => &["gcc", "gfortran"],
        Language::Rust => &["rustc"],
    };
    tools.iter().all(|tool| {
        let version = Command::new(tool)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        version.is_ok_and(|status| status.success())
    })
}

/// What a program prints, of which these are the files. It is compiled in a new folder within `scratch`, which is gone
/// afterwards.
///
/// # Panics
/// It cannot be compiled, or does not end well.
pub(super) fn run(language: Language, files: &[(&str, String)], scratch: &Path) -> String {
    let folder = Folder::new(scratch, language);
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, text)| {
            let path = folder.0.join(name);
            fs::write(&path, text).expect("a file in a folder of ours");
            path
        })
        .collect();
    let program = folder.0.join("program");
    let (compiler, options): (&str, &[&str]) = match language {
        Language::C => ("gcc", &["-std=gnu99", "-O1", "-fwrapv", "-w", "-lm"]),
        Language::Fortran => ("gfortran", &["-O0", "-w", "-ffree-line-length-none"]),
        Language::Rust => (
            "rustc",
            &["--edition=2024", "--cap-lints=allow", "-Copt-level=0"],
        ),
    };
    let mut command = Command::new(compiler);
    let output = command
        .current_dir(&folder.0)
        .args(&paths)
        .arg("-o")
        .arg(&program)
        .args(options)
        .output();
    let output = output.expect("the compiler runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{compiler} refuses the programs:\n{errors}"
    );
    let output = Command::new(program).stderr(Stdio::null()).output();
    let output = output.expect("the programs run");
    assert!(
        output.status.success(),
        "the programs end with {}",
        output.status
    );
    String::from_utf8(output.stdout).expect("plain text")
}

/// A folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(scratch: &Path, language: Language) -> Self {
        let thread = std::thread::current().id();
        let name = format!("programs_{language:?}_{}_{thread:?}", std::process::id());
        let path = scratch.join(name);
        fs::create_dir_all(&path).expect("a folder for programs");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on its being gone.
        let _ = fs::remove_dir_all(&self.0);
    }
}
