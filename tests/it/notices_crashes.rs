//! Kills the process repeatedly while it sends notices. Each notice is delivered at least once, and never
//! again after its 2xx status was recorded. All attempts for a notice have the same id and the same bytes.
//!
//! `CARREL_TEST_NOTICES` and `CARREL_TEST_KILLS` set the number of notices and kills for longer runs.

use std::collections::{BTreeMap, BTreeSet};

use identity::limits::window::Windows;
use kernel::{Backend, Domain, Policy};
use notices::testing::notify_channels;
use notices::{ChannelKind, ChannelSettings, NewChannel, NewDestination};
use sea_orm::ConnectionTrait;

use crate::support::killable_process::KillableProcess;
use crate::support::monitoring::query_number;
use crate::support::{ReceivedRequest, Reply, Site, eventually, run};

#[expect(clippy::disallowed_methods, reason = "the environment of the test sets the length of the run")]
fn setting(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Returns the requests to the receiver, by message id.
fn requests_by_id(site: &Site) -> BTreeMap<String, Vec<ReceivedRequest>> {
    let mut all: BTreeMap<String, Vec<ReceivedRequest>> = BTreeMap::new();
    for seen in site.requests() {
        let id = seen.headers["webhook-id"].to_str().unwrap().to_owned();
        all.entry(id).or_default().push(seen);
    }
    all
}

/// Returns the ids of notices whose 2xx status was recorded.
async fn recorded_ids(domain: &Domain) -> BTreeSet<String> {
    let connection = domain.db().write();
    let sql = "SELECT CAST(id AS text) AS id FROM notice WHERE state = 'sent'";
    let sql = match domain.db().backend() {
        Backend::Sqlite => "SELECT lower(hex(id)) AS id FROM notice WHERE state = 'sent'",
        Backend::Postgres => sql,
    };
    let statement = sea_orm::Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get::<String>("", "id").unwrap().replace('-', "")).collect()
}

async fn assert_kills_lose_and_repeat_nothing(backend: Backend) {
    let site = Site::start();
    let hook = site.put("/hook", Reply::status(204));
    let all = KillableProcess::start_with(backend, &[("CARREL_FETCH_ALLOW", "127.0.0.1")]).await;
    let fetch = fetch::FetcherSettings {
        allow: vec!["127.0.0.1/32".parse().unwrap()],
        ..fetch::FetcherSettings::default()
    };
    let policy = Policy { fetch, ..Policy::default() };
    let domain = identity::limits::install(all.domain().await.with_policy(policy), Windows::memory());
    let destination = NewDestination { address: &hook, ..NewDestination::default() };
    let settings = ChannelSettings {
        name: "Mine",
        digest: "",
        zone: "",
        account_news: true,
        digest_today: false,
        digest_review: false,
        entry_texts: false,
        saved_items: false,
    };
    let new = NewChannel { kind: ChannelKind::Webhook, destination, settings };
    notices::create(&domain, all.who.id, new).await.unwrap();
    let (causes, kills) = (setting("CARREL_TEST_NOTICES", 60), setting("CARREL_TEST_KILLS", 3));
    for number in 0..causes {
        notify_channels(&domain, all.who.id, number).await;
    }
    let mut settled: BTreeMap<String, usize> = BTreeMap::new();
    for kill in 1..=kills {
        let expected = causes * kill / (kills + 1);
        eventually("some have arrived", async || requests_by_id(&site).len(), |count| *count >= expected)
            .await;
        all.kill().await;
        let before = requests_by_id(&site);
        for id in recorded_ids(&domain).await {
            let tries = before
                .iter()
                .find(|(message_id, _)| hex_id(message_id) == id)
                .map_or(0, |(_, seen)| seen.len());
            settled.entry(id).or_insert(tries);
        }
        all.restart().await;
    }
    let waiting = "SELECT count(*) FROM notice WHERE state <> 'sent'";
    eventually("all are recorded", async || query_number(&domain, waiting).await, |count| *count == 0).await;
    let received = requests_by_id(&site);
    assert_eq!(received.len(), causes, "each message is sent at least once");
    for (id, seen) in &received {
        assert!(seen.iter().all(|one| one.body == seen[0].body), "all attempts of {id} have the same bytes");
        if let Some(tries) = settled.get(&hex_id(id)) {
            assert_eq!(seen.len(), *tries, "{id} was sent again after its 204 was recorded");
        }
    }
    let tries: usize = received.values().map(Vec::len).sum();
    eprintln!("{causes} notices, {kills} kills, {tries} tries, {} recorded before a kill", settled.len());
}

/// Returns the row id of a message in hexadecimal digits.
fn hex_id(id: &str) -> String {
    id.trim_start_matches("msg_").replace('-', "")
}

#[test]
fn notices_are_neither_lost_nor_repeated_on_sqlite() {
    run(assert_kills_lose_and_repeat_nothing(Backend::Sqlite));
}

#[test]
fn notices_are_neither_lost_nor_repeated_on_postgres() {
    run(assert_kills_lose_and_repeat_nothing(Backend::Postgres));
}
