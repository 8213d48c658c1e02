//! Compares the reported changes to pages with a small model, for every kind of trigger that evaluates texts.

mod model;

use std::collections::BTreeSet;

use extract::watch::SnapshotBlock;

use self::model::{Model, Wish};
use super::*;

/// Possible lines of a page. They do not resemble each other.
pub(super) const LINES: [&str; 4] = [
    "The ferry to the islands leaves in the morning.",
    "All boats are cancelled because of storm.",
    "Bread and honey wait behind that old market hall.",
    "Weather: heavy rain over northern hills tomorrow.",
];
/// Texts that the owner may ignore, each with the index of the line that contains it.
pub(super) const IGNORED: [(&str, usize); 2] = [("boats", 1), ("weather", 3)];

/// Lines of a page, as indexes of [`LINES`].
pub(super) type PageLines = BTreeSet<usize>;

/// Reported change: removed lines and added lines.
pub(super) type ReportedChange = (PageLines, PageLines);

/// Event in the history of a page monitor.
#[derive(Clone, Debug)]
pub(super) enum PageStep {
    /// The page has these lines.
    Content(PageLines),
    /// The page is unavailable, or its response cannot be evaluated.
    Failure,
    /// Days without a check.
    Gap,
    /// The owner pauses the monitor for a while.
    Pause,
    /// The owner ignores a text of [`IGNORED`]. `None` ignores nothing.
    Ignore(Option<usize>),
    /// The owner resets the baseline.
    Reset,
}

impl Shop<'_> {
    async fn page_step(&self, step: &PageStep) {
        self.database.clock.advance(HOUR);
        match step {
            PageStep::Content(lines) => self.check(page_of(lines)).await,
            PageStep::Failure => {
                self.check(ObservedContent::Failed(RunError::unusable(Code::SourceInvalidResponse))).await;
            }
            PageStep::Gap => self.database.clock.advance(3 * DAY),
            PageStep::Pause => self.pause().await,
            PageStep::Ignore(which) => self.ignore(which.map(|which| IGNORED[which].0)).await,
            PageStep::Reset => self.edit(Edit { reset_baseline: true, ..Edit::default() }).await,
        }
    }

    async fn reported_page_changes(&self) -> Vec<ReportedChange> {
        let line = |text: &String| LINES.iter().position(|line| line == text).unwrap();
        let changed_lines = |change: &Change| {
            let before = change.operations.iter().filter_map(|operation| operation.before.as_ref());
            let after = change.operations.iter().filter_map(|operation| operation.after.as_ref());
            (before.map(line).collect(), after.map(line).collect())
        };
        self.changes().await.iter().map(changed_lines).collect()
    }
}

fn page_of(lines: &PageLines) -> ObservedContent {
    let block = |line: &usize| SnapshotBlock {
        text: LINES[*line].to_owned(),
        position: u32::try_from(*line).unwrap() + 1,
        ..SnapshotBlock::default()
    };
    ObservedContent::Content(Arc::new(Observation::of(Snapshot::Blocks(lines.iter().map(block).collect()))))
}

/// Random steps. Most of them are contents, which often alternate between two contents, so that pages flip.
fn page_steps() -> impl Strategy<Value = Vec<PageStep>> {
    use proptest::prelude::*;
    let lines = |mask: usize| (0..LINES.len()).filter(|line| mask & (1 << line) != 0).collect::<PageLines>();
    let content = prop_oneof![3 => Just(0b0101), 3 => Just(0b0110), 4 => 1..16_usize].prop_map(lines);
    let step = prop_oneof![
        16 => content.prop_map(PageStep::Content),
        2 => Just(PageStep::Failure),
        1 => Just(PageStep::Gap),
        1 => Just(PageStep::Pause),
        2 => prop::option::of(0..IGNORED.len()).prop_map(PageStep::Ignore),
        1 => Just(PageStep::Reset),
    ];
    prop::collection::vec(step, 30)
}

/// Target and trigger for the changes that the user wants to be notified of.
fn target_and_trigger(wish: Wish) -> (Target, Trigger) {
    let of =
        |kind, value: Option<&str>| Trigger { kind, value: value.map(str::to_owned), ..Trigger::default() };
    let whole = Target::Page { selector: None };
    match wish {
        Wish::Page => (whole, Trigger::default()),
        Wish::Part => (Target::Page { selector: Some("main".into()) }, Trigger::default()),
        Wish::Appears => (whole, of(TriggerKind::TextAppears, Some("cancelled"))),
        Wish::Disappears => (whole, of(TriggerKind::TextDisappears, Some("cancelled"))),
        Wish::Added => (whole, of(TriggerKind::Added, None)),
        Wish::AddedBread => (whole, of(TriggerKind::Added, Some("bread"))),
        Wish::Removed => (whole, of(TriggerKind::Removed, None)),
    }
}

#[tokio::test]
async fn page_changes_are_reported_exactly_as_in_the_model() {
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let histories: Vec<Vec<PageStep>> =
        (0..5).map(|_| page_steps().new_tree(&mut runner).unwrap().current()).collect();
    for database in TestDatabase::each().await {
        let owner = person(&database.domain, Tier::Pro).await;
        let (mut count, mut suppressed, mut number) = (0, 0, 0);
        for history in &histories {
            for wish in Wish::ALL {
                let (target, trigger) = target_and_trigger(wish);
                let shop = Shop::of(&database, owner, number, target, trigger).await;
                let mut model = Model::new(wish);
                for step in history {
                    shop.page_step(step).await;
                    model.step(step, database.domain.now());
                }
                assert_eq!(shop.reported_page_changes().await, model.reported, "{wish:?}: {history:#?}");
                count += model.reported.len();
                suppressed += model.suppressed;
                number += 1;
            }
        }
        assert_eq!(identity::credits::audit(&database.domain).await.unwrap(), []);
        assert!(
            count > 150 && suppressed > 0,
            "the histories contain changes and flips: {count}, {suppressed}"
        );
    }
}
