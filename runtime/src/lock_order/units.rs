//! What semaphores say about orders that are so in every schedule.
//!
//! A thread that has waited n times comes after n posts at least, less the units that were there before. Which posts they were is
//! up to the schedule; but those of others than thread t are so many, and the rest must have been t's, in t's own order. So a
//! semaphore that is posted by one thread and waited for by another one orders them, and one thread that waits for all
//! of several others comes after all of them; one that is used as a lock orders nobody. It is a lock, though, if it has one unit that
//! is only posted by who has it: nobody else gets to what is done meanwhile.

use std::collections::VecDeque;

use goldilocks_core::fast_hash::FastMap;

use super::lineage::Past;

/// Posts of one thread that are remembered, at most. A thread that waits so far behind that it would need an earlier one is not
/// known to come after any.
const POSTS: usize = 64;
/// Threads whose posts of one semaphore are told apart, at most; of more, nothing is known.
const POSTERS: usize = 64;

/// Posts of a semaphore by one thread.
#[derive(Default)]
struct Posts {
    count: u64,
    /// The latest ones.
    told: VecDeque<Past>,
}

/// What is known of one semaphore.
pub struct Units {
    /// Units that were there when it was first looked at.
    initial: u64,
    /// By serial number of the thread.
    posts: FastMap<u32, Posts>,
    all_posts: u64,
    waits: FastMap<u32, u64>,
}

impl Units {
    pub fn new(initial: u64) -> Units {
        Units {
            initial,
            posts: FastMap::default(),
            all_posts: 0,
            waits: FastMap::default(),
        }
    }

    pub fn posted(&mut self, thread: u32, told: Past) {
        self.all_posts += 1;
        if self.posts.len() >= POSTERS && !self.posts.contains_key(&thread) {
            return;
        }
        let posts = self.posts.entry(thread).or_default();
        posts.count += 1;
        if posts.told.len() == POSTS {
            posts.told.pop_front();
        }
        posts.told.push_back(told);
    }

    /// `thread` has got a unit. Calls `after` with what it comes after for that.
    pub fn got(&mut self, thread: u32, mut after: impl FnMut(&Past)) {
        let waits = self.waits.entry(thread).or_default();
        *waits += 1;
        for posts in self.posts.values() {
            // So many of them must have been before.
            let others = self.initial + self.all_posts - posts.count;
            let Some(needed) = waits.checked_sub(others).filter(|&needed| needed > 0) else {
                continue;
            };
            let forgotten = posts.count - posts.told.len() as u64;
            if let Some(index) = needed.min(posts.count).checked_sub(forgotten + 1) {
                after(&posts.told[index as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn told(thread: u32, step: u32) -> Past {
        Arc::new(vec![(thread, step)])
    }
    /// What `thread` comes after, having got one more unit.
    fn after(units: &mut Units, thread: u32) -> Vec<(u32, u32)> {
        let mut after = Vec::new();
        units.got(thread, |past| after.extend(past.iter().copied()));
        after.sort();
        after
    }

    #[test]
    fn one_poster_is_followed_post_by_post() {
        let mut units = Units::new(0);
        units.posted(1, told(1, 0));
        units.posted(1, told(1, 1));
        assert_eq!(after(&mut units, 2), [(1, 0)]);
        assert_eq!(after(&mut units, 2), [(1, 1)]);
        // Which of the two is not known, of another one's.
        units.posted(1, told(1, 2));
        assert_eq!(after(&mut units, 3), [(1, 0)]);
    }

    #[test]
    fn who_waits_for_all_comes_after_all() {
        let mut units = Units::new(0);
        units.posted(1, told(1, 0));
        units.posted(2, told(2, 0));
        assert_eq!(after(&mut units, 3), []);
        assert_eq!(after(&mut units, 3), [(1, 0), (2, 0)]);
    }

    #[test]
    fn a_lock_orders_nobody() {
        let mut units = Units::new(1);
        assert_eq!(after(&mut units, 1), []);
        units.posted(1, told(1, 0));
        assert_eq!(after(&mut units, 2), []);
        units.posted(2, told(2, 0));
        assert_eq!(after(&mut units, 1), []);
    }

    #[test]
    fn posts_that_are_long_ago_are_forgotten() {
        let mut units = Units::new(0);
        for step in 0..POSTS as u32 + 2 {
            units.posted(1, told(1, step));
        }
        assert_eq!(after(&mut units, 2), []);
        assert_eq!(after(&mut units, 2), []);
        assert_eq!(after(&mut units, 2), [(1, 2)]);
    }
}
