//! Every test that `docs/model.md` names for what a program does is there.

use std::collections::BTreeSet;

use libtest_mimic::Trial;

use crate::place;

const TABLE: &str = "### Programs";

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("named/every_test_of_the_model_exists", || {
        Ok(check()?)
    })]
}

fn check() -> Result<(), String> {
    let path = place::tests().join("../docs/model.md");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut there = BTreeSet::new();
    for folder in [
        "programs/race",
        "programs/norace",
        "programs/misuse",
        "lifecycle",
    ] {
        for source in place::sources(folder) {
            let name = place::name(&source);
            there.insert(name.split('.').next().unwrap_or_default().to_owned());
        }
    }
    let patterns = patterns(&text);
    if patterns.len() < 40 {
        return Err(format!("the table names {} tests only", patterns.len()));
    }
    let missing: Vec<&str> = patterns
        .into_iter()
        .filter(|pattern| !there.iter().any(|name| fits(pattern, name)))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("named, but not there: {}", missing.join(", ")))
    }
}

/// What is in the last column of the table, but for suites.
fn patterns(text: &str) -> Vec<&str> {
    let table = text.split_once(TABLE).map_or("", |(_, after)| after);
    let rows = table
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    let last = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit_once(" | "));
    last.flat_map(|(_, tests)| {
        let parts: Vec<&str> = tests.split('`').collect();
        let named = parts
            .chunks(2)
            .filter(|pair| !pair[0].ends_with("suite "))
            .filter_map(|pair| pair.get(1).copied());
        named.filter(|name| *name != "litmus").collect::<Vec<_>>()
    })
    .collect()
}

/// Whether a name is what a pattern says, in which a star stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|left| {
            (0..=left.len())
                .any(|skipped| left.is_char_boundary(skipped) && fits(rest, &left[skipped..]))
        }),
    }
}
