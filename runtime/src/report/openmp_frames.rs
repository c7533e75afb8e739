//! Stacks of OpenMP programs as a reader wants them: without libomp's frames, and with the functions that the compiler has made
//! of regions and tasks called what they are.

use super::frames::Line;

/// Drops what is not the program's, as long as anything is left, and renames what the compiler has made of it.
pub fn trim(lines: &mut Vec<Line>) {
    if lines.iter().any(|line| !is_library(line)) {
        lines.retain(|line| !is_library(line));
    }
    let mut at = 0;
    while at < lines.len() {
        if let Some(name) = construct(&lines[at].function) {
            // With debug information, the compiler makes two or three functions of one construct, which call one another.
            while lines
                .get(at + 1)
                .is_some_and(|next| construct(&next.function).as_ref() == Some(&name))
                && is_wrapper(&lines[at + 1].function)
            {
                lines.remove(at + 1);
            }
            lines[at].signature.clear();
            lines[at].function = name;
        }
        at += 1;
    }
}

fn is_library(line: &Line) -> bool {
    let file = line
        .module
        .as_ref()
        .map_or("", |(path, _)| path.rsplit('/').next().unwrap_or(""));
    ["libomp.so", "libiomp5.so"]
        .iter()
        .any(|name| file.starts_with(name))
}

/// What the function is of: `parallel region of main`, `task`.
fn construct(function: &str) -> Option<String> {
    if function.starts_with(".omp_task_entry.") || function.starts_with(".omp_outlined.") {
        return Some("task".into());
    }
    let (of, _) = function.split_once(".omp_outlined")?;
    Some(format!("parallel region of {of}"))
}

/// Whether the function only calls the one that has the program's code.
fn is_wrapper(function: &str) -> bool {
    !function.contains("_debug__") && !function.starts_with(".omp_outlined.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(function: &str, module: &str) -> Line {
        Line {
            function: function.into(),
            module: Some((module.into(), 0)),
            ..Line::default()
        }
    }

    fn trimmed(functions: &[(&str, &str)]) -> Vec<String> {
        let mut lines: Vec<Line> = functions.iter().map(|(f, m)| line(f, m)).collect();
        trim(&mut lines);
        lines.into_iter().map(|line| line.function).collect()
    }

    #[test]
    fn constructs_have_names_and_the_library_is_left_out() {
        let program = "/a/program";
        let library = "/usr/lib/libomp.so.5";
        assert_eq!(
            trimmed(&[
                ("add", program),
                ("main.omp_outlined_debug__", program),
                ("main.omp_outlined", program),
                ("__kmp_invoke_microtask", library),
                ("", library),
                ("main", program),
            ]),
            ["add", "parallel region of main", "main"]
        );
        assert_eq!(
            trimmed(&[
                (".omp_outlined..1", program),
                (".omp_task_entry..3", program),
                ("", library),
            ]),
            ["task"]
        );
        // Region within region, both without debug information.
        assert_eq!(
            trimmed(&[
                ("f.omp_outlined.2", program),
                ("f.omp_outlined_debug__", program)
            ])
            .len(),
            2
        );
        assert_eq!(trimmed(&[("", library)]), [""]);
    }
}
