//! Sign-in by a header of a trusted reverse proxy, which has authenticated the person. The surface accepts the header
//! only from the operator's proxies; its value is the e-mail address of an account.

use entities::account;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::account::Account;
use super::external_sign_in::{self, AutomaticSignUp, ExternalSignIn};
use super::sign_in::{self, SignInOrigin, SignInProof};
use super::sign_up;
use crate::limits::AccountLimits;
use crate::limits::window::{Counter, RatePolicy};
use kernel::email::normalize_email;
use kernel::hash::hash64;
use kernel::{Class, Code, Domain, Error, Result};

/// Limit on sign-ins of one person. It bounds the sessions of a client that stores no cookies.
const PER_PERSON: [RatePolicy; 1] = [RatePolicy::sliding("sign-in", 30, 900)];

/// Person whom a trusted proxy names. Only the surface that checked the sender of the header creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyPerson(String);

impl ProxyPerson {
    /// Parses the value of the header.
    ///
    /// # Errors
    /// `invalid_credential` if it is not an e-mail address.
    pub fn parse(value: &str) -> Result<Self> {
        normalize_email(value).map(Self).map_err(|_| unusable())
    }

    pub fn email(&self) -> &str {
        &self.0
    }

    /// True if the person has this account.
    pub fn owns(&self, account: &Account) -> bool {
        self.0 == account.email
    }
}

/// Signs in a person whom a trusted proxy names, and creates an account for an unknown person if `sign_up` allows it.
///
/// # Errors
/// `invalid_credential` if the value of the header is unusable, or the account is disabled; `signup_closed` if the
/// person has no account and none is created automatically; `name_taken` if the e-mail address is reserved for another
/// account; `rate_limited` after too many sign-ins.
pub async fn sign_in_by_proxy(
    domain: &Domain,
    sign_up: AutomaticSignUp,
    person: Result<ProxyPerson>,
    origin: SignInOrigin<'_>,
) -> Result<ExternalSignIn> {
    let completed = match person {
        Ok(person) => complete(domain, sign_up, &person, &origin).await,
        Err(error) => Err(error),
    };
    if let Err(error) = &completed
        && !matches!(error.class(), Class::Unavailable | Class::Internal)
    {
        tracing::info!(code = error.code.as_str(), "sign-in by the header of the proxy refused");
    }
    completed
}

async fn complete(
    domain: &Domain,
    sign_up: AutomaticSignUp,
    person: &ProxyPerson,
    origin: &SignInOrigin<'_>,
) -> Result<ExternalSignIn> {
    charge(domain, person).await?;
    let condition = account::Column::Email.eq(person.email());
    match account::Entity::find().filter(condition).one(domain.db().read()).await? {
        Some(owner) => {
            external_sign_in::sign_in_owner(domain, &owner, origin, SignInProof::TrustedProxy).await
        }
        None => create(domain, sign_up, person, origin).await,
    }
}

/// Counts a sign-in of a person.
async fn charge(domain: &Domain, person: &ProxyPerson) -> Result<()> {
    let key = format!("proxy:p:{:016x}", hash64(person.email().as_bytes()));
    let counters = vec![Counter { key, policies: PER_PERSON.to_vec() }];
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    match charges.refusal() {
        Some(refusal) => Err(sign_in::too_many("Too many sign-ins in a short time.", refusal)),
        None => Ok(()),
    }
}

async fn create(
    domain: &Domain,
    sign_up: AutomaticSignUp,
    person: &ProxyPerson,
    origin: &SignInOrigin<'_>,
) -> Result<ExternalSignIn> {
    if sign_up == AutomaticSignUp::Refused {
        return Err(unknown());
    }
    sign_up::charge(domain, origin.network).await?;
    let transaction = domain.db().begin().await?;
    let created = external_sign_in::insert_account(domain, &transaction, person.email().to_owned()).await;
    let row = created.map_err(|error| if error.code == Code::NameTaken { reserved() } else { error })?;
    let opened = external_sign_in::open_created(domain, transaction, &row, origin.previous).await?;
    tracing::info!(account = %row.id, "account created by the header of the proxy");
    Ok(opened)
}

fn unusable() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The proxy in front of this service did not send your e-mail address. Ask the operator of this service.",
    )
}

fn unknown() -> Error {
    Error::new(
        Code::SignupClosed,
        "No account has the e-mail address that the proxy in front of this service sent. Ask the operator of this service for an account.",
    )
}

fn reserved() -> Error {
    Error::new(
        Code::NameTaken,
        "Your e-mail address belongs to another account, or did until a short time ago. Try again later, or ask the operator of this service.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_value_must_be_one_email_address() {
        assert_eq!(ProxyPerson::parse(" Ada@Example.org ").unwrap().email(), "ada@example.org");
        for unusable in ["", "ada", "ada@example.org,ben@example.org", "ada@example.org ben@example.org"] {
            assert_eq!(ProxyPerson::parse(unusable).unwrap_err().code, Code::InvalidCredential, "{unusable}");
        }
    }
}
