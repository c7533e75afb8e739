//! Reads that threads keep to themselves: whoever comes to the word otherwise knows of the last of them, whatever happened meanwhile.

#![cfg(not(loom))]

mod support;

use support::events::Events;
use support::replay::Setup;

/// The word that all read.
const AT: u64 = 0x1000;

/// `readers` threads come back to the word; the thread after these knows of their first reads, but not of the last ones.
fn readers(count: usize, access: &str) -> (Events, usize) {
    let mut events = Events::default();
    let other = count + 1;
    events.fork(1..=other);
    events.rounds(6, 1..=count, access);
    (1..=count).for_each(|reader| events.tell(reader, other));
    events.rounds(2, 1..=count, access);
    (events, other)
}

#[test]
fn whoever_writes_races_with_the_last_reads() {
    for access in ["read 4096 8", "read 4100 4", "read 4097 1"] {
        for conflicting in [
            "write 4096 8",
            "atomic_write 4100 4",
            "write 4097 1",
            "free 4096 64",
        ] {
            let (mut events, other) = readers(3, access);
            let shared =
                |bytes: &str| conflicting.contains(bytes) || conflicting.contains(" 4096 ");
            let (_, place) = access.split_once(' ').unwrap();
            let races = access.contains(" 4096 ") || shared(place);
            events.push(other, conflicting);
            events.check(races as usize, 20);
        }
    }
}

/// Reads of whole lines, and of words of them, where records come before sets.
#[test]
fn ranges_are_kept_word_by_word() {
    for (first, again) in [
        ("read 4096 128", "read 4096 128"),
        ("read 4096 16", "read 4096 64"),
        ("read 4096 64", "read 4104 8"),
    ] {
        let mut events = Events::default();
        events.fork(1..=4);
        events.rounds(6, 1..=3, first);
        events.rounds(2, 1..=3, again);
        (1..=3).for_each(|reader| events.tell(reader, 4));
        events.rounds(1, 1..=3, again);
        // But of the first one.
        (2..=3).for_each(|reader| events.tell(reader, 4));
        events.push(4, "write 4104 8");
        let records = |setup| Setup {
            few_words: 200,
            ..setup
        };
        events.check_with(records, 1, 20);
        events.check(1, 0);
    }
}

#[test]
fn whoever_knows_of_the_last_reads_does_not() {
    let (mut events, other) = readers(3, "read 4096 8");
    (1..=3).for_each(|reader| events.tell(reader, other));
    events.push(other, "write 4096 8");
    events.tell(other, 1);
    events.push(1, "read 4096 8");
    // T2 has not heard of the write.
    events.push(2, "read 4096 8");
    events.check(1, 20);
}

#[test]
fn halves_are_kept_one_by_one() {
    let mut events = Events::default();
    events.fork(1..=3);
    for _ in 0..6 {
        events.rounds(1, 1..=2, "read 4096 4");
        events.rounds(1, 1..=2, "read 4100 4");
    }
    (1..=2).for_each(|reader| events.tell(reader, 3));
    events.rounds(1, 1..=2, "read 4100 4");
    events.push(3, "write 4096 4");
    events.push(3, "write 4100 4");
    events.check(1, 20);
}

/// Records of more and more room, and side records, of one word after the other.
#[test]
fn readers_become_more() {
    for count in [5, 9, 14, 20] {
        let mut events = Events::default();
        let other = count + 1;
        events.fork(1..=other);
        let words = [4096, 4104, 4160];
        for word in words {
            let read = format!("read {word} 8");
            for some in (3..=count).step_by(3) {
                events.rounds(6, 1..=some, &read);
            }
            (1..=count).for_each(|reader| events.tell(reader, other));
            events.rounds(1, 1..=count, &read);
            // But of the first one.
            (2..=count).for_each(|reader| events.tell(reader, other));
            events.push(other, &format!("write {word} 8"));
        }
        events.check(words.len(), if count < 16 { 20 } else { 0 });
    }
}

/// A text that all parse: more bytes and readers than a record has room for. Who writes, or frees, races with the last reads of the bytes, and with nothing else.
#[test]
fn bytes_that_many_read_are_kept_one_by_one() {
    for (count, write, races, kept) in [
        (4, "write 4097 1", true, 500),
        (4, "write 4096 8", true, 500),
        (4, "free 4096 64", true, 500),
        (4, "write 4104 8", false, 500),
        (9, "atomic_write 4098 2", true, 1500),
        (40, "write 4099 1", true, 6000),
        (40, "write 4103 1", false, 6000),
    ] {
        let mut events = Events::default();
        let other = count + 1;
        events.fork(1..=other);
        let reads = |events: &mut Events, rounds: usize| {
            for _ in 0..rounds {
                for reader in 1..=count {
                    events.epoch(reader);
                    for byte in 4096..4102 {
                        events.push(reader, &format!("read {byte} 1"));
                    }
                    events.push(reader, "read 4098 2");
                    // Two that are read as one only.
                    events.push(reader, "read 4101 2");
                }
            }
        };
        reads(&mut events, 8);
        // A part of a word that has whole readers as well.
        events.push(3, "read 4096 8");
        events.rounds(3, 2..=2, "read 4097 4");
        (1..=count).for_each(|reader| events.tell(reader, other));
        if write.contains("4103") {
            events.push(other, write);
        }
        reads(&mut events, 2);
        // But of the first one.
        (2..=count).for_each(|reader| events.tell(reader, other));
        events.push(other, write);
        events.push(other, "write 4103 1");
        events.check(races as usize, kept);
    }
}

/// The memory is another block's, whose readers are the same ones: nothing of what they kept counts.
#[test]
fn what_more_read_than_a_record_says_becomes_other_memory() {
    for (count, reads) in [
        (
            4,
            &[
                "read 4096 1",
                "read 4097 1",
                "read 4098 1",
                "read 4099 1",
                "read 4100 1",
            ][..],
        ),
        (40, &["read 4096 8"][..]),
        (20, &["read 4096 4", "read 4100 4"][..]),
    ] {
        let mut events = Events::default();
        let other = count + 1;
        events.fork(1..=other);
        let round = |events: &mut Events| {
            for reader in 1..=count {
                events.epoch(reader);
                reads.iter().for_each(|read| events.push(reader, read));
            }
        };
        (0..8).for_each(|_| round(&mut events));
        (1..=count).for_each(|reader| events.tell(reader, other));
        events.push(other, "alloc 4096 64");
        (1..=count).for_each(|reader| events.tell(other, reader));
        round(&mut events);
        // Of the last ones alone, nothing is known.
        (1..count).for_each(|reader| events.tell(reader, other));
        events.push(other, "write 4096 8");
        events.check(1, 100);
    }
}

/// All know of what the records say, so that it might be forgotten when there is no room for another reader; not of what was read since.
#[test]
fn reads_that_records_say_are_settled() {
    for count in [8, 16] {
        let mut events = Events::default();
        let (other, more) = (count + 1, count + 2);
        events.fork(1..=more);
        let words: Vec<usize> = (0..12).map(|word| 4096 + 8 * word).collect();
        for word in &words {
            events.rounds(6, 1..=count, &format!("read {word} 8"));
        }
        for _ in 0..2 {
            (0..=more).for_each(|thread| events.tell(thread, thread));
        }
        for word in &words {
            events.rounds(1, 1..=count, &format!("read {word} 8"));
        }
        for word in &words {
            events.push(more, &format!("read {word} 8"));
        }
        events.tell(more, other);
        (2..=count).for_each(|reader| events.tell(reader, other));
        for word in &words {
            events.push(other, &format!("write {word} 8"));
        }
        events.check(words.len(), 20);
    }
}

/// What comes back without the lock, an atomic write, beside reads that are kept.
#[test]
fn an_atomic_write_that_comes_back_among_readers() {
    for last in ["atomic_write 4096 8", "atomic_read 4096 8"] {
        let mut events = Events::default();
        events.fork(1..=3);
        events.rounds(4, 1..=2, "read 4096 8");
        for _ in 0..4 {
            (1..=2).for_each(|reader| events.tell(reader, 3));
            events.rounds(1, 3..=3, last);
            (1..=2).for_each(|reader| events.tell(3, reader));
            events.rounds(4, 1..=2, "read 4096 8");
        }
        // The writer finds out that it knows of what the record says.
        for reader in 1..=2 {
            let at = AT as usize + 64 * reader;
            events.push(reader, &format!("write {at} 8"));
            events.tell(reader, 3);
            events.push(3, &format!("read {at} 8"));
        }
        events.rounds(2, 1..=2, "read 4096 8");
        events.rounds(1, 3..=3, "atomic_write 4096 8");
        events.check(1, 0);
    }
}

/// The readers do other things then, so that their reads' epochs are over, and ids that are not in use are handed out again.
#[test]
fn ids_are_swept() {
    let (mut events, other) = readers(3, "read 4096 8");
    for round in 0..40 {
        let at = AT + 64 + 8 * (round % 3);
        events.rounds(1, 2..=other, &format!("atomic_write {at} 8"));
    }
    (2..=3).for_each(|reader| events.tell(reader, other));
    events.push(other, "write 4096 8");
    let few = |setup| Setup {
        epochs: 60,
        ..setup
    };
    events.check_with(few, 1, 20);
}

/// The next thread in a reader's slot goes on with what that kept.
#[test]
fn slots_are_used_again() {
    let (mut events, other) = readers(3, "read 4096 8");
    events.push(1, "end");
    events.push(0, "join T1");
    events.push(0, "fork T5");
    (2..=3).for_each(|reader| events.tell(reader, other));
    events.push(5, "read 4096 8");
    events.push(other, "write 4096 8");
    events.check(1, 20);

    let (mut events, other) = readers(3, "read 4096 8");
    events.push(1, "end");
    events.push(0, "join T1");
    events.push(0, "fork T5");
    (2..=3).for_each(|reader| events.tell(reader, other));
    // Not of what T1 has read.
    events.push(other, "write 4096 8");
    events.check(1, 20);
}

#[test]
fn memory_becomes_other_memory() {
    let (mut events, other) = readers(3, "read 4096 8");
    events.push(other, "alloc 4096 8");
    events.push(other, "write 4096 8");
    events.check(0, 20);
    // Whoever has kept what was there before has read this as well.
    events.push(1, "read 4096 8");
    events.check(1, 20);
    let (mut events, other) = readers(3, "read 4096 8");
    events.push(other, "alloc 4096 8");
    events.push(1, "read 4096 8");
    events.push(other, "write 4096 8");
    events.check(1, 20);
}

#[test]
fn a_reader_writes_itself() {
    let (mut events, _) = readers(3, "read 4096 8");
    (2..=3).for_each(|reader| events.tell(reader, 1));
    events.push(1, "write 4096 8");
    events.rounds(2, 1..=1, "read 4096 8");
    events.push(2, "read 4096 8");
    events.check(1, 20);
}

/// All read both halves of a word, one after the other, and then all know of that, as behind a barrier, again and again: nobody's read is beside another one's that
/// is not done for long, but they keep them all the same. Whoever writes without knowing of the last ones races with these; with none if it knows.
#[test]
fn halves_that_all_read_in_turns_are_kept() {
    for (knows, races) in [(false, 1), (true, 0)] {
        let mut events = Events::default();
        events.fork(1..=4);
        for round in 0..14 {
            for thread in 1..=3 {
                events.push(thread, "read 4096 4");
                events.push(thread, "read 4100 4");
            }
            if round < 13 || knows {
                // Each learns of all before it, and then of all.
                for _ in 0..2 {
                    for thread in 1..=4 {
                        events.push(thread, "lock 9");
                        events.push(thread, "unlock 9");
                    }
                }
            }
        }
        events.push(4, "write 4096 8");
        // Of many words they are a set.
        let records = |setup| Setup {
            few_words: 200,
            ..setup
        };
        events.check_with(records, races, 150);
        events.check(races, 0);
    }
}
