//! The actions of a turn, and those inside of them.

use super::memory::builtin;
use super::{Emitter, Lines};
use crate::program::{Action, Blocking, Bytes, How, ObjectKind};

impl Emitter<'_> {
    pub(super) fn action(&mut self, action: &Action, depth: usize, out: &mut Lines) {
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
}
