//! What a command line of rustc asks for, as far as it matters here.

use std::ffi::OsString;
use std::path::Path;

/// rustc's command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub crate_name: Option<String>,
    pub crate_types: Vec<String>,
    pub target: Option<String>,
    /// A test program.
    pub test: bool,
    /// Only asks rustc something.
    pub prints: bool,
    pub sysroot: bool,
    /// `-C` options, without the `-C`.
    pub codegen: Vec<String>,
    /// Something is to be compiled.
    pub input: bool,
    /// What is to be made, if that is said.
    pub emit: Vec<String>,
}

/// Options whose value is the next argument when they stand alone, beside those that [`Line::take`] looks at.
const WITH_NEXT: [&str; 15] = [
    "--cfg",
    "--check-cfg",
    "-L",
    "-l",
    "--edition",
    "-o",
    "--out-dir",
    "--explain",
    "-A",
    "-W",
    "-D",
    "-F",
    "--cap-lints",
    "--extern",
    "--error-format",
];
const MORE_WITH_NEXT: [&str; 13] = [
    "--json",
    "--color",
    "--diagnostic-width",
    "--remap-path-prefix",
    "--remap-path-scope",
    "--env-set",
    "-Z",
    "--allow",
    "--warn",
    "--deny",
    "--forbid",
    "--force-warn",
    "--config",
];

impl Line {
    /// `read` is asked for files of arguments (`@file`).
    pub fn parse(arguments: &[OsString], read: &dyn Fn(&Path) -> Option<String>) -> Line {
        let mut words = Vec::new();
        for argument in arguments {
            let text = argument.to_string_lossy();
            match text
                .strip_prefix('@')
                .and_then(|file| read(Path::new(file)))
            {
                Some(file) => words.extend(file.lines().map(str::to_owned)),
                None => words.push(text.into_owned()),
            }
        }
        let mut line = Line::default();
        let mut rest = words.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            line.word(word, &mut rest);
        }
        line
    }

    fn word<'a>(&mut self, word: &'a str, rest: &mut dyn Iterator<Item = &'a str>) {
        let short = |option: &str| word.strip_prefix(option).filter(|value| !value.is_empty());
        if let Some((option, value)) = word
            .strip_prefix("--")
            .and_then(|word| word.split_once('='))
        {
            self.take(option, value);
        } else if let Some(value) = short("-C") {
            self.take("codegen", value);
        } else if matches!(word, "-C" | "-g" | "-O") {
            match word {
                "-C" => self.take("codegen", rest.next().unwrap_or_default()),
                "-g" => self.take("codegen", "debuginfo=2"),
                _ => self.take("codegen", "opt-level=3"),
            }
        } else if matches!(word, "-vV" | "-V" | "--version" | "-h" | "--help") {
            self.prints = true;
        } else if word == "--test" {
            self.test = true;
        } else if WITH_NEXT.contains(&word) || MORE_WITH_NEXT.contains(&word) {
            rest.next();
        } else if let Some(option) = word.strip_prefix("--").filter(|option| takes_next(option)) {
            self.take(option, rest.next().unwrap_or_default());
        } else if word == "-" || !word.starts_with('-') {
            self.input = true;
        }
    }

    fn take(&mut self, option: &str, value: &str) {
        match option {
            "crate-name" => self.crate_name = Some(value.to_owned()),
            "crate-type" => self.crate_types.extend(value.split(',').map(str::to_owned)),
            "target" => self.target = Some(value.to_owned()),
            "print" => self.prints = true,
            "sysroot" => self.sysroot = true,
            "codegen" => self.codegen.push(value.to_owned()),
            "emit" => {
                let kinds = value
                    .split(',')
                    .map(|kind| kind.split('=').next().unwrap_or(kind));
                self.emit.extend(kinds.map(str::to_owned));
            }
            _ => {}
        }
    }

    /// The last word on a `-C` option.
    pub fn codegen(&self, name: &str) -> Option<&str> {
        let value = |option: &'_ String| {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            (key.replace('_', "-") == name).then(|| value.to_owned())
        };
        let position = self
            .codegen
            .iter()
            .rposition(|option| value(option).is_some())?;
        let option = &self.codegen[position];
        Some(option.split_once('=').map_or("", |(_, value)| value))
    }

    /// Whether an executable is made: its link needs the runtime.
    pub fn makes_program(&self) -> bool {
        let links = self.emit.is_empty() || self.emit.iter().any(|kind| kind == "link");
        let program =
            self.crate_types.is_empty() || self.crate_types.iter().any(|kind| kind == "bin");
        links && (self.test || program)
    }

    pub fn is_proc_macro(&self) -> bool {
        self.crate_types.iter().any(|kind| kind == "proc-macro")
    }

    pub fn is_build_script(&self) -> bool {
        self.crate_name
            .as_deref()
            .is_some_and(|name| name.starts_with("build_script_"))
    }

    /// A program of the user's that is compiled as if for a build.
    pub fn is_host_program(&self) -> bool {
        let named = self.test || self.crate_types.iter().any(|kind| kind == "bin");
        self.input
            && !self.prints
            && self.target.is_none()
            && named
            && self.makes_program()
            && !self.is_build_script()
    }
}

fn takes_next(option: &str) -> bool {
    matches!(
        option,
        "crate-name" | "crate-type" | "target" | "print" | "sysroot" | "codegen" | "emit"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Line {
        let arguments: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        Line::parse(&arguments, &|path| {
            (path == Path::new("file")).then(|| "--crate-type\nbin\nx.rs".to_owned())
        })
    }

    #[test]
    fn a_line_of_cargos() {
        let line = parse(
            "--crate-name one --edition=2024 src/lib.rs --error-format=json --crate-type lib \
             --emit=dep-info,metadata,link -C embed-bitcode=no -C debuginfo=2 -C metadata=1 --out-dir target/x \
             --target x86_64-unknown-linux-gnu -C incremental=y -L dependency=z --extern a=liba.rmeta",
        );
        assert_eq!(line.crate_name.as_deref(), Some("one"));
        assert_eq!(line.crate_types, ["lib"]);
        assert_eq!(line.codegen("debuginfo"), Some("2"));
        assert_eq!(line.codegen("embed-bitcode"), Some("no"));
        assert_eq!(line.codegen("lto"), None);
        assert!(line.input && !line.makes_program() && !line.prints);
    }

    #[test]
    fn what_makes_a_program() {
        for program in [
            "x.rs",
            "--crate-type=bin x.rs",
            "--test --crate-type lib x.rs",
            "--emit=link x.rs",
            "@file",
        ] {
            assert!(parse(program).makes_program(), "{program}");
        }
        for none in [
            "--crate-type=bin --emit=metadata x.rs",
            "--crate-type cdylib --crate-type rlib x.rs",
            "--crate-type staticlib,rlib x.rs",
        ] {
            assert!(!parse(none).makes_program(), "{none}");
        }
    }

    #[test]
    fn the_last_word_counts() {
        assert_eq!(
            parse("-Cdebuginfo=0 -g x.rs").codegen("debuginfo"),
            Some("2")
        );
        assert_eq!(
            parse("-C target_feature=+crt-static x.rs").codegen("target-feature"),
            Some("+crt-static")
        );
    }

    #[test]
    fn values_are_no_inputs() {
        assert!(!parse("-L dependency=x --cfg a -o b --print cfg").input);
        assert!(parse("-").input);
    }
}
