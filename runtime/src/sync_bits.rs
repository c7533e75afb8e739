//! Which words of memory have been sync objects: one bit per 8 bytes, so that the end of a block ends those inside it.
//!
//! Without this, a mutex that is freed without being destroyed would lend its releases to the next one at its address.

use crate::shadow::{ReserveError, table};
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use goldilocks_core::event::{Entity, Role};

/// Bits for half of the address space (the other half is shadow).
const WORDS: usize = 1 << (46 - 3 - 6);

static TABLE: AtomicPtr<AtomicU64> = AtomicPtr::new(core::ptr::null_mut());

/// Reserves the table; costs nothing until used.
pub fn reserve() -> Result<(), ReserveError> {
    let words: &'static [AtomicU64] = table(WORDS)?;
    TABLE.store(words.as_ptr().cast_mut(), Ordering::Release);
    Ok(())
}

fn words() -> &'static [AtomicU64] {
    // SAFETY: set by `reserve`, before the runtime is up.
    unsafe { core::slice::from_raw_parts(TABLE.load(Ordering::Acquire), WORDS) }
}

fn position(addr: u64) -> (usize, u64) {
    ((addr >> 9) as usize & (WORDS - 1), 1 << (addr >> 3 & 63))
}

const ROLES: [Role; 4] = [
    Role::Object,
    Role::Readers,
    Role::BarrierEven,
    Role::BarrierOdd,
];

/// `object` is about to be used.
#[inline]
pub fn mark(object: Entity) {
    let Some((addr, role)) = object.as_object() else {
        return;
    };
    if role > Role::BarrierOdd as u8 {
        return;
    }
    let (word, bit) = position(addr);
    let word = &words()[word];
    // Relaxed: a hint that is only taken by whoever frees the memory, which the program orders after its use.
    if word.load(Ordering::Relaxed) & bit == 0 {
        word.fetch_or(bit, Ordering::Relaxed);
    }
}

/// Calls `gone` with every object within `addr..addr+bytes`, and takes their marks. Whether there was any.
pub fn take(addr: u64, bytes: u64, mut gone: impl FnMut(Entity)) -> bool {
    let mut any = false;
    let end = addr + bytes;
    let mut at = addr & !511;
    while at < end {
        let (index, _) = position(at);
        let word = &words()[index];
        let bits = word.load(Ordering::Relaxed);
        if bits != 0 {
            for bit in (0..64u64).filter(|bit| bits >> bit & 1 != 0) {
                let object = at + 8 * bit;
                if object + 7 >= addr && object < end {
                    any = true;
                    word.fetch_and(!(1 << bit), Ordering::Relaxed);
                    crate::atomic_parts::forget(object, &mut gone);
                    for offset in 0..8 {
                        for role in ROLES {
                            gone(Entity::object(object + offset, role));
                        }
                    }
                }
            }
        }
        at += 512;
    }
    any
}
