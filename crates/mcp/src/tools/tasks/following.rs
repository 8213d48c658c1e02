//! `follow` and `list_following`: feeds, watched pages, and collections.

use application::agent_undo::CreatedCollection;
use poem::http::Method;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, counted, moment, title};
use super::reference::{is_address, path_of, split};
use super::undo;
use crate::session::Refusal;
use crate::tools::paths::segment;
use api::error::ApiError;
use http_kit::http::fault::Fault;
use kernel::{Code, CollectionId};

/// Default number of rows per page.
const LIMIT: u32 = 30;
/// Maximum number of collections that the text lists.
const LISTED_COLLECTIONS: usize = 200;
/// Maximum number of pages, of 100 sources each, that are searched for a followed feed.
const SOURCE_PAGES: usize = 20;

/// Follows or unfollows a feed.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn follow(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let url = check(arguments)?;
    if arguments.text("action") == Some("unfollow") {
        return unfollow(calls, arguments, url).await;
    }
    if arguments.flag("dryRun") {
        return discovered(calls, url).await;
    }
    let mut body = json!({ "url": url });
    if let Some(title) = arguments.text("title") {
        body["title"] = title.into();
    }
    let name = arguments.text("collection").map(str::trim);
    let known = match name {
        Some(name) => collection(calls, name).await?,
        None => None,
    };
    if let Some(id) = &known {
        body["collectionId"] = id.clone();
    }
    let answer = calls.post("/v1/rss/subscriptions", &body).await?;
    let subscription = &answer["subscription"];
    let is_known = answer["alreadySubscribed"] == true;
    let first = if is_known { "The feed was followed before." } else { "Followed." };
    let mut page = TaskResult::new(first, json!({}));
    page.quote(format!(
        "- feed:{} {} ({})",
        subscription["feedId"],
        title(&subscription["title"]),
        subscription["feedUrl"].as_str().unwrap_or_default()
    ));
    let mut new_collection = None;
    if let Some(name) = name.filter(|_| known.is_none()) {
        let (line, created) = create_collection(calls, name, &subscription["feedId"]).await;
        page.say(line);
        new_collection = created;
    }
    if !is_known {
        page.undo = undo::of_followed(calls, &subscription["id"], new_collection).await;
    }
    let candidates = answer["candidates"].as_array().map(Vec::as_slice).unwrap_or_default();
    list_candidates(&mut page, candidates);
    page.data = json!({
        "id": format!("feed:{}", subscription["feedId"]),
        "title": subscription["title"],
        "url": subscription["feedUrl"],
        "alreadyFollowed": is_known,
        "candidates": candidates,
    });
    Ok(page)
}

/// Checks that the arguments are consistent. Returns the address or id.
///
/// # Errors
/// The first fault.
pub(super) fn check(arguments: &Arguments) -> Result<&str, Fault> {
    let url = arguments.required("url").trim();
    if arguments.text("action") != Some("unfollow") && !is_address(url) {
        return Err(Fault::new("must be an http(s) address").under("url"));
    }
    Ok(url)
}

/// Adds the feeds of a site that are not followed.
fn list_candidates(page: &mut TaskResult, candidates: &[Value]) {
    if !candidates.is_empty() {
        page.then(format!(
            "The address has {} besides; call follow with the address of one to add it.",
            counted(candidates.len(), "feed")
        ));
    }
    for candidate in candidates {
        page.quote(format!("- not followed: {}", candidate["feedUrl"].as_str().unwrap_or_default()));
    }
}

/// Feeds of an address, for a dry run.
async fn discovered(calls: &mut Calls<'_>, url: &str) -> Result<TaskResult, Refusal> {
    calls.session().caller.require(kernel::Scope::Write)?;
    let answer = calls.post("/v1/rss/discover", &json!({ "url": url })).await?;
    let feeds = answer["feeds"].as_array().map(Vec::as_slice).unwrap_or_default();
    let first = format!("Dry run: {}, best first. Nothing was changed.", counted(feeds.len(), "feed"));
    let mut page = TaskResult::new(first, json!({ "dryRun": true, "feeds": feeds }));
    for feed in feeds {
        page.quote(format!("- {} {}", feed["feedUrl"].as_str().unwrap_or_default(), title(&feed["title"])));
    }
    page.then("Call again without dryRun to follow the first, or with the address of another.");
    Ok(page)
}

/// Id of the collection with a name; `None` if there is none.
async fn collection(calls: &mut Calls<'_>, name: &str) -> Result<Option<Value>, Refusal> {
    let answer = calls.get("/v1/rss/collections").await?;
    let lowercase_name = name.to_lowercase();
    let mut collections = answer["collections"].as_array().into_iter().flatten();
    let known = collections
        .find(|known| known["name"].as_str().is_some_and(|known| known.to_lowercase() == lowercase_name));
    Ok(known.map(|known| known["id"].clone()))
}

/// Creates a collection with a followed feed. If that fails, the feed stays followed, so the failure is
/// reported in the result. Returns a line for the result, and the new collection.
async fn create_collection(
    calls: &mut Calls<'_>,
    name: &str,
    feed_id: &Value,
) -> (String, Option<CreatedCollection>) {
    let new = json!({ "name": name, "feedIds": [feed_id] });
    match calls.post("/v1/rss/collections", &new).await {
        Ok(answer) => {
            let (id, name) = (&answer["collection"]["id"], &answer["collection"]["name"]);
            let created = id
                .as_i64()
                .zip(name.as_str())
                .map(|(id, name)| CreatedCollection { id: CollectionId::new(id), name: name.to_owned() });
            ("It is in a new collection of this name.".to_owned(), created)
        }
        Err(refusal) => {
            let line = format!("The collection was not created: {} ({}).", refusal.message(), refusal.code());
            (line, None)
        }
    }
}

/// Unfollows the feed with an id or an address.
async fn unfollow(calls: &mut Calls<'_>, arguments: &Arguments, url: &str) -> Result<TaskResult, Refusal> {
    let source = source(calls, url).await?;
    let data = json!({
        "id": format!("feed:{}", source["id"]),
        "title": source["title"],
        "dryRun": arguments.flag("dryRun"),
    });
    let mut page = if arguments.flag("dryRun") {
        calls.session().caller.require(kernel::Scope::Write)?;
        TaskResult::new("Dry run: this feed would be unfollowed. Call again without dryRun.", data)
    } else {
        let path = path_of("/v1/rss/subscriptions", &source["subscriptionId"].to_string());
        let undo = undo::of_unfollowed(calls, &source["subscriptionId"]).await;
        calls.send(Method::DELETE, &path, None).await?;
        let mut page = TaskResult::new("Unfollowed. To undo it, call follow with its address.", data);
        page.undo = undo;
        page
    };
    page.quote(format!(
        "- feed:{} {} ({})",
        source["id"],
        title(&source["title"]),
        source["feedUrl"].as_str().unwrap_or_default()
    ));
    Ok(page)
}

/// Followed feed with an id or an address. If no feed has the address, a feed whose site has it is returned.
///
/// # Errors
/// `not_found`; a fault if the site has several feeds; or the error response of the operation.
async fn source(calls: &mut Calls<'_>, url: &str) -> Result<Value, Refusal> {
    let id = split(url).filter(|(kind, _)| *kind == "feed").and_then(|(_, id)| id.parse::<u64>().ok());
    let mut filter = json!({ "kind": ["feed"] });
    if let Some(id) = id {
        filter["source"] = json!({ "include": [id] });
    }
    let (mut cursor, mut of_site) = (Value::Null, Vec::new());
    for _ in 0..SOURCE_PAGES {
        let mut body = json!({ "select": "sources", "where": filter, "limit": 100 });
        if cursor.is_string() {
            body["cursor"] = cursor;
        }
        let answer = calls.post("/v1/feeds/query", &body).await?;
        let same = |known: &Value| known.as_str().is_some_and(|known| is_same_address(known, url));
        for known in answer["sources"].as_array().into_iter().flatten() {
            if id.map_or_else(|| same(&known["feedUrl"]), |id| known["id"].as_u64() == Some(id)) {
                return Ok(known.clone());
            }
            if same(&known["siteUrl"]) {
                of_site.push(known.clone());
            }
        }
        cursor = answer["nextCursor"].clone();
        if !cursor.is_string() {
            break;
        }
    }
    only_of_site(of_site, cursor.is_string())
}

/// The only element of `of_site`, the followed feeds of a site. `is_partial` is true if some followed feeds were not
/// searched.
fn only_of_site(mut of_site: Vec<Value>, is_partial: bool) -> Result<Value, Refusal> {
    if of_site.len() > 1 {
        let ids: Vec<String> = of_site.iter().map(|known| format!("feed:{}", known["id"])).collect();
        let fault = Fault::new(format!("is the site of several feeds; send one of {}", ids.join(", ")));
        return Err(fault.under("url").into());
    }
    of_site.pop().ok_or_else(|| {
        let message = if is_partial {
            "None of the searched feeds has this address, and more are followed. Send a feed:… id."
        } else {
            "No followed feed has this address. Call list_following for feed:… ids."
        };
        ApiError::new(Code::NotFound, message).into()
    })
}

fn is_same_address(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}

/// Lists what the account follows.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn list(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    match arguments.text("kind") {
        Some("monitors") => monitors(calls, arguments).await,
        Some("collections") => collections(calls).await,
        Some(_) | None => feeds(calls, arguments).await,
    }
}

async fn feeds(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let limit = arguments.number("limit").unwrap_or(LIMIT);
    let mut body = json!({ "select": "sources", "where": { "kind": ["feed"] }, "limit": limit });
    if let Some(health) = arguments.text("health").filter(|health| *health != "any") {
        body["having"] = json!({ "health": [health] });
    }
    if let Some(cursor) = arguments.text("cursor") {
        body["cursor"] = cursor.into();
    }
    let answer = calls.post("/v1/feeds/query", &body).await?;
    let sources = answer["sources"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut page = TaskResult::new(format!("{} of {} feeds.", sources.len(), answer["total"]), json!({}));
    for source in sources {
        let error = source["lastError"].as_str().map(|error| format!(", {error}")).unwrap_or_default();
        page.quote(format!(
            "- feed:{} {} ({} unread, {}{error})",
            source["id"],
            title(&source["title"]),
            source["unreadCount"],
            source["health"].as_str().unwrap_or_default()
        ));
    }
    page.data["results"] = sources.to_vec().into();
    page.continues(answer["nextCursor"].as_str());
    Ok(page)
}

async fn monitors(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let mut path = format!("/v1/monitors?limit={}", arguments.number("limit").unwrap_or(LIMIT));
    if let Some(cursor) = arguments.text("cursor") {
        path = format!("{path}&cursor={}", segment(cursor));
    }
    let answer = calls.get(&path).await?;
    let monitors = answer["monitors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut page = TaskResult::new(format!("{}.", counted(monitors.len(), "watched page")), json!({}));
    let mut results = Vec::new();
    for monitor in monitors {
        let text = |name: &str| monitor[name].as_str().unwrap_or_default();
        let changed = match monitor["lastChangeAt"].as_str() {
            Some(_) => format!(", changed {}", moment(&monitor["lastChangeAt"])),
            None => String::new(),
        };
        let error = monitor["lastError"].as_str().map(|error| format!(", {error}")).unwrap_or_default();
        page.quote(format!(
            "- monitor:{} {} ({}, every {} minutes{changed}{error})",
            text("id"),
            title(&monitor["name"]),
            text("status"),
            monitor["intervalMinutes"]
        ));
        page.quote(format!("  {}", text("targetUrl")));
        results.push(json!({
            "id": format!("monitor:{}", text("id")),
            "name": monitor["name"],
            "url": monitor["targetUrl"],
            "status": monitor["status"],
            "lastChangeAt": monitor["lastChangeAt"],
            "lastError": monitor["lastError"],
        }));
    }
    page.data["results"] = results.into();
    page.continues(answer["nextCursor"].as_str());
    Ok(page)
}

async fn collections(calls: &mut Calls<'_>) -> Result<TaskResult, Refusal> {
    let answer = calls.get("/v1/rss/collections").await?;
    let collections = answer["collections"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut page = TaskResult::new(format!("{}.", counted(collections.len(), "collection")), json!({}));
    let row = |collection: &Value| {
        let count = collection["feedIds"].as_array().map(Vec::len).unwrap_or_default();
        format!("- {} ({})", title(&collection["name"]), counted(count, "feed"))
    };
    page.quote_first(LISTED_COLLECTIONS, collections.iter().map(row));
    page.data["results"] = collections.to_vec().into();
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_with_several_feeds_is_refused_with_their_ids() {
        let feed = |id: u32| json!({"id": id});
        assert_eq!(only_of_site(vec![feed(1)], false), Ok(feed(1)));
        let refusal = only_of_site(vec![feed(1), feed(2)], false).unwrap_err();
        assert_eq!(refusal.code(), "invalid_request");
        assert!(refusal.error.to_string().contains("feed:1, feed:2"), "{refusal:?}");
        let refusal = only_of_site(Vec::new(), true).unwrap_err();
        assert!(refusal.code() == "not_found" && refusal.message().contains("more are followed"));
    }

    #[test]
    fn addresses_are_compared_without_a_trailing_slash() {
        assert!(is_same_address("https://a.example/blog/", "https://a.example/blog"));
        assert!(!is_same_address("https://a.example/blog", "https://a.example/"));
    }
}
