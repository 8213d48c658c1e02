//! Reads transcripts (WebVTT, SRT). Cues are joined into sentences, each with its start time.

use crate::{
    charset, clean,
    document::{Block, BlockKind, Input, Quality},
    draft::{Draft, DraftResult, ReadError},
    metadata,
};

/// Maximum number of characters in a block of joined cues.
const MAX_JOINED_CHARS: usize = 400;
/// Pause between cues, in seconds, after which a new block begins.
const PAUSE_SECONDS: f64 = 3.0;

/// Reads WebVTT or SRT. The formats differ in their first lines and in the decimal separator of seconds.
pub(super) fn read(input: &Input) -> DraftResult {
    let text = charset::decode(&input.bytes, input.content_type.as_deref());
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut transcript = Transcript::default();
    for part in text.split("\n\n") {
        transcript.take(part);
    }
    transcript.draft()
}

/// True if the bytes begin like WebVTT.
pub(super) fn looks_like_vtt(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.strip_prefix(b"WEBVTT").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// True if the bytes begin like SRT: with a number, followed by a line with two times.
pub(super) fn looks_like_srt(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let mut lines =
        head.trim_start_matches('\u{feff}').lines().map(str::trim).skip_while(|line| line.is_empty());
    lines.next().is_some_and(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()))
        && lines.next().is_some_and(|line| times(line).is_some())
}

/// Transcript under construction. Cues are joined into sentences.
#[derive(Default)]
pub(super) struct Transcript {
    blocks: Vec<Block>,
    cues: usize,
    /// Text of the current block.
    text: String,
    speaker: String,
    start: f64,
    end: f64,
    last_line: String,
}

impl Transcript {
    /// Reads the lines between two blank lines. Lines before the line with the times are ignored.
    fn take(&mut self, part: &str) {
        let mut lines = part.lines().skip_while(|line| times(line).is_none());
        let Some((start, end)) = lines.next().and_then(times) else { return };
        self.cues += 1;
        for line in lines {
            let (speaker, text) = parse_line(line);
            // Rolling captions repeat each line.
            if text.is_empty() || text == self.last_line {
                continue;
            }
            self.last_line.clone_from(&text);
            self.say(speaker, &text, start);
        }
        self.end = end;
    }

    /// Adds a timed text without markup. It may be a single word.
    pub(super) fn add(&mut self, speaker: Option<String>, text: &str, (start, end): (f64, f64)) {
        self.cues += 1;
        if !text.is_empty() {
            self.say(speaker, text, start);
        }
        self.end = end;
    }

    /// Returns the completed transcript.
    pub(super) fn draft(mut self) -> DraftResult {
        self.finish_block();
        if self.cues == 0 {
            return Err(ReadError::Broken);
        }
        Ok(Draft { quality: Some(Quality::Complete), blocks: self.blocks, ..Draft::default() })
    }

    fn say(&mut self, speaker: Option<String>, text: &str, start: f64) {
        let speaker = speaker.unwrap_or_default();
        let is_long = self.text.chars().count() + text.chars().count() > MAX_JOINED_CHARS;
        let is_over = self.text.ends_with(['.', '!', '?', '…', '。', '！', '？', '"', '”']);
        if is_long || is_over || speaker != self.speaker || start - self.end > PAUSE_SECONDS {
            self.finish_block();
        }
        if self.text.is_empty() {
            self.start = start;
            self.speaker = speaker;
        } else {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    fn finish_block(&mut self) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        let text = if self.speaker.is_empty() { text } else { format!("{}: {text}", self.speaker) };
        let start_seconds = Some(self.start);
        self.blocks.push(Block { kind: BlockKind::Transcript, text, start_seconds, ..Block::default() });
    }
}

/// Parses the start and end, in seconds, from a line such as `00:01.000 --> 00:04.500 align:start`.
fn times(line: &str) -> Option<(f64, f64)> {
    let (start, rest) = line.split_once("-->")?;
    Some((seconds(start.trim())?, seconds(rest.split_whitespace().next()?)?))
}

/// Parses `1:02:03.004` or `02:03,004` to seconds.
fn seconds(text: &str) -> Option<f64> {
    if text.is_empty() || text.len() > 20 {
        return None;
    }
    let mut parts = text.rsplit(':');
    let last = parts.next()?.replace(',', ".");
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let mut sum = Some(last).filter(|last| is_number(last))?.parse::<f64>().ok()?;
    for (part, unit) in parts.zip([60.0, 3600.0, f64::INFINITY]) {
        sum += f64::from(part.parse::<u16>().ok()?) * unit;
    }
    sum.is_finite().then_some(sum)
}

/// Returns the speaker of a line, if a tag names one, and the text of the line without tags.
fn parse_line(line: &str) -> (Option<String>, String) {
    let mut speaker = None;
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let Some((tag, after)) = after.split_once('>') else {
            rest = "";
            break;
        };
        if let Some(name) = tag.strip_prefix('v').and_then(|tag| tag.split_once(' ')).map(|(_, name)| name) {
            speaker = Some(clean::fold(&metadata::unescape(name))).filter(|name| !name.is_empty());
        }
        rest = after;
    }
    text.push_str(rest);
    (speaker, clean::fold(&metadata::unescape(&text)))
}

#[cfg(test)]
mod tests;
