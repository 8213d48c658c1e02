//! Deletes the inbox of a deleted account.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

use crate::newsletter;

/// Deletes the addresses, messages, and newsletters of an account when the account is deleted. The blobs of messages
/// are deleted with the files of the library.
#[derive(Clone, Copy, Debug)]
pub struct InboxRows;

impl AccountRows for InboxRows {
    fn tables(&self) -> &'static [&'static str] {
        &["inbox_message", "inbox_address", "inbox_newsletter"]
    }

    fn before_deletion<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        _domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(newsletter::delete_feeds(transaction, account_id))
    }
}
