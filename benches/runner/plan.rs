//! What the command line asks for.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::tool::Tool;

#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    /// Short arguments, and no programs of others.
    pub quick: bool,
    /// Most rounds of each workload.
    pub rounds: usize,
    /// No round is started after this time. One is made in any case.
    pub budget: Duration,
    /// Only workloads whose names contain one of these; all, if there are none.
    pub only: Vec<String>,
    /// Native first: the others are divided by it.
    pub tools: Vec<Tool>,
    pub list: bool,
    pub check: bool,
    pub stats: bool,
    pub profile: bool,
    /// Measures what each lever buys, instead of everything else.
    pub levers: bool,
    pub out: Option<PathBuf>,
    /// Whether the results go into the README, too.
    pub readme: bool,
}

impl Plan {
    pub fn parse(arguments: &[String]) -> Result<Plan> {
        let mut plan = Plan {
            quick: false,
            rounds: 5,
            budget: Duration::from_secs(45 * 60),
            only: Vec::new(),
            tools: vec![Tool::Native, Tool::Goldilocks, Tool::ThreadSanitizer],
            list: false,
            check: false,
            stats: false,
            profile: false,
            levers: false,
            out: None,
            readme: false,
        };
        let mut rounds = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("{argument} what?"));
            match argument.as_str() {
                "--quick" => {
                    plan.quick = true;
                    plan.rounds = 3;
                    plan.budget = Duration::from_secs(85);
                }
                "--check" => plan.check = true,
                "--stats" => plan.stats = true,
                "--profile" => plan.profile = true,
                "--levers" => plan.levers = true,
                "--list" => plan.list = true,
                "--readme" => plan.readme = true,
                "--only" => plan.only.push(value()?.clone()),
                "--out" => plan.out = Some(PathBuf::from(value()?)),
                "--rounds" => rounds = Some(number(value()?)?),
                "--with" => {
                    for name in value()?.split(',') {
                        let tool = Tool::named(name)
                            .with_context(|| format!("`{name}` is none of gcc, helgrind, drd"))?;
                        if !plan.tools.contains(&tool) {
                            plan.tools.push(tool);
                        }
                    }
                }
                option if option.starts_with('-') => {
                    bail!("unknown option `{option}`; see `cargo xtask help`")
                }
                name => plan.only.push(name.to_owned()),
            }
        }
        if let Some(rounds) = rounds {
            // Who asks for a number gets it, however long it takes.
            plan.rounds = rounds;
            plan.budget = Duration::MAX;
        }
        Ok(plan)
    }

    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| name.contains(part.as_str()))
    }
}

fn number(text: &str) -> Result<usize> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => bail!("`{text}` is no number of rounds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Plan> {
        Plan::parse(&arguments.iter().map(|a| a.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_understood_or_refused() {
        let plan = parse(&["--quick", "--with", "gcc,drd", "--only", "array", "queue"]).unwrap();
        assert!(plan.quick && plan.tools[3..] == [Tool::Gcc, Tool::Drd]);
        assert!(plan.wants("array") && plan.wants("queue_atomic") && !plan.wants("tree"));
        let rounds = parse(&["--rounds", "9", "--quick"]).unwrap();
        assert_eq!((rounds.rounds, rounds.budget), (9, Duration::MAX));
        for wrong in [
            &["--rounds", "0"][..],
            &["--rounds"],
            &["--fast"],
            &["--with", "x"],
        ] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
