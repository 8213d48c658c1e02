//! Changes since the last synchronization of a device, and the reading states that the device sends.

use kernel::{Class, Code, Error, ItemId, Millis, millis_of_rfc3339, rfc3339};
use library::sync::{self, LibraryObject, SYNC_MARK_BYTES, SyncMark, SyncPage, TextInclusion};
use library::{ItemChanges, ObjectKind, ReadMark, ReadProgress, apply_reading_state};
use poem::http::{HeaderName, HeaderValue};
use poem::{Request, RequestBody, Response};
use serde_json::{Value, json};

use super::book::{entitlement, is_on_devices, removal};
use super::call::{KoboCall, item_id};
use crate::answers::json_answer;
use crate::fault::malformed;
use crate::parameters::body_error;
use http_kit::http::body::{JSON, read};

/// Number of changes per response.
const PAGE: u32 = 50;
/// Maximum size of a request with reading states, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum number of reading states in a request.
const MAX_STATES: usize = 50;
/// Header that contains the device's position in the change log.
const TOKEN: &str = "x-kobo-synctoken";

impl KoboCall<'_> {
    /// `GET library/sync`: changes since the last synchronization. A device without a valid token, for
    /// example with a token of the store, receives all books.
    pub(super) async fn sync(&self, request: &Request) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let scope = sync::cursor_scope(account_id, &[ObjectKind::Item]);
        let mark = match request.header(TOKEN).filter(|token| !token.is_empty()) {
            Some(token) => match scope.open(domain, token).await {
                Ok(bytes) => Some(bytes),
                Err(error) if error.class() == Class::Invalid => None,
                // The token may be valid: if the error were ignored, the device would receive all books again.
                Err(error) => return Err(error),
            },
            None => None,
        };
        let mark = mark.and_then(|bytes| <[u8; SYNC_MARK_BYTES]>::try_from(bytes).ok());
        let mark = mark.map(|bytes| SyncMark::from_bytes(&bytes));
        let page = match (self.changes(mark).await, mark) {
            (Err(error), Some(_)) if error.code == Code::CursorExpired => self.changes(None).await?,
            (page, _) => page?,
        };
        let is_first = page.mark.sequence <= page.mark.alive_until;
        let mut books = Vec::new();
        for change in &page.changes {
            match &change.object {
                Some(LibraryObject::Item(item, _)) if is_on_devices(item) => {
                    books.push(json!({ "NewEntitlement": entitlement(&self.address, item) }));
                }
                // A device that receives books for the first time has no books to remove.
                Some(_) | None if is_first => {}
                Some(_) | None => {
                    let book = removal(&change.id.to_string(), &rfc3339(change.updated_at));
                    books.push(json!({ "ChangedEntitlement": book }));
                }
            }
        }
        let mut response = json_answer(&books.into())?;
        let token = scope.seal(domain, &page.mark.to_bytes()).await?;
        let token = HeaderValue::from_str(&token).map_err(Error::internal)?;
        response.headers_mut().insert(HeaderName::from_static(TOKEN), token);
        if page.has_more {
            let header = HeaderName::from_static("x-kobo-sync");
            response.headers_mut().insert(header, HeaderValue::from_static("continue"));
        }
        Ok(response)
    }

    async fn changes(&self, mark: Option<SyncMark>) -> Result<SyncPage, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        sync::changes(domain, account_id, &[ObjectKind::Item], mark, PAGE, TextInclusion::Omitted).await
    }

    /// `PUT library/ID/state`: stores reading states. Only the reading progress is stored, not the position
    /// within a book.
    pub(super) async fn put_state(
        &self,
        request: &Request,
        body: &mut RequestBody,
    ) -> Result<Response, Error> {
        let read = read(request, body, &[JSON], MAX_BYTES, std::convert::identity, Ok).await;
        let (value, _memory_permit) = read.map_err(|fault| body_error(&fault))?;
        let states = value["ReadingStates"].as_array().map(Vec::as_slice).unwrap_or_default();
        if states.is_empty() || states.len() > MAX_STATES {
            return Err(malformed("A request has 1 to 50 reading states."));
        }
        let mut results = Vec::with_capacity(states.len());
        for state in states {
            let id = item_id(state["EntitlementId"].as_str().unwrap_or_default())?;
            let changed = self.change_state(id, state).await?;
            let result = if changed { "Success" } else { "Ignored" };
            results.push(json!({
                "EntitlementId": id.to_string(),
                "CurrentBookmarkResult": { "Result": result },
                "StatisticsResult": { "Result": "Ignored" },
                "StatusInfoResult": { "Result": result },
            }));
        }
        json_answer(&json!({ "RequestResult": "Success", "UpdateResults": results }))
    }

    /// Stores a reading state. Returns false if the state contains no progress, if the item does not exist, or if
    /// it was read after the time of the state.
    async fn change_state(&self, id: ItemId, state: &Value) -> Result<bool, Error> {
        let Some(changes) = changes_of(state) else { return Ok(false) };
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        apply_reading_state(domain, account_id, id, &changes, changed_at(state)).await
    }
}

/// Returns the time of the newest part of a reading state. `None` if no part states its time.
fn changed_at(state: &Value) -> Option<Millis> {
    let parts = [state, &state["StatusInfo"], &state["CurrentBookmark"]];
    parts.into_iter().filter_map(|part| part["LastModified"].as_str().and_then(millis_of_rfc3339)).max()
}

/// Converts a reading state to changes of the item. `None` if the state contains no progress.
fn changes_of(state: &Value) -> Option<ItemChanges> {
    let percent = state["CurrentBookmark"]["ProgressPercent"].as_f64().map(percent_of);
    let (read_progress, mark_read) = match (state["StatusInfo"]["Status"].as_str(), percent) {
        (Some("Finished"), _) => (None, Some(ReadMark::Read)),
        (Some("ReadyToRead"), _) => (None, Some(ReadMark::Unread)),
        (_, Some(percent @ 1..=99)) => (Some(ReadProgress::At(percent)), None),
        (_, Some(_) | None) => return None,
    };
    Some(ItemChanges { read_progress, mark_read, ..ItemChanges::default() })
}

/// Rounds a progress down to a whole percentage. Devices send progress with decimals.
#[expect(clippy::cast_possible_truncation, reason = "between 0 and 100")]
fn percent_of(progress: f64) -> i16 {
    progress.clamp(0.0, 100.0).floor() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_state_marks_an_item_as_read_or_sets_its_progress() {
        let state = |status: &str, percent: f64| json!({ "StatusInfo": { "Status": status }, "CurrentBookmark": { "ProgressPercent": percent } });
        let of = |state: &Value| changes_of(state).map(|changes| (changes.read_progress, changes.mark_read));
        assert_eq!(of(&state("Reading", 12.9)), Some((Some(ReadProgress::At(12)), None)));
        assert_eq!(of(&state("Finished", 97.0)), Some((None, Some(ReadMark::Read))));
        assert_eq!(of(&state("ReadyToRead", 0.0)), Some((None, Some(ReadMark::Unread))));
        for nothing in [state("Reading", 0.0), state("Reading", 1e300), json!({}), json!([])] {
            assert_eq!(of(&nothing), None);
        }
    }

    #[test]
    fn time_of_a_reading_state_is_that_of_its_newest_part() {
        let state = json!({ "LastModified": "2026-11-20T10:00:00Z",
            "StatusInfo": { "LastModified": "2026-11-20T10:00:05Z" }, "CurrentBookmark": { "LastModified": "odd" } });
        assert_eq!(changed_at(&state), millis_of_rfc3339("2026-11-20T10:00:05Z"));
        for unknown in [json!({}), json!([]), json!({ "LastModified": 5 })] {
            assert_eq!(changed_at(&unknown), None);
        }
    }
}
