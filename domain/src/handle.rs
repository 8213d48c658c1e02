//! The one handle that every rule receives: the database, the clock, the source of ids, the operator's
//! policy and the counters of limits.

use std::sync::Arc;

use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::articles;
use crate::blobs::Blobs;
use crate::clock::{Clock, Millis, SystemClock};
use crate::cursor::CursorKey;
use crate::db::Database;
use crate::ids::{Ids, RandomIds, uuid_v7};
use crate::jobs::Batches;
use crate::library::{AtOnce, IMPORT_UPLOADS, WAITING_SAVES};
use crate::limits::Limits;
use crate::limits::window::Windows;
use crate::policy::Policy;

/// What every domain call stands on. Cheap to clone.
#[derive(Clone)]
pub struct Domain {
    db: Database,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    articles: articles::Cache,
    cursor_key: Arc<OnceCell<CursorKey>>,
    read_job_secret: Arc<OnceCell<[u8; 32]>>,
    policy: Arc<Policy>,
    limits: Limits,
    blobs: Blobs,
    library_saves: AtOnce,
    library_imports: AtOnce,
    job_batches: Arc<Batches>,
}

impl Domain {
    /// A handle for production: the machine's clock and the operating system's random generator. It goes by
    /// the default policy and counts in this process until [`with_policy`](Self::with_policy) says otherwise.
    pub fn new(db: Database) -> Self {
        Self::with(db, Arc::new(SystemClock), Arc::new(RandomIds))
    }

    /// A handle with its own clock and ids, for tests and simulations.
    pub fn with(db: Database, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        let policy = Arc::new(Policy::default());
        let limits = Limits::new(Arc::clone(&policy.tiers), Windows::memory());
        Self {
            db,
            clock,
            ids,
            articles: articles::Cache::default(),
            cursor_key: Arc::default(),
            read_job_secret: Arc::default(),
            policy,
            limits,
            blobs: Blobs::default(),
            library_saves: AtOnce::of(WAITING_SAVES),
            library_imports: AtOnce::of(IMPORT_UPLOADS),
            job_batches: Arc::default(),
        }
    }

    /// The same handle under the operator's policy, with limits counted in `windows`.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy, windows: Windows) -> Self {
        self.limits = Limits::new(Arc::clone(&policy.tiers), windows);
        self.policy = Arc::new(policy);
        self
    }

    /// The same handle with files kept in `blobs` instead of in memory.
    #[must_use]
    pub fn with_blobs(mut self, blobs: Blobs) -> Self {
        self.blobs = blobs;
        self
    }

    /// Where files are kept.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// What the operator has set.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The limits of accounts and their counters.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The database.
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The present, in milliseconds since the Unix epoch (UTC).
    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Whether the present is that of the world, which other machines know as well, and no simulated one.
    pub(crate) fn is_in_real_time(&self) -> bool {
        self.clock.is_real()
    }

    /// Texts that this process has seen.
    pub(crate) fn articles(&self) -> &articles::Cache {
        &self.articles
    }

    /// Saves that wait for their texts in this process.
    pub(crate) fn library_saves(&self) -> &AtOnce {
        &self.library_saves
    }

    /// Files that come in for imports.
    pub(crate) fn library_imports(&self) -> &AtOnce {
        &self.library_imports
    }

    /// What the job statements of this process go in.
    pub(crate) fn job_batches(&self) -> &Arc<Batches> {
        &self.job_batches
    }

    /// Where the key that cursors are signed with is kept once it is known.
    pub(crate) fn cursor_key_cell(&self) -> &OnceCell<CursorKey> {
        &self.cursor_key
    }

    /// Where the secret behind the ids of read jobs is kept once it is known.
    pub(crate) fn read_job_secret_cell(&self) -> &OnceCell<[u8; 32]> {
        &self.read_job_secret
    }

    /// A new time-ordered id (UUID version 7, RFC 9562).
    pub fn new_id<Id: From<Uuid>>(&self) -> Id {
        uuid_v7(self.ids.as_ref(), self.now()).into()
    }

    /// `N` random bytes, fit for secrets in production.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0_u8; N];
        self.ids.fill(&mut bytes);
        bytes
    }
}

impl std::fmt::Debug for Domain {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Domain").field("db", &self.db.backend()).finish_non_exhaustive()
    }
}
