//! What the runtime library shows to a program, and that a program with a Rust std of its own can be linked with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use goldilocks_core::abi;
use libtest_mimic::Trial;

use crate::directives::Exit;
use crate::{execute, place};

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("exports/archive_shows_only_what_it_must", || Ok(archive()?)),
        Trial::test("exports/shared_library_shows_the_same", || Ok(shared()?)),
        Trial::test("exports/list_for_executables_is_the_same", || Ok(list()?)),
        Trial::test("exports/links_into_a_rust_program", || Ok(rust_program()?)),
        Trial::test("exports/accesses_take_the_short_way", || Ok(short_way()?)),
    ]
}

type Names = BTreeSet<String>;

/// Everything that the ABI table asks for is there. Everything else is an interceptor, so the C or C++ library has a function
/// of that name, or is listed in `runtime/exports.txt`. No reference leaves the library under an intercepted name.
fn archive() -> Result<(), String> {
    let library = place::home().join("lib/libgoldilocks_rt.a");
    let shown = nm(&library, &["--extern-only", "--defined-only"])?;
    let wanted = abi_names();
    let missing: Vec<_> = wanted.difference(&shown).collect();
    if !missing.is_empty() {
        return Err(format!(
            "the pass emits calls that the runtime does not define: {missing:?}"
        ));
    }
    let system = system_names()?;
    let listed = listed()?;
    let stranger =
        |name: &&String| !wanted.contains(*name) && !system.contains(*name) && !listed(name);
    let strangers: Vec<_> = shown.iter().filter(stranger).collect();
    if !strangers.is_empty() {
        return Err(format!(
            "shown, but neither ABI nor a function of the C or C++ library: {strangers:?}"
        ));
    }
    let leaving = nm(&library, &["--undefined-only"])?;
    let inward: Vec<_> = leaving.intersection(&shown).collect();
    if !inward.is_empty() {
        return Err(format!(
            "the runtime calls its own interceptors: {inward:?}"
        ));
    }
    let unresolved: Vec<_> = leaving
        .iter()
        .filter(|n| n.starts_with("_ZN") || n.starts_with("_R"))
        .collect();
    if unresolved.is_empty() {
        Ok(())
    } else {
        Err(format!("Rust names are undefined: {unresolved:?}"))
    }
}

fn shared() -> Result<(), String> {
    let archive = nm(
        &place::home().join("lib/libgoldilocks_rt.a"),
        &["--extern-only", "--defined-only"],
    )?;
    let library = nm(
        &place::home().join("lib/libgoldilocks_rt.so"),
        &["--dynamic", "--extern-only", "--defined-only"],
    )?;
    same("the shared library", &archive, &library)
}

fn list() -> Result<(), String> {
    let archive = nm(
        &place::home().join("lib/libgoldilocks_rt.a"),
        &["--extern-only", "--defined-only"],
    )?;
    let path = place::home().join("share/goldilocks_rt.syms");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let listed: Names = text
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .filter(|n| *n != "}")
        .map(str::to_owned)
        .collect();
    same("the list", &archive, &listed)
}

fn same(what: &str, archive: &Names, other: &Names) -> Result<(), String> {
    let (lacks, more): (Vec<_>, Vec<_>) = (
        archive.difference(other).collect(),
        other.difference(archive).collect(),
    );
    if lacks.is_empty() && more.is_empty() {
        Ok(())
    } else {
        Err(format!("{what} lacks {lacks:?} and has more: {more:?}"))
    }
}

/// Two Rust stds in one process: the program's and, hidden, the runtime's.
fn rust_program() -> Result<(), String> {
    const SOURCE: &str = r#"
        unsafe extern "C" { static __goldilocks_abi_2: u8; }
        fn main() {
            std::hint::black_box(&raw const __goldilocks_abi_2);
            // One after the other: this std is not instrumented, so what it orders by futexes is not seen.
            let text: String = (0..4).map(|n| std::thread::spawn(move || format!("{n}")).join().unwrap()).collect();
            let caught = std::panic::catch_unwind(|| text[9..].len());
            println!("{text} {}", caught.is_err());
        }
    "#;
    let folder = place::results("exports");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, program) = (folder.join("program.rs"), folder.join("program"));
    fs::write(
        &source,
        SOURCE.replace("__goldilocks_abi_2", abi::ABI_SYMBOL),
    )
    .map_err(|error| error.to_string())?;
    let home = place::home();
    let mut compile = Command::new("rustc");
    compile
        .args(["--edition=2024", "-O"])
        .arg(&source)
        .arg("-o")
        .arg(&program);
    compile.arg(format!(
        "-Clink-arg={}",
        home.join("lib/libgoldilocks_rt.a").display()
    ));
    compile.arg(format!(
        "-Clink-arg=-Wl,--dynamic-list={}",
        home.join("share/goldilocks_rt.syms").display()
    ));
    for (command, limit) in [(&mut compile, 120), (&mut Command::new(&program), 60)] {
        let outcome = execute::run(command, &program, Duration::from_secs(limit))?;
        if outcome.exit != Exit::Code(0) || limit == 60 && outcome.stdout != "0123 true\n" {
            let shown = execute::shown(&outcome.stdout, &outcome.stderr);
            return Err(format!(
                "{:?}\n{shown}$ {}",
                outcome.exit,
                execute::display(command)
            ));
        }
    }
    Ok(())
}

fn abi_names() -> Names {
    let mut names: Names = abi::HOOKS.iter().map(|hook| hook.name.to_owned()).collect();
    names.extend([abi::ABI_SYMBOL.to_owned(), abi::TAG_SYMBOL.to_owned()]);
    for size in abi::ACCESS_SIZES {
        for register in abi::STUB_REGISTERS {
            names.extend([false, true].map(|write| abi::check_stub(write, size, register)));
        }
    }
    names
}

/// Functions of the C, math and C++ libraries of this system.
fn system_names() -> Result<Names, String> {
    let folder = Path::new("/lib/x86_64-linux-gnu");
    let mut names = Names::new();
    for library in [
        "libc.so.6",
        "libm.so.6",
        "ld-linux-x86-64.so.2",
        "libstdc++.so.6",
        "libgcc_s.so.1",
    ] {
        let shown = nm(
            &[folder, Path::new("/usr/lib/x86_64-linux-gnu")]
                .map(|f| f.join(library))
                .into_iter()
                .find(|p| p.exists())
                .unwrap_or_default(),
            &["--dynamic", "--defined-only"],
        )?;
        names.extend(
            shown
                .iter()
                .map(|name| name.split('@').next().unwrap_or_default().to_owned()),
        );
    }
    Ok(names)
}

/// Functions that libraries of this system export, but for those of old versions and those that only libc's parts may use.
pub fn functions_of(libraries: &[&str]) -> Result<Names, String> {
    let mut names = Names::new();
    for library in libraries {
        let path = Path::new("/lib/x86_64-linux-gnu").join(library);
        let lines = nm(&path, &["--dynamic", "--defined-only", "--format=posix"])?;
        names.extend(lines.iter().filter_map(|line| {
            let mut words = line.split_whitespace();
            let (name, version) = words.next()?.split_once("@@")?;
            let is_code = matches!(words.next()?, "T" | "W" | "i");
            (is_code && version != "GLIBC_PRIVATE").then(|| name.to_owned())
        }));
    }
    Ok(names)
}

/// Functions of the C and mathematical libraries that the runtime intercepts.
pub fn interceptors() -> Result<Names, String> {
    let shown = nm(
        &place::home().join("lib/libgoldilocks_rt.a"),
        &["--extern-only", "--defined-only"],
    )?;
    let functions = functions_of(&["libc.so.6", "libm.so.6"])?;
    Ok(shown.intersection(&functions).cloned().collect())
}

/// Whether a name is in the list of other exports.
fn listed() -> Result<impl Fn(&str) -> bool, String> {
    let path = place::tests().join("../runtime/exports.txt");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let patterns: Vec<String> = text
        .lines()
        .map(|line| line.trim())
        .map(|line| line.strip_prefix("weak ").unwrap_or(line).to_owned())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    Ok(move |name: &str| {
        patterns
            .iter()
            .any(|pattern| match pattern.strip_suffix('*') {
                Some(prefix) => name.starts_with(prefix),
                None => pattern == name,
            })
    })
}

fn nm(file: &Path, arguments: &[&str]) -> Result<Names, String> {
    let mut command = Command::new(place::llvm_bin().join("llvm-nm"));
    command
        .arg("--format=just-symbols")
        .args(arguments)
        .arg(file);
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", execute::display(&command)))?;
    if !output.status.success() {
        return Err(format!(
            "{}\n{}",
            execute::display(&command),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // In an archive, a line names the member, and an empty one precedes it.
    Ok(text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.ends_with(':'))
        .map(str::to_owned)
        .collect())
}

/// `xtask dist` leaves the short way of an access out where a compiler has made it with vector registers. Here it must be there, and
/// take nearly all first accesses of an epoch.
fn short_way() -> Result<(), String> {
    const SOURCE: &str = r#"
        #include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
        static volatile struct { int a, b; long c[7]; } shared;
        static void *work(void *unused) {
            for (int i = 0; i < 1000; i++) {
                pthread_mutex_lock(&lock);
                shared.a++;
                if (i % 3) shared.b++;
                for (int j = 0; j < 7; j++) shared.c[j] += i;
                pthread_mutex_unlock(&lock);
                // Without it the epoch would go on when the lock is taken again.
                pthread_mutex_lock(&other);
                pthread_mutex_unlock(&other);
            }
            return 0;
        }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, work, 0);
            work(0);
            pthread_join(thread, 0);
        }
    "#;
    let folder = place::results("exports");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, program) = (folder.join("short.c"), folder.join("short"));
    fs::write(&source, SOURCE).map_err(|error| error.to_string())?;
    let mut compile = Command::new(place::compiler(&source));
    compile
        .args(["-O1", "-pthread"])
        .arg(&source)
        .arg("-o")
        .arg(&program);
    let outcome = execute::run(&mut compile, &program, Duration::from_secs(60))?;
    if outcome.exit != Exit::Code(0) {
        return Err(outcome.stderr);
    }
    let mut run = Command::new(&program);
    run.env("GOLDILOCKS_OPTIONS", "stats=1");
    let outcome = execute::run(&mut run, &program, Duration::from_secs(60))?;
    let counter = |name: &str| -> Result<u64, String> {
        let all = &outcome.stderr;
        let (_, rest) = all.split_once(&format!(" {name}: ")).ok_or(all.clone())?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        digits.unwrap_or_default().parse().map_err(|_| all.clone())
    };
    // Each of 2,000 rounds makes one or two first accesses of an epoch, and those of the loop, to seven words.
    let taken = counter("quick")? + counter("quick_renewed")?;
    if taken < 15_000 || counter("quick_first")? > 500 {
        return Err(format!("the short way took {taken}:\n{}", outcome.stderr));
    }
    Ok(())
}
