//! `goldilocks-cc` and `goldilocks-c++`: clang's own command line, with the plugin at the compile steps and the runtime
//! at the link steps; and `goldilocks doctor`, which looks at an installation or at a program.
//!
//! The way of a command line: [`args`] says what it asks for, [`need`] what it needs of us, [`plan`] what will be run,
//! [`locate`] finds the parts, [`exec`] becomes the compiler. All but the last are functions of their arguments; what they
//! must know of the machine they ask a [`machine::Machine`], so that tests can put one there.

pub mod args;
pub mod doctor;
pub mod excluded;
pub mod exec;
pub mod language;
pub mod linker;
pub mod locate;
pub mod machine;
pub mod need;
pub mod options;
pub mod own;
pub mod plan;
pub mod refusal;
pub mod response;
pub mod sanitizers;
pub mod target;
