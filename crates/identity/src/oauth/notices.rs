//! What people are told by mail of the apps that they allowed: each new one, and each that was ended because a token
//! of it was used twice.

use entities::ids::{AccountId, GrantId, JobId};
use entities::oauth_grant::GrantEnd;
use entities::{account, oauth_grant};
use sea_orm::{ConnectionTrait, DatabaseTransaction, EntityTrait};

use super::grants::finish;
use super::scopes;
use crate::mail::{self, MailKind, NewMail};
use jobs::Submitted;
use kernel::clock::rfc3339;
use kernel::code::Code;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::scope::Scope;

/// What happened to a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// It was made.
    Made,
    /// It was ended: a code or token of it was used twice.
    Reused,
}

impl Notice {
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

/// Writes down that the owner is to be told, in the transaction of what happened. Where no mail is sent, nothing is;
/// where too much waits, the person finds it on the page alone: what happened must not wait for it.
pub(super) async fn tell(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    notice: Notice,
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
            tracing::warn!(grant = %id, "too much mail waits to tell of a grant");
            Ok(None)
        }
        told => told,
    }
}

/// Ends a grant of which something was used twice, for good, and has its owner told.
pub(super) async fn end_reused(
    transaction: DatabaseTransaction,
    domain: &Domain,
    grant: &oauth_grant::Model,
) -> Result<()> {
    let was_live = finish(&transaction, grant.id, GrantEnd::Reuse, domain.now()).await?;
    let mail = if was_live {
        tell(&transaction, domain, Notice::Reused, (grant.id, grant.account_id)).await?
    } else {
        None
    };
    transaction.commit().await?;
    // Nobody here has a queue: the next sweep finds it.
    let waits: Vec<JobId> = mail.map(|job| job.id).into_iter().collect();
    jobs::unmark_pushed(domain, &waits).await
}

/// Subject and text of a mail of this cause; `None` when the grant is gone.
pub async fn write_notice(domain: &Domain, notice: Notice, cause: &str) -> Result<Option<(String, String)>> {
    let id = cause.split(':').nth(1).and_then(|id| id.parse::<GrantId>().ok());
    let Some(id) = id else { return Ok(None) };
    let Some(grant) = oauth_grant::Entity::of_any_owner(id).one(domain.db().read()).await? else {
        return Ok(None);
    };
    let origin = &domain.policy().account_url;
    let may = if scopes::of_row(&grant.scopes).allow(Scope::Write) { "read and change" } else { "read" };
    let facts = format!(
        "  It says it is: \"{}\" (nobody has verified the name)\n  It returns to: {}\n  It may: {may}\n  Allowed: {}\n",
        grant.client_name.replace('"', "'"),
        grant.client_host,
        rfc3339(grant.created_at),
    );
    let (subject, body) = match notice {
        Notice::Made => (
            "An app was connected to your Carrel account",
            format!(
                "An app was allowed to use your account at {origin}.\n\n{facts}\n\
                 If that was you, there is nothing to do. If it was not, end its access and set a new password:\n\n\
                 {origin}/settings/apps\n"
            ),
        ),
        Notice::Reused => (
            "The access of an app to your Carrel account was ended",
            format!(
                "A token of this app was used a second time, as happens when somebody has copied it. The access of \
                 the app was ended at once, with all its tokens.\n\n{facts}\n\
                 If you still use the app, connect it again. What your apps and keys did lately:\n\n{origin}/settings\n"
            ),
        ),
    };
    Ok(Some((subject.to_owned(), body)))
}
