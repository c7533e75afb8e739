//! The text form of a trace: printer and parser, inverse to each other.

use super::{Action, Atomic, Range, Trace, TraceEvent};
use crate::abi::Order;
use crate::event::Access;
use std::fmt;
use std::str::{FromStr, SplitWhitespace};

/// Why a text is no trace, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// From 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for SyntaxError {}

const ORDERS: [(Order, &str); 5] = [
    (Order::Relaxed, "relaxed"),
    (Order::Acquire, "acquire"),
    (Order::Release, "release"),
    (Order::AcqRel, "acq_rel"),
    (Order::SeqCst, "seq_cst"),
];

fn name(order: Order) -> &'static str {
    ORDERS
        .iter()
        .find(|(o, _)| *o == order)
        .map_or("", |(_, name)| name)
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} {}", self.addr, self.bytes)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Access(Access::Read, range) => write!(f, "read {range}"),
            Action::Access(Access::Write, range) => write!(f, "write {range}"),
            Action::Access(Access::AtomicRead, range) => write!(f, "atomic_read {range}"),
            Action::Access(Access::AtomicWrite, range) => write!(f, "atomic_write {range}"),
            Action::Alloc(range) => write!(f, "alloc {range}"),
            Action::Free(range) => write!(f, "free {range}"),
            Action::Lock(object) => write!(f, "lock {object}"),
            Action::Unlock(object) => write!(f, "unlock {object}"),
            Action::ReadLock(object) => write!(f, "rdlock {object}"),
            Action::ReadUnlock(object) => write!(f, "rdunlock {object}"),
            Action::WriteLock(object) => write!(f, "wrlock {object}"),
            Action::WriteUnlock(object) => write!(f, "wrunlock {object}"),
            Action::Post(object) => write!(f, "post {object}"),
            Action::Wait(object) => write!(f, "wait {object}"),
            Action::Enter {
                barrier,
                generation,
                parties,
            } => {
                write!(f, "enter {barrier} {generation} {parties}")
            }
            Action::Leave {
                barrier,
                generation,
            } => write!(f, "leave {barrier} {generation}"),
            Action::Atomic(object, Atomic::Load(order)) => {
                write!(f, "load {object} {}", name(order))
            }
            Action::Atomic(object, Atomic::Store(order)) => {
                write!(f, "store {object} {}", name(order))
            }
            Action::Atomic(object, Atomic::ReadModifyWrite(order)) => {
                write!(f, "rmw {object} {}", name(order))
            }
            Action::Atomic(
                object,
                Atomic::CompareExchange {
                    success,
                    failure,
                    succeeded,
                },
            ) => {
                let outcome = if succeeded { "ok" } else { "failed" };
                write!(
                    f,
                    "cas {object} {} {} {outcome}",
                    name(success),
                    name(failure)
                )
            }
            Action::Fence(order) => write!(f, "fence {}", name(order)),
            Action::Fork(child) => write!(f, "fork T{child}"),
            Action::End => write!(f, "end"),
            Action::Join(child) => write!(f, "join T{child}"),
            Action::Destroy(object) => write!(f, "destroy {object}"),
        }
    }
}

impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "T{} {}{}",
            self.thread,
            self.action,
            if self.races { " !" } else { "" }
        )
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|event| writeln!(f, "{event}"))
    }
}

impl FromStr for Trace {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Trace, SyntaxError> {
        let mut events = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or("").trim();
            if !content.is_empty() {
                let event = content.parse().map_err(|message| SyntaxError {
                    line: index + 1,
                    message,
                })?;
                events.push(event);
            }
        }
        Ok(Trace(events))
    }
}

impl FromStr for TraceEvent {
    type Err = String;

    fn from_str(line: &str) -> Result<TraceEvent, String> {
        let mut words = Words {
            rest: line.split_whitespace(),
        };
        let thread = words.thread()?;
        let action = words.action()?;
        let races = match words.rest.next() {
            None => false,
            Some("!") if action.access().is_some() => true,
            Some("!") => return Err("only an access can race".into()),
            Some(other) => return Err(format!("`{other}` is too much")),
        };
        match words.rest.next() {
            None => Ok(TraceEvent {
                thread,
                action,
                races,
            }),
            Some(other) => Err(format!("`{other}` is too much")),
        }
    }
}

struct Words<'a> {
    rest: SplitWhitespace<'a>,
}

impl<'a> Words<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.rest.next().ok_or_else(|| format!("{what} is missing"))
    }

    fn thread(&mut self) -> Result<u32, String> {
        let word = self.next("a thread")?;
        word.strip_prefix('T')
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| format!("`{word}` is no thread (T0, T1, ...)"))
    }

    fn number(&mut self, what: &str) -> Result<u64, String> {
        let word = self.next(what)?;
        let number = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        };
        number.ok_or_else(|| format!("`{word}` is no number"))
    }

    fn object(&mut self) -> Result<u64, String> {
        self.number("an object")
    }

    fn range(&mut self) -> Result<Range, String> {
        let (addr, bytes) = (self.number("an address")?, self.number("a size")?);
        if bytes == 0 || addr.checked_add(bytes).is_none() {
            return Err(format!("{bytes} bytes at {addr:#x} are no range"));
        }
        Ok(Range { addr, bytes })
    }

    fn order(&mut self) -> Result<Order, String> {
        let word = self.next("a memory order")?;
        let found = ORDERS.iter().find(|(_, name)| *name == word);
        found
            .map(|(order, _)| *order)
            .ok_or_else(|| format!("`{word}` is no memory order"))
    }

    fn action(&mut self) -> Result<Action, String> {
        Ok(match self.next("an action")? {
            "read" => Action::Access(Access::Read, self.range()?),
            "write" => Action::Access(Access::Write, self.range()?),
            "atomic_read" => Action::Access(Access::AtomicRead, self.range()?),
            "atomic_write" => Action::Access(Access::AtomicWrite, self.range()?),
            "alloc" => Action::Alloc(self.range()?),
            "free" => Action::Free(self.range()?),
            "lock" => Action::Lock(self.object()?),
            "unlock" => Action::Unlock(self.object()?),
            "rdlock" => Action::ReadLock(self.object()?),
            "rdunlock" => Action::ReadUnlock(self.object()?),
            "wrlock" => Action::WriteLock(self.object()?),
            "wrunlock" => Action::WriteUnlock(self.object()?),
            "post" => Action::Post(self.object()?),
            "wait" => Action::Wait(self.object()?),
            "enter" => Action::Enter {
                barrier: self.object()?,
                generation: self.number("a generation")?,
                parties: self.number("the number of parties")?,
            },
            "leave" => Action::Leave {
                barrier: self.object()?,
                generation: self.number("a generation")?,
            },
            "load" => Action::Atomic(self.object()?, Atomic::Load(self.order()?)),
            "store" => Action::Atomic(self.object()?, Atomic::Store(self.order()?)),
            "rmw" => Action::Atomic(self.object()?, Atomic::ReadModifyWrite(self.order()?)),
            "cas" => Action::Atomic(
                self.object()?,
                Atomic::CompareExchange {
                    success: self.order()?,
                    failure: self.order()?,
                    succeeded: match self.next("`ok` or `failed`")? {
                        "ok" => true,
                        "failed" => false,
                        other => return Err(format!("`{other}` is neither `ok` nor `failed`")),
                    },
                },
            ),
            "fence" => Action::Fence(self.order()?),
            "fork" => Action::Fork(self.thread()?),
            "end" => Action::End,
            "join" => Action::Join(self.thread()?),
            "destroy" => Action::Destroy(self.object()?),
            other => return Err(format!("`{other}` is no action")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_survives_the_round_trip() {
        let text = "T0 fork T1\nT0 read 0x10 1\nT1 write 0x11 2 !\nT0 atomic_read 0x1 16\nT0 atomic_write 0x2 4 !\n\
            T0 alloc 0x1000 64\nT0 free 0x1000 64 !\nT0 lock 1\nT0 unlock 1\nT0 rdlock 2\nT0 rdunlock 2\nT0 wrlock 2\n\
            T0 wrunlock 2\nT0 post 3\nT0 wait 3\nT0 enter 4 0 2\nT0 leave 4 0\nT0 load 5 acquire\nT0 store 5 release\n\
            T0 rmw 5 relaxed\nT0 cas 5 seq_cst acquire ok\nT0 cas 5 acq_rel relaxed failed\nT0 fence acq_rel\nT1 end\n\
            T0 join T1\nT0 destroy 5\n";
        let trace: Trace = text.parse().unwrap();
        assert_eq!(trace.0.len(), 26);
        assert_eq!(trace.to_string(), text);
    }

    #[test]
    fn comments_and_blank_lines_are_skipped_but_counted() {
        let trace: Trace = "# nothing\n\nT0 lock 1 # taken\n  \t\nT0 unlock 1"
            .parse()
            .unwrap();
        assert_eq!(trace.0.len(), 2);
        let error = "# nothing\n\nT0 lok 1".parse::<Trace>().unwrap_err();
        assert_eq!(error.to_string(), "line 3: `lok` is no action");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (line, message) in [
            ("0 lock 1", "`0` is no thread (T0, T1, ...)"),
            ("T0", "an action is missing"),
            ("T0 lock", "an object is missing"),
            ("T0 lock m", "`m` is no number"),
            ("T0 lock 1 2", "`2` is too much"),
            ("T0 lock 1 !", "only an access can race"),
            ("T0 read 0x10 1 ! !", "`!` is too much"),
            ("T0 read 0x10 0", "0 bytes at 0x10 are no range"),
            (
                "T0 read 0xffffffffffffffff 2",
                "2 bytes at 0xffffffffffffffff are no range",
            ),
            ("T0 load 1 consume", "`consume` is no memory order"),
            (
                "T0 cas 1 relaxed relaxed maybe",
                "`maybe` is neither `ok` nor `failed`",
            ),
            ("T0 fork 1", "`1` is no thread (T0, T1, ...)"),
        ] {
            let error = line.parse::<Trace>().unwrap_err();
            assert_eq!((error.line, error.message.as_str()), (1, message), "{line}");
        }
    }
}
