//! A thread that comes to many words from few places, so that it knows by heart how to write down where it was: what it has done to each byte last, and from
//! where, is what another one races with.

#![cfg(not(loom))]

mod support;

use goldilocks_core::detector::{Buffers, Detector, Found, Parts, Race, Shadow};
use goldilocks_core::event::{Access, Effect, Entity, Role};
use goldilocks_core::goldilocks::{Config, Engine};
use goldilocks_core::line::Site;
use goldilocks_core::records::RECORD;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use support::combined::Combined;
use support::memory::Tables;
use support::random::Random;

const WORDS: usize = 64;

struct Lines(Vec<([AtomicU64; 8], AtomicU32, [AtomicU32; 8])>);
impl Shadow for Lines {
    fn line(&self, addr: u64) -> Parts<'_> {
        let (cells, word, sites) = &self.0[(addr >> 6) as usize];
        Parts { cells, word, sites }
    }
}

/// In which sync epoch the thread was at a byte last, and from where in it.
#[derive(Clone, Default, Debug)]
struct Last {
    epoch: u64,
    sites: BTreeSet<Site>,
}
impl Last {
    fn note(&mut self, epoch: u64, site: Site) {
        if self.epoch != epoch {
            *self = Last {
                epoch,
                sites: BTreeSet::new(),
            };
        }
        self.sites.insert(site);
    }
}

/// Accesses of these sizes; how many words had records at the end.
fn round(seed: u64, sizes: &[u64], names: usize) -> usize {
    let tables = Tables::take();
    let engine = Engine::new(tables.epochs(1 << 14), 8, Config::default());
    let slab = tables.slab();
    let lines = Lines((0..WORDS / 8).map(|_| Default::default()).collect());
    let sites = Combined::new(names).remembered();
    let detector = Detector {
        engine: &engine,
        slab: &slab,
        shadow: &lines,
        sites: &sites,
    };
    let mut one = engine.unrelated_thread().unwrap();
    let mut other = engine.unrelated_thread().unwrap();
    let mut buffers = Buffers::with_sets_after(1, 1);
    let mut random = Random(seed);
    // The last write and read of each byte.
    let mut last = vec![[Last::default(), Last::default()]; 8 * WORDS];
    let mut epoch = 1;
    for _ in 0..60 {
        // All words in the same way, as a loop does, up to some that are left out.
        let steps: Vec<_> = (0..1 + random.next() % 3)
            .map(|_| {
                let size = sizes[random.next() as usize % sizes.len()];
                let from = random.next() % (8 / size) * size;
                let write = random.next() & 1 != 0;
                // Some come to all parts of a word, as a loop that was not unrolled does.
                let site = match random.next() % 4 {
                    few @ 0..2 => 1 + few,
                    more => 3 + (size * 8 + from) * 2 + more % 2,
                };
                (size, from, write, 2 * site as Site + write as Site)
            })
            .collect();
        let left_out = random.next();
        for word in (0..WORDS).filter(|word| left_out >> word & 1 == 0) {
            for &(size, from, write, site) in &steps {
                let addr = 8 * word as u64 + from;
                let id = engine.epoch_for_access(&mut one).unwrap();
                let range = (addr, size);
                if !detector.access_shortly(
                    &mut one,
                    (&buffers, &mut Found::default()),
                    range,
                    (id, write),
                    site,
                ) {
                    let kind = if write { Access::Write } else { Access::Read };
                    let no_race = |_: &mut _, race| panic!("no race: {race:?}");
                    detector
                        .access(&mut one, &mut buffers, range, kind, site, no_race)
                        .unwrap();
                }
                for byte in &mut last[addr as usize..(addr + size) as usize] {
                    byte[!write as usize].note(epoch, site);
                }
            }
        }
        if random.next() & 1 != 0 {
            let object = Entity::object(50, Role::Object);
            engine.sync(&mut one, Effect::RELEASE, object, 0);
            epoch += 1;
        }
    }
    let has_record = |word: usize| {
        let (_, value, numbers) = &lines.0[word / 8];
        let number = numbers[word % 8].load(Ordering::Relaxed);
        value.load(Ordering::Relaxed) >> 30 & 1 != 0 && number & RECORD != 0
    };
    let records = (0..WORDS).filter(|&word| has_record(word)).count();
    for (byte, [write, read]) in last.iter().enumerate() {
        let mut found = [None; 2];
        let note = |_: &mut _, race: Race| {
            let place = &mut found[!race.earlier.write as usize];
            assert!(place.is_none(), "byte {byte}: {race:?} is the second one");
            *place = Some(sites.at(race.earlier.site, byte as u32 % 8));
        };
        let range = (byte as u64, 1);
        detector
            .access(&mut other, &mut buffers, range, Access::Write, 9999, note)
            .unwrap();
        let [of_write, of_read] = found;
        let context = format!("seed {seed}, byte {byte}, {write:?}, {read:?}");
        assert_eq!(of_write.is_some(), write.epoch != 0, "{context}");
        assert!(
            of_write.is_none_or(|site| write.sites.contains(&site)),
            "{of_write:?} of {context}"
        );
        // What was read before it was written was forgotten, and what was read in the epoch of the write is covered by that.
        if read.epoch > write.epoch {
            assert!(of_read.is_some(), "{context}");
        }
        if read.epoch < write.epoch {
            assert!(of_read.is_none(), "{context}");
        }
        assert!(
            of_read.is_none_or(|site| read.sites.contains(&site)),
            "{of_read:?} of {context}"
        );
    }
    records
}

#[test]
fn halves_and_words() {
    for seed in 1..400 {
        round(seed, &[4, 8], [usize::MAX, 20, 60][seed as usize % 3]);
    }
}

#[test]
fn bytes_of_words() {
    for seed in 1..400 {
        round(seed, &[1, 2, 4, 8], [usize::MAX, 20, 60][seed as usize % 3]);
    }
}
