//! Formats of printf and scanf: which memory their arguments name.
//!
//! Only what is asked: where strings are read, where results go. Nothing here allocates, because it runs outside of the
//! runtime, where a signal handler may interrupt it.

use core::ffi::{c_char, c_void};

use super::libc_table::{Range, check, nothing, reads, string_within, writes};
use super::variadic::VaList;
use super::wide_strings::{Wide, wide};
use crate::caller::Caller;

/// What is written of a `long double`, whose size is 16.
pub const LONG_DOUBLE: usize = 10;

/// Arguments of one call that are looked at. Calls with more exist only in tests of libc.
const ARGUMENTS: usize = 64;

/// Ranges collected on the stack; a full batch is checked at once.
pub struct Batch {
    caller: Caller,
    ranges: [Range; 16],
    count: usize,
}

impl Batch {
    pub fn new(caller: Caller) -> Batch {
        Batch {
            caller,
            ranges: [nothing(); 16],
            count: 0,
        }
    }
    pub fn add(&mut self, range: Range) {
        if self.count == self.ranges.len() {
            self.check();
        }
        self.ranges[self.count] = range;
        self.count += 1;
    }
    /// Tells the engine what has been collected.
    pub fn check(&mut self) {
        check(self.caller, &self.ranges[..self.count]);
        self.count = 0;
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Length {
    #[default]
    None,
    Char,
    Short,
    /// `l`
    Long,
    /// `ll`, `q`, `j`, `z`, `t`
    Wide,
    /// `L`
    LongDouble,
}

impl Length {
    /// Bytes of an integer with this modifier.
    fn bytes(self) -> usize {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::None => 4,
            Length::Long | Length::Wide | Length::LongDouble => 8,
        }
    }
}

/// A number in a conversion: given, or taken from an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Number {
    #[default]
    None,
    Given(usize),
    Argument(usize),
}

/// One conversion of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Conversion {
    /// Its argument, from 0; `None` if it has none.
    argument: Option<usize>,
    width: Number,
    precision: Number,
    length: Length,
    /// scanf's `m`: the result is allocated.
    allocates: bool,
    /// The letter; `[` for a set, 0 when the format ends in the middle of it.
    letter: u8,
}

/// A character of a format: `char` or `wchar_t`.
pub trait Unit: Copy {
    /// As a byte; one that means nothing in a format if it is none.
    fn byte(self) -> u8;
}

impl Unit for c_char {
    fn byte(self) -> u8 {
        self as u8
    }
}

impl Unit for Wide {
    fn byte(self) -> u8 {
        u8::try_from(self).unwrap_or(0xff)
    }
}

/// Bytes of a format with its zero.
///
/// # Safety
/// It is a string.
unsafe fn format_bytes<C: Unit>(format: *const C) -> usize {
    // SAFETY: passed on to the caller. (Only a zero is a zero byte: others outside of ASCII are 0xff.)
    let zero = (0..).find(|&at| unsafe { *format.add(at) }.byte() == 0);
    (zero.unwrap_or(0) + 1) * size_of::<C>()
}

/// Walks a format.
struct Conversions<C> {
    at: *const C,
    next_argument: usize,
    scanning: bool,
}

impl<C: Unit> Conversions<C> {
    /// # Safety
    /// `format` is a string that outlives the walk.
    unsafe fn new(format: *const C, scanning: bool) -> Conversions<C> {
        Conversions {
            at: format,
            next_argument: 0,
            scanning,
        }
    }

    fn peek(&self) -> u8 {
        // SAFETY: `new`: the walk does not pass the zero.
        unsafe { *self.at }.byte()
    }
    fn advance(&mut self) {
        if self.peek() != 0 {
            // SAFETY: not at the zero yet.
            self.at = unsafe { self.at.add(1) };
        }
    }
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == wanted;
        if found {
            self.advance();
        }
        found
    }
    fn decimal(&mut self) -> Option<usize> {
        let mut value: Option<usize> = None;
        while let digit @ b'0'..=b'9' = self.peek() {
            value = Some(
                value
                    .unwrap_or(0)
                    .saturating_mul(10)
                    .saturating_add((digit - b'0') as usize),
            );
            self.advance();
        }
        value
    }
    /// `n$`: the argument that is meant, from 0. Otherwise the walk stays where it is.
    fn position(&mut self) -> Option<usize> {
        let start = self.at;
        if let Some(n @ 1..) = self.decimal()
            && self.take(b'$')
        {
            return Some(n - 1);
        }
        self.at = start;
        None
    }
    fn take_argument(&mut self) -> usize {
        self.next_argument += 1;
        self.next_argument - 1
    }
    fn number(&mut self) -> Number {
        if !self.scanning && self.take(b'*') {
            return Number::Argument(self.position().unwrap_or_else(|| self.take_argument()));
        }
        self.decimal().map_or(Number::None, Number::Given)
    }
    fn length(&mut self) -> Length {
        let length = match self.peek() {
            b'h' => Length::Short,
            b'l' => Length::Long,
            b'q' | b'j' | b'z' | b't' => Length::Wide,
            b'L' => Length::LongDouble,
            _ => return Length::None,
        };
        self.advance();
        match length {
            Length::Short if self.take(b'h') => Length::Char,
            Length::Long if self.take(b'l') => Length::Wide,
            length => length,
        }
    }
    /// Behind `[`: to the end of the set. A `]` that comes first belongs to it.
    fn skip_set(&mut self) {
        self.take(b'^');
        self.take(b']');
        while !matches!(self.peek(), 0 | b']') {
            self.advance();
        }
        self.advance();
    }
}

impl<C: Unit> Iterator for Conversions<C> {
    type Item = Conversion;

    fn next(&mut self) -> Option<Conversion> {
        while self.peek() != b'%' {
            if self.peek() == 0 {
                return None;
            }
            self.advance();
        }
        self.advance();
        let mut conversion = Conversion::default();
        let position = self.position();
        let mut unassigned = false;
        if self.scanning {
            while matches!(self.peek(), b'*' | b'\'' | b'I') {
                unassigned |= self.peek() == b'*';
                self.advance();
            }
        } else {
            while matches!(self.peek(), b'-' | b'+' | b' ' | b'#' | b'0' | b'\'' | b'I') {
                self.advance();
            }
        }
        conversion.width = self.number();
        if !self.scanning && self.take(b'.') {
            conversion.precision = match self.number() {
                Number::None => Number::Given(0),
                number => number,
            };
        }
        conversion.allocates = self.scanning && self.take(b'm');
        conversion.length = self.length();
        conversion.letter = self.peek();
        self.advance();
        if conversion.letter == b'[' {
            self.skip_set();
        }
        let without = matches!(conversion.letter, 0 | b'%')
            || unassigned
            || (!self.scanning && conversion.letter == b'm');
        if !without {
            conversion.argument = Some(position.unwrap_or_else(|| self.take_argument()));
        }
        Some(conversion)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unused,
    Integer,
    Double,
    LongDouble,
}

/// The arguments of a printf as integers (0 for floating-point ones).
///
/// # Safety
/// `format` and `list` belong together.
unsafe fn printed_arguments<C: Unit>(format: *const C, mut list: VaList) -> [u64; ARGUMENTS] {
    let mut kinds = [Kind::Unused; ARGUMENTS];
    let mut note = |index: usize, kind: Kind| {
        if let Some(slot) = kinds.get_mut(index) {
            *slot = kind;
        }
    };
    // SAFETY: the caller's contract.
    for conversion in unsafe { Conversions::new(format, false) } {
        for number in [conversion.width, conversion.precision] {
            if let Number::Argument(index) = number {
                note(index, Kind::Integer);
            }
        }
        let Some(index) = conversion.argument else {
            continue;
        };
        note(
            index,
            match (conversion.letter | 32, conversion.length) {
                (b'a' | b'e' | b'f' | b'g', Length::LongDouble) => Kind::LongDouble,
                (b'a' | b'e' | b'f' | b'g', _) => Kind::Double,
                _ => Kind::Integer,
            },
        );
    }
    let mut values = [0; ARGUMENTS];
    for (value, kind) in values.iter_mut().zip(kinds) {
        // SAFETY: the arguments are there in the order of their numbers, of the kinds that the format says.
        unsafe {
            match kind {
                Kind::Unused => break,
                Kind::Integer => *value = list.integer(),
                Kind::Double => list.skip_double(),
                Kind::LongDouble => list.skip_long_double(),
            }
        }
    }
    values
}

/// Checks what a printf with this format reads (the format and strings) and where `%n` writes.
///
/// # Safety
/// `format` and `list` are the arguments of a printf.
pub unsafe fn check_printed<C: Unit>(caller: Caller, format: *const C, list: VaList) {
    if format.is_null() {
        return;
    }
    let mut batch = Batch::new(caller);
    // SAFETY: the caller's contract, from here to the end.
    unsafe {
        batch.add(reads(format, format_bytes(format)));
        let values = printed_arguments(format, list);
        let value = |index: usize| values.get(index).copied().unwrap_or(0);
        for conversion in Conversions::new(format, false) {
            let Some(index) = conversion.argument else {
                continue;
            };
            let limit = match conversion.precision {
                Number::None => usize::MAX,
                Number::Given(limit) => limit,
                // A negative one counts as none.
                Number::Argument(index) => {
                    usize::try_from(value(index) as i32).unwrap_or(usize::MAX)
                }
            };
            let pointer = value(index) as *const c_void;
            match (conversion.letter, conversion.length) {
                (b's', Length::Long) | (b'S', _) => {
                    batch.add(reads(pointer, wide(pointer.cast(), limit)))
                }
                (b's', _) => batch.add(reads(pointer, string_within(pointer.cast(), limit))),
                (b'n', length) => batch.add(writes(pointer, length.bytes())),
                _ => {}
            }
        }
    }
    batch.check();
}

/// Checks what a scanf with this format has read of it and written, of which it says that it made `assigned` assignments
/// (negative: none).
///
/// # Safety
/// `format` and `list` are the arguments of a scanf that has returned `assigned`.
pub unsafe fn check_scanned<C: Unit>(
    caller: Caller,
    format: *const C,
    mut list: VaList,
    assigned: i32,
) {
    let mut batch = Batch::new(caller);
    // SAFETY: the caller's contract, from here to the end.
    unsafe {
        batch.add(reads(format, format_bytes(format)));
        let used =
            |conversion: &Conversion| conversion.argument.is_some_and(|index| index < ARGUMENTS);
        let arguments = Conversions::new(format, true)
            .filter(used)
            .map(|c| c.argument.unwrap_or(0) + 1)
            .max()
            .unwrap_or(0);
        let total = Conversions::new(format, true)
            .filter(used)
            .filter(|c| c.letter != b'n')
            .count() as i32;
        let mut values = [0; ARGUMENTS];
        values
            .iter_mut()
            .take(arguments)
            .for_each(|value| *value = list.integer());
        let mut done = 0;
        for conversion in Conversions::new(format, true).filter(used) {
            let pointer = values[conversion.argument.unwrap_or(0)] as *const c_void;
            if conversion.letter == b'n' {
                // Not counted; surely reached if something behind it was assigned, or everything.
                if done < assigned || assigned == total {
                    batch.add(writes(pointer, conversion.length.bytes()));
                }
                continue;
            }
            if done >= assigned {
                break;
            }
            done += 1;
            let target = if conversion.allocates {
                batch.add(writes(pointer, size_of::<*mut c_void>()));
                *pointer.cast::<*const c_void>()
            } else {
                pointer
            };
            batch.add(writes(target, scanned_bytes(&conversion, target)));
        }
    }
    batch.check();
}

/// # Safety
/// The conversion has been assigned to `pointer`.
unsafe fn scanned_bytes(conversion: &Conversion, pointer: *const c_void) -> usize {
    let is_wide = conversion.length == Length::Long || matches!(conversion.letter, b'C' | b'S');
    match (conversion.letter, conversion.length) {
        (b'c' | b'C', _) => {
            let count = if let Number::Given(count) = conversion.width {
                count
            } else {
                1
            };
            if is_wide { count * 4 } else { count }
        }
        (b's' | b'S' | b'[', _) => {
            // SAFETY: what was assigned ends in a zero.
            unsafe {
                if is_wide {
                    wide(pointer.cast(), usize::MAX)
                } else {
                    string_within(pointer.cast(), usize::MAX)
                }
            }
        }
        (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::LongDouble) => LONG_DOUBLE,
        (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', Length::Long) => 8,
        (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', _) => 4,
        (b'p', _) => 8,
        (_, length) => length.bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(format: &core::ffi::CStr, scanning: bool) -> Vec<Conversion> {
        // SAFETY: a literal.
        unsafe { Conversions::new(format.as_ptr(), scanning) }.collect()
    }

    #[test]
    fn conversions_of_printf() {
        let all = parse(c"a %d %%|%-08.3lf %*.*s %hhn %m %2$s %zu", false);
        let expected = [
            (b'd', Some(0), Length::None),
            (b'%', None, Length::None),
            (b'f', Some(1), Length::Long),
            (b's', Some(4), Length::None),
            (b'n', Some(5), Length::Char),
            (b'm', None, Length::None),
            (b's', Some(1), Length::None),
            (b'u', Some(6), Length::Wide),
        ];
        assert_eq!(
            all.iter()
                .map(|c| (c.letter, c.argument, c.length))
                .collect::<Vec<_>>(),
            expected
        );
        assert_eq!(
            (all[2].width, all[2].precision),
            (Number::Given(8), Number::Given(3))
        );
        assert_eq!(
            (all[3].width, all[3].precision),
            (Number::Argument(2), Number::Argument(3))
        );
        let positions = parse(c"%2$*1$.*3$s", false);
        assert_eq!(
            (
                positions[0].argument,
                positions[0].width,
                positions[0].precision
            ),
            (Some(1), Number::Argument(0), Number::Argument(2))
        );
        assert_eq!(parse(c"%.s", false)[0].precision, Number::Given(0));
        assert_eq!(parse(c"100%", false)[0].argument, None);
    }

    #[test]
    fn conversions_of_scanf() {
        let all = parse(c"%5s %*d %[^]a-z]%Lf %ms %3$d %hn", true);
        let expected = [
            (b's', Some(0), false),
            (b'd', None, false),
            (b'[', Some(1), false),
            (b'f', Some(2), false),
            (b's', Some(3), true),
            (b'd', Some(2), false),
            (b'n', Some(4), false),
        ];
        assert_eq!(
            all.iter()
                .map(|c| (c.letter, c.argument, c.allocates))
                .collect::<Vec<_>>(),
            expected
        );
        assert_eq!(all[0].width, Number::Given(5));
        assert_eq!(all[3].length, Length::LongDouble);
    }

    #[test]
    fn sizes_of_what_was_scanned() {
        let of = |format: &core::ffi::CStr| {
            let text = c"seven";
            // SAFETY: the argument is a string.
            unsafe { scanned_bytes(&parse(format, true)[0], text.as_ptr().cast()) }
        };
        let expected: [(&core::ffi::CStr, usize); 10] = [
            (c"%d", 4),
            (c"%hhd", 1),
            (c"%lld", 8),
            (c"%f", 4),
            (c"%lf", 8),
            (c"%Lf", 10),
            (c"%s", 6),
            (c"%3c", 3),
            (c"%ms", 6),
            (c"%p", 8),
        ];
        for (format, bytes) in expected {
            assert_eq!(of(format), bytes, "{format:?}");
        }
    }
}
