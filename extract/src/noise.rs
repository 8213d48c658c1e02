//! Finds the parts of a text that change with time or with each request: relative times ("3 hours ago"),
//! dates and clock times that are the whole text or follow words like "updated", counters that are the whole
//! text ("1,234 views"), and ids of requests and sessions. `watch` masks these parts, and `feed` excludes
//! them from the fingerprint of an entry.
//!
//! Dates inside sentences, stock levels and checksums are content and are not masked.

mod words;

use self::words::{
    CALENDAR, DATE_WORD, HOUR, ID_LABEL, IS_AGO, IS_BEFORE, IS_COUNTED, IS_COUNTER_FILLER, IS_UPDATE, MONTH,
    MULTIPLE, Roles, UNIT,
};
use crate::{
    currencies,
    lexer::{Token, TokenClass, split},
    text_hash::Mask,
};

/// Maximum number of words in a clock time, date or counter, including its context.
const MAX_PHRASE: usize = 16;
/// Maximum number of bytes of a relative time without digits that is the whole text.
const MAX_WORDS_ONLY: usize = 40;
/// Maximum number of words between a word like "updated" and the date that follows it.
const MAX_UPDATE_DISTANCE: usize = 5;

/// Role of a text on its page. It determines whether dates in the text are noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRole {
    /// Running text. A date that is the whole text is noise.
    Running,
    /// Heading, list item, table row or value. Its dates are content, unless the whole text is the time of an
    /// update.
    Entry,
    /// Text below a heading or label that explains its date, clock time or count. These are content.
    Labelled,
    /// Code. It contains no noise.
    Code,
}

/// Nouns whose counts are content below a label, as opposed to views and likes.
const TALLIES: [&str; 22] = [
    "vote", "votes", "member", "members", "download", "downloads", "subscriber", "subscribers", "follower",
    "followers", "point", "points", "upvotes", "installs", "users", "guests", "replies", "reactions",
    "abonnenten", "abonnés", "seguidores", "reacties",
];
/// Maximum number of characters in a label.
const MAX_LABEL_CHARS: usize = 60;
/// Maximum number of words in a label.
const MAX_LABEL_WORDS: usize = 6;
/// Maximum number of bytes of a date, clock time or count below a label.
const MAX_VALUE_BYTES: usize = 160;

/// Ranges of a text to mask, in no particular order.
pub(crate) fn masks(text: &str, role: TextRole) -> Vec<Mask> {
    let mut masks = Vec::new();
    if role == TextRole::Code {
        return masks;
    }
    if !has_digit(text) {
        if text.len() <= MAX_WORDS_ONLY && words::is_just_now(text) {
            masks.push(0..text.len());
        }
        return masks;
    }
    let words = words_of(text);
    let all = words.iter().fold(0, |all, word| all | word.roles);
    let phrase = Phrase { text, words: &words };
    if all & UNIT != 0 {
        phrase.relative(&mut masks);
    }
    if all & IS_UPDATE != 0 {
        phrase.after_update(&mut masks);
    }
    if role != TextRole::Labelled {
        phrase.timestamps(&mut masks);
    }
    phrase.ids(all & ID_LABEL != 0, &mut masks);
    let parts: Vec<&[RoleWord]> = phrase.parts();
    let dated = role == TextRole::Running || parts.len() == 1 && all & IS_UPDATE != 0;
    for words in parts.into_iter().filter(|part| part.len() <= MAX_PHRASE) {
        let part = Phrase { text, words };
        if dated && part.is_date() {
            masks.extend(part.numbers());
        } else if all & IS_COUNTED != 0
            && part.is_counter()
            && !(role == TextRole::Labelled && part.is_tally())
        {
            masks.extend(part.counts());
        }
    }
    masks
}

/// True for a short text that can be the label of the date, clock time or count below it. Texts with words
/// such as "updated" are not labels, because they announce the update time of the page.
pub(crate) fn is_label(text: &str) -> bool {
    let text = text.trim_end();
    let is_short = text.chars().count() <= MAX_LABEL_CHARS && text.split(' ').count() <= MAX_LABEL_WORDS;
    is_short
        && !text.ends_with(['.', '!', '?', ';', ','])
        && names_content(text)
        && masks(text, TextRole::Running).is_empty()
}

/// True for a text that can be a heading: it contains letters, and no words such as "updated".
pub(crate) fn names_content(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) && words_of(text).iter().all(|word| word.roles & IS_UPDATE == 0)
}

/// True for a text that consists only of a date, clock time or count. Below a label, such a text is content.
pub(crate) fn is_value(text: &str) -> bool {
    text.len() <= MAX_VALUE_BYTES
        && has_digit(text)
        && !masks(text, TextRole::Running).is_empty()
        && masks(text, TextRole::Labelled).is_empty()
}

/// Ranges of relative times at any position in a text.
pub(crate) fn relative_times(text: &str) -> Vec<Mask> {
    let mut masks = Vec::new();
    if has_digit(text) {
        Phrase { text, words: &words_of(text) }.relative(&mut masks);
    } else if text.len() <= MAX_WORDS_ONLY && words::is_just_now(text) {
        masks.push(0..text.len());
    }
    masks
}

/// True if the text outside the masks consists only of symbols, dates, times and the words next to them.
pub(crate) fn is_only_date_context(text: &str, masks: &[Mask]) -> bool {
    split(text).iter().all(|token| {
        let masked = masks.iter().any(|mask| mask.start <= token.range.start && token.range.end <= mask.end);
        masked
            || token.class == TokenClass::Symbol
            || words::roles(&text[token.range.clone()]) & DATE_WORD != 0
    })
}

/// Returns running text without its masked parts. Empty if only words that accompany a date remain.
pub(crate) fn denoise(line: &str) -> String {
    let mut masks = masks(line, TextRole::Running);
    if masks.is_empty() {
        return line.to_owned();
    }
    if is_only_date_context(line, &masks) {
        return String::new();
    }
    masks.sort_unstable_by_key(|mask| mask.start);
    let (mut denoised, mut at) = (String::new(), 0);
    for mask in masks {
        denoised.push_str(line.get(at..mask.start).unwrap_or_default());
        at = at.max(mask.end);
    }
    denoised.push_str(line.get(at..).unwrap_or_default());
    denoised
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Token with the roles that it may have.
struct RoleWord {
    token: Token,
    roles: Roles,
}

fn words_of(text: &str) -> Vec<RoleWord> {
    let roles = |token: &Token| {
        if token.class == TokenClass::Word { words::roles(&text[token.range.clone()]) } else { 0 }
    };
    split(text).into_iter().map(|token| RoleWord { roles: roles(&token), token }).collect()
}

/// Sequence of words in a text.
struct Phrase<'t> {
    text: &'t str,
    words: &'t [RoleWord],
}

impl<'t> Phrase<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.words.get(at).map_or("", |word| &self.text[word.token.range.clone()])
    }

    fn is(&self, at: usize, roles: Roles) -> bool {
        self.words.get(at).is_some_and(|word| word.roles & roles != 0)
    }

    fn class(&self, at: usize) -> Option<TokenClass> {
        self.words.get(at).map(|word| word.token.class)
    }

    fn is_number(&self, at: usize) -> bool {
        self.class(at) == Some(TokenClass::Number)
    }

    fn range(&self, from: usize, to: usize) -> Mask {
        self.words[from].token.range.start..self.words[to].token.range.end
    }

    /// Parts of the phrase between bullets, bars, brackets and similar separators.
    fn parts(&self) -> Vec<&'t [RoleWord]> {
        let parts_at = |word: &RoleWord| {
            let symbol = &self.text[word.token.range.clone()];
            word.token.class == TokenClass::Symbol
                && matches!(symbol, "·" | "•" | "|" | "(" | ")" | "—" | "∙" | "‧" | ";")
        };
        self.words.split(parts_at).filter(|part| !part.is_empty()).collect()
    }

    /// Masks relative times, such as `3 hours ago`, `3h ago`, `vor 3 Stunden`, `il y a 3 jours`, `hace 3
    /// días` and `3小时前`.
    fn relative(&self, masks: &mut Vec<Mask>) {
        for at in (0..self.words.len()).filter(|&at| self.is_number(at)) {
            let own_unit = words::has_unit_suffix(self.word(at));
            let mut last = at + usize::from(!own_unit);
            if !own_unit && !self.is(last, UNIT) {
                continue;
            }
            // Relative times with two units: `2 hours, 5 minutes ago`.
            for _ in 0..2 {
                let next =
                    last + 1 + usize::from(matches!(self.word(last + 1), "," | "and" | "und" | "et" | "y"));
                if self.is_number(next) && self.is(next + 1, UNIT) {
                    last = next + 1;
                }
            }
            // In `3小时前`, the unit consists of two characters.
            while self.is(last + 1, UNIT) && !self.word(last + 1).is_ascii() {
                last += 1;
            }
            if self.is(last + 1, IS_AGO) {
                masks.push(self.range(at, last + 1));
            } else if at > 0 && self.is(at - 1, IS_BEFORE) {
                masks.push(self.range(at - 1, last));
            } else if at > 1 && self.word(at - 1) == "a" && self.word(at - 2) == "y" {
                masks.push(self.range(at - 2, last));
            }
        }
    }

    /// Masks dates and times within a few words after `updated` and similar words.
    fn after_update(&self, masks: &mut Vec<Mask>) {
        for at in (0..self.words.len()).filter(|&at| self.is(at, IS_UPDATE)) {
            let mut next = at + 1;
            let limit = (at + 1 + MAX_UPDATE_DISTANCE).min(self.words.len());
            while next < limit && !self.is_number(next) && !self.is(next, CALENDAR) {
                if !self.is(next, DATE_WORD) && self.class(next) != Some(TokenClass::Symbol) {
                    break;
                }
                next += 1;
            }
            let mut end = next;
            while end < self.words.len() && self.is_part_of_date(end) && !self.begins_value(end) {
                end += 1;
            }
            if end > next && (Phrase { text: self.text, words: &self.words[next..end] }).is_date() {
                masks.push(self.range(next, end - 1));
            }
        }
    }

    /// True if a value begins at this word, which follows a date: `as of 12 May: 3.4 %`. The colon in a clock
    /// time does not begin a value, because the minutes follow it directly.
    fn begins_value(&self, at: usize) -> bool {
        let touches_number = || {
            let (colon, next) = (&self.words[at].token.range, self.words.get(at + 1));
            next.is_some_and(|next| {
                next.token.class == TokenClass::Number && next.token.range.start == colon.end
            })
        };
        match self.word(at) {
            ":" => !touches_number(),
            _ => self.is_number(at) && matches!(self.word(at + 1), "%" | "°" | "€" | "$" | "£"),
        }
    }

    /// Masks ISO 8601 timestamps such as `2026-11-20T10:30:00Z`, at any position.
    fn timestamps(&self, masks: &mut Vec<Mask>) {
        for at in (4..self.words.len()).filter(|&at| words::is_timestamp_part(self.word(at))) {
            let parts = [self.word(at - 3), self.word(at - 1), self.word(at + 1)];
            if parts != ["-", "-", ":"] || !self.is_number(at - 4) || !self.is_number(at + 2) {
                continue;
            }
            let seconds = self.word(at + 3) == ":" && self.is_number(at + 4);
            masks.push(self.range(at - 4, if seconds { at + 4 } else { at + 2 }));
        }
    }

    /// Masks UUIDs at any position. If `labelled` is true, also masks tokens of letters and digits within a
    /// few words after `id`, `ray`, `request` and similar words.
    fn ids(&self, labelled: bool, masks: &mut Vec<Mask>) {
        let is_group = |at: usize, length: usize| {
            let word = self.word(at);
            word.len() == length && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        for at in 0..self.words.len() {
            if self.word(at + 1) == "-"
                && is_group(at, 8)
                && [(2, 4), (4, 4), (6, 4), (8, 12)]
                    .iter()
                    .all(|&(offset, length)| is_group(at + offset, length))
            {
                masks.push(self.range(at, at + 8));
            }
            if labelled && self.is(at, ID_LABEL) {
                let id_at = (at + 1..(at + 4).min(self.words.len())).find(|&next| is_id(self.word(next)));
                masks.extend(id_at.map(|next| self.range(next, next)));
            }
        }
    }

    fn is_part_of_date(&self, at: usize) -> bool {
        let word = self.word(at);
        match self.class(at) {
            Some(TokenClass::Number) => words::is_number_of_date(word),
            Some(TokenClass::Word) => self.is(at, DATE_WORD),
            Some(TokenClass::Symbol) => {
                matches!(word, ":" | "," | "." | "/" | "-" | "–" | "+" | "@" | "#" | "'" | "’")
            }
            None => false,
        }
    }

    /// True if the phrase consists of a date or time and words like "updated" and "by".
    fn is_date(&self) -> bool {
        let mut known = false;
        for at in 0..self.words.len() {
            if !self.is_part_of_date(at) {
                return false;
            }
            let number_near = self.is_number(at + 1) || at > 0 && self.is_number(at - 1);
            known |= self.is(at, MONTH) && number_near
                || self.is_number(at)
                    && (words::is_whole_date(self.word(at)) || self.is_clock(at) || self.is_numeric_date(at));
        }
        known
    }

    /// True if the hour of a clock time is at this position, as in `10:30`, `10 am` or `14 Uhr`.
    fn is_clock(&self, at: usize) -> bool {
        let minutes = self.word(at + 2).as_bytes();
        self.word(at + 1) == ":" && minutes.len() >= 2 && minutes[..2].iter().all(u8::is_ascii_digit)
            || self.is(at + 1, HOUR)
    }

    /// True if the first number of a numeric date is at this position, as in `2026-11-20`, `20/11/2026` or
    /// `2026年11月20日`.
    fn is_numeric_date(&self, at: usize) -> bool {
        let separator = self.word(at + 1);
        let parted = matches!(separator, "-" | "/") && self.word(at + 3) == separator;
        parted && self.is_number(at + 2) && self.is_number(at + 4)
            || matches!(separator, "年" | "月" | "년" | "월")
    }

    /// Range from the first to the last word that is a number or denotes a month, day or hour.
    fn numbers(&self) -> Option<Mask> {
        let counts = |at: &usize| self.is_number(*at) || self.is(*at, CALENDAR);
        let first = (0..self.words.len()).find(counts)?;
        let last = (0..self.words.len()).rfind(counts)?;
        Some(self.range(first, last))
    }

    /// True for a number with a counted noun and at most a few other words.
    fn is_counter(&self) -> bool {
        let (mut numbers, mut counted) = (0, false);
        for (at, word) in self.words.iter().enumerate() {
            match word.token.class {
                TokenClass::Number => numbers += 1,
                TokenClass::Symbol if currencies::is_money_symbol(self.word(at)) => return false,
                TokenClass::Symbol => {}
                TokenClass::Word if word.roles & IS_COUNTED != 0 => counted = true,
                TokenClass::Word if word.roles & IS_COUNTER_FILLER != 0 => {}
                TokenClass::Word => return false,
            }
        }
        numbers > 0 && counted
    }

    /// True if the counted noun is one of `TALLIES`.
    fn is_tally(&self) -> bool {
        (0..self.words.len()).any(|at| TALLIES.contains(&self.word(at).to_lowercase().as_str()))
    }

    /// Ranges of the numbers of a counter, such as `1.2 million` or `3 K`.
    fn counts(&self) -> impl Iterator<Item = Mask> {
        let numbers = (0..self.words.len()).filter(|&at| self.is_number(at));
        numbers.map(|at| self.range(at, at + usize::from(self.is(at + 1, MULTIPLE))))
    }
}

/// True for a mixture of letters and digits that is not a word.
fn is_id(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    word.len() >= 8 && digits >= 2 && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
