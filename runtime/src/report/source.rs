//! Lines of source files, for quoting.

use std::ffi::CString;
use std::time::Duration;

use crate::sys;

/// Files longer than this are not quoted, bytes.
const LONGEST: usize = 16 << 20;

/// Where source lines come from; tests have their own.
pub trait Source {
    /// The line with `number` (from 1) of `file`, as it was when `module` was built; `None` if that is not known.
    fn line(&self, file: &str, number: u32, module: &str) -> Option<String>;
}

/// The files on disk. One that has changed since the module was built would show the wrong lines.
pub struct Files;

impl Source for Files {
    fn line(&self, file: &str, number: u32, module: &str) -> Option<String> {
        let path = CString::new(file).ok()?;
        if !file.starts_with('/')
            || changed(&path)?
                > CString::new(module)
                    .ok()
                    .and_then(|module| changed(&module))?
        {
            return None;
        }
        let contents = sys::read_file(&path, LONGEST).ok()?;
        let line = contents
            .split(|&byte| byte == b'\n')
            .nth(number.checked_sub(1)? as usize)?;
        Some(String::from_utf8_lossy(line).trim_end().to_owned())
    }
}

/// When the file was last changed, since 1970.
fn changed(path: &CString) -> Option<Duration> {
    let fd = sys::open(path, libc::O_PATH, 0).ok()?;
    let stat = sys::fstat(fd);
    let _ = sys::close(fd);
    let stat = stat.ok()?;
    Some(Duration::new(
        stat.st_mtime.max(0) as u64,
        stat.st_mtime_nsec as u32,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_unless_the_file_is_newer_than_the_module() {
        let path = std::env::temp_dir().join(format!("goldilocks-source-{}.c", std::process::id()));
        let path = path.to_str().unwrap();
        std::fs::write(path, "one\ntwo \nthree").unwrap();
        assert_eq!(Files.line(path, 2, path).as_deref(), Some("two"));
        assert_eq!(Files.line(path, 3, path).as_deref(), Some("three"));
        assert_eq!(Files.line(path, 4, path), None);
        assert_eq!(Files.line(path, 0, path), None);
        assert_eq!(Files.line(path, 1, "/bin/sh"), None);
        assert_eq!(Files.line(path, 1, "/nonexistent"), None);
        std::fs::remove_file(path).unwrap();
        assert_eq!(Files.line(path, 1, "/bin/sh"), None);
        assert_eq!(Files.line("/dev/zero", 1, "/bin/sh"), None);
    }
}
