//! State of a monitor between checks, in addition to its snapshots: the state of its trigger, the learned
//! noise of its source, and the alternation of its page between two contents.

use std::collections::BTreeSet;

use extract::watch::{Doubt, Masks, Op, Operation, Snapshot, SnapshotBlock, Truths, Wall};
use serde::{Deserialize, Serialize};

use kernel::Millis;
use kernel::clock::HOUR;

/// Minimum number of alternating contents within [`FLIP_WINDOW`] for a page to be treated as flipping.
const FLIP_LENGTH: usize = 4;
/// Time within which contents must alternate to be flips. A content that is stable for this time has settled.
const FLIP_WINDOW: Millis = 24 * HOUR;
/// Number of consecutive changes at the same position after which noise is learned again.
const CHANGES_BEFORE_RELEARNING: u8 = 3;

/// State of a monitor between checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Memory {
    /// True if noise was learned.
    #[serde(default)]
    has_learned: bool,
    /// True if the owner disabled learning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    learns_nothing: bool,
    /// Masks for learned noise.
    #[serde(default)]
    pub(super) masks: Masks,
    /// State of a trigger with a condition. `None` for other triggers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) truths: Option<Truths>,
    /// Position of the last changes, and the number of consecutive changes at this position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restless: Option<(u32, u8)>,
    /// True if the page is flipping. Its flips are not reported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_flipping: bool,
    /// Number of consecutive checks without an item.
    #[serde(default, rename = "empty_looks")]
    pub(super) empty_checks: u8,
    /// Download time of the last evaluated snapshot.
    #[serde(default, rename = "looked_at")]
    pub(super) checked_at: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doubt: Option<DoubtState>,
    /// Wall that the watched page itself resembles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) page_wall: Option<Wall>,
    /// Sentences for the owner about texts that the built-in masks hide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unwatched: Vec<String>,
    /// True if the page did not exist at a check before the first content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_awaited: bool,
    /// Form of the stored snapshots and of the state of the trigger.
    #[serde(default = "SnapshotForm::oldest")]
    form: SnapshotForm,
}

/// Version number of the form of snapshots. Each new form receives the next number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct SnapshotForm(u8);

impl SnapshotForm {
    const CURRENT: Self = Self(1);

    /// Form of snapshots from versions of Carrel that did not store the form.
    const fn oldest() -> Self {
        Self(0)
    }
}

impl Default for SnapshotForm {
    fn default() -> Self {
        Self::CURRENT
    }
}

/// Number of consecutive checks after which a doubtful content is confirmed.
const CONFIRMING_CHECKS: u8 = 3;
/// Time after which a persistent wall is accepted as content.
const WALL_TIME: Millis = 72 * HOUR;
/// Maximum number of texts in the list of unwatched texts.
const MAX_UNWATCHED: usize = 10;

/// Doubt about the content of the last checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DoubtState {
    doubt: Doubt,
    /// Number of consecutive checks with this doubt.
    checks: u8,
    /// Time of the first of these checks.
    since: Millis,
    /// True if the doubt was confirmed and reported.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_reported: bool,
}

/// Treatment of a doubtful content, depending on the number of checks with this doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DoubtVerdict {
    /// There is no doubt, or the doubt persisted. The content is evaluated.
    Content,
    /// The content must be checked again.
    Unconfirmed,
    /// The source returns a wall. This is reported now.
    Confirmed(Wall),
    /// The source returns a wall, which was already reported.
    Known,
}

/// Fingerprint of a content, and the time at which it appeared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ContentAppearance {
    #[serde(rename = "mark")]
    fingerprint: String,
    at: Millis,
}

/// Most recent contents, the oldest first. Each content differs from the previous one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct RecentContents(Vec<ContentAppearance>);

/// Role of a content in the alternation of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlipState {
    /// The content is not a flip. It is reported if it differs from the last reported content.
    None,
    /// The content is a flip, or has not settled yet.
    Returned,
}

impl Memory {
    /// Parses a stored memory. Returns an empty memory for a monitor that was never checked.
    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Creates a memory with the masks and the language of `other`, but without the state of its trigger and
    /// of reported content.
    pub(super) fn with_masks_of(other: &Self) -> Self {
        Self { masks: other.masks.clone(), language: other.language.clone(), ..Self::default() }
    }

    /// Sets the form of the next snapshot to the current form. Returns true if the stored snapshots have an
    /// older form.
    pub(super) fn renew_form(&mut self) -> bool {
        std::mem::take(&mut self.form) != SnapshotForm::CURRENT
    }

    /// True if noise must be learned when the source differs.
    pub(super) fn should_learn(&self) -> bool {
        !self.has_learned && !self.learns_nothing
    }

    /// Stores masks that were learned from consecutive snapshots, unless the owner disabled learning in the
    /// meantime. Returns true if they differ from the known masks.
    pub(super) fn learn(&mut self, masks: Masks) -> bool {
        if self.learns_nothing {
            return false;
        }
        self.has_learned = true;
        self.restless = None;
        let is_new = !self.masks.is_equivalent(&masks);
        self.masks = masks;
        is_new
    }

    /// Discards the learned masks and disables learning, so that every change is reported.
    pub(super) fn drop_masks(&mut self) {
        self.learns_nothing = true;
        self.masks = Masks::default();
        self.unwatched.clear();
    }

    /// True if the owner also watches texts that the built-in masks would hide.
    pub(super) fn watches_all(&self) -> bool {
        self.learns_nothing
    }

    /// Stores the texts that the built-in masks hide.
    pub(super) fn set_unwatched(&mut self, sentences: impl Iterator<Item = String>) {
        self.unwatched = sentences.take(MAX_UNWATCHED).collect();
    }

    /// Sentences for the owner of the monitor, one for each text that is not watched.
    pub(super) fn describe_masks(&self) -> Vec<String> {
        self.masks.describe().into_iter().chain(self.unwatched.iter().cloned()).collect()
    }

    /// Records a doubt about a content that was received at `at`. `None` if there is no doubt.
    pub(super) fn record_doubt(&mut self, doubt: Option<Doubt>, at: Millis) -> DoubtVerdict {
        let is_page = |doubt: &Doubt| matches!(doubt, Doubt::Wall(wall) if self.page_wall == Some(*wall));
        let Some(doubt) = doubt.filter(|doubt| !is_page(doubt)) else {
            self.doubt = None;
            return DoubtVerdict::Content;
        };
        let known = self.doubt.take().filter(|known| known.doubt.is_alike(doubt));
        let known = known.unwrap_or(DoubtState { doubt, checks: 0, since: at, is_reported: false });
        let mut state = DoubtState { doubt, checks: known.checks.saturating_add(1), ..known };
        let verdict = match doubt {
            _ if state.is_reported && at - state.since >= WALL_TIME => return DoubtVerdict::Content,
            _ if state.is_reported => DoubtVerdict::Known,
            _ if state.checks < CONFIRMING_CHECKS => DoubtVerdict::Unconfirmed,
            Doubt::Wall(wall) => DoubtVerdict::Confirmed(wall),
            Doubt::Lost | Doubt::Cut | Doubt::Empty => return DoubtVerdict::Content,
        };
        state.is_reported |= matches!(verdict, DoubtVerdict::Confirmed(_));
        self.doubt = Some(state);
        verdict
    }

    /// True if an unchanged body must be evaluated, because its result depends on the time.
    pub(super) fn depends_on_time(&self) -> bool {
        let may_repeat = self.truths.as_ref().is_some_and(Truths::may_repeat);
        self.is_flipping || !self.masks.is_empty() || may_repeat
    }

    pub(super) fn is_flipping(&self) -> bool {
        self.is_flipping
    }

    /// Records the position of a reported change. After three consecutive changes at the same position, noise
    /// is learned again.
    pub(super) fn record_positions(&mut self, operations: &[Operation], seen: &Snapshot) {
        let Snapshot::Blocks(blocks) = seen else { return };
        let block_of = |operation: &Operation| -> Option<&SnapshotBlock> {
            blocks.get(usize::try_from(operation.anchor.checked_sub(1)?).ok()?)
        };
        let present = operations.iter().filter(|operation| operation.op != Op::Removed);
        let positions: BTreeSet<u32> = present.filter_map(block_of).map(|block| block.position).collect();
        let only = positions.first().filter(|_| positions.len() == 1).copied();
        self.restless = match (only, self.restless) {
            (Some(position), Some((known, count))) if position == known => Some((position, count + 1)),
            (Some(position), _) => Some((position, 1)),
            (None, _) => None,
        };
        if self.restless.is_some_and(|(_, count)| count >= CHANGES_BEFORE_RELEARNING) {
            self.restless = None;
            self.has_learned = false;
        }
    }

    /// Records a content that follows `recent_contents`, and returns its role in the alternation of the page.
    /// `reported` is the last reported content.
    pub(super) fn record_content(
        &mut self,
        recent_contents: &mut RecentContents,
        now: &str,
        reported: &str,
        at: Millis,
    ) -> FlipState {
        let was_known =
            recent_contents.0.iter().rev().take(2).any(|appearance| appearance.fingerprint == now);
        let is_another = recent_contents.push(now, at);
        if self.is_flipping {
            // A third content, or a content that has been stable for a day, stops the alternation.
            self.is_flipping = was_known && !recent_contents.has_settled(at);
            if !self.is_flipping {
                *recent_contents = RecentContents::of(now, at);
            }
            return if self.is_flipping || now == reported { FlipState::Returned } else { FlipState::None };
        }
        self.is_flipping = is_another && recent_contents.alternates();
        if self.is_flipping { FlipState::Returned } else { FlipState::None }
    }
}

impl RecentContents {
    /// Parses stored states. Returns an empty list before the first check.
    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub(super) fn of(fingerprint: &str, at: Millis) -> Self {
        Self(vec![ContentAppearance { fingerprint: fingerprint.to_owned(), at }])
    }

    /// Appends a content. Returns true if it differs from the last content.
    fn push(&mut self, fingerprint: &str, at: Millis) -> bool {
        if self.0.last().is_some_and(|last| last.fingerprint == fingerprint) {
            return false;
        }
        self.0.push(ContentAppearance { fingerprint: fingerprint.to_owned(), at });
        let beyond = self.0.len().saturating_sub(FLIP_LENGTH);
        self.0.drain(..beyond);
        true
    }

    /// True if the last four contents alternate between two contents, within a day.
    fn alternates(&self) -> bool {
        let [one, other, again, back] = self.0.as_slice() else { return false };
        one.fingerprint == again.fingerprint
            && other.fingerprint == back.fingerprint
            && back.at - one.at <= FLIP_WINDOW
    }

    /// True if the newest content has been stable for a day.
    fn has_settled(&self, now: Millis) -> bool {
        self.0.last().is_some_and(|last| now - last.at >= FLIP_WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use extract::watch::Kind;

    use super::*;
    use kernel::clock::MINUTE;

    #[test]
    fn three_changes_at_one_position_restart_learning() {
        let positions = [1, 2, 3];
        let blocks = positions.map(|position| SnapshotBlock { position, ..SnapshotBlock::default() });
        let seen = Snapshot::Blocks(blocks.into());
        let changed = |anchor: u32| Operation::new(Op::Changed, Kind::default(), anchor);
        let after = |anchors: &[&[u32]]| {
            let mut memory = Memory { has_learned: true, ..Memory::default() };
            for anchors in anchors {
                let operations: Vec<Operation> = anchors.iter().map(|anchor| changed(*anchor)).collect();
                memory.record_positions(&operations, &seen);
            }
            memory.has_learned
        };
        assert!(!after(&[&[2], &[2], &[2]]));
        assert!(after(&[&[2], &[2]]), "two changes are not enough");
        assert!(after(&[&[2], &[3], &[2]]), "a change at another position restarts the count");
        assert!(after(&[&[2], &[2], &[2, 3]]), "changes at two positions restart the count");
        let gone = Operation::new(Op::Removed, Kind::default(), 2);
        let mut memory = Memory { has_learned: true, ..Memory::default() };
        for _ in 0..3 {
            memory.record_positions(std::slice::from_ref(&gone), &seen);
        }
        assert!(memory.has_learned, "removed content has no position");
    }

    #[test]
    fn doubtful_content_is_confirmed_by_the_third_check() {
        use DoubtVerdict::{Confirmed, Content, Known, Unconfirmed};
        let verdicts = |doubts: &[Option<Doubt>]| -> Vec<DoubtVerdict> {
            let (mut memory, mut at) = (Memory::default(), 0);
            let record = |doubt: &Option<Doubt>| {
                at += HOUR;
                let verdict = memory.record_doubt(*doubt, at);
                memory = Memory::read(&serde_json::to_string(&memory).unwrap());
                verdict
            };
            doubts.iter().map(record).collect()
        };
        let (form, notice) = (Some(Doubt::Wall(Wall::SignIn)), Some(Doubt::Wall(Wall::Maintenance)));
        let lost = Some(Doubt::Lost);
        assert_eq!(
            verdicts(&[form, notice, form, form, None, form]),
            [Unconfirmed, Unconfirmed, Confirmed(Wall::SignIn), Known, Content, Unconfirmed]
        );
        assert_eq!(verdicts(&[lost, lost, lost]), [Unconfirmed, Unconfirmed, Content]);
        assert_eq!(verdicts(&[lost, None, lost, lost]), [Unconfirmed, Content, Unconfirmed, Unconfirmed]);
        assert_eq!(verdicts(&[lost, form, lost]), [Unconfirmed, Unconfirmed, Unconfirmed]);
        let long = verdicts(&[form; 74]);
        assert_eq!(
            (long[71], long[72], long[73]),
            (Known, Content, Unconfirmed),
            "a wall that stays is content"
        );
        let mut memory = Memory { page_wall: Some(Wall::SignIn), ..Memory::default() };
        assert_eq!(memory.record_doubt(form, 0), Content, "the page itself looks like a sign-in form");
        assert_eq!(memory.record_doubt(notice, 0), Unconfirmed);
    }

    #[test]
    fn snapshot_form_is_older_only_at_the_first_check_after_an_update() {
        let mut memory = Memory::read(r#"{"has_learned":true}"#);
        assert!(memory.renew_form() && !memory.renew_form());
        let mut stored = Memory::read(&serde_json::to_string(&memory).unwrap());
        assert!(!stored.renew_form() && !Memory::default().renew_form());
    }

    #[test]
    fn memory_copied_from_another_monitor_has_only_masks_and_language() {
        let other = Memory {
            has_learned: true,
            masks: Masks { lastmod: true, ..Masks::default() },
            language: Some("de".into()),
            empty_checks: 3,
            checked_at: Some(5),
            ..Memory::default()
        };
        let taken = Memory { masks: other.masks.clone(), language: Some("de".into()), ..Memory::default() };
        assert_eq!(Memory::with_masks_of(&other), taken);
        assert_ne!(taken.masks, Masks::default());
    }

    #[test]
    fn noise_is_learned_only_if_enabled_and_not_yet_learned() {
        let of = |has_learned, learns_nothing| {
            Memory { has_learned, learns_nothing, ..Memory::default() }.should_learn()
        };
        assert!(of(false, false) && !of(true, false) && !of(false, true) && !of(true, true));
    }

    #[test]
    fn unchanged_body_is_evaluated_if_flipping_or_masked() {
        let waits = |is_flipping, lastmod| {
            let masks = Masks { lastmod, ..Masks::default() };
            Memory { masks, is_flipping, ..Memory::default() }.depends_on_time()
        };
        assert!(waits(true, false) && waits(false, true) && !waits(false, false));
    }

    #[test]
    fn contents_alternate_only_within_a_day() {
        let alternates = |times: [Millis; 4], fingerprints: [&str; 4]| {
            let mut recent_contents = RecentContents::default();
            for (fingerprint, at) in fingerprints.iter().zip(times) {
                recent_contents.push(fingerprint, at);
            }
            RecentContents::read(&serde_json::to_string(&recent_contents).unwrap()).alternates()
        };
        let begin = 40 * FLIP_WINDOW;
        let quick = [begin, begin + MINUTE, begin + HOUR, begin + FLIP_WINDOW];
        assert!(alternates(quick, ["a", "b", "a", "b"]));
        assert!(
            !alternates([begin - 1, quick[1], quick[2], quick[3]], ["a", "b", "a", "b"]),
            "flips over more than a day do not alternate"
        );
        assert!(!alternates(quick, ["a", "b", "a", "c"]) && !alternates(quick, ["a", "b", "c", "b"]));
    }
}
