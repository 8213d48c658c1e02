//! Deletion of the inbox with its account.

use identity::account_rows::AccountRows;

/// Addresses and messages of an account, which are deleted with the account. The blobs of messages are deleted
/// with the files of the library.
#[derive(Clone, Copy, Debug)]
pub struct InboxRows;

impl AccountRows for InboxRows {
    fn tables(&self) -> &'static [&'static str] {
        &["inbox_message", "inbox_address"]
    }
}
