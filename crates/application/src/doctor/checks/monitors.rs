//! Monitors, their runs, and the credits that runs cost.

use crate::doctor::check::{Check, Rows};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "credit_balance",
        holds: "The balance of a month is the sum of its entries.",
        remedy: "`carrel credits audit` names the months. The entries are the truth: set used, granted and allowance to \
                 what they add up to.",
        test: Rows::of_owners(
            "credit_month",
            "account_id",
            "t.allowance + t.granted - t.used <> COALESCE((SELECT SUM(e.amount) FROM credit_entry e \
             WHERE e.account_id = t.account_id AND e.month = t.month), 0)",
        ),
    },
    Check {
        name: "run_charge",
        holds: "A run is charged once, and what it says it cost.",
        remedy: "Give the account the difference (`carrel credits grant EMAIL N`), and keep the rows for whoever looks \
                 into it.",
        test: Rows::by_uuid(
            "monitor_run",
            "id",
            "t.credits <> -COALESCE((SELECT SUM(e.amount) FROM credit_entry e WHERE e.run_id = t.id), 0)",
        ),
    },
    Check {
        name: "monitor_schedule",
        holds: "A monitor has a next run when it is active, and only then.",
        remedy: "Pause the monitor and resume it, or set next_run_at to the present.",
        test: Rows::by_uuid("monitor", "id", "(t.status = 'active') <> (t.next_run_at IS NOT NULL)"),
    },
    Check {
        name: "monitor_overdue",
        holds: "No monitor is due for longer than an hour, unless its runs are paused.",
        remedy: "No scheduler ticks, or workers do not keep up: look at the queue of monitor_run.",
        test: Rows::by_uuid(
            "monitor",
            "id",
            "t.next_run_at < {now} - 3600000 AND NOT EXISTS (SELECT 1 FROM job_pause p WHERE p.kind = 'monitor_run')",
        ),
    },
    Check {
        name: "monitor_content",
        holds: "The content that a monitor compares with is kept.",
        remedy: "UPDATE monitor SET baseline_hash = NULL for the id: its next run begins with a new content.",
        test: Rows::by_uuid(
            "monitor",
            "id",
            "t.baseline_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM monitor_snapshot s \
             WHERE s.monitor_id = t.id AND s.hash = t.baseline_hash)",
        ),
    },
    Check {
        name: "monitor_run_twin",
        holds: "A monitor has one run for each time it was due.",
        remedy: "Delete the later one, and look whether the index monitor_run_due is there.",
        test: Rows::by_uuid(
            "monitor_run",
            "id",
            "EXISTS (SELECT 1 FROM monitor_run o WHERE o.monitor_id = t.monitor_id AND o.due_at = t.due_at AND o.id <> t.id)",
        ),
    },
];
