//! Threads: their functions, how they start and end, and the order of their turns.

use super::{Emitter, Lines, Owner};
use crate::program::{Action, Blocking, ObjectKind, PlaceKind, Spawn, ThreadId};

impl Emitter<'_> {
    pub(super) fn signature(&self, thread: ThreadId) -> String {
        let result = if self.program.threads[thread].spawn == Spawn::C11 {
            "int "
        } else {
            "void *"
        };
        format!("static {result}s{}_t{thread}(void *unused)", self.number)
    }

    /// Declarations of a thread's own places, and their publication.
    pub(super) fn own_places(&self, thread: ThreadId, out: &mut Lines) {
        for (number, place) in self.program.places.iter().enumerate() {
            let (s, bytes) = (self.number, place.bytes);
            if place.kind == PlaceKind::Stack(thread) {
                out.add(
                    &format!(
                        "    unsigned char s{s}_p{number}[{bytes}] __attribute__((aligned(8)));"
                    ),
                    Owner::Nobody,
                );
            } else if place.kind != PlaceKind::ThreadLocal(thread) {
                continue;
            }
            out.add(
                &format!("    publish({number}, s{s}_p{number}, {bytes});"),
                Owner::Nobody,
            );
        }
    }

    pub(super) fn thread(&mut self, thread: ThreadId, out: &mut Lines) {
        out.add(&format!("{} {{", self.signature(thread)), Owner::Nobody);
        out.add("    long v, sum = 0; (void)unused;", Owner::Nobody);
        self.own_places(thread, out);
        self.turns(thread, out);
        let description = &self.program.threads[thread];
        let end = if description.exits {
            "pthread_exit(0);"
        } else {
            "return 0;"
        };
        out.add(
            &format!("    sem_post(&threads_done); {end}"),
            Owner::Nobody,
        );
        out.add("}", Owner::Nobody);
    }

    pub(super) fn main_thread(&mut self, out: &mut Lines) {
        let s = self.number;
        let nobody = Owner::Nobody;
        let total = self.program.turns();
        let bases = self.bases();
        let rows: Vec<String> = self
            .scenario
            .schedules
            .iter()
            .map(|schedule| {
                let mut positions = vec![0; total.max(1)];
                let mut next = bases.clone();
                for (position, &thread) in schedule.iter().enumerate() {
                    positions[next[thread]] = position;
                    next[thread] += 1;
                }
                let texts: Vec<String> = positions.iter().map(ToString::to_string).collect();
                format!("{{{}}}", texts.join(","))
            })
            .collect();
        out.add(
            &format!(
                "static const unsigned short s{s}_orders[{}][{}] = {{{}}};",
                rows.len(),
                total.max(1),
                rows.join(", ")
            ),
            nobody,
        );
        out.add(
            &format!("static __attribute__((noinline)) void s{s}_run(int run) {{"),
            nobody,
        );
        out.add("    long v, sum = 0;", nobody);
        out.add(
            &format!("    begin({s}, run, s{s}_orders[run]); sem_init(&threads_done, 0, 0);"),
            nobody,
        );
        for number in 0..self.program.objects.len() {
            out.add(&format!("    {}", self.set_up(number)), nobody);
        }
        for (number, place) in self.program.places.iter().enumerate() {
            if place.kind == PlaceKind::Global {
                out.add(
                    &format!("    publish({number}, s{s}_p{number}, {});", place.bytes),
                    nobody,
                );
            }
        }
        self.own_places(0, out);
        self.turns(0, out);
        out.add(&format!("    finish({total});"), nobody);
        let started = self
            .program
            .threads
            .iter()
            .skip(1)
            .filter(|thread| !thread.turns.is_empty())
            .count();
        out.add(
            &format!("    for (int i = 0; i < {started}; i++) sem_wait(&threads_done);"),
            nobody,
        );
        // Everything is ordered before this, so bytes that have raced are in order again.
        for (number, place) in self.program.places.iter().enumerate() {
            let line = match place.kind {
                PlaceKind::Global | PlaceKind::Stack(0) | PlaceKind::ThreadLocal(0) => {
                    format!(
                        "    memset(s{s}_p{number}, 0, (size_t)opaque({}));",
                        place.bytes
                    )
                }
                PlaceKind::Heap => format!("    free(retract({number}));"),
                _ => continue,
            };
            out.add(&line, nobody);
        }
        for number in 0..self.program.objects.len() {
            out.add(&format!("    {}", self.take_down(number)), nobody);
        }
        out.add(
            "    sem_destroy(&threads_done); consume(sum); (void)v;",
            nobody,
        );
        out.add("}", nobody);
    }

    /// Index of the first turn of each thread among all turns.
    pub(super) fn bases(&self) -> Vec<usize> {
        let mut base = 0;
        self.program
            .threads
            .iter()
            .map(|thread| {
                base += thread.turns.len();
                base - thread.turns.len()
            })
            .collect()
    }

    pub(super) fn turns(&mut self, thread: ThreadId, out: &mut Lines) {
        let base = self.bases()[thread];
        let program = self.program;
        for (number, actions) in program.threads[thread].turns.iter().enumerate() {
            self.owner = Owner::Turn(self.number, (thread, number));
            self.inside = Some(thread);
            let constant = 1 + self.number * 977 + thread * 131 + number * 17;
            let begin = format!("turn({});", base + number);
            let handled = self.handled(actions);
            if handled == 0 {
                out.add(&format!("    {begin} v = opaque({constant});"), self.owner);
            } else {
                // The turn begins in the handler, which the thread has run when it gets here.
                out.add(&format!("    v = opaque({constant});"), self.owner);
                let name = self.handler(thread, number);
                let mut function = Lines::default();
                function.add(&format!("static void {name}(void) {{"), self.owner);
                function.add("    long v, sum = 0;", self.owner);
                function.add(&format!("    {begin} v = opaque({constant});"), self.owner);
                let inside = self.inside.take();
                for action in &actions[1..handled] {
                    self.action(action, 1, &mut function);
                }
                self.inside = inside;
                function.add("    consume(sum); (void)v;", self.owner);
                function.add("}", self.owner);
                self.functions.append(function);
            }
            for action in &actions[handled..] {
                self.action(action, 1, out);
            }
            if let Some(Action::Block(Blocking::Wait(object))) = actions.last()
                && program.objects[*object] == ObjectKind::Signal
            {
                let name = match program.threads[thread].turns.get(number + 1) {
                    Some(_) => self.handler(thread, number + 1),
                    None => "0".to_owned(),
                };
                out.add(
                    &format!("    {{ int seen = expect_signal({object}, {name}); pass(); await_signal({object}, seen); }}"),
                    self.owner,
                );
            }
            let passed = matches!(actions.last(), Some(Action::Block(_)));
            let pass = if passed { "" } else { " pass();" };
            out.add(&format!("    consume(sum);{pass}"), self.owner);
            self.inside = None;
            self.owner = Owner::Nobody;
        }
    }

    /// How many actions of a turn a signal handler makes: the end of the wait, and a few accesses.
    pub(super) fn handled(&self, actions: &[Action]) -> usize {
        let Some(Action::Wake(Blocking::Wait(object))) = actions.first() else {
            return 0;
        };
        if self.program.objects[*object] != ObjectKind::Signal {
            return 0;
        }
        let accesses = actions[1..]
            .iter()
            .take_while(|action| matches!(action, Action::Plain(_) | Action::Atomic { .. }));
        1 + accesses.take(3).count()
    }

    pub(super) fn handler(&self, thread: ThreadId, turn: usize) -> String {
        format!("s{}_h{thread}_{turn}", self.number)
    }

    pub(super) fn fork(&self, child: ThreadId) -> String {
        let function = format!("s{}_t{child}", self.number);
        let detached = self.program.threads[child].detached;
        match self.program.threads[child].spawn {
            Spawn::Pthread => {
                let then = if detached {
                    "must(pthread_detach(h) == 0);".to_owned()
                } else {
                    format!("keep({child}, (long)h);")
                };
                format!(
                    "{{ pthread_t h; must(pthread_create(&h, 0, {function}, 0) == 0); {then} }}"
                )
            }
            Spawn::C11 => {
                let then = if detached {
                    "must(thrd_detach(h) == thrd_success);".to_owned()
                } else {
                    format!("keep({child}, (long)h);")
                };
                format!(
                    "{{ thrd_t h; must(thrd_create(&h, {function}, 0) == thrd_success); {then} }}"
                )
            }
            Spawn::Joining if detached => {
                format!("std::jthread({function}, nullptr).detach();")
            }
            Spawn::Joining => {
                format!("keep({child}, (long)new std::jthread({function}, nullptr));")
            }
            Spawn::Std if detached => format!("std::thread({function}, nullptr).detach();"),
            Spawn::Std => format!("keep({child}, (long)new std::thread({function}, nullptr));"),
        }
    }

    pub(super) fn join(&self, child: ThreadId) -> String {
        match self.program.threads[child].spawn {
            Spawn::Pthread => format!("must(pthread_join((pthread_t)kept({child}), 0) == 0);"),
            Spawn::C11 => format!("must(thrd_join((thrd_t)kept({child}), 0) == thrd_success);"),
            Spawn::Joining => format!("delete (std::jthread *)kept({child});"),
            Spawn::Std => {
                format!("{{ std::thread *h = (std::thread *)kept({child}); h->join(); delete h; }}")
            }
        }
    }
}
