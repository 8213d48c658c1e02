//! Checks of cached texts, read jobs, pictures, stored responses, and host budgets.

use crate::doctor::check::{Check, RowCheck};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "source_text",
        invariant: "The current text of a source exists.",
        remedy: "UPDATE source SET snapshot_id = NULL, checked_at = NULL for the key: the next reader fetches it again.",
        test: RowCheck::by_text(
            "source",
            "key",
            "t.snapshot_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.id = t.snapshot_id)",
        ),
    },
    Check {
        name: "read_job_work",
        invariant: "An unfinished read job has its job until it expires.",
        remedy: "Its job was deleted: set the state of the read job to failed, so that its caller retries.",
        test: RowCheck::by_uuid(
            "read_job",
            "id",
            "t.state IN ('queued', 'running') AND t.expires_at > {now} AND t.created_at > {now} - 86400000 \
             AND NOT EXISTS (SELECT 1 FROM job j WHERE j.id = t.work_id)",
        ),
    },
    Check {
        name: "read_job_end",
        invariant: "A complete read job has a text, a failed one an error, and both an end time.",
        remedy: "Delete the row of the read job; its caller retries.",
        test: RowCheck::by_uuid(
            "read_job",
            "id",
            "(t.state = 'complete' AND (t.snapshot_id IS NULL OR t.finished_at IS NULL)) \
             OR (t.state = 'failed' AND (t.error_code IS NULL OR t.finished_at IS NULL)) \
             OR t.state NOT IN ('queued', 'running', 'complete', 'failed')",
        ),
    },
    Check {
        name: "picture",
        invariant: "A stored picture has a type and size, and a picture without a file has size 0.",
        remedy: "Delete the row of the picture; it is fetched again when its page is next viewed.",
        test: RowCheck::by_text(
            "picture",
            "hash",
            "(t.blob IS NOT NULL AND (t.media_type IS NULL OR t.width <= 0 OR t.height <= 0 OR t.size_bytes <= 0)) \
             OR (t.blob IS NULL AND t.size_bytes <> 0)",
        ),
    },
    Check {
        name: "stored_response",
        invariant: "A response stored for an Idempotency-Key can be sent again unchanged.",
        remedy: "Delete the row; a retry is then executed again.",
        test: RowCheck::by_text("idempotency", "key", "t.status IS NOT NULL AND t.headers IS NULL"),
    },
    Check {
        name: "host_pause",
        invariant: "No pause of a host is longer than a day.",
        remedy: "DELETE FROM host_pause for the host: requests to it resume immediately.",
        test: RowCheck::by_text(
            "host_pause",
            "host",
            "t.paused_until > t.asked_at + 86400000 OR t.asked_at > {now} + 86400000",
        ),
    },
    Check {
        name: "host_turn",
        invariant: "The queue of a host is at most a day long, plus half a second for each of its feeds and monitors.",
        remedy: "DELETE FROM host_turn for the host: its queue restarts with the next due row.",
        test: RowCheck::by_text(
            "host_turn",
            "host",
            "t.next_at > {now} + 86400000 AND t.next_at > {now} + 86400000 + 500 * \
             ((SELECT COUNT(*) FROM feed f WHERE f.host = t.host) + (SELECT COUNT(*) FROM monitor m WHERE m.host = t.host))",
        ),
    },
];
