//! Registration of a passkey by a signed-in person, who must enter the password, and a code if the account has
//! a second factor: a stolen session must not become lasting access.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use entities::passkey;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, SqlErr};

use super::field_error::field;
use super::owner_proof::{OwnerProof, prove};
use super::passkeys::{self, Passkey};
use super::passwords::Passwords;
use super::webauthn::{
    ALGORITHMS, AuthenticatorData, Challenge, ChallengePurpose, ClientData, CredentialOperation, RelyingParty,
};
use crate::security_notices::{self, SecurityEvent};
use kernel::{Code, Domain, Error, Result};

/// Maximum number of passkeys of an account.
const MAX_PASSKEYS: usize = 20;
/// Maximum length of a name in characters.
const MAX_NAME_CHARS: usize = 60;
/// Maximum length of each value that a browser sends, in base64url characters.
const MAX_VALUE_CHARS: usize = 16 * 1024;

/// Options of a registration, for the browser.
#[derive(Clone, Debug)]
pub struct RegistrationOptions {
    /// Challenge in base64url.
    pub challenge: String,
    /// Host name to which the passkey is bound.
    pub party_id: String,
    /// Handle of the account in base64url.
    pub user_handle: String,
    /// Identifiers of the supported signature algorithms.
    pub algorithms: [i64; 3],
    /// Ids of existing passkeys in base64url. An authenticator that stores one of them does not register another.
    pub excluded: Vec<String>,
}

/// Request to register a passkey. The values from the browser are in base64url.
pub struct NewPasskey<'a> {
    pub proof: OwnerProof<'a>,
    pub name: &'a str,
    pub client_data: &'a str,
    pub attestation: &'a str,
}

/// Returns the options for registering a passkey. `None` if browsers refuse passkeys at the address of this
/// service.
#[boxed]
pub async fn registration_options(
    domain: &Domain,
    account_id: AccountId,
) -> Result<Option<RegistrationOptions>> {
    let Some(party) = RelyingParty::of(domain) else { return Ok(None) };
    let rows = passkeys::rows(domain.db().read(), account_id).await?;
    Ok(Some(RegistrationOptions {
        challenge: Challenge::issue(domain, ChallengePurpose::Registration(account_id)).await?,
        party_id: party.id,
        user_handle: BASE64URL_NOPAD.encode(account_id.as_bytes()),
        algorithms: ALGORITHMS,
        excluded: rows.iter().map(|row| BASE64URL_NOPAD.encode(&row.credential_id)).collect(),
    }))
}

/// Registers a passkey.
///
/// # Errors
/// `invalid_request` with the field in its details; `limit_reached` if the account has twenty passkeys;
/// `rate_limited` after too many wrong passwords or codes.
pub async fn register_passkey(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    new: NewPasskey<'_>,
) -> Result<Passkey> {
    let name = new.name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return Err(field("name", "Enter a name with at most 60 characters."));
    }
    let party = RelyingParty::of(domain).ok_or_else(refused)?;
    let client_data = decode(new.client_data).ok_or_else(refused)?;
    let client_data =
        ClientData::parse(&client_data, CredentialOperation::Create, &party).ok_or_else(refused)?;
    let purpose = ChallengePurpose::Registration(account_id);
    let challenge = Challenge::open(domain, purpose, &client_data.challenge).await?.ok_or_else(refused)?;
    let attestation = decode(new.attestation).ok_or_else(refused)?;
    let data = AuthenticatorData::in_attestation(&attestation, &party).ok_or_else(refused)?;
    let credential = data.credential().ok_or_else(refused)?;

    let transaction = prove(domain, passwords, account_id, new.proof).await?;
    if passkeys::rows(&transaction, account_id).await?.len() >= MAX_PASSKEYS {
        let message = "An account can have at most twenty passkeys. Remove one first.";
        return Err(Error::new(Code::LimitReached, message));
    }
    if !challenge.use_up(&transaction).await? {
        return Err(refused());
    }
    let now = domain.now();
    let row = passkey::ActiveModel {
        id: Set(domain.new_id()),
        account_id: Set(account_id),
        credential_id: Set(credential.id.to_vec()),
        public_key: Set(credential.public_key.to_vec()),
        sign_count: Set(i64::from(data.sign_count)),
        name: Set(name.to_owned()),
        created_at: Set(now),
        last_used_at: Set(None),
    };
    let row = match row.insert(&transaction).await {
        Ok(row) => row,
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            return Err(Error::new(Code::NameTaken, "This passkey is already registered."));
        }
        Err(error) => return Err(error.into()),
    };
    let event = SecurityEvent::PasskeyAdded { at: now };
    security_notices::notify(&transaction, domain, account_id, event).await?;
    transaction.commit().await?;
    Ok(Passkey::from(row))
}

/// Decodes a value from the browser. `None` if it is too long or not in base64url.
pub(super) fn decode(value: &str) -> Option<Vec<u8>> {
    if value.len() > MAX_VALUE_CHARS {
        return None;
    }
    BASE64URL_NOPAD.decode(value.as_bytes()).ok()
}

fn refused() -> Error {
    Error::new(
        Code::InvalidRequest,
        "The passkey was not added. The browser sent no usable response, or the page was open for more than five minutes. Try again.",
    )
}
