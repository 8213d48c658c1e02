//! Tags of an entry, and tags of the library.

use kernel::{Code, Error};
use library::{ItemChanges, ItemUpdate, list_tags, update};
use serde_json::Value;

use super::call::WallabagCall;
use super::entry::{tag_json, tag_number};
use crate::saving::check_tags;

/// Number of tags per query.
const STEP: u32 = 500;

impl WallabagCall<'_> {
    /// `GET tags`: all tags of the library.
    pub(super) async fn list_tags(&self) -> Result<Value, Error> {
        let (mut tags, mut after): (Vec<Value>, Option<String>) = (Vec::new(), None);
        loop {
            let (domain, account_id) = (&self.app.domain, self.caller.account_id);
            let page = list_tags(domain, account_id, None, after.as_deref(), STEP).await?;
            for tag in &page {
                let mut value = tag_json(&tag.name);
                value["nbEntries"] = tag.count.into();
                tags.push(value);
            }
            match page.into_iter().nth(STEP as usize - 1) {
                Some(last) => after = Some(last.key),
                None => return Ok(tags.into()),
            }
        }
    }

    /// `GET entries/NUMBER/tags`: tags of an entry.
    pub(super) async fn tags_of_entry(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        let item = library::get(&self.app.domain, self.caller.account_id, id).await?;
        Ok(item.tags.iter().map(|tag| tag_json(tag)).collect::<Vec<Value>>().into())
    }

    /// `POST entries/NUMBER/tags`: adds tags to an entry.
    pub(super) async fn add_tags(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        let add_tags = self.tags(&self.known_tags().await?);
        check_tags(&add_tags)?;
        let changes = ItemChanges { add_tags, ..ItemChanges::default() };
        let change = ItemUpdate { changes, ..ItemUpdate::default() };
        self.entry_json(update(&self.app.domain, self.caller.account_id, id, change).await?).await
    }

    /// `DELETE entries/NUMBER/tags/TAG`: removes a tag from an entry.
    pub(super) async fn remove_tag(&self, number: &str, tag: &str) -> Result<Value, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let id = self.item_of(number).await?;
        let item = library::get(domain, account_id, id).await?;
        let is_named = |name: &&String| tag.parse::<u32>() == Ok(tag_number(name));
        let Some(name) = item.tags.iter().find(is_named) else {
            return Err(Error::new(Code::NotFound, "The entry has no such tag."));
        };
        let changes = ItemChanges { remove_tags: vec![name.clone()], ..ItemChanges::default() };
        let change = ItemUpdate { changes, ..ItemUpdate::default() };
        self.entry_json(update(domain, account_id, id, change).await?).await
    }
}
