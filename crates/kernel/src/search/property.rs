//! Properties of items and entries by which queries select them.

use super::words::Ending;

/// State of an item or entry: `is:unread`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadState {
    Unread,
    /// An entry that is read, or an item that was read to its end.
    Read,
    /// An entry with a star, or an item with the tag `favorite`.
    Starred,
    Archived,
}

impl ReadState {
    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "unread" => Self::Unread,
            "read" => Self::Read,
            "starred" => Self::Starred,
            "archived" => Self::Archived,
            _ => return None,
        })
    }
}

/// Part that an item or entry has: `has:note`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HasPart {
    Highlight,
    /// A note, also on a highlight.
    Note,
    File,
    Audio,
}

impl HasPart {
    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "highlight" => Self::Highlight,
            "note" => Self::Note,
            "file" => Self::File,
            "audio" => Self::Audio,
            _ => return None,
        })
    }
}

/// Name of a category of entries, or the beginning of the name: `category:"open source"`, `category:open*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryName {
    pub name: String,
    pub ending: Ending,
}

impl CategoryName {
    pub(super) fn parse(text: &str, ending: Ending) -> Option<Self> {
        let name = match ending {
            Ending::Whole => text,
            Ending::Open => text.trim_end_matches('*').trim_end(),
        };
        (!name.is_empty()).then(|| Self { name: name.to_owned(), ending })
    }

    /// Returns the query for the entries of a category.
    pub fn query(name: &str) -> String {
        // A quoted value cannot contain a quotation mark. Names are compared by their words, without such
        // marks.
        format!("category:\"{}\"", name.replace('"', "'"))
    }
}

/// Range of the time that it takes to read a text, in whole minutes: `minutes:<5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingTime {
    /// Inclusive lower bound, in minutes.
    start: i64,
    /// Exclusive upper bound, in minutes.
    end: Option<i64>,
}

impl ReadingTime {
    /// Estimated number of bytes that a person reads in a minute: 300 tokens.
    const BYTES_PER_MINUTE: i64 = 1_350;
    /// Maximum number of digits.
    const DIGITS: usize = 4;

    /// Parses a number of minutes, or `<5`, or `>5`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = |digits: &str| {
            let is_number = digits.len() <= Self::DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse::<i64>().ok())?
        };
        if let Some(digits) = text.strip_prefix('<') {
            return Some(Self { start: 0, end: Some(number(digits)?) });
        }
        if let Some(digits) = text.strip_prefix('>') {
            return Some(Self { start: number(digits)? + 1, end: None });
        }
        let minutes = number(text)?;
        Some(Self { start: minutes, end: Some(minutes + 1) })
    }

    /// Bounds on the size of the text in bytes, each with its SQL operator.
    pub fn sizes(self) -> impl Iterator<Item = (&'static str, i64)> {
        let size = |minutes: i64| minutes * Self::BYTES_PER_MINUTE;
        let end = self.end.map(|end| ("<", size(end)));
        std::iter::once((">=", size(self.start))).chain(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_parsed() {
        let sizes = |text: &str| Some(ReadingTime::parse(text)?.sizes().collect::<Vec<_>>());
        assert_eq!(sizes("<5"), Some(vec![(">=", 0), ("<", 6_750)]));
        assert_eq!(sizes(">5"), Some(vec![(">=", 8_100)]));
        assert_eq!(sizes("5"), Some(vec![(">=", 6_750), ("<", 8_100)]));
        for wrong in ["", "<", "five", "-5", "5.5", "10000", "<>5", "+5"] {
            assert_eq!(sizes(wrong), None, "{wrong}");
        }
    }
}
