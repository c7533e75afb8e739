//! Programs of others: `real/NAME.sh` says how one is built from Debian's sources, and what it is used for. A recipe is a shell
//! script with functions that run in a folder of their own, where `$SRC/PACKAGE` is the unpacked source of a package and `$INPUT`
//! a text to work on:
//!
//! | function | what it does |
//! |---|---|
//! | `build` | builds it by `$CC` and `$CXX` |
//! | `seed` | before that, puts a race into the sources |
//! | `use` | what is measured: all that the shell waits for |
//!
//! `$TESTS` is the folder of the tests, whose recipes may build the same programs; `$RECIPES` is the recipe's own folder, and
//! `$NATIVE_CC` a compiler for what is not to be measured. The head of a recipe is made of lines as `workload.rs` has them:
//!
//! | line | meaning |
//! |---|---|
//! | the first one | what it is |
//! | `# SOURCES: a b` | Debian's source packages |
//! | `# MEGABYTES: N` | size of `$INPUT`, if not 1 |
//! | `# RACY` | it has races of its own, so it is measured without reports, and none need to be seeded |

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use crate::build::Build;
use crate::measure;
use crate::place;
use crate::tool::Tool;

const BUILD_LIMIT: Duration = Duration::from_secs(1200);

pub struct Recipe {
    pub about: String,
    pub sources: Vec<String>,
    pub megabytes: usize,
    pub racy: bool,
}

impl Recipe {
    pub fn read(path: &Path) -> Result<Recipe> {
        let text =
            fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Recipe::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Recipe> {
        let mut recipe = Recipe {
            about: String::new(),
            sources: Vec::new(),
            megabytes: 1,
            racy: false,
        };
        let head = text.lines().map_while(|line| line.strip_prefix("# "));
        for (number, line) in head.enumerate() {
            match line.split_once(": ").unwrap_or((line, "")) {
                _ if number == 0 => recipe.about = line.to_owned(),
                ("SOURCES", value) => {
                    recipe.sources = value.split_whitespace().map(str::to_owned).collect();
                }
                ("MEGABYTES", value) => {
                    recipe.megabytes = value.parse().context("how many megabytes?")?;
                }
                ("RACY", "") => recipe.racy = true,
                _ => bail!("what is `{line}`?"),
            }
        }
        if recipe.sources.is_empty() {
            bail!("names no SOURCES");
        }
        Ok(recipe)
    }
}

/// Builds it in the folder that is the build's program.
pub fn build(build: &Build) -> Result<()> {
    let recipe = Recipe::read(&build.source)?;
    let folder = build.program();
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let sources = folder.join("src");
    fs::create_dir_all(&sources)?;
    let text = |error: String| anyhow!(error);
    let archives = goldilocks_sources::fetch(&recipe.sources, &place::sources()).map_err(text)?;
    for (package, archive) in recipe.sources.iter().zip(archives) {
        goldilocks_sources::unpack(&archive, &sources, package).map_err(text)?;
    }
    goldilocks_sources::write_words(recipe.megabytes << 20, &folder.join("input"))?;
    let steps = if build.seeded { "seed; build" } else { "build" };
    let mut shell = shell(build, steps);
    let outcome = measure::run(&mut shell, &folder.join("build"), BUILD_LIMIT)?;
    if outcome.status != Some(0) {
        let last: Vec<&str> = outcome.stderr.lines().rev().take(5).collect();
        bail!(
            "{shell:?} ended with {:?}: {}",
            outcome.status,
            last.join(" / ")
        );
    }
    Ok(())
}

/// The command that uses it.
pub fn command(build: &Build) -> Command {
    shell(build, "use")
}

fn shell(build: &Build, steps: &str) -> Command {
    let folder = build.program();
    let native = Tool::Native.compiler(false);
    let mut shell = Command::new("bash");
    shell
        .current_dir(&folder)
        .env("CC", compiler(build.tool, false))
        .env("CXX", compiler(build.tool, true))
        .env("NATIVE_CC", native)
        .env("SRC", folder.join("src"))
        .env("INPUT", folder.join("input"))
        .env("RECIPE", &build.source)
        .env("RECIPES", place::benches().join("real"))
        .env("TESTS", place::benches().join("../tests"))
        .args(["-euc", &format!(". \"$RECIPE\"; {steps}")]);
    shell
}

/// A compiler that needs no options, as build systems want it.
fn compiler(tool: Tool, cpp: bool) -> PathBuf {
    match tool.flags() {
        [] => tool.compiler(cpp),
        _ => place::builds().join(wrapper(tool, cpp)),
    }
}

fn wrapper(tool: Tool, cpp: bool) -> String {
    format!("{}-{}", tool.name(), if cpp { "c++" } else { "cc" })
}

/// Makes the compilers that `compiler` names, before builds that may want them at once.
pub fn make_wrappers(tools: &[Tool]) -> Result<()> {
    for tool in tools.iter().filter(|tool| !tool.flags().is_empty()) {
        for cpp in [false, true] {
            let path = place::builds().join(wrapper(*tool, cpp));
            let script = format!(
                "#!/bin/sh\nexec '{}' {} \"$@\"\n",
                tool.compiler(cpp).display(),
                tool.flags().join(" ")
            );
            // A new file each time would make all that was built with it look old.
            if fs::read_to_string(&path).is_ok_and(|old| old == script) {
                continue;
            }
            fs::write(&path, script)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_all_recipes_are_understood() {
        let recipes = place::files(&place::benches().join("real"), &["sh"]);
        assert!(recipes.len() >= 5);
        for path in recipes {
            let recipe = Recipe::read(&path).unwrap();
            assert!(!recipe.about.is_empty(), "{}", path.display());
        }
    }

    #[test]
    fn what_is_unknown_is_refused() {
        assert!(Recipe::parse("# About\n# SOURCES: a\n# MEGABYTES: x\n").is_err());
        assert!(Recipe::parse("# About\n# SOURCES: a\n# QUICK\n").is_err());
        assert!(Recipe::parse("# About\n").is_err());
        assert!(
            Recipe::parse("# About\n# SOURCES: a b\n# RACY\n\nx\n")
                .unwrap()
                .racy
        );
    }
}
