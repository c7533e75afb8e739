//! `cargo xtask crates`: the own tests of published crates, under `cargo goldilocks`. Each has to pass without a report, with the
//! suppressions that docs/rust-crates.md explains. Takes long, and the registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::test::Tally;
use crate::{dist, layout, process, setup};

/// A crate whose tests are run.
struct Published {
    name: &'static str,
    version: &'static str,
    /// What cargo is told besides, separated by spaces.
    words: &'static str,
    /// Whole names of tests that fail for reasons of time: not run.
    skip: &'static [&'static str],
    /// Races that are intended.
    suppressions: &'static [&'static str],
}

const fn published(name: &'static str, version: &'static str) -> Published {
    Published {
        name,
        version,
        words: "",
        skip: &[],
        suppressions: &[],
    }
}

const DEQUE: &str = "race:crossbeam_deque::deque::Buffer";
const ATOMIC_CELL: &str = "race:crossbeam_utils::atomic::atomic_cell::atomic_load";
const TOKIO: &str = "--features full,test-util --test sync_barrier --test sync_broadcast --test sync_mpsc --test sync_mutex --test sync_notify \
                     --test sync_oneshot --test sync_rwlock --test sync_semaphore --test sync_set_once --test sync_watch \
                     --test rt_threaded";

const ALL: [Published; 15] = [
    published("arc-swap", "1.9.3"),
    published("bytes", "1.12.1"),
    Published {
        // It counts the ticks of a time.
        skip: &["ready"],
        suppressions: &[ATOMIC_CELL],
        ..published("crossbeam-channel", "0.5.17")
    },
    Published {
        suppressions: &[DEQUE],
        ..published("crossbeam-deque", "0.8.8")
    },
    published("crossbeam-epoch", "0.9.21"),
    published("crossbeam-queue", "0.3.14"),
    published("crossbeam-utils", "0.8.23"),
    published("dashmap", "6.2.1"),
    Published {
        // It wants an answer within milliseconds.
        skip: &["recv_deadline"],
        ..published("flume", "0.11.1")
    },
    published("lock_api", "0.4.14"),
    published("once_cell", "1.21.4"),
    published("parking_lot", "0.12.5"),
    published("parking_lot_core", "0.9.12"),
    Published {
        suppressions: &[DEQUE],
        ..published("rayon-core", "1.13.0")
    },
    Published {
        words: TOKIO,
        ..published("tokio", "1.54.1")
    },
];

/// Which of them, and for how long each.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    filter: Option<String>,
    /// Seconds, of the build and the tests together.
    limit: u64,
}

impl Plan {
    pub fn parse(arguments: &[String]) -> Result<Plan> {
        let mut plan = Plan {
            filter: None,
            limit: 1800,
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--limit" => {
                    let seconds = rest.next().context("--limit needs a number of seconds")?;
                    plan.limit = seconds
                        .parse()
                        .with_context(|| format!("--limit {seconds}"))?;
                }
                option if option.starts_with('-') => {
                    bail!("unknown option `{option}`; see `cargo xtask help`")
                }
                name if plan.filter.is_none() => plan.filter = Some(name.to_owned()),
                extra => bail!("one name at most, but got `{extra}` too"),
            }
        }
        Ok(plan)
    }

    fn chosen(&self) -> Vec<&'static Published> {
        let filter = self.filter.as_deref().unwrap_or_default();
        let is_one = |one: &&Published| one.name.contains(filter);
        ALL.iter().filter(is_one).collect()
    }
}

pub fn run(plan: Plan) -> Result<ExitCode> {
    let chosen = plan.chosen();
    if chosen.is_empty() {
        let names: Vec<&str> = ALL.iter().map(|one| one.name).collect();
        bail!("none of {} has that in its name", names.join(", "));
    }
    setup::run(&[setup::REFERENCE_LLVM])?;
    let tree = dist::run()?;
    let mut good = true;
    for one in chosen {
        let start = Instant::now();
        let folder = one.fetch()?;
        let (outcome, tally) = one.test(&tree, &folder, plan.limit)?;
        good &= outcome.is_none();
        println!(
            "{} {}: {} tests passed, {} failed, {:.0} s: {}",
            one.name,
            one.version,
            tally.passed,
            tally.failed,
            start.elapsed().as_secs_f64(),
            outcome.as_deref().unwrap_or("green")
        );
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn results() -> PathBuf {
    layout::target().join("crates")
}

impl Published {
    /// A copy of the source that cargo has from the registry, as a workspace of its own.
    fn fetch(&self) -> Result<PathBuf> {
        let folder = results().join(format!("{}-{}", self.name, self.version));
        let from = self.downloaded()?;
        copy(&from, &folder).with_context(|| format!("copying {}", from.display()))?;
        let manifest = folder.join("Cargo.toml");
        let mut text = fs::read_to_string(&manifest)?;
        text += "\n[workspace]\n";
        if !self.suppressions.is_empty() {
            text += &format!(
                "\n[package.metadata.goldilocks]\nsuppressions = {:?}\n",
                self.suppressions
            );
        }
        fs::write(&manifest, text)?;
        Ok(folder)
    }

    /// Where cargo keeps what a package that depends on the crate needs.
    fn downloaded(&self) -> Result<PathBuf> {
        let user = results().join("user").join(self.name);
        fs::create_dir_all(user.join("src"))?;
        fs::write(user.join("src/lib.rs"), "")?;
        fs::write(
            user.join("Cargo.toml"),
            format!(
                "[package]\nname = \"user\"\nversion = \"0.1.0\"\n\n[workspace]\n\n[dependencies]\n{} = \"={}\"\n",
                self.name, self.version
            ),
        )?;
        let mut metadata = process::cargo();
        metadata
            .args(["metadata", "--quiet", "--format-version=1"])
            .current_dir(&user);
        let description = process::stdout(&mut metadata)?;
        let manifest = format!("/{}-{}/Cargo.toml\"", self.name, self.version);
        let end = description
            .find(&manifest)
            .with_context(|| format!("cargo does not say where {} is", self.name))?;
        let start = description[..end].rfind('"').map_or(0, |quote| quote + 1);
        let folder = &description[start..end + manifest.len() - "/Cargo.toml\"".len()];
        Ok(PathBuf::from(folder))
    }

    /// What is wrong, if anything is, and how many tests there were. All that was printed is in a file beside the folder.
    fn test(&self, tree: &Path, folder: &Path, limit: u64) -> Result<(Option<String>, Tally)> {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("timeout");
        command
            .args(["--kill-after=10", &limit.to_string()])
            .args(["cargo", "goldilocks", "test", "--release", "--no-fail-fast"])
            .args(self.words.split_whitespace());
        if !self.skip.is_empty() {
            command.args(["--", "--exact"]);
            for name in self.skip {
                command.args(["--skip", name]);
            }
        }
        let log = folder.with_file_name(format!("{}.log", self.name));
        let file = fs::File::create(&log)?;
        command
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", tree.join("bin").display()))
            .env("CARGO_TARGET_DIR", results().join("target"))
            .env_remove("RUSTFLAGS")
            .env_remove("GOLDILOCKS_OPTIONS")
            .stdin(Stdio::null())
            .stderr(file.try_clone()?)
            .stdout(file);
        let text = process::display(&command);
        let status = command
            .status()
            .with_context(|| format!("running {text}"))?;
        let printed = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        let mut tally = Tally::default();
        for line in printed.lines() {
            tally.add(Tally::parse(line).unwrap_or_default());
        }
        let found = printed
            .lines()
            .rfind(|line| line.starts_with("goldilocks: ") && line.ends_with(" in this run"));
        let wrong = match status.code() {
            Some(0) if tally.passed > 0 => None,
            Some(0) => Some("no test was run".to_owned()),
            Some(124) => Some(format!("not done within {limit} s")),
            _ => Some(found.map_or_else(|| status.to_string(), str::to_owned)),
        };
        let wrong = wrong.map(|wrong| format!("{wrong}; see {}", log.display()));
        Ok((wrong, tally))
    }
}

/// As it was published, but for what says which toolchain its authors use.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else if !name.to_string_lossy().starts_with("rust-toolchain") {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Plan> {
        Plan::parse(&arguments.iter().map(|a| a.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn crates_are_chosen_by_part_of_their_name() {
        let plan = parse(&["parking", "--limit", "60"]).unwrap();
        assert_eq!(plan.limit, 60);
        let names: Vec<&str> = plan.chosen().iter().map(|one| one.name).collect();
        assert_eq!(names, ["parking_lot", "parking_lot_core"]);
        assert_eq!(parse(&[]).unwrap().chosen().len(), ALL.len());
        for wrong in [&["--limit"][..], &["--limit", "x"], &["--all"], &["a", "b"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_copy_leaves_the_choice_of_toolchain_out() {
        let root = std::env::temp_dir().join(format!("goldilocks-crates-{}", std::process::id()));
        fs::create_dir_all(root.join("from/src")).unwrap();
        for file in [
            "from/Cargo.toml",
            "from/src/lib.rs",
            "from/rust-toolchain.toml",
        ] {
            fs::write(root.join(file), "x").unwrap();
        }
        copy(&root.join("from"), &root.join("to")).unwrap();
        assert!(root.join("to/src/lib.rs").exists() && root.join("to/Cargo.toml").exists());
        assert!(!root.join("to/rust-toolchain.toml").exists());
        fs::remove_dir_all(&root).unwrap();
    }
}
