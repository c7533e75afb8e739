//! What cargo's configuration files say of the compiler. Cargo asks the environment first, where our programs stand in for the
//! user's, so what the files name has to be found out and handed on.

use crate::cargo::own_options;
use goldilocks_cc::machine::Machine;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// The programs that are named in the table `build`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configuration {
    pub rustc: Option<OsString>,
    pub rustdoc: Option<OsString>,
    pub wrapper: Option<OsString>,
}

impl Configuration {
    /// As cargo itself reads it. Nothing, if it does not answer: it will say why when it is called for more.
    pub fn of(machine: &dyn Machine, given: &[OsString]) -> Configuration {
        let mut cargo = Command::new(crate::cargo::cargo(machine));
        cargo
            .args(["-Zunstable-options", "config", "get", "--show-origin"])
            .args(own_options(given, &["--config"]))
            .arg("build")
            .env("RUSTC_BOOTSTRAP", "1")
            .stderr(Stdio::null());
        let text = cargo.output().map(|output| output.stdout);
        let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
        Configuration::parse(&text, &|variable| machine.variable(variable))
    }

    /// A line for each value: `build.rustc = "name" # where that is said`. Of variables cargo tells only if it is asked for one
    /// value; they count more than files, and less than the command line.
    fn parse(text: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Configuration {
        let value = |key: &str| {
            let start = format!("build.{key} = ");
            let told = text.lines().find_map(|line| {
                let (value, origin) = line.strip_prefix(&start)?.rsplit_once(" # ")?;
                // A string of TOML on one line is one of JSON's, but for kinds of quotes and escapes that no path needs.
                let name: Value = serde_json::from_str(value).ok()?;
                Some((name.as_str()?.to_owned(), origin))
            });
            let by_option = |(_, origin): &(String, &str)| origin.starts_with("--config");
            if told.as_ref().is_none_or(|told| !by_option(told)) {
                let name = format!("CARGO_BUILD_{}", key.replace('-', "_").to_uppercase());
                if let Some(value) = variable(&name) {
                    return Some(value);
                }
            }
            told.map(|(name, origin)| program(&name, Path::new(origin)))
        };
        Configuration {
            rustc: value("rustc"),
            rustdoc: value("rustdoc"),
            wrapper: value("rustc-wrapper"),
        }
    }
}

/// A name without a folder is looked for in the path; any other is relative to the folder that has `.cargo` in it.
fn program(name: &str, file: &Path) -> OsString {
    let folder = file.parent().and_then(Path::parent);
    match folder.filter(|_| name.contains('/') && file.is_absolute()) {
        Some(folder) => folder.join(name).into_os_string(),
        None => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_where_the_file_means_them_to_be() {
        let text = "build.rustc = \"/opt/rustc\" # /w/.cargo/config.toml\n\
                    build.rustc-wrapper = \"tools/wrap # one\" # /w/.cargo/config.toml\n\
                    build.rustc-workspace-wrapper = \"other\" # /w/.cargo/config.toml\n\
                    build.rustdoc = \"x/rustdoc\" # --config cli option\n";
        let none = |_: &str| None;
        let read = Configuration::parse(text, &none);
        assert_eq!(read.rustc.unwrap(), "/opt/rustc");
        assert_eq!(read.wrapper.unwrap(), "/w/tools/wrap # one");
        assert_eq!(read.rustdoc.unwrap(), "x/rustdoc");
        let text = "build.rustc-wrapper = \"sccache\" # /w/.cargo/config.toml\n";
        let expected = Configuration {
            wrapper: Some("sccache".into()),
            ..Configuration::default()
        };
        assert_eq!(Configuration::parse(text, &none), expected);
        assert_eq!(Configuration::parse("", &none), Configuration::default());
    }

    #[test]
    fn variables_count_more_than_files_and_less_than_the_command_line() {
        let variable = |name: &str| (name == "CARGO_BUILD_RUSTC_WRAPPER").then(|| "mine".into());
        for (origin, expected) in [
            ("/w/.cargo/config.toml", "mine"),
            ("--config cli option", "theirs"),
        ] {
            let text = format!("build.rustc-wrapper = \"theirs\" # {origin}\n");
            let read = Configuration::parse(&text, &variable);
            assert_eq!(read.wrapper.unwrap(), expected);
        }
    }
}
