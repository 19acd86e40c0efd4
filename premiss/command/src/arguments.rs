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
    /// Read nothing outside of the repository but what this command line names: of settings, included files, links and
    /// manifests of the tree, none leads out. Files of more than 64 MiB are refused
    #[arg(long, global = true)]
    pub(crate) untrusted: bool,
    /// Replace each word @FILE before `--` by the words of that file, as compilers do
    #[arg(long, global = true)]
    pub(crate) response_files: bool,
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
    /// Print a stage between the text and its misses: the loop nests, their sets, who touched each line last, or
    /// the reuse distances as formulas
    #[command(after_help = "Example: premiss dump gemm.c --stage scop -P N\n\n\
                      `-P NAME` keeps a size symbolic, `-P NAME=VALUE` fixes it; without `-P NAME`, every size is \
                      symbolic. Of residue classes it is that of 0. Sets are written as isl writes them. Where there are \
                      several functions, a line `# NAME` stands before each.")]
    Dump(DumpArguments),
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
