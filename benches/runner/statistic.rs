//! Medians and the like.

/// The middle one, or the mean of the middle two. There is at least one value.
pub fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        (values[middle - 1] + values[middle]) / 2.0
    }
}

/// The smallest and the largest of at least one value.
pub fn spread(values: &[f64]) -> (f64, f64) {
    let bounds = (f64::INFINITY, f64::NEG_INFINITY);
    values
        .iter()
        .fold(bounds, |(low, high), v| (low.min(*v), high.max(*v)))
}

/// Of positive values; none if there are none.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_even_and_odd_counts() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0]), 2.5);
        assert_eq!(spread(&[3.0, 1.0, 2.0]), (1.0, 3.0));
    }

    #[test]
    fn geometric_means() {
        let mean = geometric_mean(&[1.0, 4.0]).unwrap();
        assert!((mean - 2.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
