//! Sign-up, if the operator allows it.
//!
//! The answer reveals whether an address already has an account: without mail, there is no other way to
//! inform a person who forgot that they have one. A limit per network makes probing of addresses slow.
//! Ownership of the address is not verified.

use crate::limits::AccountLimits;
use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use entities::{account, invite};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait,
    QuerySelect, SqlErr,
};
use sha2::{Digest, Sha256};

use super::account::Account;
use super::browser::{BrowserToken, SignedIn};
use super::field_error::field;
use super::passwords::{self, Passwords};
use super::{reserved_email, sessions, sign_in};
use crate::limits::Network;
use crate::limits::window::RatePolicy;
use kernel::email::normalize_email;
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, Result};

/// Limit on new accounts from one network.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("sign-up", 10, 3600)];

/// Sign-up policy of the installation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signups {
    /// Anyone may sign up.
    #[default]
    Open,
    /// Sign-up is closed; operators create accounts.
    Closed,
    /// Sign-up needs an invitation.
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

/// Sign-up request.
pub struct SignUp<'a> {
    /// E-mail address for signing in.
    pub email: &'a str,
    pub password: &'a str,
    /// Invitation code. `None` if the person entered none.
    pub invite: Option<&'a str>,
    /// Network of the request, for its limit.
    pub network: &'a Network,
}

/// Creates an account and signs it in.
///
/// # Errors
/// `invalid_request` with the field in its details; `signup_closed` and `invite_required`; `name_taken` if the address
/// already has an account; `rate_limited` if one network creates too many accounts.
pub async fn sign_up(
    domain: &Domain,
    passwords: &Passwords,
    signups: Signups,
    request: SignUp<'_>,
) -> Result<(Account, SignedIn)> {
    let hash = match (signups, request.invite.map(str::trim).filter(|code| !code.is_empty())) {
        (Signups::Closed, _) => return Err(closed()),
        (Signups::Invite, None) => return Err(field("invite", "You need an invitation to sign up here.")),
        (Signups::Invite, Some(code)) => Some(invite_hash(code)),
        (Signups::Open, _) => None,
    };
    let email = normalize_email(request.email)?;
    passwords::check(request.password, &email)?;
    charge(domain, request.network).await?;
    let password_hash = passwords.hash(domain, request.password).await?;
    let transaction = domain.db().begin().await?;
    let tier = match hash {
        Some(hash) => redeem_invite(domain, &transaction, hash).await?,
        None => first_tier(domain, &transaction).await?,
    };
    let row = insert(domain, &transaction, email, password_hash, tier).await?;
    let session = sessions::open(domain, &transaction, row.id).await?;
    transaction.commit().await?;
    let browser = BrowserToken::issue(domain, row.id, row.password_changed_at).await?;
    Ok((Account::from(row), SignedIn { session, browser }))
}

/// Counts a new account against the limit of its network.
pub(super) async fn charge(domain: &Domain, network: &Network) -> Result<()> {
    let counters = network.counters("sign-up", &PER_NETWORK);
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    match charges.refusal() {
        Some(refusal) => Err(sign_in::too_many("Too many accounts were created from this network.", refusal)),
        None => Ok(()),
    }
}

/// Returns the plan of a new account. If an installation can be reached only from its own network, the first
/// account belongs to the person who runs the machine and gets the largest plan. On a public installation, an
/// operator must set the plan.
pub(super) async fn first_tier(domain: &Domain, transaction: &DatabaseTransaction) -> Result<Tier> {
    if exists(transaction).await? || lost_first_account_race(transaction).await? {
        return Ok(Tier::Free);
    }
    if domain.policy().is_private() {
        return Ok(Tier::Pro);
    }
    tracing::info!("the first account is on the free plan; `carrel account set-tier EMAIL pro` changes it");
    Ok(Tier::Free)
}

/// Returns whether a concurrent request created the first account. On PostgreSQL, it takes a table lock,
/// which waits until concurrent requests have committed. On SQLite, transactions are exclusive anyway.
async fn lost_first_account_race(transaction: &DatabaseTransaction) -> Result<bool> {
    match transaction.get_database_backend() {
        DbBackend::Postgres => {
            transaction.execute_unprepared("LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE").await?;
            exists(transaction).await
        }
        _ => Ok(false),
    }
}

/// Returns whether any account exists. If none does, the home page explains how to create one.
#[boxed]
pub async fn any_account(domain: &Domain) -> Result<bool> {
    exists(domain.db().read()).await
}

async fn exists(connection: &impl ConnectionTrait) -> Result<bool> {
    let first = account::Entity::find().select_only().column(account::Column::Id).into_tuple::<AccountId>();
    Ok(first.one(connection).await?.is_some())
}

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
        is_sample: Set(false),
        first_steps_closed_at: Set(None),
        language: Set(None),
        ..Default::default()
    };
    let row = match row.insert(transaction).await {
        Ok(row) => row,
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            return Err(taken());
        }
        Err(error) => return Err(error.into()),
    };
    // Checked after the insert, which waits for a concurrent change of the other account's address.
    if reserved_email::is_reserved(transaction, &row.email, row.id, now).await? {
        return Err(taken());
    }
    Ok(row)
}

/// Creates an invitation code. Returns the code and the hash that is stored.
pub(super) fn new_invite(domain: &Domain) -> (String, Vec<u8>) {
    let code = BASE64URL_NOPAD.encode(&domain.random::<16>());
    let hash = invite_hash(&code);
    (code, hash)
}

fn invite_hash(code: &str) -> Vec<u8> {
    Sha256::digest(code.as_bytes()).to_vec()
}

/// Redeems an invitation. If two requests use it at the same time, only one succeeds.
async fn redeem_invite(domain: &Domain, transaction: &DatabaseTransaction, hash: Vec<u8>) -> Result<Tier> {
    let not_valid = || field("invite", "This invitation is invalid or already used.");
    let row = invite::Entity::find_by_id(hash.clone()).one(transaction).await?;
    let row = row.filter(|row| row.expires_at > domain.now()).ok_or_else(not_valid)?;
    let deletion = invite::Entity::delete_by_id(hash).exec(transaction).await?;
    if deletion.rows_affected == 0 {
        return Err(not_valid());
    }
    Ok(Tier::parse(&row.tier).unwrap_or_default())
}

fn taken() -> Error {
    Error::new(Code::NameTaken, "This e-mail address already has an account. Sign in instead.")
}

fn closed() -> Error {
    Error::new(Code::SignupClosed, "Sign-up is closed. Ask the operator of this service for an account.")
}
