//! What the runtime and its symbolizer process say to each other: requests and replies as bytes on a socket.
//!
//! A message is its length (`u32`) and that many bytes; numbers are little-endian, strings and lists carry their length.
//! Both sides are the same build of the same program, so there are no versions, but what arrives is still checked.

use goldilocks_core::abi::COLUMN_OF_FUNCTION;

/// What the server sends first, so that the client knows that somebody is there who speaks this.
pub const GREETING: [u8; 8] = *b"goldsym\n";

/// The environment variable that turns a program into its own symbolizer: `<descriptor>:<inode of the socket>`.
pub const VARIABLE: &str = "GOLDILOCKS_SYMBOLIZER";

/// Longest message that is believed, bytes.
pub const LIMIT: usize = 16 << 20;

/// A function that an instruction belongs to, by inlining or really.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Readable name without parameters; empty if not known.
    pub function: String,
    /// With parameters and return type; empty if that is the same.
    pub signature: String,
    /// Path as the compiler has recorded it; empty if not known.
    pub file: String,
    /// From 1; 0 if not known.
    pub line: u32,
    /// From 1; 0 if not known. `COLUMN_OF_FUNCTION`: the line is that of the function.
    pub column: u32,
}

impl Frame {
    /// Whether the line is that of the function, since that of the instruction is not known.
    pub fn is_of_function(&self) -> bool {
        self.column == COLUMN_OF_FUNCTION
    }

    /// From 1; 0 if not known.
    pub fn known_column(&self) -> u32 {
        if self.is_of_function() {
            0
        } else {
            self.column
        }
    }
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// First address, as in the file.
    pub start: u64,
    /// Bytes; 0 if not known.
    pub size: u64,
    /// Those in which the address is that was asked for, outermost first; none if not known.
    pub parts: Vec<Part>,
}

/// A part of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What comes after the variable's name: `.slots[1].hits`.
    pub path: String,
    /// Where it begins, from the variable's first byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub what: What,
    /// Whether the module is the program itself.
    pub main: bool,
    pub path: String,
    /// Of the module as loaded; an answer from a file with another one would be wrong.
    pub build_id: Vec<u8>,
    /// Address as in the file.
    pub offset: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The frames of the instruction at an address.
    Code,
    /// The variable at an address.
    Data,
}

impl Request {
    pub fn encode(&self) -> Vec<u8> {
        let mut message = Message::default();
        message.number(match self.what {
            What::Code => 1,
            What::Data => 2,
        });
        message.number(self.main as u64);
        message.bytes(self.path.as_bytes());
        message.bytes(&self.build_id);
        message.number(self.offset);
        message.finish()
    }

    pub fn decode(body: &[u8]) -> Option<Request> {
        let mut body = Reader(body);
        let what = match body.number()? {
            1 => What::Code,
            2 => What::Data,
            _ => return None,
        };
        let main = body.number()? != 0;
        Some(Request {
            what,
            main,
            path: body.string()?,
            build_id: body.bytes()?.to_vec(),
            offset: body.number()?,
        })
    }
}

pub fn encode_frames(frames: &[Frame]) -> Vec<u8> {
    let mut message = Message::default();
    message.number(frames.len() as u64);
    for frame in frames {
        message.bytes(frame.function.as_bytes());
        message.bytes(frame.signature.as_bytes());
        message.bytes(frame.file.as_bytes());
        message.number(frame.line.into());
        message.number(frame.column.into());
    }
    message.finish()
}

pub fn decode_frames(body: &[u8]) -> Option<Vec<Frame>> {
    let mut body = Reader(body);
    let count = body.number()?;
    (0..count)
        .map(|_| {
            Some(Frame {
                function: body.string()?,
                signature: body.string()?,
                file: body.string()?,
                line: body.number()?.try_into().ok()?,
                column: body.number()?.try_into().ok()?,
            })
        })
        .collect()
}

pub fn encode_variable(variable: Option<&Variable>) -> Vec<u8> {
    let mut message = Message::default();
    message.number(variable.is_some() as u64);
    if let Some(variable) = variable {
        message.bytes(variable.name.as_bytes());
        message.number(variable.start);
        message.number(variable.size);
        message.number(variable.parts.len() as u64);
        for part in &variable.parts {
            message.bytes(part.path.as_bytes());
            message.number(part.start);
            message.number(part.size);
        }
    }
    message.finish()
}

pub fn decode_variable(body: &[u8]) -> Option<Option<Variable>> {
    let mut body = Reader(body);
    match body.number()? {
        0 => Some(None),
        _ => Some(Some(Variable {
            name: body.string()?,
            start: body.number()?,
            size: body.number()?,
            parts: decode_parts(&mut body)?,
        })),
    }
}

fn decode_parts(body: &mut Reader<'_>) -> Option<Vec<Part>> {
    let count = body.number()?;
    (0..count)
        .map(|_| {
            Some(Part {
                path: body.string()?,
                start: body.number()?,
                size: body.number()?,
            })
        })
        .collect()
}

struct Message(Vec<u8>);

impl Default for Message {
    fn default() -> Message {
        Message(vec![0; 4])
    }
}

impl Message {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }
    fn finish(mut self) -> Vec<u8> {
        let length = (self.0.len() - 4) as u32;
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }
    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(length.try_into().ok()?)
    }
    fn string(&mut self) -> Option<String> {
        Some(String::from_utf8_lossy(self.bytes()?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_survives_the_way_and_no_prefix_is_taken_for_the_whole() {
        let request = Request {
            what: What::Data,
            main: true,
            path: "/a/b".into(),
            build_id: vec![1, 2],
            offset: 0x1234,
        };
        let frame = Frame {
            function: "f".into(),
            signature: "f(int)".into(),
            file: "x.c".into(),
            line: 3,
            column: 4,
        };
        let frames = vec![frame, Frame::default()];
        let variable = Variable {
            name: "v".into(),
            start: 5,
            size: 8,
            parts: vec![Part {
                path: ".x".into(),
                start: 4,
                size: 4,
            }],
        };
        let messages = [
            request.encode(),
            encode_frames(&frames),
            encode_variable(Some(&variable)),
        ];
        for message in &messages {
            let length = u32::from_le_bytes(message[..4].try_into().unwrap()) as usize;
            assert_eq!(length, message.len() - 4);
        }
        assert_eq!(Request::decode(&messages[0][4..]), Some(request));
        assert_eq!(decode_frames(&messages[1][4..]), Some(frames));
        assert_eq!(decode_variable(&messages[2][4..]), Some(Some(variable)));
        assert_eq!(decode_variable(&encode_variable(None)[4..]), Some(None));
        for cut in 4..messages[0].len() {
            assert_eq!(Request::decode(&messages[0][4..cut]), None);
        }
        for cut in 4..messages[1].len() {
            assert_eq!(decode_frames(&messages[1][4..cut]), None);
        }
        assert_eq!(decode_frames(&[0xff; 64]), None);
    }
}
