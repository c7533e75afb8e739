//! Ranges of the same length at the same distance from each other: a column of a matrix, a field of each structure in an array, or a block
//! of a matrix.

/// `count` ranges of `bytes` bytes each, the first one at `start` and each next one `stride` bytes after it, or before. They may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    pub start: u64,
    pub count: u64,
    pub stride: i64,
    /// At least one.
    pub bytes: u64,
}

impl Rows {
    /// Address of the row with this number.
    #[inline(always)]
    pub fn row(&self, number: u64) -> u64 {
        let way = number.wrapping_mul(self.stride as u64);
        self.start.wrapping_add(way)
    }

    /// Those from this number on.
    pub fn from(&self, number: u64) -> Rows {
        Rows {
            start: self.row(number),
            count: self.count - number,
            ..*self
        }
    }

    /// Start and end of what all rows are in. `None` if there is none, or no address space that they would be in.
    pub fn hull(&self) -> Option<(u64, u64)> {
        let way = i64::try_from(self.count.checked_sub(1)?)
            .ok()?
            .checked_mul(self.stride)?;
        let last = self.start.checked_add_signed(way)?;
        let (lowest, highest) = (self.start.min(last), self.start.max(last));
        Some((lowest, highest.checked_add(self.bytes)?))
    }

    /// A row that contains this address, which one of them does.
    pub fn row_at(&self, addr: u64) -> u64 {
        let way = addr.wrapping_sub(self.start) as i64;
        let number = match self.stride {
            0 => 0,
            // In a row before its end, that has begun last.
            stride if stride > 0 => way / stride,
            stride => (way - (self.bytes as i64 - 1)).min(0) / stride,
        };
        self.row((number as u64).min(self.count - 1))
    }

    /// Whether there is a row, and the first one is within this 64-byte line.
    #[inline(always)]
    pub(crate) fn begin_in(&self, line: u64) -> bool {
        self.count != 0 && self.start >> 6 == line && (self.start & 63) + self.bytes <= 64
    }

    /// Leaves the first one out.
    #[inline(always)]
    pub fn leave_first(&mut self) {
        self.start = self.start.wrapping_add_signed(self.stride);
        self.count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all small ones: the hull is that of all bytes, and each byte's row has it.
    #[test]
    fn each_byte_is_in_its_row_and_all_are_in_the_hull() {
        for stride in -20..=20 {
            for bytes in 1..=12 {
                for count in 1..=5 {
                    let rows = Rows {
                        start: 1000,
                        count,
                        stride,
                        bytes,
                    };
                    let all = (0..count).map(|number| rows.row(number));
                    let lowest = all.clone().min().unwrap();
                    let highest = all.clone().max().unwrap();
                    assert_eq!(rows.hull(), Some((lowest, highest + bytes)));
                    for row in all.clone() {
                        for byte in row..row + bytes {
                            let found = rows.row_at(byte);
                            assert!(
                                all.clone().any(|row| row == found)
                                    && (found..found + bytes).contains(&byte),
                                "{rows:?} {byte} {found}"
                            );
                        }
                    }
                    assert_eq!(rows.from(count - 1).row(0), rows.row(count - 1));
                }
            }
        }
    }

    #[test]
    fn what_leaves_the_address_space_has_no_hull() {
        let rows = |start, count, stride| Rows {
            start,
            count,
            stride,
            bytes: 8,
        };
        for none in [
            rows(8, 0, 8),
            rows(8, 3, -8),
            rows(u64::MAX - 20, 3, 8),
            rows(8, u64::MAX, 1),
            rows(8, 1 << 40, 1 << 40),
        ] {
            assert_eq!(none.hull(), None, "{none:?}");
        }
        assert_eq!(rows(16, 3, -8).hull(), Some((0, 24)));
    }
}
