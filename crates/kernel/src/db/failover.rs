//! Errors that speak of the state of a database rather than of a statement, and connections that a failover left
//! behind.
//!
//! After a failover a pool still holds connections to the server that was demoted. They answer, and so look sound
//! to a pool that asks for a sign of life; only a statement that writes learns that the server is read-only now.
//! Whoever learns it notes the moment, and every connection that is older is closed before it is used again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::{DbErr, RuntimeErr, SqlxError};

/// SQLite: busy, locked, full, I/O and their extended forms. PostgreSQL: shutting down, starting up,
/// too many connections, disk full, serialization, deadlock, time limits, and a server that a failover made
/// read-only.
const PASSING_CODES: &[&str] = &[
    "5", "6", "10", "13", "261", "262", "266", "517", "773", "778", "57P01", "57P02", "57P03", "53100",
    "53200", "53300", "40001", "40P01", "08006", "08003", "25P03", "08000", "08001", "08004", READ_ONLY,
    "55P03", "57014", "57P05",
];
/// Those of them that speak of what one statement met: a serialization failure, a deadlock, and time limits.
const STATEMENT_CODES: &[&str] = &["40001", "40P01", "55P03", "57014"];
/// PostgreSQL's code for a statement that wants to write where nothing may be written.
const READ_ONLY: &str = "25006";

/// The disk under the database is full: SQLite, PostgreSQL.
const FULL_CODES: &[&str] = &["13", "53100"];

/// When something was last met. One for the process: a pool knows nothing of the errors that its connections meet.
struct Met(Mutex<Option<Instant>>);

/// A server turned out to be read-only. A connection that is closed without need costs no more than making it anew.
static READ_ONLY_SERVER: Met = Met::never();
/// Something could not be written for want of room.
static FULL_DISK: Met = Met::never();

impl Met {
    const fn never() -> Self {
        Self(Mutex::new(None))
    }

    fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn is_within(&self, time: Duration) -> bool {
        let met = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.is_some_and(|met| met.elapsed() <= time)
    }
}

/// Whether the error speaks of a database that is away, busy or out of connections for now.
pub fn is_passing(error: &DbErr) -> bool {
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
                    error.code().is_some_and(|code| PASSING_CODES.contains(&code.as_ref()))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether the database itself is away, busy or full, so that no other statement would fare better just now. Waiting for
/// a row too long, and a deadlock, are the statement's own.
pub fn is_away(error: &DbErr) -> bool {
    is_passing(error) && !code_of(error).is_some_and(|code| STATEMENT_CODES.contains(&code.as_str()))
}

/// What the database calls the error.
fn code_of(error: &DbErr) -> Option<String> {
    let (DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error))) = error
    else {
        return None;
    };
    let SqlxError::Database(error) = error.as_ref() else { return None };
    error.code().map(std::borrow::Cow::into_owned)
}

/// Takes note when the error says that the server is read-only: connections made before now lead to a server that
/// is no longer the one to write to; or that there is no room to write.
pub fn note(error: &DbErr) {
    let Some(code) = code_of(error) else { return };
    if code == READ_ONLY {
        READ_ONLY_SERVER.now();
    } else if FULL_CODES.contains(&code.as_str()) {
        FULL_DISK.now();
    }
}

/// Whether a connection of this age was made before a server turned out to be read-only.
pub(super) fn is_left_behind(age: Duration) -> bool {
    READ_ONLY_SERVER.is_within(age)
}

/// Whether within this time something could not be written for want of room.
pub fn was_full_within(time: Duration) -> bool {
    FULL_DISK.is_within(time)
}
