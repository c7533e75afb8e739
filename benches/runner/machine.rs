//! What it was measured on, and with.

use std::process::Command;

use crate::tool::Tool;

/// Names and values, as far as they can be found out.
pub fn facts(tools: &[Tool]) -> Vec<(String, String)> {
    let mut facts = vec![
        ("processor".to_owned(), processor()),
        ("memory".to_owned(), memory()),
        ("kernel".to_owned(), first_line("uname", &["-sr"])),
        (
            "goldilocks".to_owned(),
            first_line("git", &["log", "-1", "--format=%h of %cs"]),
        ),
    ];
    for tool in tools {
        let version = match tool {
            Tool::ThreadSanitizer | Tool::Gcc => {
                let compiler = tool.compiler(false);
                first_line(&compiler.to_string_lossy(), &["--version"])
            }
            Tool::Helgrind | Tool::Drd => first_line("valgrind", &["--version"]),
            Tool::Native | Tool::Goldilocks => continue,
        };
        facts.push((tool.name().to_owned(), version));
    }
    facts
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown", |rest| rest.trim_start_matches([' ', '\t', ':']));
    let count = std::thread::available_parallelism().map_or(0, |count| count.get());
    format!("{model}, {count} of its processors")
}

fn memory() -> String {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .and_then(|number| number.parse::<u64>().ok());
    kilobytes.map_or("unknown".to_owned(), |k| format!("{} GiB", k >> 20))
}

fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = text.unwrap_or_default().lines().next().map(str::to_owned);
    line.unwrap_or("unknown".to_owned())
}
