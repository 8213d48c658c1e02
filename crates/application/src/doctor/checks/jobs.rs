//! Jobs: every accepted job is over, or due and on its way; nobody runs what nobody answers for.

use crate::doctor::check::{Check, Rows};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "job_state",
        holds: "A job is ready, running, complete, failed or dead, and of a kind that this version knows.",
        remedy: "A newer version wrote it: bring this one up to date. A row that was changed by hand gets one of the five \
                 states, or is deleted.",
        test: Rows::by_uuid(
            "job",
            "id",
            "t.state NOT IN ('ready', 'running', 'complete', 'failed', 'dead') OR t.kind NOT IN ({kinds})",
        ),
    },
    Check {
        name: "job_lease",
        holds: "A running job has a lease, and no lease is over for longer than a minute.",
        remedy: "No scheduler sweeps: start one, and it gives the job to another worker.",
        test: Rows::by_uuid(
            "job",
            "id",
            "t.state = 'running' AND COALESCE(t.lease_until, 0) < {database_now} - 60000",
        ),
    },
    Check {
        name: "job_on_its_way",
        holds: "A job whose time has come is on its way to a worker, unless its kind is paused.",
        remedy: "No scheduler sweeps, or the queue cannot be reached: look at /readyz of the scheduler and at its log.",
        test: Rows::by_uuid(
            "job",
            "id",
            // One that waits in a long queue is not lost: workers are at others of its kind, or were a moment ago.
            "t.state = 'ready' AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = t.kind) AND \
             (t.pushed_at < {database_now} - 120000 OR (t.pushed_at IS NULL AND t.run_at < {now} - 600000 AND NOT EXISTS \
             (SELECT 1 FROM job o WHERE o.kind = t.kind AND o.finished_at IS NULL AND o.pushed_at IS NOT NULL))) \
             AND NOT EXISTS (SELECT 1 FROM job o WHERE o.kind = t.kind AND o.finished_at IS NULL \
             AND o.state = 'running' AND o.lease_until > {database_now}) \
             AND NOT EXISTS (SELECT 1 FROM job_minute m WHERE m.kind = t.kind AND m.minute >= {now} / 60000 - 2)",
        ),
    },
    Check {
        name: "job_end",
        holds: "A job that is over says when it ended, and only such a one does.",
        remedy: "Set finished_at of the row, or retry the job (`carrel jobs retry ID`).",
        test: Rows::by_uuid(
            "job",
            "id",
            "(t.state IN ('complete', 'failed', 'dead')) <> (t.finished_at IS NOT NULL)",
        ),
    },
    Check {
        name: "job_starts",
        holds: "A job was claimed at least as often as it was started.",
        remedy: "Somebody changed the row by hand: cancel the job and submit it anew.",
        test: Rows::by_uuid("job", "id", "t.attempts < 0 OR t.fence < t.attempts"),
    },
    Check {
        name: "job_twin",
        holds: "Of one kind and key one job at most is ready or running.",
        remedy: "Cancel all but one (`carrel jobs cancel ID`), and look whether the index job_live is there.",
        test: Rows::by_uuid(
            "job",
            "id",
            "t.finished_at IS NULL AND EXISTS (SELECT 1 FROM job o WHERE o.kind = t.kind AND o.key = t.key \
             AND o.finished_at IS NULL AND o.id <> t.id)",
        ),
    },
];
