//! Parts of an export besides the library: subscriptions to feeds and definitions of monitors. An import
//! includes them on request.

use std::fs::File;
use std::io::Read;

use entities::ids::AccountId;
use entities::library_words::AccountExportPart;
use extract::sandbox::Pool;

use super::import_record::RowError;
use super::shared_file::open_archive;
use super::tally::ImportTally;
use kernel::{Code, Domain, Error, Result};

/// Maximum size of one of these files.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Name of a part's entry in the archive.
fn entry_of(part: AccountExportPart) -> &'static str {
    match part {
        AccountExportPart::Subscriptions => "subscriptions.opml",
        AccountExportPart::Monitors => "monitors.json",
    }
}

/// Parses the requested parts, as the row of an import names them.
pub(super) fn parse_parts(words: &str) -> Vec<AccountExportPart> {
    words.split(',').filter_map(AccountExportPart::parse).collect()
}

/// Entries of an archive with their names.
pub(super) async fn entries(domain: &Domain, account_id: AccountId) -> Result<Vec<(&'static str, String)>> {
    let mut entries = Vec::with_capacity(AccountExportPart::ALL.len());
    for part in AccountExportPart::ALL {
        let text = match part {
            AccountExportPart::Subscriptions => feeds::export_list(domain, account_id).await?,
            AccountExportPart::Monitors => monitors::export_definitions(domain, account_id).await?,
        };
        entries.push((entry_of(*part), text));
    }
    Ok(entries)
}

/// Imports the requested parts of an archive, and records what could not be imported. Running it twice
/// creates nothing twice.
pub(super) async fn import_parts(
    domain: &Domain,
    sandbox: &Pool,
    account_id: AccountId,
    include: &[AccountExportPart],
    file: File,
    tally: &mut ImportTally,
) -> Result<()> {
    let requested: Vec<AccountExportPart> = include.to_vec();
    let read = tokio::task::spawn_blocking(move || read(file, &requested)).await.map_err(Error::internal)?;
    for (part, bytes) in read {
        let name = entry_of(part);
        let refuse = |code: Code, what: &str| {
            RowError::of(code.as_str(), &format!("{name}: {what} could not be imported"))
        };
        match part {
            AccountExportPart::Subscriptions => {
                let outlines = match feeds::read_list(sandbox, bytes).await {
                    Ok(outlines) => outlines,
                    Err(error) if error.is_transient() => return Err(error),
                    Err(error) => {
                        tally.note(1, Some(&refuse(error.code, "the list")));
                        continue;
                    }
                };
                let imported = feeds::import_list(domain, account_id, &outlines).await?;
                for (number, (url, code)) in (1..).zip(imported.failed) {
                    tally.note(number, Some(&refuse(code, &url)));
                }
            }
            AccountExportPart::Monitors => {
                for (number, code) in monitors::import_definitions(domain, account_id, &bytes).await? {
                    tally.note(number, Some(&refuse(code, "a monitor")));
                }
            }
        }
    }
    Ok(())
}

/// Reads those requested entries that exist. The archive was checked against the limits before.
fn read(file: File, requested: &[AccountExportPart]) -> Vec<(AccountExportPart, Vec<u8>)> {
    let Ok(mut archive) = open_archive(file) else { return Vec::new() };
    let mut parts = Vec::new();
    for part in requested {
        let Ok(entry) = archive.by_name(entry_of(*part)) else { continue };
        let mut bytes = Vec::new();
        if entry.take(MAX_BYTES).read_to_end(&mut bytes).is_ok() {
            parts.push((*part, bytes));
        }
    }
    parts
}
