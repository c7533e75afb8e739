//! Locks that libraries build from an atomic word: what a change of the word says of who holds the lock.
//!
//! The pass knows some of these libraries and hands on each change. Locks that hide their word are told of in the same terms.

/// How a word tells who holds its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum WordKind {
    /// Free if 0.
    Mutex = 0,
    /// The lower 30 bits count readers; all of them set is a writer. The others are flags.
    Rwlock = 1,
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
}
