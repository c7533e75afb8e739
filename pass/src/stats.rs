//! Counts of what was instrumented and what was left out, for `-goldilocks-stats`.

#[derive(Default)]
pub struct Stats {
    pub functions: usize,
    pub reads: usize,
    pub writes: usize,
    /// Checks of ranges whose length is not known.
    pub ranges: usize,
    pub atomics: usize,
    pub fences: usize,
    /// Memory intrinsics that became calls into the runtime.
    pub replaced: usize,
    pub masked: usize,
    /// Stores of pointers to virtual tables.
    pub virtual_tables: usize,
    /// Left out: objects that no other thread can reach.
    pub private: usize,
    /// Left out: memory that is never written.
    pub constant: usize,
    /// Left out: the compiler's own accesses, and other address spaces.
    pub exempt: usize,
    /// Left out: covered by an earlier check.
    pub redundant: usize,
    /// Accesses to one place in each round of a loop that are checked before it.
    pub hoisted: usize,
    /// Accesses that are checked as a part of what their loop accesses.
    pub ranged: usize,
    /// Accesses that are checked as a part of an earlier one next to them.
    pub merged: usize,
    /// Loops that are there a second time, without checks.
    pub doubled: usize,
    /// Reads whose check became that of a following write.
    pub strengthened: usize,
}

impl Stats {
    pub fn print(&self, module: &str) {
        let counts = [
            ("functions", self.functions),
            ("reads", self.reads),
            ("writes", self.writes),
            ("ranges", self.ranges),
            ("atomics", self.atomics),
            ("fences", self.fences),
            ("replaced", self.replaced),
            ("masked", self.masked),
            ("virtual-tables", self.virtual_tables),
            ("private", self.private),
            ("constant", self.constant),
            ("exempt", self.exempt),
            ("redundant", self.redundant),
            ("strengthened", self.strengthened),
            ("hoisted", self.hoisted),
            ("ranged", self.ranged),
            ("merged", self.merged),
            ("doubled", self.doubled),
        ];
        let text: Vec<String> = counts
            .iter()
            .map(|(name, count)| format!("{name}={count}"))
            .collect();
        eprintln!("goldilocks: {module}: {}", text.join(" "));
    }
}
