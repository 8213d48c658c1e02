//! What people are told of, each with its cause and its words.

use data_encoding::HEXLOWER;
use entities::ids::{AccountId, ChannelId, GrantId, KeyId};
use entities::monitor;
use entities::notice::NoticeKind;
use sea_orm::ConnectionTrait;

use super::message::Content;
use super::news::{Audience, News, tell};
use kernel::clock::{Millis, minute_in_words};
use kernel::error::Result;
use kernel::handle::Domain;

/// Of a month's credits, in per cent: when people are told for the first time.
const MUCH: i64 = 80;

/// A change that a monitor found: the change's id, its words, and the link of its page.
pub struct FoundChange<'a> {
    /// Names it.
    pub id: String,
    /// One line.
    pub title: &'a str,
    /// A few lines.
    pub summary: &'a str,
    /// Where it is shown.
    pub link: String,
}

/// A monitor found a change.
pub async fn monitor_changed(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: &monitor::Model,
    change: FoundChange<'_>,
) -> Result<()> {
    let content = Content::new(change.title, change.summary, change.link, domain.now());
    let cause = format!("change:{}", change.id);
    of_monitor(transaction, domain, row, (NoticeKind::Change, cause, content)).await
}

/// A monitor was given up, after failures since `since`.
pub async fn monitor_failed(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: &monitor::Model,
    (title, summary, since): (&str, &str, Millis),
) -> Result<()> {
    let link = format!("{}/monitors/{}", domain.policy().account_url, row.id);
    let content = Content::new(title, summary, link, domain.now());
    let cause = format!("failed:{}:{since}", row.id);
    of_monitor(transaction, domain, row, (NoticeKind::Failed, cause, content)).await
}

async fn of_monitor(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    row: &monitor::Model,
    (kind, cause, content): (NoticeKind, String, Content),
) -> Result<()> {
    let listed: Vec<ChannelId> = serde_json::from_str(&row.notify).unwrap_or_default();
    let content = content.of_monitor(&row.name, &row.target_url);
    let to = Audience::Listed(&listed);
    let news = News { account_id: row.account_id, cause, kind, monitor_id: Some(row.id), to, content };
    tell(transaction, domain, news).await
}

/// Credits were used: `used` of `limit` in `month`, `before` that `cost` less.
pub async fn credits_used(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (month, used, limit, cost): (i32, i64, i64, i64),
) -> Result<()> {
    let is_much = |used: i64| used * 100 >= limit * MUCH;
    if cost == 0 || limit == 0 {
        return Ok(());
    }
    if used >= limit {
        return out_of_credits(transaction, domain, account_id, month).await;
    }
    if is_much(used) && !is_much(used - cost) {
        let title = "80 % of this month's monitor credits are used";
        let text = format!(
            "{used} of {limit} credits are used. When none are left, monitors wait for the next month."
        );
        return of_credits(transaction, domain, account_id, (format!("credits80:{month}"), title, &text))
            .await;
    }
    Ok(())
}

/// A month's credits do not pay for every run any more.
pub async fn out_of_credits(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    month: i32,
) -> Result<()> {
    let title = "This month's monitor credits are used up";
    let text = "Monitors that cannot be paid for wait for the first hour of the next month.";
    of_credits(transaction, domain, account_id, (format!("credits100:{month}"), title, text)).await
}

async fn of_credits(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (cause, title, text): (String, &str, &str),
) -> Result<()> {
    let content = Content::new(title, text, settings(domain, "/plan"), domain.now());
    let news = of_account(account_id, cause, NoticeKind::Credits, content, None);
    tell(transaction, domain, news).await
}

/// Somebody signed in from `network` at a browser that was not known. `session` names the session and opens nothing.
pub async fn new_sign_in(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (session, network): (&[u8], &str),
) -> Result<()> {
    let text = format!(
        "A browser that this account did not know signed in from {network} on {}. If that was you, there is nothing \
         to do. If it was not, set a new password.",
        minute_in_words(domain.now())
    );
    let content =
        Content::new("Somebody signed in to your account", &text, settings(domain, ""), domain.now());
    let cause = format!("sign-in:{}", HEXLOWER.encode(session));
    let news = of_account(account_id, cause, NoticeKind::SignIn, content, None);
    tell(transaction, domain, news).await
}

/// A key was made.
pub async fn key_made(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
    (id, name): (KeyId, &str),
) -> Result<()> {
    let text = format!("Its name is “{name}”. If you did not make it, revoke it and set a new password.");
    let content = Content::new("An API key was made", &text, settings(domain, "/keys"), domain.now());
    let news = of_account(account_id, format!("key:{id}"), NoticeKind::Key, content, None);
    tell(transaction, domain, news).await
}

/// An app was allowed something. The account's own address is told by a mail of its own, where mail is sent.
pub async fn grant_made(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    (account_id, own_address): (AccountId, &str),
    (id, app): (GrantId, &str),
) -> Result<()> {
    let text = format!(
        "It says it is “{app}”; nobody has verified the name. If you did not allow it, end its access and set a new \
         password."
    );
    let title = "An app was connected to your account";
    let content = Content::new(title, &text, settings(domain, "/apps"), domain.now());
    let told = domain.policy().sends_mail.then_some(own_address);
    let news = of_account(account_id, format!("grant:{id}"), NoticeKind::Grant, content, told);
    tell(transaction, domain, news).await
}

fn of_account(
    account_id: AccountId,
    cause: String,
    kind: NoticeKind,
    content: Content,
    but_mail_to: Option<&str>,
) -> News<'_> {
    News { account_id, cause, kind, monitor_id: None, to: Audience::Account { but_mail_to }, content }
}

fn settings(domain: &Domain, page: &str) -> String {
    format!("{}/settings{page}", domain.policy().account_url)
}
