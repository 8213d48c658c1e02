//! Minimal model of the changes to a price that must be reported. It has no rows, hashes or memory.

use super::Step;

/// Hours after which a persistent new currency is accepted as the currency of the price.
const CURRENCY_HOURS: u32 = 14 * 24;

/// Condition for a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Any change.
    None,
    /// A price below this value.
    Below(u32),
}

type PriceText = Option<&'static str>;

/// Observed and reported contents, and the result of the condition at the last evaluation.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact that the model remembers by itself")]
pub(super) struct Model {
    limit: Limit,
    is_used_ignored: bool,
    last_reported: PriceText,
    /// True if the last reported content was below the limit, or if it could not be evaluated.
    was_reported_below: bool,
    /// Last content since the last report that was not below the limit.
    last_not_below: Option<PriceText>,
    is_below: bool,
    currency: Option<char>,
    /// Hour of the first content in another currency. `None` if the last content was in `currency`.
    other_currency_since: Option<u32>,
    /// Number of hours since the first content.
    now: u32,
    last_seen: PriceText,
    is_first: bool,
    pub(super) reported: Vec<String>,
}

impl Model {
    pub(super) fn new(limit: Limit) -> Self {
        Self {
            limit,
            is_used_ignored: false,
            last_reported: None,
            was_reported_below: false,
            last_not_below: None,
            is_below: false,
            currency: None,
            other_currency_since: None,
            now: 0,
            last_seen: None,
            is_first: true,
            reported: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, step: &Step) {
        self.now += match step {
            Step::Gap => 1 + 3 * 24,
            Step::Pause => 1 + 40 * 24,
            _ => 1,
        };
        match (step, self.limit) {
            (Step::Content(content), Limit::Below(limit)) => self.check_limit(*content, limit),
            (Step::Content(content), Limit::None) => self.check_change(*content),
            (Step::Limit(limit), _) => self.set_limit(*limit),
            (Step::Ignore(is_ignored), _) => self.is_used_ignored = *is_ignored,
            (Step::Failure | Step::Gap | Step::Pause, _) => {}
        }
    }

    fn check_change(&mut self, content: PriceText) {
        self.last_seen = content;
        if self.is_first {
            (self.is_first, self.last_reported) = (false, content);
        } else if self.compared(content) != self.compared(self.last_reported) {
            self.report(self.last_reported, content);
        }
    }

    fn check_limit(&mut self, content: PriceText, limit: u32) {
        self.last_seen = content;
        let evaluated = self.evaluate(content, limit);
        if self.is_first {
            (self.is_first, self.last_reported) = (false, content);
            self.is_below = evaluated == Some(true);
            self.was_reported_below = evaluated != Some(false);
            return;
        }
        let Some(is_below) = evaluated else { return };
        if is_below && !self.is_below {
            self.report(self.known(), content);
            (self.was_reported_below, self.last_not_below) = (true, None);
        } else if !is_below {
            self.last_not_below = Some(content);
        }
        self.is_below = is_below;
    }

    /// Sets a different limit without a report. The last observed content is treated as reported.
    fn set_limit(&mut self, limit: u32) {
        if self.limit == Limit::Below(limit) {
            return;
        }
        self.last_reported = self.known();
        self.limit = Limit::Below(limit);
        (self.currency, self.other_currency_since) = (None, None);
        let reported_below = self.evaluate(self.last_reported, limit);
        let seen = self.evaluate(self.last_seen, limit);
        self.is_below = seen.or(reported_below) == Some(true);
        self.was_reported_below = reported_below != Some(false) || self.is_below;
        self.last_not_below = (seen == Some(false)).then_some(self.last_seen);
    }

    /// Content with which the next change is compared.
    fn known(&self) -> PriceText {
        self.last_not_below.filter(|_| self.was_reported_below).unwrap_or(self.last_reported)
    }

    /// True if a content is below a limit. `None` if it has no number, or if the currency of the number
    /// differs from the previous currency.
    fn evaluate(&mut self, content: PriceText, limit: u32) -> Option<bool> {
        let text = content.filter(|text| !(self.is_used_ignored && text.contains("used")))?;
        let cents = match text {
            "120 €" => 12_000,
            "90 €" => 9_000,
            "100 €" => 10_000,
            "150,00 €" => 15_000,
            "79,90 €" => 7_990,
            "1.299 €" => 129_900,
            "$85" => 8_500,
            "60 € used" => 6_000,
            _ => return None,
        };
        let currency = if text.contains('$') { '$' } else { '€' };
        let is_below = cents < limit * 100;
        if self.currency.is_some_and(|known| known != currency) {
            let since = *self.other_currency_since.get_or_insert(self.now);
            if self.now - since < CURRENCY_HOURS {
                return None;
            }
            // There is no report, because amounts in different currencies are not compared.
            self.is_below = is_below;
        }
        (self.currency, self.other_currency_since) = (Some(currency), None);
        Some(is_below)
    }

    /// Content to compare: all ignored contents are equal.
    fn compared(&self, content: PriceText) -> PriceText {
        content.map(|text| if self.is_used_ignored && text.contains("used") { "ignored" } else { text })
    }

    fn report(&mut self, before: PriceText, after: PriceText) {
        self.reported.push(format!("{} → {}", before.unwrap_or("–"), after.unwrap_or("–")));
        self.last_reported = after;
    }
}
