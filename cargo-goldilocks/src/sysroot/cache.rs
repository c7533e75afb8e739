//! The folder of the cache: its key, its lock, whether it is complete, and when it can go.

use super::{Source, trouble};
use goldilocks_cc::machine::Machine;
use goldilocks_cc::refusal::Refusal;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const CONTENTS: &str = "contents";
/// After how long without use a folder goes when a new one is made.
const OLD: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// `GOLDILOCKS_CACHE`, or the user's cache folder.
pub fn folder(machine: &dyn Machine) -> Result<PathBuf, Refusal> {
    let named = |name: &str| machine.variable(name).map(PathBuf::from);
    named("GOLDILOCKS_CACHE")
        .or_else(|| Some(named("XDG_CACHE_HOME")?.join("goldilocks")))
        .or_else(|| Some(named("HOME")?.join(".cache/goldilocks")))
        .filter(|folder| folder.is_absolute())
        .ok_or_else(|| {
            Refusal::new(
                "there is no place for the instrumented standard library: HOME is not set",
                "set GOLDILOCKS_CACHE to an absolute path of a folder to keep it in",
            )
        })
}

/// Which toolchain, plugin and driver: by what identifies files without reading them, since this is asked for at every start.
pub fn key(source: &Source<'_>) -> Result<String, Refusal> {
    let mut text = source.toolchain.version.clone();
    let libraries = source.toolchain.libraries();
    let mut files = vec![source.plugin.clone(), source.driver.clone()];
    let entries = fs::read_dir(&libraries).map_err(|error| {
        Refusal::new(
            format!(
                "the toolchain has no standard library for {}: {}: {error}",
                crate::toolchain::TARGET,
                libraries.display()
            ),
            format!("`rustup target add {}`", crate::toolchain::TARGET),
        )
    })?;
    files.extend(entries.flatten().map(|entry| entry.path()));
    files.sort();
    for file in files {
        let metadata = fs::metadata(&file).map_err(|error| trouble("looking at", &file, error))?;
        text.push_str(&format!(
            "{}\n{} {}.{}\n",
            file.display(),
            metadata.len(),
            metadata.mtime(),
            metadata.mtime_nsec()
        ));
    }
    Ok(format!(
        "rust-{}-{}",
        source.toolchain.release(),
        hash(text.as_bytes())
    ))
}

/// Tells versions of a file apart; `None` if there is none.
pub fn identity(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let text = format!(
        "{} {}.{}",
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec()
    );
    Some(hash(text.as_bytes())[..12].to_owned())
}

/// 128 bits. Nobody attacks it; it must tell versions apart.
fn hash(bytes: &[u8]) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(bytes);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}

/// Whether all files are there, at the size that they were made with.
pub fn is_complete(home: &Path) -> bool {
    let Ok(contents) = fs::read_to_string(home.join(CONTENTS)) else {
        return false;
    };
    let whole = contents.lines().all(|line| {
        let is_there = |(size, name): (&str, &str)| {
            fs::symlink_metadata(home.join(name))
                .is_ok_and(|metadata| size.parse() == Ok(metadata.len()))
        };
        line.split_once(' ').is_some_and(is_there)
    });
    if whole && let Ok(file) = File::options().append(true).open(home.join(CONTENTS)) {
        // When it was last used; a cache that cannot be written to works as well.
        let _ = file.set_modified(SystemTime::now());
    }
    whole && !contents.is_empty()
}

/// Waits until nobody else makes `home`. The lock ends with the process that holds it, however that ends.
pub fn lock(home: &Path) -> Result<File, Refusal> {
    let path = home.with_extension("lock");
    let folder = home.parent().unwrap_or(home);
    fs::create_dir_all(folder).map_err(|error| trouble("making", folder, error))?;
    let file = File::create(&path).map_err(|error| trouble("making", &path, error))?;
    // SAFETY: a descriptor that is open for the whole call.
    while unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) } != 0 {
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(trouble("locking", &path, error));
        }
    }
    Ok(file)
}

/// An empty folder to make `home` in; whoever has made it before has not lived to complete it.
pub fn draft(home: &Path) -> Result<PathBuf, Refusal> {
    let draft = home.with_extension("draft");
    if draft.exists() {
        fs::remove_dir_all(&draft).map_err(|error| trouble("removing", &draft, error))?;
    }
    fs::create_dir_all(&draft).map_err(|error| trouble("making", &draft, error))?;
    Ok(draft)
}

/// Makes `draft` be `home`.
pub fn complete(draft: &Path, home: &Path) -> Result<(), Refusal> {
    let mut lines = Vec::new();
    list(draft, Path::new(""), &mut lines).map_err(|error| trouble("reading", draft, error))?;
    lines.sort();
    let contents = draft.join(CONTENTS);
    fs::write(&contents, lines.concat()).map_err(|error| trouble("writing", &contents, error))?;
    if home.exists() {
        // Damaged, or it would have been used.
        fs::remove_dir_all(home).map_err(|error| trouble("removing", home, error))?;
    }
    fs::rename(draft, home).map_err(|error| trouble("making", home, error))
}

fn list(root: &Path, folder: &Path, lines: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = folder.join(entry.file_name());
        let metadata = entry.path().symlink_metadata()?;
        if metadata.is_dir() {
            list(root, &name, lines)?;
        } else {
            lines.push(format!("{} {}\n", metadata.len(), name.display()));
        }
    }
    Ok(())
}

/// Removes what has not been used for long. What cannot be removed stays.
pub fn forget_old(folder: &Path, used: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with("rust-");
        let old = fs::metadata(path.join(CONTENTS))
            .and_then(|metadata| metadata.modified())
            .is_ok_and(|used| used.elapsed().is_ok_and(|age| age > OLD));
        if is_ours && old && path != used {
            // Incomplete from the first file on, for those who look at the same time.
            let _ = fs::remove_file(path.join(CONTENTS));
            let _ = fs::remove_dir_all(&path);
            let _ = fs::remove_file(path.with_extension("lock"));
        }
    }
}
