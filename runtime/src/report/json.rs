//! A report as one line of JSON, for programs that read reports: `report_format=json`.
//!
//! Every line that begins with `{` is a report, complete and written at once, so that a crash loses nothing. Its first member,
//! `goldilocks`, is the version of this format: members may be added without a new one. Addresses are strings, as JSON's
//! numbers end at 2^53. What is not known is left out.

use super::fingerprint::{fingerprint, of_finding};
use super::frames::Line;
use super::model::{AccessKind, ReportKind, StepKind};
use super::resolved::{Finding, Lock, Part, Place, Report, Side, Step, Thread};
use goldilocks_core::event::Access;

/// Version of the format.
pub const VERSION: u32 = 1;

/// The report and a line break.
pub fn render(report: &Report) -> String {
    let mut object = Object::new();
    object
        .number("goldilocks", VERSION)
        .text("kind", kind(report.kind))
        .text("fingerprint", &format!("{:08x}", fingerprint(report)))
        .number("pid", report.pid)
        .list("racing", &report.racing, |&(addr, bytes)| {
            let mut range = Object::new();
            range.address("addr", addr).number("size", bytes);
            range.finish()
        })
        .raw("current", &side(&report.current))
        .raw("previous", &side(&report.previous))
        .raw("place", &place(&report.place))
        .list("threads", &report.threads, thread);
    if let Some(steps) = &report.ownership {
        object.list("ownership", steps, step);
        if let Some(members) = &report.ownership_before {
            object.list("ownership_before", members, |member| quoted(member));
        }
        object.flag("ownership_truncated", report.ownership_truncated);
    }
    if let Some(trouble) = &report.trouble {
        object.text("trouble", trouble);
    }
    object.finish() + "\n"
}

/// The same for what is no race.
pub fn render_finding(report: &Finding) -> String {
    let mut object = Object::new();
    object
        .number("goldilocks", VERSION)
        .text("kind", kind(report.kind))
        .text("fingerprint", &format!("{:08x}", of_finding(report)))
        .number("pid", report.pid)
        .text("headline", &report.headline);
    if let Some(subject) = &report.subject_lock {
        object.raw("subject", &lock(subject));
    }
    object.list("parts", &report.parts, part);
    if let Some((_, _, known)) = &report.place {
        object.raw("place", &place(known));
    }
    object.list("threads", &report.threads, thread);
    if let Some(trouble) = &report.trouble {
        object.text("trouble", trouble);
    }
    object.finish() + "\n"
}

fn part(part: &Part) -> String {
    let mut object = Object::new();
    object.text("title", &part.title);
    if let Some(thread) = part.thread {
        object.number("thread", thread);
    }
    if let Some(locks) = &part.held {
        object.list("held", locks, lock);
    }
    if let Some(stack) = &part.stack {
        object.list("stack", stack, line);
    }
    object.finish()
}

fn kind(kind: ReportKind) -> &'static str {
    match kind {
        ReportKind::DataRace => "data-race",
        ReportKind::VptrRace => "vptr-race",
        ReportKind::UseAfterFreeRace => "use-after-free-race",
        ReportKind::DoubleFreeRace => "double-free-race",
        ReportKind::HeapUseAfterFree => "heap-use-after-free",
        ReportKind::DoubleFree => "double-free",
        ReportKind::StackEndRace => "stack-end-race",
        ReportKind::StackUseAfterEnd => "stack-use-after-end",
        ReportKind::UnlockOfUnlocked => "unlock-of-unlocked",
        ReportKind::UnlockByOther => "unlock-by-other",
        ReportKind::DoubleLock => "double-lock",
        ReportKind::ReadLockUpgrade => "read-lock-upgrade",
        ReportKind::DestroyInUse => "destroy-in-use",
        ReportKind::UseOfDestroyed => "use-of-destroyed",
        ReportKind::EndWithLock => "end-with-lock",
        ReportKind::Misuse => "misuse",
        ReportKind::LockOrderInversion => "lock-order-inversion",
        ReportKind::SignalUnsafeCall => "signal-unsafe-call",
        ReportKind::ErrnoInHandler => "errno-in-handler",
        ReportKind::ThreadLeak => "thread-leak",
        ReportKind::ThreadAtExit => "thread-at-exit",
    }
}

fn access(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Access(Access::Read) => "read",
        AccessKind::Access(Access::Write) => "write",
        AccessKind::Access(Access::AtomicRead) => "atomic-read",
        AccessKind::Access(Access::AtomicWrite) => "atomic-write",
        AccessKind::Free => "free",
        AccessKind::ThreadEnd => "thread-end",
    }
}

fn side(side: &Side) -> String {
    let mut object = Object::new();
    object
        .text("access", access(side.kind))
        .address("addr", side.addr)
        .number("size", side.size)
        .number("thread", side.thread);
    if let Some(locks) = &side.held {
        object.list("held", locks, lock);
    }
    if side.in_handler {
        object.flag("in_handler", true);
    }
    if let Some(stack) = &side.stack {
        object.list("stack", stack, line);
    }
    object.finish()
}

fn lock(lock: &Lock) -> String {
    let mut object = Object::new();
    object
        .text("name", &lock.name)
        .address("addr", lock.addr)
        .flag("shared", lock.shared);
    object.finish()
}

fn line(line: &Line) -> String {
    let mut object = Object::new();
    object.text("function", &line.function);
    if !line.file.is_empty() {
        object
            .text("file", &line.file)
            .number("line", line.line)
            .number("column", line.column);
        if line.of_function {
            object.flag("line_of_function", true);
        }
    }
    if let Some((path, offset)) = &line.module {
        object
            .text("module", path)
            .address("offset", *offset as usize);
    }
    object.flag("inlined", line.inlined).finish()
}

fn place(place: &Place) -> String {
    let mut object = Object::new();
    match place {
        Place::Heap {
            start,
            size,
            thread,
            stack,
        } => object
            .text("kind", "heap")
            .address("addr", *start)
            .number("size", *size)
            .number("thread", *thread)
            .list("stack", stack, line),
        Place::Stack { thread } => object.text("kind", "stack").number("thread", *thread),
        Place::ThreadLocal { thread } => object
            .text("kind", "thread-local")
            .number("thread", *thread),
        Place::Global(global) => object
            .text("kind", "global")
            .text("name", &global.name)
            .address("addr", global.start)
            .number("size", global.size)
            .text("module", &global.module),
        Place::File(descriptor) => object
            .text("kind", "file")
            .number("descriptor", *descriptor),
        Place::Unknown => object.text("kind", "unknown"),
    };
    object.finish()
}

fn thread(thread: &Thread) -> String {
    let mut object = Object::new();
    object
        .number("number", thread.number)
        .text("name", &thread.name)
        .flag("finished", thread.finished);
    if let Some(creator) = thread.created_by {
        object.number("created_by", creator);
    }
    object.list("creation", &thread.creation, line).finish()
}

fn step(step: &Step) -> String {
    let mut object = Object::new();
    object.number("thread", step.thread);
    if let Some(name) = &step.object {
        object.text("object", name);
    }
    if let Some(added) = &step.added {
        object.text("added", added);
    }
    if let (StepKind::Overwrote, Some(name)) = (&step.what, &step.object) {
        object.text("removed", name);
    }
    if let Some(position) = &step.line {
        object.raw("line", &line(position));
    }
    object.finish()
}

/// A JSON object being written.
struct Object(String);

impl Object {
    fn new() -> Object {
        Object(String::from("{"))
    }
    fn raw(&mut self, name: &str, value: &str) -> &mut Object {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        quote(&mut self.0, name);
        self.0.push(':');
        self.0.push_str(value);
        self
    }
    fn text(&mut self, name: &str, value: &str) -> &mut Object {
        self.raw(name, &quoted(value))
    }
    fn number(&mut self, name: &str, value: impl ToString) -> &mut Object {
        self.raw(name, &value.to_string())
    }
    fn flag(&mut self, name: &str, value: bool) -> &mut Object {
        self.raw(name, if value { "true" } else { "false" })
    }
    fn address(&mut self, name: &str, value: usize) -> &mut Object {
        self.raw(name, &format!("\"{value:#x}\""))
    }
    fn list<T>(&mut self, name: &str, items: &[T], show: impl Fn(&T) -> String) -> &mut Object {
        let items: Vec<String> = items.iter().map(show).collect();
        self.raw(name, &format!("[{}]", items.join(",")))
    }
    fn finish(&self) -> String {
        self.0.clone() + "}"
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quote(&mut quoted, text);
    quoted
}

/// Appends a JSON string.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::render::tests::example;
    use super::*;

    #[test]
    fn a_report_is_one_line_that_begins_with_version_kind_and_fingerprint() {
        let report = example();
        let text = render(&report);
        let start = format!(
            "{{\"goldilocks\":1,\"kind\":\"data-race\",\"fingerprint\":\"{:08x}\",\"pid\":{},\"racing\":[{{",
            fingerprint(&report),
            report.pid
        );
        assert!(text.starts_with(&start), "{text}");
        assert!(
            text.ends_with("}\n") && text.matches('\n').count() == 1,
            "{text}"
        );
        for (name, side) in [("current", &report.current), ("previous", &report.previous)] {
            let start = format!(
                "\"{name}\":{{\"access\":\"{}\",\"addr\":\"{:#x}\",\"size\":{},\"thread\":{}",
                access(side.kind),
                side.addr,
                side.size,
                side.thread
            );
            assert!(text.contains(&start), "{text}");
        }
    }

    #[test]
    fn a_side_in_a_signal_handler_says_so() {
        let mut report = example();
        assert!(!render(&report).contains("in_handler"));
        report.previous.in_handler = true;
        let text = render(&report);
        let (current, previous) = text.split_once("\"previous\":").unwrap();
        assert!(!current.contains("in_handler"), "{text}");
        assert!(previous.contains("\"in_handler\":true"), "{text}");
    }

    #[test]
    fn a_line_that_is_the_functions_says_so() {
        let mut report = example();
        assert!(!render(&report).contains("line_of_function"));
        report.previous.stack.as_mut().unwrap()[0].of_function = true;
        let text = render(&report);
        assert_eq!(
            text.matches("\"line_of_function\":true").count(),
            1,
            "{text}"
        );
    }

    #[test]
    fn brackets_close_what_they_open_and_strings_are_quoted() {
        let mut report = example();
        report.trouble = Some("a \"quoted\" \\ and\n\u{1}".into());
        let text = render(&report);
        assert!(
            text.contains(r#""trouble":"a \"quoted\" \\ and\n\u0001""#),
            "{text}"
        );
        let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
        for character in text.chars() {
            match character {
                _ if escaped => escaped = false,
                '\\' if in_string => escaped = true,
                '"' => in_string = !in_string,
                '{' | '[' if !in_string => open.push(character),
                '}' if !in_string => assert_eq!(open.pop(), Some('{')),
                ']' if !in_string => assert_eq!(open.pop(), Some('[')),
                _ => {}
            }
        }
        assert!(open.is_empty() && !in_string);
    }
}
