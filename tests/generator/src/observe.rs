//! What a run of a unit has said: where its memory was, which turns it took, what was reported in each.

use anyhow::{Context, Result, bail};
use goldilocks_core::abi::COLUMN_OF_FUNCTION;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// A side of a report.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Lines of the unit's source in the stack, from 1; 0 where a frame has none.
    pub lines: Vec<usize>,
    /// Functions, outermost last; only those that lines do not tell.
    pub functions: Vec<String>,
    /// Whether a line is that of its function, since the compiler has lost the access's; or there is none, of a call: of two that were made
    /// one the pass knows no line either.
    pub of_function: bool,
    is_call: bool,
    offsets: Vec<String>,
}

/// A report.
#[derive(Clone, Debug)]
pub struct Report {
    /// What it is a report of, as its JSON says.
    pub kind: String,
    pub text: String,
    /// Addresses.
    pub racing: Vec<usize>,
    pub current: Side,
    pub previous: Side,
}

/// What happened, in order.
#[derive(Clone, Debug)]
pub enum Happening {
    Start {
        scenario: usize,
        run: usize,
    },
    Turn(usize),
    Place {
        place: usize,
        addr: usize,
        bytes: usize,
    },
    Report(Box<Report>),
    /// All turns are over.
    End,
    /// What a program under test does not say.
    Noise(String),
    /// It did not go on, and was killed; where its threads were.
    Hung(String),
    /// The process has ended with this status.
    Died(String),
}

/// Reads the standard error of a unit.
pub fn read(output: &str, program: &Path) -> Result<Vec<Happening>> {
    let mut happenings = Vec::new();
    for line in output.lines() {
        if let Some(mark) = line.strip_prefix('#') {
            happenings.push(read_mark(mark).with_context(|| format!("mark `{line}`"))?);
        } else if line.starts_with('{') {
            happenings.push(Happening::Report(Box::new(read_report(line)?)));
        } else {
            happenings.push(Happening::Noise(line.to_owned()));
        }
    }
    symbolize(&mut happenings, program)?;
    Ok(happenings)
}

fn read_mark(mark: &str) -> Result<Happening> {
    let mut words = mark.split(' ');
    let kind = words.next().unwrap_or("");
    let numbers: Vec<usize> = words
        .map(|word| usize::from_str_radix(word, 16))
        .collect::<Result<_, _>>()?;
    let &[a, b, c] = numbers.as_slice() else {
        bail!("three numbers are wanted");
    };
    Ok(match kind {
        "S" => Happening::Start {
            scenario: a,
            run: b,
        },
        "T" => Happening::Turn(a),
        "P" => Happening::Place {
            place: a,
            addr: b,
            bytes: c,
        },
        "E" => Happening::End,
        _ => bail!("no such mark"),
    })
}

fn address(value: &Value) -> Option<usize> {
    usize::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}

fn read_report(line: &str) -> Result<Report> {
    let value: Value = serde_json::from_str(line).with_context(|| format!("report {line}"))?;
    if value["goldilocks"] != 1 {
        bail!("a report of another version: {line}");
    }
    let ranges = value["racing"].as_array().into_iter().flatten();
    let racing = ranges
        .filter_map(|range| Some((address(&range["addr"])?, range["size"].as_u64()? as usize)))
        .flat_map(|(addr, bytes)| addr..addr + bytes)
        .collect();
    let side = |name: &str| {
        let stack = value[name]["stack"].as_array();
        Side {
            offsets: stack
                .into_iter()
                .flatten()
                .filter_map(|frame| Some(frame["offset"].as_str()?.to_owned()))
                .collect(),
            // What `realloc` has copied is written where the block is allocated.
            is_call: value[name]["access"] == "free"
                || value["place"]["stack"][0]["offset"].is_string()
                    && value["place"]["stack"][0]["offset"] == value[name]["stack"][0]["offset"],
            ..Side::default()
        }
    };
    Ok(Report {
        racing,
        kind: value["kind"].as_str().unwrap_or_default().to_owned(),
        current: side("current"),
        previous: side("previous"),
        text: line.to_owned(),
    })
}

/// Gives every frame its lines, in one run of the symbolizer.
fn symbolize(happenings: &mut [Happening], program: &Path) -> Result<()> {
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    for happening in happenings.iter() {
        if let Happening::Report(report) = happening {
            wanted.extend(report.current.offsets.iter().cloned());
            wanted.extend(report.previous.offsets.iter().cloned());
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let known = lines_of(&wanted.into_iter().collect::<Vec<_>>(), program)?;
    for happening in happenings.iter_mut() {
        if let Happening::Report(report) = happening {
            for side in [&mut report.current, &mut report.previous] {
                for frame in side
                    .offsets
                    .iter()
                    .filter_map(|offset| known.get(offset))
                    .flatten()
                {
                    side.lines.push(frame.line);
                    side.functions.push(frame.function.clone());
                    side.of_function |= frame.of_function || side.is_call && frame.line == 0;
                }
            }
        }
    }
    Ok(())
}

struct Frame {
    line: usize,
    function: String,
    of_function: bool,
}

fn lines_of(offsets: &[String], program: &Path) -> Result<BTreeMap<String, Vec<Frame>>> {
    let input = program.with_extension("offsets");
    std::fs::write(&input, offsets.join("\n") + "\n")?;
    let output = Command::new("llvm-symbolizer-22")
        .arg(format!("--obj={}", program.display()))
        .arg("--no-demangle")
        .stdin(Stdio::from(std::fs::File::open(&input)?))
        .output()
        .context("llvm-symbolizer-22")?;
    let _ = std::fs::remove_file(&input);
    let text = String::from_utf8_lossy(&output.stdout);
    let blocks: Vec<&str> = text
        .split("\n\n")
        .filter(|block| !block.is_empty())
        .collect();
    if blocks.len() != offsets.len() {
        bail!("{} answers for {} addresses", blocks.len(), offsets.len());
    }
    let frames = |block: &str| {
        let lines: Vec<&str> = block.lines().collect();
        lines
            .chunks(2)
            .filter_map(|pair| {
                let mut parts = pair.get(1)?.rsplit(':');
                let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
                let line = line.parse().ok()?;
                // Where the compiler has lost the line (it made one access of several), the file says nothing either.
                let ours = line == 0 || file.rsplit('/').next()?.starts_with("unit");
                ours.then(|| Frame {
                    line,
                    function: pair[0].to_owned(),
                    of_function: column.parse() == Ok(COLUMN_OF_FUNCTION),
                })
            })
            .collect()
    };
    Ok(offsets
        .iter()
        .cloned()
        .zip(blocks.into_iter().map(frames))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two calls of `realloc` that the compiler has made one, neither has a line.
    #[test]
    fn what_realloc_writes_is_a_call() {
        let report = |allocated_at: &str| {
            let side = |access: &str, offset: &str| {
                format!(r#"{{"access":"{access}","stack":[{{"offset":"{offset}"}}]}}"#)
            };
            let (current, previous) = (side("write", "0x10"), side("write", "0x20"));
            let place = format!(r#"{{"stack":[{{"offset":"{allocated_at}"}}]}}"#);
            let text = format!(
                r#"{{"goldilocks":1,"kind":"data-race","racing":[],"current":{current},"previous":{previous},"place":{place}}}"#
            );
            read_report(&text).unwrap()
        };
        let of_realloc = report("0x20");
        assert!(of_realloc.previous.is_call && !of_realloc.current.is_call);
        assert!(!report("0x30").previous.is_call);
        let global = r#"{"goldilocks":1,"current":{"stack":[]},"previous":{"stack":[]}}"#;
        assert!(!read_report(global).unwrap().previous.is_call);
    }
}
