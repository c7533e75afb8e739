//! Locks that libraries build from an atomic word: what a change of the word says of who holds the lock.
//!
//! The pass knows some of these libraries: it says of an atomic operation that it is one on such a word ([`WordKind::pack`]), or hands on each change. Locks that
//! hide their word are told of in the same terms.

use crate::abi::Change as Arithmetic;

/// How a word tells who holds its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum WordKind {
    /// Free if 0.
    Mutex = 0,
    /// The lower 30 bits count readers; all of them set is a writer. The others are flags.
    Rwlock = 1,
}

impl WordKind {
    /// What an operation on such a word has beside [`AtomicOp::pack`](crate::abi::AtomicOp::pack).
    pub const fn pack(self) -> u32 {
        (self as u32 + 1) << Self::SHIFT
    }
    /// Which such word a packed operation is on, if any.
    #[inline(always)]
    pub const fn of(operation: u32) -> Option<WordKind> {
        match operation >> Self::SHIFT & 3 {
            1 => Some(WordKind::Mutex),
            2 => Some(WordKind::Rwlock),
            _ => None,
        }
    }
    const SHIFT: u32 = 24;
}

/// The lower bits of the word of a [`WordKind::Rwlock`]: all set by a writer.
pub const WRITER: u32 = (1 << 30) - 1;

/// What a thread has done to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Take {
        shared: bool,
    },
    Give {
        shared: bool,
    },
    /// From writer to reader.
    Downgrade,
    /// From reader to writer.
    Upgrade,
}

/// What it means that a word goes from `before` to `after`; `None` if nobody holds the lock more or less than before.
pub fn change(kind: WordKind, before: u32, after: u32) -> Option<Change> {
    match kind {
        WordKind::Mutex => match (before != 0, after != 0) {
            (false, true) => Some(Change::Take { shared: false }),
            (true, false) => Some(Change::Give { shared: false }),
            _ => None,
        },
        WordKind::Rwlock => match (before & WRITER, after & WRITER) {
            (a, b) if a == b => None,
            (0, WRITER) => Some(Change::Take { shared: false }),
            (WRITER, 0) => Some(Change::Give { shared: false }),
            (WRITER, _) => Some(Change::Downgrade),
            (_, WRITER) => Some(Change::Upgrade),
            (a, b) => Some(if b > a {
                Change::Take { shared: true }
            } else {
                Change::Give { shared: true }
            }),
        },
    }
}

/// What a read-modify-write that releases gives, whatever the value before; `None` if that cannot be said.
pub fn given(kind: WordKind, arithmetic: Arithmetic, operand: u32) -> Option<Change> {
    const DOWNGRADE: u32 = 1_u32.wrapping_sub(WRITER);
    const WRITER_GONE: u32 = 0_u32.wrapping_sub(WRITER);
    const READER_GONE: u32 = u32::MAX;
    let difference = match (kind, arithmetic) {
        (WordKind::Mutex, Arithmetic::Exchange) if operand == 0 => {
            return Some(Change::Give { shared: false });
        }
        (WordKind::Rwlock, Arithmetic::Add) => operand,
        (WordKind::Rwlock, Arithmetic::Subtract) => operand.wrapping_neg(),
        _ => return None,
    };
    match difference {
        DOWNGRADE => Some(Change::Downgrade),
        WRITER_GONE => Some(Change::Give { shared: false }),
        READER_GONE => Some(Change::Give { shared: true }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKE: Option<Change> = Some(Change::Take { shared: false });
    const GIVE: Option<Change> = Some(Change::Give { shared: false });

    #[test]
    fn a_mutex_is_held_unless_its_word_is_0() {
        let change = |before, after| change(WordKind::Mutex, before, after);
        assert_eq!([change(0, 1), change(0, 2)], [TAKE, TAKE]);
        assert_eq!([change(1, 0), change(2, 0)], [GIVE, GIVE]);
        // Somebody waits, or did not get it.
        assert_eq!([change(1, 2), change(1, 1), change(0, 0)], [None; 3]);
    }

    #[test]
    fn a_rwlock_counts_readers_whatever_its_flags() {
        const WAITING: u32 = 3 << 30;
        let change = |before, after| change(WordKind::Rwlock, before, after);
        assert_eq!(
            [change(0, WRITER), change(WAITING, WRITER | WAITING)],
            [TAKE, TAKE]
        );
        assert_eq!(
            [change(WRITER, 0), change(WRITER | 1 << 31, 0)],
            [GIVE, GIVE]
        );
        assert_eq!(change(0, 1), Some(Change::Take { shared: true }));
        assert_eq!(
            change(7 | WAITING, 6 | WAITING),
            Some(Change::Give { shared: true })
        );
        assert_eq!(change(WRITER, 1), Some(Change::Downgrade));
        assert_eq!(change(1, WRITER), Some(Change::Upgrade));
        assert_eq!(change(3, 3 | WAITING), None);
    }

    #[test]
    fn an_operation_says_which_word_it_is_on() {
        let operation = crate::abi::AtomicOp::unpack(0).pack() | 0x00f0_0000;
        assert_eq!(WordKind::of(operation), None);
        for kind in [WordKind::Mutex, WordKind::Rwlock] {
            assert_eq!(WordKind::of(operation | kind.pack() | 1 << 31), Some(kind));
        }
    }

    /// Whatever the flags are, what is said before is what the change then is.
    #[test]
    fn what_is_given_is_known_before() {
        let rwlock = |arithmetic, operand| given(WordKind::Rwlock, arithmetic, operand);
        for flags in [0, 1 << 30, 1 << 31, 3 << 30] {
            let cases = [
                (WRITER, WRITER, GIVE),
                (1, 1, Some(Change::Give { shared: true })),
                (7, 1, Some(Change::Give { shared: true })),
                (WRITER, WRITER - 1, Some(Change::Downgrade)),
            ];
            for (held, less, expected) in cases {
                let (before, after) = (flags | held, (flags | held) - less);
                assert_eq!(change(WordKind::Rwlock, before, after), expected);
                assert_eq!(rwlock(Arithmetic::Subtract, less), expected);
                assert_eq!(rwlock(Arithmetic::Add, less.wrapping_neg()), expected);
            }
        }
        assert_eq!(rwlock(Arithmetic::Subtract, 2), None);
        assert_eq!(rwlock(Arithmetic::Exchange, 0), None);
        assert_eq!(given(WordKind::Mutex, Arithmetic::Exchange, 0), GIVE);
        assert_eq!(given(WordKind::Mutex, Arithmetic::Exchange, 2), None);
        assert_eq!(given(WordKind::Mutex, Arithmetic::Subtract, 1), None);
    }
}
