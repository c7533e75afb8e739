//! From a report to its text. Pure: the same report, source and style give the same text.

use super::advice::advice;
use super::expression;
use super::fingerprint::fingerprint;
use super::frames::Line;
use super::model::{AccessKind, ReportKind, StepKind};
use super::resolved::{Lock, Place, Report, Side, Step};
use super::source::Source;
use goldilocks_core::event::Access;

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    pub color: bool,
    /// Removed from the start of file names.
    pub strip_prefix: &'a str,
    /// Whether to quote source lines.
    pub quote: bool,
}

/// Line above and below each report.
pub const RULE: &str = "==================\n";

const HEADLINE: &str = "1;31";
const HEADING: &str = "1";
const MARK: &str = "1;32";
const HELP: &str = "1;36";

/// More steps of a Goldilockset than this are not read by anybody.
const STEPS: usize = 12;
/// Likewise members of one.
const MEMBERS: usize = 6;
/// Longest quoted line, in characters; longer ones are cut around the mark.
const QUOTE: usize = 120;

/// The report as printed.
pub fn render(report: &Report, source: &dyn Source, style: Style<'_>) -> String {
    let mut text = Text {
        out: String::from(RULE),
        style,
        source,
    };
    text.headline(report);
    text.side(report, &report.current, "");
    text.side(report, &report.previous, "Earlier ");
    text.ownership(report);
    if let Some(sentence) = advice(report) {
        let help = text.painted(HELP, "help:");
        text.line(&format!("  {help} {sentence}"));
    }
    text.place(report);
    text.threads(report);
    text.locks(report);
    text.trouble(report);
    text.summary(report);
    text.out + RULE
}

/// What the report is about: an expression of the source if there is no doubt, or else the global variable.
pub fn subject(report: &Report, source: &dyn Source) -> Option<String> {
    let expression = |side: &Side| {
        let line = side.stack.as_ref()?.first()?;
        let quoted = quoted_line(line, source)?;
        expression::at(&quoted, line.column)?.variable
    };
    let global = || match &report.place {
        Place::Global(global) => Some(
            match report.current.addr.max(report.previous.addr) - global.start {
                0 => global.name.clone(),
                offset => format!("{}+{offset}", global.name),
            },
        ),
        _ => None,
    };
    expression(&report.current)
        .or_else(global)
        .or_else(|| expression(&report.previous))
}

/// The line that the reader has written: the first one that is not of a library, or at least one with a file.
pub fn user_line(side: &Side) -> Option<&Line> {
    let stack = side.stack.as_ref()?;
    let with_file = || stack.iter().filter(|line| !line.file.is_empty());
    with_file()
        .find(|line| !line.is_system())
        .or_else(|| with_file().next())
        .or(stack.first())
}

/// Verbs for an access: as a heading, and what a thread has done.
pub fn verbs(kind: AccessKind) -> (&'static str, &'static str) {
    match kind {
        AccessKind::Access(Access::Read) => ("Read", "read"),
        AccessKind::Access(Access::Write) => ("Write", "wrote"),
        AccessKind::Access(Access::AtomicRead) => ("Atomic read", "read (atomically)"),
        AccessKind::Access(Access::AtomicWrite) => ("Atomic write", "wrote (atomically)"),
        AccessKind::Free => ("Free", "freed"),
    }
}

fn quoted_line(line: &Line, source: &dyn Source) -> Option<String> {
    let module = line.module.as_ref().map_or("", |(path, _)| path);
    if line.line == 0 {
        None
    } else {
        source.line(&line.file, line.line, module)
    }
}

struct Text<'a> {
    out: String,
    style: Style<'a>,
    source: &'a dyn Source,
}

impl Text<'_> {
    fn line(&mut self, line: &str) {
        self.out += line.trim_end();
        self.out += "\n";
    }

    fn painted(&self, color: &str, text: &str) -> String {
        if self.style.color {
            format!("\x1b[{color}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    fn stripped<'b>(&self, path: &'b str) -> &'b str {
        path.strip_prefix(self.style.strip_prefix).unwrap_or(path)
    }

    /// Where a line is in the source, or else in its module.
    fn position(&self, line: &Line) -> String {
        match line.position() {
            Some(position) => self.stripped(&position).to_owned(),
            None => format!("({})", line.place()),
        }
    }

    fn headline(&mut self, report: &Report) {
        let subject = subject(report, self.source)
            .map(|name| format!(" on `{name}`"))
            .unwrap_or_default();
        let headline = format!(
            "WARNING: Goldilocks: {}{subject} (pid={})",
            report.kind.title(),
            report.pid
        );
        let id = format!("race-{:08x}", fingerprint(report));
        let gap = 3.max(87usize.saturating_sub(headline.chars().count()));
        let headline = self.painted(HEADLINE, &headline);
        self.line(&format!("{headline}{:gap$}{id}", ""));
    }

    fn thread_name(&self, report: &Report, number: u32) -> String {
        match report.thread(number).map(|thread| thread.name.as_str()) {
            _ if number == 0 => "main thread T0".into(),
            None | Some("") => format!("thread T{number}"),
            Some(name) => format!("thread T{number} `{name}`"),
        }
    }

    fn side(&mut self, report: &Report, side: &Side, earlier: &str) {
        let (verb, _) = verbs(side.kind);
        let verb = if earlier.is_empty() {
            verb.to_owned()
        } else {
            verb.to_lowercase()
        };
        let thread = self.thread_name(report, side.thread);
        let held = match side.held.as_deref() {
            None => String::new(),
            Some([]) => ", holding no lock".into(),
            Some(locks) => format!(
                ", holding {}",
                list(&locks.iter().map(lock_name).collect::<Vec<_>>())
            ),
        };
        let heading = format!(
            "{earlier}{verb} of size {} at {:#x} by {thread}{held}:",
            side.size, side.addr
        );
        let heading = self.painted(HEADING, &heading);
        self.line(&format!("  {heading}"));
        match &side.stack {
            None => self.line("    (stack not known)"),
            Some(stack) => self.stack(stack),
        }
        self.quote(side);
    }

    fn stack(&mut self, stack: &[Line]) {
        for (number, line) in stack.iter().enumerate() {
            let text = match (line.function.as_str(), &line.position(), &line.module) {
                ("", ..) => line.place(),
                (function, None, None) => function.to_owned(),
                (function, ..) => format!("{function}  {}", self.position(line)),
            };
            self.line(&format!("    #{number} {text}"));
        }
    }

    /// The source line of an access, with a mark below the expression.
    fn quote(&mut self, side: &Side) {
        let Some(line) = user_line(side).filter(|_| self.style.quote) else {
            return;
        };
        let Some(source) = quoted_line(line, self.source) else {
            return;
        };
        let marked =
            expression::at(&source, line.column).map_or(0..0, |expression| expression.marked);
        // Tabs would shift the mark.
        let expand = |text: &str| text.replace('\t', "    ");
        let before = expand(&source[..marked.start]);
        let width = expand(&source[marked.clone()]).chars().count();
        let column = before.chars().count();
        let shown = expand(&source);
        let skip = if column + width > QUOTE {
            column.saturating_sub(QUOTE / 2)
        } else {
            0
        };
        let shown: String = shown.chars().skip(skip).take(QUOTE).collect();
        self.line(&format!("    {:>5} | {shown}", line.line));
        if width > 0 {
            let mark = self.painted(MARK, &"^".repeat(width.min(QUOTE)));
            self.line(&format!("          | {:1$}{mark}", "", column - skip));
        }
    }

    fn ownership(&mut self, report: &Report) {
        let Some(steps) = &report.ownership else {
            return;
        };
        let (earlier, now) = (&report.previous, &report.current);
        let (_, did) = verbs(earlier.kind);
        let noun = verbs(earlier.kind).0.to_lowercase();
        let heading = format!(
            "Ownership since T{}'s {noun} (who may access without a race):",
            earlier.thread
        );
        let heading = self.painted(HEADING, &heading);
        self.line(&format!("  {heading}"));

        let what = subject(report, self.source).unwrap_or_else(|| format!("{:#x}", earlier.addr));
        let mut members = vec![format!("T{}", earlier.thread)];
        let mut rows = vec![(
            set(&members),
            format!("T{} {did} {what}", earlier.thread),
            user_line(earlier).cloned(),
        )];
        let mut more = 0;
        for step in steps {
            let Some(added) = step.added.as_ref().filter(|added| !members.contains(added)) else {
                continue;
            };
            members.push(added.clone());
            if rows.len() < STEPS {
                rows.push((set(&members), action(step), step.line.clone()));
            } else {
                more += 1;
            }
        }
        let width = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let sets = width(&mut rows.iter().map(|(set, _, _)| set));
        let actions = width(&mut rows.iter().map(|(_, action, _)| action));
        for (set, action, line) in &rows {
            let position = line
                .as_ref()
                .and_then(Line::file_and_line)
                .unwrap_or_default();
            let position = self.stripped(&position).to_owned();
            self.line(&format!(
                "    {set:sets$}    {action:actions$}    {position}"
            ));
        }
        match (more, report.ownership_truncated) {
            (0, false) => {}
            (0, true) => self.line("    ... and more, not kept"),
            (more, _) => self.line(&format!("    ... and {more} more")),
        }
        let sentence = verdict(report, &members, now.thread, earlier.thread);
        self.line(&format!("    {sentence}"));
    }

    fn place(&mut self, report: &Report) {
        let addr = report.current.addr.max(report.previous.addr);
        let size = match report.current.addr >= report.previous.addr {
            true => report.current.size,
            false => report.previous.size,
        };
        let bytes = plural(size, "byte");
        let text = match &report.place {
            Place::Unknown => return,
            Place::Stack { thread } => {
                format!("the stack of {}", self.thread_name(report, *thread))
            }
            Place::ThreadLocal { thread } => format!(
                "thread-local memory of {}",
                self.thread_name(report, *thread)
            ),
            Place::File(descriptor) => format!("file descriptor {descriptor}"),
            Place::Global(global) => {
                let of = if global.size == 0 {
                    String::new()
                } else {
                    format!(" of size {}", global.size)
                };
                let module = if global.module.is_empty() {
                    String::new()
                } else {
                    format!(" in {}", global.module)
                };
                match addr - global.start {
                    0 => format!(
                        "global `{}`{of} at {:#x}{module}",
                        global.name, global.start
                    ),
                    offset => {
                        format!(
                            "{bytes} at offset {offset} of global `{}`{of} at {:#x}{module}",
                            global.name, global.start
                        )
                    }
                }
            }
            Place::Heap {
                start,
                size,
                thread,
                stack,
            } => {
                let inside = (addr.wrapping_sub(*start) < *size)
                    .then(|| format!("{bytes} at offset {} of ", addr - start));
                let user = stack
                    .iter()
                    .find(|line| !line.file.is_empty() && !line.is_system());
                let at = user
                    .and_then(Line::file_and_line)
                    .map(|at| format!(" at {}", self.stripped(&at)))
                    .unwrap_or_default();
                let colon = if stack.is_empty() { "" } else { ":" };
                format!(
                    "{}a {size}-byte block allocated by T{thread}{at}{colon}",
                    inside.unwrap_or_default()
                )
            }
        };
        let heading = self.painted(HEADING, "Location:");
        self.line(&format!("  {heading} {text}"));
        if let Place::Heap { stack, .. } = &report.place {
            self.stack(stack);
        }
    }

    fn threads(&mut self, report: &Report) {
        for thread in report.threads.iter().filter(|thread| thread.number != 0) {
            let name = if thread.name.is_empty() {
                String::new()
            } else {
                format!(" `{}`", thread.name)
            };
            let state = if thread.finished {
                "finished"
            } else {
                "running"
            };
            let by = thread
                .created_by
                .map(|by| format!(" created by T{by}"))
                .unwrap_or_default();
            let user = thread
                .creation
                .iter()
                .find(|line| !line.file.is_empty() && !line.is_system());
            let at = user
                .and_then(Line::file_and_line)
                .map(|at| format!(" at {}", self.stripped(&at)))
                .unwrap_or_default();
            let colon = if thread.creation.is_empty() { "" } else { ":" };
            let heading = self.painted(HEADING, &format!("Thread T{}", thread.number));
            self.line(&format!("  {heading}{name} ({state}){by}{at}{colon}"));
            self.stack(&thread.creation);
        }
    }

    /// Where locks come from whose names do not say it.
    fn locks(&mut self, report: &Report) {
        let mut told = Vec::new();
        for lock in [&report.current, &report.previous]
            .into_iter()
            .flat_map(|side| side.held.iter().flatten())
        {
            if lock.is_global || lock.creation.is_empty() || told.contains(&lock.addr) {
                continue;
            }
            told.push(lock.addr);
            let mut name = lock.name.clone();
            name[..1].make_ascii_uppercase();
            let by = lock
                .created_by
                .map(|by| format!(" by T{by}"))
                .unwrap_or_default();
            let heading = self.painted(HEADING, &name);
            self.line(&format!("  {heading} created{by} at:"));
            self.stack(&lock.creation);
        }
    }

    fn trouble(&mut self, report: &Report) {
        if let Some(reason) = &report.trouble {
            self.line(&format!("  note: names are missing: {reason}. To get them from MODULE+OFFSET: llvm-symbolizer -e MODULE OFFSET"));
        }
    }

    fn summary(&mut self, report: &Report) {
        let line = user_line(&report.current).or_else(|| user_line(&report.previous));
        let at = line
            .map(|line| format!(" {}", self.position(line)))
            .unwrap_or_default();
        let function = line
            .map(|line| line.function.as_str())
            .filter(|function| !function.is_empty());
        let function = function
            .map(|function| format!(" in {function}"))
            .unwrap_or_default();
        let summary = format!("SUMMARY: Goldilocks: {}{at}{function}", report.kind.title());
        let summary = self.painted(HEADING, &summary);
        self.line(&summary);
    }
}

/// `1 byte`, `2 bytes`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `a, b and c`.
pub fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

fn lock_name(lock: &Lock) -> String {
    if lock.shared {
        format!("{} (for reading)", lock.name)
    } else {
        lock.name.clone()
    }
}

fn set(members: &[String]) -> String {
    let shown = &members[..members.len().min(MEMBERS)];
    let more = members.len() - shown.len();
    let more = if more == 0 {
        String::new()
    } else {
        format!(", +{more}")
    };
    format!("{{{}{more}}}", shown.join(", "))
}

fn action(step: &Step) -> String {
    let object = step.object.as_deref().unwrap_or("");
    let added = step.added.as_deref().unwrap_or("");
    let text = match step.what {
        StepKind::Release => format!("released {object}"),
        StepKind::Acquire => format!("acquired {object}"),
        StepKind::Fork => format!("created {added}"),
        StepKind::Join if object.is_empty() => "joined a thread of the set".into(),
        StepKind::Join => format!("joined {object}"),
        StepKind::ReleaseFence => "made a release fence".into(),
        StepKind::AcquireFence => "made an acquire fence".into(),
        StepKind::RelaxedLoad => format!("read {object} relaxed"),
        StepKind::RelaxedStore => format!("wrote {object} relaxed"),
        StepKind::Did(verb) => format!("{verb} {object}"),
    };
    format!("T{} {}", step.thread, text.trim_end())
}

/// Why the accessing thread is not in the set.
fn verdict(report: &Report, members: &[String], now: u32, earlier: u32) -> String {
    let (in_set, outside): (Vec<String>, Vec<String>) = report
        .acquired_by_current
        .iter()
        .cloned()
        .partition(|object| members.contains(object));
    let shorten = |mut names: Vec<String>| {
        names.dedup();
        let more = names.len().saturating_sub(MEMBERS);
        names.truncate(MEMBERS);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        names
    };
    let (in_set, outside) = (shorten(in_set), shorten(outside));
    let mut facts = Vec::new();
    match outside.len() {
        0 => {}
        1 => facts.push(format!(
            "has acquired {} since, which is not in the set",
            list(&outside)
        )),
        _ => facts.push(format!(
            "has acquired {} since, none of which is in the set",
            list(&outside)
        )),
    }
    if !in_set.is_empty() {
        facts.push(format!(
            "acquired {} before it was in the set",
            list(&in_set)
        ));
    }
    if facts.is_empty() {
        facts.push("has acquired nothing of the set since".into());
    }
    if earlier != 0 && report.kind != ReportKind::HeapUseAfterFree {
        facts.push(format!("has not joined T{earlier}"));
    }
    format!("T{now} {}", facts.join("; it "))
}

#[cfg(test)]
pub mod tests;
