//! `advisories/`: published versions of crates of which the Rust security advisories say that they let threads race. A driver in
//! `rust/advisories` uses the crate without any unsafe access of its own; with the version that is known to be wrong it is
//! reported, and with the repaired one it is silent, or does not compile.
//!
//! Needs the crate registry, so it runs with `cargo xtask test --registry` alone (`GOLDILOCKS_REGISTRY`). The head of a driver says
//!
//! | line | meaning |
//! |---|---|
//! | `// CRATE: name` | what it depends on |
//! | `// FEATURES: a b` | of the crate |
//! | `// VULNERABLE: =1.2.3`, `// FIXED: =1.2.4` | versions |
//! | `// FIXED-IS: refused` | the compiler refuses the driver with the repaired version |
//! | `// EXPECT: regex` | a report of the wrong version has this |

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use regex::Regex;

use crate::compiled::{FINDING, RACE};
use crate::directives::Exit;
use crate::{execute, place};

/// A first build downloads and compiles.
const LIMIT: Duration = Duration::from_secs(600);
/// Schedules to try until a race that needs one has happened.
const ATTEMPTS: u32 = 5;

pub fn trials() -> Vec<Trial> {
    if std::env::var_os("GOLDILOCKS_REGISTRY").is_none() {
        return Vec::new();
    }
    let drivers = place::files(&place::tests().join("rust/advisories"), &["rs"]);
    let mut trials = Vec::new();
    for path in drivers {
        for repaired in [false, true] {
            let which = if repaired { "fixed" } else { "vulnerable" };
            let name = format!("advisories/{}/{which}", place::name(&path));
            let path = path.clone();
            trials.push(Trial::test(name, move || {
                Ok(Driver::read(&path)?.test(repaired)?)
            }));
        }
    }
    trials
}

struct Driver {
    name: String,
    text: String,
    crate_name: String,
    features: Vec<String>,
    versions: [String; 2],
    is_refused: bool,
    expect: Vec<Regex>,
}

impl Driver {
    fn read(path: &Path) -> Result<Driver, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let all = |word: &str| {
            let start = format!("// {word}: ");
            let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let one = |word: &str| {
            let value = all(word).into_iter().next();
            value.ok_or_else(|| format!("{}: no {word}", path.display()))
        };
        let features = all("FEATURES").join(" ");
        let expect: Result<Vec<Regex>, _> = all("EXPECT").iter().map(|e| Regex::new(e)).collect();
        let expect = expect.map_err(|error| error.to_string())?;
        if expect.is_empty() {
            return Err(format!("{}: no EXPECT", path.display()));
        }
        Ok(Driver {
            name: place::name(path).trim_end_matches(".rs").to_owned(),
            crate_name: one("CRATE")?,
            features: features.split_whitespace().map(str::to_owned).collect(),
            versions: [one("VULNERABLE")?, one("FIXED")?],
            is_refused: all("FIXED-IS") == ["refused"],
            expect,
            text,
        })
    }

    fn test(&self, repaired: bool) -> Result<(), String> {
        let version = &self.versions[usize::from(repaired)];
        let results = place::results("advisories");
        let folder = results.join(format!("{}-{}", self.name, version.trim_start_matches('=')));
        self.write(&folder, version)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        for attempt in 1.. {
            let mut command = Command::new("cargo");
            let path = std::env::var("PATH").unwrap_or_default();
            command
                .args(["goldilocks", "run", "--release"])
                .current_dir(&folder)
                .env(
                    "PATH",
                    format!("{}:{path}", place::home().join("bin").display()),
                )
                .env("CARGO_TARGET_DIR", results.join("target"))
                .env_remove("GOLDILOCKS_OPTIONS")
                .env_remove("RUSTFLAGS")
                .env_remove("RUSTC_WRAPPER");
            let outcome = execute::run(&mut command, &folder.join("output"), LIMIT)?;
            let text = &outcome.stderr;
            let refused = text.contains("error[E0277]") && !text.contains("error: failed to");
            let good = match (repaired, self.is_refused) {
                (true, true) => refused && outcome.exit != Exit::Code(0),
                (true, false) => outcome.exit == Exit::Code(0) && !text.contains(RACE),
                _ => {
                    let expected = self.expect.iter().all(|regex| regex.is_match(text));
                    expected && outcome.exit == FINDING
                }
            };
            if good {
                return Ok(());
            }
            let by_chance = !repaired && outcome.exit == Exit::Code(0) && attempt < ATTEMPTS;
            if !by_chance {
                let shown = execute::shown(&outcome.stdout, text);
                return Err(format!("{version}: ended with {:?}\n{shown}", outcome.exit));
            }
        }
        unreachable!("the last attempt returns")
    }

    fn write(&self, folder: &Path, version: &str) -> std::io::Result<()> {
        fs::create_dir_all(folder.join("src"))?;
        // A name of its own, as all are built into one folder.
        let package = format!("{}_{}", self.name, version.replace(['=', '.'], "_"));
        let manifest = format!(
            "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n\n\
             [dependencies]\n{} = {{ version = \"{version}\", features = {:?} }}\n",
            self.crate_name, self.features
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), &self.text)
    }
}
