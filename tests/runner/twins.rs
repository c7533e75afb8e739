//! `programs/race` and `programs/norace`: tiny programs with a race, and their twins without. `programs/misuse`: programs with
//! another finding, which their directives state; their twins are in `programs/norace`, too.

use libtest_mimic::Trial;

use crate::compiled::{Program, Verdict};
use crate::directives::Directives;
use crate::place;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (folder, verdict) in [
        ("race", Verdict::Race),
        ("misuse", Verdict::Stated),
        ("norace", Verdict::Silent),
    ] {
        for source in place::sources(&format!("programs/{folder}")) {
            let suite = format!("twins/{folder}");
            trials.extend(at_every_level(&suite, &source, move |_| verdict));
        }
    }
    trials
}

/// A test for each level at which the program wants to be compiled.
pub fn at_every_level(
    suite: &str,
    source: &std::path::Path,
    verdict: impl Fn(&Directives) -> Verdict + Clone + Send + 'static,
) -> Vec<Trial> {
    let name = format!("{suite}/{}", place::name(source));
    let levels = match Directives::read(source) {
        Ok(directives) => directives.levels,
        Err(error) => return vec![Trial::test(name, move || Err(error.into()))],
    };
    let trial = |level: &String| {
        let (suite, source, level, verdict) = (
            suite.to_owned(),
            source.to_path_buf(),
            level.clone(),
            verdict.clone(),
        );
        Trial::test(format!("{name}/{level}"), move || {
            let directives = Directives::read(&source)?;
            let verdict = verdict(&directives);
            Ok(Program::new(&suite, &source, &level, directives)?.test(verdict)?)
        })
    };
    levels.iter().map(trial).collect()
}
