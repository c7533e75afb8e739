//! Threads that nobody has joined or detached by the end of the process.
//!
//! One that has ended leaks its stack and its id, so it is reported; those of one creation stack are told together. One that still
//! runs leaks nothing: that a process ends while others work is common and well defined, and whoever does not want it asks for
//! it (`report_threads_at_exit`). Both as POSIX has it (XSH, pthread_detach): the storage of a joinable thread is given
//! back by a join or detachment, and by nothing else.

use crate::findings;
use crate::openmp;
use crate::report::model::ReportKind;
use crate::state::{multi_threaded, runtime};
use crate::thread::Unjoined;
use goldilocks_core::line::Site;

/// Threads that are named in a report; others are counted.
const NAMED: usize = 8;

/// At the end of the process, when all its exit handlers have run.
pub fn report() {
    if !multi_threaded() {
        return;
    }
    let mut groups: Vec<Vec<Unjoined>> = Vec::new();
    for thread in runtime().threads.unjoined() {
        if is_of_openmp(thread.creation) {
            continue;
        }
        let same = |group: &&mut Vec<Unjoined>| {
            let first = &group[0];
            (first.creation, first.finished) == (thread.creation, thread.finished)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(thread),
            None => groups.push(vec![thread]),
        }
    }
    for group in groups {
        tell(&group);
    }
}

/// Whether libomp has created the thread, which it joins or leaves as it likes.
fn is_of_openmp(creation: Site) -> bool {
    runtime()
        .sites
        .lookup(creation, 0)
        .and_then(|site| site.pcs.first().copied())
        .is_some_and(openmp::is_runtime)
}

fn tell(group: &[Unjoined]) {
    let first = &group[0];
    let kind = if first.finished {
        ReportKind::ThreadLeak
    } else {
        ReportKind::ThreadAtExit
    };
    let site: Site = first.creation;
    findings::report_at(kind, first.creator, site, &[], |draft| {
        draft.headline(headline(group));
        draft.here(&format!("Creation of {}", names(group)), &[]);
        draft.help(
            if first.finished {
                "join each thread, or detach it if nobody waits for it"
            } else {
                "join each thread before the process ends, or detach it"
            },
            &[],
        );
    });
}

fn headline(group: &[Unjoined]) -> String {
    match (group.len(), group[0].finished) {
        (1, true) => "thread leak: a thread has ended and was neither joined nor detached".into(),
        (count, true) => {
            format!("thread leak: {count} threads have ended and were neither joined nor detached")
        }
        (1, false) => "a thread that is neither joined nor detached runs at exit".into(),
        (count, false) => {
            format!("{count} threads that are neither joined nor detached run at exit")
        }
    }
}

/// `T1 and T2`.
fn names(group: &[Unjoined]) -> String {
    let mut names: Vec<String> = group.iter().take(NAMED).map(name).collect();
    let more = group.len() - names.len();
    let last = match more {
        0 => names.pop(),
        more => Some(format!("{more} more")),
    };
    match last {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

/// `T1`, with the name that the program gave it.
fn name(thread: &Unjoined) -> String {
    let text = String::from_utf8_lossy(&thread.name);
    // Braces stand for objects in titles.
    if text.is_empty() || text.contains(['{', '}']) {
        format!("T{}", thread.serial)
    } else {
        format!("T{} `{text}`", thread.serial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_counted() {
        let thread = |serial| Unjoined {
            serial,
            name: if serial == 2 {
                b"two".to_vec()
            } else {
                Vec::new()
            },
            creator: 0,
            creation: 1,
            finished: true,
        };
        let group: Vec<Unjoined> = (1..=12).map(thread).collect();
        assert_eq!(names(&group[..1]), "T1");
        assert_eq!(names(&group[..3]), "T1, T2 `two` and T3");
        assert_eq!(
            names(&group),
            "T1, T2 `two`, T3, T4, T5, T6, T7, T8 and 4 more"
        );
        assert!(headline(&group).starts_with("thread leak: 12 threads"));
    }
}
