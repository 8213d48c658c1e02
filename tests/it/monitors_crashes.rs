//! Kills schedulers and workers during monitor runs (two schedulers and three workers in separate processes).
//! Each due run happens exactly once, and the credit ledger is consistent.

use std::sync::Arc;

use articles::Address;
use extract::watch::Target;
use identity::accounts::{self, HashCost, Passwords};
use identity::credits;
use identity::limits::window::Windows;
use kernel::testing::TestDatabase;
use kernel::tiers::Tier;
use kernel::{Backend, Domain, Policy, RandomIds, SystemClock};
use monitors::{Definition, NewMonitor};
use sea_orm::ConnectionTrait;

use crate::support::monitoring::query_number;
use crate::support::person::PASSWORD;
use crate::support::servers::{LEASE_SECONDS, PrivateRedis, Process, free_port};
use crate::support::{Reply, Site, eventually, run};

const MONITORS: usize = 24;
const ROUNDS: usize = 3;

fn town(round: usize) -> Reply {
    let news = ["Storm over the bay", "The ferry is late", "A new baker in town"][round];
    Reply::html(format!(
        "<html><body><main><h1>The town</h1><p>Boats go out with the tide, and bread is sold at the corner of \
         the market every morning.</p><h2>{news}</h2><p>More about it on the second page of the paper.</p></main></body></html>"
    ))
}

async fn watch_all(domain: &Domain, site: &Site) -> kernel::AccountId {
    let passwords = Passwords::new(domain, HashCost::Least, 1).expect("a pool for passwords");
    let account =
        accounts::create(domain, &passwords, "many@example.org", PASSWORD, Tier::Pro).await.unwrap();
    let fetch = fetch::FetcherSettings {
        allow: vec!["127.0.0.1/32".parse().unwrap()],
        ..fetch::FetcherSettings::default()
    };
    let policy = Policy { fetch, ..Policy::default() };
    let domain = &identity::limits::install(domain.clone().with_policy(policy), Windows::memory());
    for index in 0..MONITORS {
        let url = site.put(&format!("/town-{index}"), town(0));
        let new = NewMonitor {
            name: format!("Town {index}"),
            address: Address::parse(domain, &url).unwrap(),
            definition: Definition::of(Target::Page { selector: None }),
            interval_minutes: None,
            follow: index % 2 == 0,
            notify: Vec::new(),
            tags: Vec::new(),
            options: monitors::MonitorOptions::default(),
        };
        monitors::create(domain, account.id, new).await.unwrap();
    }
    account.id
}

#[test]
fn due_runs_are_neither_lost_nor_duplicated_by_kills() {
    run(async {
        let database = TestDatabase::create(Backend::Postgres).await;
        let (redis, site) = (PrivateRedis::start().await, Site::start());
        let handle = database.second_handle().await.db().clone();
        let domain = Domain::with(handle, Arc::new(SystemClock), Arc::new(RandomIds));
        let account_id = watch_all(&domain, &site).await;
        let settings = [
            ("DATABASE_URL", database.url.clone()),
            ("DATABASE_CONNECTIONS", "6".to_owned()),
            ("REDIS_URL", redis.url()),
            ("CARREL_LISTEN", format!("127.0.0.1:{}", free_port())),
            ("CARREL_FETCH_ALLOW", "127.0.0.1".to_owned()),
            ("CARREL_LEASE_SECONDS", LEASE_SECONDS.to_owned()),
            ("CARREL_EXTRACT_PROCESSES", "1".to_owned()),
        ];
        let roles = ["scheduler", "scheduler", "worker", "worker", "worker"];
        let mut processes: Vec<Process> =
            roles.iter().map(|role| Process::start(&[role], &settings)).collect();
        for round in 0..ROUNDS {
            for index in 0..MONITORS {
                site.put(&format!("/town-{index}"), town(round));
            }
            let due = format!("UPDATE monitor SET next_run_at = {}", domain.now());
            domain.db().write().execute_unprepared(&due).await.unwrap();
            // Kills one scheduler and one worker in each round.
            for victim in [round % 2, 2 + round % 3] {
                let before = query_number(&domain, "SELECT count(*) FROM monitor_run").await;
                let more = async || query_number(&domain, "SELECT count(*) FROM monitor_run").await > before;
                eventually("a run ends", more, |more| *more).await;
                processes[victim] = Process::start(&[roles[victim]], &settings);
            }
            let done = async || {
                query_number(&domain, "SELECT count(*) FROM monitor_run WHERE outcome <> 'error'").await
            };
            let all = i64::try_from(MONITORS * (round + 1)).unwrap();
            eventually("every due run ends", done, |count| *count >= all).await;
        }
        let all = i64::try_from(MONITORS).unwrap();
        let rounds = i64::try_from(ROUNDS).unwrap();
        assert_eq!(query_number(&domain, "SELECT count(*) FROM monitor_run").await, all * rounds);
        assert_eq!(query_number(&domain, "SELECT count(*) FROM monitor_change").await, all * (rounds - 1));
        assert_eq!(query_number(&domain, "SELECT count(*) FROM feed_entry").await, all / 2 * (rounds - 1));
        let broken = "SELECT count(*) FROM monitor_change c WHERE NOT EXISTS (SELECT 1 FROM monitor_snapshot s \
                      WHERE s.monitor_id = c.monitor_id AND s.hash = c.before_hash)";
        assert_eq!(query_number(&domain, broken).await, 0);
        assert_eq!(credits::audit(&domain).await.unwrap(), []);
        let (balance, _) = application::credit_grants::show(&domain, "many@example.org", 1).await.unwrap();
        assert_eq!(balance.used, all * rounds, "{account_id} paid for each run once");
    });
}
