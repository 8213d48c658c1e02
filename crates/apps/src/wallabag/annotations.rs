//! Annotations of entries: the highlights of an item. An app lists and adds them.

use kernel::bounds::{HIGHLIGHT_CHARS, NOTE_CHARS};
use kernel::{Error, ItemId};
use library::{AnnotationFilter, Highlight, NewHighlight, create_highlight, list_highlights};
use serde_json::{Value, json};

use super::call::Call;
use super::entry::{EntryAnnotations, Rest, annotation};
use crate::saving::check_length;

/// Maximum annotations of an entry in one answer.
const MAX_ANNOTATIONS: usize = 500;
/// Maximum size of the annotations in one answer, of all its entries.
pub(super) const MAX_ANNOTATION_BYTES: usize = 8 << 20;
/// Annotations loaded per query.
const STEP: u32 = 50;

impl Call<'_> {
    /// `GET annotations/NUMBER`.
    pub(super) async fn list_annotations(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        let mut free_bytes = MAX_ANNOTATION_BYTES;
        let EntryAnnotations { rows, rest } = self.annotations_of(id, &mut free_bytes).await?;
        Ok(json!({ "total": rows.len(), "rows": rows, "truncated": rest == Rest::More }))
    }

    /// Annotations of an item in the order of its text. `free_bytes` is the space for annotations that the
    /// answer has, and is reduced by the size of these.
    pub(super) async fn annotations_of(
        &self,
        id: ItemId,
        free_bytes: &mut usize,
    ) -> Result<EntryAnnotations, Error> {
        let (domain, account_id) = (&self.app.domain, self.caller.account_id);
        let filter = AnnotationFilter { item_id: Some(id), ..AnnotationFilter::default() };
        let (mut rows, mut after) = (Vec::new(), None);
        loop {
            let page = list_highlights(domain, account_id, &filter, after, STEP).await?;
            for highlight in &page.annotations {
                let bytes = size_bytes(highlight);
                if bytes > *free_bytes || rows.len() == MAX_ANNOTATIONS {
                    return Ok(EntryAnnotations { rows, rest: Rest::More });
                }
                *free_bytes -= bytes;
                rows.push(annotation(highlight));
            }
            if page.next.is_none() {
                return Ok(EntryAnnotations { rows, rest: Rest::Nothing });
            }
            after = page.next;
        }
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

/// Size of the texts of a highlight.
fn size_bytes(highlight: &Highlight) -> usize {
    highlight.row.quote.len() + highlight.row.note.as_deref().map_or(0, str::len)
}
