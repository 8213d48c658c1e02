//! Mail that is to be sent, as rows: one for each cause.

use entities::ids::AccountId;
use entities::mail::{self, MailKind};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::{DAY, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::retention::OldRows;

/// How long a mail's row is kept: longer than any of its tries.
const KEPT_MS: Millis = 7 * DAY;
/// Mail that is older.
const OLD_MAIL: OldRows = OldRows { table: "mail", key: "id", condition: "created_at <= $1" };

/// A mail to be written down.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// What it is about.
    pub kind: MailKind,
    /// Why it is sent. There is one mail for a cause, however often it is written down.
    pub cause: String,
    /// The e-mail address of whoever gets it.
    pub to: String,
    /// Whose account it is about, when that is known already.
    pub account_id: Option<AccountId>,
}

/// Writes a mail and its job down, in the transaction of its reason. `None` when there is one for this cause already.
pub async fn enqueue(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    new: NewMail,
) -> Result<Option<Submitted>> {
    let id = domain.new_id();
    let row = mail::ActiveModel {
        id: Set(id),
        kind: Set(new.kind),
        cause: Set(new.cause),
        recipient: Set(new.to),
        account_id: Set(new.account_id),
        created_at: Set(domain.now()),
        sent_at: Set(None),
        refused_at: Set(None),
    };
    let once = OnConflict::column(mail::Column::Cause).do_nothing().to_owned();
    let written = mail::Entity::insert(row).on_conflict(once).exec_without_returning(transaction).await?;
    if written == 0 {
        return Ok(None);
    }
    jobs::submit(transaction, domain, NewJob::new(JobKind::Mail, id.to_string())).await.map(Some)
}

/// Removes mails that are older than any of their tries. Returns how many rows went.
///
/// # Errors
/// What the database said.
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD_MAIL.delete(domain.db().write(), &[(domain.now() - KEPT_MS).into()]).await
}
