//! Checks of jobs: every accepted job is finished, or is scheduled and reachable; every running job has a
//! lease.

use crate::doctor::check::{Check, RowCheck};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "job_state",
        invariant: "A job is ready, running, complete, failed or dead, and of a kind known to this version.",
        remedy: "Written by a newer version: upgrade this one. Changed by hand: set one of the five states, or delete the row.",
        test: RowCheck::by_uuid(
            "job",
            "id",
            "t.state NOT IN ('ready', 'running', 'complete', 'failed', 'dead') OR t.kind NOT IN ({kinds})",
        ),
    },
    Check {
        name: "job_lease",
        invariant: "A running job has a lease that has not been expired for more than a minute.",
        remedy: "No scheduler sweeps: start one; it reassigns the job to another worker.",
        test: RowCheck::by_uuid(
            "job",
            "id",
            "t.state = 'running' AND COALESCE(t.lease_until, 0) < {database_now} - 60000",
        ),
    },
    Check {
        name: "job_on_its_way",
        invariant: "A due job is in the transport, unless its kind is paused.",
        remedy: "No scheduler sweeps, or the queue is unreachable: check /readyz of the scheduler and its log.",
        test: RowCheck::by_uuid(
            "job",
            "id",
            // A job in a long queue is not lost if workers run, or recently ran, other jobs of its kind.
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
        invariant: "finished_at is set if and only if the job is finished.",
        remedy: "Set finished_at of the row, or retry the job (`carrel jobs retry ID`).",
        test: RowCheck::by_uuid(
            "job",
            "id",
            "(t.state IN ('complete', 'failed', 'dead')) <> (t.finished_at IS NOT NULL)",
        ),
    },
    Check {
        name: "job_starts",
        invariant: "A job was claimed at least as often as it was started.",
        remedy: "The row was changed by hand: cancel the job and submit it again.",
        test: RowCheck::by_uuid("job", "id", "t.attempts < 0 OR t.fence < t.attempts"),
    },
    Check {
        name: "job_twin",
        invariant: "At most one job per kind and key is ready or running.",
        remedy: "Cancel all but one (`carrel jobs cancel ID`), and check that the index job_live exists.",
        test: RowCheck::by_uuid(
            "job",
            "id",
            "t.finished_at IS NULL AND EXISTS (SELECT 1 FROM job o WHERE o.kind = t.kind AND o.key = t.key \
             AND o.finished_at IS NULL AND o.id <> t.id)",
        ),
    },
];
