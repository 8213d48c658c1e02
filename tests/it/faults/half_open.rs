//! Half-open database connections: they stay open, but the server never responds.

use std::sync::Arc;
use std::time::Duration;

use kernel::testing::TestDatabase;
use kernel::{Backend, Database, DatabaseSettings};
use sea_orm::ConnectionTrait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::support::app::read_path;
use crate::support::deployment::Deployment;
use crate::support::monitoring::query_number;
use crate::support::{eventually, run};

/// Proxy between the processes and PostgreSQL. [`FreezingProxy::freeze_all`] freezes the existing
/// connections: they stay open and transfer no data.
struct FreezingProxy {
    port: u16,
    frozen: Arc<watch::Sender<u64>>,
}

impl FreezingProxy {
    async fn start(server: &url::Url) -> Self {
        let target =
            (server.host_str().expect("the URL has a host").to_owned(), server.port().unwrap_or(5432));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port can be bound");
        let port = listener.local_addr().expect("read the address").port();
        let frozen = Arc::new(watch::Sender::new(0));
        let freeze = Arc::clone(&frozen);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(&target).await else { continue };
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(forward(from_client, to_server, freeze.subscribe()));
                tokio::spawn(forward(from_server, to_client, freeze.subscribe()));
            }
        });
        Self { port, frozen }
    }

    /// Freezes all existing connections. Neither peer is notified.
    fn freeze_all(&self) {
        self.frozen.send_modify(|count| *count += 1);
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut freezes: watch::Receiver<u64>) {
    let mut bytes = vec![0; 65_536];
    loop {
        tokio::select! {
            biased;
            _ = freezes.changed() => std::future::pending::<()>().await,
            read = from.read(&mut bytes) => match read {
                Ok(count) if count > 0 => {
                    if to.write_all(&bytes[..count]).await.is_err() {
                        return;
                    }
                }
                _ => return,
            },
        }
    }
}

#[test]
fn locks_of_a_half_open_transaction_are_released_in_time() {
    run(async {
        let test = TestDatabase::create(Backend::Postgres).await;
        let mut url: url::Url = test.url.parse().expect("the URL is valid");
        let between = FreezingProxy::start(&url).await;
        url.set_port(Some(between.port)).expect("the port can be set");
        let open = async |url: &str| {
            Database::connect(url, &DatabaseSettings::default()).await.expect("the database opens")
        };
        let (through_proxy, other) = (open(url.as_str()).await, open(&test.url).await);
        let change = "INSERT INTO job_pause (kind, paused_at, paused_by) VALUES ('mail', 1, 'test') \
                      ON CONFLICT (kind) DO UPDATE SET paused_at = job_pause.paused_at + 1";
        other.write().execute_unprepared(change).await.expect("the row can be updated");
        let transaction = through_proxy.begin().await.expect("the transaction begins");
        transaction.execute_unprepared(change).await.expect("the row is locked");
        between.freeze_all();
        other
            .write()
            .execute_unprepared(change)
            .await
            .expect("the lock is released before the wait times out");
    });
}

#[test]
fn half_open_connections_delay_work_and_lose_no_job() {
    run(async {
        let database = TestDatabase::create(Backend::Postgres).await;
        let mut url: url::Url = database.url.parse().expect("the URL is valid");
        let between = FreezingProxy::start(&url).await;
        url.set_port(Some(between.port)).expect("the port can be set");
        let settings = [("DATABASE_URL", url.to_string()), ("CARREL_LEASE_SECONDS", "5".to_owned())];
        let all = Deployment::on_database(database, None, 1, &settings).await;
        let pages: Vec<String> = (0..30).map(|page| all.site.article(&format!("/{page}"))).collect();
        let works = async || all.logs().contains("the workers take work");
        eventually("the worker has started", works, |works| *works).await;
        let mut jobs = Vec::new();
        for page in &pages[..20] {
            jobs.push(all.web.create_read_job(page).await);
        }
        between.freeze_all();
        // Callers receive the text, or an error with `Retry-After`.
        let answers = pages[20..].iter().map(|page| {
            let (web, path) = (&all.web, read_path(page, &[]));
            async move { web.get(&path).await }
        });
        let answers =
            tokio::time::timeout(Duration::from_mins(1), futures_util::future::join_all(answers)).await;
        for answer in answers.expect("every caller is answered") {
            assert!(matches!(answer.status, 200 | 503 | 504), "{}", answer.status);
        }
        let readiness = async || all.web.try_get("/readyz").await.map(|answer| answer.status);
        eventually("the front end is ready again", readiness, |status| *status == Some(200)).await;
        let domain = all.domain().await;
        let open =
            async || query_number(&domain, "SELECT COUNT(*) FROM read_job WHERE state <> 'complete'").await;
        let open_jobs = async || open().await;
        eventually("jobs end", open_jobs, |open| *open == 0).await;
        for id in &jobs {
            all.wait_for_read_job(id).await;
        }
        let failed =
            query_number(&domain, "SELECT COUNT(*) FROM job WHERE state IN ('failed', 'dead')").await;
        assert_eq!(failed, 0);
    });
}
