//! Names of addresses, in a format of the caller's.

use core::ffi::{c_char, c_int, c_void};

use super::{put, put_text, text_of};
use crate::modules::Modules;
use crate::report;
use crate::state::is_up;
use crate::symbolizer::{CodeInfo, Frame};

/// What `format` makes of a frame: `%p` address, `%n` number, `%f` function, `%s` file, `%l` line, `%c` column, `%m` module, `%o` offset in
/// it, `%M` both in parentheses, `%F` `in` and the function, `%S` and `%L` the place, `%q` offset in the function, `%%`.
fn formatted(
    format: &str,
    number: usize,
    pc: usize,
    module: Option<&(String, u64)>,
    frame: &Frame,
) -> String {
    let place = || {
        let mut text = frame.file.clone();
        if frame.line != 0 {
            text += &format!(":{}", frame.line);
            if frame.known_column() != 0 {
                text += &format!(":{}", frame.known_column());
            }
        }
        text
    };
    let in_module = || match module {
        Some((path, offset)) => format!("({path}+{offset:#x})"),
        None => format!("({pc:#x})"),
    };
    let mut text = String::new();
    let mut rest = format.chars();
    while let Some(letter) = rest.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        match rest.next() {
            Some('%') => text.push('%'),
            Some('p') => text += &format!("{pc:#x}"),
            Some('n') => text += &number.to_string(),
            Some('f') => text += &frame.function,
            Some('s') => text += &frame.file,
            Some('l') => text += &frame.line.to_string(),
            Some('c') => text += &frame.known_column().to_string(),
            Some('m') => text += module.map_or("", |(path, _)| path),
            Some('o') => text += &format!("{:#x}", module.map_or(0, |(_, offset)| *offset)),
            Some('M') => text += &in_module(),
            Some('F') if !frame.function.is_empty() => text += &format!("in {}", frame.function),
            Some('F') => {}
            Some('S') => text += &place(),
            Some('L') if frame.file.is_empty() => text += &in_module(),
            Some('L') => text += &place(),
            Some('q') => text.push('0'),
            Some(other) => text.extend(['%', other]),
            None => text.push('%'),
        }
    }
    text
}

/// Names of the instruction before a return address, innermost first; at least one frame.
fn code(pc: usize) -> CodeInfo {
    let info = is_up()
        .then(|| report::with_symbolizer(|symbolizer| symbolizer.code(pc.wrapping_sub(1))))
        .flatten();
    let mut info = info.unwrap_or_default();
    if info.frames.is_empty() {
        info.frames.push(Frame::default());
    }
    info
}

/// The lines of one frame of a stack.
pub fn trace_line(number: usize, pc: usize) -> String {
    let info = code(pc);
    let lines = info.frames.iter().map(|frame| {
        formatted(
            "    #%n %p %F %L\n",
            number,
            pc,
            info.module.as_ref(),
            frame,
        )
    });
    lines.collect()
}

/// One text for each frame at `pc`, a return address, inlined ones first, each with its end; another end follows the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_symbolize_pc(
    pc: *mut c_void,
    format: *const c_char,
    buffer: *mut c_char,
    room: usize,
) {
    // SAFETY: what the interface asks of its callers: a C string.
    let format = unsafe { text_of(format) };
    let pc = pc as usize;
    let info = code(pc);
    let texts: Vec<String> = (info.frames.iter())
        .map(|frame| formatted(&format, 0, pc, info.module.as_ref(), frame))
        .collect();
    let all = texts.join("\0") + "\0";
    // SAFETY: what the interface asks of its callers: so much room.
    unsafe { put_text(all.as_bytes(), buffer, room) };
}

/// `%g` is the variable at an address, `%m` its module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_symbolize_global(
    addr: *mut c_void,
    format: *const c_char,
    buffer: *mut c_char,
    room: usize,
) {
    // SAFETY: what the interface asks of its callers: a C string.
    let format = unsafe { text_of(format) };
    let data = is_up()
        .then(|| report::with_symbolizer(|symbolizer| symbolizer.data(addr as usize)))
        .flatten()
        .unwrap_or_default();
    let name = data
        .variable
        .map_or(String::new(), |variable| variable.name);
    let module = data.module.map_or(String::new(), |(path, _)| path);
    let text = format.replace("%g", &name).replace("%m", &module);
    // SAFETY: what the interface asks of its callers: so much room.
    unsafe { put_text(text.as_bytes(), buffer, room) };
}

/// The file that `pc` is in and where; 0 if it is in none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_get_module_and_offset_for_pc(
    pc: *mut c_void,
    path: *mut c_char,
    room: usize,
    offset: *mut *mut c_void,
) -> c_int {
    let modules = Modules::load();
    let Some(module) = modules.find(pc as usize) else {
        return 0;
    };
    // SAFETY: what the interface asks of its callers: places that may be written.
    unsafe {
        put_text(module.path.as_bytes(), path, room);
        put(offset, module.offset(pc as usize) as *mut c_void);
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let frame = Frame {
            function: "f".into(),
            file: "/a.c".into(),
            line: 3,
            column: 0,
            ..Frame::default()
        };
        let module = ("/m".to_owned(), 0x10);
        let text = |format, frame: &Frame| formatted(format, 2, 0x50, Some(&module), frame);
        assert_eq!(
            text("#%n %p %F %L 100%%", &frame),
            "#2 0x50 in f /a.c:3 100%"
        );
        assert_eq!(text("%f %s:%l:%c %m+%o", &frame), "f /a.c:3:0 /m+0x10");
        assert_eq!(text("%F%L%x", &Frame::default()), "(/m+0x10)%x");
    }
}
