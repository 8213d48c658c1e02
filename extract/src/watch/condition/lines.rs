//! Conditions as lines of text: `price falls by 10%`. Lines are combined with AND. A line `or` separates
//! groups of lines, which are combined with OR.

use super::{Condition, ConditionGroup, Join, TestKind, ValueTest};

/// Line between two groups.
const OR: &str = "or";
/// Prefix of a test whose result is inverted.
const NOT: &str = "not ";
/// Suffix of the period of a new low or high.
const DAYS: &str = " days";
/// Separator between the bounds of a range.
const AND: &str = " and ";

/// Phrases of the test kinds. If a kind has two phrases, the second phrase is for a test without a value.
pub(super) const PHRASES: [(TestKind, &str); 17] = [
    (TestKind::Contains, "contains"),
    (TestKind::Equals, "equals"),
    (TestKind::Matches, "matches"),
    (TestKind::Above, "above"),
    (TestKind::Below, "below"),
    (TestKind::Between, "between"),
    (TestKind::Rises, "rises by"),
    (TestKind::Rises, "rises"),
    (TestKind::Falls, "falls by"),
    (TestKind::Falls, "falls"),
    (TestKind::NewLow, "new low in"),
    (TestKind::NewHigh, "new high in"),
    (TestKind::LengthAbove, "length above"),
    (TestKind::LengthBelow, "length below"),
    (TestKind::CountAbove, "count above"),
    (TestKind::CountBelow, "count below"),
    (TestKind::SimilarityBelow, "similarity below"),
];

impl Condition {
    /// Parses lines of text.
    ///
    /// # Errors
    /// Returns the number of the first line that is not a test, counted from 1.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut groups = vec![ConditionGroup::default()];
        for (number, line) in (1_usize..).zip(text.lines().map(str::trim)) {
            if line.is_empty() {
                continue;
            }
            if line.eq_ignore_ascii_case(OR) {
                groups.push(ConditionGroup::default());
                continue;
            }
            let test = ValueTest::parse(line).ok_or(number)?;
            if let Some(group) = groups.last_mut() {
                group.tests.push(test);
            }
        }
        groups.retain(|group| !group.tests.is_empty());
        let join = if groups.len() > 1 { Join::Any } else { Join::All };
        Ok(Self { join, groups })
    }

    /// Formats the condition as lines of text. `None` if the condition cannot be expressed as lines.
    pub fn lines(&self) -> Option<String> {
        let lines_of = |tests: &[ValueTest]| -> Option<String> {
            let lines = tests.iter().map(ValueTest::line).collect::<Option<Vec<String>>>()?;
            Some(lines.join("\n"))
        };
        let is_or = |join: Join, count: usize| join == Join::Any && count > 1;
        let alternatives: Vec<&[ValueTest]> = match self.groups.as_slice() {
            [only] if is_or(only.join, only.tests.len()) => only.tests.chunks(1).collect(),
            groups if groups.iter().any(|group| is_or(group.join, group.tests.len())) => return None,
            groups if is_or(self.join, groups.len()) => {
                groups.iter().map(|group| group.tests.as_slice()).collect()
            }
            groups => {
                let lines: Option<Vec<String>> = groups.iter().map(|group| lines_of(&group.tests)).collect();
                return Some(lines?.join("\n"));
            }
        };
        let lines: Option<Vec<String>> = alternatives.into_iter().map(lines_of).collect();
        Some(lines?.join("\nor\n"))
    }
}

/// Formats the condition for readers.
impl std::fmt::Display for Condition {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |join: Join| if join == Join::All { AND } else { " or " };
        let group = |group: &ConditionGroup| {
            let tests: Vec<String> = group.tests.iter().map(ToString::to_string).collect();
            let words = tests.join(word(group.join));
            let is_alone = self.groups.len() == 1 || group.tests.len() == 1 || group.join == self.join;
            if is_alone { words } else { format!("({words})") }
        };
        let groups: Vec<String> = self.groups.iter().map(group).collect();
        out.write_str(&groups.join(word(self.join)))
    }
}

impl ValueTest {
    /// Parses a line: an optional field name, the phrase of the kind, and the value.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (line, is_negated) = line.strip_prefix(NOT).map_or((line, false), |line| (line, true));
        let occurrences = PHRASES.iter().filter_map(|&(kind, phrase)| Some((kind, find(line, phrase)?)));
        let (kind, words) =
            occurrences.min_by_key(|(_, words)| (words.start, std::cmp::Reverse(words.end)))?;
        let given = |text: &str| Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        let value = &line[words.end..];
        let (value, up_to) = match kind {
            TestKind::Between => {
                value.split_once(AND).map_or((value, None), |(value, up_to)| (value, given(up_to)))
            }
            TestKind::NewLow | TestKind::NewHigh => (value.strip_suffix(DAYS).unwrap_or(value), None),
            _ => (value, None),
        };
        Some(Self { kind, field: given(&line[..words.start]), value: given(value), up_to, is_negated })
    }

    /// Formats the test as a line. `None` if the line would be parsed as a different test.
    fn line(&self) -> Option<String> {
        let line = self.to_string();
        (Self::parse(&line).as_ref() == Some(self)).then_some(line)
    }
}

/// Formats the test for readers.
impl std::fmt::Display for ValueTest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_negated {
            out.write_str(NOT)?;
        }
        if let Some(field) = &self.field {
            write!(out, "{field} ")?;
        }
        let phrases: Vec<&str> =
            PHRASES.iter().filter(|(kind, _)| *kind == self.kind).map(|(_, phrase)| *phrase).collect();
        let phrase = if self.value.is_some() { phrases.first() } else { phrases.last() };
        out.write_str(phrase.copied().unwrap_or_default())?;
        if let Some(value) = &self.value {
            write!(out, " {value}")?;
        }
        if matches!(self.kind, TestKind::NewLow | TestKind::NewHigh) {
            out.write_str(DAYS)?;
        }
        if let Some(up_to) = &self.up_to {
            write!(out, "{AND}{up_to}")?;
        }
        Ok(())
    }
}

/// Range of the first occurrence of `words` as whole words.
fn find(line: &str, words: &str) -> Option<std::ops::Range<usize>> {
    let is_free = |(at, _): &(usize, &str)| {
        let (before, after) = (&line[..*at], &line[at + words.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    };
    let (at, hit) = line.match_indices(words).find(is_free)?;
    Some(at..at + hit.len())
}
