//! What is claimed of a turn, where a compiler may leave out accesses of it.

use goldilocks_core::abi::Order;
use goldilocks_generator::program::{
    Action, AtomicForm, Bytes, CopyForm, Deed, Language, Place, PlaceKind, Plain, Program, Spawn,
    Thread,
};
use goldilocks_generator::verdict::{AfterFree, Verdict, verdict};
use std::collections::BTreeSet;

const SOURCE: Bytes = bytes(0, 16, 8);
const TARGET: Bytes = bytes(1, 8, 8);

const fn bytes(place: usize, offset: usize, length: usize) -> Bytes {
    Bytes {
        place,
        offset,
        length,
    }
}

fn copy(from: Bytes, to: Bytes) -> Action {
    Action::Plain(Plain::Copy {
        from,
        to,
        form: CopyForm::Constant,
    })
}

fn fill(bytes: Bytes) -> Action {
    Action::Plain(Plain::Fill {
        bytes,
        unknown: false,
    })
}

/// Two threads that nothing orders, first the child's turn.
fn both(child: Vec<Action>, main: Vec<Action>) -> Verdict {
    let thread = |turns| Thread {
        turns,
        spawn: Spawn::Pthread,
        detached: true,
        exits: false,
    };
    let place = |kind| Place {
        kind,
        bytes: 64,
        alignment: 64,
    };
    let program = Program {
        language: Language::C,
        places: vec![place(PlaceKind::Global), place(PlaceKind::Heap)],
        objects: Vec::new(),
        threads: vec![
            thread(vec![vec![Action::Allocate(1), Action::Fork(1)], main]),
            thread(vec![child]),
        ],
    };
    verdict(&program, &vec![0, 1, 0]).unwrap()
}

fn store(bytes: Bytes) -> Vec<Action> {
    vec![Action::Plain(Plain::Scalar {
        deed: Deed::Store,
        bytes,
        volatile: false,
    })]
}

#[test]
fn a_copy_reads() {
    let expected = both(vec![copy(SOURCE, TARGET)], store(SOURCE));
    assert_eq!(expected.count(), 8);
    // What comes before it, or elsewhere, does not make it needless.
    let before = both(vec![fill(TARGET), copy(SOURCE, TARGET)], store(SOURCE));
    assert_eq!(before, expected);
    let beside = both(
        vec![copy(SOURCE, TARGET), fill(bytes(1, 16, 8))],
        store(SOURCE),
    );
    assert_eq!(beside, expected);
}

#[test]
fn what_was_written_before_a_release_may_not_be_read_again_after_it() {
    let scalar = |deed, bytes| {
        Action::Plain(Plain::Scalar {
            deed,
            bytes,
            volatile: false,
        })
    };
    let flag = |form, order| Action::Atomic {
        bytes: bytes(1, 0, 4),
        form,
        order,
        typed: false,
    };
    let release = flag(AtomicForm::Store, Order::Release);
    let acquire = flag(AtomicForm::Load, Order::Acquire);
    let other = vec![acquire, fill(bytes(0, 8, 16))];
    let read = scalar(Deed::Load, bytes(0, 0, 16));
    let certain = both(vec![release.clone(), read.clone()], other.clone());
    assert_eq!(certain.count(), 8);
    let written = scalar(Deed::Store, bytes(0, 8, 16));
    let open = both(vec![written, release, read], other);
    assert_eq!((open.count(), open.open.len()), (0, 8));
}

#[test]
fn a_copy_that_is_overwritten_may_never_have_been_made() {
    for needless in [fill(bytes(1, 0, 32)), Action::Free(1), fill(TARGET)] {
        let turn = vec![copy(SOURCE, TARGET), needless];
        let open = both(turn, store(SOURCE));
        assert_eq!(open.count(), 0);
        // Neither a race nor its absence is claimed.
        assert_eq!(open.open.len(), 8);
    }
}

#[test]
fn of_repeated_copies_the_last_one_counts() {
    let repeated = Action::Repeat(3, vec![copy(SOURCE, TARGET)]);
    assert_eq!(both(vec![repeated], store(SOURCE)).count(), 8);
    let repeated = Action::Repeat(3, vec![copy(SOURCE, TARGET), fill(TARGET)]);
    assert_eq!(both(vec![repeated], store(SOURCE)).count(), 0);
}

#[test]
fn a_move_within_what_was_filled_may_not_be_made() {
    let moved = Action::Plain(Plain::Copy {
        from: bytes(0, 7, 9),
        to: bytes(0, 0, 9),
        form: CopyForm::Move,
    });
    let beyond = bytes(0, 13, 3);
    let turn = vec![fill(bytes(0, 0, 13)), moved.clone()];
    assert_eq!(both(turn, store(beyond)).count(), 0);
    let turn = vec![fill(bytes(0, 32, 13)), moved];
    assert_eq!(both(turn, store(beyond)).count(), 3);
}

fn atomic(offset: usize, length: usize, form: AtomicForm, order: Order) -> Action {
    Action::Atomic {
        bytes: Bytes {
            place: 0,
            offset,
            length,
        },
        form,
        order,
        typed: false,
    }
}

#[test]
fn a_write_that_an_atomic_one_overwrites_may_never_have_been_made() {
    use Order::Relaxed;
    let written = bytes(0, 8, 4);
    let turn = |atomic: Action| [store(written), vec![atomic]].concat();
    let whole = both(
        turn(atomic(8, 8, AtomicForm::Store, Relaxed)),
        store(bytes(0, 4, 8)),
    );
    let half = both(
        turn(atomic(8, 2, AtomicForm::Store, Relaxed)),
        store(bytes(0, 4, 8)),
    );
    // The atomic write itself races with main's.
    assert_eq!((whole.count(), half.count()), (4, 4));
    let read = |offset, length| vec![atomic(offset, length, AtomicForm::Load, Relaxed)];
    assert_eq!(
        both(turn(atomic(8, 8, AtomicForm::Store, Relaxed)), read(8, 4)).count(),
        0
    );
    // Of a part that is overwritten, fewer bytes may be written.
    assert_eq!(
        both(turn(atomic(8, 2, AtomicForm::Store, Relaxed)), read(8, 4)).count(),
        2
    );
    let filled = |offset| {
        let turn = vec![
            fill(bytes(0, 6, 20)),
            atomic(0, 8, AtomicForm::Store, Relaxed),
        ];
        both(turn, read(offset, 8)).count()
    };
    assert_eq!((filled(0), filled(8)), (0, 8));
}

#[test]
fn what_a_move_leaves_in_place_may_be_that_which_races() {
    let thread = |turns| Thread {
        turns,
        spawn: Spawn::Pthread,
        detached: true,
        exits: false,
    };
    let block = Place {
        kind: PlaceKind::Heap,
        bytes: 32,
        alignment: 16,
    };
    let moved = Action::Reallocate { from: 0, to: 1 };
    let program = Program {
        language: Language::C,
        places: vec![block, block],
        objects: Vec::new(),
        threads: vec![
            thread(vec![
                vec![Action::Allocate(0), Action::Fork(1)],
                store(bytes(1, 0, 8)),
            ]),
            thread(vec![store(bytes(0, 4, 4)), vec![moved]]),
        ],
    };
    let verdict = verdict(&program, &vec![0, 1, 1, 0]).unwrap();
    let turns = |byte: usize| -> BTreeSet<_> {
        let racing = verdict.races.last().unwrap();
        racing[&(1, byte)].iter().copied().collect()
    };
    assert_eq!(turns(0), [(1, 1)].into());
    assert_eq!(turns(4), [(1, 0), (1, 1)].into());
    assert_eq!(verdict.count(), 8);
}

#[test]
fn a_free_that_races_is_not_ordered_after_itself() {
    let stale = Action::Stale(bytes(1, 8, 4));
    let kinds = |child: Vec<Action>| {
        let freed = both(child, vec![Action::Free(1), stale.clone()]).freed;
        freed[2].values().copied().collect::<Vec<_>>()
    };
    assert_eq!(kinds(store(SOURCE)), [AfterFree::Ordered; 4]);
    assert_eq!(kinds(store(bytes(1, 8, 8))), []);
    assert_eq!(
        kinds(store(bytes(1, 8, 2))),
        [AfterFree::Ordered; 2],
        "of the others, whatever these are"
    );
    // A read that need not be made may race with the free, or not.
    let (from, to) = (bytes(1, 8, 4), bytes(0, 16, 4));
    assert_eq!(kinds(vec![copy(from, to), fill(to)]), [AfterFree::Open; 4]);
}

#[test]
fn an_atomic_gives_its_order_with_each_of_its_bytes() {
    use AtomicForm::{Add, Load, Store};
    use Order::{AcqRel, Acquire, Relaxed, Release};
    let races = |released: Vec<Action>, taken: Action| {
        let child = [store(SOURCE), released].concat();
        let main = [vec![taken], store(SOURCE)].concat();
        both(child, main).count() != 0
    };
    let whole = || atomic(0, 8, Store, Release);
    assert!(!races(vec![whole()], atomic(0, 8, Load, Acquire)));
    assert!(!races(vec![whole()], atomic(4, 4, Load, Acquire)));
    assert!(!races(vec![whole()], atomic(7, 1, Add, AcqRel)));
    assert!(races(vec![whole()], atomic(7, 1, Load, Relaxed)));
    assert!(races(vec![whole()], atomic(8, 1, Load, Acquire)));
    let half = || atomic(4, 4, Store, Release);
    assert!(!races(vec![half()], atomic(0, 8, Load, Acquire)));
    assert!(races(vec![half()], atomic(0, 4, Load, Acquire)));
    // The store ends what the byte gives; a read-modify-write goes on with it.
    let ended = || vec![whole(), atomic(0, 1, Store, Relaxed)];
    assert!(races(ended(), atomic(0, 1, Load, Acquire)));
    assert!(!races(ended(), atomic(0, 2, Load, Acquire)));
    let goes_on = vec![whole(), atomic(0, 8, Add, Relaxed)];
    assert!(!races(goes_on, atomic(0, 1, Load, Acquire)));
}

#[test]
fn who_takes_a_byte_is_ordered_after_the_whole_operation() {
    use AtomicForm::{Add, Load};
    let counter = |offset, length| {
        let count = atomic(offset, length, Add, Order::AcqRel);
        let taken = atomic(0, 8, Load, Order::Acquire);
        both(vec![count], [vec![taken], store(bytes(0, 0, 8))].concat()).count()
    };
    assert_eq!(counter(0, 8), 0);
    assert_eq!(counter(6, 2), 0);
    assert_eq!(counter(8, 8), 0);
    let beside = both(
        vec![atomic(0, 8, Add, Order::AcqRel)],
        [
            vec![atomic(8, 8, Load, Order::Acquire)],
            store(bytes(0, 0, 8)),
        ]
        .concat(),
    );
    assert_eq!(beside.count(), 8);
}
