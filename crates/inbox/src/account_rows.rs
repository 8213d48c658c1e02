//! Deletes the inbox of a deleted account, and renames tags in its addresses.

use entities::ids::AccountId;
use futures_util::future::BoxFuture;
use identity::account_rows::AccountRows;
use kernel::tag::Tag;
use kernel::{Domain, Result};
use sea_orm::DatabaseTransaction;

use crate::{addresses, newsletter};

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

    fn apply_tag_change<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: Option<&'a Tag>,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(addresses::apply_tag_change(transaction, account_id, from, to))
    }
}
