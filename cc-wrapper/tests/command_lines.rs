//! Command lines as build systems write them, and what becomes of each. Nothing is run and no file is looked at.

use goldilocks_cc::args::{Invocation, Mode};
use goldilocks_cc::locate::Compiler;
use goldilocks_cc::need::{Need, Runtime};
use goldilocks_cc::plan::{Parts, Plan, plan};
use goldilocks_cc::refusal::Refusal;
use goldilocks_cc::response;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Response files that the command lines below name.
fn response_file(path: &Path) -> Option<Vec<u8>> {
    let text = match path.to_str()? {
        "compile.rsp" => "-O2 -g -c 'my file.c' -o out.o",
        "link.rsp" => "a.o b.o -lm",
        "shared.rsp" => "-shared -fPIC a.o",
        "own.rsp" => "-O1 --goldilocks-no-instrument a.c",
        "nested.rsp" => "@compile.rsp",
        "dashes.rsp" => "-O1 -- a.c",
        "empty.rsp" => "",
        _ => return None,
    };
    Some(text.as_bytes().to_vec())
}

fn arguments(line: &str) -> Vec<OsString> {
    response::words(line.as_bytes())
}

fn understood(mode: Mode, line: &str) -> Result<(Invocation, Need), Refusal> {
    let invocation = Invocation::parse(mode, &arguments(line), &response_file)?;
    let need = Need::of(&invocation)?;
    Ok((invocation, need))
}

/// A machine with everything installed.
fn parts(need: &Need) -> Parts {
    let compiler = Compiler {
        program: PathBuf::from("/bin/clang-22"),
        llvm: 22,
        cxx_by_option: false,
    };
    let library = match need.runtime {
        Runtime::None => None,
        Runtime::Archive => Some(PathBuf::from("/g/lib/rt.a")),
        Runtime::Shared => Some(PathBuf::from("/g/lib/rt.so")),
    };
    Parts {
        compiler,
        plugin: need.plugin.then(|| PathBuf::from("/g/lib/pass.so")),
        dynamic_list: (need.runtime == Runtime::Archive).then(|| PathBuf::from("/g/share/syms")),
        runtime: library,
        include: need.macros.then(|| PathBuf::from("/g/include")),
        lines: false,
    }
}

#[test]
fn who_wants_lines_has_them_unless_the_command_line_says_otherwise() {
    let (invocation, need) = understood(Mode::C, "-O2 -c x.c -g0").unwrap();
    let wanted = Parts {
        lines: true,
        ..parts(&need)
    };
    let arguments = plan(&invocation, &need, &wanted).arguments;
    let position = |word: &str| arguments.iter().position(|argument| argument == word);
    assert!(position("-g").unwrap() < position("-g0").unwrap());
    assert!(
        !planned("-O2 -c x.c")
            .arguments
            .iter()
            .any(|word| word == "-g")
    );
}

fn planned(line: &str) -> Plan {
    let (invocation, need) =
        understood(Mode::C, line).unwrap_or_else(|refusal| panic!("{line}\n{refusal}"));
    plan(&invocation, &need, &parts(&need))
}

fn texts(plan: &Plan) -> Vec<&str> {
    plan.arguments
        .iter()
        .map(|argument| argument.to_str().unwrap())
        .collect()
}

/// What is added to a command line, in a few words.
fn summary(line: &str) -> String {
    let plan = match understood(Mode::C, line) {
        Ok((invocation, need)) => plan(&invocation, &need, &parts(&need)),
        Err(_) => return "refused".to_owned(),
    };
    let texts = texts(&plan);
    let has = |argument: &str| texts.contains(&argument);
    let mut words = Vec::new();
    for (argument, word) in [
        ("-D__GOLDILOCKS__=1", "macros"),
        ("-fsanitize=thread", "marks"),
        ("-goldilocks-tls=local-exec", "plugin:le"),
        ("-goldilocks-tls=initial-exec", "plugin:ie"),
        ("/g/lib/rt.a", "archive"),
        ("/g/lib/rt.so", "shared"),
        ("undefs", "undefs"),
    ] {
        if has(argument) {
            words.push(word);
        }
    }
    assert_eq!(
        has("/g/lib/pass.so"),
        has("-fpass-plugin=/g/lib/pass.so"),
        "{line}"
    );
    assert_eq!(has("/g/lib/rt.a"), has("--whole-archive"), "{line}");
    assert_eq!(
        has("/g/lib/rt.a"),
        has("--dynamic-list=/g/share/syms"),
        "{line}"
    );
    words.join(" ")
}

const NOTHING: &str = "";
const CPP: &str = "macros";
const FRONT: &str = "macros marks";
const COMPILE: &str = "macros marks plugin:le";
const COMPILE_PIC: &str = "macros marks plugin:ie";
const LINK: &str = "archive";
const BOTH: &str = "macros marks plugin:le archive";

const TABLE: &[(&str, &str)] = &[
    // Questions: clang's own business.
    ("--version", NOTHING),
    ("-v", NOTHING),
    ("-V", NOTHING),
    ("-qversion", NOTHING),
    ("-version", NOTHING),
    ("", NOTHING),
    ("--help", NOTHING),
    ("-dumpmachine", NOTHING),
    ("-dumpversion", NOTHING),
    ("-print-search-dirs", NOTHING),
    ("-print-prog-name=ld", NOTHING),
    ("--print-prog-name=ld", NOTHING),
    ("-print-file-name=libstdc++.so", NOTHING),
    ("-print-multi-os-directory", NOTHING),
    ("-m32 -print-multi-os-directory", NOTHING),
    ("--print-sysroot", NOTHING),
    ("-O2 -print-libgcc-file-name", NOTHING),
    ("-cc1 -triple x86_64-linux-gnu -emit-obj a.c", NOTHING),
    ("-Wl,--version", NOTHING),
    ("-Wl,-v", NOTHING),
    ("-Wl,--help", NOTHING),
    ("-c", NOTHING),
    ("-o", NOTHING),
    ("a.c -o", NOTHING),
    // autoconf.
    ("conftest.c", BOTH),
    ("-o conftest conftest.c", BOTH),
    ("-o conftest -g -O2 -Wall conftest.c -lpthread", BOTH),
    ("-c -g -O2 conftest.c", COMPILE),
    ("-c conftest.c -o conftest2.o", COMPILE),
    ("-E conftest.c", FRONT),
    ("-E -traditional-cpp conftest.c", FRONT),
    ("-c -Werror -Wno-unknown-warning-option conftest.c", COMPILE),
    ("-o conftest -rdynamic conftest.c -ldl", BOTH),
    ("-o conftest -static conftest.c", "refused"),
    ("-c -static conftest.c", COMPILE),
    ("-M -MG conftest.c", FRONT),
    // make, as people write it.
    (
        "-O3 -DNDEBUG -I./include -I ../x.c -c -o foo.o foo.c",
        COMPILE,
    ),
    (
        "-include config.h -D X=y.c -MMD -MF .deps/foo.d -MT foo.o -c foo.c",
        COMPILE,
    ),
    ("foo.o bar.o -o prog -L. -lfoo -Wl,-rpath,/opt/x -lm", LINK),
    ("-pthread foo.o libbar.a -o prog", LINK),
    ("foo.c bar.cpp baz.o -o prog", BOTH),
    ("-S foo.c -o foo.s", COMPILE),
    ("-S -emit-llvm foo.c", COMPILE),
    ("-c -emit-llvm foo.c -o foo.bc", COMPILE),
    ("-c foo.bc -o foo.o", "plugin:le"),
    ("-fsyntax-only foo.c", FRONT),
    ("--analyze foo.c", FRONT),
    ("-c start.s", NOTHING),
    ("-c start.S", CPP),
    ("-c foo.c start.S", COMPILE),
    ("-x assembler-with-cpp -c start.asm", CPP),
    ("-x assembler start.c -c", NOTHING),
    ("start.s foo.o -o prog", LINK),
    ("-x c - -o prog", BOTH),
    ("-x c -E -", FRONT),
    ("-E -dM - ", FRONT),
    ("-E -", FRONT),
    ("-xc++ -c foo.inc", COMPILE),
    ("-x c++ foo.inc -x none bar.o -o prog", BOTH),
    ("-c foo.i", "marks plugin:le"),
    ("-x cpp-output -c foo.tmp", "marks plugin:le"),
    ("-x c++-header foo.h -o foo.h.pch", FRONT),
    ("foo.h", FRONT),
    ("foo.cppm --precompile -o foo.pcm", FRONT),
    ("-c foo.pcm -o foo.o", "marks plugin:le"),
    ("-c -- foo.c", COMPILE),
    ("-o prog -- foo.c", BOTH),
    ("-c foo.f90", NOTHING),
    ("-save-temps -c foo.c", COMPILE),
    ("-### foo.c", BOTH),
    ("-v foo.o -o prog", LINK),
    // Positions.
    ("-fPIC -c foo.c", COMPILE_PIC),
    ("-fpic -c foo.c", COMPILE_PIC),
    ("-fPIC -fPIE -c foo.c", COMPILE),
    ("-fPIE -fPIC -c foo.c", COMPILE_PIC),
    ("-fno-PIC -c foo.c", COMPILE),
    ("-fPIC -fno-pic -no-pie foo.c", BOTH),
    ("-fPIC foo.c", "macros marks plugin:ie archive"),
    ("-no-pie foo.o", LINK),
    // libtool.
    ("-c foo.c  -fPIC -DPIC -o .libs/foo.o", COMPILE_PIC),
    (
        "-shared  -fPIC -DPIC  .libs/a.o .libs/b.o   -O2   -Wl,-soname -Wl,liba.so.1 -o .libs/liba.so.1.0.0",
        NOTHING,
    ),
    (
        "-shared -nostdlib crti.o crtbeginS.o .libs/a.o -lstdc++ -lm -lc -lgcc_s crtendS.o",
        NOTHING,
    ),
    ("-nostdlib -r -o x.o a.o b.o", NOTHING),
    ("-r -nostdlib -Wl,--whole-archive libx.a -o x.o", NOTHING),
    (
        "-o .libs/prog prog.o ./.libs/liba.so -Wl,-rpath -Wl,/x/.libs",
        LINK,
    ),
    ("-Wl,-r a.o -o b.o", NOTHING),
    ("-Xlinker -shared -o liba.so a.o", NOTHING),
    (
        "-Wl,--whole-archive,libx.a,--no-whole-archive -shared -o liba.so",
        NOTHING,
    ),
    ("-lfoo -o prog", LINK),
    // CMake.
    (
        "-DFOO_EXPORTS -I/s/include -isystem /usr/include/x -O3 -DNDEBUG -fPIC -MD -MT CMakeFiles/x.o -MF x.o.d -o x.o -c /s/x.cpp",
        COMPILE_PIC,
    ),
    (
        "-O3 -DNDEBUG -Wl,--dependency-file=link.d CMakeFiles/p.dir/p.c.o -o p -Wl,-rpath,/b libx.so",
        LINK,
    ),
    (
        "-fPIC -O3 -shared -Wl,-soname,libx.so -o libx.so x.o -Wl,-z,defs",
        "undefs",
    ),
    (
        "-o CMakeFiles/cmTC_1.dir/C.c.o -c CMakeCCompilerABI.c -v",
        COMPILE,
    ),
    ("-v -rdynamic CMakeFiles/cmTC_1.dir/C.c.o -o cmTC_1", LINK),
    ("-xc -E -v -", FRONT),
    // meson.
    (
        "-Wl,--fatal-warnings -shared -Wl,--no-undefined -fPIC -o liba.so a.o",
        "undefs",
    ),
    ("-shared -o liba.so a.o -z defs", "undefs"),
    ("-shared -o liba.so a.o -Wl,-z -Wl,defs", "undefs"),
    ("-shared -o liba.so a.o -Wl,-z,now", NOTHING),
    ("-Wl,--as-needed -Wl,--no-undefined a.o -o prog", LINK),
    ("-x c a.c -E -P -P -O0 -D_FILE_OFFSET_BITS=64", FRONT),
    (
        "-fcolor-diagnostics -D_FILE_OFFSET_BITS=64 -Wall -std=gnu11 -MD -MQ a.o -MF a.o.d -o a.o -c a.c",
        COMPILE,
    ),
    // Link-time optimization: instrumented when compiled.
    ("-flto -O2 -c a.c", COMPILE),
    ("-flto=thin -O2 -c a.c", COMPILE),
    ("-flto -fuse-ld=lld a.o b.o -o prog", LINK),
    // Response files.
    ("@compile.rsp", COMPILE),
    ("@nested.rsp", COMPILE),
    ("-o prog @link.rsp", LINK),
    ("@shared.rsp -o liba.so", NOTHING),
    ("@absent.rsp", LINK),
    ("@own.rsp", LINK),
    ("@dashes.rsp -c", BOTH),
    // Sanitizers and targets.
    ("-fsanitize=address a.c", "refused"),
    ("-fsanitize=thread -c a.c", COMPILE),
    ("-fsanitize=thread a.c -o prog", BOTH),
    ("-fsanitize=memory a.o", "refused"),
    ("-fsanitize=undefined a.c", BOTH),
    ("-fsanitize=address -fno-sanitize=all a.c", LINK),
    ("-fno-sanitize=thread -c a.c", NOTHING),
    ("-fsanitize=address -c start.s", NOTHING),
    ("-m32 -c a.c", "refused"),
    ("-m32 -c boot.s", NOTHING),
    ("-m64 -c a.c", COMPILE),
    ("-target aarch64-linux-gnu -c a.c", "refused"),
    ("--target=x86_64-linux-gnu -c a.c", COMPILE),
    ("-c a.cu", "refused"),
    ("--goldilocks-no-instrument -c a.cu", NOTHING),
    ("--goldilocks-no-instrument a.cu", LINK),
    ("-E a.cu", NOTHING),
    ("a.cu", "refused"),
    // Fully static programs.
    ("-static a.o -o prog", "refused"),
    ("-static-pie a.o -o prog", "refused"),
    ("-static -shared a.o -o liba.so", NOTHING),
    ("-static -r a.o -o b.o", NOTHING),
    ("-static-libgcc -static-libstdc++ a.o", LINK),
    ("-Wl,-Bstatic -lz -Wl,-Bdynamic a.o", LINK),
    // Our own options.
    ("--goldilocks-no-instrument -c a.c", NOTHING),
    ("--goldilocks-no-instrument a.c", LINK),
    ("--goldilocks-no-runtime a.o", NOTHING),
    ("--goldilocks-no-runtime -static a.o", NOTHING),
    (
        "--goldilocks-no-instrument --goldilocks-no-runtime -fsanitize=address a.c",
        NOTHING,
    ),
    ("--goldilocks-shared-runtime -c a.c", COMPILE_PIC),
    ("--goldilocks-shared-runtime a.o", "shared"),
    (
        "--goldilocks-shared-runtime -shared -Wl,-z,defs a.o",
        "shared",
    ),
    ("--goldilocks-shared-runtime -r a.o", NOTHING),
    ("--goldilocks-shrd-runtime a.o", "refused"),
];

#[test]
fn what_is_added() {
    let wrong: Vec<String> = TABLE
        .iter()
        .map(|&(line, expected)| (line, expected, summary(line)))
        .filter(|(_, expected, got)| got != expected)
        .map(|(line, expected, got)| format!("{line}\n  expected: {expected}\n  got:      {got}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        TABLE.len(),
        wrong.join("\n")
    );
}

/// Whatever is added, the user's arguments are all there, in their order and next to each other up to `--`.
#[test]
fn nothing_is_dropped() {
    for &(line, expected) in TABLE {
        if expected == "refused" || line.contains("goldilocks") || line.contains("own.rsp") {
            continue;
        }
        let given = arguments(line);
        let plan = planned(line);
        if line.contains("dashes.rsp") {
            continue;
        }
        let end = given
            .iter()
            .position(|argument| argument == "--")
            .unwrap_or(given.len());
        let (options, operands) = given.split_at(end);
        assert!(
            options.is_empty() || plan.arguments.windows(options.len()).any(|w| w == options),
            "{line}\n{:?}",
            plan.arguments
        );
        assert!(
            plan.arguments.ends_with(operands),
            "{line}\n{:?}",
            plan.arguments
        );
        if expected == NOTHING {
            assert_eq!(plan.arguments, given, "{line}");
        }
    }
}

#[test]
fn own_options_are_taken_out_of_the_command_line_and_of_response_files() {
    let plan = planned("-c --goldilocks-no-instrument a.c");
    assert_eq!(texts(&plan), ["-c", "a.c"]);
    let plan = planned("-c @own.rsp @empty.rsp @compile.rsp");
    assert_eq!(
        texts(&plan),
        ["-c", "-O1", "a.c", "@empty.rsp", "@compile.rsp"]
    );
}

#[test]
fn the_value_of_an_option_is_not_one_of_ours() {
    let plan = planned("-c -o --goldilocks-strange.o a.c");
    assert!(texts(&plan).contains(&"--goldilocks-strange.o"));
}

#[test]
fn a_compilation_in_full() {
    let plan = planned("-O2 -c a.c");
    assert_eq!(plan.program, Path::new("/bin/clang-22"));
    let expected = "--start-no-unused-arguments -D__GOLDILOCKS__=1 -mcx16 -D__SANITIZE_THREAD__=1 -idirafter /g/include \
        -cxx-isystem /g/include/cxx \
        -Xclang -fsanitize=thread -Xclang -load -Xclang /g/lib/pass.so -Xclang -fpass-plugin=/g/lib/pass.so \
        -Xclang -mllvm -Xclang -goldilocks-tls=local-exec -Xclang -mllvm -Xclang -enable-interleaved-mem-accesses=false \
        -Xclang -mllvm -Xclang -goldilocks-marked \
        --end-no-unused-arguments -O2 -c a.c";
    assert_eq!(texts(&plan).join(" "), expected);
}

#[test]
fn a_link_in_full() {
    let plan = planned("a.o -o prog -lfoo -- b.o");
    let expected = "-Xlinker --whole-archive -Xlinker /g/lib/rt.a -Xlinker --no-whole-archive \
        -Xlinker --dynamic-list=/g/share/syms a.o -o prog -lfoo \
        -Xlinker --push-state -Xlinker --as-needed -Xlinker -Bdynamic -lpthread -ldl -Xlinker --no-as-needed -lm \
        -Xlinker --pop-state \
        -- b.o";
    assert_eq!(texts(&plan).join(" "), expected);
}

#[test]
fn without_default_libraries_the_runtime_brings_its_own() {
    for line in ["-nostdlib crt1.o a.o", "-nodefaultlibs a.o", "-nolibc a.o"] {
        let plan = planned(line);
        assert!(
            texts(&plan).ends_with(&[
                "-lgcc_s",
                "-lc",
                "-Xlinker",
                "--no-as-needed",
                "-lm",
                "-Xlinker",
                "--pop-state"
            ]),
            "{line}"
        );
    }
}

#[test]
fn the_shared_runtime_is_found_at_run_time() {
    let plan = planned("--goldilocks-shared-runtime a.o");
    let expected = "-Xlinker --push-state -Xlinker --no-as-needed -Xlinker /g/lib/rt.so -Xlinker --pop-state \
        -Xlinker -rpath -Xlinker /g/lib a.o";
    assert_eq!(texts(&plan).join(" "), expected);
}

#[test]
fn macros_can_be_left_out() {
    let plan = planned("--goldilocks-no-macros -E a.c");
    let texts = texts(&plan);
    assert!(texts.contains(&"-D__GOLDILOCKS__=1") && texts.contains(&"-U__SANITIZE_THREAD__"));
}

#[test]
fn ir_from_elsewhere_is_checked_though_nothing_marks_it() {
    for (line, marked) in [("-c a.ll", false), ("-c a.ll b.c", false), ("-c b.c", true)] {
        let plan = planned(line);
        assert_eq!(
            texts(&plan).contains(&"-goldilocks-marked"),
            marked,
            "{line}"
        );
        assert_eq!(
            texts(&plan).contains(&"-fsanitize=thread"),
            marked,
            "{line}"
        );
    }
}

#[test]
fn goldilocks_takes_the_place_of_thread_sanitizer() {
    for line in [
        "-fsanitize=thread -O1 -c a.c",
        "-O1 -fsanitize=thread,undefined a.c -o prog",
    ] {
        let plan = planned(line);
        let words = texts(&plan);
        let last = |word: &str| words.iter().rposition(|&other| other.starts_with(word));
        let asked = words
            .iter()
            .rposition(|other| other.contains("=thread") && !other.contains("-fno-"));
        assert!(last("-fno-sanitize=thread") > asked, "{words:?}");
    }
    let without = planned("--goldilocks-no-instrument -fsanitize=thread -c a.c");
    assert!(!texts(&without).contains(&"-fno-sanitize=thread"));
    let listed = planned("-fsanitize-ignorelist=mine.txt -c a.c");
    assert!(
        texts(&listed)
            .join(" ")
            .contains("-Xclang -fsanitize-ignorelist=mine.txt")
    );
}

/// The preprocessor alone sees the macros that the compilation sees: a compiler cache relies on it.
#[test]
fn preprocessing_agrees_with_compiling() {
    let preprocessor = |line: &str| -> Vec<String> {
        let plan = planned(line);
        let kept = texts(&plan).into_iter().filter(|argument| {
            ["-D__", "-U__", "-idirafter", "-fsanitize"]
                .iter()
                .any(|start| argument.starts_with(start))
        });
        kept.map(str::to_owned).collect()
    };
    for line in [
        "-O2 a.c",
        "-fPIC -DX a.cc",
        "-x c a.inc",
        "--goldilocks-no-macros a.c",
    ] {
        let alone = preprocessor(&format!("{line} -E"));
        assert_eq!(alone, preprocessor(&format!("{line} -c")), "{line}");
        assert!(!alone.is_empty());
    }
}

#[test]
fn refusals_say_why_and_what_to_do() {
    for (line, reason, way_out) in [
        ("-static a.o", "dynamic linker", "-static-libgcc"),
        ("-static-pie a.o", "-static-pie", "drop -static-pie"),
        (
            "-fsanitize=undefined,address -c a.c",
            "-fsanitize=address",
            "drop -fsanitize=address",
        ),
        ("-m32 -c a.c", "x86-64 Linux", "drop -m32"),
        (
            "--goldilocks-shared-runtim a.c",
            "unknown option",
            "--goldilocks-shared-runtime?",
        ),
        ("a.cu", "device", "--goldilocks-no-instrument"),
    ] {
        let refusal = understood(Mode::C, line).expect_err(line);
        assert!(refusal.reason.contains(reason), "{line}\n{refusal}");
        assert!(refusal.way_out.contains(way_out), "{line}\n{refusal}");
    }
}

#[test]
fn a_program_that_hides_the_runtime_is_warned_about() {
    for (line, warned) in [
        ("a.o -Wl,--exclude-libs,ALL", true),
        ("a.o -Wl,--exclude-libs=ALL", true),
        ("a.o -Xlinker --exclude-libs -Xlinker ALL", true),
        ("a.o -Wl,--version-script=a.map", true),
        ("a.o -Wl,--version-script,a.map", true),
        ("a.o -Wl,--exclude-libs,libz.a", false),
        ("-shared a.o -Wl,--exclude-libs,ALL", false),
        ("-shared a.o -Wl,--version-script=a.map", false),
        (
            "--goldilocks-shared-runtime a.o -Wl,--exclude-libs,ALL",
            false,
        ),
        ("a.o -lALL", false),
    ] {
        assert_eq!(planned(line).warning.is_some(), warned, "{line}");
    }
}

#[test]
fn the_mode_follows_the_name() {
    for (name, mode) in [
        ("goldilocks-cc", Mode::C),
        ("goldilocks-c++", Mode::Cxx),
        ("x86_64-goldilocks-c++", Mode::Cxx),
    ] {
        assert_eq!(Mode::of_name(name), mode, "{name}");
    }
}

#[test]
fn cxx_mode_by_option_comes_first_and_not_for_the_tools() {
    let line = |text: &str| {
        let (invocation, need) = understood(Mode::Cxx, text).unwrap();
        let mut parts = parts(&need);
        parts.compiler.cxx_by_option = true;
        plan(&invocation, &need, &parts).arguments
    };
    assert_eq!(line("--version"), ["--driver-mode=g++", "--version"]);
    assert_eq!(line("-cc1 --help"), ["-cc1", "--help"]);
}

#[test]
fn arguments_need_not_be_text() {
    use std::os::unix::ffi::OsStringExt;
    let strange = OsString::from_vec(b"caf\xe9.c".to_vec());
    let given = [OsString::from("-c"), strange.clone()];
    let invocation = Invocation::parse(Mode::C, &given, &response_file).unwrap();
    let need = Need::of(&invocation).unwrap();
    assert!(need.plugin);
    assert_eq!(
        plan(&invocation, &need, &parts(&need)).arguments.last(),
        Some(&strange)
    );
}
