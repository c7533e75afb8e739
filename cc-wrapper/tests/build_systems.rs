//! Build systems and compiler caches with the installed tree in the place of the compiler. They are real ones: `make`,
//! `autoconf`, `cmake` and `ccache` must be installed.

mod installed;

use installed::{Folder, Ran, home};
use std::process::Command;

/// A run of a tool that is not ours.
fn run(folder: &Folder, program: &str, arguments: &[&str]) -> String {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    assert!(
        found.is_ok_and(|output| output.status.success()),
        "{program} is missing: apt-get install make autoconf cmake ccache"
    );
    let ran = Ran::of(&mut folder.command(program, arguments));
    assert_eq!(
        ran.status,
        Some(0),
        "{program} {arguments:?}\n{}\n{}",
        ran.stdout,
        ran.stderr
    );
    ran.stdout + &ran.stderr
}

fn compiler(name: &str) -> String {
    home().join("bin").join(name).display().to_string()
}

fn is_instrumented(folder: &Folder, program: &str) {
    let ran = folder.run("goldilocks", &format!("doctor {program}"));
    assert!(
        ran.status == Some(0) && ran.stdout.contains("is instrumented"),
        "{}",
        ran.stdout
    );
}

const LIBRARY: &str =
    "#include <string.h>\nint total;\nvoid add(const char *s) { total += (int)strlen(s); }\n";
const PROGRAM: &str = "#include <stdio.h>\nextern int total;\nvoid add(const char *);\n\
    int main(void) { add(\"four\"); printf(\"%d\\n\", total); return 0; }\n";

#[test]
fn configure_sees_a_working_clang() {
    let folder = Folder::new("autoconf");
    folder.write(
        "configure.ac",
        "AC_INIT([probe], [1])\nAC_PROG_CC\nAC_PROG_CPP\nAC_PROG_CXX\nAC_C_INLINE\nAC_C_BIGENDIAN\nAC_CHECK_SIZEOF([long])\n\
         AC_CHECK_HEADERS([pthread.h no_such_header.h])\nAC_SEARCH_LIBS([pthread_create], [pthread])\n\
         AC_CHECK_FUNCS([malloc strlcpy_no_such pthread_mutex_lock])\nAC_CHECK_LIB([m], [cos])\nAC_SYS_LARGEFILE\n\
         AC_RUN_IFELSE([AC_LANG_PROGRAM([], [return 0;])], [AC_MSG_NOTICE([runs])], [AC_MSG_ERROR([does not run])])\n\
         AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    );
    folder.write(
        "Makefile.in",
        "prog: main.c lib.c\n\t@CC@ @CFLAGS@ main.c lib.c -o prog @LIBS@\n",
    );
    folder.write("main.c", PROGRAM);
    folder.write("lib.c", LIBRARY);
    run(&folder, "autoconf", &[]);
    let (cc, cxx) = (compiler("goldilocks-cc"), compiler("goldilocks-c++"));
    let output = run(
        &folder,
        "sh",
        &["./configure", &format!("CC={cc}"), &format!("CXX={cxx}")],
    );
    for line in [
        "whether the compiler supports GNU C... yes",
        "whether byte ordering is bigendian... no",
        "size of long... 8",
        "checking for pthread.h... yes",
        "checking for no_such_header.h... no",
        "checking for malloc... yes",
        "checking for strlcpy_no_such... no",
        "checking for pthread_mutex_lock... yes",
        "checking for cos in -lm... yes",
        "runs",
    ] {
        assert!(output.contains(line), "{line}\n{output}");
    }
    run(&folder, "make", &[]);
    assert_eq!(folder.program("prog").ok(), "4\n");
    is_instrumented(&folder, "prog");
}

#[test]
fn cmake_sees_a_working_clang() {
    let folder = Folder::new("cmake");
    folder.write(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(probe C CXX)\nfind_package(Threads REQUIRED)\n\
         include(CheckCSourceCompiles)\ncheck_c_source_compiles(\"int main(void) { return 0; }\" WORKS)\n\
         include(CheckIPOSupported)\n\
         add_library(add SHARED lib.c)\ntarget_link_options(add PRIVATE -Wl,-z,defs)\n\
         add_executable(prog main.c)\ntarget_link_libraries(prog add Threads::Threads m)\n\
         add_executable(cxxprog main.cpp lib.c)\n\
         if(NOT WORKS OR NOT CMAKE_C_COMPILER_ID STREQUAL Clang OR NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)\n\
         message(FATAL_ERROR \"${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID} ${WORKS}\")\nendif()\n",
    );
    folder.write("main.c", PROGRAM);
    folder.write("lib.c", LIBRARY);
    folder.write(
        "main.cpp",
        &PROGRAM.replace(
            "extern int total;\nvoid",
            "extern \"C\" int total;\nextern \"C\" void",
        ),
    );
    let cc = format!("-DCMAKE_C_COMPILER={}", compiler("goldilocks-cc"));
    let cxx = format!("-DCMAKE_CXX_COMPILER={}", compiler("goldilocks-c++"));
    run(
        &folder,
        "cmake",
        &[
            "-B",
            "build",
            &cc,
            &cxx,
            "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
            "-G",
            "Unix Makefiles",
        ],
    );
    run(&folder, "cmake", &["--build", "build"]);
    for program in ["build/prog", "build/cxxprog"] {
        assert_eq!(folder.program(program).ok(), "4\n");
        is_instrumented(&folder, program);
    }
    is_instrumented(&folder, "build/libadd.so");
}

#[test]
fn ccache_hits_what_is_the_same_and_nothing_else() {
    let folder = Folder::new("ccache");
    folder.write("main.c", PROGRAM);
    folder.write("lib.c", LIBRARY);
    let cache = folder.0.join("cache");
    let ccache = |arguments: &[&str]| {
        let mut command = folder.command("ccache", arguments);
        let ran = Ran::of(command.env("CCACHE_DIR", &cache));
        assert_eq!(ran.status, Some(0), "{arguments:?} {ran:?}");
        ran.stdout
    };
    run(&folder, "ccache", &["--version"]);
    let hits = || {
        let all = ccache(&["--print-stats"]);
        let count = |name: &str| {
            let line = all
                .lines()
                .find_map(|line| line.strip_prefix(name)?.trim().parse::<u32>().ok());
            line.unwrap_or(0)
        };
        (
            count("direct_cache_hit") + count("preprocessed_cache_hit"),
            count("cache_miss"),
        )
    };
    let cc = compiler("goldilocks-cc");
    let compile = |more: &[&str], source: &str, object: &str| {
        ccache(
            &[
                &[
                    cc.as_str(),
                    "-g",
                    "-O1",
                    "-Werror",
                    "-c",
                    source,
                    "-o",
                    object,
                ],
                more,
            ]
            .concat(),
        );
    };
    compile(&[], "lib.c", "lib.o");
    assert_eq!(hits(), (0, 1));
    compile(&[], "lib.c", "lib.o");
    assert_eq!(hits(), (1, 1));
    compile(&["--goldilocks-no-instrument"], "lib.c", "plain.o");
    assert_eq!(hits(), (1, 2));
    compile(&[], "main.c", "main.o");
    ccache(&[&cc, "main.o", "lib.o", "-o", "prog"]);
    assert_eq!(folder.program("prog").ok(), "4\n");
    is_instrumented(&folder, "lib.o");
    is_instrumented(&folder, "prog");
}
