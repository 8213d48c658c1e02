//! Confirmation of e-mail addresses: the owner of an address opens a link and presses a button. Anyone can
//! create a channel for any address, so the number of links that are mailed to an address is limited across
//! all accounts.

use async_recursion::async_recursion as boxed;
use entities::channel::{self, ChannelKind, ChannelStatus};
use entities::channel_address;
use entities::ids::{AccountId, ChannelId};
use hmac::{Hmac, KeyInit, Mac};
use identity::limits::AccountLimits;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter,
};
use sha2::Sha256;

use super::text::NOTICES;
use super::{activation, capacity, rows, sql};
use identity::accounts;
use identity::limits::window::RatePolicy;
use identity::mail::{self, MailKind, NewMail};
use jobs::Submitted;
use kernel::clock::DAY;
use kernel::email::mailbox_of;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result, secrets};
use language::Key;

/// Maximum number of links that are mailed to an address until its owner uses one. At most one link per day is mailed.
const MAX_LINKS: i32 = 3;
/// Limit on links that one account mails, to any address. It prevents an account from sending mail to many people by
/// creating and deleting channels.
const LINKS: [RatePolicy; 1] = [RatePolicy::sliding("channel-links", 20, 86_400)];
/// Context string bound into the signature of confirmation links.
const BINDING: &str = "channel confirmation";

/// Address to be confirmed by a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    pub address: String,
    /// True if the address is already confirmed.
    pub is_done: bool,
}

/// Mails another link to the address of a channel.
///
/// # Errors
/// `not_found`; `invalid_request` if the channel needs no confirmation; `rate_limited` if too many links were
/// mailed.
#[boxed]
pub async fn request_confirmation(
    domain: &Domain,
    account_id: AccountId,
    id: ChannelId,
) -> Result<Option<Submitted>> {
    let key = address_key(domain).await?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = rows::load(&transaction, account_id, id).await?;
    if row.status != ChannelStatus::Unconfirmed {
        return Err(Error::new(Code::InvalidRequest, "This address needs no confirmation."));
    }
    let job = mail_link(&transaction, domain, &row, &key).await?;
    transaction.commit().await?;
    Ok(job)
}

/// Counts a link to the address of a channel and enqueues its mail.
pub(super) async fn mail_link(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &channel::Model,
    key: &[u8],
) -> Result<Option<Submitted>> {
    let counter = format!("channel-links:{}", row.account_id);
    let decision = domain.limits().windows().check(&counter, &LINKS, domain.now()).await;
    if !decision.allowed {
        return Err(Error::new(
            Code::RateLimited,
            "Twenty confirmation links were mailed for this account within a day. Try again later.",
        )
        .retry_after(decision.retry_after()));
    }
    let hash = address_hash(key, &row.shown);
    if !sql::count_link(transaction, &hash, domain.now(), MAX_LINKS).await? {
        return Err(Error::new(
            Code::RateLimited,
            "A link was already mailed to this address. It gets one link a day, and three in all until it is confirmed.",
        )
        .retry_after(u32::try_from(DAY / 1000).unwrap_or(u32::MAX)));
    }
    let number = row.confirmations + 1;
    let counted = channel::ActiveModel { id: Set(row.id), confirmations: Set(number), ..Default::default() };
    counted.update(transaction).await?;
    let new = NewMail {
        kind: MailKind::ChannelConfirm,
        cause: format!("channel-confirm:{}:{number}", row.id),
        to: row.shown.clone(),
        account_id: Some(row.account_id),
    };
    mail::enqueue(transaction, domain, new).await
}

/// Loads the key for the hashes of addresses. It must not be loaded within a transaction.
pub(super) async fn address_key(domain: &Domain) -> Result<[u8; 32]> {
    secrets::load(domain, "channel addresses").await
}

/// Hash under which links to an address are counted. All addresses of a mailbox have the same hash.
pub(super) fn address_hash(key: &[u8], address: &str) -> Vec<u8> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(mailbox_of(address).as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Subject and text of a confirmation mail. `None` if the channel was deleted or no longer needs a link. The mail
/// contains no text that the requesting account wrote.
#[boxed]
pub async fn write_confirmation(domain: &Domain, cause: &str) -> Result<Option<(String, String)>> {
    let mut parts = cause.split(':').skip(1);
    let id = parts.next().and_then(|id| id.parse::<ChannelId>().ok());
    let number = parts.next().and_then(|number| number.parse::<i32>().ok());
    let (Some(id), Some(number)) = (id, number) else { return Ok(None) };
    let Some(row) = channel::Entity::of_any_owner(id).one(domain.db().read()).await? else { return Ok(None) };
    if row.status != ChannelStatus::Unconfirmed || row.confirmations != number {
        return Ok(None);
    }
    let origin = &domain.policy().account_url;
    let payload = [id.as_bytes().as_slice(), &number.to_be_bytes()].concat();
    let link = domain.cursor_key().await?.seal(BINDING, &payload);
    let language = accounts::message_language(domain.db().read(), row.account_id).await?;
    let text = NOTICES
        .text(language, Key("confirm-body"))
        .with("origin", origin.as_str())
        .with("link", format!("{origin}/notices/confirm?link={link}"))
        .get();
    Ok(Some((NOTICES.text(language, Key("confirm-subject")).get(), format!("{text}\n"))))
}

/// Returns the address that a link confirms. Opening the link does not confirm it.
///
/// # Errors
/// `not_found` if the link is invalid or not the newest one, or if its channel was deleted.
#[boxed]
pub async fn find_confirmation(domain: &Domain, link: &str) -> Result<Confirmation> {
    let row = find(domain, link).await?;
    Ok(Confirmation { is_done: row.status != ChannelStatus::Unconfirmed, address: row.shown })
}

/// Confirms an address by its link. The channel gets the messages that it missed, unless the plan allows no
/// further active channel.
///
/// # Errors
/// Same as for [`find_confirmation`].
#[boxed]
pub async fn confirm(domain: &Domain, link: &str) -> Result<Confirmation> {
    let row = find(domain, link).await?;
    let key = address_key(domain).await?;
    let transaction = domain.db().begin().await?;
    let plan = domain.policy().tiers.of(accounts::lock(&transaction, row.account_id).await?);
    let row = rows::load(&transaction, row.account_id, row.id).await?;
    if row.status == ChannelStatus::Unconfirmed {
        match capacity::require_active_capacity(&transaction, row.account_id, plan).await {
            Ok(()) => activation::activate(&transaction, domain, &row).await?,
            Err(error) if matches!(error.code, Code::LimitReached | Code::PlanRequired) => {
                capacity::switch_off(&transaction, domain, &row).await?
            }
            Err(error) => return Err(error),
        };
        let hash = address_hash(&key, &row.shown);
        channel_address::Entity::delete_by_id(hash).exec(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(Confirmation { address: row.shown, is_done: true })
}

async fn find(domain: &Domain, link: &str) -> Result<channel::Model> {
    let void = || not_found("link: a newer one was sent, or the channel is gone");
    let payload = domain.cursor_key().await?.open(BINDING, link).ok_or_else(void)?;
    let (id, number) = payload.split_at_checked(16).ok_or_else(void)?;
    let id = ChannelId::from_slice(id).ok_or_else(void)?;
    let number = i32::from_be_bytes(number.try_into().map_err(|_| void())?);
    let row = channel::Entity::of_any_owner(id)
        .filter(channel::Column::Kind.eq(ChannelKind::Mail))
        .one(domain.db().write())
        .await?;
    row.filter(|row| row.confirmations == number).ok_or_else(void)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_addresses_of_one_mailbox_are_counted_as_one_address() {
        let key = [7; 32];
        let hash = |address: &str| address_hash(&key, address);
        assert_eq!(hash("me+news@example.org"), hash("Me@example.org"));
        assert_eq!(hash("m.e+1@googlemail.com"), hash("me@gmail.com"));
        assert_ne!(hash("m.e@example.org"), hash("me@example.org"), "other providers may distinguish dots");
        assert_ne!(hash("+a@example.org"), hash("+b@example.org"), "a name that is only a suffix is a name");
    }
}
