//! From a report to its text. Pure: the same report, source and style give the same text.
//!
//! Here is what all reports have in common; `race` and `finding` put them together.

pub mod finding;
mod folding;
pub mod race;
pub mod rust;

use super::expression;
use super::frames::Line;
use super::model::{TASK, actor};
use super::resolved::{Lock, Place, Thread};
use super::source::Source;

/// How to print.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    pub color: bool,
    /// Removed from the start of file names.
    pub strip_prefix: &'a str,
    /// Whether to quote source lines.
    pub quote: bool,
    /// Whether to show runs of frames of Rust's standard library and of crates from a registry as one line.
    pub fold: bool,
}

/// Line above and below each report.
pub const RULE: &str = "==================\n";

const HEADLINE: &str = "1;31";
const HEADING: &str = "1";
const MARK: &str = "1;32";
const HELP: &str = "1;36";

/// Longest quoted line, in characters; longer ones are cut around the mark.
const QUOTE: usize = 120;

/// Behind a position that is not that of the access.
const OF_FUNCTION: &str = "(the function; optimization has left no line)";

/// The line that the reader has written: the first one that is not of a library, or at least one with a file.
pub fn user_line(stack: Option<&[Line]>) -> Option<&Line> {
    let stack = stack?;
    let with_file = || stack.iter().filter(|line| !line.file.is_empty());
    with_file()
        .find(|line| !line.is_system())
        .or_else(|| with_file().next())
        .or(stack.first())
}

fn quoted_line(line: &Line, source: &dyn Source) -> Option<String> {
    let module = line.module.as_ref().map_or("", |(path, _)| path);
    if line.line == 0 || line.of_function {
        None
    } else {
        source.line(&line.file, line.line, module)
    }
}

struct Text<'a> {
    out: String,
    style: Style<'a>,
    source: &'a dyn Source,
    threads: &'a [Thread],
}

impl<'a> Text<'a> {
    fn new(threads: &'a [Thread], source: &'a dyn Source, style: Style<'a>) -> Text<'a> {
        Text {
            out: String::from(RULE),
            style,
            source,
            threads,
        }
    }

    /// `id` is the short name that the report has in every run.
    fn headline(&mut self, title: &str, subject: Option<String>, pid: i32, id: &str) {
        let subject = subject
            .map(|name| format!(" on `{name}`"))
            .unwrap_or_default();
        let headline = format!("WARNING: Goldilocks: {title}{subject} (pid={pid})");
        let gap = 3.max(87usize.saturating_sub(headline.chars().count()));
        let headline = self.painted(HEADLINE, &headline);
        self.line(&format!("{headline}{:gap$}{id}", ""));
    }

    fn heading(&mut self, text: &str) {
        let heading = self.painted(HEADING, text);
        self.line(&format!("  {heading}"));
    }

    fn help(&mut self, sentence: Option<&str>) {
        if let Some(sentence) = sentence {
            let help = self.painted(HELP, "help:");
            self.line(&format!("  {help} {sentence}"));
        }
    }

    /// The stack, or that it is not known, and the source line that the reader has written.
    fn stack_and_source(&mut self, stack: Option<&[Line]>) {
        match stack {
            None => self.line("    (stack not known)"),
            Some(stack) => self.stack(stack),
        }
        self.quote(stack);
    }

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
        let path = rust::library_path(path).unwrap_or(path);
        let path = rust::registry_path(path).unwrap_or(path);
        path.strip_prefix(self.style.strip_prefix).unwrap_or(path)
    }

    /// Where a line is in the source, or else in its module.
    fn position(&self, line: &Line) -> String {
        match line.position() {
            Some(position) if line.of_function => {
                format!("{} {OF_FUNCTION}", self.stripped(&position))
            }
            Some(position) => self.stripped(&position).to_owned(),
            None => format!("({})", line.place()),
        }
    }

    fn thread_name(&self, number: u32) -> String {
        let known = self.threads.iter().find(|thread| thread.number == number);
        let noun = match known {
            Some(thread) if thread.is_fiber => "fiber",
            _ => "thread",
        };
        match known.map(|thread| thread.name.as_str()) {
            _ if number == 0 => "main thread T0".into(),
            _ if number & TASK != 0 => match known.and_then(|task| task.runs_on) {
                Some(thread) => format!("{} on {}", actor(number), actor(thread)),
                None => actor(number),
            },
            None | Some("") => format!("{noun} T{number}"),
            Some(name) => format!("{noun} T{number} `{name}`"),
        }
    }

    fn stack(&mut self, stack: &[Line]) {
        self.rows(stack, folding::Innermost::IsTheAccess);
    }

    /// The stack of a call that has made something: how the standard library does it is of no interest.
    fn origin(&mut self, stack: &[Line]) {
        self.rows(stack, folding::Innermost::IsOneOfMany);
    }

    /// In which line the reader has asked for it, or else a library.
    fn at_origin(&self, stack: &[Line]) -> String {
        let written = || {
            stack
                .iter()
                .filter(|line| !line.file.is_empty() && !line.is_system())
        };
        let line = written()
            .find(|line| folding::is_own(line))
            .or_else(|| written().next());
        line.and_then(Line::file_and_line)
            .map(|at| format!(" at {}", self.stripped(&at)))
            .unwrap_or_default()
    }

    fn rows(&mut self, stack: &[Line], innermost: folding::Innermost) {
        let rows = if self.style.fold {
            folding::rows(stack, innermost)
        } else {
            let all = stack.iter().enumerate();
            all.map(|(number, line)| folding::Row::Frame(number, line))
                .collect()
        };
        for row in rows {
            let (number, line) = match row {
                folding::Row::Frame(number, line) => (number, line),
                folding::Row::Folded(count, whose) => {
                    self.line(&format!("    ... {count} frames of {whose}"));
                    continue;
                }
            };
            let text = match (line.function.as_str(), &line.position(), &line.module) {
                ("", ..) => line.place(),
                (function, None, None) => function.to_owned(),
                _ => format!("{}  {}", rust::readable(line), self.position(line)),
            };
            self.line(&format!("    #{number} {text}"));
        }
    }

    /// The source line of an access, with a mark below the expression.
    fn quote(&mut self, stack: Option<&[Line]>) {
        let Some(line) = user_line(stack).filter(|_| self.style.quote) else {
            return;
        };
        let Some(source) = quoted_line(line, self.source) else {
            return;
        };
        let marked = expression::of_file(&line.file, &source, rust::column(line, &source))
            .map_or(0..0, |expression| expression.marked);
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

    /// Whose memory the `size` bytes at `addr` are.
    fn place(&mut self, place: &Place, addr: usize, size: usize) {
        let bytes = plural(size, "byte");
        let text = match place {
            Place::Unknown => return,
            Place::Stack { thread } => {
                format!("the stack of {}", self.thread_name(*thread))
            }
            Place::ThreadLocal { thread } => {
                format!("thread-local memory of {}", self.thread_name(*thread))
            }
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
                size: all,
                thread,
                stack,
            } => {
                let whole = (addr, size) == (*start, *all);
                let inside = (!whole && addr.wrapping_sub(*start) < *all)
                    .then(|| format!("{bytes} at offset {} of ", addr - start));
                let at = self.at_origin(stack);
                let colon = if stack.is_empty() { "" } else { ":" };
                format!(
                    "{}a {all}-byte block allocated by {}{at}{colon}",
                    inside.unwrap_or_default(),
                    actor(*thread)
                )
            }
        };
        let heading = self.painted(HEADING, "Location:");
        self.line(&format!("  {heading} {text}"));
        if let Place::Heap { stack, .. } = place {
            self.origin(stack);
        }
    }

    fn threads(&mut self) {
        for thread in self.threads.iter().filter(|thread| thread.number != 0) {
            let name = if thread.name.is_empty() {
                String::new()
            } else {
                format!(" `{}`", thread.name)
            };
            let state = match (thread.runs_on, thread.finished) {
                (Some(on), _) => format!("on {}", actor(on)),
                (None, true) => "finished".into(),
                (None, false) if thread.is_fiber => "alive".into(),
                (None, false) => "running".into(),
            };
            let by = thread
                .created_by
                .map(|by| format!(" created by {}", actor(by)))
                .unwrap_or_default();
            let at = self.at_origin(&thread.creation);
            let colon = if thread.creation.is_empty() { "" } else { ":" };
            let heading = if thread.is_fiber {
                format!("Fiber T{}", thread.number)
            } else {
                heading_of(thread.number)
            };
            let heading = self.painted(HEADING, &heading);
            self.line(&format!("  {heading}{name} ({state}){by}{at}{colon}"));
            self.origin(&thread.creation);
        }
    }

    /// Where locks come from whose names do not say it.
    fn locks<'b>(&mut self, locks: impl Iterator<Item = &'b Lock>) {
        let mut told = Vec::new();
        for lock in locks {
            if lock.is_global || lock.creation.is_empty() || told.contains(&lock.addr) {
                continue;
            }
            told.push(lock.addr);
            let mut name = lock.name.clone();
            name[..1].make_ascii_uppercase();
            let by = lock
                .created_by
                .map(|by| format!(" by {}", actor(by)))
                .unwrap_or_default();
            let heading = self.painted(HEADING, &name);
            self.line(&format!("  {heading} created{by} at:"));
            self.origin(&lock.creation);
        }
    }

    fn trouble(&mut self, trouble: Option<&str>) {
        if let Some(reason) = trouble {
            self.line(&format!("  note: names are missing: {reason}. To get them from MODULE+OFFSET: llvm-symbolizer -e MODULE OFFSET"));
        }
    }

    fn summary(&mut self, title: &str, line: Option<&Line>) {
        let at = line
            .map(|line| format!(" {}", self.position(line)))
            .unwrap_or_default();
        let function = line
            .map(rust::readable)
            .filter(|function| !function.is_empty());
        let function = function
            .map(|function| format!(" in {function}"))
            .unwrap_or_default();
        let summary = format!("SUMMARY: Goldilocks: {title}{at}{function}");
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

/// `, holding a and b`; nothing if that is not known.
fn holding(held: Option<&[Lock]>) -> String {
    match held {
        None => String::new(),
        Some([]) => ", holding no lock".into(),
        Some(locks) => format!(", holding {}", few_locks(locks)),
    }
}

/// Locks that are named, at most, and one more.
const NAMED: usize = 8;

/// `a, b and c`; `a, b, ... and 200 more`: who has taken all locks of a table holds thousands.
fn few_locks(locks: &[Lock]) -> String {
    let named = match locks.len() {
        few if few <= NAMED + 1 => few,
        _ => NAMED,
    };
    let (first, rest) = locks.split_at(named);
    let mut names: Vec<String> = first.iter().map(lock_name).collect();
    if !rest.is_empty() {
        names.push(format!("{} more", rest.len()));
    }
    list(&names)
}

fn lock_name(lock: &Lock) -> String {
    if lock.shared {
        format!("{} (for reading)", lock.name)
    } else {
        lock.name.clone()
    }
}

/// `Thread T3`, `Task 3`.
fn heading_of(number: u32) -> String {
    if number & TASK == 0 {
        format!("Thread {}", actor(number))
    } else {
        format!("Task {}", number & !TASK)
    }
}

#[cfg(test)]
pub mod tests;
