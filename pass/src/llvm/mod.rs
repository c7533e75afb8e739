//! Handles on LLVM's C API: small copyable values instead of raw pointers.
//!
//! Everything hangs on a [`Module`] that the compiler has lent us for the lifetime `'m`. A handle can only be got
//! from another one or from [`Module::lend`], whose caller vouches for the loan, and no safe method deletes what
//! handles refer to. So a handle is valid for `'m`, and that is the invariant that every call in this folder relies
//! on. Methods that LLVM defines for one kind of value only look at the kind first.

mod attribute;
mod builder;
mod entered;
mod flow;
mod instruction;
mod module;
pub mod sys;
mod types;
mod value;

pub use attribute::Attribute;
pub use builder::Builder;
pub use entered::Entered;
pub use flow::{Flow, Loop, Scev};
pub use instruction::{Block, Location, Opcode, Syntax};
pub use module::{Intrinsic, Module};
pub use types::Type;
pub use value::Value;

/// Calls a function of LLVM or of the shim with handles of a live module.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: the arguments come from handles, which are valid while their module is on loan (see the module
        // documentation), and the method around this has seen to it that they are of the kind the function takes.
        #[allow(clippy::macro_metavars_in_unsafe)]
        unsafe { $crate::llvm::sys::$function($($argument),*) }
    }};
}
pub(crate) use call;
