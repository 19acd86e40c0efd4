//! Options that several subcommands have in common.

use super::choices::{EngineChoice, Format, HierarchyChoice, LayoutChoice, MissingFlagsChoice};
use crate::named_contents::NamedContents;
use clap::{ArgAction, Args};
use premiss_check::FileSettings;

#[derive(Args, Debug)]
pub(crate) struct FileArguments {
    /// C files, read as one program; `-` is standard input [default: those of compile_commands.json]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// What to call standard input
    #[arg(long, value_name = "PATH", default_value = "stdin.c")]
    pub(crate) stdin_filename: String,
}

#[derive(Args, Debug)]
pub(crate) struct PathArguments {
    /// C files, or folders to look for `*.c` in, read as one program; `-` is standard input
    /// [default: the files of compile_commands.json]
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
pub(crate) struct ReadingArguments {
    /// Define a macro, as a C compiler does
    #[arg(short = 'D', value_name = "NAME[=VALUE]", action = ArgAction::Append)]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", action = ArgAction::Append)]
    pub(crate) undefine: Vec<String>,
    /// Look for included files in this folder
    #[arg(short = 'I', value_name = "DIR", action = ArgAction::Append)]
    pub(crate) include: Vec<String>,
    /// The folder of compile_commands.json, which says how each file is compiled [default: the current
    /// folder, or the first folder build* in it that has one]
    #[arg(short = 'p', long = "build", value_name = "DIR")]
    pub(crate) build: Option<String>,
    /// What to do with a file that compile_commands.json does not have: refuse it, leave it out, or read
    /// it as the nearest file that it has
    #[arg(long, value_name = "HOW", default_value = "error")]
    pub(crate) missing_flags: MissingFlagsChoice,
    /// A TOML file that says what functions do whose definitions are not there, or do not matter:
    /// a `[functions]` table with log = "nothing", norm = { touches = "nothing", result = "double" },
    /// axpy = { body = "void axpy(int n, double *x) { … }" }, solve = { touches = "unknown" }
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub(crate) functions: Vec<String>,
    /// Give a size of the program its value
    #[arg(short = 'P', long = "param", value_name = "NAME=VALUE", action = ArgAction::Append)]
    pub(crate) param: Vec<String>,
    /// Count as if numbers that only running the program would tell were numbers, and equal to none of the
    /// constants that they are compared with: `if (x[j] != 0.0)` and `if (alpha != 1.0)` hold, `isnan(x[j])` does not
    #[arg(long)]
    pub(crate) dense: bool,
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
pub(crate) struct PlacingArguments {
    /// Where arrays start: at multiples of 4096 or of 64 bytes
    #[arg(long, default_value = "page4096")]
    pub(crate) layout: LayoutChoice,
    /// Place an array at this address, decimal or 0x…
    #[arg(long, value_name = "NAME=ADDR", action = ArgAction::Append)]
    pub(crate) base: Vec<String>,
    /// The most steps that one run of a function may take
    #[arg(long, value_name = "STEPS", default_value = "4e9")]
    pub(crate) budget: String,
    /// The most steps that deriving a closed form may take
    #[arg(long, value_name = "STEPS", default_value = "4e6")]
    pub(crate) effort: String,
}

/// What to count.
#[derive(Args, Debug)]
pub(crate) struct MeasuringArguments {
    /// A machine that comes along (see `premiss machine list`), or a TOML file [default: spr]
    #[arg(short, long, value_name = "NAME|FILE", conflicts_with_all = ["cache", "tlb"])]
    pub(crate) machine: Option<String>,
    /// A cache level in place of a machine's, nearest first: L1=32KiB,8,64; WAYS may be `full`. KIND are
    /// words such as fifo, tree-plru, nru, random, write-through, no-allocate, in any order
    /// [default: lru,write-back,allocate]: L1=32KiB,8,64,fifo,write-through,no-allocate
    #[arg(long, value_name = "NAME=SIZE,WAYS,LINE[,KIND...]", action = ArgAction::Append)]
    pub(crate) cache: Vec<String>,
    /// A TLB level in place of a machine's, nearest first: dTLB=64,4,4096; WAYS may be `full`, KIND is
    /// lru, fifo, tree-plru, nru or random
    #[arg(long, value_name = "NAME=ENTRIES,WAYS,PAGE[,KIND]", action = ArgAction::Append)]
    pub(crate) tlb: Vec<String>,
    #[command(flatten)]
    pub(crate) placing: PlacingArguments,
    /// Which engine counts: closed forms execute nothing, the trace runs the loops
    #[arg(long, default_value = "auto")]
    pub(crate) engine: EngineChoice,
    /// Work anew: neither read nor write what earlier runs found out [kept in: PREMISS_CACHE_DIR,
    /// $XDG_CACHE_HOME/premiss or ~/.cache/premiss]
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// What a cache has to do with the others: it sees every access; it sees the misses of the level
    /// above; besides holds all that the level above holds; or holds nothing that it holds [default:
    /// what the machine says, else independent]
    #[arg(long)]
    pub(crate) hierarchy: Option<HierarchyChoice>,
    /// The contents of files that settings name.
    #[arg(skip)]
    pub(crate) contents: NamedContents,
}

/// How often what data decide happens.
#[derive(Args, Debug)]
pub(crate) struct ProfileArguments {
    /// A profile of the program, as `gcov -b --json-format` writes it: where data decide how often
    /// something is counted, averages of it make estimates. Several are added up; they count before
    /// what comments in the source say (`premiss:assume trips 40`)
    #[arg(long, value_name = "FILE", action = ArgAction::Append)]
    pub(crate) profile: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct OutputArguments {
    /// The form of the report
    #[arg(long, default_value = "text")]
    pub(crate) format: Format,
    /// Write to this file in place of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<String>,
}
