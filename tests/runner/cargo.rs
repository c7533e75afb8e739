//! `cargo/`: cargo's own commands under `cargo goldilocks`, on the crates of `rust/crates`, which need no registry.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use crate::compiled::{FINDING, RACE};
use crate::directives::Exit;
use crate::project::{Project, check, find, summary};
use crate::{interrupted, toolchains, wrappers};

type Test = fn(&Project) -> Result<(), String>;

pub fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 15] = [
        ("another_goldilocks_compiles_again", another),
        ("settings_of_a_project", settings),
        ("test_finds_races_in_every_kind_of_test", every_kind_of_test),
        ("quiet_tests_pass_and_are_not_built_twice", quiet_tests),
        ("run_passes_arguments_and_status", run_passes_arguments),
        ("release_and_lto_have_lines", release_and_lto),
        ("build_scripts_are_plain", build_scripts),
        ("bench_runs_benchmarks", bench),
        ("nextest_runs_tests", nextest),
        ("interrupted_runs_tell_what_they_found", interrupted::tells),
        ("wrappers_of_the_users_are_called", wrappers::are_called),
        ("wrapper_by_hand", by_hand),
        ("what_cannot_be_done_is_refused", refusals),
        (
            "toolchains_that_do_not_fit_are_refused",
            toolchains::are_refused,
        ),
        ("standard_library_is_made_once", library),
    ];
    tests
        .into_iter()
        .map(|(name, test)| {
            Trial::test(format!("cargo/{name}"), move || {
                let of = if name.starts_with("settings") {
                    "settings"
                } else {
                    "whole"
                };
                Ok(test(&Project::new(of, name)?)?)
            })
        })
        .collect()
}

fn every_kind_of_test(project: &Project) -> Result<(), String> {
    let outcome = project.expect("test --workspace --no-fail-fast", FINDING)?;
    let told = summary(&outcome);
    let whole = told.first() == Some(&"goldilocks: 5 data races in this run") && told.len() == 6;
    check(whole, "not five races", &outcome)?;
    for name in [
        "IN_UNIT_TEST",
        "counter",
        "IN_INTEGRATION_TEST",
        "::IN_DOCTEST",
        "::IN_MERGED_DOCTEST",
    ] {
        let line = told
            .iter()
            .filter(|line| line.contains(&format!("{name}`")));
        check(line.count() == 1, name, &outcome)?;
    }
    // The line is the file's, and not that of the program that rustdoc makes of a test.
    let quoted = outcome
        .stdout
        .contains("       10 | //! whole::both(|| unsafe { IN_DOCTEST = 1 });\n");
    check(quoted, "another line of the doctest", &outcome)?;
    let test = outcome.stdout.contains("on `doctest(line 7)::IN_DOCTEST`");
    check(test, "the doctest has no name", &outcome)?;
    for part in [
        "on `doctest(line 23)::IN_MERGED_DOCTEST`",
        "#0 doctest(line 23)::{closure#0}  src/lib.rs:29:18\n",
        "       29 | ///     unsafe { IN_MERGED_DOCTEST = 1 }\n          |                  ^^^^^^^^^^^^^^^^^\n",
    ] {
        check(outcome.stdout.contains(part), part, &outcome)?;
    }
    let named =
        outcome.stderr.contains("`tests::a_race`") || outcome.stdout.contains("`tests::a_race`");
    check(named, "the test is not named", &outcome)?;
    let whole = outcome.stdout.contains("`a_race_of_an_integration_test`")
        || outcome.stderr.contains("`a_race_of_an_integration_test`");
    check(whole, "a long name is cut", &outcome)?;
    let harness = [&outcome.stdout, &outcome.stderr].map(|text| text.contains("holding mutex 0x"));
    check(harness == [false; 2], "a lock of the harness", &outcome)
}

fn quiet_tests(project: &Project) -> Result<(), String> {
    let words = "test --workspace quiet";
    let outcome = project.expect(words, Exit::Code(0))?;
    check(outcome.stdout.contains("1 passed"), "not run", &outcome)?;
    check(summary(&outcome).is_empty(), "a summary", &outcome)?;
    let outcome = project.expect(words, Exit::Code(0))?;
    check(
        !outcome.stderr.contains("Compiling"),
        "built again",
        &outcome,
    )
}

fn run_passes_arguments(project: &Project) -> Result<(), String> {
    let outcome = project.expect("run --features loud -- quiet", Exit::Code(0))?;
    check(outcome.stdout == "4 true\n", "output", &outcome)?;
    check(!outcome.stderr.contains("Goldilocks"), "a report", &outcome)?;
    let outcome = project.expect("run --quiet -- racy", FINDING)?;
    check(outcome.stdout == "4 false\n", "output", &outcome)?;
    check(
        outcome.stderr.contains("`whole::IN_PROGRAM`"),
        "the race",
        &outcome,
    )?;
    let outcome = project.expect("run --quiet --example quiet", Exit::Code(0))?;
    check(outcome.stdout == "8\n", "output", &outcome)?;
    let tolerant = &mut project.goldilocks("run -- racy");
    let outcome = project.run(tolerant.env("GOLDILOCKS_OPTIONS", "exitcode=0"))?;
    check(outcome.exit == Exit::Code(0), "exitcode=0", &outcome)?;
    check(summary(&outcome).len() == 2, "the summary", &outcome)
}

fn release_and_lto(project: &Project) -> Result<(), String> {
    for (name, value) in [
        ("LTO", "off"),
        ("LTO", "thin"),
        ("LTO", "fat"),
        ("PANIC", "abort"),
    ] {
        let mut command = project.goldilocks("run --release -- racy");
        command.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
        let outcome = project.run(&mut command)?;
        check(
            outcome.exit == FINDING,
            &format!("{name} {value}"),
            &outcome,
        )?;
        check(
            outcome.stderr.matches(RACE).count() == 1,
            "one race",
            &outcome,
        )?;
        check(
            outcome.stderr.contains("src/main.rs:7"),
            "its line",
            &outcome,
        )?;
        let outcome = project.run(
            command
                .args(["racy"])
                .arg("--")
                .env("GOLDILOCKS_OPTIONS", "exitcode=0"),
        )?;
        check(outcome.stdout == "4 false\n", "output", &outcome)?;
    }
    Ok(())
}

fn bench(project: &Project) -> Result<(), String> {
    let outcome = project.expect("bench --bench both", Exit::Code(0))?;
    let silent = outcome.stdout == "2 measured\n" && summary(&outcome).is_empty();
    check(silent, "not silent", &outcome)?;
    let outcome = project.expect("bench --bench both -- racy", FINDING)?;
    let told = summary(&outcome);
    let named = told.len() == 2 && told[1].contains("`both::IN_BENCHMARK`");
    check(named, "the race", &outcome)
}

/// Each test in a process of its own; where cargo-nextest is not installed, cargo says so.
fn nextest(project: &Project) -> Result<(), String> {
    let installed = project.run(&mut project.command("cargo", "nextest --version"));
    if !installed.is_ok_and(|outcome| outcome.exit == Exit::Code(0)) {
        let outcome = project.run(&mut project.goldilocks("nextest run"))?;
        check(outcome.stderr.contains("nextest"), "no reason", &outcome)?;
        return check(outcome.exit != Exit::Code(0), "no failure", &outcome);
    }
    let outcome = project.expect("nextest run --workspace quiet counts", Exit::Code(0))?;
    check(summary(&outcome).is_empty(), "not silent", &outcome)?;
    let words = "nextest run --workspace --no-fail-fast";
    let outcome = project.expect(words, FINDING)?;
    let told = summary(&outcome);
    // Doctests are none of its business.
    let whole = told.first() == Some(&"goldilocks: 3 data races in this run") && told.len() == 4;
    check(whole, "not three races", &outcome)?;
    for name in ["IN_UNIT_TEST", "counter", "IN_INTEGRATION_TEST"] {
        let named = told[1..].iter().any(|line| line.contains(name));
        check(named, name, &outcome)?;
    }
    let failed = outcome.stderr.lines().filter(|line| {
        let line = line.trim_start();
        line.starts_with("FAIL") && line.contains("a_race")
    });
    check(failed.count() >= 3, "racy tests do not fail", &outcome)
}

fn build_scripts(project: &Project) -> Result<(), String> {
    project.expect("build --workspace", Exit::Code(0))?;
    let target = project.root.join("target/goldilocks");
    let has_runtime = |path: &Path| {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = b"__goldilocks_";
        Ok::<bool, String>(bytes.windows(name.len()).any(|window| window == name))
    };
    let built = find(&target, &|name| {
        name == "build-script-build" || name.starts_with("libmacros") && name.ends_with(".so")
    });
    if built.len() < 2 {
        return Err(format!(
            "build script and macro are not in {}: {built:?}",
            target.display()
        ));
    }
    for path in built {
        if has_runtime(&path)? {
            return Err(format!("{} is instrumented", path.display()));
        }
    }
    let program = target.join("x86_64-unknown-linux-gnu/debug/whole");
    if !has_runtime(&program)? {
        return Err(format!("{} is not instrumented", program.display()));
    }
    Ok(())
}

fn by_hand(project: &Project) -> Result<(), String> {
    let words = "run --target x86_64-unknown-linux-gnu -- racy";
    let mut command = project.command("cargo", words);
    let outcome = project.run(command.env("RUSTC_WRAPPER", "goldilocks-rustc"))?;
    check(outcome.exit == FINDING, "by hand", &outcome)?;
    check(
        outcome.stderr.contains("`whole::IN_PROGRAM`"),
        "the race",
        &outcome,
    )?;
    let told = "build --manifest-path assembly/Cargo.toml";
    project.expect(told, Exit::Code(0))?;
    let mut command = project.command("cargo", "run -- racy");
    let outcome = project.run(command.env("RUSTC_WRAPPER", "goldilocks-rustc"))?;
    let warned = outcome
        .stderr
        .contains("warning: whole is compiled without --target");
    check(
        outcome.exit == Exit::Code(0) && warned,
        "a warning",
        &outcome,
    )
}

fn refusals(project: &Project) -> Result<(), String> {
    let mut fully_static = project.goldilocks("build");
    fully_static.env("RUSTFLAGS", "-Ctarget-feature=+crt-static");
    let other = project.goldilocks("build --target x86_64-unknown-linux-musl -p shared");
    let unknown = project.goldilocks("publish");
    let mut without_plugin = project.goldilocks("build");
    without_plugin.env("GOLDILOCKS_HOME", &project.root);
    for (mut command, reason) in [
        (fully_static, "cannot be checked: goldilocks sees threads"),
        (
            other,
            "on x86_64-unknown-linux-gnu only, not on x86_64-unknown-linux-musl",
        ),
        (unknown, "`publish` is none of its commands"),
        (without_plugin, "the compiler plugin is missing"),
    ] {
        let outcome = project.run(&mut command)?;
        check(outcome.exit != Exit::Code(0), "not refused", &outcome)?;
        check(outcome.stderr.contains(reason), reason, &outcome)?;
    }
    Ok(())
}

fn library(project: &Project) -> Result<(), String> {
    let cache = project.root.join("cache");
    if cache.exists() {
        fs::remove_dir_all(&cache).map_err(|error| error.to_string())?;
    }
    let setup = || {
        let mut command = project.goldilocks("setup");
        command.env("GOLDILOCKS_CACHE", &cache);
        command
    };
    // Two at once.
    let other = std::thread::spawn({
        let mut command = setup();
        move || command.output()
    });
    let outcome = project.run(&mut setup())?;
    let other = other.join().map_err(|_| "a thread has panicked")?;
    let other = other.map_err(|error| error.to_string())?;
    let said = |stderr: &str| stderr.contains("instrumenting the standard library");
    let both = [
        said(&outcome.stderr),
        said(&String::from_utf8_lossy(&other.stderr)),
    ];
    check(both[0] != both[1], "not made by one of two", &outcome)?;
    check(
        outcome.stdout.as_bytes() == other.stdout,
        "two answers",
        &outcome,
    )?;
    let again = project.run(&mut setup())?;
    check(
        !said(&again.stderr) && again.exit == Exit::Code(0),
        "made again",
        &again,
    )?;
    let sysroot = PathBuf::from(outcome.stdout.trim_end());
    let libraries = sysroot.join("lib/rustlib/x86_64-unknown-linux-gnu/lib");
    let found = find(&libraries, &|name| {
        name.starts_with("liballoc-") && name.ends_with(".rlib")
    });
    let damaged = found.first().ok_or("there is no liballoc")?;
    fs::write(damaged, "half").map_err(|error| error.to_string())?;
    let again = project.run(&mut setup())?;
    check(
        said(&again.stderr) && again.exit == Exit::Code(0),
        "not made again",
        &again,
    )?;
    let whole = fs::metadata(damaged).is_ok_and(|file| file.len() > 1000);
    check(whole, "still damaged", &again)?;
    fs::remove_dir_all(&cache).map_err(|error| error.to_string())
}

/// What the `Cargo.toml`s of `rust/crates/settings` say is done: in release too, where the compiler inlines.
fn settings(project: &Project) -> Result<(), String> {
    for profile in ["", "--release"] {
        let outcome = project.expect(&format!("test {profile} --lib"), FINDING)?;
        let told = summary(&outcome);
        let one = told.first() == Some(&"goldilocks: 1 data race in this run");
        check(one && told.len() == 2, "not one race", &outcome)?;
        check(
            told[1].contains("`settings::tests::DATA[2]`"),
            "another race",
            &outcome,
        )?;
        let status = outcome.stderr.contains("exit status: 17");
        check(status, "options were not taken", &outcome)?;
        check(outcome.stdout.contains("4 passed"), "not run", &outcome)?;
    }
    // With another list of crates it is other code.
    let manifest = project.root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
    let without = text.replace("exclude = [\"left-alone\"]", "exclude = []");
    fs::write(&manifest, without).map_err(|error| error.to_string())?;
    let outcome = project.expect("test --lib excluded_crate", FINDING)?;
    let told = summary(&outcome);
    check(told.len() == 4, "not checked again", &outcome)?;
    let in_c = told[1..].iter().any(|line| line.contains("bump_in_c"));
    check(in_c, "C not checked again", &outcome)?;
    fs::write(&manifest, text.replace("suppressions", "supressions"))
        .map_err(|error| error.to_string())?;
    let outcome = project.expect("test --lib", Exit::Code(1))?;
    check(
        outcome.stderr.contains("metadata.goldilocks.supressions"),
        "not named",
        &outcome,
    )?;
    fs::write(&manifest, text).map_err(|error| error.to_string())
}

/// What was compiled with another plugin or driver is not used: cargo sees another compiler.
fn another(project: &Project) -> Result<(), String> {
    let ask = |home: &str| {
        let mut command = project.command("goldilocks-rustc", "rustc -vV");
        project.run(command.env("GOLDILOCKS_RUST_PREPARED", home))
    };
    let (one, other) = (ask("/cache/one")?, ask("/cache/other")?);
    check(one.stdout.starts_with("rustc "), "not rustc's answer", &one)?;
    check(one.stdout != other.stdout, "the same answer", &other)?;
    let tree = project.root.join("another-tree");
    std::fs::create_dir_all(tree.join("lib")).map_err(|error| error.to_string())?;
    std::fs::write(tree.join("lib/libgoldilocks_rt.a"), "another")
        .map_err(|error| error.to_string())?;
    let mut command = project.command("goldilocks-rustc", "rustc -vV");
    let command = command
        .env("GOLDILOCKS_RUST_PREPARED", "/cache/one")
        .env("GOLDILOCKS_HOME", &tree);
    let runtime = project.run(command)?;
    check(
        one.stdout != runtime.stdout,
        "the same with another runtime",
        &runtime,
    )?;
    let mut plain = project.command("rustc", "-vV");
    let plain = project.run(&mut plain)?;
    let is_that = one.stdout.starts_with(&plain.stdout);
    check(is_that, "rustc's own answer is another one", &one)?;
    let outcome = project.expect("build --lib", Exit::Code(0))?;
    let cached = fs::read_to_string(project.root.join("target/goldilocks/.rustc_info.json"));
    let seen = cached.is_ok_and(|text| text.contains("goldilocks: "));
    check(seen, "cargo has not seen it", &outcome)
}
