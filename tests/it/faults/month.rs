//! Simulated month of two hundred monitors: several of each kind, with different sources.

use crate::monitors_month_of_kinds::assert_exact_month;
use crate::support::{World, run};

/// Number of monitors.
const MONITORS: usize = 200;

#[test]
fn two_hundred_monitors_report_exactly_the_expected_changes_for_a_month() {
    run(async {
        for world in World::ALL {
            assert_exact_month(world, MONITORS).await;
        }
    });
}
