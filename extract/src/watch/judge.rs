//! Evaluates triggers with a value: the texts and the number that a trigger refers to, and whether its
//! condition holds.

use serde::{Deserialize, Serialize};

use super::{
    excerpt::quotation,
    matching::SearchText,
    normalize::{CompiledRules, Rules},
    numbers::{self, Amount, DecimalSign, Number, NumberFormat},
    snapshot::{ExtractedItem, FieldValue, Snapshot, SnapshotBlock},
    target::{Ignore, NumberChoice, Target},
    trigger::{Trigger, TriggerKind},
};

/// Maximum matching texts that are displayed.
const MAX_MATCHES: usize = 5;
/// Maximum numbers that are displayed.
const MAX_READINGS: usize = 200;

/// Content to evaluate.
#[derive(Debug, Clone, Copy)]
pub struct JudgeInput<'a> {
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

/// Facts about the last number of a value, which decide how the next one is read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KnownNumber {
    /// Decimal separator of the numbers so far.
    pub(super) sign: Option<DecimalSign>,
    pub(super) number: Option<Number>,
}

/// Result of the evaluation of one value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judgement {
    pub(super) holds: bool,
    pub(super) amount: Option<Amount>,
}

/// Evaluates a trigger on texts.
pub(super) struct Judge<'a> {
    trigger: &'a Trigger,
    target: &'a Target,
    lens: CompiledRules<'a>,
    searched: SearchText,
    limit: Option<Number>,
    language: Option<DecimalSign>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(trigger: &'a Trigger, lens: CompiledRules<'a>, input: JudgeInput<'a>) -> Self {
        let value = trigger.value.as_deref().unwrap_or_default().trim();
        let language = input.language.and_then(DecimalSign::of_language);
        let searched = SearchText::new(value);
        Self { trigger, target: input.target, lens, searched, limit: Number::plain(value), language }
    }

    /// Fields that the trigger refers to.
    pub(super) fn fields<'i>(&self, item: &'i ExtractedItem) -> impl Iterator<Item = &'i FieldValue> {
        let field_name = self.trigger.field.clone();
        item.fields.iter().filter(move |field| field_name.as_ref().is_none_or(|name| *name == field.name))
    }

    pub(super) fn holds_of_any(&self, item: &ExtractedItem) -> bool {
        let holds = |field: &FieldValue| self.field(field, KnownNumber::default());
        self.fields(item).any(|field| holds(field).is_some_and(|judged| judged.holds))
    }

    pub(super) fn field(&self, field: &FieldValue, known: KnownNumber) -> Option<Judgement> {
        self.texts(field.value.as_deref().as_slice(), self.choice(field), known)
    }

    /// Selection of the number of a field.
    fn choice(&self, field: &FieldValue) -> NumberChoice {
        match self.target {
            Target::Extract { fields, .. } => {
                let named = fields.iter().find(|known| known.name == field.name);
                named.map_or(NumberChoice::First, |known| known.number)
            }
            Target::Page { .. } | Target::Sitemap { .. } => NumberChoice::First,
        }
    }

    fn reading(&self, text: Option<&str>, choice: NumberChoice) -> Reading {
        let number_format = self.number_format(KnownNumber::default());
        let amounts = text
            .map(|text| numbers::amounts(&self.lens.without_ignored(text), number_format))
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

    fn number_format(&self, known: KnownNumber) -> NumberFormat {
        NumberFormat {
            observed: known.sign,
            last: known.number,
            limit: self.limit,
            language: self.language,
            is_money: false,
        }
    }

    /// Evaluates the texts as a whole. `None` if they have no number.
    pub(super) fn texts(
        &self,
        texts: &[&str],
        choice: NumberChoice,
        known: KnownNumber,
    ) -> Option<Judgement> {
        let mut texts = texts.iter().map(|text| self.lens.without_ignored(text));
        let mut contains_text = || texts.any(|text| self.searched.is_affirmed_in(&text));
        let of_text = |holds: bool| Some(Judgement { holds, amount: None });
        match self.trigger.kind {
            TriggerKind::TextAppears => of_text(contains_text()),
            TriggerKind::TextDisappears => of_text(!contains_text()),
            TriggerKind::Above | TriggerKind::Below => {
                let limit = self.limit?;
                let number_format = self.number_format(known);
                let amount = texts
                    .find_map(|text| numbers::chosen(&numbers::amounts(&text, number_format), choice))?;
                let is_above = self.trigger.kind == TriggerKind::Above;
                let holds = if is_above { amount.number > limit } else { amount.number < limit };
                Some(Judgement { holds, amount: Some(amount) })
            }
            TriggerKind::Any | TriggerKind::Share | TriggerKind::Added | TriggerKind::Removed => None,
        }
    }
}

/// Blocks from which numbers are read. The first number of a list of sizes is not the price, so controls are
/// read only if there is nothing else.
pub(super) fn numeric_blocks(blocks: &[SnapshotBlock]) -> impl Iterator<Item = &SnapshotBlock> {
    let has_text = blocks.iter().any(|block| !block.is_marginal);
    blocks.iter().filter(move |block| !(has_text && block.is_marginal))
}

/// True if the items of the content are distinguished only by their values.
pub fn is_nameless(seen: &Snapshot, target: &Target) -> bool {
    matches!(seen, Snapshot::Items(items) if !items.is_empty() && are_nameless(items, target))
}

/// True if items are distinguished only by their values: no field is a key, and no item has a link.
pub(super) fn are_nameless(items: &[ExtractedItem], target: &Target) -> bool {
    let Target::Extract { items: Some(_), fields } = target else { return false };
    !fields.iter().any(|field| field.key) && items.iter().all(|item| item.link.is_none())
}

/// Number that a trigger refers to, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Title of the item, if there are several.
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
    /// True if the number can be read in two ways, such as 1299 and 1.299.
    #[serde(default)]
    pub is_ambiguous: bool,
}

/// Numbers that a trigger compares with its value. Empty for triggers that do not compare numbers.
pub fn readings(trigger: &Trigger, input: JudgeInput<'_>) -> Vec<Reading> {
    if !trigger.kind.is_numeric() {
        return Vec::new();
    }
    let rules = Rules { ignore: input.ignore.to_vec(), ..Rules::default() };
    let judge = Judge::new(trigger, CompiledRules::new(&rules), input);
    match input.seen {
        Snapshot::Items(items) => {
            let fields = items.iter().flat_map(|item| judge.fields(item).map(move |field| (item, field)));
            let read = fields.map(|(item, field)| Reading {
                item: Some(item.title.clone()).filter(|title| !title.is_empty()),
                field: Some(field.name.clone()),
                ..judge.reading(field.value.as_deref(), judge.choice(field))
            });
            read.take(MAX_READINGS).collect()
        }
        Snapshot::Blocks(blocks) => {
            let read =
                numeric_blocks(blocks).map(|block| judge.reading(Some(&block.text), NumberChoice::First));
            read.filter(|reading| reading.number.is_some()).take(1).collect()
        }
        Snapshot::Urls(_) => Vec::new(),
    }
}

/// Texts that currently contain the text of the trigger, without a denial before it.
pub fn matches(trigger: &Trigger, input: JudgeInput<'_>) -> Vec<String> {
    matching(trigger, input, SearchText::is_affirmed_in)
}

/// True if the content contains the text of the trigger only with a denial before it: `not in stock`.
pub fn is_denied(trigger: &Trigger, input: JudgeInput<'_>) -> bool {
    matches(trigger, input).is_empty() && !matching(trigger, input, SearchText::is_contained_in).is_empty()
}

/// First texts that pass a search for the text of the trigger.
fn matching(trigger: &Trigger, input: JudgeInput<'_>, search: fn(&SearchText, &str) -> bool) -> Vec<String> {
    if !matches!(trigger.kind, TriggerKind::TextAppears | TriggerKind::TextDisappears) {
        return Vec::new();
    }
    let rules = Rules { ignore: input.ignore.to_vec(), ..Rules::default() };
    let judge = Judge::new(trigger, CompiledRules::new(&rules), input);
    let texts: Vec<&str> = match input.seen {
        Snapshot::Items(items) => items
            .iter()
            .flat_map(|item| judge.fields(item))
            .filter_map(|field| field.value.as_deref())
            .collect(),
        Snapshot::Blocks(blocks) => blocks.iter().map(|block| block.text.as_str()).collect(),
        Snapshot::Urls(urls) => urls.iter().map(|entry| entry.url.as_str()).collect(),
    };
    let matching =
        texts.into_iter().filter(|text| search(&judge.searched, &judge.lens.without_ignored(text)));
    matching.take(MAX_MATCHES).map(|text| quotation(text, judge.searched.find(text))).collect()
}

#[cfg(test)]
mod tests;
