//! Options that several subcommands have in common.

use super::choices::{EngineChoice, Format, HierarchyChoice, LayoutChoice, MissingFlagsChoice};
use crate::named_contents::NamedContents;
use clap::{ArgAction, Args};
use premiss_check::FileSettings;

#[derive(Args, Debug)]
pub(crate) struct FileArguments {
    /// C, Fortran or Rust files, read as one program; `-` is standard input [default: those of
    /// compile_commands.json]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// What to call standard input
    #[arg(long, value_name = "PATH", default_value = "stdin.c")]
    pub(crate) stdin_filename: String,
}

#[derive(Args, Debug)]
pub(crate) struct PathArguments {
    /// C, Fortran or Rust files, or folders to search for them, read as one program; `-` is standard
    /// input [default: the files of compile_commands.json]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// List the files that are read, and the source files that are skipped and why, and do nothing else
    #[arg(long)]
    pub(crate) show_files: bool,
    /// What to call standard input
    #[arg(long, value_name = "PATH", default_value = "stdin.c")]
    pub(crate) stdin_filename: String,
}

/// How to read the source.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading the source")]
pub(crate) struct ReadingArguments {
    /// Define a macro, as a C compiler does
    #[arg(short = 'D', value_name = "NAME[=VALUE]", action = ArgAction::Append)]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", action = ArgAction::Append, hide_short_help = true)]
    pub(crate) undefine: Vec<String>,
    /// Search this folder for included files
    #[arg(short = 'I', value_name = "DIR", action = ArgAction::Append)]
    pub(crate) include: Vec<String>,
    /// The folder of compile_commands.json, which says how each file is compiled [default: the current
    /// folder, or the first folder build* in it that has one]
    #[arg(short = 'p', long = "build", value_name = "DIR")]
    pub(crate) build: Option<String>,
    /// What to do with a file that is not in compile_commands.json: refuse it, skip it, or read it with
    /// the flags of the nearest file that is
    #[arg(
        long,
        value_name = "HOW",
        default_value = "error",
        hide_short_help = true
    )]
    pub(crate) missing_flags: MissingFlagsChoice,
    /// A TOML file that says what functions without a definition do
    ///
    /// Its `[functions]` table has lines such as log = "nothing", norm = { touches = "nothing", result =
    /// "double" }, axpy = { body = "void axpy(int n, double *x) { … }" }, solve = { touches = "unknown" }.
    #[arg(long, value_name = "FILE", action = ArgAction::Append, hide_short_help = true)]
    pub(crate) functions: Vec<String>,
    /// Set a size, macro or constant (-P n=1000; repeatable)
    #[arg(short = 'P', long = "param", value_name = "NAME=VALUE", action = ArgAction::Append)]
    pub(crate) param: Vec<String>,
    /// Assume that run-time values are never NaN and never equal the constant compared with
    ///
    /// `if (x[j] != 0.0)` and `if (alpha != 1.0)` hold then, and `isnan(x[j])` does not.
    #[arg(long, hide_short_help = true)]
    pub(crate) dense: bool,
    /// The type of a generic parameter of Rust that no call determines (--type T=f32, --type scale::T=u8; repeatable)
    ///
    /// Without it, such a parameter is what its bounds say, the first type of the program that has its traits, or f64.
    #[arg(long = "type", value_name = "NAME=TYPE", action = ArgAction::Append, hide_short_help = true)]
    pub(crate) types: Vec<String>,
    /// Macros of settings, `NAME=VALUE`, which options come after.
    #[arg(skip)]
    pub(crate) configured_defines: Vec<String>,
    /// Sizes and exclusions of settings.
    #[arg(skip)]
    pub(crate) settings: FileSettings,
    /// The contents of files that settings name.
    #[arg(skip)]
    pub(crate) contents: NamedContents,
}

/// Where arrays are, and how much work is allowed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Arrays and effort")]
pub(crate) struct PlacingArguments {
    /// Where arrays start: at multiples of 4096 or of 64 bytes
    #[arg(long, default_value = "page4096", hide_short_help = true)]
    pub(crate) layout: LayoutChoice,
    /// Place an array at this address, decimal or 0x…
    #[arg(long = "array-base", value_name = "NAME=ADDR", action = ArgAction::Append, hide_short_help = true)]
    pub(crate) base: Vec<String>,
    /// Count on until levels are exact, however long it takes, rather than estimate them from samples
    ///
    /// Programs in which data decide are not sampled. Without it, the functions of a run over many files share the
    /// budget of some of them, so that a folder takes minutes.
    #[arg(long, conflicts_with = "budget")]
    pub(crate) exact: bool,
    /// The most steps that tracing one function may take, shared by all levels [default: 6e7 in reports, else 1e9, of
    /// which each function has a share where a run has many]
    #[arg(long, value_name = "STEPS", hide_short_help = true)]
    pub(crate) budget: Option<String>,
    /// The most steps that deriving a closed form may take
    #[arg(
        long,
        value_name = "STEPS",
        default_value = "4e6",
        hide_short_help = true
    )]
    pub(crate) effort: String,
}

/// What to count.
#[derive(Args, Debug)]
#[command(next_help_heading = "Machine")]
pub(crate) struct MeasuringArguments {
    /// A built-in machine (see `premiss machine list`) or a TOML file [default: spr]
    #[arg(short, long, value_name = "NAME|FILE", conflicts_with_all = ["cache", "tlb"])]
    pub(crate) machine: Option<String>,
    /// A cache level instead of a machine's, nearest first: L1=32KiB,8,64
    ///
    /// WAYS may be `full`. KIND is one or more of fifo, tree-plru, nru, random, write-through, no-allocate,
    /// in any order [default: lru,write-back,allocate]: L1=32KiB,8,64,fifo,write-through,no-allocate
    #[arg(long, value_name = "NAME=SIZE,WAYS,LINE[,KIND...]", action = ArgAction::Append)]
    pub(crate) cache: Vec<String>,
    /// A TLB level instead of a machine's, nearest first: dTLB=64,4,4096
    ///
    /// WAYS may be `full`. KIND is lru, fifo, tree-plru, nru or random.
    #[arg(
        long,
        value_name = "NAME=ENTRIES,WAYS,PAGE[,KIND]",
        action = ArgAction::Append,
        hide_short_help = true
    )]
    pub(crate) tlb: Vec<String>,
    /// How cache levels interact [default: what the machine says, else independent]
    #[arg(long, hide_short_help = true)]
    pub(crate) hierarchy: Option<HierarchyChoice>,
    #[command(flatten)]
    pub(crate) placing: PlacingArguments,
    /// Which engine counts: closed forms execute nothing, the trace runs the loops
    #[arg(
        long,
        default_value = "auto",
        help_heading = "Arrays and effort",
        hide_short_help = true
    )]
    pub(crate) engine: EngineChoice,
    /// Ignore the result cache [in: PREMISS_CACHE_DIR, $XDG_CACHE_HOME/premiss or ~/.cache/premiss]
    #[arg(long, help_heading = "Arrays and effort", hide_short_help = true)]
    pub(crate) no_cache: bool,
    /// The contents of files that settings name.
    #[arg(skip)]
    pub(crate) contents: NamedContents,
}

/// How often what data decide happens.
#[derive(Args, Debug)]
pub(crate) struct ProfileArguments {
    /// A profile from `gcov -b --json-format`, for estimates where data decide how often something runs
    ///
    /// Several profiles are added up. They take precedence over comments in the source (`premiss:assume
    /// trips 40`).
    #[arg(
        long,
        value_name = "FILE",
        action = ArgAction::Append,
        help_heading = "Reading the source",
        hide_short_help = true
    )]
    pub(crate) profile: Vec<String>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// The output format
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,
}
