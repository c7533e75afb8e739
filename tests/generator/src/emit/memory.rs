//! Accesses: plain ones in the shapes that programs have, and atomic ones in those of each language.

use super::Emitter;
use crate::program::{AtomicForm, BITS, Bytes, CopyForm, Deed, LoopForm, PlaceKind, Plain};
use goldilocks_core::abi::Order;

impl Emitter<'_> {
    pub(super) fn plain(&mut self, plain: &Plain) -> String {
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

    pub(super) fn atomic(
        &self,
        bytes: Bytes,
        form: AtomicForm,
        order: Order,
        typed: bool,
    ) -> String {
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

    pub(super) fn pointer(&self, bytes: Bytes) -> String {
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

pub(super) fn builtin(order: Order) -> &'static str {
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
