//! An account: its row, and the lock that protects its plan limits from concurrent requests.

use async_recursion::async_recursion as boxed;
use entities::account;
use entities::ids::AccountId;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QuerySelect};

use kernel::quotas::AccountQuotas;
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, Language, Millis, Result};

/// Maximum length of an appearance, in bytes.
const APPEARANCE_BYTES: usize = 200;

/// An account without its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// E-mail address for signing in, in lower case.
    pub email: String,
    pub tier: Tier,
    pub created_at: Millis,
    /// False if the account was created by single sign-on or the header of a proxy, and has no password yet.
    pub has_password: bool,
    /// Time at which an operator disabled the account. `None` if it is enabled.
    pub disabled_at: Option<Millis>,
    /// True if the account is an administrator of the installation.
    pub is_admin: bool,
    /// True if the account was created with sample data.
    pub is_sample: bool,
    /// Time at which the first steps were completed or closed. `None` if they are still displayed.
    pub first_steps_closed_at: Option<Millis>,
    /// Language of pages and messages. If `None`, the browser's header decides, and messages are English.
    pub language: Option<Language>,
    /// Appearance of pages, as the cookie of a browser stores it. If `None`, the cookie decides.
    pub appearance: Option<String>,
    /// Quotas that an operator set instead of limits of the plan.
    pub quotas: AccountQuotas,
}

impl From<account::Model> for Account {
    fn from(row: account::Model) -> Self {
        let quotas = quotas_from([
            row.quota_subscriptions, row.quota_monitors, row.quota_monthly_credits, row.quota_storage_bytes,
        ]);
        Self {
            id: row.id,
            tier: Tier::parse(&row.tier).unwrap_or_default(),
            email: row.email,
            created_at: row.created_at,
            has_password: !row.password_hash.is_empty(),
            disabled_at: row.disabled_at,
            is_admin: row.is_admin,
            is_sample: row.is_sample,
            first_steps_closed_at: row.first_steps_closed_at,
            language: row.language.as_deref().and_then(Language::parse),
            appearance: row.appearance,
            quotas,
        }
    }
}

/// Loads an account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn get(domain: &Domain, account_id: AccountId) -> Result<Account> {
    let row = account::Entity::find_by_id(account_id).one(domain.db().read()).await?;
    row.map(Account::from).ok_or_else(no_account)
}

/// Closes the first steps of an account. Closing them again changes nothing.
#[boxed]
pub async fn close_first_steps(domain: &Domain, account_id: AccountId) -> Result<()> {
    account::Entity::update_many()
        .set(account::ActiveModel { first_steps_closed_at: Set(Some(domain.now())), ..Default::default() })
        .filter(account::Column::Id.eq(account_id))
        .filter(account::Column::FirstStepsClosedAt.is_null())
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Sets the language of an account's pages and messages. If `None`, the browser's header decides, and messages
/// are English.
#[boxed]
pub async fn set_language(domain: &Domain, account_id: AccountId, language: Option<Language>) -> Result<()> {
    let language = language.map(|language| language.tag().to_owned());
    account::Entity::update_many()
        .set(account::ActiveModel { language: Set(language), ..Default::default() })
        .filter(account::Column::Id.eq(account_id))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Sets the appearance of an account's pages: words separated by dots, as the cookie of a browser stores them.
///
/// # Errors
/// `invalid_request` if the appearance is longer than 200 bytes or has other characters.
#[boxed]
pub async fn set_appearance(domain: &Domain, account_id: AccountId, appearance: String) -> Result<()> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if appearance.len() > APPEARANCE_BYTES || !appearance.bytes().all(is_allowed) {
        return Err(Error::invalid_field("appearance", "must be words separated by dots"));
    }
    account::Entity::update_many()
        .set(account::ActiveModel { appearance: Set(Some(appearance)), ..Default::default() })
        .filter(account::Column::Id.eq(account_id))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Locks an account's row until the end of the transaction and returns its tier, so that two requests cannot
/// both use the last unit of a limit. The lock does not block inserts of rows that refer to the account,
/// which could deadlock.
pub async fn lock(transaction: &impl ConnectionTrait, account_id: AccountId) -> Result<Tier> {
    let row = lock_row(transaction, account_id).await?.ok_or_else(no_account)?;
    Ok(Tier::parse(&row.tier).unwrap_or_default())
}

/// Returns the language of messages to an account: English if the account has not chosen one.
pub async fn message_language(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Language> {
    let row = account::Entity::find_by_id(account_id).one(connection).await?;
    Ok(row.and_then(|row| row.language).as_deref().and_then(Language::parse).unwrap_or_default())
}

/// Returns whether the account exists and is not disabled.
pub async fn is_active(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<bool> {
    let row = account::Entity::find_by_id(account_id).one(connection).await?;
    Ok(row.is_some_and(|row| row.disabled_at.is_none()))
}

/// Loads the account row and locks it until the end of the transaction.
pub(super) async fn lock_row(
    transaction: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<Option<account::Model>> {
    let mut query = account::Entity::find_by_id(account_id);
    if transaction.get_database_backend() == DbBackend::Postgres {
        query = query.lock(LockType::NoKeyUpdate);
    }
    Ok(query.one(transaction).await?)
}

/// Converts the columns for feeds, monitors, credits, and storage to quotas.
pub(super) fn quotas_from([feeds, monitors, credits, storage]: [Option<i64>; 4]) -> AccountQuotas {
    let count = |stored: Option<i64>| stored.and_then(|stored| u32::try_from(stored).ok());
    AccountQuotas {
        rss_subscriptions: count(feeds),
        web_monitors: count(monitors),
        web_monitor_monthly_credits: count(credits),
        library_storage_bytes: storage.and_then(|stored| u64::try_from(stored).ok()),
    }
}

pub(super) fn no_account() -> Error {
    Error::new(Code::NotFound, "There is no such account.")
}
