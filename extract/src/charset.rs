//! Decodes bytes to text. The encoding is determined from the byte order mark, or else from the header, or
//! else from a declaration in the text, or else by detection.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::clean::is_eastern;

/// Number of leading bytes that are searched for a declaration in the text.
const DECLARATION_BYTES: usize = 4096;
/// Number of bytes that are used for detection.
const DETECTION_BYTES: usize = 256 * 1024;
/// Minimum ratio of valid non-ASCII UTF-8 characters to invalid sequences for a text to be treated as damaged
/// UTF-8.
const DAMAGE_RATIO: u64 = 4;
/// Number of non-ASCII bytes below which a detected encoding is only a guess.
const EVIDENCE_BYTES: usize = 4;
/// Minimum number of UTF-16 code units of a text that is recognised by its characters.
const MIN_EASTERN_UNITS: usize = 16;
/// Minimum number of consecutive accented letters for a word to be treated as misread.
const ACCENTED_RUN: usize = 5;

/// Decodes a body. `content_type` is the value of the header. Invalid sequences become U+FFFD, except for
/// single characters of Windows-1252 in a UTF-8 text.
///
/// Valid UTF-8 with non-ASCII letters is read as UTF-8 even if another encoding is declared, because text in
/// other encodings is hardly ever valid UTF-8. Markup in single bytes is never read as UTF-16, even if UTF-16
/// is declared.
pub fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    if let Some(encoding) = utf16_without_mark(&bytes[..bytes.len().min(DECLARATION_BYTES)]) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    let in_header = content_type.and_then(header_charset);
    let declared = in_header
        .filter(|encoding| !is_wide(encoding) || !is_narrow_markup(bytes))
        .or_else(|| declared_in_text(bytes));
    let wide = declared.is_some_and(is_wide);
    if !wide && let Ok(text) = std::str::from_utf8(bytes) {
        return match declared {
            // A UTF-8 decoder would read ISO-2022-JP as ASCII.
            Some(encoding) if !encoding.is_ascii_compatible() && text.is_ascii() => {
                encoding.decode(bytes).0.into_owned()
            }
            _ => text.to_owned(),
        };
    }
    let encoding = declared.filter(|&encoding| encoding != UTF_8 && fits(encoding, bytes));
    match encoding.unwrap_or_else(|| detect(bytes, declared)) {
        encoding if encoding == UTF_8 => decode_mixed_utf8(bytes),
        encoding => encoding.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// Decodes UTF-8 into which characters of Windows-1252 were pasted. Other invalid sequences become U+FFFD.
fn decode_mixed_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len() + chunk.invalid().len();
        match chunk.invalid() {
            [] => {}
            &[byte] => text.push(western(byte, text.chars().next_back(), bytes.get(at).copied())),
            _ => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text
}

/// Character of Windows-1252 for a byte that is not UTF-8: a letter next to an ASCII letter, or a punctuation mark
/// or space next to ASCII text. Other bytes are the rest of a UTF-8 character. `0xc2` and `0xc3` begin most of these.
fn western(byte: u8, before: Option<char>, after: Option<u8>) -> char {
    let is_next_to = |is: fn(u8) -> bool| {
        before.and_then(|before| u8::try_from(before).ok()).into_iter().chain(after).any(is)
    };
    let is_western = match byte {
        0x80 | 0x85 | 0x91..=0x97 | 0xa0 => is_next_to(|byte| byte.is_ascii()),
        0xc2 | 0xc3 | 0xd7 | 0xf7 => false,
        0xc0.. => is_next_to(|byte| byte.is_ascii_alphabetic()),
        _ => false,
    };
    let decoded = WINDOWS_1252.decode_without_bom_handling(&[byte]).0.chars().next();
    decoded.filter(|_| is_western).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Charset parameter of a `Content-Type` value.
pub fn header_charset(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| label(value.trim().trim_matches(['"', '\''])))?
    })
}

/// Media type of a `Content-Type` value, in lower case and without parameters.
pub fn essence(content_type: &str) -> String {
    content_type.split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Beginning of a body as text, without a byte order mark. UTF-16 is decoded only if it has a byte order
/// mark.
pub(crate) fn head_of(bytes: &[u8], max_bytes: usize) -> String {
    let head = &bytes[..bytes.len().min(max_bytes)];
    match Encoding::for_bom(head) {
        Some((encoding, mark)) => encoding.decode_without_bom_handling(&head[mark..]).0.into_owned(),
        None => String::from_utf8_lossy(head).into_owned(),
    }
}

/// Encoding declared by `<meta charset>`, `<meta http-equiv>` or an XML declaration near the start.
fn declared_in_text(bytes: &[u8]) -> Option<&'static Encoding> {
    let head: String =
        bytes.iter().take(DECLARATION_BYTES).map(|&byte| char::from(byte).to_ascii_lowercase()).collect();
    if head.starts_with("<?xml") {
        let declaration = &head[..head.find("?>")?];
        if let Some((_, after)) = declaration.split_once("encoding") {
            return label(quoted(after.trim_start().strip_prefix('=')?)).map(narrow);
        }
    }
    let mut rest = head.as_str();
    while let Some(at) = rest.find("<meta") {
        let tag_end = rest[at..].find('>').map_or(rest.len(), |end| at + end);
        if let Some((_, after)) = rest[at..tag_end].split_once("charset")
            && let Some(value) = after.trim_start().strip_prefix('=')
        {
            return label(quoted(value)).map(narrow);
        }
        rest = &rest[tag_end..];
    }
    None
}

/// Encoding for a declaration that was read as single bytes. Such a text cannot be UTF-16, so UTF-16 is
/// replaced by UTF-8.
fn narrow(declared: &'static Encoding) -> &'static Encoding {
    if is_wide(declared) { UTF_8 } else { declared }
}

fn is_wide(encoding: &Encoding) -> bool {
    encoding == UTF_16BE || encoding == UTF_16LE
}

/// True if the bytes begin with a tag in an encoding with one byte per character.
fn is_narrow_markup(bytes: &[u8]) -> bool {
    let mut bytes = bytes.iter().skip_while(|byte| byte.is_ascii_whitespace());
    bytes.next() == Some(&b'<') && bytes.next().is_some_and(|&byte| byte != 0 && byte.is_ascii())
}

fn quoted(value: &str) -> &str {
    let value = value.trim_start().trim_start_matches(['"', '\'']);
    let end = value.find(['"', '\'', ' ', ';', '/', '>']).unwrap_or(value.len());
    &value[..end]
}

fn label(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(name.as_bytes())
}

/// True if less than one per cent of the characters are invalid in this encoding.
fn fits(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(DETECTION_BYTES)];
    let (text, faults) = encoding.decode_without_bom_handling(sample);
    !faults || text.chars().filter(|&c| c == '\u{fffd}').count() * 100 < text.chars().count().max(100)
}

/// Detects the encoding of a text of any length, which is passed in pieces.
#[derive(Debug, Default)]
pub struct EncodingProbe {
    head: Vec<u8>,
    /// Beginning of the text, without pieces that contain only ASCII.
    sample: Vec<u8>,
    /// First bytes of a UTF-8 character that continues in the next piece.
    partial: Vec<u8>,
    /// Number of non-ASCII UTF-8 characters.
    wide: u64,
    /// Number of byte sequences that are not UTF-8.
    invalid: u64,
}

/// Encoding of a text, and the length of its byte order mark in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding {
    encoding: &'static Encoding,
    mark: usize,
    certainty: Certainty,
}

/// Reason why an encoding was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Stated by a byte order mark or a declaration, or implied by valid Unicode.
    Known,
    /// Detected from the letters of the text.
    Detected,
    /// Detected from very few letters.
    Guessed,
}

impl TextEncoding {
    /// Encoding of a file that is not text. Its bytes pass a [`PieceDecoder`] unchanged.
    pub const BYTES: Self = Self { encoding: UTF_8, mark: 0, certainty: Certainty::Known };

    /// Returns true if the encoding is stated, or if the text is Unicode. Text in such an encoding is never
    /// doubtful.
    pub fn is_known(&self) -> bool {
        self.certainty == Certainty::Known
    }

    /// Returns true if a part of the decoded text may have a different encoding than the rest, or if the
    /// encoding is only a guess.
    pub fn doubts(&self, text: &str) -> bool {
        match self.certainty {
            Certainty::Known => false,
            Certainty::Detected => is_misread(text) || self.is_misread_utf8(text),
            Certainty::Guessed => !text.is_ascii(),
        }
    }

    /// Returns true if the text is UTF-8 that was decoded as an encoding with one byte per character.
    fn is_misread_utf8(&self, text: &str) -> bool {
        if text.is_ascii() || !self.encoding.is_single_byte() {
            return false;
        }
        let (bytes, _, has_other_letters) = self.encoding.encode(text);
        !has_other_letters && std::str::from_utf8(&bytes).is_ok()
    }
}

/// Returns true if a text contains characters or words that occur in no language: control characters, words
/// that mix Latin with other letters, and words of accented letters.
fn is_misread(text: &str) -> bool {
    let is_control = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    let mut words = text.split(|c: char| !c.is_alphabetic());
    text.contains(is_control) || words.any(|word| mixes_scripts(word) || has_accented_run(word))
}

/// Returns true if a word has Latin letters and Cyrillic, Greek, Hebrew, Arabic, or halfwidth Japanese
/// letters.
fn mixes_scripts(word: &str) -> bool {
    let is_other =
        |c: char| matches!(c, '\u{370}'..='\u{52f}' | '\u{590}'..='\u{6ff}' | '\u{ff66}'..='\u{ff9f}');
    word.contains(|c: char| c.is_ascii_alphabetic()) && word.contains(is_other)
}

fn has_accented_run(word: &str) -> bool {
    let mut run = 0;
    word.chars().any(|c| {
        run = if matches!(c, '\u{c0}'..='\u{24f}') { run + 1 } else { 0 };
        run >= ACCENTED_RUN
    })
}

impl EncodingProbe {
    /// Reads the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        let missing = DECLARATION_BYTES.saturating_sub(self.head.len());
        self.head.extend_from_slice(&piece[..piece.len().min(missing)]);
        if self.partial.is_empty() && piece.is_ascii() {
            return;
        }
        let missing = DETECTION_BYTES.saturating_sub(self.sample.len());
        self.sample.extend_from_slice(&piece[..piece.len().min(missing)]);
        let mut bytes = std::mem::take(&mut self.partial);
        bytes.extend_from_slice(piece);
        self.count_utf8(&bytes);
    }

    fn count_utf8(&mut self, bytes: &[u8]) {
        let wide = |text: &[u8]| text.iter().filter(|byte| **byte >= 0xc0).count() as u64;
        let mut rest = bytes;
        while let Err(error) = std::str::from_utf8(rest) {
            let (valid, after) = rest.split_at(error.valid_up_to());
            self.wide += wide(valid);
            let Some(length) = error.error_len() else {
                self.partial = after.to_vec();
                return;
            };
            self.invalid += 1;
            rest = &after[length..];
        }
        self.wide += wide(rest);
    }

    /// True if the text is UTF-8 with a few invalid bytes. These are damage, not another charset.
    fn is_damaged_utf8(&self) -> bool {
        self.wide > self.invalid * DAMAGE_RATIO
    }

    /// Returns the encoding that the byte order mark states, or else the declared encoding if it fits, or
    /// else the detected encoding.
    pub fn finish(self) -> TextEncoding {
        if let Some((encoding, mark)) = Encoding::for_bom(&self.head) {
            return TextEncoding { encoding, mark, certainty: Certainty::Known };
        }
        let (encoding, certainty) = match utf16_without_mark(&self.head) {
            Some(encoding) => (encoding, Certainty::Known),
            None => self.encoding(),
        };
        TextEncoding { encoding, mark: 0, certainty }
    }

    fn encoding(&self) -> (&'static Encoding, Certainty) {
        let declared = declared_in_text(&self.head);
        if self.invalid == 0 {
            // A UTF-8 decoder would read ISO-2022-JP as ASCII. The text cannot be UTF-16, because its
            // declaration was read as single bytes.
            let is_other = |encoding: &&'static Encoding| {
                !encoding.is_ascii_compatible() && ![UTF_16BE, UTF_16LE].contains(encoding)
            };
            return (declared.filter(is_other).unwrap_or(UTF_8), Certainty::Known);
        }
        if self.is_damaged_utf8() {
            return (UTF_8, Certainty::Known);
        }
        if let Some(encoding) = declared.filter(|&encoding| encoding != UTF_8 && fits(encoding, &self.sample))
        {
            return (encoding, Certainty::Known);
        }
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(&self.sample, true);
        let guess = detector.guess(None, Utf8Detection::Deny);
        let evidence = self.sample.iter().filter(|byte| !byte.is_ascii()).take(EVIDENCE_BYTES).count();
        let certainty = if evidence < EVIDENCE_BYTES { Certainty::Guessed } else { Certainty::Detected };
        (if guess == UTF_8 { WINDOWS_1252 } else { guess }, certainty)
    }
}

/// Detects UTF-16 without a byte order mark: at least 40% of the high bytes are zero, or nearly all are zero or one
/// other value, as in Cyrillic text. The low bytes are hardly ever zero. Chinese, Japanese and Korean text is
/// recognised by its characters.
pub(crate) fn utf16_without_mark(head: &[u8]) -> Option<&'static Encoding> {
    if !head.contains(&0) {
        return None;
    }
    let (pairs, _) = head.as_chunks::<2>();
    let count = pairs.len();
    let frequencies = |at: usize| {
        let mut frequencies = [0_usize; 256];
        for pair in pairs {
            frequencies[usize::from(pair[at])] += 1;
        }
        frequencies
    };
    let is_text = |high: &[usize; 256], low: &[usize; 256]| {
        let zeros = high[0];
        let script = high.iter().skip(1).max().copied().unwrap_or_default();
        let is_one_script = zeros * 20 > count && (zeros + script) * 20 > count * 19;
        low[0] * 50 <= count && (zeros * 10 >= count * 4 || is_one_script)
    };
    let (first, second) = (frequencies(0), frequencies(1));
    match count {
        0..4 => None,
        _ if is_text(&second, &first) => Some(UTF_16LE),
        _ if is_text(&first, &second) => Some(UTF_16BE),
        _ if is_eastern_text(pairs.iter().map(|pair| u16::from_le_bytes(*pair))) => Some(UTF_16LE),
        _ if is_eastern_text(pairs.iter().map(|pair| u16::from_be_bytes(*pair))) => Some(UTF_16BE),
        _ => None,
    }
}

/// True if most UTF-16 code units are Chinese, Japanese or Korean characters, and nearly all others are
/// punctuation or letters next to them.
fn is_eastern_text(units: impl Iterator<Item = u16>) -> bool {
    let (mut all, mut eastern, mut others) = (0_usize, 0_usize, 0_usize);
    for unit in units {
        all += 1;
        match char::from_u32(u32::from(unit)) {
            Some('\0') => return false,
            Some(c) if is_eastern(c) => eastern += 1,
            // Punctuation, brackets and full-width forms.
            Some(
                '\t'
                | '\n'
                | '\r'
                | ' '..='~'
                | '\u{a0}'..='\u{ff}'
                | '\u{2010}'..='\u{206f}'
                | '\u{3000}'..='\u{30ff}'
                | '\u{ff01}'..='\u{ffee}',
            ) => {}
            _ => others += 1,
        }
    }
    all >= MIN_EASTERN_UNITS && eastern * 2 >= all && others * 50 <= all
}

/// Decodes a text to UTF-8 in pieces. UTF-8 text is returned unchanged, even if it is damaged.
pub struct PieceDecoder {
    decoder: Option<Decoder>,
    /// Bytes of the byte order mark that have not been skipped yet.
    mark: usize,
    text: String,
}

impl PieceDecoder {
    pub fn new(TextEncoding { encoding, mark, .. }: TextEncoding) -> Self {
        let decoder = (encoding != UTF_8).then(|| encoding.new_decoder_without_bom_handling());
        Self { decoder, mark, text: String::new() }
    }

    /// Decodes the next piece. Invalid sequences become U+FFFD.
    pub fn decode<'p>(&'p mut self, piece: &'p [u8]) -> &'p [u8] {
        let skipped = self.mark.min(piece.len());
        self.mark -= skipped;
        self.decoded(&piece[skipped..], false)
    }

    /// Flushes the decoder at the end of the text.
    pub fn finish(&mut self) -> &[u8] {
        self.decoded(&[], true)
    }

    fn decoded<'p>(&'p mut self, piece: &'p [u8], is_last: bool) -> &'p [u8] {
        let Some(decoder) = &mut self.decoder else { return piece };
        self.text.clear();
        let longest = decoder.max_utf8_buffer_length(piece.len()).unwrap_or(piece.len() * 3 + 16);
        self.text.reserve(longest);
        let _ = decoder.decode_to_string(piece, &mut self.text, is_last);
        self.text.as_bytes()
    }
}

/// True if a text has many more non-ASCII UTF-8 characters than invalid sequences.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let mut probe = EncodingProbe::default();
    probe.count_utf8(bytes);
    probe.is_damaged_utf8()
}

fn detect(bytes: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    let sample = &bytes[..bytes.len().min(DETECTION_BYTES)];
    // A few invalid bytes in a long UTF-8 text are damage, not another charset.
    let may_be_utf8 = declared.is_none_or(|encoding| encoding == UTF_8);
    if may_be_utf8 && (fits(UTF_8, sample) || is_mostly_utf8(sample)) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    if guess == UTF_8 && !fits(UTF_8, sample) { WINDOWS_1252 } else { guess }
}

#[cfg(test)]
mod tests;
