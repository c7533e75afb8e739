//! `goldilocks doctor`: looks at the installation, and at a program, for what would make a run without reports mean
//! nothing, and says what to do about it.

pub mod elf;
pub mod installation;
pub mod program;
pub mod trial;

use std::fmt;

/// How good a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    Fine,
    /// Worth knowing; races can be missed or falsely reported in some part of the program.
    Note,
    /// Races will not be found, or nothing will run.
    Bad,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub grade: Grade,
    pub text: String,
    /// What to do about it; empty if it is fine.
    pub advice: String,
}

impl Finding {
    pub fn fine(text: impl Into<String>) -> Finding {
        Finding {
            grade: Grade::Fine,
            text: text.into(),
            advice: String::new(),
        }
    }
    pub fn note(text: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding {
            grade: Grade::Note,
            text: text.into(),
            advice: advice.into(),
        }
    }
    pub fn bad(text: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding {
            grade: Grade::Bad,
            text: text.into(),
            advice: advice.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = match self.grade {
            Grade::Fine => "ok  ",
            Grade::Note => "note",
            Grade::Bad => "BAD ",
        };
        write!(f, "  {grade}  {}", self.text)?;
        self.advice
            .lines()
            .try_for_each(|line| write!(f, "\n        {line}"))
    }
}

/// The worst grade among findings.
pub fn worst(findings: &[Finding]) -> Grade {
    findings
        .iter()
        .map(|finding| finding.grade)
        .max()
        .unwrap_or(Grade::Fine)
}
