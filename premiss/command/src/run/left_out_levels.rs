//! The note on levels without formulas.

use crate::output;
use premiss_machine::Machine;

/// Reports which levels have no formulas.
pub(super) fn say_left_out(machine: &Machine) {
    let others = machine
        .models()
        .filter(|(_, x)| !x.follows_reuse_distance());
    let names: Vec<&str> = others.map(|(name, _)| name).collect();
    if !names.is_empty() {
        output::say(&format!(
            "note: formulas are for levels that are LRU and allocate on stores; left out, and \
             counted by `premiss report`: {}\n",
            names.join(", ")
        ));
    }
}
