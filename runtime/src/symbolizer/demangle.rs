//! From linker names to what the programmer has written: C++ and Rust names are decoded, others are kept.

use cpp_demangle::{DemangleOptions, Symbol};

/// A readable name, short and complete.
#[derive(Debug, PartialEq, Eq)]
pub struct Name {
    /// Without parameters and return type.
    pub short: String,
    /// With them; empty if there is nothing more to say.
    pub full: String,
}

/// Decodes a name of whatever language. What is not understood stays as it is.
pub fn demangle(raw: &str) -> Name {
    // What glibc calls its functions when it calls them itself.
    let raw = raw.strip_prefix("__GI_").unwrap_or(raw);
    if let Ok(name) = rustc_demangle::try_demangle(raw) {
        return Name {
            short: format!("{name:#}"),
            full: String::new(),
        };
    }
    // Compilers append `.cold`, `.part.0`, `.llvm.123` and the like to the names of pieces of a function.
    let base = if raw.starts_with("_Z") {
        raw.split('.').next().unwrap_or(raw)
    } else {
        raw
    };
    let decoded = base
        .starts_with("_Z")
        .then(|| Symbol::new(base).ok())
        .flatten()
        .and_then(|symbol| {
            let short = symbol
                .demangle_with_options(&DemangleOptions::new().no_params().no_return_type())
                .ok()?;
            let full = symbol.demangle().ok()?;
            // How an empty pack of template arguments comes out.
            let [short, full] = [short, full].map(|name| name.replace(", >", ">"));
            Some(Name {
                full: if full == short { String::new() } else { full },
                short,
            })
        });
    decoded.unwrap_or_else(|| Name {
        short: raw.to_owned(),
        full: String::new(),
    })
}

/// Removes what compilers append to the name of a piece of a C function.
pub fn strip_clone_suffix(name: &str) -> &str {
    let cut = [".cold", ".part.", ".constprop.", ".isra.", ".llvm."]
        .iter()
        .filter_map(|suffix| name.find(suffix))
        .min();
    cut.filter(|&at| at > 0).map_or(name, |at| &name[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_three_languages() {
        for (raw, short, full) in [
            ("main", "main", ""),
            ("_ZN3foo3barEi", "foo::bar", "foo::bar(int)"),
            ("_Z3fooIiEvT_", "foo<int>", "void foo<int>(int)"),
            ("_ZN3foo3barEi.cold", "foo::bar", "foo::bar(int)"),
            ("_ZZ4mainE7counter", "main::counter", ""),
            (
                "_ZN4core3fmt5write17h0123456789abcdefE",
                "core::fmt::write",
                "",
            ),
            ("_RNvC5hello4main", "hello::main", ""),
            ("__GI_getenv", "getenv", ""),
            ("_Znonsense", "_Znonsense", ""),
            ("", "", ""),
        ] {
            assert_eq!(
                demangle(raw),
                Name {
                    short: short.into(),
                    full: full.into()
                },
                "{raw}"
            );
        }
    }

    #[test]
    fn pieces_belong_to_their_function() {
        assert_eq!(strip_clone_suffix("work.part.0.cold"), "work");
        assert_eq!(strip_clone_suffix("main.counter"), "main.counter");
    }
}
