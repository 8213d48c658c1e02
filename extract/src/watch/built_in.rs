//! What never triggers on any page: times told from now ("3 hours ago"), dates and clocks that stand alone or after
//! words like "updated", counters that stand alone ("1,234 views"), and ids of requests and sessions.
//!
//! A date inside a sentence, an amount in stock or a checksum is what pages are watched for, and is not masked.

mod words;

use super::{
    blocks::{CELL, JOINT},
    normal::Mask,
    operation::Kind,
    snapshot::Block,
    tokens::{Class, Token, split},
};

/// Words that one clock, date or counter takes at most, with what stands round it.
const MAX_PHRASE: usize = 16;
/// A text without digits that is longer than this holds no time told from now alone.
const MAX_WORDS_ONLY: usize = 40;
/// A date this many words behind a word like "updated" belongs to it.
const REACH: usize = 5;

/// The restless stretches of a block, sorted where they do not overlap.
pub(super) fn masks(block: &Block) -> Vec<Mask> {
    let text = block.text.as_str();
    let mut masks = Vec::new();
    if matches!(block.kind, Kind::Code) {
        return masks;
    }
    if !has_digit(text) {
        if text.len() <= MAX_WORDS_ONLY && words::is_just_now(text) {
            masks.push(0..text.len());
        }
        return masks;
    }
    let tokens = split(text);
    let phrase = Phrase { text, tokens: &tokens };
    phrase.relative(&mut masks);
    phrase.after_update(&mut masks);
    phrase.ids(&mut masks);
    let joint = if block.kind == Kind::Row { CELL } else { JOINT };
    let parts = parts(text, &tokens, joint);
    let counted = parts.len();
    for part in parts {
        let part = Phrase { text, tokens: part };
        if part.tokens.len() > MAX_PHRASE {
            continue;
        }
        // Dates in lists and tables are what the list is about, unless the item is nothing else but a clock's.
        let dated = !block.kind.is_listed() || counted == 1 && part.has(words::is_update);
        if dated && part.is_date() {
            masks.extend(part.numbers());
        } else if part.is_counter() {
            masks.extend(part.counts());
        }
    }
    masks
}

/// Times told from now, wherever they stand.
pub(super) fn relative_times(text: &str) -> Vec<Mask> {
    let mut masks = Vec::new();
    if has_digit(text) {
        let tokens = split(text);
        Phrase { text, tokens: &tokens }.relative(&mut masks);
    } else if text.len() <= MAX_WORDS_ONLY && words::is_just_now(text) {
        masks.push(0..text.len());
    }
    masks
}

/// Whether nothing but dates, clocks and the words round them stands beside the masks.
pub(super) fn says_nothing(text: &str, masks: &[Mask]) -> bool {
    split(text).iter().all(|token| {
        let word = &text[token.range.clone()];
        let masked = masks.iter().any(|mask| mask.start <= token.range.start && token.range.end <= mask.end);
        masked || token.class == Class::Sign || words::is_date_word(word)
    })
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The stretches between bullets, bars, brackets and the joints of an item.
fn parts<'t>(text: &str, tokens: &'t [Token], joint: &str) -> Vec<&'t [Token]> {
    let parts_at = |token: &Token| {
        let sign = &text[token.range.clone()];
        token.class == Class::Sign
            && (matches!(sign, "·" | "•" | "|" | "(" | ")" | "—" | "∙" | "‧" | ";") || sign == joint.trim())
    };
    tokens.split(parts_at).filter(|part| !part.is_empty()).collect()
}

/// Words in a row.
struct Phrase<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl<'t> Phrase<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.range.clone()])
    }

    fn is_number(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.class == Class::Number)
    }

    fn has(&self, test: fn(&str) -> bool) -> bool {
        (0..self.tokens.len()).any(|at| test(self.word(at)))
    }

    fn range(&self, from: usize, to: usize) -> Mask {
        self.tokens[from].range.start..self.tokens[to].range.end
    }

    /// `3 hours ago`, `3h ago`, `vor 3 Stunden`, `il y a 3 jours`, `hace 3 días`, `3小时前`.
    fn relative(&self, masks: &mut Vec<Mask>) {
        for at in 0..self.tokens.len() {
            if !self.is_number(at) {
                continue;
            }
            let own_unit = words::ends_in_unit(self.word(at));
            let mut last = at + usize::from(!own_unit);
            if !own_unit && !words::is_unit(self.word(last)) {
                continue;
            }
            // `2 hours, 5 minutes ago`.
            for _ in 0..2 {
                let next =
                    last + 1 + usize::from(matches!(self.word(last + 1), "," | "and" | "und" | "et" | "y"));
                if self.is_number(next) && words::is_unit(self.word(next + 1)) {
                    last = next + 1;
                }
            }
            // `3小时前`: the unit may be two signs long.
            while words::is_unit(self.word(last + 1)) && !self.word(last + 1).is_ascii() {
                last += 1;
            }
            if words::is_ago(self.word(last + 1)) {
                masks.push(self.range(at, last + 1));
            } else if at > 0 && words::is_before(self.word(at - 1)) {
                masks.push(self.range(at - 1, last));
            } else if at > 1 && self.word(at - 1) == "a" && self.word(at - 2) == "y" {
                masks.push(self.range(at - 2, last));
            }
        }
    }

    /// Dates and clocks close behind `updated` and its like.
    fn after_update(&self, masks: &mut Vec<Mask>) {
        for at in 0..self.tokens.len() {
            if !words::is_update(self.word(at)) {
                continue;
            }
            let mut next = at + 1;
            let limit = (at + 1 + REACH).min(self.tokens.len());
            while next < limit && !self.is_number(next) && !words::is_month(self.word(next)) {
                if !words::is_date_word(self.word(next)) && self.tokens[next].class != Class::Sign {
                    break;
                }
                next += 1;
            }
            let mut end = next;
            while end < self.tokens.len() && self.is_part_of_date(end) {
                end += 1;
            }
            if end > next && (Phrase { text: self.text, tokens: &self.tokens[next..end] }).is_date() {
                masks.push(self.range(next, end - 1));
            }
        }
    }

    /// UUIDs anywhere, and tokens of letters and digits close behind `id`, `ray`, `request` and their like.
    fn ids(&self, masks: &mut Vec<Mask>) {
        for at in 0..self.tokens.len() {
            let is_group = |offset: usize, length: usize| {
                let word = self.word(at + offset);
                word.len() == length && word.bytes().all(|byte| byte.is_ascii_hexdigit())
            };
            if is_group(0, 8)
                && [(2, 4), (4, 4), (6, 4), (8, 12)].iter().all(|&(offset, length)| is_group(offset, length))
                && [1, 3, 5, 7].iter().all(|offset| self.word(at + offset) == "-")
            {
                masks.push(self.range(at, at + 8));
            }
            if !words::is_id_label(self.word(at)) {
                continue;
            }
            for next in at + 1..(at + 4).min(self.tokens.len()) {
                let word = self.word(next);
                let (digits, letters) = word.bytes().fold((0, 0), |(digits, letters), byte| {
                    (
                        digits + usize::from(byte.is_ascii_digit()),
                        letters + usize::from(byte.is_ascii_alphabetic()),
                    )
                });
                if digits >= 2 && digits + letters == word.len() && word.len() >= 8 {
                    masks.push(self.range(next, next));
                    break;
                }
            }
        }
    }

    fn is_part_of_date(&self, at: usize) -> bool {
        let word = self.word(at);
        match self.tokens[at].class {
            Class::Number => words::is_number_of_date(word),
            Class::Word => words::is_date_word(word),
            Class::Sign => matches!(word, ":" | "," | "." | "/" | "-" | "–" | "+" | "@" | "#" | "'" | "’"),
        }
    }

    /// Nothing but a date or a clock, with words like "updated" and "by" round it.
    fn is_date(&self) -> bool {
        let mut known = false;
        for at in 0..self.tokens.len() {
            if !self.is_part_of_date(at) {
                return false;
            }
            let number_near = self.is_number(at + 1) || at > 0 && self.is_number(at - 1);
            known |= words::is_month(self.word(at)) && number_near
                || self.is_number(at)
                    && (words::is_whole_date(self.word(at)) || self.is_clock(at) || self.is_numeric_date(at));
        }
        known
    }

    /// `10:30`, `10 am`, `14 Uhr`.
    fn is_clock(&self, at: usize) -> bool {
        let minutes = self.word(at + 2);
        self.word(at + 1) == ":"
            && minutes.len() >= 2
            && minutes.as_bytes()[..2].iter().all(u8::is_ascii_digit)
            || words::is_hour(self.word(at + 1))
    }

    /// `2026-11-20`, `20/11/2026`, `2026年11月20日`.
    fn is_numeric_date(&self, at: usize) -> bool {
        let sign = self.word(at + 1);
        let parted = matches!(sign, "-" | "/") && self.word(at + 3) == sign;
        parted && self.is_number(at + 2) && self.is_number(at + 4)
            || matches!(sign, "年" | "月" | "년" | "월")
    }

    /// Everything from the first to the last number or name of a month or day.
    fn numbers(&self) -> Vec<Mask> {
        let counts = |at: &usize| self.is_number(*at) || words::is_calendar(self.word(*at));
        let first = (0..self.tokens.len()).find(counts);
        let last = (0..self.tokens.len()).rfind(counts);
        first.zip(last).map(|(first, last)| self.range(first, last)).into_iter().collect()
    }

    /// A number and what is counted, and next to nothing else.
    fn is_counter(&self) -> bool {
        let (mut numbers, mut counted) = (0, false);
        for at in 0..self.tokens.len() {
            let word = self.word(at);
            match self.tokens[at].class {
                Class::Number => numbers += 1,
                Class::Sign => {
                    if super::numbers::is_money(&format!("{word}1")) {
                        return false;
                    }
                }
                Class::Word if words::is_counted(word) => counted = true,
                Class::Word if words::is_round_counter(word) => {}
                Class::Word => return false,
            }
        }
        numbers > 0 && counted
    }

    fn counts(&self) -> Vec<Mask> {
        (0..self.tokens.len())
            .filter(|&at| self.is_number(at))
            .map(|at| {
                // `1.2 million`, `3 K`.
                let to = at + usize::from(words::is_multiple(self.word(at + 1)));
                self.range(at, to)
            })
            .collect()
    }
}
