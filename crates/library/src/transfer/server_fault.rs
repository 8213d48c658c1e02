//! Faults of import servers, and how a run recovers from them.

use jobs::hosts;
use kernel::clock::{HOUR, MINUTE};
use kernel::{Code, Millis};

use super::shared_file::FileError;

/// Number of consecutive failures after which a run fails.
const MAX_FAILURES: u32 = 8;

/// Fault of a server that stops a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ServerFault {
    pub(super) code: Code,
    pub(super) recovery: Recovery,
}

/// Recovery from a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recovery {
    /// The run continues after a pause that the server requested.
    Pause(Millis),
    /// The run continues after a back-off.
    Retry,
    /// The run fails. The next run continues at the same position.
    Resume,
    /// The run fails. The next run starts from the beginning, because the position may be the cause.
    Restart,
}

impl ServerFault {
    /// Converts the error of a request.
    pub(super) fn of_fetch(error: &fetch::Error) -> Self {
        let code = Code::from(error);
        if let Some(pause) = hosts::pause_after(error) {
            return Self { code, recovery: Recovery::Pause(pause) };
        }
        let recovery = match error {
            fetch::Error::Status { status: ..=499, .. }
            | fetch::Error::NotFound { .. }
            | fetch::Error::TooLarge { .. } => Recovery::Restart,
            _ if code.is_transient() => Recovery::Retry,
            _ => Recovery::Resume,
        };
        Self { code, recovery }
    }

    /// Converts the error of a login. Some servers respond to an invalid login with status 400 or 422.
    pub(super) fn of_login(error: &fetch::Error) -> Self {
        match error {
            fetch::Error::Status { status: 400 | 422, .. } => Self::login_refused(),
            _ => Self::of_fetch(error),
        }
    }

    /// Returns the fault of a server that refuses the login.
    pub(super) fn login_refused() -> Self {
        Self { code: Code::LoginRequired, recovery: Recovery::Resume }
    }

    /// Converts the error of a page that cannot be read. `None` if this service is the cause.
    pub(super) fn of_page(error: FileError) -> Option<Self> {
        let code = match error {
            FileError::TooLarge => Code::ContentTooLarge,
            FileError::Malformed | FileError::UnknownFormat => Code::SourceInvalidResponse,
            FileError::Unreadable | FileError::Killed => return None,
        };
        Some(Self { code, recovery: Recovery::Restart })
    }

    /// Returns the delay until the run continues, after `failures` earlier consecutive failures. `None` if
    /// the run fails.
    pub(super) fn delay(self, failures: u32) -> Option<Millis> {
        if failures >= MAX_FAILURES {
            return None;
        }
        match self.recovery {
            Recovery::Pause(pause) => Some(pause),
            Recovery::Retry => Some(MINUTE.saturating_mul(1 << failures).min(HOUR)),
            Recovery::Resume | Recovery::Restart => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn transient_faults_are_retried_with_back_off_and_other_faults_fail() {
        let status = |status, seconds: Option<u64>| fetch::Error::Status {
            status,
            retry_after: seconds.map(Duration::from_secs),
        };
        let recovery = |error: &fetch::Error| ServerFault::of_fetch(error).recovery;
        let limited = fetch::Error::RateLimited { retry_after: Some(Duration::from_mins(10)) };
        assert_eq!(recovery(&limited), Recovery::Pause(10 * MINUTE));
        assert_eq!(recovery(&status(503, Some(120))), Recovery::Pause(2 * MINUTE));
        assert_eq!(recovery(&status(500, None)), Recovery::Retry);
        assert_eq!(recovery(&status(400, None)), Recovery::Restart);
        assert_eq!(recovery(&fetch::Error::LoginRequired), Recovery::Resume);
        assert_eq!(recovery(&fetch::Error::Forbidden { status: 403 }), Recovery::Resume);
        assert_eq!(ServerFault::of_login(&status(400, None)), ServerFault::login_refused());
        let retried = ServerFault::of_fetch(&status(500, None));
        assert_eq!(
            [0, 1, 7, 8].map(|failures| retried.delay(failures)),
            [Some(MINUTE), Some(2 * MINUTE), Some(HOUR), None]
        );
        assert_eq!(ServerFault::login_refused().delay(0), None);
        assert_eq!(ServerFault::of_page(FileError::Killed), None);
    }
}
