//! What goes through the pipeline of reports, of either sort: a race, or any other finding.

use super::dedup::Pair;
use super::exit::Told;
use super::fingerprint;
use super::json;
use super::model::{Finding, Race, ReportKind, Stack};
use super::render::{self, Style};
use super::resolved::{self, Names};
use super::source::Source;
use crate::inspection::View;
use crate::symbolizer::Symbolizer;

/// As found: addresses.
pub enum Case<'a> {
    Race(ReportKind, &'a Race),
    Finding(&'a Finding),
}

impl Case<'_> {
    pub fn kind(&self) -> ReportKind {
        match self {
            Case::Race(kind, _) => *kind,
            Case::Finding(finding) => finding.kind,
        }
    }

    /// The known stacks.
    pub fn stacks(&self) -> Vec<&Stack> {
        match self {
            Case::Race(_, race) => [&race.current, &race.previous]
                .into_iter()
                .filter_map(|side| side.stack.as_ref())
                .collect(),
            Case::Finding(finding) => finding
                .parts
                .iter()
                .filter_map(|part| part.stack.as_ref())
                .collect(),
        }
    }

    /// By what repetitions of it are recognised.
    pub fn pair(&self) -> Pair {
        fn pcs(stack: &Option<Stack>) -> &[usize] {
            stack.as_ref().map_or(&[], |stack| &stack.pcs)
        }
        match self {
            Case::Race(_, race) => {
                Pair::of_race(pcs(&race.current.stack), pcs(&race.previous.stack))
            }
            Case::Finding(finding) => Pair::of_finding(
                finding.kind,
                finding
                    .parts
                    .iter()
                    .map(|part| pcs(&part.stack).first().copied().unwrap_or(0)),
            ),
        }
    }

    /// As the program may look at it.
    pub fn view(&self, symbolizer: &mut Symbolizer) -> View {
        match self {
            Case::Race(kind, race) => View::of_race(*kind, race, symbolizer),
            Case::Finding(finding) => View::of_finding(finding, symbolizer),
        }
    }

    pub fn resolve(&self, pid: i32, names: &mut dyn Names) -> Box<dyn Resolved> {
        match self {
            Case::Race(kind, race) => Box::new(resolved::resolve(*kind, race, pid, names)),
            Case::Finding(finding) => Box::new(resolved::resolve_finding(finding, pid, names)),
        }
    }
}

/// With names.
pub trait Resolved {
    /// What suppressions look at; of the innermost frames only, if `top_only`.
    fn suppressible(&self, top_only: bool) -> Vec<&str>;
    /// See [`fingerprint::same_lines`].
    fn same_lines(&self) -> u64;
    fn render(&self, source: &dyn Source, style: Style<'_>) -> String;
    /// As one line of JSON.
    fn json(&self) -> String;
    /// What the summary remembers; `subject` is what [`Resolved::subject`] says.
    fn told(&self, subject: Option<String>) -> Told;
    /// What it is about, if that has a name.
    fn subject(&self, source: &dyn Source) -> Option<String>;
}

impl Resolved for resolved::Report {
    fn suppressible(&self, top_only: bool) -> Vec<&str> {
        self.suppressible(top_only)
    }
    fn same_lines(&self) -> u64 {
        let stacks = [&self.current.stack, &self.previous.stack];
        let place = fingerprint::variable(self);
        fingerprint::same_lines(&[self.kind.title(), &place], stacks.into_iter())
    }
    fn render(&self, source: &dyn Source, style: Style<'_>) -> String {
        render::race::render(self, source, style)
    }
    fn json(&self) -> String {
        json::render(self)
    }
    fn told(&self, subject: Option<String>) -> Told {
        Told {
            kind: self.kind,
            title: self.kind.title().into(),
            fingerprint: fingerprint::fingerprint(self),
            subject,
            functions: [&self.current.stack, &self.previous.stack]
                .map(Told::function)
                .into(),
        }
    }
    fn subject(&self, source: &dyn Source) -> Option<String> {
        render::race::subject(self, source)
    }
}

impl Resolved for resolved::Finding {
    fn suppressible(&self, _top_only: bool) -> Vec<&str> {
        self.suppressible()
    }
    fn same_lines(&self) -> u64 {
        fingerprint::same_lines(&[&self.headline], self.parts.iter().map(|part| &part.stack))
    }
    fn render(&self, source: &dyn Source, style: Style<'_>) -> String {
        render::finding::render(self, source, style)
    }
    fn json(&self) -> String {
        json::render_finding(self)
    }
    fn told(&self, subject: Option<String>) -> Told {
        Told {
            kind: self.kind,
            title: self.headline.clone(),
            fingerprint: fingerprint::of_finding(self),
            subject,
            functions: self
                .parts
                .iter()
                .map(|part| Told::function(&part.stack))
                .collect(),
        }
    }
    fn subject(&self, _source: &dyn Source) -> Option<String> {
        self.subject.clone()
    }
}
