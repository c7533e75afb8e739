//! Finds in a source line the expression whose access a compiler has placed at a column.
//!
//! Compilers place a load at the name that is read (of `a->b` at `b`), and a store at its operator. That is enough for plain
//! expressions; where it is not, there is no answer rather than a guess.

use std::ops::Range;

use super::rust_expression;

/// What an access is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Bytes of the line to be marked.
    pub marked: Range<usize>,
    /// The variable, if there is no doubt which.
    pub variable: Option<String>,
}

/// The expression at `column`, which counts bytes from 1, of a line of this file.
pub fn of_file(file: &str, line: &str, column: u32) -> Option<Expression> {
    if file.ends_with(".rs") {
        rust_expression::at(line, column)
    } else {
        at(line, column)
    }
}

/// The same for C and C++.
fn at(line: &str, column: u32) -> Option<Expression> {
    let bytes = line.as_bytes();
    let start = (column as usize)
        .checked_sub(1)
        .filter(|&at| at < bytes.len() && line.is_char_boundary(at))?;
    let rest = &line[start..];
    let single = Expression {
        marked: start..start + rest.chars().next()?.len_utf8(),
        variable: None,
    };
    if bytes[start].is_ascii_whitespace() {
        return None;
    }
    Some(if is_name(bytes[start]) {
        name_at(line, start)
    } else if let Some(step) = ["++", "--"].into_iter().find(|step| rest.starts_with(step)) {
        match operand_before(line, start) {
            Some(operand) => found(line, operand.start..start + step.len(), operand),
            None => prefixed(line, start, step.len()).unwrap_or(single),
        }
    } else if let Some(length) = assignment(rest) {
        match operand_before(line, start) {
            Some(operand) => found(line, operand.start..start + length, operand),
            None => single,
        }
    } else if rest.starts_with('*') {
        let stars = rest.len() - rest.trim_start_matches('*').len();
        let cast = cast_at(&rest[stars..]).unwrap_or(0);
        let end = name_end(line, start + stars + cast);
        if end > start + stars + cast && plain_end(&line[end..]) {
            found(line, start..end, start..end)
        } else {
            single
        }
    } else {
        single
    })
}

pub fn found(line: &str, marked: Range<usize>, variable: Range<usize>) -> Expression {
    const LONGEST: usize = 60;
    let text = &line[variable];
    let bare = text
        .strip_prefix('(')
        .filter(|_| balanced(text) == Some(text.len()));
    let text = bare.map_or(text, |bare| &bare[..bare.len() - 1]);
    let usable = text.len() <= LONGEST && !text.contains(['`', '"', '\'', ';']);
    Expression {
        marked,
        variable: usable.then(|| text.to_owned()),
    }
}

pub fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

pub fn name_end(line: &str, start: usize) -> usize {
    start
        + line.as_bytes()[start..]
            .iter()
            .take_while(|&&byte| is_name(byte))
            .count()
}

/// Whether nothing follows that would make the name a part of another expression.
fn plain_end(rest: &str) -> bool {
    let rest = rest.trim_start();
    !(rest.starts_with(['(', '[', '.', '{', '<', '!']) || rest.starts_with("->") || rest.starts_with("::"))
        // Comparisons are no template arguments if there is a space or an `=`.
        || rest.starts_with("< ") || rest.starts_with("<=") || rest.starts_with("!=")
}

const KEYWORDS: [&str; 20] = [
    "asm",
    "__asm",
    "__asm__",
    "volatile",
    "return",
    "if",
    "while",
    "for",
    "switch",
    "new",
    "delete",
    "do",
    "else",
    "case",
    "throw",
    "co_return",
    "co_yield",
    "let",
    "match",
    "unsafe",
];

/// A load is placed at the last part of what it reads.
fn name_at(line: &str, start: usize) -> Expression {
    let end = name_end(line, start);
    let begin = match line[..start].ends_with("->")
        || line[..start].ends_with('.')
        || line[..start].ends_with("::")
    {
        true => operand_before(line, end).map_or(start, |operand| operand.start),
        false => start,
    };
    let name = &line[start..end];
    if KEYWORDS.contains(&name) || name.as_bytes()[0].is_ascii_digit() || !plain_end(&line[end..]) {
        return Expression {
            marked: start..end,
            variable: None,
        };
    }
    let step = if ["++", "--"]
        .iter()
        .any(|step| line[end..].starts_with(step))
    {
        2
    } else {
        0
    };
    found(line, begin..end + step, begin..end)
}

/// `++a.b[c]`, at the operator.
fn prefixed(line: &str, start: usize, operator: usize) -> Option<Expression> {
    let bytes = line.as_bytes();
    let begin = start + operator;
    let mut end = name_end(line, begin);
    if end == begin {
        return None;
    }
    loop {
        let rest = &line[end..];
        if rest.starts_with('[') {
            end += balanced(rest)?;
        } else if let Some(link) = ["->", "::", "."]
            .iter()
            .find(|link| rest.starts_with(**link))
        {
            end = name_end(line, end + link.len());
        } else {
            break;
        }
    }
    (bytes.get(end) != Some(&b'(')).then(|| found(line, start..end, begin..end))
}

/// Length of the bracketed text at the start of `text`.
pub fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Length of the assignment operator at the start of `text`.
fn assignment(text: &str) -> Option<usize> {
    let operators = [
        "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "=",
    ];
    let operator = operators
        .into_iter()
        .find(|operator| text.starts_with(operator))?;
    (!text[operator.len()..].starts_with('=')).then_some(operator.len())
}

/// The operand that ends before `end`: names linked by `.`, `->`, `::`, with subscripts, and stars in front.
pub fn operand_before(line: &str, end: usize) -> Option<Range<usize>> {
    let bytes = line.as_bytes();
    let last = line[..end].trim_end().len();
    let mut start = last;
    loop {
        while start > 0 && matches!(bytes[start - 1], b']' | b')') {
            start = opening(&bytes[..start])?;
        }
        let part = start;
        while start > 0 && is_name(bytes[start - 1]) {
            start -= 1;
        }
        // `(x).y` has no name before the brackets.
        if start == part && bytes.get(part) != Some(&b'(') {
            return None;
        }
        let before = &line[..start];
        match ["->", "::", "."]
            .iter()
            .find(|link| before.ends_with(**link))
        {
            Some(link) => start -= link.len(),
            None => break,
        }
    }
    if start == last || bytes[start].is_ascii_digit() || KEYWORDS.contains(&&line[start..last]) {
        return None;
    }
    // `*(int *)p`: not the pointer.
    let before = line[..start].trim_end();
    let cast = before.ends_with(')').then(|| opening(before.as_bytes()));
    let cast = cast.flatten().filter(|&open| {
        cast_at(&line[open..]) == Some(before.len() - open) && is_dereferenced(line, open)
    });
    let begin = cast.unwrap_or(start);
    if is_dereferenced(line, begin) {
        start = begin - stars_before(line, begin);
    }
    Some(start..last)
}

fn stars_before(line: &str, at: usize) -> usize {
    line[..at].len() - line[..at].trim_end_matches('*').len()
}

/// Whether stars in front of this dereference, as they do where a statement begins; elsewhere they may multiply or declare.
fn is_dereferenced(line: &str, at: usize) -> bool {
    let stars = stars_before(line, at);
    let before = line[..at - stars].trim_end();
    stars > 0 && (before.is_empty() || before.ends_with([';', '{', '}', ')', '(']))
}

/// Length of the cast to a pointer at the start of `text`.
fn cast_at(text: &str) -> Option<usize> {
    let length = balanced(text).filter(|_| text.starts_with('('))?;
    let name = text[1..length - 1].trim_end();
    let is_type = |byte: u8| is_name(byte) || matches!(byte, b' ' | b'*' | b':');
    let pointer = name.ends_with('*') && !name.starts_with('*') && name.bytes().all(is_type);
    pointer.then_some(length)
}

/// Where the bracket that ends `bytes` was opened.
fn opening(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().rev() {
        match byte {
            b']' | b')' => depth += 1,
            b'[' | b'(' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line with `^` before the column; returns the marked text and the variable.
    fn at_caret(line: &str) -> (String, Option<String>) {
        let column = line.find('^').unwrap() + 1;
        let line = line.replacen('^', "", 1);
        let expression = at(&line, column as u32).unwrap();
        (line[expression.marked].to_owned(), expression.variable)
    }

    #[test]
    fn accesses_are_recognised() {
        for (line, marked, variable) in [
            ("  x ^= 1;", "x =", "x"),
            ("  c->hits^++;", "c->hits++", "c->hits"),
            ("  c->^hits++;", "c->hits++", "c->hits"),
            ("  ^++c->hits;", "++c->hits", "c->hits"),
            (
                "  a.b[i + f(2)].c ^+= 2;",
                "a.b[i + f(2)].c +=",
                "a.b[i + f(2)].c",
            ),
            ("  return ^total;", "total", "total"),
            ("  y = n::^total + 1;", "n::total", "n::total"),
            ("  *p ^= 3;", "*p =", "*p"),
            ("  y = ^*p;", "*p", "*p"),
            ("  ^COUNTER += 1;", "COUNTER", "COUNTER"),
            ("  if (^x < 3)", "x", "x"),
            ("  if (^ready != 0)", "ready", "ready"),
            ("  (*q).z ^= 1;", "(*q).z =", "(*q).z"),
            ("  (*q)^++;", "(*q)++", "*q"),
            ("  *(int *)p ^= 1;", "*(int *)p =", "*(int *)p"),
            (
                "  { *(unsigned char *) q->x ^+= 1; }",
                "*(unsigned char *) q->x +=",
                "*(unsigned char *) q->x",
            ),
            ("  y = ^*(n::t *)p;", "*(n::t *)p", "*(n::t *)p"),
            ("  if (x) y ^= 1;", "y =", "y"),
            ("  f(a * b) + c ^= 1;", "c =", "c"),
            ("  h[1] ^<<= 1;", "h[1] <<=", "h[1]"),
        ] {
            assert_eq!(
                at_caret(line),
                (marked.to_owned(), Some(variable.to_owned())),
                "{line}"
            );
        }
    }

    #[test]
    fn doubtful_ones_have_no_name() {
        for (line, marked) in [
            ("  ^f(x);", "f"),
            ("  y = ^a[i];", "a"),
            ("  ^return x;", "return"),
            (
                "  ^__asm__ volatile(\"lock incl %0\" : \"+m\"(*p));",
                "__asm__",
            ),
            ("  y = ^p->x;", "p"),
            ("  ^lock_guard<mutex> l(m);", "lock_guard"),
            ("  x ^== y;", "="),
            ("  ^[&] { };", "["),
            ("  f() ^= 3;", "f() ="),
        ] {
            let (text, variable) = at_caret(line);
            assert_eq!(text, marked, "{line}");
            assert!(
                variable.is_none() || variable.as_deref() == Some("f()"),
                "{line} {variable:?}"
            );
        }
    }

    #[test]
    fn columns_outside_of_the_line_and_odd_text_are_survived() {
        assert_eq!(at("x = 1;", 0), None);
        assert_eq!(at("x = 1;", 100), None);
        assert_eq!(at("", 1), None);
        assert_eq!(at("   ", 2), None);
        assert_eq!(at("ä = 1", 2), None);
        for line in [
            "])]=", "++", "*=", "((((", "a->", "::=", "é++", "x]++", "-->x", "*",
        ] {
            for column in 0..8 {
                let _ = at(line, column);
            }
        }
    }
}
