//! Tracks the progress of request heads on a connection, only from the connection's bytes. A head that
//! arrives slowly never makes the connection idle, so the connection sets a deadline by which the head must
//! be complete.
//!
//! With HTTP/1, a head lasts from the first byte after a response to the empty line. With HTTP/2, each frame
//! lasts from its first byte to its last, and a head from its first frame to its final frame.

/// Connection preface of HTTP/2 (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Start of an interim response after which the body of the same request continues.
const CONTINUE: &[u8] = b"HTTP/1.1 100";
/// Length of an HTTP/2 frame header.
const FRAME_HEADER_BYTES: usize = 9;
/// Types of frames that contain a request head.
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
/// Flag of the final frame of a request head.
const END_HEADERS: u8 = 4;

/// Parser state of a connection.
#[derive(Debug)]
pub(super) struct HeadTracker {
    phase: HeadPhase,
    /// Number of matched bytes of [`PREFACE`]. `None` after the connection has sent anything else.
    preface: Option<usize>,
}

#[derive(Debug)]
enum HeadPhase {
    /// Nothing was received since the last response.
    Waiting,
    /// Inside an HTTP/1 head.
    Head(LineState),
    /// The head is complete: further bytes are the body or a pipelined request.
    Request,
    /// The connection uses HTTP/2.
    Frames(FrameState),
}

/// Position within an HTTP/1 head.
#[derive(Clone, Copy, Debug)]
enum LineState {
    /// Before the request line, where empty lines are skipped.
    Before,
    /// Inside a non-empty line.
    Filled,
    /// At the start of a line.
    Empty,
}

/// Position within the frames of an HTTP/2 connection.
#[derive(Debug, Default)]
struct FrameState {
    head: [u8; FRAME_HEADER_BYTES],
    /// Number of received bytes of the frame header in `head`.
    filled: usize,
    /// Number of bytes of the frame that are still missing.
    left: usize,
    /// True if a request head was started and further frames of it must follow.
    is_head_open: bool,
}

impl Default for HeadTracker {
    fn default() -> Self {
        Self { phase: HeadPhase::Waiting, preface: Some(0) }
    }
}

impl HeadTracker {
    /// Consumes bytes from the peer. Returns true if the bytes completed a head or a frame.
    pub(super) fn read(&mut self, bytes: &[u8]) -> bool {
        let mut is_complete = false;
        for (at, byte) in bytes.iter().enumerate() {
            self.preface =
                self.preface.filter(|matched| PREFACE[*matched] == *byte).map(|matched| matched + 1);
            if self.preface == Some(PREFACE.len()) {
                self.preface = None;
                self.phase = HeadPhase::Frames(FrameState::default());
                self.read(&bytes[at + 1..]);
                return true;
            }
            let line = match &mut self.phase {
                HeadPhase::Frames(frames) => return frames.read(&bytes[at..]),
                HeadPhase::Request => return is_complete,
                HeadPhase::Waiting => LineState::Before.next(*byte),
                HeadPhase::Head(line) => line.next(*byte),
            };
            // The HTTP/2 preface starts like a complete HTTP/1 head.
            let is_end = line.is_none() && self.preface.is_none();
            is_complete |= is_end;
            self.phase =
                if is_end { HeadPhase::Request } else { HeadPhase::Head(line.unwrap_or(LineState::Empty)) };
        }
        is_complete
    }

    /// Records bytes sent to the peer: a response, after which the next head may arrive.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if !matches!(self.phase, HeadPhase::Frames(_)) && !bytes.starts_with(CONTINUE) {
            self.phase = HeadPhase::Waiting;
        }
    }

    /// Returns true if an HTTP/1 request was received and its response has not started. Always returns false
    /// for HTTP/2, where this is unknown.
    pub(super) fn is_answering(&self) -> bool {
        matches!(self.phase, HeadPhase::Request)
    }

    /// Returns true if a head or frame was started and is incomplete.
    pub(super) fn is_unfinished(&self) -> bool {
        match &self.phase {
            HeadPhase::Waiting | HeadPhase::Request => false,
            HeadPhase::Head(_) => true,
            HeadPhase::Frames(frames) => frames.is_unfinished(),
        }
    }
}

impl LineState {
    /// Returns the state after one more byte. Returns `None` if the head is complete.
    fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Before, b'\r' | b'\n') => Some(Self::Before),
            (Self::Empty, b'\n') => None,
            (Self::Filled, b'\n') | (Self::Empty, b'\r') => Some(Self::Empty),
            (Self::Before | Self::Filled | Self::Empty, _) => Some(Self::Filled),
        }
    }
}

impl FrameState {
    /// Consumes bytes. Returns true if a frame ended and no head is incomplete.
    fn read(&mut self, mut bytes: &[u8]) -> bool {
        let mut is_complete = false;
        while let Some(first) = bytes.first() {
            if self.filled < FRAME_HEADER_BYTES {
                self.head[self.filled] = *first;
                self.filled += 1;
                bytes = &bytes[1..];
                if self.filled < FRAME_HEADER_BYTES {
                    continue;
                }
                self.parse_frame_header();
            }
            let taken = self.left.min(bytes.len());
            self.left -= taken;
            bytes = &bytes[taken..];
            if self.left == 0 {
                self.filled = 0;
                is_complete |= !self.is_head_open;
            }
        }
        is_complete
    }

    fn parse_frame_header(&mut self) {
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

    /// Returns, for each piece, true if a head is incomplete after the piece.
    fn unfinished_after(pieces: &[&[u8]]) -> Vec<bool> {
        let mut heads = HeadTracker::default();
        pieces
            .iter()
            .map(|piece| {
                heads.read(piece);
                heads.is_unfinished()
            })
            .collect()
    }

    #[test]
    fn http1_head_is_complete_after_an_empty_line() {
        assert_eq!(
            unfinished_after(&[b"G", b"ET / HTTP/1.1\r\n", b"Host: x\r\n", b"\r", b"\n", b"body"]),
            [true, true, true, true, false, false]
        );
        assert_eq!(unfinished_after(&[b"GET / HTTP/1.1\nHost: x\n\n"]), [false]);
        assert_eq!(unfinished_after(&[b"\r\n\r\n", b"\r\n", b"GET / HTTP/1.1\r\n\r\n"]), [true, true, false]);
        assert_eq!(unfinished_after(&[b"PRI * HTTP/1.1\r\n", b"\r\n"]), [true, false]);
    }

    #[test]
    fn next_head_starts_after_the_response_and_not_with_the_body() {
        let mut heads = HeadTracker::default();
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
    fn http2_head_is_complete_after_the_end_headers_flag() {
        let settings = [PREFACE, &frame(4, 0, b"")].concat();
        let (begun, more) = (frame(HEADERS, 0, b"half"), frame(CONTINUATION, 0, b"more"));
        let (last, whole) = (frame(CONTINUATION, END_HEADERS, b"end"), frame(HEADERS, END_HEADERS, b"all"));
        let pieces: [&[u8]; 8] =
            [&PREFACE[..20], &settings[20..], &begun, &more, &last, &whole, &begun[..4], &begun[4..]];
        assert_eq!(unfinished_after(&pieces), [true, false, true, true, false, false, true, true]);
    }

    #[test]
    fn http2_frame_is_unfinished_until_its_last_byte() {
        let data = frame(0, 0, b"0123456789");
        let mut heads = HeadTracker::default();
        heads.read(PREFACE);
        for byte in &data[..data.len() - 1] {
            assert!(!heads.read(&[*byte]));
            assert!(heads.is_unfinished());
        }
        let across = [&data[data.len() - 1..], &data[..12]].concat();
        assert!(heads.read(&across), "a frame ended within these bytes");
        assert!(heads.is_unfinished(), "and another frame started");
    }
}
