//! What it takes to charge a download to exactly one account: asking for an extraction only when nobody
//! has just made one, and knowing afterwards whether a body was downloaded.

use entities::ids::JobId;
use entities::{job, source};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::store::{self, Freshness};
use super::{Address, Article, Stored};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;
use crate::jobs;

/// How old a kept text may be that is served when the account's fresh extractions are used up.
pub const FALLBACK_SECONDS: u32 = 7 * 86_400;

/// Asks for an extraction of `address`, or joins the one under way; `None` when one has ended since the
/// caller looked, so that the kept answer will do. The check stands in the transaction that writes the
/// job: of many who find a text too old at the same moment, one makes it new.
///
/// # Errors
/// `capacity_exhausted` when too many extractions wait.
pub async fn submit_if_needed(
    domain: &Domain,
    address: &Address,
    freshness: Freshness,
) -> Result<Option<jobs::Submitted>> {
    let transaction = domain.db().begin().await?;
    store::ensure_source(&transaction, domain.now(), address).await?;
    let job = jobs::NewJob::new(jobs::JobKind::Extraction, address.key.clone());
    let submitted = jobs::submit(&transaction, domain, job).await?;
    if !submitted.joined {
        // Read after the job's row was written: whoever ended the job before committed this with it.
        let row = source::Entity::find_by_id(&address.key).one(&transaction).await?;
        if row.is_some_and(|row| store::is_answer(&row, domain.now(), freshness)) {
            transaction.rollback().await?;
            domain.articles().forget(&address.key);
            return Ok(None);
        }
    }
    transaction.commit().await?;
    Ok(Some(submitted))
}

/// The extraction of `address` that is waiting or running, if there is one.
pub async fn under_way(domain: &Domain, address: &Address) -> Result<Option<JobId>> {
    let live = job::Entity::find()
        .filter(job::Column::Kind.eq(jobs::JobKind::Extraction.as_str()))
        .filter(job::Column::Key.eq(&address.key))
        .filter(job::Column::State.is_in([job::State::Ready, job::State::Running]))
        .one(domain.db().read())
        .await?;
    Ok(live.map(|job| job.id))
}

/// Whether a body of `address` was downloaded at `since` or later, whatever became of it.
pub async fn downloaded_since(domain: &Domain, address: &Address, since: Millis) -> Result<bool> {
    let row = source::Entity::find_by_id(&address.key).one(domain.db().read()).await?;
    Ok(row.and_then(|row| row.downloaded_at).is_some_and(|at| at >= since))
}

/// A kept text of `address` that was confirmed in the last seven days, and its age in seconds.
pub async fn fallback(domain: &Domain, address: &Address) -> Result<Option<(Article, u32)>> {
    let week = Freshness::seconds(FALLBACK_SECONDS);
    let article = match store::look_up(domain, address, week).await? {
        Stored::Fresh(article) | Stored::Stale(Some(article)) => article,
        Stored::Failed(_) | Stored::Stale(None) => return Ok(None),
    };
    let row = source::Entity::find_by_id(&address.key).one(domain.db().read()).await?;
    let confirmed = row.and_then(|row| row.checked_at).unwrap_or(article.fetched_at);
    let age = u32::try_from((domain.now() - confirmed).max(0) / 1000).unwrap_or(u32::MAX);
    Ok((age <= FALLBACK_SECONDS).then_some((article, age)))
}
