//! The text of reports, to the letter.

use goldilocks_core::event::Access;

use super::super::fingerprint::fingerprint;
use super::super::model::{
    AccessDesc, Location, LockDesc, Member, ObjectDesc, Race, Stack, Step as RawStep, ThreadDesc,
};
use super::super::model::{AccessKind, ReportKind, StepKind};
use super::super::resolved::Report;
use super::super::resolved::fake::FakeNames;
use super::super::resolved::resolve;
use super::race::{render, subject};
use super::*;

struct Lines;

impl Source for Lines {
    fn line(&self, file: &str, number: u32, _module: &str) -> Option<String> {
        match (file, number) {
            ("/src/counter.cpp", 10) => {
                Some("void bump_a() { lock_guard l(mu_a); c->hits++; }".into())
            }
            ("/src/counter.cpp", 11) => {
                Some("\tvoid bump_b() { lock_guard l(mu_b); c->hits++; }".into())
            }
            _ => None,
        }
    }
}

struct NoSource;

impl Source for NoSource {
    fn line(&self, _: &str, _: u32, _: &str) -> Option<String> {
        None
    }
}

fn names() -> FakeNames {
    let mut names = FakeNames::default();
    names
        .frame(0x110, "bump_a", "/src/counter.cpp", 10, 44)
        .frame(0x120, "main", "/src/counter.cpp", 17, 3)
        .frame(0x210, "bump_b", "/src/counter.cpp", 11, 45)
        .frame(0x220, "worker", "/src/counter.cpp", 13, 3)
        .frame(0x310, "malloc", "", 0, 0)
        .frame(0x320, "main", "/src/counter.cpp", 14, 12)
        .frame(0x330, "main", "/src/counter.cpp", 15, 3)
        .variable("mu_a", 0x4000, 40)
        .variable("mu_b", 0x4040, 40)
        .variable("hits", 0x5000, 8);
    names
}

fn object(addr: usize) -> ObjectDesc {
    ObjectDesc {
        addr,
        kind: "mutex",
        name: None,
    }
}

fn lock(addr: usize) -> LockDesc {
    LockDesc {
        addr,
        kind: "mutex",
        ..LockDesc::default()
    }
}

fn stack(pcs: &[usize]) -> Option<Stack> {
    Some(Stack { pcs: pcs.to_vec() })
}

fn race() -> Race {
    Race {
        current: AccessDesc {
            kind: Access::Write.into(),
            addr: 0x7b10,
            size: 8,
            thread: 0,
            stack: stack(&[0x110, 0x120]),
            held: Some(vec![lock(0x4000)]),
        },
        previous: AccessDesc {
            kind: Access::Write.into(),
            addr: 0x7b10,
            size: 8,
            thread: 1,
            stack: stack(&[0x210, 0x220]),
            held: Some(vec![lock(0x4040)]),
        },
        racing: vec![(0x7b10, 8)],
        location: Location::Heap {
            start: 0x7b08,
            size: 64,
            thread: 0,
            stack: stack(&[0x310, 0x320]),
        },
        threads: vec![
            ThreadDesc {
                number: 0,
                ..ThreadDesc::default()
            },
            ThreadDesc {
                number: 1,
                name: "worker-B".into(),
                created_by: Some(0),
                creation: Stack { pcs: vec![0x330] },
                ..ThreadDesc::default()
            },
        ],
        ownership: Some(vec![RawStep {
            thread: 1,
            what: StepKind::Release,
            object: Some(object(0x4040)),
            stack: Stack { pcs: vec![0x210] },
            added: Some(Member::Object(object(0x4040))),
        }]),
        ownership_before: None,
        ownership_truncated: false,
    }
}

fn resolved(race: &Race) -> Report {
    resolve(ReportKind::DataRace, race, 4242, &mut names())
}

/// A report to play with.
pub fn example() -> Report {
    resolved(&race())
}

fn text(report: &Report) -> String {
    render(
        report,
        &Lines,
        Style {
            quote: true,
            strip_prefix: "/src/",
            fold: true,
            color: false,
        },
    )
}

/// The text without its lines before `start` and from `end` on.
fn part(text: &str, start: &str, end: &str) -> String {
    let from = text
        .find(start)
        .unwrap_or_else(|| panic!("no {start:?} in\n{text}"));
    let to = text[from..]
        .find(end)
        .unwrap_or_else(|| panic!("no {end:?} in\n{text}"));
    text[from..from + to].to_owned()
}

#[test]
fn the_whole_report() {
    let expected = "\
==================
WARNING: Goldilocks: data race on `c->hits` (pid=4242)                                 race-ID
  Write of size 8 at 0x7b10 by main thread T0, holding mu_a:
    #0 bump_a  counter.cpp:10:44
    #1 main  counter.cpp:17:3
       10 | void bump_a() { lock_guard l(mu_a); c->hits++; }
          |                                     ^^^^^^^^^
  Earlier write of size 8 at 0x7b10 by thread T1 `worker-B`, holding mu_b:
    #0 bump_b  counter.cpp:11:45
    #1 worker  counter.cpp:13:3
       11 |     void bump_b() { lock_guard l(mu_b); c->hits++; }
          |                                         ^^^^^^^^^
  Ownership since T1's write (who may access without a race):
    {T1}          T1 wrote c->hits    counter.cpp:11
    {T1, mu_b}    T1 released mu_b    counter.cpp:11
    T0 holds mu_a, which is not in the set; it has not joined T1
  help: the two accesses share no lock: guard both with one, or join T1 first
  Location: 8 bytes at offset 8 of a 64-byte block allocated by T0 at counter.cpp:14:
    #0 malloc  (/bin/prog+0x30f)
    #1 main  counter.cpp:14:12
  Thread T1 `worker-B` (running) created by T0 at counter.cpp:15:
    #0 main  counter.cpp:15:3
SUMMARY: Goldilocks: data race counter.cpp:10:44 in bump_a
==================
";
    let report = example();
    let id = format!("race-{:08x}", fingerprint(&report));
    assert_eq!(text(&report).replace(&id, "race-ID"), expected);
}

#[test]
fn what_is_not_known_is_not_mentioned() {
    let mut race = race();
    race.location = Location::Unknown;
    race.ownership = None;
    race.threads.clear();
    race.current.held = None;
    race.previous.held = None;
    race.previous.stack = None;
    let report = resolve(ReportKind::DataRace, &race, 1, &mut FakeNames::default());
    let text = render(
        &report,
        &NoSource,
        Style {
            quote: true,
            ..Style::default()
        },
    );
    let id = format!("race-{:08x}", fingerprint(&report));
    let expected = "\
==================
WARNING: Goldilocks: data race (pid=1)                                                 race-ID
  Write of size 8 at 0x7b10 by main thread T0:
    #0 /bin/prog+0x10f
    #1 /bin/prog+0x11f
  Earlier write of size 8 at 0x7b10 by thread T1:
    (stack not known)
SUMMARY: Goldilocks: data race (/bin/prog+0x10f)
==================
";
    assert_eq!(text.replace(&id, "race-ID"), expected);
}

#[test]
fn missing_names_are_explained_once() {
    let mut names = FakeNames::default();
    names.trouble = Some("the symbolizer took too long".into());
    let text = text(&resolve(ReportKind::DataRace, &race(), 1, &mut names));
    let note = "  note: names are missing: the symbolizer took too long. To get them from MODULE+OFFSET: \
                llvm-symbolizer -e MODULE OFFSET\n";
    assert_eq!(text.matches(note).count(), 1);
}

#[test]
fn kinds_of_accesses_and_no_locks() {
    let mut race = race();
    race.current.kind = Access::AtomicRead.into();
    race.current.held = Some(vec![]);
    race.previous.held = Some(vec![
        LockDesc {
            shared: true,
            ..lock(0x4000)
        },
        lock(0x9000),
    ]);
    let text = text(&resolved(&race));
    assert!(
        text.contains("  Atomic read of size 8 at 0x7b10 by main thread T0, holding no lock:\n"),
        "{text}"
    );
    let earlier = "  Earlier write of size 8 at 0x7b10 by thread T1 `worker-B`, holding mu_a (for reading) and mutex 0x9000:\n";
    assert!(text.contains(earlier), "{text}");
    assert!(
        text.contains(
            "  help: only one of the accesses is atomic: make the write by T1 atomic, too,"
        ),
        "{text}"
    );
}

#[test]
fn advice_follows_the_locks() {
    let advice = |mine: &[usize], theirs: &[usize]| {
        let mut race = race();
        race.current.held = Some(mine.iter().copied().map(lock).collect());
        race.previous.held = Some(theirs.iter().copied().map(lock).collect());
        let text = text(&resolved(&race));
        text.lines()
            .find_map(|line| line.strip_prefix("  help: "))
            .map(str::to_owned)
    };
    let neither = "neither access holds a lock: guard both with one, or join T1 first";
    assert_eq!(advice(&[], &[]).as_deref(), Some(neither));
    let one =
        "T0 holds a lock and T1 does not: hold mu_a at the write by T1, too, or join T1 first";
    assert_eq!(advice(&[0x4000], &[]).as_deref(), Some(one));
    let one =
        "T1 holds a lock and T0 does not: hold mu_b at the write by T0, too, or join T1 first";
    assert_eq!(advice(&[], &[0x4040]).as_deref(), Some(one));
    // Not possible with mutexes; nothing is known that would help.
    assert_eq!(advice(&[0x4000], &[0x4000]), None);
}

#[test]
fn the_set_grows_step_by_step() {
    let mut race = race();
    let step = |thread, what, object, added, pc| RawStep {
        thread,
        what,
        object,
        stack: Stack { pcs: vec![pc] },
        added,
    };
    race.ownership = Some(vec![
        step(
            1,
            StepKind::Release,
            Some(object(0x4040)),
            Some(Member::Object(object(0x4040))),
            0x210,
        ),
        step(
            2,
            StepKind::Acquire,
            Some(object(0x4040)),
            Some(Member::Thread(2)),
            0,
        ),
        step(2, StepKind::Fork, None, Some(Member::Thread(3)), 0),
        step(
            1,
            StepKind::ReleaseFence,
            None,
            Some(Member::ReleaseFence(1)),
            0,
        ),
        step(
            2,
            StepKind::Did("posted"),
            Some(object(0x9000)),
            Some(Member::Object(object(0x9000))),
            0,
        ),
        step(
            2,
            StepKind::Release,
            Some(object(0x4040)),
            Some(Member::Object(object(0x4040))),
            0,
        ),
    ]);
    race.ownership_truncated = true;
    let mut late = race.clone();
    late.ownership = Some(race.ownership.as_ref().unwrap()[3..].to_vec());
    late.ownership_before = Some(vec![Member::Thread(2), Member::Object(object(0x4040))]);
    let text_of_late = text(&resolved(&late));
    let expected = "\
    {T1}                                                 T1 wrote c->hits               counter.cpp:11
    {T1, T2, mu_b}                                       by events that are not kept
    {T1, T2, mu_b, release fence of T1}                  T1 made a release fence
    {T1, T2, mu_b, release fence of T1, mutex 0x9000}    T2 posted mutex 0x9000
    T0 holds mu_a, which is not in the set; it has not joined T1
";
    assert!(text_of_late.contains(expected), "{text_of_late}");
    let expected = "\
    {T1}                                                    T1 wrote c->hits          counter.cpp:11
    {T1, mu_b}                                              T1 released mu_b          counter.cpp:11
    {T1, mu_b, T2}                                          T2 acquired mu_b
    {T1, mu_b, T2, T3}                                      T2 created T3
    {T1, mu_b, T2, T3, release fence of T1}                 T1 made a release fence
    {T1, mu_b, T2, T3, release fence of T1, mutex 0x9000}    T2 posted mutex 0x9000
    ... and more, not kept
    T0 holds mu_a, which is not in the set; it has not joined T1
";
    let text = text(&resolved(&race));
    let shown = part(&text, "    {T1}", "  help:");
    let normalize = |text: &str| {
        text.lines()
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(normalize(&shown), normalize(expected));
}

/// What the accessing thread did after much that others did, and the advice that follows from it, are not cut off.
#[test]
fn of_a_long_story_what_the_accessing_thread_did_is_shown() {
    let mut race = race();
    (race.current.held, race.previous.held) = (Some(vec![]), Some(vec![]));
    let mut steps = Vec::new();
    for other in 2..20 {
        steps.push(RawStep {
            thread: 1,
            what: StepKind::Fork,
            object: None,
            stack: Stack { pcs: vec![] },
            added: Some(Member::Thread(other)),
        });
    }
    steps.push(RawStep {
        thread: 0,
        what: StepKind::RelaxedLoad,
        object: Some(object(0x9000)),
        stack: Stack { pcs: vec![0x110] },
        added: Some(Member::AcquireFence(0)),
    });
    steps.push(RawStep {
        thread: 1,
        what: StepKind::Fork,
        object: None,
        stack: Stack { pcs: vec![] },
        added: Some(Member::Thread(20)),
    });
    race.ownership = Some(steps);
    let text = text(&resolved(&race));
    let table = part(&text, "Ownership since", "  Location:");
    let rows: Vec<&str> = table.lines().collect();
    // The first row, ten threads, and what T0 did.
    assert!(rows[11].contains("T1 created T11"), "{table}");
    assert_eq!(rows[12].trim(), "... 8 more", "{table}");
    assert!(rows[13].contains("T0 read mutex 0x9000 relaxed"), "{table}");
    assert_eq!(rows[14].trim(), "... and 1 more", "{table}");
    assert!(table.contains("read it with acquire"), "{table}");
}

#[test]
fn globals_are_named_with_offset() {
    let mut race = race();
    race.location = Location::Unknown;
    (race.current.addr, race.previous.addr) = (0x5000, 0x5004);
    (race.current.size, race.previous.size) = (8, 4);
    let report = resolved(&race);
    assert_eq!(subject(&report, &NoSource).as_deref(), Some("hits+4"));
    let text = text(&report);
    assert!(
        text.contains(
            "  Location: 4 bytes at offset 4 of global `hits` of size 8 at 0x5000 in prog\n"
        ),
        "{text}"
    );
    race.previous.addr = 0x5000;
    let report = resolved(&race);
    let text = render(&report, &NoSource, Style::default());
    assert!(text.contains("data race on `hits` (pid=4242)"), "{text}");
    assert!(
        text.contains("  Location: global `hits` of size 8 at 0x5000 in prog\n"),
        "{text}"
    );
}

#[test]
fn unnamed_locks_say_where_they_come_from() {
    let mut race = race();
    let creation = stack(&[0x320]);
    race.current.held = Some(vec![LockDesc {
        creation,
        created_by: Some(0),
        ..lock(0x9000)
    }]);
    let text = text(&resolved(&race));
    assert!(text.contains("holding mutex 0x9000:\n"), "{text}");
    assert!(
        text.contains("  Mutex 0x9000 created by T0 at:\n    #0 main  counter.cpp:14:12\n"),
        "{text}"
    );
}

#[test]
fn of_many_locks_a_few_are_named() {
    let holding = |count: usize| {
        let mut race = race();
        race.current.held = Some((0..count).map(|number| lock(0x9000 + number)).collect());
        text(&resolved(&race))
    };
    let nine = holding(9);
    assert!(nine.contains("mutex 0x9007 and mutex 0x9008:\n"), "{nine}");
    let ten = holding(10);
    assert!(ten.contains("mutex 0x9007 and 2 more:\n"), "{ten}");
}

#[test]
fn colours_surround_and_change_nothing_else() {
    let report = example();
    let colored = render(
        &report,
        &Lines,
        Style {
            quote: true,
            strip_prefix: "/src/",
            fold: true,
            color: true,
        },
    );
    assert!(
        colored.contains("\x1b[1;31mWARNING: Goldilocks: data race on `c->hits` (pid=4242)\x1b[0m")
    );
    let mut plain = colored.clone();
    for code in [HEADLINE, HEADING, MARK, HELP, "0"] {
        plain = plain.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(plain, text(&report));
}

#[test]
fn what_the_earlier_access_did_is_told_in_its_own_words() {
    struct TwoNames;
    impl Source for TwoNames {
        fn line(&self, _: &str, number: u32, _: &str) -> Option<String> {
            // The columns of the example's two accesses are 44 and 45, where an assignment has its sign.
            let (name, column) = if number == 10 {
                ("c->hits", 44)
            } else {
                ("own[5]", 45)
            };
            Some(format!("{name:>width$} = 1;", width = column - 2))
        }
    }
    let report = example();
    let text = render(&report, &TwoNames, Style::default());
    assert!(text.contains("data race on `c->hits`"), "{text}");
    assert!(text.contains("T1 wrote own[5]"), "{text}");
}

#[test]
fn a_line_that_is_the_functions_says_so_and_is_not_quoted() {
    let mut report = example();
    let place = report.current.stack.as_ref().unwrap()[0]
        .position()
        .unwrap();
    let quoting = Style {
        quote: true,
        ..Style::default()
    };
    struct Same;
    impl Source for Same {
        fn line(&self, _: &str, line: u32, _: &str) -> Option<String> {
            Some(format!("source line {line}"))
        }
    }
    let before = render(&report, &Same, quoting);
    assert!(before.contains(&format!("{place}\n")), "{before}");
    for line in report.current.stack.iter_mut().flatten() {
        line.of_function = true;
    }
    let text = render(&report, &Same, quoting);
    let said = format!("{place} (the function; optimization has left no line)\n");
    assert!(text.contains(&said), "{text}");
    let quotes = |text: &str| text.matches("| source line").count();
    assert_eq!(quotes(&text) + 1, quotes(&before), "{text}");
}

#[test]
fn a_long_line_is_cut_around_the_mark() {
    struct Long;
    impl Source for Long {
        fn line(&self, _: &str, _: u32, _: &str) -> Option<String> {
            Some(format!("{}victim = 1;{}", " ".repeat(300), "x".repeat(300)))
        }
    }
    let mut report = example();
    report.current.stack.as_mut().unwrap()[0].column = 308;
    let text = render(
        &report,
        &Long,
        Style {
            quote: true,
            ..Style::default()
        },
    );
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains("| ") && line.contains("victim"))
        .unwrap();
    assert!(lines[at].len() < 140);
    assert_eq!(lines[at].find("victim ="), lines[at + 1].find("^^^^^^^^"));
}

#[test]
fn other_kinds_have_their_titles() {
    let mut race = race();
    race.current.kind = AccessKind::Free;
    race.current.size = 64;
    let report = resolve(ReportKind::UseAfterFreeRace, &race, 1, &mut names());
    let text = text(&report);
    assert!(
        text.contains("WARNING: Goldilocks: data race between access and free"),
        "{text}"
    );
    assert!(
        text.contains("  Free of size 64 at 0x7b10 by main thread T0"),
        "{text}"
    );
    assert!(text.contains("  help: make sure that T1 is done with the block before it is freed, or join T1 first\n"), "{text}");
}
