//! Locks that libraries make of atomics: the runtime is told who holds which, and what the library's own do.
//!
//! Two ways. Rust's standard library keeps all there is to know of its mutexes and rwlocks in one word; its methods have been
//! inlined into whatever this pass sees, but the debug information says which atomic instruction is of them ([`lock_of`]), or which call makes one
//! ([`make_called`]). The runtime makes these operations, and knows what they order. Locks of other crates may pass from one thread to another without their word
//! changing; what they have in common is the traits of `lock_api`, whose methods are there as functions before optimization ([`tell_of_methods`]). What these do is
//! told for the sake of reports: their atomics are what orders.

use goldilocks_core::abi::{self, AtomicKind, AtomicOp, Order};
use goldilocks_core::lock_word::{WRITER, WordKind};

use crate::hooks;
use crate::llvm::{Attribute, Builder, Module, Opcode, Value};

/// Modules of the standard library, in mangled paths.
const WORDS: [(&str, WordKind); 2] = [
    ("3std3sys4sync5mutex5futex", WordKind::Mutex),
    ("3std3sys4sync6rwlock5futex", WordKind::Rwlock),
];

/// Where the test harness runs a test: it holds a lock of its own meanwhile, which guards nothing of the test's.
const HARNESS: &str = "4test8run_test";

/// Where a rwlock that is given back wakes a writer: it counts in a word of its own, beside that of the lock.
const WAKING: &str = "6RwLock11wake_writer";

/// What compare-exchanges go through where nothing is inlined, and loads.
const COMPARE_EXCHANGE: [&str; 2] = [
    "4core4sync6atomic23atomic_compare_exchange",
    "4core4sync6atomic28atomic_compare_exchange_weak",
];
const LOAD: &str = "4core4sync6atomic11atomic_load";

/// Memory orders, by the numbers that Rust's library has for them.
const ORDERS: [Order; 5] = [
    Order::Relaxed,
    Order::Release,
    Order::Acquire,
    Order::AcqRel,
    Order::SeqCst,
];

/// When a method of a trait has changed the lock.
#[derive(Clone, Copy)]
enum When {
    /// It is done when the method is called, as an unlock.
    Called,
    /// It is done when the method returns.
    Returned,
    /// It is done if the method returns that it was successful: `true`, `Some` or `Ok`.
    Succeeded,
}

/// How the result of a method says that it was successful.
#[derive(Clone, Copy)]
enum Success {
    True,
    /// Of which nothing but that is left, as what is held to have the lock has no size.
    Zero,
    NotNull,
}

/// What it is of a result that compiled code has as a single bit, or as a pointer, by the name of its type in the source: `lock_api` 0.4 returns `bool`, 0.5 has
/// `Option` and `Result`, whose other forms do not say in general which of their bits tells. Without a name, it is taken for `bool`.
fn success(name: Option<&str>, is_bit: bool, is_pointer: bool) -> Option<Success> {
    let Some(name) = name else {
        return is_bit.then_some(Success::True);
    };
    match name.split('<').next()? {
        "bool" | "Option" if is_bit => Some(Success::True),
        "Option" if is_pointer => Some(Success::NotNull),
        "Result" if is_bit => Some(Success::Zero),
        _ => None,
    }
}

/// Traits of `lock_api`, and of each the methods: name, when, and the word of the lock before and after.
type Methods = &'static [(&'static str, When, u32, u32)];
const TRAITS: [(&str, &str, WordKind, Methods); 13] = [
    (
        "mutex",
        "RawMutex",
        WordKind::Mutex,
        &[
            ("lock", When::Returned, 0, 1),
            ("try_lock", When::Succeeded, 0, 1),
            ("unlock", When::Called, 1, 0),
        ],
    ),
    (
        "mutex",
        "RawMutexFair",
        WordKind::Mutex,
        &[("unlock_fair", When::Called, 1, 0)],
    ),
    (
        "mutex",
        "RawMutexTimed",
        WordKind::Mutex,
        &[
            ("try_lock_for", When::Succeeded, 0, 1),
            ("try_lock_until", When::Succeeded, 0, 1),
        ],
    ),
    (
        "rwlock",
        "RawRwLock",
        WordKind::Rwlock,
        &[
            ("lock_shared", When::Returned, 0, 1),
            ("try_lock_shared", When::Succeeded, 0, 1),
            ("unlock_shared", When::Called, 1, 0),
            ("lock_exclusive", When::Returned, 0, WRITER),
            ("try_lock_exclusive", When::Succeeded, 0, WRITER),
            ("unlock_exclusive", When::Called, WRITER, 0),
        ],
    ),
    (
        "rwlock",
        "RawRwLockFair",
        WordKind::Rwlock,
        &[
            ("unlock_shared_fair", When::Called, 1, 0),
            ("unlock_exclusive_fair", When::Called, WRITER, 0),
        ],
    ),
    (
        "rwlock",
        "RawRwLockDowngrade",
        WordKind::Rwlock,
        &[("downgrade", When::Called, WRITER, 1)],
    ),
    (
        "rwlock",
        "RawRwLockUpgrade",
        WordKind::Rwlock,
        &[
            ("lock_upgradable", When::Returned, 0, 1),
            ("try_lock_upgradable", When::Succeeded, 0, 1),
            ("unlock_upgradable", When::Called, 1, 0),
            ("upgrade", When::Returned, 1, WRITER),
            ("try_upgrade", When::Succeeded, 1, WRITER),
        ],
    ),
    (
        "rwlock",
        "RawRwLockTimed",
        WordKind::Rwlock,
        &[
            ("try_lock_shared_for", When::Succeeded, 0, 1),
            ("try_lock_shared_until", When::Succeeded, 0, 1),
            ("try_lock_exclusive_for", When::Succeeded, 0, WRITER),
            ("try_lock_exclusive_until", When::Succeeded, 0, WRITER),
        ],
    ),
    (
        "rwlock",
        "RawRwLockRecursive",
        WordKind::Rwlock,
        &[
            ("lock_shared_recursive", When::Returned, 0, 1),
            ("try_lock_shared_recursive", When::Succeeded, 0, 1),
        ],
    ),
    (
        "rwlock",
        "RawRwLockRecursiveTimed",
        WordKind::Rwlock,
        &[
            ("try_lock_shared_recursive_for", When::Succeeded, 0, 1),
            ("try_lock_shared_recursive_until", When::Succeeded, 0, 1),
        ],
    ),
    (
        "rwlock",
        "RawRwLockUpgradeFair",
        WordKind::Rwlock,
        &[("unlock_upgradable_fair", When::Called, 1, 0)],
    ),
    (
        "rwlock",
        "RawRwLockUpgradeDowngrade",
        WordKind::Rwlock,
        &[("downgrade_to_upgradable", When::Called, WRITER, 1)],
    ),
    (
        "rwlock",
        "RawRwLockUpgradeTimed",
        WordKind::Rwlock,
        &[
            ("try_lock_upgradable_for", When::Succeeded, 0, 1),
            ("try_lock_upgradable_until", When::Succeeded, 0, 1),
            ("try_upgrade_for", When::Succeeded, 1, WRITER),
            ("try_upgrade_until", When::Succeeded, 1, WRITER),
        ],
    ),
];

/// After optimization: an operation on a word that is known, by a call of what makes it where nothing is inlined, is made by the runtime, which knows it for what it
/// is; as native instructions are ([`lock_of`]).
pub fn make_called<'m>(module: Module<'m>, function: Value<'m>) {
    let instructions: Vec<_> = function
        .blocks()
        .flat_map(|block| block.instructions())
        .filter(|instruction| instruction.opcode() == Opcode::Call)
        .filter_map(|instruction| Some((instruction, word_of(instruction)?)))
        .collect();
    let teller = Teller::new(module);
    for (instruction, kind) in instructions {
        teller.make(instruction, kind);
    }
}

/// The known lock whose word a native instruction is an operation on, of four bytes as all of them are.
pub fn lock_of(module: Module<'_>, instruction: Value<'_>) -> Option<WordKind> {
    let bytes = instruction.accessed_type()?.store_size(module);
    (bytes == 4).then(|| word_of(instruction))?
}

/// Whether an instruction is an operation on a word of a known lock.
fn word_of(instruction: Value<'_>) -> Option<WordKind> {
    match instruction.opcode() {
        Opcode::ReadModifyWrite | Opcode::CompareExchange | Opcode::Load => {}
        Opcode::Call => {
            let called = instruction.called_function()?.name();
            let mut known = COMPARE_EXCHANGE.iter().chain([&LOAD]);
            if !known.any(|name| called.contains(name)) {
                return None;
            }
        }
        _ => return None,
    }
    let frames = std::iter::successors(instruction.location(), |here| here.inlined_at());
    let mut word = None;
    for frame in frames {
        let name = frame.function_name();
        if name.contains(HARNESS) || name.contains(WAKING) {
            return None;
        }
        let known = WORDS.iter().find(|(path, _)| name.contains(path));
        word = word.or(known.map(|(_, kind)| *kind));
    }
    word
}

/// Before optimization: methods of `lock_api`'s traits tell what they do. Returns whether there are any.
pub fn tell_of_methods(module: Module<'_>) -> bool {
    let methods: Vec<_> = module
        .functions()
        .filter(|function| function.has_body() && function.name().contains("lock_api"))
        .filter_map(|function| Some((function, method(function.name())?)))
        .collect();
    let teller = Teller::new(module);
    for (function, (kind, when, before, after)) in &methods {
        teller.method(*function, *kind, *when, (*before, *after));
    }
    !methods.is_empty()
}

/// The method that a mangled name is an implementation of.
fn method(name: &str) -> Option<(WordKind, When, u32, u32)> {
    // `<X as lock_api::mutex::RawMutex>::lock`, in either mangling; closures in it have other names.
    let current = name.starts_with("_RNvX");
    let mut all = TRAITS.iter().flat_map(|&(module, name, kind, methods)| {
        methods
            .iter()
            .map(move |method| (module, name, kind, method))
    });
    all.find_map(|(module, of, kind, &(method, when, before, after))| {
        let sized = |word: &str| format!("{}{word}", word.len());
        let (module, of, method) = if current {
            (sized(module), sized(of), sized(method))
        } else {
            (
                format!("..{module}.."),
                format!("{of}$GT$"),
                format!("{}17h", sized(method)),
            )
        };
        name.contains(&format!("lock_api{module}{of}{method}"))
            .then_some((kind, when, before, after))
    })
}

struct Teller<'m> {
    module: Module<'m>,
    builder: Builder<'m>,
}

impl<'m> Teller<'m> {
    fn new(module: Module<'m>) -> Teller<'m> {
        Teller {
            module,
            builder: Builder::new(module),
        }
    }

    /// Puts the runtime's function in the place of a call that makes an operation: `(word, from, to, order, order of a failure) -> Result<u32, u32>`, or `(word, order)`.
    fn make(&self, instruction: Value<'m>, kind: WordKind) {
        let is_load = instruction
            .called_function()
            .is_some_and(|called| called.name().contains(LOAD));
        // A call that may unwind has no place behind it; those of the locks do not.
        if instruction.next_instruction().is_none()
            || instruction.argument_count() != if is_load { 2 } else { 5 }
        {
            return;
        }
        let order = |number| -> Option<Order> {
            let order = instruction.operand(number).as_constant()?;
            ORDERS.get(order as usize).copied()
        };
        let (operation, orders) = if is_load {
            (AtomicKind::Load, order(1).zip(Some(Order::Relaxed)))
        } else {
            (AtomicKind::CompareExchange, order(3).zip(order(4)))
        };
        let Some((order, failure)) = orders else {
            return;
        };
        let packed = AtomicOp {
            kind: operation,
            size: 4,
            order,
            failure,
        }
        .pack()
            | kind.pack();
        let (builder, ty) = (&self.builder, instruction.ty());
        builder.at(instruction.location());
        builder.before(instruction);
        let word = instruction.operand(0);
        let operation = builder.constant(32, u64::from(packed));
        let result = if is_load {
            if !ty.is_integer() || ty.bits(self.module) != 32 {
                return;
            }
            builder.resize(hooks::call(builder, abi::LOCK_LOAD, &[word, operation]), 32)
        } else {
            let [from, to] = [1, 2].map(|number| builder.resize(instruction.operand(number), 64));
            let before = hooks::call(
                builder,
                abi::LOCK_COMPARE_EXCHANGE,
                &[word, from, to, operation],
            );
            // 0 is success.
            let failed = builder.resize(builder.different(before, from), 32);
            builder.pair(ty, failed, builder.resize(before, 32))
        };
        instruction.replace_by(result);
        // SAFETY: nothing uses its result any more, and this was its last use here.
        unsafe { instruction.erase() };
    }

    fn method(&self, function: Value<'m>, kind: WordKind, when: When, (before, after): (u32, u32)) {
        // Before it, there may be the place for a large result.
        let place = Attribute::named("sret")
            .and_then(|attribute| function.parameter_type_attribute(0, attribute));
        let Some(lock) = function.parameter(place.is_some() as u32) else {
            return;
        };
        let builder = &self.builder;
        builder.at(function.artificial_location(self.module));
        let (was, is) = (
            builder.constant(32, u64::from(before)),
            builder.constant(32, u64::from(after)),
        );
        let blocks: Vec<_> = function.blocks().collect();
        if let When::Called = when {
            let mut entry = blocks.iter().take(1).flat_map(|block| block.instructions());
            if let Some(first) = entry.find(|one| one.opcode() != Opcode::Alloca) {
                builder.before(first);
                self.call(lock, kind, was, is);
            }
            return;
        }
        for end in blocks.iter().map(|block| block.terminator()) {
            if !end.is_return() {
                continue;
            }
            builder.before(end);
            match (when, end.result()) {
                (When::Succeeded, Some(result)) => {
                    let ty = result.ty();
                    let is_bit = ty.is_integer() && ty.bits(self.module) == 1;
                    // Else the runtime finds that the lock is given back by a thread that it has not seen to take it, and says nothing of locks.
                    let Some(how) = success(function.result_name(), is_bit, ty.is_pointer()) else {
                        continue;
                    };
                    let after = match how {
                        Success::True => builder.select(result, is, was),
                        Success::Zero => builder.select(result, was, is),
                        Success::NotNull => {
                            let address = builder.address_of(result);
                            let found = builder.different(address, builder.constant(64, 0));
                            builder.select(found, is, was)
                        }
                    };
                    self.call(lock, kind, was, after);
                }
                (When::Succeeded, None) => {}
                _ => self.call(lock, kind, was, is),
            }
        }
    }

    fn call(&self, lock: Value<'m>, kind: WordKind, before: Value<'m>, after: Value<'m>) {
        let kind = self.builder.constant(32, u64::from(kind as u32));
        hooks::call(&self.builder, abi::LOCK_WORD, &[lock, kind, before, after]);
    }
}
