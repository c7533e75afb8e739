//! Rust crates whose plain accesses the user does not want checked (`exclude` in a `Cargo.toml`), as `cargo goldilocks` hands them on.
//! What their build scripts compile is theirs.

use crate::machine::Machine;

/// Names as in paths, separated by commas. The plugin reads it, too.
pub const VARIABLE: &str = "GOLDILOCKS_EXCLUDE";

/// The variable, and its value, by which the plugin tracks a module's synchronization alone.
pub const UNCHECKED: (&str, &str) = (
    "GOLDILOCKS_PASS",
    "instrument-reads=0 instrument-writes=0 instrument-memory=0",
);

/// Whether the crate is one of them.
pub fn contains(machine: &dyn Machine, name: &str) -> bool {
    let listed = machine.variable(VARIABLE).unwrap_or_default();
    is_in(&listed.to_string_lossy(), name)
}

/// Whether this is called by the build script of one of them.
pub fn is_built(machine: &dyn Machine) -> bool {
    let package = machine.variable("CARGO_PKG_NAME").unwrap_or_default();
    contains(machine, &package.to_string_lossy())
}

fn is_in(listed: &str, name: &str) -> bool {
    let name = name.replace('-', "_");
    !name.is_empty() && listed.split(',').any(|one| one == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_listed_as_crates() {
        assert!(is_in("one,their_lib", "their-lib"));
        assert!(is_in("one,their_lib", "one"));
        for (listed, name) in [("", ""), ("one", ""), ("their_lib", "their"), ("", "one")] {
            assert!(!is_in(listed, name), "{name} in {listed}");
        }
    }
}
