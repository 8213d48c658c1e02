//! The handle as tests need it that change an account's plan or delete it.

use std::sync::Arc;

use identity::account_rows::{AccountOwners, AccountRows};
use kernel::Domain;

/// The handle with the capabilities whose rows an account's monitors involve.
pub(crate) fn with_owners(domain: &Domain) -> Domain {
    let owners: Vec<Arc<dyn AccountRows>> =
        vec![Arc::new(feeds::FeedRows), Arc::new(crate::MonitorRows), Arc::new(notices::NoticeRows)];
    domain.clone().install(AccountOwners(owners))
}
