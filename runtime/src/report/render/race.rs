//! The report of a race: its two accesses, why nothing orders them, whose memory it is.

use goldilocks_core::event::Access;

use super::super::advice::advice;
use super::super::excerpt::excerpt;
use super::super::expression;
use super::super::fingerprint::fingerprint;
use super::super::frames::Line;
use super::super::model::{AccessKind, ReportKind, StepKind, TASK, actor};
use super::super::resolved::{Place, Report, Side, Step};
use super::super::rust_expression;
use super::super::source::Source;
use super::{RULE, Style, Text, holding, list, quoted_line, rust, user_line};

/// More steps of a Goldilockset than this are not read by anybody; and how many of them are the accessing thread's at the end.
const STEPS: (usize, usize) = (12, 4);
/// Likewise members of one.
const MEMBERS: usize = 6;

/// The report as printed.
pub fn render(report: &Report, source: &dyn Source, style: Style<'_>) -> String {
    let (now, earlier) = (&report.current, &report.previous);
    let title = report.kind.title();
    let mut text = Text::new(&report.threads, source, style);
    text.headline(
        title,
        subject(report, source),
        report.pid,
        &format!("race-{:08x}", fingerprint(report)),
    );
    text.side(now, "");
    text.side(earlier, "Earlier ");
    text.ownership(report);
    let nicknames = text.nicknames(report.ownership.as_deref().unwrap_or_default());
    text.help(
        advice(report)
            .map(|help| named(&help, &nicknames))
            .as_deref(),
    );
    let (addr, size) = if now.addr >= earlier.addr {
        (now.addr, now.size)
    } else {
        (earlier.addr, earlier.size)
    };
    text.place(&report.place, addr, size);
    text.threads();
    let held = [now, earlier].into_iter().flat_map(|side| &side.held);
    text.locks(held.flatten());
    text.trouble(report.trouble.as_deref());
    let line = user_line(now.stack.as_deref()).or_else(|| user_line(earlier.stack.as_deref()));
    text.summary(title, line);
    text.out + RULE
}

/// What an access calls the variable, if there is no doubt.
fn expression_of(side: &Side, source: &dyn Source) -> Option<String> {
    let line = side.stack.as_ref()?.first()?;
    let quoted = quoted_line(line, source)?;
    expression::of_file(&line.file, &quoted, rust::column(line, &quoted))?.variable
}

/// What the report is about: an expression of the source if there is no doubt, or else the global variable.
pub fn subject(report: &Report, source: &dyn Source) -> Option<String> {
    let expression = |side: &Side| expression_of(side, source);
    let (current, previous) = (&report.current, &report.previous);
    // The bytes that both have accessed begin there.
    let addr = current.addr.max(previous.addr);
    let end = (current.addr + current.size).min(previous.addr + previous.size);
    let size = end.saturating_sub(addr);
    let global = || match &report.place {
        Place::Global(global) => Some(rust::global(&global.called(addr, size))),
        _ => None,
    };
    // A static of Rust's that is accessed as a whole, or by way of pointers, or of which it is known which part it is, is
    // best known by its path.
    let by_path = |written: &String| {
        let in_rust = current.stack.iter().flatten().next();
        in_rust.is_some_and(|line| line.file.ends_with(".rs"))
            && match &report.place {
                Place::Global(global) => {
                    let whole = global.start == addr && global.size == current.size;
                    whole || global.part(addr, size).is_some() || written.contains(['(', '*'])
                }
                _ => false,
            }
    };
    // By way of a pointer alone, it could be any.
    let is_any = |written: &String| written.starts_with('*') && global().is_some();
    expression(&report.current)
        .filter(|written| !by_path(written) && !is_any(written))
        .or_else(global)
        .or_else(|| expression(&report.previous))
}

/// Verbs for an access: as a heading, and what a thread has done.
pub fn verbs(kind: AccessKind) -> (&'static str, &'static str) {
    match kind {
        AccessKind::Access(Access::Read) => ("Read", "read"),
        AccessKind::Access(Access::Write) => ("Write", "wrote"),
        AccessKind::Access(Access::AtomicRead) => ("Atomic read", "read (atomically)"),
        AccessKind::Access(Access::AtomicWrite) => ("Atomic write", "wrote (atomically)"),
        AccessKind::Free => ("Free", "freed"),
        AccessKind::ThreadEnd => ("End", "ended with"),
    }
}

impl Text<'_> {
    fn side(&mut self, side: &Side, earlier: &str) {
        let (verb, _) = verbs(side.kind);
        let verb = if earlier.is_empty() {
            verb.to_owned()
        } else {
            verb.to_lowercase()
        };
        let thread = self.thread_name(side.thread);
        if side.kind == AccessKind::ThreadEnd {
            return self.heading(&format!("{earlier}{verb} of {thread}, whose stack it is."));
        }
        let held = holding(side.held.as_deref());
        let size = match side.size {
            0 => String::new(),
            size => format!(" of size {size}"),
        };
        self.heading(&format!(
            "{earlier}{verb}{size} at {:#x} by {thread}{held}:",
            side.addr
        ));
        self.stack_and_source(side.stack.as_deref());
    }

    fn ownership(&mut self, report: &Report) {
        let Some(steps) = &report.ownership else {
            return;
        };
        let (earlier, now) = (&report.previous, &report.current);
        let (_, did) = verbs(earlier.kind);
        let noun = verbs(earlier.kind).0.to_lowercase();
        let heading = format!(
            "Ownership since {}'s {noun} (who may access without a race):",
            actor(earlier.thread)
        );
        self.heading(&heading);

        // What the later access calls it is not what stands in the line of the earlier one.
        let what = subject(report, self.source)
            .map(|subject| {
                let later = expression_of(now, self.source);
                let own = || expression_of(earlier, self.source);
                let is_later = later.as_ref() == Some(&subject);
                own().filter(|_| is_later).unwrap_or(subject)
            })
            .unwrap_or_else(|| format!("{:#x}", earlier.addr));
        let mut members = vec![actor(earlier.thread)];
        let mut rows = vec![Row {
            set: set(&members),
            action: format!("{} {did} {what}", actor(earlier.thread)),
            line: user_line(earlier.stack.as_deref()),
            is_own: false,
        }];
        if let Some(before) = &report.ownership_before {
            members.extend(before.iter().cloned());
            rows.push(Row {
                set: set(&members),
                action: "by events that are not kept".into(),
                line: None,
                is_own: false,
            });
        }
        for step in steps {
            if step.what == StepKind::Overwrote {
                let mut members_of = members.iter();
                let left = members_of.position(|member| Some(member) == step.object.as_ref());
                let Some(left) = left else { continue };
                members.remove(left);
            } else {
                let added = step.added.as_ref();
                let Some(added) = added.filter(|added| !members.contains(added)) else {
                    continue;
                };
                members.push(added.clone());
            }
            rows.push(Row {
                set: set(&members),
                action: action(step),
                line: step.line.as_ref(),
                is_own: step.thread == now.thread,
            });
        }
        let shown = excerpt(rows.len(), STEPS, |index| rows[index].is_own);
        let nicknames = self.nicknames(steps);
        for row in &mut rows {
            for text in [&mut row.set, &mut row.action] {
                *text = named(text, &nicknames);
            }
        }
        let width = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let printed = || shown.iter().map(|&index| &rows[index]);
        let sets = width(&mut printed().map(|row| &row.set));
        let actions = width(&mut printed().map(|row| &row.action));
        let mut next = 0;
        for &index in &shown {
            if index > next {
                self.line(&format!("    ... {} more", index - next));
            }
            next = index + 1;
            let Row {
                set, action, line, ..
            } = &rows[index];
            let position = line.and_then(Line::file_and_line).unwrap_or_default();
            let position = self.stripped(&position).to_owned();
            self.line(&format!(
                "    {set:sets$}    {action:actions$}    {position}"
            ));
        }
        let is_cut = report.ownership_truncated && report.ownership_before.is_none();
        match (rows.len() - next, is_cut) {
            (0, false) => {}
            (0, true) => self.line("    ... and more, not kept"),
            (more, _) => self.line(&format!("    ... and {more} more")),
        }
        let sentence = verdict(report, &members, now.thread, earlier.thread);
        self.line(&format!("    {}", named(&sentence, &nicknames)));
    }

    /// Atomics of Rust by the expressions on which their methods are called, for want of another name.
    fn nicknames(&self, steps: &[Step]) -> Vec<(String, String)> {
        let nickname = |step: &Step| {
            let object = step.object.as_ref().filter(|name| name.starts_with("0x"))?;
            let line = step
                .line
                .as_ref()
                .filter(|line| line.file.ends_with(".rs"))?;
            let quoted = quoted_line(line, self.source)?;
            Some((
                object.clone(),
                rust_expression::receiver(&quoted, line.column)?,
            ))
        };
        steps.iter().filter_map(nickname).collect()
    }
}

/// A row of the table of ownership: the set, and what made it so.
struct Row<'r> {
    set: String,
    action: String,
    line: Option<&'r Line>,
    /// It was the accessing thread that did this.
    is_own: bool,
}

/// The text with the names of objects instead of their addresses.
fn named(text: &str, nicknames: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    for (address, name) in nicknames {
        text = text.replace(address, name);
    }
    text
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
        StepKind::Overwrote => format!("overwrote {object}"),
        StepKind::RelaxedStore => format!("wrote {object} relaxed"),
        StepKind::Did(verb) => format!("{verb} {object}"),
    };
    format!("{} {}", actor(step.thread), text.trim_end())
}

/// Why the accessing thread is not in the set: the locks that it holds are others, or it holds none. What it holds for reading may have come into the set
/// since, by another reader.
fn verdict(report: &Report, members: &[String], now: u32, earlier: u32) -> String {
    let held = report.current.held.iter().flatten();
    let exclusive = held.filter(|lock| !lock.shared);
    let mut others: Vec<String> = exclusive.map(|lock| lock.name.clone()).collect();
    others.retain(|name| !members.contains(name));
    others.dedup();
    let more = others.len().saturating_sub(MEMBERS);
    others.truncate(MEMBERS);
    if more > 0 {
        others.push(format!("{more} more"));
    }
    let mut facts = vec![match others.len() {
        0 => "has acquired nothing of the set since".to_owned(),
        1 => format!("holds {}, which is not in the set", list(&others)),
        _ => format!("holds {}, none of which is in the set", list(&others)),
    }];
    if earlier != 0 && report.kind != ReportKind::HeapUseAfterFree {
        facts.push(if earlier & TASK == 0 {
            format!("has not joined {}", actor(earlier))
        } else {
            format!("has not waited for {}", actor(earlier))
        });
    }
    format!("{} {}", actor(now), facts.join("; it "))
}
