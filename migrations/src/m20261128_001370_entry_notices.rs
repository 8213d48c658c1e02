//! Channels that get messages about the new entries of a subscription, and the feeds with such entries.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("rss_subscription", "notify", "text NOT NULL DEFAULT '[]'"),
    Part::Column("rss_subscription", "notified_through", "bigint NOT NULL DEFAULT 0"),
    Part::Index("rss_subscription_notify", "rss_subscription", "(feed_id, id) WHERE notify <> '[]'"),
    Part::Column("notice", "subscription_id", "bigint"),
    Part::Index(
        "notice_subscription",
        "notice",
        "(account_id, created_at) WHERE subscription_id IS NOT NULL",
    ),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS feed_notice_request (
            feed_id bigint NOT NULL PRIMARY KEY REFERENCES feed (id) ON DELETE CASCADE,
            after_id bigint NOT NULL,
            due_at bigint NOT NULL
        )",
    ),
    Part::Plain("CREATE INDEX IF NOT EXISTS feed_notice_request_due ON feed_notice_request (due_at)"),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS feed_notice_request"),
    Part::NoIndex("notice_subscription"),
    Part::NoColumn("notice", "subscription_id"),
    Part::NoIndex("rss_subscription_notify"),
    Part::NoColumn("rss_subscription", "notified_through"),
    Part::NoColumn("rss_subscription", "notify"),
];

online::online!(UP, DOWN);
