//! Programs as source text. Every line is known to belong to a turn, so that what a report names can be checked.

use crate::program::{
    Action, AtomicForm, BITS, Blocking, Bytes, CopyForm, Deed, How, Language, LoopForm, ObjectKind,
    PlaceKind, Plain, Program, Schedule, Spawn, ThreadId,
};
use crate::verdict::TurnId;
use goldilocks_core::abi::Order;
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

    fn signature(&self, thread: ThreadId) -> String {
        let result = if self.program.threads[thread].spawn == Spawn::C11 {
            "int "
        } else {
            "void *"
        };
        format!("static {result}s{}_t{thread}(void *unused)", self.number)
    }

    fn declare(&self, number: usize) -> Vec<String> {
        let s = self.number;
        let o = format!("s{s}_o{number}");
        let kind = match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                "pthread_mutex_t"
            }
            ObjectKind::C11Mutex => "mtx_t",
            ObjectKind::StdMutex => "std::mutex",
            ObjectKind::Spin => "pthread_spinlock_t",
            ObjectKind::RwLock => "pthread_rwlock_t",
            ObjectKind::SharedMutex => "std::shared_mutex",
            ObjectKind::Semaphore => "sem_t",
            ObjectKind::Barrier(_) => "pthread_barrier_t",
            ObjectKind::StdBarrier(parties) => {
                return vec![format!("static std::barrier<> {o}{{{parties}}};")];
            }
            ObjectKind::Latch(_) => {
                return vec![format!("static std::optional<std::latch> {o};")];
            }
            ObjectKind::Once { offset } => {
                return vec![
                    format!("static pthread_once_t {o};"),
                    format!(
                        "static void {o}_init(void) {{ *(U8 *)(at(0) + {offset}) = (U8)opaque({number}); }}"
                    ),
                ];
            }
            ObjectKind::Pipe => return vec![format!("static int {o}[2];")],
            ObjectKind::EventFd => "int",
            ObjectKind::Annotated => "long",
            ObjectKind::Signal => return Vec::new(),
            ObjectKind::StdSemaphore => {
                return vec![format!("static std::counting_semaphore<> {o}{{0}};")];
            }
            ObjectKind::Condition => {
                return vec![
                    format!("static pthread_cond_t {o};"),
                    format!("static int {o}_flag;"),
                ];
            }
        };
        vec![format!("static {kind} {o};")]
    }

    fn set_up(&self, number: usize) -> String {
        let o = format!("s{}_o{number}", self.number);
        match self.program.objects[number] {
            ObjectKind::Mutex => format!("pthread_mutex_init(&{o}, 0);"),
            kind @ (ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex) => {
                let kind = if kind == ObjectKind::RecursiveMutex {
                    "RECURSIVE"
                } else {
                    "ERRORCHECK"
                };
                format!(
                    "{{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{kind}); pthread_mutex_init(&{o}, &a); }}"
                )
            }
            ObjectKind::C11Mutex => format!("mtx_init(&{o}, mtx_timed);"),
            ObjectKind::StdMutex | ObjectKind::SharedMutex => String::new(),
            ObjectKind::Spin => format!("pthread_spin_init(&{o}, 0);"),
            ObjectKind::RwLock => format!("pthread_rwlock_init(&{o}, 0);"),
            ObjectKind::Semaphore => format!("sem_init(&{o}, 0, 0);"),
            ObjectKind::StdBarrier(_) => String::new(),
            ObjectKind::Latch(parties) => format!("{o}.emplace({parties});"),
            ObjectKind::Barrier(parties) => format!("pthread_barrier_init(&{o}, 0, {parties});"),
            ObjectKind::Once { .. } => format!("{o} = PTHREAD_ONCE_INIT;"),
            ObjectKind::Pipe => format!("must(!pipe({o}));"),
            ObjectKind::EventFd => {
                format!("{o} = eventfd(0, EFD_SEMAPHORE); must({o} >= 0);")
            }
            ObjectKind::Annotated => String::new(),
            ObjectKind::Signal => format!("handle({number});"),
            ObjectKind::StdSemaphore => format!("while ({o}.try_acquire()) {{}}"),
            ObjectKind::Condition => {
                format!("pthread_cond_init(&{o}, 0); raise_flag(&{o}_flag, 0);")
            }
        }
    }

    fn take_down(&self, number: usize) -> String {
        let o = format!("s{}_o{number}", self.number);
        match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                format!("pthread_mutex_destroy(&{o});")
            }
            ObjectKind::C11Mutex => format!("mtx_destroy(&{o});"),
            ObjectKind::Spin => format!("pthread_spin_destroy(&{o});"),
            ObjectKind::RwLock => format!("pthread_rwlock_destroy(&{o});"),
            ObjectKind::Semaphore => format!("sem_destroy(&{o});"),
            ObjectKind::Barrier(_) => format!("pthread_barrier_destroy(&{o});"),
            ObjectKind::Pipe => format!("close({o}[0]); close({o}[1]);"),
            ObjectKind::EventFd => format!("close({o});"),
            ObjectKind::Condition => format!("pthread_cond_destroy(&{o});"),
            ObjectKind::StdMutex
            | ObjectKind::SharedMutex
            | ObjectKind::Once { .. }
            | ObjectKind::Signal
            | ObjectKind::StdSemaphore
            | ObjectKind::StdBarrier(_)
            | ObjectKind::Latch(_)
            | ObjectKind::Annotated => String::new(),
        }
    }

    /// Declarations of a thread's own places, and their publication.
    fn own_places(&self, thread: ThreadId, out: &mut Lines) {
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

    fn thread(&mut self, thread: ThreadId, out: &mut Lines) {
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

    fn main_thread(&mut self, out: &mut Lines) {
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
    fn bases(&self) -> Vec<usize> {
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

    fn turns(&mut self, thread: ThreadId, out: &mut Lines) {
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
    fn handled(&self, actions: &[Action]) -> usize {
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

    fn handler(&self, thread: ThreadId, turn: usize) -> String {
        format!("s{}_h{thread}_{turn}", self.number)
    }

    fn pointer(&self, bytes: Bytes) -> String {
        let Bytes { place, offset, .. } = bytes;
        let named = match self.program.places[place].kind {
            PlaceKind::Global => true,
            PlaceKind::Heap => false,
            PlaceKind::Stack(owner) | PlaceKind::ThreadLocal(owner) => self.inside == Some(owner),
        };
        if named {
            format!("(s{}_p{place} + {offset})", self.number)
        } else {
            format!("(at({place}) + {offset})")
        }
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn action(&mut self, action: &Action, depth: usize, out: &mut Lines) {
        let owner = self.owner;
        let indent = "    ".repeat(depth);
        let line = match action {
            Action::Repeat(times, body) => {
                let r = self.name();
                out.add(
                    &format!("{indent}for (long r{r} = 0, n{r} = opaque({times}); r{r} < n{r}; r{r}++) {{"),
                    owner,
                );
                for action in body {
                    self.action(action, depth + 1, out);
                }
                "}".to_owned()
            }
            Action::Branch {
                taken,
                then,
                otherwise,
            } => {
                out.add(&format!("{indent}if (opaque({})) {{", *taken as u8), owner);
                for action in then {
                    self.action(action, depth + 1, out);
                }
                out.add(&format!("{indent}}} else {{"), owner);
                for action in otherwise {
                    self.action(action, depth + 1, out);
                }
                "}".to_owned()
            }
            Action::Call { inlined, body } => {
                let function = self.name();
                let name = format!("s{}_f{function}", self.number);
                let attribute = if *inlined {
                    "always_inline"
                } else {
                    "noinline"
                };
                let inline = if *inlined { "inline " } else { "" };
                let mut function = Lines::default();
                function.add(
                    &format!("static {inline}__attribute__(({attribute})) long {name}(long v) {{"),
                    owner,
                );
                function.add("    long sum = 0;", owner);
                let inside = self.inside.take();
                for action in body {
                    self.action(action, 1, &mut function);
                }
                self.inside = inside;
                function.add("    (void)v; return sum;", owner);
                function.add("}", owner);
                self.functions.append(function);
                format!("sum += {name}(v);")
            }
            Action::Plain(plain) => self.plain(plain),
            Action::Atomic {
                bytes,
                form,
                order,
                typed,
            } => self.atomic(*bytes, *form, *order, *typed),
            Action::Fence(order) => format!("__atomic_thread_fence({});", builtin(*order)),
            Action::SignalFence => "__atomic_signal_fence(__ATOMIC_SEQ_CST);".to_owned(),
            Action::Allocate(place) => {
                let bytes = self.program.places[*place].bytes;
                format!("publish({place}, malloc({bytes}), {bytes});")
            }
            Action::Reallocate { from, to } => {
                let bytes = self.program.places[*to].bytes;
                format!("publish({to}, realloc(retract({from}), {bytes}), {bytes});")
            }
            Action::Free(place) => format!("free(retract({place}));"),
            Action::Stale(bytes) => {
                let Bytes {
                    place,
                    offset,
                    length,
                } = bytes;
                format!("sum += (long)*(const volatile U{length} *)(gone({place}) + {offset});")
            }
            Action::Lock(number, how) => self.lock(*number, *how),
            Action::Unlock(number) => self.unlock(*number),
            Action::ReadLock(number, how) => self.read_lock(*number, *how),
            Action::ReadUnlock(number) => match self.program.objects[*number] {
                ObjectKind::RwLock => format!("pthread_rwlock_unlock(&{});", self.object(*number)),
                _ => format!("{}.unlock_shared();", self.object(*number)),
            },
            Action::LockInVain(number) => self.lock_in_vain(*number),
            Action::Post(number) => self.post(*number),
            Action::Wait(number, how) => self.wait(*number, *how),
            Action::Once(number) => {
                let o = self.object(*number);
                format!("pthread_once(&{o}, {o}_init);")
            }
            Action::Fork(child) => self.fork(*child),
            Action::Join(child) => self.join(*child),
            Action::Signal(number) => {
                let o = self.object(*number);
                format!("raise_flag(&{o}_flag, 1); pthread_cond_signal(&{o});")
            }
            // It depends on the next turn; see `turns`.
            Action::Block(Blocking::Wait(number))
                if self.program.objects[*number] == ObjectKind::Signal =>
            {
                return;
            }
            Action::Block(on) => {
                let call = match *on {
                    Blocking::Lock(number) => self.lock(number, How::Plain),
                    Blocking::Wait(number) => self.wait(number, How::Plain),
                    Blocking::Join(child) => self.join(child),
                    Blocking::Barrier(number) => {
                        let o = self.object(number);
                        match self.program.objects[number] {
                            ObjectKind::StdBarrier(_) => format!("{o}.arrive_and_wait();"),
                            ObjectKind::Latch(_) => format!("{o}->arrive_and_wait();"),
                            _ => format!("pthread_barrier_wait(&{o});"),
                        }
                    }
                    Blocking::Condition { condition, mutex } => {
                        let (condition, mutex) = (self.object(condition), self.object(mutex));
                        format!(
                            "while (!raised(&{condition}_flag)) pthread_cond_wait(&{condition}, &{mutex}); raise_flag(&{condition}_flag, 0);"
                        )
                    }
                };
                format!("pass(); {call}")
            }
            Action::Wake(_) => return,
        };
        out.add(&format!("{indent}{line}"), owner);
    }

    fn plain(&mut self, plain: &Plain) -> String {
        match *plain {
            Plain::Scalar {
                deed,
                bytes,
                volatile,
            } => access(deed, &self.pointer(bytes), bytes.length, volatile),
            Plain::Loop {
                deed,
                bytes,
                count,
                stride,
                form,
            } => {
                let element = access(
                    deed,
                    &format!("(e + i * {})", stride * bytes.length),
                    bytes.length,
                    form == LoopForm::Volatile,
                );
                let p = self.pointer(bytes);
                let head = match form {
                    LoopForm::Counted => format!("for (long i = 0; i < {count}; i++)"),
                    LoopForm::Unknown | LoopForm::Volatile => {
                        format!("for (long i = 0, n = opaque({count}); i < n; i++)")
                    }
                    LoopForm::Downwards => {
                        format!("for (long i = opaque({count}) - 1; i >= 0; i--)")
                    }
                    LoopForm::Broken => format!("for (long i = 0, n = opaque({count}); ; i++)"),
                    LoopForm::Conditional => {
                        format!(
                            "for (long i = 0, n = opaque({count}), m = opaque(-1); i < n; i++) if (m >> i & 1)"
                        )
                    }
                };
                let end = if form == LoopForm::Broken {
                    " if (i + 1 == n) break;"
                } else {
                    ""
                };
                format!("{{ unsigned char *e = {p}; {head} {{ {element}{end} }} }}")
            }
            Plain::Copy { from, to, form } => {
                let (source, target, length) = (self.pointer(from), self.pointer(to), from.length);
                match form {
                    CopyForm::Constant => format!("memcpy({target}, {source}, {length});"),
                    CopyForm::Unknown => {
                        format!("memcpy({target}, {source}, (size_t)opaque({length}));")
                    }
                    CopyForm::Move => format!("memmove({target}, {source}, {length});"),
                    CopyForm::Struct => format!(
                        "{{ typedef struct {{ unsigned char b[{length}]; }} __attribute__((may_alias)) S; *(S *){target} = *(const S *){source}; }}"
                    ),
                    CopyForm::Loop { element } => format!(
                        "{{ unsigned char *to = {target}, *from = {source}; for (long i = 0, n = opaque({}); i < n; i++) ((U{element} *)to)[i] = ((const U{element} *)from)[i]; }}",
                        length / element
                    ),
                }
            }
            Plain::Fill { bytes, unknown } => {
                let (p, length) = (self.pointer(bytes), bytes.length);
                if unknown {
                    format!("memset({p}, (int)v, (size_t)opaque({length}));")
                } else {
                    format!("memset({p}, (int)v, {length});")
                }
            }
            Plain::Bits { deed, bytes, field } => {
                let place = format!("((Bits *){})->{}", self.pointer(bytes), BITS[field].0);
                match deed {
                    Deed::Load => format!("sum += (long){place};"),
                    Deed::Store => format!("{place} = (unsigned)v;"),
                    Deed::Update => format!("{place} += (unsigned)v;"),
                }
            }
            Plain::Padded { from, to } => {
                format!(
                    "*(Padded *){} = *(const Padded *){};",
                    self.pointer(to),
                    self.pointer(from)
                )
            }
        }
    }

    fn atomic(&self, bytes: Bytes, form: AtomicForm, order: Order, typed: bool) -> String {
        let size = bytes.length;
        let p = self.pointer(bytes);
        let o = builtin(order);
        if typed && form != AtomicForm::Or && !matches!(form, AtomicForm::CompareExchange { .. }) {
            let bits = size * 8;
            let m = format!("{}{}", if self.cpp() { "std::" } else { "" }, named(order));
            let value = format!("(uint{bits}_t)(v + 3)");
            let object = if self.cpp() {
                format!("std::atomic_ref<uint{bits}_t>(*(uint{bits}_t *){p})")
            } else {
                format!("(_Atomic uint{bits}_t *){p}")
            };
            return match (form, self.cpp()) {
                (AtomicForm::Load, true) => format!("sum += (long){object}.load({m});"),
                (AtomicForm::Load, false) => {
                    format!("sum += (long)atomic_load_explicit({object}, {m});")
                }
                (AtomicForm::Store, true) => format!("{object}.store({value}, {m});"),
                (AtomicForm::Store, false) => {
                    format!("atomic_store_explicit({object}, {value}, {m});")
                }
                (AtomicForm::Add, true) => {
                    format!("sum += (long){object}.fetch_add({value}, {m});")
                }
                (AtomicForm::Add, false) => {
                    format!("sum += (long)atomic_fetch_add_explicit({object}, {value}, {m});")
                }
                (_, true) => format!("sum += (long){object}.exchange({value}, {m});"),
                (_, false) => {
                    format!("sum += (long)atomic_exchange_explicit({object}, {value}, {m});")
                }
            };
        }
        let pointer = format!("(A{size} *){p}");
        let value = format!("(A{size})(v + 3)");
        match form {
            AtomicForm::Load => format!("sum += (long)__atomic_load_n({pointer}, {o});"),
            AtomicForm::Store => format!("__atomic_store_n({pointer}, {value}, {o});"),
            AtomicForm::Add => format!("__atomic_fetch_add({pointer}, {value}, {o});"),
            AtomicForm::Exchange => {
                format!("sum += (long)__atomic_exchange_n({pointer}, {value}, {o});")
            }
            AtomicForm::Or => format!("sum += (long)__sync_fetch_and_or({pointer}, {value});"),
            AtomicForm::CompareExchange { failure, succeeds } => format!(
                "{{ A{size} was = (A{size}){}peek({p}, {size}); must(__atomic_compare_exchange_n({pointer}, &was, {value}, 0, {o}, {}) == {}); }}",
                if succeeds { "" } else { "~" },
                builtin(failure),
                succeeds as u8
            ),
        }
    }

    fn object(&self, number: usize) -> String {
        format!("s{}_o{number}", self.number)
    }

    fn lock(&self, number: usize, how: How) -> String {
        let o = self.object(number);
        // What a condition's waiter still holds for a moment cannot be tried.
        let how = if number == 0 { How::Plain } else { how };
        match (self.program.objects[number], how) {
            (ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex, how) => {
                match how {
                    How::Plain => format!("pthread_mutex_lock(&{o});"),
                    How::Try => format!("must(pthread_mutex_trylock(&{o}) == 0);"),
                    How::Timed => format!("must(pthread_mutex_timedlock(&{o}, &far_away) == 0);"),
                }
            }
            (ObjectKind::C11Mutex, How::Plain) => format!("mtx_lock(&{o});"),
            (ObjectKind::C11Mutex, How::Try) => format!("must(mtx_trylock(&{o}) == thrd_success);"),
            (ObjectKind::C11Mutex, How::Timed) => {
                format!("must(mtx_timedlock(&{o}, &far_away) == thrd_success);")
            }
            (ObjectKind::Spin, How::Try) => format!("must(pthread_spin_trylock(&{o}) == 0);"),
            (ObjectKind::Spin, _) => format!("pthread_spin_lock(&{o});"),
            (ObjectKind::RwLock, How::Plain) => format!("pthread_rwlock_wrlock(&{o});"),
            (ObjectKind::RwLock, How::Try) => {
                format!("must(pthread_rwlock_trywrlock(&{o}) == 0);")
            }
            (ObjectKind::RwLock, How::Timed) => {
                format!("must(pthread_rwlock_timedwrlock(&{o}, &far_away) == 0);")
            }
            (_, How::Try) => format!("must({o}.try_lock());"),
            (_, _) => format!("{o}.lock();"),
        }
    }

    fn unlock(&self, number: usize) -> String {
        let o = self.object(number);
        match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                format!("pthread_mutex_unlock(&{o});")
            }
            ObjectKind::C11Mutex => format!("mtx_unlock(&{o});"),
            ObjectKind::Spin => format!("pthread_spin_unlock(&{o});"),
            ObjectKind::RwLock => format!("pthread_rwlock_unlock(&{o});"),
            _ => format!("{o}.unlock();"),
        }
    }

    fn read_lock(&self, number: usize, how: How) -> String {
        let o = self.object(number);
        match (self.program.objects[number], how) {
            (ObjectKind::RwLock, How::Plain) => format!("pthread_rwlock_rdlock(&{o});"),
            (ObjectKind::RwLock, How::Try) => {
                format!("must(pthread_rwlock_tryrdlock(&{o}) == 0);")
            }
            (ObjectKind::RwLock, How::Timed) => {
                format!("must(pthread_rwlock_timedrdlock(&{o}, &far_away) == 0);")
            }
            (_, How::Try) => format!("must({o}.try_lock_shared());"),
            (_, _) => format!("{o}.lock_shared();"),
        }
    }

    fn lock_in_vain(&self, number: usize) -> String {
        let o = self.object(number);
        match self.program.objects[number] {
            ObjectKind::Mutex | ObjectKind::RecursiveMutex | ObjectKind::ErrorCheckMutex => {
                format!("must(pthread_mutex_trylock(&{o}) == EBUSY);")
            }
            ObjectKind::C11Mutex => format!("must(mtx_trylock(&{o}) == thrd_busy);"),
            ObjectKind::Spin => format!("must(pthread_spin_trylock(&{o}) == EBUSY);"),
            ObjectKind::RwLock => format!("must(pthread_rwlock_tryrdlock(&{o}) == EBUSY);"),
            _ => format!("must(!{o}.try_lock());"),
        }
    }

    fn post(&self, number: usize) -> String {
        let o = self.object(number);
        match self.program.objects[number] {
            ObjectKind::Semaphore => format!("sem_post(&{o});"),
            ObjectKind::StdSemaphore => format!("{o}.release();"),
            ObjectKind::Pipe => format!("{{ char b = (char)v; must(write({o}[1], &b, 1) == 1); }}"),
            ObjectKind::EventFd => format!("{{ uint64_t b = 1; must(write({o}, &b, 8) == 8); }}"),
            ObjectKind::Signal => {
                format!("must(pthread_kill(who_expects({number}), SIGRTMIN + {number}) == 0);")
            }
            _ => format!("__tsan_release(&{o});"),
        }
    }

    fn wait(&self, number: usize, how: How) -> String {
        let o = self.object(number);
        match (self.program.objects[number], how) {
            (ObjectKind::Semaphore, How::Plain) => format!("must(sem_wait(&{o}) == 0);"),
            (ObjectKind::Semaphore, How::Try) => format!("must(sem_trywait(&{o}) == 0);"),
            (ObjectKind::Semaphore, How::Timed) => {
                format!("must(sem_timedwait(&{o}, &far_away) == 0);")
            }
            (ObjectKind::StdSemaphore, How::Plain) => format!("{o}.acquire();"),
            (ObjectKind::StdSemaphore, How::Try) => format!("must({o}.try_acquire());"),
            (ObjectKind::StdSemaphore, How::Timed) => {
                format!("must({o}.try_acquire_for(std::chrono::hours(1)));")
            }
            (ObjectKind::Pipe, _) => {
                format!("{{ char b; must(read({o}[0], &b, 1) == 1); sum += b; }}")
            }
            (ObjectKind::EventFd, _) => {
                format!("{{ uint64_t b; must(read({o}, &b, 8) == 8); sum += (long)b; }}")
            }
            _ => format!("__tsan_acquire(&{o});"),
        }
    }

    fn fork(&self, child: ThreadId) -> String {
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

    fn join(&self, child: ThreadId) -> String {
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

/// A statement that accesses `size` bytes at `pointer`.
fn access(deed: Deed, pointer: &str, size: usize, volatile: bool) -> String {
    let volatile = if volatile { "volatile " } else { "" };
    if size > 8 {
        let t = format!("V{size}");
        let lanes = size / 4;
        let sum: Vec<String> = (0..lanes).map(|lane| format!("x[{lane}]")).collect();
        let values: Vec<String> = (0..lanes).map(|lane| format!("(int)v + {lane}")).collect();
        return match deed {
            Deed::Load => format!(
                "{{ {t} x = *(const {volatile}{t} *){pointer}; sum += {}; }}",
                sum.join(" + ")
            ),
            Deed::Store => format!(
                "{{ {t} x = {{{}}}; *({volatile}{t} *){pointer} = x; }}",
                values.join(", ")
            ),
            Deed::Update => format!(
                "{{ {t} x = {{{}}}; *({volatile}{t} *){pointer} = *(const {volatile}{t} *){pointer} + x; }}",
                values.join(", ")
            ),
        };
    }
    match deed {
        Deed::Load => format!("sum += (long)*(const {volatile}U{size} *){pointer};"),
        Deed::Store => format!("*({volatile}U{size} *){pointer} = (U{size})(v + 5);"),
        Deed::Update => format!(
            "*({volatile}U{size} *){pointer} = (U{size})(*(const {volatile}U{size} *){pointer} + v);"
        ),
    }
}

fn builtin(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcqRel => "__ATOMIC_ACQ_REL",
        Order::SeqCst => "__ATOMIC_SEQ_CST",
    }
}

fn named(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
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
