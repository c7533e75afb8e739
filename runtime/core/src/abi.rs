//! The contract between compiled code and the runtime, in one place.
//!
//! The pass (`pass/`) emits what is written here, the runtime (`runtime/src/hooks*`) defines it, and a test
//! compares the two. Everything is `extern "C"` unless it says otherwise. A change here changes [`ABI_SYMBOL`].

/// Referenced by every instrumented module and defined by the runtime, so that objects of another ABI fail to link
/// with a message that names the version.
pub const ABI_SYMBOL: &str = "__goldilocks_abi_4";

/// Column of a position whose line is not that of an access, which the optimizer has lost, but that of its function: the largest that debug
/// information holds.
pub const COLUMN_OF_FUNCTION: u32 = u16::MAX as u32;

/// Application memory is mapped to shadow memory by `((addr & !7) ^ SHADOW_XOR) + SHADOW_OFFSET`: 8 bytes of shadow
/// (one [`cell`](crate::cell)) per 8 bytes of application memory. Flipping bit 46 maps every region that address
/// space randomization may pick for the program, its libraries and stacks to one that it never picks.
pub const SHADOW_XOR: u64 = 1 << 46;

/// Keeps the shadow of an address from sharing its cache set and its low 12 bits with it. A multiple of 8; fits a
/// 32-bit displacement.
pub const SHADOW_OFFSET: u64 = 0x1_0440;

/// Offset of the write tag (`u32`) in a shadow cell, bytes.
pub const WRITE_TAG_OFFSET: u64 = 0;
/// Offset of the read tag (`u32`) in a shadow cell, bytes.
pub const READ_TAG_OFFSET: u64 = 4;
/// Where the tag of the read set that the thread was found in last is, from [`TAG_SYMBOL`], bytes.
pub const READ_SET_OFFSET: i64 = 20;
/// Where the calling context (`u64`) is, from [`TAG_SYMBOL`], bytes: for a function that was called with the context `c` and returns to
/// `r`, it is `(c + r) * CONTEXT_FACTOR` while it runs, if it calls others.
pub const CONTEXT_OFFSET: i64 = 24;
/// Offset in it of a number (4 bytes) that is 0 while the process has never had a second thread: nothing is remembered of any memory.
pub const OTHERS_OFFSET: i64 = 160;
/// Odd, and as large as an immediate operand may be: addresses in one module are no multiples of it apart.
pub const CONTEXT_FACTOR: u64 = 0x5bd1_e995;

/// Thread-local `u32` (first field of the runtime's thread-local block): the tag of the running thread's present sync
/// epoch with all eight mask bits set; 0 while the process has one thread; a value no shadow tag has where the next
/// access must take the slow path.
///
/// The same-epoch check (SC0) of an access to the bytes with mask `m` (bit i: byte i of the cell) is
/// `(shadow_tag ^ TAG) & (0xffff_ff00 | m) == 0`, with the read tag for a read and the write tag for a write.
pub const TAG_SYMBOL: &str = "__goldilocks_tls";

/// Sizes, in bytes, that have out-of-line checks of their own. Other sizes use the range hooks.
pub const ACCESS_SIZES: [u64; 5] = [1, 2, 4, 8, 16];

/// General registers, by the names that LLVM's `%V` operand modifier prints, that an out-of-line check may receive the
/// address in.
pub const STUB_REGISTERS: [&str; 15] = [
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15",
];

/// Name of the out-of-line check: `__goldilocks_{read,write}{size}_{register}`.
///
/// Reached by a plain `call` from inline assembly (so the caller must have `noredzone`): the address is in the named
/// register, every register but the flags is preserved, the stack need not be aligned, any alignment of the address
/// is handled to the byte. The return address is the position of the access; `rbp` is the caller's frame pointer.
pub fn check_stub(write: bool, size: u64, register: &str) -> String {
    format!(
        "__goldilocks_{}{size}_{register}",
        if write { "write" } else { "read" }
    )
}

/// How a value crosses the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Void,
    Ptr,
    I32,
    I64,
}

/// A function of the runtime that compiled code calls by the C convention.
#[derive(Clone, Copy, Debug)]
pub struct Hook {
    pub name: &'static str,
    pub result: Type,
    pub parameters: &'static [Type],
}

macro_rules! hooks {
    ($($(#[$doc:meta])* $konst:ident = $name:literal ($($parameter:ident),*) -> $result:ident;)*) => {
        $($(#[$doc])* pub const $konst: Hook = Hook {
            name: $name, result: Type::$result, parameters: &[$(Type::$parameter),*],
        };)*
        /// Every hook, for the pass to declare and for tests to compare with the runtime's exports.
        pub const HOOKS: &[Hook] = &[$($konst),*];
    };
}

hooks! {
    /// `(addr, bytes)`: a read of a range, checked before it happens. Zero bytes is nothing.
    READ_RANGE = "__goldilocks_read_range"(Ptr, I64) -> Void;
    /// `(addr, bytes)`: a write of a range, checked before it happens.
    WRITE_RANGE = "__goldilocks_write_range"(Ptr, I64) -> Void;
    /// `(addr, count, stride, bytes)`: reads of so many ranges of so many bytes, the first one at `addr` and each next one `stride` bytes, which may be negative, after
    /// it. None, or of zero bytes, is nothing.
    READ_ROWS = "__goldilocks_read_rows"(Ptr, I64, I64, I64) -> Void;
    /// The same for writes.
    WRITE_ROWS = "__goldilocks_write_rows"(Ptr, I64, I64, I64) -> Void;
    /// `(object, vtable)`: a pointer to a virtual table is about to be stored by a constructor or destructor. `vtable` is what
    /// is stored; a store of what is there already is checked as a read. Null stands for a store that always is a write, as those
    /// of a constructor are: what the memory held before is not the object's.
    VPTR_WRITE = "__goldilocks_vptr_write"(Ptr, Ptr) -> Void;
    /// `(dst, src, bytes) -> dst`: checks both ranges, then copies.
    MEMCPY = "__goldilocks_memcpy"(Ptr, Ptr, I64) -> Ptr;
    /// `(dst, src, bytes) -> dst`: checks both ranges, then moves.
    MEMMOVE = "__goldilocks_memmove"(Ptr, Ptr, I64) -> Ptr;
    /// `(dst, byte, bytes) -> dst`: checks the range, then fills.
    MEMSET = "__goldilocks_memset"(Ptr, I32, I64) -> Ptr;
    /// `(a, b, bytes) -> result`: checks reads of both ranges, then compares.
    MEMCMP = "__goldilocks_memcmp"(Ptr, Ptr, I64) -> I32;
    /// The same, where all that counts is whether there is a difference.
    BCMP = "__goldilocks_bcmp"(Ptr, Ptr, I64) -> I32;
    /// As the function of C's library, after a check of what it reads; so the next ones.
    MEMCHR = "__goldilocks_memchr"(Ptr, I32, I64) -> Ptr;
    STRLEN = "__goldilocks_strlen"(Ptr) -> I64;
    STRCMP = "__goldilocks_strcmp"(Ptr, Ptr) -> I32;
    STRNCMP = "__goldilocks_strncmp"(Ptr, Ptr, I64) -> I32;
    /// `(addr, operation)`: entered immediately before an atomic instruction that no hook makes, which the compiler keeps as it is. The
    /// runtime holds the address' stripe until [`ATOMIC_END`]. The operation is packed by [`AtomicOp::pack`].
    ATOMIC_BEGIN = "__goldilocks_atomic_begin"(Ptr, I32) -> Void;
    /// `(addr, operation, success)`: entered immediately after the atomic instruction. `success` is 1, or for a
    /// compare-exchange whether it succeeded.
    ATOMIC_END = "__goldilocks_atomic_end"(Ptr, I32, I32) -> Void;
    /// `(addr, operation) -> value`: makes an atomic load of an aligned byte; the other bits of the result are 0.
    ATOMIC_LOAD_1 = "__goldilocks_atomic_load1"(Ptr, I32) -> I64;
    /// The same, 2 bytes.
    ATOMIC_LOAD_2 = "__goldilocks_atomic_load2"(Ptr, I32) -> I64;
    /// The same, 4 bytes.
    ATOMIC_LOAD_4 = "__goldilocks_atomic_load4"(Ptr, I32) -> I64;
    /// The same, 8 bytes.
    ATOMIC_LOAD_8 = "__goldilocks_atomic_load8"(Ptr, I32) -> I64;
    /// `(addr, value, operation)`: makes an atomic store to an aligned byte; the other bits of the value mean nothing.
    ATOMIC_STORE_1 = "__goldilocks_atomic_store1"(Ptr, I64, I32) -> Void;
    /// The same, 2 bytes.
    ATOMIC_STORE_2 = "__goldilocks_atomic_store2"(Ptr, I64, I32) -> Void;
    /// The same, 4 bytes.
    ATOMIC_STORE_4 = "__goldilocks_atomic_store4"(Ptr, I64, I32) -> Void;
    /// The same, 8 bytes.
    ATOMIC_STORE_8 = "__goldilocks_atomic_store8"(Ptr, I64, I32) -> Void;
    /// `(addr, operand, operation) -> value before`: makes an atomic read-modify-write of an aligned byte. Bits 20-23 of the operation say
    /// which, as [`Change`]. The other bits of the operand mean nothing, those of the result are 0.
    ATOMIC_UPDATE_1 = "__goldilocks_atomic_update1"(Ptr, I64, I32) -> I64;
    /// The same, 2 bytes.
    ATOMIC_UPDATE_2 = "__goldilocks_atomic_update2"(Ptr, I64, I32) -> I64;
    /// The same, 4 bytes.
    ATOMIC_UPDATE_4 = "__goldilocks_atomic_update4"(Ptr, I64, I32) -> I64;
    /// The same, 8 bytes.
    ATOMIC_UPDATE_8 = "__goldilocks_atomic_update8"(Ptr, I64, I32) -> I64;
    /// `(addr, expected, desired, operation) -> value before`: makes an atomic compare-exchange of an aligned byte, which succeeds if
    /// the value before is the expected one. Other bits as above; those of the expected value are 0, too.
    ATOMIC_COMPARE_EXCHANGE_1 = "__goldilocks_atomic_compare_exchange1"(Ptr, I64, I64, I32) -> I64;
    /// The same, 2 bytes.
    ATOMIC_COMPARE_EXCHANGE_2 = "__goldilocks_atomic_compare_exchange2"(Ptr, I64, I64, I32) -> I64;
    /// The same, 4 bytes.
    ATOMIC_COMPARE_EXCHANGE_4 = "__goldilocks_atomic_compare_exchange4"(Ptr, I64, I64, I32) -> I64;
    /// The same, 8 bytes.
    ATOMIC_COMPARE_EXCHANGE_8 = "__goldilocks_atomic_compare_exchange8"(Ptr, I64, I64, I32) -> I64;
    /// A function has begun by which libomp combines the private copies of a reduction for tasks.
    COMBINE = "__goldilocks_combine"() -> Void;
    /// `(order)`: a fence, entered before the fence instruction. The order is an [`Order`] as integer.
    FENCE = "__goldilocks_fence"(I32) -> Void;
    /// `(addr)`: the program prefetches the cache line there. Compiled code prefetches its cells itself.
    PREFETCH = "__goldilocks_prefetch"(Ptr) -> Void;
    /// As [`ATOMIC_LOAD_4`] and the like, of the word of a library's own lock: the operation says of which ([`crate::lock_word::WordKind::pack`]).
    LOCK_LOAD = "__goldilocks_lock_load"(Ptr, I32) -> I64;
    /// The same, a read-modify-write.
    LOCK_UPDATE = "__goldilocks_lock_update"(Ptr, I64, I32) -> I64;
    /// The same, a compare-exchange.
    LOCK_COMPARE_EXCHANGE = "__goldilocks_lock_compare_exchange"(Ptr, I64, I64, I32) -> I64;
    /// `(lock, kind, before, after)`: the state of a library's own lock has changed, as [`crate::lock_word`] says. For
    /// reports alone; the atomics that the lock is made of are what orders.
    LOCK_WORD = "__goldilocks_lock_word"(Ptr, I32, I32, I32) -> Void;
}

/// The function that makes an operation of a kind on the word of a library's own lock.
pub const fn lock_hook(kind: AtomicKind) -> Option<Hook> {
    match kind {
        AtomicKind::Load => Some(LOCK_LOAD),
        AtomicKind::Store => None,
        AtomicKind::ReadModifyWrite => Some(LOCK_UPDATE),
        AtomicKind::CompareExchange => Some(LOCK_COMPARE_EXCHANGE),
    }
}

/// What an atomic read-modify-write by [`ATOMIC_UPDATE_8`] and the like makes of the value and its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Change {
    Exchange = 0,
    Add = 1,
    Subtract = 2,
    And = 3,
    Or = 4,
    Xor = 5,
    Nand = 6,
    /// The larger and the smaller one, of signed numbers.
    Max = 7,
    Min = 8,
    MaxUnsigned = 9,
    MinUnsigned = 10,
}

impl Change {
    /// Where it is in the operation.
    pub const SHIFT: u32 = 20;

    /// That of an operation; anything unknown is an exchange.
    pub fn of(operation: u32) -> Change {
        match operation >> Self::SHIFT & 15 {
            1 => Change::Add,
            2 => Change::Subtract,
            3 => Change::And,
            4 => Change::Or,
            5 => Change::Xor,
            6 => Change::Nand,
            7 => Change::Max,
            8 => Change::Min,
            9 => Change::MaxUnsigned,
            10 => Change::MinUnsigned,
            _ => Change::Exchange,
        }
    }
}

/// The hook that makes an atomic operation of this kind on `bytes` bytes, if there is one.
pub fn atomic_hook(kind: AtomicKind, bytes: u8) -> Option<Hook> {
    let of_sizes = match kind {
        AtomicKind::Load => [ATOMIC_LOAD_1, ATOMIC_LOAD_2, ATOMIC_LOAD_4, ATOMIC_LOAD_8],
        AtomicKind::Store => [
            ATOMIC_STORE_1,
            ATOMIC_STORE_2,
            ATOMIC_STORE_4,
            ATOMIC_STORE_8,
        ],
        AtomicKind::ReadModifyWrite => [
            ATOMIC_UPDATE_1,
            ATOMIC_UPDATE_2,
            ATOMIC_UPDATE_4,
            ATOMIC_UPDATE_8,
        ],
        AtomicKind::CompareExchange => [
            ATOMIC_COMPARE_EXCHANGE_1,
            ATOMIC_COMPARE_EXCHANGE_2,
            ATOMIC_COMPARE_EXCHANGE_4,
            ATOMIC_COMPARE_EXCHANGE_8,
        ],
    };
    let place = [1, 2, 4, 8].iter().position(|&size| size == bytes)?;
    Some(of_sizes[place])
}

/// Memory orders, with the numbers of C11's `memory_order` (`consume` is treated as `acquire`, as compilers do).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Order {
    Relaxed = 0,
    Acquire = 2,
    Release = 3,
    AcqRel = 4,
    SeqCst = 5,
}

impl Order {
    /// The order with C11's number `n`; anything unknown is sequentially consistent.
    pub const fn from_c11(n: u32) -> Order {
        // A table, which takes no jump that depends on the order.
        const ORDERS: [Order; 8] = [
            Order::Relaxed,
            Order::Acquire,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
            Order::SeqCst,
            Order::SeqCst,
        ];
        ORDERS[if n < 8 { n as usize } else { 7 }]
    }
    /// Whether a load of this order is a sync-sink.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }
    /// Whether a store of this order is a sync-source.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
}

/// What an atomic instruction does to its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum AtomicKind {
    Load = 0,
    Store = 1,
    ReadModifyWrite = 2,
    /// A read-modify-write with the success order, or a load with the failure order.
    CompareExchange = 3,
}

/// An atomic instruction as the hooks see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicOp {
    pub kind: AtomicKind,
    /// 1, 2, 4, 8 or 16 bytes.
    pub size: u8,
    pub order: Order,
    /// Failure order of a compare-exchange; otherwise `Relaxed`.
    pub failure: Order,
}

impl AtomicOp {
    /// Bits 0-7 size, 8-11 kind, 12-15 order, 16-19 failure order.
    pub const fn pack(self) -> u32 {
        self.size as u32
            | (self.kind as u32) << 8
            | (self.order as u32) << 12
            | (self.failure as u32) << 16
    }
    /// Inverse of [`AtomicOp::pack`].
    pub const fn unpack(bits: u32) -> AtomicOp {
        const KINDS: [AtomicKind; 4] = [
            AtomicKind::Load,
            AtomicKind::Store,
            AtomicKind::ReadModifyWrite,
            AtomicKind::CompareExchange,
        ];
        AtomicOp {
            size: bits as u8,
            kind: KINDS[(bits >> 8 & 3) as usize],
            order: Order::from_c11(bits >> 12 & 15),
            failure: Order::from_c11(bits >> 16 & 15),
        }
    }
}
