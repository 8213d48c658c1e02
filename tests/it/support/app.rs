//! Apps that run inside the test process: a new database, a free port, a fixed clock, seeded ids, and a
//! fixture site. The guard is on and allows only 127.0.0.1.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use articles::worker_tools::{self, Tools};
use carrel::router;
use http_kit::app::App;
use http_kit::config::{Settings, Variables};
use kernel::blobs::{Blobs, Location};

use extract::sandbox::{Pool, PoolSettings};
use identity::limits::window::ClockSource;
use jobs::{WorkerSettings, Workers};
use kernel::testing::{TestDatabase, redis_url};
use kernel::{Backend, Domain, FixedClock, Ids, RandomIds};
use poem::listener::TcpAcceptor;
use reqwest::{Client, ClientBuilder, Method, RequestBuilder};
use sea_orm::ConnectionTrait;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{HttpAnswer, Site, servers};

/// Deployment type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// One process on SQLite.
    Small,
    /// PostgreSQL and Redis.
    Large,
}

impl World {
    pub(crate) const ALL: [Self; 2] = [Self::Small, Self::Large];
}

/// Pool of extraction processes that all tests share.
static POOL: LazyLock<Pool> =
    LazyLock::new(|| Pool::new(PoolSettings::new(servers::CARREL.into(), vec!["extract-child".into()])));

/// Configuration of a test app. Default: SQLite, in-memory queue, and Carrel's default reader limits.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    world: World,
    settings: Vec<(&'static str, String)>,
    has_workers: bool,
    callback_origin: Option<String>,
    database: Option<Arc<TestDatabase>>,
    files: Option<PathBuf>,
    root: Option<PathBuf>,
}

impl Setup {
    pub(crate) fn on(world: World) -> Self {
        Self {
            world,
            settings: Vec::new(),
            has_workers: true,
            callback_origin: None,
            database: None,
            files: None,
            root: None,
        }
    }

    /// Sets the public origin at which WebSub hubs call the app.
    pub(crate) fn with_callback_origin(mut self, origin: &str) -> Self {
        self.callback_origin = Some(origin.to_owned());
        self
    }

    /// Uses an existing database instead of a new one. New ids differ from those of the database's first
    /// handle.
    pub(crate) fn with_database(mut self, database: Arc<TestDatabase>) -> Self {
        self.database = Some(database);
        self
    }

    /// Stores library files in this folder instead of in memory.
    pub(crate) fn with_files_in(mut self, folder: &Path) -> Self {
        self.files = Some(folder.to_owned());
        self
    }

    /// Trusts servers whose certificate is signed by the root certificate in this file.
    pub(crate) fn with_trusted_root(mut self, root: &Path) -> Self {
        self.root = Some(root.to_owned());
        self
    }

    /// Sets an environment variable.
    pub(crate) fn set(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push((name, value.into()));
        self
    }

    /// Starts no workers. Jobs stay queued until [`TestApp::start_workers`] is called.
    pub(crate) fn idle(mut self) -> Self {
        self.has_workers = false;
        self
    }

    pub(crate) async fn spawn(self) -> TestApp {
        let backend = match self.world {
            World::Small => Backend::Sqlite,
            World::Large => Backend::Postgres,
        };
        let (database, mut domain) = if let Some(database) = self.database {
            (Arc::clone(&database), database.second_handle().await)
        } else {
            let database = Arc::new(TestDatabase::create(backend).await);
            (Arc::clone(&database), database.domain.clone())
        };
        let mut settings = Vec::new();
        if self.world == World::Large {
            settings.push(("REDIS_URL", redis_url()));
            settings.push(("CARREL_REDIS_PREFIX", random_word()));
        }
        let site = Arc::new(Site::start());
        settings.push(("CARREL_FETCH_ALLOW", "127.0.0.1/32".to_owned()));
        // Only the tests of the renderer need a browser.
        settings.push(("CARREL_RENDERER", "off".to_owned()));
        // A busy machine reads pages and pictures slowly.
        settings.push(("CARREL_READ_SECONDS", "100".to_owned()));
        settings.push(("CARREL_EXTRACT_SECONDS", "60".to_owned()));
        // Settings of the test override the defaults.
        settings.extend(self.settings);
        if let Some(folder) = self.files {
            domain = domain.with_blobs(Blobs::open(&Location::Folder(folder)).expect("the file store opens"));
        }
        let (world, callback_origin, root) = (self.world, self.callback_origin, self.root);
        let front = Front { world, database, site, settings, callback_origin, root };
        domain.cursor_key().await.expect("the key is created, as when a service starts");
        let mut app = TestApp::front(front, domain);
        if self.has_workers {
            app.start_workers().await;
        }
        app
    }
}

/// Parts that the processes of one deployment share.
#[derive(Clone)]
struct Front {
    world: World,
    database: Arc<TestDatabase>,
    site: Arc<Site>,
    settings: Vec<(&'static str, String)>,
    callback_origin: Option<String>,
    root: Option<PathBuf>,
}

/// Carrel process with its web server. It has workers unless [`Setup::idle`] was called.
pub(crate) struct TestApp {
    pub(crate) app: Arc<App>,
    /// Clock of all processes on this database.
    pub(crate) clock: Arc<FixedClock>,
    /// Fixture site, which the guard allows.
    pub(crate) site: Arc<Site>,
    /// Base URL of the app, without a trailing slash.
    pub(crate) origin: String,
    front: Front,
    client: Client,
    server: JoinHandle<()>,
    shutdown: CancellationToken,
    workers: Option<Workers>,
}

impl TestApp {
    /// Starts an app on SQLite without reader limits.
    pub(crate) async fn spawn() -> Self {
        Self::on(World::Small).await
    }

    /// Starts an app on `world` without reader limits.
    pub(crate) async fn on(world: World) -> Self {
        Setup::on(world).set("CARREL_READER_LIMITS", "off").spawn().await
    }

    /// Starts a second web server without workers on the same database and queue, like another process.
    pub(crate) async fn second_front(&self) -> Self {
        let domain = self.front.database.second_handle().await;
        Self::front(self.front.clone(), domain)
    }

    /// Stops the process and starts another one with workers on the same database.
    pub(crate) async fn restart(self) -> Self {
        let front = self.front.clone();
        self.stop().await;
        let domain = front.database.second_handle().await;
        let mut app = Self::front(front, domain);
        app.start_workers().await;
        app
    }

    /// Stops the workers and the server.
    pub(crate) async fn stop(mut self) {
        if let Some(workers) = self.workers.take() {
            workers.stop().await;
        }
        self.server.abort();
    }

    fn front(front: Front, domain: Domain) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bind a free port");
        let address = listener.local_addr().expect("read the address").to_string();
        let mut pairs: Vec<(&str, &str)> =
            front.settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        pairs.push(("CARREL_LISTEN", &address));
        let mut settings = Settings::read(&mut Variables::of_pairs(pairs)).expect("the settings are valid");
        settings.work.extract_program = Some(servers::CARREL.into());
        let app = App::with(settings, domain, ClockSource::Caller).expect("the app is created");
        listener.set_nonblocking(true).expect("make the socket non-blocking");
        let acceptor = TcpAcceptor::from_std(listener).expect("create the acceptor");
        let routes = router::routes(&app, carrel::cli::command_page);
        let server = poem::Server::new_with_acceptor(acceptor).run(routes);
        let server = tokio::spawn(async move { server.await.expect("the server runs") });
        Self {
            app,
            clock: front.database.clock.clone(),
            site: Arc::clone(&front.site),
            origin: format!("http://{address}"),
            front,
            client: client(),
            server,
            shutdown: CancellationToken::new(),
            workers: None,
        }
    }

    /// Starts the workers of this process, with real extraction processes.
    pub(crate) async fn start_workers(&mut self) {
        let settings = worker_tools::ToolSettings {
            callback_url: self.front.callback_origin.clone(),
            ..self.app.worker_settings()
        };
        let mut policy = self.app.domain.policy().clone();
        policy.fetch.extra_root_file.clone_from(&self.front.root);
        let tools = Tools::new(&policy, POOL.clone(), settings).expect("the worker's tools are created");
        let handlers = application::job_kinds::handlers(&tools);
        let kinds =
            carrel::process::kinds_of_worker(&[], tools.renderer.is_some()).expect("the kinds are valid");
        let settings = WorkerSettings { kinds: Some(kinds), ..WorkerSettings::default() };
        let workers =
            Workers::start(&self.app.engine, &handlers, &settings, self.shutdown.child_token()).await;
        self.workers = Some(workers);
    }

    /// Runs one tick of the scheduler.
    pub(crate) async fn tick(&self) {
        jobs::scheduler::tick(&self.app.engine).await.expect("the tick succeeds");
    }

    /// Deletes expired rows.
    pub(crate) async fn clean_up(&self) {
        jobs::cleanup::run_all(&self.app.domain).await.expect("the clean-up succeeds");
    }

    /// Waits until no job is due or running.
    pub(crate) async fn run_jobs(&self) {
        self.app.engine.idle().await;
    }

    pub(crate) fn world(&self) -> World {
        self.front.world
    }

    /// Returns the URL of the database, for a separate process.
    pub(crate) fn database_url(&self) -> &str {
        &self.front.database.url
    }

    /// Drops the database to simulate a permanent outage. PostgreSQL only.
    pub(crate) async fn drop_database(&self) {
        let name = self.database_url().rsplit('/').next().expect("a name").split('?').next().expect("a name");
        let server =
            sea_orm::Database::connect(kernel::testing::postgres_url()).await.expect("connect to the server");
        let drop = format!("DROP DATABASE {name} WITH (FORCE)");
        server.execute_unprepared(&drop).await.expect("drop the database");
    }

    /// Creates a request for a path of this app, for cases that the methods below do not cover.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    /// Returns the absolute URL of a path. Absolute URLs are returned unchanged.
    pub(crate) fn url(&self, path: &str) -> String {
        if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.origin) }
    }

    pub(crate) async fn get(&self, path: &str) -> HttpAnswer {
        self.get_with(path, &[]).await
    }

    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> HttpAnswer {
        self.send(Method::GET, path, headers, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> HttpAnswer {
        self.post_with(path, &[], body).await
    }

    pub(crate) async fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> HttpAnswer {
        let json = ("content-type", "application/json");
        let headers: Vec<(&str, &str)> = headers.iter().copied().chain([json]).collect();
        self.send(Method::POST, path, &headers, Some(body.to_string())).await
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> HttpAnswer {
        let request = self.request(method, path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = match body {
            Some(body) => request.body(body),
            None => request,
        };
        HttpAnswer::of(request.send().await.expect("the app responds")).await
    }

    /// Reads `url` with additional query parameters, as JSON unless `format` is among them.
    pub(crate) async fn read(&self, url: &str, parameters: &[(&str, &str)]) -> HttpAnswer {
        self.get_with(&read_path(url, parameters), &[("accept", "application/json")]).await
    }

    /// Replaces the two random ports in a text with fixed host names.
    pub(crate) fn replace_ports(&self, text: &str) -> String {
        let authority = self.origin.trim_start_matches("http://");
        let site = self.site.address().to_string();
        let encode = |text: &str| text.replace(':', "%3A");
        text.replace(authority, "reader.test")
            .replace(&encode(authority), "reader.test")
            .replace(&site, "site.test")
            .replace(&encode(&site), "site.test")
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.shutdown.cancel();
        self.server.abort();
    }
}

/// Returns the path of a single read.
pub(crate) fn read_path(url: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("url", url).extend_pairs(parameters);
    format!("/api/v1/read?{}", query.finish())
}

/// Creates an HTTP client that follows no redirects and stores no cookies.
pub(crate) fn client() -> Client {
    client_builder().build().expect("the client is created")
}

/// Creates an HTTP client that connects from an address in 127.0.0.0/8, so that it counts as a separate
/// network.
#[cfg(feature = "faults")]
pub(crate) fn client_from(address: std::net::IpAddr) -> Client {
    client_builder().local_address(address).build().expect("the client is created")
}

#[expect(clippy::disallowed_methods, reason = "tests send requests to our own server on loopback")]
fn client_builder() -> ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    // Disables decompression, so that tests receive the bytes that were sent.
    client.no_gzip().no_brotli().no_zstd().no_deflate()
}

fn random_word() -> String {
    let mut bytes = [0_u8; 8];
    RandomIds.fill(&mut bytes);
    format!("test{:016x}", u64::from_le_bytes(bytes))
}
