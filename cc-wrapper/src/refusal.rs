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

impl Refusal {
    /// The lines to print for it, each to follow the program's name; `kind` is `error` or `warning`. In the form of the
    /// compiler's own messages, so that tools which look for those find it.
    pub fn lines(&self, kind: &str) -> [String; 2] {
        [
            format!("{kind}: {}", self.reason),
            format!("note: {}", self.way_out),
        ]
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.reason, self.way_out)
    }
}
