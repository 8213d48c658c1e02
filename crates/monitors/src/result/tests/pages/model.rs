//! Minimal model of the changes to a page that must be reported. It has no rows, hashes or memory.

use super::{IGNORED, PageLines, PageStep, ReportedChange};
use kernel::Millis;
use kernel::clock::DAY;

/// Index of the line that contains the text of the trigger.
const CANCELLED: usize = 1;
const BREAD: usize = 2;

/// Kind of change that a user wants to be notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Any change to the page. Flips are not reported.
    Page,
    /// Any change to a selected part.
    Part,
    /// The text appears on the page.
    Appears,
    /// The text disappears from the page.
    Disappears,
    /// Added lines.
    Added,
    /// Added lines about bread.
    AddedBread,
    /// Removed lines.
    Removed,
}

impl Wish {
    pub(super) const ALL: [Self; 7] = [
        Self::Page,
        Self::Part,
        Self::Appears,
        Self::Disappears,
        Self::Added,
        Self::AddedBread,
        Self::Removed,
    ];
}

pub(super) struct Model {
    wish: Wish,
    /// Index of the ignored line.
    ignored: Option<usize>,
    /// Content with which the next change is compared. `None` before the first check.
    known: Option<PageLines>,
    /// Result of the condition at the last check.
    holds: bool,
    was_true_when_reported: bool,
    /// Most recent contents, each with the time at which it appeared. Each content differs from the previous
    /// one.
    recent: Vec<(PageLines, Millis)>,
    is_flipping: bool,
    pub(super) suppressed: usize,
    pub(super) reported: Vec<ReportedChange>,
}

impl Model {
    pub(super) fn new(wish: Wish) -> Self {
        Self {
            wish,
            ignored: None,
            known: None,
            holds: false,
            was_true_when_reported: false,
            recent: Vec::new(),
            is_flipping: false,
            suppressed: 0,
            reported: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, step: &PageStep, now: Millis) {
        match step {
            PageStep::Content(content) => self.check(content, now),
            PageStep::Failure | PageStep::Gap | PageStep::Pause => {}
            PageStep::Ignore(which) => {
                let ignored = which.map(|which| IGNORED[which].1);
                if ignored != self.ignored {
                    // Contents under another filter are not comparable.
                    self.recent.clear();
                }
                self.ignored = ignored;
            }
            PageStep::Reset => {
                self.known = None;
                self.recent.clear();
                self.is_flipping = false;
            }
        }
    }

    fn check(&mut self, content: &PageLines, now: Millis) {
        let holds = match self.wish {
            Wish::Disappears => !self.without_ignored(content).contains(&CANCELLED),
            _ => self.without_ignored(content).contains(&CANCELLED),
        };
        let Some(known) = self.known.clone() else {
            self.known = Some(content.clone());
            (self.holds, self.was_true_when_reported) = (holds, holds);
            self.recent = vec![(self.without_ignored(content), now)];
            return;
        };
        let (gone, added) = (
            &self.without_ignored(&known) - &self.without_ignored(content),
            &self.without_ignored(content) - &self.without_ignored(&known),
        );
        let none = PageLines::new;
        let is_flip = self.wish == Wish::Page && self.record_flip(content, now);
        match self.wish {
            Wish::Page if is_flip => {
                self.suppressed += usize::from(!gone.is_empty() || !added.is_empty());
            }
            Wish::Page | Wish::Part => self.report(gone, added, content),
            Wish::Added => self.report(none(), added, content),
            Wish::AddedBread => {
                self.report(none(), added.into_iter().filter(|line| *line == BREAD).collect(), content);
            }
            Wish::Removed => self.report(gone, none(), content),
            Wish::Appears | Wish::Disappears if holds && !self.holds => {
                self.reported.push((gone, added));
                self.known = Some(content.clone());
                self.was_true_when_reported = true;
            }
            // The condition was true for the reported content and is now false. Therefore, the next change is
            // compared with this content.
            Wish::Appears | Wish::Disappears if !holds && self.was_true_when_reported => {
                self.known = Some(content.clone());
            }
            Wish::Appears | Wish::Disappears => {}
        }
        if matches!(self.wish, Wish::Added | Wish::AddedBread | Wish::Removed) {
            self.known = Some(content.clone());
        }
        self.holds = holds;
    }

    fn report(&mut self, gone: PageLines, added: PageLines, content: &PageLines) {
        if !gone.is_empty() || !added.is_empty() {
            self.reported.push((gone, added));
            self.known = Some(content.clone());
        }
    }

    /// True if the page flips: four contents within a day alternate between two contents. A third content, or
    /// a content that is stable for a day, stops the flipping.
    fn record_flip(&mut self, content: &PageLines, now: Millis) -> bool {
        let compared = self.without_ignored(content);
        let is_known = self.recent.iter().rev().take(2).any(|(recent, _)| *recent == compared);
        let is_another = self.recent.last().is_none_or(|(last, _)| *last != compared);
        if is_another {
            self.recent.push((compared.clone(), now));
        }
        if self.is_flipping {
            let since = self.recent.last().map_or(now, |(_, since)| *since);
            if !is_known || now - since >= DAY {
                self.is_flipping = false;
                self.recent = vec![(compared, now)];
            }
            return self.is_flipping;
        }
        if let (true, [.., one, other, again, back]) = (is_another, self.recent.as_slice()) {
            self.is_flipping = one.0 == again.0 && other.0 == back.0 && back.1 - one.1 <= DAY;
        }
        self.is_flipping
    }

    /// Content to compare, without the ignored line.
    fn without_ignored(&self, content: &PageLines) -> PageLines {
        content.iter().copied().filter(|line| Some(*line) != self.ignored).collect()
    }
}
