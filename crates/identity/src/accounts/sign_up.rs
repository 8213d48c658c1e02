//! Signing up, as far as the operator lets people.
//!
//! It says whether an address has an account already: without mail there is no other way to tell somebody
//! who forgot. The limit of each network bounds what can be asked so, and no address is proven to be
//! its owner's.

use crate::limits::AccountLimits;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use entities::{account, invite};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait,
    QuerySelect, SqlErr,
};
use sha2::{Digest, Sha256};

use super::{Account, BrowserToken, Passwords, SignedIn, field, passwords, sessions};
use crate::limits::Network;
use crate::limits::window::RatePolicy;
use kernel::code::Code;
use kernel::email::normalize_email;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::tiers::Tier;

/// Accounts that one network may make in an hour.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("sign-up", 10, 3600)];

/// Who may sign up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signups {
    /// Everybody.
    #[default]
    Open,
    /// Nobody; operators make accounts.
    Closed,
    /// Whoever has an invitation.
    Invite,
}

impl std::str::FromStr for Signups {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "open" => Ok(Self::Open),
            "closed" => Ok(Self::Closed),
            "invite" => Ok(Self::Invite),
            other => Err(format!("`{other}` is not one of open, closed, invite")),
        }
    }
}

/// What somebody who signs up sends.
pub struct SignUp<'a> {
    /// The address to sign in with.
    pub email: &'a str,
    /// The password.
    pub password: &'a str,
    /// The invitation's code, where one is needed.
    pub invite: Option<&'a str>,
    /// The network that asks, for its limit.
    pub network: &'a Network,
}

/// Makes an account and signs it in.
///
/// # Errors
/// `invalid_request` with the field in its details; `signup_closed` and `invite_required`; `name_taken`
/// when the address has an account; `rate_limited` when one network address makes many.
pub async fn sign_up(
    domain: &Domain,
    passwords: &Passwords,
    signups: Signups,
    request: SignUp<'_>,
) -> Result<(Account, SignedIn)> {
    let hash = match (signups, request.invite.map(str::trim).filter(|code| !code.is_empty())) {
        (Signups::Closed, _) => return Err(closed()),
        (Signups::Invite, None) => return Err(field("invite", "An invitation is needed to sign up here.")),
        (Signups::Invite, Some(code)) => Some(invite_hash(code)),
        (Signups::Open, _) => None,
    };
    let email = normalize_email(request.email)?;
    passwords::check(request.password, &email)?;
    let counters = request.network.counters("sign-up", &PER_NETWORK);
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        return Err(super::sign_in::too_many("Too many accounts were made from this network.", refusal));
    }
    let password_hash = passwords.hash(domain, request.password).await?;
    let transaction = domain.db().begin().await?;
    let tier = match hash {
        Some(hash) => take_invite(domain, &transaction, hash).await?,
        None => first_tier(domain, &transaction).await?,
    };
    let row = insert(domain, &transaction, email, password_hash, tier).await?;
    let session = sessions::open(domain, &transaction, row.id).await?;
    transaction.commit().await?;
    let browser = BrowserToken::issue(domain, row.id, row.password_changed_at).await?;
    Ok((Account::from(row), SignedIn { session, browser }))
}

/// The plan of whoever signs up. The first one on an installation that only its own network reaches runs the
/// machine, and gets the largest plan; on a public one an operator says so.
async fn first_tier(domain: &Domain, transaction: &DatabaseTransaction) -> Result<Tier> {
    if exists(transaction).await? || is_second(transaction).await? {
        return Ok(Tier::Free);
    }
    if domain.policy().is_private() {
        return Ok(Tier::Pro);
    }
    tracing::info!(
        "the first account is on the plan free; `carrel account set-tier EMAIL pro` gives it another"
    );
    Ok(Tier::Free)
}

/// Whether somebody else made the first account at the same moment. Whoever seems to be first waits here until the
/// others are done; on SQLite the transaction holds everything anyway.
async fn is_second(transaction: &DatabaseTransaction) -> Result<bool> {
    match transaction.get_database_backend() {
        DbBackend::Postgres => {
            transaction.execute_unprepared("LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE").await?;
            exists(transaction).await
        }
        _ => Ok(false),
    }
}

/// Whether there is any account yet: the first visit is told how to make one.
///
/// # Errors
/// `Unavailable` when the database cannot tell.
pub async fn any_account(domain: &Domain) -> Result<bool> {
    exists(domain.db().read()).await
}

async fn exists(connection: &impl ConnectionTrait) -> Result<bool> {
    let first = account::Entity::find().select_only().column(account::Column::Id).into_tuple::<AccountId>();
    Ok(first.one(connection).await?.is_some())
}

/// Writes the row of a new account.
pub(super) async fn insert(
    domain: &Domain,
    transaction: &DatabaseTransaction,
    email: String,
    password_hash: String,
    tier: Tier,
) -> Result<account::Model> {
    let now = domain.now();
    let row = account::ActiveModel {
        id: Set(domain.new_id()),
        email: Set(email),
        password_hash: Set(password_hash),
        tier: Set(tier.as_str().to_owned()),
        created_at: Set(now),
        password_changed_at: Set(now),
        disabled_at: Set(None),
        is_admin: Set(false),
    };
    match row.insert(transaction).await {
        Ok(row) => Ok(row),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            Err(Error::new(Code::NameTaken, "This e-mail address has an account already. Sign in instead."))
        }
        Err(error) => Err(error.into()),
    }
}

/// The code of a new invitation, and what is stored of it.
pub(super) fn new_invite(domain: &Domain) -> (String, Vec<u8>) {
    let code = BASE64URL_NOPAD.encode(&domain.random::<16>());
    let hash = invite_hash(&code);
    (code, hash)
}

fn invite_hash(code: &str) -> Vec<u8> {
    Sha256::digest(code.as_bytes()).to_vec()
}

/// Uses an invitation up. Of two who try at once, one has it.
async fn take_invite(domain: &Domain, transaction: &DatabaseTransaction, hash: Vec<u8>) -> Result<Tier> {
    let not_valid = || field("invite", "This invitation is not valid, or was used already.");
    let row = invite::Entity::find_by_id(hash.clone()).one(transaction).await?;
    let row = row.filter(|row| row.expires_at > domain.now()).ok_or_else(not_valid)?;
    let taken = invite::Entity::delete_by_id(hash).exec(transaction).await?;
    if taken.rows_affected == 0 {
        return Err(not_valid());
    }
    Ok(Tier::parse(&row.tier).unwrap_or_default())
}

fn closed() -> Error {
    Error::new(Code::SignupClosed, "Nobody can sign up here. Ask whoever runs this service for an account.")
}
