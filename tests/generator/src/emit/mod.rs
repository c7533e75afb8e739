//! Programs as source text. Every line is known to belong to a turn, so that what a report names can be checked.

mod actions;
mod memory;
mod objects;
mod threads;

use crate::program::{Language, ObjectKind, PlaceKind, Program, Schedule, ThreadId};
use crate::verdict::TurnId;
use std::fmt::Write;

/// A program, and the schedules under which it runs.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub program: Program,
    pub schedules: Vec<Schedule>,
}

/// Whose a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    Nobody,
    Turn(usize, TurnId),
    /// The initializer of a once; whoever comes first runs it.
    Anyone(usize),
}

/// A compilation unit with several scenarios, which run one after the other.
pub struct Unit {
    pub source: String,
    /// By line, from 0.
    pub owners: Vec<Owner>,
}

pub fn emit(scenarios: &[Scenario]) -> Unit {
    let mut out = Lines::default();
    out.add("#include \"scenario.h\"", Owner::Nobody);
    for (number, scenario) in scenarios.iter().enumerate() {
        Emitter::new(number, scenario).scenario(&mut out);
    }
    out.add("int main(int count, char **arguments) {", Owner::Nobody);
    for (number, scenario) in scenarios.iter().enumerate() {
        let text = format!(
            "    for (int r = 0; r < {}; r++) if (wanted(count, arguments, {number}, r)) s{number}_run(r);",
            scenario.schedules.len()
        );
        out.add(&text, Owner::Nobody);
    }
    out.add("    return 0;", Owner::Nobody);
    out.add("}", Owner::Nobody);
    Unit {
        source: out.text,
        owners: out.owners,
    }
}

#[derive(Default)]
struct Lines {
    text: String,
    owners: Vec<Owner>,
}

impl Lines {
    fn add(&mut self, line: &str, owner: Owner) {
        self.text += line;
        self.text += "\n";
        self.owners.push(owner);
    }
    fn append(&mut self, other: Lines) {
        self.text += &other.text;
        self.owners.extend(other.owners);
    }
}

struct Emitter<'a> {
    number: usize,
    scenario: &'a Scenario,
    program: &'a Program,
    /// Functions that threads call; they come first.
    functions: Lines,
    /// Names given out.
    names: usize,
    owner: Owner,
    /// Whose locals can be named.
    inside: Option<ThreadId>,
}

impl<'a> Emitter<'a> {
    fn new(number: usize, scenario: &'a Scenario) -> Emitter<'a> {
        Emitter {
            number,
            scenario,
            program: &scenario.program,
            functions: Lines::default(),
            names: 0,
            owner: Owner::Nobody,
            inside: None,
        }
    }

    fn cpp(&self) -> bool {
        self.program.language == Language::Cpp
    }

    fn scenario(mut self, out: &mut Lines) {
        let s = self.number;
        for (number, place) in self.program.places.iter().enumerate() {
            let (bytes, alignment) = (place.bytes, place.alignment);
            let line = match place.kind {
                PlaceKind::Global => format!(
                    "static unsigned char s{s}_p{number}[{bytes}] __attribute__((aligned({alignment})));"
                ),
                PlaceKind::ThreadLocal(_) => format!(
                    "static __thread unsigned char s{s}_p{number}[{bytes}] __attribute__((aligned(8)));"
                ),
                _ => continue,
            };
            out.add(&line, Owner::Nobody);
        }
        for number in 0..self.program.objects.len() {
            for line in self.declare(number) {
                let owner = match self.program.objects[number] {
                    ObjectKind::Once { .. } => Owner::Anyone(s),
                    _ => Owner::Nobody,
                };
                out.add(&line, owner);
            }
        }
        let mut threads = Lines::default();
        // A thread is started by others, so it is declared before they are.
        for thread in 1..self.program.threads.len() {
            threads.add(&format!("{};", self.signature(thread)), Owner::Nobody);
        }
        for thread in 1..self.program.threads.len() {
            if self.program.threads[thread].turns.is_empty() {
                threads.add(
                    &format!("{} {{ (void)unused; return 0; }}", self.signature(thread)),
                    Owner::Nobody,
                );
            } else {
                self.thread(thread, &mut threads);
            }
        }
        self.main_thread(&mut threads);
        let mut declarations = Lines::default();
        std::mem::swap(&mut declarations, &mut self.functions);
        out.append(declarations);
        out.append(threads);
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn object(&self, number: usize) -> String {
        format!("s{}_o{number}", self.number)
    }
}

impl Scenario {
    /// The source of this scenario alone, with one of its schedules.
    pub fn alone(&self, run: usize) -> String {
        let one = Scenario {
            program: self.program.clone(),
            schedules: vec![self.schedules[run].clone()],
        };
        let mut text = String::from("// Positions of the turns, in order:");
        let mut next = vec![0; one.program.threads.len()];
        for &thread in &one.schedules[0] {
            let _ = write!(text, " T{thread}.{}", next[thread]);
            next[thread] += 1;
        }
        text + "\n" + &emit(&[one]).source
    }
}
