//! Positions in an account export: reading positions that e-readers reported, and playback positions of
//! recordings.

use entities::ids::AccountId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::blocking::blocking;
use crate::reading_positions::{ReadingPosition, import_reading_position, list_reading_positions};
use feeds::ExportedPlayback;
use kernel::{Code, Domain, Error, ImportedObjects, Millis, Result, address};

/// Maximum number of positions in a file: more than an account can have.
const MAX_POSITIONS: usize = 20_000;

/// Maximum length of a name in the report, in code points.
const NAME_CHARS: usize = 200;

/// File of an export.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct PositionsFile {
    reading_positions: Vec<Value>,
    playback: Vec<Value>,
}

/// Position in a document.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedPosition {
    /// Digest by which e-readers recognise the document.
    document: String,
    progress: String,
    /// Fraction that was read, from 0 to 1.
    fraction: f64,
    #[serde(default)]
    device: String,
    #[serde(default)]
    device_id: String,
    /// Time of the report, in milliseconds since the Unix epoch.
    updated_at: Millis,
}

/// Exports the positions of an account as JSON.
pub(super) async fn export_positions(domain: &Domain, account_id: AccountId) -> Result<String> {
    let mut file = PositionsFile::default();
    for (position, updated_at) in list_reading_positions(domain, account_id).await? {
        let ReadingPosition { document, progress, fraction, device, device_id } = position;
        let exported = ExportedPosition { document, progress, fraction, device, device_id, updated_at };
        file.reading_positions.push(serde_json::to_value(exported).map_err(Error::internal)?);
    }
    for exported in feeds::export_playback(domain, account_id).await? {
        file.playback.push(serde_json::to_value(exported).map_err(Error::internal)?);
    }
    serde_json::to_string_pretty(&file).map_err(Error::internal)
}

/// Imports the positions of a file. Positions that the account has changed since the export are retained.
///
/// # Errors
/// Returns transient errors of the database. A file that cannot be parsed is reported as a failure of position 1.
pub(super) async fn import_positions(
    domain: &Domain,
    account_id: AccountId,
    bytes: Vec<u8>,
) -> Result<ImportedObjects> {
    let mut imported = ImportedObjects::default();
    let file = blocking(move || Ok(serde_json::from_slice::<PositionsFile>(&bytes).ok())).await?;
    let Some(PositionsFile { reading_positions, playback }) = file else {
        imported.fail(1, "the list", Code::InvalidRequest);
        return Ok(imported);
    };
    let count = reading_positions.len();
    let all = reading_positions.into_iter().chain(playback).enumerate();
    for (number, (index, value)) in (1..).zip(all) {
        if index >= MAX_POSITIONS {
            imported.fail(number, "the rest of the positions", Code::PayloadTooLarge);
            break;
        }
        let (name, result) = if index < count {
            let name = name_of(&value, "document");
            (name, import_document(domain, account_id, value).await)
        } else {
            let name = name_of(&value, "title");
            (name, import_recording(domain, account_id, value).await)
        };
        imported.record(number, format!("the position of {name}"), result)?;
    }
    Ok(imported)
}

/// Returns the name of a position for the report, without user names and passwords.
fn name_of(value: &Value, member: &str) -> String {
    let names = [member, "entryUrl", "feedUrl"];
    let name = names.iter().find_map(|name| value.get(name)?.as_str());
    address::without_user_info(name.unwrap_or("an unnamed document")).chars().take(NAME_CHARS).collect()
}

async fn import_document(domain: &Domain, account_id: AccountId, value: Value) -> Result<()> {
    let exported: ExportedPosition = parsed(value)?;
    let ExportedPosition { document, progress, fraction, device, device_id, updated_at } = exported;
    let position = ReadingPosition { document, progress, fraction, device, device_id };
    import_reading_position(domain, account_id, position, updated_at).await
}

async fn import_recording(domain: &Domain, account_id: AccountId, value: Value) -> Result<()> {
    let exported: ExportedPlayback = parsed(value)?;
    feeds::import_playback(domain, account_id, &exported).await
}

fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value)
        .map_err(|_| Error::new(Code::InvalidRequest, "The position cannot be read."))
}
