//! Secrets of monitors, sealed for their account and for the origin for which they were entered. They cannot be opened
//! for another account or origin.

use data_encoding::{BASE64, HEXLOWER};
use entities::ids::AccountId;
use fetch::Url;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use kernel::vault::Vault;
use kernel::{Domain, Error, Result, secrets};

/// Name of the vault in which secrets of monitors are sealed.
const VAULT: &str = "monitor_credentials";
/// Name of the key for the digests with which secrets are compared.
const DIGEST_KEY: &str = "monitor_credential_digests";

/// Use of a sealed value. A value that was sealed for one use cannot be opened for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SealedUse {
    /// Header of the request.
    Credentials,
    /// Text that a step types.
    StepText,
}

/// Sealed value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedValue {
    /// Origin to which the value is sent.
    pub(super) origin: String,
    /// Keyed hash. Equal values have equal hashes.
    pub(super) digest: String,
    /// Sealed bytes in base64.
    pub(super) sealed: String,
}

/// Secret text of a step, sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedStepText {
    /// Selector of the step.
    pub(super) selector: String,
    #[serde(flatten)]
    pub(super) value: SealedValue,
}

impl SealedValue {
    /// True if the value is for the origin of `url`.
    pub(super) fn is_for(&self, url: &Url) -> bool {
        self.origin == url.origin().ascii_serialization()
    }
}

/// Text that binds a sealed value to its account, origin, and use.
fn binding(account_id: AccountId, url: &Url, usage: SealedUse) -> String {
    let origin = url.origin().ascii_serialization();
    match usage {
        SealedUse::Credentials => format!("{account_id} {origin}"),
        SealedUse::StepText => format!("{account_id} {origin} step"),
    }
}

/// Seals a value of the account for the origin of `url`. Must not be called within a transaction.
///
/// # Errors
/// Returns an error if the database fails.
pub(super) async fn seal(
    domain: &Domain,
    account_id: AccountId,
    (url, usage): (&Url, SealedUse),
    plain: Vec<u8>,
) -> Result<SealedValue> {
    let binding = binding(account_id, url, usage);
    let key = secrets::load(domain, DIGEST_KEY).await?;
    let digest = Sha256::new().chain_update(key).chain_update(&binding).chain_update(&plain).finalize();
    let sealed = Vault::of(domain, VAULT).await?.seal(domain, binding.as_bytes(), plain)?;
    Ok(SealedValue {
        origin: url.origin().ascii_serialization(),
        digest: HEXLOWER.encode(&digest),
        sealed: BASE64.encode(&sealed),
    })
}

/// Opens a value with the vault of [`load_vault`], for a request of the account to the origin of `url`.
///
/// # Errors
/// `internal` if the value was sealed for another account, origin, or use.
pub(super) fn open(
    vault: &Vault,
    account_id: AccountId,
    (url, usage): (&str, SealedUse),
    value: &SealedValue,
) -> Result<Vec<u8>> {
    let url = Url::parse(url).map_err(Error::internal)?;
    let sealed = BASE64.decode(value.sealed.as_bytes()).map_err(Error::internal)?;
    vault.open(binding(account_id, &url, usage).as_bytes(), &sealed)
}

pub(super) async fn load_vault(domain: &Domain) -> Result<Vault> {
    Vault::of(domain, VAULT).await
}
