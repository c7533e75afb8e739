//! Response files: `@file` as clang reads it, so that what stands in it can be taken into account.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// An argument after expansion, and the argument of the real command line that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub text: OsString,
    /// Index into the arguments given to [`expand`].
    pub origin: usize,
    /// Whether it was read from a file rather than given.
    pub from_file: bool,
}

/// Replaces each `@file` that `read` can read by its contents, to any depth. What cannot be read stays as it is, and
/// so does a file inside itself: clang will say what it thinks of it.
pub fn expand(arguments: &[OsString], read: &dyn Fn(&Path) -> Option<Vec<u8>>) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(arguments.len());
    for (origin, argument) in arguments.iter().enumerate() {
        add(
            argument.clone(),
            origin,
            false,
            read,
            &mut HashSet::new(),
            &mut tokens,
        );
    }
    tokens
}

fn add(
    text: OsString,
    origin: usize,
    from_file: bool,
    read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    open: &mut HashSet<OsString>,
    tokens: &mut Vec<Token>,
) {
    let name = text
        .as_bytes()
        .strip_prefix(b"@")
        .map(|name| OsStr::from_bytes(name).to_os_string());
    if let Some(name) = name.filter(|name| !open.contains(name))
        && let Some(contents) = read(Path::new(&name))
    {
        open.insert(name.clone());
        for word in words(&contents) {
            add(word, origin, true, read, open, tokens);
        }
        open.remove(&name);
        return;
    }
    tokens.push(Token {
        text,
        origin,
        from_file,
    });
}

/// Splits by the rules of a GNU response file: white space separates, `'...'` and `"..."` join, and a backslash takes the
/// next byte as it is (inside single quotes it does so as well; a shell would not).
pub fn words(contents: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word = Vec::new();
    let mut quote = None;
    let mut bytes = contents
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(contents)
        .iter()
        .copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => word.push(bytes.next().unwrap_or(b'\\')),
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => word.push(byte),
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, _) if byte.is_ascii_whitespace() => {
                // Like clang, which has no empty words.
                if !word.is_empty() {
                    words.push(OsString::from_vec(std::mem::take(&mut word)));
                }
            }
            (None, _) => word.push(byte),
        }
    }
    if !word.is_empty() {
        words.push(OsString::from_vec(word));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(tokens: &[Token]) -> Vec<&str> {
        tokens
            .iter()
            .map(|token| token.text.to_str().unwrap())
            .collect()
    }

    #[test]
    fn splits_words() {
        assert_eq!(words(b" -c  a.c\n-o\ta.o\r\n"), ["-c", "a.c", "-o", "a.o"]);
        assert_eq!(
            words(b"'a b' \"c d\" e\\ f x'y'\"z\" ''"),
            ["a b", "c d", "e f", "xyz"]
        );
        assert_eq!(
            words(b"\"-DX=\\\"1\\\"\" '-DY=\"q\"'"),
            ["-DX=\"1\"", "-DY=\"q\""]
        );
        assert_eq!(words(b"\xef\xbb\xbf-c"), ["-c"]);
        assert!(words(b" \n ").is_empty());
    }

    #[test]
    fn expands_nested_files_and_keeps_origins() {
        let read = |path: &Path| match path.to_str()? {
            "one" => Some(b"-c @two".to_vec()),
            "two" => Some(b"a.c @one @missing".to_vec()),
            _ => None,
        };
        let given: Vec<OsString> = ["-O2", "@one", "@absent", "@two"]
            .map(OsString::from)
            .to_vec();
        let tokens = expand(&given, &read);
        assert_eq!(
            texts(&tokens),
            [
                "-O2", "-c", "a.c", "@one", "@missing", "@absent", "a.c", "-c", "@two", "@missing"
            ]
        );
        assert_eq!(
            tokens[2],
            Token {
                text: "a.c".into(),
                origin: 1,
                from_file: true
            }
        );
        assert_eq!(
            tokens[5],
            Token {
                text: "@absent".into(),
                origin: 2,
                from_file: false
            }
        );
    }
}
