//! Domain handle for tests that change the plan of an account or delete it.

use std::sync::Arc;

use identity::account_rows::{AccountOwners, AccountRows};
use kernel::Domain;

/// Adds all crates with rows of an account that has monitors to the handle.
pub(crate) fn with_owners(domain: &Domain) -> Domain {
    let owners: Vec<Arc<dyn AccountRows>> =
        vec![Arc::new(feeds::FeedRows), Arc::new(crate::MonitorRows), Arc::new(notices::NoticeRows)];
    domain.clone().install(AccountOwners(owners))
}
