//! Limits how many operations of one kind an account runs at the same time in this process.

use entities::ids::AccountId;
use kernel::Domain;
use permits::KeyedLimit;

/// Saves of one account that wait for their texts; further ones are answered without their texts.
const WAITING_SAVES: usize = 4;
/// Uploads of import files of one account.
const IMPORT_UPLOADS: usize = 1;

struct Saves(KeyedLimit<AccountId>);

struct Imports(KeyedLimit<AccountId>);

/// The saves of this process that wait for their texts.
pub(crate) fn saves(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| Saves(KeyedLimit::new(WAITING_SAVES))).0.clone()
}

/// The import uploads of this process.
pub(crate) fn imports(domain: &Domain) -> KeyedLimit<AccountId> {
    domain.shared(|| Imports(KeyedLimit::new(IMPORT_UPLOADS))).0.clone()
}
