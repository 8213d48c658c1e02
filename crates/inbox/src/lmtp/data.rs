//! Decoder of the data of a message: removes dot-stuffing, and detects the end of the message.
//!
//! A line break is CR LF only. A message therefore cannot contain an end that another mail server reads as text
//! (SMTP smuggling).

/// State between two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DataState {
    /// At the start of a line.
    #[default]
    Start,
    /// After a dot at the start of a line.
    Dot,
    /// After a dot at the start of a line and CR.
    DotReturn,
    /// Within a line.
    Line,
    /// After CR within a line.
    Return,
}

/// Decoder of one message.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DataDecoder {
    state: DataState,
}

impl DataDecoder {
    /// Decodes `input` and appends the result to `message`. Returns the number of decoded bytes, and true if
    /// the message is complete.
    pub(super) fn push(&mut self, input: &[u8], message: &mut Vec<u8>) -> (usize, bool) {
        for (index, &byte) in input.iter().enumerate() {
            if self.state == DataState::DotReturn && byte == b'\n' {
                return (index + 1, true);
            }
            self.state = self.next(byte, message);
        }
        (input.len(), false)
    }

    fn next(self, byte: u8, message: &mut Vec<u8>) -> DataState {
        match (self.state, byte) {
            (DataState::Start, b'.') => return DataState::Dot,
            (DataState::Dot, b'\r') => return DataState::DotReturn,
            // A dot that is followed by a bare LF is part of the text.
            (DataState::Dot, b'\n') => message.push(b'.'),
            (DataState::DotReturn, _) => message.push(b'\r'),
            _ => {}
        }
        message.push(byte);
        match (self.state, byte) {
            (DataState::Return, b'\n') => DataState::Start,
            (_, b'\r') => DataState::Return,
            _ => DataState::Line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes the input in pieces of every size.
    fn decode(input: &[u8]) -> (Vec<u8>, usize, bool) {
        let mut results = Vec::new();
        for size in 1..=input.len() {
            let (mut decoder, mut message, mut used, mut is_complete) =
                (DataDecoder::default(), Vec::new(), 0, false);
            for piece in input.chunks(size) {
                let (count, complete) = decoder.push(piece, &mut message);
                used += count;
                if complete {
                    is_complete = true;
                    break;
                }
            }
            results.push((message, used, is_complete));
        }
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "the pieces change nothing: {results:?}");
        results.remove(0)
    }

    #[test]
    fn dots_are_removed_and_end_is_detected() {
        let (message, used, is_complete) = decode(b"a\r\n..b\r\n.c\r\n.\r\nQUIT\r\n");
        assert_eq!((message.as_slice(), used, is_complete), (&b"a\r\n.b\r\nc\r\n"[..], 15, true));
        assert_eq!(decode(b".\r\n"), (Vec::new(), 3, true));
    }

    #[test]
    fn bare_line_breaks_do_not_end_a_message() {
        for text in [&b"a\n.\nMAIL"[..], b"a\n.\r\nMAIL", b"a\r.\r\nMAIL", b"a\r\n.\nMAIL", b"a\r\n.\rMAIL"] {
            let (_, used, is_complete) = decode(text);
            assert_eq!((used, is_complete), (text.len(), false), "{text:?}");
        }
        assert_eq!(decode(b"a\r\n.\nb").0, b"a\r\n.\nb");
    }
}
