//! What the engine counts, for `stats=1` and for tests.

/// How often each check decided, for one thread; summed for `stats=1`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counts {
    pub sc1: u64,
    pub sc2: u64,
    pub sc3: u64,
    pub walks: u64,
    pub walked_cells: u64,
    pub evaluations: u64,
    pub unordered: u64,
    /// How often it was found that there are more accesses that nothing can race with.
    pub settled: u64,
    pub sync_events: u64,
    pub cells: u64,
    pub epochs: u64,
    /// How often a sync epoch went on that a release had ended.
    pub went_back: u64,
    /// Releases by readers of a lock, in the place of one of their own that waits.
    pub waited: u64,
    /// Accesses that were remembered but for their epochs ([`crate::renew`]).
    pub quick_renewed: u64,
    /// Reads that their threads keep to themselves ([`crate::kept`]), once more.
    pub quick_kept: u64,
    /// Others that the short way took ([`crate::quick`]), those that records showed to be made already, and why it did not
    /// take more.
    pub quick: u64,
    pub quick_covered: u64,
    /// Those of which the thread knew by heart what becomes of the word ([`crate::steps`]); they count among the others as well, if they could be made like that.
    pub quick_steps: u64,
    /// The first ones of their epochs, where that takes a new granule of ids.
    pub quick_first: u64,
    /// Stacks not met lately.
    pub quick_site: u64,
    /// Sites not combined lately, or a line with one site that gets more.
    pub quick_numbers: u64,
    /// Somebody else was at the line.
    pub quick_locked: u64,
    /// The word's state is not one of the simple ones.
    pub quick_state: u64,
}

impl Counts {
    /// Accesses that the short ways took.
    #[inline(always)]
    pub(crate) fn quick_accesses(&self) -> u64 {
        self.quick + self.quick_renewed
    }
    pub fn add(&mut self, other: &Counts) {
        self.sc1 += other.sc1;
        self.sc2 += other.sc2;
        self.sc3 += other.sc3;
        self.walks += other.walks;
        self.walked_cells += other.walked_cells;
        self.evaluations += other.evaluations;
        self.unordered += other.unordered;
        self.settled += other.settled;
        self.sync_events += other.sync_events;
        self.cells += other.cells;
        self.epochs += other.epochs;
        self.went_back += other.went_back;
        self.waited += other.waited;
        self.quick += other.quick;
        self.quick_renewed += other.quick_renewed;
        self.quick_kept += other.quick_kept;
        self.quick_covered += other.quick_covered;
        self.quick_steps += other.quick_steps;
        self.quick_first += other.quick_first;
        self.quick_site += other.quick_site;
        self.quick_numbers += other.quick_numbers;
        self.quick_locked += other.quick_locked;
        self.quick_state += other.quick_state;
    }
}
