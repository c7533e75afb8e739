//! A schedule must say what happens, whatever the machine does: where several threads could go on, it would be chance.

use goldilocks_core::abi::Order;
use goldilocks_generator::make;
use goldilocks_generator::program::{
    Action, Blocking, How, Language, ObjectKind, Place, PlaceKind, Program, Schedule, Spawn,
    Thread, ThreadId,
};
use goldilocks_generator::random::Random;
use goldilocks_generator::schedule;
use goldilocks_generator::verdict::verdict;

const CONDITION: Blocking = Blocking::Condition {
    condition: 1,
    mutex: 0,
};

fn program(turns: Vec<Vec<Vec<Action>>>) -> Program {
    let thread = |turns| Thread {
        turns,
        spawn: Spawn::Pthread,
        detached: true,
        exits: false,
    };
    Program {
        language: Language::C,
        places: vec![Place {
            kind: PlaceKind::Global,
            bytes: 64,
            alignment: 64,
        }],
        objects: vec![
            ObjectKind::Mutex,
            ObjectKind::Condition,
            ObjectKind::Condition,
        ],
        threads: turns.into_iter().map(thread).collect(),
    }
}

/// A thread that waits at a condition until it is signaled.
fn waiter(on: Blocking) -> Vec<Vec<Action>> {
    vec![
        vec![Action::Lock(0, How::Plain), Action::Block(on)],
        vec![Action::Wake(on), Action::Unlock(0)],
    ]
}

#[test]
fn a_signaled_waiter_competes_for_the_mutex() {
    let locks = vec![
        vec![Action::Block(Blocking::Lock(0))],
        vec![Action::Wake(Blocking::Lock(0)), Action::Unlock(0)],
    ];
    let main = vec![
        vec![Action::Fork(1), Action::Fork(2)],
        vec![Action::Lock(0, How::Plain)],
        vec![Action::Signal(1)],
        vec![Action::Unlock(0)],
    ];
    let program = program(vec![main, waiter(CONDITION), locks]);
    // Who blocks in the lock after the signal, or before it: one of the two gets the mutex, nobody knows which.
    for others in [[0, 2, 0], [2, 0, 0]] {
        let schedule: Schedule = [&[0, 1, 0], others.as_slice()].concat();
        assert!(verdict(&program, &schedule).is_err(), "{others:?}");
    }
    // Not so when there is one of them.
    verdict(&program, &vec![0, 1, 0, 0, 0, 1]).unwrap();
    verdict(&program, &vec![0, 1, 0, 2]).unwrap();
}

#[test]
fn two_signaled_waiters_compete_for_the_mutex() {
    let other = Blocking::Condition {
        condition: 2,
        mutex: 0,
    };
    let main = vec![
        vec![Action::Fork(1), Action::Fork(2)],
        vec![Action::Lock(0, How::Plain), Action::Signal(1)],
        vec![Action::Signal(2)],
        vec![Action::Unlock(0)],
    ];
    let program = program(vec![main, waiter(CONDITION), waiter(other)]);
    assert!(verdict(&program, &vec![0, 1, 2, 0, 0]).is_err());
    verdict(&program, &vec![0, 1, 2, 0]).unwrap();
}

/// Who waits for an object (of a condition that was signaled: its mutex), by what the turns say.
fn waiters(program: &Program, schedule: &[ThreadId]) -> Vec<Vec<ThreadId>> {
    let mut next = vec![0; program.threads.len()];
    let mut blocked: Vec<Option<Blocking>> = vec![None; program.threads.len()];
    let mut signaled = vec![false; program.objects.len()];
    for &thread in schedule {
        for action in &program.threads[thread].turns[next[thread]] {
            match *action {
                Action::Block(on) => blocked[thread] = Some(on),
                Action::Wake(on) => {
                    blocked[thread] = None;
                    if let Blocking::Condition { condition, .. } = on {
                        signaled[condition] = false;
                    }
                }
                Action::Signal(condition) => signaled[condition] = true,
                _ => {}
            }
        }
        next[thread] += 1;
    }
    let mut waiters = vec![Vec::new(); program.objects.len()];
    for (thread, on) in blocked.into_iter().enumerate() {
        match on {
            Some(Blocking::Lock(object) | Blocking::Wait(object)) => waiters[object].push(thread),
            Some(Blocking::Condition { condition, mutex }) if signaled[condition] => {
                waiters[mutex].push(thread);
            }
            _ => {}
        }
    }
    waiters
}

#[test]
fn nobody_competes_in_random_programs() {
    let mut random = Random::new(23);
    let mut most = 0;
    for round in 0..300 {
        let language = [Language::C, Language::Cpp][round % 2];
        let (program, base) = make::make(&mut random, language);
        let mut schedules = vec![base.clone()];
        schedules.extend((0..10).filter_map(|_| schedule::vary(&program, &base, &mut random)));
        for schedule in schedules {
            for length in 0..=schedule.len() {
                for waiters in waiters(&program, &schedule[..length]) {
                    most = most.max(waiters.len());
                    assert!(
                        waiters.len() < 2,
                        "{waiters:?} in {schedule:?} of {program:#?}"
                    );
                }
            }
        }
    }
    assert_eq!(most, 1, "nobody ever waited");
}

#[test]
fn nobody_waits_for_a_future_behind_a_release_fence() {
    let on = Blocking::Wait(0);
    let waits = |first: Vec<Action>| {
        let main = vec![vec![Action::Fork(1)], vec![Action::Post(0)]];
        let child = vec![first, vec![Action::Block(on)], vec![Action::Wake(on)]];
        let program = Program {
            language: Language::Cpp,
            objects: vec![ObjectKind::Promise],
            ..program(vec![main, child])
        };
        verdict(&program, &vec![0, 1, 1, 0, 1]).is_ok()
    };
    assert!(waits(vec![Action::Fence(Order::Acquire)]));
    assert!(!waits(vec![Action::Fence(Order::Release)]));
    assert!(!waits(vec![Action::Fence(Order::SeqCst)]));
}
