//! Feeds, their entries, and who follows them.

use crate::doctor::check::{Check, Rows};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "feed_schedule",
        holds: "A feed that somebody follows is polled, unless a monitor writes it.",
        remedy: "UPDATE feed SET next_poll_at = 0 for the id: the next tick polls it.",
        test: Rows::by_number(
            "feed",
            "id",
            "t.next_poll_at IS NULL AND t.successor_id IS NULL AND COALESCE(t.kind, '') <> 'monitor' \
             AND EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = t.id) \
             AND NOT EXISTS (SELECT 1 FROM monitor m WHERE m.feed_id = t.id)",
        ),
    },
    Check {
        name: "feed_overdue",
        holds: "No feed is due for longer than an hour, unless polls are paused.",
        remedy: "No scheduler ticks, or workers do not keep up: look at the queue of feed_poll.",
        test: Rows::by_number(
            "feed",
            "id",
            "t.next_poll_at < {now} - 3600000 AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = 'feed_poll')",
        ),
    },
    Check {
        name: "entry_twin",
        holds: "A feed has an entry once.",
        remedy: "Delete the later one, and look whether the index feed_entry_key is there.",
        test: Rows::by_number(
            "feed_entry",
            "id",
            "EXISTS (SELECT 1 FROM feed_entry o WHERE o.feed_id = t.feed_id AND o.entry_key = t.entry_key AND o.id <> t.id)",
        ),
    },
    Check {
        name: "entry_order",
        holds: "Entries were discovered in the order of their ids, no two at one time.",
        remedy: "Set discovered_us of the row between those of its neighbours by id: lists are read in this order.",
        test: Rows::by_number(
            "feed_entry",
            "id",
            "t.discovered_us >= COALESCE((SELECT o.discovered_us FROM feed_entry o WHERE o.id > t.id \
             ORDER BY o.id LIMIT 1), t.discovered_us + 1)",
        ),
    },
    Check {
        name: "subscription_collection",
        holds: "A subscription lies in a collection of its own account.",
        remedy: "Move it to the account's collection of the kind unsorted.",
        test: Rows::by_number(
            "rss_subscription",
            "id",
            "NOT EXISTS (SELECT 1 FROM rss_collection c WHERE c.id = t.collection_id AND c.account_id = t.account_id)",
        ),
    },
];
