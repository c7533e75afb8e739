//! Lines of doctests. rustdoc gives the compiler a program made of a test, and says by how many lines its own messages are to be
//! moved to be about the file that the test is in. Debug information is not moved by that, and reports would quote other lines; so
//! the program itself is moved.

use goldilocks_cc::machine::Machine;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::process::{Command, Stdio};

/// By how many lines, as a number that may be negative.
const LINE: &str = "UNSTABLE_RUSTDOC_TEST_LINE";

/// Puts empty lines before a program that comes by standard input. Where it cannot be, it is compiled as it comes.
pub fn move_lines(machine: &dyn Machine, given: &[OsString], command: &mut Command) {
    if machine.variable(LINE).is_none() || given.iter().all(|word| word != "-") {
        return;
    }
    let mut program = String::new();
    if std::io::stdin().read_to_string(&mut program).is_err() {
        return;
    }
    let by = missing(&program).unwrap_or(0);
    if let Ok(input) = input(&("\n".repeat(by) + &program)) {
        command.stdin(input);
        if by > 0 {
            command.env(LINE, "0");
        }
    }
}

/// How many lines there are to be before the program. The function around a test has the line in its name at which the test begins,
/// and it is in that line's place. (What rustdoc says itself is wrong by the line that names the crate.)
fn missing(program: &str) -> Option<usize> {
    const FUNCTION: &str = "fn _doctest_main_";
    let (at, line) = program
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(FUNCTION))?;
    let (_, name) = line.split_once(FUNCTION)?;
    let (name, _) = name.split_once('(')?;
    let (_, begin) = name.rsplit_once('_')?.0.rsplit_once('_')?;
    begin.parse::<usize>().ok()?.checked_sub(at + 1)
}

/// A file without a name that has this in it.
fn input(program: &str) -> std::io::Result<Stdio> {
    // SAFETY: the name is a string that ends in a zero.
    let descriptor = unsafe { libc::memfd_create(c"doctest".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: the descriptor is open, and nobody else has it.
    let mut file = unsafe { std::fs::File::from_raw_fd(descriptor) };
    file.write_all(program.as_bytes())?;
    // SAFETY: as above.
    if unsafe { libc::lseek(file.as_raw_fd(), 0, libc::SEEK_SET) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_comes_to_be_where_it_is_in_its_file() {
        let test = "#![allow(unused)]\nextern crate r#a;\nfn main() { fn _doctest_main_src_lib_rs_12_0() {\nx\n";
        assert_eq!(missing(test), Some(9));
        let early = test.replace("_12_0", "_2_0");
        assert_eq!(missing(&early), None);
        assert_eq!(missing("fn main() {}"), None);
        assert_eq!(missing("fn _doctest_main_"), None);
    }
}
