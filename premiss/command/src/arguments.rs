//! The command line.

use crate::settings::{Configured, RuleLevels};
use crate::shard::Shard;
use crate::targets::TargetArguments;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

/// Predicts from source text how often every array reference misses in every cache and TLB level.
///
/// Reads C loop nests, runs their loop structure (not the program) at the sizes given, and counts
/// every access: exactly where the text decides, in bounds where data does.
#[derive(Parser, Debug)]
#[command(name = "premiss", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 nothing to report, 1 findings, 2 could not do its job, 3 inconclusive."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Colour: over NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE, TERM=dumb, and whether it is a terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColourChoice,
    /// Take settings from this file [default: PREMISS_CONFIG, or the nearest premiss.toml, .premiss.toml,
    /// Cargo.toml or fpm.toml that has settings, up to the root of the repository]
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "isolated")]
    pub(crate) config: Option<String>,
    /// Take settings from no file
    #[arg(long, global = true)]
    pub(crate) isolated: bool,
    /// Print the settings in force and where each is from, and do nothing else
    #[arg(long, global = true)]
    pub(crate) show_settings: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show what every line, reference, loop and level of a file does
    #[command(
        after_help = "Examples: premiss report gemm.c -P n=1000 --machine spr\n          \
                            premiss report gemm.c -P n=1000 -o report.html"
    )]
    Report(ReportArguments),
    /// Tell where the lines of the references at a place come from, and what that means; or what a rule
    /// is about
    #[command(
        after_help = "Examples: premiss explain gemm.c:13:30 -P N --cache L1=32KiB,full,64\n          \
                      premiss explain PM001\n\n\
                      Levels count as fully associative. Sizes are as for `premiss formula`."
    )]
    Explain(ExplainArguments),
    /// Print accesses, cold misses, distances and misses as formulas in the program's sizes
    #[command(
        after_help = "Example: premiss formula gemm.c -P N --cache L1=32KiB,full,64\n\n\
                      Levels count as fully associative. `-P NAME` keeps a size symbolic, `-P NAME=VALUE` fixes \
                      it; without `-P NAME`, every size is symbolic for which there are formulas."
    )]
    Formula(FormulaArguments),
    /// Draw how fast functions can be at best, over the operations that they do for each byte, as SVG
    #[command(after_help = "Example: premiss roofline gemm.c -P n=1000 --machine spr -o gemm.svg")]
    Roofline(RooflineArguments),
    /// Show misses over sizes, from one derivation for each residue class of the sizes
    #[command(
        after_help = "Example: premiss sweep gemm.c -P N=64..8192 --cache L1=32KiB,full,64\n\n\
                      Without --step, sizes double from the lower end of a range: where that is a multiple of \
                      the elements in a line, one derivation serves all. Levels of several sets are traced \
                      within a hundredth of --budget a point, and estimated beyond. TLBs are left out \
                      unless given with --tlb."
    )]
    Sweep(SweepArguments),
    /// Report what rules find, most bytes first, and what could not be understood or counted; exit 1 where
    /// there is any
    #[command(
        after_help = "Examples: premiss check src/ -p build --machine spr -P N=1000\n          \
                      premiss check src/ --format github,sarif:out.sarif,markdown:pr.md\n\n\
                      All forms but text have paths from the root of the repository. \
                      github is for steps of GitHub's workflows: ten errors and ten warnings, those of most bytes; \
                      where there are more, all are added to the file that GITHUB_STEP_SUMMARY names.\n\n\
                      `premiss explain PM001` is the manual page of a rule."
    )]
    Check(CheckArguments),
    /// Put together what the shards of a check found, and judge it: the same text and exit code as one check of
    /// all files
    #[command(
        after_help = "Example: premiss check src/ --shard 1/2 --format json:part-1.json     # one job\n         \
                               premiss check src/ --shard 2/2 --format json:part-2.json     # another one\n         \
                               premiss merge part-*.json --format github,sarif:out.sarif   # after both\n\n\
                      Run it in the folder that the shards ran in, with the same files: it reads the sources again \
                      to quote them. Shards exit 0 whatever they find; --baseline, --min-coverage, --exit-zero and \
                      the levels of rules count here. Exit codes are those of check; 3 too where a shard is \
                      missing, or shards are of different files, machines, options or versions."
    )]
    Merge(MergeArguments),
    /// Keep what `premiss check` finds now in a file, so that it tells only what is new or grew
    Baseline {
        #[command(subcommand)]
        command: BaselineCommand,
    },
    /// Print the JSON Schema of what a command writes with --format json
    Schema {
        /// Which one; without a name, they are listed
        name: Option<String>,
    },
    /// Print the completions of a shell
    #[command(after_help = "Example: premiss completions bash > /etc/bash_completion.d/premiss")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example: premiss man > premiss.1")]
    Man {
        /// That of this command, as in `premiss man check`
        command: Option<String>,
    },
    /// Write a premiss.toml with all settings explained
    Init,
    /// Compare misses with those of a base: a revision of git, or another file or folder; exit 1 where they
    /// grow beyond their limits
    #[command(
        mut_arg("base", |arg| arg.long("array-base")),
        after_help = "Examples: premiss diff --base origin/main src/ --machine spr -P N=1000\n          \
                      premiss diff old.c new.c --limit 'l1_miss=5%&1e6,mem_bytes=0%'\n          \
                      premiss diff --base origin/main --format github,sarif:out.sarif,markdown:pr.md\n          \
                      premiss diff --save base.json src/; premiss diff --base base.json src/\n\n\
                      Nests are matched by what they do: names, places and layout of the text do not matter. \
                      A nest that is gone and a new one that looks like it are compared, as it may have been renamed \
                      and changed at once; a nest that comes to a function counts with those of its arrays. Nests \
                      that are new otherwise have no base and are named. Where sizes have no values, formulas are \
                      compared for all sizes. \
                      Metrics are `NAME_miss` for each level, such as l1_miss and dtlb_miss, and mem_bytes. \
                      Exit codes: 0 within limits, 1 beyond one, 2 could not compare, 3 undecided."
    )]
    Diff(DiffArguments),
    /// Say which loop nests the model covers, without running any
    Coverage(CoverageArguments),
    /// List or show the machines that come along, describe this computer, or import a description
    Machine {
        #[command(subcommand)]
        command: MachineCommand,
    },
    /// Print every access in order, to compare with a native trace
    #[command(
        after_help = "A line is `L|S address size reference`, with `?` before the kind where data decides \
                      whether it happens, and for the address where data decides which element it is."
    )]
    Trace(TraceArguments),
}

#[derive(Subcommand, Debug)]
pub(crate) enum BaselineCommand {
    /// Write all that is found
    #[command(after_help = "Example: premiss baseline write src/ -P n=1000 --machine spr")]
    Write(BaselineArguments),
    /// Take out what is not found any more; nothing is added, and what is about files that are not read stays
    Prune(BaselineArguments),
}

#[derive(Subcommand, Debug)]
pub(crate) enum MachineCommand {
    /// List the machines that come along
    List,
    /// Show a machine: its levels and where the numbers are from
    Show {
        /// A machine that comes along, or a TOML file
        name: String,
    },
    /// Describe this computer, as a file for --machine
    #[command(
        after_help = "Linux alone: caches are those that the kernel tells of in sysfs; TLBs, vectors, and whether \
                      this is a virtual machine, those of CPUID where there is one. What neither tells is measured \
                      with --measure; on x86-64 that includes the clock and what a core does in a cycle.\n\n\
                      Example: premiss machine detect --name here --measure > here.toml"
    )]
    Detect {
        /// What to call it
        #[arg(long, default_value = "detected")]
        name: String,
        /// Read this folder in place of /sys/devices/system/cpu/cpu0/cache, and ask no CPUID
        #[arg(long, value_name = "DIR")]
        sysfs: Option<String>,
        /// Run loops for some seconds to find out how fast caches, memory and a core are
        #[arg(long, conflicts_with = "sysfs")]
        measure: bool,
    },
    /// Turn a description of another kind into a file for --machine
    Import {
        /// What to call it
        #[arg(long, default_value = "imported", global = true)]
        name: String,
        #[command(subcommand)]
        format: ImportFormat,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum ImportFormat {
    /// A machine file of Kerncraft, in YAML
    #[command(
        after_help = "Example: premiss machine import kerncraft Zen2.yml --name zen2 > zen2.toml"
    )]
    Kerncraft {
        /// The file
        file: String,
    },
    /// What hwloc's `lstopo --of xml` writes
    #[command(after_help = "Example: premiss machine import hwloc topology.xml > here.toml")]
    Hwloc {
        /// The file
        file: String,
    },
    /// A folder like /sys/devices/system/cpu/cpu0/cache of Linux
    Sysfs {
        /// The folder
        dir: String,
    },
    /// Options of valgrind's cachegrind and callgrind
    #[command(
        after_help = "Example: premiss machine import valgrind --D1=32768,8,64 --LL=8388608,16,64 > v.toml"
    )]
    Valgrind {
        /// --D1=size,associativity,line --LL=size,associativity,line
        #[arg(required = true, allow_hyphen_values = true, trailing_var_arg = true)]
        options: Vec<String>,
    },
}

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
    #[arg(long, value_name = "PERCENT", value_parser = crate::flags::percent)]
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
    /// By how much metrics may grow: `%` is relative, a bare number absolute, and where `&` joins both, both
    /// have to be passed [default: 0% each]
    #[arg(long, value_name = "METRIC=LIMIT,...")]
    pub(crate) limit: Option<String>,
    /// Limits of some kernels, as settings say.
    #[arg(skip)]
    pub(crate) limits: Vec<(String, String)>,
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
    #[arg(long, visible_alias = "min", value_name = "PERCENT", value_parser = crate::flags::percent)]
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
    pub(crate) missing_flags: MissingFlags,
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
    /// What settings say beside.
    #[arg(skip)]
    pub(crate) configured: Configured,
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

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColourChoice {
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MissingFlags {
    Error,
    Skip,
    Guess,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    Text,
    Json,
    /// One page that needs no network and no other file
    Html,
    /// The profile format of Callgrind, for KCachegrind and callgrind_annotate
    Callgrind,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConventionChoice {
    /// Array elements are loaded and stored, scalars are in registers, all arithmetic counts as written
    Elements,
    /// Scalars are loaded once, loop headers count, a sum with a product is one operation
    Pbound,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EmitChoice {
    /// Functions of the sizes in C11
    C,
    /// Functions of the sizes in Rust
    Rust,
    /// Functions of the sizes in Python 3
    Python,
    /// The pieces as data
    Json,
    /// Plain algebra, one expression a line
    Symbolica,
    /// A program in C99 that notes for each loop what it does, in the convention of PBound, and prints the sums;
    /// loops without closed forms stay
    Pbound,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraceFormat {
    Addresses,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutChoice {
    Page4096,
    Packed64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EngineChoice {
    Auto,
    Closed,
    Trace,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HierarchyChoice {
    Independent,
    Filtered,
    Inclusive,
    Exclusive,
}
