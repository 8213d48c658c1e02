//! Simulation of a week: accounts and feeds, and a loop that advances from one due time to the next.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use articles::worker_tools::{self, Tools};
use extract::sandbox::{Pool, PoolSettings};
use kernel::testing::{START, TestDatabase};
use kernel::{AccountId, Backend, Domain, Policy};
use sea_orm::{ConnectionTrait, Statement, Value};

use crate::behaviour::{ALL, DAY, HOUR, SimulatedFeed, simulated_feeds};
use crate::site::SimulatedSite;

/// Time between two ticks, in milliseconds.
const TICK: i64 = 1_000;
/// Start and end of the period in which nothing runs.
const OUTAGE: (i64, i64) = (START + 4 * DAY, START + 4 * DAY + HOUR);
const END: i64 = START + 7 * DAY;

/// State of the simulation, from which the report is generated.
pub(crate) struct Simulation {
    pub database: TestDatabase,
    pub site: Arc<SimulatedSite>,
    pub simulated_feeds: Vec<SimulatedFeed>,
    /// Row id of each feed.
    pub rows: Vec<i64>,
    /// Delays of the requests of each feed, in milliseconds. Excludes the hour of the outage and the backlog
    /// after it.
    pub late: HashMap<usize, Vec<i64>>,
    port: u16,
    extractor: Pool,
}

impl Simulation {
    pub(crate) async fn start(backend: Backend) -> Self {
        let database = TestDatabase::create(backend).await;
        let (site, port) = SimulatedSite::start(Arc::clone(&database.clock)).await;
        let program = std::env::current_exe().unwrap();
        let extractor = Pool::new(PoolSettings::new(program, vec!["extract-child".into()]));
        let (rows, late) = (Vec::new(), HashMap::new());
        let mut world =
            Self { database, site, simulated_feeds: simulated_feeds(), rows, late, port, extractor };
        world.insert_rows().await;
        world
    }

    pub(crate) fn domain(&self) -> &Domain {
        &self.database.domain
    }

    /// Inserts the accounts, feeds, and subscriptions. The first polls are distributed over the first hour.
    async fn insert_rows(&mut self) {
        let crowd = ALL.iter().map(|behaviour| behaviour.followers).max().unwrap();
        let mut accounts = HashMap::new();
        for tier in ["free", "premium", "pro"] {
            let many = if tier == "free" { crowd } else { 1 };
            let mut ids = Vec::new();
            for _ in 0..many {
                ids.push(self.account(tier).await);
            }
            accounts.insert(tier, ids);
        }
        for simulated in self.simulated_feeds.clone() {
            let behaviour = simulated.behaviour();
            let url = format!(
                "http://127.{}.{}.1:{}/feed/{}",
                1 + simulated.host / 200,
                simulated.host % 200,
                self.port,
                simulated.feed
            );
            let due = START + i64::try_from(simulated.feed).unwrap() * HOUR / 500;
            let (host, created) = (extract::feed::site(&url).unwrap(), START);
            let text = "INSERT INTO feed (url, host, trust_guid, trust_url, gone, next_poll_at, created_at) \
                        VALUES ($1, $2, TRUE, TRUE, FALSE, $3, $4) RETURNING id";
            let id =
                self.number(text, vec![url.into(), host.into(), due.into(), created.into()]).await.unwrap();
            self.rows.push(id);
            for (account, collection) in &accounts[behaviour.tier][..behaviour.followers] {
                let text = "INSERT INTO rss_subscription (account_id, feed_id, collection_id, full_text, \
                            read_through, created_at) VALUES ($1, $2, $3, FALSE, 0, $4)";
                self.execute(text, vec![(*account).into(), id.into(), (*collection).into(), START.into()])
                    .await;
            }
        }
    }

    async fn account(&self, tier: &str) -> (AccountId, i64) {
        let id: AccountId = self.domain().new_id();
        let text = "INSERT INTO account (id, email, password_hash, tier, created_at, password_changed_at) \
                    VALUES ($1, $2, '', $3, $4, $4)";
        self.execute(text, vec![id.into(), format!("{id}@example.org").into(), tier.into(), START.into()])
            .await;
        let text = "INSERT INTO rss_collection (account_id, name, name_key, kind, created_at) \
                    VALUES ($1, 'Unsorted', '', 'unsorted', $2) RETURNING id";
        let collection = self.number(text, vec![id.into(), START.into()]).await.unwrap();
        (id, collection)
    }

    /// Advances from one due time to the next until the week is over.
    pub(crate) async fn run(&mut self) {
        let clock = Arc::clone(&self.database.clock);
        let mut tools = self.tools();
        loop {
            let now = self.domain().now();
            let next = self.number("SELECT MIN(next_poll_at) FROM feed", Vec::new()).await.unwrap_or(END);
            let mut at = (now + TICK).max(next + (START - next).rem_euclid(TICK));
            if (OUTAGE.0..OUTAGE.1).contains(&at) {
                at = OUTAGE.1;
            }
            if at >= END {
                return;
            }
            clock.advance(at - now);
            // The fetcher measures pauses in real time, which hardly passes in the simulation, so the fetcher
            // must be replaced.
            if self.tick(&tools).await {
                tools = self.tools();
            }
        }
    }

    /// Polls the due feeds. Returns true if a server requested a pause.
    async fn tick(&mut self, tools: &Tools) -> bool {
        let now = self.domain().now();
        let due = self.due(now).await;
        let before = self.site.count_log();
        for job in feeds::claim_due(self.domain()).await.unwrap() {
            let claimed = jobs::claim(self.domain(), job.id, "week", 60_000).await.unwrap().unwrap();
            feeds::poll_batch(self.domain(), tools, &claimed).await.unwrap();
        }
        let is_left_over = (OUTAGE.1..OUTAGE.1 + HOUR).contains(&now);
        let requests = self.site.log_after(before);
        for request in &requests {
            let since = due.get(&self.rows[request.feed]).copied();
            if let Some(since) = since.filter(|_| !request.is_hop && !is_left_over) {
                self.late.entry(request.feed).or_default().push(now - since);
            }
        }
        requests.iter().any(|request| matches!(request.status, 429 | 503))
    }

    async fn due(&self, now: i64) -> HashMap<i64, i64> {
        let text = "SELECT id, next_poll_at FROM feed WHERE next_poll_at <= $1";
        let connection = self.domain().db().write();
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, [now.into()]);
        let rows = connection.query_all_raw(statement).await.unwrap();
        rows.iter().map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap())).collect()
    }

    fn tools(&self) -> Tools {
        let guard = fetch::FetcherSettings {
            allow: vec![format!("127.0.0.0/8:{}", self.port).parse().unwrap()],
            per_host_gap: Duration::ZERO,
            ..fetch::FetcherSettings::default()
        };
        let policy = Policy { fetch: guard, ..Policy::default() };
        Tools::new(&policy, self.extractor.clone(), worker_tools::ToolSettings::default()).unwrap()
    }

    pub(crate) async fn number(&self, text: &str, values: Vec<Value>) -> Option<i64> {
        let connection = self.domain().db().write();
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
        let row = connection.query_one_raw(statement).await.unwrap()?;
        row.try_get_by_index::<Option<i64>>(0).unwrap()
    }

    async fn execute(&self, text: &str, values: Vec<Value>) {
        let connection = self.domain().db().write();
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
        connection.execute_raw(statement).await.unwrap();
    }
}
