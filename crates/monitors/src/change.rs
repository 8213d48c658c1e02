//! A change as a value, and as the row that it is stored in.

use std::io::Read;

use entities::ids::{AccountId, ChangeId, MonitorId, MonitorRunId};
use entities::monitor_change;
use extract::watch::Operation;

use kernel::clock::Millis;
use kernel::error::{Error, Result};

/// Operations are no longer than this when unpacked.
const MOST_BYTES: u64 = 64 << 20;
/// Fast, and close to the levels above it for texts of this size.
const LEVEL: i32 = 3;

/// A change that a run found.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its id.
    pub id: ChangeId,
    /// The monitor that found it.
    pub monitor_id: MonitorId,
    /// The run that found it.
    pub run_id: MonitorRunId,
    /// When it was found.
    pub detected_at: Millis,
    /// `added`, `changed` or `removed`; of the monitor itself `stopped` or `waiting`.
    pub kind: String,
    /// Where it was found.
    pub url: String,
    /// One plain line.
    pub title: String,
    /// A few plain lines.
    pub summary: String,
    /// What it is made of.
    pub operations: Vec<Operation>,
    /// Hash of the content before.
    pub before_hash: Option<String>,
    /// Hash of the content after.
    pub after_hash: Option<String>,
    /// When the source was looked at before.
    pub previous_look_at: Option<Millis>,
}

impl Change {
    /// The row of a change that an account's monitor found.
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
            previous_look_at: self.previous_look_at,
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
            previous_look_at: row.previous_look_at,
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
    unpacked.take(MOST_BYTES).read_to_end(&mut json).map_err(Error::internal)?;
    serde_json::from_slice(&json).map_err(Error::internal)
}
