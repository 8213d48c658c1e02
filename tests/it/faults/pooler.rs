//! Service that connects to PostgreSQL through `PgBouncer` with `pool_mode = transaction`.

use std::process::{Child, Command, Stdio};

use kernel::Backend;
use kernel::testing::TestDatabase;

use crate::support::app::read_path;
use crate::support::deployment::Deployment;
use crate::support::monitoring::query_number;
use crate::support::servers::free_port;
use crate::support::{eventually, run};

/// `PgBouncer` in front of the databases of the test server.
struct Pooler {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

#[expect(clippy::disallowed_methods, reason = "the environment of the test selects the program")]
fn program() -> String {
    std::env::var("CARREL_TEST_PGBOUNCER").unwrap_or_else(|_| "pgbouncer".to_owned())
}

impl Pooler {
    /// Starts a `PgBouncer` whose sessions have the application name `pooled`.
    async fn start(server: &str) -> Self {
        let server: url::Url = server.parse().expect("the URL of the test database is valid");
        let (host, port) = (server.host_str().expect("the URL has a host"), server.port().unwrap_or(5432));
        let (user, listen) = (server.username(), free_port());
        let folder = tempfile::tempdir().expect("create a temporary folder");
        let file = folder.path().join("pgbouncer.ini");
        let settings = format!(
            "[databases]\n* = host={host} port={port} user={user} connect_query='SET application_name = ''pooled'''\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {listen}\nunix_socket_dir =\nauth_type = any\n\
             pool_mode = transaction\ndefault_pool_size = 6\nmax_prepared_statements = 200\n"
        );
        std::fs::write(&file, settings).expect("write the settings");
        let mut command = Command::new(program());
        if rustix::process::getuid().is_root() {
            // PgBouncer refuses to run as root. It reads its settings before it changes the user.
            command.args(["-u", "postgres"]);
        }
        let child = command.arg(&file).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.expect("bin/test --faults installs PgBouncer; CARREL_TEST_PGBOUNCER names another");
        let pooler = Self { child, port: listen, _folder: folder };
        let connects = async || tokio::net::TcpStream::connect(("127.0.0.1", listen)).await.is_ok();
        eventually("PgBouncer answers", connects, |is_up| *is_up).await;
        pooler
    }

    /// Returns the URL of the database at `url` through the pooler.
    fn url_through_pooler(&self, url: &str) -> String {
        let mut url: url::Url = url.parse().expect("the URL is valid");
        url.set_port(Some(self.port)).expect("the port can be set");
        url.set_host(Some("127.0.0.1")).expect("the host can be set");
        url.to_string()
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn version() -> (u32, u32) {
    let said = Command::new(program()).arg("--version").output().expect("PgBouncer is installed");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let words =
        said.lines().next().and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default().to_owned();
    let mut numbers = words.split('.').map(|number| number.parse().unwrap_or_default());
    (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default())
}

#[test]
fn processes_work_through_pgbouncer_in_transaction_mode() {
    assert!(
        version() >= (1, 21),
        "prepared statements need PgBouncer 1.21 or later; installed is {:?}",
        version()
    );
    run(async {
        let database = TestDatabase::create(Backend::Postgres).await;
        let pooler = Pooler::start(&database.url).await;
        let settings = [("DATABASE_POOLER_URL", pooler.url_through_pooler(&database.url))];
        let all = Deployment::on_database(database, None, 1, &settings).await;
        all.web.get("/readyz").await.expect(200);
        let person = all.person().await;
        // Many callers share few sessions, so that a session receives statements that another caller
        // prepared.
        let reads = (0..40).map(|number| {
            let page = all.site.article(&format!("/{number}"));
            let (web, person) = (&all.web, &person);
            async move {
                let read = web.get(&read_path(&page, &[])).await.expect(200).json();
                assert_eq!(read["title"], "A town by the sea");
                let body = serde_json::json!({"name": format!("Town {number}"), "targetUrl": page});
                web.post_as(person, "/v1/monitors", &body).await.expect(201);
            }
        });
        futures_util::future::join_all(reads).await;
        let id = all.web.create_read_job(&all.site.article("/later")).await;
        all.wait_for_read_job(&id).await;
        let domain = all.domain().await;
        let sessions = |name: &str| {
            format!(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name {name}"
            )
        };
        assert!(
            query_number(&domain, &sessions("= 'pooled'")).await > 0,
            "statements went through the pooler"
        );
        let errors: Vec<String> =
            all.logs().lines().filter(|line| line.contains("ERROR")).map(str::to_owned).collect();
        assert_eq!(errors, [] as [String; 0]);
    });
}
