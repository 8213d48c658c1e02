//! Events that users are notified of, each with its key and text.

use data_encoding::HEXLOWER;
use entities::ids::{AccountId, ChannelId, GrantId, KeyId};
use entities::monitor;
use entities::notice::NoticeKind;
use sea_orm::ConnectionTrait;

use super::dispatch::{NewNotice, Recipients, notify, notify_from};
use super::message::{ChangedTexts, MessageContent, NoticeSubject};
use super::results::cause_of;
use super::text::NOTICES;
use identity::accounts::message_language;
use kernel::{Domain, Millis, Result};
use language::{Key, formats};

/// Percentage of the monthly credits whose use causes a notice that most of them are used.
const WARNING_PERCENT: i64 = 80;

/// A change that a monitor detected: its id, its texts, and the link to its page.
pub struct DetectedChange<'a> {
    pub id: String,
    /// Title on a single line.
    pub title: &'a str,
    /// Summary of a few lines.
    pub summary: &'a str,
    /// Texts of the change, for templates.
    pub changed: ChangedTexts,
    /// Public link to the change.
    pub link: String,
    /// Time before which no message is sent.
    pub not_before: Millis,
}

/// Notifies the channels of a monitor of a change that it detected.
pub async fn monitor_changed(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: &monitor::Model,
    change: DetectedChange<'_>,
) -> Result<()> {
    let content = MessageContent::new(change.title, change.summary, change.link, domain.now());
    let content = content.with_change(&change.changed);
    let cause = cause_of(&change.id);
    of_monitor(transaction, domain, row, (NoticeKind::Change, cause, content), change.not_before).await
}

/// Notifies the owner that a monitor was given up, after failures since `since`.
pub async fn monitor_failed(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: &monitor::Model,
    (title, summary, since): (&str, &str, Millis),
    not_before: Millis,
) -> Result<()> {
    let link = format!("{}/monitors/{}", domain.policy().account_url, row.id);
    let content = MessageContent::new(title, summary, link, domain.now());
    let cause = format!("failed:{}:{since}", row.id);
    of_monitor(transaction, domain, row, (NoticeKind::Failed, cause, content), not_before).await
}

async fn of_monitor(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: &monitor::Model,
    (kind, cause, content): (NoticeKind, String, MessageContent),
    not_before: Millis,
) -> Result<()> {
    let listed: Vec<ChannelId> = serde_json::from_str(&row.notify).unwrap_or_default();
    let content = content.with_monitor(&row.name, &row.target_url);
    let to = Recipients::Listed(&listed);
    let subject = NoticeSubject::Monitor(row.id);
    let news = NewNotice { account_id: row.account_id, cause, kind, subject, to, content };
    notify_from(transaction, domain, news, not_before).await
}

/// Notifies the owner if the last `cost` credits reached a threshold. `used` of `limit` credits are used in
/// `month`.
pub async fn credits_used(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (month, used, limit, cost): (i32, i64, i64, i64),
) -> Result<()> {
    let is_much = |used: i64| used * 100 >= limit * WARNING_PERCENT;
    if cost == 0 || limit == 0 {
        return Ok(());
    }
    if used >= limit {
        return out_of_credits(transaction, domain, account_id, month).await;
    }
    if is_much(used) && !is_much(used - cost) {
        let language = message_language(transaction, account_id).await?;
        let title = NOTICES.text(language, Key("credits-most-title")).get();
        let text =
            NOTICES.text(language, Key("credits-most-text")).with("used", used).with("limit", limit).get();
        let about = (format!("credits80:{month}"), title, text);
        return of_credits(transaction, domain, account_id, about).await;
    }
    Ok(())
}

/// Notifies the owner that the credits of a month no longer suffice for every run.
pub async fn out_of_credits(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    month: i32,
) -> Result<()> {
    let language = message_language(transaction, account_id).await?;
    let title = NOTICES.text(language, Key("credits-none-title")).get();
    let text = NOTICES.text(language, Key("credits-none-text")).get();
    of_credits(transaction, domain, account_id, (format!("credits100:{month}"), title, text)).await
}

async fn of_credits(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (cause, title, text): (String, String, String),
) -> Result<()> {
    let content = MessageContent::new(&title, &text, settings(domain, "/plan"), domain.now());
    let news = of_account(account_id, cause, NoticeKind::Credits, content, None);
    notify(transaction, domain, news).await
}

/// Notifies the owner of a sign-in from `network` with an unknown browser. `session` identifies the session,
/// but gives no access to it.
pub async fn new_sign_in(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (session, network): (&[u8], &str),
) -> Result<()> {
    let language = message_language(transaction, account_id).await?;
    let title = NOTICES.text(language, Key("sign-in-title")).get();
    let time = formats::minute(language, domain.now());
    let text = NOTICES.text(language, Key("sign-in-text")).with("network", network).with("time", time).get();
    let content = MessageContent::new(&title, &text, settings(domain, ""), domain.now());
    let cause = format!("sign-in:{}", HEXLOWER.encode(session));
    let news = of_account(account_id, cause, NoticeKind::SignIn, content, None);
    notify(transaction, domain, news).await
}

/// Notifies the owner of a change of the sign-in methods. `title` is the key of the title.
pub(crate) async fn sign_in_changed(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (title, at): (Key, Millis),
) -> Result<()> {
    let language = message_language(transaction, account_id).await?;
    let time = formats::minute(language, at);
    let text = NOTICES.text(language, Key("sign-in-changed-text")).with("time", time).get();
    let words = NOTICES.text(language, title).get();
    let content = MessageContent::new(&words, &text, settings(domain, ""), domain.now());
    let cause = format!("sign-in-changed:{}:{at}", title.0);
    let news = of_account(account_id, cause, NoticeKind::SignIn, content, None);
    notify(transaction, domain, news).await
}

/// Notifies the owner of a new API key.
pub async fn key_made(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (id, name): (KeyId, &str),
) -> Result<()> {
    let language = message_language(transaction, account_id).await?;
    let title = NOTICES.text(language, Key("key-title")).get();
    let text = NOTICES.text(language, Key("key-text")).with("name", name).get();
    let content = MessageContent::new(&title, &text, settings(domain, "/keys"), domain.now());
    let news = of_account(account_id, format!("key:{id}"), NoticeKind::Key, content, None);
    notify(transaction, domain, news).await
}

/// Notifies the owner of a new grant. If this service sends mail, the address of the account gets a separate
/// mail.
pub async fn grant_made(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    (account_id, own_address): (AccountId, &str),
    (id, app): (GrantId, &str),
) -> Result<()> {
    let language = message_language(transaction, account_id).await?;
    let title = NOTICES.text(language, Key("app-title")).get();
    let text = NOTICES.text(language, Key("app-text")).with("app", app).get();
    let content = MessageContent::new(&title, &text, settings(domain, "/apps"), domain.now());
    let excluded_address = domain.policy().sends_mail.then_some(own_address);
    let news = of_account(account_id, format!("grant:{id}"), NoticeKind::Grant, content, excluded_address);
    notify(transaction, domain, news).await
}

fn of_account(
    account_id: AccountId,
    cause: String,
    kind: NoticeKind,
    content: MessageContent,
    but_mail_to: Option<&str>,
) -> NewNotice<'_> {
    let (subject, to) = (NoticeSubject::Account, Recipients::Account { but_mail_to });
    NewNotice { account_id, cause, kind, subject, to, content }
}

fn settings(domain: &Domain, page: &str) -> String {
    format!("{}/settings{page}", domain.policy().account_url)
}
