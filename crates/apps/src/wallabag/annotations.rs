//! Annotations of entries, which are the highlights of an item. Apps can list and add annotations.

use kernel::bounds::{HIGHLIGHT_CHARS, NOTE_CHARS};
use kernel::{Error, ItemId};
use library::{
    AnnotationFilter, Highlight, HighlightTarget, NewHighlight, create_highlight, list_highlights,
};
use serde_json::{Value, json};

use super::call::WallabagCall;
use super::entry::{EntryAnnotations, annotation};
use crate::saving::check_length;

/// Maximum number of annotations per entry in one response.
const MAX_ANNOTATIONS: usize = 500;
/// Maximum total size, in bytes, of the annotations of all entries in one response.
pub(super) const MAX_ANNOTATION_BYTES: usize = 8 << 20;
/// Number of annotations per query.
const STEP: u32 = 50;

impl WallabagCall<'_> {
    /// `GET annotations/NUMBER`: annotations of an entry.
    pub(super) async fn list_annotations(&self, number: &str) -> Result<Value, Error> {
        let id = self.item_of(number).await?;
        let mut free_bytes = MAX_ANNOTATION_BYTES;
        let EntryAnnotations { rows, is_truncated } = self.annotations_of(id, &mut free_bytes).await?;
        Ok(json!({ "total": rows.len(), "rows": rows, "truncated": is_truncated }))
    }

    /// Returns the annotations of an item in text order. `free_bytes` is the number of bytes that the
    /// response has left for annotations, and is reduced by the size of the returned annotations.
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
                    return Ok(EntryAnnotations { rows, is_truncated: true });
                }
                *free_bytes -= bytes;
                rows.push(annotation(highlight));
            }
            if page.next.is_none() {
                return Ok(EntryAnnotations { rows, is_truncated: false });
            }
            after = page.next;
        }
    }

    /// `POST annotations/NUMBER`: adds an annotation. Its position is determined by searching the text for
    /// the quotation; the ranges in the request are ignored.
    pub(super) async fn add_annotation(&self, number: &str) -> Result<Value, Error> {
        let text = |name: &str| self.parameters.get(name).map(str::to_owned);
        let quote = text("quote").ok_or_else(|| Error::invalid_field("quote", "is missing"))?;
        let note = text("text");
        check_length("quote", &quote, HIGHLIGHT_CHARS)?;
        check_length("text", note.as_deref().unwrap_or_default(), NOTE_CHARS)?;
        let new = NewHighlight {
            item_id: self.item_of(number).await?,
            target: HighlightTarget::Quote(quote),
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

/// Returns the size of a highlight's texts in bytes.
fn size_bytes(highlight: &Highlight) -> usize {
    highlight.row.quote.len() + highlight.row.note.as_deref().map_or(0, str::len)
}
