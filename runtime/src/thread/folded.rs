//! Stacks in which each call of a recursion is there once.
//!
//! A recursion that divides its work has as many stacks as it has calls, and each is met for a few accesses only: to look at every frame of
//! each would cost more than all else. What is left when each edge of the call graph stays where it is innermost ([`Edges`]) is one of few lists, and
//! that of a call follows from the list of its caller and one return address. So what is known of a caller is found by its calling context
//! (`abi::CONTEXT_OFFSET`), which says the
//! caller's own one, too, as one step of it can be taken back: whoever is not known yet is reached by the frames from there.

use super::edges::Edges;
use crate::contexts::{MAX_DEPTH, StackBounds};
use crate::sites::{MIX, mix};
use goldilocks_core::abi::CONTEXT_FACTOR;
use goldilocks_core::fast_hash::FastMap;

/// Bits of the number of contexts that a thread remembers, at first, where none is met again, and at most.
const BITS: u32 = 10;
const USUAL_BITS: u32 = 13;
const LAST_BITS: u32 = 15;
/// Bits of the number of calls that it remembers by heart, at first and at most.
const CALL_BITS: u32 = 10;
const LAST_CALL_BITS: u32 = 14;
/// So many contexts that could not be followed, more than those that could, and it is given up.
const PATIENCE: u32 = 1000;
/// Callers that the short way goes through at most.
const NEAR: usize = 8;
/// The lists of a thread. Where functions call each other in ever different orders there are more than that; then lists become shorter.
const MOST: usize = 1 << 14;
/// Return addresses of a list when there were more lists than that for the first time; each further time half as many. As lists begin with the innermost
/// ones, what a shorter list becomes by a call is the beginning of what the longer one becomes.
const SHORTER: usize = 8;

/// What undoes a multiplication with [`CONTEXT_FACTOR`]: each round doubles the number of bits that are right.
const UNDO: u64 = {
    let mut undo = CONTEXT_FACTOR;
    let mut round = 0;
    while round < 5 {
        undo = undo.wrapping_mul(2u64.wrapping_sub(CONTEXT_FACTOR.wrapping_mul(undo)));
        round += 1;
    }
    undo
};
const _: () = assert!(UNDO.wrapping_mul(CONTEXT_FACTOR) == 1);

/// The context of the caller of a function that has the context `inner` while it calls others.
const fn outer(inner: u64, returns_to: usize) -> u64 {
    inner.wrapping_mul(UNDO).wrapping_sub(returns_to as u64)
}

/// A list of return addresses, innermost first, no two of which are of one edge.
struct Fold {
    /// As [`crate::contexts::Contexts::walk`] gives it of these.
    hash: u64,
    pcs: Box<[usize]>,
}

/// The number of a list among those of a thread.
type Number = u32;

#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Known {
    /// A context of a function that calls others, or what is above an access; 0 is none.
    context: u64,
    fold: Number,
}

/// What is above the accesses of a function in one of its calls, and the hash of its list. As the lane of the stubs (`lane`) has it.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Above {
    /// 0 is none.
    context: u64,
    hash: u64,
}
// The stubs have these as they are.
const _: () = assert!(size_of::<Above>() == 16 && core::mem::offset_of!(Above, hash) == 8);
/// Bits of the number of these that a thread remembers, at first and at most.
const ABOVE_BITS: u32 = 11;
pub const LAST_ABOVE_BITS: u32 = ABOVE_BITS + LAST_BITS - BITS;

/// A list, where a call returns to, and the list that it becomes by that.
#[derive(Clone, Copy, Default)]
struct Call {
    fold: Number,
    becomes: Number,
    /// 0 is none.
    returns_to: usize,
}

/// Of a context in a table of so many places, a power of two and at most 2 to the power of `last`.
#[inline(always)]
fn place(context: u64, last: u32, places: usize) -> usize {
    (context.wrapping_mul(MIX) >> (u64::BITS - last)) as usize & places.wrapping_sub(1)
}

/// What one thread knows of these.
#[derive(Default)]
pub(super) struct Folds {
    /// By context; empty until it is needed.
    known: Box<[Known]>,
    /// By what is above an access; empty until it is needed.
    above: Box<[Above]>,
    /// How often one of these took the place of another.
    replaced: usize,
    /// One that has lost its place, how often that had happened to others by then, and whether such a one was met again much later.
    lost: u64,
    lost_after: usize,
    come_back: bool,
    lists: Vec<Fold>,
    by_hash: FastMap<u64, Number>,
    /// What a list becomes by a call.
    calls: FastMap<(Number, usize), Number>,
    edges: Edges,
    /// Those of these that were met lately, by a hash; empty until it is needed.
    lately: Box<[Call]>,
    /// How many were met before and not found there.
    missed: usize,
    /// Contexts on the way to one that is known, and where their functions return to.
    unknown: Vec<(u64, usize)>,
    failed: u32,
    /// Return addresses of a list at most; 0 is as many as stacks have.
    shorter: usize,
    /// There were more lists than there is room for.
    are_too_many: bool,
}

impl Folds {
    #[inline(always)]
    fn place(&self, context: u64) -> usize {
        place(context, LAST_BITS, self.known.len())
    }
    #[inline(always)]
    fn find(&self, context: u64) -> Option<Number> {
        let known = self.known.get(self.place(context))?;
        (known.context == context && context != 0).then_some(known.fold)
    }
    fn keep(&mut self, context: u64, fold: Number) {
        if self.known.is_empty() {
            self.known = vec![Known::default(); 1 << BITS].into();
            self.lately = vec![Call::default(); 1 << CALL_BITS].into();
            self.above = vec![Above::default(); 1 << ABOVE_BITS].into();
        }
        let place = self.place(context);
        self.known[place] = Known { context, fold };
    }

    /// Makes room for more contexts if they have taken each other's places often: a recursion that goes through a tree again and again has one for
    /// each node.
    #[inline]
    pub(super) fn grow_if_needed(&mut self) {
        if self.want_room() {
            self.grow();
        }
    }
    #[inline(always)]
    pub(super) fn want_room(&self) -> bool {
        self.want_room_for_contexts() || self.want_room_for_calls()
    }
    #[inline(always)]
    fn want_room_for_contexts(&self) -> bool {
        // A recursion that divides its work has no end of contexts, each of which is met once.
        let most = if self.come_back {
            LAST_BITS
        } else {
            USUAL_BITS
        };
        self.replaced > self.above.len() && self.known.len() < 1 << most
    }
    #[inline(always)]
    fn want_room_for_calls(&self) -> bool {
        self.missed > self.lately.len() && self.lately.len() < 1 << LAST_CALL_BITS
    }
    #[cold]
    fn grow(&mut self) {
        if self.want_room_for_contexts() {
            self.grow_for_contexts();
        }
        if self.want_room_for_calls() {
            self.missed = 0;
            let lately = vec![Call::default(); 2 * self.lately.len()];
            let before = core::mem::replace(&mut self.lately, lately.into());
            for &call in before.iter().filter(|call| call.returns_to != 0) {
                self.keep_call(call);
            }
        }
    }
    fn grow_for_contexts(&mut self) {
        self.replaced = 0;
        self.lost = 0;
        let known = 2 * self.known.len();
        let known = core::mem::replace(&mut self.known, vec![Known::default(); known].into());
        for known in known.iter().filter(|known| known.context != 0) {
            let place = self.place(known.context);
            self.known[place] = *known;
        }
        let above = 2 * self.above.len();
        let above = core::mem::replace(&mut self.above, vec![Above::default(); above].into());
        for above in above.iter().filter(|above| above.context != 0) {
            self.keep_above(above.context, above.hash);
        }
    }

    /// The list that is above the accesses with this context has this hash.
    #[inline(always)]
    fn keep_above(&mut self, context: u64, hash: u64) {
        let len = self.above.len();
        if context == self.lost {
            // Those that are there at the same time, as a call and its caller, may take each other's places again and again.
            self.come_back |= self.replaced.wrapping_sub(self.lost_after) > len / 4;
            self.lost = 0;
        }
        if let Some(place) = self.above.get_mut(place(context, LAST_ABOVE_BITS, len)) {
            if place.context != 0 && place.context != context {
                // Of a walk that is as long as several tables are, this is there when it begins again.
                if self.lost == 0 || self.replaced & (64 * len).wrapping_sub(1) == 0 {
                    self.lost = place.context;
                    self.lost_after = self.replaced;
                }
                self.replaced += 1;
            }
            *place = Above { context, hash };
        }
    }

    /// The hash of the list of what is above an access with this context, if that was met lately.
    #[inline(always)]
    pub(super) fn met_above(&self, context: u64) -> Option<u64> {
        let met = self
            .above
            .get(place(context, LAST_ABOVE_BITS, self.above.len()))?;
        (met.context == context).then_some(met.hash)
    }

    /// What [`Folds::met_above`] looks in and how many places that has, less one, for code that is not compiled with this; null and 0 as long as there is
    /// nothing.
    pub(super) fn where_above(&self) -> (*const Above, u32) {
        if self.above.is_empty() {
            return (core::ptr::null(), 0);
        }
        (self.above.as_ptr(), self.above.len() as u32 - 1)
    }

    /// The hash of the list of what is above an access with this context, in the function with the frame pointer `frame`, if that is remembered or follows
    /// from a caller that is not far. Calls nothing.
    #[inline(always)]
    pub(super) fn hash_above(
        &mut self,
        context: u64,
        frame: usize,
        stack: StackBounds,
    ) -> Option<u64> {
        let fold = match self.find(context) {
            Some(fold) => fold,
            None => self.follow_shortly(context, frame, stack)?,
        };
        let hash = self.lists.get(fold as usize)?.hash;
        self.keep_above(context, hash);
        Some(hash)
    }

    /// As [`Folds::above`], by what was met lately.
    #[inline(always)]
    fn follow_shortly(&mut self, context: u64, frame: usize, stack: StackBounds) -> Option<Number> {
        if self.known.is_empty() {
            return None;
        }
        let returns_to = link(frame, stack)?.returns_to;
        let inner = context.wrapping_sub(returns_to as u64);
        // How many callers are not known.
        let (mut unknown, mut at, mut caller) = (0, frame, inner);
        let mut fold = loop {
            if let Some(fold) = self.find(caller) {
                break fold;
            }
            if unknown == NEAR {
                return None;
            }
            let link = link(at, stack)?;
            caller = outer(caller, link.returns_to);
            at = link.next;
            unknown += 1;
        };
        // From there back to the function; no list of them, as that would take vector registers.
        while unknown > 0 {
            unknown -= 1;
            let (mut at, mut context) = (frame, inner);
            let mut count = 0;
            let link = loop {
                let link = link(at, stack)?;
                if count == unknown {
                    break link;
                }
                context = outer(context, link.returns_to);
                at = link.next;
                count += 1;
            };
            fold = self.call_shortly(fold, link.returns_to)?;
            let place = self.place(context);
            *self.known.get_mut(place)? = Known { context, fold };
        }
        let fold = self.call_shortly(fold, returns_to)?;
        let place = self.place(context);
        *self.known.get_mut(place)? = Known { context, fold };
        Some(fold)
    }

    #[inline(always)]
    fn place_of_call(&self, fold: Number, returns_to: usize) -> usize {
        let both = (fold as u64) << 48 ^ returns_to as u64;
        place(both, LAST_CALL_BITS, self.lately.len())
    }
    fn keep_call(&mut self, call: Call) {
        let place = self.place_of_call(call.fold, call.returns_to);
        if let Some(place) = self.lately.get_mut(place) {
            *place = call;
        }
    }
    #[inline(always)]
    fn call_shortly(&self, fold: Number, returns_to: usize) -> Option<Number> {
        let call = self.lately.get(self.place_of_call(fold, returns_to))?;
        (call.returns_to == returns_to && call.fold == fold).then_some(call.becomes)
    }

    /// Begins anew with shorter lists, if there were too many.
    fn shorten_if_needed(&mut self) {
        if !std::mem::take(&mut self.are_too_many) {
            return;
        }
        self.shorter = match self.shorter {
            0 => SHORTER,
            shorter => (shorter / 2).max(1),
        };
        self.lists.clear();
        self.by_hash.clear();
        self.calls.clear();
        self.known.fill(Known::default());
        self.lately.fill(Call::default());
        self.above.fill(Above::default());
    }

    /// Return addresses of a list at most, of so many that stacks have.
    fn longest(&self, depth: usize) -> usize {
        match self.shorter {
            0 => depth,
            shorter => shorter.min(depth),
        }
    }

    /// The list of what is above an access by compiled code, whose context is `context`, in the function with the frame pointer `frame`.
    pub(super) fn above(
        &mut self,
        context: u64,
        frame: usize,
        (stack, depth): (StackBounds, usize),
    ) -> Option<Number> {
        self.shorten_if_needed();
        self.grow_if_needed();
        if let Some(fold) = self.find(context) {
            return Some(fold);
        }
        let link = link(frame, stack)?;
        // Of the function itself, if it calls others, or else of its caller.
        let inner = context.wrapping_sub(link.returns_to as u64);
        let mut fold = self.follow(inner, frame, (stack, depth));
        if fold.is_none() {
            fold = self.follow(inner, link.next, (stack, depth));
        }
        let outside = self.may_give_up(fold)?;
        let fold = self.call(outside, link.returns_to, depth)?;
        self.keep(context, fold);
        self.keep_above(context, self.lists[fold as usize].hash);
        Some(fold)
    }

    /// The same of the function with the frame pointer `frame`, where that calls what is not compiled, and the context is `inner`; `None` if there is
    /// something else between.
    pub(super) fn of_frame(
        &mut self,
        inner: u64,
        frame: usize,
        (stack, depth): (StackBounds, usize),
    ) -> Option<Number> {
        self.shorten_if_needed();
        self.grow_if_needed();
        let fold = self.follow(inner, frame, (stack, depth));
        let fold = self.may_give_up(fold)?;
        let returns_to = link(frame, stack)?.returns_to;
        (self.get(fold).1.first() == Some(&returns_to)).then_some(fold)
    }

    /// The hash of a list, and its return addresses.
    pub(super) fn get(&self, fold: Number) -> (u64, &[usize]) {
        let list = &self.lists[fold as usize];
        (list.hash, &list.pcs)
    }

    /// As if accesses with these contexts had been met.
    #[cfg(test)]
    pub(super) fn meet_contexts(&mut self, contexts: core::ops::Range<u64>) {
        for context in contexts {
            self.keep(context, 0);
            self.keep_above(context, !context);
        }
    }

    /// Whether it is worth trying.
    pub(super) fn are_useful(&self) -> bool {
        self.failed < PATIENCE
    }
    fn may_give_up(&mut self, fold: Option<Number>) -> Option<Number> {
        self.failed = match fold {
            Some(_) => self.failed.saturating_sub(1),
            None => self.failed + 1,
        };
        fold
    }

    /// The list of the function with the context `context` while it calls others, if that is the one with the frame pointer `frame`.
    fn follow(
        &mut self,
        context: u64,
        frame: usize,
        (stack, depth): (StackBounds, usize),
    ) -> Option<Number> {
        self.unknown.clear();
        let (mut at, mut context) = (frame, context);
        let mut fold = loop {
            if let Some(fold) = self.find(context) {
                break fold;
            }
            if context == 0 {
                // What has called the first function that is compiled.
                break self.outermost(at, (stack, depth))?;
            }
            let link = link(at, stack)?;
            if self.unknown.len() == MAX_DEPTH {
                return None;
            }
            self.unknown.push((context, link.returns_to));
            context = outer(context, link.returns_to);
            at = link.next;
        };
        while let Some((context, returns_to)) = self.unknown.pop() {
            fold = self.call(fold, returns_to, depth)?;
            self.keep(context, fold);
        }
        Some(fold)
    }

    /// The list of the frames from this one.
    fn outermost(&mut self, frame: usize, (stack, depth): (StackBounds, usize)) -> Option<Number> {
        let mut pcs = Vec::new();
        let mut at = frame;
        while pcs.len() < MAX_DEPTH
            && let Some(link) = link(at, stack)
        {
            pcs.push(link.returns_to);
            if link.next <= at {
                break;
            }
            at = link.next;
        }
        let kept = self.edges.once_each(&mut pcs);
        pcs.truncate(kept.min(self.longest(depth)));
        self.number(pcs)
    }

    /// The same of a stack, moved to its beginning: how many calls are left.
    pub(super) fn once_each(&mut self, calls: &mut [usize]) -> usize {
        self.edges.once_each(calls)
    }

    /// What a list becomes by a call that returns there.
    fn call(&mut self, fold: Number, returns_to: usize, depth: usize) -> Option<Number> {
        if let Some(&becomes) = self.calls.get(&(fold, returns_to)) {
            self.missed += self.call_shortly(fold, returns_to).is_none() as usize;
            self.keep_call(Call {
                fold,
                becomes,
                returns_to,
            });
            return Some(becomes);
        }
        let (edge, longest) = (self.edges.of(returns_to), self.longest(depth));
        let before = self.lists.get(fold as usize)?.pcs.iter().copied();
        let others = before.filter(|&pc| self.edges.of(pc) != edge);
        let pcs = core::iter::once(returns_to).chain(others).take(longest);
        let pcs = pcs.collect();
        let becomes = self.number(pcs)?;
        self.calls.insert((fold, returns_to), becomes);
        Some(becomes)
    }

    fn number(&mut self, pcs: Vec<usize>) -> Option<Number> {
        let hash = pcs.iter().fold(0, |hash, &pc| mix(hash, pc as u64));
        let next = self.lists.len();
        if let Some(&number) = self.by_hash.get(&hash) {
            return Some(number);
        }
        if next == MOST {
            // Who has asked may know others by their numbers.
            self.are_too_many = true;
            return None;
        }
        self.by_hash.insert(hash, next as Number);
        self.lists.push(Fold {
            hash,
            pcs: pcs.into(),
        });
        Some(next as Number)
    }
}

/// What a frame-pointer walk reads at one frame.
struct Link {
    next: usize,
    returns_to: usize,
}

#[inline(always)]
fn link(frame: usize, stack: StackBounds) -> Option<Link> {
    let in_stack = stack.contains(frame) && stack.high - frame >= 16 && frame & 7 == 0;
    if !in_stack {
        return None;
    }
    // One by one, as in the short way there are no vector registers.
    let word = frame as *const usize;
    // SAFETY: on the stack that the running thread is on, or its own.
    let (next, returns_to) = unsafe { (word.read_volatile(), word.add(1).read_volatile()) };
    (returns_to >= 4096).then_some(Link { next, returns_to })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of functions that call each other, the outermost first: each has its caller's frame and a return address.
    struct Calls {
        words: Vec<[usize; 2]>,
    }

    impl Calls {
        fn new(returns: &[usize]) -> Calls {
            let mut words = vec![[0; 2]; returns.len()];
            let base = words.as_ptr() as usize;
            // As on a stack: the innermost frame lies lowest.
            for (depth, &returns_to) in returns.iter().enumerate() {
                let index = returns.len() - 1 - depth;
                let next = if depth == 0 {
                    0
                } else {
                    base + 16 * (index + 1)
                };
                words[index] = [next, returns_to];
            }
            Calls { words }
        }
        fn stack(&self) -> StackBounds {
            let low = self.words.as_ptr() as usize;
            StackBounds {
                low,
                high: low + 16 * self.words.len(),
            }
        }
        fn innermost(&self) -> usize {
            self.words.as_ptr() as usize
        }
    }

    const DEPTH: usize = 64;
    const NOWHERE: StackBounds = StackBounds { low: 0, high: 0 };

    /// As compiled code keeps it.
    fn inner(outer: u64, returns_to: usize) -> u64 {
        outer
            .wrapping_add(returns_to as u64)
            .wrapping_mul(CONTEXT_FACTOR)
    }

    /// The context of the innermost function, where those from the `first` on are compiled.
    fn context(returns: &[usize], first: usize) -> u64 {
        returns[first..]
            .iter()
            .fold(0, |context, &pc| inner(context, pc))
    }
    fn once_each(returns: &[usize]) -> Vec<usize> {
        let mut pcs = Vec::new();
        for &pc in returns.iter().rev() {
            if !pcs.contains(&pc) {
                pcs.push(pc);
            }
        }
        pcs
    }

    /// A recursion that goes through a tree again and again: after some rounds, what is above most calls is remembered.
    #[test]
    fn contexts_that_come_back_get_room() {
        const DEPTH: usize = 6;
        let mut folds = Folds::default();
        let first = [0x5000, 0x6000];
        let mut visit = |round: usize| {
            let mut met = 0;
            let calls = 4usize.pow(DEPTH as u32);
            for node in 0..calls {
                let ways = (0..DEPTH).map(|depth| 0x8000 + 16 * (node >> (2 * depth) & 3));
                let returns: Vec<usize> = first.into_iter().chain(ways).collect();
                let calls = Calls::new(&returns);
                let above = context(&returns, 1).wrapping_add(*returns.last().unwrap() as u64);
                let wanted = once_each(&returns)
                    .iter()
                    .fold(0, |hash, &pc| mix(hash, pc as u64));
                met += match folds.met_above(above) {
                    Some(hash) => {
                        assert_eq!(hash, wanted);
                        1
                    }
                    None => 0,
                };
                let fold = folds
                    .above(above, calls.innermost(), (calls.stack(), 64))
                    .unwrap();
                assert_eq!(folds.get(fold).0, wanted);
                let (place, mask) = folds.where_above();
                assert!(!place.is_null() && mask as usize + 1 == folds.above.len());
            }
            (round, met * 100 / calls)
        };
        assert!(visit(0).1 < 10);
        let last = (1..30).map(&mut visit).last().unwrap();
        assert!(last.1 > 75, "{last:?}");
        assert!(folds.known.len() <= 1 << LAST_BITS);
    }

    /// There is no end of contexts that are met once, and some of those that are met again and again.
    #[test]
    fn only_contexts_that_come_back_get_much_room() {
        let rounds = |rounds: std::ops::Range<u64>, of: u64, many: u64| {
            let mut folds = Folds::default();
            for round in rounds {
                for context in 1..many {
                    folds.meet_contexts(round * of + context..round * of + context + 1);
                    folds.grow_if_needed();
                }
            }
            folds.known.len()
        };
        assert_eq!(rounds(0..10, 1 << 20, 60_000), 1 << USUAL_BITS);
        assert_eq!(rounds(0..10, 0, 60_000), 1 << LAST_BITS);
        assert_eq!(rounds(0..10, 0, 1_000), 1 << BITS);
    }

    /// So do calls.
    #[test]
    fn calls_that_come_back_get_room() {
        let mut folds = Folds::default();
        folds.keep(1, 0);
        let outermost = folds.number(vec![0x10_0000]).unwrap();
        let lists: Vec<Number> = (0..100)
            .map(|at| folds.call(outermost, 0x20_0000 + 16 * at, DEPTH).unwrap())
            .collect();
        let all = || {
            lists
                .iter()
                .flat_map(|&list| (0..50).map(move |at| (list, 0x30_0000 + 16 * at)))
        };
        let (mut last, mut first) = (0, 0);
        for round in 0..20 {
            for (list, pc) in all() {
                let shortly = folds.call_shortly(list, pc);
                last += (round == 19 && shortly.is_some()) as usize;
                first += (round == 1 && shortly.is_some()) as usize;
                let becomes = folds.call(list, pc, DEPTH);
                assert!(shortly.is_none() || shortly == becomes);
                folds.grow_if_needed();
            }
        }
        assert!(first < 2_000 && last > 4_000, "{first} {last}");
        assert!(folds.lately.len() <= 1 << LAST_CALL_BITS);
    }

    #[test]
    fn a_recursion_is_left_once_whoever_is_met_first() {
        let mut folds = Folds::default();
        let mut state = 1u64;
        let mut returns = vec![0x5000, 0x6000, 0x7000];
        let mut shortly = 0;
        for round in 0..4000 {
            // Calls and returns, as of a recursion.
            state = mix(state, 7);
            returns.truncate(3.max(returns.len().saturating_sub((state >> 60) as usize % 5)));
            for call in 0..(state >> 56) as usize % 5 {
                if returns.len() < 40 {
                    returns.push(0x8000 + 16 * (state >> (40 + 2 * call) & 3) as usize);
                }
            }
            let calls = Calls::new(&returns);
            let around = (calls.stack(), DEPTH);
            let inner = context(&returns, 1);
            let last = *returns.last().unwrap();
            let wanted = once_each(&returns);
            let hash = wanted.iter().fold(0, |hash, &pc| mix(hash, pc as u64));
            let mut as_wanted = |shortly_found: Option<u64>| {
                shortly += shortly_found.is_some() as usize;
                assert!(shortly_found.is_none_or(|found| found == hash));
            };
            let pcs = |folds: &Folds, fold: Option<Number>| folds.get(fold.unwrap()).1.to_vec();
            if round % 3 == 0 {
                // A function that calls others.
                let above = inner.wrapping_add(last as u64);
                as_wanted(folds.hash_above(above, calls.innermost(), calls.stack()));
                let fold = folds.above(above, calls.innermost(), around);
                assert_eq!(pcs(&folds, fold), wanted);
                let (hash, _) = folds.get(fold.unwrap());
                assert_eq!(
                    Some(hash),
                    folds.hash_above(above, calls.innermost(), NOWHERE)
                );
                assert_eq!(folds.met_above(above), Some(hash));
                assert_ne!(folds.met_above(above ^ 1), Some(hash));
            } else if round % 3 == 1 {
                // One that calls none.
                let outside = context(&returns[..returns.len() - 1], 1);
                let above = outside.wrapping_add(last as u64);
                as_wanted(folds.hash_above(above, calls.innermost(), calls.stack()));
                let fold = folds.above(above, calls.innermost(), around);
                assert_eq!(pcs(&folds, fold), wanted);
            } else {
                let fold = folds.of_frame(inner, calls.innermost(), around);
                assert_eq!(pcs(&folds, fold), wanted);
            }
        }
        assert!(folds.lists.len() < 500, "{}", folds.lists.len());
        assert!(shortly > 1500, "{shortly}");
        assert!(folds.are_useful());
    }

    /// Functions that call each other in ever different orders: there are more lists than a thread keeps, and then only the beginnings of these.
    #[test]
    fn lists_become_shorter_where_there_are_too_many() {
        let mut folds = Folds::default();
        let (mut state, mut none, mut lengths) = (1u64, 0, Vec::new());
        for _ in 0..60_000 {
            let mut returns = vec![0x5000, 0x6000];
            for _ in 0..30 {
                state = mix(state, 7);
                returns.push(0x8000 + 16 * (state >> 32) as usize % (16 * 12));
            }
            let calls = Calls::new(&returns);
            let around = (calls.stack(), DEPTH);
            let above = context(&returns, 0).wrapping_add(*returns.last().unwrap() as u64);
            let Some(fold) = folds.above(above, calls.innermost(), around) else {
                none += 1;
                continue;
            };
            let wanted = once_each(&returns);
            let longest = folds.longest(DEPTH);
            let (hash, pcs) = folds.get(fold);
            assert_eq!(pcs, &wanted[..wanted.len().min(longest)]);
            assert_eq!(folds.met_above(above), Some(hash));
            assert_eq!(
                folds.hash_above(above, calls.innermost(), calls.stack()),
                Some(hash)
            );
            if lengths.last() != Some(&longest) {
                lengths.push(longest);
            }
        }
        assert_eq!(lengths, [DEPTH, 8, 4]);
        assert_eq!(none, lengths.len() - 1);
        assert!(folds.lists.len() < MOST);
    }

    #[test]
    fn frames_that_the_context_does_not_say_are_not_followed() {
        let mut folds = Folds::default();
        // The second of these leaves no trace in the context.
        let returns = [0x5000, 0x6000, 0x7000, 0x8000];
        let calls = Calls::new(&returns);
        let around = (calls.stack(), DEPTH);
        let without = inner(inner(0, 0x5000), 0x7000);
        assert!(folds.of_frame(without, calls.innermost(), around).is_none());
        let above = inner(without, 0x8000).wrapping_add(0x8000);
        assert!(folds.above(above, calls.innermost(), around).is_none());
        // Nor is a function that is known already taken for the one that has called.
        let known = Calls::new(&[0x5000, 0x7000]);
        let around = (known.stack(), DEPTH);
        assert!(folds.of_frame(without, known.innermost(), around).is_some());
        let around = (calls.stack(), DEPTH);
        assert!(folds.of_frame(without, calls.innermost(), around).is_none());
        let shortly = folds.hash_above(above, calls.innermost(), calls.stack());
        assert_eq!(shortly, None);
        for _ in 0..2 * PATIENCE {
            let _ = folds.of_frame(3, calls.innermost(), around);
        }
        assert!(!folds.are_useful());
    }
}
