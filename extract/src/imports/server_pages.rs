//! Pages of the APIs of other services: the rows of a page, the position of the next page, and the token of
//! a login. A page is parsed as a whole, so its receiver bounds its size.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::list_names::ListNames;
use super::row::{Format, InvalidRow, RowResult};
use super::{mapping, server_rows, services, values};
use crate::document::words;

/// Maximum number of bytes of a position that a server sends.
const MAX_CURSOR_BYTES: usize = 2000;
/// Maximum number of bytes of a token that a server sends.
const MAX_TOKEN_BYTES: usize = 4096;
/// Members that change although the item does not. If they were stored with the item, it would differ in each
/// import.
const VOLATILE: &[&str] = &[
    "modifiedAt", "updated_at", "date_modified", "updated", "lastUpdate", "changed_at", "last_moved_at",
    "first_opened_at", "last_opened_at", "taggingStatus", "summarizationStatus", "_links", "headers",
    "http_status", "user_name", "user_email", "user_id", "userId", "resources", "cache", "hash", "meta",
];

words! {
    /// Service whose server an account can import from.
    ImportService {
        Karakeep = "karakeep",
        Wallabag = "wallabag",
        Linkding = "linkding",
        Readeck = "readeck",
        Miniflux = "miniflux",
        /// FreshRSS, and other servers with its Google Reader API.
        FreshRss = "freshrss",
        /// Highlights of Readwise.
        Readwise = "readwise",
        /// Documents of Readwise Reader.
        ReadwiseReader = "readwise_reader",
        Raindrop = "raindrop",
        Pinboard = "pinboard",
    }
}

words! {
    /// Part of the content of a server.
    ServerPart {
        /// Saved items.
        Items = "items",
        /// Archived items, if the server lists them separately.
        Archived = "archived",
        /// Highlights of items.
        Highlights = "highlights",
        /// Items of each list.
        Lists = "lists",
        /// Feeds, as a list of subscriptions.
        Subscriptions = "subscriptions",
    }
}

impl ImportService {
    /// Display name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Karakeep => "Karakeep",
            Self::Wallabag => "wallabag",
            Self::Linkding => "linkding",
            Self::Readeck => "Readeck",
            Self::Miniflux => "Miniflux",
            Self::FreshRss => "FreshRSS",
            Self::Readwise => "Readwise (highlights)",
            Self::ReadwiseReader => "Readwise Reader",
            Self::Raindrop => "Raindrop",
            Self::Pinboard => "Pinboard",
        }
    }

    /// Format of its rows and of its export files. A row has the same id in both.
    pub const fn format(self) -> Format {
        match self {
            Self::Karakeep => Format::KarakeepJson,
            Self::Wallabag => Format::WallabagJson,
            Self::Linkding => Format::LinkdingJson,
            Self::Readeck => Format::ReadeckJson,
            Self::Miniflux => Format::MinifluxJson,
            Self::FreshRss => Format::GoogleReaderJson,
            Self::Readwise => Format::ReadwiseJson,
            Self::ReadwiseReader => Format::ReadwiseReaderJson,
            Self::Raindrop => Format::RaindropJson,
            Self::Pinboard => Format::PinboardJson,
        }
    }

    /// Rows per page. Servers that send texts have short pages.
    pub const fn page_rows(self) -> u64 {
        match self {
            Self::Karakeep | Self::Wallabag => 30,
            Self::Miniflux | Self::FreshRss | Self::Raindrop => 50,
            Self::Linkding | Self::Readeck | Self::Readwise | Self::ReadwiseReader => 100,
            // The server accepts only one request every five minutes.
            Self::Pinboard => 10_000,
        }
    }

    /// Time of the last change of an item, if the service states it.
    fn changed_at(self, item: &Value) -> Option<i64> {
        let names: &[&str] = match self {
            Self::Karakeep => &["modifiedAt", "createdAt"],
            Self::Wallabag | Self::ReadwiseReader => &["updated_at"],
            Self::Linkding => &["date_modified"],
            Self::Readeck => &["updated", "created"],
            Self::Miniflux => &["changed_at"],
            Self::Raindrop => &["lastUpdate"],
            Self::FreshRss | Self::Readwise | Self::Pinboard => &[],
        };
        names.iter().find_map(|name| values::json_time(item.get(*name)))
    }
}

/// Request to read a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerPageRequest {
    pub service: ImportService,
    pub part: ServerPart,
    /// Position of the page; `None` for the first page.
    pub cursor: Option<String>,
    /// Items that were last changed before this time, in milliseconds since 1970, are left out.
    pub since: Option<i64>,
    /// Id of the list of the page, if the part is [`ServerPart::Lists`].
    pub list: Option<String>,
}

/// Continuation after a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageEnd {
    /// Position of the next page; `None` after the last page.
    pub next: Option<String>,
    /// Ids of all lists whose items are listed separately, sorted.
    pub lists: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ServerPage {
    pub rows: Vec<RowResult>,
    pub end: PageEnd,
}

/// Reads a page. The documents with the names of the lists precede the page in `bytes`. `None` if a document
/// does not have the shape that the service defines.
pub fn read_page(bytes: &[u8], request: &ServerPageRequest) -> Option<ServerPage> {
    let documents = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let mut documents = documents.collect::<Result<Vec<Value>, _>>().ok()?;
    let mut page = documents.pop()?;
    let (names, lists) = list_names(request.service, &documents);
    let items = take_items(request, &mut page)?;
    let next = next_cursor(request, &page, &items);
    let is_valid =
        |cursor: &String| cursor.len() <= MAX_CURSOR_BYTES && request.cursor.as_ref() != Some(cursor);
    if !next.as_ref().is_none_or(is_valid) {
        return None;
    }
    let filtered = request.since.filter(|_| request.part != ServerPart::Lists);
    let is_changed = |item: &Value| match (filtered, request.service.changed_at(item)) {
        (Some(since), Some(changed_at)) => changed_at >= since,
        _ => true,
    };
    let items = items.into_iter().filter(is_changed);
    let mut rows: Vec<RowResult> = items.map(|item| row(request, item, &names)).collect();
    for row in rows.iter_mut().flatten() {
        row.limit_parts();
    }
    Some(ServerPage { rows, end: PageEnd { next, lists } })
}

/// Reads the token from the response to a login.
pub fn read_login(bytes: &[u8], service: ImportService) -> Option<String> {
    let token = if service == ImportService::FreshRss {
        let text = std::str::from_utf8(bytes).ok()?;
        text.lines().find_map(|line| line.strip_prefix("Auth=")).map(|token| token.trim().to_owned())
    } else {
        let response: Value = serde_json::from_slice(bytes).ok()?;
        values::json_text(response.get("access_token"))
    };
    let is_token = |token: &String| {
        !token.is_empty()
            && token.len() <= MAX_TOKEN_BYTES
            && token.bytes().all(|byte| byte.is_ascii_graphic())
    };
    token.filter(is_token)
}

/// Names of the lists in the documents before a page, and the sorted ids of the lists whose items are listed
/// separately.
fn list_names(service: ImportService, documents: &[Value]) -> (ListNames, Vec<String>) {
    let (mut names, mut ids) = (ListNames::default(), Vec::new());
    for document in documents {
        let member = if service == ImportService::Karakeep { "lists" } else { "items" };
        for list in document.get(member).and_then(Value::as_array).into_iter().flatten() {
            if service == ImportService::Karakeep {
                names.add(list);
                ids.extend(values::json_text(list.get("id")));
            } else {
                let parent = list.get("parent").and_then(|parent| parent.get("$id"));
                names.add(&json!({
                    "id": list.get("_id"), "name": list.get("title"), "parentId": parent,
                }));
            }
        }
    }
    ids.sort();
    ids.dedup();
    (names, ids)
}

/// Removes and returns the items of a page.
fn take_items(request: &ServerPageRequest, page: &mut Value) -> Option<Vec<Value>> {
    let items = match request.service {
        ImportService::Karakeep if request.part == ServerPart::Highlights => page.get_mut("highlights"),
        ImportService::Karakeep => page.get_mut("bookmarks"),
        ImportService::Wallabag => page.pointer_mut("/_embedded/items"),
        ImportService::Linkding | ImportService::Readwise | ImportService::ReadwiseReader => {
            page.get_mut("results")
        }
        ImportService::Readeck | ImportService::Pinboard => Some(page),
        ImportService::Miniflux => page.get_mut("entries"),
        ImportService::FreshRss | ImportService::Raindrop => page.get_mut("items"),
    };
    match items?.take() {
        Value::Array(items) => Some(items),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

/// Position of the next page.
fn next_cursor(request: &ServerPageRequest, page: &Value, items: &[Value]) -> Option<String> {
    let text = |name: &str| values::json_text(page.get(name));
    let number = |name: &str| page.get(name).and_then(Value::as_u64);
    let position = request.cursor.as_ref().and_then(|cursor| cursor.parse::<u64>().ok());
    let count = items.len() as u64;
    let is_full = count >= request.service.page_rows();
    let next_row = || (position.unwrap_or(0) + count).to_string();
    match request.service {
        ImportService::Karakeep => text("nextCursor"),
        ImportService::Wallabag => {
            let at = number("page")?;
            (at < number("pages")?).then(|| (at + 1).to_string())
        }
        ImportService::Linkding => text("next").filter(|_| count > 0).map(|_| next_row()),
        ImportService::Readeck | ImportService::Pinboard => is_full.then(next_row),
        ImportService::Miniflux => {
            let last = items.last().filter(|_| is_full)?;
            values::json_text(last.get("id"))
        }
        ImportService::FreshRss => text("continuation"),
        ImportService::Readwise | ImportService::ReadwiseReader => text("nextPageCursor"),
        ImportService::Raindrop => is_full.then(|| (position.unwrap_or(0) + 1).to_string()),
    }
}

fn row(request: &ServerPageRequest, item: Value, names: &ListNames) -> RowResult {
    let Value::Object(mut members) = item else { return Err(InvalidRow::Malformed) };
    remove_volatile(&mut members);
    let item = Value::Object(members);
    match (request.service, request.part) {
        (ImportService::Karakeep, ServerPart::Highlights) => server_rows::karakeep_highlight(item),
        (ImportService::Karakeep, part) => {
            let mut row = services::karakeep(item, names)?;
            let list = request.list.as_ref().filter(|_| part == ServerPart::Lists);
            row.folders.extend(list.and_then(|id| names.path(id)));
            if let Some(id) = list {
                names.add_icons(std::slice::from_ref(id), &mut row.extra);
            }
            Ok(row)
        }
        (ImportService::Wallabag, _) => services::wallabag(item),
        (ImportService::Linkding, _) => server_rows::linkding(item),
        (ImportService::Readeck, ServerPart::Highlights) => server_rows::readeck_highlight(item),
        (ImportService::Readeck, _) => server_rows::readeck(item),
        (ImportService::Miniflux, _) => server_rows::miniflux(item),
        (ImportService::FreshRss, _) => server_rows::google_reader(item),
        (ImportService::Readwise, _) => services::readwise(item),
        (ImportService::ReadwiseReader, _) => services::readwise_reader(item),
        (ImportService::Raindrop, _) => server_rows::raindrop(item, names),
        (ImportService::Pinboard, _) => services::mapped(mapping::PINBOARD, item),
    }
}

fn remove_volatile(members: &mut Map<String, Value>) {
    for name in VOLATILE {
        members.shift_remove(*name);
    }
}
