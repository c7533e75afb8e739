//! What the generator can make it does make, and it races in some programs and does not in others.

use goldilocks_generator::make;
use goldilocks_generator::program::{Action, Blocking, Language, ObjectKind, Program};
use goldilocks_generator::random::Random;
use goldilocks_generator::verdict::verdict;

const PROGRAMS: usize = 1500;

/// All actions of a turn, those inside of others too.
fn each(actions: &[Action], visit: &mut impl FnMut(&Action)) {
    for action in actions {
        visit(action);
        match action {
            Action::Repeat(_, body) | Action::Call { body, .. } => each(body, visit),
            Action::Branch {
                then, otherwise, ..
            } => {
                each(then, visit);
                each(otherwise, visit);
            }
            _ => {}
        }
    }
}

/// Turns with such an action in which bytes have their first race, and those in which none has.
fn racing_and_silent(is_one: impl Fn(&Program, &Action) -> bool) -> (usize, usize) {
    let mut random = Random::new(7);
    let (mut racing, mut silent) = (0, 0);
    for round in 0..PROGRAMS {
        let language = [Language::C, Language::Cpp][round % 2];
        let (program, schedule) = make::make(&mut random, language);
        let expected = verdict(&program, &schedule).expect("it was made so");
        for (races, (thread, turn)) in expected.races.iter().zip(&expected.turns) {
            let mut found = false;
            each(&program.threads[*thread].turns[*turn], &mut |action| {
                found |= is_one(&program, action);
            });
            match (found, races.is_empty()) {
                (true, false) => racing += 1,
                (true, true) => silent += 1,
                (false, _) => {}
            }
        }
    }
    (racing, silent)
}

#[test]
fn reallocations_race_and_do_not() {
    let (racing, silent) =
        racing_and_silent(|_, action| matches!(action, Action::Reallocate { .. }));
    assert!(racing > 1 && silent > 5, "{racing} and {silent}");
}

#[test]
fn signal_handlers_race_and_do_not() {
    let (racing, silent) = racing_and_silent(|program, action| match action {
        Action::Wake(Blocking::Wait(object)) => program.objects[*object] == ObjectKind::Signal,
        _ => false,
    });
    assert!(racing > 1 && silent > 100, "{racing} and {silent}");
}

#[test]
fn atomics_of_different_sizes_overlap() {
    let (racing, silent) = racing_and_silent(|program, action| {
        let Action::Atomic { bytes: mine, .. } = action else {
            return false;
        };
        let mut overlaps = false;
        for actions in program.threads.iter().flat_map(|thread| &thread.turns) {
            each(actions, &mut |other| {
                if let Action::Atomic { bytes, .. } = other {
                    overlaps |= bytes.place == mine.place
                        && bytes.length != mine.length
                        && bytes.offset < mine.offset + mine.length
                        && mine.offset < bytes.offset + bytes.length;
                }
            });
        }
        overlaps
    });
    assert!(racing > 5 && silent > 100, "{racing} and {silent}");
}

#[test]
fn semaphores_of_the_standard_library_order() {
    let (racing, silent) = racing_and_silent(|program, action| match action {
        Action::Post(object) | Action::Wait(object, _) => {
            program.objects[*object] == ObjectKind::StdSemaphore
        }
        _ => false,
    });
    assert!(racing > 5 && silent > 100, "{racing} and {silent}");
}

#[test]
fn futures_order() {
    let is = |program: &Program, object: &usize| program.objects[*object] == ObjectKind::Promise;
    let (racing, silent) = racing_and_silent(|program, action| match action {
        Action::Wait(object, _) | Action::Wake(Blocking::Wait(object)) => is(program, object),
        _ => false,
    });
    assert!(racing > 1 && silent > 50, "{racing} and {silent}");
}

#[test]
fn freed_blocks_are_read() {
    let (found, silent) = racing_and_silent(|_, action| matches!(action, Action::Stale(_)));
    // What was touched before since the free is nothing new.
    assert!(found > 3 && silent > 0, "{found} and {silent}");
}

#[test]
fn barriers_and_latches_of_the_standard_library_order() {
    let (racing, silent) = racing_and_silent(|program, action| match action {
        Action::Wake(Blocking::Barrier(object)) => program.objects[*object].uses_pool(),
        _ => false,
    });
    assert!(racing > 1 && silent > 100, "{racing} and {silent}");
}
