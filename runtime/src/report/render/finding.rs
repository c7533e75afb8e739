//! The report of anything else than a race: what happened where, in as many parts as it takes.

use super::super::fingerprint;
use super::super::resolved::Finding;
use super::super::source::Source;
use super::{RULE, Style, Text, holding, user_line};

/// The report as printed.
pub fn render(report: &Finding, source: &dyn Source, style: Style<'_>) -> String {
    let mut text = Text::new(&report.threads, source, style);
    text.headline(
        &report.headline,
        report.subject.clone(),
        report.pid,
        &format!(
            "{}-{:08x}",
            report.kind.family().word(),
            fingerprint::of_finding(report)
        ),
    );
    for part in &report.parts {
        let by = part
            .thread
            .map(|thread| format!(" by {}", text.thread_name(thread)))
            .unwrap_or_default();
        let held = holding(part.held.as_deref());
        text.heading(&format!("{}{by}{held}:", part.title));
        text.stack_and_source(part.stack.as_deref());
    }
    text.help(report.help.as_deref());
    if let Some((addr, size, place)) = &report.place {
        text.place(place, *addr, *size);
    }
    text.threads();
    let subject = report.subject_lock.iter();
    text.locks(subject.chain(report.parts.iter().flat_map(|part| &part.held).flatten()));
    text.trouble(report.trouble.as_deref());
    let lines = || report.parts.iter().map(|part| part.stack.as_deref());
    text.summary(&report.headline, lines().find_map(user_line));
    text.out + RULE
}
