//! Atomic instructions in assembly that is written into C: spin locks, counters and lists of programs that are older than C11, or that want to know best.
//!
//! Recognized is a statement with one instruction that goes to memory, by an operand of its own, and without jumps: an exchange, whatever has a
//! `lock`, or a `mov` to or from memory; and one that is nothing but a fence, `mfence` or a locked instruction that leaves the top of the stack
//! as it is. By the processor's rules (Intel SDM volume 3, 9.2) what is locked is sequentially consistent, a load acquires and a store
//! releases; if the statement clobbers memory, the compiler keeps them so. Everything else in assembly is not seen.

use goldilocks_core::abi::{AtomicKind, AtomicOp, Order};

use super::work::{Atomic, Work};
use super::{Length, List, Selector};
use crate::llvm::{Syntax, Value};

/// What a statement does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Operation {
    kind: AtomicKind,
    /// Number of the argument that points there.
    argument: u32,
    /// As the instruction's suffix says it; 0 if it has none.
    bytes: u8,
}

/// Instructions that may be locked.
const LOCKABLE: [&str; 10] = [
    "add", "sub", "inc", "dec", "and", "or", "xor", "not", "xadd", "cmpxchg",
];

impl<'m> Selector<'m, '_> {
    /// A load or a store past the caches.
    pub(super) fn streamed(&mut self, call: Value<'m>, list: &mut List<'m, '_>) {
        if let Some((text, constraints)) = call.assembly(Syntax::Intel)
            && let Some((argument, bytes, write)) = streamed(text, constraints)
        {
            let length = Length::Known(bytes);
            self.range(call, call.operand(argument), length, 1, write, list);
        }
    }

    pub(super) fn assembly(&mut self, call: Value<'m>, list: &mut List<'m, '_>) {
        if !self.options.atomics {
            return;
        }
        let Some((text, constraints)) = call.assembly(Syntax::Att) else {
            return;
        };
        if is_fence(text) && operands(constraints).is_some() {
            list.stats.fences += 1;
            list.works.push(Work::Fence(call, Order::SeqCst));
            return;
        }
        let Some(operation) = operation(text, constraints) else {
            return;
        };
        let address = call.operand(operation.argument);
        let bytes = match operation.bytes {
            0 => call
                .argument_type_attribute(operation.argument, self.element_type)
                .map_or(0, |ty| ty.store_size(self.module)),
            bytes => bytes.into(),
        };
        if !address.ty().is_pointer() || ![1, 2, 4, 8, 16].contains(&bytes) {
            return;
        }
        if self.exempt(address) {
            list.stats.exempt += 1;
            return;
        }
        list.stats.atomics += 1;
        list.works.push(Work::Atomic(Atomic {
            instruction: call,
            address,
            operation: AtomicOp {
                kind: operation.kind,
                size: bytes as u8,
                order: match operation.kind {
                    AtomicKind::Load => Order::Acquire,
                    AtomicKind::Store => Order::Release,
                    _ => Order::SeqCst,
                },
                failure: Order::Relaxed,
            },
        }));
    }
}

/// An operand of a statement.
#[derive(Clone, Copy)]
struct Operand {
    /// It is in memory, where the argument says.
    is_memory: bool,
    /// Number of the argument that it is; none for what only comes out.
    argument: Option<u32>,
}

/// The one operation on memory of a statement; none if it is not recognized.
fn operation(text: &str, constraints: &str) -> Option<Operation> {
    let operands = operands(constraints)?;
    let mut found = None;
    // In `{att|intel}`, and behind a label, may be anything.
    let text = without_modifiers(text)?;
    if text.contains(['{', '}', '|', ':']) {
        return None;
    }
    let mut is_locked = false;
    for statement in text.split(['\n', ';']) {
        let statement = statement.split('#').next().unwrap_or_default().trim();
        let (mut mnemonic, mut rest) = first_word(statement);
        if mnemonic == "lock" {
            is_locked = true;
            (mnemonic, rest) = first_word(rest);
        }
        if mnemonic.is_empty() {
            continue;
        }
        let locked = std::mem::take(&mut is_locked);
        if !locked && is_load_beside(mnemonic, rest) {
            continue;
        }
        if ["j", "call", "loop", "rep", "."]
            .iter()
            .any(|start| mnemonic.starts_with(start))
        {
            return None;
        }
        let Some((place, of_places, argument)) = memory(rest, &operands)? else {
            continue;
        };
        let (name, bytes) = stem(mnemonic);
        let kind = match name {
            "xchg" => AtomicKind::ReadModifyWrite,
            _ if locked && LOCKABLE.contains(&name) => AtomicKind::ReadModifyWrite,
            "mov" if !locked && of_places == 2 && place == 0 => AtomicKind::Load,
            "mov" if !locked && of_places == 2 => AtomicKind::Store,
            _ => return None,
        };
        if found.is_some() {
            return None;
        }
        found = Some(Operation {
            kind,
            argument,
            bytes,
        });
    }
    found
}

/// The argument that says where, the bytes, and whether they are written, if a statement is a load or a store past the caches, as Rust's library writes its functions
/// for these (`core::arch::x86_64::_mm_stream_si128`): a plain access.
fn streamed(text: &str, constraints: &str) -> Option<(u32, u64, bool)> {
    let (mnemonic, places) = first_word(text);
    let write = match mnemonic.strip_prefix('v').unwrap_or(mnemonic) {
        "movntdq" | "movntpd" | "movntps" | "movnti" => true,
        "movntdqa" => false,
        _ => return None,
    };
    let (first, second) = places.split_once(',')?;
    let (memory, register) = if write {
        (first, second)
    } else {
        (second, first)
    };
    let inner = |place: &'_ str, before: &str, after: &str| {
        let inner = place.trim().strip_prefix(before)?.strip_suffix(after)?;
        let (number, part) = inner.split_once(':')?;
        Some((number.parse::<usize>().ok()?, part.to_owned()))
    };
    let (number, _) = inner(memory, "[${", "}]")?;
    let (_, part) = inner(register, "${", "}")?;
    let bytes = match part.as_str() {
        "k" => 4,
        "q" => 8,
        "x" => 16,
        "t" => 32,
        "g" => 64,
        _ => return None,
    };
    let argument = operands(constraints)?.get(number)?.argument?;
    Some((argument, bytes, write))
}

/// Whether an instruction only reads what a register points to, some bytes further: what is to be compared, before a locked instruction on something else.
fn is_load_beside(mnemonic: &str, operands: &str) -> bool {
    let is_further = |place: &str| {
        let place = place.trim();
        let offset = place
            .strip_suffix(')')
            .and_then(|place| place.split_once('('));
        offset.is_some_and(|(offset, register)| {
            register.starts_with('$')
                && !offset.is_empty()
                && offset.bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    let Some((from, to)) = operands.rsplit_once(',') else {
        return false;
    };
    stem(mnemonic).0 == "mov" && is_further(from) && to.trim().starts_with('%')
}

/// Whether a statement is a fence, and nothing else.
fn is_fence(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(['\n', ';', '\t', ' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    match words[..] {
        ["mfence"] => true,
        ["lock", instruction, nothing, place] => {
            let top = ["(%rsp)", "(%esp)"].iter().any(|top| place.ends_with(top));
            ["addl", "addq", "orl", "orq", "addb", "orb"].contains(&instruction)
                && ["$$0", "$$0x0"].contains(&nothing)
                && top
        }
        _ => false,
    }
}

/// The operands that the text of a statement calls by numbers; none if it may go elsewhere, or does not clobber memory.
fn operands(constraints: &str) -> Option<Vec<Operand>> {
    let mut operands = Vec::new();
    let (mut arguments, mut clobbers_memory) = (0, false);
    for constraint in constraints.split(',') {
        if constraint.starts_with('!') {
            return None;
        }
        if let Some(clobber) = constraint.strip_prefix('~') {
            clobbers_memory |= clobber == "{memory}";
            continue;
        }
        let is_output = constraint.starts_with('=');
        let is_memory = constraint
            .trim_start_matches(['=', '&', '+'])
            .starts_with('*');
        let argument = (!is_output || is_memory).then_some(arguments);
        arguments += argument.is_some() as u32;
        operands.push(Operand {
            is_memory,
            argument,
        });
    }
    clobbers_memory.then_some(operands)
}

/// The text with operands that are written `${0:b}`, as one of their parts, as `$0`.
fn without_modifiers(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, modified)) = rest.split_once("${") {
        let (operand, after) = modified.split_once('}')?;
        let number = operand.split(':').next().unwrap_or_default();
        plain.push_str(before);
        plain.push('$');
        plain.push_str(number);
        rest = after;
    }
    plain.push_str(rest);
    Some(plain)
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], &text[end..])
}

/// An instruction without the suffix that says how many bytes it takes, and these.
fn stem(mnemonic: &str) -> (&str, u8) {
    let is_known = |name: &str| ["xchg", "mov"].contains(&name) || LOCKABLE.contains(&name);
    if is_known(mnemonic) {
        return (mnemonic, 0);
    }
    [
        ("8b", 8),
        ("16b", 16),
        ("b", 1),
        ("w", 2),
        ("l", 4),
        ("q", 8),
    ]
    .into_iter()
    .find_map(|(suffix, bytes)| Some((mnemonic.strip_suffix(suffix)?, bytes)))
    .filter(|(name, _)| is_known(name))
    .unwrap_or((mnemonic, 0))
}

/// What of an instruction's operands is in memory: which one, of how many, and the argument that says where; `Some(None)` if nothing is. None if that is not
/// known.
fn memory(text: &str, operands: &[Operand]) -> Option<Option<(usize, usize, u32)>> {
    let places: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut found = None;
    for (place, &written) in places.iter().enumerate() {
        let (name, is_dereferenced) = match written.strip_prefix('(') {
            Some(inner) => (inner.strip_suffix(')')?.trim(), true),
            None if written.contains('(') => return None,
            None => (written, false),
        };
        // `$$1` is a constant, `%rax` a register.
        let number = name
            .strip_prefix('$')
            .and_then(|digits| digits.parse::<usize>().ok());
        let Some(number) = number else {
            if is_dereferenced || !(name.starts_with(['%', '$']) || name.is_empty()) {
                return None;
            }
            continue;
        };
        let operand = operands.get(number)?;
        if operand.is_memory || is_dereferenced {
            if found.is_some() || operand.is_memory && is_dereferenced {
                return None;
            }
            found = Some((place, places.len(), operand.argument?));
        }
    }
    Some(found)
}
