//! Makes a failing program small: leaves out what it does not need to fail.
//!
//! Many candidates are compiled into one unit, so that a round costs one compilation.

use crate::emit::Scenario;
use crate::judge::FailureKind;
use crate::program::{Action, Program, Schedule, ThreadId};
use crate::unit::{self, Mode, Setting};
use crate::verdict::verdict;
use anyhow::Result;

const CANDIDATES: usize = 48;
const ROUNDS: usize = 60;

/// The smallest scenario found, with one schedule, that still fails in the same way.
pub fn shrink(
    setting: &Setting,
    mode: &Mode,
    scenario: &Scenario,
    run: usize,
    kind: FailureKind,
    stem: &str,
) -> Result<Scenario> {
    let mut best = Scenario {
        program: scenario.program.clone(),
        schedules: vec![scenario.schedules[run].clone()],
    };
    let mut skip = 0;
    for _ in 0..ROUNDS {
        let all = candidates(&best);
        let chunk: Vec<Scenario> = all.iter().skip(skip).take(CANDIDATES).cloned().collect();
        if chunk.is_empty() {
            break;
        }
        let (_, failures) = match kind {
            FailureKind::Crash | FailureKind::Hang => {
                unit::test_to_crash(setting, mode, &chunk, stem)?
            }
            _ => unit::test(setting, mode, &chunk, stem)?,
        };
        let failing = failures
            .iter()
            .find(|failure| failure.kind == kind)
            .map(|failure| failure.scenario);
        match failing {
            Some(index) => {
                best = chunk[index].clone();
                skip = 0;
            }
            None => skip += CANDIDATES,
        }
    }
    Ok(best)
}

/// Smaller scenarios that could happen, the smallest first.
fn candidates(scenario: &Scenario) -> Vec<Scenario> {
    let (program, schedule) = (&scenario.program, &scenario.schedules[0]);
    let mut all = Vec::new();
    let mut add = |program: Program, schedule: Schedule| {
        if verdict(&program, &schedule).is_ok() {
            all.push(Scenario {
                program,
                schedules: vec![schedule],
            });
        }
    };
    for thread in 1..program.threads.len() {
        if !program.threads[thread].turns.is_empty() {
            let (program, schedule) = without_thread(program, schedule, thread);
            add(program, schedule);
        }
    }
    for number in 0..program.objects.len() {
        let mut smaller = program.clone();
        for turn in smaller
            .threads
            .iter_mut()
            .flat_map(|thread| &mut thread.turns)
        {
            turn.retain(|action| !mentions(action, number));
        }
        if smaller.size() < program.size() {
            add(smaller, schedule.clone());
        }
    }
    // Whole turns; the last one of a thread is its end.
    let mut next = vec![0; program.threads.len()];
    for (position, &thread) in schedule.iter().enumerate() {
        let turn = next[thread];
        next[thread] += 1;
        let mut smaller = program.clone();
        smaller.threads[thread].turns.remove(turn);
        let mut shorter = schedule.clone();
        shorter.remove(position);
        add(smaller, shorter);
    }
    for thread in 0..program.threads.len() {
        for turn in 0..program.threads[thread].turns.len() {
            let actions = &program.threads[thread].turns[turn];
            for (index, action) in actions.iter().enumerate() {
                for replacement in simpler(action) {
                    let mut smaller = program.clone();
                    smaller.threads[thread].turns[turn].splice(index..=index, replacement);
                    add(smaller, schedule.clone());
                }
            }
        }
    }
    all
}

/// What could stand for an action: nothing, or what it is made of.
fn simpler(action: &Action) -> Vec<Vec<Action>> {
    let mut all = vec![Vec::new()];
    match action {
        Action::Repeat(times, body) => {
            all.push(body.clone());
            if *times > 1 {
                all.push(vec![Action::Repeat(1, body.clone())]);
            }
            all.extend(shorter(body).map(|body| vec![Action::Repeat(*times, body)]));
        }
        Action::Branch {
            taken,
            then,
            otherwise,
        } => {
            all.push(if *taken { then } else { otherwise }.clone());
            let branch = |then, otherwise| {
                vec![Action::Branch {
                    taken: *taken,
                    then,
                    otherwise,
                }]
            };
            all.extend(shorter(then).map(|then| branch(then, otherwise.clone())));
            all.extend(shorter(otherwise).map(|otherwise| branch(then.clone(), otherwise)));
        }
        Action::Call { inlined, body } => {
            all.push(body.clone());
            all.extend(shorter(body).map(|body| {
                vec![Action::Call {
                    inlined: *inlined,
                    body,
                }]
            }));
        }
        _ => {}
    }
    all
}

fn shorter(body: &[Action]) -> impl Iterator<Item = Vec<Action>> {
    (0..body.len()).map(|index| {
        let mut body = body.to_vec();
        body.remove(index);
        body
    })
}

fn mentions(action: &Action, object: usize) -> bool {
    use crate::program::Blocking;
    match action {
        Action::Lock(number, _)
        | Action::Unlock(number)
        | Action::ReadLock(number, _)
        | Action::ReadUnlock(number)
        | Action::LockInVain(number)
        | Action::Post(number)
        | Action::Wait(number, _)
        | Action::Once(number)
        | Action::Signal(number) => *number == object,
        Action::Block(on) | Action::Wake(on) => match on {
            Blocking::Lock(number) | Blocking::Wait(number) | Blocking::Barrier(number) => {
                *number == object
            }
            Blocking::Condition { condition, mutex } => *condition == object || *mutex == object,
            Blocking::Join(_) => false,
        },
        Action::Repeat(_, body) | Action::Call { body, .. } => {
            body.iter().any(|action| mentions(action, object))
        }
        Action::Branch {
            then, otherwise, ..
        } => then
            .iter()
            .chain(otherwise)
            .any(|action| mentions(action, object)),
        _ => false,
    }
}

fn without_thread(program: &Program, schedule: &Schedule, gone: ThreadId) -> (Program, Schedule) {
    use crate::program::Blocking;
    let mut smaller = program.clone();
    smaller.threads[gone].turns.clear();
    for turn in smaller
        .threads
        .iter_mut()
        .flat_map(|thread| &mut thread.turns)
    {
        turn.retain(|action| match action {
            Action::Fork(child) | Action::Join(child) => *child != gone,
            Action::Block(Blocking::Join(child)) | Action::Wake(Blocking::Join(child)) => {
                *child != gone
            }
            _ => true,
        });
    }
    let schedule = schedule
        .iter()
        .copied()
        .filter(|&thread| thread != gone)
        .collect();
    (smaller, schedule)
}

impl Program {
    /// Actions, those inside of others not counted.
    fn size(&self) -> usize {
        self.threads
            .iter()
            .flat_map(|thread| &thread.turns)
            .map(Vec::len)
            .sum()
    }
}
