//! Operations of users on their channels: create, list, update, test, and delete.

use async_recursion::async_recursion as boxed;
use entities::channel::{self, ChannelKind, ChannelStatus};
use entities::ids::{AccountId, ChannelId, NoticeId};
use entities::notice::{self, NoticeKind};
use identity::limits::AccountLimits;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::channel::{Channel, Digest, SentMessage};
use super::confirmation;
use super::destination::{Destination, NewDestination};
use super::dispatch::{self, NoticeRow};
use super::message::{MessageContent, NoticeSubject};
use super::message_templates::example_content;
use super::rows::{load, unknown_channel};
use super::text::NOTICES;
use super::{body, schedule, services, sql};
use identity::accounts;
use identity::limits::check_plan_limit;
use identity::limits::window::RatePolicy;
use jobs::Submitted;
use kernel::bounds::MAX_NOTIFIED;
use kernel::clock::{DAY, SECOND};
use kernel::vault::Vault;
use kernel::{Code, Domain, Error, Millis, Result};
use language::Key;

/// Maximum number of characters in a channel's name.
pub const MAX_NAME_CHARS: usize = 80;
/// Maximum number of messages in the list of a channel.
const MAX_LISTED: u64 = 50;
/// Rate limit for test messages of an account.
const TESTS: [RatePolicy; 1] = [RatePolicy::sliding("channel-tests", 5, 3600)];

#[derive(Clone, Copy, Debug)]
pub struct NewChannel<'a> {
    pub kind: ChannelKind,
    pub destination: NewDestination<'a>,
    pub settings: ChannelSettings<'a>,
}

/// Settings of a channel that can be changed at any time.
#[expect(clippy::struct_excessive_bools, reason = "each field is an independent setting")]
#[derive(Clone, Copy, Debug)]
pub struct ChannelSettings<'a> {
    pub name: &'a str,
    /// Time of the daily digest as `HH:MM`. If empty, messages are sent immediately.
    pub digest: &'a str,
    /// IANA time zone for the time of the daily digest. If empty, the zone is UTC.
    pub zone: &'a str,
    /// True if the channel gets notices about credits, sign-ins, keys, and apps.
    pub account_news: bool,
    /// True if the daily digest also contains the content of the page Today. Only for mail.
    pub digest_today: bool,
    /// True if the daily digest also contains the highlights that are due for review.
    pub digest_review: bool,
    /// True if messages about new entries contain their texts. Only messages to webhooks can contain texts.
    pub entry_texts: bool,
    /// True if the channel gets messages about items that are saved to the library.
    pub saved_items: bool,
}

/// Validated settings.
#[expect(clippy::struct_excessive_bools, reason = "each field is an independent setting")]
struct ValidSettings {
    name: String,
    digest_minute: Option<i32>,
    zone: String,
    account_news: bool,
    digest_today: bool,
    digest_review: bool,
    entry_texts: bool,
    saved_items: bool,
}

/// Created channel.
pub struct Created {
    pub channel: Channel,
    /// Secret of a webhook. It is returned only on creation.
    pub secret: Option<String>,
    /// Job that mails a confirmation link. The caller must push it.
    pub job: Option<Submitted>,
}

impl std::fmt::Debug for Created {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let channel = &self.channel;
        formatter.debug_struct("Created").field("channel", channel).finish_non_exhaustive()
    }
}

/// Creates a channel. A mail address must be confirmed by a link before messages are sent to it. Other
/// channels are active immediately.
///
/// # Errors
/// `invalid_request` and `url_not_allowed` with the field; `limit_reached`; `rate_limited` if too many links
/// were mailed to the address; `invalid_request` for mail if this service sends no mail.
pub async fn create(domain: &Domain, account_id: AccountId, new: NewChannel<'_>) -> Result<Created> {
    if new.kind == ChannelKind::Mail && !domain.policy().sends_mail {
        let message =
            "This service sends no mail. Its operator can set CARREL_SMTP_URL and CARREL_MAIL_FROM.";
        return Err(Error::new(Code::InvalidRequest, message).at("kind", message));
    }
    let checked = check(new.kind, new.settings)?;
    let (destination, masked_address) = services::enter(domain, new.kind, new.destination)?;
    let (vault, key) = (Vault::of(domain, body::VAULT).await?, confirmation::address_key(domain).await?);
    let id: ChannelId = domain.new_id();
    let sealed = seal(domain, &vault, id, &destination)?;
    let is_mail = new.kind == ChannelKind::Mail;
    let row = channel::Model {
        id,
        account_id,
        kind: new.kind,
        name: checked.name,
        sealed,
        status: if is_mail { ChannelStatus::Unconfirmed } else { ChannelStatus::Active },
        off_reason: None,
        off_at: None,
        account_news: checked.account_news,
        digest_minute: checked.digest_minute,
        zone: checked.zone,
        digest_today: checked.digest_today,
        digest_review: checked.digest_review,
        address_hash: is_mail.then(|| confirmation::address_hash(&key, &masked_address)),
        shown: masked_address,
        secret_rotated_at: None,
        failing_since: None,
        failures: 0,
        refusals: 0,
        confirmations: 0,
        last_success_at: None,
        created_at: domain.now(),
        template: None,
        title_template: None,
        entry_texts: checked.entry_texts,
        saved_items: checked.saved_items,
    };
    let transaction = domain.db().begin().await?;
    let plan = domain.policy().tiers.of(accounts::lock(&transaction, account_id).await?);
    let used = count(&transaction, account_id).await?;
    check_plan_limit("channels", plan.notification_channels.into(), used)?;
    let model: channel::ActiveModel = row.clone().into();
    channel::Entity::insert(model.reset_all()).exec_without_returning(&transaction).await?;
    let job = if is_mail { confirmation::mail_link(&transaction, domain, &row, &key).await? } else { None };
    transaction.commit().await?;
    Ok(Created { channel: row.into(), secret: destination.secret_text(), job })
}

fn seal(domain: &Domain, vault: &Vault, id: ChannelId, destination: &Destination) -> Result<Vec<u8>> {
    let plain = serde_json::to_vec(destination).map_err(Error::internal)?;
    vault.seal(domain, id.as_bytes(), plain)
}

fn check(kind: ChannelKind, settings: ChannelSettings<'_>) -> Result<ValidSettings> {
    let wrong =
        |field: &'static str, message: &str| Error::new(Code::InvalidRequest, message).at(field, message);
    let name = settings.name.trim();
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(wrong("name", "Give the channel a name of at most 80 characters."));
    }
    let digest_minute = match settings.digest.trim() {
        "" => None,
        text => Some(i32::from(Digest::of_field(text)?.minute)),
    };
    let zone = match settings.zone.trim() {
        "" => "UTC",
        zone => zone,
    };
    if schedule::zone(zone).is_none() {
        return Err(wrong("zone", "Enter the name of a time zone, like Europe/Berlin or UTC."));
    }
    if settings.digest_today && kind != ChannelKind::Mail {
        return Err(wrong("digestToday", "Only e-mail channels can include the content of Today."));
    }
    if (settings.digest_today || settings.digest_review) && digest_minute.is_none() {
        return Err(wrong("digest", "Enter the time of the daily message, like 08:00."));
    }
    Ok(ValidSettings {
        name: name.to_owned(),
        digest_minute,
        zone: zone.to_owned(),
        account_news: settings.account_news,
        digest_today: settings.digest_today,
        digest_review: settings.digest_review,
        entry_texts: settings.entry_texts,
        saved_items: settings.saved_items,
    })
}

/// Number of channels of an account.
pub async fn count(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    Ok(channel::Entity::owned_by(account_id).count(connection).await?)
}

/// Lists the channels of an account, oldest first.
#[boxed]
pub async fn list(domain: &Domain, account_id: AccountId) -> Result<Vec<Channel>> {
    let rows = channel::Entity::owned_by(account_id).order_by_asc(channel::Column::Id);
    Ok(rows.all(domain.db().read()).await?.into_iter().map(Channel::from).collect())
}

/// Returns a channel of an account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn get(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<Channel> {
    load(domain.db().read(), account_id, id).await.map(Channel::from)
}

/// Lists the newest messages of a channel, with the state of their delivery.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn list_sent(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<Vec<SentMessage>> {
    load(domain.db().read(), account_id, id).await?;
    let rows = notice::Entity::owned_by(account_id)
        .filter(notice::Column::ChannelId.eq(id))
        .order_by_desc(notice::Column::Id)
        .limit(MAX_LISTED);
    Ok(rows.all(domain.db().read()).await?.into_iter().map(SentMessage::from).collect())
}

/// Checks that all channels that a monitor, a subscription, a collection, or a rule lists belong to the account, and
/// serializes the list.
///
/// # Errors
/// `not_found` if a channel does not belong to the account; `invalid_request` if there are too many channels.
pub async fn check_notify(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ChannelId],
) -> Result<String> {
    let mut known: Vec<ChannelId> = ids.to_vec();
    known.sort_unstable();
    known.dedup();
    if known.len() > MAX_NOTIFIED {
        return Err(Error::invalid_field("notify", format!("must have at most {MAX_NOTIFIED} channels")));
    }
    if !known.is_empty() {
        let own =
            channel::Entity::owned_by(account_id).filter(channel::Column::Id.is_in(known.iter().copied()));
        if own.count(connection).await? != known.len() as u64 {
            return Err(unknown_channel());
        }
    }
    serde_json::to_string(&known).map_err(Error::internal)
}

/// Updates the settings of a channel. A digest that is already scheduled, and that messages wait for, is not
/// rescheduled.
///
/// # Errors
/// `not_found`; `invalid_request` with the field.
pub async fn update(
    domain: &Domain,
    account_id: AccountId,
    id: ChannelId,
    settings: ChannelSettings<'_>,
) -> Result<Channel> {
    let transaction = domain.db().begin().await?;
    // Locked before the channel, in the order of the transactions that write digests.
    accounts::lock(&transaction, account_id).await?;
    let kind = load(&transaction, account_id, id).await?.kind;
    let checked = check(kind, settings)?;
    let change = channel::ActiveModel {
        id: Set(id),
        name: Set(checked.name),
        digest_minute: Set(checked.digest_minute),
        zone: Set(checked.zone),
        account_news: Set(checked.account_news),
        digest_today: Set(checked.digest_today),
        digest_review: Set(checked.digest_review),
        entry_texts: Set(checked.entry_texts),
        saved_items: Set(checked.saved_items),
        ..Default::default()
    };
    let row = change.update(&transaction).await?;
    dispatch::ensure_daily_digest(&transaction, domain, &row).await?;
    transaction.commit().await?;
    Ok(row.into())
}

/// Replaces the secret of a webhook and returns the new secret. For one day, messages are signed with both
/// secrets.
///
/// # Errors
/// `not_found`; `invalid_request` if the channel has no secret.
#[boxed]
pub async fn rotate_secret(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<String> {
    let vault = Vault::of(domain, body::VAULT).await?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    let mut destination = body::open(&vault, &row)?;
    if destination.secret.is_none() {
        return Err(Error::new(Code::InvalidRequest, "This channel has no secret."));
    }
    destination.rotate(domain);
    let sealed = seal(domain, &vault, id, &destination)?;
    let rotated = channel::ActiveModel {
        id: Set(id),
        sealed: Set(sealed),
        secret_rotated_at: Set(Some(domain.now())),
        ..Default::default()
    };
    rotated.update(&transaction).await?;
    transaction.commit().await?;
    destination.secret_text().ok_or_else(|| Error::internal("rotated secret is missing"))
}

/// Sends a test message to a channel.
///
/// # Errors
/// `not_found`; `invalid_request` if the channel is not active; `rate_limited` after five test messages in an
/// hour, and for mail if the daily limit of the plan is reached.
#[boxed]
pub async fn test(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<NoticeId> {
    let row = load(domain.db().read(), account_id, id).await?;
    if row.status != ChannelStatus::Active {
        return Err(Error::new(Code::InvalidRequest, "Only an active channel can be tested."));
    }
    let now: Millis = domain.now();
    let key = format!("channel-tests:{account_id}");
    let decision = domain.limits().windows().check(&key, &TESTS, now).await;
    if !decision.allowed {
        let message = "Five tests were sent within an hour. Try again later.";
        return Err(Error::new(Code::RateLimited, message).retry_after(decision.retry_after()));
    }
    let link = format!("{}/settings/channels/{id}", domain.policy().account_url);
    let transaction = domain.db().begin().await?;
    let language = accounts::message_language(&transaction, account_id).await?;
    let title = NOTICES.text(language, Key("test-title")).get();
    let text = NOTICES.text(language, Key("test-text")).get();
    let mut content = MessageContent::new(&title, &text, link, now);
    if row.template.is_some() || row.title_template.is_some() {
        // The templates may need the fields of a change.
        let example = example_content(&transaction, account_id, id).await?;
        (content.monitor, content.source, content.changed) =
            (example.monitor, example.source, example.changed);
    }
    if row.kind == ChannelKind::Mail && !dispatch::has_mail_left(&transaction, domain, account_id).await? {
        let message = "Your plan's mails for today are used up. Try again tomorrow (UTC).";
        return Err(Error::new(Code::RateLimited, message).retry_after(seconds_of_today(now)));
    }
    let cause = format!("test:{}", domain.new_id::<NoticeId>());
    let (kind, subject, waits_for) = (NoticeKind::Test, NoticeSubject::Account, None);
    let test = NoticeRow { channel: &row, cause, kind, subject, content: &content, due_at: now, waits_for };
    let written = dispatch::write(&transaction, domain, test).await?;
    transaction.commit().await?;
    written.ok_or_else(|| Error::internal("test message was not written"))
}

/// Number of seconds until the end of the UTC day of `now`.
fn seconds_of_today(now: Millis) -> u32 {
    u32::try_from((DAY - now.rem_euclid(DAY)) / SECOND).unwrap_or(u32::MAX)
}

/// Deletes a channel with its messages.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete(domain: &Domain, account_id: AccountId, id: ChannelId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    sql::remove_channel(&transaction, account_id, id).await?;
    notice::Entity::delete_many().filter(notice::Column::ChannelId.eq(row.id)).exec(&transaction).await?;
    channel::Entity::delete_by_id(row.id).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}
