//! Resources about whose changes agents are notified.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS agent_subscription (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            connection text NOT NULL,
            uri text NOT NULL,
            subscribed_at bigint NOT NULL,
            PRIMARY KEY (account_id, connection, uri)
        )",
    ),
    Part::Index("agent_subscription_age", "agent_subscription", "(subscribed_at)"),
];

const DOWN: &[Part] = &[Part::Plain("DROP TABLE IF EXISTS agent_subscription")];

online::online!(UP, DOWN);
