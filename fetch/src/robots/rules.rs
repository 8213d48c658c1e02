//! Rules of a robots.txt for the crawler of this service (RFC 9309), parsed and matched in linear time.
//!
//! The available crates are not used, because they build a regular expression per rule: a hostile file of 500
//! KiB takes seconds and gigabytes of memory, and one invalid rule invalidates the whole file. This
//! implementation visits each byte of the file a fixed number of times, and a match takes one forward search
//! per rule.

use memchr::memmem;
use url::{Position, Url};

/// Product token of the crawler in robots.txt files, in lower case.
const TOKEN: &[u8] = b"carrelbot";

/// Rules that apply to the crawler of this service.
#[derive(Debug, Default)]
pub(crate) struct RobotsRules {
    rules: Vec<PathRule>,
    weight: usize,
}

#[derive(Debug)]
struct PathRule {
    /// Path pattern with normalised percent-encoding. `*` matches anything.
    pattern: Vec<u8>,
    /// True if the pattern ended in `$`.
    anchored: bool,
    allow: bool,
}

enum RobotsLine<'a> {
    Agent(&'a [u8]),
    Rule { allow: bool, pattern: &'a [u8] },
    Other,
}

impl RobotsRules {
    /// Parses a file, whose lines may be invalid. Unknown lines are skipped.
    pub(crate) fn parse(file: &[u8]) -> Self {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let mut ours = Self::default();
        let mut default_rules = Self::default();
        let mut named = false;
        let (mut for_us, mut for_all, mut in_agents) = (false, false, false);
        for line in file.split(|byte| matches!(byte, b'\n' | b'\r')) {
            match parse_line(line) {
                RobotsLine::Agent(agent) => {
                    // Consecutive agent lines share a group. An agent line after a rule starts the next
                    // group.
                    if !in_agents {
                        (for_us, for_all) = (false, false);
                    }
                    in_agents = true;
                    for_us |= is_us(agent);
                    for_all |= agent.starts_with(b"*");
                    named |= for_us;
                }
                RobotsLine::Rule { allow: allows, pattern } => {
                    in_agents = false;
                    if for_us {
                        ours.add(allows, pattern);
                    } else if for_all {
                        default_rules.add(allows, pattern);
                    }
                }
                RobotsLine::Other => {}
            }
        }
        if named { ours } else { default_rules }
    }

    /// True if the rules allow this URL: the longest matching pattern decides, `Allow` wins a tie.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        let path = normalise_path(&url[Position::BeforePath..Position::AfterQuery]);
        let matching = self.rules.iter().filter(|rule| rule.matches(&path));
        matching.max_by_key(|rule| (rule.pattern.len(), rule.allow)).is_none_or(|rule| rule.allow)
    }

    /// Memory used by these rules, in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        self.weight
    }

    fn add(&mut self, allows: bool, pattern: &[u8]) {
        // An empty pattern matches nothing. A pattern without a leading slash or star cannot match any path.
        if !matches!(pattern.first(), Some(b'/' | b'*')) {
            return;
        }
        let rule = PathRule::new(allows, pattern);
        self.weight += rule.pattern.len() + size_of::<PathRule>();
        self.rules.push(rule);
    }
}

impl PathRule {
    fn new(allows: bool, pattern: &[u8]) -> Self {
        let (pattern, anchored) = match pattern.strip_suffix(b"$") {
            Some(pattern) => (pattern, true),
            None => (pattern, false),
        };
        let mut folded = normalise(pattern, |byte| byte == b'$');
        // `**` equals `*`: repeated stars would only cost extra searches.
        folded.dedup_by(|next, before| *next == b'*' && *before == b'*');
        Self { pattern: folded, anchored, allow: allows }
    }

    /// Matches part by part, each at its leftmost position, so that the search only moves forward.
    fn matches(&self, path: &[u8]) -> bool {
        let mut parts = self.pattern.split(|byte| *byte == b'*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = path.strip_prefix(first) else { return false };
        let mut last = None;
        for part in parts {
            if let Some(part) = last.replace(part) {
                match memmem::find(rest, part) {
                    Some(at) => rest = &rest[at + part.len()..],
                    None => return false,
                }
            }
        }
        match (last, self.anchored) {
            (None, true) => rest.is_empty(),
            (None, false) => true,
            (Some(part), true) => rest.ends_with(part),
            (Some(part), false) => memmem::find(rest, part).is_some(),
        }
    }
}

fn parse_line(line: &[u8]) -> RobotsLine<'_> {
    let line = line.split(|byte| *byte == b'#').next().unwrap_or_default();
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return RobotsLine::Other };
    let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
    if name.eq_ignore_ascii_case(b"user-agent") {
        RobotsLine::Agent(value)
    } else if name.eq_ignore_ascii_case(b"allow") {
        RobotsLine::Rule { allow: true, pattern: value }
    } else if name.eq_ignore_ascii_case(b"disallow") {
        RobotsLine::Rule { allow: false, pattern: value }
    } else {
        RobotsLine::Other
    }
}

/// True if an agent line names the crawler of this service. Compares its leading product token, ignoring
/// case.
fn is_us(agent: &[u8]) -> bool {
    let end = agent.iter().position(|byte| !byte.is_ascii_alphabetic() && !matches!(byte, b'-' | b'_'));
    agent[..end.unwrap_or(agent.len())].eq_ignore_ascii_case(TOKEN)
}

/// Path and query of a URL. Characters that have a special meaning in patterns are encoded, because they are
/// literal in a URL.
fn normalise_path(path: &str) -> Vec<u8> {
    normalise(path.as_bytes(), |byte| matches!(byte, b'$' | b'*'))
}

/// Normalises percent-encoding (RFC 9309 section 2.2.2): unreserved octets are plain; octets that are
/// encoded, not ASCII, or `special` are upper-case percent-encoded; others are unchanged.
fn normalise(text: &[u8], special: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let encoded = (byte == b'%').then(|| decode(text.get(at + 1..at + 3)?)).flatten();
        at += if encoded.is_some() { 3 } else { 1 };
        match encoded {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => out.push(octet),
            Some(octet) => push_encoded(&mut out, octet),
            None if byte.is_ascii() && !special(byte) => out.push(byte),
            None => push_encoded(&mut out, byte),
        }
    }
    out
}

fn decode(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u8::from_str_radix(digits, 16).ok()
}

fn push_encoded(out: &mut Vec<u8>, octet: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}
