//! Which sets of held locks sites tell apart.
//!
//! A site holds the locks that were held, so that a report can name those of the earlier access. Where every object has a lock of
//! its own that would be a site for each object: so only the first [`MOST`] sets of locks that a run meets are told apart;
//! with others the site says that the locks are not known. So it does with all, once there are many stacks: programs with hundreds of locks and thousands of stacks have
//! both in ever new pairs ([`crate::sites::SiteTable::tell_no_locks_apart`]).

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Sets that are told apart.
const MOST: u32 = 1024;
const PLACES: usize = 4 * MOST as usize;
/// Places that are looked at for one set.
const PROBES: usize = 8;

/// In place of the hash of a set: one of too many.
pub const ONE_OF_MANY: u64 = u64::MAX;

/// Hashes of sets that are told apart; 0 is none.
struct Locksets {
    known: [AtomicU64; PLACES],
    count: AtomicU32,
}

static LOCKSETS: Locksets = Locksets::new();

/// What stands for the set of locks with this hash (0: no locks) in the hash of a site.
#[inline]
pub fn name(hash: u64) -> u64 {
    if hash == 0 { 0 } else { LOCKSETS.name(hash) }
}

impl Locksets {
    const fn new() -> Locksets {
        Locksets {
            known: [const { AtomicU64::new(0) }; PLACES],
            count: AtomicU32::new(0),
        }
    }

    fn name(&self, hash: u64) -> u64 {
        let first = (hash >> 40) as usize;
        for probe in 0..PROBES {
            let place = &self.known[(first + probe) % PLACES];
            // Relaxed throughout: the hash is all there is.
            match place.load(Ordering::Relaxed) {
                known if known == hash => return hash,
                0 => {
                    if self.count.fetch_add(1, Ordering::Relaxed) >= MOST {
                        self.count.fetch_sub(1, Ordering::Relaxed);
                        return ONE_OF_MANY;
                    }
                    match place.compare_exchange(0, hash, Ordering::Relaxed, Ordering::Relaxed) {
                        Ok(_) => return hash,
                        Err(known) if known == hash => return hash,
                        Err(_) => {}
                    }
                }
                _ => {}
            }
        }
        ONE_OF_MANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sets_are_told_apart_for_good() {
        let sets = Box::new(Locksets::new());
        let hash = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let many = 100 * MOST as u64;
        let first: Vec<u64> = (0..many).map(|i| sets.name(hash(i))).collect();
        let told = first.iter().filter(|&&name| name != ONE_OF_MANY).count();
        assert!(told <= MOST as usize && told > MOST as usize / 2, "{told}");
        for (i, &name) in first.iter().enumerate() {
            assert!(name == ONE_OF_MANY || name == hash(i as u64));
            if name != ONE_OF_MANY {
                assert_eq!(sets.name(hash(i as u64)), name);
            }
        }
        assert_eq!(name(0), 0);
    }
}
