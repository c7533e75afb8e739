//! `cargo goldilocks`: cargo's own commands, with race detection in what they compile for the target.
//!
//! ```text
//! cargo -> cargo's environment: goldilocks-rustc around rustc, goldilocks-rustdoc as rustdoc, a target directory of its own
//! configuration -> what cargo's configuration files say of the compiler
//! compiler, rustdoc -> their command lines: the plugin, the runtime, the instrumented standard library
//! signals -> Ctrl-C ends cargo's programs, and not what tells of them
//! settings -> what Cargo.toml says of options, suppressions, excluded crates
//! summary -> what the programs of a run have found
//! sysroot -> makes that library from the bitcode in the toolchain's own; toolchain says what there is
//! ```

pub mod cargo;
pub mod compiler;
pub mod configuration;
pub mod rustdoc;
pub mod settings;
pub mod signals;
pub mod summary;
pub mod sysroot;
pub mod toolchain;

/// Where the other parts are told what `cargo goldilocks` has found out.
pub mod variable {
    /// The folder that [`crate::sysroot`] has prepared.
    pub const PREPARED: &str = "GOLDILOCKS_RUST_PREPARED";
    /// The rustdoc to run.
    pub const RUSTDOC: &str = "GOLDILOCKS_RUSTDOC";
    /// Crates whose plain accesses are not checked, separated by commas; the plugin and the C compilers read it, too.
    pub const EXCLUDE: &str = goldilocks_cc::excluded::VARIABLE;
    /// A wrapper around rustc that the user has set.
    pub const WRAPPER: &str = "GOLDILOCKS_RUSTC_WRAPPER";
}
