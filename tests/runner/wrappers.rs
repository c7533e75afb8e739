//! A user's own wrapper around rustc goes on being called, wherever it is named, and what is compiled is checked.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::compiled::FINDING;
use crate::project::{Project, check};

/// Where a wrapper is named, and whether it is for the crates of the workspace only.
const NAMED: [(&str, &str); 6] = [
    ("variable", "RUSTC_WRAPPER"),
    ("variable", "RUSTC_WORKSPACE_WRAPPER"),
    ("variable", "CARGO_BUILD_RUSTC_WRAPPER"),
    ("file", "rustc-wrapper"),
    ("file", "rustc-workspace-wrapper"),
    ("option", "rustc-wrapper"),
];

pub fn are_called(project: &Project) -> Result<(), String> {
    let trouble = |error: std::io::Error| error.to_string();
    let folder = project.root.join("tools");
    fs::create_dir_all(project.root.join(".cargo")).map_err(trouble)?;
    fs::create_dir_all(&folder).map_err(trouble)?;
    let (script, log) = (folder.join("wrapper"), folder.join("log"));
    let text = format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display());
    fs::write(&script, text).map_err(trouble)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).map_err(trouble)?;
    let configuration = project.root.join(".cargo/config.toml");
    for (place, name) in NAMED {
        let _ = fs::remove_file(&log);
        let _ = fs::remove_file(&configuration);
        // Nothing that another wrapper's run has left.
        let _ = fs::remove_dir_all(project.root.join("target/goldilocks"));
        // Relative to the folder that has `.cargo` in it.
        let entry = format!("build.{name} = \"tools/wrapper\"");
        let mut command = match place {
            "option" => {
                let mut command = project.goldilocks("run --quiet --config");
                command.args([&entry, "--", "racy"]);
                command
            }
            _ => project.goldilocks("run --quiet -- racy"),
        };
        match place {
            "variable" => {
                command.env(name, &script);
            }
            "file" => fs::write(&configuration, entry + "\n").map_err(trouble)?,
            _ => {}
        }
        let outcome = project.run(&mut command)?;
        check(
            outcome.exit == FINDING,
            &format!("{place} {name}"),
            &outcome,
        )?;
        let calls = fs::read_to_string(&log).unwrap_or_default();
        let program = calls
            .lines()
            .find(|line| line.contains("--crate-name whole ") && line.contains("src/main.rs"));
        let checked =
            program.is_some_and(|line| line.contains("rustc ") && line.contains("-Zllvm-plugins="));
        check(
            checked,
            &format!("{place} {name}: not called for the program:\n{calls}"),
            &outcome,
        )?;
        let script = calls
            .lines()
            .any(|line| line.contains("build_script_build") && !line.contains("-Zllvm-plugins"));
        check(
            script,
            &format!("{place} {name}: not called for the build script:\n{calls}"),
            &outcome,
        )?;
    }
    let _ = fs::remove_file(&configuration);
    Ok(())
}
