//! Reads the output of `gcov --json-format`, with or without `-b`, compressed by gzip or not.
//!
//! The format is documented in the manual of gcov, under "Invoking gcov". Several concatenated documents, as written
//! by `--stdout`, are files of one run.

use crate::gcov_document::{GcovDocument, GcovFile};
use serde_json::Number;
use std::collections::BTreeMap;
use std::io::Read;

/// The maximum size of a decompressed profile, in bytes.
const LARGEST: u64 = 1 << 30;

/// Execution counts of lines and functions of some files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    /// Counts by path: the path as given by gcov, prefixed by the directory in which the compiler ran if it is
    /// relative.
    pub files: BTreeMap<String, FileCounts>,
}

/// The counts of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileCounts {
    /// Its functions, by their first line (from 1) and their symbol in the object file.
    pub functions: BTreeMap<(u32, String), FunctionCount>,
    /// Its lines with code, by number (from 1).
    pub lines: BTreeMap<u32, LineCount>,
}

/// The counts of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCount {
    /// Its last line.
    pub last_line: u32,
    /// How often it was called.
    pub executions: u64,
}

/// The counts of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineCount {
    /// How often it was executed; the header of a loop over several lines counts once per iteration.
    pub executions: u64,
    /// The ways out of its conditions, in order of evaluation, two for each condition.
    pub branches: Vec<BranchCount>,
}

/// One way out of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchCount {
    /// How often it was taken.
    pub n_taken: u64,
    /// Whether it leads to the following code, such as that of an arm.
    pub falls_through: bool,
}

/// Why bytes are not a profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProfileError {
    /// The input is empty.
    #[error("it is empty; {HOW}")]
    Empty,
    /// The compressed data are damaged.
    #[error("it cannot be unpacked: {0}; {HOW}")]
    Packed(String),
    /// The input has another format.
    #[error("it is not JSON that gcov writes: {0}; {HOW}")]
    Form(String),
    /// A count that no run can reach.
    #[error("{place}: {value} is not a count that a run can reach: the profile is damaged; {HOW}")]
    Count {
        /// The place in the profile.
        place: String,
        /// The value.
        value: String,
    },
}

/// How to create a profile.
const HOW: &str =
    "to make one: gcc --coverage -O0 FILE.c, run the program, gcov -b --json-format FILE.c";

impl Profile {
    /// Reads the output of gcov, compressed or not.
    ///
    /// # Errors
    /// If the input is empty, damaged or in another format.
    pub fn read(bytes: &[u8]) -> Result<Self, ProfileError> {
        let unpacked;
        let bytes = match bytes {
            [0x1f, 0x8b, ..] => {
                unpacked = unpack(bytes)?;
                &unpacked
            }
            plain => plain,
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(ProfileError::Empty);
        }
        let mut profile = Self::default();
        for document in serde_json::Deserializer::from_slice(bytes).into_iter::<GcovDocument>() {
            let document = document.map_err(|error| ProfileError::Form(error.to_string()))?;
            profile.add_document(document)?;
        }
        Ok(profile)
    }

    /// Adds the counts of another run, or of other files.
    pub fn merge(&mut self, other: Self) {
        for (path, counts) in other.files {
            self.files.entry(path).or_default().merge(counts);
        }
    }

    fn add_document(&mut self, document: GcovDocument) -> Result<(), ProfileError> {
        match document.format_version.as_deref() {
            Some("1" | "2") => {}
            Some(other) => {
                let why = format!("its format_version is `{other}`, not 1 or 2");
                return Err(ProfileError::Form(why));
            }
            None => {
                let why = "it has no format_version".to_owned();
                return Err(ProfileError::Form(why));
            }
        }
        for file in document.files {
            let path = match file.file.starts_with('/') {
                true => file.file.clone(),
                false => format!("{}/{}", document.current_working_directory, file.file),
            };
            let counts = FileCounts::from_document(file)?;
            self.files.entry(path).or_default().merge(counts);
        }
        Ok(())
    }
}

impl FileCounts {
    fn from_document(file: GcovFile) -> Result<Self, ProfileError> {
        let mut counts = Self::default();
        for function in file.functions {
            let place = || format!("function `{}` of `{}`", function.name, file.file);
            let count = FunctionCount {
                last_line: function.end_line,
                executions: number(&function.execution_count, place)?,
            };
            let key = (function.start_line, function.name.clone());
            counts.functions.insert(key, count);
        }
        for line in file.lines {
            let place = || format!("line {} of `{}`", line.line_number, file.file);
            let mut count = LineCount {
                executions: number(&line.count, place)?,
                branches: Vec::new(),
            };
            for branch in line.branches.iter().filter(|branch| !branch.throw) {
                count.branches.push(BranchCount {
                    n_taken: number(&branch.count, place)?,
                    falls_through: branch.fallthrough,
                });
            }
            counts
                .lines
                .entry(line.line_number)
                .or_default()
                .merge(&count);
        }
        Ok(counts)
    }

    fn merge(&mut self, other: Self) {
        for (key, count) in other.functions {
            match self.functions.get_mut(&key) {
                Some(known) => known.executions = known.executions.saturating_add(count.executions),
                None => {
                    self.functions.insert(key, count);
                }
            }
        }
        for (line, count) in other.lines {
            self.lines.entry(line).or_default().merge(&count);
        }
    }
}

impl LineCount {
    /// Adds the counts of another run, or of another copy of this line's code.
    fn merge(&mut self, other: &Self) {
        let shape = |line: &Self| {
            line.branches
                .iter()
                .map(|x| x.falls_through)
                .collect::<Vec<_>>()
        };
        let is_new = *self == Self::default();
        match is_new || shape(self) == shape(other) {
            true if is_new => self.branches.clone_from(&other.branches),
            true => {
                for (mine, theirs) in self.branches.iter_mut().zip(&other.branches) {
                    mine.n_taken = mine.n_taken.saturating_add(theirs.n_taken);
                }
            }
            // Different code: the ways cannot be matched.
            false => self.branches.clear(),
        }
        self.executions = self.executions.saturating_add(other.executions);
    }
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, ProfileError> {
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(bytes).take(LARGEST + 1);
    let refuse = |why: String| Err(ProfileError::Packed(why));
    match reader.read_to_end(&mut unpacked) {
        Err(error) => refuse(error.to_string()),
        Ok(size) if LARGEST < size as u64 => refuse(format!("it has more than {LARGEST} bytes")),
        Ok(_) => Ok(unpacked),
    }
}

/// A count: gcov has 63 bits, and some versions write large counts as floating-point numbers.
fn number(number: &Number, place: impl Fn() -> String) -> Result<u64, ProfileError> {
    let greatest = u64::from(u32::MAX) << 31;
    let whole = number.as_u64().filter(|x| *x <= i64::MAX.unsigned_abs());
    let real = number.as_f64().filter(|x| number.is_f64() && 0.0 <= *x);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "it is compared with a bound below 2^63 before, and was rounded by gcov"
    )]
    let real = real.filter(|x| *x <= greatest as f64).map(|x| x as u64);
    whole.or(real).ok_or_else(|| ProfileError::Count {
        place: place(),
        value: number.to_string(),
    })
}
