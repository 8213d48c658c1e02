//! Changes of monitors that are among their owner's feeds.

use std::collections::HashSet;

use sea_orm::DatabaseTransaction;

use super::*;
use crate::clock::DAY;
use crate::feeds::pushed::{self, Followed, NewEntry, NewFeed, News};
use crate::feeds::{NewRule, Reach, RuleAction, RuleKind, RulePart, create_rule};

/// Runs of two people that find a change each, of monitors that are among their feeds.
async fn followed_changes_of_two(database: &TestDatabase) -> Vec<Seen> {
    let domain = &database.domain;
    let first = runs_of_two(database).await;
    for run in &first {
        let follow = Edit { follow: Some(true), ..Edit::default() };
        update(domain, run.row.account_id, run.row.id, follow).await.unwrap();
    }
    assert!(all_are_written(&commit_all(domain, found(first, "High tide")).await));
    database.clock.advance(3 * DAY);
    let learned = "UPDATE monitor SET masks = '{\"has_learned\": true}'";
    domain.db().write().execute_unprepared(learned).await.unwrap();
    found(due_runs(database).await, "Low tide")
}

/// Writes an entry, so that others wait for their turn to do so.
async fn tell_something(domain: &Domain, transaction: &DatabaseTransaction, account_id: AccountId) {
    let feed = NewFeed { account_id, url: "u", site_url: "s", host: "h", title: "t" };
    let feed_id = pushed::create(transaction, domain.now(), feed).await.unwrap();
    let text = String::new;
    let (url, title, summary, content) = (text(), text(), text(), text());
    let entries = vec![NewEntry { key: 1, url, title, summary, content, published_at: 0 }];
    let followed = Followed::load(transaction, &[feed_id]).await.unwrap();
    pushed::append(transaction, domain.now(), followed, vec![News { feed_id, entries }]).await.unwrap();
}

/// The entries of feeds that are told, each by the event of its own feed.
async fn told_entries(domain: &Domain) -> i64 {
    let sql =
        "SELECT count(*) FROM feed_event v JOIN feed_entry e ON e.id = v.entry_id AND e.feed_id = v.feed_id";
    scalar(domain.db().read(), sql, []).await.unwrap()
}

#[tokio::test]
async fn changes_of_followed_monitors_share_a_transaction_but_for_those_that_rules_look_at() {
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
    };
    create_rule(domain, account_id, &rule, Reach::Coming).await.unwrap();
    let rows: Vec<_> =
        changes.iter().map(|seen| (seen.context.row.account_id, seen.context.row.id)).collect();
    let (looked_at, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(owner, _)| *owner == account_id);
    let done = commit_all(domain, changes).await;
    assert!(all_are_written(&done), "{done:?}");
    let sql = "SELECT monitor_id, xmin::text FROM monitor_change";
    let written = by_monitor(domain, sql).await;
    let numbers = |rows: &[(AccountId, MonitorId)]| {
        rows.iter().map(|(_, id)| &written[id]).collect::<HashSet<_>>().len()
    };
    assert_eq!((numbers(&looked_at), numbers(&others), told_entries(domain).await), (3, 1, 6));
    let read = "SELECT count(*) FROM rss_entry_mark WHERE NOT unread";
    assert_eq!(scalar(domain.db().read(), read, []).await.unwrap(), 3);
}

#[tokio::test]
async fn entries_that_do_not_get_their_turn_leave_their_runs_to_be_tried_again() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let changes = followed_changes_of_two(&database).await;
    let written = count(&database.domain).await;
    let runs = changes.iter().map(|seen| seen.context.asked).collect();
    let batch = Batch { until: changes[0].context.row.next_run_at.unwrap(), runs };
    let holding = database.domain.db().begin().await.unwrap();
    tell_something(&database.domain, &holding, changes[0].context.row.account_id).await;
    let impatient =
        crate::DatabaseSettings { lock_timeout: Duration::from_millis(100), ..Default::default() };
    let domain = database.handle_with(&impatient).await;
    let done = commit_all(&domain, changes).await;
    assert!(done.iter().all(|(_, written)| written.is_err()), "{done:?}");
    assert_eq!((count(&domain).await, told_entries(&domain).await), (written, 0));
    holding.rollback().await.unwrap();
    let again = found(contexts(&database, batch).await, "Low tide");
    let done = commit_all(&domain, again).await;
    assert!(all_are_written(&done), "{done:?}");
    assert_eq!((count(&domain).await, told_entries(&domain).await), (written + 6, 6));
    assert_eq!(credits::audit(&domain).await.unwrap(), []);
}
