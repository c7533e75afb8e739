//! Atomic instructions and fences, as rules on Goldilocksets.

use crate::abi::{AtomicKind, AtomicOp, Order};
use crate::event::Effect;

const fn read_part(order: Order) -> Effect {
    match order {
        Order::Acquire | Order::AcqRel | Order::SeqCst => Effect::ACQUIRE,
        Order::Relaxed | Order::Release => Effect::ACQUIRE_RELAXED,
    }
}

const fn write_part(order: Order) -> Effect {
    match order {
        Order::Release | Order::AcqRel | Order::SeqCst => Effect::RELEASE,
        Order::Relaxed | Order::Acquire => Effect::RELEASE_RELAXED,
    }
}

/// What an atomic instruction does; `success` matters for a compare-exchange alone.
pub const fn effect(operation: AtomicOp, success: bool) -> Effect {
    match operation.kind {
        AtomicKind::Load => read_part(operation.order),
        // A store ends the release sequence; a read-modify-write continues it.
        AtomicKind::Store => Effect::CLEAR.with(write_part(operation.order)),
        AtomicKind::CompareExchange if !success => read_part(operation.failure),
        AtomicKind::ReadModifyWrite | AtomicKind::CompareExchange => {
            read_part(operation.order).with(write_part(operation.order))
        }
    }
}

/// What a fence does; `None` for a relaxed one, which does nothing.
pub const fn fence_effect(order: Order) -> Option<Effect> {
    match order {
        Order::Relaxed => None,
        Order::Acquire => Some(Effect::FENCE_ACQUIRE),
        Order::Release => Some(Effect::FENCE_RELEASE),
        Order::AcqRel | Order::SeqCst => Some(Effect::FENCE_ACQUIRE.with(Effect::FENCE_RELEASE)),
    }
}
