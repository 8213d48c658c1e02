//! Unsubscribing from a newsletter with one click (RFC 8058). A worker posts to the URL of the message through the
//! guard. Only a person can start it, and the URL must use https.

use std::time::Duration;

use articles::SourceFailure;
use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, InboxMessageId};
use entities::inbox_message::{self, Column, Entity, Model, UnsubscribeState};
use fetch::Fetcher;
use identity::accounts;
use jobs::{Claimed, JobError, JobKind, JobOutcome, NewJob, Submitted};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use crate::messages::InboxMessage;

/// Field of the form that a server expects.
const FIELD: (&str, &str) = ("List-Unsubscribe", "One-Click");
/// Total time of a request.
const DEADLINE: Duration = Duration::from_secs(20);

/// Requests to unsubscribe from the newsletter of a message. A request that is pending or was accepted is not
/// repeated. The caller pushes the job.
///
/// # Errors
/// `not_found`; `invalid_request` if the message does not offer one-click unsubscribing.
#[boxed]
pub async fn unsubscribe(
    domain: &Domain,
    account_id: AccountId,
    id: InboxMessageId,
) -> Result<(InboxMessage, Option<Submitted>)> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = Entity::owned_by(account_id).filter(Column::Id.eq(id)).one(&transaction).await?;
    let mut row = row.ok_or_else(|| not_found("message"))?;
    if one_click_url(&row).is_none() {
        return Err(Error::invalid_field("id", "is a message without one-click unsubscribe"));
    }
    if matches!(row.unsubscribe_state, Some(UnsubscribeState::Requested | UnsubscribeState::Completed)) {
        return Ok((row.into(), None));
    }
    row.unsubscribe_state = Some(UnsubscribeState::Requested);
    row.unsubscribe_at = Some(domain.now());
    row.unsubscribe_reason = None;
    update(&transaction, &row).await?;
    let job = NewJob::new(JobKind::InboxUnsubscribe, id.to_string()).owner(account_id);
    let job = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(job)))
}

/// Posts the request of a job, and records its result.
#[boxed]
pub(crate) async fn post(
    domain: &Domain,
    fetcher: &Fetcher,
    claimed: &Claimed,
) -> Result<JobOutcome, JobError> {
    let Some(mut row) = requested(domain, &claimed.key).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let Some(url) = one_click_url(&row) else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let fields = [(FIELD.0, FIELD.1.to_owned())];
    let reason = match fetcher.post_form(&url, &fields, DEADLINE).await {
        Ok(()) => None,
        Err(fault) => {
            let error = Error::from(SourceFailure::from(&fault));
            if error.is_transient() {
                return Err(error.into());
            }
            Some(error.code)
        }
    };
    record(domain, &mut row, reason);
    complete(domain, &row, claimed).await?;
    Ok(JobOutcome::Completed)
}

async fn complete(domain: &Domain, row: &Model, claimed: &Claimed) -> Result<()> {
    let transaction = domain.db().begin().await?;
    update(&transaction, row).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Records that a request was given up after several attempts.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let Some(mut row) = requested(domain, key).await? else { return Ok(()) };
    record(domain, &mut row, Some(Code::SourceUnreachable));
    update(domain.db().write(), &row).await
}

/// Returns the message with this id, if its request has no result yet.
async fn requested(domain: &Domain, key: &str) -> Result<Option<Model>> {
    let Ok(id) = key.parse::<InboxMessageId>() else { return Ok(None) };
    let row = Entity::of_any_owner(id).one(domain.db().write()).await?;
    Ok(row.filter(|row| row.unsubscribe_state == Some(UnsubscribeState::Requested)))
}

fn record(domain: &Domain, row: &mut Model, reason: Option<Code>) {
    row.unsubscribe_state =
        Some(if reason.is_none() { UnsubscribeState::Completed } else { UnsubscribeState::Failed });
    row.unsubscribe_at = Some(domain.now());
    row.unsubscribe_reason = reason.map(|code| code.as_str().to_owned());
}

/// Returns the URL of a message to which a request may be posted.
fn one_click_url(row: &Model) -> Option<String> {
    row.unsubscribe_url.clone().filter(|url| row.one_click && url.starts_with("https://"))
}

async fn update(connection: &impl ConnectionTrait, row: &Model) -> Result<()> {
    let change = inbox_message::ActiveModel {
        unsubscribe_state: Set(row.unsubscribe_state),
        unsubscribe_at: Set(row.unsubscribe_at),
        unsubscribe_reason: Set(row.unsubscribe_reason.clone()),
        ..Default::default()
    };
    Entity::update_many()
        .set(change)
        .filter(Column::Id.eq(row.id))
        .filter(Column::AccountId.eq(row.account_id))
        .exec(connection)
        .await?;
    Ok(())
}
