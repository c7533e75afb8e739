//! What the lane of the check stubs (`stubs`) knows: the shortest way of an access, which is that of most.
//!
//! The lane is a part of [`goldilocks_core::quick`] in assembly: an access of one word, aligned to its size, where what the word remembers are
//! accesses that the running thread knows to be done (SC1, SC2), or none at all. If the site is what the word has already, it does what [`goldilocks_core::renew`]
//! does, without the line's lock; if not, what `quick`'s `renumber` does. So it does with halves of words, which become parted cells or are some
//! ([`goldilocks_core::transition`]), with what the thread knows by heart of the cell ([`goldilocks_core::steps`]), and, by functions of their own, with bytes that join others of the
//! same epoch ([`goldilocks_core::number_memo`]), with words that nothing can race with any more, and with words that have records (`quick_record` in the core is the model). It is written by hand because it is reached in every sync epoch for
//! every word that the program touches there; what a compiler makes of it takes more than twice the instructions, for registers that are
//! saved and addresses that are computed again. That it does what its models do is seen to by random programs; that the models are right, by loom.

use crate::contexts::StackBounds;
use crate::openmp::Worker;
use crate::shadow::LINE_WORDS;
use crate::sites::MIX;
use crate::state::Runtime;
use crate::thread::ThreadState;
use core::mem::offset_of;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use goldilocks_core::detector::Buffers;
use goldilocks_core::goldilocks::{Counts, Thread};
use goldilocks_core::line::LOCK;
use goldilocks_core::line_sites::{PAIR, SPLIT};
use goldilocks_core::number_memo::NumberMemo;
use goldilocks_core::records::{READERS, RECORD};
use goldilocks_core::steps;
use goldilocks_core::tag::{ShadowCell, Tag};

/// Where the tables of the process are. Set once, before any thread has a lane.
#[repr(C)]
pub struct Tables {
    pub granules: AtomicPtr<AtomicU64>,
    /// By slot, up to which sync epoch nothing can race any more with its accesses; and how many slots there are.
    pub settled: AtomicPtr<AtomicU64>,
    pub slots: AtomicU64,
    pub line_words: AtomicPtr<AtomicU32>,
    pub numbers: AtomicPtr<AtomicU32>,
    /// Where the records are, by the number that a word has with one.
    pub records: AtomicPtr<u8>,
    pub site_words: AtomicPtr<AtomicU64>,
    /// Where the cells are, by granule of the address space. Compiled code looks there before anything is known of its thread, and before the runtime is up: a
    /// program's own `malloc` is called by the dynamic linker.
    pub cells: AtomicPtr<(u64, u64)>,
    /// By page of cells, whether it is written.
    pub written: AtomicPtr<AtomicU8>,
}

/// Nowhere: a beginning that is above all.
static NO_CELLS: [(u64, u64); 8] = [(u64::MAX, 0); 8];

pub static TABLES: Tables = Tables {
    granules: AtomicPtr::new(core::ptr::null_mut()),
    settled: AtomicPtr::new(core::ptr::null_mut()),
    slots: AtomicU64::new(0),
    line_words: AtomicPtr::new(core::ptr::null_mut()),
    numbers: AtomicPtr::new(core::ptr::null_mut()),
    records: AtomicPtr::new(core::ptr::null_mut()),
    site_words: AtomicPtr::new(core::ptr::null_mut()),
    cells: AtomicPtr::new((&raw const NO_CELLS).cast_mut().cast()),
    written: AtomicPtr::new(core::ptr::null_mut()),
};

pub fn set_tables(runtime: &Runtime) {
    // Relaxed: the process has one thread.
    let relaxed = Ordering::Relaxed;
    let (line_words, numbers) = runtime.shadow.tables();
    let granules = runtime.engine.epochs.granules();
    TABLES.granules.store(granules.cast_mut(), relaxed);
    let settled = runtime.engine.epochs.settled();
    TABLES.settled.store(settled.as_ptr().cast_mut(), relaxed);
    TABLES.slots.store(settled.len() as u64, relaxed);
    TABLES.line_words.store(line_words.cast_mut(), relaxed);
    TABLES.numbers.store(numbers.cast_mut(), relaxed);
    let records = runtime.slab.records().cast::<u8>();
    TABLES.records.store(records.cast_mut(), relaxed);
    let site_words = runtime.sites.words();
    TABLES.site_words.store(site_words.cast_mut(), relaxed);
    let cells = runtime.shadow.granules();
    TABLES.cells.store(cells.cast_mut(), relaxed);
    let written = runtime.shadow.written().pages();
    TABLES.written.store(written.cast_mut(), relaxed);
}

const ENGINE: usize = offset_of!(ThreadState, engine);

// Offsets in `ThreadState`.
pub const SLOT: usize = ENGINE + offset_of!(Thread, slot);
pub const RECHECK: usize = ENGINE + offset_of!(Thread, recheck);
pub const RENEWED: usize = ENGINE + offset_of!(Thread, counts) + offset_of!(Counts, quick_renewed);
pub const KEPT: usize = ENGINE + offset_of!(Thread, counts) + offset_of!(Counts, quick_kept);
/// Until it is time to look for what can be forgotten.
pub const UNTIL: usize = ENGINE + Thread::UNTIL;
pub const OF_READERS: usize = ENGINE + Thread::OF_READERS;
/// An address and a length.
pub const KNOWN: usize = ENGINE + Thread::KNOWN;
pub const QUICK: usize = ENGINE + offset_of!(Thread, counts) + offset_of!(Counts, quick);
pub const STEPPED: usize = ENGINE + offset_of!(Thread, counts) + offset_of!(Counts, quick_steps);
/// A pointer to steps, 32 bytes each.
pub const STEPS: usize = ENGINE + Thread::STEPS;
/// A pointer to keys and numbers, 16 bytes each.
pub const NUMBERS: usize = MEMO + NumberMemo::NOTED;
pub const NUMBERS_MASK: usize = MEMO + NumberMemo::MASK;
const MEMO: usize = offset_of!(ThreadState, buffers) + Buffers::NUMBERS;
pub const LOWEST: usize = offset_of!(ThreadState, openmp) + Worker::LOWEST;
pub const LOW: usize = offset_of!(ThreadState, bounds) + offset_of!(StackBounds, low);
pub const HELD: usize = offset_of!(ThreadState, held_hash);

// What the assembly has as it is.
const _: () = assert!(offset_of!((u64, u64), 0) == 0 && offset_of!((u64, u64), 1) == 8);
const _: () = assert!(ShadowCell::EMPTY.0 == 0 && RECORD == SPLIT);
// The write half of a parted cell: no bytes, and whether it is of reads.
const _: () = {
    let (earlier, newer) = (Tag(2 << 9 | 0xf0), Tag(3 << 9 | 0x0f));
    assert!(ShadowCell::parted(earlier, newer, true).0 as u32 == 2 << 9);
    assert!(ShadowCell::parted(earlier, newer, false).0 as u32 == 2 << 9 | 0x100);
};
const _: () = assert!(LINE_WORDS == 1 << 40 && READERS == 1 << 29);
const _: () = assert!(LOCK == 1 << 31 && SPLIT == 1 << 30 && PAIR == 1 << 29);
const _: () = assert!(MIX == 0x9e37_79b9_7f4a_7c15 && MIX == steps::MIX);
