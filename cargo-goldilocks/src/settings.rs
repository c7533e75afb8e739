//! What a project says of race detection in its `Cargo.toml`s.
//!
//! ```toml
//! [workspace.metadata.goldilocks]      # or [package.metadata.goldilocks]
//! suppressions = "races.supp"          # a file beside this one, or a list: ["race:their_lib::"]
//! options = { stack_depth = 32, halt_on_error = true }     # or as in the environment: "stack_depth=32"
//! exclude = ["their-lib"]              # crates whose plain accesses are not checked
//! ```
//!
//! The workspace comes first, then the packages that cargo was told to take. Suppressions and excluded crates of all of these
//! hold for the whole run; of options that contradict each other the later holds, and the environment comes last.

use goldilocks_cc::refusal::Refusal;
use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// The settings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Names as in paths (`their_lib`), sorted.
    pub exclude: Vec<String>,
    /// `name=value`, in order.
    options: Vec<String>,
    /// Lines, and files of lines.
    lines: Vec<String>,
    files: Vec<PathBuf>,
    /// Where the lines of all are.
    written: Option<PathBuf>,
}

const KEY: &str = "metadata.goldilocks";

impl Settings {
    /// From the answer of `cargo metadata`. Of the packages those that are `named`, or `all`, or those that cargo takes by itself.
    pub fn of(description: &Value, all: bool, named: &[String]) -> Result<Settings, Refusal> {
        let mut settings = Settings::default();
        let root = description["workspace_root"].as_str().unwrap_or_default();
        settings.add(&description["metadata"]["goldilocks"], Path::new(root))?;
        let defaults = description["workspace_default_members"].as_array();
        for package in description["packages"].as_array().into_iter().flatten() {
            let name = package["name"].as_str().unwrap_or_default();
            let taken = if named.is_empty() {
                defaults.is_none_or(|ids| ids.contains(&package["id"]))
            } else {
                named.iter().any(|one| one == name)
            };
            if all || taken {
                let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
                let folder = manifest.parent().unwrap_or(manifest);
                settings.add(&package["metadata"]["goldilocks"], folder)?;
            }
        }
        settings.exclude.sort();
        settings.exclude.dedup();
        Ok(settings)
    }

    fn add(&mut self, table: &Value, folder: &Path) -> Result<(), Refusal> {
        let manifest = folder.join("Cargo.toml");
        let wrong = |name: &str, expected: &str| {
            Refusal::new(
                format!("{}: {KEY}.{name} is not {expected}", manifest.display()),
                "docs/rust.md says what can be there",
            )
        };
        if table.is_null() {
            return Ok(());
        }
        let table = table.as_object().ok_or_else(|| wrong("*", "in a table"))?;
        for (name, value) in table {
            match name.as_str() {
                "suppressions" => match value {
                    Value::String(file) => self.files.push(folder.join(file)),
                    _ => self.lines.extend(
                        words(value).ok_or_else(|| wrong(name, "a file or a list of lines"))?,
                    ),
                },
                "exclude" => {
                    let names =
                        words(value).ok_or_else(|| wrong(name, "a list of names of crates"))?;
                    self.exclude
                        .extend(names.iter().map(|name| name.replace('-', "_")));
                }
                "options" => match value {
                    Value::String(text) => self.options.push(text.clone()),
                    Value::Object(values) => {
                        for (option, value) in values {
                            let text = option_value(value)
                                .ok_or_else(|| wrong(option, "a number, a text, true or false"))?;
                            self.options.push(format!("{option}={text}"));
                        }
                    }
                    _ => return Err(wrong(name, "a table or a text")),
                },
                _ => {
                    return Err(wrong(
                        name,
                        "one of its entries, which are suppressions, options and exclude",
                    ));
                }
            }
        }
        Ok(())
    }

    /// The folder in cargo's target folder: what is compiled with other crates excluded is other code.
    pub fn folder(&self) -> PathBuf {
        if self.exclude.is_empty() {
            return PathBuf::from("goldilocks");
        }
        let mut hasher = DefaultHasher::new();
        self.exclude.hash(&mut hasher);
        PathBuf::from(format!(
            "goldilocks-excluding-{:08x}",
            hasher.finish() as u32
        ))
    }

    /// Writes the suppressions to where the programs will find them.
    pub fn write(&mut self, folder: &Path) -> Result<(), Refusal> {
        let trouble = |path: &Path, error: std::io::Error| {
            Refusal::new(
                format!("{}: {error}", path.display()),
                format!("see whether {KEY}.suppressions in Cargo.toml names it right"),
            )
        };
        self.written = match (&self.files[..], &self.lines[..]) {
            ([], []) => None,
            // What is wrong in it is then said with its own name and line.
            ([file], []) => {
                fs::metadata(file).map_err(|error| trouble(file, error))?;
                Some(file.clone())
            }
            (files, lines) => {
                let mut text = lines.join("\n") + "\n";
                for file in files {
                    text += &fs::read_to_string(file).map_err(|error| trouble(file, error))?;
                    text += "\n";
                }
                let path = folder.join("suppressions");
                fs::create_dir_all(folder)
                    .and_then(|()| fs::write(&path, text))
                    .map_err(|error| trouble(&path, error))?;
                Some(path)
            }
        };
        Ok(())
    }

    /// For the environment of the programs, to be followed by more.
    pub fn options(&self) -> String {
        let file = self.written.iter();
        let file = file.map(|path| format!("suppressions={}", quoted(&path.to_string_lossy())));
        self.options
            .iter()
            .cloned()
            .chain(file)
            .map(|one| one + ":")
            .collect()
    }
}

fn words(value: &Value) -> Option<Vec<String>> {
    let word = |value: &Value| value.as_str().map(str::to_owned);
    value.as_array()?.iter().map(word).collect()
}

fn option_value(value: &Value) -> Option<String> {
    match value {
        Value::Bool(on) => Some(u8::from(*on).to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(quoted(text)),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') { '"' } else { '\'' };
    format!("{quote}{text}{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn description() -> Value {
        json!({
            "workspace_root": "/w",
            "metadata": {"goldilocks": {"exclude": ["their-lib"], "options": "stack_depth=32"}},
            "workspace_default_members": ["a 1"],
            "packages": [
                {"name": "a", "id": "a 1", "manifest_path": "/w/a/Cargo.toml", "metadata": {"goldilocks": {
                    "options": {"halt_on_error": true, "log_path": "x y"},
                    "exclude": ["one", "their_lib"],
                }}},
                {"name": "b", "id": "b 1", "manifest_path": "/w/b/Cargo.toml",
                 "metadata": {"goldilocks": {"suppressions": "b.supp"}}},
                {"name": "c", "id": "c 1", "manifest_path": "/w/c/Cargo.toml", "metadata": null},
            ],
        })
    }

    #[test]
    fn the_workspace_and_the_packages_taken_are_asked() {
        let settings = Settings::of(&description(), false, &[]).unwrap();
        assert_eq!(settings.exclude, ["one", "their_lib"]);
        assert_eq!(
            settings.options(),
            "stack_depth=32:halt_on_error=1:log_path='x y':"
        );
        assert!(settings.files.is_empty());
        let settings = Settings::of(&description(), false, &["b".to_owned()]).unwrap();
        assert_eq!(settings.exclude, ["their_lib"]);
        assert_eq!(settings.files, [Path::new("/w/b/b.supp")]);
        let settings = Settings::of(&description(), true, &[]).unwrap();
        assert_eq!((settings.exclude.len(), settings.files.len()), (2, 1));
    }

    #[test]
    fn other_code_goes_to_another_folder() {
        let settings = Settings::of(&description(), false, &[]).unwrap();
        assert_ne!(settings.folder(), Settings::default().folder());
        assert_eq!(Settings::default().folder(), Path::new("goldilocks"));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for table in [
            json!({"supressions": []}),
            json!({"exclude": "one"}),
            json!({"exclude": [1]}),
            json!({"suppressions": 1}),
            json!({"options": ["a=b"]}),
            json!({"options": {"a": []}}),
            json!(["exclude"]),
        ] {
            let description = json!({"metadata": {"goldilocks": table}});
            assert!(Settings::of(&description, false, &[]).is_err(), "{table}");
        }
    }
}
