//! A JSON object with a list of items of any length. It is sent in parts, because apps request many items with their
//! texts in one response.

use feeds::AppEntry;
use futures_util::{StreamExt, stream};
use kernel::{EntryId, Error};
use poem::http::{HeaderValue, header};
use poem::{Body, IntoResponse, Response};
use serde_json::{Map, Value};

/// Number of entries that are loaded at a time.
pub(super) const STEP: usize = 50;
/// Maximum size in bytes of a list that is sent as a whole. Only such a response can be compressed.
const WHOLE_BYTES: usize = 1024 * 1024;

/// Source of the items of a list.
pub(super) trait ItemSource: Send + 'static {
    /// Returns true if no items remain.
    fn is_complete(&self) -> bool;

    /// Loads the next items. May return none before the end of the list. A permit is occupied only while items are
    /// loaded, because an app may request two lists before it reads the first, and a client that reads slowly must not
    /// block the other apps of its account.
    fn next_items(&mut self) -> impl Future<Output = Result<Vec<Value>, Error>> + Send;
}

/// Returns the response: an object with these members, followed by the member `items`.
pub(super) async fn item_list_answer<S: ItemSource>(
    members: Map<String, Value>,
    source: S,
) -> Result<Response, Error> {
    let mut list = ItemList { source, has_items: false };
    // The first parts are loaded before the response begins, so that an error can be reported with its own
    // status.
    let mut first = beginning(members);
    while first.len() < WHOLE_BYTES
        && let Some(part) = list.next_part().await?
    {
        first.push_str(&part);
    }
    if list.source.is_complete() {
        first.push_str("]}");
        return Ok(first.with_content_type("application/json; charset=utf-8").into_response());
    }
    let rest = stream::unfold(Some(list), |list| async move {
        let mut list = list?;
        match list.next_part().await {
            Ok(Some(part)) => Some((Ok(part), Some(list))),
            Ok(None) => Some((Ok("]}".to_owned()), None)),
            Err(error) => {
                tracing::warn!(error = error.report(), "failed to send a list of items");
                Some((Err(std::io::Error::other("the list is incomplete")), None))
            }
        }
    });
    let parts = stream::once(async move { Ok::<_, std::io::Error>(first) }).chain(rest);
    let mut response = Response::from(Body::from_bytes_stream(parts));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store, no-transform"));
    Ok(response)
}

/// Returns the number of these ids that [`feeds::app_entries`] has processed. The entries of the other ids did not fit
/// into one step.
pub(super) fn processed_ids(ids: &[EntryId], entries: &[AppEntry]) -> usize {
    let last = entries.last().and_then(|last| ids.iter().position(|id| *id == last.entry.id));
    last.map_or(ids.len(), |last| last + 1)
}

/// Returns the object up to the first item.
fn beginning(members: Map<String, Value>) -> String {
    let mut text = Value::Object(members).to_string();
    text.pop();
    if text.len() > 1 {
        text.push(',');
    }
    text + "\"items\":["
}

struct ItemList<S> {
    source: S,
    /// True if a part with items was already returned.
    has_items: bool,
}

impl<S: ItemSource> ItemList<S> {
    /// Returns the next items, separated by commas. `None` at the end of the list.
    async fn next_part(&mut self) -> Result<Option<String>, Error> {
        while !self.source.is_complete() {
            let items = self.source.next_items().await?;
            if items.is_empty() {
                continue;
            }
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            let separator = if self.has_items { "," } else { "" };
            self.has_items = true;
            return Ok(Some(format!("{separator}{}", items.join(","))));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_begins_after_the_other_members() {
        assert_eq!(beginning(Map::new()), "{\"items\":[");
        let mut members = Map::new();
        members.insert("title".to_owned(), "Carrel".into());
        assert_eq!(beginning(members), "{\"title\":\"Carrel\",\"items\":[");
    }
}
