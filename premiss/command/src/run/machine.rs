//! `premiss machine`

mod speeds;

use crate::arguments::{ImportFormat, MachineCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use premiss_analyze::Hierarchy;
use premiss_detect::{Description, MachineFile, Speeds, detect, detect_recorded, import};
use premiss_machine::{Machine, SHIPPED, shipped_text};
use std::fmt::Write as _;

pub(crate) fn run(command: &MachineCommand) -> Result<Exit, Failure> {
    let text = match command {
        MachineCommand::List => list()?,
        MachineCommand::Show { name } => show(name)?,
        MachineCommand::Detect {
            name,
            sysfs: Some(folder),
            ..
        } => warned(detect_recorded(name, folder)?),
        MachineCommand::Detect { name, measure, .. } => {
            let speeds = match measure {
                true => Speeds::Measured,
                false => Speeds::Reported,
            };
            warned(detect(name, speeds)?)
        }
        MachineCommand::Import { name, format } => warned(import(description(format), name)?),
    };
    output::write(None, &text)?;
    Ok(Exit::Clean)
}

fn list() -> Result<String, Failure> {
    let machines = SHIPPED.map(flags::machine).into_iter();
    let machines: Vec<Machine> = machines.collect::<Result<_, _>>()?;
    let width = machines.iter().map(|x| x.id().len()).max().unwrap_or(0);
    let mut text = String::new();
    for machine in machines {
        let _ = writeln!(text, "{:width$}  {}", machine.id(), machine.title());
    }
    Ok(text)
}

/// The levels and speeds, then the text of the machine file, which can be copied and changed.
fn show(name: &str) -> Result<String, Failure> {
    let machine = flags::machine(name)?;
    let mut text = format!("# {}  {}\n", machine.id(), machine.title());
    for cache in machine.caches() {
        let speed = speeds::of_transfer(cache.transfer());
        let _ = writeln!(text, "# {cache}, {} sets{speed}", cache.geometry().sets);
    }
    for tlb in machine.tlbs() {
        let speed = speeds::of_miss(tlb.miss_cost());
        let _ = writeln!(text, "# {tlb}, {} sets{speed}", tlb.geometry().sets);
    }
    if machine.hierarchy() != Hierarchy::Independent {
        let _ = writeln!(text, "# hierarchy: {}", machine.hierarchy().name());
    }
    text.push_str(&speeds::lines(&machine));
    if let Some(source) = shipped_text(name) {
        let _ = write!(text, "\n{source}");
    }
    Ok(text)
}

fn description(format: &ImportFormat) -> Description<'_> {
    match format {
        ImportFormat::Kerncraft { file } => Description::Kerncraft(file),
        ImportFormat::Hwloc { file } => Description::Hwloc(file),
        ImportFormat::Sysfs { dir } => Description::Sysfs(dir),
        ImportFormat::Valgrind { options } => Description::Valgrind(options),
    }
}

/// The text of the file; prints its warnings to standard error.
fn warned(file: MachineFile) -> String {
    for warning in &file.warnings {
        output::say(&format!("warning: {warning}\n"));
    }
    file.toml
}
