//! What the runtime counts (`stats=1`), as numbers with names.

use std::collections::BTreeMap;

use crate::suite::Measured;

pub type Counters = BTreeMap<String, u64>;

/// From what the program said: `name: 12` and `12 of something` in the lines that start with `Goldilocks: `, where the first
/// names the counter and the second is named by what follows the number.
pub fn parse(stderr: &str) -> Counters {
    let mut counters = Counters::new();
    for line in stderr.lines() {
        let Some(line) = line.strip_prefix("Goldilocks: ") else {
            continue;
        };
        let parts = line.split([',', '{', '}']).map(str::trim);
        for part in parts {
            let named = part.rsplit_once(": ").unwrap_or(("", ""));
            let counted = part.split_once(' ').unwrap_or(("", ""));
            if let Ok(value) = named.1.parse() {
                counters.insert(named.0.replace(' ', "_"), value);
            } else if let Ok(value) = counted.0.parse() {
                counters.insert(counted.1.replace(' ', "_"), value);
            }
        }
    }
    counters
}

/// One line for each workload, without what is zero.
pub fn screen(measured: &[Measured]) -> String {
    let mut text = String::new();
    for m in measured {
        let counters: Vec<String> = m
            .counters
            .iter()
            .filter(|(_, value)| **value != 0)
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        if !counters.is_empty() {
            text.push_str(&format!("{}: {}\n", m.case.name, counters.join(", ")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let counters = parse(
            "Goldilocks: counts: Counts { sc1: 7, walks: 0 }\nx: 9\nGoldilocks: 40 cells pending, 392 bytes of sites\n",
        );
        let expected = [
            ("sc1", 7),
            ("walks", 0),
            ("cells_pending", 40),
            ("bytes_of_sites", 392),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value));
        assert_eq!(counters, Counters::from(expected));
    }
}
