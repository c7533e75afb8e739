//! The programs that are measured, as files: what their heads say.
//!
//! | line | meaning |
//! |---|---|
//! | the first one | what the program does |
//! | `// ARGS: ...` | arguments of a full run |
//! | `// QUICK: ...` | arguments of a quick run |
//! | `// SMOKE: ...` | arguments with which it does next to nothing, for the test that it works |
//! | `// THREADS: N ...` | the last argument, a number of threads; several make several measurements (`NAME/N` for the later ones of a kernel), the first is for quick runs |
//! | `// SINGLE` | also measured with 0 as the last argument, for which it never starts a thread |
//! | `// LONG` | also measured with ten times the first argument of the quick run, which must cost ten times as much |
//! | `// SYNC` | its events synchronize (micro-benchmarks only) |

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::recipe::Recipe;

#[derive(Debug)]
pub struct Workload {
    pub name: String,
    pub about: String,
    pub source: PathBuf,
    pub full: Vec<String>,
    pub quick: Vec<String>,
    pub smoke: Vec<String>,
    pub threads: Vec<usize>,
    pub single: bool,
    pub long: bool,
    pub sync: bool,
    /// It has races of its own.
    pub racy: bool,
}

#[cfg(test)]
impl Workload {
    /// One that does nothing.
    pub fn named(name: &str) -> Workload {
        empty(Path::new(name))
    }
}

/// The programs of others, which `recipe.rs` builds and uses. They have no arguments.
pub fn recipes() -> Result<Vec<Workload>> {
    let paths = crate::place::files(&crate::place::benches().join("real"), &["sh"]);
    let workload = |path: PathBuf| {
        let recipe = Recipe::read(&path)?;
        Ok(Workload {
            about: recipe.about,
            racy: recipe.racy,
            ..empty(&path)
        })
    };
    paths.into_iter().map(workload).collect()
}

fn empty(source: &Path) -> Workload {
    Workload {
        name: source.file_stem().unwrap_or_default().display().to_string(),
        about: String::new(),
        source: source.to_path_buf(),
        full: Vec::new(),
        quick: Vec::new(),
        smoke: Vec::new(),
        threads: Vec::new(),
        single: false,
        long: false,
        sync: false,
        racy: false,
    }
}

/// Every program of a folder of `benches/`, by name.
pub fn all(folder: &Path) -> Result<Vec<Workload>> {
    crate::place::files(folder, &["c", "cpp", "rs"])
        .into_iter()
        .map(|source| {
            let text = std::fs::read_to_string(&source)
                .with_context(|| format!("reading {}", source.display()))?;
            parse(&text, &source).with_context(|| source.display().to_string())
        })
        .collect()
}

fn parse(text: &str, source: &Path) -> Result<Workload> {
    let mut workload = empty(source);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let head = text.lines().map_while(|line| line.strip_prefix("// "));
    for (number, line) in head.enumerate() {
        match line.split_once(": ").unwrap_or((line, "")) {
            _ if number == 0 => workload.about = line.to_owned(),
            ("ARGS", value) => workload.full = words(value),
            ("QUICK", value) => workload.quick = words(value),
            ("SMOKE", value) => workload.smoke = words(value),
            ("THREADS", value) => {
                for word in value.split_whitespace() {
                    let number = word
                        .parse()
                        .with_context(|| format!("`{word}` is no number of threads"))?;
                    workload.threads.push(number);
                }
            }
            ("SINGLE", "") => workload.single = true,
            ("LONG", "") => workload.long = true,
            ("SYNC", "") => workload.sync = true,
            (word, _) if word.chars().all(|c| c.is_ascii_uppercase()) => {
                bail!("what is `{line}`?")
            }
            _ => {}
        }
    }
    for (name, words) in [
        ("ARGS", &workload.full),
        ("QUICK", &workload.quick),
        ("SMOKE", &workload.smoke),
    ] {
        if words.is_empty() {
            bail!("has no line `// {name}: ...`");
        }
    }
    if workload.threads.is_empty() {
        bail!("has no line `// THREADS: ...`");
    }
    Ok(workload)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "// Does this\n// and that.\n// ARGS: 10 x\n// QUICK: 3 x\n// SMOKE: 1 x\n// THREADS: 2 16\n// LONG\n\nint main;\n// SINGLE\n";

    #[test]
    fn heads_are_read_up_to_their_end() {
        let workload = parse(HEAD, Path::new("folder/name.c")).unwrap();
        assert_eq!(
            (workload.name.as_str(), workload.about.as_str()),
            ("name", "Does this")
        );
        assert_eq!(workload.full, ["10", "x"]);
        assert_eq!(workload.threads, [2, 16]);
        assert!(workload.long && !workload.single && !workload.sync);
    }

    #[test]
    fn a_head_that_lacks_something_or_says_something_unknown_is_refused() {
        let source = Path::new("x.c");
        for line in ["// ARGS: 10 x\n", "// SMOKE: 1 x\n", "// THREADS: 2 16\n"] {
            assert!(parse(&HEAD.replace(line, ""), source).is_err(), "{line}");
        }
        assert!(parse(&HEAD.replace("LONG", "LENGTH"), source).is_err());
    }
}
