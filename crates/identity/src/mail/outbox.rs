//! Mail outbox: rows of mails to send, one per event.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::mail::{self, MailKind};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

use jobs::{JobKind, NewJob, Submitted};
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Retention of mail rows. It is longer than the time that all attempts to send a mail can take.
const RETENTION_MS: Millis = 7 * DAY;
const OLD_MAIL: ExpiredRows = ExpiredRows { table: "mail", key: "id", condition: "created_at <= $1" };

/// A mail to enqueue.
#[derive(Clone, Debug)]
pub struct NewMail {
    pub kind: MailKind,
    /// Key of the event that causes the mail. A second mail with the same key is not enqueued.
    pub cause: String,
    /// E-mail address of the recipient.
    pub to: String,
    /// Account that the mail is about. `None` if it is unknown.
    pub account_id: Option<AccountId>,
}

/// Inserts a mail and its job in the transaction of the event that causes it. Returns `None` if a mail with the
/// same key exists.
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
    let on_conflict = OnConflict::column(mail::Column::Cause).do_nothing().to_owned();
    let inserted_rows =
        mail::Entity::insert(row).on_conflict(on_conflict).exec_without_returning(transaction).await?;
    if inserted_rows == 0 {
        return Ok(None);
    }
    jobs::submit(transaction, domain, NewJob::new(JobKind::Mail, id.to_string())).await.map(Some)
}

/// Deletes mails past their retention and returns their number.
#[boxed]
pub async fn remove_old(domain: &Domain) -> Result<u64> {
    OLD_MAIL.delete(domain.db().write(), &[(domain.now() - RETENTION_MS).into()]).await
}
