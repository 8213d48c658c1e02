//! Checks of monitors, their runs, and the credits that runs cost.

use crate::doctor::check::{Check, CheckKind, RowCheck};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "credit_balance",
        invariant: "The balance of a month is the sum of its entries.",
        remedy: "Run `carrel credits audit`. The entries are authoritative: set used, granted and allowance to their sums.",
        test: RowCheck::of_owners(
            "credit_month",
            "account_id",
            "t.allowance + t.granted - t.used <> COALESCE((SELECT SUM(e.amount) FROM credit_entry e \
             WHERE e.account_id = t.account_id AND e.month = t.month), 0)",
        ),
    },
    Check {
        name: "run_charge",
        invariant: "A run is charged once, with the cost that it states.",
        remedy: "Compensate the account (`carrel credits grant EMAIL N`), and retain the rows for the investigation.",
        test: RowCheck::by_uuid(
            "monitor_run",
            "id",
            "t.credits <> -COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE e.run_id = t.id), 0)",
        ),
    },
    Check {
        name: "monitor_schedule",
        invariant: "A monitor has a next run if and only if it is active.",
        remedy: "Pause and resume the monitor, or set next_run_at to the current time.",
        test: RowCheck::by_uuid("monitor", "id", "(t.status = 'active') <> (t.next_run_at IS NOT NULL)"),
    },
    Check {
        name: "monitor_overdue",
        invariant: "No monitor is overdue by more than an hour, unless its runs are paused.",
        remedy: "No scheduler ticks, or workers do not keep up: check the queue of monitor_run.",
        test: RowCheck::by_uuid(
            "monitor",
            "id",
            "t.next_run_at < {now} - 3600000 AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = 'monitor_run')",
        ),
    },
    Check {
        name: "monitor_content",
        invariant: "The baseline of a monitor is stored.",
        remedy: "UPDATE monitor SET baseline_hash = NULL for the id: its next run takes a new baseline.",
        test: RowCheck::by_uuid(
            "monitor",
            "id",
            "t.baseline_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM monitor_snapshot s \
             WHERE s.monitor_id = t.id AND s.hash = t.baseline_hash)",
        ),
    },
    Check {
        name: "monitor_screenshots",
        invariant: "Each screenshot of a monitor is in the store with its size.",
        remedy: "Restore a missing file from the backup of the store, or delete its row: the change is then shown without it.",
        test: CheckKind::Screenshots,
    },
    Check {
        name: "monitor_group",
        invariant: "The group of a monitor is one of its account.",
        remedy: "UPDATE monitor SET group_id = NULL for the id: its settings stay as they are.",
        test: RowCheck::by_uuid(
            "monitor",
            "id",
            "t.group_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM monitor_group g \
             WHERE g.id = t.group_id AND g.account_id = t.account_id)",
        ),
    },
    Check {
        name: "monitor_run_twin",
        invariant: "A monitor has one run per due time.",
        remedy: "Delete the newer row, and check that the index monitor_run_due exists.",
        test: RowCheck::by_uuid(
            "monitor_run",
            "id",
            "EXISTS (SELECT 1 FROM monitor_run o WHERE o.monitor_id = t.monitor_id AND o.due_at = t.due_at AND o.id <> t.id)",
        ),
    },
];
