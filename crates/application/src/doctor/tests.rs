//! Violates each invariant and verifies that the violation is reported, and that nothing is reported for a
//! valid database.

use std::collections::BTreeSet;

use sea_orm::ConnectionTrait;

use super::check::CheckKind;
use super::*;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain};

on_both! {
    each_violated_invariant_is_reported,
    waiting_job_is_not_reported_as_lost_while_jobs_of_its_kind_run,
}

/// Statement that violates invariants, the checks that must report the violation, and the statement that
/// repairs it.
struct Corruption {
    breaks: &'static [&'static str],
    sql: String,
    repair: &'static str,
}

fn corruption(breaks: &'static [&'static str], sql: impl Into<String>, repair: &'static str) -> Corruption {
    Corruption { breaks, sql: sql.into(), repair }
}

/// Small valid database, with the format of its ids.
struct ValidDatabase {
    database: TestDatabase,
    accounts: [String; 2],
}

impl ValidDatabase {
    async fn create(backend: Backend) -> Self {
        let database = TestDatabase::create(backend).await;
        let one = person(&database.domain, Tier::Pro).await;
        let other = person(&database.domain, Tier::Free).await;
        let id = |id: kernel::AccountId| literal(backend, &id.to_string());
        let database = Self { accounts: [id(one), id(other)], database };
        for sql in database.valid_rows() {
            database.run(&sql).await;
        }
        database
    }

    fn domain(&self) -> &Domain {
        &self.database.domain
    }

    fn id(&self, number: u32) -> String {
        let text = format!("00000000-0000-7000-8000-{number:012x}");
        literal(self.domain().db().backend(), &text)
    }

    async fn run(&self, sql: &str) {
        for statement in sql.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            let done = self.domain().db().write().execute_unprepared(statement).await;
            done.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    }

    async fn broken(&self) -> BTreeSet<&'static str> {
        let findings = examine(self.domain()).await.expect("the checks run");
        assert!(findings.iter().all(|one| one.count > 0 && !one.examples.is_empty()), "{findings:?}");
        findings.iter().map(|one| one.check.name).collect()
    }

    fn job(&self, number: u32, columns: &str, values: &str) -> String {
        let (id, now) = (self.id(number), self.domain().now());
        format!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, created_at, {columns}) \
             VALUES ({id}, 'mail', 'k', '{{}}', 0, {now}, {now}, {values});"
        )
    }

    fn run_of_monitor(&self, number: u32, credits: u32) -> String {
        let ([owner, _], now) = (&self.accounts, self.domain().now());
        format!(
            "INSERT INTO monitor_run (id, account_id, monitor_id, due_at, started_at, finished_at, outcome, added, \
             removed, modified, credits) VALUES ({}, {owner}, {}, {now}, {now}, {now}, 'unchanged', 0, 0, 0, {credits});",
            self.id(number),
            self.id(50)
        )
    }

    fn entry(id: u32, discovered: u32) -> String {
        format!(
            "INSERT INTO feed_entry (id, feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
             fingerprint, discovered_us) VALUES ({id}, 1, {}, 0, 0, 0, 0, 0, {discovered});",
            id % 10
        )
    }

    fn valid_rows(&self) -> Vec<String> {
        let ([one, other], now) = (&self.accounts, self.domain().now());
        let (monitor, item, soon) = (self.id(50), self.id(60), now + 60_000);
        vec![
            format!(
                "INSERT INTO feed (id, url, host, trust_guid, trust_url, gone, created_at, next_poll_at) \
                 VALUES (1, 'https://a.example/', 'a.example', TRUE, TRUE, FALSE, {now}, {soon})"
            ),
            format!(
                "INSERT INTO rss_collection (id, account_id, name, name_key, kind, created_at) VALUES \
                 (1, {one}, 'c', 'c', 'folder', {now}), (2, {other}, 'c', 'c', 'folder', {now})"
            ),
            format!(
                "INSERT INTO rss_subscription (id, account_id, feed_id, collection_id, full_text, read_through, created_at) \
                 VALUES (1, {one}, 1, 1, FALSE, 0, {now})"
            ),
            format!(
                "INSERT INTO monitor (id, account_id, identity, name, target_url, url_key, host, target_type, definition, \
                 interval_minutes, status, feed_token, created_at, next_run_at) VALUES ({monitor}, {one}, 'i', 'n', \
                 'https://a.example/', 'k', 'a.example', 'page', '{{}}', 60, 'active', 't', {now}, {soon})"
            ),
            self.run_of_monitor(51, 0),
            Self::entry(1, 5),
            Self::entry(2, 6),
            format!(
                "INSERT INTO library_account (account_id, last_sequence, stored_bytes) VALUES ({one}, 3, 1024)"
            ),
            format!(
                "INSERT INTO library_item (id, account_id, sequence, url, domain, title, title_rank, author_rank, \
                 published_rank, content_kind, kind_method, kind_confidence, kind_at, capture_method, format, status, \
                 saved_at, updated_at, article_status, stored_bytes, lane) VALUES ({item}, {one}, 3, 'https://a.example/', \
                 'a.example', 't', 0, 0, 0, 'article', 'rule', 0, 0, 'url', 'article', 'inbox', {now}, {now}, \
                 'not_applicable', 1024, 'person')"
            ),
            format!(
                "INSERT INTO library_change (account_id, object_id, kind, sequence, updated_at, is_deleted) \
                 VALUES ({one}, {item}, 'item', 3, {now}, FALSE)"
            ),
            self.job(70, "state, attempts, fence, finished_at", "'complete', 1, 1, 5"),
        ]
    }

    fn of_jobs(&self) -> Vec<Corruption> {
        const GONE: &str = "DELETE FROM job";
        const INDEX: &str =
            "DELETE FROM job; CREATE UNIQUE INDEX job_live ON job (kind, key) WHERE finished_at IS NULL";
        let twin = "DROP INDEX job_live;".to_owned()
            + &self.job(1, "state, attempts, fence", "'ready', 0, 0")
            + &self.job(2, "state, attempts, fence", "'ready', 0, 0");
        vec![
            corruption(&["job_state"], self.job(1, "state, attempts, fence", "'odd', 0, 0"), GONE),
            corruption(
                &["job_lease"],
                self.job(1, "state, attempts, fence, lease_until", "'running', 1, 1, 5"),
                GONE,
            ),
            corruption(&["job_lease"], self.job(1, "state, attempts, fence", "'running', 1, 1"), GONE),
            corruption(
                &["job_on_its_way"],
                self.job(1, "state, attempts, fence, pushed_at", "'ready', 0, 0, 5"),
                GONE,
            ),
            corruption(&["job_end"], self.job(1, "state, attempts, fence", "'failed', 1, 1"), GONE),
            corruption(
                &["job_starts"],
                self.job(1, "state, attempts, fence, finished_at", "'dead', 3, 1, 5"),
                GONE,
            ),
            corruption(&["job_twin", "unique_indexes"], twin, INDEX),
        ]
    }

    fn of_reading(&self) -> Vec<Corruption> {
        let (now, id, other) = (self.domain().now(), self.id(1), self.id(2));
        let read_job = |columns: &str, values: &str| {
            format!(
                "INSERT INTO read_job (id, work_id, url, max_age, created_at, expires_at, attempts, {columns}) \
                 VALUES ({id}, {other}, 'https://a.example/', 0, {now}, {now} + 1000, 0, {values})"
            )
        };
        vec![
            corruption(
                &["source_text"],
                format!(
                    "INSERT INTO source (key, url, snapshot_id, used_at) VALUES ('k', 'https://a.example/', {id}, 0)"
                ),
                "DELETE FROM source",
            ),
            corruption(&["read_job_work"], read_job("state", "'queued'"), "DELETE FROM read_job"),
            corruption(
                &["read_job_end"],
                read_job("state, finished_at", "'complete', 5"),
                "DELETE FROM read_job",
            ),
            corruption(
                &["picture"],
                "INSERT INTO picture (hash, url, blob, width, height, size_bytes, holds_until, asked_at) \
                 VALUES ('h', 'https://a.example/a.png', 'picture/x', 0, 0, 0, 0, 0)"
                    .to_owned(),
                "DELETE FROM picture",
            ),
            corruption(
                &["stored_response"],
                format!(
                    "INSERT INTO idempotency (key, fingerprint, holder, status, expires_at) VALUES ('k', 'f', {id}, 200, 0)"
                ),
                "DELETE FROM idempotency",
            ),
            corruption(
                &["host_pause"],
                format!(
                    "INSERT INTO host_pause (host, url_hash, asked_at, paused_until) \
                     VALUES ('a.example', 1, {now}, {now} + 90000000)"
                ),
                "DELETE FROM host_pause",
            ),
            corruption(
                &["host_turn"],
                format!("INSERT INTO host_turn (host, next_at) VALUES ('a.example', {now} + 90000000)"),
                "DELETE FROM host_turn",
            ),
        ]
    }

    fn of_monitors(&self) -> Vec<Corruption> {
        const SOON: &str = "UPDATE monitor SET next_run_at = 9999999999999";
        let ([one, _], now, id) = (&self.accounts, self.domain().now(), self.id(1));
        vec![
            corruption(
                &["monitor_group"],
                format!("UPDATE monitor SET group_id = {id}"),
                "UPDATE monitor SET group_id = NULL",
            ),
            corruption(
                &["credit_balance"],
                format!(
                    "INSERT INTO credit_month (account_id, month, allowance, granted, used) VALUES ({one}, 202611, 0, 0, 5)"
                ),
                "DELETE FROM credit_month",
            ),
            corruption(
                &["run_charge"],
                "UPDATE monitor_run SET credits = 1",
                "UPDATE monitor_run SET credits = 0",
            ),
            corruption(&["monitor_schedule"], "UPDATE monitor SET next_run_at = NULL", SOON),
            corruption(
                &["monitor_overdue"],
                format!("UPDATE monitor SET next_run_at = {now} - 7200000"),
                SOON,
            ),
            corruption(
                &["monitor_content"],
                "UPDATE monitor SET baseline_hash = 'gone'",
                "UPDATE monitor SET baseline_hash = NULL",
            ),
            corruption(
                &["monitor_screenshots"],
                format!(
                    "INSERT INTO monitor_picture (account_id, monitor_id, hash, blob, size_bytes, stored_at) \
                     VALUES ({one}, {}, 'h', 'monitor/a/missing', 1, {now})",
                    self.id(50)
                ),
                "DELETE FROM monitor_picture",
            ),
            corruption(
                &["monitor_run_twin", "unique_indexes"],
                format!("DROP INDEX monitor_run_due; {}", self.run_of_monitor(52, 0)),
                "DELETE FROM monitor_run; CREATE UNIQUE INDEX monitor_run_due ON monitor_run (monitor_id, due_at)",
            ),
        ]
    }

    fn of_feeds(&self) -> Vec<Corruption> {
        const SOON: &str = "UPDATE feed SET next_poll_at = 9999999999999";
        let now = self.domain().now();
        vec![
            corruption(&["feed_schedule"], "UPDATE feed SET next_poll_at = NULL", SOON),
            corruption(&["feed_overdue"], format!("UPDATE feed SET next_poll_at = {now} - 7200000"), SOON),
            corruption(&["entry_order"], Self::entry(3, 6), "DELETE FROM feed_entry WHERE id = 3"),
            corruption(
                &["entry_twin", "unique_indexes"],
                format!("DROP INDEX feed_entry_key; {}", Self::entry(11, 7)),
                "DELETE FROM feed_entry WHERE id = 11; \
                 CREATE UNIQUE INDEX feed_entry_key ON feed_entry (feed_id, entry_key)",
            ),
            corruption(
                &["subscription_collection"],
                "UPDATE rss_subscription SET collection_id = 2",
                "UPDATE rss_subscription SET collection_id = 1",
            ),
        ]
    }

    fn of_libraries(&self) -> Vec<Corruption> {
        let ([one, _], now, id) = (&self.accounts, self.domain().now(), self.id(1));
        vec![
            corruption(
                &["library_log"],
                "UPDATE library_item SET sequence = 2",
                "UPDATE library_item SET sequence = 3",
            ),
            corruption(
                &["library_sequence"],
                "UPDATE library_account SET last_sequence = 2",
                "UPDATE library_account SET last_sequence = 3",
            ),
            corruption(
                &["library_bytes"],
                "UPDATE library_account SET stored_bytes = 7",
                "UPDATE library_account SET stored_bytes = 1024",
            ),
            corruption(
                &["library_text"],
                "UPDATE library_item SET article_status = 'ready'",
                "UPDATE library_item SET article_status = 'not_applicable'",
            ),
            corruption(
                &["library_reserved"],
                "UPDATE library_account SET reserved_bytes = reserved_bytes + 1",
                "UPDATE library_account SET reserved_bytes = reserved_bytes - 1",
            ),
            corruption(
                &["library_files"],
                format!(
                    "INSERT INTO library_blob (blob, account_id, reserved_bytes, delete_at) \
                     VALUES ('account/a/missing', {one}, 0, NULL)"
                ),
                "DELETE FROM library_blob",
            ),
            corruption(
                &["library_overdue"],
                "UPDATE library_item SET next_try_at = 5",
                "UPDATE library_item SET next_try_at = NULL",
            ),
            corruption(
                &["export_work"],
                format!(
                    "INSERT INTO library_export (id, account_id, state, format, total, done, parts, created_at, expires_at) \
                     VALUES ({id}, {one}, 'queued', 'csv', 0, 0, '[]', {now}, {now} + 1000)"
                ),
                "DELETE FROM library_export",
            ),
        ]
    }
}

fn literal(backend: Backend, uuid: &str) -> String {
    match backend {
        Backend::Sqlite => format!("x'{}'", uuid.replace('-', "")),
        Backend::Postgres => format!("CAST('{uuid}' AS uuid)"),
    }
}

async fn waiting_job_is_not_reported_as_lost_while_jobs_of_its_kind_run(backend: Backend) {
    let database = ValidDatabase::create(backend).await;
    let now = database.domain().now();
    database.run(&database.job(1, "state, attempts, fence, pushed_at", "'ready', 0, 0, 5")).await;
    assert_eq!(database.broken().await, BTreeSet::from(["job_on_its_way"]));
    let lease = database.job(2, "state, attempts, fence, lease_until", "'running', 1, 1, 99999999999999");
    database.run(&lease.replace("'k'", "'other'")).await;
    assert_eq!(database.broken().await, BTreeSet::new(), "a worker is running another job of the kind");
    database.run(&format!("DELETE FROM job WHERE id = {}", database.id(2))).await;
    assert_eq!(database.broken().await, BTreeSet::from(["job_on_its_way"]));
    let ended = format!(
        "INSERT INTO job_minute (kind, minute, outcome, ends) VALUES ('mail', {}, 'complete', 3)",
        now / 60_000
    );
    database.run(&ended).await;
    assert_eq!(database.broken().await, BTreeSet::new(), "a job of the kind ended a moment ago");
}

async fn each_violated_invariant_is_reported(backend: Backend) {
    let database = ValidDatabase::create(backend).await;
    assert_eq!(database.broken().await, BTreeSet::new(), "a valid database has no findings");
    let mut seen = BTreeSet::new();
    let corruptions = [
        database.of_jobs(),
        database.of_reading(),
        database.of_monitors(),
        database.of_feeds(),
        database.of_libraries(),
    ];
    for Corruption { breaks, sql, repair } in corruptions.into_iter().flatten() {
        database.run(&sql).await;
        assert_eq!(database.broken().await, breaks.iter().copied().collect(), "{sql}");
        database.run(repair).await;
        assert_eq!(database.broken().await, BTreeSet::new(), "{repair} repairs the corruption");
        seen.extend(breaks.iter().copied());
    }
    assert_eq!(seen, checks().map(|check| check.name).collect(), "every check reported a corruption");
}

#[test]
fn checks_are_read_only_and_have_a_remedy() {
    for check in checks() {
        assert!(check.invariant.ends_with('.') && check.remedy.ends_with('.'), "{}", check.name);
        let CheckKind::Rows(rows) = &check.test else { continue };
        let words = rows.violation.to_uppercase();
        for word in ["INSERT ", "UPDATE ", "DELETE ", ";"] {
            assert!(!words.contains(word), "{} must only read", check.name);
        }
        assert!((1..=10_000).contains(&rows.window), "{} must examine a bounded number of rows", check.name);
    }
}
