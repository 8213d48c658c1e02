//! Job kinds of this crate, one file each.

mod inbox_message;
mod inbox_unsubscribe;

pub use inbox_message::InboxMessage;
pub use inbox_unsubscribe::InboxUnsubscribe;
