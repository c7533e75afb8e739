//! Which names the runtime shows to the program: the ABI, the interceptors, and the list `runtime/exports.txt`.

use goldilocks_core::abi;

/// Prefix under which the runtime's source defines the interceptor of a name.
pub const INTERCEPTOR: &str = "__goldilocks_interceptor_";
/// Prefix of the jump to the function behind an interceptor.
pub const REAL: &str = "__goldilocks_real_";

/// Names that compiled code refers to, from the table that pass and runtime share.
pub fn abi_names() -> Vec<String> {
    let mut names = vec![abi::ABI_SYMBOL.to_owned(), abi::TAG_SYMBOL.to_owned()];
    names.extend(abi::HOOKS.iter().map(|hook| hook.name.to_owned()));
    for write in [false, true] {
        for size in abi::ACCESS_SIZES {
            names.extend(
                abi::STUB_REGISTERS
                    .iter()
                    .map(|register| abi::check_stub(write, size, register)),
            );
        }
    }
    names
}

/// The patterns of `runtime/exports.txt`: one per line, `*` at the end stands for anything, `#` starts a comment. After `weak`
/// are names that a program may define itself.
pub struct List(Vec<(String, bool)>);

impl List {
    pub fn parse(text: &str) -> List {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim());
        let pattern = |line: &str| match line.strip_prefix("weak ") {
            Some(pattern) => (pattern.trim().to_owned(), true),
            None => (line.to_owned(), false),
        };
        List(lines.filter(|line| !line.is_empty()).map(pattern).collect())
    }
    /// Whether the name is listed, and if so whether as one that a program may define itself.
    fn find(&self, name: &str) -> Option<bool> {
        let found = self
            .0
            .iter()
            .find(|(pattern, _)| match pattern.strip_suffix('*') {
                Some(prefix) => name.starts_with(prefix),
                None => name == pattern,
            });
        found.map(|(_, weak)| *weak)
    }
    pub fn contains(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
    pub fn is_weak(&self, name: &str) -> bool {
        self.find(name) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names_or_prefixes() {
        let list = List::parse(
            "# user calls\n__tsan_*  # as they are called elsewhere\n\nAnnotateRWLockCreate\nweak __atomic_*\n",
        );
        assert!(list.is_weak("__atomic_load") && !list.is_weak("__tsan_acquire"));
        assert!(list.contains("__tsan_acquire") && list.contains("AnnotateRWLockCreate"));
        assert!(
            !list.contains("AnnotateRWLockCreate2") && !list.contains("tsan") && !list.contains("")
        );
    }

    #[test]
    fn the_abi_has_a_stub_for_every_size_and_register() {
        let names = abi_names();
        assert!(names.contains(&"__goldilocks_write16_r15".to_owned()));
        let stubs = 2 * abi::ACCESS_SIZES.len() * abi::STUB_REGISTERS.len();
        assert_eq!(names.len(), stubs + abi::HOOKS.len() + 2);
    }
}
