//! Texts of public pages, read jobs, and responses that are kept for repetitions.

use crate::doctor::check::{Check, Rows};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "source_text",
        holds: "The text that a source gave last is there.",
        remedy: "UPDATE source SET snapshot_id = NULL, checked_at = NULL for the key: the next reader fetches it anew.",
        test: Rows::by_text(
            "source",
            "key",
            "t.snapshot_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.id = t.snapshot_id)",
        ),
    },
    Check {
        name: "read_job_work",
        holds: "A read job that is not over has its job, for as long as callers ask for it.",
        remedy: "Its job was deleted: set the state of the read job to failed, and let its caller ask anew.",
        test: Rows::by_uuid(
            "read_job",
            "id",
            "t.state IN ('queued', 'running') AND t.expires_at > {now} AND t.created_at > {now} - 86400000 \
             AND NOT EXISTS (SELECT 1 FROM job j WHERE j.id = t.work_id)",
        ),
    },
    Check {
        name: "read_job_end",
        holds: "A read job that is complete names its text, one that failed says why, and both when they ended.",
        remedy: "Delete the row of the read job; its caller asks anew.",
        test: Rows::by_uuid(
            "read_job",
            "id",
            "(t.state = 'complete' AND (t.snapshot_id IS NULL OR t.finished_at IS NULL)) \
             OR (t.state = 'failed' AND (t.error_code IS NULL OR t.finished_at IS NULL)) \
             OR t.state NOT IN ('queued', 'running', 'complete', 'failed')",
        ),
    },
    Check {
        name: "picture",
        holds: "A picture that is kept says what it is and how large, and one that is not names no file.",
        remedy: "Delete the row of the picture: whoever looks at its page next has it fetched anew.",
        test: Rows::by_text(
            "picture",
            "hash",
            "(t.blob IS NOT NULL AND (t.media_type IS NULL OR t.width <= 0 OR t.height <= 0 OR t.size_bytes <= 0)) \
             OR (t.blob IS NULL AND t.size_bytes <> 0)",
        ),
    },
    Check {
        name: "stored_response",
        holds: "What is kept under an Idempotency-Key can be sent again as it was.",
        remedy: "Delete the row: a repetition is then answered anew.",
        test: Rows::by_text("idempotency", "key", "t.status IS NOT NULL AND t.headers IS NULL"),
    },
    Check {
        name: "host_pause",
        holds: "No server is left alone for longer than a day from when it asked.",
        remedy: "DELETE FROM host_pause for the host: it is asked again at once.",
        test: Rows::by_text(
            "host_pause",
            "host",
            "t.paused_until > t.asked_at + 86400000 OR t.asked_at > {now} + 86400000",
        ),
    },
    Check {
        name: "host_turn",
        holds: "No line of a server is longer than a day and than all that may stand in it, half a second each.",
        remedy: "DELETE FROM host_turn for the host: its line begins anew with what is due next.",
        test: Rows::by_text(
            "host_turn",
            "host",
            "t.next_at > {now} + 86400000 AND t.next_at > {now} + 86400000 + 500 * \
             ((SELECT COUNT(*) FROM feed f WHERE f.host = t.host) + (SELECT COUNT(*) FROM monitor m WHERE m.host = t.host))",
        ),
    },
];
