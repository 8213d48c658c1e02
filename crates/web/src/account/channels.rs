//! Pages about notice channels: the list with a form for new channels, one channel with its messages, and the pages
//! behind links in e-mails.

mod detail;
mod fields;
mod guide;
mod links;
mod listing;
mod template;
mod words;

pub(super) use detail::{delete, rotate, save, show, show_delete, show_rotate, switch_off, switch_on, test};
pub(super) use links::{confirm, show_confirmation, show_snooze, show_unsubscribe, snooze, unsubscribe};
pub(super) use listing::{create, list};
pub(super) use template::{save_template, show_template};
