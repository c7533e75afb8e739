//! The bytes that plain actions access, and what of that a compiler may leave out.

use crate::program::{BITS, Bytes, CopyForm, Deed, Plain};
use crate::state::Event;
use goldilocks_core::event::Access;

/// Makes those accesses of a turn uncertain that others in it make needless.
pub fn leave_out(events: &mut Vec<Event>) {
    after_atomics(events);
    before_atomics(events);
    for_nothing(events);
    after_accesses(events);
}

/// A plain write, or those of its bytes, that an atomic one in the same turn overwrites need not be made, if that is relaxed: clang leaves it
/// out, and the read that it depends on, or writes fewer bytes (dead store elimination).
fn before_atomics(events: &mut Vec<Event>) {
    part(events, Access::Write, |_, byte, later| {
        later.iter().any(|event| {
            matches!(event, Event::Touch { bytes, access: Access::AtomicWrite, .. } if meet(bytes, byte))
        })
    });
}

/// A plain read of bytes that the turn has plainly accessed before, although it has released something since, may be made from what it wrote or
/// read there: clang does so, part by part where it reads a vector (store to load forwarding).
fn after_accesses(events: &mut Vec<Event>) {
    part(events, Access::Read, |before, byte, _| {
        let freed = before
            .iter()
            .rposition(|event| matches!(event, Event::Freed(_)));
        before[freed.map_or(0, |freed| freed + 1)..].iter().any(|event| {
            matches!(event, Event::Touch { bytes, access, must: true, .. } if !access.is_atomic() && meet(bytes, byte))
        })
    });
}

/// Makes those bytes of the certain accesses of this kind uncertain that what is before or behind them makes needless.
fn part(
    events: &mut Vec<Event>,
    kind: Access,
    is_needless: impl Fn(&[Event], &Bytes, &[Event]) -> bool,
) {
    let mut index = 0;
    while index < events.len() {
        let (before, later) = events.split_at(index + 1);
        let (this, before) = before.split_last().expect("the one at the index");
        let &Event::Touch {
            bytes,
            access,
            must: true,
            ..
        } = this
        else {
            index += 1;
            continue;
        };
        if access != kind {
            index += 1;
            continue;
        }
        let needless = |offset: usize| {
            let byte = Bytes {
                offset,
                length: 1,
                ..bytes
            };
            is_needless(before, &byte, later)
        };
        let offsets: Vec<usize> = (bytes.offset..bytes.offset + bytes.length).collect();
        let parts: Vec<Event> = offsets
            .chunk_by(|&one, &next| needless(one) == needless(next))
            .map(|part| {
                let mut event = *this;
                if let Event::Touch { bytes, must, .. } = &mut event {
                    (bytes.offset, bytes.length) = (part[0], part.len());
                    *must = !needless(part[0]);
                }
                event
            })
            .collect();
        let count = parts.len();
        events.splice(index..=index, parts);
        index += count;
    }
}

/// What is copied to bytes that are overwritten, or freed, need not be read.
fn for_nothing(events: &mut [Event]) {
    for index in 0..events.len() {
        let (before, later) = events.split_at_mut(index + 1);
        let Event::Touch {
            must,
            goes_to: Some(to),
            ..
        } = &mut before[index]
        else {
            continue;
        };
        let overwrites = |event: &Event| match event {
            Event::Touch { bytes, access, .. } => access.is_write() && meet(bytes, to),
            Event::Sync(_) | Event::Moved { .. } | Event::Freed(_) => false,
        };
        // The copy's own write belongs to the same sync event.
        if later
            .iter()
            .skip_while(|event| matches!(event, Event::Touch { .. }))
            .any(overwrites)
        {
            *must = false;
        }
    }
}

fn meet(a: &Bytes, b: &Bytes) -> bool {
    a.place == b.place && a.offset < b.offset + b.length && b.offset < a.offset + a.length
}

/// A plain read after an atomic access of the same bytes in one turn may be made from the latter's value: clang does so.
fn after_atomics(events: &mut [Event]) {
    let mut atomics: Vec<Bytes> = Vec::new();
    for event in events {
        let Event::Touch {
            bytes,
            access,
            must,
            ..
        } = event
        else {
            continue;
        };
        if access.is_atomic() {
            atomics.push(*bytes);
        } else if !access.is_write() && atomics.iter().any(|atomic| meet(atomic, bytes)) {
            *must = false;
        }
    }
}

/// Where what is read goes to, if nowhere else.
pub fn destination(plain: &Plain, access: Access) -> Option<Bytes> {
    match plain {
        Plain::Copy { to, .. } | Plain::Padded { to, .. } => (!access.is_write()).then_some(*to),
        _ => None,
    }
}

/// Whether a read is of a move to bytes of the same place that were written in this turn. To LLVM 22 (llvm-project
/// #206451), a move within what a fill has written changes nothing, even where it reads beyond.
pub fn may_be_no_move(plain: &Plain, events: &[Event], access: Access) -> bool {
    let Plain::Copy {
        from,
        to,
        form: CopyForm::Move,
    } = plain
    else {
        return false;
    };
    from.place == to.place
        && !access.is_write()
        && events.iter().any(|event| match event {
            Event::Touch { bytes, access, .. } => access.is_write() && meet(bytes, to),
            Event::Sync(_) | Event::Moved { .. } | Event::Freed(_) => false,
        })
}

/// Whether what a copy writes to these bytes may have been read from them in this turn: a compiler that sees that a value
/// goes back to where it came from writes nothing.
pub fn may_hold_it(plain: &Plain, events: &[Event], bytes: Bytes, access: Access) -> bool {
    let copies = matches!(plain, Plain::Copy { .. } | Plain::Padded { .. });
    copies
        && access.is_write()
        && events.iter().any(|event| match event {
            Event::Touch {
                bytes: read,
                access: Access::Read,
                ..
            } => meet(read, &bytes),
            _ => false,
        })
}

/// The bytes that an action accesses, and whether it must.
pub fn of(plain: &Plain) -> Vec<(Bytes, Access, bool)> {
    let kind = |deed| match deed {
        Deed::Load => Access::Read,
        // What conflicts with the load conflicts with the store.
        Deed::Store | Deed::Update => Access::Write,
    };
    match *plain {
        Plain::Scalar { deed, bytes, .. } => vec![(bytes, kind(deed), true)],
        Plain::Loop {
            deed,
            bytes,
            count,
            stride,
            ..
        } => {
            let element = |index: usize| Bytes {
                offset: bytes.offset + index * stride * bytes.length,
                ..bytes
            };
            (0..count)
                .map(|index| (element(index), kind(deed), true))
                .collect()
        }
        Plain::Copy { from, to, .. } => {
            vec![(from, Access::Read, true), (to, Access::Write, true)]
        }
        Plain::Fill { bytes, .. } => vec![(bytes, Access::Write, true)],
        Plain::Bits { deed, bytes, field } => {
            let (_, must, may) = BITS[field];
            let part = |(from, to): (usize, usize)| Bytes {
                offset: bytes.offset + from,
                length: to - from,
                ..bytes
            };
            vec![
                (part(must), kind(deed), true),
                (part(may), kind(deed), false),
            ]
        }
        Plain::Padded { from, to } => {
            let mut touched = Vec::new();
            for (bytes, access) in [(from, Access::Read), (to, Access::Write)] {
                for (start, end, must) in [
                    (0, 1, true),
                    (1, 4, false),
                    (4, 6, true),
                    (6, 8, false),
                    (8, 16, true),
                ] {
                    let offset = bytes.offset + start;
                    let length = end - start;
                    touched.push((
                        Bytes {
                            offset,
                            length,
                            ..bytes
                        },
                        access,
                        must,
                    ));
                }
            }
            touched
        }
    }
}
