//! The command line: subcommands, and the options of each. Their meaning is defined in `flags`.

mod choices;
mod shared;
mod subcommands;

pub(crate) use choices::{
    ColourChoice, ConventionChoice, EmitChoice, EngineChoice, Format, HierarchyChoice,
    LayoutChoice, MissingFlagsChoice, ReportFormat, StageChoice, TraceFormat,
};
pub(crate) use shared::{
    FileArguments, MeasuringArguments, PathArguments, PlacingArguments, ReadingArguments,
};
pub(crate) use subcommands::{
    BaselineArguments, CheckArguments, CoverageArguments, DiffArguments, DumpArguments,
    ExplainArguments, FormulaArguments, JudgingArguments, MergeArguments, ReportArguments,
    RooflineArguments, SubjectArguments, SweepArguments, TraceArguments,
};

use clap::{Parser, Subcommand};

/// Predicts from C, Fortran or Rust source how often every array reference misses in every cache and TLB level
///
/// Reads loop nests, follows their loop structure (not the program) at the sizes given, and counts every access:
/// exactly where the text decides, as bounds where data does.
#[derive(Parser, Debug)]
#[command(name = "premiss", version, about, max_term_width = 100)]
#[command(help_template = HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to colour; overrides NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and TERM=dumb
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Global options",
        hide_short_help = true
    )]
    pub(crate) color: ColourChoice,
    /// Read settings from this file
    ///
    /// [default: PREMISS_CONFIG, or the nearest premiss.toml, .premiss.toml, Cargo.toml or fpm.toml that has settings,
    /// up to the root of the repository]
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        conflicts_with = "isolated",
        help_heading = "Global options",
        hide_short_help = true
    )]
    pub(crate) config: Option<String>,
    /// Ignore all settings files
    #[arg(
        long,
        global = true,
        help_heading = "Global options",
        hide_short_help = true
    )]
    pub(crate) isolated: bool,
    /// Read nothing outside of the repository but what this command line names
    ///
    /// No setting, included file, link or manifest of the tree leads out of it. Files of more than 64 MiB are refused.
    #[arg(
        long,
        global = true,
        help_heading = "Global options",
        hide_short_help = true
    )]
    pub(crate) untrusted: bool,
    /// Replace each word @FILE before `--` with the words of that file, as compilers do
    #[arg(
        long,
        global = true,
        help_heading = "Global options",
        hide_short_help = true
    )]
    pub(crate) response_files: bool,
    /// Print the settings in force and where each comes from, and do nothing else
    #[arg(
        long,
        global = true,
        help_heading = "Global options",
        hide_short_help = true
    )]
    pub(crate) show_settings: bool,
}

/// The help of the whole program: its commands by what they are for.
const HELP: &str = "\
{about}

{usage-heading} premiss <COMMAND> [OPTIONS]

See what code does:
  report       Misses of every line, reference, loop and level, as text or a page
  formula      Accesses, distances and misses as formulas in the program's sizes
  sweep        Misses over a range of sizes
  explain      Why references at FILE:LINE hit or miss; or a rule
  roofline     A roofline chart (SVG)

Check it, on your desk and in CI:
  check        Findings: strided accesses, set conflicts, TLB thrashing, …
  diff         What misses more than in another revision, file or folder
  baseline     Accept the findings of today, and report only new ones
  coverage     Which loop nests are understood, and why others are not
  merge        Combine the parts of a check that ran in several jobs
  init         Write a premiss.toml with all settings explained

Machines and internals:
  machine      List, show, detect or import machines
  dump         Print a stage between the text and its misses
  trace        Print every access in order
  schema       Print the JSON Schema of a command's output
  completions  Print shell completions
  man          Print the manual page

Options:
{options}

Start with `premiss report FILE`; `premiss COMMAND --help` says everything of a command.
Exit codes: 0 nothing to report, 1 findings, 2 could not do its job, 3 inconclusive.
";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Show the misses of every line, reference, loop and level
    #[command(
        after_help = "Examples: premiss report gemm.c -P n=1000 --machine spr\n          \
                            premiss report gemm.c -P n=1000 -o report.html"
    )]
    Report(ReportArguments),
    /// Explain why references at FILE:LINE hit or miss, or show a rule
    #[command(
        after_help = "Examples: premiss explain gemm.c:13:30 -P N --cache L1=32KiB,full,64\n          \
                      premiss explain PM001\n\n\
                      Formulas take levels as fully associative; where all sizes have values, the misses in \
                      real sets stand beside, with the lines that share a set, and padding that \
                      avoids misses. Sizes are as for `premiss formula`."
    )]
    Explain(ExplainArguments),
    /// Print accesses, cold misses, distances and misses as formulas in the program's sizes
    #[command(
        after_help = "Example: premiss formula gemm.c -P N --cache L1=32KiB,full,64\n\n\
                      Formulas take levels as fully associative. `-P NAME` keeps a size symbolic, `-P NAME=VALUE` \
                      fixes it; without `-P NAME`, every size for which there are formulas is symbolic."
    )]
    Formula(FormulaArguments),
    /// Draw a roofline (SVG)
    #[command(after_help = "Example: premiss roofline gemm.c -P n=1000 --machine spr -o gemm.svg")]
    Roofline(RooflineArguments),
    /// Show misses over a range of sizes
    #[command(
        after_help = "Example: premiss sweep gemm.c -P N=64..8192 --cache L1=32KiB,full,64\n\n\
                      Without --step, sizes double from the lower end of a range: if that is a multiple of \
                      the elements in a line, one derivation serves all. Set-associative levels are traced with \
                      a hundredth of --budget for each size, and estimated beyond that. TLBs are left out \
                      unless given with --tlb."
    )]
    Sweep(SweepArguments),
    /// Report findings, most bytes first, and what was not understood or counted; exit 1 if there is any
    #[command(
        after_help = "Examples: premiss check src/ -p build --machine spr -P N=1000\n          \
                      premiss check src/ --format github,sarif:out.sarif,markdown:pr.md\n\n\
                      All formats but text have paths from the root of the repository. \
                      github is for steps of GitHub workflows: the ten errors and ten warnings with the most bytes; \
                      if there are more, all are added to the file that GITHUB_STEP_SUMMARY names.\n\n\
                      `premiss explain PM001` is the manual page of a rule."
    )]
    Check(CheckArguments),
    /// Combine the shards of a check, with the text and exit code of one check of all files
    #[command(
        after_help = "Example: premiss check src/ --shard 1/2 --format json:part-1.json     # one job\n         \
                               premiss check src/ --shard 2/2 --format json:part-2.json     # another one\n         \
                               premiss merge part-*.json --format github,sarif:out.sarif   # after both\n\n\
                      Run it in the folder that the shards ran in, with the same files: it reads the sources again \
                      to quote them. Shards exit 0 whatever they find; --baseline, --min-coverage, --exit-zero and \
                      the levels of rules apply here. Exit codes are those of check; also 3 if a shard is \
                      missing, or shards differ in files, machines, options or versions."
    )]
    Merge(MergeArguments),
    /// Accept current findings in a file, so that `premiss check` reports only new or worse ones
    Baseline {
        #[command(subcommand)]
        command: BaselineCommand,
    },
    /// Print the JSON Schema of the output of a command with --format json
    Schema {
        /// The schema; without a name, all names are listed
        name: Option<String>,
    },
    /// Print shell completions
    #[command(after_help = "Example: premiss completions bash > /etc/bash_completion.d/premiss")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example: premiss man > premiss.1")]
    Man {
        /// The command, as in `premiss man check`
        command: Option<String>,
    },
    /// Write a premiss.toml with all settings explained
    Init,
    /// Compare misses with another git revision, file or folder; exit 1 if they exceed their limits
    #[command(
        after_help = "Examples: premiss diff --base origin/main src/ --machine spr -P N=1000\n          \
                      premiss diff old.c new.c --limit 'l1_miss=5%&1e6,mem_bytes=0%'\n          \
                      premiss diff --base origin/main --format github,sarif:out.sarif,markdown:pr.md\n          \
                      premiss diff --save base.json src/; premiss diff --base base.json src/\n\n\
                      Nests are matched by what they do, whatever their names and places in the text. \
                      A nest that is gone is compared with a new one that resembles it, as it may have been renamed \
                      and changed at once; a nest added to a function counts with those of its arrays. Other new nests \
                      have no base and are listed. Where sizes have no values, formulas are compared for all sizes. \
                      Metrics are `NAME_miss` for each level, such as l1_miss and dtlb_miss, and mem_bytes. \
                      Exit codes: 0 within limits, 1 beyond one, 2 could not compare, 3 undecided."
    )]
    Diff(DiffArguments),
    /// Show which loop nests are understood, and why others are not
    Coverage(CoverageArguments),
    /// Print a stage between the text and its misses
    #[command(after_help = "Example: premiss dump gemm.c --stage scop -P N\n\n\
                      `-P NAME` keeps a size symbolic, `-P NAME=VALUE` fixes it; without `-P NAME`, every size is \
                      symbolic. The residue class is that of 0. Sets are in isl's notation. If there are \
                      several functions, each is preceded by a line `# NAME`.")]
    Dump(DumpArguments),
    /// List or show machines, describe this computer, or import a description
    Machine {
        #[command(subcommand)]
        command: MachineCommand,
    },
    /// Print every access in order, for comparison with a native trace
    #[command(
        after_help = "A line is `L|S address size reference`, with `?` before the kind where data decides \
                      whether it happens, and for the address where data decides which element it is."
    )]
    Trace(TraceArguments),
}

#[derive(Subcommand, Debug)]
pub(crate) enum BaselineCommand {
    /// Write all findings
    #[command(after_help = "Example: premiss baseline write src/ -P n=1000 --machine spr")]
    Write(BaselineArguments),
    /// Remove what is no longer found; entries of files that are not read stay, and nothing is added
    Prune(BaselineArguments),
}

#[derive(Subcommand, Debug)]
pub(crate) enum MachineCommand {
    /// List the built-in machines
    List,
    /// Show a machine: its levels, and the sources of its numbers
    Show {
        /// A built-in machine, or a TOML file
        name: String,
    },
    /// Describe this computer, as a file for --machine
    #[command(
        after_help = "Linux only: caches come from sysfs; TLBs, vectors, and whether this is a virtual machine from \
                      CPUID, where there is one. What neither says is measured with --measure; on x86-64 that \
                      includes the clock and the throughput of a core.\n\n\
                      Example: premiss machine detect --name here --measure > here.toml"
    )]
    Detect {
        /// Its name
        #[arg(long, default_value = "detected")]
        name: String,
        /// Read this folder instead of /sys/devices/system/cpu/cpu0/cache, and do not use CPUID
        #[arg(long, value_name = "DIR")]
        sysfs: Option<String>,
        /// Run loops for some seconds to measure caches, memory and a core
        #[arg(long, conflicts_with = "sysfs")]
        measure: bool,
    },
    /// Convert a description of another tool into a file for --machine
    Import {
        /// Its name
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
