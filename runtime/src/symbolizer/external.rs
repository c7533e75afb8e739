//! Talking to an llvm-symbolizer, for users who have a reason to prefer it (`external_symbolizer_path`).
//!
//! A question is a line, an answer is lines that end with an empty one. Frames are two lines each, function and
//! `file:line:column`; a variable is its name and a line with start and size. What is not known is `??` or 0.

use super::protocol::{Frame, Request, Variable, What};

pub fn encode(request: &Request) -> Vec<u8> {
    let word = match request.what {
        What::Code => "CODE",
        What::Data => "DATA",
    };
    format!("{word} \"{}\" {:#x}\n", request.path, request.offset).into_bytes()
}

/// Length of the complete answer at the start of `bytes`.
pub fn answer_length(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(2)
        .position(|pair| pair == b"\n\n")
        .map(|at| at + 2)
}

fn known(text: &str) -> String {
    if text == "??" {
        String::new()
    } else {
        text.to_owned()
    }
}

pub fn decode_frames(answer: &[u8]) -> Vec<Frame> {
    let text = String::from_utf8_lossy(answer);
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let frames = lines.chunks_exact(2).map(|pair| {
        let mut parts = pair[1].rsplitn(3, ':');
        let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
        let (column, line) = (number(), number());
        let full = known(pair[0]);
        let short = without_parameters(&full).to_owned();
        let signature = if short == full { String::new() } else { full };
        Frame {
            function: short,
            signature,
            file: known(parts.next().unwrap_or("")),
            line,
            column,
        }
    });
    frames
        .filter(|frame| !(frame.function.is_empty() && frame.file.is_empty()))
        .collect()
}

pub fn decode_variable(answer: &[u8]) -> Option<Variable> {
    let text = String::from_utf8_lossy(answer);
    let mut lines = text.lines();
    let name = known(lines.next()?);
    let mut numbers = lines
        .next()?
        .split(' ')
        .map(|number| number.parse::<u64>().ok());
    let variable = Variable {
        name,
        start: numbers.next()??,
        size: numbers.next()??,
        parts: Vec::new(),
    };
    (!variable.name.is_empty()).then_some(variable)
}

/// The name of a function without its parameter list, if that is recognised for certain.
fn without_parameters(full: &str) -> &str {
    match full.find('(') {
        Some(at)
            if at > 0
                && full.ends_with(')')
                && !full[..at].contains(' ')
                && !full[at + 1..].contains('(') =>
        {
            &full[..at]
        }
        _ => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_answers() {
        let mut request = Request {
            what: What::Code,
            main: false,
            path: "/a b".into(),
            build_id: vec![],
            offset: 0x10,
        };
        assert_eq!(encode(&request), b"CODE \"/a b\" 0x10\n");
        request.what = What::Data;
        assert_eq!(encode(&request), b"DATA \"/a b\" 0x10\n");
        let answer = b"inner(int)\n/x:y.c:3:4\nmain\n??:0:0\n\nnext";
        assert_eq!(answer_length(answer), Some(answer.len() - 4));
        assert_eq!(answer_length(b"inner\n/x.c:3:4\n"), None);
        let frames = decode_frames(answer);
        let expected = Frame {
            function: "inner".into(),
            signature: "inner(int)".into(),
            file: "/x:y.c".into(),
            line: 3,
            column: 4,
        };
        assert_eq!(
            frames,
            [
                expected,
                Frame {
                    function: "main".into(),
                    ..Frame::default()
                }
            ]
        );
        assert_eq!(decode_frames(b"??\n??:0:0\n\n"), []);
    }

    #[test]
    fn variables() {
        let expected = Variable {
            name: "x".into(),
            start: 4096,
            size: 8,
            parts: Vec::new(),
        };
        assert_eq!(decode_variable(b"x\n4096 8\n/a.c:3\n\n"), Some(expected));
        assert_eq!(decode_variable(b"??\n0 0\n\n"), None);
        assert_eq!(decode_variable(b""), None);
    }

    #[test]
    fn only_plain_parameter_lists_are_removed() {
        for (full, short) in [
            ("a::b(int, char)", "a::b"),
            ("void f<int>(int)", "void f<int>(int)"),
            (
                "main::{lambda()#1}::operator()() const",
                "main::{lambda()#1}::operator()() const",
            ),
            ("main", "main"),
            ("(x)", "(x)"),
        ] {
            assert_eq!(without_parameters(full), short);
        }
    }
}
