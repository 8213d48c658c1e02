//! Evaluates the conditions of triggers: selects the texts and numbers to which the tests refer, and
//! determines whether the tests hold.

use std::cell::Cell;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{
    condition::{Condition, TestKind, ValueTest},
    excerpt::quotation,
    line_text::tidy,
    matching::SearchText,
    normalize::{CompiledRules, Rules},
    numbers::{self, Amount, DecimalSeparator, MinimumStep, Number, NumberFormat},
    presence, similarity,
    snapshot::{ExtractedItem, FieldValue, Snapshot, SnapshotBlock},
    target::{Ignore, NumberChoice, Target},
    trigger::Trigger,
};

/// Maximum number of bytes of a snapshot that the regular expressions of a condition search. Beyond this
/// limit, their result is unknown.
const MAX_REGEX_BYTES: usize = 512 * 1024;
/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Time for which a new currency must persist before it is accepted, in milliseconds.
const CURRENCY_ACCEPTANCE_MS: i64 = 14 * DAY;
/// Maximum number of values that are stored for the period of a new low or high.
const MAX_HISTORY: i64 = 12;
/// Maximum number of matching texts that are displayed.
const MAX_MATCHES: usize = 5;
/// Maximum number of values that are displayed.
const MAX_READINGS: usize = 200;

/// Content to evaluate, with the settings of its monitor.
#[derive(Debug, Clone, Copy)]
pub struct EvaluationInput<'a> {
    /// Watched target.
    pub target: &'a Target,
    /// Ignore rules of the owner.
    pub ignore: &'a [Ignore],
    /// Observed content.
    pub seen: &'a Snapshot,
    /// Time of the observation, in milliseconds since the epoch.
    pub at: i64,
    /// Language of the content.
    pub language: Option<&'a str>,
}

/// Content that a test evaluates: the values of an item or field, or all texts of a source.
#[derive(Debug, Clone, Copy)]
pub(super) enum TestSubject<'s> {
    Fields(&'s [FieldValue]),
    Texts(&'s SourceTexts<'s>),
}

/// Texts of a page, or URLs of a sitemap.
#[derive(Debug)]
pub(super) struct SourceTexts<'s> {
    all: Vec<&'s str>,
    /// Texts from which numbers are read.
    numeric: Vec<&'s str>,
}

impl<'s> SourceTexts<'s> {
    pub(super) fn of(snapshot: &'s Snapshot) -> Self {
        match snapshot {
            Snapshot::Blocks(blocks) => Self {
                all: content_of(blocks).map(|block| block.text.as_str()).collect(),
                numeric: numeric_blocks(blocks).map(|block| block.text.as_str()).collect(),
            },
            Snapshot::Urls(urls) => {
                let all: Vec<&str> = urls.iter().map(|entry| entry.url.as_str()).collect();
                let numeric = all.clone();
                Self { all, numeric }
            }
            Snapshot::Items(_) => Self { all: Vec::new(), numeric: Vec::new() },
        }
    }
}

/// State of a numeric test between checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TestState {
    /// Currency of the last evaluated number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    /// Time of the first number in another currency, in milliseconds since the epoch. `None` if the last
    /// number is in the usual currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_currency_since: Option<i64>,
    /// Decimal separator of the numbers.
    #[serde(rename = "sign", default, skip_serializing_if = "Option::is_none")]
    separator: Option<DecimalSeparator>,
    /// Last evaluated number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    /// Reference value of falls or rises: the highest or lowest number since the last report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extreme: Option<String>,
    /// Lowest or highest numbers of the last days with their times, the oldest first. Each number is more
    /// extreme than all numbers after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    history: Vec<(i64, String)>,
}

/// Result of a test for one subject.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestResult {
    /// True if the test holds. `None` if a number is missing, or if the texts are too long to search.
    holds: Option<bool>,
    amount: Option<Amount>,
}

/// Effect of recording the numbers that the tests read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RecordEffect {
    /// True if the reference value of rises and falls was replaced.
    pub(super) has_moved: bool,
    /// True if a test accepted a new currency.
    pub(super) has_new_currency: bool,
}

impl TestResult {
    fn of(holds: bool) -> Self {
        Self { holds: Some(holds), amount: None }
    }

    const UNKNOWN: Self = Self { holds: None, amount: None };
}

impl TestState {
    /// True if a number was read.
    pub(super) fn has_number(&self) -> bool {
        self.number.is_some()
    }

    fn is_other_currency(&self, amount: Amount) -> bool {
        self.currency.as_deref().zip(amount.currency).is_some_and(|(before, now)| before != now)
    }

    /// True if the amount should be recorded. Amounts in different currencies are not compared: if a new
    /// currency persists, it is accepted, and the numbers in the old currency are dropped.
    fn accepts(&mut self, amount: Amount, at: i64) -> bool {
        if !self.is_other_currency(amount) {
            self.other_currency_since = None;
            return true;
        }
        if at - *self.other_currency_since.get_or_insert(at) < CURRENCY_ACCEPTANCE_MS {
            return false;
        }
        *self = Self { separator: self.separator, ..Self::default() };
        true
    }
}

/// Test with its parsed values.
struct CompiledTest {
    test: ValueTest,
    searched: SearchText,
    limit: Option<Number>,
    up_to: Option<Number>,
    step: Option<MinimumStep>,
    regex: Option<Regex>,
}

/// Evaluates the condition of a trigger.
pub(super) struct Evaluator<'a> {
    condition: Condition,
    tests: Vec<CompiledTest>,
    target: &'a Target,
    rules: CompiledRules<'a>,
    usual_separator: Option<DecimalSeparator>,
    at: i64,
    /// Number of items, blocks or URLs.
    count: usize,
    /// Bytes that regular expressions may still search in this check.
    regex_bytes: Cell<usize>,
}

impl<'a> Evaluator<'a> {
    /// Compiles the condition of a trigger. A trigger without a condition has no tests.
    pub(super) fn new(trigger: &Trigger, rules: CompiledRules<'a>, input: EvaluationInput<'a>) -> Self {
        let condition = trigger.effective_condition().unwrap_or_default();
        let count = match input.seen {
            Snapshot::Blocks(blocks) => blocks.iter().filter(|block| !block.is_marginal).count(),
            Snapshot::Urls(_) | Snapshot::Items(_) => input.seen.len(),
        };
        let tests = condition.tests().map(CompiledTest::new).collect();
        Self {
            condition,
            tests,
            target: input.target,
            rules,
            usual_separator: input.language.and_then(DecimalSeparator::of_language),
            at: input.at,
            count,
            regex_bytes: Cell::new(MAX_REGEX_BYTES),
        }
    }

    /// True if every test only counts the items, blocks or URLs of the source.
    pub(super) fn counts_only(&self) -> bool {
        self.condition.counts_only()
    }

    /// True if a test compares a text with the last reported text.
    pub(super) fn compares_texts(&self) -> bool {
        self.tests.iter().any(|test| test.test.kind == TestKind::SimilarityBelow)
    }

    /// Fields to which a test refers.
    pub(super) fn fields<'i>(&self, item: &'i ExtractedItem) -> impl Iterator<Item = &'i FieldValue> {
        item.fields.iter().filter(move |field| self.tests.iter().any(|test| test.concerns(field)))
    }

    /// True if the condition holds for at least one field of the item, or for the item as a whole.
    pub(super) fn holds_of_any(&self, item: &ExtractedItem) -> bool {
        let holds = |fields: &[FieldValue]| {
            let subject = TestSubject::Fields(fields);
            self.holds(&self.results(subject, None, &[])) == Some(true)
        };
        if let [_] = self.tests.as_slice() {
            return self.fields(item).any(|field| holds(std::slice::from_ref(field)));
        }
        holds(&item.fields)
    }

    /// Selects the number that is read if the field contains several numbers.
    fn choice(&self, field: &FieldValue) -> NumberChoice {
        match self.target {
            Target::Extract { fields, .. } | Target::Headers { fields } => {
                let named = fields.iter().find(|known| known.name == field.name);
                named.map_or(NumberChoice::First, |known| known.number)
            }
            Target::Page { .. }
            | Target::Sitemap { .. }
            | Target::Product
            | Target::Calendar
            | Target::File
            | Target::Image
            | Target::Visual { .. } => NumberChoice::First,
        }
    }

    fn number_format(&self, limit: Option<Number>, state: &TestState) -> NumberFormat {
        NumberFormat {
            observed: state.separator,
            last: state.number.as_deref().and_then(Number::plain),
            limit,
            usual_separator: self.usual_separator,
            is_money: false,
        }
    }

    /// Result of the condition. `None` if it depends on missing numbers.
    pub(super) fn holds(&self, results: &[TestResult]) -> Option<bool> {
        let holds: Vec<Option<bool>> = results.iter().map(|result| result.holds).collect();
        self.condition.holds(&holds)
    }

    /// Results of all tests, in order. `before` is the subject at the time of the last report.
    pub(super) fn results(
        &self,
        now: TestSubject<'_>,
        before: Option<TestSubject<'_>>,
        states: &[TestState],
    ) -> Vec<TestResult> {
        let first = TestState::default();
        let result = |(at, test): (usize, &CompiledTest)| {
            let state = states.get(at).unwrap_or(&first);
            if test.test.kind.is_numeric() {
                self.number_result(test, now, state)
            } else {
                self.text_result(test, now, before)
            }
        };
        self.tests.iter().enumerate().map(result).collect()
    }

    fn number_result(&self, test: &CompiledTest, now: TestSubject<'_>, state: &TestState) -> TestResult {
        let Some(amount) = self.amount(test, now, state) else { return TestResult::UNKNOWN };
        let is_comparable = !state.is_other_currency(amount);
        let holds = is_comparable.then(|| test.holds_of(amount.number, state, self.at));
        TestResult { holds, amount: Some(amount) }
    }

    fn text_result(
        &self,
        test: &CompiledTest,
        now: TestSubject<'_>,
        before: Option<TestSubject<'_>>,
    ) -> TestResult {
        let texts = || self.texts(test, now);
        let compared = |count: usize| Number::plain(&count.to_string()).cmp(&test.limit);
        let length = || texts().iter().map(|text| text.chars().count()).sum::<usize>();
        TestResult::of(match test.test.kind {
            TestKind::Contains => texts().iter().any(|text| test.searched.is_affirmed_in(text)),
            TestKind::Equals => self.equals(test, now),
            TestKind::Matches => return self.matches(test, &texts()),
            TestKind::LengthAbove => compared(length()).is_gt(),
            TestKind::LengthBelow => compared(length()).is_lt(),
            TestKind::CountAbove => compared(self.count).is_gt(),
            TestKind::CountBelow => compared(self.count).is_lt(),
            TestKind::SimilarityBelow => before.is_some_and(|before| {
                compared(similarity::percent(&self.texts(test, before), &texts())).is_lt()
            }),
            TestKind::Above
            | TestKind::Below
            | TestKind::Between
            | TestKind::Rises
            | TestKind::Falls
            | TestKind::NewLow
            | TestKind::NewHigh => return TestResult::UNKNOWN,
        })
    }

    /// Texts to which a test refers, without the parts that the owner ignores.
    fn texts(&self, test: &CompiledTest, subject: TestSubject<'_>) -> Vec<String> {
        match subject {
            TestSubject::Texts(texts) => {
                texts.all.iter().map(|text| self.rules.without_ignored(text)).collect()
            }
            TestSubject::Fields(fields) => {
                let values = fields.iter().filter(|field| test.concerns(field));
                let values = values.filter_map(|field| field.value.as_deref());
                values.map(|text| self.rules.without_ignored(text)).collect()
            }
        }
    }

    /// First number in the texts to which a test refers.
    fn amount(&self, test: &CompiledTest, subject: TestSubject<'_>, state: &TestState) -> Option<Amount> {
        let number_format = self.number_format(test.limit, state);
        let of_text = |text: &str, choice: NumberChoice| {
            numbers::chosen(&numbers::amounts(&self.rules.without_ignored(text), number_format), choice)
        };
        match subject {
            TestSubject::Texts(texts) => {
                texts.numeric.iter().find_map(|text| of_text(text, NumberChoice::First))
            }
            TestSubject::Fields(fields) => fields
                .iter()
                .filter(|field| test.concerns(field))
                .find_map(|field| of_text(field.value.as_deref()?, self.choice(field))),
        }
    }

    fn equals(&self, test: &CompiledTest, now: TestSubject<'_>) -> bool {
        let fold = |text: &str| tidy(text).to_lowercase();
        let value = fold(test.test.value.as_deref().unwrap_or_default());
        let is_number = || {
            let amount = test.limit.and_then(|_| self.amount(test, now, &TestState::default()));
            amount.is_some_and(|amount| Some(amount.number) == test.limit)
        };
        self.texts(test, now).iter().any(|text| fold(text) == value) || is_number()
    }

    /// Searches the texts for a regular expression. The result is unknown if the texts are too long.
    fn matches(&self, test: &CompiledTest, texts: &[String]) -> TestResult {
        let Some(regex) = &test.regex else { return TestResult::UNKNOWN };
        for text in texts {
            let Some(rest) = self.regex_bytes.get().checked_sub(text.len()) else {
                return TestResult::UNKNOWN;
            };
            self.regex_bytes.set(rest);
            if regex.is_match(text) {
                return TestResult::of(true);
            }
        }
        TestResult::of(false)
    }

    /// Records the numbers of the results, and evaluates the tests again for the next check: a new low is no
    /// longer new after it is recorded. After a report, falls and rises are measured from the reported
    /// number.
    pub(super) fn record(
        &self,
        results: &mut [TestResult],
        states: &mut Vec<TestState>,
        has_fired: bool,
    ) -> RecordEffect {
        states.resize(self.tests.len(), TestState::default());
        let mut effect = RecordEffect::default();
        for ((test, result), state) in self.tests.iter().zip(results).zip(states) {
            if let Some(amount) = result.amount {
                if !state.accepts(amount, self.at) {
                    continue;
                }
                effect.has_new_currency |= result.holds.is_none();
                effect.has_moved |= test.record(amount, state, self.at, has_fired);
                result.holds = Some(test.holds_of(amount.number, state, self.at));
            } else if has_fired && test.test.kind == TestKind::SimilarityBelow {
                result.holds = Some(false);
            }
        }
        effect
    }

    /// Limit that helps to interpret ambiguous numbers of a field.
    fn limit(&self, field: Option<&FieldValue>) -> Option<Number> {
        let mut tests = self.numeric_tests(field);
        tests.find_map(|test| test.limit)
    }

    /// Tests that read a number from the field.
    fn numeric_tests<'s>(&'s self, field: Option<&'s FieldValue>) -> impl Iterator<Item = &'s CompiledTest> {
        let concerns = move |test: &&CompiledTest| field.is_none_or(|field| test.concerns(field));
        self.tests.iter().filter(|test| test.test.kind.is_numeric()).filter(concerns)
    }

    fn reading(&self, field: Option<&FieldValue>, text: Option<&str>) -> Reading {
        let choice = field.map_or(NumberChoice::First, |field| self.choice(field));
        let number_format = self.number_format(self.limit(field), &TestState::default());
        let amounts = text
            .map(|text| numbers::amounts(&self.rules.without_ignored(text), number_format))
            .unwrap_or_default();
        let chosen = numbers::chosen(&amounts, choice);
        Reading {
            item: None,
            field: None,
            text: text.map(str::to_owned),
            number: chosen.map(|amount| amount.number.to_string()),
            currency: chosen.and_then(|amount| amount.currency).map(str::to_owned),
            numbers: amounts.len(),
            is_ambiguous: chosen.is_some_and(|amount| amount.is_ambiguous),
        }
    }
}

impl CompiledTest {
    fn new(test: &ValueTest) -> Self {
        let words = if test.kind == TestKind::Contains { test.value.as_deref() } else { None };
        let is_limit =
            !matches!(test.kind, TestKind::Rises | TestKind::Falls | TestKind::NewLow | TestKind::NewHigh);
        Self {
            test: test.clone(),
            searched: SearchText::new(words.unwrap_or_default().trim()),
            limit: test.number().filter(|_| is_limit),
            up_to: test.up_to.as_deref().and_then(Number::plain),
            step: test.step(),
            regex: test.regex(),
        }
    }

    fn concerns(&self, field: &FieldValue) -> bool {
        self.test.field.as_ref().is_none_or(|name| *name == field.name)
    }

    fn tracks_lows(&self) -> bool {
        matches!(self.test.kind, TestKind::NewLow | TestKind::Rises)
    }

    /// Period of a new low or high, in milliseconds.
    fn period(&self) -> i64 {
        i64::from(self.test.days().unwrap_or(1)) * DAY
    }

    fn holds_of(&self, number: Number, state: &TestState, at: i64) -> bool {
        let extreme = || state.extreme.as_deref().and_then(Number::plain);
        // The last number remains valid until now, even if it was read before the period.
        let known = || {
            let recent = state.history.iter().filter(|(time, _)| at - time <= self.period());
            recent.map(|(_, number)| number).chain(&state.number).filter_map(|text| Number::plain(text))
        };
        match self.test.kind {
            TestKind::Above => self.limit.is_some_and(|limit| number > limit),
            TestKind::Below => self.limit.is_some_and(|limit| number < limit),
            TestKind::Between => {
                self.limit.is_some_and(|least| number >= least)
                    && self.up_to.is_some_and(|most| number <= most)
            }
            TestKind::Falls => extreme().is_some_and(|before| number.fell_from(before, self.step)),
            TestKind::Rises => {
                extreme().is_some_and(|before| number.negated().fell_from(before.negated(), self.step))
            }
            TestKind::NewLow => known().min().is_some_and(|least| number < least),
            TestKind::NewHigh => known().max().is_some_and(|most| number > most),
            TestKind::Contains
            | TestKind::Equals
            | TestKind::Matches
            | TestKind::LengthAbove
            | TestKind::LengthBelow
            | TestKind::CountAbove
            | TestKind::CountBelow
            | TestKind::SimilarityBelow => false,
        }
    }

    /// Records a number. Returns true if rises and falls are measured from this number from now on.
    fn record(&self, amount: Amount, state: &mut TestState, at: i64, has_fired: bool) -> bool {
        let number = amount.number;
        let last = state.number.as_deref().and_then(Number::plain);
        state.currency = amount.currency.map(str::to_owned).or_else(|| state.currency.take());
        state.separator = amount.decimal_separator.or(state.separator);
        state.number = Some(number.to_string());
        match self.test.kind {
            TestKind::Falls | TestKind::Rises => {
                let known = state.extreme.as_deref().and_then(Number::plain);
                let is_extreme = known.is_none_or(|known| self.is_more_extreme(known, number));
                if is_extreme || has_fired {
                    state.extreme = Some(number.to_string());
                }
                is_extreme
            }
            TestKind::NewLow | TestKind::NewHigh => {
                for number in last.into_iter().chain([number]) {
                    self.record_history(number, &mut state.history, at);
                }
                last != Some(number)
            }
            _ => false,
        }
    }

    /// True if `number` replaces `known` as the highest or lowest number.
    fn is_more_extreme(&self, known: Number, number: Number) -> bool {
        if self.tracks_lows() { number < known } else { number > known }
    }

    /// Adds a number to the history. The period is divided into [`MAX_HISTORY`] buckets, each with at most
    /// one number.
    fn record_history(&self, number: Number, history: &mut Vec<(i64, String)>, at: i64) {
        history.retain(|(time, _)| at - time <= self.period());
        while let Some((_, last)) = history.last() {
            let is_replaced =
                Number::plain(last).is_none_or(|last| last == number || self.is_more_extreme(last, number));
            if !is_replaced {
                break;
            }
            history.pop();
        }
        let bucket = (self.period() / MAX_HISTORY).max(DAY);
        let is_in_bucket = |(time, _): &(i64, String)| time.div_euclid(bucket) == at.div_euclid(bucket);
        if !history.last().is_some_and(is_in_bucket) {
            history.push((at, number.to_string()));
        }
    }
}

/// Blocks from which numbers are read. Controls are read only if there is no other block, because the first
/// number in a list of sizes is not the price.
fn numeric_blocks(blocks: &[SnapshotBlock]) -> impl Iterator<Item = &SnapshotBlock> {
    let has_text = blocks.iter().any(|block| !block.is_marginal);
    content_of(blocks).filter(move |block| !(has_text && block.is_marginal))
}

/// Blocks with content of the source, without blocks that only report whether a selector matches.
fn content_of(blocks: &[SnapshotBlock]) -> impl Iterator<Item = &SnapshotBlock> {
    blocks.iter().filter(|block| !presence::is_presence(block))
}

/// True if the items of a snapshot are distinguished only by their values.
pub fn is_nameless(seen: &Snapshot, target: &Target) -> bool {
    matches!(seen, Snapshot::Items(items) if !items.is_empty() && are_nameless(items, target))
}

/// True if items are distinguished only by their values: no field is a key, and no item has a link.
pub(super) fn are_nameless(items: &[ExtractedItem], target: &Target) -> bool {
    let Target::Extract { items: Some(_), fields } = target else { return false };
    !fields.iter().any(|field| field.key) && items.iter().all(|item| item.link.is_none())
}

/// Number that a trigger compares, with the text from which it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Title of the item. `None` if the source has only one item.
    pub item: Option<String>,
    /// Field of an extract.
    pub field: Option<String>,
    /// Text of the value.
    pub text: Option<String>,
    /// Number that is compared.
    pub number: Option<String>,
    pub currency: Option<String>,
    /// Number of amounts in the text.
    pub numbers: usize,
    /// True if the number can be interpreted in two ways, such as 1299 and 1.299.
    #[serde(default)]
    pub is_ambiguous: bool,
}

/// Numbers that a trigger compares. Empty for triggers that do not compare numbers.
pub fn readings(trigger: &Trigger, input: EvaluationInput<'_>) -> Vec<Reading> {
    if !trigger.is_numeric() {
        return Vec::new();
    }
    let rules = Rules { ignore: input.ignore.to_vec(), ..Rules::default() };
    let evaluator = Evaluator::new(trigger, CompiledRules::new(&rules), input);
    match input.seen {
        Snapshot::Items(items) => {
            let fields = items.iter().flat_map(|item| item.fields.iter().map(move |field| (item, field)));
            let fields = fields.filter(|&(_, field)| evaluator.numeric_tests(Some(field)).next().is_some());
            let read = fields.map(|(item, field)| Reading {
                item: Some(item.title.clone()).filter(|title| !title.is_empty()),
                field: Some(field.name.clone()),
                ..evaluator.reading(Some(field), field.value.as_deref())
            });
            read.take(MAX_READINGS).collect()
        }
        Snapshot::Blocks(blocks) => {
            let read = numeric_blocks(blocks).map(|block| evaluator.reading(None, Some(&block.text)));
            read.filter(|reading| reading.number.is_some()).take(1).collect()
        }
        Snapshot::Urls(_) => Vec::new(),
    }
}

/// Texts that currently contain the text of the trigger, without a preceding negation.
pub fn matches(trigger: &Trigger, input: EvaluationInput<'_>) -> Vec<String> {
    matching(trigger, input, SearchText::is_affirmed_in)
}

/// True if the content contains the text of the trigger only after a negation: `not in stock`.
pub fn is_denied(trigger: &Trigger, input: EvaluationInput<'_>) -> bool {
    matches(trigger, input).is_empty() && !matching(trigger, input, SearchText::is_contained_in).is_empty()
}

/// First texts for which `search` finds a text of the trigger.
fn matching(
    trigger: &Trigger,
    input: EvaluationInput<'_>,
    search: fn(&SearchText, &str) -> bool,
) -> Vec<String> {
    if !trigger.reads_texts() {
        return Vec::new();
    }
    let rules = Rules { ignore: input.ignore.to_vec(), ..Rules::default() };
    let evaluator = Evaluator::new(trigger, CompiledRules::new(&rules), input);
    let texts: Vec<(Option<&FieldValue>, &str)> = match input.seen {
        Snapshot::Items(items) => items
            .iter()
            .flat_map(|item| &item.fields)
            .filter_map(|field| Some((Some(field), field.value.as_deref()?)))
            .collect(),
        Snapshot::Blocks(blocks) => content_of(blocks).map(|block| (None, block.text.as_str())).collect(),
        Snapshot::Urls(urls) => urls.iter().map(|entry| (None, entry.url.as_str())).collect(),
    };
    let searches: Vec<&CompiledTest> =
        evaluator.tests.iter().filter(|test| test.test.kind == TestKind::Contains).collect();
    let quoted = |(field, text): (Option<&FieldValue>, &str)| {
        let plain = evaluator.rules.without_ignored(text);
        let passes = |test: &&&CompiledTest| {
            field.is_none_or(|field| test.concerns(field)) && search(&test.searched, &plain)
        };
        searches.iter().find(passes).map(|test| quotation(text, test.searched.find(text)))
    };
    texts.into_iter().filter_map(quoted).take(MAX_MATCHES).collect()
}

#[cfg(test)]
mod tests;
