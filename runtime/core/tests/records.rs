//! Records beside threads that are at one word at the same time.
//!
//! `GOLDILOCKS_ROUNDS=n` sets the number of rounds of the threads.

#![cfg(not(loom))]

mod support;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |value| value.parse().expect("a number"))
}

mod at_once {
    use super::support::combined::{COMBINED, Combined};
    use super::support::memory::Tables;
    use super::support::random::Random;
    use goldilocks_core::detector::{Buffers, Detector, Found, Parts, Race, Shadow};
    use goldilocks_core::event::{Access, Effect, Entity, Role};
    use goldilocks_core::goldilocks::{Config, Engine, Thread};
    use goldilocks_core::line::Site;
    use goldilocks_core::records::{READERS, RECORD};
    use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

    struct Lines([([AtomicU64; 8], AtomicU32, [AtomicU32; 8]); 2]);
    impl Shadow for Lines {
        fn line(&self, addr: u64) -> Parts<'_> {
            let (cells, word, sites) = &self.0[(addr >> 6) as usize];
            Parts { cells, word, sites }
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
        let sites = Combined::new(names);
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
                        let mut buffers = Buffers::with_sets_after(1, 1);
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
                                    (&buffers, &mut Found::default()),
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
                        // A large record is two halves of a unit, a huge one four.
                        .flat_map(|n| {
                            let half = n & ((1 << 29) - 1);
                            match (n >> 31, n & 1) {
                                (0, _) => half..half + 1,
                                (_, 0) => half..half + 2,
                                _ => half - 1..half + 3,
                            }
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
        let mut buffers = Buffers::with_sets_after(1, 1);
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

    /// Threads read one word in epoch after epoch, of which nobody hears, while another one writes beside it.
    #[test]
    fn the_last_read_of_each_thread_is_there() {
        let rounds = super::setting("GOLDILOCKS_ROUNDS", 30);
        let of_readers = (1..=rounds).filter(|&seed| readers(seed)).count();
        assert!(of_readers > rounds as usize / 2, "{of_readers} of {rounds}");
    }

    /// Whether the word had a record of readers.
    fn readers(seed: u64) -> bool {
        let tables = Tables::take();
        let engine = Engine::new(tables.epochs(1 << 14), 8, Config::default());
        let slab = tables.slab();
        let lines = Lines(Default::default());
        let sites = Combined::new([0, 1000][seed as usize % 2]);
        let detector = Detector {
            engine: &engine,
            slab: &slab,
            shadow: &lines,
            sites: &sites,
        };
        let readers = 2 + seed as usize % 3;
        let threads: Vec<Thread> = (0..=readers)
            .map(|_| engine.unrelated_thread().unwrap())
            .collect();
        let act = |t: usize, mut thread: Thread| {
            let mut random = Random(seed << 8 | t as u64);
            let mut buffers = Buffers::with_sets_after(1, 1);
            let object = Entity::object(50 + t as u64, Role::Object);
            let mut last = None;
            for _ in 0..600 {
                let r = random.next();
                if r & 3 == 0 {
                    engine.sync(&mut thread, Effect::RELEASE, object, 0);
                    continue;
                }
                let write = t == readers;
                let (from, len) = if write {
                    [(8, 8), (12, 4), (17, 1)][(r >> 8) as usize % 3]
                } else {
                    (0, 8)
                };
                let epoch = engine.epoch_for_access(&mut thread).unwrap();
                let (place, how) = ((from, len), (epoch, write));
                let site = site(t, from, len, write, 0);
                let shortly = r >> 60 & 7 != 0;
                if !(shortly
                    && detector.access_shortly(
                        &mut thread,
                        (&buffers, &mut Found::default()),
                        place,
                        how,
                        site,
                    ))
                {
                    let kind = if write { Access::Write } else { Access::Read };
                    let found = |_: &mut Thread, race| panic!("no race: {race:?}");
                    detector
                        .access(&mut thread, &mut buffers, place, kind, site, found)
                        .unwrap();
                }
                last = Some(epoch);
            }
            (last.unwrap(), site(t, 0, 8, false, 0))
        };
        let mut last: Vec<_> = std::thread::scope(|scope| {
            let act = &act;
            let all: Vec<_> = (threads.into_iter().enumerate())
                .map(|(t, thread)| scope.spawn(move || act(t, thread)))
                .collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        last.truncate(readers);
        let mut witness = engine.unrelated_thread().unwrap();
        let mut met = Vec::new();
        let found = |_: &mut Thread, race: Race| {
            assert_eq!(race.earlier.tag.mask(), 0xff);
            met.push((race.earlier.tag.epoch(), sites.at(race.earlier.site, 0)));
        };
        let (place, site) = ((0, 8), 1 << 19);
        let number = lines.0[0].2[0].load(Ordering::Relaxed);
        let mut buffers = Buffers::with_sets_after(1, 1);
        detector
            .access(
                &mut witness,
                &mut buffers,
                place,
                Access::Write,
                site,
                found,
            )
            .unwrap();
        for one in last {
            assert!(met.contains(&one), "seed {seed}: {one:?} is not in {met:?}");
        }
        number & RECORD != 0 && number & READERS != 0
    }
}
