//! Which edge of the call graph a return address belongs to: the function that calls, and the one that is called. A loop over the children of a node is mostly unrolled,
//! and a function that goes down a tree calls itself for each child: such calls return to many places, and are one edge.

use crate::contexts::MAX_DEPTH;
use crate::sites::mix;
use crate::unwind;
use goldilocks_core::fast_hash::FastMap;

/// Of a call of a function by name: its first byte, and its length.
const CALL: (u8, usize) = (0xe8, 5);

/// What one thread has asked so far. A library in the place of one that was unloaded may be taken for that; then a stack may lack a call.
#[derive(Default)]
pub(super) struct Edges(FastMap<usize, u64>);

impl Edges {
    /// The edge of the call that returns there: of one by a pointer, or in a function without an unwind table, that address.
    pub(super) fn of(&mut self, returns_to: usize) -> u64 {
        let edge = || edge(returns_to).unwrap_or(returns_to as u64);
        *self.0.entry(returns_to).or_insert_with(edge)
    }

    /// Moves to the beginning of a stack, innermost first and of at most [`MAX_DEPTH`] return addresses, that of each edge where it is innermost; how many
    /// these are. A recursion has as many stacks as it has calls, but few of these.
    pub(super) fn once_each(&mut self, calls: &mut [usize]) -> usize {
        let mut edges = [0; MAX_DEPTH];
        let mut kept = 0;
        for index in 0..calls.len() {
            let call = calls[index];
            let edge = self.of(call);
            if !edges[..kept].contains(&edge) {
                (calls[kept], edges[kept]) = (call, edge);
                kept += 1;
            }
        }
        kept
    }
}

fn edge(returns_to: usize) -> Option<u64> {
    let caller = unwind::function_of(returns_to)?;
    let (call, length) = CALL;
    let at = returns_to.checked_sub(length).filter(|&at| at >= caller)? as *const u8;
    // SAFETY: in a function that is being run, before where a call in it returns to.
    let (first, offset) = unsafe { (at.read(), at.add(1).cast::<i32>().read_unaligned()) };
    let callee = returns_to.wrapping_add_signed(offset as isize);
    (first == call).then(|| mix(mix(0, caller as u64), callee as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::arch::global_asm;

    // One that calls itself from two places, and the next one from two, and that by a pointer from two.
    global_asm!(
        ".type goldilocks_test_edges, @function",
        "goldilocks_test_edges:",
        ".cfi_startproc",
        "call goldilocks_test_edges",
        "0: call goldilocks_test_edges",
        "1: call goldilocks_test_edge",
        "2: call goldilocks_test_edge",
        "3: call *%rax",
        "4: call *%rax",
        "5: ret",
        ".cfi_endproc",
        ".type goldilocks_test_edge, @function",
        "goldilocks_test_edge:",
        ".cfi_startproc",
        "call goldilocks_test_edge",
        "6: ret",
        ".cfi_endproc",
        ".section .data.rel.ro, \"aw\"",
        ".balign 8",
        "goldilocks_test_returns:",
        ".quad 0b, 1b, 2b, 3b, 4b, 5b, 6b",
        ".text",
        options(att_syntax)
    );
    unsafe extern "C" {
        #[link_name = "goldilocks_test_returns"]
        static RETURNS: [usize; 7];
    }

    fn once_each(calls: &[usize]) -> Vec<usize> {
        let mut calls = calls.to_vec();
        let kept = Edges::default().once_each(&mut calls);
        calls.truncate(kept);
        calls
    }

    #[test]
    fn of_a_recursion_each_call_is_left_once() {
        assert_eq!(once_each(&[1, 2, 3]), [1, 2, 3]);
        assert_eq!(once_each(&[1, 5, 6, 5, 6, 6, 5, 9]), [1, 5, 6, 9]);
        assert_eq!(once_each(&[1, 1, 1]), [1]);
        assert_eq!(once_each(&[]), []);
    }

    #[test]
    fn calls_of_one_function_by_another_are_one_edge() {
        // SAFETY: numbers.
        let [a, b, c, d, e, f, g] = unsafe { RETURNS };
        let mut edges = Edges::default();
        let of = [a, b, c, d, e, f, g].map(|call| edges.of(call));
        assert!(of[0] == of[1] && of[2] == of[3]);
        assert_eq!((of[4], of[5]), (e as u64, f as u64), "by a pointer");
        let different: std::collections::HashSet<u64> = of.into_iter().collect();
        assert_eq!(different.len(), 5);
        assert_eq!(
            once_each(&[b, a, c, d, b, e, f, e, g, c, 7]),
            [b, c, e, f, g, 7]
        );
    }
}
