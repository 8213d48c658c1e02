//! The one handle that every rule receives: the database, the clock and the source of ids.

use std::sync::Arc;

use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::articles;
use crate::clock::{Clock, Millis, SystemClock};
use crate::cursor::CursorKey;
use crate::db::Database;
use crate::error::Result;
use crate::ids::{Ids, RandomIds, uuid_v7};

/// What every domain call stands on. Cheap to clone.
#[derive(Clone)]
pub struct Domain {
    db: Database,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    articles: articles::Cache,
    cursor_key: Arc<OnceCell<CursorKey>>,
    read_capacity: Option<u32>,
}

impl Domain {
    /// A handle for production: the machine's clock and the operating system's random generator.
    pub fn new(db: Database) -> Self {
        Self::with(db, Arc::new(SystemClock), Arc::new(RandomIds))
    }

    /// A handle with its own clock and ids, for tests and simulations.
    pub fn with(db: Database, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self {
            db,
            clock,
            ids,
            articles: articles::Cache::default(),
            cursor_key: Arc::default(),
            read_capacity: None,
        }
    }

    /// The same handle with another limit to waiting extractions than the kind's own.
    #[must_use]
    pub fn with_read_capacity(mut self, waiting: u32) -> Self {
        self.read_capacity = Some(waiting);
        self
    }

    /// The most extractions that may wait, where the operator set it.
    pub(crate) fn read_capacity(&self) -> Option<u32> {
        self.read_capacity
    }

    /// The database.
    pub fn db(&self) -> &Database {
        &self.db
    }

    /// The present, in milliseconds since the Unix epoch (UTC).
    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Texts that this process has seen.
    pub(crate) fn articles(&self) -> &articles::Cache {
        &self.articles
    }

    /// The key that cursors are signed with: the same in every process of a deployment.
    pub async fn cursor_key(&self) -> Result<&CursorKey> {
        self.cursor_key
            .get_or_try_init(|| async { Ok(CursorKey::new(crate::secrets::load(self, "cursor").await?)) })
            .await
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
