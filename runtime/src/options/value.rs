//! The types of option values: how each is read, described and shown.

/// A type of value. `range` is the table's column of that name; only numbers have one.
pub trait Value: Sized {
    fn parse(text: &str, range: &str) -> Option<Self>;
    /// What may be written, for messages.
    fn expected(range: &str) -> String;
    /// The value as it would be written.
    fn show(&self) -> String;
}

impl Value for bool {
    fn parse(text: &str, _: &str) -> Option<bool> {
        match text {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        }
    }
    fn expected(_: &str) -> String {
        "0 or 1".into()
    }
    fn show(&self) -> String {
        (*self as u8).to_string()
    }
}

impl Value for u32 {
    fn parse(text: &str, range: &str) -> Option<u32> {
        let (low, high) = range.split_once("..=")?;
        let value = match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => text.parse().ok()?,
        };
        (low.parse().ok()?..=high.parse().ok()?)
            .contains(&value)
            .then_some(value)
    }
    fn expected(range: &str) -> String {
        range.into()
    }
    fn show(&self) -> String {
        self.to_string()
    }
}

/// Leaked: options live as long as the process and are read once.
impl Value for &'static str {
    fn parse(text: &str, _: &str) -> Option<&'static str> {
        Some(String::leak(text.to_owned()))
    }
    fn expected(_: &str) -> String {
        "text".into()
    }
    fn show(&self) -> String {
        (*self).to_owned()
    }
}

/// A choice between words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal),* } $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($variant),* }
        impl Value for $name {
            fn parse(text: &str, _: &str) -> Option<$name> {
                match text {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
            fn expected(_: &str) -> String {
                $expected.into()
            }
            fn show(&self) -> String {
                match self { $($name::$variant => $word.into()),* }
            }
        }
    };
}

words! {
    /// When to colour reports.
    Color { Auto = "auto", Always = "always", Never = "never" } "auto, always or never"
}
words! {
    /// How reports are written.
    ReportFormat { Text = "text", Json = "json" } "text or json"
}
words! {
    /// Whose conventions are understood besides our own.
    Compat { None = "none", Tsan = "tsan" } "none or tsan"
}

/// A set of the checks SC0 to SC4: bit n stands for SCn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortCircuits(pub u8);

impl ShortCircuits {
    pub const ALL: ShortCircuits = ShortCircuits(0b1_1111);
    /// Whether SC`number` is used.
    pub const fn has(self, number: u8) -> bool {
        self.0 >> number & 1 != 0
    }
}

impl Value for ShortCircuits {
    fn parse(text: &str, _: &str) -> Option<ShortCircuits> {
        match text {
            "all" => return Some(ShortCircuits::ALL),
            "none" => return Some(ShortCircuits(0)),
            "" => return None,
            _ => {}
        }
        let bits = text.bytes().try_fold(0, |bits, digit| {
            matches!(digit, b'0'..=b'4').then(|| bits | 1 << (digit - b'0'))
        });
        bits.map(ShortCircuits)
    }
    fn expected(_: &str) -> String {
        "digits from 01234, all or none".into()
    }
    fn show(&self) -> String {
        match self.0 {
            0 => "none".into(),
            _ if *self == ShortCircuits::ALL => "all".into(),
            _ => (0..5)
                .filter(|&n| self.has(n))
                .map(|n| (b'0' + n) as char)
                .collect(),
        }
    }
}

/// Replaces `%p` by the process id and `%%` by `%` in file names.
pub struct Percent;

impl Percent {
    pub fn expand(text: &str, pid: i32) -> String {
        let mut result = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            result += &rest[..at];
            let (replacement, length) = match rest.as_bytes().get(at + 1) {
                Some(b'p') => (pid.to_string(), 2),
                Some(b'%') => ("%".into(), 2),
                _ => ("%".into(), 1),
            };
            result += &replacement;
            rest = &rest[at + length..];
        }
        result + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_to_their_range() {
        assert_eq!(u32::parse("255", "0..=255"), Some(255));
        assert_eq!(u32::parse("0x10", "0..=255"), Some(16));
        for bad in ["256", "-1", "", "1x", "99999999999999999999"] {
            assert_eq!(u32::parse(bad, "0..=255"), None, "{bad}");
        }
    }

    #[test]
    fn short_circuits_are_sets_of_digits() {
        assert_eq!(ShortCircuits::parse("03", ""), Some(ShortCircuits(0b1001)));
        assert_eq!(ShortCircuits::parse("none", ""), Some(ShortCircuits(0)));
        assert_eq!(ShortCircuits::parse("5", ""), None);
        assert_eq!(ShortCircuits(0b1001).show(), "03");
        assert!(ShortCircuits::ALL.has(4) && !ShortCircuits(0b1001).has(1));
    }

    #[test]
    fn percent_signs_are_expanded() {
        assert_eq!(Percent::expand("a%p.b%%c%d%", 7), "a7.b%c%d%");
    }
}
