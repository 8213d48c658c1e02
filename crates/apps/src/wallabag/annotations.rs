//! Annotations of entries: the highlights of an item. An app lists and adds them.

use kernel::bounds::{HIGHLIGHT_CHARS, NOTE_CHARS};
use kernel::{Error, ItemId};
use library::{AnnotationFilter, NewHighlight, create_highlight, list_highlights};
use serde_json::{Value, json};

use super::call::Call;
use super::entry::annotation;
use crate::saving::check_length;

/// Maximum annotations of an entry in one answer.
const MAX_ANNOTATIONS: u32 = 500;

/// Whether more annotations follow those of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Nothing,
    More,
}

impl Call<'_> {
    /// `GET annotations/NUMBER`.
    pub(super) async fn list_annotations(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        let (rows, rest) = self.annotations_of(id).await?;
        Ok(json!({ "total": rows.len(), "rows": rows, "truncated": rest == Rest::More }))
    }

    /// Annotations of an item in the order of its text.
    pub(super) async fn annotations_of(&self, id: ItemId) -> Result<(Vec<Value>, Rest), Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let filter = AnnotationFilter { item_id: Some(id), ..AnnotationFilter::default() };
        let page = list_highlights(domain, account_id, &filter, None, MAX_ANNOTATIONS).await?;
        let rest = if page.next.is_some() { Rest::More } else { Rest::Nothing };
        Ok((page.annotations.iter().map(annotation).collect(), rest))
    }

    /// `POST annotations/NUMBER`. The quotation is searched in the text; ranges are ignored.
    pub(super) async fn add_annotation(&self, number: &str) -> Result<Value, Error> {
        let text = |name: &str| self.parameters.get(name).map(str::to_owned);
        let quote = text("quote").ok_or_else(|| Error::invalid_field("quote", "is missing"))?;
        let note = text("text");
        check_length("quote", &quote, HIGHLIGHT_CHARS)?;
        check_length("text", note.as_deref().unwrap_or_default(), NOTE_CHARS)?;
        let new = NewHighlight {
            item_id: self.item_of(number).await?,
            quote,
            prefix: None,
            suffix: None,
            anchor: None,
            note,
            color: None,
            tags: Vec::new(),
            external_id: None,
        };
        let (highlight, _) = create_highlight(&self.app.domain, self.caller.account_id, new).await?;
        Ok(annotation(&highlight))
    }
}
