//! How much memory the shadow takes: what is resident of it, as the kernel counts. For `stats=1`.

use crate::shadow;
use crate::sys;

/// Bytes that are resident of the cells, and of the runtime's other large tables (line words, sites of words, epochs).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Resident {
    pub cells: u64,
    pub tables: u64,
}

pub fn resident(cells: &[(u64, u64)]) -> Resident {
    let smaps = sys::read_file(c"/proc/thread-self/smaps", 256 << 20).unwrap_or_default();
    sums(
        &String::from_utf8_lossy(&smaps),
        cells,
        &shadow::own_ranges(),
    )
}

fn sums(smaps: &str, cells: &[(u64, u64)], tables: &[(u64, u64)]) -> Resident {
    let mut sums = Resident::default();
    let mut mapping = (0, 0);
    // A mapping can be larger than what is in it of ours, if neighbours were joined; those are ours as well.
    let meets = |ranges: &[(u64, u64)], (start, end): (u64, u64)| {
        ranges.iter().any(|&(from, to)| from < end && to > start)
    };
    for line in smaps.lines() {
        if let Some(range) = shadow::range(line) {
            mapping = range;
            continue;
        }
        let size = line
            .strip_prefix("Rss:")
            .and_then(|rest| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        match size {
            Some(size) if meets(cells, mapping) => sums.cells += size << 10,
            Some(size) if meets(tables, mapping) => sums.tables += size << 10,
            _ => {}
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "\
00400000-00500000 r-xp 00000000 08:01 1 /bin/program
Size:               1024 kB
Rss:                1024 kB
10000000-20000000 rw-p 00000000 00:00 0
Rss:                  12 kB
Pss:                  12 kB
30000000-40000000 rw-p 00000000 00:00 0
Rss:                   8 kB
50000000-60000000 rw-p 00000000 00:00 0
Rss:                   4 kB
";

    #[test]
    fn what_is_resident_is_counted_where_it_belongs() {
        let cells = [(0, 0), (0x1000_0000, 0x2000_0000)];
        let tables = [(0x3000_0000, 0x3000_1000), (0x5fff_f000, 0x6000_0000)];
        let expected = Resident {
            cells: 12 << 10,
            tables: 12 << 10,
        };
        assert_eq!(sums(SMAPS, &cells, &tables), expected);
    }

    #[test]
    fn the_kernel_is_understood() {
        let page = vec![1u8; 1 << 20];
        let at = page.as_ptr() as u64;
        let resident = resident(&[(at, at + (1 << 20))]);
        assert!(resident.cells >= 1 << 20, "{resident:?}");
    }
}
