//! Processes with different clocks: pushed jobs start immediately, and running jobs are not affected.

use std::time::Duration;

use crate::rows::{JobKind, JobState};
use kernel::clock::DAY;
use kernel::{Backend, Millis};
use tokio::time::timeout;

use super::support::*;
use crate::scheduler;

const TIMEOUT: Duration = Duration::from_mins(1);
/// Time after which a lost id is pushed again, which is much longer than the timeout.
const LOST_AFTER_MS: Millis = 3_600_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clock_skew_neither_delays_nor_revokes_jobs() {
    let mut setup = Setup::redis(Backend::Postgres).await;
    setup.settings.lost_after_ms = LOST_AFTER_MS;
    let front = setup.engine();
    let skews: [Millis; 6] = [-5, -1_000, -3_600_000, 3_600_000, -DAY, DAY];
    for skew in skews {
        let worker = setup.engine_with_clock(skew).await;
        let mut gate = Gate::new(JobKind::ReadJob);
        let workers = start(&worker, gate.handler.clone()).await;
        let id = front.submit(read_job(skew.to_string())).await.unwrap().id;
        let started = timeout(TIMEOUT, gate.next()).await;
        assert_eq!(started.ok(), Some(skew.to_string()), "a clock {skew} ms off");
        for engine in [&front, &worker] {
            let counts = scheduler::sweep(engine).await.unwrap();
            assert_eq!((counts.requeued, counts.dead), (0, 0), "a clock {skew} ms off");
        }
        gate.let_through(1);
        let ended = front.wait(id, TIMEOUT).await.unwrap().map(|ended| ended.state);
        assert_eq!(ended, Some(JobState::Complete), "a clock {skew} ms off");
        workers.stop().await;
    }
    assert_eq!(setup.effects().await, 6);
}
