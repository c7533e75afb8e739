// A store past the caches, which the standard library makes by assembly, is a write of its bytes.
// REPORTS: 1
// EXPECT: data race on `.*WORDS
// EXPECT: [Ww]rite of size 16
#[path = "../shared.rs"]
mod shared;

use core::arch::x86_64::{_mm_set1_epi8, _mm_stream_si128};
use shared::Shared;
use std::thread;

#[repr(align(16))]
#[derive(Clone, Copy)]
struct Words([u32; 4]);

static WORDS: Shared<Words> = Shared::new(Words([0; 4]));

fn main() {
    let thread = thread::spawn(|| {
        // SAFETY: aligned.
        unsafe { _mm_stream_si128(WORDS.pointer().cast(), _mm_set1_epi8(1)) };
    });
    std::hint::black_box(WORDS.get().0[3]);
    thread.join().unwrap();
}
