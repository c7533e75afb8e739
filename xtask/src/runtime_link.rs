//! Makes the runtime library from what cargo made of `runtime/`: one object that shows the ABI and the interceptors.
//!
//! Two things must not happen when a Rust staticlib is linked into a program. Its std must not meet another std (the
//! program may be in Rust), and neither std nor a dependency may come back in through our own interceptors: a
//! `Vec` that grows inside the interceptor of `malloc` must get the real one. So, in this order,
//!
//! 1. in every member, `X` becomes `__goldilocks_real_X` for every intercepted `X`. At this point the interceptors
//!    still have their long names, so what is renamed are the calls that leave the runtime (and weak definitions of
//!    memcpy and the like in compiler_builtins, which lose to the strong jump of the same new name);
//! 2. the members become one relocatable object;
//! 3. `__goldilocks_interceptor_X` becomes `X`;
//! 4. every definition that is not for the program becomes local to the object.
//!
//! What is instrumented of C++'s library ([`add`]) joins that object at last: it calls the check stubs by their own names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use goldilocks_core::abi::ABI_SYMBOL;
use goldilocks_core::cxx_library::{FUNCTIONS, instrumented};

use crate::exports::{INTERCEPTOR, List, REAL, abi_names};
use crate::layout::llvm_tool;
use crate::process;

/// The object that is the library.
const OBJECT: &str = "goldilocks_rt.o";

/// What the runtime shows to the program, in order.
pub type Exports = BTreeSet<String>;

/// The short ways of an access, and the names under which the check stubs call them if that is possible (`runtime/src/quick.rs`).
const QUICK: [(&str, &str); 3] = [
    ("goldilocks_quick_access", "goldilocks_quick_entry"),
    ("goldilocks_quick_rest", "goldilocks_rest_entry"),
    ("goldilocks_quick_epoch", "goldilocks_epoch_entry"),
];

/// Makes `library` (an archive with one object) from cargo's `staticlib`. Intermediate files go to `scratch`. Names that
/// match `list` are exported besides the ABI and the interceptors; what has a name in `also` is linked as well.
pub fn link(
    staticlib: &Path,
    list: &List,
    scratch: &Path,
    library: &Path,
    also: &[&str],
) -> Result<Exports> {
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    fs::create_dir_all(scratch)?;
    let defined = Symbols::of(staticlib)?;
    let intercepted: Vec<&str> = defined
        .global
        .iter()
        .filter_map(|name| name.strip_prefix(INTERCEPTOR))
        .collect();

    let renamed = scratch.join("renamed.a");
    fs::copy(staticlib, &renamed)?;
    let leaving = pairs(&intercepted, |name| {
        (name.to_owned(), format!("{REAL}{name}"))
    });
    objcopy(scratch, "leaving", &leaving, &[&renamed])?;

    let abi: BTreeSet<String> = abi_names().into_iter().collect();
    let for_program =
        |name: &str| abi.contains(name) || name.starts_with(INTERCEPTOR) || list.contains(name);
    let roots: Vec<&String> = defined
        .global
        .iter()
        .filter(|name| for_program(name))
        .collect();
    let whole = scratch.join("whole.o");
    let mut linker = Command::new(llvm_tool("ld.lld"));
    linker.arg("-r").arg("-o").arg(&whole);
    for root in &roots {
        linker.arg("-u").arg(root);
    }
    for name in also {
        linker.arg("-u").arg(name);
    }
    for (quick, entry) in QUICK {
        if !defined.global.contains(quick) {
            continue;
        }
        if keeps_vector_registers(&renamed, quick)? {
            linker.arg("--defsym").arg(format!("{entry}={quick}"));
        } else {
            eprintln!(
                "xtask: {quick} uses vector registers as this compiler made it: the runtime goes without it, and is slower"
            );
        }
    }
    process::run(linker.arg(&renamed))?;

    let arriving = pairs(&intercepted, |name| {
        (format!("{INTERCEPTOR}{name}"), name.to_owned())
    });
    let named = scratch.join("named.o");
    objcopy(scratch, "arriving", &arriving, &[&whole, &named])?;

    let exports: Exports = roots
        .iter()
        .map(|root| root.strip_prefix(INTERCEPTOR).unwrap_or(root).to_owned())
        .collect();
    let keep = scratch.join("exports");
    fs::write(&keep, lines(exports.iter()))?;
    let object = scratch.join(OBJECT);
    // Weak, so that a program's own definition wins: its malloc, or a function that merely has the name of one of libc's.
    let weak = scratch.join("weak");
    let own = exports.iter().map(String::as_str);
    let weakly = intercepted
        .iter()
        .copied()
        .chain(own.filter(|name| list.is_weak(name)));
    fs::write(&weak, lines(weakly))?;
    let mut hide = Command::new(llvm_tool("llvm-objcopy"));
    hide.arg(format!("--keep-global-symbols={}", keep.display()))
        .arg(format!("--weaken-symbols={}", weak.display()))
        .arg(&named)
        .arg(&object);
    process::run(&mut hide)?;

    check(&Symbols::of(&object)?, &exports)?;
    archive(library, &object)?;
    Ok(exports)
}

/// Adds the objects of what is instrumented of C++'s library to the one of the library: the names that they show.
pub fn add(library: &Path, scratch: &Path, objects: &[PathBuf]) -> Result<Exports> {
    // Each instrumented object has it, for itself.
    let reference = format!("{ABI_SYMBOL}_reference");
    let mut exports = Exports::new();
    for object in objects {
        exports.extend(Symbols::of(object)?.global);
    }
    exports.remove(&reference);
    let wanted: Exports = FUNCTIONS.iter().map(|name| instrumented(name)).collect();
    if exports != wanted {
        let strangers: Vec<&String> = exports.symmetric_difference(&wanted).collect();
        bail!("what is instrumented of C++'s library is too much, or not all: {strangers:?}");
    }
    let joined = scratch.join("joined.o");
    process::run(
        Command::new(llvm_tool("ld.lld"))
            .arg("-r")
            .arg("-o")
            .arg(&joined)
            .arg(scratch.join(OBJECT))
            .args(objects),
    )?;
    let object = scratch.join(OBJECT);
    process::run(
        Command::new(llvm_tool("llvm-objcopy"))
            // Under a name that says nothing of the program.
            .arg(format!(
                "--redefine-sym={reference}=goldilocks_cxx_reference"
            ))
            .arg(format!("--localize-symbol={reference}"))
            .arg(&joined)
            .arg(&object),
    )?;
    archive(library, &object)?;
    Ok(exports)
}

/// Makes the library of its object.
fn archive(library: &Path, object: &Path) -> Result<()> {
    if library.exists() {
        fs::remove_file(library)?;
    }
    process::run(
        Command::new(llvm_tool("llvm-ar"))
            .arg("rcs")
            .arg(library)
            .arg(object),
    )
}

/// Makes the shared form of the library, for programs whose executable is not instrumented.
pub fn share(library: &Path, scratch: &Path, shared: &Path) -> Result<()> {
    // A shared object cannot have .preinit_array. Its own .init_array, sorted first, and DF_1_INITFIRST come closest.
    let archive = scratch.join("shared.a");
    fs::copy(library, &archive)?;
    let mut objcopy = Command::new(llvm_tool("llvm-objcopy"));
    // 14 is SHT_INIT_ARRAY.
    objcopy.args([
        "--set-section-type=.preinit_array=14",
        "--rename-section=.preinit_array=.init_array.00000",
    ]);
    process::run(objcopy.arg(&archive))?;
    let mut linker = Command::new(llvm_tool("clang"));
    linker
        .args(["-shared", "-fuse-ld=lld", "-Wl,--whole-archive"])
        .arg(&archive)
        .arg("-Wl,--no-whole-archive");
    // The runtime refers to its own functions directly, also where an executable shows one of the same name.
    linker.arg("-Wl,-Bsymbolic");
    linker.args([
        "-Wl,-soname,libgoldilocks_rt.so",
        "-Wl,-z,initfirst",
        "-Wl,-z,now",
        "-Wl,-z,defs",
        "-Wl,-z,start-stop-visibility=hidden",
    ]);
    process::run(linker.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(shared))
}

/// The names as a dynamic list, which makes an executable show them to the libraries that it loads.
pub fn dynamic_list(exports: &Exports) -> String {
    let names: String = exports.iter().map(|name| format!("  {name};\n")).collect();
    format!("{{\n{names}}};\n")
}

/// What the short ways, and their parts, are called: those of the runtime, and within its name the crate of those of the engine.
const PART: &str = "goldilocks_quick_";
const PART_OF_ENGINE: &str = "15goldilocks_core";

fn is_part(symbol: &str) -> bool {
    symbol.starts_with(PART) || symbol.contains(PART_OF_ENGINE)
}

/// What lanes are called that the short ways go to: assembly, which leaves every vector register as it was, and goes nowhere but to these ways.
const LANE: &str = "goldilocks_inside_";

/// Whether the function `symbol` of the archive leaves vector registers alone: names none, and calls nobody who might. Its parts are looked at as well.
fn keeps_vector_registers(archive: &Path, symbol: &str) -> Result<bool> {
    let mut parts = vec![symbol.to_owned()];
    let mut seen = 0;
    while seen < parts.len() {
        let code = process::stdout(
            Command::new(llvm_tool("llvm-objdump"))
                .args(["-d", "-r", "--no-show-raw-insn"])
                .arg(format!("--disassemble-symbols={}", parts[seen]))
                .arg(archive),
        )?;
        let Some(others) = parts_without_vector_registers(&code, &parts[seen]) else {
            return Ok(false);
        };
        if others.is_empty() {
            bail!(
                "no machine code of {} found in {}",
                parts[seen],
                archive.display()
            );
        }
        for part in others {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        seen += 1;
    }
    Ok(true)
}

/// The functions that this disassembly of one goes to, itself among them, if they all are [parts](is_part) and it names no vector register; none if there is
/// nothing of it.
fn parts_without_vector_registers(code: &str, symbol: &str) -> Option<BTreeSet<String>> {
    let instructions = code
        .lines()
        .skip_while(|line| !line.ends_with(&format!("<{symbol}>:")))
        .skip(1)
        .take_while(|line| !line.is_empty());
    let vector = |line: &str| {
        ["%xmm", "%ymm", "%zmm", "%mm"]
            .iter()
            .any(|name| line.contains(name))
    };
    let mut parts = BTreeSet::new();
    let mut instructions = instructions.peekable();
    while let Some(line) = instructions.next() {
        if vector(line) {
            return None;
        }
        parts.insert(symbol.to_owned());
        let calls = line.contains("call");
        if !calls && !line.contains("jmp") {
            continue;
        }
        // What leaves the function has a relocation, below it, but a call of whatever a register says; a jump by a register is one by a table, inside.
        let relocation = instructions.next_if(|next| next.contains("R_X86_64_"));
        let target = match relocation {
            Some(relocation) => relocation.split_whitespace().last(),
            None if line.contains('*') => (!calls).then_some(symbol),
            None => line.split_once('<').map(|(_, target)| target),
        };
        // What is not global is said by its section, which is its own.
        let target = target.map(|target| match target.strip_prefix(".text.") {
            Some(own) => ["unlikely.", "hot."]
                .iter()
                .find_map(|kind| own.strip_prefix(kind))
                .unwrap_or(own),
            None => target,
        });
        match target.and_then(|target| target.split(['+', '>', '-']).next()) {
            Some(part) if is_part(part) || part == symbol => {
                parts.insert(part.to_owned());
            }
            Some(lane) if lane.starts_with(LANE) => {}
            _ => return None,
        }
    }
    Some(parts)
}

/// Global symbols of an object or archive.
struct Symbols {
    global: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

impl Symbols {
    fn of(file: &Path) -> Result<Symbols> {
        let text = process::stdout(
            Command::new(llvm_tool("llvm-nm"))
                .args(["--extern-only", "--format=posix"])
                .arg(file),
        )?;
        let mut symbols = Symbols {
            global: BTreeSet::new(),
            undefined: BTreeSet::new(),
        };
        for line in text.lines() {
            let mut words = line.split(' ');
            let (Some(name), Some(kind)) = (words.next(), words.next()) else {
                continue;
            };
            match kind {
                "U" => symbols.undefined.insert(name.to_owned()),
                // Weak and undefined: hooks that the program may define.
                "w" | "v" => false,
                _ => symbols.global.insert(name.to_owned()),
            };
        }
        Ok(symbols)
    }
}

/// What must hold for the finished object.
fn check(symbols: &Symbols, exports: &Exports) -> Result<()> {
    let strangers: Vec<&String> = symbols.global.difference(exports).collect();
    if !strangers.is_empty() {
        bail!("the runtime shows names that it should not: {strangers:?}");
    }
    let lost: Vec<&String> = exports.difference(&symbols.global).collect();
    if !lost.is_empty() {
        bail!("the runtime lost names that it should show: {lost:?}");
    }
    let ours = |name: &&String| {
        name.starts_with("__goldilocks") || name.starts_with("_ZN") || name.starts_with("_R")
    };
    let open: Vec<&String> = symbols.undefined.iter().filter(ours).collect();
    if !open.is_empty() {
        bail!("the runtime refers to names of its own that it does not define: {open:?}");
    }
    Ok(())
}

fn pairs(names: &[&str], pair: impl Fn(&str) -> (String, String)) -> String {
    lines(names.iter().map(|name| {
        let (from, to) = pair(name);
        format!("{from} {to}")
    }))
}

fn lines(items: impl Iterator<Item = impl AsRef<str>>) -> String {
    items.map(|item| format!("{}\n", item.as_ref())).collect()
}

/// Renames in `files` (one: in place; two: from the first to the second), and drops debug information on the way.
fn objcopy(scratch: &Path, name: &str, renames: &str, files: &[&Path]) -> Result<()> {
    let list = scratch.join(name);
    fs::write(&list, renames).with_context(|| format!("writing {}", list.display()))?;
    let mut command = Command::new(llvm_tool("llvm-objcopy"));
    command
        .arg("--strip-debug")
        .arg(format!("--redefine-syms={}", list.display()))
        .args(files);
    process::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A runtime in small: an interceptor of `malloc` that allocates, as any Rust code does, and the jump to the real one.
    const SAMPLE: &str = r#"
        #include <dlfcn.h>
        #include <stddef.h>
        extern void *malloc(size_t);
        void *__goldilocks_slot_malloc;
        int __goldilocks_abi_4 = 1;
        int calls;
        int hook(void) __attribute__((weak));
        static void resolve(void) { __goldilocks_slot_malloc = dlsym(RTLD_NEXT, "malloc"); }
        __attribute__((section(".preinit_array"), used)) static void (*init)(void) = resolve;
        __asm__(".globl __goldilocks_real_malloc\n.hidden __goldilocks_real_malloc\n"
                "__goldilocks_real_malloc: jmp *__goldilocks_slot_malloc(%rip)");
        void *internal(size_t bytes) { return malloc(bytes + 1); }
        void *__goldilocks_interceptor_malloc(size_t bytes) { calls++; return internal(bytes); }
        int __tsan_calls(void) { return calls; }
    "#;
    const PROGRAM: &str = r#"
        #include <stdlib.h>
        extern int __goldilocks_abi_4;
        int __tsan_calls(void);
        int calls = 1000, internal = 1000; /* names that the runtime uses too */
        int main(int argc, char **argv) {
            int before = __tsan_calls();
            void *volatile p = malloc(argc);
            return p && __goldilocks_abi_4 && __tsan_calls() == before + 1 && calls == 1000 ? 0 : 1;
        }
    "#;

    fn compile(dir: &Path, name: &str, source: &str, arguments: &[&str]) {
        fs::write(dir.join(name).with_extension("c"), source).unwrap();
        let mut clang = Command::new(llvm_tool("clang"));
        clang
            .current_dir(dir)
            .arg(format!("{name}.c"))
            .args(arguments);
        process::run(&mut clang).unwrap();
    }

    fn sample(name: &str) -> std::path::PathBuf {
        let dir =
            std::env::temp_dir().join(format!("goldilocks-link-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        compile(
            &dir,
            "sample",
            SAMPLE,
            &["-c", "-O1", "-fPIC", "-o", "sample.o"],
        );
        process::run(
            Command::new(llvm_tool("llvm-ar"))
                .current_dir(&dir)
                .args(["rcs", "sample.a", "sample.o"]),
        )
        .unwrap();
        dir
    }

    #[test]
    fn vector_registers_and_calls_are_seen() {
        let dir = std::env::temp_dir().join(format!("goldilocks-registers-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let source = "long plain(long *p) { return p[0] + 3; }\n\
                      void copies(long *p, long *q) { __builtin_memcpy(p, q, 16); }\n\
                      int other(void); int calls(void) { return other() + 1; }\n\
                      long calls_by_pointer(long (*f)(void)) { return f() + 1; }\n\
                      __attribute__((noinline)) long goldilocks_quick_part(long *p) { return p[1] * p[2]; }\n\
                      __attribute__((noinline)) void goldilocks_quick_copy(long *p, long *q) { __builtin_memcpy(p, q, 16); }\n\
                      __attribute__((noinline)) static long _ZN15goldilocks_core4part17h0E(long *p) { return p[1] * p[2]; }\n\
                      long calls_engine(long *p) { return _ZN15goldilocks_core4part17h0E(p) + 1; }\n\
                      __attribute__((noinline)) int _ZN15goldilocks_core5calls17h0E(void) { return other() + 1; }\n\
                      int calls_engine_that_calls(void) { return _ZN15goldilocks_core5calls17h0E() + 1; }\n\
                      long goldilocks_inside_read(long *p); long calls_lane(long *p) { return goldilocks_inside_read(p) + 1; }\n\
                      long calls_part(long *p) { return goldilocks_quick_part(p) + 1; }\n\
                      void calls_copy(long *p, long *q) { goldilocks_quick_copy(p, q); p[0]++; }\n";
        compile(
            &dir,
            "registers",
            source,
            &[
                "-c",
                "-O2",
                "-fPIC",
                "-fno-plt",
                "-ffunction-sections",
                "-o",
                "registers.o",
            ],
        );
        let keeps = |symbol| keeps_vector_registers(&dir.join("registers.o"), symbol).unwrap();
        assert!(keeps("plain"));
        assert!(!keeps("copies"));
        assert!(!keeps("calls"));
        assert!(!keeps("calls_by_pointer"));
        assert!(keeps("calls_part"));
        assert!(keeps("calls_engine"));
        assert!(!keeps("calls_engine_that_calls"));
        assert!(keeps("calls_lane"));
        assert!(!keeps("calls_copy"));
        assert!(keeps_vector_registers(&dir.join("registers.o"), "missing").is_err());
    }

    #[test]
    fn an_interceptor_is_called_and_the_runtime_gets_the_real_function() {
        let dir = sample("calls");
        let list = List::parse("__tsan_*");
        let library = dir.join("librt.a");
        let exports = link(
            &dir.join("sample.a"),
            &list,
            &dir.join("scratch"),
            &library,
            &[],
        )
        .unwrap();
        assert_eq!(
            exports.iter().collect::<Vec<_>>(),
            ["__goldilocks_abi_4", "__tsan_calls", "malloc"]
        );
        for arguments in [
            &["-no-pie"][..],
            &["-fuse-ld=lld", "-Wl,--gc-sections"],
            &[],
        ] {
            compile(
                &dir,
                "program",
                PROGRAM,
                &[arguments, &["-O1", "librt.a", "-o", "program"]].concat(),
            );
            process::run(&mut Command::new(dir.join("program"))).unwrap();
        }
        share(
            &library,
            &dir.join("scratch"),
            &dir.join("libgoldilocks_rt.so"),
        )
        .unwrap();
        compile(
            &dir,
            "program",
            PROGRAM,
            &[
                "-O1",
                "libgoldilocks_rt.so",
                "-Wl,-rpath,$ORIGIN",
                "-o",
                "program",
            ],
        );
        process::run(&mut Command::new(dir.join("program"))).unwrap();
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_missing_jump_is_an_error() {
        let dir = sample("jump");
        let without = SAMPLE
            .replace("__goldilocks_real_malloc", "jump")
            .replace("hook", "other");
        compile(
            &dir,
            "sample",
            &without,
            &["-c", "-O1", "-fPIC", "-o", "sample.o"],
        );
        fs::remove_file(dir.join("sample.a")).unwrap();
        process::run(
            Command::new(llvm_tool("llvm-ar"))
                .current_dir(&dir)
                .args(["rcs", "sample.a", "sample.o"]),
        )
        .unwrap();
        let error = link(
            &dir.join("sample.a"),
            &List::parse(""),
            &dir.join("scratch"),
            &dir.join("librt.a"),
            &[],
        )
        .unwrap_err();
        assert!(
            error.to_string().contains("__goldilocks_real_malloc"),
            "{error}"
        );
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_dynamic_list_is_in_the_linkers_syntax() {
        let exports: Exports = ["free", "malloc"].map(str::to_owned).into();
        assert_eq!(dynamic_list(&exports), "{\n  free;\n  malloc;\n};\n");
    }
}
