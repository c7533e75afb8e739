// Parts of statics are called by the types in the debug information, however the access came to them.
// LEVELS: O0 O2
// REPORTS: 5
// EXPECT: data race on `static_parts::CACHE.slots\[1\].hits`
// EXPECT: data race on `static_parts::CACHE.slots\[1\].last.1`
// EXPECT: data race on `static_parts::CACHE.size`
// EXPECT: data race on `static_parts::GRID\[2\]\[1\]`
// EXPECT: data race on `static_parts::BYTES\+1`
use std::cell::UnsafeCell;
use std::hint::black_box;
use std::thread;

struct Slot {
    hits: u64,
    last: (u8, i16),
}

struct Cache {
    slots: UnsafeCell<[Slot; 2]>,
    size: UnsafeCell<u32>,
}

// SAFETY: none; that is what this is about, here and below.
unsafe impl Sync for Cache {}

static CACHE: Cache = Cache {
    slots: UnsafeCell::new([const { Slot { hits: 0, last: (0, 0) } }; 2]),
    size: UnsafeCell::new(0),
};
static mut GRID: [[i32; 2]; 3] = [[0; 2]; 3];
/// Two bytes of it are accessed, which are no part of its own.
static mut BYTES: [u8; 4] = [0; 4];

#[inline(always)]
fn set<T>(place: *mut T, value: T) {
    // SAFETY: none.
    unsafe { black_box(place).write_unaligned(value) }
}

fn work(me: u8) {
    // SAFETY: in bounds; no reference is made to what others write.
    unsafe {
        let slot = CACHE.slots.get().cast::<Slot>().add(1);
        set(&raw mut (*slot).hits, u64::from(me));
        set(&raw mut (*slot).last.1, i16::from(me));
        set(CACHE.size.get(), u32::from(me));
        set(&raw mut GRID[2][1], i32::from(me));
        set((&raw mut BYTES).cast::<u8>().add(1).cast::<u16>(), u16::from(me));
    }
}

fn main() {
    let thread = thread::spawn(|| work(1));
    work(2);
    thread.join().unwrap();
}
