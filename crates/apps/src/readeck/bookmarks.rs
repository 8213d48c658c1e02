//! Operations on bookmarks.

use kernel::bounds::{ITEM_TITLE_CHARS, LIBRARY_QUERY_CHARS};
use kernel::search::query::{FilterTest, Polarity, Query, SearchFilter};
use kernel::{Error, ItemId, Millis, millis_of_rfc3339};
use library::draft::Save;
use library::{
    FAVORITE, ItemChanges, ItemDeletion, ItemPageFilter, ItemUpdate, OffsetPage, PageBounds, PageOrder,
    ReadMark, ReadProgress, ReadingStage, delete, list_by_offset, open, text_of, update,
};
use poem::http::{HeaderName, HeaderValue, StatusCode};
use poem::{IntoResponse, Response};
use serde_json::{Value, json};

use super::bookmark::{ARTICLE, bookmark};
use super::call::{API, ReadeckCall};
use crate::answers::json_answer;
use crate::bookmark_rules::{is_same_tag, known_tags, split_tags, status_after};
use crate::saving::{check_length, check_tags, save};

/// Default number of bookmarks per page.
const DEFAULT_LIMIT: u32 = 30;
/// Maximum number of bookmarks per page.
const MAX_LIMIT: u32 = 100;
/// Maximum number of ids that select the bookmarks of a list.
const MAX_IDS: usize = 500;
/// Filters of Readeck that the library has no data for, or whose values have another format.
const UNSUPPORTED_FILTERS: [&str; 3] = ["collection", "range_start", "range_end"];

impl ReadeckCall<'_> {
    /// `GET bookmarks`: one page of bookmarks. A header contains the total number of bookmarks.
    pub(super) async fn list_bookmarks(&self) -> Result<Response, Error> {
        let limit = self.number("limit", DEFAULT_LIMIT)?.clamp(1, MAX_LIMIT);
        let offset = self.number("offset", 0)?;
        let filter = self.filter().await?;
        let page = PageBounds { offset: u64::from(offset), limit };
        let list = if self.selects_articles() {
            list_by_offset(&self.app.domain, self.caller.account_id, &filter, page).await?
        } else {
            OffsetPage::default()
        };
        let base = self.base();
        let bookmarks: Vec<Value> = list.items.iter().map(|item| bookmark(&base, item)).collect();
        let mut response = json_answer(&bookmarks.into())?;
        let pages = list.total.div_ceil(u64::from(limit));
        let counts = [
            ("total-count", list.total),
            ("total-pages", pages),
            ("current-page", u64::from(offset / limit) + 1),
        ];
        for (name, count) in counts {
            response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from(count));
        }
        Ok(response)
    }

    /// Returns the filter and order of the list. A filter of Readeck that is not supported is an error, because
    /// bookmarks that do not match it would be listed.
    async fn filter(&self) -> Result<ItemPageFilter, Error> {
        if let Some(name) = UNSUPPORTED_FILTERS.into_iter().find(|name| self.parameters.get(name).is_some()) {
            return Err(Error::invalid_field(name, "is not supported as a filter"));
        }
        let tags = self.labels("labels", &self.known_labels().await?).unwrap_or_default();
        check_tags(&tags)?;
        Ok(ItemPageFilter {
            archived: self.flag("is_archived")?,
            favorite: self.flag("is_marked")?,
            tags,
            domain: self.parameters.get("site").map(str::to_owned),
            updated_after: self.updated_after()?,
            query: self.query()?,
            ids: self.ids()?,
            stages: self.stages()?,
            failed: self.flag("has_errors")?,
            pending: self.flag("is_loaded")?.map(|is_loaded| !is_loaded),
            tagged: self.flag("has_labels")?,
            order: match self.parameters.get("sort") {
                Some("created") => PageOrder::FirstSaved,
                Some("updated") => PageOrder::FirstChanged,
                Some("-updated") => PageOrder::LastChanged,
                Some(_) | None => PageOrder::LastSaved,
            },
        })
    }

    /// Returns true if the list may contain articles. All bookmarks are articles.
    fn selects_articles(&self) -> bool {
        let mut types = self.values("type").peekable();
        types.peek().is_none() || types.any(|name| name == ARTICLE)
    }

    /// Returns the query of the parameters `search`, `title`, and `author`. `None` if they are missing.
    fn query(&self) -> Result<Option<Query>, Error> {
        let mut query = None;
        if let Some(text) = self.parameters.get("search") {
            check_length("search", text, LIBRARY_QUERY_CHARS)?;
            let mut words = Query::parse_stored(text);
            if words.is_empty() {
                let nothing = SearchFilter { polarity: Polarity::Include, test: FilterTest::Nothing };
                words.filters.push(nothing);
            }
            query = Some(words);
        }
        for name in ["title", "author"] {
            let Some(text) = self.parameters.get(name) else { continue };
            let property = format!("{name}:\"{}\"", text.replace('"', " "));
            let parsed = Query::parse(&property);
            let parsed = parsed.map_err(|_| Error::invalid_field(name, "has no words, or too many"))?;
            query.get_or_insert_default().filters.extend(parsed.filters);
        }
        Ok(query)
    }

    /// Returns the items in the parameter `id`. Ids of other servers select no items. `None` if the parameter is
    /// missing.
    fn ids(&self) -> Result<Option<Vec<ItemId>>, Error> {
        let ids: Vec<&str> = self.values("id").collect();
        if ids.len() > MAX_IDS {
            return Err(Error::invalid_field("id", format!("must have at most {MAX_IDS} values")));
        }
        let items: Vec<ItemId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
        Ok((!ids.is_empty()).then_some(items))
    }

    /// Returns the stages in the parameter `read_status`.
    fn stages(&self) -> Result<Vec<ReadingStage>, Error> {
        let stage = |name: &str| match name {
            "unread" => Ok(ReadingStage::Unread),
            "reading" => Ok(ReadingStage::Reading),
            "read" => Ok(ReadingStage::Read),
            _ => Err(Error::invalid_field("read_status", "must be unread, reading, or read")),
        };
        self.values("read_status").map(stage).collect()
    }

    /// Returns the time in the parameter `updated_since`, less one millisecond, because a bookmark that changed at this
    /// time is listed.
    fn updated_after(&self) -> Result<Option<Millis>, Error> {
        let Some(text) = self.parameters.get("updated_since") else { return Ok(None) };
        let time = millis_of_rfc3339(text).or_else(|| millis_of_rfc3339(&format!("{text}T00:00:00Z")));
        let time =
            time.ok_or_else(|| Error::invalid_field("updated_since", "must be a time in RFC 3339 format"))?;
        Ok(Some(time.saturating_sub(1)))
    }

    /// Returns the values of a parameter that are not empty.
    fn values(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.parameters.all(name).filter(|value| !value.is_empty())
    }

    /// `GET bookmarks/ID`: one bookmark.
    pub(super) async fn get_bookmark(&self, id: ItemId) -> Result<Response, Error> {
        let item = open(&self.app.domain, self.caller.account_id, id).await?;
        json_answer(&bookmark(&self.base(), &item))
    }

    /// `GET bookmarks/ID/article`: the text of a bookmark as HTML.
    pub(super) async fn article(&self, id: ItemId) -> Result<Response, Error> {
        let (_, text) = text_of(&self.app.domain, self.caller.account_id, id).await?;
        let rendering = tokio::task::spawn_blocking(move || extract::render::html(&text.document.blocks));
        let html = rendering.await.map_err(Error::internal)?;
        Ok(html.with_content_type("text/html; charset=utf-8").into_response())
    }

    /// `POST bookmarks`: saves a URL.
    pub(super) async fn add_bookmark(&self) -> Result<Response, Error> {
        let text = |name: &str| self.parameters.get(name).map(str::to_owned);
        let url = text("url").ok_or_else(|| Error::invalid_field("url", "is missing"))?;
        let tags = self.labels("labels", &self.known_labels().await?).unwrap_or_default();
        let new = Save { url: Some(url), title: text("title"), tags: tags.clone(), ..Save::default() };
        let saved = save(self.app, &self.caller, new).await?;
        let id = saved.item.id;
        if saved.already_saved && !tags.is_empty() {
            let changes = ItemChanges { add_tags: tags, ..ItemChanges::default() };
            let change = ItemUpdate { changes, ..ItemUpdate::default() };
            update(&self.app.domain, self.caller.account_id, id, change).await?;
        }
        let body = json!({ "status": 202, "message": "Link submitted" }).to_string();
        let response = body.with_content_type("application/json; charset=utf-8");
        let response = response.with_header("bookmark-id", id.to_string());
        let response = response.with_header("location", format!("{}bookmarks/{id}", self.base()));
        Ok(response.with_status(StatusCode::ACCEPTED).into_response())
    }

    /// `PATCH bookmarks/ID`: changes a bookmark.
    pub(super) async fn change_bookmark(&self, id: ItemId) -> Result<Response, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let item = open(domain, account_id, id).await?;
        if self.flag("is_deleted")? == Some(true) {
            return self.remove_bookmark(id).await;
        }
        let title = self.parameters.get("title").map(str::to_owned);
        check_length("title", title.as_deref().unwrap_or_default(), ITEM_TITLE_CHARS)?;
        let mut changes = self.label_changes(&self.known_labels().await?)?;
        changes.status = status_after(&item, self.flag("is_archived")?);
        (changes.read_progress, changes.mark_read) = self.progress()?;
        let change = ItemUpdate { changes, title, ..ItemUpdate::default() };
        let item = update(domain, account_id, id, change).await?;
        json_answer(&bookmark(&self.base(), &item))
    }

    /// `DELETE bookmarks/ID`: deletes a bookmark.
    pub(super) async fn remove_bookmark(&self, id: ItemId) -> Result<Response, Error> {
        delete(&self.app.domain, self.caller.account_id, id, ItemDeletion::default()).await?;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// Returns the requested changes of labels. Unless the request replaces all labels, only the named labels
    /// are added or removed, so that labels that another app added in the meantime are retained. A label that
    /// is both added and removed is removed. Labels in `known` may contain commas.
    fn label_changes(&self, known: &[String]) -> Result<ItemChanges, Error> {
        let mut added = self.labels("add_labels", known).unwrap_or_default();
        let mut removed = self.labels("remove_labels", known).unwrap_or_default();
        check_tags(&removed)?;
        added.retain(|tag| !is_among(tag, &removed));
        if let Some(is_marked) = self.flag("is_marked")? {
            added.retain(|tag| !is_same_tag(tag, FAVORITE));
            removed.retain(|tag| !is_same_tag(tag, FAVORITE));
            let marked = if is_marked { &mut added } else { &mut removed };
            marked.push(FAVORITE.to_owned());
        }
        check_tags(&added)?;
        let Some(mut tags) = self.labels("labels", known) else {
            return Ok(ItemChanges { add_tags: added, remove_tags: removed, ..ItemChanges::default() });
        };
        tags.retain(|tag| !is_among(tag, &removed));
        let missing: Vec<String> = added.into_iter().filter(|tag| !is_among(tag, &tags)).collect();
        tags.extend(missing);
        check_tags(&tags)?;
        Ok(ItemChanges { tags: Some(tags), ..ItemChanges::default() })
    }

    /// Returns the requested reading progress in percent. 100 marks the item as read, and 0 as unread.
    fn progress(&self) -> Result<(Option<ReadProgress>, Option<ReadMark>), Error> {
        let Some(text) = self.parameters.get("read_progress") else { return Ok((None, None)) };
        match text.parse::<i16>() {
            Ok(0) => Ok((None, Some(ReadMark::Unread))),
            Ok(100) => Ok((None, Some(ReadMark::Read))),
            Ok(percent @ 1..=99) => Ok((Some(ReadProgress::At(percent)), None)),
            Ok(_) | Err(_) => Err(Error::invalid_field("read_progress", "must be between 0 and 100")),
        }
    }

    /// Returns the labels in a parameter: a list, or names separated by commas. Labels in `known` may contain
    /// commas. `None` if the parameter is missing.
    fn labels(&self, name: &str, known: &[String]) -> Option<Vec<String>> {
        let labels = self.parameters.all(name).flat_map(|names| split_tags(names, known)).collect();
        self.parameters.has(name).then_some(labels)
    }

    /// Returns the labels of the library that contain commas and may be in the parameters.
    async fn known_labels(&self) -> Result<Vec<String>, Error> {
        let names = ["labels", "add_labels", "remove_labels"];
        let lists: Vec<&str> = names.into_iter().flat_map(|name| self.parameters.all(name)).collect();
        known_tags(&self.app.domain, self.caller.account_id, &lists).await
    }

    fn flag(&self, name: &'static str) -> Result<Option<bool>, Error> {
        match self.parameters.get(name) {
            None => Ok(None),
            Some("1" | "true" | "t" | "on") => Ok(Some(true)),
            Some("0" | "false" | "f" | "off") => Ok(Some(false)),
            Some(_) => Err(Error::invalid_field(name, "must be true or false")),
        }
    }

    fn number(&self, name: &'static str, default: u32) -> Result<u32, Error> {
        let Some(text) = self.parameters.get(name) else { return Ok(default) };
        text.parse().map_err(|_| Error::invalid_field(name, "must be a number"))
    }

    fn base(&self) -> String {
        format!("{}{API}", self.app.settings.origins.base)
    }
}

fn is_among(tag: &str, tags: &[String]) -> bool {
    tags.iter().any(|other| is_same_tag(tag, other))
}
