//! Checks of feeds, entries, and subscriptions.

use crate::doctor::check::{Check, RowCheck};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "feed_schedule",
        invariant: "A feed with followers has a next poll, unless this service writes it.",
        remedy: "UPDATE feed SET next_poll_at = 0 for the id: the next tick polls it.",
        test: RowCheck::by_number(
            "feed",
            "id",
            "t.next_poll_at IS NULL AND t.successor_id IS NULL AND COALESCE(t.kind, '') NOT IN ('monitor', 'newsletter') \
             AND EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = t.id) \
             AND NOT EXISTS (SELECT 1 FROM monitor m WHERE m.feed_id = t.id)",
        ),
    },
    Check {
        name: "feed_overdue",
        invariant: "No feed is overdue by more than an hour, unless polls are paused.",
        remedy: "No scheduler ticks, or workers do not keep up: check the queue of feed_poll.",
        test: RowCheck::by_number(
            "feed",
            "id",
            "t.next_poll_at < {now} - 3600000 AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = 'feed_poll')",
        ),
    },
    Check {
        name: "entry_twin",
        invariant: "An entry exists only once per feed.",
        remedy: "Delete the newer row, and check that the index feed_entry_key exists.",
        test: RowCheck::by_number(
            "feed_entry",
            "id",
            "EXISTS (SELECT 1 FROM feed_entry o WHERE o.feed_id = t.feed_id AND o.entry_key = t.entry_key AND o.id <> t.id)",
        ),
    },
    Check {
        name: "entry_order",
        invariant: "Discovery times of entries are unique and in the order of their ids.",
        remedy: "Set discovered_us of the row to a value between its neighbours by id: lists are read in this order.",
        test: RowCheck::by_number(
            "feed_entry",
            "id",
            "t.discovered_us >= COALESCE((SELECT o.discovered_us FROM feed_entry o WHERE o.id > t.id \
             ORDER BY o.id LIMIT 1), t.discovered_us + 1)",
        ),
    },
    Check {
        name: "subscription_collection",
        invariant: "A subscription belongs to a collection of the same account.",
        remedy: "Move it to the account's collection of the kind unsorted.",
        test: RowCheck::by_number(
            "rss_subscription",
            "id",
            "NOT EXISTS (SELECT 1 FROM rss_collection c WHERE c.id = t.collection_id AND c.account_id = t.account_id)",
        ),
    },
];
