//! Rules for saved items, the items that wait for them, and the origin of automatic tags.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS library_rule (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        position smallint NOT NULL,
        name text NOT NULL,
        query text NOT NULL,
        tags text NOT NULL,
        status text,
        matches bigint NOT NULL,
        created_at bigint NOT NULL
    )",
    ),
    Part::Plain("CREATE INDEX IF NOT EXISTS library_rule_account ON library_rule (account_id, position)"),
    Part::Plain(
        "CREATE TABLE IF NOT EXISTS library_rule_item (
        item_id {uuid} NOT NULL PRIMARY KEY REFERENCES library_item (id) ON DELETE CASCADE,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        status text NOT NULL,
        tags text NOT NULL
    )",
    ),
    Part::Plain("CREATE INDEX IF NOT EXISTS library_rule_item_account ON library_rule_item (account_id)"),
    Part::Column("library_model_tag", "source", "text NOT NULL DEFAULT 'model'"),
    Part::Column("library_account", "rules_due_at", "bigint"),
    Part::Index(
        "library_account_rules_due",
        "library_account",
        "(rules_due_at) WHERE rules_due_at IS NOT NULL",
    ),
];

const DOWN: &[Part] = &[
    Part::NoIndex("library_account_rules_due"),
    Part::NoColumn("library_account", "rules_due_at"),
    Part::NoColumn("library_model_tag", "source"),
    Part::Plain("DROP TABLE IF EXISTS library_rule_item"),
    Part::Plain("DROP TABLE IF EXISTS library_rule"),
];

online::online!(UP, DOWN);
