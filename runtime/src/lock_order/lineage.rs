//! What creations and joins of threads order, and nothing else does.
//!
//! The order of events that the engine knows is too strong for the question whether two threads could have met in a deadlock:
//! it holds the order in which they happened to take the locks. Creation and join stay as they are in every schedule.
//!
//! A thread's life is divided into *steps*, by the creations and joins that it makes.

/// A step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The thread's serial number.
    pub thread: u32,
    pub step: u32,
}

#[derive(Default)]
struct Life {
    step: u32,
    /// The last step of its creator that comes before it. `None`: nobody knows where it comes from.
    creation: Option<Moment>,
    /// Threads that it has joined, each with the first step that comes after that.
    joined: Vec<(u32, u32)>,
}

/// All threads of the run, by serial number.
#[derive(Default)]
pub struct Lineage {
    lives: Vec<Life>,
}

impl Lineage {
    pub const fn new() -> Lineage {
        Lineage { lives: Vec::new() }
    }

    fn life(&mut self, thread: u32) -> &mut Life {
        let index = thread as usize;
        if self.lives.len() <= index {
            self.lives.resize_with(index + 1, Life::default);
        }
        &mut self.lives[index]
    }

    /// `creator` makes `thread`. Gives the step that it is in from now on.
    pub fn created(&mut self, creator: u32, thread: u32) -> u32 {
        let life = self.life(creator);
        let before = life.step;
        life.step += 1;
        self.life(thread).creation = Some(Moment {
            thread: creator,
            step: before,
        });
        before + 1
    }

    /// `waiter` has joined `thread`. Gives the step that it is in from now on.
    pub fn joined(&mut self, waiter: u32, thread: u32) -> u32 {
        let life = self.life(waiter);
        life.step += 1;
        life.joined.push((life.step, thread));
        life.step
    }

    /// Whether what happens in step `a` comes before what happens in step `b` of another thread, in every schedule.
    pub fn is_before(&self, a: Moment, b: Moment) -> bool {
        // The latest step of each thread that is known to come before.
        let mut seen: Vec<Moment> = Vec::new();
        let mut todo = vec![b];
        while let Some(at) = todo.pop() {
            if at.thread == a.thread && a.step <= at.step {
                return true;
            }
            match seen.iter_mut().find(|other| other.thread == at.thread) {
                Some(other) if other.step >= at.step => continue,
                Some(other) => other.step = at.step,
                None => seen.push(at),
            }
            let Some(life) = self.lives.get(at.thread as usize) else {
                continue;
            };
            todo.extend(life.creation);
            let joined = life.joined.iter().filter(|&&(step, _)| step <= at.step);
            todo.extend(joined.map(|&(_, thread)| Moment {
                thread,
                step: u32::MAX,
            }));
        }
        false
    }

    /// Whether the two may happen at a time.
    pub fn is_concurrent(&self, a: Moment, b: Moment) -> bool {
        a.thread != b.thread && !self.is_before(a, b) && !self.is_before(b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(thread: u32, step: u32) -> Moment {
        Moment { thread, step }
    }

    #[test]
    fn creation_and_join_order_and_nothing_else_does() {
        let mut lineage = Lineage::new();
        assert_eq!(lineage.created(0, 1), 1);
        assert_eq!(lineage.created(0, 2), 2);
        assert_eq!(lineage.created(1, 3), 1);
        assert_eq!(lineage.joined(0, 1), 3);
        for (before, after) in [
            (at(0, 0), at(1, 0)),
            (at(0, 1), at(2, 0)),
            (at(0, 0), at(3, 0)),
            (at(1, 0), at(3, 0)),
            (at(1, 1), at(0, 3)),
        ] {
            assert!(lineage.is_before(before, after), "{before:?} {after:?}");
            assert!(!lineage.is_before(after, before), "{before:?} {after:?}");
            assert!(!lineage.is_concurrent(before, after));
        }
        for (a, b) in [
            (at(0, 1), at(1, 0)),
            (at(1, 0), at(2, 0)),
            (at(1, 1), at(3, 0)),
            (at(0, 2), at(1, 1)),
            (at(0, 3), at(2, 0)),
            (at(0, 3), at(3, 0)),
        ] {
            assert!(
                lineage.is_concurrent(a, b) && lineage.is_concurrent(b, a),
                "{a:?} {b:?}"
            );
        }
        assert!(!lineage.is_concurrent(at(1, 0), at(1, 1)));
    }
}
