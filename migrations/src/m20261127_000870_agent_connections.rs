//! Sets of tools that agents loaded, daily limits on the tool calls of agents, and the log of these calls.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS agent_toolset (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            connection text NOT NULL,
            toolset text NOT NULL,
            loaded_at bigint NOT NULL,
            PRIMARY KEY (account_id, connection, toolset)
        )",
    ),
    Part::Index("agent_toolset_age", "agent_toolset", "(loaded_at)"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS agent_limit (
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            connection text NOT NULL,
            calls_per_day integer NOT NULL,
            PRIMARY KEY (account_id, connection)
        )",
    ),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS agent_call (
            id {uuid} NOT NULL PRIMARY KEY,
            account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
            connection text NOT NULL,
            tool text NOT NULL,
            target text NOT NULL,
            outcome text NOT NULL,
            called_at bigint NOT NULL
        )",
    ),
    Part::Index("agent_call_connection", "agent_call", "(account_id, connection, called_at)"),
    Part::Index("agent_call_age", "agent_call", "(called_at)"),
];

const DOWN: &[Part] = &[
    Part::Plain("DROP TABLE IF EXISTS agent_call"),
    Part::Plain("DROP TABLE IF EXISTS agent_limit"),
    Part::Plain("DROP TABLE IF EXISTS agent_toolset"),
];

online::online!(UP, DOWN);
