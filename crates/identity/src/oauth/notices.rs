//! Mails that notify a person of each new grant, and of each grant that was revoked because a token was
//! reused.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, GrantId, JobId};
use entities::oauth_grant::GrantEnd;
use entities::{account, oauth_grant};
use sea_orm::{ConnectionTrait, DatabaseTransaction, EntityTrait};

use super::scopes;
use crate::accounts;
use crate::granted_access::end_grant;
use crate::mail::{self, MAILS, MailKind, NewMail};
use jobs::Submitted;
use kernel::{Code, Domain, Language, Result, Scope, rfc3339};
use language::Key;

/// Event of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantNotice {
    /// The grant was created.
    Made,
    /// The grant was revoked because a code or token was used twice.
    Reused,
}

impl GrantNotice {
    const fn kind(self) -> MailKind {
        match self {
            Self::Made => MailKind::GrantMade,
            Self::Reused => MailKind::GrantReused,
        }
    }

    fn cause(self, id: GrantId) -> String {
        match self {
            Self::Made => format!("grant-made:{id}"),
            Self::Reused => format!("grant-reused:{id}"),
        }
    }
}

/// Queues the mail to the owner in the transaction of the event. Without a mail server, no mail is queued. If
/// the mail queue is full, no mail is queued either, so that the event does not fail; the owner sees it on
/// the account page.
pub(super) async fn notify(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    notice: GrantNotice,
    (id, account_id): (GrantId, AccountId),
) -> Result<Option<Submitted>> {
    if !domain.policy().sends_mail {
        return Ok(None);
    }
    let Some(owner) = account::Entity::find_by_id(account_id).one(transaction).await? else {
        return Ok(None);
    };
    let new = NewMail {
        kind: notice.kind(),
        cause: notice.cause(id),
        to: owner.email,
        account_id: Some(account_id),
    };
    match mail::enqueue(transaction, domain, new).await {
        Err(error) if error.code == Code::CapacityExhausted => {
            tracing::warn!(grant = %id, "mail queue is full, grant notice dropped");
            Ok(None)
        }
        result => result,
    }
}

/// Revokes a grant because of reuse, commits, and notifies its owner.
pub(super) async fn end_reused(
    transaction: DatabaseTransaction,
    domain: &Domain,
    grant: &oauth_grant::Model,
) -> Result<()> {
    let was_live = end_grant(&transaction, grant.id, GrantEnd::Reuse, domain.now()).await?;
    let mail = if was_live {
        notify(&transaction, domain, GrantNotice::Reused, (grant.id, grant.account_id)).await?
    } else {
        None
    };
    transaction.commit().await?;
    // This module cannot push jobs; the next sweep pushes the job.
    let mail_jobs: Vec<JobId> = mail.map(|job| job.id).into_iter().collect();
    jobs::unmark_pushed(domain, &mail_jobs).await
}

/// Returns the subject and the text of the mail about the event with this key. `None` if the grant no longer
/// exists.
#[boxed]
pub async fn write_notice(
    domain: &Domain,
    notice: GrantNotice,
    cause: &str,
) -> Result<Option<(String, String)>> {
    let id = cause.split(':').nth(1).and_then(|id| id.parse::<GrantId>().ok());
    let Some(id) = id else { return Ok(None) };
    let Some(grant) = oauth_grant::Entity::of_any_owner(id).one(domain.db().read()).await? else {
        return Ok(None);
    };
    let origin = &domain.policy().account_url;
    let language = accounts::message_language(domain.db().read(), grant.account_id).await?;
    let (subject, event, advice) = match notice {
        GrantNotice::Made => {
            let event = MAILS.text(language, Key("grant-made-event")).with("origin", origin.as_str());
            let link = format!("{origin}/settings/apps");
            let advice = MAILS.text(language, Key("grant-made-advice")).with("link", link);
            (Key("grant-made-subject"), event, advice)
        }
        GrantNotice::Reused => {
            let link = format!("{origin}/settings");
            let advice = MAILS.text(language, Key("grant-reused-advice")).with("link", link);
            (Key("grant-reused-subject"), MAILS.text(language, Key("grant-reused-event")), advice)
        }
    };
    let text = format!("{}\n\n{}\n{}\n", event.get(), facts(language, &grant), advice.get());
    Ok(Some((MAILS.text(language, subject).get(), text)))
}

/// Returns the lines about a grant.
fn facts(language: Language, grant: &oauth_grant::Model) -> String {
    let may_change = scopes::of_row(&grant.scopes).allow(Scope::Write);
    let facts = [
        MAILS.text(language, Key("grant-name")).with("name", grant.client_name.replace('"', "'")),
        MAILS.text(language, Key("grant-host")).with("host", grant.client_host.as_str()),
        MAILS.text(language, if may_change { Key("grant-changes") } else { Key("grant-reads") }),
        MAILS.text(language, Key("grant-time")).with("time", rfc3339(grant.created_at)),
    ];
    let mut lines = String::new();
    for fact in facts {
        lines.push_str(&format!("  {}\n", fact.get()));
    }
    lines
}
