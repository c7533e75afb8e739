//! One sentence that helps, chosen from what is known. Where the facts allow no advice there is none.

use super::intended;
use super::model::{AccessKind, ReportKind, StepKind, TASK, actor};
use super::render::race::verbs;
use super::resolved::{Lock, Report, Side};

pub fn advice(report: &Report) -> Option<String> {
    if let Some(known) = intended::advice(report) {
        return Some(known);
    }
    let (now, earlier) = (&report.current, &report.previous);
    match report.kind {
        ReportKind::HeapUseAfterFree => {
            return Some(
                "the block was freed before this access: keep it until its last user is done"
                    .into(),
            );
        }
        ReportKind::StackEndRace => {
            let user = if now.kind == AccessKind::ThreadEnd {
                earlier
            } else {
                now
            };
            return Some(format!(
                "make sure that T{} is done with the variable before the thread that it belongs to returns, or put it on the heap",
                user.thread
            ));
        }
        ReportKind::StackUseAfterEnd => {
            return Some("the variable went with its thread: put it on the heap, or into a thread that lives longer".into());
        }
        ReportKind::DoubleFree => {
            return Some("the block was freed before: let only one place own it".into());
        }
        ReportKind::DoubleFreeRace => {
            return Some("both threads free the block: let only one of them own it".into());
        }
        ReportKind::VptrRace => {
            return Some(
                "other threads may get the object when its constructor is done, and must be done with it when its destructor begins"
                    .into(),
            );
        }
        _ => {}
    }
    if now.kind == AccessKind::Free
        && let Some(advice) = missing_acquire(report)
    {
        return Some(advice);
    }
    if now.kind == AccessKind::Free || earlier.kind == AccessKind::Free {
        let user = if now.kind == AccessKind::Free {
            earlier
        } else {
            now
        };
        return Some(format!(
            "make sure that {} is done with the block before it is freed{}",
            actor(user.thread),
            join(report)
        ));
    }
    if is_atomic(now) != is_atomic(earlier) {
        let plain = if is_atomic(now) { earlier } else { now };
        let (verb, _) = verbs(plain.kind);
        return Some(format!(
            "only one of the accesses is atomic: make the {} by {} atomic, too, or order the two",
            verb.to_lowercase(),
            actor(plain.thread)
        ));
    }
    let handler = [earlier, now].into_iter().find(|side| side.in_handler);
    if let Some(side) = handler {
        // A lock may be held by the code that the signal has interrupted.
        return Some(format!(
            "{} is in a signal handler there, which must not take a lock: make both accesses atomic, by types that are lock-free, or block the signal in all threads and let one wait for it by sigwait",
            actor(side.thread)
        ));
    }
    if let Some(advice) = missing_acquire(report) {
        return Some(advice);
    }
    let (mine, theirs) = (now.held.as_deref()?, earlier.held.as_deref()?);
    let common: Vec<&Lock> = mine
        .iter()
        .filter(|lock| theirs.iter().any(|other| other.addr == lock.addr))
        .collect();
    match (mine, theirs) {
        ([], []) => Some(format!(
            "neither access holds a lock: guard both with one{}",
            join(report)
        )),
        ([], _) => Some(one_sided(earlier, now, theirs, join(report))),
        (_, []) => Some(one_sided(now, earlier, mine, join(report))),
        _ if common.is_empty() => Some(format!(
            "the two accesses share no lock: guard both with one{}",
            join(report)
        )),
        _ => {
            let lock = common.first()?;
            let read_only = |locks: &[Lock]| {
                locks
                    .iter()
                    .any(|other| other.addr == lock.addr && other.shared)
            };
            (read_only(mine) && read_only(theirs)).then(|| {
                format!(
                    "both hold {} for reading only: hold it for writing where you write",
                    lock.name
                )
            })
        }
    }
}

fn is_atomic(side: &Side) -> bool {
    matches!(side.kind, AccessKind::Access(access) if access.is_atomic())
}

/// The thread has read, relaxed, what the other one had released: it was told, and did not listen.
fn missing_acquire(report: &Report) -> Option<String> {
    let steps = report.ownership.as_ref()?;
    let step = steps
        .iter()
        .filter(|step| step.what == StepKind::RelaxedLoad && step.direct)
        .find(|step| step.thread == report.current.thread)?;
    let object = step.object.as_deref()?;
    Some(format!(
        "{} has read {object} relaxed, which orders nothing: read it with acquire, or make an acquire fence after it",
        actor(step.thread)
    ))
}

fn one_sided(locked: &Side, unlocked: &Side, locks: &[Lock], join: String) -> String {
    // What println! takes is nothing to guard the program's variables with.
    let of_the_program = locks.iter().filter(|lock| !lock.name.starts_with("std::"));
    let which = match of_the_program.collect::<Vec<_>>()[..] {
        [] => return format!("guard both accesses with one lock{join}"),
        [lock] => lock.name.clone(),
        _ => "one of its locks".into(),
    };
    let (verb, _) = verbs(unlocked.kind);
    let verb = verb.to_lowercase();
    format!(
        "{} holds a lock and {} does not: hold {which} at the {verb} by {}, too{join}",
        actor(locked.thread),
        actor(unlocked.thread),
        actor(unlocked.thread)
    )
}

/// What else would order the accesses: the end of the earlier thread.
fn join(report: &Report) -> String {
    let earlier = report.previous.thread;
    match report.thread(earlier) {
        _ if earlier & TASK != 0 => format!(", or wait for {} first", actor(earlier)),
        _ if earlier == 0 || earlier == report.current.thread => String::new(),
        Some(thread) if thread.finished => {
            format!(", or join T{earlier}, which has finished, first")
        }
        _ => format!(", or join T{earlier} first"),
    }
}
