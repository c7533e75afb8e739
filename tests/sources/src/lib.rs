//! Programs that we did not write, for tests and benchmarks: Debian's source packages, by apt-get with lists and settings of
//! its own (the system's are not touched), and a text for them to work on.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// How long apt-get may take, in seconds.
const LIMIT: &str = "300";
const SUITE: &str = "bookworm";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// apt-get locks its lists, and two tests may ask at the same time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The archives of the original sources of these packages, fetched once into `cache`. An error says what could not be had.
pub fn fetch(packages: &[String], cache: &Path) -> Result<Vec<PathBuf>, String> {
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    packages
        .iter()
        .map(|package| source(package, cache))
        .collect()
}

fn source(package: &str, cache: &Path) -> Result<PathBuf, String> {
    let folder = cache.join(package);
    if let Some(archive) = archive(&folder) {
        return Ok(archive);
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let apt = Apt::new(cache)?;
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
    let files = fs::read_dir(folder).ok()?.flatten();
    let archive = |name: &str| {
        name.contains(".orig.tar.") && [".gz", ".xz", ".bz2"].iter().any(|end| name.ends_with(end))
    };
    files
        .map(|entry| entry.path())
        .find(|path| archive(&path.file_name().unwrap_or_default().to_string_lossy()))
}

struct Apt {
    state: PathBuf,
}

impl Apt {
    fn new(cache: &Path) -> Result<Apt, String> {
        let state = cache.join("apt");
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
        let mut apt = Command::new("timeout");
        apt.args([LIMIT, "apt-get"])
            .current_dir(folder)
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
        let output = apt.output().map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        let last = stderr.lines().last().unwrap_or("no word");
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

/// Unpacks an archive, which has one folder, as `into/name`.
pub fn unpack(archive: &Path, into: &Path, name: &str) -> Result<(), String> {
    let own = into.join(format!("{name}.unpacked"));
    fs::create_dir_all(&own).map_err(|error| error.to_string())?;
    let mut tar = Command::new("tar");
    tar.arg("xf")
        .arg(archive)
        .arg("-C")
        .arg(&own)
        .arg("--strip-components=1");
    let output = tar.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{tar:?}\n{stderr}"));
    }
    symlink(&own, into.join(name)).map_err(|error| error.to_string())
}

/// Writes a text of this many bytes, the same every time: words of a small language, so that it compresses. Whoever measures
/// its children's memory must not need much itself, so the text is never there as a whole.
pub fn write_words(bytes: usize, to: &Path) -> io::Result<()> {
    let mut state = 1u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state >> 16) % below
    };
    let mut file = BufWriter::new(fs::File::create(to)?);
    let mut left = bytes;
    while left > 0 {
        let word = next(2000).min(next(2000));
        let text = format!("w{word:x}{}", if next(12) == 0 { ".\n" } else { " " });
        let part = &text.as_bytes()[..text.len().min(left)];
        file.write_all(part)?;
        left -= part.len();
    }
    file.flush()
}
