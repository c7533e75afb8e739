//! Which part of a variable an address is (`.slots[1].hits`), by the types in the debug information.
//!
//! Runs in the symbolizer process only. Where variables are is found out once for each file, by going through all of its debug
//! information. Of a file with so much that who asks might lose patience no parts are known.

use std::borrow::Cow;
use std::collections::HashMap;

use addr2line::gimli::{
    self, AttributeValue, DebugInfoOffset, EndianSlice, LittleEndian, Operation, Section,
    UnitOffset,
};
use object::{Object, ObjectSection};

use super::protocol::Part;

/// Bytes of entries that are gone through, which takes less than a second.
const MOST: usize = 64 << 20;
/// Types within types; also ends what refers to itself in a broken file.
const DEPTH: usize = 40;

type Slice = EndianSlice<'static, LittleEndian>;
type Entry = gimli::DebuggingInformationEntry<Slice>;
type Place = (usize, UnitOffset);

/// The types of a file's variables.
pub struct Members {
    dwarf: gimli::Dwarf<Slice>,
    units: Vec<gimli::Unit<Slice>>,
    /// By address: the unit, and the type.
    variables: HashMap<u64, Place>,
}

impl Members {
    /// Those of an object file, for as long as the process lives. `None` if it has no debug information or too much of it.
    pub fn read(file: &'static [u8]) -> Option<Members> {
        let object = object::File::parse(file).ok()?;
        let section = |id: gimli::SectionId| {
            let data = object
                .section_by_name(id.name())
                .and_then(|section| section.uncompressed_data().ok());
            let data: &'static [u8] = match data {
                Some(Cow::Borrowed(data)) => data,
                Some(Cow::Owned(data)) => data.leak(),
                None => &[],
            };
            Ok::<_, ()>(EndianSlice::new(data, LittleEndian))
        };
        let mut members = Members {
            dwarf: gimli::Dwarf::load(section).ok()?,
            units: Vec::new(),
            variables: HashMap::new(),
        };
        if members.dwarf.debug_info.reader().len() > MOST {
            return None;
        }
        let mut headers = members.dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let unit = members.dwarf.unit(header).ok()?;
            members.read_variables(&unit);
            members.units.push(unit);
        }
        (!members.units.is_empty()).then_some(members)
    }

    fn read_variables(&mut self, unit: &gimli::Unit<Slice>) {
        let mut entries = unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            if entry.tag() == gimli::DW_TAG_variable
                && let Some(address) = self.address(unit, entry)
            {
                let place = (self.units.len(), entry.offset());
                self.variables.insert(address, place);
            }
        }
    }

    /// Of a variable that is always at the same place.
    fn address(&self, unit: &gimli::Unit<Slice>, entry: &Entry) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else {
            return None;
        };
        let mut operations = expression.operations(unit.encoding());
        let address = match operations.next().ok()?? {
            Operation::Address { address } => address,
            Operation::AddressIndex { index } => self.dwarf.address(unit, index).ok()?,
            _ => return None,
        };
        operations.next().ok()?.is_none().then_some(address)
    }

    /// The parts that the byte at `offset` of the variable at `address` is in, outermost first.
    pub fn parts(&self, address: u64, offset: u64) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut place = self.variables.get(&address).and_then(|&variable| {
            let (unit, entry) = self.declaration(variable)?;
            self.type_of(unit, &entry)
        });
        let mut start = 0;
        for _ in 0..DEPTH {
            let Some((unit, kind)) = place else { break };
            place = self.step(unit, kind, offset, &mut start, &mut parts);
        }
        parts
    }

    /// What has the type of a variable: itself, or what it is the definition of.
    fn declaration(&self, (unit, variable): Place) -> Option<(usize, Entry)> {
        let entry = self.units[unit].entry(variable).ok()?;
        match entry.attr_value(gimli::DW_AT_specification) {
            Some(value) => {
                let (unit, declaration) = self.resolve(unit, value)?;
                Some((unit, self.units[unit].entry(declaration).ok()?))
            }
            None => Some((unit, entry)),
        }
    }

    /// From a type at `start` of the variable to the type of its part at `offset`.
    fn step(
        &self,
        unit: usize,
        kind: UnitOffset,
        offset: u64,
        start: &mut u64,
        parts: &mut Vec<Part>,
    ) -> Option<Place> {
        let entry = self.units[unit].entry(kind).ok()?;
        let path = parts.last().map_or("", |part| part.path.as_str());
        match entry.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_atomic_type => self.type_of(unit, &entry),
            gimli::DW_TAG_array_type => {
                let (at, element) = self.type_of(unit, &entry)?;
                let size = self.size((at, element))?;
                let index = (offset - *start).checked_div(size)?;
                let mut path = path.to_owned();
                let mut rest = index;
                let lengths = self.lengths(unit, kind)?;
                for dimension in 1..=lengths.len() {
                    let inner: u64 = lengths[dimension..].iter().product();
                    path += &format!("[{}]", rest.checked_div(inner)?);
                    rest %= inner;
                }
                *start += index * size;
                let start = *start;
                parts.push(Part { path, start, size });
                Some((at, element))
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                let transparent = self.is_transparent(unit, &entry);
                // Of a union nobody knows which member it is.
                if entry.tag() == gimli::DW_TAG_union_type && !transparent {
                    return None;
                }
                let (name, at, member) = self.member(unit, kind, offset - *start)?;
                *start += at;
                if let Some(name) = name.filter(|_| !transparent) {
                    parts.push(Part {
                        path: format!("{path}.{name}"),
                        start: *start,
                        size: self.size(member)?,
                    });
                }
                Some(member)
            }
            _ => None,
        }
    }

    /// The member or base class that the byte at `offset` is in: its name, place and type.
    fn member(
        &self,
        unit: usize,
        kind: UnitOffset,
        offset: u64,
    ) -> Option<(Option<String>, u64, Place)> {
        let mut tree = self.units[unit].entries_tree(Some(kind)).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let is_base = entry.tag() == gimli::DW_TAG_inheritance;
            let is_bits = entry.attr_value(gimli::DW_AT_bit_size).is_some();
            if entry.tag() != gimli::DW_TAG_member && !is_base || is_bits {
                continue;
            }
            let Some(at) = entry
                .attr_value(gimli::DW_AT_data_member_location)
                .and_then(|value| value.udata_value())
            else {
                continue;
            };
            let Some(place) = self.type_of(unit, entry) else {
                continue;
            };
            let Some(size) = self.size(place) else {
                continue;
            };
            if (at..at + size).contains(&offset) {
                let name = self.name(unit, entry).filter(|_| !is_base);
                // Fields of tuples.
                let name = name.map(|name| name.trim_start_matches("__").to_owned());
                return Some((name, at, place));
            }
        }
        None
    }

    /// Whether a type is there for what it holds: its only member has no name to a user.
    fn is_transparent(&self, unit: usize, entry: &Entry) -> bool {
        const NAMES: [&str; 7] = [
            "UnsafeCell<",
            "SyncUnsafeCell<",
            "Cell<",
            "MaybeUninit<",
            "ManuallyDrop<",
            "MaybeDangling<",
            "Atomic",
        ];
        self.name(unit, entry).is_some_and(|name| {
            let rest = NAMES.iter().find_map(|start| name.strip_prefix(start));
            rest.is_some_and(|rest| !name.starts_with("Atomic") || is_atomic(rest))
        })
    }

    fn name(&self, unit: usize, entry: &Entry) -> Option<String> {
        let value = entry.attr_value(gimli::DW_AT_name)?;
        let text = self.dwarf.attr_string(&self.units[unit], value).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    fn type_of(&self, unit: usize, entry: &Entry) -> Option<Place> {
        self.resolve(unit, entry.attr_value(gimli::DW_AT_type)?)
    }

    fn resolve(&self, unit: usize, value: AttributeValue<Slice>) -> Option<Place> {
        match value {
            AttributeValue::UnitRef(offset) => Some((unit, offset)),
            // Of another unit: link-time optimization has them.
            AttributeValue::DebugInfoRef(offset) => self.in_some_unit(offset),
            _ => None,
        }
    }

    fn in_some_unit(&self, offset: DebugInfoOffset) -> Option<Place> {
        let after = self.units.partition_point(|unit| {
            unit.header
                .debug_info_offset()
                .is_some_and(|start| start.0 <= offset.0)
        });
        let unit = after.checked_sub(1)?;
        let offset = offset.to_unit_offset(&self.units[unit].header)?;
        Some((unit, offset))
    }

    /// Size of a type in bytes.
    fn size(&self, mut place: Place) -> Option<u64> {
        let mut times = 1;
        for _ in 0..DEPTH {
            let (unit, kind) = place;
            let entry = self.units[unit].entry(kind).ok()?;
            let own = entry.attr_value(gimli::DW_AT_byte_size);
            if let Some(size) = own.and_then(|value| value.udata_value()) {
                return Some(size * times);
            }
            match entry.tag() {
                gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => {
                    return Some(8 * times);
                }
                gimli::DW_TAG_array_type => {
                    times *= self.lengths(unit, kind)?.iter().product::<u64>()
                }
                _ => {}
            }
            place = self.type_of(unit, &entry)?;
        }
        None
    }

    /// Elements of an array in each of its dimensions.
    fn lengths(&self, unit: usize, kind: UnitOffset) -> Option<Vec<u64>> {
        let mut tree = self.units[unit].entries_tree(Some(kind)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut lengths = Vec::new();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
            if entry.tag() == gimli::DW_TAG_subrange_type {
                let length = number(gimli::DW_AT_count)
                    .or_else(|| number(gimli::DW_AT_upper_bound).map(|last| last + 1))?;
                lengths.push(length);
            }
        }
        Some(lengths)
    }
}

/// Whether it is `AtomicU8`, `AtomicPtr<T>` and so on, by what comes after `Atomic`.
fn is_atomic(rest: &str) -> bool {
    const KINDS: [&str; 11] = [
        "Bool", "Usize", "Isize", "U8", "U16", "U32", "U64", "I8", "I16", "I32", "I64",
    ];
    rest.starts_with('<') || rest.starts_with("Ptr<") || KINDS.contains(&rest)
}
