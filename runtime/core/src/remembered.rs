//! What is remembered of a word, as a list of entries and back: two tags, a read set, a record, or a side record ([`crate::side_chain`]).

use crate::epoch::EpochId;
use crate::event::{Access, Clock, Slot};
use crate::joins::{Join, bytes_of};
use crate::kept::at;
use crate::line::{Entry, Line, Site};
use crate::read_sets::{Reader, in_parts};
use crate::records::{Class, READERS, class_of, hash_of_readers};
use crate::side_record::{self, may_be_set};
use crate::tag::{Form, ShadowCell, Tag, has_half};
use crate::transition::{is_half, live};

impl Line<'_> {
    /// Appends the accesses that `old` remembers. Whether it says that the word was freed; the free is then a write.
    pub(crate) fn decode(&self, cell: usize, old: ShadowCell, entries: &mut Vec<Entry>) -> bool {
        let form = old.form();
        // Whatever the cell says then: an exchange of it may have come after the word has got its record ([`crate::refresh`]).
        if let (Form::Tags { .. } | Form::Parted { .. }, Some(number)) =
            (form, self.record_number(cell))
        {
            self.take_back(cell, number);
            entries.extend(self.slab.record(number).entries());
            return false;
        }
        match form {
            Form::Tags { write, read } => self.decode_tags(cell, write, read, entries),
            Form::Parted {
                earlier,
                newer,
                write,
            } => {
                let (of_earlier, of_newer) = self.sites_of(cell);
                for (tag, site) in [(earlier, of_earlier), (newer, of_newer)] {
                    entries.push(Entry { tag, write, site });
                }
            }
            Form::Side(index) => {
                self.take_back_side(cell, index);
                self.decode_side(index, entries);
            }
            Form::Freed(epoch) => {
                let tag = Tag::new(epoch, false, 0xff);
                entries.push(Entry {
                    tag,
                    write: true,
                    site: self.site(cell, true),
                });
                return true;
            }
        }
        false
    }

    fn decode_tags(&self, cell: usize, write: Tag, read: Tag, entries: &mut Vec<Entry>) {
        let (write_mask, read_mask) = live(ShadowCell::tags(write, read));
        let (of_write, of_read) = self.sites_of(cell);
        if write_mask != 0 {
            entries.push(Entry {
                tag: write,
                write: true,
                site: of_write,
            });
        }
        if read_mask == 0 {
            return;
        }
        if let Some(readers) = self.epochs.readers(read.epoch()) {
            let parted = self.epochs.is_in_parts(read);
            let owners = || readers.iter().map(|reader| self.owner(reader.epoch()));
            entries.extend(readers.iter().map(|&reader| {
                let own = self.owner(reader.epoch());
                let place = if parted {
                    place_of(own, owners())
                } else {
                    own.0
                };
                let site = self.sites.reader_site(of_read, place);
                Entry {
                    tag: Tag::new(reader.epoch(), false, read_mask & reader.bytes()),
                    write: false,
                    site,
                }
            }));
            return;
        }
        entries.push(Entry {
            tag: read.with_mask(read_mask),
            write: false,
            site: of_read,
        });
    }

    /// Forgets what is not in the cell itself.
    pub(crate) fn forget_rest(&mut self, cell: usize, old: ShadowCell) {
        if let Form::Side(first) = old.form() {
            // Or threads would go on with what they keep, of which nobody knows any more.
            let place = (&self.parts.cells[cell], first);
            side_record::taken(self.slab, &self.epochs.kept, place);
        }
        self.release_side(old);
        if self.record_number(cell).is_some() {
            self.place_number(cell, 0);
        }
    }

    /// Replaces what is remembered of a word by `entries`. The cell itself gets those of the access `new`, so that the
    /// same-epoch check finds them. `merged` says that no entry was added: bytes joined one that was there.
    pub(crate) fn encode(
        &mut self,
        cell: usize,
        old: ShadowCell,
        entries: &[Entry],
        new: Option<Entry>,
        merged: bool,
    ) {
        if self.encode_set(cell, old, entries, new, merged) {
            return;
        }
        let of_set = self.site_of_set(cell, old);
        let of_kind = |write: bool| entries.iter().filter(move |entry| entry.write == write);
        let (write, read) = (of_kind(true).next(), of_kind(false).next());
        let is_new = |entry: &Entry| new.is_some_and(|new| entry.tag.epoch() == new.tag.epoch());
        // The read tag belongs to a write of the present epoch, unless the read is of the same.
        let hides = match (write, read) {
            (Some(write), Some(read)) => is_new(write) && !is_new(read),
            _ => false,
        };
        let fits = of_kind(true).count() <= 1 && of_kind(false).count() <= 1 && !hides;
        if fits {
            self.release_side(old);
            let write_tag = write.map_or(Tag::NONE, |write| write.tag);
            let read_tag = match read.map(|read| read.tag) {
                None => write_tag,
                Some(read) if write_tag.epoch_bits() == read.epoch_bits() => {
                    read.with_mask(read.mask() | write_tag.mask())
                }
                Some(read) => read,
            };
            // A write and a read of one word by one thread in one epoch, the read of bytes that the write also has:
            // what of these bytes is the write's, is not the read's.
            let next = ShadowCell::tags(write_tag, read_tag);
            let site = |entry: Option<&Entry>| entry.map_or(0, |entry| entry.site);
            match live(next) {
                (0, 0) if self.record_number(cell).is_some() => self.place_number(cell, 0),
                (0, 0) => {}
                (0, _) => self.place(cell, site(read), site(read)),
                (_, 0) => self.place(cell, site(write), site(write)),
                _ => self.place(cell, site(write), site(read)),
            }
            self.store(cell, next);
            if let (Some(read), Some(of_set)) = (read, of_set) {
                self.note_only_reader((old, of_set), *read, new);
            }
        } else if let Some((earlier, newer)) = two_parts(entries, new) {
            self.release_side(old);
            self.place(cell, earlier.site, newer.site);
            let next = ShadowCell::parted(earlier.tag, newer.tag, newer.write);
            self.store(cell, next);
        } else if let Some((groups, rest)) = self.groups_of(old, entries, new) {
            self.place_number(cell, 0);
            let first = self.first_unit(old);
            self.fill_side(first, &groups, &rest);
            self.store(cell, ShadowCell::side(first));
        } else if let Some(number) = self.record_with_room(cell, entries.len()) {
            self.release_side(old);
            self.slab.record(number).replace(entries.iter().copied());
            self.place_number(cell, number);
            let said = self.said_of_readers(number, new);
            self.store(cell, said.unwrap_or_else(|| said_of(entries, new)));
        } else {
            self.place_number(cell, 0);
            let first = self.first_unit(old);
            self.fill_side(first, &[], entries);
            self.store(cell, ShadowCell::side(first));
        }
    }

    /// What the cell of a word with this record says if the access `new` is a read: that whoever has read the same has done so.
    fn said_of_readers(&mut self, number: u32, new: Option<Entry>) -> Option<ShadowCell> {
        let new = new.filter(|new| new.access() == Access::Read && number & READERS == 0)?;
        let (record, epoch) = (self.slab.record(number), new.tag.epoch_bits());
        let (read, 2.., hash) = record.readers_as(epoch) else {
            return None;
        };
        // The short way says by that when a set is worth it.
        if !self.rechecks && self.memos.sets.find(hash, self.epochs.recycled()).is_none() {
            return None;
        }
        let mut readers: Vec<Reader> = record.epochs_as(epoch).map(Reader::of_all).collect();
        readers.sort_unstable();
        let set = self.epochs.read_sets.intern(self.epochs, &readers);
        self.memos.sets.note(hash, self.epochs.recycled(), set);
        let said = Tag::new(set?, false, read);
        self.read_set = Some(said.with_mask(0xff));
        Some(ShadowCell::tags(Tag::NONE, said))
    }

    /// The number of a record for so many entries of a word: its own, or a new one. `None` if there are none as large.
    fn record_with_room(&self, cell: usize, count: usize) -> Option<u32> {
        let own = self.record_number(cell);
        own.filter(|&number| class_of(number).room() >= count)
            .or_else(|| self.slab.allocate_record(Class::with_room(count)?))
    }

    /// Stores several readers of the same bytes as a read set, if that is worth it: not when readers come back to a few words.
    fn encode_set(
        &mut self,
        cell: usize,
        old: ShadowCell,
        entries: &[Entry],
        new: Option<Entry>,
        merged: bool,
    ) -> bool {
        let writes = entries.iter().filter(|entry| entry.write).count();
        let reads = || entries.iter().filter(|entry| !entry.write);
        let Some(mask) = reads().next().map(|read| read.tag.mask()) else {
            return false;
        };
        if reads().count() < 2 || writes > 1 || reads().any(|read| read.tag.is_atomic()) {
            return false;
        }
        let parted = reads().any(|read| read.tag.mask() != mask);
        let owners = || reads().map(|read| self.owner(read.tag.epoch()));
        if parted
            && (!self.parts_are_worth_it
                || !in_parts(reads().map(|read| read.tag.mask()))
                || owners().any(|(slot, _)| slot >= EARLIER))
        {
            return false;
        }
        let mask = if parted { 0xff } else { mask };
        let joins = match old.form() {
            Form::Tags { read, .. } | Form::Parted { newer: read, .. } => {
                let before = match self.record_number(cell) {
                    Some(number) => {
                        let before = self.slab.record(number);
                        let reads = before.entries().filter(|entry| !entry.write).count();
                        reads.max(1)
                    }
                    None => self.epochs.readers(read.epoch()).map_or(1, <[Reader]>::len),
                };
                self.of_many
                    || reads().count() > before
                    || merged
                        && self.record_number(cell).is_none()
                        && (parted || self.epochs.is_in_parts(read))
                    || self.overflows(cell, read, entries, new)
            }
            Form::Side(first) => merged && may_be_set((self.slab, self.epochs), first),
            Form::Freed(_) => false,
        };
        if !joins {
            return false;
        }
        let place = |own: (Slot, Clock)| {
            if parted {
                place_of(own, owners())
            } else {
                own.0
            }
        };
        let mut sites: Vec<(Slot, Site)> = reads()
            .map(|read| (place(self.owner(read.tag.epoch())), read.site))
            .collect();
        sites.sort_unstable();
        // A set knows its readers' sites by slot. (Two accesses of one thread to the same bytes are kept only where SC1 is off.)
        if sites.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return false;
        }
        let Some(site) = self.sites.join_readers(&sites) else {
            return false;
        };
        let hash = hash_of_readers(reads().map(|read| read.tag));
        let reader = |read: &Entry| {
            let bytes = if parted { read.tag.mask() } else { 0xff };
            Reader::of(read.tag.epoch(), bytes)
        };
        let mut readers: Vec<Reader> = reads().map(reader).collect();
        readers.sort_unstable();
        let Some(set) = self.epochs.read_sets.intern(self.epochs, &readers) else {
            return false;
        };
        let read_tag = Tag::new(set, false, mask);
        let own = new.map_or(0, |new| self.epochs.read_by(read_tag, new.tag.epoch()));
        let of_set = self.site_of_set(cell, old);
        if let (Some(of_set), Some(new)) = (of_set, new)
            && own != 0
        {
            self.note_join((old, of_set), new, (read_tag, own, site));
        }
        if self.of_many && !parted {
            let recycled = self.epochs.recycled();
            self.memos.sets.note(hash, recycled, Some(set));
        }
        let write = entries.iter().find(|entry| entry.write);
        self.place(cell, write.map_or(site, |write| write.site), site);
        let write_tag = write.map_or(Tag::NONE, |write| write.tag);
        self.store(cell, ShadowCell::tags(write_tag, read_tag));
        self.release_side(old);
        self.read_set = (own != 0).then(|| read_tag.with_mask(own));
        true
    }

    /// Whether a set is worth it though the access `new` is that of a reader who comes back to `readers`: the thread has no room to keep it to itself ([`crate::kept`]), and has
    /// come back to others with the same readers. All of them read from one place, as there would be no end of other combinations.
    fn overflows(&self, cell: usize, readers: Tag, entries: &[Entry], new: Option<Entry>) -> bool {
        let Some(new) = new.filter(|new| new.access() == Access::Read && has_half(new.tag.mask()))
        else {
            return false;
        };
        let mut reads = entries.iter().filter(|entry| !entry.write);
        let (slot, _) = self.epochs.lookup(new.tag.epoch());
        let place = at(&self.parts.cells[cell]);
        self.record_number(cell).is_none()
            && reads.all(|read| read.site == new.site)
            && self.epochs.kept.is_full_for(slot, place, new)
            && !self.memos.first_joins.is_first(readers, new.tag)
    }

    /// The site of the readers that `old` says, if what they become by another one is worth to be known by heart: they are in no record, and it is not part of a write.
    fn site_of_set(&self, cell: usize, old: ShadowCell) -> Option<Site> {
        let Form::Tags { write, read } = old.form() else {
            return None;
        };
        let is_alone = self.record_number(cell).is_none()
            && write.epoch_bits() != read.epoch_bits()
            && !read.is_atomic();
        is_alone.then(|| self.site(cell, false))
    }

    /// Takes note that the readers of `old`, of this site, became what this tag says, with the thread's own bytes in it and its site, by the read `new`.
    fn note_join(
        &mut self,
        (old, site_of_readers): (ShadowCell, Site),
        new: Entry,
        (set, own, site_of_set): (Tag, u8, Site),
    ) {
        if new.access() != Access::Read {
            return;
        }
        let (_, readers) = old.halves();
        let bytes = bytes_of(readers, new.tag);
        self.joined_in_parts += u32::from(bytes != 0);
        self.memos.joins.note(Join {
            readers: readers.epoch_bits(),
            site_of_readers,
            epoch: new.tag.epoch(),
            site: new.site,
            bytes,
            set,
            own,
            site_of_set,
            recycled: self.epochs.recycled(),
        });
    }

    /// The same where `read`, by the access `new` to the other half, is all that is left of a set in parts, or beside a write.
    fn note_only_reader(
        &mut self,
        (old, of_set): (ShadowCell, Site),
        read: Entry,
        new: Option<Entry>,
    ) {
        let (_, readers) = old.halves();
        if let Some(new) = new
            && read.tag.epoch() == new.tag.epoch()
            && self.epochs.is_in_parts(readers)
        {
            self.note_join((old, of_set), new, (read.tag, 0, read.site));
        }
    }

    /// Thread and sync epoch of an access.
    fn owner(&self, epoch: EpochId) -> (Slot, Clock) {
        self.epochs.lookup(epoch)
    }

    pub(crate) fn new_unit(&self) -> u32 {
        self.slab.allocate(self.near())
    }
}

/// Beside the slot of a reader in a set in parts whose thread has read other bytes in a later epoch: so it has a site of its own. No slot of such a set has this bit.
const EARLIER: Slot = 1 << 15;

/// As which slot a set in parts knows the site of a reader, of all of these: of two that are one thread's, they differ.
fn place_of((slot, clock): (Slot, Clock), mut all: impl Iterator<Item = (Slot, Clock)>) -> Slot {
    if all.any(|(other, later)| other == slot && later > clock) {
        slot | EARLIER
    } else {
        slot
    }
}

/// The entries as a parted cell says them ([`Form::Parted`]), the earlier one first, if it can: that of the access `new` is the newer one.
fn two_parts(entries: &[Entry], new: Option<Entry>) -> Option<(Entry, Entry)> {
    let &[one, other] = entries else {
        return None;
    };
    let parted = one.write == other.write
        && is_half(one.tag.mask())
        && one.tag.mask() == !other.tag.mask()
        && !one.tag.is_atomic()
        && !other.tag.is_atomic()
        && one.tag.epoch() != other.tag.epoch();
    let is_new = |entry: Entry| new.is_some_and(|new| entry.tag.epoch() == new.tag.epoch());
    parted.then_some(if is_new(one) {
        (other, one)
    } else {
        (one, other)
    })
}

/// What the cell of a word with these entries in a record says of them: what was accessed in the epoch of `new`, in that way, or of any one.
fn said_of(entries: &[Entry], new: Option<Entry>) -> ShadowCell {
    let is_there = |new: &Entry| {
        let mut all = entries.iter();
        all.any(|entry| entry.tag.epoch_bits() == new.tag.epoch_bits())
    };
    let Some(one) = new.filter(is_there).or(entries.last().copied()) else {
        return ShadowCell::EMPTY;
    };
    let mask = |write: bool| {
        let same = entries
            .iter()
            .filter(|entry| entry.write == write && entry.tag.epoch_bits() == one.tag.epoch_bits());
        same.fold(0, |mask, entry| mask | entry.tag.mask())
    };
    let (written, read) = (mask(true), mask(false));
    let write = if written == 0 {
        Tag::NONE
    } else {
        one.tag.with_mask(written)
    };
    ShadowCell::tags(write, one.tag.with_mask(written | read))
}
