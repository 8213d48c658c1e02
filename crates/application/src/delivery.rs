//! Sends the mail of a delivery job.

use async_recursion::async_recursion as boxed;
use entities::ids::MailId;
use entities::mail::{self, MailKind};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait};

use identity::accounts;
use identity::mail::mailer::{Letter, Mailer, SendError};
use jobs::Claimed;
use kernel::{Code, Domain, Error, Result};

use identity::oauth::{self, GrantNotice};
use identity::teams;

/// Sends the mail of a claimed job unless the mail was already sent, and completes the job.
///
/// # Errors
/// `service_unavailable` if the mail server may accept a retry, or if this worker has no mail server.
#[boxed]
pub async fn deliver(domain: &Domain, mailer: Option<&Mailer>, claimed: &Claimed) -> Result<()> {
    let Some(row) = find_unsent(domain, claimed).await? else { return jobs::complete(domain, claimed).await };
    let mailer = mailer.ok_or_else(|| unavailable("this worker has no mail server (CARREL_SMTP_URL)"))?;
    let Some(letter) = compose(domain, &row).await? else {
        return discard(domain, claimed, row.id).await;
    };
    let now = domain.now();
    let mut update = mail::ActiveModel { id: Set(row.id), ..Default::default() };
    match mailer.send(&letter).await {
        Ok(()) => update.sent_at = Set(Some(now)),
        Err(SendError::Temporary(reason)) => return Err(unavailable(reason)),
        Err(rejection @ (SendError::Refused(_) | SendError::UnknownRecipient(_))) => {
            tracing::warn!(mail = %row.id, error = %rejection, "mail rejected by server");
            update.refused_at = Set(Some(now));
        }
    }
    let transaction = domain.db().begin().await?;
    update.update(&transaction).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

async fn find_unsent(domain: &Domain, claimed: &Claimed) -> Result<Option<mail::Model>> {
    let Ok(id) = claimed.key.parse::<MailId>() else { return Ok(None) };
    let row = mail::Entity::of_any_owner(id).one(domain.db().write()).await?;
    Ok(row.filter(|row| row.sent_at.is_none() && row.refused_at.is_none()))
}

/// Composes a mail. Returns `None` if the mail no longer has a recipient. Each attempt gets new links,
/// because links of an earlier attempt may have expired; links that have not expired remain valid. All
/// attempts have the same message id, so that a mailbox shows a mail only once even if it was sent twice.
async fn compose(domain: &Domain, row: &mail::Model) -> Result<Option<Letter>> {
    let text = match row.kind {
        MailKind::PasswordReset => accounts::write_reset(domain, &row.recipient).await?,
        MailKind::GrantMade => oauth::write_notice(domain, GrantNotice::Made, &row.cause).await?,
        MailKind::GrantReused => oauth::write_notice(domain, GrantNotice::Reused, &row.cause).await?,
        MailKind::ChannelConfirm => notices::write_confirmation(domain, &row.cause).await?,
        MailKind::EmailChange => accounts::write_email_change(domain, &row.cause).await?,
        MailKind::EmailChanged => accounts::write_email_changed(domain, &row.cause).await?,
        MailKind::TeamInvitation => teams::write_invitation(domain, &row.cause).await?,
    };
    Ok(text.map(|(subject, body)| Letter {
        id: row.id.to_string(),
        to: row.recipient.clone(),
        subject,
        body,
        html: None,
        date: row.created_at,
        unsubscribe: None,
    }))
}

/// Deletes a mail that no longer has a recipient, and completes its job.
async fn discard(domain: &Domain, claimed: &Claimed, id: MailId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    mail::Entity::delete_by_id(id).exec(&transaction).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

fn unavailable(reason: impl Into<String>) -> Error {
    Error::new(Code::ServiceUnavailable, reason)
}

#[cfg(test)]
mod tests;
