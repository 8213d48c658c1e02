//! Requests of `carrel notes` to the service: the account, changes of the library, and Markdown files of
//! items.

use std::time::Duration;

use anyhow::{Context, bail};
use fetch::carrel_server::{CarrelResponse, CarrelServer};
use kernel::ItemId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::service_access::ServiceAccess;

/// Maximum number of changes per page.
const CHANGES: &str = "500";
/// Maximum size of a response, in bytes.
const MAX_BODY_BYTES: usize = 64 << 20;
/// Maximum number of attempts of a request that the service asks to repeat.
const MAX_ATTEMPTS: u32 = 5;
/// Maximum wait before a retry, in seconds.
const MAX_WAIT_SECONDS: u64 = 90;
/// Wait before a retry if the response has no `Retry-After`, in seconds.
const DEFAULT_WAIT_SECONDS: u64 = 5;
/// Maximum length of an error message of the service that is printed.
const MAX_MESSAGE_CHARS: usize = 500;

/// Page of changes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangePage {
    pub(super) changes: Vec<Change>,
    pub(super) next_cursor: String,
    pub(super) has_more: bool,
}

/// Change of an item, a note, or a highlight.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    /// Type and id of the object, such as `item:` and a UUID.
    #[serde(rename = "ref")]
    pub(super) reference: String,
    /// `None` if the object was deleted.
    pub(super) object: Option<ChangedObject>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangedObject {
    /// Item of a note or a highlight.
    #[serde(default)]
    pub(super) item_id: Option<ItemId>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Capabilities {
    user_id: String,
}

/// Markdown files of items.
#[derive(Debug, Deserialize)]
pub(super) struct ItemFiles {
    pub(super) files: Vec<ItemFile>,
    /// Items that did not fit into the response.
    pub(super) remaining: Vec<ItemId>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ItemFile {
    pub(super) item_id: ItemId,
    pub(super) name: String,
    pub(super) markdown: String,
}

/// Client of the service.
pub(super) struct NotesService {
    account: CarrelServer,
    changes: CarrelServer,
    files: CarrelServer,
}

impl NotesService {
    pub(super) fn new(access: &ServiceAccess) -> anyhow::Result<Self> {
        let endpoint = |path: &str| CarrelServer::new(&format!("{}{path}", access.url), &access.key);
        Ok(Self {
            account: endpoint("/v1/me")?,
            changes: endpoint("/v1/library/sync")?,
            files: endpoint("/v1/library/items/markdown")?,
        })
    }

    /// Returns the id of the account.
    pub(super) async fn account(&self) -> anyhow::Result<String> {
        let mut attempt = 1;
        loop {
            let response = self.account.get(&[]).await?;
            if let Some(body) = accepted(response, attempt).await? {
                let Capabilities { user_id } =
                    serde_json::from_slice(&body).context("the service sent an unknown account")?;
                return Ok(user_id);
            }
            attempt += 1;
        }
    }

    /// Returns the changes after `cursor`. `None` if the service no longer has them.
    pub(super) async fn changes(&self, cursor: Option<&str>) -> anyhow::Result<Option<ChangePage>> {
        let mut query = vec![("limit", CHANGES)];
        query.extend(cursor.map(|cursor| ("cursor", cursor)));
        let mut attempt = 1;
        loop {
            let response = self.changes.get(&query).await?;
            if response.status() == 410 {
                return Ok(None);
            }
            if let Some(body) = accepted(response, attempt).await? {
                return serde_json::from_slice(&body).map(Some).context("the service sent unknown changes");
            }
            attempt += 1;
        }
    }

    /// Returns the files of items, as many as fit into a response.
    pub(super) async fn files(&self, ids: &[ItemId], has_texts: bool) -> anyhow::Result<ItemFiles> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let request = json!({ "ids": ids, "texts": has_texts }).to_string();
        let mut attempt = 1;
        loop {
            let response = self.files.post(&[], request.clone()).await?;
            if let Some(body) = accepted(response, attempt).await? {
                return serde_json::from_slice(&body).context("the service sent unknown files");
            }
            attempt += 1;
        }
    }
}

/// Returns the body of a successful response. If the request must be repeated, waits as long as the service requests
/// and returns `None`.
async fn accepted(mut response: CarrelResponse, attempt: u32) -> anyhow::Result<Option<Vec<u8>>> {
    let status = response.status();
    let wait = response.retry_after().unwrap_or(DEFAULT_WAIT_SECONDS);
    let body = read(&mut response).await?;
    if status == 200 {
        return Ok(Some(body));
    }
    if matches!(status, 429 | 503) && attempt < MAX_ATTEMPTS && wait <= MAX_WAIT_SECONDS {
        pause(wait).await;
        return Ok(None);
    }
    let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
    match answer["error"].as_str() {
        Some(message) => bail!("the service answered {status}: {}", printable(message)),
        None => bail!("the service answered {status}: is the address that of a Carrel?"),
    }
}

/// Returns a text of the service without characters that control a terminal, at most [`MAX_MESSAGE_CHARS`].
fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(MAX_MESSAGE_CHARS).collect()
}

#[expect(clippy::disallowed_methods, reason = "the service requests the pause")]
async fn pause(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

async fn read(response: &mut CarrelResponse) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_BODY_BYTES {
            bail!("the service sent a response of more than 64 MiB");
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
