//! Which site an access of the running thread has: its stack is looked at only if it has not been met lately.

use super::ThreadState;
use super::folded::{Above, Folds};
use crate::caller::Caller;
use crate::contexts::{Contexts, MAX_DEPTH, StackBounds};
use crate::fibers;
use crate::locksets;
use crate::report;
use crate::sites::{Shape, mix, site_hash};
use crate::state::runtime;
use crate::tls;
use core::sync::atomic::Ordering;
use goldilocks_core::detector::Sites;
use goldilocks_core::line::Site;

/// Bits of the number of cached sites, at first and at most. Most threads meet few stacks, and of these there can be hundreds; in one with tens of
/// thousands a second cache miss for every third access costs more than the memory.
const FIRST_BITS: u32 = 9;
const LAST_BITS: u32 = 15;
/// Up to here it grows at the first need.
const USUAL_BITS: u32 = 12;

/// Calling contexts of the frames that were walked lately, and recently interned sites.
pub(super) struct Recent {
    contexts: Contexts,
    /// By the upper bits of their hashes; a power of two.
    sites: Box<[CachedSite]>,
    /// The number of the hash's other bits.
    shift: u8,
    /// Sites found elsewhere since the cache has grown.
    missed: u32,
    /// [`Folds::where_above`].
    above: *const Above,
    above_mask: u32,
    folds: Folds,
}

/// A site and most bits of its hash: the others are its place. Two sites that agree in all of them are taken for one; that would
/// take 2^22 sites to be likely.
#[derive(Clone, Copy)]
struct CachedSite(u64);

impl CachedSite {
    const SITE_BITS: u32 = 29;

    /// The upper bits of its hash are its place alone.
    const PLACE_BITS: u32 = FIRST_BITS;

    #[inline(always)]
    fn new(hash: u64, site: Site) -> CachedSite {
        CachedSite(hash << Self::PLACE_BITS & !((1 << Self::SITE_BITS) - 1) | site as u64)
    }
    #[inline(always)]
    fn get(self, hash: u64) -> Option<Site> {
        ((self.0 ^ hash << Self::PLACE_BITS) >> Self::SITE_BITS == 0 && self.0 != 0)
            .then_some((self.0 & ((1 << Self::SITE_BITS) - 1)) as Site)
    }
}

// As the lane of the stubs (`lane`) finds sites.
/// Offset of a pointer to [`Recent`], which is not null in what runs, in `ThreadState`.
pub const RECENT: usize = core::mem::offset_of!(ThreadState, recent);
/// Offset of the pointer to the cached sites in that.
pub const RECENT_SITES: usize = core::mem::offset_of!(Recent, sites);
/// Offset of how far the hash is to be shifted, a byte.
pub const RECENT_SHIFT: usize = core::mem::offset_of!(Recent, shift);
/// Offset of the pointer to what is known to be above accesses ([`Folds::where_above`]), null where there is none.
pub const RECENT_ABOVE: usize = core::mem::offset_of!(Recent, above);
pub const RECENT_ABOVE_MASK: usize = core::mem::offset_of!(Recent, above_mask);
const _: () = assert!(CachedSite::PLACE_BITS == 9 && CachedSite::SITE_BITS == 29);

impl Recent {
    pub(super) fn new() -> Box<Recent> {
        Box::new(Recent {
            contexts: Contexts::default(),
            sites: Recent::none(FIRST_BITS),
            shift: (u64::BITS - FIRST_BITS) as u8,
            missed: 0,
            above: core::ptr::null(),
            above_mask: 0,
            folds: Folds::default(),
        })
    }

    /// Room for sites.
    fn none(bits: u32) -> Box<[CachedSite]> {
        // SAFETY: numbers.
        unsafe { Box::new_zeroed_slice(1 << bits).assume_init() }
    }

    #[inline(always)]
    fn place(&mut self, hash: u64) -> &mut CachedSite {
        let place = (hash >> self.shift) as usize;
        // SAFETY: a hash has no more bits than that.
        unsafe { self.sites.get_unchecked_mut(place) }
    }

    /// Whether sites or contexts have taken each other's places often: then it takes time to look in there, and nothing new has to come for that.
    #[inline(always)]
    fn wants_room(&self) -> bool {
        self.wants_room_for_sites() || self.folds.want_room()
    }
    #[inline(always)]
    fn wants_room_for_sites(&self) -> bool {
        let bits = u64::BITS - self.shift as u32;
        let patience = if bits < USUAL_BITS { 1 } else { 16 };
        bits != LAST_BITS && self.missed as usize >= patience * self.sites.len()
    }

    #[cold]
    fn make_room(&mut self) {
        self.grow_if_needed();
        self.folds.grow_if_needed();
        (self.above, self.above_mask) = self.folds.where_above();
    }

    /// Makes room for more sites if many were found elsewhere.
    #[cold]
    fn grow_if_needed(&mut self) {
        if !self.wants_room_for_sites() {
            return;
        }
        let bits = u64::BITS - self.shift as u32;
        self.missed = 0;
        let before = core::mem::replace(&mut self.sites, Recent::none(bits + 1));
        self.shift -= 1;
        for (place, site) in before.iter().enumerate().filter(|(_, site)| site.0 != 0) {
            // The next bit of its hash is the uppermost one of those beside its place, and so on.
            let next = site.0 << (bits - CachedSite::PLACE_BITS) >> (u64::BITS - 1);
            self.sites[place << 1 | next as usize] = *site;
        }
    }
}

impl ThreadState {
    /// At a switch: the context that runs next needs it, the one that waits does not.
    pub fn give_recent_to(&mut self, next: &mut ThreadState) {
        next.recent = self.recent.take();
    }

    #[inline(always)]
    fn recent(&self) -> &Recent {
        // SAFETY: `become_thread` gives it to a thread and `fibers::switch` passes it on to whatever the thread acts as.
        unsafe { self.recent.as_ref().unwrap_unchecked() }
    }

    #[inline(always)]
    fn recent_mut(&mut self) -> &mut Recent {
        // SAFETY: as above.
        unsafe { self.recent.as_mut().unwrap_unchecked() }
    }

    /// See [`Contexts::walk`].
    #[cold]
    fn walk(&mut self, fp: usize, stack: StackBounds) -> u64 {
        let depth = runtime().options.stack_depth as usize - 1;
        self.recent_mut().contexts.walk(fp, stack, depth)
    }

    /// Where frames may lie: on the stack that the thread is on, above what is looking. A frame pointer of code that uses the register for
    /// other things may seem to be one of another stack, which need not be there any more.
    #[inline(always)]
    fn stack(&mut self) -> StackBounds {
        let here = 0u8;
        let here = (&raw const here).addr();
        let stack = if self.fiber.is_one {
            self.stack_of_fiber()
        } else if self.elsewhere.contains(here) {
            self.elsewhere
        } else {
            self.bounds
        };
        StackBounds {
            low: if stack.contains(here) {
                here
            } else {
                stack.low
            },
            ..stack
        }
    }

    /// Takes note of where the frame is that compiled code has at `fp`, if it is not on the thread's own stack: one that the program has brought for
    /// its signal handlers, or switches to without saying so.
    fn look_for_stack(&mut self, fp: usize) {
        if !self.fiber.is_one && !self.bounds.contains(fp) && !self.elsewhere.contains(fp) {
            self.elsewhere = fibers::stack_around(fp);
        }
    }

    /// The site of a stack that was collected otherwise, innermost first.
    pub fn site_of(&mut self, pcs: &[usize]) -> Site {
        let pcs = &pcs[..pcs.len().min(MAX_DEPTH)];
        let hash = pcs.iter().fold(0, |hash, &pc| mix(hash, pc as u64));
        runtime().sites.intern(hash, Shape::UNKNOWN, pcs, Some(&[]))
    }

    /// The site of an access of `shape` by `caller`, with the locks held now.
    #[inline]
    pub fn site(&mut self, shape: Shape, caller: Caller) -> Site {
        if caller.context == 0 {
            return self.walked_site(shape, caller);
        }
        if self.recent().wants_room() {
            self.recent_mut().make_room();
        }
        let above = self.recent().folds.met_above(caller.context);
        let hash = self.site_hash(above.unwrap_or(caller.context), shape, caller.pc);
        if let Some(site) = self.site_by_hash(hash) {
            return site;
        }
        self.look_for_stack(caller.fp);
        if runtime().sites.are_plenty()
            && let Some(site) = self.folded_site(shape, caller)
        {
            return site;
        }
        // What a walk finds is the same for all contexts that differ in code that is not ours.
        let site = self.walked_site(shape, caller);
        let hash = self.site_hash(caller.context, shape, caller.pc);
        self.note_site(hash, site);
        site
    }

    fn walked_site(&mut self, shape: Shape, caller: Caller) -> Site {
        if runtime().sites.are_plenty()
            && caller.context == 0
            && let Some(site) = self.folded_site(shape, caller)
        {
            return site;
        }
        let Caller { pc, fp, .. } = caller;
        let stack = self.stack();
        // SAFETY: it is the one that the thread is on, or the thread's own.
        let context = match unsafe { self.recent().contexts.known(fp, stack) } {
            Some(context) => context,
            None => self.walk(fp, stack),
        };
        let hash = self.site_hash(context, shape, pc);
        if let Some(site) = self.site_by_hash(hash) {
            return site;
        }
        self.new_site(hash, shape, pc, fp)
    }

    /// The site of a stack in which each call of a recursion is there once, if the calling context tells what is in it.
    fn folded_site(&mut self, shape: Shape, Caller { pc, fp, context }: Caller) -> Option<Site> {
        let around = (self.stack(), runtime().options.stack_depth as usize - 1);
        let folds = &mut self.recent_mut().folds;
        if !folds.are_useful() {
            return None;
        }
        let fold = if context != 0 {
            folds.above(context, fp, around)
        } else {
            let inner = tls::block().context.load(Ordering::Relaxed);
            folds.of_frame(inner, fp, around)
        };
        let recent = self.recent_mut();
        // It may be elsewhere now.
        (recent.above, recent.above_mask) = recent.folds.where_above();
        let fold = fold?;
        let (hash, _) = recent.folds.get(fold);
        let key = self.site_hash(hash, shape, pc);
        if let Some(site) = self.site_by_hash(key) {
            return Some(site);
        }
        let (_, callers) = self.recent().folds.get(fold);
        let mut pcs = [pc; MAX_DEPTH];
        let count = callers.len().min(MAX_DEPTH - 1);
        pcs[1..=count].copy_from_slice(&callers[..count]);
        report::calls_are_left_out();
        let held = (self.held_hash != locksets::ONE_OF_MANY).then(|| self.engine.held());
        let pcs = &pcs[..=count];
        let site = runtime().sites.intern(key, shape, pcs, held);
        self.note_site(key, site);
        Some(site)
    }

    /// The site that was noted under `hash`, if that takes no more than looking.
    #[inline(always)]
    fn site_by_hash(&mut self, hash: u64) -> Option<Site> {
        let recent = self.recent_mut();
        let cached = recent.place(hash);
        if let Some(site) = cached.get(hash) {
            return Some(site);
        }
        let site = runtime().sites.recall(hash)?;
        *cached = CachedSite::new(hash, site);
        recent.missed = recent.missed.saturating_add(1);
        Some(site)
    }

    #[cold]
    fn note_site(&mut self, hash: u64, site: Site) {
        let recent = self.recent_mut();
        recent.grow_if_needed();
        *recent.place(hash) = CachedSite::new(hash, site);
        runtime().sites.note(hash, site);
    }

    #[inline(always)]
    fn site_hash(&self, context: u64, shape: Shape, pc: usize) -> u64 {
        site_hash(context, pc, self.held_hash, shape)
    }

    #[cold]
    fn new_site(&mut self, hash: u64, shape: Shape, pc: usize, fp: usize) -> Site {
        let depth = runtime().options.stack_depth as usize - 1;
        let stack = self.stack();
        let callers = self.recent_mut().contexts.pcs(fp, stack, depth);
        let mut pcs = [pc; MAX_DEPTH];
        pcs[1..=callers.len()].copy_from_slice(callers);
        let pcs = &mut pcs[..1 + callers.len()];
        let (mut key, mut len) = (hash, pcs.len());
        if has_recursion(pcs) {
            runtime().sites.count_recursive();
        }
        if runtime().sites.are_plenty() {
            len = 1 + self.recent_mut().folds.once_each(&mut pcs[1..]);
            if len < pcs.len() {
                report::calls_are_left_out();
            }
            let callers = &pcs[1..len];
            let context = callers.iter().fold(0, |hash, &pc| mix(hash, pc as u64));
            key = self.site_hash(context, shape, pc);
        }
        let held = (self.held_hash != locksets::ONE_OF_MANY).then(|| self.engine.held());
        let site = runtime().sites.intern(key, shape, &pcs[..len], held);
        self.note_site(hash, site);
        site
    }

    /// The site that [`ThreadState::site`] would give for compiled code, if it takes no more than looking.
    #[inline(always)]
    pub fn known_site(
        &mut self,
        shape: Shape,
        (pc, fp): (usize, usize),
        context: u64,
    ) -> Option<Site> {
        // As the lane does it.
        let met = self.recent().folds.met_above(context);
        let hash = self.site_hash(met.unwrap_or(context), shape, pc);
        if let Some(site) = self.recent_mut().place(hash).get(hash) {
            return Some(site);
        }
        if self.recent().wants_room() {
            return None;
        }
        if let Some(site) = self.site_by_hash(hash) {
            return Some(site);
        }
        let here = 0u8;
        let here = (&raw const here).addr();
        if met.is_some() || self.fiber.is_one || !self.bounds.contains(here) {
            return None;
        }
        // All of it is there.
        let stack = StackBounds {
            low: here,
            ..self.bounds
        };
        let above = self.recent_mut().folds.hash_above(context, fp, stack)?;
        self.site_by_hash(self.site_hash(above, shape, pc))
    }
}

fn has_recursion(pcs: &[usize]) -> bool {
    (1..pcs.len()).any(|index| pcs[..index].contains(&pcs[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_sites_stay_when_there_is_room_for_more() {
        let mut recent = Recent::new();
        let hash = |n: u64| mix(5, n);
        for bits in FIRST_BITS..=LAST_BITS {
            assert_eq!(recent.sites.len(), 1 << bits);
            // A quarter of the places.
            let many = 1 << (bits - 2);
            for n in 1..many {
                *recent.place(hash(n)) = CachedSite::new(hash(n), n as Site);
            }
            let kept: Vec<u64> = (1..many)
                .filter(|&n| recent.place(hash(n)).get(hash(n)) == Some(n as Site))
                .collect();
            assert!(kept.len() as u64 > many * 4 / 5);
            recent.missed = u32::MAX;
            recent.grow_if_needed();
            for n in kept {
                assert_eq!(recent.place(hash(n)).get(hash(n)), Some(n as Site));
            }
        }
        assert_eq!(recent.sites.len(), 1 << LAST_BITS);
    }

    /// Nothing new has to come for that.
    #[test]
    fn room_is_made_where_places_are_taken_from_each_other() {
        let mut recent = Recent::new();
        assert!(!recent.wants_room());
        recent.missed = recent.sites.len() as u32;
        assert!(recent.wants_room());
        recent.make_room();
        assert_eq!(recent.sites.len(), 2 << FIRST_BITS);
        assert!(!recent.wants_room());
        recent.folds.meet_contexts(1..20_000);
        assert!(recent.wants_room());
        let before = recent.folds.where_above();
        recent.make_room();
        assert_eq!(
            (recent.above, recent.above_mask),
            recent.folds.where_above()
        );
        assert!(recent.above_mask > before.1 && !recent.wants_room());
    }
}
