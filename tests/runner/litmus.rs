//! Message passing by every atomic operation in every order: a thread writes `data`, then does the one operation; when that is
//! over, another thread does the other one, then writes `data`. Silent if and only if the C++ standard orders the two writes.
//!
//! The verdicts are computed here from [atomics.order], [atomics.fences] and [intro.races], clause by clause, and know nothing
//! of the detector. One generated program per kind of word holds all cases for it; which of the `data_N` are reported is compared
//! case by case. The cases share their threads: what case N releases covers only what came before it, and its reader looks only
//! at its own word, so that no case orders a later one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Trial;
use regex::Regex;

use crate::{execute, place};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}
use Order::{AcqRel, Acquire, Consume, Relaxed, Release, SeqCst};

const ALL: [Order; 6] = [Relaxed, Consume, Acquire, Release, AcqRel, SeqCst];
const OF_STORES: [Order; 3] = [Relaxed, Release, SeqCst];
const OF_LOADS: [Order; 4] = [Relaxed, Consume, Acquire, SeqCst];

impl Order {
    fn name(self) -> &'static str {
        match self {
            Relaxed => "__ATOMIC_RELAXED",
            Consume => "__ATOMIC_CONSUME",
            Acquire => "__ATOMIC_ACQUIRE",
            Release => "__ATOMIC_RELEASE",
            AcqRel => "__ATOMIC_ACQ_REL",
            SeqCst => "__ATOMIC_SEQ_CST",
        }
    }
    /// [atomics.order]: release, acq_rel and seq_cst make a store a release operation, and a fence a release fence.
    fn releases(self) -> bool {
        matches!(self, Release | AcqRel | SeqCst)
    }
    /// The same for loads and acquire fences. Consume is implemented as acquire by every compiler, and is acquire in C++26.
    fn acquires(self) -> bool {
        matches!(self, Consume | Acquire | AcqRel | SeqCst)
    }
}

/// A side of a case: C code on the word `X`, of type `T`; and what the standard says of it.
#[derive(Clone)]
struct Side {
    code: String,
    /// Whether its own atomic operation is a release, or acquire, operation.
    by_itself: bool,
    /// Whether a fence makes it so, sequenced before the store or behind the load.
    by_fence: bool,
}

impl Side {
    fn new(code: String, by_itself: bool) -> Side {
        let by_fence = false;
        Side {
            code,
            by_itself,
            by_fence,
        }
    }
    fn fenced(code: String, by_fence: bool) -> Side {
        let by_itself = false;
        Side {
            code,
            by_itself,
            by_fence,
        }
    }
}

/// What happens to the word between the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Between {
    Nothing,
    /// Relaxed, by the thread that wrote, or by a third one.
    Store {
        third: bool,
    },
    ReadModifyWrite {
        third: bool,
    },
}

/// Whether the write of `data` by the first thread happens before that by the second.
fn is_ordered(writer: &Side, between: Between, reader: &Side) -> bool {
    // [intro.races]/5: a release sequence is its head and the read-modify-writes that follow. Stores, whoever makes them, end it.
    let reads_sequence = !matches!(between, Between::Store { .. });
    let from_operation = writer.by_itself && reads_sequence;
    // [atomics.fences]/2: any store that is sequenced after the fence does, so also a later one by the same thread.
    let by_another = matches!(between, Between::Store { third: true });
    let from_fence = writer.by_fence && !by_another;
    (from_operation || from_fence) && (reader.by_itself || reader.by_fence)
}

fn cas(weak: bool, expected: &str, desired: &str, success: Order, failure: Order) -> String {
    let (success, failure) = (success.name(), failure.name());
    format!(
        "T e = V({expected}), d = V({desired}); (void)__atomic_compare_exchange(&X, &e, &d, {}, {success}, {failure});",
        weak as u8
    )
}

fn fence(order: Order) -> String {
    format!("__atomic_thread_fence({});", order.name())
}
fn store(order: Order) -> String {
    format!("T d = V(1); __atomic_store(&X, &d, {});", order.name())
}
fn load(order: Order) -> String {
    format!("T e; __atomic_load(&X, &e, {});", order.name())
}
fn exchange(value: &str, order: Order) -> String {
    format!(
        "T e, d = V({value}); __atomic_exchange(&X, &d, &e, {});",
        order.name()
    )
}

/// Everything that leaves 1 in the word, which was 0.
fn writers(arithmetic: bool) -> Vec<Side> {
    let mut sides = Vec::new();
    for order in OF_STORES {
        sides.push(Side::new(store(order), order.releases()));
    }
    for order in ALL {
        sides.push(Side::new(exchange("1", order), order.releases()));
        for weak in [false, true] {
            for failure in [Relaxed, SeqCst] {
                // It succeeds, so its other order does not count.
                sides.push(Side::new(
                    cas(weak, "0", "1", order, failure),
                    order.releases(),
                ));
            }
        }
        sides.push(Side::fenced(
            fence(order) + &store(Relaxed),
            order.releases(),
        ));
        if arithmetic {
            for operation in ["add_fetch(&X, 1", "fetch_or(&X, 1", "xor_fetch(&X, 1"] {
                sides.push(Side::new(
                    format!("(void)__atomic_{operation}, {});", order.name()),
                    order.releases(),
                ));
            }
        }
    }
    // A fence behind the store, and one for signal handlers, are none.
    sides.push(Side::fenced(store(Relaxed) + &fence(SeqCst), false));
    sides.push(Side::fenced(
        "__atomic_signal_fence(__ATOMIC_SEQ_CST);".to_owned() + &store(Relaxed),
        false,
    ));
    sides
}

/// Everything that reads the word, which is `now`.
fn readers(arithmetic: bool, now: &str) -> Vec<Side> {
    let mut sides = Vec::new();
    for order in OF_LOADS {
        sides.push(Side::new(load(order), order.acquires()));
    }
    for order in ALL {
        sides.push(Side::new(exchange("9", order), order.acquires()));
        for weak in [false, true] {
            sides.push(Side::new(
                cas(weak, now, "9", order, Relaxed),
                order.acquires(),
            ));
            for failure in OF_LOADS {
                // It fails, so only the other order counts.
                sides.push(Side::new(
                    cas(weak, "77", "9", order, failure),
                    failure.acquires(),
                ));
            }
        }
        sides.push(Side::fenced(
            load(Relaxed) + &fence(order),
            order.acquires(),
        ));
        if arithmetic {
            for operation in ["fetch_sub(&X, 1", "and_fetch(&X, 2", "fetch_nand(&X, 1"] {
                sides.push(Side::new(
                    format!("(void)__atomic_{operation}, {});", order.name()),
                    order.acquires(),
                ));
            }
        }
    }
    sides.push(Side::fenced(fence(SeqCst) + &load(Relaxed), false));
    sides.push(Side::fenced(
        load(Relaxed) + "__atomic_signal_fence(__ATOMIC_SEQ_CST);",
        false,
    ));
    sides
}

struct Case {
    writer: Side,
    between: Between,
    reader: Side,
}

/// Every writer with some readers, some writers with every reader, and a few of each with everything that may come between.
fn cases(arithmetic: bool) -> Vec<Case> {
    let some_readers = [
        Side::new(load(Acquire), true),
        Side::new(load(Relaxed), false),
        Side::fenced(load(Relaxed) + &fence(Acquire), true),
    ];
    let some_writers = [
        Side::new(store(Release), true),
        Side::new(exchange("1", AcqRel), true),
        Side::new(store(Relaxed), false),
        Side::fenced(fence(Release) + &store(Relaxed), true),
    ];
    let between = Between::Nothing;
    let mut cases = Vec::new();
    let mut add = |writer: &Side, between, reader: &Side| {
        cases.push(Case {
            writer: writer.clone(),
            between,
            reader: reader.clone(),
        })
    };
    for writer in writers(arithmetic) {
        some_readers
            .iter()
            .for_each(|reader| add(&writer, between, reader));
    }
    for reader in readers(arithmetic, "1") {
        some_writers
            .iter()
            .for_each(|writer| add(writer, between, &reader));
    }
    for third in [false, true] {
        for between in [Between::Store { third }, Between::ReadModifyWrite { third }] {
            for writer in &some_writers {
                some_readers
                    .iter()
                    .for_each(|reader| add(writer, between, reader));
            }
        }
    }
    cases
}

/// A kind of word that atomics are made of.
struct Kind {
    name: &'static str,
    /// Definition of `T`, of `V(n)`, a value of it, and of `WORD(name)`, a word.
    definition: &'static str,
    arithmetic: bool,
    flags: &'static [&'static str],
}

const PLAIN_WORD: &str = "#define V(n) ((T)(n))\n#define WORD(name) static T name\n";
const STRUCT_WORD: &str = "#define V(n) ((T){{(n)}})\n#define WORD(name) static T name\n";

const KINDS: [Kind; 10] = [
    Kind {
        name: "1_byte",
        definition: "typedef unsigned char T;",
        arithmetic: true,
        flags: &[],
    },
    Kind {
        name: "2_bytes",
        definition: "typedef unsigned short T;",
        arithmetic: true,
        flags: &[],
    },
    Kind {
        name: "4_bytes",
        definition: "typedef unsigned T;",
        arithmetic: true,
        flags: &[],
    },
    Kind {
        name: "8_bytes",
        definition: "typedef unsigned long T;",
        arithmetic: true,
        flags: &[],
    },
    Kind {
        name: "16_bytes",
        definition: "typedef unsigned __int128 T;",
        arithmetic: true,
        flags: &[],
    },
    Kind {
        name: "16_bytes_by_call",
        definition: "typedef unsigned __int128 T;",
        arithmetic: true,
        flags: &["-mno-cx16"],
    },
    Kind {
        name: "native_4_bytes",
        definition: "typedef unsigned T;",
        arithmetic: true,
        flags: &["-march=native"],
    },
    Kind {
        name: "3_bytes",
        definition: "typedef struct { char bytes[3]; } T;",
        arithmetic: false,
        flags: &[],
    },
    Kind {
        name: "32_bytes",
        definition: "typedef struct { long words[4]; } T;",
        arithmetic: false,
        flags: &[],
    },
    Kind {
        name: "8_bytes_misaligned",
        definition: "typedef struct __attribute__((packed)) { unsigned long word; } T;\n\
                     #define V(n) ((T){(n)})\n#define WORD(name) static struct { char before; T word; } name##_place\n#define MISALIGNED",
        arithmetic: false,
        flags: &[],
    },
];

fn program(kind: &Kind, cases: &[Case]) -> String {
    let mut text = format!(
        "#include \"invisible.h\"\n#include <pthread.h>\n\n{}\n",
        kind.definition
    );
    if kind.name != "8_bytes_misaligned" {
        text += if kind.arithmetic {
            PLAIN_WORD
        } else {
            STRUCT_WORD
        };
    }
    text += "typedef void (*step)(void);\nstatic void nothing(void) {}\n\n";
    let mut tables = [String::new(), String::new(), String::new()];
    for (number, case) in cases.iter().enumerate() {
        let word = if kind.name == "8_bytes_misaligned" {
            format!("word_{number}_place.word")
        } else {
            format!("word_{number}")
        };
        let _ = write!(
            text,
            "WORD(word_{number});\nstatic volatile int data_{number};\n#define X {word}\n\
             static void write_{number}(void) {{ data_{number} = 1; {{ {} }} BETWEEN_HERE_{number} }}\n",
            case.writer.code
        );
        let relaxed = match case.between {
            Between::Nothing => String::new(),
            Between::Store { .. } => {
                "{ T d = V(1); __atomic_store(&X, &d, __ATOMIC_RELAXED); }".to_owned()
            }
            Between::ReadModifyWrite { .. } => format!("{{ {} }}", exchange("1", Relaxed)),
        };
        let by_third = matches!(
            case.between,
            Between::Store { third: true } | Between::ReadModifyWrite { third: true }
        );
        text = text.replace(
            &format!("BETWEEN_HERE_{number} "),
            if by_third { "" } else { &relaxed },
        );
        if by_third {
            let _ = writeln!(text, "static void between_{number}(void) {{ {relaxed} }}");
        }
        let _ = write!(
            text,
            "static void read_{number}(void) {{ {{ {} }} data_{number} = 2; }}\n#undef X\n\n",
            case.reader.code
        );
        let _ = write!(tables[0], "write_{number}, ");
        tables[1] += &if by_third {
            format!("between_{number}, ")
        } else {
            "nothing, ".to_owned()
        };
        let _ = write!(tables[2], "read_{number}, ");
    }
    let [write, between, read] = tables;
    let _ = write!(
        text,
        "static const step writes[] = {{{write}}}, betweens[] = {{{between}}}, reads[] = {{{read}}};\n\
         enum {{ CASES = sizeof reads / sizeof *reads }};\nstatic int done;\n\n\
         static void *writer(void *argument) {{\n    for (int i = 0; i < CASES; i++) writes[i]();\n    invisible_signal(&done);\n    return argument;\n}}\n\
         static void *third(void *argument) {{\n    invisible_wait(&done, 1);\n    for (int i = 0; i < CASES; i++) betweens[i]();\n    invisible_signal(&done);\n    return argument;\n}}\n\
         int main(void) {{\n    pthread_t threads[2];\n    pthread_create(&threads[0], 0, writer, 0);\n    pthread_create(&threads[1], 0, third, 0);\n    \
         invisible_wait(&done, 2);\n    for (int i = 0; i < CASES; i++) reads[i]();\n    pthread_join(threads[0], 0);\n    pthread_join(threads[1], 0);\n    return 0;\n}}\n"
    );
    text
}

fn test(kind: &Kind, level: &str) -> Result<(), String> {
    let cases = cases(kind.arithmetic);
    let folder = place::results("litmus");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let out = folder.join(format!("{}-{level}", kind.name));
    let source = folder.join(format!("{}.c", kind.name));
    // Two levels write the same text, perhaps at once: to a name of their own, then moved.
    let written = folder.join(format!("{}-{level}.c.new", kind.name));
    fs::write(&written, program(kind, &cases))
        .and_then(|()| fs::rename(&written, &source))
        .map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compiler = Command::new(place::home().join("bin/goldilocks-cc"));
    compiler
        .args([&format!("-{level}"), "-pthread", "-w"])
        .args(kind.flags);
    compiler.arg(format!(
        "-I{}",
        place::tests().join("programs/include").display()
    ));
    compiler.arg(&source).arg("-o").arg(&out);
    let built = execute::run(
        &mut compiler,
        &out.with_extension("build"),
        Duration::from_secs(120),
    )?;
    if built.exit != crate::directives::Exit::Code(0) {
        return Err(format!(
            "{}$ {}",
            execute::shown(&built.stdout, &built.stderr),
            execute::display(&compiler)
        ));
    }
    let mut run = Command::new(&out);
    run.env("GOLDILOCKS_OPTIONS", "show_source=0");
    let ran = execute::run(&mut run, &out, Duration::from_secs(120))?;
    let subject = Regex::new(r"data race on `data_(\d+)`").expect("a pattern");
    let reported: BTreeSet<usize> = subject
        .captures_iter(&ran.stderr)
        .filter_map(|found| found[1].parse().ok())
        .collect();
    let races = ran.stderr.matches(crate::compiled::RACE).count();
    let mut wrong = String::new();
    for (number, case) in cases.iter().enumerate() {
        let ordered = is_ordered(&case.writer, case.between, &case.reader);
        if ordered == reported.contains(&number) {
            let verdict = if ordered {
                "ordered, but reported"
            } else {
                "a race, but not reported"
            };
            let _ = writeln!(
                wrong,
                "data_{number} is {verdict}:\n  {}\n  {:?}\n  {}",
                case.writer.code, case.between, case.reader.code
            );
        }
    }
    if races != reported.len() {
        let _ = writeln!(
            wrong,
            "{races} reports, of which {} are about `data_N`",
            reported.len()
        );
    }
    if ran.exit != crate::compiled::FINDING {
        let _ = writeln!(wrong, "ended with {:?}", ran.exit);
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "of {} cases:\n{wrong}$ {}\n$ {}",
            cases.len(),
            execute::display(&compiler),
            execute::display(&run)
        ))
    }
}

pub fn trials() -> Vec<Trial> {
    let trials = KINDS.iter().flat_map(|kind| {
        ["O0", "O2"].map(|level| {
            Trial::test(format!("litmus/{}/{level}", kind.name), move || {
                Ok(test(kind, level)?)
            })
        })
    });
    trials.collect()
}
