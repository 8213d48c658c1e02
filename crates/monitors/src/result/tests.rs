//! Compares the reported changes with a small model, on both databases: contents, failures, pauses, gaps and
//! filters in random order, with the same steps as a real run. Also simulates a year of prices.

mod empty;
mod model;
mod pages;
mod sequences;
mod year;

use std::sync::Arc;

use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use extract::watch::{
    ExtractedItem, FieldValue, Ignore, Observation, Snapshot, Target, Trigger, TriggerKind, WatchedField,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait};

use self::model::{Limit, Model};
use super::*;
use articles::{Address, Payer};
use kernel::clock::{DAY, HOUR, MINUTE};

use crate::args::MonitorRunArgs;
use crate::change::Change;
use crate::changes::list_changes;
use crate::commit::{Committed, FinishedRun, commit_run};
use crate::edit::{Edit, update};
use crate::fetch::SourceResponse;
use crate::manage::{NewMonitor, create, run_now};
use crate::monitor::{ListRange, Status};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

/// Event in the history of a monitor.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The source has this price, or no price.
    Content(Option<&'static str>),
    /// The source is unavailable, or its response cannot be evaluated.
    Failure,
    /// Days without a check.
    Gap,
    /// The owner pauses the monitor for a while.
    Pause,
    /// The owner sets another limit.
    Limit(u32),
    /// The owner ignores used items, or stops doing so.
    Ignore(bool),
}

/// Monitor of a shop, and its database.
struct Shop<'a> {
    database: &'a TestDatabase,
    owner: AccountId,
    monitor: MonitorId,
}

impl<'a> Shop<'a> {
    async fn watch(database: &'a TestDatabase, owner: AccountId, number: usize, trigger: Trigger) -> Self {
        let fields = vec![WatchedField::new("price", ".price")];
        Self::of(database, owner, number, Target::Extract { items: None, fields }, trigger).await
    }

    async fn of(
        database: &'a TestDatabase,
        owner: AccountId,
        number: usize,
        target: Target,
        trigger: Trigger,
    ) -> Self {
        let domain = &database.domain;
        let new = NewMonitor {
            name: "Price".into(),
            address: Address::parse(domain, &format!("https://shop{number}.example/lamp")).unwrap(),
            definition: Definition { trigger, ..Definition::of(target) },
            interval_minutes: Some(60),
            follow: false,
            notify: Vec::new(),
            tags: Vec::new(),
            options: crate::MonitorOptions::default(),
        };
        let monitor = create(domain, owner, new).await.unwrap().monitor.id;
        Self { database, owner, monitor }
    }

    /// Runs the monitor once with this content.
    async fn check(&self, content: ObservedContent) {
        self.check_shared(content, self.database.domain.now()).await;
    }

    /// Runs the monitor once with a body that another monitor downloaded at `at`.
    async fn check_shared(&self, content: ObservedContent, at: Millis) {
        let answered =
            SourceResponse { is_free: false, at, fetched: None, body_hash: None, warnings: Vec::new() };
        self.begin().await.end(self, content, Some(answered)).await;
    }

    /// Runs the monitor once with a body that it downloaded itself at `at` by its clock.
    async fn check_downloaded(&self, content: ObservedContent, at: Millis) {
        let mut run = self.begin().await;
        run.context.started_at = at;
        run.end(self, content, None).await;
    }

    /// Starts a run.
    async fn begin(&self) -> StartedRun {
        let domain = &self.database.domain;
        let payer = Payer { account_id: self.owner, tier: Tier::Pro };
        let (_, job) = run_now(domain, payer, self.monitor).await.unwrap();
        let claimed = jobs::claim(domain, job.id, "test", MINUTE).await.unwrap().unwrap();
        let args: MonitorRunArgs = claimed.arguments().unwrap();
        let context = RunContext::load(domain, args).await.unwrap().unwrap();
        StartedRun { claimed, context }
    }

    async fn edit(&self, edit: Edit) {
        update(&self.database.domain, self.owner, self.monitor, edit).await.unwrap();
    }

    /// All recorded changes, the oldest first.
    async fn changes(&self) -> Vec<Change> {
        let domain = &self.database.domain;
        let mut page = ListRange::first(100);
        let mut changes = Vec::new();
        loop {
            let listed = list_changes(domain, self.owner, self.monitor, page).await.unwrap();
            changes.extend(listed.changes);
            page.after = listed.next_after;
            if page.after.is_none() {
                changes.reverse();
                return changes;
            }
        }
    }

    /// All reported price changes as `before → after`, the oldest first.
    async fn reported(&self) -> Vec<String> {
        let said = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
        let changes = self.changes().await;
        let first = changes.iter().map(|change| &change.operations[0]);
        first.map(|operation| format!("{} → {}", said(&operation.before), said(&operation.after))).collect()
    }

    async fn step(&self, step: &Step) {
        let clock = &self.database.clock;
        clock.advance(HOUR);
        match step {
            Step::Content(price) => self.check(price_of(*price)).await,
            Step::Failure => {
                self.check(ObservedContent::Failed(RunError::unusable(Code::SourceInvalidResponse))).await;
            }
            Step::Gap => clock.advance(3 * DAY),
            Step::Pause => self.pause().await,
            Step::Limit(limit) => {
                let trigger = below(*limit);
                self.edit(Edit { trigger: Some(trigger), ..Edit::default() }).await;
            }
            Step::Ignore(is_ignored) => {
                self.ignore(is_ignored.then_some("used")).await;
            }
        }
    }

    /// Pauses the monitor for forty days and resumes it.
    async fn pause(&self) {
        self.edit(Edit { status: Some(Status::Paused), ..Edit::default() }).await;
        self.database.clock.advance(40 * DAY);
        self.edit(Edit { status: Some(Status::Active), ..Edit::default() }).await;
    }

    /// Ignores content with this text in future checks. `None` ignores nothing.
    async fn ignore(&self, text: Option<&str>) {
        let ignore = text.map(|text| Ignore::Text(text.to_owned())).into_iter().collect();
        self.edit(Edit { ignore: Some(ignore), ..Edit::default() }).await;
    }
}

/// Run that has started.
struct StartedRun {
    claimed: jobs::Claimed,
    context: RunContext,
}

impl StartedRun {
    /// Evaluates and commits the content as a worker does.
    async fn end(self, shop: &Shop<'_>, content: ObservedContent, answered: Option<SourceResponse>) {
        let domain = &shop.database.domain;
        let Self { claimed, mut context } = self;
        let observation = SourceObservation { content, answered, ..SourceObservation::default() };
        loop {
            let result = Box::pin(evaluate_observation(domain, &context, &observation)).await.unwrap();
            let run =
                FinishedRun { claimed: Some(&claimed), context: &context, observation: &observation, result };
            match Box::pin(commit_run(domain, run)).await.unwrap() {
                Committed::Written(_) => return,
                Committed::Conflict(row) => context = context.with_row(*row).unwrap(),
            }
        }
    }
}

fn below(limit: u32) -> Trigger {
    Trigger { kind: TriggerKind::Below, value: Some(limit.to_string()), ..Trigger::default() }
}

fn price_of(price: Option<&str>) -> ObservedContent {
    let item = ExtractedItem {
        key: String::new(),
        title: String::new(),
        link: None,
        fields: vec![FieldValue { name: "price".into(), value: price.map(str::to_owned) }],
    };
    ObservedContent::Content(Arc::new(Observation {
        absent: price.is_none().then(|| "/fields/0/selector".to_owned()),
        ..Observation::of(Snapshot::Items(vec![item]))
    }))
}

/// Random steps. Most of them are contents from a small set, so that prices often recur.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    use proptest::prelude::*;
    let price = prop_oneof![
        Just(Some("120 €")),
        Just(Some("90 €")),
        Just(Some("100 €")),
        Just(Some("150,00 €")),
        Just(Some("79,90 €")),
        Just(Some("1.299 €")),
        Just(Some("$85")),
        Just(Some("call us")),
        Just(Some("60 € used")),
        Just(None),
    ];
    let step = prop_oneof![
        14 => price.prop_map(Step::Content),
        2 => Just(Step::Failure),
        1 => Just(Step::Gap),
        1 => Just(Step::Pause),
        1 => prop_oneof![Just(80_u32), Just(100), Just(130)].prop_map(Step::Limit),
        1 => any::<bool>().prop_map(Step::Ignore),
    ];
    prop::collection::vec(step, 30)
}

#[tokio::test]
async fn price_changes_are_reported_exactly_as_in_the_model() {
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let histories: Vec<Vec<Step>> =
        (0..8).map(|_| steps().new_tree(&mut runner).unwrap().current()).collect();
    for database in TestDatabase::each().await {
        let owner = person(&database.domain, Tier::Pro).await;
        let mut count = 0;
        for (number, history) in histories.iter().enumerate() {
            for limit in [Limit::None, Limit::Below(100)] {
                let trigger = match limit {
                    Limit::None => Trigger::default(),
                    Limit::Below(limit) => below(limit),
                };
                let number = 2 * number + usize::from(limit != Limit::None);
                let shop = Shop::watch(&database, owner, number, trigger).await;
                let mut model = Model::new(limit);
                let first = Step::Content(Some("120 €"));
                for step in std::iter::once(&first).chain(history) {
                    shop.step(step).await;
                    model.step(step);
                }
                assert_eq!(shop.reported().await, model.reported, "{limit:?}: {history:#?}");
                count += model.reported.len();
            }
        }
        assert_eq!(identity::credits::audit(&database.domain).await.unwrap(), []);
        let rows = monitor::Entity::find().all(database.domain.db().read()).await.unwrap();
        assert_eq!(rows.len(), 16);
        assert!(count > 100, "the histories contain changes: {count}");
    }
}

#[tokio::test]
async fn body_older_than_the_last_evaluated_body_is_ignored() {
    for database in TestDatabase::each().await {
        let owner = person(&database.domain, Tier::Pro).await;
        let shop = Shop::watch(&database, owner, 0, below(100)).await;
        let older = database.domain.now();
        shop.step(&Step::Content(Some("90 €"))).await;
        shop.step(&Step::Content(Some("120 €"))).await;
        database.clock.advance(HOUR);
        shop.check_shared(price_of(Some("90 €")), older).await;
        let row = monitor::Entity::of_any_owner(shop.monitor).one(database.domain.db().read()).await.unwrap();
        assert_eq!(row.unwrap().last_error_code.as_deref(), Some("source_invalid_response"));
        assert_eq!(shop.reported().await, [] as [String; 0], "an older body is ignored");
        shop.step(&Step::Content(Some("90 €"))).await;
        assert_eq!(shop.reported().await, ["120 € → 90 €"], "an older body does not change the baseline");
    }
}

#[tokio::test]
async fn monitor_continues_after_the_clock_is_set_back() {
    for database in TestDatabase::each().await {
        let owner = person(&database.domain, Tier::Pro).await;
        let shop = Shop::watch(&database, owner, 0, below(100)).await;
        shop.step(&Step::Content(Some("120 €"))).await;
        database.clock.advance(HOUR);
        shop.check_downloaded(price_of(Some("130 €")), database.domain.now() + DAY).await;
        database.clock.advance(HOUR);
        shop.check_downloaded(price_of(Some("90 €")), database.domain.now()).await;
        assert_eq!(
            shop.reported().await,
            ["120 € → 90 €"],
            "a body that was downloaded later is used regardless of the clock"
        );
    }
}

#[tokio::test]
async fn unchanged_run_during_a_baseline_reset_is_repeated() {
    for database in TestDatabase::each().await {
        let owner = person(&database.domain, Tier::Pro).await;
        let shop = Shop::watch(&database, owner, 0, below(100)).await;
        shop.step(&Step::Content(Some("120 €"))).await;
        database.clock.advance(HOUR);
        let run = shop.begin().await;
        shop.edit(Edit { reset_baseline: true, ..Edit::default() }).await;
        run.end(&shop, ObservedContent::Same, None).await;
        let row = async || {
            let rows = monitor::Entity::of_any_owner(shop.monitor).one(database.domain.db().read());
            rows.await.unwrap().unwrap()
        };
        let now = row().await;
        assert_eq!((now.baseline_hash, now.failures), (None, 0));
        assert!(now.next_run_at.unwrap() <= database.domain.now() + 1, "the monitor runs immediately");
        shop.step(&Step::Content(Some("90 €"))).await;
        assert!(row().await.baseline_hash.is_some());
        assert_eq!(shop.reported().await, [] as [String; 0], "the first check is a new baseline");
    }
}

#[tokio::test]
async fn unchanged_body_is_evaluated_only_if_the_result_depends_on_time() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let owner = person(domain, Tier::Pro).await;
        for (number, memory, is_evaluated) in [(0, "{}", false), (1, r#"{"is_flipping":true}"#, true)] {
            let shop = Shop::watch(&database, owner, number, Trigger::default()).await;
            shop.step(&Step::Content(Some("120 €"))).await;
            let remembered = monitor::ActiveModel {
                id: Set(shop.monitor),
                masks: Set(memory.to_owned()),
                ..Default::default()
            };
            remembered.update(domain.db().write()).await.unwrap();
            database.clock.advance(HOUR);
            let context = shop.begin().await.context;
            let result = evaluate_observation(domain, &context, &SourceObservation::default()).await.unwrap();
            assert_eq!((result.evaluation.is_some(), result.outcome), (is_evaluated, Outcome::Unchanged));
        }
    }
}
