//! Notices: messages to users through their channels (mail, signed webhooks, and services that accept
//! messages).
//!
//! An event writes one row per channel in its own transaction (`dispatch`), and a job sends the message. The body is
//! created at the first attempt and stored, so that each further attempt has the same id and the same bytes. Messages
//! that should not or cannot be sent yet wait, and are sent as part of another message (`composer`).

mod account_rows;
mod activation;
mod attempt;
mod body;
mod capacity;
mod channel;
mod composer;
mod confirmation;
mod delivery;
mod destination;
mod dispatch;
mod entry_list;
mod events;
pub mod job_kinds;
mod local_day;
mod mail_html;
mod mail_text;
mod manage;
mod message;
mod message_templates;
mod new_entries;
mod plain_text;
mod plan;
mod results;
mod retention;
mod review_digest;
mod rows;
mod saved_items;
mod saved_list;
mod schedule;
mod security_notifier;
mod services;
mod signature;
mod snooze;
mod sql;
mod template;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod text;
mod today;
mod today_content;
mod unsubscribe;

pub use account_rows::NoticeRows;
pub use activation::{switch_off, switch_on};
pub use channel::{Channel, Digest, SentMessage};
pub use confirmation::write_confirmation;
pub use confirmation::{Confirmation, confirm, find_confirmation, request_confirmation};
pub use delivery::{deliver, give_up};
pub use destination::{MAX_ADDRESS_CHARS, NewDestination, NewMqtt};
pub use entities::channel::{ChannelKind, ChannelStatus, OffReason};
pub use entities::notice::{HoldReason, NoticeKind, NoticeState};
pub use entry_list::{ListedEntry, ListedText, MAX_ENTRY_TEXT_BYTES, MAX_MESSAGE_TEXT_BYTES};
pub use events::{
    DetectedChange, credits_used, grant_made, key_made, monitor_changed, monitor_failed, new_sign_in,
    out_of_credits,
};
pub use local_day::local_day;
pub use manage::{
    ChannelSettings, Created, MAX_NAME_CHARS, NewChannel, check_notify, count, create, delete, get, list,
    list_sent, rotate_secret, test, update,
};
pub use message::ChangedTexts;
pub use message_templates::{
    ExportedTemplates, MessageEdit, MessagePreview, TemplateEdit, edit_messages, export_templates,
    import_templates, preview_templates, set_templates,
};
pub use new_entries::{
    MAX_ENTRY_MESSAGES_PER_DAY, MAX_FREQUENT_ENTRY_MESSAGES, MAX_LISTED_ENTRIES, NewEntries, entries_arrived,
    entries_wait_until, wants_entry_texts,
};
pub use plan::apply_plan;
pub use results::{ChangeNotice, change_notices};
pub use retention::{forget_monitor, forget_subscriptions, remove_old};
pub use review_digest::{ReviewDigest, choose_review_digest};
pub use rows::unknown_channel;
pub use saved_items::{MAX_SAVED_MESSAGES_PER_DAY, item_saved, notifies_saved_items};
pub use saved_list::{ListedItem, MAX_LISTED_ITEMS};
pub use security_notifier::ChannelNotifier;
pub use snooze::{Snooze, SnoozeChoice, find_snooze, snooze};
pub use template::{MAX_TEMPLATE_CHARS, MAX_TITLE_TEMPLATE_CHARS, TEMPLATE_FIELDS, TemplateError};
pub use today::{DigestContent, InstalledToday, TodayDigest, TodayList, TodayLoader, TodayRow, TodaySection};
pub use unsubscribe::{StoppedMessages, Unsubscription, find_unsubscription, unsubscribe};
