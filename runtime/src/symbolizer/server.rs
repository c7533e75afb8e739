//! The symbolizer process: the program itself, started again, which answers questions about files and does nothing else.
//!
//! So there is no second file to install and to find, debug information is read outside of the host, where neither its
//! memory use, its time nor a crash on damaged input matters, and a replaced or deleted executable is still the right one.

use std::collections::BTreeMap;

use super::lookup::Binary;
use super::protocol::{self, GREETING, LIMIT, Request, VARIABLE, What};
use crate::options;
use crate::sys;

/// To be called before anything else in the program. If this process is meant to be a symbolizer it serves until
/// the client hangs up, and ends.
pub fn run_if_requested() {
    let Some(value) = options::environment_variable(VARIABLE) else {
        return;
    };
    if let Some(fd) = requested_descriptor(&value) {
        serve(fd);
        sys::exit_group(0);
    }
}

/// The descriptor, if `value` describes a socket that is there: a variable inherited by chance is not enough.
fn requested_descriptor(value: &str) -> Option<i32> {
    let (fd, inode) = value.split_once(':')?;
    let (fd, inode): (i32, u64) = (fd.parse().ok()?, inode.parse().ok()?);
    let stat = sys::fstat(fd).ok()?;
    (stat.st_ino == inode && stat.st_mode & libc::S_IFMT == libc::S_IFSOCK).then_some(fd)
}

fn serve(fd: i32) {
    sys::forbid_core_file();
    sys::set_thread_name(c"goldilocks-sym");
    close_others(fd);
    let _ = sys::send(fd, &GREETING);
    let mut binaries: BTreeMap<(String, Vec<u8>), Option<Binary>> = BTreeMap::new();
    while let Some(request) = receive(fd) {
        let key = (request.path.clone(), request.build_id.clone());
        let binary = binaries
            .entry(key)
            .or_insert_with(|| Binary::open(&request.path, request.main, &request.build_id));
        let reply = match (request.what, binary) {
            (What::Code, Some(binary)) => protocol::encode_frames(&binary.frames(request.offset)),
            (What::Code, None) => protocol::encode_frames(&[]),
            (What::Data, Some(binary)) => {
                protocol::encode_variable(binary.variable(request.offset).as_ref())
            }
            (What::Data, None) => protocol::encode_variable(None),
        };
        let mut rest = &reply[..];
        while !rest.is_empty() {
            match sys::write(fd, rest) {
                Ok(n) => rest = &rest[n..],
                Err(_) => return,
            }
        }
    }
}

/// Closes what was inherited; on most kernels nothing is left to close.
fn close_others(fd: i32) {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else {
        return;
    };
    let open: Vec<i32> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for other in open.into_iter().filter(|&other| other > 2 && other != fd) {
        let _ = sys::close(other);
    }
}

fn receive(fd: i32) -> Option<Request> {
    let mut length = [0; 4];
    fill(fd, &mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LIMIT {
        return None;
    }
    let mut body = vec![0; length];
    fill(fd, &mut body)?;
    Request::decode(&body)
}

fn fill(fd: i32, mut buffer: &mut [u8]) -> Option<()> {
    while !buffer.is_empty() {
        match sys::read(fd, buffer) {
            Ok(n @ 1..) => buffer = &mut buffer[n..],
            _ => return None,
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inherited_variable_does_not_make_a_server() {
        let (a, b) = sys::socket_pair().unwrap();
        let inode = sys::fstat(a).unwrap().st_ino;
        assert_eq!(requested_descriptor(&format!("{a}:{inode}")), Some(a));
        for wrong in [
            format!("{b}:{inode}"),
            format!("999:{inode}"),
            format!("{a}"),
            "".into(),
            "x:y".into(),
        ] {
            assert_eq!(requested_descriptor(&wrong), None, "{wrong}");
        }
        sys::close(a).unwrap();
        sys::close(b).unwrap();
    }
}
