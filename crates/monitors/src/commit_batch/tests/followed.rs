//! Commits of changes to followed monitors.

use std::collections::HashSet;

use sea_orm::DatabaseTransaction;

use super::*;
use crate::monitor::Status;
use crate::outcome::Severity;
use feeds::internal_feed::{self, FeedArrivals, NewEntry, NewInternalFeed};
use feeds::{NewRule, RuleAction, RuleKind, RulePart, RuleScope, SourceKind, create_rule};
use kernel::clock::DAY;
use kernel::statement::scalar_optional;

/// Runs of two accounts, each with a change of a followed monitor.
async fn followed_changes_of_two(database: &TestDatabase) -> Vec<ObservedRun> {
    let domain = &database.domain;
    let first = runs_of_two(database).await;
    for run in &first {
        let follow = Edit { follow: Some(true), ..Edit::default() };
        update(domain, run.row.account_id, run.row.id, follow).await.unwrap();
    }
    assert!(all_are_written(&commit_all(domain, observed(first, "High tide")).await));
    database.clock.advance(3 * DAY);
    let learned = "UPDATE monitor SET masks = '{\"has_learned\": true}'";
    domain.db().write().execute_unprepared(learned).await.unwrap();
    observed(due_runs(database).await, "Low tide")
}

/// Writes an entry, which acquires the lock for writing entries.
async fn write_entry(domain: &Domain, transaction: &DatabaseTransaction, account_id: AccountId) {
    let feed = NewInternalFeed {
        account_id,
        kind: SourceKind::Monitor,
        collection_id: None,
        url: "u",
        site_url: "s",
        host: "h",
        title: "t",
    };
    let feed_id = internal_feed::create(transaction, domain.now(), feed).await.unwrap();
    let text = String::new;
    let (url, title, summary, content) = (text(), text(), text(), text());
    let entries = vec![NewEntry { key: 1, url, title, author: None, summary, content, published_at: 0 }];
    internal_feed::append(transaction, domain.now(), vec![FeedArrivals { feed_id, entries }]).await.unwrap();
}

/// Number of entries with an event in their feed.
async fn count_published_entries(domain: &Domain) -> i64 {
    let sql =
        "SELECT count(*) FROM feed_event v JOIN feed_entry e ON e.id = v.entry_id AND e.feed_id = v.feed_id";
    scalar(domain.db().read(), sql, []).await.unwrap()
}

#[tokio::test]
async fn changes_of_followed_monitors_share_a_transaction_without_rules() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let changes = followed_changes_of_two(&database).await;
    let account_id = changes[0].context.row.account_id;
    let rule = NewRule {
        subscription_id: None,
        action: RuleAction::Read,
        part: RulePart::Text,
        kind: RuleKind::Words,
        words: "tide".to_owned(),
        tags: Vec::new(),
        notify: Vec::new(),
    };
    create_rule(domain, account_id, &rule, RuleScope::NewEntries).await.unwrap();
    let rows: Vec<_> =
        changes.iter().map(|seen| (seen.context.row.account_id, seen.context.row.id)).collect();
    let (with_rules, others): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(owner, _)| *owner == account_id);
    let done = commit_all(domain, changes).await;
    assert!(all_are_written(&done), "{done:?}");
    let sql = "SELECT monitor_id, xmin::text FROM monitor_change";
    let written = by_monitor(domain, sql).await;
    let numbers = |rows: &[(AccountId, MonitorId)]| {
        rows.iter().map(|(_, id)| &written[id]).collect::<HashSet<_>>().len()
    };
    assert_eq!((numbers(&with_rules), numbers(&others), count_published_entries(domain).await), (3, 1, 6));
    let read = "SELECT count(*) FROM rss_entry_mark WHERE NOT unread";
    assert_eq!(scalar(domain.db().read(), read, []).await.unwrap(), 3);
}

#[tokio::test]
async fn runs_without_the_entry_lock_are_left_for_a_retry() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let changes = followed_changes_of_two(&database).await;
    let written = count(&database.domain).await;
    let runs = changes.iter().map(|seen| seen.context.args).collect();
    let batch = MonitorRunBatch { until: changes[0].context.row.next_run_at.unwrap(), runs };
    let holding = database.domain.db().begin().await.unwrap();
    write_entry(&database.domain, &holding, changes[0].context.row.account_id).await;
    let impatient =
        kernel::DatabaseSettings { lock_timeout: Duration::from_millis(100), ..Default::default() };
    let domain = database.handle_with(&impatient).await;
    let done = commit_all(&domain, changes).await;
    assert!(done.iter().all(|(_, written)| written.is_err()), "{done:?}");
    assert_eq!((count(&domain).await, count_published_entries(&domain).await), (written, 0));
    holding.rollback().await.unwrap();
    let again = observed(contexts(&database, batch).await, "Low tide");
    let done = commit_all(&domain, again).await;
    assert!(all_are_written(&done), "{done:?}");
    assert_eq!((count(&domain).await, count_published_entries(&domain).await), (written + 6, 6));
    assert_eq!(credits::audit(&domain).await.unwrap(), []);
}

#[tokio::test]
async fn change_paid_with_the_last_credit_is_reported_before_the_waiting_notice() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let changes = followed_changes_of_two(&database).await;
        let run = &changes[0].context;
        let open = credits::balance(domain.db().read(), domain.now(), run.row.account_id, run.allowance());
        let open = open.await.unwrap();
        spend(domain, run, open.remaining() - 3, Some(open)).await;
        assert!(all_are_written(&commit_all(domain, changes).await));
        let order = "SELECT count(*) FROM feed_entry e JOIN feed_entry w ON w.feed_id = e.feed_id AND w.id > e.id \
             AND w.discovered_us > e.discovered_us WHERE w.title LIKE 'Waiting until%' AND e.title NOT LIKE 'Waiting%'";
        assert_eq!(scalar(domain.db().read(), order, []).await.unwrap(), 3);
        assert_eq!(count_published_entries(domain).await, 9, "six changes and three waits are published");
    }
}

#[tokio::test]
async fn failures_and_recoveries_of_followed_monitors_are_committed_in_one_batch() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let changes = followed_changes_of_two(&database).await;
    let ids: Vec<MonitorId> = changes.iter().map(|seen| seen.context.row.id).collect();
    let gone = || RunError { severity: Severity::Final, ..RunError::unusable(Code::SourceNotFound) };
    let gone = changes
        .into_iter()
        .map(|seen| ObservedRun { observation: SourceObservation::failed(gone()), ..seen })
        .collect();
    assert!(all_are_written(&commit_all(domain, gone).await));
    let of_kind = "SELECT count(*) FROM feed_event WHERE kind = $1";
    let count_events = async |kind: &str| scalar(domain.db().read(), of_kind, [kind.into()]).await.unwrap();
    assert_eq!((count_events("source.failed").await, count_published_entries(domain).await), (6, 6));
    // Rules evaluate an entry before the lock is acquired. The entry and then the failure are written under
    // that lock.
    let after = "SELECT count(*) FROM feed_event v JOIN feed_event e ON e.feed_id = v.feed_id \
         AND e.kind = 'entry.discovered' AND e.sequence < v.sequence WHERE v.kind = 'source.failed'";
    assert_eq!(scalar(domain.db().read(), after, []).await.unwrap(), 6);
    let account = "SELECT account_id FROM monitor WHERE id = $1";
    for id in ids {
        let owner = scalar_optional(domain.db().read(), account, [id.into()]).await.unwrap().unwrap();
        let active = Edit { status: Some(Status::Active), ..Edit::default() };
        update(domain, owner, id, active).await.unwrap();
    }
    database.clock.advance(3 * DAY);
    assert!(all_are_written(&commit_all(domain, observed(due_runs(&database).await, "Low tide")).await));
    let transaction_ids =
        "SELECT monitor_id, MAX(xmin::text) FROM monitor_change WHERE kind = 'changed' GROUP BY 1";
    let transaction_ids: HashSet<String> = by_monitor(domain, transaction_ids).await.into_values().collect();
    assert_eq!(
        (
            transaction_ids.len(),
            count_events("source.recovered").await,
            count_published_entries(domain).await
        ),
        (1, 6, 12)
    );
}
