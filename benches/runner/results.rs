//! Medians, the table, and the file of all numbers.

use crate::measure::Run;
use crate::variant::Variant;

/// All rounds of one program; a round has a run for each of [`Variant::ALL`].
pub struct Row {
    name: String,
    rounds: Vec<Vec<Run>>,
}

impl Row {
    pub fn new(name: &str) -> Row {
        Row {
            name: name.to_owned(),
            rounds: Vec::new(),
        }
    }
    pub fn add(&mut self, round: Vec<Run>) {
        assert_eq!(round.len(), Variant::ALL.len(), "a run of each variant");
        self.rounds.push(round);
    }
    fn median(&self, variant: Variant, of: impl Fn(&Run) -> f64) -> f64 {
        median(
            self.rounds
                .iter()
                .map(|round| of(&round[index(variant)]))
                .collect(),
        )
    }
    /// Median of the ratios of two variants' runs of the same round.
    fn ratio(&self, above: Variant, below: Variant, of: impl Fn(&Run) -> f64) -> f64 {
        let ratios = self
            .rounds
            .iter()
            .map(|round| of(&round[index(above)]) / of(&round[index(below)]));
        median(ratios.collect())
    }
}

fn index(variant: Variant) -> usize {
    Variant::ALL
        .iter()
        .position(|v| *v == variant)
        .expect("it is one of all")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        (values[middle - 1] + values[middle]) / 2.0
    }
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| {
        (sum + value.ln(), count + 1)
    });
    (sum / f64::from(count)).exp()
}

fn cpu(run: &Run) -> f64 {
    // The clock ticks in microseconds: a run that used none counts as one, so that ratios stay finite.
    run.cpu.as_secs_f64().max(1e-6)
}
fn peak(run: &Run) -> f64 {
    run.peak.max(1) as f64
}

/// The table for the screen. `share` is Goldilocks' CPU time as a part of ThreadSanitizer's.
pub fn table(rows: &[Row]) -> String {
    use Variant::{Goldilocks, Native, ThreadSanitizer};
    let mut text = format!(
        "{:<18} {:>9} {:>11} {:>7} {:>7} | {:>9} {:>11} {:>7}\n",
        "CPU time, memory",
        "native s",
        "goldilocks",
        "tsan",
        "share",
        "native MB",
        "goldilocks",
        "tsan"
    );
    for row in rows {
        text.push_str(&format!(
            "{:<18} {:>9.3} {:>10.2}x {:>6.2}x {:>7.2} | {:>9.1} {:>10.2}x {:>6.2}x\n",
            row.name,
            row.median(Native, cpu),
            row.ratio(Goldilocks, Native, cpu),
            row.ratio(ThreadSanitizer, Native, cpu),
            row.ratio(Goldilocks, ThreadSanitizer, cpu),
            row.median(Native, peak) / 1024.0,
            row.ratio(Goldilocks, Native, peak),
            row.ratio(ThreadSanitizer, Native, peak),
        ));
    }
    let mean = |above, below, of: fn(&Run) -> f64| {
        geometric_mean(rows.iter().map(|row| row.ratio(above, below, of)))
    };
    text.push_str(&format!(
        "{:<18} {:>9} {:>10.2}x {:>6.2}x {:>7.2} | {:>9} {:>10.2}x {:>6.2}x\n",
        "geometric mean",
        "",
        mean(Goldilocks, Native, cpu),
        mean(ThreadSanitizer, Native, cpu),
        mean(Goldilocks, ThreadSanitizer, cpu),
        "",
        mean(Goldilocks, Native, peak),
        mean(ThreadSanitizer, Native, peak),
    ));
    text
}

/// Every run: seconds and KiB, in the order in which they were made.
pub fn json(rows: &[Row]) -> String {
    let run = |run: &Run| {
        format!(
            "{{\"cpu_s\": {:.6}, \"wall_s\": {:.6}, \"peak_kib\": {}}}",
            run.cpu.as_secs_f64(),
            run.wall.as_secs_f64(),
            run.peak
        )
    };
    let runs = |row: &Row, variant: Variant| {
        row.rounds
            .iter()
            .map(|round| run(&round[index(variant)]))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let workloads: Vec<String> = rows
        .iter()
        .map(|row| {
            let variants: Vec<String> = Variant::ALL
                .iter()
                .map(|variant| format!("      \"{}\": [{}]", variant.name(), runs(row, *variant)))
                .collect();
            format!("    \"{}\": {{\n{}\n    }}", row.name, variants.join(",\n"))
        })
        .collect();
    format!(
        "{{\n  \"version\": 1,\n  \"workloads\": {{\n{}\n  }}\n}}\n",
        workloads.join(",\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn run(milliseconds: u64, peak: u64) -> Run {
        Run {
            cpu: Duration::from_millis(milliseconds),
            wall: Duration::ZERO,
            peak,
        }
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        let mut row = Row::new("x");
        row.add(vec![run(10, 1), run(20, 3), run(40, 4)]);
        row.add(vec![run(100, 1), run(200, 3), run(400, 4)]);
        row.add(vec![run(10, 1), run(90, 3), run(40, 4)]);
        assert_eq!(row.ratio(Variant::Goldilocks, Variant::Native, cpu), 2.0);
        assert_eq!(
            row.ratio(Variant::ThreadSanitizer, Variant::Native, cpu),
            4.0
        );
        assert_eq!(row.median(Variant::Native, cpu), 0.01);
        assert_eq!(
            row.ratio(Variant::Goldilocks, Variant::ThreadSanitizer, peak),
            0.75
        );
    }

    #[test]
    fn medians_of_even_and_odd_counts() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
        assert!((geometric_mean([1.0, 4.0].into_iter()) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn every_run_is_in_the_file() {
        let mut row = Row::new("x");
        row.add(vec![run(10, 1), run(20, 2), run(30, 3)]);
        let text = json(&[row]);
        assert!(
            text.contains(
                "\"tsan\": [{\"cpu_s\": 0.030000, \"wall_s\": 0.000000, \"peak_kib\": 3}]"
            ),
            "{text}"
        );
    }
}
