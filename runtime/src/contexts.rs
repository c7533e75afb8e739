//! Calling contexts: the return addresses above a function, found by frame pointers and remembered per frame.
//!
//! An access on the slow path needs the whole stack, because any later access may race with this one. Walking it takes a
//! chain of loads and a step of the hash per frame. But the next slow access is mostly in the same frame, or in one that was
//! there a moment ago: so what a walk found is kept by the frame's address, and before it is used again every link and return
//! address is compared with the stack, which needs no chain and no hash.

use crate::sites::mix;

/// The part of the stack that frame-pointer walks may read.
#[derive(Clone, Copy, Debug, Default)]
pub struct StackBounds {
    pub low: usize,
    pub high: usize,
}

impl StackBounds {
    pub fn contains(&self, address: usize) -> bool {
        (self.low..self.high).contains(&address)
    }
    fn holds_link(&self, frame: usize) -> bool {
        self.contains(frame) && self.high - frame >= size_of::<Link>() && frame & 7 == 0
    }
}

/// Deepest stack that is kept, frames; the innermost ones are.
pub const MAX_DEPTH: usize = 192;

/// Frames of a context that is remembered. Deeper ones are walked each time.
const KEPT: usize = 24;
/// Contexts that a thread remembers.
const CONTEXTS: usize = 32;

/// What a frame-pointer walk reads at one frame: the caller's frame pointer, and the return address into the caller.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Link {
    next: usize,
    pc: usize,
}

struct Context {
    /// Frame pointer of the function; 0 if the entry is not used.
    frame: usize,
    count: usize,
    hash: u64,
    links: [Link; KEPT],
}

/// The contexts of one thread.
pub struct Contexts {
    kept: Box<[Context; CONTEXTS]>,
    /// The return addresses that were found last.
    pcs: Box<[usize; MAX_DEPTH]>,
}

impl Default for Contexts {
    fn default() -> Contexts {
        // Not by way of the stack, of which a thread may have little.
        Contexts {
            // SAFETY: a context that is all zeroes is not used.
            kept: unsafe { Box::new_zeroed().assume_init() },
            // SAFETY: numbers.
            pcs: unsafe { Box::new_zeroed().assume_init() },
        }
    }
}

impl Context {
    /// Whether the stack still holds what was found there.
    ///
    /// # Safety
    /// The stack within the bounds is the one that the running thread is on, or its own.
    #[inline(always)]
    unsafe fn holds(&self, bounds: StackBounds) -> bool {
        let mut frame = self.frame;
        let mut link = self.links.as_ptr();
        for _ in 0..self.count {
            // The same frames may have been on another stack, which is gone.
            if !bounds.holds_link(frame) {
                return false;
            }
            // SAFETY: within the stack; `count` is at most `KEPT`.
            let (kept, found) = unsafe { (*link, *(frame as *const Link)) };
            if kept.next != found.next || kept.pc != found.pc {
                return false;
            }
            frame = kept.next;
            // SAFETY: as above.
            link = unsafe { link.add(1) };
        }
        true
    }
}

impl Contexts {
    #[inline(always)]
    fn slot(frame: usize) -> usize {
        (frame as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> 59
    }

    /// The hash of the context of the function whose frame pointer is `frame`, if it is remembered.
    ///
    /// # Safety
    /// The stack within the bounds is the one that the running thread is on, or its own.
    #[inline(always)]
    pub unsafe fn known(&self, frame: usize, bounds: StackBounds) -> Option<u64> {
        const { assert!(CONTEXTS == 1 << (64 - 59)) };
        // SAFETY: the slot is a 5-bit number.
        let context = unsafe { self.kept.as_ptr().add(Self::slot(frame)).as_ref_unchecked() };
        // SAFETY: the caller's contract.
        (context.frame == frame && frame != 0 && unsafe { context.holds(bounds) })
            .then_some(context.hash)
    }

    /// The hash of the context of the function with the frame pointer `frame`, by a walk of at most `depth` frames.
    ///
    /// Code without frame pointers (libraries that are not ours) leaves its caller's frame pointer in place or uses the register
    /// for other things: a frame must lie above the previous one and within the stack, or the walk ends there.
    #[cold]
    pub fn walk(&mut self, frame: usize, bounds: StackBounds, depth: usize) -> u64 {
        let context = &mut self.kept[Self::slot(frame)];
        context.frame = frame;
        context.count = 0;
        let mut hash = 0;
        let mut count = 0;
        let mut at = frame;
        while count < depth.min(MAX_DEPTH - 1) && bounds.holds_link(at) {
            // SAFETY: within the running thread's stack.
            let link = unsafe { *(at as *const Link) };
            if link.pc < 4096 {
                break;
            }
            self.pcs[count] = link.pc;
            hash = mix(hash, link.pc as u64);
            if let Some(kept) = context.links.get_mut(count) {
                *kept = link;
            }
            count += 1;
            if link.next <= at {
                break;
            }
            at = link.next;
        }
        context.hash = hash;
        context.count = count;
        // What ended the walk is not compared: without any link, or with more than are kept, there is nothing to trust.
        if count == 0 || count > KEPT {
            context.frame = 0;
        }
        hash
    }

    /// The return addresses of the function with the frame pointer `frame`, innermost first.
    pub fn pcs(&mut self, frame: usize, bounds: StackBounds, depth: usize) -> &[usize] {
        // Walked again: it is only for stacks that have not been seen before.
        self.pcs[0] = 0;
        self.walk(frame, bounds, depth);
        let count = self.kept[Self::slot(frame)].count;
        &self.pcs[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack as frame pointers link it, with a place for a return address each.
    struct Stack(Vec<Link>);

    impl Stack {
        fn new(pcs: &[usize]) -> Stack {
            let mut links: Vec<Link> = pcs.iter().map(|&pc| Link { next: 0, pc }).collect();
            let addresses: Vec<usize> =
                links.iter().map(|link| &raw const *link as usize).collect();
            for (link, &next) in links.iter_mut().zip(&addresses[1..]) {
                link.next = next;
            }
            Stack(links)
        }
        fn frame(&self, index: usize) -> usize {
            &raw const self.0[index] as usize
        }
        fn bounds(&self) -> StackBounds {
            StackBounds {
                low: self.frame(0),
                high: self.frame(0) + size_of_val(&self.0[..]),
            }
        }
    }

    const ALL: StackBounds = StackBounds {
        low: 0,
        high: usize::MAX,
    };

    fn known(contexts: &Contexts, frame: usize) -> Option<u64> {
        // SAFETY: the tests' stacks are alive.
        unsafe { contexts.known(frame, ALL) }
    }

    #[test]
    fn what_was_found_on_a_stack_that_is_gone_is_not_looked_at() {
        let stack = Stack::new(&[0x1001, 0x1002]);
        let mut contexts = Contexts::default();
        let hash = contexts.walk(stack.frame(0), stack.bounds(), 100);
        let known = |bounds| {
            // SAFETY: as above.
            unsafe { contexts.known(stack.frame(0), bounds) }
        };
        assert_eq!(known(stack.bounds()), Some(hash));
        let StackBounds { low, high } = stack.bounds();
        assert_eq!(
            known(StackBounds {
                low,
                high: high - 8
            }),
            None
        );
        assert_eq!(known(StackBounds { low: low + 8, high }), None);
    }

    #[test]
    fn a_context_is_known_until_any_of_its_frames_changes() {
        let pcs = [0x1001, 0x1002, 0x1003, 0x1004];
        for changed in 0..pcs.len() {
            let mut stack = Stack::new(&pcs);
            let mut contexts = Contexts::default();
            assert_eq!(known(&contexts, stack.frame(0)), None);
            let hash = contexts.walk(stack.frame(0), stack.bounds(), 100);
            assert_eq!(known(&contexts, stack.frame(0)), Some(hash));
            assert_eq!(contexts.pcs(stack.frame(0), stack.bounds(), 100), pcs);
            stack.0[changed].pc += 0x100;
            assert_eq!(known(&contexts, stack.frame(0)), None);
            assert_ne!(contexts.walk(stack.frame(0), stack.bounds(), 100), hash);
        }
    }

    #[test]
    fn a_deep_context_is_walked_every_time() {
        let pcs: Vec<usize> = (0..KEPT + 1).map(|i| 0x1000 + i).collect();
        let stack = Stack::new(&pcs);
        let mut contexts = Contexts::default();
        contexts.walk(stack.frame(0), stack.bounds(), 100);
        assert_eq!(known(&contexts, stack.frame(0)), None);
        contexts.walk(stack.frame(1), stack.bounds(), 100);
        assert!(known(&contexts, stack.frame(1)).is_some());
        assert_eq!(contexts.pcs(stack.frame(0), stack.bounds(), 100), pcs);
        assert_eq!(contexts.pcs(stack.frame(0), stack.bounds(), 3), &pcs[..3]);
    }

    #[test]
    fn a_frame_at_the_end_of_the_address_space_is_outside() {
        let all = StackBounds {
            low: 4096,
            high: 1 << 47,
        };
        assert!(all.holds_link(4096) && all.holds_link((1 << 47) - 16));
        for frame in [
            0,
            4088,
            4097,
            (1 << 47) - 8,
            1 << 47,
            usize::MAX - 7,
            usize::MAX - 15,
        ] {
            assert!(!all.holds_link(frame), "{frame:#x}");
        }
    }

    #[test]
    fn a_frame_outside_of_the_stack_has_no_context() {
        let mut contexts = Contexts::default();
        assert_eq!(
            contexts.walk(
                8,
                StackBounds {
                    low: 4096,
                    high: 8192
                },
                100
            ),
            0
        );
        assert_eq!(known(&contexts, 8), None);
        assert_eq!(known(&contexts, 0), None);
    }
}
