//! Channels of notices: the list with forms for more, one channel with what was sent to it, and the pages behind links in
//! mails.

mod detail;
mod fields;
mod guide;
mod links;
mod listing;
mod words;

pub(super) use detail::{delete, rotate, save, show, show_delete, show_rotate, switch_off, switch_on, test};
pub(super) use links::{confirm, show_confirm, show_stop, stop};
pub(super) use listing::{create, list};
