//! Which task had a slot of the engine when: for reports, and to know whose thread a task ran on.

use super::task::Task;
use crate::report::model::TASK;
use core::sync::atomic::{AtomicU32, Ordering};
use goldilocks_core::event::{Clock, Incarnation, Slot};
use goldilocks_core::goldilocks::Thread;
use goldilocks_core::line::Site;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

/// A task that was a thread of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// In reports, with [`TASK`].
    pub number: u32,
    pub incarnation: Incarnation,
    /// Its first sync epoch in the slot.
    pub first_clock: Clock,
    /// Number of the thread of the system that began it.
    pub thread: u32,
    /// Number of the task or thread that created it, and where.
    pub created_by: u32,
    pub creation: Site,
}

/// By slot, oldest first. As many of the latest tasks of a slot are remembered; of those before, only the stacks of their
/// accesses are known.
static RECORDS: Mutex<Vec<VecDeque<Record>>> = Mutex::new(Vec::new());
const KEPT: usize = 256;

/// A task begins on the thread `thread`.
pub fn begins(task: &Task, engine: &Thread, thread: u32) {
    let mut records = records();
    let slot = engine.slot as usize;
    if records.len() <= slot {
        records.resize_with(slot + 1, VecDeque::new);
    }
    let of_slot = &mut records[slot];
    if of_slot.len() == KEPT {
        of_slot.pop_front();
    }
    of_slot.push_back(Record {
        number: task.report_number,
        incarnation: engine.incarnation(),
        first_clock: engine.clock(),
        thread,
        created_by: task.created_by,
        creation: task.creation,
    });
}

/// The number of the next task.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// Whether there has been a task.
pub fn any() -> bool {
    // Relaxed: whoever has run a task, or races with one, came after its creation.
    NEXT.load(Ordering::Relaxed) != 1
}

/// A number for a task, in reports.
pub fn number() -> u32 {
    // Relaxed: only a number.
    NEXT.fetch_add(1, Ordering::Relaxed) & !TASK | TASK
}

fn records() -> MutexGuard<'static, Vec<VecDeque<Record>>> {
    RECORDS
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The last task that had begun in `slot` by its sync epoch `clock`. A thread may have had the slot since.
pub fn at(slot: Slot, clock: Clock) -> Option<Record> {
    let records = records();
    let of_slot = records.get(slot as usize)?;
    let begun = of_slot.partition_point(|record| record.first_clock <= clock);
    of_slot.get(begun.checked_sub(1)?).copied()
}

/// The task that was this thread of the engine.
pub fn incarnate(incarnation: Incarnation) -> Option<Record> {
    find(|record| record.incarnation == incarnation)
}

/// The task with this number in reports.
pub fn numbered(number: u32) -> Option<Record> {
    find(|record| record.number == number)
}

fn find(is_it: impl Fn(&Record) -> bool) -> Option<Record> {
    let records = records();
    records
        .iter()
        .flatten()
        .find(|record| is_it(record))
        .copied()
}
