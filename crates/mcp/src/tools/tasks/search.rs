//! `search`: saved objects, feed entries, and page changes in one list. Their ranks cannot be compared, so
//! the lists are interleaved.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, counted, moment, passage, title};
use crate::session::Refusal;
use crate::tools::paths::segment;
use crate::tools::search::object_url;
use http_kit::http::fault::Fault;

/// Default number of rows per page.
const LIMIT: u32 = 9;
/// Lists that can be searched, in the order of their rows of equal rank. `feeds` contains only the entries of
/// feeds, because changes of monitors have their own list.
const LISTS: [&str; 4] = ["library", "feeds", "entries", "changes"];
/// Lists that are searched if `in` is omitted.
const ALL: [&str; 3] = ["library", "feeds", "changes"];

/// Cursor of each list that has more rows. An empty cursor is the start of the list.
struct Positions(Map<String, Value>);

impl Positions {
    fn of(arguments: &Arguments) -> Result<Self, Fault> {
        if let Some(cursor) = arguments.text("cursor") {
            let wrong = || Fault::new("is not a cursor of this search").under("cursor");
            let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).map_err(|_| wrong())?;
            let positions: Map<String, Value> = serde_json::from_slice(&bytes).map_err(|_| wrong())?;
            let is_known =
                positions.iter().all(|(list, at)| LISTS.contains(&list.as_str()) && at.is_string());
            return if is_known && !positions.is_empty() { Ok(Self(positions)) } else { Err(wrong()) };
        }
        let lists = match arguments.text("in") {
            None | Some("all") => ALL.to_vec(),
            Some(list) => vec![list],
        };
        Ok(Self(lists.into_iter().map(|list| (list.to_owned(), Value::from(""))).collect()))
    }

    /// Lists and their cursors. Lists that were not searched yet come first, because a page with fewer rows than
    /// lists leaves some of them out.
    fn queue(&self) -> Vec<(&'static str, &str)> {
        let positions = LISTS.into_iter().filter_map(|list| Some((list, self.0.get(list)?.as_str()?)));
        let mut queue: Vec<(&'static str, &str)> = positions.collect();
        queue.sort_by_key(|(_, cursor)| !cursor.is_empty());
        queue
    }

    fn encoded(&self) -> Option<String> {
        (!self.0.is_empty())
            .then(|| BASE64URL_NOPAD.encode(Value::Object(self.0.clone()).to_string().as_bytes()))
    }
}

/// Search in one list.
struct ListQuery<'a> {
    query: &'a str,
    /// Earliest day of the rows.
    after: Option<&'a str>,
    limit: u32,
    cursor: &'a str,
}

/// Searches all chosen lists.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let positions = Positions::of(arguments)?;
    let after = arguments.text("after").map(day_of).transpose()?;
    let queue = positions.queue();
    let mut lists_left = u32::try_from(queue.len()).unwrap_or(1);
    let mut rows_left = arguments.number("limit").unwrap_or(LIMIT);
    let (mut lists, mut next) = (Vec::new(), Map::new());
    for (list, cursor) in queue {
        // An equal share of the remaining rows. A list without a share is searched on the next page.
        let limit = rows_left.div_ceil(lists_left.max(1));
        lists_left = lists_left.saturating_sub(1);
        if limit == 0 {
            next.insert(list.to_owned(), Value::from(cursor));
            continue;
        }
        let query = ListQuery { query: arguments.required("query"), after, limit, cursor };
        let (rows, cursor) = match list {
            "library" => library(calls, &query).await?,
            "feeds" => entries(calls, &query, Some("feed")).await?,
            "entries" => entries(calls, &query, None).await?,
            _ => changes(calls, &query).await?,
        };
        next.extend(cursor.map(|cursor| (list.to_owned(), cursor)));
        rows_left = rows_left.saturating_sub(u32::try_from(rows.len()).unwrap_or(u32::MAX));
        lists.push(rows);
    }
    Ok(page(interleave(lists), Positions(next).encoded().as_deref()))
}

fn page(rows: Vec<Value>, cursor: Option<&str>) -> TaskResult {
    let mut page = TaskResult::new(
        format!("{}. Read one with fetch and its id.", counted(rows.len(), "result")),
        json!({}),
    );
    for row in &rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        page.quote(format!("- {} {} ({})", text("id"), text("title"), text("about")));
        if !text("text").is_empty() {
            page.quote(format!("  {}", text("text")));
        }
    }
    page.data["results"] = rows.into();
    page.continues(cursor);
    page
}

/// Rows of a list, and the cursor of its next page.
type RowsWithCursor = (Vec<Value>, Option<Value>);

async fn library(calls: &mut Calls<'_>, query: &ListQuery<'_>) -> Result<RowsWithCursor, Refusal> {
    let mut path = format!("/v1/library/objects?limit={}&query={}", query.limit, segment(query.query));
    if !query.cursor.is_empty() {
        path = format!("{path}&cursor={}", segment(query.cursor));
    }
    let answer = calls.get(&path).await?;
    let base = calls.session().app.settings.origins.base.as_str();
    let objects = answer["objects"].as_array().into_iter().flatten();
    let rows = objects.filter(|object| is_after(&object["updatedAt"], query.after)).map(|object| {
        let id = object["ref"].as_str().unwrap_or_default();
        let url = object["sourceUrl"].as_str().map_or_else(|| object_url(base, id), str::to_owned);
        json!({
            "id": id,
            "title": title(&object["title"]),
            "url": url,
            "about": format!("saved, {}", moment(&object["updatedAt"])),
            "text": passage(&object["snippet"]),
        })
    });
    Ok((rows.collect(), next_of(&answer)))
}

/// Entries of the sources of a kind, or of all sources.
async fn entries(
    calls: &mut Calls<'_>,
    query: &ListQuery<'_>,
    kind: Option<&'static str>,
) -> Result<RowsWithCursor, Refusal> {
    let mut filter = json!({ "text": query.query });
    if let Some(kind) = kind {
        filter["kind"] = json!([kind]);
    }
    if let Some(after) = query.after {
        filter["publishedAfter"] = after.into();
    }
    let mut body = json!({ "where": filter, "order": "relevance", "limit": query.limit });
    if !query.cursor.is_empty() {
        body["cursor"] = query.cursor.into();
    }
    let answer = calls.post("/v1/feeds/query", &body).await?;
    let entries = answer["entries"].as_array().into_iter().flatten();
    let rows = entries.map(|entry| {
        let at =
            if entry["publishedAt"].is_string() { &entry["publishedAt"] } else { &entry["discoveredAt"] };
        json!({
            "id": format!("entry:{}", entry["id"]),
            "title": title(&entry["title"]),
            "url": entry["url"],
            "about": format!("{}, {}", title(&entry["feedTitle"]), moment(at)),
            "text": passage(&entry["summary"]),
        })
    });
    Ok((rows.collect(), next_of(&answer)))
}

async fn changes(calls: &mut Calls<'_>, query: &ListQuery<'_>) -> Result<RowsWithCursor, Refusal> {
    let mut path = format!("/v1/monitors/changes?limit={}&text={}", query.limit, segment(query.query));
    if !query.cursor.is_empty() {
        path = format!("{path}&cursor={}", segment(query.cursor));
    }
    let answer = calls.get(&path).await?;
    let changes = answer["changes"].as_array().cloned().unwrap_or_default();
    let count = changes.len();
    let recent: Vec<Value> =
        changes.into_iter().take_while(|change| is_after(&change["detectedAt"], query.after)).collect();
    // The newest changes come first, so the search stops at the first old change.
    let next = next_of(&answer).filter(|_| recent.len() == count);
    let rows = recent.iter().map(|change| {
        let text = |name: &str| change[name].as_str().unwrap_or_default();
        json!({
            "id": format!("change:{}:{}", text("monitorId"), text("id")),
            "title": title(&change["title"]),
            "url": change["link"],
            "about": format!("change of {}, {}", title(&change["monitor"]), moment(&change["detectedAt"])),
            "text": passage(&change["summary"]),
        })
    });
    Ok((rows.collect(), next))
}

fn next_of(answer: &Value) -> Option<Value> {
    Some(answer["nextCursor"].clone()).filter(Value::is_string)
}

/// Day of a text that is a day or a time.
fn day_of(after: &str) -> Result<&str, Fault> {
    let day = after.trim().get(..10);
    let is_day = |day: &&str| {
        day.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    day.filter(is_day).ok_or_else(|| Fault::new("must be a day, such as 2026-05-01").under("after"))
}

/// True if a time in a response is on or after a day. Texts in this format sort by time.
fn is_after(time: &Value, after: Option<&str>) -> bool {
    after.is_none_or(|after| time.as_str().unwrap_or_default() > after)
}

/// Interleaves the lists.
fn interleave(lists: Vec<Vec<Value>>) -> Vec<Value> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut rows = Vec::new();
    for _ in 0..longest {
        rows.extend(lists.iter_mut().filter_map(Iterator::next));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(sent: Value) -> Arguments {
        let schema = json!({"properties": {
            "query": {"type": "string"}, "in": {"type": "string"}, "cursor": {"type": "string"},
        }});
        let Value::Object(sent) = sent else { panic!("{sent}") };
        Arguments::of(&schema, sent).unwrap()
    }

    #[test]
    fn cursor_continues_only_lists_with_more_rows() {
        let all = Positions::of(&arguments(json!({"query": "x"}))).unwrap();
        assert_eq!(all.0.len(), 3);
        assert_eq!(Positions::of(&arguments(json!({"in": "entries"}))).unwrap().0.len(), 1);
        let cursor = Positions(Map::from_iter([("entries".to_owned(), json!("abc"))])).encoded().unwrap();
        let next = Positions::of(&arguments(json!({"cursor": cursor}))).unwrap();
        assert_eq!(Value::from(next.0), json!({"entries": "abc"}));
        let partial = json!({"library": "abc", "feeds": "", "changes": ""}).to_string();
        let cursor = BASE64URL_NOPAD.encode(partial.as_bytes());
        let partial = Positions::of(&arguments(json!({"cursor": cursor}))).unwrap();
        assert_eq!(partial.queue(), [("feeds", ""), ("changes", ""), ("library", "abc")]);
        assert_eq!(Positions(Map::new()).encoded(), None);
        for wrong in ["x", "e30", "eyJvdGhlciI6ImEifQ"] {
            assert!(Positions::of(&arguments(json!({"cursor": wrong}))).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lists_are_interleaved_by_rank() {
        let list =
            |name: &str, count: usize| (0..count).map(|at| json!(format!("{name}{at}"))).collect::<Vec<_>>();
        assert_eq!(
            interleave(vec![list("l", 1), list("e", 3), list("c", 2)]),
            ["l0", "e0", "c0", "e1", "c1", "e2"]
        );
        assert!(interleave(Vec::new()).is_empty());
        assert!(is_after(&json!("2026-05-02T00:00:00Z"), Some("2026-05-02")));
        assert_eq!(day_of(" 2026-05-02T10:00:00Z"), Ok("2026-05-02"));
        assert!(day_of("last week").is_err() && day_of("2026-5-2").is_err());
        assert!(!is_after(&json!("2026-05-01T23:59:59Z"), Some("2026-05-02")) && is_after(&json!("x"), None));
    }
}
