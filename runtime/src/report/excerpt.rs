//! Which steps of a story that is too long are told.

/// At most `most` of `count` steps, as indices in their order: the first ones, and up to `own` of the last that `is_own` says are of the thread that the
/// story is told to. What that did wrong is among these, and what others did in between is seldom part of it.
pub fn excerpt(
    count: usize,
    (most, own): (usize, usize),
    is_own: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let late = (most - own).min(count)..count;
    let mut told: Vec<usize> = late
        .rev()
        .filter(|&index| is_own(index))
        .take(own)
        .collect();
    let others = (0..count).filter(|index| !told.contains(index));
    let first: Vec<usize> = others.take(most - told.len()).collect();
    told.extend(first);
    told.sort_unstable();
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of stories of every length, which are told as if two threads took turns in them in many ways.
    #[test]
    fn the_first_steps_are_told_and_the_last_ones_of_the_thread() {
        const MOST: usize = 16;
        const OWN: usize = 4;
        let mut pattern = 1u32;
        for count in (0..100).cycle().take(2000) {
            pattern = pattern.rotate_left(3).wrapping_mul(0x9e37_79b1);
            let is_own = |index: usize| pattern.rotate_left(7) & pattern & 1 << (index % 32) != 0;
            let told = excerpt(count, (MOST, OWN), is_own);
            assert_eq!(told.len(), count.min(MOST));
            assert!(told.is_sorted_by(|a, b| a < b), "{told:?}");
            let first = (MOST - OWN).min(count);
            assert!(told.iter().copied().take(first).eq(0..first), "{told:?}");
            let last = (0..count).rev().filter(|&index| is_own(index)).take(OWN);
            assert!(last.clone().all(|index| told.contains(&index)), "{told:?}");
        }
    }
}
