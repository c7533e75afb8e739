//! Debian's source packages, by apt-get with lists and settings of its own: the system's are not touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use crate::directives::Exit;
use crate::{execute, place};

const LIMIT: Duration = Duration::from_secs(300);
const SUITE: &str = "bookworm";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// apt-get locks its lists, and two tests may ask at the same time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The original sources of these packages, fetched once. An error says what could not be had.
pub fn sources(packages: &[String]) -> Result<Vec<PathBuf>, String> {
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    packages.iter().map(|package| source(package)).collect()
}

fn source(package: &str) -> Result<PathBuf, String> {
    let folder = place::results("sources").join(package);
    if let Some(archive) = archive(&folder) {
        return Ok(archive);
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let apt = Apt::new()?;
    if !apt.has_lists() {
        apt.run(&["update"], &folder)?;
    }
    apt.run(
        &["source", "--download-only", "--tar-only", package],
        &folder,
    )?;
    archive(&folder).ok_or_else(|| format!("{package}: no archive in {}", folder.display()))
}

fn archive(folder: &Path) -> Option<PathBuf> {
    place::files(folder, &["gz", "xz", "bz2"])
        .into_iter()
        .find(|path| place::name(path).contains(".orig.tar."))
}

struct Apt {
    state: PathBuf,
}

impl Apt {
    fn new() -> Result<Apt, String> {
        let state = place::results("sources").join("apt");
        for folder in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(state.join(folder)).map_err(|error| error.to_string())?;
        }
        let line = format!("deb-src [signed-by={KEYS}] {} {SUITE} main\n", mirror());
        fs::write(state.join("sources.list"), line).map_err(|error| error.to_string())?;
        Ok(Apt { state })
    }

    fn has_lists(&self) -> bool {
        let entries = fs::read_dir(self.state.join("lists"))
            .into_iter()
            .flatten()
            .flatten();
        entries
            .map(|entry| entry.file_name())
            .any(|name| name.to_string_lossy().contains("Sources"))
    }

    fn run(&self, arguments: &[&str], folder: &Path) -> Result<(), String> {
        let mut apt = Command::new("apt-get");
        apt.current_dir(folder)
            .env("DEBIAN_FRONTEND", "noninteractive");
        for (key, value) in [
            (
                "Dir::Etc::sourcelist",
                self.state.join("sources.list").display().to_string(),
            ),
            ("Dir::Etc::sourceparts", "-".to_owned()),
            (
                "Dir::State::lists",
                self.state.join("lists").display().to_string(),
            ),
            ("Dir::Cache", self.state.join("cache").display().to_string()),
            // Otherwise root fetches as a user who may not write here.
            ("APT::Sandbox::User", "root".to_owned()),
            ("Acquire::Retries", "2".to_owned()),
            ("Acquire::http::Timeout", "20".to_owned()),
        ] {
            apt.arg("-o").arg(format!("{key}={value}"));
        }
        apt.arg("-qq").args(arguments);
        let outcome = execute::run(&mut apt, &folder.join("apt"), LIMIT)?;
        if outcome.exit == Exit::Code(0) {
            return Ok(());
        }
        let last = outcome
            .stderr
            .lines()
            .last()
            .unwrap_or("no word")
            .to_owned();
        Err(format!("apt-get {} failed: {last}", arguments.join(" ")))
    }
}

/// The mirror that this system uses for Debian.
fn mirror() -> String {
    let deb822 = fs::read_to_string("/etc/apt/sources.list.d/debian.sources").unwrap_or_default();
    let one_line = fs::read_to_string("/etc/apt/sources.list").unwrap_or_default();
    let from_deb822 = deb822
        .lines()
        .filter_map(|line| line.strip_prefix("URIs:"))
        .flat_map(str::split_whitespace);
    let from_one_line = one_line
        .lines()
        .filter(|line| line.starts_with("deb "))
        .flat_map(|line| {
            line.split_whitespace()
                .filter(|word| word.starts_with("http"))
        });
    let mirror = from_deb822
        .chain(from_one_line)
        .find(|uri| !uri.contains("security"));
    mirror.unwrap_or("http://deb.debian.org/debian").to_owned()
}
