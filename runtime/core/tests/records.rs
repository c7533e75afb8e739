//! Records of sites beside threads that decide at the same time: when names become many, and when several threads are at one word.
//!
//! `GOLDILOCKS_ROUNDS=n` sets the number of rounds of the threads.

#![cfg(not(loom))]

mod support;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |value| value.parse().expect("a number"))
}

/// Many names there are from the moment on when one thread has decided that there are not: another's record is no site.
mod becoming_many {
    use super::support::replay::Tables;
    use goldilocks_core::detector::{Buffers, Detector, Parts, Race, Shadow, Sites};
    use goldilocks_core::event::Access;
    use goldilocks_core::goldilocks::{Config, Engine, Thread};
    use goldilocks_core::line::Site;
    use std::cell::{Cell, RefCell};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, AtomicU64};

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

    /// What another thread does right after the next one has looked whether names are many.
    #[derive(Default)]
    struct Flips<'a> {
        many: Cell<bool>,
        meanwhile: RefCell<Option<Box<dyn FnOnce() + 'a>>>,
        pairs: Mutex<Vec<(Site, Site)>>,
    }
    impl Sites for Flips<'_> {
        fn are_many(&self) -> bool {
            let many = self.many.get();
            let meanwhile = self.meanwhile.borrow_mut().take();
            if let Some(meanwhile) = meanwhile {
                meanwhile();
            }
            many
        }
        fn combine(&self, _: Site, _: u8, new: Site, _: u8) -> Site {
            new
        }
        fn pair(&self, write: Site, read: Site) -> u32 {
            let mut pairs = self.pairs.lock().unwrap();
            pairs.push((write, read));
            pairs.len() as u32 - 1
        }
        fn split(&self, pair: u32) -> (Site, Site) {
            self.pairs.lock().unwrap()[pair as usize]
        }
    }

    #[test]
    fn a_record_made_meanwhile_is_no_site() {
        let tables = Tables::take();
        let engine = Engine::new(tables.epochs(1 << 10), 8, Config::default());
        let slab = tables.slab();
        let line = Line::default();
        let second = RefCell::new((engine.unrelated_thread().unwrap(), Buffers::default()));
        let sites = Flips::default();
        let detector = Detector {
            engine: &engine,
            slab: &slab,
            shadow: &line,
            sites: &sites,
        };
        let slowly = |who: &mut (Thread, Buffers), at: u64, access, site| {
            let mut races = Vec::new();
            let found = |_: &mut Thread, race: Race| races.push(race);
            let (thread, buffers) = who;
            detector
                .access(thread, buffers, (at, 1), access, site, found)
                .unwrap();
            races
        };
        let mut first = (engine.unrelated_thread().unwrap(), Buffers::default());
        let mut third = (engine.unrelated_thread().unwrap(), Buffers::default());
        // The line gets a unit, for its second word.
        assert!(slowly(&mut first, 8, Access::Write, 1).is_empty());
        assert!(slowly(&mut second.borrow_mut(), 9, Access::Write, 2).is_empty());
        // The first word: reads of different bytes, so that there is no race whatever the order.
        assert!(slowly(&mut second.borrow_mut(), 0, Access::Read, 11).is_empty());
        let meanwhile = || {
            sites.many.set(true);
            assert!(slowly(&mut second.borrow_mut(), 1, Access::Read, 12).is_empty());
        };
        let meanwhile: Box<dyn FnOnce() + '_> = Box::new(meanwhile);
        // SAFETY: called below, while all that it uses is there.
        let meanwhile =
            unsafe { std::mem::transmute::<Box<dyn FnOnce() + '_>, Box<dyn FnOnce()>>(meanwhile) };
        *sites.meanwhile.borrow_mut() = Some(meanwhile);
        let epoch = engine.epoch_for_access(&mut first.0).unwrap();
        let made = detector.access_shortly(&mut first.0, &first.1, (4, 1), (epoch, false), 21);
        assert!(sites.many.get(), "it happened meanwhile");
        if !made {
            assert!(slowly(&mut first, 4, Access::Read, 21).is_empty());
        }
        // And a third reader of what the second one has read.
        let races = slowly(&mut third, 0, Access::Read, 31);
        assert!(races.is_empty(), "reads race: {races:?}");
        assert_eq!(
            detector
                .sites_at(0)
                .into_iter()
                .collect::<std::collections::BTreeSet<_>>(),
            [11, 12, 21, 31].into(),
        );
    }
}

mod at_once {
    use super::support::random::Random;
    use super::support::replay::Tables;
    use goldilocks_core::detector::{Buffers, Detector, Parts, Race, Shadow, Sites};
    use goldilocks_core::event::{Access, Effect, Entity, Role};
    use goldilocks_core::goldilocks::{Config, Engine, Thread};
    use goldilocks_core::line::Site;
    use goldilocks_core::records::RECORD;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    struct Lines([([AtomicU64; 8], AtomicU32, [AtomicU32; 8]); 2]);
    impl Shadow for Lines {
        fn line(&self, addr: u64) -> Parts<'_> {
            let (cells, word, sites) = &self.0[(addr >> 6) as usize];
            Parts { cells, word, sites }
        }
    }
    const COMBINED: Site = 1 << 20;
    struct Table(Mutex<Vec<(Site, Site, u8)>>, usize);
    impl Table {
        fn at(&self, mut site: Site, bit: u32) -> Site {
            while site >= COMBINED {
                let (old, new, mask) = self.0.lock().unwrap()[(site - COMBINED) as usize];
                site = if mask >> bit & 1 != 0 { new } else { old };
            }
            site
        }
    }
    impl Sites for Table {
        fn are_many(&self) -> bool {
            self.0.lock().unwrap().len() >= self.1
        }
        fn combine(&self, old: Site, _: u8, new: Site, mask: u8) -> Site {
            let mut all = self.0.lock().unwrap();
            all.push((old, new, mask));
            COMBINED + all.len() as Site - 1
        }
        fn pair(&self, write: Site, read: Site) -> u32 {
            self.combine(write, 0xff, read, 0) - COMBINED
        }
        fn split(&self, pair: u32) -> (Site, Site) {
            let (write, read, _) = self.0.lock().unwrap()[pair as usize];
            (write, read)
        }
    }
    fn site(t: usize, from: u64, len: u64, write: bool, variant: u64) -> Site {
        1 + ((((t as u64 * 128 + from) * 16 + len) * 2 + write as u64) * 4 + variant) as Site
    }
    fn of_site(site: Site) -> (usize, u64, u64, bool) {
        let s = (site - 1) as u64 / 4;
        (
            (s / 2 / 16 / 128) as usize,
            s / 2 / 16 % 128,
            s / 2 % 16,
            s & 1 != 0,
        )
    }

    /// Whose a byte is.
    fn owner(byte: u64) -> usize {
        match byte {
            0..8 => [0, 1, 0, 1, 2, 2, 0, 1][byte as usize],
            8..16 => (byte as usize - 8) / 4,
            16..24 => 1 + (byte as usize - 16) / 6,
            24..64 => (byte as usize / 8) % 3,
            _ => 2,
        }
    }

    #[test]
    fn nothing_is_lost_and_sites_are_right() {
        let mut records = 0;
        for seed in 1..=super::setting("GOLDILOCKS_ROUNDS", 30) {
            records += round(seed);
        }
        assert!(records > 0);
    }

    fn round(seed: u64) -> usize {
        let tables = Tables::take();
        let engine = Engine::new(tables.epochs(1 << 14), 8, Config::default());
        let slab = tables.slab();
        let lines = Lines(Default::default());
        let names = [0, 30, 200, 1000][seed as usize % 4];
        let sites = Table(Mutex::default(), names);
        let detector = Detector {
            engine: &engine,
            slab: &slab,
            shadow: &lines,
            sites: &sites,
        };
        let threads: Vec<Thread> = (0..3).map(|_| engine.unrelated_thread().unwrap()).collect();
        let mut done = [[false; 128]; 2];
        std::thread::scope(|scope| {
            let (detector, engine) = (&detector, &engine);
            let all: Vec<_> = threads
                .into_iter()
                .enumerate()
                .map(|(t, mut thread)| {
                    scope.spawn(move || {
                        let mut random = Random(seed << 8 | t as u64);
                        let mut buffers = Buffers::default();
                        let mut done = [[false; 128]; 2];
                        let object = Entity::object(50 + t as u64, Role::Object);
                        for _ in 0..1500 {
                            let r = random.next();
                            if r & 7 == 0 {
                                engine.sync(&mut thread, Effect::RELEASE, object, 0);
                                continue;
                            }
                            if t == 2 && r >> 8 & 127 == 0 {
                                let (from, len) =
                                    [(64, 64), (72, 16), (64, 3)][(r >> 20) as usize % 3];
                                detector.fresh(&mut buffers, (from, len));
                                (from..from + len).for_each(|b| {
                                    done[0][b as usize] = false;
                                    done[1][b as usize] = false;
                                });
                                continue;
                            }
                            // Mostly the first words.
                            let from = match r >> 16 & 3 {
                                0 | 1 => (r >> 24) % 24,
                                2 => (r >> 24) % 128,
                                _ => 64 + (r >> 24) % 12,
                            };
                            let mut len = 1 + (r >> 40) % 8;
                            len = len.min(8 - from % 8);
                            let write = r >> 50 & 1 != 0;
                            while len > 0 && !(from..from + len).all(|b| owner(b) == t) {
                                len -= 1;
                            }
                            if len == 0 {
                                continue;
                            }
                            let s = site(t, from, len, write, r >> 52 & 3);
                            let epoch = engine.epoch_for_access(&mut thread).unwrap();
                            let made = r >> 60 & 3 != 0
                                && detector.access_shortly(
                                    &mut thread,
                                    &buffers,
                                    (from, len),
                                    (epoch, write),
                                    s,
                                );
                            if !made {
                                let kind = if write { Access::Write } else { Access::Read };
                                detector
                                    .access(
                                        &mut thread,
                                        &mut buffers,
                                        (from, len),
                                        kind,
                                        s,
                                        |_, race| panic!("no race: {race:?}"),
                                    )
                                    .unwrap();
                            }
                            (from..from + len)
                                .for_each(|b| done[write as usize][b as usize] = true);
                        }
                        done
                    })
                })
                .collect();
            for one in all {
                let of_one = one.join().unwrap();
                for k in 0..2 {
                    for b in 0..128 {
                        done[k][b] |= of_one[k][b];
                    }
                }
            }
        });
        // Records.
        let mut used: Vec<u32> = Vec::new();
        for (_, word, numbers) in &lines.0 {
            assert_eq!(word.load(Ordering::Relaxed) >> 31, 0);
            if word.load(Ordering::Relaxed) >> 30 & 1 != 0 {
                used.extend(
                    numbers
                        .iter()
                        .map(|n| n.load(Ordering::Relaxed))
                        .filter(|n| n & RECORD != 0)
                        // A large record is two halves of a unit.
                        .flat_map(|n| {
                            let half = n & ((1 << 29) - 1);
                            half..half + 1 + (n >> 31)
                        }),
                );
            }
        }
        let records = used.len();
        let all = used.len();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used.len(), all, "seed {seed}: a record twice");
        // A witness of everything.
        let mut witness = engine.unrelated_thread().unwrap();
        let mut buffers = Buffers::default();
        let mut seen = [[false; 128]; 2];
        for line in [0, 64] {
            let found = |_: &mut Thread, race: Race| {
                for bit in (0..8).filter(|bit| race.earlier.tag.mask() >> bit & 1 != 0) {
                    let byte = (race.addr & !7) + bit as u64;
                    let s = sites.at(race.earlier.site, bit);
                    assert!(
                        s > 0 && s < COMBINED,
                        "seed {seed}: byte {byte} {race:?} {s}"
                    );
                    let (t, from, len, write) = of_site(s);
                    assert!(
                        t == owner(byte)
                            && (from..from + len).contains(&byte)
                            && write == race.earlier.write,
                        "seed {seed}: byte {byte} {race:?} has the site of {t} {from}+{len} {write}"
                    );
                    seen[write as usize][byte as usize] = true;
                }
            };
            detector
                .access(
                    &mut witness,
                    &mut buffers,
                    (line, 64),
                    Access::Write,
                    1 << 19,
                    found,
                )
                .unwrap();
        }
        for b in 0..128 {
            assert_eq!(
                done[0][b] || done[1][b],
                seen[0][b] || seen[1][b],
                "seed {seed}: byte {b}"
            );
            // The owner's read after a write in another epoch is there beside it.
            assert!(
                !done[1][b] || seen[1][b],
                "seed {seed}: the write of byte {b} is lost"
            );
        }
        records
    }
}
