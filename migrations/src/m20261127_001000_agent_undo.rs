//! Undo of a call of an agent, and the time at which its owner undid it.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("agent_call", "undo", "text"),
    Part::Column("agent_call", "undone_at", "bigint"),
    Part::Index(
        "agent_call_undo",
        "agent_call",
        "(account_id, connection, called_at) WHERE undo IS NOT NULL",
    ),
];

const DOWN: &[Part] = &[
    Part::NoIndex("agent_call_undo"),
    Part::NoColumn("agent_call", "undone_at"),
    Part::NoColumn("agent_call", "undo"),
];

online::online!(UP, DOWN);
