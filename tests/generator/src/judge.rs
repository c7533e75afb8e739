//! Compares what a unit has reported with what it had to.

use crate::emit::{Owner, Scenario, Unit};
use crate::observe::{Happening, Report, Side};
use crate::verdict::{AfterFree, Byte, TurnId, Verdict, verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A run that was not as it had to be.
#[derive(Clone, Debug)]
pub struct Failure {
    pub scenario: usize,
    pub run: usize,
    pub kind: FailureKind,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FailureKind {
    FalseAlarm,
    Miss,
    WrongName,
    /// It takes an access after a free for a race or the reverse.
    WrongKind,
    /// It did not come to its end.
    Crash,
    /// It did not go on.
    Hang,
    /// It said what is no report.
    Noise,
    /// One before it has ended the process.
    NotStarted,
}

/// What was judged.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Programs times schedules.
    pub executions: usize,
    pub turns: usize,
    /// Bytes that had to be reported.
    pub racing_bytes: usize,
    pub reports: usize,
    /// Executions without a race.
    pub silent: usize,
    pub failures: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.turns += other.turns;
        self.racing_bytes += other.racing_bytes;
        self.reports += other.reports;
        self.silent += other.silent;
        self.failures += other.failures;
    }
}

/// Judges every run of a unit that `expected` says should be there.
pub fn judge(
    scenarios: &[Scenario],
    unit: &Unit,
    happenings: &[Happening],
) -> (Tally, Vec<Failure>) {
    let mut runs: BTreeMap<(usize, usize), &[Happening]> = BTreeMap::new();
    let starts: Vec<usize> = (0..happenings.len())
        .filter(|&index| matches!(happenings[index], Happening::Start { .. }))
        .collect();
    for (index, &start) in starts.iter().enumerate() {
        if let Happening::Start { scenario, run } = happenings[start] {
            let end = starts.get(index + 1).copied().unwrap_or(happenings.len());
            runs.insert((scenario, run), &happenings[start + 1..end]);
        }
    }
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for (number, scenario) in scenarios.iter().enumerate() {
        for (run, schedule) in scenario.schedules.iter().enumerate() {
            let verdict = verdict(&scenario.program, schedule).expect("the schedule was tried");
            let fail = |kind, text| Failure {
                scenario: number,
                run,
                kind,
                text,
            };
            let Some(happenings) = runs.get(&(number, run)) else {
                failures.push(fail(FailureKind::NotStarted, "it did not start".into()));
                continue;
            };
            tally.executions += 1;
            tally.turns += schedule.len();
            tally.racing_bytes += verdict.count();
            tally.silent += (verdict.count() == 0) as usize;
            tally.reports += happenings
                .iter()
                .filter(|happening| matches!(happening, Happening::Report(_)))
                .count();
            let mut judgement = Judgement {
                number,
                unit,
                verdict: &verdict,
                places: BTreeMap::new(),
                position: None,
                said: BTreeSet::new(),
            };
            if let Err((kind, text)) = judgement.run(happenings) {
                failures.push(fail(kind, text));
            }
        }
    }
    tally.failures = failures.len();
    (tally, failures)
}

struct Judgement<'a> {
    number: usize,
    unit: &'a Unit,
    verdict: &'a Verdict,
    /// By first address: place and bytes.
    places: BTreeMap<usize, (usize, usize)>,
    position: Option<usize>,
    said: BTreeSet<Byte>,
}

type Judged = Result<(), (FailureKind, String)>;

impl Judgement<'_> {
    fn run(&mut self, happenings: &[Happening]) -> Judged {
        let mut ended = false;
        for happening in happenings {
            match happening {
                Happening::Start { .. } => {}
                Happening::Place { place, addr, bytes } => {
                    self.places.retain(|start, (_, length)| {
                        start + *length <= *addr || addr + bytes <= *start
                    });
                    self.places.insert(*addr, (*place, *bytes));
                }
                Happening::Turn(position) => {
                    self.turn_is_over()?;
                    self.position = Some(*position);
                }
                Happening::End => {
                    self.turn_is_over()?;
                    self.position = Some(self.verdict.turns.len());
                    ended = true;
                }
                Happening::Report(report) => self.report(report)?,
                Happening::Noise(text) => {
                    let text = format!("in {}: {text}", self.turn_name());
                    return Err((FailureKind::Noise, text));
                }
                Happening::Hung(stacks) => {
                    let text = format!("it hangs in {}\n{stacks}", self.turn_name());
                    return Err((FailureKind::Hang, text));
                }
                Happening::Died(status) => {
                    let text = format!("it ended in {}: {status}", self.turn_name());
                    return Err((FailureKind::Crash, text));
                }
            }
        }
        if ended {
            return Ok(());
        }
        let text = format!("it ended in {}, with success", self.turn_name());
        Err((FailureKind::Crash, text))
    }

    /// What had to be said in the turn was said.
    fn turn_is_over(&self) -> Judged {
        let expected = self
            .position
            .and_then(|position| self.verdict.races.get(position));
        let missed: Vec<_> = expected
            .into_iter()
            .flatten()
            .filter(|(byte, _)| !self.said.contains(byte))
            .collect();
        if missed.is_empty() {
            return Ok(());
        }
        let mut text = format!("in {} nothing is said of", self.turn_name());
        for ((place, offset), earlier) in missed {
            let _ = write!(
                text,
                " place {place} byte {offset} (races with {earlier:?});"
            );
        }
        Err((FailureKind::Miss, text))
    }

    fn turn_name(&self) -> String {
        match self.position {
            Some(position) => match self.verdict.turns.get(position) {
                Some((thread, turn)) => format!("turn {position} (T{thread}.{turn})"),
                None => "the end".to_owned(),
            },
            None => "the beginning".to_owned(),
        }
    }

    fn report(&mut self, report: &Report) -> Judged {
        let false_alarm = |text: String| Err((FailureKind::FalseAlarm, text));
        let position = self.position.unwrap_or(0);
        for (index, &addr) in report.racing.iter().enumerate() {
            let found = self.places.range(..=addr).next_back();
            let byte = match found {
                Some((start, (place, bytes))) if addr < start + bytes => (*place, addr - start),
                // A detached thread of an execution before this one has ended just now.
                _ if report.kind == "stack-end-race" => continue,
                _ => {
                    return false_alarm(format!(
                        "in {} address {addr:#x}, which is of no place, is reported\n{}",
                        self.turn_name(),
                        report.text
                    ));
                }
            };
            let expected = self
                .verdict
                .races
                .get(position)
                .and_then(|races| races.get(&byte));
            if let Some(earlier) = expected {
                // Of the bytes of a word that one epoch has accessed, the report names the site of the first.
                if self.said.insert(byte) && index == 0 {
                    self.names(report, byte, earlier)?;
                    self.is_of_its_kind(report, byte)?;
                }
                continue;
            }
            let open = self
                .verdict
                .open
                .get(&byte)
                .is_some_and(|&from| from <= position);
            if !open {
                return false_alarm(format!(
                    "in {} a race at place {} byte {} is reported\n{}",
                    self.turn_name(),
                    byte.0,
                    byte.1,
                    report.text
                ));
            }
        }
        Ok(())
    }

    /// The report names this turn, and one that races with it.
    fn names(&self, report: &Report, byte: Byte, earlier: &[TurnId]) -> Judged {
        let now = self.verdict.turns[self.position.expect("a turn is under way")];
        for (name, side, turns) in [
            ("the access", &report.current, [now].as_slice()),
            ("the earlier access", &report.previous, earlier),
        ] {
            if !self.is_of(side, turns) {
                return Err((
                    FailureKind::WrongName,
                    format!(
                        "in {} at place {} byte {} {name} should be of {turns:?}, but is at lines {:?} in {:?}\n{}",
                        self.turn_name(),
                        byte.0,
                        byte.1,
                        side.lines,
                        side.functions,
                        report.text
                    ),
                ));
            }
        }
        Ok(())
    }

    /// What is ordered after a free is a use of freed memory; what is not races with the free; nothing else is either, but a free that
    /// races with an access.
    fn is_of_its_kind(&self, report: &Report, byte: Byte) -> Judged {
        let freed = self
            .position
            .and_then(|position| self.verdict.freed.get(position)?.get(&byte));
        let fits = match freed {
            Some(AfterFree::Ordered) => report.kind == "heap-use-after-free",
            Some(AfterFree::Unordered) => report.kind == "use-after-free-race",
            Some(AfterFree::Open) => true,
            None => report.kind != "heap-use-after-free",
        };
        if fits {
            return Ok(());
        }
        Err((
            FailureKind::WrongKind,
            format!(
                "in {} at place {} byte {}: after its free: {freed:?}, and the report is of {}\n{}",
                self.turn_name(),
                byte.0,
                byte.1,
                report.kind,
                report.text
            ),
        ))
    }

    fn is_of(&self, side: &Side, turns: &[TurnId]) -> bool {
        let owner = |line: usize| match line {
            0 => Owner::Nobody,
            line => *self.unit.owners.get(line - 1).unwrap_or(&Owner::Nobody),
        };
        let mut told = false;
        for &line in &side.lines {
            match owner(line) {
                Owner::Turn(scenario, turn) if scenario == self.number => {
                    told = true;
                    if turns.contains(&turn) {
                        return true;
                    }
                }
                Owner::Anyone(scenario) if scenario == self.number => return true,
                _ => {}
            }
        }
        // The compiler has lost the line and says so; its function must do.
        let function = |&(thread, _): &TurnId| match thread {
            0 => format!("s{}_run", self.number),
            _ => format!("s{}_t{thread}", self.number),
        };
        !told
            && side.of_function
            && turns.iter().any(|turn| {
                side.functions
                    .iter()
                    .any(|name| name.contains(&function(turn)))
            })
    }
}
