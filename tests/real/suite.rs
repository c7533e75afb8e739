//! Programs that we did not write, from Debian's source packages: built once by clang and once with nothing changed but
//! `CC=goldilocks-cc` (`CXX=goldilocks-c++`), and used alike, with threads. Both must give the same output; the second must
//! report what its recipe says, which mostly is nothing.
//!
//! A recipe is a file `NAME.sh` in this folder that defines two shell functions, `build` and `use`. Both run in a folder of their
//! own; `$SRC/PACKAGE` is the unpacked source of a package, `$INPUT` is a text to work on. What `use` prints is compared. Its head says
//!
//! | line | meaning |
//! |---|---|
//! | `# SOURCES: a b` | Debian source packages |
//! | `# QUICK` | belongs to the small set that runs without `--real`, where sources can be fetched |
//! | `# REPORTED: regex` | a report that must be there |
//! | `# KNOWN: regex` | a race that the program does have; any report that matches none of these fails the test |

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use goldilocks_sources::{unpack, write_words};
use libtest_mimic::Trial;
use regex::{Regex, RegexBuilder};

use crate::compiled::RACE;
use crate::directives::Exit;
use crate::{execute, place};

const BUILD_LIMIT: Duration = Duration::from_secs(1200);
const USE_LIMIT: Duration = Duration::from_secs(600);
/// Bytes of `$INPUT`.
const INPUT_BYTES: usize = 8 << 20;

pub fn trials() -> Vec<Trial> {
    let all = std::env::var_os("GOLDILOCKS_REAL").is_some();
    let recipes = place::files(&place::tests().join("real"), &["sh"]);
    let mut trials = Vec::new();
    for path in recipes {
        let name = format!("real/{}", path.file_stem().unwrap_or_default().display());
        match Recipe::read(&path) {
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
            Ok(recipe) if all || recipe.quick => {
                // Without --real a machine that has no network is no failure, but it must be seen.
                let sources = if all {
                    Ok(())
                } else {
                    fetch(&recipe.sources).map(drop)
                };
                if let Err(reason) = &sources {
                    eprintln!("{name} is ignored: {reason}");
                }
                trials.push(
                    Trial::test(name, move || Ok(recipe.test()?))
                        .with_ignored_flag(sources.is_err()),
                );
            }
            Ok(_) => {}
        }
    }
    trials
}

/// Debian's sources, in the folder that the benchmarks use as well.
fn fetch(packages: &[String]) -> Result<Vec<PathBuf>, String> {
    goldilocks_sources::fetch(packages, &place::results("sources"))
}

struct Recipe {
    path: PathBuf,
    sources: Vec<String>,
    quick: bool,
    reported: Vec<Regex>,
    known: Vec<Regex>,
}

impl Recipe {
    fn read(path: &Path) -> Result<Recipe, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut recipe = Recipe {
            path: path.to_path_buf(),
            sources: vec![],
            quick: false,
            reported: vec![],
            known: vec![],
        };
        let pattern = |text: &str| {
            RegexBuilder::new(text)
                .dot_matches_new_line(true)
                .build()
                .map_err(|e| e.to_string())
        };
        for line in text.lines().filter_map(|line| line.strip_prefix("# ")) {
            match line.split_once(": ") {
                Some(("SOURCES", names)) => {
                    recipe.sources = names.split_whitespace().map(str::to_owned).collect()
                }
                Some(("REPORTED", text)) => recipe.reported.push(pattern(text)?),
                Some(("KNOWN", text)) => recipe.known.push(pattern(text)?),
                _ => recipe.quick |= line == "QUICK",
            }
        }
        if recipe.sources.is_empty() {
            return Err(format!("{} names no SOURCES", path.display()));
        }
        Ok(recipe)
    }

    fn name(&self) -> String {
        self.path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    fn test(&self) -> Result<(), String> {
        let archives = fetch(&self.sources)?;
        let native = place::llvm_bin();
        let (expected, _) = self.make_and_use(
            "native",
            &native.join("clang"),
            &native.join("clang++"),
            &archives,
        )?;
        let ours = place::home().join("bin");
        let (printed, said) = self.make_and_use(
            "goldilocks",
            &ours.join("goldilocks-cc"),
            &ours.join("goldilocks-c++"),
            &archives,
        )?;
        let folder = self.folder("goldilocks");
        if printed != expected {
            let folder = folder.display();
            return Err(format!(
                "other output than natively, in {folder}\n--- natively\n{expected}\n--- here\n{printed}"
            ));
        }
        self.judge(&said)
            .map_err(|error| format!("{error}\nall of it is in {}/use.stderr", folder.display()))
    }

    /// Every report is one that the recipe names, and those that it demands are there.
    fn judge(&self, said: &str) -> Result<(), String> {
        let reports: Vec<&str> = said
            .split("==================")
            .filter(|part| part.contains(RACE))
            .collect();
        for wanted in &self.reported {
            if !reports.iter().any(|report| wanted.is_match(report)) {
                return Err(format!(
                    "no report of `{wanted}` among {}\n{}",
                    reports.len(),
                    execute::shown("", said)
                ));
            }
        }
        let explained = |report: &&&str| {
            self.known
                .iter()
                .chain(&self.reported)
                .any(|known| known.is_match(report))
        };
        match reports.iter().find(|report| !explained(report)) {
            Some(report) => Err(format!(
                "a report that is not explained, of {}\n{report}",
                reports.len()
            )),
            None => Ok(()),
        }
    }

    fn folder(&self, variant: &str) -> PathBuf {
        place::results("real").join(self.name()).join(variant)
    }

    /// Builds and uses it with these compilers: what `use` printed, and what it said on standard error.
    fn make_and_use(
        &self,
        variant: &str,
        cc: &Path,
        cxx: &Path,
        archives: &[PathBuf],
    ) -> Result<(String, String), String> {
        let folder = self.folder(variant);
        let text = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(text)?;
        }
        let sources = folder.join("src");
        fs::create_dir_all(&sources).map_err(text)?;
        for (package, archive) in self.sources.iter().zip(archives) {
            unpack(archive, &sources, package)?;
        }
        let input = folder.join("input");
        write_words(INPUT_BYTES, &input).map_err(text)?;
        let step = |name: &str, limit: Duration| {
            let mut shell = Command::new("bash");
            shell
                .current_dir(&folder)
                .env("CC", cc)
                .env("CXX", cxx)
                .env("SRC", &sources)
                .env("INPUT", &input);
            shell
                .env_remove("GOLDILOCKS_OPTIONS")
                .env("RECIPE", &self.path);
            shell.args(["-euc", &format!(". \"$RECIPE\"; {name}")]);
            let outcome = execute::run(&mut shell, &folder.join(name), limit)?;
            // 66 where a report is expected is judged by the report.
            let finding = name == "use" && outcome.exit == Exit::Code(66);
            if outcome.exit == Exit::Code(0) || finding {
                return Ok(outcome);
            }
            let shown = execute::shown(&outcome.stdout, &outcome.stderr);
            Err(format!(
                "{variant}: {name}: {:?}\n{shown}in {}\n$ {}",
                outcome.exit,
                folder.display(),
                execute::display(&shell)
            ))
        };
        step("build", BUILD_LIMIT)?;
        let outcome = step("use", USE_LIMIT)?;
        Ok((outcome.stdout, outcome.stderr))
    }
}
