//! Index to read the changes of all monitors of an account, newest first.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Index("monitor_change_account", "monitor_change", "(account_id, id)")];

const DOWN: &[Part] = &[Part::NoIndex("monitor_change_account")];

online::online!(UP, DOWN);
