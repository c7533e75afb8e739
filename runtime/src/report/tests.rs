//! The whole way from a race to text, with addresses of the test program and its own symbolizer.

use super::model::{Location, ThreadDesc};
use super::*;
use goldilocks_core::event::Access;

static SHARED: u64 = 7;

/// Under a name that is not the detector's, whose frames are removed.
#[inline(never)]
#[unsafe(export_name = "test_access")]
extern "C" fn here() -> usize {
    let address: usize;
    // SAFETY: computes an address.
    unsafe {
        core::arch::asm!("lea {}, [rip]", out(reg) address, options(nomem, nostack, preserves_flags))
    };
    address
}

fn race(pc: usize, other: usize) -> Race {
    let side = |thread, pc| AccessDesc {
        kind: Access::Write.into(),
        addr: &raw const SHARED as usize,
        size: 8,
        thread,
        stack: Some(Stack { pcs: vec![pc] }),
        held: None,
    };
    Race {
        current: side(0, pc),
        previous: side(1, other),
        racing: vec![(&raw const SHARED as usize, 8)],
        location: Location::Unknown,
        threads: vec![ThreadDesc {
            number: 1,
            ..ThreadDesc::default()
        }],
        ownership: None,
        ownership_before: None,
        ownership_truncated: false,
    }
}

fn state(suppressions: &str) -> State {
    let mut state = State {
        suppressions: Suppressions::none(),
        symbolizer: None,
        lines: BTreeMap::new(),
        told: Vec::new(),
        inherited: 0,
        left_out_said: false,
        finished: false,
    };
    assert!(state.suppressions.parse("s", suppressions, true).is_empty());
    state
}

/// Options with a log of its own for the test called `name`, and that log.
fn logging(name: &str) -> (Options, String) {
    let log = std::env::temp_dir().join(format!("goldilocks-report-{name}-{}", std::process::id()));
    let log_path: &'static str = String::leak(log.to_str().unwrap().to_owned());
    (
        Options {
            log_path,
            ..Options::DEFAULT
        },
        format!("{log_path}.{}", std::process::id()),
    )
}

#[test]
fn each_report_is_a_line_for_those_who_run_many_programs() {
    let mut state = state("");
    let (mut options, log) = logging("lines");
    let shared = log.clone() + "-shared";
    options.summary_path = String::leak(shared.clone());
    let pc = here();
    let case = race(pc, pc);
    assert!(
        state
            .tell(&Case::Race(ReportKind::DataRace, &case), &options)
            .is_some()
    );
    assert!(
        state
            .tell(&Case::Race(ReportKind::DataRace, &case), &options)
            .is_none()
    );
    let text = std::fs::read_to_string(&shared).unwrap();
    let program = std::env::current_exe().unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        text.starts_with(&format!("{}\trace-", program.display())),
        "{text}"
    );
    for file in [shared, log] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_race_is_told_once_and_its_second_compilation_is_counted() {
    let mut state = state("");
    let (options, log) = logging("once");
    let pc = here();
    assert!(
        state
            .tell(&Case::Race(ReportKind::DataRace, &race(pc, pc)), &options)
            .is_some()
    );
    // Another address of the same line.
    assert!(
        state
            .tell(
                &Case::Race(ReportKind::DataRace, &race(pc, pc + 1)),
                &options
            )
            .is_none()
    );
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(log).unwrap();
    assert_eq!(
        text.matches("WARNING: Goldilocks: data race on `").count(),
        1
    );
    assert_eq!(text.matches("    #0 test_access  /").count(), 2, "{text}");
    assert!(text.contains("::SHARED` of size 8 at 0x"), "{text}");
    let told = &state.told[0];
    assert_eq!(told.functions, ["test_access", "test_access"]);
    assert_eq!(state.told.len(), 1);
    assert!(told.subject.is_some());
}

#[test]
fn suppressions_match_function_file_module_and_variable() {
    let module = std::env::current_exe().unwrap();
    let module = module.file_name().unwrap().to_str().unwrap().to_owned();
    let (options, log) = logging("suppressed");
    let pc = here();
    for entry in [
        "race:^test_access$",
        "race:report/tests.rs$",
        "race:::SHARED",
        "race_top:access",
        &format!("race:/{module}$"),
    ] {
        let mut state = state(entry);
        assert!(
            state
                .tell(&Case::Race(ReportKind::DataRace, &race(pc, pc)), &options)
                .is_none(),
            "{entry}"
        );
        assert_eq!(state.suppressions.entries[0].hits, 1, "{entry}");
        assert_eq!(
            state.symbolizer.is_none(),
            entry.contains(&module),
            "{entry}"
        );
    }
    let mut state = state("race:elsewhere\nthread:access");
    assert!(
        state
            .tell(&Case::Race(ReportKind::DataRace, &race(pc, pc)), &options)
            .is_some()
    );
    std::fs::remove_file(log).unwrap();
}

#[test]
fn mixed_races_are_recognised() {
    let mut race = race(1, 2);
    assert!(!is_mixed(&race));
    race.current.kind = Access::AtomicRead.into();
    assert!(is_mixed(&race));
    race.previous.kind = AccessKind::Free;
    assert!(is_mixed(&race));
}

#[test]
fn duplicates_are_counted_by_pair() {
    let is_duplicate = |one: usize, other: usize| {
        let between = Between {
            sites: (one as u32, other as u32),
            byte: 0,
        };
        super::is_duplicate(&[one], &[other], between)
    };
    assert!(!is_duplicate(0x1234, 0x5678));
    assert!(is_duplicate(0x5678, 0x1234));
    before_fork();
    // SAFETY: as above.
    unsafe { after_fork(true) };
    assert!(!is_duplicate(0x1235, 0x5678));
}
