//! The programs that are measured.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub struct Workload {
    pub name: String,
    pub source: PathBuf,
    full: Vec<String>,
    quick: Vec<String>,
}

impl Workload {
    pub fn arguments(&self, quick: bool) -> &[String] {
        if quick { &self.quick } else { &self.full }
    }
}

/// Every program of `programs/`, by name.
pub fn all() -> Result<Vec<Workload>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut sources = Vec::new();
    for entry in
        std::fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?
    {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "c" || extension == "cpp")
        {
            sources.push(path);
        }
    }
    sources.sort();
    sources.into_iter().map(read).collect()
}

fn read(source: PathBuf) -> Result<Workload> {
    let text = std::fs::read_to_string(&source)
        .with_context(|| format!("reading {}", source.display()))?;
    let words = |directive: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(directive));
        let line =
            line.with_context(|| format!("{} has no line `{directive}`", source.display()))?;
        Ok::<_, anyhow::Error>(line.split_whitespace().map(str::to_owned).collect())
    };
    let (full, quick) = (words("// ARGS:")?, words("// QUICK:")?);
    let name = source
        .file_stem()
        .context("a file has a name")?
        .to_string_lossy()
        .into_owned();
    Ok(Workload {
        name,
        full,
        quick,
        source,
    })
}
