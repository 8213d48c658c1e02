//! Waits for the completion of jobs without polling. Within a process, callers are notified directly; across
//! processes, the transport notifies them. As a fallback, they query the row infrequently.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::rows::{self, JobRow, JobState};
use kernel::{Code, Domain, JobId, Result};
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout_at};

/// Final state of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobCompletion {
    pub id: JobId,
    /// `Complete`, `Failed` or `Dead`.
    pub state: JobState,
    /// Machine-readable code.
    pub error_code: Option<Code>,
    /// Human-readable message.
    pub error_message: Option<String>,
}

/// Registry of waiting callers. Contains an entry only while a caller waits for the job, so its size is
/// bounded by the number of waiting callers.
pub(crate) struct CompletionWaiters {
    waiting: Mutex<HashMap<JobId, broadcast::Sender<JobCompletion>>>,
    /// Number of ended runs, for callers that wait until the engine is idle.
    runs: watch::Sender<u64>,
}

/// Message format between processes.
#[derive(Serialize, Deserialize)]
struct CompletionMessage {
    id: JobId,
    state: String,
    code: Option<String>,
    text: Option<String>,
}

impl JobCompletion {
    pub(crate) fn complete(id: JobId) -> Self {
        Self { id, state: JobState::Complete, error_code: None, error_message: None }
    }

    pub(crate) fn failed(id: JobId, code: Code, message: &str) -> Self {
        let (error_code, error_message) = (Some(code), Some(message.to_owned()));
        Self { id, state: JobState::Failed, error_code, error_message }
    }

    pub(crate) fn dead(id: JobId) -> Self {
        let message = "The worker was lost each time before the job ended.".to_owned();
        Self { id, state: JobState::Dead, error_code: Some(rows::WORKER_LOST), error_message: Some(message) }
    }

    /// Converts the completion to a message for other processes, which is parsed by
    /// [`on_message`](CompletionWaiters::on_message).
    pub(crate) fn to_message(&self) -> String {
        let message = CompletionMessage {
            id: self.id,
            state: self.state.as_str().to_owned(),
            code: self.error_code.map(|code| code.as_str().to_owned()),
            text: self.error_message.clone(),
        };
        serde_json::to_string(&message).unwrap_or_default()
    }

    /// Returns the completion that the row records. `None` while the job is live. A missing row means
    /// `Complete`, because the rows of some kinds are deleted on completion.
    fn from_row(id: JobId, job: Option<JobRow>) -> Option<Self> {
        let Some(job) = job else { return Some(Self::complete(id)) };
        if job.state.is_live() {
            return None;
        }
        Some(Self { id, state: job.state, error_code: job.error_code, error_message: job.error_message })
    }
}

impl Default for CompletionWaiters {
    fn default() -> Self {
        Self { waiting: Mutex::default(), runs: watch::Sender::new(0) }
    }
}

impl CompletionWaiters {
    /// Starts to listen for the job's completion. Receives every notification sent after this call.
    pub(crate) fn listener(&self, id: JobId) -> CompletionListener<'_> {
        CompletionListener { completion: self, id, receiver: self.listen(id) }
    }

    /// Waits for a notification of the job's completion, possibly forever. Receives every notification sent
    /// after this call, even if the future is not polled yet.
    pub(crate) fn wait_for_notification(&self, id: JobId) -> impl Future<Output = ()> + '_ {
        let mut listener = self.listener(id);
        async move {
            while listener.receiver.recv().await.is_err() {
                listener.receiver = self.listen(id);
            }
        }
    }

    /// Notifies the waiting callers of this process.
    pub(crate) fn notify(&self, ended: &JobCompletion) {
        let sender = self.lock().remove(&ended.id);
        if let Some(sender) = sender {
            let _ = sender.send(ended.clone());
        }
    }

    /// Makes all waiting callers query their rows now, because recent notifications may have been missed.
    pub(crate) fn recheck_all(&self) {
        // Receivers whose sender is dropped query the row and listen again.
        self.lock().clear();
    }

    /// Handles a message of another process: one completion, or a list of them.
    pub(crate) fn on_message(&self, text: &str) {
        if let Ok(several) = serde_json::from_str::<Vec<CompletionMessage>>(text) {
            for message in several {
                self.handle_message(message);
            }
        } else if let Ok(single) = serde_json::from_str::<CompletionMessage>(text) {
            self.handle_message(single);
        }
    }

    fn handle_message(&self, message: CompletionMessage) {
        let state = match message.state.as_str() {
            "complete" => JobState::Complete,
            "failed" => JobState::Failed,
            "dead" => JobState::Dead,
            _ => return,
        };
        let (error_code, error_message) = (message.code.as_deref().map(Code::from_stored), message.text);
        self.notify(&JobCompletion { id: message.id, state, error_code, error_message });
    }

    /// Counts a run that has ended, with any outcome.
    pub(crate) fn count_run(&self) {
        self.runs.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Returns a receiver that changes with every [`count_run`](Self::count_run).
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn runs(&self) -> watch::Receiver<u64> {
        self.runs.subscribe()
    }

    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.lock().len()
    }

    fn listen(&self, id: JobId) -> broadcast::Receiver<JobCompletion> {
        self.lock().entry(id).or_insert_with(|| broadcast::Sender::new(1)).subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobId, broadcast::Sender<JobCompletion>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Time at which a waiting caller queries the row for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstCheck {
    /// The job may have ended before the caller listened.
    Immediately,
    /// The check is only a fallback, in case no notification arrives.
    AfterInterval,
}

/// Waiting caller. When the last listener of a job is dropped, the job's entry is removed.
pub(crate) struct CompletionListener<'a> {
    completion: &'a CompletionWaiters,
    id: JobId,
    receiver: broadcast::Receiver<JobCompletion>,
}

impl CompletionListener<'_> {
    /// Waits until the job has ended. Returns `None` if `deadline` passes first. Queries the row every
    /// `check_interval` in case no notification arrives.
    pub(crate) async fn wait(
        mut self,
        domain: &Domain,
        deadline: Instant,
        check_interval: Duration,
        first: FirstCheck,
    ) -> Result<Option<JobCompletion>> {
        let id = self.id;
        let first = match first {
            FirstCheck::Immediately => Instant::now(),
            FirstCheck::AfterInterval => Instant::now() + check_interval,
        };
        let mut checks = interval_at(first, check_interval);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let wait = async {
            loop {
                tokio::select! {
                    biased;
                    ended = self.receiver.recv() => {
                        if let Ok(ended) = ended { return Ok(ended) }
                        self.receiver = self.completion.listen(id);
                        checks.reset_immediately();
                    }
                    _ = checks.tick() => match rows::get(domain, id).await {
                        Ok(job) => if let Some(ended) = JobCompletion::from_row(id, job) { return Ok(ended) },
                        Err(error) if error.is_transient() => {
                            tracing::debug!(%error, %id, "failed to query awaited job");
                        }
                        Err(error) => return Err(error),
                    },
                }
            }
        };
        timeout_at(deadline, wait).await.ok().transpose()
    }
}

impl Drop for CompletionListener<'_> {
    fn drop(&mut self) {
        let mut waiting = self.completion.lock();
        if waiting.get(&self.id).is_some_and(|sender| sender.receiver_count() <= 1) {
            waiting.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[test]
    fn completion_round_trips_through_its_message() {
        let id = JobId::from_u128(7);
        let failed = JobCompletion::failed(id, Code::Cancelled, "Cancelled.");
        for end in [JobCompletion::complete(id), failed, JobCompletion::dead(id)] {
            let (completion, message) = (CompletionWaiters::default(), end.to_message());
            for message in [format!("[{message}]"), message] {
                let mut heard = completion.listen(id);
                completion.on_message(&message);
                assert_eq!(heard.try_recv().as_ref(), Ok(&end));
            }
        }
    }

    #[tokio::test]
    async fn notification_before_the_first_poll_is_received() {
        let (completion, id) = (CompletionWaiters::default(), JobId::from_u128(7));
        let heard = completion.wait_for_notification(id);
        completion.notify(&JobCompletion::complete(id));
        timeout(Duration::from_mins(1), heard).await.unwrap();
    }
}
