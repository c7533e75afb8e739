//! What an instruction may do besides accessing memory: end the thread's sync epoch, or not come back.
//!
//! Between two instructions with [`Effect::Nothing`] no other thread can be told anything, no memory becomes another
//! object's, and whatever stands after the first is certain to be reached. Calls are followed into functions of the module, if
//! no other object can bring its own version of them: an inline function of C++ may have been compiled from the same source with
//! another outcome there.

use std::collections::{HashMap, HashSet};

use crate::llvm::{Module, Opcode, Value};
use crate::select::{Intrinsics, Kind};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Computes, or accesses memory.
    Nothing,
    /// May throw, end the program, or go on for ever, but does not synchronize.
    MayLeave,
    /// May synchronize, or give memory back.
    Synchronizes,
}

/// Functions of libc that neither synchronize nor free, and always return. The names are the C library's own by its standard.
const LIBRARY: &str = "\
    memchr memcmp memrchr bcmp strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strspn strcspn \
    strpbrk strcpy strncpy stpcpy strcat strncat memcpy memmove memset mempcpy \
    abs labs llabs div ldiv lldiv atoi atol atoll strtol strtoul strtoll strtoull \
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper \
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt \
    hypot floor ceil trunc round lround llround rint lrint llrint nearbyint fabs fmod remainder fmin fmax fdim fma ldexp \
    frexp modf scalbn logb ilogb copysign erf erfc tgamma \
    sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf expf exp2f expm1f logf log2f log10f log1pf powf sqrtf cbrtf \
    hypotf floorf ceilf truncf roundf lroundf rintf lrintf fabsf fmodf fminf fmaxf fmaf ldexpf frexpf modff copysignf";

pub struct Quiet<'m> {
    intrinsics: Intrinsics,
    library: HashSet<&'static str>,
    /// Functions of the module that synchronize nowhere.
    silent: HashSet<Value<'m>>,
}

impl<'m> Quiet<'m> {
    pub fn new(module: Module<'m>, summaries: bool) -> Quiet<'m> {
        let mut quiet = Quiet {
            intrinsics: Intrinsics::new(module),
            library: LIBRARY.split_whitespace().collect(),
            silent: HashSet::new(),
        };
        if !summaries {
            return quiet;
        }
        // All are taken to be silent, and those that are not are taken out until nothing changes: what functions that call
        // each other do is what one of them does.
        let mut calls: HashMap<Value<'m>, Vec<Value<'m>>> = HashMap::new();
        for function in module.functions().filter(|function| function.is_exact()) {
            if let Some(called) = quiet.calls_if_silent(function) {
                calls.insert(function, called);
            }
        }
        loop {
            let before = calls.len();
            let known: HashSet<_> = calls.keys().copied().collect();
            calls.retain(|_, called| called.iter().all(|function| known.contains(function)));
            if calls.len() == before {
                break;
            }
        }
        quiet.silent = calls.into_keys().collect();
        quiet
    }

    pub fn effect(&self, instruction: Value<'m>) -> Effect {
        match instruction.opcode() {
            Opcode::Load | Opcode::Store if instruction.order().is_none() => Effect::Nothing,
            Opcode::Load
            | Opcode::Store
            | Opcode::ReadModifyWrite
            | Opcode::CompareExchange
            | Opcode::Fence => Effect::Synchronizes,
            Opcode::Call => self.call(instruction),
            Opcode::Alloca | Opcode::Other => Effect::Nothing,
        }
    }

    fn call(&self, call: Value<'m>) -> Effect {
        if self.is_harmless(call) {
            return Effect::Nothing;
        }
        let silent = call.is_declared_silent()
            || call
                .called_function()
                .is_some_and(|function| self.silent.contains(&function));
        match (silent, call.always_returns()) {
            (true, true) => Effect::Nothing,
            (true, false) => Effect::MayLeave,
            (false, _) => Effect::Synchronizes,
        }
    }

    fn is_harmless(&self, call: Value<'m>) -> bool {
        let known = call.called_function().is_some_and(|function| {
            let intrinsic = function.intrinsic();
            let kind = intrinsic.and_then(|intrinsic| self.intrinsics.kind(intrinsic));
            kind.is_some_and(|kind| !matches!(kind, Kind::Fence))
                || self.library.contains(function.name()) && call.is_builtin()
        });
        known || call.is_pure_call()
    }

    /// The functions that `function` calls, if it does nothing else that may synchronize.
    fn calls_if_silent(&self, function: Value<'m>) -> Option<Vec<Value<'m>>> {
        let mut called = Vec::new();
        for instruction in function.blocks().flat_map(|block| block.instructions()) {
            match self.effect(instruction) {
                Effect::Nothing | Effect::MayLeave => {}
                Effect::Synchronizes => called.push(instruction.called_function()?),
            }
        }
        Some(called)
    }
}
