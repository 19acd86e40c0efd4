//! The arguments of each subcommand.

use super::choices::{ConventionChoice, EmitChoice, ReportFormat, StageChoice, TraceFormat};
use super::shared::{
    FileArguments, MeasuringArguments, OutputArguments, PathArguments, PlacingArguments,
    ProfileArguments, ReadingArguments,
};
use crate::targets::TargetArguments;
use crate::values::{percent, size_range};
use clap::{ArgAction, Args};
use premiss_analyze::SizeRange;
use premiss_check::{RuleLevels, Shard};

#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) input: FileArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    /// Analyse this function alone
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    #[command(flatten)]
    pub(crate) profile: ProfileArguments,
    /// Add whole reuse-distance histograms
    #[arg(long)]
    pub(crate) histogram: bool,
    /// The form of the report [default: by the ending of the output file, .html or .json; else text]
    #[arg(long)]
    pub(crate) format: Option<ReportFormat>,
    /// Write to this file in place of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct RooflineArguments {
    #[command(flatten)]
    pub(crate) input: FileArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    #[command(flatten)]
    pub(crate) profile: ProfileArguments,
    /// Draw this function alone
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Write to this file in place of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct FormulaArguments {
    #[command(flatten)]
    pub(crate) input: FileArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    /// Print the formulas of this function alone
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Bytes in a line [default: those of the first cache]
    #[arg(long, value_name = "BYTES")]
    pub(crate) line: Option<u64>,
    /// Sizes that leave this remainder when divided by the elements in a line [default: 0]; with --emit
    /// `all` is every remainder
    #[arg(long, value_name = "NAME=RESIDUE|all", action = ArgAction::Append)]
    pub(crate) class: Vec<String>,
    /// What counts as an operation, a load and a store
    #[arg(long, value_name = "NAME", default_value = "elements")]
    pub(crate) convention: ConventionChoice,
    /// Write the formulas as code: functions of the sizes that check where they hold; of a machine that
    /// says how fast it is, the least time too
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["format", "convention"])]
    pub(crate) emit: Option<EmitChoice>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    pub(crate) input: FileArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    #[command(flatten)]
    pub(crate) profile: ProfileArguments,
    /// Sweep this function alone
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// The distance of neighbouring sizes [default: they double]
    #[arg(long, value_name = "STEP")]
    pub(crate) step: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// The place: a file, a line, and perhaps a column; or the code or name of a rule
    #[arg(value_name = "FILE:LINE[:COL]|RULE")]
    pub(crate) place: String,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct DumpArguments {
    #[command(flatten)]
    pub(crate) input: FileArguments,
    /// Which stage to print
    #[arg(long, value_name = "STAGE")]
    pub(crate) stage: StageChoice,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    /// Print this function alone
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Write to this file in place of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,
}

/// What is checked, and how.
#[derive(Args, Debug)]
pub(crate) struct SubjectArguments {
    #[command(flatten)]
    pub(crate) input: PathArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    #[command(flatten)]
    pub(crate) profile: ProfileArguments,
    /// What rules weigh, as settings say.
    #[arg(skip)]
    pub(crate) levels: RuleLevels,
}

#[derive(Args, Debug)]
pub(crate) struct BaselineArguments {
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    /// The file [default: that of the settings, or premiss-baseline.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) judging: JudgingArguments,
    /// Count the loops of a part of the files alone, the I-th of N, and leave the verdict to `premiss merge`: it
    /// needs the parts of all (--format json:part-I.json)
    #[arg(long, value_name = "I/N", value_parser = Shard::parse, conflicts_with = "watch")]
    pub(crate) shard: Option<Shard>,
    /// Check again whenever a source file changes, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,
}

/// How a check ends, and where it is written.
#[derive(Args, Debug)]
pub(crate) struct JudgingArguments {
    /// Tell only what this file of `premiss baseline write` does not have, or what grew since; exit 3 where it
    /// is missing, is of another machine, or coverage fell
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<String>,
    /// Exit 3 where less than this share of the nests is exact, in percent: 80%, or 80
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) min_coverage: Option<f64>,
    /// Exit 0 where there are findings; other codes stay
    #[arg(long)]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) output: TargetArguments,
}

#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    /// What all shards wrote with --format json:PART
    #[arg(value_name = "PART", required = true)]
    pub(crate) parts: Vec<String>,
    #[command(flatten)]
    pub(crate) judging: JudgingArguments,
    /// What rules weigh, as settings say.
    #[arg(skip)]
    pub(crate) levels: RuleLevels,
}

#[derive(Args, Debug)]
pub(crate) struct DiffArguments {
    /// Compare with the files as they are at this revision of git, read from its objects; or with a file
    /// that --save wrote, whose name ends in .json
    #[arg(long = "base", value_name = "REV|FILE.json")]
    pub(crate) revision: Option<String>,
    /// Write what the files are compared by to this file, for --base of later runs: counts and digests, no
    /// source text. Without a base, nothing is compared
    #[arg(long, value_name = "FILE.json")]
    pub(crate) save: Option<String>,
    /// BASE and HEAD, two files or two folders; with --base, files and folders of the head [default: the
    /// current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// List the files that are read, and the source files that are skipped and why, and do nothing else
    #[arg(long)]
    pub(crate) show_files: bool,
    /// By how much metrics may grow: `%` is relative, a bare number absolute, and where `&` joins both, both
    /// have to be passed; a limit without a metric is of all others [default: 1%&1e3]
    #[arg(long, value_name = "[METRIC=]LIMIT,...")]
    pub(crate) limit: Option<String>,
    /// Sizes without a value lie between these numbers, where formulas are compared
    #[arg(long, value_name = "FROM..TO", value_parser = size_range, default_value = "1..1048576")]
    pub(crate) size_range: SizeRange,
    /// Limits of some kernels, as settings say.
    #[arg(skip)]
    pub(crate) limits: Vec<(String, String)>,
    /// How the settings of the head differ from those of the base, which apply.
    #[arg(skip)]
    pub(crate) policy_changes: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    /// Exit 0 where a limit is exceeded; other codes stay
    #[arg(long)]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) output: TargetArguments,
}

#[derive(Args, Debug)]
pub(crate) struct CoverageArguments {
    /// Exit 3 where less than this share of the nests is exact, in percent: 80%, or 80
    #[arg(long, visible_alias = "min", value_name = "PERCENT", value_parser = percent)]
    pub(crate) min_coverage: Option<f64>,
    #[command(flatten)]
    pub(crate) input: PathArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct TraceArguments {
    #[command(flatten)]
    pub(crate) input: FileArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) placing: PlacingArguments,
    /// Trace this function alone
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// What to print
    #[arg(long, default_value = "addresses")]
    pub(crate) format: TraceFormat,
}
