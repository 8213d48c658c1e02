//! Minimal model of what must be reported of a page. It has no rows, hashes or memories.

use super::{Content, IGNORED, PageStep, Told};
use kernel::clock::{DAY, Millis};

/// Index of the line with the awaited text.
const CANCELLED: usize = 1;
const BREAD: usize = 2;

/// Kind of change that a user wants to be notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Any change of the page, except flips.
    Page,
    /// Any change of a selected part.
    Part,
    /// The text appears.
    Appears,
    /// The text disappears.
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
    /// Content that the next change is compared with; `None` before the first check.
    known: Option<Content>,
    /// Whether the awaited condition was true at the last check, and when a change was last reported.
    holds: bool,
    held_when_told: bool,
    /// The most recent contents, each different from the one before it, with the time it appeared.
    recent: Vec<(Content, Millis)>,
    is_flipping: bool,
    pub(super) kept_quiet: usize,
    pub(super) told: Vec<Told>,
}

impl Model {
    pub(super) fn new(wish: Wish) -> Self {
        Self {
            wish,
            ignored: None,
            known: None,
            holds: false,
            held_when_told: false,
            recent: Vec::new(),
            is_flipping: false,
            kept_quiet: 0,
            told: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, step: &PageStep, now: Millis) {
        match step {
            PageStep::Content(content) => self.look(content, now),
            PageStep::Failure | PageStep::Gap | PageStep::Pause => {}
            PageStep::Ignore(which) => {
                let ignored = which.map(|which| IGNORED[which].1);
                if ignored != self.ignored {
                    // Contents seen through another filter are not comparable.
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

    fn look(&mut self, content: &Content, now: Millis) {
        let holds = match self.wish {
            Wish::Disappears => !self.left(content).contains(&CANCELLED),
            _ => self.left(content).contains(&CANCELLED),
        };
        let Some(known) = self.known.clone() else {
            self.known = Some(content.clone());
            (self.holds, self.held_when_told) = (holds, holds);
            self.recent = vec![(self.left(content), now)];
            return;
        };
        let (gone, came) =
            (&self.left(&known) - &self.left(content), &self.left(content) - &self.left(&known));
        let none = Content::new;
        let is_flip = self.wish == Wish::Page && self.goes_back_and_forth(content, now);
        match self.wish {
            Wish::Page if is_flip => {
                self.kept_quiet += usize::from(!gone.is_empty() || !came.is_empty());
            }
            Wish::Page | Wish::Part => self.tell(gone, came, content),
            Wish::Added => self.tell(none(), came, content),
            Wish::AddedBread => {
                self.tell(none(), came.into_iter().filter(|line| *line == BREAD).collect(), content);
            }
            Wish::Removed => self.tell(gone, none(), content),
            Wish::Appears | Wish::Disappears if holds && !self.holds => {
                self.told.push((gone, came));
                self.known = Some(content.clone());
                self.held_when_told = true;
            }
            // The condition was true for the reported content and is not any more: the next change is
            // compared with this content.
            Wish::Appears | Wish::Disappears if !holds && self.held_when_told => {
                self.known = Some(content.clone());
            }
            Wish::Appears | Wish::Disappears => {}
        }
        self.holds = holds;
    }

    fn tell(&mut self, gone: Content, came: Content, content: &Content) {
        if !gone.is_empty() || !came.is_empty() {
            self.told.push((gone, came));
            self.known = Some(content.clone());
        }
    }

    /// Whether the page flips: four contents within a day alternate between two, until there is a third or
    /// one of them has been stable for a day.
    fn goes_back_and_forth(&mut self, content: &Content, now: Millis) -> bool {
        let shown = self.left(content);
        let is_known = self.recent.iter().rev().take(2).any(|(recent, _)| *recent == shown);
        let is_another = self.recent.last().is_none_or(|(last, _)| *last != shown);
        if is_another {
            self.recent.push((shown.clone(), now));
        }
        if self.is_flipping {
            let since = self.recent.last().map_or(now, |(_, since)| *since);
            if !is_known || now - since >= DAY {
                self.is_flipping = false;
                self.recent = vec![(shown, now)];
            }
            return self.is_flipping;
        }
        if let (true, [.., one, other, again, back]) = (is_another, self.recent.as_slice()) {
            self.is_flipping = one.0 == again.0 && other.0 == back.0 && back.1 - one.1 <= DAY;
        }
        self.is_flipping
    }

    /// Content as it is compared.
    fn left(&self, content: &Content) -> Content {
        content.iter().copied().filter(|line| Some(*line) != self.ignored).collect()
    }
}
