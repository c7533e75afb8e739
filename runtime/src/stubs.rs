//! The out-of-line checks: assembly that repeats the same-epoch check (SC0) for the exact bytes, of any alignment, and
//! enters the runtime when it fails, by a lane of its own for the most common case (`lane`). Reached with the address in any
//! register; preserves all registers but the flags.
//!
//! Of the vector registers, xmm0-15 are saved around the call into the runtime: code that is reached from here is
//! compiled for baseline x86-64 and never touches more (`pipeline` saves the extended state where it calls out). The lane of records keeps those that it uses itself.

use crate::lane::{self, TABLES, Tables};
use crate::phases::PATIENCE;
use crate::pipeline::FEW;
use crate::quick;
use crate::sites::MIX;
use crate::state::{FREEZE, OBSTACLES};
use crate::thread::folded::LAST_ABOVE_BITS;
use crate::thread::sites::{RECENT, RECENT_ABOVE, RECENT_ABOVE_MASK, RECENT_SHIFT, RECENT_SITES};
use crate::tls::{SIGNAL_PENDING, TlsBlock};
use core::mem::offset_of;
use goldilocks_core::number_memo::NumberMemo;
use goldilocks_core::{abi, steps};

const _: () = assert!(abi::SHADOW_XOR == 1 << 46);
const _: () = assert!(abi::SHADOW_OFFSET == 0x1_0440);
const _: () = assert!(
    crate::tls::READ_SET_OFFSET as i64 == abi::READ_SET_OFFSET && abi::READ_SET_OFFSET == 20
);
const _: () = assert!(crate::tls::READ_SETS_OFFSET == 48 && crate::tls::READ_SETS_BITS == 4);
const _: () = assert!(offset_of!(TlsBlock, made) == 112 && offset_of!(TlsBlock, era) == 120);
const _: () =
    assert!(offset_of!(TlsBlock, made_mask) == 128 && offset_of!(TlsBlock, made_lost) == 132);
const _: () = assert!(offset_of!(TlsBlock, made_tag) == 148);
const _: () = assert!(offset_of!(TlsBlock, kept) == 136 && offset_of!(TlsBlock, kept_mask) == 144);
const _: () = assert!(abi::WRITE_TAG_OFFSET == 0 && abi::READ_TAG_OFFSET == 4);
// The lane has these as they are.
const _: () = assert!(offset_of!(TlsBlock, depth) == 4 && offset_of!(TlsBlock, flags) == 16);
const _: () = assert!(offset_of!(TlsBlock, context) == 24 && offset_of!(TlsBlock, lane) == 32);
const _: () = assert!(offset_of!(TlsBlock, probe) == 40);
const _: () = assert!(SIGNAL_PENDING == 1);

core::arch::global_asm!(
    include_str!("stubs/kept.s"),
    include_str!("stubs/check.s"),
    include_str!("stubs/lane.s"),
    include_str!("stubs/record.s"),
    include_str!("stubs/joined.s"),
    include_str!("stubs/enter_slow.s"),
    include_str!("stubs/few.s"),
    include_str!("stubs/range.s"),
    few = const FEW,
    made = const quick::MADE,
    not_tried = const quick::NOT_TRIED,
    freeze = sym FREEZE,
    patience = sym PATIENCE,
    obstacles = sym OBSTACLES,
    tables = sym TABLES,
    granules = const offset_of!(Tables, granules),
    settled = const offset_of!(Tables, settled),
    slots = const offset_of!(Tables, slots),
    line_words = const offset_of!(Tables, line_words),
    numbers = const offset_of!(Tables, numbers),
    records = const offset_of!(Tables, records),
    site_words = const offset_of!(Tables, site_words),
    slot = const lane::SLOT,
    cells = const offset_of!(Tables, cells),
    written = const offset_of!(Tables, written),
    known = const lane::KNOWN,
    quick = const lane::QUICK,
    by_heart = const lane::NUMBERS,
    by_heart_mask = const lane::NUMBERS_MASK,
    by_heart_shift = const NumberMemo::SHIFT,
    steps = const lane::STEPS,
    stepped = const lane::STEPPED,
    steps_shift = const u64::BITS - steps::BITS,
    lowest = const lane::LOWEST,
    low = const lane::LOW,
    recheck = const lane::RECHECK,
    until = const lane::UNTIL,
    of_readers = const lane::OF_READERS,
    most_of_readers = const goldilocks_core::record_pool::MOST_OF_READERS,
    turns_shift = const goldilocks_core::records::TURNS_SHIFT,
    renewed = const lane::RENEWED,
    kept = const lane::KEPT,
    held = const lane::HELD,
    recent = const RECENT,
    recent_sites = const RECENT_SITES,
    recent_shift = const RECENT_SHIFT,
    recent_above = const RECENT_ABOVE,
    above_shift = const u64::BITS - LAST_ABOVE_BITS,
    above_mask = const RECENT_ABOVE_MASK,
    mix = const MIX,
    options(att_syntax)
);
