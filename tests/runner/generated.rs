//! Random programs whose races are known (`generator/`): a few hundred executions, one unit for each way of compiling. Many
//! more are run by `cargo xtask fuzz --programs N`.

use goldilocks_generator::unit::{self, Mode, Setting};
use libtest_mimic::Trial;

use crate::place;

/// A unit for each way of compiling, and one in C++.
const SEEDS: [u64; 7] = [1, 2, 3, 4, 5, 6, 8];
const PROGRAMS: usize = 12;
const SCHEDULES: usize = 10;

pub fn trials() -> Vec<Trial> {
    let trial = |seed: u64| {
        let mode = Mode::of(seed);
        let name = format!(
            "generated/{:?}{}-{seed}",
            mode.language,
            mode.flags.concat()
        );
        Trial::test(name, move || Ok(test(seed)?))
    };
    SEEDS.into_iter().map(trial).collect()
}

fn test(seed: u64) -> Result<(), String> {
    let setting = Setting {
        home: place::home(),
        tests: place::tests(),
        out: place::results("generated"),
    };
    let scenarios = unit::scenarios(seed, PROGRAMS, SCHEDULES);
    let (tally, failures) = unit::test(&setting, &Mode::of(seed), &scenarios, &seed.to_string())
        .map_err(|error| format!("{error:#}"))?;
    if let Some(failure) = failures.first() {
        return Err(format!(
            "{} of {} executions; program {} under schedule {}: {:?}: {}\nto make it small:\n\
             $ cargo xtask fuzz --seed {seed} --programs 1 --scenarios {PROGRAMS} --schedules {SCHEDULES}",
            failures.len(),
            tally.executions,
            failure.scenario,
            failure.run,
            failure.kind,
            failure.text
        ));
    }
    if tally.racing_bytes == 0 || tally.silent == 0 {
        return Err(format!("it tests too little: {tally:?}"));
    }
    Ok(())
}
