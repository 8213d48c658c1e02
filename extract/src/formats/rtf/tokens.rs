//! Tokens of RTF: groups, control words and bytes of text.

/// Maximum number of letters in a control word that are read.
const MAX_WORD_BYTES: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RtfToken<'b> {
    Open,
    Close,
    /// Control word with its numeric parameter.
    Word {
        name: &'b str,
        number: Option<i32>,
    },
    /// Backslash and a character other than a letter.
    Symbol(u8),
    /// Byte of text, in the encoding of the current font.
    Byte(u8),
}

pub(super) struct RtfTokens<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> RtfTokens<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Reads the token after a backslash.
    fn control(&mut self) -> Option<RtfToken<'b>> {
        let first = *self.bytes.get(self.at)?;
        if !first.is_ascii_alphabetic() {
            self.at += 1;
            return Some(match first {
                b'\'' => {
                    let code = self.bytes.get(self.at..self.at + 2);
                    let value =
                        code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
                    self.at = (self.at + 2).min(self.bytes.len());
                    RtfToken::Byte(value.unwrap_or(b'?'))
                }
                b'\\' | b'{' | b'}' => RtfToken::Byte(first),
                symbol => RtfToken::Symbol(symbol),
            });
        }
        let rest = &self.bytes[self.at..];
        let letters = rest.iter().take(MAX_WORD_BYTES).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let name = std::str::from_utf8(&rest[..letters]).unwrap_or_default();
        let is_negative = rest.get(letters) == Some(&b'-');
        let from = letters + usize::from(is_negative);
        let digits = rest[from..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let written = if digits == 0 { &rest[..0] } else { &rest[letters..from + digits] };
        let number = std::str::from_utf8(written).ok().and_then(|number| number.parse().ok());
        let length = if digits == 0 { letters } else { from + digits };
        self.at += length + usize::from(rest.get(length) == Some(&b' '));
        if name == "bin" {
            let size = number.and_then(|size: i32| usize::try_from(size).ok()).unwrap_or(0);
            self.at = self.at.saturating_add(size).min(self.bytes.len());
        }
        Some(RtfToken::Word { name, number })
    }
}

impl<'b> Iterator for RtfTokens<'b> {
    type Item = RtfToken<'b>;

    fn next(&mut self) -> Option<RtfToken<'b>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            return match byte {
                b'{' => Some(RtfToken::Open),
                b'}' => Some(RtfToken::Close),
                b'\\' => self.control(),
                b'\r' | b'\n' | 0 => continue,
                byte => Some(RtfToken::Byte(byte)),
            };
        }
    }
}
