//! Change of a monitor, and its stored row.

use std::io::Read;

use entities::ids::{AccountId, ChangeId, MonitorId, MonitorRunId};
use entities::monitor_change;
use extract::watch::Operation;

use super::change_explanation::ChangeExplanation;
use kernel::{Error, Millis, Result};

/// Maximum size of the unpacked operations, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Compression level of zstd. It is fast, and its results are nearly as small as those of higher levels for
/// texts of this size.
const LEVEL: i32 = 3;

/// Change that a run detected.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub id: ChangeId,
    pub monitor_id: MonitorId,
    pub run_id: MonitorRunId,
    pub detected_at: Millis,
    /// `added`, `changed` or `removed`; `stopped` or `waiting` for notices about the monitor itself.
    pub kind: String,
    /// URL of the monitored source.
    pub url: String,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
    pub operations: Vec<Operation>,
    /// Hash of the snapshot before the change. `None` if there was no such snapshot.
    pub before_hash: Option<String>,
    /// Hash of the snapshot after the change.
    pub after_hash: Option<String>,
    /// Time of the previous check.
    pub previous_check_at: Option<Millis>,
    /// Explanation by the language model. `None` if none was requested or loaded.
    pub explanation: Option<ChangeExplanation>,
}

impl Change {
    /// Converts the change to a row of the account.
    pub(super) fn row(&self, account_id: AccountId) -> Result<monitor_change::Model> {
        Ok(monitor_change::Model {
            id: self.id,
            account_id,
            monitor_id: self.monitor_id,
            run_id: self.run_id,
            detected_at: self.detected_at,
            kind: self.kind.clone(),
            url: self.url.clone(),
            title: self.title.clone(),
            summary: self.summary.clone(),
            operations: pack(&self.operations)?,
            before_hash: self.before_hash.clone(),
            after_hash: self.after_hash.clone(),
            previous_look_at: self.previous_check_at,
        })
    }
}

impl TryFrom<monitor_change::Model> for Change {
    type Error = Error;

    fn try_from(row: monitor_change::Model) -> Result<Self> {
        Ok(Self {
            operations: unpack(&row.operations)?,
            id: row.id,
            monitor_id: row.monitor_id,
            run_id: row.run_id,
            detected_at: row.detected_at,
            kind: row.kind,
            url: row.url,
            title: row.title,
            summary: row.summary,
            before_hash: row.before_hash,
            after_hash: row.after_hash,
            previous_check_at: row.previous_look_at,
            explanation: None,
        })
    }
}

fn pack(operations: &[Operation]) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(operations).map_err(Error::internal)?;
    zstd::bulk::compress(&json, LEVEL).map_err(Error::internal)
}

fn unpack(packed: &[u8]) -> Result<Vec<Operation>> {
    let mut json = Vec::new();
    let unpacked = zstd::stream::read::Decoder::new(packed).map_err(Error::internal)?;
    unpacked.take(MAX_BYTES).read_to_end(&mut json).map_err(Error::internal)?;
    serde_json::from_slice(&json).map_err(Error::internal)
}
