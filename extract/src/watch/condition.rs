//! Conditions of triggers: optionally negated tests of values, combined with AND and OR on two levels.

mod lines;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{
    invalid::{Invalid, InvalidReason, text},
    matching::SearchText,
    numbers::{MinimumStep, Number},
    target::{self, Target},
};

/// Maximum number of groups of a condition.
pub const MAX_GROUPS: usize = 5;
/// Maximum number of tests of a condition, in all of its groups.
pub const MAX_TESTS: usize = 10;
/// Maximum period of a new low or high, in days.
const MAX_DAYS: u32 = 365;
/// Maximum percentage of a rise or fall.
const MAX_PERCENT: &str = "10000";

/// Condition of a trigger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Combination of the results of the groups.
    #[serde(default)]
    pub join: Join,
    pub groups: Vec<ConditionGroup>,
}

/// Tests that are combined into one result. Tests are combined before groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionGroup {
    /// Combination of the results of the tests.
    #[serde(default)]
    pub join: Join,
    pub tests: Vec<ValueTest>,
}

/// Operator that combines results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// True if all results are true.
    #[default]
    All,
    /// True if at least one result is true.
    Any,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueTest {
    #[serde(rename = "test")]
    pub kind: TestKind,
    /// Field of an extract. If `None`, the test refers to the only field, or if it compares texts, to any
    /// field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Text, number, percentage or number of days, depending on the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Upper bound of a range.
    #[serde(default, rename = "upTo", skip_serializing_if = "Option::is_none")]
    pub up_to: Option<String>,
    /// True if the result of the test is inverted.
    #[serde(default, rename = "not", skip_serializing_if = "std::ops::Not::not")]
    pub is_negated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    /// A text contains the value.
    Contains,
    /// A text or number equals the value.
    Equals,
    /// A text matches a regular expression.
    Matches,
    /// A number exceeds the value.
    Above,
    /// A number is below the value.
    Below,
    /// A number is in a range, bounds included.
    Between,
    /// A number rose. If the value is set, the number rose at least by the value.
    Rises,
    /// A number fell. If the value is set, the number fell at least by the value.
    Falls,
    /// A number is lower than all numbers of the last days. The value is the number of days.
    NewLow,
    /// A number is higher than all numbers of the last days. The value is the number of days.
    NewHigh,
    /// A text has more characters than the value.
    LengthAbove,
    /// A text has fewer characters than the value.
    LengthBelow,
    /// There are more items, blocks or URLs than the value.
    CountAbove,
    /// There are fewer items, blocks or URLs than the value.
    CountBelow,
    /// The similarity to the text of the last report, in percent, is below the value.
    SimilarityBelow,
}

impl TestKind {
    /// True if the test reads a number from a text.
    pub(super) fn is_numeric(self) -> bool {
        match self {
            Self::Above
            | Self::Below
            | Self::Between
            | Self::Rises
            | Self::Falls
            | Self::NewLow
            | Self::NewHigh => true,
            Self::Contains
            | Self::Equals
            | Self::Matches
            | Self::LengthAbove
            | Self::LengthBelow
            | Self::CountAbove
            | Self::CountBelow
            | Self::SimilarityBelow => false,
        }
    }

    /// True if the test counts the items, blocks or URLs of the source.
    pub(super) fn is_count(self) -> bool {
        matches!(self, Self::CountAbove | Self::CountBelow)
    }
}

impl Join {
    /// Combines results. `None` if the combined result depends on unknown results.
    fn of(self, results: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
        let decisive = self == Self::Any;
        let mut is_known = true;
        for result in results {
            match result {
                Some(holds) if holds == decisive => return Some(decisive),
                Some(_) => {}
                None => is_known = false,
            }
        }
        is_known.then_some(!decisive)
    }
}

impl Condition {
    /// Condition with a single test.
    pub(super) fn of(test: ValueTest) -> Self {
        Self { join: Join::All, groups: vec![ConditionGroup { join: Join::All, tests: vec![test] }] }
    }

    /// All tests, in order.
    pub fn tests(&self) -> impl Iterator<Item = &ValueTest> {
        self.groups.iter().flat_map(|group| &group.tests)
    }

    /// Result of the condition for the results of its tests, in order. `None` if it depends on unknown
    /// results.
    pub(super) fn holds(&self, results: &[Option<bool>]) -> Option<bool> {
        let mut rest = results;
        let groups = self.groups.iter().map(|group| {
            let (own, others) = rest.split_at(group.tests.len().min(rest.len()));
            rest = others;
            let results = group.tests.iter().zip(own.iter().copied());
            group.join.of(results.map(|(test, result)| result.map(|holds| holds != test.is_negated)))
        });
        let groups: Vec<Option<bool>> = groups.collect();
        self.join.of(groups)
    }

    /// True if a test reads a number.
    pub fn is_numeric(&self) -> bool {
        self.tests().any(|test| test.kind.is_numeric())
    }

    /// True if every test only counts the items, blocks or URLs of the source.
    pub(super) fn counts_only(&self) -> bool {
        self.tests().all(|test| test.kind.is_count())
    }

    /// Problems of the condition. Pointers are relative to the condition (`/groups/0/tests/1/value`).
    pub(super) fn check(&self, target: &Target) -> Vec<Invalid> {
        let mut problems = Vec::new();
        let mut reject = |pointer: &str, problem| problems.push(Invalid::new(pointer, problem));
        match self.groups.len() {
            0 => reject("/groups", InvalidReason::Empty),
            1..=MAX_GROUPS => {}
            _ => reject("/groups", InvalidReason::TooMany(MAX_GROUPS)),
        }
        if self.tests().count() > MAX_TESTS {
            reject("/groups", InvalidReason::TooMany(MAX_TESTS));
        }
        for (at, group) in self.groups.iter().enumerate().take(MAX_GROUPS) {
            if group.tests.is_empty() {
                problems.push(Invalid::new(format!("/groups/{at}/tests"), InvalidReason::Empty));
            }
            for (number, test) in group.tests.iter().enumerate().take(MAX_TESTS) {
                let pointer = format!("/groups/{at}/tests/{number}");
                problems.extend(test.check(target).into_iter().map(|invalid| invalid.below(&pointer)));
            }
        }
        problems
    }
}

impl ValueTest {
    pub(super) fn new(kind: TestKind, field: Option<String>, value: Option<String>) -> Self {
        Self { kind, field, value, up_to: None, is_negated: false }
    }

    /// Trims a value. `None` if the value is missing or empty.
    fn given(value: Option<&str>) -> Option<&str> {
        value.map(str::trim).filter(|value| !value.is_empty())
    }

    fn check(&self, target: &Target) -> Vec<Invalid> {
        let mut problems = Vec::new();
        if let Err(problem) = self.check_value() {
            problems.push(Invalid::new("/value", problem));
        }
        if let Err(problem) = self.check_up_to() {
            problems.push(Invalid::new("/up_to", problem));
        }
        if self.kind.is_numeric()
            && let Some(problem) = target.without_number(self.field.as_deref())
        {
            problems.push(Invalid::new("", InvalidReason::NoNumber(problem)));
        }
        match &self.field {
            Some(_) if self.kind.is_count() => problems.push(Invalid::new("/field", InvalidReason::Unused)),
            Some(name) if !target.has_field(name) => {
                problems.push(Invalid::new("/field", InvalidReason::UnknownField));
            }
            Some(_) | None => {}
        }
        problems
    }

    fn check_value(&self) -> Result<(), InvalidReason> {
        let value = Self::given(self.value.as_deref());
        let Some(value) = value else {
            let is_optional = matches!(self.kind, TestKind::Rises | TestKind::Falls);
            return if is_optional { Ok(()) } else { Err(InvalidReason::Required) };
        };
        text(value)?;
        let in_range = |least: &str, most: &str| {
            let number = self.number();
            number.is_some() && number >= Number::plain(least) && number <= Number::plain(most)
        };
        match self.kind {
            TestKind::Contains if SearchText::new(value).is_empty() => Err(InvalidReason::Empty),
            TestKind::Matches => target::regex(value).map(drop),
            TestKind::Above | TestKind::Below | TestKind::Between => number(value).map(drop),
            TestKind::Rises | TestKind::Falls => match MinimumStep::parse(value) {
                Some(step) if step.is_within(Number::plain(MAX_PERCENT)) => Ok(()),
                Some(_) | None => Err(InvalidReason::Number(" over 0, or a percentage such as 10%")),
            },
            TestKind::NewLow | TestKind::NewHigh if self.days().is_none() => {
                Err(InvalidReason::Number(" of days from 1 to 365"))
            }
            TestKind::SimilarityBelow if !in_range("1", "100") => {
                Err(InvalidReason::Number(" from 1 to 100"))
            }
            TestKind::Contains
            | TestKind::Equals
            | TestKind::NewLow
            | TestKind::NewHigh
            | TestKind::SimilarityBelow => Ok(()),
            TestKind::LengthAbove | TestKind::LengthBelow | TestKind::CountAbove | TestKind::CountBelow => {
                if in_range("0", "1000000000") {
                    Ok(())
                } else {
                    Err(InvalidReason::Number(" from 0 on"))
                }
            }
        }
    }

    fn check_up_to(&self) -> Result<(), InvalidReason> {
        match (self.kind, Self::given(self.up_to.as_deref())) {
            (TestKind::Between, None) => Err(InvalidReason::Required),
            (TestKind::Between, Some(most)) => {
                let most = number(most)?;
                let is_below = self.number().is_some_and(|least| most < least);
                if is_below { Err(InvalidReason::Number(" that is not below the value")) } else { Ok(()) }
            }
            (_, None) => Ok(()),
            (_, Some(_)) => Err(InvalidReason::Unused),
        }
    }

    /// Value as a number. A value for a similarity may end with a percent sign.
    pub(super) fn number(&self) -> Option<Number> {
        let value = Self::given(self.value.as_deref())?;
        let percent = value.strip_suffix('%').filter(|_| self.kind == TestKind::SimilarityBelow);
        Number::plain(percent.unwrap_or(value))
    }

    /// Period of a new low or high, in days.
    pub(super) fn days(&self) -> Option<u32> {
        let days: u32 = self.value.as_deref()?.trim().parse().ok()?;
        (1..=MAX_DAYS).contains(&days).then_some(days)
    }

    /// Minimum size of a rise or fall.
    pub(super) fn step(&self) -> Option<MinimumStep> {
        MinimumStep::parse(Self::given(self.value.as_deref())?)
    }

    /// Regular expression of a test of the kind `matches`.
    pub(super) fn regex(&self) -> Option<Regex> {
        if self.kind != TestKind::Matches {
            return None;
        }
        target::regex(Self::given(self.value.as_deref())?).ok()
    }
}

fn number(value: &str) -> Result<Number, InvalidReason> {
    Number::plain(value).ok_or(InvalidReason::Number(""))
}

#[cfg(test)]
mod tests;
