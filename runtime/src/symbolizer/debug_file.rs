//! Where distributions put the debug information that they strip from a file.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use object::Object;

use super::lookup::map;

const ROOT: &str = "/usr/lib/debug";

/// The file with the debug information of the file at `path`.
pub fn find(path: &Path, object: &object::File<'_>) -> Option<PathBuf> {
    let build_id = object.build_id().ok().flatten();
    if let Some(id) = build_id.filter(|id| id.len() > 1) {
        let candidate = by_build_id(id);
        if candidate.is_file() {
            return Some(candidate);
        }
    }
    let (name, checksum) = object.gnu_debuglink().ok()??;
    let name = std::str::from_utf8(name).ok()?;
    let directory = real_path(path)?.parent()?.to_path_buf();
    let below_root = Path::new(ROOT)
        .join(directory.strip_prefix("/").ok()?)
        .join(name);
    [
        directory.join(name),
        directory.join(".debug").join(name),
        below_root,
    ]
    .into_iter()
    .find(|candidate| {
        // A file without debug information may name itself.
        candidate != path && map(candidate).is_some_and(|contents| crc32(contents) == checksum)
    })
}

/// The file with the parts of the debug information that several files share.
pub fn find_supplement(path: &Path) -> Option<PathBuf> {
    let contents = map(path)?;
    let object = object::File::parse(&**contents).ok()?;
    let (name, id) = object.gnu_debugaltlink().ok()??;
    let name = Path::new(std::str::from_utf8(name).ok()?);
    let beside = real_path(path)?.parent()?.join(name);
    [beside, by_build_id(id)]
        .into_iter()
        .find(|candidate| candidate.is_file())
}

/// The path without symbolic links. Not std's `canonicalize`: that takes memory from libc's `realpath` and gives it back,
/// which are two different heaps in an instrumented program.
fn real_path(path: &Path) -> Option<PathBuf> {
    let file = File::open(path).ok()?;
    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

fn by_build_id(id: &[u8]) -> PathBuf {
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let (first, rest) = hex.split_at(hex.len().min(2));
    Path::new(ROOT)
        .join(".build-id")
        .join(first)
        .join(format!("{rest}.debug"))
}

/// The checksum that debug links carry: CRC-32 as in Ethernet and zip.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut n = 0;
        while n < 256 {
            let mut remainder = n as u32;
            let mut bit = 0;
            while bit < 8 {
                remainder = if remainder & 1 != 0 {
                    remainder >> 1 ^ 0xedb8_8320
                } else {
                    remainder >> 1
                };
                bit += 1;
            }
            table[n] = remainder;
            n += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, &byte| {
        crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_is_the_common_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn links_are_followed() {
        let exe = std::env::current_exe().unwrap();
        assert_eq!(real_path(Path::new("/proc/self/exe")), Some(exe));
        assert_eq!(real_path(Path::new("/nonexistent")), None);
    }

    #[test]
    fn build_ids_become_paths() {
        assert_eq!(
            by_build_id(&[0xab, 0xcd, 0x01]),
            Path::new("/usr/lib/debug/.build-id/ab/cd01.debug")
        );
    }
}
