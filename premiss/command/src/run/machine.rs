//! `premiss machine`

use crate::arguments::MachineCommand;
use crate::detect;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::flags;
use crate::output;
use premiss_analyze::Hierarchy;
use premiss_machine::{Machine, SHIPPED, shipped_text};
use std::fmt::Write as _;

pub(crate) fn run(command: &MachineCommand) -> Result<Exit, Failure> {
    let text = match command {
        MachineCommand::List => list()?,
        MachineCommand::Show { name } => show(name)?,
        MachineCommand::Detect { name, sysfs } => detect(name, sysfs.as_deref())?,
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

/// The levels, then the text that they are from: it can be copied and changed.
fn show(name: &str) -> Result<String, Failure> {
    let machine = flags::machine(name)?;
    let mut text = format!("# {}  {}\n", machine.id(), machine.title());
    for cache in machine.caches() {
        let _ = writeln!(text, "# {cache}, {} sets", cache.geometry().sets);
    }
    for tlb in machine.tlbs() {
        let _ = writeln!(text, "# {tlb}, {} sets", tlb.geometry().sets);
    }
    if machine.hierarchy() != Hierarchy::Independent {
        let _ = writeln!(text, "# hierarchy: {}", machine.hierarchy().name());
    }
    if let Some(source) = shipped_text(name) {
        let _ = write!(text, "\n{source}");
    }
    Ok(text)
}

/// The machine at hand as a file; what is doubtful about it goes to standard error.
fn detect(name: &str, sysfs: Option<&str>) -> Result<String, Failure> {
    let found = detect::detect(name, sysfs)?;
    for warning in &found.warnings {
        output::say(&format!("warning: {warning}\n"));
    }
    Ok(found.toml)
}
