//! Notices: messages to users through channels of their own (mail, signed webhooks, and services that accept
//! messages).
//!
//! An event writes one row per channel in its own transaction (`tell`), and a job that sends it. The body is
//! created at the first attempt and stored: each further attempt has the same id and the same bytes. Messages
//! that a channel is spared, or cannot receive at present, are held and sent with a later message
//! (`composer`).

mod account_rows;
mod body;
mod causes;
mod channel;
mod confirm;
mod deliver;
mod destination;
mod gather;
pub mod job_kinds;
mod mail_text;
mod manage;
mod message;
mod news;
mod outcome;
mod plan;
mod presets;
mod retention;
mod room;
mod rows;
mod schedule;
mod security_notifier;
mod sign;
mod sql;
mod stop;
mod switches;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod vault;

pub use account_rows::NoticeRows;
pub use causes::{
    FoundChange, credits_used, grant_made, key_made, monitor_changed, monitor_failed, new_sign_in,
    out_of_credits,
};
pub use channel::{Channel, Digest, Sent};
pub use confirm::write_confirmation;
pub use confirm::{Confirmation, confirm, find_confirmation, request_confirmation};
pub use deliver::{deliver, give_up};
pub use destination::{MAX_ADDRESS_CHARS, NewDestination};
pub use entities::channel::{ChannelKind, ChannelStatus, OffReason};
pub use entities::notice::{NoticeKind, NoticeState};
pub use manage::{
    Created, MAX_NAME_CHARS, NewChannel, Settings, check_notify, count, create, delete, get, list, list_sent,
    rotate_secret, test, update,
};
pub use plan::apply_plan;
pub use retention::forget_monitor;
pub use retention::remove_old;
pub use rows::unknown_channel;
pub use security_notifier::ChannelNotifier;
pub use stop::{Ended, Stop, find_stop, stop};
pub use switches::{switch_off, switch_on};
