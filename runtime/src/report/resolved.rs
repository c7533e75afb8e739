//! A report with names: what the symbolizer has made of the addresses in a [`Race`], still without any layout.

use super::doctests;
use super::frames::{self, Line};
use super::libtest;
use super::model::{
    self, AccessDesc, AccessKind, Location, LockDesc, Member, ObjectDesc, Race, ReportKind,
    Sentence, Stack, StepKind, ThreadDesc, actor,
};
use super::render::rust;
use crate::symbolizer::{CodeInfo, DataInfo, Part as VariablePart, Symbolizer};

/// Where names come from; tests have their own.
pub trait Names {
    /// The function of the instruction at `address`.
    fn code(&mut self, address: usize) -> CodeInfo;
    /// The variable at `address`.
    fn data(&mut self, address: usize) -> DataInfo;
    /// Why names are missing.
    fn trouble(&self) -> Option<String>;
}

impl Names for Symbolizer {
    fn code(&mut self, address: usize) -> CodeInfo {
        doctests::code(Symbolizer::code(self, address))
    }
    fn data(&mut self, address: usize) -> DataInfo {
        doctests::data(Symbolizer::data(self, address))
    }
    fn trouble(&self) -> Option<String> {
        Symbolizer::trouble(self).map(ToString::to_string)
    }
}

/// A lock that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lock {
    pub addr: usize,
    /// `mu_a`, or `mutex 0x...` without a name.
    pub name: String,
    /// Whether it is a variable of a module, so that its name says which it is.
    pub is_global: bool,
    pub kind: &'static str,
    pub shared: bool,
    pub created_by: Option<u32>,
    pub creation: Vec<Line>,
}

/// An access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    pub kind: AccessKind,
    pub addr: usize,
    pub size: usize,
    pub thread: u32,
    /// `None` if the stack is not known.
    pub stack: Option<Vec<Line>>,
    /// `None` if not known.
    pub held: Option<Vec<Lock>>,
    /// Whether it was made by a signal handler, as far as known.
    pub in_handler: bool,
}

/// A variable of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub start: usize,
    /// 0 if not known.
    pub size: usize,
    /// Name of the module's file.
    pub module: String,
    /// Those that the address is in, outermost first; none if not known.
    pub parts: Vec<VariablePart>,
}

impl Global {
    /// The smallest part that has all of these bytes.
    pub fn part(&self, addr: usize, size: usize) -> Option<&VariablePart> {
        let start = (addr - self.start) as u64;
        let end = start + size as u64;
        let has = |part: &&VariablePart| part.start <= start && end <= part.start + part.size;
        self.parts.iter().rev().find(has)
    }

    /// What these bytes are called: `table[3].hits`, `bytes+2`.
    pub fn called(&self, addr: usize, size: usize) -> String {
        let part = self.part(addr, size);
        let path = part.map_or("", |part| part.path.as_str());
        let start = self.start + part.map_or(0, |part| part.start as usize);
        match addr - start {
            0 => format!("{}{path}", self.name),
            offset => format!("{}{path}+{offset}", self.name),
        }
    }
}

/// Whose memory it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Heap {
        start: usize,
        size: usize,
        thread: u32,
        stack: Vec<Line>,
    },
    Stack {
        thread: u32,
    },
    ThreadLocal {
        thread: u32,
    },
    Global(Global),
    File(i32),
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub number: u32,
    /// Of a task: the thread that ran it.
    pub runs_on: Option<u32>,
    pub name: String,
    pub finished: bool,
    pub is_fiber: bool,
    pub created_by: Option<u32>,
    pub creation: Vec<Line>,
}

/// A member of a Goldilockset or an object, by the name under which the report speaks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub thread: u32,
    pub what: StepKind,
    pub object: Option<String>,
    /// Where the thread did it.
    pub line: Option<Line>,
    /// Whether it was not a library that did it.
    pub direct: bool,
    pub added: Option<String>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub title: String,
    pub thread: Option<u32>,
    /// `None` if the stack is not known.
    pub stack: Option<Vec<Line>>,
    pub held: Option<Vec<Lock>>,
}

/// A report of something that is no race, complete, in names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: ReportKind,
    pub headline: String,
    pub pid: i32,
    /// What it is about, if that has a name.
    pub subject: Option<String>,
    /// The same, if it is a lock or the like.
    pub subject_lock: Option<Lock>,
    pub parts: Vec<Part>,
    pub place: Option<(usize, usize, Place)>,
    pub threads: Vec<Thread>,
    pub help: Option<String>,
    /// Why names are missing, if they are.
    pub trouble: Option<String>,
}

/// Finds the names.
pub fn resolve_finding(finding: &model::Finding, pid: i32, names: &mut dyn Names) -> Finding {
    let mut resolver = Resolver { names };
    let subject_lock = finding.subject.as_ref().map(|lock| resolver.lock(lock));
    let parts = finding.parts.iter().map(|part| resolver.part(part));
    let parts: Vec<Part> = parts.collect();
    let threads = finding.threads.iter().map(|thread| resolver.thread(thread));
    let mut threads: Vec<Thread> = threads.collect();
    let stacks = parts
        .iter()
        .filter_map(|part| Some((part.thread?, part.stack.as_deref()?)));
    libtest::complete(&mut threads, stacks);
    Finding {
        kind: finding.kind,
        headline: finding.headline.clone(),
        pid,
        parts,
        subject: subject_lock
            .as_ref()
            .filter(|lock| lock.is_global)
            .map(|lock| lock.name.clone()),
        subject_lock,
        place: finding
            .location
            .as_ref()
            .map(|(addr, size, location)| (*addr, *size, resolver.place(location, *addr))),
        threads,
        help: finding.help.as_ref().map(|help| resolver.sentence(help)),
        trouble: resolver.names.trouble(),
    }
}

/// A report of a race, complete, in names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub kind: ReportKind,
    pub pid: i32,
    pub current: Side,
    pub previous: Side,
    /// Ranges of address and length in bytes.
    pub racing: Vec<(usize, usize)>,
    pub place: Place,
    pub threads: Vec<Thread>,
    pub ownership: Option<Vec<Step>>,
    pub ownership_before: Option<Vec<String>>,
    pub ownership_truncated: bool,
    /// Why names are missing, if they are.
    pub trouble: Option<String>,
}

/// Finds the names.
pub fn resolve(kind: ReportKind, race: &Race, pid: i32, names: &mut dyn Names) -> Report {
    let mut resolver = Resolver { names };
    let current = resolver.side(&race.current);
    let previous = resolver.side(&race.previous);
    let ownership = race
        .ownership
        .as_ref()
        .map(|steps| steps.iter().map(|step| resolver.step(step)).collect());
    let ownership_before = race.ownership_before.as_ref().map(|members| {
        members
            .iter()
            .map(|member| resolver.member(member))
            .collect()
    });
    let place = resolver.place(&race.location, race.current.addr.max(race.previous.addr));
    let threads = race.threads.iter().map(|thread| resolver.thread(thread));
    let mut threads: Vec<Thread> = threads.collect();
    let allocated = match &place {
        Place::Heap { thread, stack, .. } => Some((*thread, stack.as_slice())),
        _ => None,
    };
    let sides = [&current, &previous].into_iter();
    let stacks = sides.filter_map(|side| Some((side.thread, side.stack.as_deref()?)));
    libtest::complete(&mut threads, stacks.chain(allocated));
    Report {
        kind,
        pid,
        place,
        threads,
        ownership,
        ownership_before,
        ownership_truncated: race.ownership_truncated,
        trouble: resolver.names.trouble(),
        racing: race.racing.clone(),
        current,
        previous,
    }
}

struct Resolver<'a> {
    names: &'a mut dyn Names,
}

impl Resolver<'_> {
    fn stack(&mut self, stack: &Stack) -> Vec<Line> {
        frames::trim(frames::expand(stack, self.names))
    }

    /// `None` if there is nothing to show.
    fn known_stack(&mut self, stack: &Option<Stack>) -> Option<Vec<Line>> {
        let stack = stack.as_ref().map(|stack| self.stack(stack));
        stack.filter(|stack| !stack.is_empty())
    }

    fn held(&mut self, held: &Option<Vec<LockDesc>>) -> Option<Vec<Lock>> {
        let locks = held.as_ref()?.iter().map(|lock| self.lock(lock));
        Some(locks.collect())
    }

    fn sentence(&mut self, sentence: &Sentence) -> String {
        let mut text = sentence.text.clone();
        for object in &sentence.objects {
            text = text.replacen("{}", &self.object(object), 1);
        }
        text
    }

    fn part(&mut self, part: &model::Part) -> Part {
        Part {
            title: self.sentence(&part.title),
            thread: part.thread,
            stack: self.known_stack(&part.stack),
            held: self.held(&part.held),
        }
    }

    fn side(&mut self, access: &AccessDesc) -> Side {
        let lines = access
            .stack
            .as_ref()
            .map(|stack| frames::expand(stack, self.names));
        let in_handler = lines.as_deref().is_some_and(frames::is_in_handler);
        Side {
            in_handler,
            kind: access.kind,
            addr: access.addr,
            size: access.size,
            thread: access.thread,
            stack: lines.map(frames::trim).filter(|lines| !lines.is_empty()),
            held: self.held(&access.held),
        }
    }

    fn lock(&mut self, lock: &LockDesc) -> Lock {
        Lock {
            addr: lock.addr,
            name: self.address_name(lock.addr, lock.kind),
            is_global: self.global(lock.addr).is_some(),
            kind: lock.kind,
            shared: lock.shared,
            created_by: lock.created_by,
            creation: lock
                .creation
                .as_ref()
                .map(|stack| self.stack(stack))
                .unwrap_or_default(),
        }
    }

    /// Name of the variable at `addr`, or else its kind and the address.
    fn address_name(&mut self, addr: usize, kind: &str) -> String {
        match self.global(addr) {
            Some(global) if global.start == addr => global.name,
            Some(global) => global.called(addr, 1),
            None if kind.is_empty() => format!("{addr:#x}"),
            None => format!("{kind} {addr:#x}"),
        }
    }

    fn global(&mut self, addr: usize) -> Option<Global> {
        let info = self.names.data(addr);
        let variable = info.variable?;
        let module = info.module.map(|(path, _)| path).unwrap_or_default();
        Some(Global {
            name: variable.name,
            start: variable.start as usize,
            size: variable.size as usize,
            module: module.rsplit('/').next().unwrap_or("").to_owned(),
            parts: variable.parts,
        })
    }

    fn object(&mut self, object: &ObjectDesc) -> String {
        object
            .name
            .clone()
            .unwrap_or_else(|| self.address_name(object.addr, object.kind))
    }

    fn member(&mut self, member: &Member) -> String {
        match member {
            Member::Thread(number) => actor(*number),
            Member::Object(object) => self.object(object),
            Member::ReleaseFence(number) => format!("release fence of {}", actor(*number)),
            Member::AcquireFence(number) => format!("acquire fence of {}", actor(*number)),
        }
    }

    fn step(&mut self, step: &super::model::Step) -> Step {
        // `expand` skips a 0.
        let lines = self.stack(&step.stack);
        let line = rust::line_of_event(&lines).cloned();
        let line = line.filter(|line| !line.file.is_empty());
        let added = step.added.as_ref().map(|member| self.member(member));
        let object = step.object.as_ref().map(|object| self.object(object));
        Step {
            thread: step.thread,
            what: step.what,
            object,
            line,
            direct: rust::is_direct(&lines),
            added,
        }
    }

    fn place(&mut self, location: &Location, addr: usize) -> Place {
        match location {
            Location::Heap {
                start,
                size,
                thread,
                stack,
            } => Place::Heap {
                start: *start,
                size: *size,
                thread: *thread,
                stack: stack
                    .as_ref()
                    .map(|stack| self.stack(stack))
                    .unwrap_or_default(),
            },
            Location::Stack { thread } => Place::Stack { thread: *thread },
            Location::ThreadLocal { thread } => Place::ThreadLocal { thread: *thread },
            Location::File(descriptor) => Place::File(*descriptor),
            Location::Unknown => self.global(addr).map_or(Place::Unknown, Place::Global),
        }
    }

    fn thread(&mut self, thread: &ThreadDesc) -> Thread {
        Thread {
            number: thread.number,
            runs_on: thread.runs_on,
            name: thread.name.clone(),
            finished: thread.finished,
            is_fiber: thread.is_fiber,
            created_by: thread.created_by,
            creation: self.stack(&thread.creation),
        }
    }
}

impl Report {
    /// Names of all functions, files and modules of both stacks, and of the variable: what suppressions look at.
    pub fn suppressible(&self, top_only: bool) -> Vec<&str> {
        let depth = if top_only { 1 } else { usize::MAX };
        let lines = [&self.current, &self.previous]
            .into_iter()
            .flat_map(|side| side.stack.iter().flatten().take(depth));
        let variable = match &self.place {
            Place::Global(global) => Some(global.name.as_str()),
            _ => None,
        };
        suppressible(lines, variable)
    }

    pub fn thread(&self, number: u32) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.number == number)
    }
}

impl Finding {
    /// Names of all functions, files and modules of all stacks, and of what it is about.
    pub fn suppressible(&self) -> Vec<&str> {
        let lines = self.parts.iter().flat_map(|part| &part.stack).flatten();
        suppressible(lines, self.subject.as_deref())
    }
}

fn suppressible<'a>(
    lines: impl Iterator<Item = &'a Line>,
    variable: Option<&'a str>,
) -> Vec<&'a str> {
    let names = lines.flat_map(|line| {
        let module = line.module.as_ref().map_or("", |(path, _)| path.as_str());
        [
            line.function.as_str(),
            line.signature.as_str(),
            line.file.as_str(),
            module,
        ]
    });
    names
        .chain(variable)
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
pub mod fake {
    //! Names for tests.

    use std::collections::BTreeMap;

    use super::*;
    use crate::symbolizer::{Frame, Variable};

    #[derive(Default)]
    pub struct FakeNames {
        code: BTreeMap<usize, Vec<Frame>>,
        data: Vec<Variable>,
        pub trouble: Option<String>,
    }

    impl FakeNames {
        /// The instruction before the return address `pc`; called repeatedly for inlined frames, innermost first.
        pub fn frame(
            &mut self,
            pc: usize,
            function: &str,
            file: &str,
            line: u32,
            column: u32,
        ) -> &mut FakeNames {
            let signature = String::new();
            let frame = Frame {
                function: function.into(),
                signature,
                file: file.into(),
                line,
                column,
            };
            self.code.entry(pc - 1).or_default().push(frame);
            self
        }
        pub fn variable(&mut self, name: &str, start: u64, size: u64) -> &mut FakeNames {
            self.data.push(Variable {
                name: name.into(),
                start,
                size,
                parts: Vec::new(),
            });
            self
        }
    }

    impl Names for FakeNames {
        fn code(&mut self, address: usize) -> CodeInfo {
            let module = Some(("/bin/prog".to_owned(), address as u64));
            CodeInfo {
                module,
                frames: self.code.get(&address).cloned().unwrap_or_default(),
            }
        }
        fn data(&mut self, address: usize) -> DataInfo {
            let address = address as u64;
            let variable = self
                .data
                .iter()
                .find(|v| v.start <= address && address < v.start + v.size);
            DataInfo {
                module: Some(("/bin/prog".to_owned(), address)),
                variable: variable.cloned(),
            }
        }
        fn trouble(&self) -> Option<String> {
            self.trouble.clone()
        }
    }
}
