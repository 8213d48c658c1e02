//! Settings. The environment and the optional files `carrel.env` and `.env` are read once into typed values.
//! All invalid settings are reported in one error, each with its name and the expected value.

mod accounts;
mod agent;
mod apps;
mod import_credential;
mod inbox;
mod model;
mod oidc;
mod proxy_header;
mod renderer;
mod site;
mod sources;
mod traces;
mod values;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use articles::worker_tools;
use extract::feed::FeedLimits;
use ipnet::IpNet;
use kernel::DatabaseSettings;
use kernel::blobs::Location;
use kernel::db::embedded_file;

pub use self::inbox::{InboxSettings, InboxTls};
pub use accounts::AccountSettings;
pub use agent::AgentSettings;
pub use apps::{AppProtocol, AppProtocols};
pub use import_credential::ImportCredentialSettings;
pub use proxy_header::ProxyHeader;
pub use renderer::RendererSetting;
pub use site::{SiteColor, SiteSettings};
pub use sources::{Faults, Variables};
pub use traces::{OtlpEndpoint, OtlpHeaders, SampleRatio, TraceSettings};
use values::Listen;
pub use values::{LogFormat, NetworkSetting, Origin, ReaderLimits, SecretSetting, Switch};

/// Default log filter: info for Carrel, warnings for noisy dependencies.
const DEFAULT_LOG: &str =
    "info,tokio_cron_scheduler=warn,apalis=warn,apalis_core=warn,sea_orm_migration=warn,poem=warn";

/// Every setting with its default and its explanation: the file `.env.sample`.
pub const SETTINGS_SAMPLE: &str = include_str!("../../../.env.sample");

/// Settings of the operator. `.env.sample` documents each name.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `DATABASE_URL`.
    pub database_url: String,
    /// `DATABASE_CONNECTIONS` and the timeouts of statements, locks, and idle transactions.
    pub database: DatabaseSettings,
    /// `CARREL_STORED_TEXTS_MB`: maximum size of stored texts of public pages.
    pub max_stored_text_bytes: u64,
    /// `CARREL_PICTURES_MB`: maximum size of stored pictures of pages; 0 disables pictures.
    pub max_picture_bytes: u64,
    /// `CARREL_STORED_RESPONSES_MB`: maximum size of responses stored for idempotent replay.
    pub max_stored_response_bytes: u64,
    /// Memory for all request bodies and their parsed values, in bytes. Set in MB by `CARREL_BODY_MEMORY_MB`.
    pub body_memory_bytes: usize,
    /// Memory for all reader responses over 1 MiB until they are sent, in bytes. Set in MB by
    /// `CARREL_ANSWER_MEMORY_MB`.
    pub answer_memory_bytes: usize,
    /// `CARREL_FILES`: storage of library files.
    pub files: Location,
    /// `CARREL_FILES_MIN_FREE_MB`: minimum free space of the disk for files, in bytes. Below it, uploads are
    /// refused.
    pub min_free_bytes: u64,
    /// `REDIS_URL`. Without it, processes on PostgreSQL share jobs through its rows; an embedded database
    /// allows only one process.
    pub redis_url: Option<SecretSetting>,
    /// `CARREL_REDIS_PREFIX`: prefix of all keys and channels in Redis.
    pub redis_prefix: String,
    /// `CARREL_LISTEN`.
    pub listen: SocketAddr,
    /// `CARREL_OPS_LISTEN`: address of the operator endpoints in a process of any role; disabled if absent.
    pub ops_listen: Option<SocketAddr>,
    /// `CARREL_BASE_URL`, `CARREL_READER_URL`, `CARREL_AUTH_URL`.
    pub origins: Origins,
    /// `CARREL_READER_LIMITS`.
    pub reader_limits: ReaderLimits,
    /// `CARREL_TRUSTED_PROXIES`.
    pub trusted_proxies: Vec<IpNet>,
    /// Settings of outgoing requests: `CARREL_FETCH_ALLOW`, `CARREL_PROXIES`, `CARREL_ROBOTS`.
    pub fetch: FetchSettings,
    /// `CARREL_RENDERER`: browser that renders pages whose text needs scripts.
    pub renderer: RendererSetting,
    /// Leases, concurrency, and sandbox processes.
    pub work: WorkSettings,
    /// `CARREL_FETCH_SECONDS`, `CARREL_FEED_MB`, `CARREL_FEED_ENTRIES`, and `CARREL_EXTRACT_PARTS`. The
    /// callback URL and the mailer are derived from other settings.
    pub worker: worker_tools::ToolSettings,
    pub deadlines: Deadlines,
    /// Sign-up, plans, mail, and cross-origin access.
    pub accounts: AccountSettings,
    /// `CARREL_APPS`: enabled protocols for feed apps and e-readers.
    pub apps: AppProtocols,
    /// Reception of mail.
    pub inbox: InboxSettings,
    /// `CARREL_MODEL_URL` and related settings: language model; `None` disables it.
    pub model: Option<fetch::model_server::ModelEndpoint>,
    /// `CARREL_SITE_NAME`, `CARREL_SITE_COLOR`, and `CARREL_SITE_WELCOME`.
    pub site: SiteSettings,
    /// `CARREL_ADMIN_TOKEN`.
    pub admin_token: Option<SecretSetting>,
    /// `CARREL_LOG` and `CARREL_LOG_FORMAT`.
    pub log: LogSettings,
    /// `OTEL_EXPORTER_OTLP_ENDPOINT` and related settings: export of traces.
    pub traces: TraceSettings,
}

/// The three public origins. They may be equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// The Developer API.
    pub base: Origin,
    /// The public reader.
    pub reader: Origin,
    /// Sign-in, settings and authorization.
    pub auth: Origin,
}

/// Settings of outgoing requests.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// `CARREL_FETCH_ALLOW`: addresses that the operator allows in the guard.
    pub allow: Vec<fetch::AllowRule>,
    /// `CARREL_PROXIES`: proxies that monitors can choose by name.
    pub proxies: fetch::Proxies,
    /// `CARREL_ROBOTS`: whether robots.txt is obeyed.
    pub robots: Switch,
}

/// Settings of workers.
#[derive(Clone, Debug)]
pub struct WorkSettings {
    /// `CARREL_LEASE_SECONDS`.
    pub lease: Duration,
    /// `CARREL_EXTRACTION_CONCURRENCY`: pages that one worker process fetches concurrently.
    pub extraction_concurrency: usize,
    /// `CARREL_READ_JOB_CONCURRENCY`: asynchronous read jobs that one worker process follows concurrently.
    pub read_job_concurrency: usize,
    /// `CARREL_QUEUE_DEPTH`: number of waiting extraction jobs above which new reads are refused.
    pub queue_depth: u32,
    /// `CARREL_EXTRACT_PROCESSES`: sandbox processes that parse pages. A single caller can use all but one of
    /// these processes.
    pub extract_processes: usize,
    /// `CARREL_EXTRACT_MEMORY_MB`.
    pub extract_memory_bytes: u64,
    /// `CARREL_EXTRACT_SECONDS`.
    pub extract_wall: Duration,
    /// `CARREL_SHUTDOWN_SECONDS`.
    pub shutdown_grace: Duration,
    /// Program that runs the sandbox processes. `None` means this executable.
    pub extract_program: Option<PathBuf>,
}

/// Maximum time a request waits for its result.
#[derive(Clone, Debug)]
pub struct Deadlines {
    /// `CARREL_READ_SECONDS`: time for a read.
    pub read: Duration,
    /// `CARREL_BATCH_SECONDS`: time for a batch.
    pub batch: Duration,
}

/// Settings of the log.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// `CARREL_LOG`: a filter such as `info` or `carrel=debug,jobs=info`.
    pub filter: String,
    /// `CARREL_LOG_FORMAT`.
    pub format: LogFormat,
    /// Colours of logs on a terminal. Off if `NO_COLOR` has any value.
    pub colors: Switch,
}

impl Settings {
    /// Reads the settings of this process: `overrides` from the command line (variable name and value), then
    /// the environment, then the files `.env` and `carrel.env` in the working directory.
    pub fn from_environment(overrides: &[(&str, String)]) -> Result<Self, Faults> {
        Self::read(&mut Variables::of_process(overrides)?)
    }

    /// Returns true if several processes may share the work: on PostgreSQL, or with Redis.
    pub fn supports_multiple_processes(&self) -> bool {
        self.redis_url.is_some() || self.database_url.starts_with("postgres")
    }

    /// Returns true if other machines can reach the listen address, and at least one public address has no TLS.
    pub fn is_exposed_without_tls(&self) -> bool {
        let Origins { base, reader, auth } = &self.origins;
        !self.listen.ip().is_loopback() && [base, reader, auth].iter().any(|origin| !origin.is_secure())
    }

    /// Reads the settings from `variables`. Reports all faults, not just the first.
    pub fn read(variables: &mut Variables) -> Result<Self, Faults> {
        AgentSettings::read(variables);
        ImportCredentialSettings::read(variables);
        let Listen(listen) =
            variables.value("CARREL_LISTEN", Listen(SocketAddr::from(([127, 0, 0, 1], 8080))));
        let database_url = variables.text("DATABASE_URL", "sqlite://data/carrel.db?mode=rwc");
        let is_postgres = database_url.starts_with("postgres");
        let trusted_proxies = read_proxies(variables);
        let settings = Self {
            files: variables.value("CARREL_FILES", default_files_location(&database_url)),
            min_free_bytes: variables.within("CARREL_FILES_MIN_FREE_MB", 256_u64, 0, 1 << 30) << 20,
            database_url,
            database: read_database(variables, is_postgres),
            max_stored_text_bytes: variables.within("CARREL_STORED_TEXTS_MB", 5_120_u64, 16, 1 << 30) << 20,
            max_picture_bytes: variables.within("CARREL_PICTURES_MB", 2_048_u64, 0, 1 << 30) << 20,
            max_stored_response_bytes: variables.within("CARREL_STORED_RESPONSES_MB", 1_024_u64, 16, 1 << 30)
                << 20,
            // The minimum is enough for the largest body.
            body_memory_bytes: variables.within("CARREL_BODY_MEMORY_MB", 192_usize, 25, 1 << 20) << 20,
            answer_memory_bytes: variables.within("CARREL_ANSWER_MEMORY_MB", 256_usize, 16, 1 << 20) << 20,
            redis_url: variables.optional("REDIS_URL"),
            redis_prefix: variables.text("CARREL_REDIS_PREFIX", "carrel"),
            listen,
            ops_listen: variables.optional::<Listen>("CARREL_OPS_LISTEN").map(|Listen(address)| address),
            origins: read_origins(variables, listen),
            reader_limits: variables.value("CARREL_READER_LIMITS", ReaderLimits::default()),
            fetch: FetchSettings {
                allow: variables.list("CARREL_FETCH_ALLOW"),
                proxies: variables.value("CARREL_PROXIES", fetch::Proxies::default()),
                robots: variables.switch("CARREL_ROBOTS", Switch::On),
            },
            renderer: variables.value("CARREL_RENDERER", RendererSetting::Auto),
            work: read_work(variables),
            worker: read_worker(variables),
            deadlines: Deadlines {
                read: variables.seconds("CARREL_READ_SECONDS", 25, 1, 120),
                batch: variables.seconds("CARREL_BATCH_SECONDS", 60, 1, 300),
            },
            accounts: accounts::read(variables, &trusted_proxies),
            trusted_proxies,
            apps: variables.value("CARREL_APPS", AppProtocols::default()),
            inbox: inbox::read(variables),
            model: model::read(variables),
            site: site::read(variables),
            admin_token: variables.optional("CARREL_ADMIN_TOKEN"),
            log: LogSettings {
                filter: variables.text("CARREL_LOG", DEFAULT_LOG),
                format: variables.value("CARREL_LOG_FORMAT", LogFormat::Text),
                colors: variables.optional::<String>("NO_COLOR").map_or(Switch::On, |_| Switch::Off),
            },
            traces: traces::read(variables),
        };
        variables.finish(settings)
    }
}

/// Returns the default folder for files: `files` next to an embedded database, `data/files` otherwise.
fn default_files_location(database_url: &str) -> Location {
    let folder = embedded_file(database_url).and_then(Path::parent).unwrap_or(Path::new("data"));
    Location::Folder(folder.join("files"))
}

fn read_database(variables: &mut Variables, is_postgres: bool) -> DatabaseSettings {
    let default = DatabaseSettings::default();
    let pooler_url = variables.optional("DATABASE_POOLER_URL");
    if pooler_url.is_some() && !is_postgres {
        variables.fault(
            "DATABASE_POOLER_URL",
            &"a pooler needs PostgreSQL, but DATABASE_URL names another database",
        );
    }
    let mut limit = |name, fallback: Duration| variables.seconds(name, fallback.as_secs(), 0, 3600);
    DatabaseSettings {
        statement_timeout: limit("DATABASE_STATEMENT_SECONDS", default.statement_timeout),
        lock_timeout: limit("DATABASE_LOCK_SECONDS", default.lock_timeout),
        idle_transaction_timeout: limit(
            "DATABASE_IDLE_TRANSACTION_SECONDS",
            default.idle_transaction_timeout,
        ),
        max_connections: variables.within("DATABASE_CONNECTIONS", default.max_connections, 1, 500),
        pooler_url,
    }
}

fn read_origins(variables: &mut Variables, listen: SocketAddr) -> Origins {
    let base = variables.value("CARREL_BASE_URL", Origin::listening_at(listen));
    Origins {
        reader: variables.value("CARREL_READER_URL", base.clone()),
        auth: variables.value("CARREL_AUTH_URL", base.clone()),
        base,
    }
}

fn read_proxies(variables: &mut Variables) -> Vec<IpNet> {
    variables
        .list::<NetworkSetting>("CARREL_TRUSTED_PROXIES")
        .into_iter()
        .map(|NetworkSetting(net)| net)
        .collect()
}

fn read_worker(variables: &mut Variables) -> worker_tools::ToolSettings {
    let defaults = worker_tools::ToolSettings::default();
    worker_tools::ToolSettings {
        fetch_timeout: variables.seconds("CARREL_FETCH_SECONDS", defaults.fetch_timeout.as_secs(), 1, 120),
        feed_limits: FeedLimits {
            entries: variables.within("CARREL_FEED_ENTRIES", defaults.feed_limits.entries, 100, 5_000),
            bytes: variables.within("CARREL_FEED_MB", defaults.feed_limits.bytes >> 20, 1, 64) << 20,
        },
        max_parts: variables.within("CARREL_EXTRACT_PARTS", defaults.max_parts, 1, 50),
        ..defaults
    }
}

fn read_work(variables: &mut Variables) -> WorkSettings {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    WorkSettings {
        lease: variables.seconds("CARREL_LEASE_SECONDS", 30, 1, 3600),
        extraction_concurrency: variables.within("CARREL_EXTRACTION_CONCURRENCY", 128, 1, 1000),
        read_job_concurrency: variables.within("CARREL_READ_JOB_CONCURRENCY", 64, 1, 1000),
        queue_depth: variables.within("CARREL_QUEUE_DEPTH", 1000, 1, 1_000_000),
        extract_processes: variables.within("CARREL_EXTRACT_PROCESSES", cores + 1, 1, 256),
        extract_memory_bytes: variables.within("CARREL_EXTRACT_MEMORY_MB", 512_u64, 128, 8192) << 20,
        extract_wall: variables.seconds("CARREL_EXTRACT_SECONDS", 10, 1, 60),
        shutdown_grace: variables.seconds("CARREL_SHUTDOWN_SECONDS", 20, 0, 600),
        extract_program: None,
    }
}

#[cfg(test)]
mod tests;
