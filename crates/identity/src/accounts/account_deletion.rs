//! Deletion of an account by its owner.

use entities::ids::AccountId;
use kernel::{Domain, Result};

use super::owner_proof::{self, OwnerProof};
use super::passwords::Passwords;
use super::{cascade, sign_in};

/// Deletes the account and everything it owns, in one transaction.
///
/// # Errors
/// `invalid_request` if the proof is wrong; `rate_limited` after too many wrong passwords.
pub async fn delete(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<()> {
    let owner = sign_in::owner(domain, account_id).await?;
    owner_proof::confirm(domain, passwords, &owner, proof).await?;
    cascade::delete_account(domain, account_id).await
}
