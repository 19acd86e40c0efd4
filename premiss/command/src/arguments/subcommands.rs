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
    /// Analyse only this function
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) function: Option<String>,
    #[command(flatten)]
    pub(crate) profile: ProfileArguments,
    /// Add full reuse-distance histograms
    #[arg(long, help_heading = "Output")]
    pub(crate) histogram: bool,
    /// The output format [default: by the suffix of -o, .html or .json; else text]
    #[arg(long, help_heading = "Output")]
    pub(crate) format: Option<ReportFormat>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
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
    /// Draw only this function
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) function: Option<String>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
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
    /// Print the formulas of only this function
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) function: Option<String>,
    /// Bytes in a cache line [default: that of the first cache]
    #[arg(long, value_name = "BYTES", help_heading = "Output")]
    pub(crate) line: Option<u64>,
    /// Formulas for sizes like this one: those with the same remainder when divided by the elements in a line, and, for
    /// levels of several sets, by those in a row of each set [default: 0, and levels as if fully associative]; with
    /// --emit, `all` is every remainder
    #[arg(
        long,
        value_name = "NAME=RESIDUE|all",
        action = ArgAction::Append,
        help_heading = "Output"
    )]
    pub(crate) class: Vec<String>,
    /// What counts as an operation, a load and a store
    #[arg(
        long,
        value_name = "NAME",
        default_value = "elements",
        help_heading = "Output"
    )]
    pub(crate) convention: ConventionChoice,
    /// Write the formulas as code: functions of the sizes that check where they hold
    ///
    /// For a machine that says how fast it is, the least time is among them.
    #[arg(
        long,
        value_name = "LANGUAGE",
        conflicts_with_all = ["format", "convention"],
        help_heading = "Output"
    )]
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
    /// Sweep only this function
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) function: Option<String>,
    /// The distance between neighbouring sizes [default: they double]
    #[arg(long, value_name = "STEP", help_heading = "Output")]
    pub(crate) step: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// A place (a file, a line, and possibly a column), or the code or name of a rule
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
    /// The stage to print
    #[arg(long, value_name = "STAGE")]
    pub(crate) stage: StageChoice,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArguments,
    /// Print only this function
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) function: Option<String>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
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
    /// The baseline file [default: that of the settings, or premiss-baseline.json]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) baseline: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) subject: SubjectArguments,
    #[command(flatten)]
    pub(crate) judging: JudgingArguments,
    /// Count only the I-th of N parts of the files, and leave the verdict to `premiss merge`
    ///
    /// Merging needs the parts of all (--format json:part-I.json).
    #[arg(
        long,
        value_name = "I/N",
        value_parser = Shard::parse,
        conflicts_with = "watch",
        help_heading = "Verdict",
        hide_short_help = true
    )]
    pub(crate) shard: Option<Shard>,
    /// Check again whenever a source file changes, until interrupted
    #[arg(long, help_heading = "Output")]
    pub(crate) watch: bool,
}

/// How a check ends, and where it is written.
#[derive(Args, Debug)]
#[command(next_help_heading = "Verdict")]
pub(crate) struct JudgingArguments {
    /// Report only what is not in this file of `premiss baseline write`, or has grown since
    ///
    /// Exit 3 if the file is missing or is for another machine, or if coverage fell.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<String>,
    /// Exit 3 if less than this share of the nests is exact: 80%, or 80
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub(crate) min_coverage: Option<f64>,
    /// Report findings but exit 0; codes 2 and 3 unchanged
    #[arg(long)]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) output: TargetArguments,
}

#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    /// The files that the shards wrote with --format json:PART
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
    /// Compare with the files at this revision of git, or with a file that --save wrote (*.json)
    #[arg(long = "base", value_name = "REV|FILE.json")]
    pub(crate) revision: Option<String>,
    /// Write what a later --base needs to this file: counts and digests, no source text
    ///
    /// Without a base, nothing is compared.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) save: Option<String>,
    /// BASE and HEAD, two files or two folders; with --base, files and folders of the head [default: the
    /// current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// List the files that are read, and the source files that are skipped and why, and do nothing else
    #[arg(long)]
    pub(crate) show_files: bool,
    /// How much metrics may grow: l1_miss=5%&1e6,mem_bytes=0% [default: 1%&1e3]
    ///
    /// `%` is relative, a bare number absolute; joined by `&`, both must be exceeded to fail. A limit without a metric is
    /// that of all others.
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
    /// Report regressions but exit 0; codes 2 and 3 unchanged
    #[arg(long, help_heading = "Verdict")]
    pub(crate) exit_zero: bool,
    #[command(flatten)]
    pub(crate) output: TargetArguments,
}

#[derive(Args, Debug)]
pub(crate) struct CoverageArguments {
    /// Exit 3 if less than this share of the nests is exact: 80%, or 80
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
    /// Trace only this function
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) function: Option<String>,
    /// What to print
    #[arg(long, default_value = "addresses", help_heading = "Output")]
    pub(crate) format: TraceFormat,
}
