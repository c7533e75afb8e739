//! Other orders in which the turns of a program can happen.

use crate::program::{Program, Schedule, ThreadId};
use crate::random::Random;
use crate::state::State;

/// A random schedule, near to `base` where that is possible; `None` if the threads got stuck.
pub fn vary(program: &Program, base: &Schedule, random: &mut Random) -> Option<Schedule> {
    let mut state = State::new(program);
    let mut next = vec![0; program.threads.len()];
    let mut left: Vec<ThreadId> = base.clone();
    let mut schedule = Schedule::new();
    let loyalty = random.below(90);
    while !left.is_empty() {
        let mut order: Vec<ThreadId> = Vec::new();
        if random.chance(loyalty) {
            order.push(left[0]);
        }
        let mut others = state.movable();
        while !others.is_empty() {
            order.push(others.swap_remove(random.below(others.len())));
        }
        let thread = order.into_iter().find(|&thread| {
            let turns = &program.threads[thread].turns;
            let number: usize = next[thread];
            let Some(actions) = turns.get(number) else {
                return false;
            };
            let mut after = state.clone();
            let possible = after
                .turn(thread, actions, number + 1 == turns.len())
                .is_ok();
            if possible {
                state = after;
            }
            possible
        })?;
        next[thread] += 1;
        let at = left.iter().position(|&other| other == thread)?;
        left.remove(at);
        schedule.push(thread);
    }
    Some(schedule)
}
