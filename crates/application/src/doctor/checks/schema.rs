//! Check of the unique indexes by which the database rejects duplicate rows.

use crate::doctor::check::{Check, CheckKind};

pub(super) const CHECKS: &[Check] = &[Check {
    name: "unique_indexes",
    invariant: "The unique indexes exist, are valid, and are in use.",
    remedy: "Recreate it as in its migration (CREATE UNIQUE INDEX …) after deleting duplicate rows. Drop and recreate \
             an index that PostgreSQL marks invalid.",
    test: CheckKind::Indexes(&[
        "job_live", "feed_entry_key", "rss_subscription_feed", "monitor_identity", "monitor_run_due",
        "credit_entry_run", "library_change_order",
    ]),
}];
