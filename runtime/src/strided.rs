//! Checks of what loops access at a distance, all at once: rows.

use crate::aliases;
use crate::describe;
use crate::detection;
use crate::phases;
use crate::pipeline::Scope;
use crate::sites::Shape;
use crate::state::{multi_threaded, runtime};
use crate::sweep;
use goldilocks_core::detector::{OutOfEpochs, Race};
use goldilocks_core::event::Access;
use goldilocks_core::goldilocks::Thread;
use goldilocks_core::strided::Rows;

/// The shape of each of some rows: small ones that are aligned have the same, wherever they are.
#[inline(always)]
pub fn shape_of(rows: &Rows) -> Shape {
    let shape = Shape::of(rows.start, rows.bytes);
    let is_alike = Shape::of(rows.row(1), rows.bytes) == shape && !shape.is_misaligned();
    if is_alike { shape } else { Shape::UNKNOWN }
}

impl Scope {
    /// Checks plain accesses of compiled code to rows of at least one byte each, as [`Scope::access`] would one after the other.
    pub fn access_rows(&mut self, rows: &Rows, write: bool) {
        let access = if write { Access::Write } else { Access::Read };
        let is_application =
            |&(lowest, end): &(u64, u64)| runtime().shadow.is_application(lowest, end - lowest);
        let Some((lowest, end)) = rows.hull().filter(is_application) else {
            return;
        };
        if !multi_threaded() || phases::is_alone() || aliases::any() {
            for row in (0..rows.count).map(|number| rows.row(number)) {
                self.access((row, rows.bytes), access, Shape::of(row, rows.bytes));
            }
            return;
        }
        let caller = self.caller();
        let state = self.thread();
        if state.ignored.skips(access) || detection::is_off() {
            return;
        }
        state.openmp.accesses(lowest as usize, state.bounds.low);
        let site = state.site(shape_of(rows), caller);
        runtime().shadow.is_written_soon(lowest, end - lowest);
        let found = &mut |thread: &mut Thread, race: Race| {
            let row = (rows.row_at(race.addr), rows.bytes);
            describe::found(thread, race, access, row, site);
        };
        sweep::if_spent(&mut state.engine);
        while let Err(OutOfEpochs) = runtime().detector().access_rows(
            &mut state.engine,
            &mut state.buffers,
            rows,
            write,
            site,
            &mut *found,
        ) {
            if !sweep::run(&mut state.engine) {
                return;
            }
        }
    }
}
