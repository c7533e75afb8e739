//! `cargo goldilocks`: calls cargo in an environment that makes it compile for race detection.

use crate::configuration::Configuration;
use crate::settings::Settings;
use crate::signals;
use crate::summary::{self, Summary};
use crate::sysroot::{self, Prepared, Source};
use crate::toolchain::{TARGET, Toolchain};
use crate::variable;
use goldilocks_cc::args::Mode;
use goldilocks_cc::locate::{Compiler, Tree};
use goldilocks_cc::machine::{Machine, ThisMachine};
use goldilocks_cc::refusal::Refusal;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Options of the programs that are run.
const OPTIONS: &str = "GOLDILOCKS_OPTIONS";

/// What cargo does that runs or makes programs.
const COMMANDS: [&str; 8] = ["test", "t", "run", "r", "build", "b", "bench", "nextest"];

const HELP: &str = "\
Detects data races in Rust programs, in what they depend on and in the standard library.

Usage: cargo goldilocks <test|run|build|bench|nextest> [cargo's own arguments]
       cargo goldilocks setup      instrument the standard library now, not with the first build

What is built goes to target/goldilocks. A race makes the command end with status 66.
GOLDILOCKS_OPTIONS=name=value:... sets options at run time (help=1 lists them).
";

/// The `main` of `cargo-goldilocks`.
pub fn run(mut given: Vec<OsString>) -> Result<ExitCode, Refusal> {
    // Cargo calls its subcommands with their name.
    if given.first().is_some_and(|first| first == "goldilocks") {
        given.remove(0);
    }
    let machine = &ThisMachine;
    let command = given
        .first()
        .map(|word| word.to_string_lossy().into_owned());
    match command.as_deref() {
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            return Ok(ExitCode::SUCCESS);
        }
        Some("--version" | "-V") => {
            println!("cargo-goldilocks {}", env!("CARGO_PKG_VERSION"));
            return Ok(ExitCode::SUCCESS);
        }
        Some(sysroot::RECOMPILE) => return sysroot::recompile(&given[1..]),
        Some(word) if word == "setup" || COMMANDS.contains(&word) => {}
        Some(word) => {
            return Err(Refusal::new(
                format!("`{word}` is none of its commands"),
                format!("cargo goldilocks <{}>", COMMANDS.join("|")),
            ));
        }
    }
    let configuration = Configuration::of(machine, &given);
    let rustc = machine
        .variable("RUSTC")
        .or_else(|| configuration.rustc.clone())
        .unwrap_or_else(|| "rustc".into());
    let toolchain = Toolchain::of(&rustc)?;
    let tree = Tree::find(machine)?;
    let source = Source::find(machine, &tree, &toolchain)?;
    let prepared = sysroot::prepare(machine, &source, &|line| eprintln!("goldilocks: {line}"))?;
    if command.as_deref() == Some("setup") {
        println!("{}", prepared.sysroot().display());
        return Ok(ExitCode::SUCCESS);
    }
    let mut cargo = Command::new(cargo(machine));
    environment(machine, &tree, &prepared, configuration, &mut cargo);
    let mut settings = Settings::default();
    let mut root = String::new();
    if let Some(description) = describe(machine, &given) {
        let all = own_words(&given)
            .iter()
            .any(|word| word == "--workspace" || word == "--all");
        settings = Settings::of(&description, all, &named_packages(&given))?;
        root = from_root(&description);
        if let Some(folder) = description["target_directory"].as_str() {
            let folder = Path::new(folder).join(settings.folder());
            settings.write(&folder)?;
            if !own_words(&given)
                .iter()
                .any(|word| is(word, "--target-dir"))
            {
                cargo.env("CARGO_TARGET_DIR", folder);
            }
        }
    }
    if !settings.exclude.is_empty() {
        cargo.env(variable::EXCLUDE, settings.exclude.join(","));
    }
    let summary = Summary::of_this_run();
    // The user's word comes last.
    let mut options = OsString::from(root + &settings.options());
    options.push(machine.variable(OPTIONS).unwrap_or_default());
    cargo.env(OPTIONS, summary.options(Some(&options)));
    let status = signals::outlive(cargo.args(&given)).map_err(|error| {
        Refusal::new(
            format!(
                "cannot run {}: {error}",
                cargo.get_program().to_string_lossy()
            ),
            "see whether it can be run by hand; CARGO names another one",
        )
    })?;
    let text = summary.text();
    // Nothing is left behind if this process ends by a signal.
    drop(summary);
    if let Some(text) = text {
        eprint!("{text}");
        if !is_tolerated(Some(&options)) {
            return Ok(ExitCode::from(summary::FINDING));
        }
    }
    signals::end_like(status);
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}

/// Files are named as rustc names them: from the folder of the workspace.
fn from_root(description: &serde_json::Value) -> String {
    match description["workspace_root"].as_str() {
        Some(root) if !root.contains('\'') => format!("strip_path_prefix='{root}/':"),
        _ => String::new(),
    }
}

/// Whether the user does not want a finding to make a difference.
fn is_tolerated(options: Option<&OsStr>) -> bool {
    let options = options.unwrap_or_default().to_string_lossy();
    options
        .split([':', ',', ' '])
        .any(|option| option == "exitcode=0")
}

pub fn cargo(machine: &dyn Machine) -> OsString {
    machine.variable("CARGO").unwrap_or_else(|| "cargo".into())
}

fn environment(
    machine: &dyn Machine,
    tree: &Tree,
    prepared: &Prepared,
    configuration: Configuration,
    cargo: &mut Command,
) {
    let ours = prepared.program_for("goldilocks-rustc", &tree.archive());
    // An empty variable is how a user switches off what a file says.
    let wrapper = std::env::var_os("RUSTC_WRAPPER").or(configuration.wrapper);
    if let Some(wrapper) = wrapper.filter(|name| !name.is_empty() && !is_goldilocks_rustc(name)) {
        cargo.env(variable::WRAPPER, wrapper);
    }
    if let Some(rustdoc) = machine.variable("RUSTDOC").or(configuration.rustdoc) {
        cargo.env(variable::RUSTDOC, rustdoc);
    }
    cargo
        .env("RUSTC_WRAPPER", ours)
        .env("RUSTDOC", prepared.program("goldilocks-rustdoc"))
        .env(variable::PREPARED, &prepared.home)
        .env(goldilocks_cc::plan::LINES, "1")
        .env("GOLDILOCKS_HOME", &tree.home);
    // Without a target, what build scripts and the program both depend on would be compiled once for both.
    if machine.variable("CARGO_BUILD_TARGET").is_none() {
        cargo.env("CARGO_BUILD_TARGET", TARGET);
    }
    for (mode, variable, program) in [
        (Mode::C, "CC", "goldilocks-cc"),
        (Mode::Cxx, "CXX", "goldilocks-c++"),
    ] {
        let taken = named_compilers(variable)
            .iter()
            .any(|name| machine.variable(name).is_some());
        let program = tree.home.join("bin").join(program);
        let usable = machine.is_file(&program) && Compiler::find(machine, tree, mode, true).is_ok();
        if !taken && usable {
            cargo.env(format!("{variable}_{}", TARGET.replace('-', "_")), program);
        }
    }
}

/// The variables by which a user chooses the C compiler of build scripts.
fn named_compilers(variable: &str) -> [String; 4] {
    [
        format!("{variable}_{TARGET}"),
        format!("{variable}_{}", TARGET.replace('-', "_")),
        format!("TARGET_{variable}"),
        variable.to_owned(),
    ]
}

/// What cargo says of the workspace. `None` if it says nothing; then it will say what is wrong.
fn describe(machine: &dyn Machine, given: &[OsString]) -> Option<serde_json::Value> {
    let mut metadata = Command::new(cargo(machine));
    metadata.args(["metadata", "--no-deps", "--format-version=1", "--offline"]);
    metadata.args(own_options(given, &["--manifest-path", "--config", "-C"]));
    let output = metadata.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    serde_json::from_str(&text).ok()
}

/// Those of cargo's own words that are one of these options, with their values.
pub fn own_options<'a>(given: &'a [OsString], options: &[&str]) -> Vec<&'a OsString> {
    let mut found = Vec::new();
    let mut words = own_words(given).iter();
    while let Some(word) = words.next() {
        if let Some(option) = options.iter().find(|option| is(word, option)) {
            found.push(word);
            if word == OsStr::new(option) {
                found.extend(words.next());
            }
        }
    }
    found
}

/// Our own wrapper, of whatever version: a run within a run.
fn is_goldilocks_rustc(name: &OsStr) -> bool {
    Path::new(name)
        .file_name()
        .is_some_and(|name| name == "goldilocks-rustc")
}

/// What is for cargo and not for the program.
fn own_words(given: &[OsString]) -> &[OsString] {
    given.split(|word| word == "--").next().unwrap_or_default()
}

/// Whether a word is this option, with or without a value.
fn is(word: &OsString, option: &str) -> bool {
    let text = word.to_string_lossy();
    text == option || text.starts_with(&format!("{option}="))
}

/// The packages that cargo was told to take, by `-p`.
fn named_packages(given: &[OsString]) -> Vec<String> {
    let mut named = Vec::new();
    let mut words = own_words(given).iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if word == "-p" || word == "--package" {
            named.extend(words.next().map(|name| name.into_owned()));
        } else if let Some(name) = word
            .strip_prefix("--package=")
            .or_else(|| word.strip_prefix("-p").filter(|name| !name.is_empty()))
        {
            named.push(name.trim_start_matches('=').to_owned());
        }
    }
    named
}
