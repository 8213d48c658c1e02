//! Days after which unread entries of a subscription or a collection count as read.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("rss_subscription", "read_after_days", "integer"),
    Part::Column("rss_collection", "read_after_days", "integer"),
    Part::Index(
        "rss_subscription_read_after",
        "rss_subscription",
        "(read_after_days) WHERE read_after_days IS NOT NULL",
    ),
    Part::Index(
        "rss_collection_read_after",
        "rss_collection",
        "(read_after_days) WHERE read_after_days IS NOT NULL",
    ),
];

const DOWN: &[Part] = &[
    Part::NoIndex("rss_collection_read_after"),
    Part::NoIndex("rss_subscription_read_after"),
    Part::NoColumn("rss_collection", "read_after_days"),
    Part::NoColumn("rss_subscription", "read_after_days"),
];

online::online!(UP, DOWN);
