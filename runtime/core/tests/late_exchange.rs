//! An exchange of a cell that comes after the word has got a record: it finds the cell as it was if the record's thread has said there again what it has written,
//! and its own access is then made once more under the lock ([`goldilocks_core::refresh`]). What the record says counts until then, and afterwards.

#![cfg(not(loom))]

mod support;

use goldilocks_core::detector::{Buffers, Detector, Parts, Race, Shadow, Sites};
use goldilocks_core::event::Access;
use goldilocks_core::goldilocks::{Config, Engine, Thread};
use goldilocks_core::line::Site;
use goldilocks_core::records::RECORD;
use goldilocks_core::tag::{ShadowCell, Tag};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use support::memory::Tables;

#[derive(Default)]
struct Line([AtomicU64; 8], AtomicU32, [AtomicU32; 8]);
impl Shadow for Line {
    fn line(&self, _: u64) -> Parts<'_> {
        Parts {
            cells: &self.0,
            word: &self.1,
            sites: &self.2,
        }
    }
}

struct Few;
impl Sites for Few {
    fn combine(&self, _: Site, _: u8, _: Site, _: u8) -> Site {
        unreachable!("each half has one site")
    }
    fn pair(&self, write: Site, read: Site) -> u32 {
        assert!(write < 16 && read < 16, "sites {write} and {read}");
        write << 4 | read
    }
    fn split(&self, pair: u32) -> (Site, Site) {
        (pair >> 4, pair & 15)
    }
}

#[test]
fn a_parted_cell_says_nothing_of_a_word_with_a_record() {
    for (kind, late) in [
        (Access::Write, Access::Write),
        (Access::Write, Access::AtomicWrite),
    ] {
        let tables = Tables::take();
        let engine = Engine::new(tables.epochs(1 << 10), 8, Config::default());
        let slab = tables.slab();
        let line = Line::default();
        let detector = Detector {
            engine: &engine,
            slab: &slab,
            shadow: &line,
            sites: &Few,
        };
        let mut buffers = Buffers::with_sets_after(1, 1);
        let mut access = |thread: &mut Thread, range, kind, site| {
            let mut races = BTreeSet::new();
            let note = |_: &mut Thread, race: Race| {
                races.insert((race.addr, race.earlier.tag.mask(), race.earlier.site));
            };
            detector
                .access(thread, &mut buffers, range, kind, site, note)
                .unwrap();
            races
        };
        let [mut one, mut two, mut three, mut last] =
            [(); 4].map(|()| engine.unrelated_thread().unwrap());
        // From the same place, so that the exchange leaves the sites what they are.
        assert!(access(&mut one, (4, 4), kind, 1).is_empty());
        assert!(access(&mut two, (0, 1), kind, 2).is_empty());
        assert!(access(&mut two, (1, 1), kind, 3).is_empty());
        let number = line.2[0].load(Ordering::Relaxed);
        assert_eq!(number & RECORD, RECORD);
        let tag = |thread: &mut Thread, mask| {
            let epoch = engine.epoch_for_access(thread).unwrap();
            Tag::new(epoch, false, mask)
        };
        let cell = ShadowCell::parted(tag(&mut one, 0xf0), tag(&mut three, 0x0f), true);
        line.0[0].store(cell.0, Ordering::Relaxed);
        // Again under the lock.
        let races = access(&mut three, (0, 4), late, 1);
        assert_eq!(races, [(0, 1, 2), (1, 2, 3)].into());
        // And nothing of it is lost.
        let races = access(&mut last, (0, 8), Access::Write, 4);
        let of = |site| move |&&(_, _, found): &&(u64, u8, Site)| found == site;
        assert!(races.iter().filter(of(1)).count() > 0, "{races:?}");
        let bytes = races.iter().fold(0, |bytes, &(_, mask, _)| bytes | mask);
        assert_eq!(bytes, 0xff, "{races:?}");
    }
}
