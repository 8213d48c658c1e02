//! Inbox: secret mail addresses of accounts, and the messages received there, which become library items.
//!
//! A message is stored as a blob with a row and a job before its reception is confirmed (`reception`). The job
//! parses it in a child process and writes its item (`processing`), or the entry of its newsletter (`newsletter`).
//! `lmtp` receives messages from a mail server.

mod account_rows;
mod addresses;
mod authentication;
pub mod job_kinds;
pub mod lmtp;
mod local_part;
mod messages;
mod newsletter;
mod processing;
mod reception;
mod retention;
mod unsubscribe;

pub use account_rows::InboxRows;
pub use addresses::{
    AddressChanges, InboxAddress, MAX_NAME_CHARS, NewAddress, create_address, delete_address, get_address,
    list_addresses, replace_address, update_address,
};
pub use authentication::AuthenticationCheck;
pub use entities::inbox_address::InboxDestination;
pub use entities::inbox_message::{InboxMessageState, UnsubscribeState};
pub use messages::{InboxMessage, MessagePage, get_message, list_messages};
pub use reception::{MAX_MESSAGE_BYTES, Recipient, find_own_recipient, find_recipient, receive};
pub use retention::{remove_old, submit_lost};
pub use unsubscribe::unsubscribe;
