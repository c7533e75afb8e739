//! Checks of the same bytes on all ways through a loop, made where the ways part.
//!
//! The vectorizer makes two loops of one, for arrays that overlap and for arrays that do not; whichever is run, the same range
//! is checked before it.

use std::collections::{HashMap, HashSet};

use super::super::covered::same_line;
use super::{Item, Reduction};
use crate::llvm::{Block, Loop};

impl<'m, 'f> Reduction<'m, 'f> {
    /// Joins items of a calm loop that are the same on all ways. Takes and returns the numbers of the loop's items.
    pub(super) fn join_alternatives(&mut self, this: Loop<'f>, numbers: Vec<usize>) -> Vec<usize> {
        let key = |item: &Item<'m, 'f>| (item.start, item.length, item.rows, item.check.write);
        let mut alike: HashMap<_, Vec<usize>> = HashMap::new();
        for &number in &numbers {
            if let Some(item) = &self.items[number] {
                alike.entry(key(item)).or_default().push(number);
            }
        }
        let mut inside: Option<HashSet<Block<'m>>> = None;
        let mut joined = Vec::new();
        // In the order of the function, so that the outcome does not depend on addresses in the compiler.
        for number in &numbers {
            let Some(item) = &self.items[*number] else {
                continue;
            };
            let group = &alike[&key(item)];
            if group.len() < 2 || group[0] != *number {
                continue;
            }
            let inside = inside.get_or_insert_with(|| self.flow.blocks(this).into_iter().collect());
            if let Some(place) = self.parting(group, this, inside) {
                joined.push(self.join(group, place));
            }
        }
        let mut left: Vec<_> = numbers
            .into_iter()
            .filter(|number| self.items[*number].is_some())
            .collect();
        left.extend(joined);
        left
    }

    /// The block after which one of the items is certain to be made, in the same round of the loop.
    fn parting(
        &self,
        group: &[usize],
        this: Loop<'f>,
        inside: &HashSet<Block<'m>>,
    ) -> Option<Block<'m>> {
        let flow = self.flow;
        let items: Vec<&Item> = group
            .iter()
            .filter_map(|number| self.items[*number].as_ref())
            .collect();
        let first = items.first()?;
        if items
            .iter()
            .any(|item| !same_line(first.check.source, item.check.source))
        {
            return None;
        }
        let made: HashSet<_> = items.iter().map(|item| item.block).collect();
        let mut place = first.block;
        for item in &items {
            place = flow.common_dominator(place, item.block)?;
        }
        if made.contains(&place) || !inside.contains(&place) {
            return None;
        }
        let start = flow.preheader(this)?.successors().next()?;
        let mut seen = HashSet::new();
        let mut ways: Vec<_> = place.successors().collect();
        while let Some(block) = ways.pop() {
            if made.contains(&block) || !seen.insert(block) {
                continue;
            }
            if block == start || block == place || !inside.contains(&block) {
                return None;
            }
            ways.extend(block.successors());
        }
        let end = place.terminator();
        let fits = std::iter::once(first.start)
            .chain(first.extent())
            .all(|scev| flow.is_expandable(scev, end));
        fits.then_some(place)
    }

    /// Puts one item in the place of all; returns its number.
    fn join(&mut self, group: &[usize], block: Block<'m>) -> usize {
        let mut items: Vec<_> = group
            .iter()
            .filter_map(|number| self.items[*number].take())
            .collect();
        let mut works: Vec<_> = items.iter().flat_map(|item| item.works.clone()).collect();
        works.sort_unstable();
        let alignment = items.iter().map(|item| item.alignment).min().unwrap_or(1);
        let first = items.swap_remove(0);
        self.items.push(Some(Item {
            block,
            is_moved: true,
            alignment,
            works,
            ..first
        }));
        self.items.len() - 1
    }
}
