//! Makes a failing trace small: takes away what it does not need to fail.

use goldilocks_core::trace::Trace;

/// The smallest trace found, by leaving out ever shorter runs of events, that could have happened and still `fails`.
pub fn shrink(trace: &Trace, fails: impl Fn(&Trace) -> bool) -> Trace {
    let mut best = trace.clone();
    let mut run = best.0.len().div_ceil(2);
    while run > 0 {
        let mut start = 0;
        let mut progress = false;
        while start < best.0.len() {
            let mut candidate = best.clone();
            candidate.0.drain(start..(start + run).min(best.0.len()));
            if candidate.check().is_ok() && fails(&candidate) {
                best = candidate;
                progress = true;
            } else {
                start += run;
            }
        }
        if !progress {
            run /= 2;
        }
    }
    best
}
