//! Minimal model of what must be reported of one price. It has no rows, hashes or memories.

use super::Step;

/// Condition for a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Any change.
    None,
    /// A price below this value.
    Below(u32),
}

type Content = Option<&'static str>;

/// Seen and reported contents, and whether the price was below the limit when it could last be evaluated.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact that the model remembers by itself")]
pub(super) struct Model {
    limit: Limit,
    is_used_ignored: bool,
    told_last: Content,
    /// Whether the content reported last was not clearly above the limit.
    was_told_below: bool,
    /// The last content since then that was not below the limit.
    last_not_below: Option<Content>,
    is_below: bool,
    currency: Option<char>,
    seen_last: Content,
    is_first: bool,
    pub(super) told: Vec<String>,
}

impl Model {
    pub(super) fn new(limit: Limit) -> Self {
        Self {
            limit,
            is_used_ignored: false,
            told_last: None,
            was_told_below: false,
            last_not_below: None,
            is_below: false,
            currency: None,
            seen_last: None,
            is_first: true,
            told: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, step: &Step) {
        match (step, self.limit) {
            (Step::Content(content), Limit::Below(limit)) => self.look_for_limit(*content, limit),
            (Step::Content(content), Limit::None) => self.look_for_change(*content),
            (Step::Limit(limit), _) => self.set_limit(*limit),
            (Step::Ignore(is_ignored), _) => self.is_used_ignored = *is_ignored,
            (Step::Failure | Step::Gap | Step::Pause, _) => {}
        }
    }

    fn look_for_change(&mut self, content: Content) {
        self.seen_last = content;
        if self.is_first {
            (self.is_first, self.told_last) = (false, content);
        } else if self.shown(content) != self.shown(self.told_last) {
            self.tell(self.told_last, content);
        }
    }

    fn look_for_limit(&mut self, content: Content, limit: u32) {
        self.seen_last = content;
        let judged = self.judge(content, limit);
        if self.is_first {
            (self.is_first, self.told_last) = (false, content);
            self.is_below = judged == Some(true);
            self.was_told_below = judged != Some(false);
            return;
        }
        let Some(is_below) = judged else { return };
        if is_below && !self.is_below {
            self.tell(self.known(), content);
            (self.was_told_below, self.last_not_below) = (true, None);
        } else if !is_below {
            self.last_not_below = Some(content);
        }
        self.is_below = is_below;
    }

    /// Sets another limit without a report: the content seen last counts as known.
    fn set_limit(&mut self, limit: u32) {
        if self.limit == Limit::Below(limit) {
            return;
        }
        self.told_last = self.known();
        self.limit = Limit::Below(limit);
        self.currency = None;
        let told = self.judge(self.told_last, limit);
        let seen = self.judge(self.seen_last, limit);
        self.is_below = seen.or(told) == Some(true);
        self.was_told_below = told != Some(false) || self.is_below;
        self.last_not_below = (seen == Some(false)).then_some(self.seen_last);
    }

    /// Content that the next change is compared with.
    fn known(&self) -> Content {
        self.last_not_below.filter(|_| self.was_told_below).unwrap_or(self.told_last)
    }

    /// Whether a content is below a limit; `None` if it has no number, or one in another currency than
    /// before.
    fn judge(&mut self, content: Content, limit: u32) -> Option<bool> {
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
        if self.currency.is_some_and(|known| known != currency) {
            return None;
        }
        self.currency = Some(currency);
        Some(cents < limit * 100)
    }

    /// Content as it is compared: all ignored contents are equal.
    fn shown(&self, content: Content) -> Content {
        content.map(|text| if self.is_used_ignored && text.contains("used") { "ignored" } else { text })
    }

    fn tell(&mut self, before: Content, after: Content) {
        self.told.push(format!("{} → {}", before.unwrap_or("–"), after.unwrap_or("–")));
        self.told_last = after;
    }
}
