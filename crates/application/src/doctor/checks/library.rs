//! Checks of libraries: the change log is complete, the storage counter is correct, and all pending work has
//! a job.

use crate::doctor::check::{Check, CheckKind, RowCheck};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "library_log",
        invariant: "The change log of a library contains the newest change of each item.",
        remedy: "Run `carrel after-restore`, so that clients reload their libraries. Then save the item again to log it.",
        test: RowCheck::by_uuid(
            "library_item",
            "id",
            "NOT EXISTS (SELECT 1 FROM library_change c WHERE c.account_id = t.account_id AND c.object_id = t.id \
             AND c.sequence = t.sequence AND NOT c.is_deleted)",
        ),
    },
    Check {
        name: "library_sequence",
        invariant: "No change of a library has a number greater than last_sequence.",
        remedy: "Set last_sequence of library_account to the highest number of its changes.",
        test: RowCheck::of_owners(
            "library_account",
            "account_id",
            "t.last_sequence < COALESCE((SELECT MAX(c.sequence) FROM library_change c \
             WHERE c.account_id = t.account_id), 0)",
        ),
    },
    Check {
        name: "library_bytes",
        invariant: "The stored bytes of a library are the sum of its items, notes and highlights.",
        remedy: "Set stored_bytes of library_account to the sum of the three tables for the account.",
        test: RowCheck::of_owners(
            "library_account",
            "account_id",
            "t.stored_bytes <> COALESCE((SELECT SUM(i.stored_bytes) FROM library_item i WHERE i.account_id = t.account_id), 0) \
             + COALESCE((SELECT SUM(n.stored_bytes) FROM library_note n WHERE n.account_id = t.account_id), 0) \
             + COALESCE((SELECT SUM(h.stored_bytes) FROM library_highlight h WHERE h.account_id = t.account_id), 0)",
        ),
    },
    Check {
        name: "library_reserved",
        invariant: "The reserved bytes of a library are those of its uploads and of its released files.",
        remedy: "Set reserved_bytes of library_account to the sum of library_blob for the account.",
        test: RowCheck::of_owners(
            "library_account",
            "account_id",
            "t.reserved_bytes <> COALESCE((SELECT SUM(b.reserved_bytes) FROM library_blob b \
             WHERE b.account_id = t.account_id), 0)",
        ),
    },
    Check {
        name: "library_files",
        invariant: "Each file of an item is in the store with its size, and the store has no file that is not counted.",
        remedy: "Restore a missing file from the backup of the store. A file without a row is deleted after a day.",
        test: CheckKind::Files,
    },
    Check {
        name: "library_text",
        invariant: "An item whose text is ready has a text.",
        remedy: "Refresh the item to extract its text again.",
        test: RowCheck::by_uuid(
            "library_item",
            "id",
            "t.article_status = 'ready' AND NOT EXISTS (SELECT 1 FROM library_text x \
             WHERE x.account_id = t.account_id AND x.item_id = t.id)",
        ),
    },
    Check {
        name: "library_overdue",
        invariant: "No library text is overdue by more than an hour, unless library_text is paused.",
        remedy: "No scheduler ticks, or workers do not keep up: check the queue of library_text.",
        test: RowCheck::by_uuid(
            "library_item",
            "id",
            "t.next_try_at < {now} - 3600000 AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = 'library_text')",
        ),
    },
    Check {
        name: "export_work",
        invariant: "A queued or running export has a `library_export` job.",
        remedy: "Its job was deleted: set the state of the export to failed; its owner starts it again.",
        test: RowCheck::by_uuid(
            "library_export",
            "id",
            "t.state IN ('queued', 'running') AND NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'library_export' \
             AND j.state IN ('ready', 'running'))",
        ),
    },
];
