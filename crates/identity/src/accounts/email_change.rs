//! Change of an account's e-mail address. A link that is mailed to the new address confirms the change. Then a link
//! that is mailed to the old address can revert it for seven days, so that a person whose session and password were
//! stolen can recover the account. Sessions and keys are unaffected by a change, and apps, except those that send the
//! address or, as Fever apps do, a digest of it.
//!
//! A request does not reveal whether the new address has an account: only the mail to that address does.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::{AccountId, EmailChangeId};
use entities::{account, email_change};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    QueryFilter, SqlErr,
};
use sha2::{Digest, Sha256};

use super::account::{Account, lock_row, message_language, no_account};
use super::field_error::field;
use super::owner_proof::{OwnerProof, prove};
use super::passwords::{self, Passwords};
use super::sign_in::{self, ExistingAccess};
use super::{operators, reserved_email, second_factor};
use crate::limits::AccountLimits;
use crate::limits::window::{Charges, Counter, RatePolicy};
use crate::mail::{self, MAILS, MailKind, NewMail};
use jobs::Submitted;
use kernel::clock::DAY;
use kernel::email::{mailbox_of, normalize_email};
use kernel::{Class, Code, Domain, Error, Millis, Result};
use language::Key;

/// Time within which the new address must be confirmed.
const CONFIRM_MS: Millis = DAY;
/// Time within which a confirmed change can be reverted.
const UNDO_MS: Millis = 7 * DAY;
/// Limit on links that one account mails, to any address.
const PER_ACCOUNT: [RatePolicy; 1] = [RatePolicy::sliding("email-change", 20, 86_400)];
/// Limit on links that one account mails to one mailbox. It is lower than [`PER_MAILBOX`], so that another
/// account cannot use up the links of the mailbox's owner.
const PER_ACCOUNT_AND_MAILBOX: [RatePolicy; 1] = [RatePolicy::sliding("email-change", 3, 86_400)];
/// Limit on links mailed to one mailbox, across all accounts.
const PER_MAILBOX: [RatePolicy; 1] = [RatePolicy::sliding("email-change", 6, 86_400)];
/// Context string bound into the signature of confirmation links.
const CONFIRM_BINDING: &str = "e-mail change";
/// Context string bound into the signature of revert links.
const UNDO_BINDING: &str = "e-mail change undo";

/// Request to change the e-mail address.
pub struct ChangeEmail<'a> {
    pub proof: OwnerProof<'a>,
    /// New address.
    pub new: &'a str,
}

/// Change of an e-mail address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailChange {
    pub old_email: String,
    pub new_email: String,
    /// Time at which the link of the change expires.
    pub expires_at: Millis,
}

impl From<email_change::Model> for EmailChange {
    fn from(row: email_change::Model) -> Self {
        Self { old_email: row.old_email, new_email: row.new_email, expires_at: row.expires_at }
    }
}

/// Mails a link to the new address. The address of the account changes when the link is used. An earlier
/// request that was not confirmed becomes invalid. A password change also makes the request invalid.
///
/// # Errors
/// `invalid_request` with the field in its details; `rate_limited` after too many wrong passwords, codes, or
/// links; `capacity_exhausted` if too much mail is queued.
pub async fn request_email_change(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    change: ChangeEmail<'_>,
) -> Result<Option<Submitted>> {
    if !domain.policy().sends_mail {
        return Err(field("email", "This service sends no e-mail. Ask its operator to change your address."));
    }
    let new_email = normalize_email(change.new)?;
    let owner = sign_in::owner(domain, account_id).await?;
    if new_email == owner.email {
        return Err(field("email", "This is already the e-mail address of your account."));
    }
    let charges = charge(domain, account_id, &new_email).await?;
    let result = write_request(domain, passwords, &owner, (new_email, change.proof)).await;
    if result.is_err() {
        domain.limits().windows().refund_each(&charges).await;
    }
    result
}

async fn charge(domain: &Domain, account_id: AccountId, new_email: &str) -> Result<Charges> {
    let mailbox = BASE64URL_NOPAD.encode(&Sha256::digest(mailbox_of(new_email).as_bytes()));
    let counters = vec![
        Counter { key: format!("email-change:{account_id}"), policies: PER_ACCOUNT.to_vec() },
        Counter {
            key: format!("email-change:{account_id}:m:{mailbox}"),
            policies: PER_ACCOUNT_AND_MAILBOX.to_vec(),
        },
        Counter { key: format!("email-change:m:{mailbox}"), policies: PER_MAILBOX.to_vec() },
    ];
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    match charges.refusal() {
        Some(refusal) => Err(sign_in::too_many("Too many links were mailed.", refusal)),
        None => Ok(charges),
    }
}

async fn write_request(
    domain: &Domain,
    passwords: &Passwords,
    owner: &account::Model,
    (new_email, proof): (String, OwnerProof<'_>),
) -> Result<Option<Submitted>> {
    let transaction = prove(domain, passwords, owner.id, proof).await?;
    let (id, now) = (domain.new_id::<EmailChangeId>(), domain.now());
    sign_in::delete_pending_email_change(&transaction, owner.id).await?;
    let row = email_change::ActiveModel {
        id: Set(id),
        account_id: Set(owner.id),
        old_email: Set(owner.email.clone()),
        new_email: Set(new_email.clone()),
        created_at: Set(now),
        confirmed_at: Set(None),
        expires_at: Set(now + CONFIRM_MS),
    };
    row.insert(&transaction).await?;
    let new = NewMail {
        kind: MailKind::EmailChange,
        cause: format!("email-change:{id}"),
        to: new_email,
        account_id: Some(owner.id),
    };
    let submitted = mail::enqueue(&transaction, domain, new).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Returns the unconfirmed change of an account's address.
#[boxed]
pub async fn pending_email_change(domain: &Domain, account_id: AccountId) -> Result<Option<EmailChange>> {
    let row = email_change::Entity::owned_by(account_id)
        .filter(email_change::Column::ConfirmedAt.is_null())
        .filter(email_change::Column::ExpiresAt.gt(domain.now()))
        .one(domain.db().read())
        .await?;
    Ok(row.map(EmailChange::from))
}

/// Cancels the unconfirmed change. Succeeds if there is none.
#[boxed]
pub async fn cancel_email_change(domain: &Domain, account_id: AccountId) -> Result<()> {
    sign_in::delete_pending_email_change(domain.db().write(), account_id).await
}

/// Returns the change that a link confirms, without confirming it.
///
/// # Errors
/// `not_found` if the link is invalid or no longer valid.
#[boxed]
pub async fn find_email_change(domain: &Domain, link: &str) -> Result<EmailChange> {
    let id = id_of(domain, CONFIRM_BINDING, link).await?;
    let row = load(domain.db().read(), id, domain.now()).await?;
    row.filter(|row| row.confirmed_at.is_none()).map(EmailChange::from).ok_or_else(void)
}

/// Confirms a change by the link that was mailed to the new address: the account gets this address. Password reset
/// links become invalid, and the old address gets a mail with a link that reverts the change.
///
/// # Errors
/// `not_found` if the link is invalid or no longer valid; `name_taken` if another account has the address.
#[boxed]
pub async fn confirm_email_change(domain: &Domain, link: &str) -> Result<(EmailChange, Option<Submitted>)> {
    let id = id_of(domain, CONFIRM_BINDING, link).await?;
    let now = domain.now();
    let account_id = load(domain.db().read(), id, now).await?.ok_or_else(void)?.account_id;
    let transaction = domain.db().begin().await?;
    let owner = lock_row(&transaction, account_id).await?.ok_or_else(void)?;
    let row = load(&transaction, id, now).await?;
    let row = row.filter(|row| row.confirmed_at.is_none() && row.old_email == owner.email);
    let row = row.ok_or_else(void)?;
    write_email(&transaction, owner.id, &row.new_email).await?;
    if reserved_email::is_reserved(&transaction, &row.new_email, owner.id, now).await? {
        return Err(taken());
    }
    let confirmed = email_change::ActiveModel {
        id: Set(id),
        confirmed_at: Set(Some(now)),
        expires_at: Set(now + UNDO_MS),
        ..Default::default()
    };
    let row = confirmed.update(&transaction).await?;
    sign_in::void_links(&transaction, owner.id).await?;
    let submitted = notify_old_address(&transaction, domain, &row).await?;
    transaction.commit().await?;
    Ok((EmailChange::from(row), submitted))
}

async fn notify_old_address(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &email_change::Model,
) -> Result<Option<Submitted>> {
    if !domain.policy().sends_mail {
        return Ok(None);
    }
    let new = NewMail {
        kind: MailKind::EmailChanged,
        cause: format!("email-changed:{}", row.id),
        to: row.old_email.clone(),
        account_id: Some(row.account_id),
    };
    mail::enqueue(transaction, domain, new).await
}

/// Returns the change that a link reverts, without reverting it.
///
/// # Errors
/// `not_found` if the link is invalid or no longer valid.
#[boxed]
pub async fn find_email_undo(domain: &Domain, link: &str) -> Result<EmailChange> {
    find_confirmed(domain, link).await.map(EmailChange::from)
}

/// Reverts a change by the link that was mailed to the old address, and sets a new password. Newer changes of the
/// address are reverted too, and a second factor that was added since the change was requested is removed. All
/// sessions, passkeys, keys, and app grants are revoked, because another person may have changed the address.
///
/// # Errors
/// `not_found` if the link is invalid or no longer valid; `invalid_request` for an unacceptable password; `name_taken`
/// if another account has the address.
pub async fn undo_email_change(
    domain: &Domain,
    passwords: &Passwords,
    link: &str,
    new_password: &str,
) -> Result<EmailChange> {
    let row = find_confirmed(domain, link).await?;
    passwords::check(new_password, &row.old_email)?;
    let password_hash = passwords.hash(domain, new_password).await?;
    let transaction = domain.db().begin().await?;
    lock_row(&transaction, row.account_id).await?.ok_or_else(void)?;
    let row = load(&transaction, row.id, domain.now()).await?.ok_or_else(void)?;
    write_email(&transaction, row.account_id, &row.old_email).await?;
    let access = ExistingAccess::End;
    sign_in::write_password(domain, &transaction, row.account_id, password_hash, access).await?;
    let factor = second_factor::load(&transaction, row.account_id).await?;
    if factor.is_some_and(|factor| factor.created_at >= row.created_at) {
        second_factor::remove(&transaction, row.account_id).await?;
    }
    email_change::Entity::delete_many()
        .filter(email_change::Column::AccountId.eq(row.account_id))
        .filter(email_change::Column::CreatedAt.gte(row.created_at))
        .exec(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(EmailChange::from(row))
}

async fn find_confirmed(domain: &Domain, link: &str) -> Result<email_change::Model> {
    let id = id_of(domain, UNDO_BINDING, link).await?;
    let row = load(domain.db().read(), id, domain.now()).await?;
    row.filter(|row| row.confirmed_at.is_some()).ok_or_else(void)
}

/// Changes the address of an account on behalf of an operator, without any mail. Sessions stay open. Links that
/// confirm or revert earlier changes become invalid: another person may have caused these changes.
///
/// # Errors
/// `not_found`; `invalid_request` for an unacceptable new address; `name_taken` if another account has it.
#[boxed]
pub async fn set_email(domain: &Domain, email: &str, new_email: &str) -> Result<Account> {
    let account = operators::find(domain, email).await?;
    let new_email = normalize_email(new_email)?;
    let transaction = domain.db().begin().await?;
    lock_row(&transaction, account.id).await?.ok_or_else(no_account)?;
    write_email(&transaction, account.id, &new_email).await?;
    email_change::Entity::delete_many()
        .filter(email_change::Column::AccountId.eq(account.id))
        .exec(&transaction)
        .await?;
    sign_in::void_links(&transaction, account.id).await?;
    transaction.commit().await?;
    Ok(Account { email: new_email, ..account })
}

async fn write_email(transaction: &DatabaseTransaction, account_id: AccountId, email: &str) -> Result<()> {
    let row =
        account::ActiveModel { id: Set(account_id), email: Set(email.to_owned()), ..Default::default() };
    match row.update(transaction).await {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Err(taken()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the subject and the text of the mail to the new address. `None` if the request is invalid or was
/// already confirmed. The mail contains no text that the requesting account wrote.
#[boxed]
pub async fn write_email_change(domain: &Domain, cause: &str) -> Result<Option<(String, String)>> {
    let row = row_of_cause(domain, cause).await?;
    let Some(row) = row.filter(|row| row.confirmed_at.is_none()) else { return Ok(None) };
    let origin = &domain.policy().account_url;
    let language = message_language(domain.db().read(), row.account_id).await?;
    let request = MAILS.text(language, Key("email-request")).with("origin", origin.as_str()).get();
    let (subject, advice) = if has_account(domain, &row).await? {
        (Key("email-taken-subject"), MAILS.text(language, Key("email-taken-advice")))
    } else {
        let link = domain.cursor_key().await?.seal(CONFIRM_BINDING, row.id.as_bytes());
        let advice = MAILS
            .text(language, Key("email-confirm-advice"))
            .with("link", format!("{origin}/settings/email/confirm?link={link}"));
        (Key("email-confirm-subject"), advice)
    };
    let text = format!("{request}\n\n{}\n", advice.get());
    Ok(Some((MAILS.text(language, subject).get(), text)))
}

async fn has_account(domain: &Domain, row: &email_change::Model) -> Result<bool> {
    match operators::find(domain, &row.new_email).await {
        Ok(_) => Ok(true),
        Err(error) if error.class() == Class::NotFound => {
            reserved_email::is_reserved(domain.db().read(), &row.new_email, row.account_id, domain.now())
                .await
        }
        Err(error) => Err(error),
    }
}

/// Returns the subject and the text of the mail to the old address. `None` if the change was reverted.
#[boxed]
pub async fn write_email_changed(domain: &Domain, cause: &str) -> Result<Option<(String, String)>> {
    let row = row_of_cause(domain, cause).await?;
    let Some(row) = row.filter(|row| row.confirmed_at.is_some()) else { return Ok(None) };
    let origin = &domain.policy().account_url;
    let link = domain.cursor_key().await?.seal(UNDO_BINDING, row.id.as_bytes());
    let language = message_language(domain.db().read(), row.account_id).await?;
    let text = MAILS
        .text(language, Key("email-changed-body"))
        .with("origin", origin.as_str())
        .with("before", row.old_email.as_str())
        .with("after", row.new_email.as_str())
        .with("link", format!("{origin}/settings/email/undo?link={link}"))
        .get();
    Ok(Some((MAILS.text(language, Key("email-changed-subject")).get(), format!("{text}\n"))))
}

async fn row_of_cause(domain: &Domain, cause: &str) -> Result<Option<email_change::Model>> {
    let id = cause.split_once(':').and_then(|(_, id)| id.parse::<EmailChangeId>().ok());
    let Some(id) = id else { return Ok(None) };
    load(domain.db().read(), id, domain.now()).await
}

async fn id_of(domain: &Domain, binding: &str, link: &str) -> Result<EmailChangeId> {
    let payload = domain.cursor_key().await?.open(binding, link).ok_or_else(void)?;
    EmailChangeId::from_slice(&payload).ok_or_else(void)
}

async fn load(
    connection: &impl ConnectionTrait,
    id: EmailChangeId,
    now: Millis,
) -> Result<Option<email_change::Model>> {
    let row = email_change::Entity::of_any_owner(id).one(connection).await?;
    Ok(row.filter(|row| row.expires_at > now))
}

fn taken() -> Error {
    Error::new(Code::NameTaken, "Another account has this e-mail address.")
}

fn void() -> Error {
    Error::new(
        Code::NotFound,
        "This link is no longer valid. It was used, it expired, a newer one was sent, or the password was changed.",
    )
}
