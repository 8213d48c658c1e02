//! Operations on one entry: get, save, change, reload, and delete.

use articles::Payer;
use kernel::Error;
use kernel::bounds::{ITEM_NAME_CHARS, ITEM_TITLE_CHARS, WRITTEN_TIME_CHARS};
use library::draft::Save;
use library::{
    FAVORITE, Item, ItemChanges, ItemDeletion, ItemStatus, ItemUpdate, RefreshFrom, delete, open, refresh,
    update,
};
use serde_json::{Value, json};

use super::call::WallabagCall;
use super::entry_list::DetailLevel;
use crate::bookmark_rules::{is_same_tag, status_after};
use crate::fault::unknown_path;
use crate::saving::{check_length, check_tags, save};

impl WallabagCall<'_> {
    /// `GET entries/NUMBER`: one entry.
    pub(super) async fn get_entry(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        self.entry_json(open(&self.app.domain, self.caller.account_id, id).await?).await
    }

    /// `POST entries`: saves a URL. If the URL is already saved, the submitted values change its entry.
    pub(super) async fn save_entry(&self) -> Result<Value, Error> {
        let text = |name: &str| self.parameters.get(name).map(str::to_owned);
        let url = text("url").ok_or_else(|| Error::invalid_field("url", "is missing"))?;
        let content = text("content");
        let (is_archived, is_favorite) = (self.flag("archive")?, self.flag("starred")?);
        let mut tags = self.tags(&self.known_tags().await?);
        if is_favorite == Some(true) && !tags.iter().any(|tag| is_same_tag(tag, FAVORITE)) {
            tags.push(FAVORITE.to_owned());
        }
        let new = Save {
            url: Some(url),
            title: text("title"),
            mime_type: content.as_ref().map(|_| "text/html".to_owned()),
            content,
            author: text("authors"),
            published_at: text("published_at"),
            status: is_archived
                .map(|archived| if archived { ItemStatus::Archive } else { ItemStatus::Inbox }),
            tags: tags.clone(),
            ..Save::default()
        };
        let saved = save(self.app, &self.caller, new).await?;
        let item = if saved.already_saved {
            let status = status_after(&saved.item, is_archived);
            let remove_tags = favorite_if(is_favorite == Some(false));
            let changes = ItemChanges { status, add_tags: tags, remove_tags, ..ItemChanges::default() };
            let change = ItemUpdate { changes, ..ItemUpdate::default() };
            update(&self.app.domain, self.caller.account_id, saved.item.id, change).await?
        } else {
            saved.item
        };
        self.entry_json(item).await
    }

    /// `PATCH entries/NUMBER`: changes an entry.
    pub(super) async fn change_entry(&self, number: &str) -> Result<Value, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        if self.parameters.has("content") {
            return Err(Error::invalid_field("content", "of a saved entry cannot be changed"));
        }
        let text = |name: &'static str, most: usize| {
            let value = self.parameters.get(name);
            value.map(|value| check_length(name, value, most).map(|()| value.to_owned())).transpose()
        };
        let id = self.item_of(number).await?;
        let item = open(domain, account_id, id).await?;
        let is_favorite = self.flag("starred")?;
        let tags = self.parameters.has("tags").then(|| self.tags(&item.tags));
        check_tags(tags.as_deref().unwrap_or_default())?;
        let mut change = ItemUpdate {
            title: text("title", ITEM_TITLE_CHARS)?,
            author: text("authors", ITEM_NAME_CHARS)?.map(Some),
            published_at: text("published_at", WRITTEN_TIME_CHARS)?.map(Some),
            ..ItemUpdate::default()
        };
        change.changes.status = status_after(&item, self.flag("archive")?);
        if let Some(mut tags) = tags {
            if let Some(is_favorite) = is_favorite {
                tags.retain(|tag| !is_same_tag(tag, FAVORITE));
                tags.extend(favorite_if(is_favorite));
            }
            change.changes.tags = Some(tags);
        } else {
            change.changes.add_tags = favorite_if(is_favorite == Some(true));
            change.changes.remove_tags = favorite_if(is_favorite == Some(false));
        }
        self.entry_json(update(domain, account_id, id, change).await?).await
    }

    /// `DELETE entries/NUMBER`: deletes an entry. Returns the deleted entry, or only its number with
    /// `expect=id`.
    pub(super) async fn delete_entry(&self, number: &str) -> Result<Value, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let id = self.item_of(number).await?;
        let entry = match self.parameters.get("expect") {
            Some("id") => json!({ "id": number.parse::<i64>().ok() }),
            Some(_) | None => self.entry_json(open(domain, account_id, id).await?).await?,
        };
        delete(domain, account_id, id, ItemDeletion::default()).await?;
        Ok(entry)
    }

    /// `PATCH entries/NUMBER/reload`: fetches the text again.
    pub(super) async fn reload_entry(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        let payer = Payer { account_id: self.caller.account_id, tier: self.caller.tier };
        let (item, job) = refresh(&self.app.domain, payer, id, RefreshFrom::Own, None).await?;
        let item = match job {
            Some(job) => self.app.engine.dispatch((item, job)).await,
            None => item,
        };
        self.entry_json(item).await
    }

    /// Converts an item to an entry with its text.
    pub(super) async fn entry_json(&self, item: Item) -> Result<Value, Error> {
        let mut entries = self.entries_json(&[item], DetailLevel::Full).await?;
        entries.pop().ok_or_else(unknown_path)
    }
}

fn favorite_if(is_favorite: bool) -> Vec<String> {
    if is_favorite { vec![FAVORITE.to_owned()] } else { Vec::new() }
}
