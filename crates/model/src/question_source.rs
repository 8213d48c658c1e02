//! Texts from which questions are answered: the text of an item, or of a feed entry.

use std::sync::Arc;

use entities::ids::{AccountId, EntryId, ItemId};
use extract::feed::plain_text;
use extract::{Block, Document, language_of, tokens};
use feeds::{EntryBody, EntryText};
use kernel::{Code, Domain, Error, Millis, Result};
use library::{Item, StoredText};

use crate::question_subject::QuestionSubject;

/// Maximum number of characters of the title or the authors of a text that are sent with it.
pub(crate) const MAX_TITLE_CHARS: usize = 300;

/// Text with its title.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    pub(crate) title: String,
    /// Names of the authors.
    pub(crate) author: Option<String>,
    pub(crate) document: Arc<Document>,
    /// Item of the text. `None` for an entry.
    pub(crate) item_id: Option<ItemId>,
    /// Time at which the text of the item was fetched or supplied.
    pub(crate) text_at: Option<Millis>,
    /// True if the page of the text has the anchors of the document.
    pub(crate) has_anchors: bool,
}

impl SourceText {
    fn of_item((item, text): (Item, StoredText)) -> Self {
        Self {
            title: item.title.clone(),
            author: item.author.clone(),
            document: text.document,
            item_id: Some(item.id),
            text_at: Some(text.cached_at),
            has_anchors: true,
        }
    }
}

/// Returns the text of an item or an entry. `None` for the library, which has several texts.
///
/// # Errors
/// `not_found`. If there is no text, the error states the reason.
pub(crate) async fn source_of(
    domain: &Domain,
    account_id: AccountId,
    subject: QuestionSubject,
) -> Result<Option<SourceText>> {
    match subject {
        QuestionSubject::Item(id) => {
            Ok(Some(SourceText::of_item(library::text_of(domain, account_id, id).await?)))
        }
        QuestionSubject::Entry(id) => entry_text(domain, account_id, id).await.map(Some),
        QuestionSubject::Library => Ok(None),
    }
}

/// Returns the text of an item of a library. `None` if the item was deleted or has no text.
pub(crate) async fn item_text(
    domain: &Domain,
    account_id: AccountId,
    id: ItemId,
) -> Result<Option<SourceText>> {
    let item = library::find(domain, account_id, &[id]).await?.pop();
    let text = library::stored_text(domain, account_id, id).await?;
    Ok(item.zip(text).map(SourceText::of_item))
}

/// Returns the text of an entry as its page displays it.
async fn entry_text(domain: &Domain, account_id: AccountId, id: EntryId) -> Result<SourceText> {
    let view = feeds::view_entry(domain, account_id, id, EntryText::Preferred).await?;
    // The URL of an entry may be the URL of the feed, which may contain a secret.
    let title = view.entry.title_unless_url().unwrap_or_default().to_owned();
    let author = view.entry.author.clone();
    let (document, has_anchors) = match view.body {
        EntryBody::Article(document) => (document, true),
        EntryBody::Markup(markup, _) => {
            let text = Some(plain_text(&markup)).filter(|text| !text.is_empty());
            let text = text.or(view.entry.summary).unwrap_or_default();
            (Arc::new(document_of(&text)), false)
        }
    };
    if document.blocks.is_empty() {
        let error = Error::new(Code::InvalidRequest, "This entry has no text.");
        return Err(error.at("id", "is an entry without a text"));
    }
    Ok(SourceText { title, author, document, item_id: None, text_at: None, has_anchors })
}

/// Creates a document with a block for each line of a plain text.
fn document_of(text: &str) -> Document {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let block = |(anchor, line): (u32, &str)| Block {
        anchor,
        text: line.to_owned(),
        tokens: tokens::count(line),
        ..Block::default()
    };
    Document {
        blocks: (1_u32..).zip(lines).map(block).collect(),
        language: language_of(text),
        ..Document::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_a_block_for_each_line() {
        let document = document_of("One.\n\n Two three. \n");
        let blocks: Vec<(u32, &str)> =
            document.blocks.iter().map(|block| (block.anchor, block.text.as_str())).collect();
        assert_eq!(blocks, [(1, "One."), (2, "Two three.")]);
        assert!(document.blocks.iter().all(|block| block.tokens > 0));
        assert!(document_of(" \n").blocks.is_empty());
    }
}
