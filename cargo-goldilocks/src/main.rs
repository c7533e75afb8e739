//! `cargo goldilocks`; called by another name, `goldilocks-rustc` or `goldilocks-rustdoc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_default();
    let name = name.to_string_lossy();
    let name = name.rsplit('/').next().unwrap_or_default();
    let arguments = arguments.collect();
    let outcome = match name {
        "goldilocks-rustc" => cargo_goldilocks::compiler::run(arguments),
        "goldilocks-rustdoc" => cargo_goldilocks::rustdoc::run(arguments),
        _ => cargo_goldilocks::cargo::run(arguments),
    };
    outcome.unwrap_or_else(|refusal| {
        let name = if name == "cargo-goldilocks" {
            "goldilocks"
        } else {
            name
        };
        refusal
            .lines("error")
            .iter()
            .for_each(|line| eprintln!("{name}: {line}"));
        ExitCode::FAILURE
    })
}
