//! Time of the charge of page copies, page copies of imported items, and the saved items that wait for their text
//! before rules apply.

use crate::online::{self, Part};

const UP: &[Part] = &[
    Part::Column("library_page_copy", "charged_at", "bigint"),
    Part::Column("library_account", "copy_imports_due_at", "bigint"),
    Part::Index(
        "library_account_copy_imports_due",
        "library_account",
        "(copy_imports_due_at) WHERE copy_imports_due_at IS NOT NULL",
    ),
    // Items that are already queued count as ready. The job that applies the rules checks their texts.
    Part::Column("library_rule_item", "is_waiting", "boolean NOT NULL DEFAULT FALSE"),
    Part::Index("library_rule_item_ready", "library_rule_item", "(account_id, item_id) WHERE NOT is_waiting"),
];

const DOWN: &[Part] = &[
    Part::NoIndex("library_rule_item_ready"),
    Part::NoColumn("library_rule_item", "is_waiting"),
    Part::NoIndex("library_account_copy_imports_due"),
    Part::NoColumn("library_account", "copy_imports_due_at"),
    Part::NoColumn("library_page_copy", "charged_at"),
];

online::online!(UP, DOWN);
