//! Job kinds of this crate, one file each.

mod inbox_message;

pub use inbox_message::InboxMessage;
