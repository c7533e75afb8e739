//! Which machine a command line compiles for, and whether Goldilocks can watch it.

use crate::refusal::Refusal;

/// What the command line says about the target: the last word of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// `--target=` or `-target`.
    pub triple: Option<String>,
    /// `-m16`, `-m32`, `-m64` or `-mx32`.
    pub width: Option<String>,
    /// `-femulated-tls`, unless it is taken back.
    pub emulated_tls: bool,
}

impl Target {
    /// Takes one argument that has no separate value into account.
    pub fn argument(&mut self, argument: &str) {
        if let Some(triple) = argument.strip_prefix("--target=") {
            self.triple = Some(triple.to_owned());
        } else if matches!(argument, "-m16" | "-m32" | "-m64" | "-mx32") {
            self.width = Some(argument.to_owned());
        } else if let "-femulated-tls" | "-fno-emulated-tls" = argument {
            self.emulated_tls = argument == "-femulated-tls";
        }
    }

    /// The refusal, unless it is x86-64 Linux with the GNU C library.
    pub fn refusal(&self) -> Option<Refusal> {
        if self.emulated_tls {
            return Some(Refusal::new(
                "-femulated-tls cannot be combined with goldilocks: the checks in compiled code use variables of each thread that the runtime has in thread-local \
                 storage as the processor has it",
                "drop -femulated-tls, or compile this part with clang itself",
            ));
        }
        let named = match (&self.triple, &self.width) {
            (_, Some(width)) if width != "-m64" => width.clone(),
            (Some(triple), _) if !supported(triple) => format!("--target={triple}"),
            _ => return None,
        };
        Some(Refusal::new(
            format!(
                "goldilocks detects races on x86-64 Linux with the GNU C library only, not with {named}"
            ),
            format!("drop {named}, or compile this part with clang itself"),
        ))
    }
}

fn supported(triple: &str) -> bool {
    let mut parts = triple.split('-');
    let machine = matches!(parts.next(), Some("x86_64" | "amd64" | "x86-64"));
    let rest: Vec<&str> = parts.collect();
    machine && rest.contains(&"linux") && matches!(rest.last(), Some(&"gnu" | &"linux"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> bool {
        let mut target = Target::default();
        arguments
            .iter()
            .for_each(|argument| target.argument(argument));
        target.refusal().is_some()
    }

    #[test]
    fn thread_local_storage_is_not_emulated() {
        assert!(refused(&["-femulated-tls"]));
        assert!(!refused(&["-femulated-tls", "-fno-emulated-tls"]));
        assert!(!refused(&["-fno-emulated-tls"]));
    }

    #[test]
    fn targets() {
        for fine in [
            &[][..],
            &["-m64"],
            &["-m32", "-m64"],
            &["--target=x86_64-linux-gnu"],
            &["--target=x86_64-pc-linux-gnu"],
            &["--target=x86_64-unknown-linux-gnu"],
            &["--target=x86_64-linux"],
        ] {
            assert!(!refused(fine), "{fine:?}");
        }
        for other in [
            &["-m32"][..],
            &["-mx32"],
            &["--target=aarch64-linux-gnu"],
            &["--target=x86_64-linux-gnux32"],
            &["--target=x86_64-linux-musl"],
            &["--target=x86_64-linux-android30"],
            &["--target=x86_64-w64-mingw32"],
            &["--target=x86_64-apple-darwin"],
            &["--target=i386-pc-linux-gnu"],
            &["--target=wasm32"],
        ] {
            assert!(refused(other), "{other:?}");
        }
    }
}
