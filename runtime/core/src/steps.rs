//! Steps of cells: what a thread has made of cells lately, by its accesses in its present epoch.
//!
//! Where threads go through the same data in phases, thousands of words have the same cell and the same sites. What an access makes of these is decided
//! once, with all look-ups that this takes (read sets, pairs of sites, what is ordered), and known by heart for the others. What is known to be
//! ordered stays so, and so does a decision, as long as epoch ids mean the same.
//!
//! Words that nobody has accessed but from the place where the access is made now are one case, whatever place that is: their sites stay what they are. Nodes of a tree
//! that a recursion walks through are each accessed from a stack of their own, by all threads.
//!
//! It is also read by code that is not compiled with this (the lane of the check stubs).

use crate::line::Site;
use crate::line_sites::{PAIR, SPLIT};
use crate::tag::{ShadowCell, Tag};
use std::cell::Cell;

/// Bits of the number of steps that are remembered.
pub const BITS: u32 = 8;
/// As the lane has it.
pub const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
/// In the upper half of a step's [`Noted::how`]: the access is a write.
const WRITE: u32 = 1 << 31;
/// In [`Noted::number`], where 0 is the number that the word had: the cell's read tag is that of a read set then, which the thread is in,
const JOINS: u32 = 1 << 31;
/// and of which it has read the access' bytes, but not all.
const IN_PART: u32 = 1 << 30;

/// An access, and the word that it comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub old: ShadowCell,
    /// Of the word's sites, which says no record.
    pub number: u32,
    pub tag: Tag,
    pub write: bool,
    pub site: Site,
}

/// What a word becomes by a step: its cell, and the number of its sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Next {
    pub cell: ShadowCell,
    pub number: u32,
    /// The bytes that the thread has read, if the cell's read tag is that of a read set which it is in, as compiled code is to know it; 0 if not.
    pub joins: u8,
}

/// A step and what comes of it.
#[repr(C)]
struct Noted {
    old: Cell<u64>,
    /// The site, and the number and [`WRITE`] above it.
    how: Cell<u64>,
    next: Cell<u64>,
    /// With [`JOINS`] and [`IN_PART`].
    number: Cell<u32>,
    tag: Cell<u32>,
}

// As the lane has them.
const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(Noted, old) == 0 && offset_of!(Noted, how) == 8);
    assert!(offset_of!(Noted, next) == 16 && offset_of!(Noted, number) == 24);
    assert!(offset_of!(Noted, tag) == 28 && size_of::<Noted>() == 32);
    assert!(WRITE == 1 << 31 && JOINS == 1 << 31 && IN_PART == 1 << 30);
};

/// The steps of a thread.
pub struct Steps(Box<[Noted; 1 << BITS]>);

impl Default for Steps {
    fn default() -> Steps {
        // SAFETY: numbers; all zeroes is a step of an access in epoch 0, which none has. Not by way of the stack, of which a thread may
        // have little.
        Steps(unsafe { Box::new_zeroed().assume_init() })
    }
}

impl Step {
    #[inline(always)]
    fn how(self) -> u64 {
        debug_assert!(self.number < SPLIT && self.site < PAIR);
        let write = if self.write { WRITE } else { 0 };
        let (number, site) = if self.is_of_one_site() {
            (0, 0)
        } else {
            (self.number, self.site)
        };
        ((number | write) as u64) << 32 | site as u64
    }
    /// There is no other site than that of the access: it is noted with 0 for that.
    #[inline(always)]
    fn is_of_one_site(self) -> bool {
        self.number == self.site
    }
}

impl Steps {
    #[inline(always)]
    fn place(&self, old: u64, how: u64) -> &Noted {
        let place = (old ^ how).wrapping_mul(MIX) >> (u64::BITS - BITS);
        // SAFETY: no more than these bits.
        unsafe { self.0.get_unchecked(place as usize) }
    }

    /// What the word becomes, if the thread knows.
    #[inline(always)]
    pub fn find(&self, step: Step) -> Option<Next> {
        let (old, how) = (step.old.0, step.how());
        let noted = self.place(old, how);
        let is_this =
            noted.old.get() == old && noted.how.get() == how && noted.tag.get() == step.tag.0;
        let number = noted.number.get();
        is_this.then(|| Next {
            cell: ShadowCell(noted.next.get()),
            number: match number & !(JOINS | IN_PART) {
                0 => step.number,
                number => number,
            },
            joins: match number & (JOINS | IN_PART) {
                0 => 0,
                JOINS => 0xff,
                _ => step.tag.mask(),
            },
        })
    }

    /// Takes note of one that was made.
    #[inline(always)]
    pub fn note(&self, step: Step, next: Next) {
        let is_of_one_site = step.is_of_one_site();
        if next.number != step.number && (is_of_one_site || next.number == 0) {
            return;
        }
        let number = if is_of_one_site { 0 } else { next.number };
        let (old, how) = (step.old.0, step.how());
        let noted = self.place(old, how);
        noted.old.set(old);
        noted.how.set(how);
        noted.tag.set(step.tag.0);
        noted.next.set(next.cell.0);
        let joins = match next.joins {
            0 => 0,
            0xff => JOINS,
            _ => JOINS | IN_PART,
        };
        noted.number.set(number | joins);
    }

    /// Epoch ids will mean something else.
    pub fn forget(&self) {
        for noted in self.0.iter() {
            noted.tag.set(Tag::NONE.0);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const STEP: Step = Step {
        old: ShadowCell(0x1_0000_03ff),
        number: 7,
        tag: Tag(5 << 9 | 0x0f),
        write: false,
        site: 9,
    };

    #[test]
    fn a_step_is_found_as_a_whole() {
        let steps = Steps::default();
        assert_eq!(steps.find(STEP), None);
        let next = Next {
            cell: ShadowCell(77),
            number: PAIR | 3,
            joins: 0xff,
        };
        let in_part = Next {
            joins: STEP.tag.mask(),
            ..next
        };
        for next in [in_part, next] {
            steps.note(STEP, next);
            assert_eq!(steps.find(STEP), Some(next));
        }
        let others = [
            Step {
                old: ShadowCell(0x2_0000_03ff),
                ..STEP
            },
            Step { number: 8, ..STEP },
            Step {
                number: PAIR | 7,
                ..STEP
            },
            Step {
                tag: STEP.tag.with_mask(0xf0),
                ..STEP
            },
            Step {
                tag: Tag(6 << 9 | 0x0f),
                ..STEP
            },
            Step {
                write: true,
                ..STEP
            },
            Step { site: 10, ..STEP },
        ];
        for other in others {
            assert_eq!(steps.find(other), None, "{other:?}");
        }
        steps.forget();
        assert_eq!(steps.find(STEP), None);
    }

    /// Words of one site are one case, and no others are taken for it.
    #[test]
    fn words_of_one_site_are_alike() {
        let steps = Steps::default();
        let of = |site: Site| Step {
            number: site,
            site,
            ..STEP
        };
        let next = |number: u32| Next {
            cell: ShadowCell(77),
            number,
            joins: 0xff,
        };
        // It would become another site's, which the access is not from.
        steps.note(of(9), next(8));
        assert_eq!(steps.find(of(9)), None);
        steps.note(of(9), next(9));
        for site in [1, 9, 1000] {
            assert_eq!(steps.find(of(site)), Some(next(site)));
            let write = Step {
                write: true,
                ..of(site)
            };
            assert_eq!(steps.find(write), None);
        }
        for (number, site) in [(0, 9), (9, 0), (8, 9), (PAIR | 9, 9)] {
            let other = Step {
                number,
                site,
                ..STEP
            };
            assert_eq!(steps.find(other), None, "{other:?}");
        }
        // What has no site any more, and what has none yet.
        let unknown = Step {
            number: 7,
            site: 0,
            ..STEP
        };
        steps.note(unknown, next(0));
        assert_eq!(steps.find(unknown), None);
        let new = Step { number: 0, ..STEP };
        steps.note(new, next(9));
        assert_eq!(steps.find(new), Some(next(9)));
    }

    /// Whatever has its place, nothing else is taken for it.
    #[test]
    fn steps_that_share_a_place_are_told_apart() {
        let steps = Steps::default();
        let (mut found, mut all) = (0, Vec::new());
        for one in 1..=2 << BITS {
            let number = one as u32;
            all.extend([
                Step {
                    old: ShadowCell(one),
                    ..STEP
                },
                Step { number, ..STEP },
                Step {
                    site: number,
                    ..STEP
                },
                Step {
                    site: number,
                    write: true,
                    ..STEP
                },
                Step {
                    tag: Tag(number << 9 | 0xff),
                    ..STEP
                },
            ]);
        }
        all.retain(|step| step.number != step.site);
        let next = |index: usize| Next {
            cell: ShadowCell(index as u64),
            number: 1 + index as u32,
            joins: [0, 0xff][index % 2],
        };
        for (index, &step) in all.iter().enumerate() {
            steps.note(step, next(index));
            assert_eq!(steps.find(step), Some(next(index)));
        }
        for &step in &all {
            if let Some(there) = steps.find(step) {
                assert_eq!(all[there.number as usize - 1], step);
                found += 1;
            }
        }
        assert!(found >= 1 << (BITS - 1) && found < all.len(), "{found}");
    }
}
