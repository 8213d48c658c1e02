//! Shared state of a process: settings, database handle, job engine, and budgets. It is opened once and used
//! by all surfaces.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context;
use articles::ArticleReader;
use articles::worker_tools::{self, Tools};
use extract::sandbox::{Pool, PoolSettings};
use identity::accounts::{self, HashCost, OidcProvider, Passwords};
use identity::limits::window::{ClockSource, Windows};
use jobs::Engine;
use kernel::blobs::Blobs;
use kernel::{AccountId, Database, Domain, Policy};
use permits::KeyedSemaphore;
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::config::{Settings, Switch};
use crate::event_streams::EventStreams;
use crate::http::answer_memory::AnswerMemory;
use crate::http::body_memory::BodyMemory;

/// Default time for which a request waits for a worker. Shorter than the usual timeout of reverse proxies.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(27);

/// Shared state of the front end.
pub struct App {
    pub settings: Settings,
    pub domain: Domain,
    pub engine: Engine,
    /// Thread pool that hashes passwords.
    pub passwords: Passwords,
    /// OpenID provider at which people sign in. `None` if the operator has configured none.
    pub oidc: Option<OidcProvider>,
    /// Sandbox processes that parse untrusted bytes. Started on first use.
    pub sandbox: Pool,
    /// Memory budget for large request bodies.
    pub body_memory: BodyMemory,
    /// Memory budget for large responses until they are sent.
    pub answer_memory: AnswerMemory,
    /// Limits concurrent long responses per account: lists of entries or items that include their texts, and
    /// books.
    long_answers: KeyedSemaphore,
    /// Open event streams of pages.
    pub event_streams: EventStreams,
    pub reading: ArticleReader,
    /// OpenAPI document of the Developer API as JSON. The crate `api` builds it on first use.
    pub developer_document: OnceLock<String>,
    /// True once this process has seen an account.
    has_account: AtomicBool,
    /// True once the process has begun to shut down.
    is_stopping: watch::Sender<bool>,
}

impl App {
    /// Opens the database, which must have been migrated, and the Redis client if `REDIS_URL` is set.
    pub async fn open(settings: Settings) -> anyhow::Result<Arc<Self>> {
        let db = Database::connect(&settings.database_url, &settings.database).await?;
        let blobs =
            Blobs::open(&settings.files).with_context(|| format!("CARREL_FILES ({})", settings.files))?;
        let blobs = blobs.with_min_free_bytes(settings.min_free_bytes);
        let app = Self::with(settings, Domain::new(db).with_blobs(blobs), ClockSource::Server)?;
        // The cursor key is created before any transaction needs it: creating it within a transaction that
        // has SQLite's only write connection would deadlock.
        if let Err(error) = app.domain.cursor_key().await {
            tracing::debug!(%error, "cursor key not created: the database has no tables yet");
        }
        Ok(app)
    }

    /// Builds an app on an existing domain handle, as tests do.
    pub fn with(settings: Settings, domain: Domain, time: ClockSource) -> anyhow::Result<Arc<Self>> {
        let windows = match &settings.redis_url {
            None => Windows::database(domain.db(), time),
            Some(url) => {
                let client = redis::Client::open(url.reveal()).context("REDIS_URL is not usable")?;
                Windows::redis(&client, &format!("{}:", settings.redis_prefix), time)?
            }
        };
        let domain = domain.with_policy(policy_of(&settings));
        let domain = application::compose(identity::limits::install(domain, windows));
        let engine = engine_of(&settings, domain.clone())?;
        let parallelism = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let passwords = Passwords::new(&domain, HashCost::Production, parallelism)?;
        let oidc = settings.accounts.oidc.clone().map(OidcProvider::new).transpose()?;
        let has_account = AtomicBool::new(false);
        let reading = ArticleReader::default();
        let sandbox = sandbox_of(&settings)?;
        let body_memory = BodyMemory::new(settings.body_memory_bytes, &settings.trusted_proxies);
        let answer_memory = AnswerMemory::new(settings.answer_memory_bytes);
        Ok(Arc::new(Self {
            settings,
            domain,
            engine,
            passwords,
            oidc,
            sandbox,
            body_memory,
            answer_memory,
            long_answers: KeyedSemaphore::new(parallelism.saturating_sub(1)),
            event_streams: EventStreams::default(),
            reading,
            developer_document: OnceLock::new(),
            has_account,
            is_stopping: watch::Sender::new(false),
        }))
    }

    /// Closes responses that would otherwise never end, because the process is shutting down.
    pub fn begin_shutdown(&self) {
        self.is_stopping.send_replace(true);
    }

    /// Waits until the process starts to shut down.
    pub async fn shutdown_begun(&self) {
        let mut receiver = self.is_stopping.subscribe();
        // The sender lives as long as the app, so this is not an error.
        drop(receiver.wait_for(|is_stopping| *is_stopping).await);
    }

    /// Waits for a permit to render a long response for the account. Never returns `None`, because the
    /// semaphore is never closed. Per process, an account has one permit fewer than the processor has cores,
    /// so that one core stays free for other accounts.
    pub async fn limit_long_answers(&self, account_id: AccountId) -> Option<OwnedSemaphorePermit> {
        self.long_answers.acquire(&account_id.to_string()).await
    }

    /// Returns true if any account exists. While no account exists, the home page and the log explain how to create
    /// one.
    pub async fn has_account(&self) -> bool {
        if !self.has_account.load(Ordering::Relaxed) {
            let has_account = accounts::any_account(&self.domain).await.unwrap_or(true);
            self.has_account.store(has_account, Ordering::Relaxed);
        }
        self.has_account.load(Ordering::Relaxed)
    }

    /// Builds the dependencies of workers that front ends do not need: the fetcher and the sandbox pool.
    pub fn tools(&self) -> anyhow::Result<Tools> {
        Ok(Tools::new(self.domain.policy(), self.sandbox.clone(), self.worker_settings())?)
    }

    pub fn worker_settings(&self) -> worker_tools::ToolSettings {
        worker_tools::ToolSettings {
            callback_url: self.domain.policy().public_base_url().map(str::to_owned),
            mailer: self.settings.accounts.mailer.clone(),
            browser: self.settings.renderer.program(),
            // If one caller requests many slow pages, most slots remain free for other callers.
            extractions_per_caller: (self.settings.work.extraction_concurrency / 4).max(1),
            ..self.settings.worker.clone()
        }
    }

    /// Returns the names of the dependencies that do not answer within two seconds. Empty if the process can
    /// serve requests.
    pub async fn missing(&self) -> Vec<&'static str> {
        let ping_timeout = Duration::from_secs(2);
        let (database, queue) = tokio::join!(
            tokio::time::timeout(ping_timeout, self.domain.db().ping()),
            tokio::time::timeout(ping_timeout, self.engine.ping()),
        );
        let mut missing = Vec::new();
        if !matches!(database, Ok(Ok(()))) {
            missing.push("database");
        }
        if !matches!(queue, Ok(Ok(()))) {
            missing.push("queue");
        }
        missing
    }
}

/// Creates the sandbox pool from the operator's settings.
fn sandbox_of(settings: &Settings) -> anyhow::Result<Pool> {
    let program = match &settings.work.extract_program {
        Some(program) => program.clone(),
        None => std::env::current_exe().context("failed to locate this executable")?,
    };
    Ok(Pool::new(PoolSettings {
        program,
        args: vec!["extract-child".into()],
        file_args: vec!["import-child".into()],
        workers: settings.work.extract_processes,
        memory_bytes: settings.work.extract_memory_bytes,
        page_timeout: settings.work.extract_wall,
        recycle_after: 500,
    }))
}

/// Creates the job engine from the operator's settings.
///
/// # Errors
/// If `REDIS_URL` cannot be used.
pub fn engine_of(settings: &Settings, domain: Domain) -> anyhow::Result<Engine> {
    let work = &settings.work;
    let engine = jobs::EngineSettings {
        redis_url: settings.redis_url.as_ref().map(|url| url.reveal().to_owned()),
        redis_prefix: settings.redis_prefix.clone(),
        lease_ms: i64::try_from(work.lease.as_millis())?,
        ..jobs::EngineSettings::default()
    };
    Ok(Engine::new(domain, engine)?)
}

/// Builds the domain policy from the operator's settings.
pub fn policy_of(settings: &Settings) -> Policy {
    Policy {
        tiers: Arc::new(settings.accounts.tiers.clone()),
        base_url: settings.origins.base.as_str().to_owned(),
        account_url: settings.origins.auth.as_str().to_owned(),
        inbox_domain: settings.inbox.domain.clone(),
        inbox_authentication: settings.inbox.authentication.clone(),
        sends_mail: settings.accounts.mailer.is_some(),
        renders_pages: settings.renderer.renders_pages(),
        model: settings.model.clone(),
        fetch: fetch_policy(settings),
        max_waiting_extractions: Some(settings.work.queue_depth),
        max_stored_text_bytes: settings.max_stored_text_bytes,
        max_picture_bytes: settings.max_picture_bytes,
        max_stored_response_bytes: settings.max_stored_response_bytes,
        ..Policy::default()
    }
}

/// Builds the fetch settings from the operator's settings. Carrel's hosts are always refused, even if the
/// operator allows their addresses.
pub fn fetch_policy(settings: &Settings) -> fetch::FetcherSettings {
    let origins = &settings.origins;
    let mut own_hosts: Vec<String> =
        [&origins.base, &origins.reader, &origins.auth].map(|origin| origin.authority().to_owned()).into();
    own_hosts.push(settings.listen.to_string());
    own_hosts.extend(settings.inbox.listen.map(|address| address.to_string()));
    own_hosts.extend(settings.ops_listen.map(|address| address.to_string()));
    let robots = match settings.fetch.robots {
        Switch::On => fetch::RobotsRule::Obey,
        Switch::Off => fetch::RobotsRule::Ignore,
    };
    fetch::FetcherSettings {
        allow: settings.fetch.allow.clone(),
        proxies: settings.fetch.proxies.clone(),
        robots,
        page_types: extract::formats::accept(),
        user_agent: format!("CarrelBot/{} (+{}/about)", env!("CARGO_PKG_VERSION"), origins.reader),
        own_hosts,
        sign_in_header: settings.accounts.proxy_header.as_ref().map(|header| header.name.to_string()),
        feed_cap_bytes: settings.worker.feed_limits.bytes,
        large_bodies: (2 * settings.work.extract_processes).max(8),
        ..fetch::FetcherSettings::default()
    }
}
