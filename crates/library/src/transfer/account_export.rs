//! Parts of an account export in addition to the library: subscriptions to feeds, definitions of monitors,
//! settings, and positions in documents and recordings. An import includes them on request.

use std::fs::File;
use std::io::Read;

use entities::ids::AccountId;
use entities::library_words::{AccountExportPart, ImportedPartKind, PageCopyFormat};
use extract::sandbox::{FileFrame, FrameWriter, Pool};
use notices::ExportedTemplates;
use serde::Serialize;
use serde_json::Value;

use super::import_protocol::{ImportRequest, NO_PART, PART};
use super::import_record::RowError;
use super::import_rows::start_child;
use super::imported_part::ImportedPart;
use super::line::MAX_VALUES;
use super::positions::{export_positions, import_positions};
use super::settings_parts::{LibrarySettings, parts_of_settings};
use super::shared_file::{FileError, open_archive};
use super::tally::ImportTally;
use super::themed_reviews::{ExportedReview, export_reviews, import_reviews};
use crate::automatic_copies::{automatic_copies, update_automatic_copies};
use crate::copy_choice::{CopyChoice, CopyChoiceUpdate};
use crate::highlight_review::{reviews_per_day, set_reviews_per_day};
use crate::item_rules::{ExportedItemRule, export_item_rules, import_item_rules};
use crate::model_choices::{export_choices, import_choices};
use crate::saved_searches::{ExportedSearch, export_searches, import_searches};
use identity::accounts;
use kernel::json_bounds::count_values;
use kernel::{Code, Domain, Error, FailedObject, ImportedObjects, Millis, Result};

/// Maximum size of the file of a part, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Description of the archive for human readers, stored as its entry `README`.
pub(super) const README: &str = "Export of a Carrel account.

manifest.json            format, version, time, and the cursor from which a client can sync
items/*.jsonl            saved items with texts, tags, and positions, one JSON object per line
files/                   files of items
page_copies/*.jsonl      copies of the pages of items, whose files are in copies/
notes.jsonl              notes
highlights.jsonl         highlights
subscriptions.opml       followed feeds with their folders, for any feed reader
monitors.json            definitions of monitors
account/settings.json    account, settings of subscriptions, page copies and reading, number of reviews, themed
                         reviews, rules, saved searches, templates of messages, and choices for the language model
positions.json           positions of e-readers in documents, and of played recordings
account/starred.jsonl    starred entries; their texts are saved items
account/changes/*.jsonl  changes that each monitor has detected, the newest first

Texts are UTF-8. Times are milliseconds since 1970-01-01 UTC. A large export has several archives; this file
is in the first.

Not included: passwords, API keys, logins and headers of feeds and monitors, notice channels, connected apps,
public pages of tags and highlights, and teams. Set them up again. Answers of the language model are not
included either.

Import into Carrel:
  carrel import FILE --account ADDRESS --include subscriptions,monitors,settings,positions
Items, notes, highlights, feeds, monitors, settings, rules, saved searches and positions are imported, and starred
entries as items. Changes are not imported. Templates are imported for notice channels of the same kind and name.
";

/// Content of `account/settings.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SettingsFile {
    account: AccountLine,
    searches: Vec<ExportedSearch>,
    item_rules: Vec<ExportedItemRule>,
    #[serde(rename = "messageTemplates")]
    message_templates: Vec<ExportedTemplates>,
    review: ReviewSettings,
    /// Formats of automatic page copies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    page_copies: Vec<PageCopyFormat>,
    /// True if the pages of imported items are also copied.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    page_copies_of_imports: bool,
    /// Appearance of the pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    appearance: Option<String>,
    /// Choices for the language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    language_model: Option<Value>,
    #[serde(flatten)]
    settings: feeds::ExportedSettings,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewSettings {
    highlights_per_day: u32,
    /// Themed reviews.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    themes: Vec<ExportedReview>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountLine {
    email: String,
    plan: String,
    created_at: Millis,
}

/// Returns the name of a part's entry in the archive.
fn entry_of(part: AccountExportPart) -> &'static str {
    match part {
        AccountExportPart::Subscriptions => "subscriptions.opml",
        AccountExportPart::Monitors => "monitors.json",
        AccountExportPart::Settings => "account/settings.json",
        AccountExportPart::Positions => "positions.json",
    }
}

/// Parses the requested parts, which the row of an import stores separated by commas. Returns them in the
/// order of their import: settings and positions need the subscriptions.
pub(super) fn parse_parts(words: &str) -> Vec<AccountExportPart> {
    let requested: Vec<AccountExportPart> = words.split(',').filter_map(AccountExportPart::parse).collect();
    AccountExportPart::ALL.iter().copied().filter(|part| requested.contains(part)).collect()
}

/// Returns the names and contents of the archive entries for all parts.
pub(super) async fn entries(domain: &Domain, account_id: AccountId) -> Result<Vec<(&'static str, String)>> {
    let mut entries = Vec::with_capacity(AccountExportPart::ALL.len());
    for part in AccountExportPart::ALL {
        let text = match part {
            AccountExportPart::Subscriptions => feeds::export_list(domain, account_id).await?,
            AccountExportPart::Monitors => monitors::export_definitions(domain, account_id).await?,
            AccountExportPart::Settings => settings(domain, account_id).await?,
            AccountExportPart::Positions => export_positions(domain, account_id).await?,
        };
        entries.push((entry_of(*part), text));
    }
    Ok(entries)
}

async fn settings(domain: &Domain, account_id: AccountId) -> Result<String> {
    let account = accounts::get(domain, account_id).await?;
    let appearance = account.appearance;
    let account =
        AccountLine { email: account.email, plan: account.tier.to_string(), created_at: account.created_at };
    let settings = feeds::export_settings(domain, account_id).await?;
    let searches = export_searches(domain, account_id).await?;
    let item_rules = export_item_rules(domain, account_id).await?;
    let message_templates = notices::export_templates(domain, account_id).await?;
    let review = ReviewSettings {
        highlights_per_day: reviews_per_day(domain, account_id).await?,
        themes: export_reviews(domain, account_id).await?,
    };
    let CopyChoice { formats: page_copies, copies_imports: page_copies_of_imports } =
        automatic_copies(domain, account_id).await?;
    let language_model = export_choices(domain, account_id).await?;
    let file = SettingsFile {
        account,
        searches,
        item_rules,
        message_templates,
        review,
        page_copies,
        page_copies_of_imports,
        appearance,
        language_model,
        settings,
    };
    serde_json::to_string_pretty(&file).map_err(Error::internal)
}

/// Imports the requested parts of an archive in the order of `include`, and records the objects that could not
/// be imported. Repeated runs create no duplicates. Returns the counts of each kind that the archive contains.
pub(super) async fn import_parts(
    domain: &Domain,
    sandbox: &Pool,
    account_id: AccountId,
    include: &[AccountExportPart],
    file: &File,
    tally: &mut ImportTally,
) -> Result<Vec<ImportedPart>> {
    let parts = match receive_parts(sandbox, file, include).await? {
        Ok(parts) => parts,
        Err(error) => {
            let reason = "the other parts of the archive could not be read";
            tally.note(1, &RowError::of(error.code(), reason));
            return Ok(Vec::new());
        }
    };
    let mut counts = Vec::new();
    for (part, bytes) in parts {
        let entry = entry_of(part);
        for (kind, objects) in import_part(domain, sandbox, account_id, (part, bytes)).await? {
            let failed = objects.failed.len() as u64;
            if objects.imported + failed > 0 {
                counts.push(ImportedPart { kind, imported: objects.imported, failed });
            }
            for FailedObject { number, name, code } in objects.failed {
                let reason = format!("{entry}: {name} could not be imported");
                tally.note(number, &RowError::of(code.as_str(), &reason));
            }
        }
    }
    Ok(counts)
}

/// Imports one part. Returns its objects by kind.
async fn import_part(
    domain: &Domain,
    sandbox: &Pool,
    account_id: AccountId,
    (part, bytes): (AccountExportPart, Vec<u8>),
) -> Result<Vec<(ImportedPartKind, ImportedObjects)>> {
    Ok(match part {
        AccountExportPart::Subscriptions => {
            vec![(ImportedPartKind::Feeds, import_feeds(domain, sandbox, account_id, bytes).await?)]
        }
        AccountExportPart::Monitors => {
            vec![(
                ImportedPartKind::Monitors,
                monitors::import_definitions(domain, account_id, &bytes).await?,
            )]
        }
        AccountExportPart::Settings => {
            let (bytes, mut parts) = parts_of_settings(bytes).await?;
            let feeds::ImportedSettings { subscriptions, mut rules } =
                feeds::import_settings(domain, account_id, bytes).await?;
            let item_rules =
                import_item_rules(domain, account_id, std::mem::take(&mut parts.item_rules)).await?;
            rules.imported += item_rules.imported;
            rules.failed.extend(item_rules.failed);
            let searches = import_searches(domain, account_id, std::mem::take(&mut parts.searches)).await?;
            let templates = std::mem::take(&mut parts.message_templates);
            let templates = notices::import_templates(domain, account_id, templates).await?;
            let is_malformed = parts.is_malformed;
            let mut account = import_account_settings(domain, account_id, parts).await?;
            if is_malformed {
                account.fail(
                    1,
                    "searches, rules for saved items, templates, and settings of the account",
                    Code::InvalidRequest,
                );
            }
            vec![
                (ImportedPartKind::FeedSettings, subscriptions),
                (ImportedPartKind::Rules, rules),
                (ImportedPartKind::Searches, searches),
                (ImportedPartKind::Templates, templates),
                (ImportedPartKind::AccountSettings, account),
            ]
        }
        AccountExportPart::Positions => {
            vec![(ImportedPartKind::Positions, import_positions(domain, account_id, bytes).await?)]
        }
    })
}

/// Imports the list of feeds. If the list cannot be read, its failure has number 1.
async fn import_feeds(
    domain: &Domain,
    sandbox: &Pool,
    account_id: AccountId,
    list: Vec<u8>,
) -> Result<ImportedObjects> {
    let mut objects = ImportedObjects::default();
    let outlines = match feeds::read_list(sandbox, list).await {
        Ok(outlines) => outlines,
        Err(error) => {
            objects.record(1, "the list", Err(error))?;
            return Ok(objects);
        }
    };
    let feeds::Imported { created, existing, failed } =
        feeds::import_list(domain, account_id, &outlines).await?;
    objects.imported = u64::from(created) + u64::from(existing);
    for (number, (url, code)) in (1..).zip(failed) {
        objects.fail(number, url, code);
    }
    Ok(objects)
}

/// Imports the settings of reviews, page copies and reading, and the choices for the language model. An export may lack
/// any of them.
async fn import_account_settings(
    domain: &Domain,
    account_id: AccountId,
    parts: LibrarySettings,
) -> Result<ImportedObjects> {
    const PER_DAY: &str = "highlightsPerDay";
    let mut objects = ImportedObjects::default();
    if let Some(mut review) = parts.review {
        if let Some(themes) = review.get_mut("themes") {
            let themes = import_reviews(domain, account_id, themes.take()).await?;
            objects.imported += themes.imported;
            objects.failed.extend(themes.failed);
        }
        let number = review[PER_DAY].as_u64().and_then(|number| u32::try_from(number).ok());
        objects.record(
            1,
            PER_DAY,
            set_reviews_per_day(domain, account_id, number.unwrap_or_default()).await,
        )?;
    }
    if let Some(choices) = parts.language_model {
        let name = "the choices for the language model";
        objects.record(2, name, import_choices(domain, account_id, choices).await)?;
    }
    if let Some(formats) = parts.page_copies {
        let name = "the formats of automatic page copies";
        let imports = parts.page_copies_of_imports;
        objects.record(3, name, import_copy_choice(domain, account_id, formats, imports).await)?;
    }
    if let Some(appearance) = parts.appearance {
        let name = "the appearance of pages";
        objects.record(4, name, accounts::set_appearance(domain, account_id, appearance).await)?;
    }
    Ok(objects)
}

/// Sets the choice of automatic copies.
///
/// # Errors
/// `invalid_request` if a format is unknown.
async fn import_copy_choice(
    domain: &Domain,
    account_id: AccountId,
    formats: Value,
    copies_imports: Option<bool>,
) -> Result<()> {
    let formats: Vec<PageCopyFormat> = serde_json::from_value(formats)
        .map_err(|_| Error::invalid_field("page_copies", "must be a list of html, screenshot, and pdf"))?;
    let update = CopyChoiceUpdate { formats: Some(formats), copies_imports };
    update_automatic_copies(domain, account_id, update).await.map(drop)
}

/// Starts a child process that reads the requested entries. Entries that do not exist are omitted.
async fn receive_parts(
    sandbox: &Pool,
    file: &File,
    requested: &[AccountExportPart],
) -> Result<Result<Vec<(AccountExportPart, Vec<u8>)>, FileError>> {
    let mut child = start_child(sandbox, file, &ImportRequest::Parts(requested.to_vec())).await?;
    let mut parts = Vec::new();
    for part in requested {
        match child.read_frame(MAX_BYTES).await {
            Ok(FileFrame { tag: PART, body }) => parts.push((*part, body)),
            Ok(FileFrame { tag: NO_PART, .. }) => {}
            Ok(FileFrame { .. }) => return Ok(Err(FileError::Malformed)),
            Err(error) => return Ok(Err(error.into())),
        }
    }
    Ok(Ok(parts))
}

/// Sends the requested entries to the worker. Runs in a child process. The archive was already checked
/// against the limits.
pub(super) fn send_parts(
    file: File,
    requested: &[AccountExportPart],
    output: &mut FrameWriter,
) -> std::io::Result<()> {
    let mut archive = open_archive(file).ok();
    for part in requested {
        let Some(archive) =
            archive.as_mut().filter(|archive| archive.index_for_name(entry_of(*part)).is_some())
        else {
            output.bytes(NO_PART, &[])?;
            continue;
        };
        // An entry that cannot be read is sent as an empty text, which the worker reports.
        let bytes = archive.by_name(entry_of(*part)).ok().and_then(whole).unwrap_or_default();
        match part {
            // Another child process parses the list.
            AccountExportPart::Subscriptions => output.bytes(PART, &bytes)?,
            AccountExportPart::Monitors | AccountExportPart::Settings | AccountExportPart::Positions => {
                send_json(&bytes, output)?;
            }
        }
    }
    Ok(())
}

/// Reads an entry. `None` if the entry is corrupt or too long.
fn whole(entry: impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= MAX_BYTES).then_some(bytes)
}

/// Parses JSON and sends it in serialized form. If the JSON cannot be parsed, is too long, or has a text that
/// PostgreSQL cannot store, sends an empty text.
fn send_json(text: &[u8], output: &mut FrameWriter) -> std::io::Result<()> {
    let is_bounded = count_values(text, MAX_VALUES).is_ok();
    let value: Option<Value> = is_bounded.then(|| serde_json::from_slice(text).ok()).flatten();
    let value = value.filter(|value| !has_nul(value));
    let is_sent = value.map(|value| output.json_within(PART, &value, MAX_BYTES)).transpose()?;
    if is_sent == Some(true) { Ok(()) } else { output.bytes(PART, &[]) }
}

/// Returns true if a text or a name contains U+0000.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Error};

    use serde_json::json;

    use super::*;

    /// Reader of a corrupt entry.
    struct Corrupt;

    impl Read for Corrupt {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(Error::other("corrupt"))
        }
    }

    #[test]
    fn entry_is_read_completely_or_not_at_all() {
        assert_eq!(whole(Cursor::new(vec![0; MAX_BYTES])).map(|bytes| bytes.len()), Some(MAX_BYTES));
        assert_eq!(whole(Cursor::new(vec![0; MAX_BYTES + 1])), None);
        assert_eq!(whole(Corrupt), None);
    }

    #[test]
    fn text_that_cannot_be_stored_is_recognised_at_any_depth() {
        assert!(has_nul(&json!({"a": [{"b": "x\0"}]})) && has_nul(&json!({"a\0": 1})));
        assert!(!has_nul(&json!({"a": [1, null, true, "\\u0000"]})));
    }
}
