//! Jobs on the way from their claim to their run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::rows::{self, Candidates, Claimed, JobKind, Place};
use kernel::{Error, JobId};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::patience::retry_while_unavailable;
use crate::transport::QueueItem;

/// How long a job is left to whoever holds its row before it is offered again.
const HELD: Duration = Duration::from_millis(20);

/// A job that was claimed and has not begun. One that never begins, because the worker stops, is handed back.
pub(crate) struct Drawn {
    engine: Engine,
    claimed: Option<Claimed>,
}

impl Drawn {
    pub(crate) fn new(engine: &Engine, claimed: Claimed) -> Self {
        Self { engine: engine.clone(), claimed: Some(claimed) }
    }

    /// The claim, for its run.
    pub(crate) fn begin(mut self) -> Option<Claimed> {
        self.claimed.take()
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        let Some(claimed) = self.claimed.take() else { return };
        // Where the process ends at once, the lease runs out instead.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let engine = self.engine.clone();
            runtime.spawn(async move { hand_back(&engine, &claimed).await });
        }
    }
}

/// Makes the job ready again, its start not counted, and offers it to the other workers.
pub(crate) async fn hand_back(engine: &Engine, claimed: &Claimed) -> bool {
    match rows::release(engine.domain(), claimed).await {
        Ok(()) => {
            // Another process may take it at once; without one the next start's sweep does.
            engine.push_again(claimed).await;
            claimed.place.give_back();
            true
        }
        Err(error) => {
            if !rows::is_lease_lost(&error) {
                tracing::error!(%error, job = %claimed.id, "a job could not be handed back; its lease will run out");
            }
            false
        }
    }
}

/// Who claims: the worker's name, and the token by which its patience ends.
#[derive(Clone)]
pub(crate) struct Claimer {
    pub(crate) engine: Engine,
    pub(crate) kind: JobKind,
    pub(crate) worker: Arc<str>,
    pub(crate) release_now: CancellationToken,
}

impl Claimer {
    /// Takes those of the jobs that are ready, each into a place of its own. What is not, is over, or another's.
    pub(crate) async fn claim(&self, items: Vec<QueueItem>, places: Vec<OwnedSemaphorePermit>) -> Vec<Drawn> {
        let ids: Vec<JobId> = items.iter().map(|item| item.id()).collect();
        let claims = match self.claim_ids(&ids, self.is_limited()).await {
            Ok(claims) => claims,
            Err(error) => {
                tracing::error!(%error, kind = %self.kind, jobs = ids.len(), "jobs cannot be claimed");
                return Vec::new();
            }
        };
        if claims.len() < items.len() {
            self.offer_again(items, &claims).await;
        }
        self.place(claims, places)
    }

    /// Takes the first jobs that are due straight from their rows, each into a place of its own.
    pub(crate) async fn claim_next(&self, places: Vec<OwnedSemaphorePermit>) -> Result<Vec<Drawn>, Error> {
        let (engine, most, name) = (&self.engine, places.len(), self.name());
        let claim = (name.as_str(), engine.settings().lease_ms);
        let is_repeated = &AtomicBool::new(false);
        let step = || async move {
            if is_repeated.swap(true, Ordering::Relaxed) {
                let claims = rows::resume_next(engine.domain(), self.kind, claim).await?;
                if !claims.is_empty() {
                    return Ok(claims);
                }
            }
            if self.is_limited() {
                return rows::claim_within_limits(engine.domain(), self.kind, Candidates::Next(most), claim)
                    .await;
            }
            rows::claim_next(engine.domain(), self.kind, most, claim).await
        };
        let claims = retry_while_unavailable(&self.release_now, "claim", step).await?;
        Ok(self.place(claims, places))
    }

    /// Whether claims of the kind must count.
    pub(crate) fn is_limited(&self) -> bool {
        self.engine.is_limited(self.kind)
    }

    /// How many more jobs of the kind its limits leave room for.
    pub(crate) async fn room(&self) -> Result<usize, Error> {
        if self.is_limited() { rows::room(self.engine.domain(), self.kind).await } else { Ok(usize::MAX) }
    }

    fn place(&self, claims: Vec<Claimed>, places: Vec<OwnedSemaphorePermit>) -> Vec<Drawn> {
        let drawn = claims.into_iter().zip(places.into_iter().map(Place::taken));
        drawn.map(|(claimed, place)| Drawn::new(&self.engine, claimed.in_place(place))).collect()
    }

    /// One name a group: what a broken connection left unknown can be asked for by it, and no other has it.
    pub(crate) fn name(&self) -> String {
        format!("{}.{:016x}", self.worker, u64::from_le_bytes(self.engine.domain().random::<8>()))
    }

    /// The same of one job.
    pub(crate) async fn claim_one(&self, id: JobId) -> Option<Claimed> {
        match self.claim_ids(&[id], false).await {
            Ok(claims) => claims.into_iter().next(),
            Err(error) => {
                tracing::error!(%error, job = %id, "the job cannot be claimed");
                None
            }
        }
    }

    async fn claim_ids(&self, ids: &[JobId], is_limited: bool) -> Result<Vec<Claimed>, Error> {
        let (domain, lease) = (self.engine.domain(), self.engine.settings().lease_ms);
        let name = self.name();
        let is_repeated = AtomicBool::new(false);
        let (name, is_repeated) = (name.as_str(), &is_repeated);
        let claim = || async move {
            let mut claims = if is_repeated.swap(true, Ordering::Relaxed) {
                rows::resume_claims(domain, ids, name, lease).await?
            } else {
                Vec::new()
            };
            let mut left = ids.to_vec();
            left.retain(|id| !is_among(&claims, *id));
            if !left.is_empty() && is_limited {
                let candidates = Candidates::Ids(&left);
                claims.extend(rows::claim_within_limits(domain, self.kind, candidates, (name, lease)).await?);
            } else if !left.is_empty() {
                claims.extend(rows::claim_all(domain, &left, name, lease).await?);
            }
            Ok(claims)
        };
        retry_while_unavailable(&self.release_now, "claim", claim).await
    }

    /// Those that are on their way still were held by somebody for the moment: they come again.
    async fn offer_again(&self, mut items: Vec<QueueItem>, claims: &[Claimed]) {
        items.retain(|item| !is_among(claims, item.id()));
        let ids: Vec<JobId> = items.iter().map(|item| item.id()).collect();
        let Ok(waiting) = rows::on_their_way(self.engine.domain(), &ids).await else { return };
        items.retain(|item| waiting.contains(&item.id()));
        if items.is_empty() {
            return;
        }
        let (engine, kind) = (self.engine.clone(), self.kind);
        tokio::spawn(async move {
            let _ = timeout(HELD, std::future::pending::<()>()).await;
            if let Err(error) = engine.push_items(kind, &items).await {
                tracing::debug!(%error, %kind, "jobs that were held wait for the sweep");
            }
        });
    }
}

fn is_among(claims: &[Claimed], id: JobId) -> bool {
    claims.iter().any(|claimed| claimed.id == id)
}
