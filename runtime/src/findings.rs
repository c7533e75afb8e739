//! From what an interceptor has found out, other than a race, to its description.
//!
//! ```ignore
//! findings::report(&mut scope, ReportKind::UnlockByOther, &[locked_at], |draft| {
//!     draft.headline("unlock of a mutex by a thread that does not hold it");
//!     draft.about(mutex, size_of::<pthread_mutex_t>());
//!     draft.here("Unlock of {}", &[mutex]);
//!     draft.there("Locked", &[], Some(owner), locked_at);
//!     draft.help("...", &[]);
//! });
//! ```
//!
//! Costs a look-up when the same was reported before, and nothing but the look at an option when it is not wanted.

use crate::describe;
use crate::extended_state::preserved;
use crate::own_stack::on_own_stack;
use crate::pipeline::Scope;
use crate::report;
use crate::report::model::{Finding, Part, ReportKind, Sentence, Stack};
use crate::state::runtime;
use goldilocks_core::event::{Entity, Role};
use goldilocks_core::line::Site;

/// A report while it is being written. What is not said is not in it.
pub struct Draft {
    finding: Finding,
    mentioned: Vec<u32>,
    /// The running thread and where it is.
    thread: u32,
    site: Site,
}

/// Reports something that the running thread has just found, unless it is not wanted or was told before. `others` are the
/// further sites that tell it apart from others of its kind.
pub fn report(
    scope: &mut Scope,
    kind: ReportKind,
    others: &[Site],
    write: impl FnOnce(&mut Draft),
) {
    if !report::is_wanted(kind) {
        return;
    }
    let site = scope.stack();
    report_at(kind, scope.thread_number(), site, others, write);
}

/// The same for what has no place in the program at which it is found: `thread` and `site` are what [`Draft::here`] shows.
pub fn report_at(
    kind: ReportKind,
    thread: u32,
    site: Site,
    others: &[Site],
    write: impl FnOnce(&mut Draft),
) {
    let pcs = [site]
        .iter()
        .chain(others)
        .map(|&site| describe::first_pc(site))
        .collect::<Vec<_>>();
    if !report::is_wanted(kind) || report::is_repeated_finding(kind, pcs.into_iter()) {
        return;
    }
    on_own_stack(|| {
        preserved(|| {
            let mut draft = Draft {
                finding: Finding {
                    kind,
                    headline: kind.title().to_owned(),
                    subject: None,
                    parts: Vec::new(),
                    location: None,
                    threads: Vec::new(),
                    help: None,
                },
                mentioned: Vec::new(),
                thread,
                site,
            };
            write(&mut draft);
            let mut finding = draft.finding;
            finding.threads = describe::threads(draft.mentioned);
            report::report_finding(finding);
        })
    });
}

impl Draft {
    /// What it is, if that says more than the kind's title.
    pub fn headline(&mut self, text: impl Into<String>) {
        self.finding.headline = text.into();
    }

    /// It is about the object of `bytes` bytes at `address`, whose memory and creation are shown.
    pub fn about(&mut self, address: u64, bytes: usize) {
        let object = Entity::object(address, Role::Object);
        self.finding.subject = describe::locks(&[object], &mut self.mentioned).pop();
        let location = describe::location(address as usize, &mut self.mentioned);
        self.finding.location = Some((address as usize, bytes, location));
    }

    /// What the running thread does, holding what. Each `{}` in `title` is the name of an object.
    pub fn here(&mut self, title: &str, objects: &[u64]) {
        self.there(title, objects, Some(self.thread), self.site);
    }

    /// What has happened at `site`, and the locks held there.
    pub fn there(&mut self, title: &str, objects: &[u64], thread: Option<u32>, site: Site) {
        let info = runtime().sites.lookup(site, 0);
        let held = info
            .as_ref()
            .and_then(|info| describe::held(info.held.as_deref()?, &mut self.mentioned));
        self.mentioned.extend(thread);
        self.finding.parts.push(Part {
            title: sentence(title, objects),
            thread,
            stack: info.map(|info| Stack { pcs: info.pcs }),
            held: held.filter(|held| !held.is_empty()),
        });
    }

    /// The report says who `thread` is.
    pub fn mention(&mut self, thread: u32) {
        self.mentioned.push(thread);
    }

    /// One sentence that says what to do.
    pub fn help(&mut self, text: &str, objects: &[u64]) {
        self.finding.help = Some(sentence(text, objects));
    }
}

fn sentence(text: &str, objects: &[u64]) -> Sentence {
    let objects = objects.iter().map(|&address| {
        // An address is never without a description when it is that of an object.
        describe::object(Entity::object(address, Role::Object)).unwrap_or_default()
    });
    Sentence {
        text: text.to_owned(),
        objects: objects.collect(),
    }
}
