//! Lists of entries: filters, pages, and the lookup of saved URLs.

use std::collections::HashMap;

use identity::accounts;
use kernel::{Code, Error, ItemId};
use library::{Item, ItemPageFilter, OffsetPage, PageBounds, PageOrder, StoredText};
use serde_json::{Map, Value, json};
use url::form_urlencoded::Serializer;

use super::annotations::MAX_ANNOTATION_BYTES;
use super::call::{API, WallabagCall};
use super::entry::{EntryAnnotations, EntryParts, RenderedEntryText, entry};
use crate::saving::check_tags;

/// Default number of entries per page.
const DEFAULT_SIZE: u32 = 30;
/// Maximum number of entries per page.
const MAX_SIZE: u32 = 100;
/// Maximum total size of the texts in one response, in bytes.
const MAX_TEXT_BYTES: usize = 16 << 20;
/// Number of texts that are loaded and rendered per batch. Rendering runs on a blocking thread, because long
/// texts take a while.
const TEXTS_IN_MEMORY: usize = 4;
/// Maximum number of URLs that one request can check.
const MAX_URLS: usize = 100;
/// Placeholder for a text that does not fit into the list.
const OMITTED: &str = "<p>The text is too large for a list. Open the entry again to load it.</p>";

/// Level of detail of the entries in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DetailLevel {
    /// Entries without texts and annotations.
    Metadata,
    Full,
}

impl WallabagCall<'_> {
    /// `GET entries`: one page of entries. A page beyond the last page is an error, because apps request
    /// pages until they receive an error.
    pub(super) async fn list_entries(&self) -> Result<Value, Error> {
        let number = self.positive("page", 1)?;
        let limit = self.positive("perPage", DEFAULT_SIZE)?.min(MAX_SIZE);
        let page = PageBounds { offset: u64::from(number - 1) * u64::from(limit), limit };
        // Entries never have a public page.
        let list = if self.flag("public")? == Some(true) {
            OffsetPage::default()
        } else {
            let (domain, account_id) = (&self.app.domain, self.caller.account_id);
            library::list_by_offset(domain, account_id, &self.filter().await?, page).await?
        };
        if list.items.is_empty() && number > 1 {
            return Err(Error::new(Code::NotFound, "There is no such page."));
        }
        let detail = match self.parameters.get("detail") {
            Some("metadata") => DetailLevel::Metadata,
            Some(_) | None => DetailLevel::Full,
        };
        let items = self.entries_json(&list.items, detail).await?;
        let pages = list.total.div_ceil(u64::from(limit)).max(1);
        Ok(json!({
            "page": number,
            "limit": limit,
            "pages": pages,
            "total": list.total,
            "_links": self.page_links(u64::from(number), pages),
            "_embedded": { "items": items },
        }))
    }

    /// `GET entries/exists`: returns whether URLs are saved. With `return_id`, returns their entry numbers
    /// instead.
    pub(super) async fn find_entries(&self) -> Result<Value, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let wants_number = self.flag("return_id")?.unwrap_or_default();
        let urls: Vec<&str> =
            self.parameters.all("urls[]").chain(self.parameters.all("urls")).take(MAX_URLS + 1).collect();
        let single = self.parameters.get("url");
        if urls.len() > MAX_URLS || (urls.is_empty() && single.is_none()) {
            return Err(Error::invalid_field("url", "is missing, or there are more than 100 urls"));
        }
        let mut results = Map::new();
        for url in urls.into_iter().chain(single) {
            let id = library::find_by_url(domain, account_id, url).await?;
            let number = match id.filter(|_| wants_number) {
                Some(id) => library::numbers_of(domain, account_id, &[id]).await?.get(&id).copied(),
                None => None,
            };
            let result = if wants_number { json!(number) } else { json!(id.is_some()) };
            results.insert(url.to_owned(), result);
        }
        match single {
            Some(url) if results.len() == 1 => Ok(json!({ "exists": results.remove(url) })),
            Some(_) | None => Ok(results.into()),
        }
    }

    /// Converts items to entries in the same order.
    pub(super) async fn entries_json(
        &self,
        items: &[Item],
        detail: DetailLevel,
    ) -> Result<Vec<Value>, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
        let numbers = library::numbers_of(domain, account_id, &ids).await?;
        let email = accounts::get(domain, account_id).await?.email;
        let mut texts = match detail {
            DetailLevel::Full => self.texts_of(items).await?,
            DetailLevel::Metadata => HashMap::new(),
        };
        let mut entries = Vec::with_capacity(items.len());
        let mut free_bytes = MAX_ANNOTATION_BYTES;
        for item in items {
            // An item without a number was deleted in the meantime.
            let Some(number) = numbers.get(&item.id).copied() else { continue };
            let annotations = match detail {
                DetailLevel::Full => self.annotations_of(item.id, &mut free_bytes).await?,
                DetailLevel::Metadata => EntryAnnotations::default(),
            };
            let parts =
                EntryParts { number, email: email.clone(), text: texts.remove(&item.id), annotations };
            entries.push(entry(item, parts));
        }
        Ok(entries)
    }

    /// Returns the texts of the items that have one. A text that does not fit into the response is replaced
    /// by a notice.
    async fn texts_of(&self, items: &[Item]) -> Result<HashMap<ItemId, RenderedEntryText>, Error> {
        let with_text = items.iter().filter(|item| item.content_hash.is_some());
        let ids: Vec<ItemId> = with_text.map(|item| item.id).collect();
        let (mut texts, mut bytes) = (HashMap::new(), 0);
        for part in ids.chunks(TEXTS_IN_MEMORY) {
            let mut loaded: Vec<StoredText> = Vec::with_capacity(part.len());
            let mut visit = |text: StoredText| loaded.push(text);
            library::visit_texts(&self.app.domain, self.caller.account_id, part, &mut visit).await?;
            let rendering = tokio::task::spawn_blocking(move || {
                loaded.iter().map(|text| (text.item_id, RenderedEntryText::of(text))).collect::<Vec<_>>()
            });
            for (id, mut text) in rendering.await.map_err(Error::internal)? {
                if bytes > 0 && bytes + text.html.len() > MAX_TEXT_BYTES {
                    OMITTED.clone_into(&mut text.html);
                }
                bytes += text.html.len();
                texts.insert(id, text);
            }
        }
        Ok(texts)
    }

    async fn filter(&self) -> Result<ItemPageFilter, Error> {
        let tags = self.tags(&self.known_tags().await?);
        check_tags(&tags)?;
        let is_ascending = self.parameters.get("order") == Some("asc");
        let order = match (self.parameters.get("sort"), is_ascending) {
            (Some("updated" | "archived"), true) => PageOrder::FirstChanged,
            (Some("updated" | "archived"), false) => PageOrder::LastChanged,
            (_, true) => PageOrder::FirstSaved,
            (_, false) => PageOrder::LastSaved,
        };
        let since = match self.parameters.get("since") {
            Some(text) => {
                let seconds: i64 =
                    text.parse().map_err(|_| Error::invalid_field("since", "must be a number of seconds"))?;
                Some(seconds).filter(|seconds| *seconds > 0)
            }
            None => None,
        };
        Ok(ItemPageFilter {
            archived: self.flag("archive")?,
            favorite: self.flag("starred")?,
            tags,
            domain: self.parameters.get("domain_name").map(str::to_owned),
            // Entries changed within the given second are listed again, because otherwise some of them could
            // be missed.
            updated_after: since.map(|seconds| seconds.saturating_mul(1000).saturating_sub(1)),
            order,
            ..ItemPageFilter::default()
        })
    }

    /// Returns the value of a numeric parameter, which must be at least 1. `default` if the parameter is
    /// missing.
    fn positive(&self, name: &'static str, default: u32) -> Result<u32, Error> {
        let Some(text) = self.parameters.get(name) else { return Ok(default) };
        let number = text.parse::<u32>().ok().filter(|number| *number > 0);
        number.ok_or_else(|| Error::invalid_field(name, "must be a number from 1"))
    }

    fn page_links(&self, number: u64, pages: u64) -> Value {
        let link = |number: u64| {
            let others = self.parameters.pairs().filter(|(name, _)| *name != "page");
            let mut query = Serializer::new(String::new());
            let query = query.extend_pairs(others).append_pair("page", &number.to_string()).finish();
            json!({ "href": format!("{}{API}entries?{query}", self.app.settings.origins.base) })
        };
        let mut links = json!({ "self": link(number), "first": link(1), "last": link(pages) });
        if number < pages {
            links["next"] = link(number + 1);
        }
        links
    }
}
