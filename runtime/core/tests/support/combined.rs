//! A table of sites that were made one, which tells of each byte whose site it is.

use goldilocks_core::detector::Sites;
use goldilocks_core::line::Site;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The sites that stand for several begin here.
pub const COMBINED: Site = 1 << 20;

pub struct Combined {
    /// Old ones, new ones, and the bytes that are the new one's.
    pairs: Mutex<Vec<(Site, Site, u8)>>,
    /// With so many names, words get records.
    many: usize,
    /// What is remembered by a hash for all threads, if it is.
    noted: Option<Mutex<BTreeMap<u64, u32>>>,
}

impl Combined {
    pub fn new(many: usize) -> Combined {
        Combined {
            pairs: Mutex::default(),
            many,
            noted: None,
        }
    }
    /// The same, where each thread finds the names that others have made.
    pub fn remembered(self) -> Combined {
        Combined {
            noted: Some(Mutex::default()),
            ..self
        }
    }
    /// The site that this one stands for at a byte, 0..8, of its word.
    pub fn at(&self, mut site: Site, byte: u32) -> Site {
        while site >= COMBINED {
            let (old, new, mask) = self.pairs.lock().unwrap()[(site - COMBINED) as usize];
            site = if mask >> byte & 1 != 0 { new } else { old };
        }
        site
    }
}

impl Sites for Combined {
    fn are_many(&self) -> bool {
        self.pairs.lock().unwrap().len() >= self.many
    }
    fn combine(&self, old: Site, _: u8, new: Site, mask: u8) -> Site {
        let mut pairs = self.pairs.lock().unwrap();
        pairs.push((old, new, mask));
        COMBINED + pairs.len() as Site - 1
    }
    fn pair(&self, write: Site, read: Site) -> u32 {
        self.combine(write, 0xff, read, 0) - COMBINED
    }
    fn split(&self, pair: u32) -> (Site, Site) {
        let (write, read, _) = self.pairs.lock().unwrap()[pair as usize];
        (write, read)
    }
    fn recall(&self, key: u64) -> Option<u32> {
        self.noted.as_ref()?.lock().unwrap().get(&key).copied()
    }
    fn note(&self, key: u64, number: u32) {
        if let Some(noted) = &self.noted {
            noted.lock().unwrap().insert(key, number);
        }
    }
}
