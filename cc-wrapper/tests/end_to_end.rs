//! The installed tree at work: every kind of step, with the real compiler, linkers and runtime.

mod installed;

use installed::{Folder, Ran, home};
use std::path::Path;

/// Prints `sum 42`, after two threads have added to a counter under a lock.
const PROGRAM: &str = r#"
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  sum += 21;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  printf("sum %d\n", sum);
  return 0;
}
"#;

/// Two writes that nothing orders: relaxed atomics order nothing.
const RACE: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
int shared;
static atomic_int written;
static void *writer(void *unused) {
  shared = 1;
  atomic_store_explicit(&written, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, writer, 0)) return 1;
  while (!atomic_load_explicit(&written, memory_order_relaxed)) {}
  shared = 2;
  return pthread_join(thread, 0);
}
"#;

impl Folder {
    /// Runs `goldilocks-cc` and expects it to succeed, without a word.
    #[track_caller]
    fn cc(&self, arguments: &str) -> Ran {
        self.quiet("goldilocks-cc", arguments)
    }

    #[track_caller]
    fn cxx(&self, arguments: &str) -> Ran {
        self.quiet("goldilocks-c++", arguments)
    }

    #[track_caller]
    fn quiet(&self, name: &str, arguments: &str) -> Ran {
        let ran = self.run(name, arguments);
        assert!(
            ran.status == Some(0) && ran.stderr.is_empty(),
            "{name} {arguments}\n{ran:?}"
        );
        ran
    }
}

#[track_caller]
fn works(folder: &Folder, program: &str) {
    let ran = folder.program(program);
    let expected = Ran {
        status: Some(0),
        stdout: "sum 42\n".into(),
        stderr: String::new(),
    };
    assert_eq!(ran, expected);
}

#[test]
fn compiles_and_links_in_one_step_at_every_level() {
    let folder = Folder::new("one-step");
    folder.write("prog.c", PROGRAM);
    for level in ["-O0", "-O1", "-O2", "-O3", "-Os", "-Og"] {
        folder.cc(&format!(
            "-Werror -Wall -Wextra -pedantic -g {level} prog.c -o prog"
        ));
        works(&folder, "prog");
    }
}

#[test]
fn a_race_is_reported() {
    let folder = Folder::new("race");
    folder.write("race.c", RACE);
    folder.cc("-Werror -g -O1 race.c -o race");
    let ran = folder.program("race");
    assert_eq!(ran.status, Some(66), "{ran:?}");
    assert!(
        ran.stderr.contains("race.c:7") && ran.stderr.contains("race.c:15"),
        "{ran:?}"
    );
}

#[test]
fn step_by_step() {
    let folder = Folder::new("steps");
    folder.write("prog.c", PROGRAM);
    folder.cc("-Werror -E prog.c -o prog.i");
    folder.cc("-Werror -O1 -S prog.i -o prog.s");
    folder.cc("-Werror -c prog.s -o prog.o");
    folder.cc("-Werror prog.o -o prog");
    works(&folder, "prog");
    folder.cc("-Werror -O1 -emit-llvm -c prog.c -o prog.bc");
    folder.cc("-Werror -c prog.bc -o prog.o");
    folder.cc("-Werror prog.o -o prog");
    works(&folder, "prog");
    folder.cc("-Werror -save-temps -O1 prog.c -o saved");
    works(&folder, "saved");
}

#[test]
fn nothing_is_unused_whatever_the_inputs() {
    let folder = Folder::new("unused");
    folder.write("prog.c", PROGRAM);
    folder.write(
        "f.s",
        ".globl f\nf: ret\n.section .note.GNU-stack,\"\",@progbits\n",
    );
    folder.write(
        "g.S",
        "#ifndef __GOLDILOCKS__\n#error\n#endif\n.globl g\ng: ret\n",
    );
    folder.write("h.h", "int h(void);\n");
    for arguments in [
        "-c f.s",
        "-c g.S",
        "-c f.s g.S prog.c",
        "-S prog.c",
        "-E prog.c",
        "-M prog.c",
        "-MM prog.c",
        "-fsyntax-only prog.c",
        "-x c-header h.h -o h.h.gch",
        "-include h.h -c prog.c",
        "-r -nostdlib prog.o -o all.o",
        "-shared f.o -o libf.so",
        "prog.o f.s -o prog",
        "-### -c prog.c",
        "-v --version",
    ] {
        let ran = folder.run("goldilocks-cc", &format!("-Werror {arguments}"));
        assert_eq!(ran.status, Some(0), "{arguments}\n{ran:?}");
        assert!(!ran.stderr.contains("warning:"), "{arguments}\n{ran:?}");
    }
}

#[test]
fn macros_and_attributes_are_seen() {
    let folder = Folder::new("macros");
    let source = "#if !defined __GOLDILOCKS__ || !defined __SANITIZE_THREAD__\n#error\n#endif\n\
                  #if !__has_feature(thread_sanitizer)\n#error\n#endif\n#include <goldilocks.h>\n";
    folder.write("m.c", source);
    for arguments in ["-E m.c", "-fsyntax-only m.c", "-c m.c", "-M m.c"] {
        assert_eq!(
            folder.run("goldilocks-cc", arguments).status,
            Some(0),
            "{arguments}"
        );
    }
    let unchecked = RACE.replace(
        "static void *writer",
        "__attribute__((no_sanitize(\"thread\"))) static void *writer",
    );
    folder.write("unchecked.c", &unchecked);
    folder.cc("-g -O1 unchecked.c -o unchecked");
    assert_eq!(folder.program("unchecked").status, Some(0));
    folder.write("race.c", RACE);
    folder.cc("-g -O1 -fno-sanitize=thread race.c -o none");
    assert_eq!(folder.program("none").status, Some(0));
}

#[test]
fn input_from_stdin_and_response_files() {
    let folder = Folder::new("stdin");
    folder.write("prog.c", PROGRAM);
    folder.write("args.rsp", "-O1 'my prog.c'\n-o \"my prog\"\n");
    folder.write("my prog.c", PROGRAM);
    folder.cc("-Werror @args.rsp");
    works(&folder, "my prog");
    let source = std::fs::File::open(folder.0.join("prog.c")).expect("it was just written");
    let mut command = folder.tool("goldilocks-cc", &["-Werror", "-x", "c", "-", "-o", "prog"]);
    Ran::of(command.stdin(source)).ok();
    works(&folder, "prog");
}

#[test]
fn cxx_has_its_library() {
    let folder = Folder::new("cxx");
    let source = "#include <iostream>\n#include <mutex>\n#include <thread>\n#include <vector>\n\
        int main() { std::mutex m; int sum = 0; std::vector<std::thread> threads;\n\
        for (int i = 0; i < 2; i++) threads.emplace_back([&] { std::lock_guard<std::mutex> l(m); sum += 21; });\n\
        for (auto &t : threads) t.join();\n\
        try { throw sum; } catch (int s) { std::cout << \"sum \" << s << std::endl; } }\n";
    folder.write("prog.cpp", source);
    folder.cxx("-Werror -std=c++17 -O2 -g prog.cpp -o prog");
    works(&folder, "prog");
    folder.cxx("-Werror -O0 -static-libstdc++ -static-libgcc prog.cpp -o prog");
    works(&folder, "prog");
}

/// The shared library is instrumented, and finds the runtime in the program.
#[test]
fn shared_libraries_with_either_linker() {
    let folder = Folder::new("shared");
    folder.write(
        "lib.c",
        &PROGRAM.replace("int main(void)", "int work(void)"),
    );
    folder.write(
        "main.c",
        "int work(void);\nint main(void) { return work(); }\n",
    );
    for linker in ["bfd", "lld"] {
        let with = format!("-Werror -fuse-ld={linker}");
        for forbid in ["-Wl,-z,defs", "-Wl,--no-undefined", "-z defs", ""] {
            folder.cc(&format!(
                "{with} -fPIC -shared {forbid} lib.c -o libwork.so"
            ));
        }
        folder.cc(&format!(
            "{with} main.c -L. -lwork -Wl,-rpath,{} -o prog",
            folder.0.display()
        ));
        works(&folder, "prog");
        folder.cc(&format!(
            "{with} -no-pie main.c -L. -lwork -Wl,-rpath,{} -o prog",
            folder.0.display()
        ));
        works(&folder, "prog");
    }
}

#[test]
fn the_shared_runtime() {
    let folder = Folder::new("shared-runtime");
    folder.write("prog.c", PROGRAM);
    folder.cc("-Werror --goldilocks-shared-runtime -O1 prog.c -o prog");
    works(&folder, "prog");
    let doctor = folder.run("goldilocks", "doctor prog");
    assert!(
        doctor.stdout.contains("loads the shared runtime"),
        "{doctor:?}"
    );
}

#[test]
fn link_time_optimization() {
    let folder = Folder::new("lto");
    folder.write("prog.c", PROGRAM);
    for kind in ["-flto", "-flto=thin"] {
        folder.cc(&format!("-Werror -O2 {kind} -c prog.c"));
        folder.cc(&format!("-Werror -O2 {kind} -fuse-ld=lld prog.o -o prog"));
        works(&folder, "prog");
        folder.cc(&format!("-Werror -O2 {kind} -fuse-ld=lld prog.c -o prog"));
        works(&folder, "prog");
    }
}

#[test]
fn partial_links_and_archives() {
    let folder = Folder::new("partial");
    folder.write(
        "lib.c",
        &PROGRAM.replace("int main(void)", "int work(void)"),
    );
    folder.write(
        "main.c",
        "int work(void);\nint main(void) { return work(); }\n",
    );
    folder.cc("-Werror -c lib.c");
    folder.cc("-Werror -c main.c");
    folder.cc("-Werror -r -nostdlib lib.o main.o -o all.o");
    folder.cc("-Werror all.o -o prog");
    works(&folder, "prog");
    Ran::of(&mut folder.command("ar", &["rcs", "libwork.a", "lib.o"])).ok();
    folder.cc("-Werror main.o -L. -Wl,-Bstatic -lwork -Wl,-Bdynamic -o prog");
    works(&folder, "prog");
    folder.cc("-Werror -Wl,--gc-sections -Wl,--as-needed main.o libwork.a -o prog");
    works(&folder, "prog");
}

/// Errors and their exit statuses are the compiler's own.
#[test]
fn failures_are_the_compilers() {
    let folder = Folder::new("failures");
    folder.write("broken.c", "int main(void) { return x; }\n");
    folder.write(
        "undefined.c",
        "int f(void);\nint main(void) { return f(); }\n",
    );
    let clang = |arguments: &str| {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        Ran::of(&mut folder.command("clang-22", &words))
    };
    for arguments in [
        "",
        "-c",
        "-o",
        "-c broken.c",
        "-c absent.c",
        "-E absent.c",
        "-no-such-option",
        "-v",
        "--version",
    ] {
        assert_eq!(
            folder.run("goldilocks-cc", arguments),
            clang(arguments),
            "{arguments}"
        );
    }
    let ran = folder.run("goldilocks-cc", "undefined.c -o prog");
    assert_eq!(ran.status, clang("undefined.c -o prog").status);
    assert!(ran.stderr.contains("undefined reference to `f'"), "{ran:?}");
    for question in [
        "-dumpmachine",
        "-print-search-dirs",
        "-print-prog-name=ld",
        "-Wl,--version",
    ] {
        assert_eq!(
            folder.run("goldilocks-cc", question),
            clang(question),
            "{question}"
        );
    }
}

#[test]
fn refusals() {
    let folder = Folder::new("refusals");
    folder.write("prog.c", PROGRAM);
    for (arguments, says) in [
        ("-static prog.c -o prog", "needs the dynamic linker"),
        ("-static-pie prog.c -o prog", "needs the dynamic linker"),
        ("-fsanitize=address prog.c", "drop -fsanitize=address"),
        ("-m32 -c prog.c", "drop -m32"),
        ("--goldilocks-hlep", "--goldilocks-help?"),
    ] {
        let ran = folder.run("goldilocks-cc", arguments);
        let unwrapped = ran.stderr.replace('\n', " ");
        assert_eq!(ran.status, Some(1), "{arguments}\n{ran:?}");
        assert!(
            unwrapped.starts_with("goldilocks-cc: error: ") && unwrapped.contains(says),
            "{arguments}\n{ran:?}"
        );
        assert!(
            !folder.0.join("prog.o").exists() && !folder.0.join("prog").exists(),
            "{arguments}"
        );
    }
    folder.cc("-Werror -fsanitize=undefined -fno-sanitize-recover=all prog.c -o ubsan");
    works(&folder, "ubsan");
}

#[test]
fn the_tree_can_be_moved() {
    let folder = Folder::new("moved");
    folder.write("prog.c", PROGRAM);
    let new = folder.0.join("a, new place");
    let home = home();
    Ran::of(&mut folder.command("cp", &["-a", home.to_str().unwrap(), new.to_str().unwrap()])).ok();
    Ran::of(&mut folder.command(
        new.join("bin/goldilocks-cc"),
        &["-Werror", "prog.c", "-o", "prog"],
    ))
    .ok();
    works(&folder, "prog");
    let link = folder.0.join("my-c++");
    std::os::unix::fs::symlink(new.join("bin/goldilocks-c++"), &link).unwrap();
    Ran::of(&mut folder.command(&link, &["-Werror", "-x", "c++", "prog.c", "-o", "prog"])).ok();
    works(&folder, "prog");
    // Without its plugin it says so.
    std::fs::remove_file(new.join("lib/libgoldilocks_pass.so")).unwrap();
    let ran = Ran::of(&mut folder.command(new.join("bin/goldilocks-cc"), &["-c", "prog.c"]));
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.stderr.contains("plugin is missing") && ran.stderr.contains("cargo xtask dist"),
        "{ran:?}"
    );
    Ran::of(&mut folder.command(new.join("bin/goldilocks-cc"), &["--version"])).ok();
}

#[test]
fn the_doctor_finds_what_is_there() {
    let folder = Folder::new("doctor");
    let ran = folder.run("goldilocks", "doctor");
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
    folder.write("prog.c", PROGRAM);
    folder.cc("-g -O1 prog.c -o good");
    folder.cc("-g -O1 -c prog.c -o good.o");
    folder.cc("-g -fPIC -shared prog.c -o libgood.so");
    folder.cc("--goldilocks-no-instrument -g prog.c -o unchecked");
    folder.cc("--goldilocks-no-instrument --goldilocks-no-runtime -g prog.c -o plain");
    folder.cc("--goldilocks-no-instrument --goldilocks-no-runtime -static prog.c -o static");
    folder.write("script", "#!/bin/sh\n");
    for (name, status, says) in [
        ("good", 0, "good is instrumented: "),
        ("good.o", 0, "good.o is instrumented: "),
        ("libgood.so", 0, "takes the runtime from the program"),
        ("unchecked", 1, "unchecked is not instrumented"),
        ("plain", 1, "plain is linked without the runtime"),
        ("static", 1, "linked statically"),
        ("script", 1, "is a script"),
        ("prog.c", 1, "is not a 64-bit ELF file"),
        ("absent", 1, "cannot be read"),
    ] {
        let ran = folder.run("goldilocks", &format!("doctor {name}"));
        assert_eq!(ran.status, Some(status), "{name}\n{}", ran.stdout);
        assert!(ran.stdout.contains(says), "{name}\n{}", ran.stdout);
    }
    Ran::of(&mut folder.command("strip", &["good"])).ok();
    let ran = folder.run("goldilocks", "doctor good");
    assert!(
        ran.stdout.contains("good is instrumented: "),
        "{}",
        ran.stdout
    );
}

/// The list of clang's options with a separate value is what this clang says.
#[test]
fn clang_agrees_which_options_take_a_value() {
    let folder = Folder::new("options");
    let all = Ran::of(&mut folder.command("clang-22", &["--autocomplete=-"])).ok();
    let words = all
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let mut candidates: Vec<&str> = words.filter(|word| !word.ends_with(['=', ','])).collect();
    candidates.extend(goldilocks_cc::options::WITH_NEXT);
    // Those that could be mistaken: the rest are families of switches, all alike.
    candidates.retain(|word| {
        !["-W", "-R", "-f", "-m", "-g"]
            .iter()
            .any(|family| word.starts_with(family))
    });
    candidates.extend(goldilocks_cc::options::WITH_NEXT);
    candidates.sort_unstable();
    candidates.dedup();
    for option in candidates {
        let ran = Ran::of(&mut folder.command("clang-22", &["-###", option]));
        let missing = ran.stderr.contains(&format!(
            "argument to '{option}' is missing (expected 1 value)"
        ));
        assert_eq!(
            missing,
            goldilocks_cc::options::takes_next(option),
            "{option}: {}",
            ran.stderr
        );
    }
}

#[test]
fn help_and_dry_run() {
    let folder = Folder::new("help");
    let help = folder.cc("--goldilocks-help").stdout;
    assert!(help.contains("--goldilocks-shared-runtime") && help.contains("GOLDILOCKS_HOME"));
    let lines = folder.cc("--goldilocks-dry-run -c absent.c").stdout;
    let first = lines.lines().next().expect("the compiler comes first");
    assert!(Path::new(first).is_file(), "{lines}");
    assert!(lines.ends_with("\n-c\nabsent.c\n"), "{lines}");
}
