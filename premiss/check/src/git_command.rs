//! Calls of git that run no program but git.
//!
//! The configuration of a repository may name programs: monitors of files, hooks, filters, transports. A tree that
//! nobody vouches for may come with one: an archive with a `.git`, or a bare repository in one of its folders. So each
//! call overrides what names programs, and reads no configuration of the user or the system, which would change results
//! from one machine to another. What the user says about whose repositories are safe is passed on.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Settings over those of the repository. Of programs that git might run, each is switched off; missing objects are not
/// fetched.
const SETTINGS: [&str; 12] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "credential.helper=",
    "protocol.allow=never",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    // A folder that looks like the inside of a repository is none.
    "safe.bareRepository=explicit",
];

/// Variables of the environment. Protocols: none of all is named so. Paths are no patterns, and objects not replaced by
/// others that the repository has for them.
const ENVIRONMENT: [(&str, &str); 10] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
];

/// Variables that name programs.
const PROGRAMS: [&str; 5] = [
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_PROXY_COMMAND",
    "GIT_ASKPASS",
];

/// A call of git with these arguments in the current folder, without standard input.
pub(crate) fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("--no-pager");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    for folder in safe_directories() {
        command.arg("-c").arg(format!("safe.directory={folder}"));
    }
    command
        .args(arguments)
        .envs(ENVIRONMENT)
        .stdin(Stdio::null());
    for variable in PROGRAMS {
        command.env_remove(variable);
    }
    command
}

/// The output of a call of git.
///
/// # Errors
///
/// The standard error of git if it fails, or why it cannot be started.
pub(crate) fn git_output(arguments: &[&str]) -> Result<String, String> {
    let output = git_bytes(arguments)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// The same as bytes.
///
/// # Errors
///
/// Those of [`git_output`].
pub(crate) fn git_bytes(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = git(arguments).output();
    let output = output.map_err(|error| format!("git cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// The repositories of others that the user or the system declares safe: git refuses all other ones.
fn safe_directories() -> &'static [String] {
    static DIRECTORIES: OnceLock<Vec<String>> = OnceLock::new();
    DIRECTORIES.get_or_init(|| {
        let arguments = ["config", "--includes", "--show-scope", "--type=path", "-z"];
        let mut command = Command::new("git");
        command
            .args(arguments)
            .args(["--get-all", "safe.directory"]);
        // Outside of the repository, whose own word on it does not count.
        let output = command.current_dir("/").stdin(Stdio::null()).output();
        let output = output.map(|output| output.stdout).unwrap_or_default();
        let text = String::from_utf8_lossy(&output).into_owned();
        parse_scoped(&text)
    })
}

/// Parses pairs of a scope and a value, each followed by a zero byte; those of the system and the user are returned. Of
/// other scopes, git gets those of the environment anyway.
fn parse_scoped(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split('\0').collect();
    let pairs = words.chunks_exact(2);
    let is_own = |pair: &&[&str]| matches!(pair[0], "system" | "global");
    pairs
        .filter(is_own)
        .map(|pair| pair[1].to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_the_repository_on_its_own_safety_does_not_count() {
        let text = "system\0*\0global\0/srv/a b\0local\0/evil\0command\0/other\0";
        assert_eq!(parse_scoped(text), ["*", "/srv/a b"]);
        assert!(parse_scoped("").is_empty());
    }

    #[test]
    fn all_settings_are_known_to_git_as_they_are_written() {
        for setting in SETTINGS {
            let (key, value) = setting.split_once('=').expect("a key and a value");
            let found = git_output(&["config", "--get", key]);
            assert_eq!(found.as_deref().map(str::trim_end), Ok(value), "{key}");
        }
    }
}
