//! What orders threads in every schedule: creation, join, barriers, the regions and tasks of OpenMP, signals of condition
//! variables that were waited for, semaphores as far as they had to be posted. Locks do not.
//!
//! The order of events that the engine knows is too strong for the question whether two threads could have met in a deadlock:
//! it holds the order in which they happened to take the locks.
//!
//! A thread's life is divided into *steps*, by the sources of such order. Its *past* is the latest step of every other thread that
//! comes before it. Only steps in which a thread took locks in some order are asked for, so only those are kept; and nothing is,
//! before the first of them: it comes after whatever was ordered until then.

use std::sync::Arc;

use goldilocks_core::event::Entity;
use goldilocks_core::fast_hash::FastMap;

/// By serial number of a thread, in ascending order: the latest step of it that comes before.
pub type Past = Arc<Vec<(u32, u32)>>;

/// A step of a thread, and what comes before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The thread's serial number.
    pub thread: u32,
    pub step: u32,
    pub past: Past,
}

#[derive(Default)]
struct Life {
    step: u32,
    /// Whether the present step will be asked for.
    used: bool,
    /// With the thread's own steps before the present one.
    past: Past,
}

impl Life {
    /// Ends the present step of `thread`, this one.
    fn publish(&mut self, thread: u32) {
        if core::mem::take(&mut self.used) {
            add(&mut self.past, thread, self.step);
            self.step += 1;
        }
    }
}

/// All threads that are alive, by serial number, and what they have told others.
#[derive(Default)]
pub struct Lineage {
    lives: FastMap<u32, Life>,
    objects: FastMap<Entity, Past>,
}

impl Lineage {
    fn life(&mut self, thread: u32) -> &mut Life {
        self.lives.entry(thread).or_default()
    }

    /// The present of a thread, which will be asked for.
    pub fn now(&mut self, thread: u32) -> Moment {
        let life = self.life(thread);
        life.used = true;
        Moment {
            thread,
            step: life.step,
            past: life.past.clone(),
        }
    }

    /// What comes before anything that comes after the thread's present, and its next step.
    pub fn told(&mut self, thread: u32) -> (Past, u32) {
        let life = self.life(thread);
        life.publish(thread);
        (life.past.clone(), life.step)
    }

    /// `thread` comes after what was told.
    pub fn learns(&mut self, thread: u32, told: &Past) {
        merge(&mut self.life(thread).past, told);
    }

    /// `thread` comes before whoever acquires `object` from now on. Gives the step that it is in from now on.
    pub fn released(&mut self, thread: u32, object: Entity) -> u32 {
        let (told, step) = self.told(thread);
        if !told.is_empty() {
            merge(self.objects.entry(object).or_default(), &told);
        }
        step
    }

    pub fn acquired(&mut self, thread: u32, object: Entity) {
        if let Some(told) = self.objects.get(&object).cloned() {
            self.learns(thread, &told);
        }
    }

    pub fn forget(&mut self, object: Entity) {
        self.objects.remove(&object);
    }

    /// `creator` makes `thread`. Gives the step that it is in from now on.
    pub fn created(&mut self, creator: u32, thread: u32) -> u32 {
        let (past, step) = self.told(creator);
        self.life(thread).past = past;
        step
    }

    /// `waiter` has joined `thread`.
    pub fn joined(&mut self, waiter: u32, thread: u32) {
        if let Some(mut life) = self.lives.remove(&thread) {
            life.publish(thread);
            self.learns(waiter, &life.past);
        }
    }
}

/// Whether what happens in step `a` comes before what happens in step `b` of another thread, in every schedule.
pub fn is_before(a: &Moment, b: &Moment) -> bool {
    b.past
        .binary_search_by_key(&a.thread, |&(thread, _)| thread)
        .is_ok_and(|index| a.step <= b.past[index].1)
}

/// Whether the two may happen at a time.
pub fn is_concurrent(a: &Moment, b: &Moment) -> bool {
    a.thread != b.thread && !is_before(a, b) && !is_before(b, a)
}

fn add(past: &mut Past, thread: u32, step: u32) {
    let past = Arc::make_mut(past);
    match past.binary_search_by_key(&thread, |&(thread, _)| thread) {
        Ok(index) => past[index].1 = past[index].1.max(step),
        Err(index) => past.insert(index, (thread, step)),
    }
}

fn merge(past: &mut Past, told: &Past) {
    if Arc::ptr_eq(past, told) || told.is_empty() {
        return;
    }
    if past.is_empty() {
        *past = told.clone();
        return;
    }
    for &(thread, step) in told.iter() {
        let known = past
            .binary_search_by_key(&thread, |&(thread, _)| thread)
            .is_ok_and(|index| step <= past[index].1);
        if !known {
            add(past, thread, step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goldilocks_core::event::Role;

    #[test]
    fn creation_and_join_order_and_nothing_else_does() {
        let mut lineage = Lineage::default();
        let before = lineage.now(0);
        assert_eq!(lineage.created(0, 1), 1);
        let beside = lineage.now(0);
        assert_eq!(lineage.created(0, 2), 2);
        let child = lineage.now(1);
        lineage.created(1, 3);
        let (child_later, sibling, grandchild) = (lineage.now(1), lineage.now(2), lineage.now(3));
        lineage.joined(0, 1);
        let after = lineage.now(0);
        for (a, b) in [
            (&before, &child),
            (&beside, &sibling),
            (&before, &grandchild),
            (&child, &grandchild),
            (&child_later, &after),
            (&child, &after),
        ] {
            assert!(is_before(a, b) && !is_before(b, a), "{a:?} {b:?}");
            assert!(!is_concurrent(a, b));
        }
        for (a, b) in [
            (&beside, &child),
            (&child, &sibling),
            (&child_later, &grandchild),
            (&beside, &child_later),
            (&after, &sibling),
            (&after, &grandchild),
        ] {
            assert!(is_concurrent(a, b) && is_concurrent(b, a), "{a:?} {b:?}");
        }
        assert!(!is_concurrent(&child, &child_later));
    }

    #[test]
    fn an_object_orders_what_was_before_its_release_with_what_is_after_its_acquire() {
        let barrier = Entity::object(64, Role::BarrierEven);
        let mut lineage = Lineage::default();
        let (one, two) = (lineage.now(1), lineage.now(2));
        lineage.released(1, barrier);
        let one_later = lineage.now(1);
        lineage.acquired(2, barrier);
        let two_later = lineage.now(2);
        assert!(is_before(&one, &two_later));
        assert!(is_concurrent(&one, &two) && is_concurrent(&one_later, &two_later));
        lineage.forget(barrier);
        lineage.acquired(3, barrier);
        assert!(is_concurrent(&one, &lineage.now(3)));
    }
}
