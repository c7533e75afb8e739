//! Keeps the vector registers that the out-of-line checks do not save, around calls into code that is not ours.
//!
//! The checks save xmm0-15. libc's string functions, the unwinder and the like use ymm and zmm; whoever calls such code from
//! inside a check does it through [`preserved`].

use core::arch::x86_64::__cpuid_count;
use core::sync::atomic::{AtomicU32, Ordering};

/// Bytes that xsave needs with all states enabled; 0 before it is known.
static SIZE: AtomicU32 = AtomicU32::new(0);

fn area_size() -> usize {
    let known = SIZE.load(Ordering::Relaxed);
    if known != 0 {
        return known as usize;
    }
    let has_xsave = __cpuid_count(1, 0).ecx & 1 << 27 != 0;
    let size = if has_xsave {
        __cpuid_count(0xd, 0).ebx.max(576)
    } else {
        1
    };
    SIZE.store(size, Ordering::Relaxed);
    size as usize
}

/// Calls `deed` and restores all vector and floating-point state afterwards.
pub fn preserved<R>(deed: impl FnOnce() -> R) -> R {
    let size = area_size();
    if size <= 1 {
        return deed();
    }
    let mut memory = vec![0u8; size + 64];
    let area = (memory.as_mut_ptr() as usize + 63) & !63;
    // SAFETY: the area is aligned to 64 and large enough for every enabled state; its header is zero.
    unsafe {
        core::arch::asm!("xsave64 [{}]", in(reg) area, in("eax") u32::MAX, in("edx") u32::MAX, options(nostack));
    }
    let result = deed();
    // SAFETY: restores what was saved above, including the control words.
    unsafe {
        core::arch::asm!("xrstor64 [{}]", in(reg) area, in("eax") u32::MAX, in("edx") u32::MAX,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack));
    }
    result
}
