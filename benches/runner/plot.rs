//! Dots on a logarithmic axis, one row for each workload, as SVG.

use std::fmt::Write;

/// One chart. Rows come from top to bottom; a dot's series says its colour.
pub struct Chart {
    pub title: String,
    /// What the axis has.
    pub unit: String,
    pub series: Vec<String>,
    pub rows: Vec<Row>,
    /// Values with a line of their own.
    pub marks: Vec<f64>,
}

pub struct Row {
    pub label: String,
    /// A value for each series, where there is one.
    pub values: Vec<Option<f64>>,
}

const COLOURS: [&str; 6] = [
    "#0b6e4f", "#d1495b", "#8d6a9f", "#edae49", "#30638e", "#003d5b",
];
const LABELS: f64 = 190.0;
const AXIS: f64 = 560.0;
const ROW: f64 = 18.0;
const HEAD: f64 = 64.0;
const FOOT: f64 = 40.0;
const MARGIN: f64 = 20.0;

/// The part of the axis that is shown: powers of ten, or their doubles and halves, around all values.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(chart: &Chart) -> Scale {
        let values = chart
            .rows
            .iter()
            .flat_map(|row| row.values.iter().flatten());
        let (mut low, mut high) = (1.0f64, 1.0f64);
        for value in values.chain(&chart.marks) {
            low = low.min(*value);
            high = high.max(*value);
        }
        Scale {
            low: low.max(0.01) / 1.1,
            high: high * 1.1,
        }
    }

    /// What is left of the axis is drawn at its left end.
    fn place(&self, value: f64) -> f64 {
        let share = (value.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        LABELS + AXIS * share
    }

    /// Round numbers within it: 1, 2 and 5 times the powers of ten.
    fn ticks(&self) -> Vec<f64> {
        let mut ticks = Vec::new();
        for power in -3..6 {
            for step in [1.0, 2.0, 5.0] {
                let tick = step * 10f64.powi(power);
                if (self.low..=self.high).contains(&tick) {
                    ticks.push(tick);
                }
            }
        }
        ticks
    }
}

pub fn svg(chart: &Chart) -> String {
    let scale = Scale::of(chart);
    let (width, bottom) = (LABELS + AXIS + MARGIN, HEAD + ROW * chart.rows.len() as f64);
    let mut text = String::new();
    let mut line = |part: String| {
        let _ = writeln!(text, "{part}");
    };
    line(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{0}\" viewBox=\"0 0 {width} {0}\" \
         font-family=\"sans-serif\" font-size=\"12\">",
        bottom + FOOT
    ));
    line("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>".to_owned());
    line(format!(
        "<text x=\"{MARGIN}\" y=\"22\" font-size=\"15\">{}</text>",
        escaped(&chart.title)
    ));
    for (number, name) in chart.series.iter().enumerate() {
        let x = LABELS + 90.0 * number as f64;
        line(dot(x, 42.0, number));
        line(format!(
            "<text x=\"{}\" y=\"46\">{}</text>",
            x + 9.0,
            escaped(name)
        ));
    }
    for tick in scale.ticks() {
        let x = scale.place(tick);
        line(rule(x, bottom, "#e4e4e4", ""));
        line(format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{tick}</text>",
            bottom + 16.0
        ));
    }
    for mark in &chart.marks {
        line(rule(
            scale.place(*mark),
            bottom,
            "#444",
            " stroke-dasharray=\"4 3\"",
        ));
    }
    line(format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{}</text>",
        LABELS + AXIS,
        bottom + 32.0,
        escaped(&chart.unit)
    ));
    for (number, row) in chart.rows.iter().enumerate() {
        let y = HEAD + ROW * (number as f64 + 0.5);
        line(format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LABELS - 10.0,
            y + 4.0,
            escaped(&row.label)
        ));
        for (series, value) in row.values.iter().enumerate() {
            if let Some(value) = value {
                line(dot(scale.place(*value), y, series));
            }
        }
    }
    line("</svg>".to_owned());
    text
}

fn dot(x: f64, y: f64, series: usize) -> String {
    let colour = COLOURS[series % COLOURS.len()];
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\" fill-opacity=\"0.85\"/>")
}

fn rule(x: f64, bottom: f64, colour: &str, more: &str) -> String {
    format!(
        "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{colour}\"{more}/>",
        HEAD - 6.0
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        Chart {
            title: "a < b".to_owned(),
            unit: "times".to_owned(),
            series: vec!["x".to_owned(), "y".to_owned()],
            rows: vec![Row {
                label: "row".to_owned(),
                values: vec![Some(2.0), None],
            }],
            marks: vec![8.0],
        }
    }

    #[test]
    fn a_dot_for_each_value_that_is_there_and_each_series() {
        let text = svg(&chart());
        assert_eq!(text.matches("<circle").count(), 2 + 1);
        assert_eq!(text.matches("stroke-dasharray").count(), 1);
        assert!(text.contains("a &lt; b") && text.ends_with("</svg>\n"));
    }

    #[test]
    fn the_axis_is_logarithmic_and_holds_all_values() {
        let scale = Scale::of(&chart());
        assert!(scale.place(8.0) < LABELS + AXIS && scale.place(1.0) > LABELS);
        let step = scale.place(4.0) - scale.place(2.0);
        assert!((scale.place(8.0) - scale.place(4.0) - step).abs() < 1e-9);
        assert_eq!(scale.ticks(), [1.0, 2.0, 5.0]);
    }
}
