//! The symbolizer as a whole, on the test program itself, and with partners that misbehave.

use std::ffi::CString;
use std::hint::black_box;
use std::time::{Duration, Instant};

use super::*;

/// Makes the test program a symbolizer when it is asked to be one, before `main`, as the runtime does.
#[used]
#[unsafe(link_section = ".init_array")]
static SERVE: extern "C" fn() = {
    extern "C" fn serve() {
        server::run_if_requested();
    }
    serve
};

static COUNTED: [u64; 4] = [1, 2, 3, 4];

#[inline(always)]
fn innermost(step: &mut usize) {
    *step = return_address();
}

#[inline(never)]
fn outer() -> usize {
    let mut address = 0;
    innermost(&mut address);
    black_box(address)
}

/// The address after this call, which inlining puts into the caller.
#[inline(always)]
fn return_address() -> usize {
    let address: usize;
    // SAFETY: computes an address.
    unsafe {
        core::arch::asm!("lea {}, [rip]", out(reg) address, options(nomem, nostack, preserves_flags))
    };
    address
}

fn settings(command: Command) -> Settings {
    Settings {
        command: Some(command),
        patience: Duration::from_secs(20),
        total: Duration::from_secs(60),
        refusal: None,
    }
}

fn own() -> Symbolizer {
    let mut symbolizer = Symbolizer::new(settings(own_command()));
    symbolizer.refresh();
    symbolizer
}

fn external(script: &str, patience: Duration) -> (Symbolizer, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!(
        "goldilocks-symbolizer-{}-{number}",
        std::process::id()
    ));
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let command = Command::External {
        program: CString::new(path.to_str().unwrap()).unwrap(),
    };
    let mut symbolizer = Symbolizer::new(Settings {
        patience,
        ..settings(command)
    });
    symbolizer.refresh();
    (symbolizer, path)
}

#[test]
fn a_function_of_this_program_is_found_with_what_was_inlined_into_it() {
    let mut symbolizer = own();
    let info = symbolizer.code(outer() - 1);
    assert_eq!(symbolizer.trouble(), None);
    let names: Vec<&str> = info
        .frames
        .iter()
        .map(|f| f.function.rsplit("::").next().unwrap())
        .collect();
    assert_eq!(names, ["return_address", "innermost", "outer"]);
    for frame in &info.frames {
        assert!(
            frame.file.ends_with("symbolizer/tests.rs") && frame.line > 0,
            "{frame:?}"
        );
    }
    assert!(info.frames[0].line > info.frames[2].line);
    assert!(info.module.unwrap().0.starts_with('/'));
    // The same again comes from the cache.
    symbolizer.process = None;
    assert_eq!(symbolizer.code(outer() - 1).frames.len(), 3);
    assert!(symbolizer.process.is_none());
}

#[test]
fn a_variable_is_found_with_start_and_size() {
    let mut symbolizer = own();
    let start = &raw const COUNTED as usize;
    for at in [start, start + 31] {
        let variable = symbolizer.data(black_box(at)).variable.unwrap();
        assert!(variable.name.ends_with("::COUNTED"), "{variable:?}");
        assert_eq!((variable.start, variable.size), (start as u64, 32));
    }
    assert_eq!(
        symbolizer.data(&raw const symbolizer as usize),
        DataInfo::default()
    );
}

#[test]
fn functions_of_libc_have_their_names() {
    let mut symbolizer = own();
    let info = symbolizer.code(libc::getenv as *const () as usize);
    assert_eq!(
        info.frames.first().map(|frame| frame.function.as_str()),
        Some("getenv"),
        "{info:?}"
    );
}

#[test]
fn a_symbolizer_that_hangs_is_given_up() {
    let patience = Duration::from_millis(150);
    let (mut symbolizer, path) = external("exec sleep 1000", patience);
    let begin = Instant::now();
    let info = symbolizer.code(outer() - 1);
    assert!(begin.elapsed() >= patience && begin.elapsed() < Duration::from_secs(10));
    assert!(info.frames.is_empty() && info.module.is_some());
    assert_eq!(symbolizer.trouble(), Some(&Failure::TimedOut));
    // The module is not asked about again.
    let begin = Instant::now();
    assert!(
        symbolizer
            .data(&raw const COUNTED as usize)
            .variable
            .is_none()
    );
    assert!(begin.elapsed() < patience);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_symbolizer_that_dies_is_given_up() {
    let (mut symbolizer, path) = external("exit 3", Duration::from_secs(20));
    assert!(symbolizer.code(outer() - 1).frames.is_empty());
    assert_eq!(symbolizer.trouble(), Some(&Failure::Gone));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_program_that_does_not_greet_is_no_symbolizer_of_ours() {
    let (_, path) = external("echo nonsense nonsense; exec sleep 1000", Duration::ZERO);
    let command = Command::Own {
        program: CString::new(path.to_str().unwrap()).unwrap(),
        preload: None,
    };
    let mut symbolizer = Symbolizer::new(Settings {
        patience: Duration::from_millis(150),
        ..settings(command)
    });
    symbolizer.refresh();
    assert!(symbolizer.code(outer() - 1).frames.is_empty());
    assert_eq!(symbolizer.trouble(), Some(&Failure::TimedOut));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_missing_symbolizer_is_said_once_and_not_tried_again() {
    let mut symbolizer = Symbolizer::new(settings(Command::Own {
        program: c"/nonexistent/program".into(),
        preload: None,
    }));
    symbolizer.refresh();
    let info = symbolizer.code(outer() - 1);
    assert!(info.frames.is_empty() && info.module.is_some());
    assert_eq!(
        symbolizer.trouble(),
        Some(&Failure::CannotStart(sys::Errno(libc::ENOENT)))
    );
    assert!(
        symbolizer
            .code(libc::getenv as *const () as usize)
            .frames
            .is_empty()
    );
}

#[test]
fn without_symbolizing_there_are_modules_and_offsets() {
    let mut symbolizer = Symbolizer::new(Settings {
        command: None,
        ..settings(Command::Own {
            program: c"".into(),
            preload: None,
        })
    });
    symbolizer.refresh();
    let info = symbolizer.code(outer() - 1);
    assert!(info.frames.is_empty() && info.module.is_some());
    assert_eq!(symbolizer.trouble(), None);
}

#[test]
fn an_external_symbolizer_is_asked_in_its_language() {
    let script = "while read kind rest; do\n case $kind in\n CODE) printf 'f(int)\\n/a.c:3:4\\n\\n';;\n *) printf 'v\\n16 8\\n\\n';;\n esac\ndone";
    let (mut symbolizer, path) = external(script, Duration::from_secs(20));
    let info = symbolizer.code(outer() - 1);
    assert_eq!(info.frames.len(), 1);
    assert_eq!(
        (info.frames[0].function.as_str(), info.frames[0].line),
        ("f", 3)
    );
    let info = symbolizer.data(&raw const COUNTED as usize);
    assert_eq!(info.variable.unwrap().name, "v");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_closed_descriptor_is_noticed_and_replaced() {
    let mut symbolizer = own();
    assert!(!symbolizer.code(outer() - 1).frames.is_empty());
    let process = symbolizer.process.as_ref().unwrap();
    let identity = process.descriptor();
    sys::close(identity).unwrap();
    assert!(
        !symbolizer
            .code(libc::getenv as *const () as usize)
            .frames
            .is_empty()
    );
    assert_eq!(symbolizer.trouble(), None);
}
