//! How far the heads of requests have come on a connection, told from its bytes alone. A head that arrives line by
//! line is never silent; whoever serves the connection gives it a time by which it must be whole.
//!
//! HTTP/1: from the first byte after an answer to the empty line. HTTP/2: each frame from its first byte to its last,
//! and a head from its first frame to the one that ends it.

/// What begins a connection that speaks HTTP/2 (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// What begins an answer after which the body of the same request goes on.
const CONTINUE: &[u8] = b"HTTP/1.1 100";
/// Length of the head of a frame of HTTP/2.
const FRAME_HEAD: usize = 9;
/// Types of frames that carry a head.
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
/// The flag of the frame that ends a head.
const END_HEADERS: u8 = 4;

/// The state of a connection between two bytes.
#[derive(Debug)]
pub(super) struct Heads {
    phase: Phase,
    /// Bytes of [`PREFACE`] that have come, as long as nothing else has.
    preface: Option<usize>,
}

#[derive(Debug)]
enum Phase {
    /// Nothing has come since the last answer.
    Waiting,
    /// In a head of HTTP/1.
    Head(Line),
    /// The head is whole: what comes is the body, or the next request before its turn.
    Request,
    /// HTTP/2.
    Frames(Frames),
}

/// Where a head of HTTP/1 stands.
#[derive(Clone, Copy, Debug)]
enum Line {
    /// Before the first line; empty ones are passed over there.
    Before,
    /// In a line with something in it.
    Filled,
    /// At the beginning of a line.
    Empty,
}

/// Where a connection of HTTP/2 stands.
#[derive(Debug, Default)]
struct Frames {
    head: [u8; FRAME_HEAD],
    /// Bytes of `head` that have come.
    filled: usize,
    /// Bytes that are still to come of the frame.
    left: usize,
    /// A head was begun, and more frames of it must follow.
    is_head_open: bool,
}

impl Default for Heads {
    fn default() -> Self {
        Self { phase: Phase::Waiting, preface: Some(0) }
    }
}

impl Heads {
    /// Takes in bytes from the peer; tells whether they made something whole.
    pub(super) fn read(&mut self, bytes: &[u8]) -> bool {
        let mut is_whole = false;
        for (at, byte) in bytes.iter().enumerate() {
            self.preface =
                self.preface.filter(|matched| PREFACE[*matched] == *byte).map(|matched| matched + 1);
            if self.preface == Some(PREFACE.len()) {
                self.preface = None;
                self.phase = Phase::Frames(Frames::default());
                self.read(&bytes[at + 1..]);
                return true;
            }
            let line = match &mut self.phase {
                Phase::Frames(frames) => return frames.read(&bytes[at..]),
                Phase::Request => return is_whole,
                Phase::Waiting => Line::Before.next(*byte),
                Phase::Head(line) => line.next(*byte),
            };
            // HTTP/2 begins with what looks like a whole head.
            let is_end = line.is_none() && self.preface.is_none();
            is_whole |= is_end;
            self.phase = if is_end { Phase::Request } else { Phase::Head(line.unwrap_or(Line::Empty)) };
        }
        is_whole
    }

    /// Takes note of bytes for the peer: an answer, after which the next head may come.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if !matches!(self.phase, Phase::Frames(_)) && !bytes.starts_with(CONTINUE) {
            self.phase = Phase::Waiting;
        }
    }

    /// Whether something was begun that is not whole yet.
    pub(super) fn is_unfinished(&self) -> bool {
        match &self.phase {
            Phase::Waiting | Phase::Request => false,
            Phase::Head(_) => true,
            Phase::Frames(frames) => frames.is_unfinished(),
        }
    }
}

impl Line {
    /// Where a head stands after one more byte; `None` when it is whole.
    fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Before, b'\r' | b'\n') => Some(Self::Before),
            (Self::Empty, b'\n') => None,
            (Self::Filled, b'\n') | (Self::Empty, b'\r') => Some(Self::Empty),
            (Self::Before | Self::Filled | Self::Empty, _) => Some(Self::Filled),
        }
    }
}

impl Frames {
    /// Takes in bytes; tells whether a frame ended that leaves no head open.
    fn read(&mut self, mut bytes: &[u8]) -> bool {
        let mut is_whole = false;
        while let Some(first) = bytes.first() {
            if self.filled < FRAME_HEAD {
                self.head[self.filled] = *first;
                self.filled += 1;
                bytes = &bytes[1..];
                if self.filled < FRAME_HEAD {
                    continue;
                }
                self.begin();
            }
            let taken = self.left.min(bytes.len());
            self.left -= taken;
            bytes = &bytes[taken..];
            if self.left == 0 {
                self.filled = 0;
                is_whole |= !self.is_head_open;
            }
        }
        is_whole
    }

    /// Takes the head of a frame apart.
    fn begin(&mut self) {
        let [high, middle, low, kind, flags, ..] = self.head;
        self.left = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        if matches!(kind, HEADERS | CONTINUATION) {
            self.is_head_open = flags & END_HEADERS == 0;
        }
    }

    fn is_unfinished(&self) -> bool {
        self.filled > 0 || self.is_head_open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a head is open after each of these pieces.
    fn open(pieces: &[&[u8]]) -> Vec<bool> {
        let mut heads = Heads::default();
        pieces
            .iter()
            .map(|piece| {
                heads.read(piece);
                heads.is_unfinished()
            })
            .collect()
    }

    #[test]
    fn a_head_of_http_1_lasts_from_its_first_byte_to_the_empty_line() {
        assert_eq!(
            open(&[b"G", b"ET / HTTP/1.1\r\n", b"Host: x\r\n", b"\r", b"\n", b"body"]),
            [true, true, true, true, false, false]
        );
        assert_eq!(open(&[b"GET / HTTP/1.1\nHost: x\n\n"]), [false]);
        assert_eq!(open(&[b"\r\n\r\n", b"\r\n", b"GET / HTTP/1.1\r\n\r\n"]), [true, true, false]);
        assert_eq!(open(&[b"PRI * HTTP/1.1\r\n", b"\r\n"]), [true, false]);
    }

    #[test]
    fn the_next_head_begins_after_the_answer_and_not_with_the_body() {
        let mut heads = Heads::default();
        assert!(heads.read(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n"));
        heads.write(b"HTTP/1.1 100 Continue\r\n\r\n");
        assert!(!heads.read(b"half a body"));
        assert!(!heads.is_unfinished());
        heads.write(b"HTTP/1.1 200 OK\r\n");
        assert!(!heads.is_unfinished());
        assert!(!heads.read(b"GET"));
        assert!(heads.is_unfinished());
    }

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let mut frame = vec![0, 0, u8::try_from(payload.len()).unwrap(), kind, flags, 0, 0, 0, 1];
        frame.extend(payload);
        frame
    }

    #[test]
    fn a_head_of_http_2_lasts_until_the_frame_that_ends_it() {
        let settings = [PREFACE, &frame(4, 0, b"")].concat();
        let (begun, more) = (frame(HEADERS, 0, b"half"), frame(CONTINUATION, 0, b"more"));
        let (last, whole) = (frame(CONTINUATION, END_HEADERS, b"end"), frame(HEADERS, END_HEADERS, b"all"));
        let pieces: [&[u8]; 8] =
            [&PREFACE[..20], &settings[20..], &begun, &more, &last, &whole, &begun[..4], &begun[4..]];
        assert_eq!(open(&pieces), [true, false, true, true, false, false, true, true]);
    }

    #[test]
    fn a_frame_that_comes_byte_by_byte_is_unfinished_and_the_frames_of_a_long_body_are_each_whole() {
        let data = frame(0, 0, b"0123456789");
        let mut heads = Heads::default();
        heads.read(PREFACE);
        for byte in &data[..data.len() - 1] {
            assert!(!heads.read(&[*byte]));
            assert!(heads.is_unfinished());
        }
        let across = [&data[data.len() - 1..], &data[..12]].concat();
        assert!(heads.read(&across), "one ended among these bytes");
        assert!(heads.is_unfinished(), "and another began");
    }
}
