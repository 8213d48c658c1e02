//! The stored second factor of an account: the sealed key of its authenticator app, and the hashes of its
//! recovery codes. A recovery code has 80 random bits, so a fast hash is enough.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE32_NOPAD;
use entities::ids::AccountId;
use entities::{recovery_code, second_factor};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    PaginatorTrait, QueryFilter,
};
use sha2::{Digest, Sha256};

use super::totp;
use kernel::vault::Vault;
use kernel::{Domain, Millis, Result};

/// Name of the vault in which keys are sealed.
const VAULT: &str = "second_factors";
/// Number of recovery codes of an account.
const RECOVERY_CODES: usize = 10;
/// Number of random bytes of a recovery code.
const RECOVERY_BYTES: usize = 10;
/// Number of characters of an entered code that are read. The rest is ignored.
const MAX_CODE_CHARS: usize = 64;

/// State of an account's second factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// Time at which the second factor was set up.
    pub since: Millis,
    /// Number of unused recovery codes.
    pub recovery_codes: u64,
}

/// Code that a person entered.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum EnteredCode {
    /// Six digits of an authenticator app.
    App(String),
    /// Recovery code. Any text that is not a code of an app is treated as a recovery code.
    Recovery(String),
}

impl EnteredCode {
    /// Removes spaces and hyphens, and ignores case.
    pub(super) fn parse(text: &str) -> Self {
        let is_separator = |c: &char| c.is_whitespace() || *c == '-';
        let plain: String = text.chars().take(MAX_CODE_CHARS).filter(|c| !is_separator(c)).collect();
        if plain.len() == totp::DIGITS && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            Self::App(plain)
        } else {
            Self::Recovery(plain.to_ascii_uppercase())
        }
    }
}

/// Loads the vault of the keys. It must not be loaded within a transaction.
pub(super) async fn vault(domain: &Domain) -> Result<Vault> {
    Vault::of(domain, VAULT).await
}

/// Returns the state of an account's second factor. `None` if sign-in does not ask for a code.
#[boxed]
pub async fn second_factor(domain: &Domain, account_id: AccountId) -> Result<Option<SecondFactor>> {
    let row = load(domain.db().read(), account_id).await?;
    let Some(since) = row.and_then(|row| row.confirmed_at) else { return Ok(None) };
    let recovery_codes = recovery_code::Entity::owned_by(account_id).count(domain.db().read()).await?;
    Ok(Some(SecondFactor { since, recovery_codes }))
}

/// Returns whether sign-in asks for a code.
pub(super) async fn is_on(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<bool> {
    let row = load(connection, account_id).await?;
    Ok(row.is_some_and(|row| row.confirmed_at.is_some()))
}

/// Loads the second factor of an account, even if its first code has not been entered yet.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<Option<second_factor::Model>> {
    Ok(second_factor::Entity::owned_by(account_id).one(connection).await?)
}

/// Stores a new key. Sign-in asks for codes only after [`confirm_key`].
pub(super) async fn store_key(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    vault: &Vault,
    (account_id, key): (AccountId, &[u8]),
) -> Result<()> {
    remove(transaction, account_id).await?;
    let row = second_factor::ActiveModel {
        account_id: Set(account_id),
        sealed_key: Set(vault.seal(domain, account_id.as_bytes(), key.to_vec())?),
        created_at: Set(domain.now()),
        confirmed_at: Set(None),
        last_step: Set(None),
    };
    second_factor::Entity::insert(row).exec_without_returning(transaction).await?;
    Ok(())
}

/// Opens the key of a second factor.
pub(super) fn open_key(vault: &Vault, row: &second_factor::Model) -> Result<Vec<u8>> {
    vault.open(row.account_id.as_bytes(), &row.sealed_key)
}

/// Verifies the first code of a new key, and activates the second factor. Returns false if the code is wrong.
pub(super) async fn confirm_key(
    transaction: &DatabaseTransaction,
    vault: &Vault,
    row: &second_factor::Model,
    (code, now): (&EnteredCode, Millis),
) -> Result<bool> {
    let EnteredCode::App(code) = code else { return Ok(false) };
    let Some(step) = totp::accepted_step(&open_key(vault, row)?, code, now, row.last_step) else {
        return Ok(false);
    };
    let confirmed = second_factor::ActiveModel {
        account_id: Set(row.account_id),
        confirmed_at: Set(Some(now)),
        last_step: Set(Some(step)),
        ..Default::default()
    };
    confirmed.update(transaction).await?;
    Ok(true)
}

/// Uses a code of the app or a recovery code. Returns false if the code is wrong or was used before. The account must
/// be locked, so that concurrent requests cannot use the same code.
pub(super) async fn use_code(
    transaction: &DatabaseTransaction,
    vault: &Vault,
    account_id: AccountId,
    (code, now): (&EnteredCode, Millis),
) -> Result<bool> {
    let row = load(transaction, account_id).await?.filter(|row| row.confirmed_at.is_some());
    let Some(row) = row else { return Ok(false) };
    match code {
        EnteredCode::App(code) => {
            let step = totp::accepted_step(&open_key(vault, &row)?, code, now, row.last_step);
            let Some(step) = step else { return Ok(false) };
            let used = second_factor::ActiveModel {
                account_id: Set(account_id),
                last_step: Set(Some(step)),
                ..Default::default()
            };
            used.update(transaction).await?;
            Ok(true)
        }
        EnteredCode::Recovery(code) => {
            let used = recovery_code::Entity::delete_by_id(hash(account_id, code)).exec(transaction).await?;
            Ok(used.rows_affected > 0)
        }
    }
}

/// Replaces the recovery codes of an account. Returns the new codes, of which only hashes are stored.
pub(super) async fn replace_recovery_codes(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
) -> Result<Vec<String>> {
    delete_recovery_codes(transaction, account_id).await?;
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    let mut rows = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let code = BASE32_NOPAD.encode(&domain.random::<RECOVERY_BYTES>());
        rows.push(recovery_code::ActiveModel {
            hash: Set(hash(account_id, &code)),
            account_id: Set(account_id),
        });
        codes.push(in_groups(&code, '-'));
    }
    recovery_code::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    Ok(codes)
}

/// Removes the second factor of an account, and its recovery codes.
pub(super) async fn remove(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<()> {
    delete_recovery_codes(transaction, account_id).await?;
    let factor = second_factor::Entity::delete_many().filter(second_factor::Column::AccountId.eq(account_id));
    factor.exec(transaction).await?;
    Ok(())
}

async fn delete_recovery_codes(transaction: &DatabaseTransaction, account_id: AccountId) -> Result<()> {
    let codes = recovery_code::Entity::delete_many().filter(recovery_code::Column::AccountId.eq(account_id));
    codes.exec(transaction).await?;
    Ok(())
}

/// Splits a text into groups of four characters.
pub(super) fn in_groups(text: &str, separator: char) -> String {
    let mut grouped = String::with_capacity(text.len() + text.len() / 4);
    for (index, character) in text.chars().enumerate() {
        if index > 0 && index.is_multiple_of(4) {
            grouped.push(separator);
        }
        grouped.push(character);
    }
    grouped
}

fn hash(account_id: AccountId, code: &str) -> Vec<u8> {
    let mut digest = Sha256::new();
    digest.update(b"carrel recovery code\0");
    digest.update(account_id.as_bytes());
    digest.update(code.as_bytes());
    digest.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_accepted_with_spaces_and_hyphens_in_any_case() {
        assert!(EnteredCode::parse(" 123 456 ") == EnteredCode::App("123456".into()));
        let recovery = EnteredCode::Recovery("ABCDEFGHIJKLMNOP".into());
        assert!(EnteredCode::parse("abcd-efgh-ijkl-mnop") == recovery);
        assert!(EnteredCode::parse("12345") == EnteredCode::Recovery("12345".into()));
        assert_eq!(in_groups("ABCDEFGHIJ", ' '), "ABCD EFGH IJ");
    }
}
