//! Domain handle for tests that change the plan of an account or delete it.

use std::sync::Arc;

use identity::account_rows::{AccountOwners, AccountRows};
use kernel::Domain;

/// Installs the owners of all rows of an account with monitors in the handle.
pub(crate) fn with_owners(domain: &Domain) -> Domain {
    let owners: Vec<Arc<dyn AccountRows>> =
        vec![Arc::new(feeds::FeedRows), Arc::new(crate::MonitorRows), Arc::new(notices::NoticeRows)];
    domain.clone().install(AccountOwners(owners))
}
