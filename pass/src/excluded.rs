//! Rust crates whose plain accesses are not to be checked: their functions, wherever those are compiled. Generic ones are
//! compiled where they are used.

use crate::llvm::Value;

/// Names of crates as in paths, separated by commas.
const VARIABLE: &str = "GOLDILOCKS_EXCLUDE";

/// The crates that the user has excluded.
pub struct Excluded(Vec<String>);

impl Excluded {
    pub fn get() -> Excluded {
        let names = std::env::var(VARIABLE).unwrap_or_default();
        let names = names.split(',').filter(|name| !name.is_empty());
        Excluded(names.map(str::to_owned).collect())
    }

    pub fn contains(&self, function: Value<'_>) -> bool {
        !self.0.is_empty()
            && crate_of(function.name()).is_some_and(|name| self.0.iter().any(|one| one == name))
    }
}

/// The crate that a mangled path starts in: where the function, or the `impl` that it is in, has been written.
fn crate_of(symbol: &str) -> Option<&str> {
    if let Some(path) = symbol.strip_prefix("_R") {
        return first_crate(path);
    }
    // The older mangling: `_ZN6my_lib...`, or `_ZN40_$LT$my_lib..` for an `impl`.
    let (length, rest) = number(symbol.strip_prefix("_ZN")?)?;
    let name = rest.get(..length)?;
    let implementation = name.strip_prefix("_$LT$").map(|path| {
        path.trim_start_matches("$RF$")
            .trim_start_matches("mut$u20$")
    });
    Some(match implementation {
        Some(path) => path.split_once("..")?.0,
        None => name,
    })
}

/// The first `C<disambiguator><length><name>` of a path; tags of one letter come before it, and disambiguators of `impl`s.
fn first_crate(mut path: &str) -> Option<&str> {
    loop {
        let (tag, rest) = path.split_at_checked(1)?;
        path = match tag {
            "C" => {
                let rest = without_disambiguator(rest);
                let (length, rest) = number(rest)?;
                return rest.trim_start_matches('_').get(..length);
            }
            // In an `impl` and in a trait's: then the path of the `impl` itself.
            "M" | "X" => without_disambiguator(rest),
            "Y" | "I" => rest,
            "N" => rest.get(1..)?,
            _ => return None,
        };
    }
}

/// `s<base 62>_` is one.
fn without_disambiguator(text: &str) -> &str {
    let found = text.strip_prefix('s').and_then(|rest| rest.split_once('_'));
    found.map_or(text, |(_, rest)| rest)
}

fn number(text: &str) -> Option<(usize, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}
