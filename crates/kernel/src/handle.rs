//! The context handle that every rule receives: database, clock, ids, the operator's policy, blobs, and state
//! that capabilities share within the process.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::blobs::Blobs;
use crate::clock::{Clock, Millis, SystemClock};
use crate::cursor::CursorKey;
use crate::db::Database;
use crate::ids::{Ids, RandomIds, uuid_v7};
use crate::policy::Policy;

/// Process-wide state by type.
type SharedState = RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>;

/// Context of every domain call. Cheap to clone.
#[derive(Clone)]
pub struct Domain {
    db: Database,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    cursor_key: Arc<OnceCell<CursorKey>>,
    read_job_secret: Arc<OnceCell<[u8; 32]>>,
    policy: Arc<Policy>,
    blobs: Blobs,
    shared: Arc<SharedState>,
}

impl Domain {
    /// Creates a handle for production, with the machine's clock, the operating system's random generator, and the
    /// default policy, which [`with_policy`](Self::with_policy) replaces.
    pub fn new(db: Database) -> Self {
        Self::with(db, Arc::new(SystemClock), Arc::new(RandomIds))
    }

    /// Creates a handle with its own clock and ids, for tests and simulations.
    pub fn with(db: Database, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self {
            db,
            clock,
            ids,
            cursor_key: Arc::default(),
            read_job_secret: Arc::default(),
            policy: Arc::default(),
            blobs: Blobs::default(),
            shared: Arc::default(),
        }
    }

    /// Sets the operator's policy.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = Arc::new(policy);
        self
    }

    /// Installs `state` as the process-wide value of its type, for [`installed`](Self::installed) and
    /// [`shared`](Self::shared). Handles that were cloned earlier do not get the new value.
    #[must_use]
    pub fn install<T: Any + Send + Sync>(mut self, state: T) -> Self {
        let mut all = self.shared.read().unwrap_or_else(PoisonError::into_inner).clone();
        all.insert(TypeId::of::<T>(), Arc::new(state));
        self.shared = Arc::new(RwLock::new(all));
        self
    }

    /// Returns the installed value of a type, or `None`.
    pub fn installed<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let all = self.shared.read().unwrap_or_else(PoisonError::into_inner);
        all.get(&TypeId::of::<T>()).and_then(|state| Arc::clone(state).downcast().ok())
    }

    /// Returns the process-wide value of a type, and creates it with `make` on first use. All clones of the
    /// handle share it.
    pub fn shared<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(state) = self.installed() {
            return state;
        }
        let value: Arc<T> = Arc::new(make());
        let mut all = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        let state = all.entry(TypeId::of::<T>()).or_insert(value);
        match Arc::clone(state).downcast() {
            Ok(state) => state,
            Err(_) => unreachable!("values are stored under their own type"),
        }
    }

    /// Sets the blob store; the default is in memory.
    #[must_use]
    pub fn with_blobs(mut self, blobs: Blobs) -> Self {
        self.blobs = blobs;
        self
    }

    /// Blob store.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Settings of the operator.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub fn db(&self) -> &Database {
        &self.db
    }

    /// Current time in milliseconds since the Unix epoch (UTC).
    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// True if the clock is the real time, which other machines share, and not a simulated one.
    pub fn is_in_real_time(&self) -> bool {
        self.clock.is_real()
    }

    /// Cell that caches the cursor signing key.
    pub fn cursor_key_cell(&self) -> &OnceCell<CursorKey> {
        &self.cursor_key
    }

    /// Cell that caches the secret from which ids of read jobs are derived.
    pub fn read_job_secret_cell(&self) -> &OnceCell<[u8; 32]> {
        &self.read_job_secret
    }

    /// Creates a time-ordered id (UUID version 7, RFC 9562).
    pub fn new_id<Id: From<Uuid>>(&self) -> Id {
        uuid_v7(self.ids.as_ref(), self.now()).into()
    }

    /// Returns `N` random bytes, suitable for secrets in production.
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
