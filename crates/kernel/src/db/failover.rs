//! Errors that concern the state of the database rather than a statement, and connections that predate a
//! failover.
//!
//! After a failover, a pool still has connections to the demoted server. These connections answer pings, so the pool
//! considers them healthy; only a writing statement shows that the server is now read-only. Such an error is recorded
//! with its time, and every older connection is closed before it is used again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::{DbErr, RuntimeErr, SqlxError};

/// Transient errors. SQLite: busy, locked, full, I/O and their extended forms. PostgreSQL: shutting down,
/// starting up, too many connections, disk full, serialization failure, deadlock, timeouts, and a server made
/// read-only by a failover.
const TRANSIENT_CODES: &[&str] = &[
    "5", "6", "10", "13", "261", "262", "266", "517", "773", "778", "57P01", "57P02", "57P03", "53100",
    "53200", "53300", "40001", "40P01", "08006", "08003", "25P03", "08000", "08001", "08004", READ_ONLY,
    "55P03", "57014", "57P05",
];
/// Transient errors of a single statement: serialization failure, deadlock, and timeouts.
const STATEMENT_CODES: &[&str] = &["40001", "40P01", "55P03", "57014"];
/// PostgreSQL's code for a write on a read-only server.
const READ_ONLY: &str = "25006";

/// Disk full: SQLite, PostgreSQL.
const FULL_CODES: &[&str] = &["13", "53100"];

/// Time at which a condition last occurred. The instances are statics, because a pool does not learn of the errors on
/// its connections.
struct LastOccurrence(Mutex<Option<Instant>>);

/// Last time at which a server turned out to be read-only. Closing a connection unnecessarily costs no more than
/// opening a new one.
static READ_ONLY_SERVER: LastOccurrence = LastOccurrence::never();
/// Last time at which a write failed because the disk was full.
static FULL_DISK: LastOccurrence = LastOccurrence::never();

impl LastOccurrence {
    const fn never() -> Self {
        Self(Mutex::new(None))
    }

    fn record(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_within(&self, time: Duration) -> bool {
        let recorded_at = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recorded_at.is_some_and(|instant| instant.elapsed() <= time)
    }
}

/// True if the error indicates a database that is temporarily unavailable, busy, or out of connections.
pub fn is_transient(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            match error.as_ref() {
                SqlxError::Io(_)
                | SqlxError::Tls(_)
                | SqlxError::PoolTimedOut
                | SqlxError::PoolClosed
                | SqlxError::WorkerCrashed => true,
                SqlxError::Database(error) => {
                    error.code().is_some_and(|code| TRANSIENT_CODES.contains(&code.as_ref()))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// True if the database itself is unavailable, busy or full, so that other statements would fail as well.
/// Lock timeouts and deadlocks concern the statement only.
pub fn is_unavailable(error: &DbErr) -> bool {
    is_transient(error) && !code_of(error).is_some_and(|code| STATEMENT_CODES.contains(&code.as_str()))
}

/// Error code of the database.
pub(crate) fn code_of(error: &DbErr) -> Option<String> {
    let (DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return None;
    };
    let SqlxError::Database(error) = error.as_ref() else { return None };
    error.code().map(std::borrow::Cow::into_owned)
}

/// Records an error that indicates a full disk, or a read-only server. Connections that were opened before a server
/// became read-only must be closed.
pub fn record_error(error: &DbErr) {
    let Some(code) = code_of(error) else { return };
    if code == READ_ONLY {
        READ_ONLY_SERVER.record();
    } else if FULL_CODES.contains(&code.as_str()) {
        FULL_DISK.record();
    }
}

/// True if a connection of this age was opened before a server turned out to be read-only.
pub(super) fn predates_failover(age: Duration) -> bool {
    READ_ONLY_SERVER.is_within(age)
}

/// True if a write failed within the last `time` because the disk was full.
pub fn was_full_within(time: Duration) -> bool {
    FULL_DISK.is_within(time)
}
