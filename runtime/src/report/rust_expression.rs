//! Finds in a line of Rust the place whose access the compiler has put at a column.
//!
//! rustc gives an access the column at which its whole expression begins (`(*self.stats.get()).hits` at the bracket), and a call
//! that of the method's name. What is no place (a call, a type, a macro) has no name.

use super::expression::{Expression, balanced, found, is_name, name_end, operand_before};

const KEYWORDS: [&str; 14] = [
    "let", "if", "else", "match", "return", "unsafe", "for", "while", "loop", "move", "break",
    "async", "in", "mut",
];

/// The place at `column`, which counts bytes from 1.
pub fn at(line: &str, column: u32) -> Option<Expression> {
    let start = (column as usize)
        .checked_sub(1)
        .filter(|&at| at < line.len() && line.is_char_boundary(at))?;
    let rest = &line[start..];
    let first = rest.chars().next().filter(|first| !first.is_whitespace())?;
    if let Some(length) = place(rest) {
        let range = start..start + length;
        return Some(found(line, range.clone(), range));
    }
    let single = match name_end(line, start) {
        end if end > start => end,
        _ => start + first.len_utf8(),
    };
    Some(Expression {
        marked: start..single,
        variable: None,
    })
}

/// What a method at `column` is called on: `tx.ready` of `tx.ready.store(true, Release)`.
pub fn receiver(line: &str, column: u32) -> Option<String> {
    let start = (column as usize).checked_sub(1)?;
    let before = line.get(..start)?.trim_end();
    let end = before.strip_suffix('.')?.len();
    let operand = operand_before(line, end)?;
    found(line, operand.clone(), operand).variable
}

/// Length of the place at the start of `text`.
fn place(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix('*') {
        let operand = rest.trim_start();
        // Of a pointer, whatever it comes from.
        return chain(operand).map(|(length, _)| 1 + rest.len() - operand.len() + length);
    }
    match chain(text) {
        Some((length, true)) => Some(length),
        _ => None,
    }
}

/// Length of names, fields, calls and subscripts in a row, and whether the last is a place.
fn chain(text: &str) -> Option<(usize, bool)> {
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut is_place = true;
    if bytes.first() == Some(&b'(') {
        end = balanced(text)?;
    } else {
        end += name(text)?;
        while text[end..].starts_with("::") {
            end += 2 + name(&text[end + 2..])?;
        }
        let first = &text[..end];
        // A constructor, a macro or a keyword.
        let is_type = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.contains(|c: char| c.is_ascii_lowercase())
        };
        let last = first.rsplit("::").next().unwrap_or(first);
        if KEYWORDS.contains(&first) || is_type(last) || bytes.get(end) == Some(&b'!') {
            return None;
        }
    }
    loop {
        let rest = &text[end..];
        if rest.starts_with('(') {
            end += balanced(rest)?;
            is_place = false;
        } else if rest.starts_with('[') {
            end += balanced(rest)?;
            is_place = true;
        } else if rest.starts_with('.') && !rest.starts_with("..") {
            let length = rest[1..].bytes().take_while(|&byte| is_name(byte)).count();
            if length == 0 || rest[1..].starts_with("await") {
                return None;
            }
            end += 1 + length;
            is_place = true;
        } else if rest.starts_with("::<") {
            return None;
        } else {
            return Some((end, is_place));
        }
    }
}

/// Length of the name at the start of `text`.
fn name(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(|&byte| is_name(byte)).count();
    (length > 0 && !text.as_bytes()[0].is_ascii_digit()).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line with `^` before the column.
    fn at_caret(line: &str) -> (String, u32) {
        let column = line.find('^').unwrap() + 1;
        (line.replacen('^', "", 1), column as u32)
    }

    #[test]
    fn places_have_names() {
        for (line, variable) in [
            (
                "unsafe { ^(*self.stats.get()).hits += 1 }",
                "(*self.stats.get()).hits",
            ),
            ("unsafe { ^*p.get().add(i) = 1 }", "*p.get().add(i)"),
            ("let r = unsafe { ^CONFIG.retries };", "CONFIG.retries"),
            ("^COUNTER += 1;", "COUNTER"),
            ("for b in x { ^*b = 2; }", "*b"),
            ("let v = ^self.list[i].value;", "self.list[i].value"),
            ("^pair.0 = 3", "pair.0"),
            ("^config::LEVEL = 3", "config::LEVEL"),
            ("^* p = 3", "* p"),
        ] {
            let (line, column) = at_caret(line);
            let expression = at(&line, column).unwrap();
            assert_eq!(expression.variable.as_deref(), Some(variable), "{line}");
            assert_eq!(&line[expression.marked], variable);
        }
    }

    #[test]
    fn what_is_no_place_has_none() {
        for line in [
            "^f(x);",
            "^self.list.len()",
            "^Some(3)",
            "^Node { value: 1 }",
            "^println!(\"\")",
            "^if x {",
            "^let x = 3;",
            "^|x| x",
            "^&mut x",
            "^1 + x",
            "^x::<u8>()",
            "^future.await",
            "^\"text\"",
        ] {
            let (line, column) = at_caret(line);
            assert_eq!(at(&line, column).and_then(|e| e.variable), None, "{line}");
        }
        for column in [0, 2, 100] {
            assert_eq!(at(" ", column), None);
        }
        for line in ["(((", "a.", "a::", "*", "**", "a[", "é.x", ")"] {
            (0..8).for_each(|column| {
                let _ = (at(line, column), receiver(line, column));
            });
        }
    }

    #[test]
    fn methods_are_called_on_something() {
        for (line, expected) in [
            (
                "  tx.ready.^store(true, Ordering::Release);",
                Some("tx.ready"),
            ),
            (
                "while !ch.ready.^load(Ordering::Relaxed) {",
                Some("ch.ready"),
            ),
            ("READY.^store(1, Relaxed)", Some("READY")),
            ("^store(1)", None),
        ] {
            let (line, column) = at_caret(line);
            assert_eq!(receiver(&line, column).as_deref(), expected, "{line}");
        }
    }
}
