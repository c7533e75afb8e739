//! `programs/race` and `programs/norace`: tiny programs with a race, and their twins without. `programs/misuse`: programs with
//! another finding, which their directives state; their twins are in `programs/norace`, too.
//!
//! Those about C++'s own synchronization, and what its library does to the program's memory, are run with libc++ as well, where it is installed.

use std::path::Path;

use libtest_mimic::Trial;

use crate::compiled::{Program, Verdict};
use crate::directives::Directives;
use crate::place;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let libcxx = place::llvm_bin()
        .with_file_name("include/c++/v1/mutex")
        .exists();
    for (folder, verdict) in [
        ("race", Verdict::Race),
        ("misuse", Verdict::Stated),
        ("norace", Verdict::Silent),
    ] {
        for source in place::sources(&format!("programs/{folder}")) {
            let suite = format!("twins/{folder}");
            trials.extend(at_every_level(&suite, &source, move |_| verdict));
            let name = place::name(&source);
            let about_library = ["sync_cpp_", "cxx_library_"]
                .iter()
                .any(|prefix| name.starts_with(prefix));
            if libcxx && about_library {
                trials.extend(with_libcxx(&suite, &source, verdict));
            }
        }
    }
    trials
}

/// A test for each way to link the program with libc++.
fn with_libcxx(suite: &str, source: &Path, verdict: Verdict) -> Vec<Trial> {
    let name = format!("{suite}-libcxx/{}", place::name(source));
    let mut ways = match Directives::read(source) {
        Ok(directives) => directives.libcxx,
        Err(error) => return vec![Trial::test(name, move || Err(error.into()))],
    };
    if ways.is_empty() {
        ways.push("dynamic".to_owned());
    }
    let trial = |way: String| {
        let (suite, source) = (format!("{suite}-libcxx-{way}"), source.to_path_buf());
        Trial::test(format!("{name}/{way}"), move || {
            let mut directives = Directives::read(&source)?;
            directives.flags.push("-stdlib=libc++".to_owned());
            match way.as_str() {
                "dynamic" => {}
                "static" => directives.flags.push("-static-libstdc++".to_owned()),
                other => return Err(format!("libc++ cannot be linked `{other}`").into()),
            }
            Ok(Program::new(&suite, &source, "O1", directives)?.test(verdict)?)
        })
    };
    ways.into_iter().map(trial).collect()
}

/// A test for each level at which the program wants to be compiled.
pub fn at_every_level(
    suite: &str,
    source: &Path,
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
