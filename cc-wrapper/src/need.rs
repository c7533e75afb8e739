//! What a command line needs of us beside clang, or why it cannot be done.

use crate::args::{Invocation, Stage};
use crate::language::Language;
use crate::refusal::Refusal;

/// The form in which the runtime is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// Not here: nothing is linked, or something that a program with the runtime will load or contain.
    None,
    Archive,
    Shared,
}

/// What a command line needs of us, beside clang.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// `__GOLDILOCKS__` and the folder of `goldilocks.h`.
    pub macros: bool,
    /// `__SANITIZE_THREAD__`, which code that brings annotations asks for.
    pub compatible_macros: bool,
    /// Clang's front end is to mark what `no_sanitize("thread")` leaves in.
    pub attributes: bool,
    pub plugin: bool,
    pub runtime: Runtime,
    /// Undefined symbols must be allowed in a shared library although the command line forbids them: those of the
    /// runtime are in the program.
    pub allow_undefined: bool,
}

impl Need {
    /// Whether and how we take part in `invocation`, or why it cannot be done.
    pub fn of(invocation: &Invocation) -> Result<Need, Refusal> {
        let own = &invocation.own;
        let linker = &invocation.linker;
        let mut need = Need {
            macros: false,
            compatible_macros: false,
            attributes: false,
            plugin: false,
            runtime: Runtime::None,
            allow_undefined: false,
        };
        if !invocation.has_work() {
            return Ok(need);
        }
        if instruments(invocation) {
            need.macros = invocation.preprocesses();
            need.compatible_macros = need.macros && !own.no_macros;
            need.attributes = invocation.is_marked_by_front_end();
            need.plugin = invocation.generates_code();
        }
        if invocation.links() && !own.no_runtime && !linker.only_asked() {
            need.runtime = match (own.shared_runtime, linker.relocatable, linker.shared) {
                (_, true, _) => Runtime::None,
                (true, ..) => Runtime::Shared,
                (false, _, true) => Runtime::None,
                (false, ..) => Runtime::Archive,
            };
            need.allow_undefined = linker.shared && !linker.relocatable && linker.no_undefined;
            need.allow_undefined &= need.runtime == Runtime::None;
        }
        need.refusal(invocation).map_or(Ok(need), Err)
    }

    fn refusal(&self, invocation: &Invocation) -> Option<Refusal> {
        let mut inputs = invocation.inputs.iter();
        if instruments(invocation)
            && invocation.stage >= Stage::Compile
            && let Some(input) = inputs.find(|input| input.language == Language::Device)
        {
            return Some(Refusal::new(
                format!(
                    "{} has code for a device, whose memory accesses goldilocks cannot see",
                    input.name
                ),
                "compile this file with --goldilocks-no-instrument",
            ));
        }
        if !self.attributes && !self.plugin && self.runtime == Runtime::None {
            return None;
        }
        let combination = || invocation.sanitizers.refusal();
        if let Some(refusal) = invocation.target.refusal().or_else(combination) {
            return Some(refusal);
        }
        let option = invocation
            .linker
            .fully_static
            .as_ref()
            .filter(|_| invocation.links_program())?;
        (self.runtime != Runtime::None).then(|| {
            Refusal::new(
                format!(
                    "a program linked with {option} cannot be checked: goldilocks sees locks, threads and memory blocks \
                     by taking the place of libc's functions and calling on to them, for which it needs the dynamic linker"
                ),
                format!(
                    "drop {option}; -static-libgcc and -static-libstdc++ can stay, and so can static libraries of your \
                     own. For a part of the build that is not to be checked: --goldilocks-no-instrument \
                     --goldilocks-no-runtime"
                ),
            )
        })
    }
}

/// Whether what is compiled is to be checked.
fn instruments(invocation: &Invocation) -> bool {
    !invocation.own.no_instrument && !invocation.sanitizers.thread_off()
}
