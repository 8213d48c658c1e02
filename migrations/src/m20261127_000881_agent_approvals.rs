//! Tools that an agent may call only with approval, and its calls that wait for approval.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS agent_approval_rule (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            connection text NOT NULL,
            tool text NOT NULL,
            PRIMARY KEY (account_id, connection, tool)
        )",
    ),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS agent_approval (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            connection text NOT NULL,
            call_hash text NOT NULL,
            tool text NOT NULL,
            arguments text NOT NULL,
            requested_at bigint NOT NULL,
            approved_at bigint,
            PRIMARY KEY (account_id, connection, call_hash)
        )",
    ),
    Part::Index("agent_approval_age", "agent_approval", "(requested_at)"),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS agent_approval"),
    Part::Plain("DROP TABLE IF EXISTS agent_approval_rule"),
];

online::online!(UP, DOWN);
