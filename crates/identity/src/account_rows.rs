//! Rows that other capabilities store for an account. They are deleted with the account, and adapted when its plan or
//! a tag of its library changes.

use std::sync::Arc;

use entities::ids::AccountId;
use futures_util::future::{BoxFuture, ready};
use kernel::tag::Tag;
use kernel::tiers::TierLimits;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

/// Rows that a capability stores for an account.
pub trait AccountRows: Send + Sync {
    /// Tables with an `account_id`, in the order in which they are emptied: referencing tables first.
    fn tables(&self) -> &'static [&'static str];

    /// Runs before any table is emptied, in the transaction that deletes the account.
    fn before_deletion<'a>(
        &'a self,
        _transaction: &'a DatabaseTransaction,
        _domain: &'a Domain,
        _account_id: AccountId,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(ready(Ok(())))
    }

    /// Adapts the rows to a new plan, in the transaction that changes the plan of the account.
    fn apply_plan<'a>(
        &'a self,
        _transaction: &'a DatabaseTransaction,
        _domain: &'a Domain,
        _account_id: AccountId,
        _plan: &'a TierLimits,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(ready(Ok(())))
    }

    /// Renames the tag `from` to `to` in the rows, or removes it if `to` is `None`, in the transaction that changes the
    /// tag in the library of the account.
    fn apply_tag_change<'a>(
        &'a self,
        _transaction: &'a DatabaseTransaction,
        _account_id: AccountId,
        _from: &'a Tag,
        _to: Option<&'a Tag>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(ready(Ok(())))
    }
}

/// The registered capabilities, in the order in which their rows are deleted. Installed in the [`Domain`]
/// handle.
#[derive(Clone, Default)]
pub struct AccountOwners(pub Vec<Arc<dyn AccountRows>>);

impl AccountOwners {
    /// Returns the capabilities that are registered in the handle.
    pub fn installed(domain: &Domain) -> Arc<Self> {
        domain.installed().unwrap_or_default()
    }
}
