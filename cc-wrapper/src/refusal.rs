//! Why something is not done, and what can be done instead.

use std::fmt;

/// A command line that is not carried out. Both sentences are for the user; neither ends in a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: String,
    /// What to do instead; never empty.
    pub way_out: String,
}

impl Refusal {
    pub fn new(reason: impl Into<String>, way_out: impl Into<String>) -> Refusal {
        Refusal {
            reason: reason.into(),
            way_out: way_out.into(),
        }
    }
}

impl fmt::Display for Refusal {
    /// In the form of the compiler's own messages, so that tools which look for `error:` find it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}\nnote: {}", self.reason, self.way_out)
    }
}
