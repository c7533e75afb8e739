//! Atomic operations, byte by byte: those of different sizes may be of the same bytes.

use crate::program::Bytes;
use crate::state::Event;
use goldilocks_core::abi::Order;
use goldilocks_core::event::Access;
use goldilocks_core::trace::{Action, Atomic};

/// Number of the sync object that a byte of an atomic is. Objects have the numbers below.
fn number(place: usize, offset: usize) -> u64 {
    1000 + (place << 10 | offset) as u64
}

/// What an operation is: it reads every byte, is an access, and writes every byte.
pub fn atomic_events(bytes: Bytes, atomic: Atomic, access: Access) -> Vec<Event> {
    let (reads, writes) = parts(atomic);
    let all = |part: Option<Atomic>| {
        let each = part.map(|part| {
            (bytes.offset..bytes.offset + bytes.length)
                .map(move |offset| Event::Sync(Action::Atomic(number(bytes.place, offset), part)))
        });
        each.into_iter().flatten()
    };
    let mut events: Vec<Event> = all(reads).collect();
    // With the first one that it writes: whoever takes any is ordered after the access.
    let at = events.len() + usize::from(writes.is_some());
    events.extend(all(writes));
    let touch = Event::Touch {
        bytes,
        access,
        must: true,
        goes_to: None,
    };
    events.insert(at, touch);
    events
}

/// What an operation does to each byte: first to all the one, then to all the other.
fn parts(atomic: Atomic) -> (Option<Atomic>, Option<Atomic>) {
    let goes_on = |order: Order| match order {
        Order::AcqRel | Order::SeqCst | Order::Release => Atomic::ReadModifyWrite(Order::Release),
        Order::Relaxed | Order::Acquire => Atomic::ReadModifyWrite(Order::Relaxed),
    };
    let load = |order: Order| match order {
        Order::Release => Atomic::Load(Order::Relaxed),
        Order::AcqRel => Atomic::Load(Order::Acquire),
        order => Atomic::Load(order),
    };
    match (atomic, atomic.writes()) {
        (Atomic::Store(order), _) => (None, Some(Atomic::Store(order))),
        (_, writes) => (atomic.reads().map(load), writes.map(goes_on)),
    }
}
