//! Starting other programs: what was run is part of every error.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The command as one could type it.
pub fn display(command: &Command) -> String {
    let mut text = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            text.push_str(&format!(
                "{}={} ",
                name.display(),
                quote(&value.to_string_lossy())
            ));
        }
    }
    text.push_str(&quote(&command.get_program().to_string_lossy()));
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&quote(&argument.to_string_lossy()));
    }
    text
}

/// A word as a shell takes it.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=/.,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Runs it with our own output streams; anything but success is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let text = display(command);
    let status = command
        .status()
        .with_context(|| format!("cannot run {text}"))?;
    if !status.success() {
        bail!("{status}: {text}");
    }
    Ok(())
}

/// Runs it and returns its standard output; anything but success is an error that contains its standard error.
pub fn stdout(command: &mut Command) -> Result<String> {
    let text = display(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {text}"))?;
    if !output.status.success() {
        bail!(
            "{}: {text}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("output of {text}"))
}

/// Whether it runs and succeeds; its output is dropped.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Cargo, the one that runs us.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(crate::layout::root())
        .stdin(Stdio::null());
    cargo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_displayed_command_can_be_pasted_into_a_shell() {
        let mut command = Command::new("/bin/echo");
        command.env("X", "a b").args(["-O2", "it's", ""]);
        assert_eq!(display(&command), r"X='a b' /bin/echo -O2 'it'\''s' ''");
    }

    #[test]
    fn failure_names_the_command_and_carries_its_complaint() {
        let error = stdout(Command::new("sh").args(["-c", "echo oops >&2; exit 3"]))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("exit status: 3") && error.contains("oops") && error.contains("sh -c"),
            "{error}"
        );
    }
}
