//! Preview of an item in lists: the beginning and the first picture of its text. Both are stored with the
//! text, because a list does not decompress whole texts.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_text;
use extract::{Block, BlockKind, Document};
use sea_orm::{ColumnTrait, QueryFilter, QuerySelect};

use kernel::{Domain, Result};

/// Maximum length of an excerpt, in characters.
const EXCERPT_CHARS: usize = 400;
/// Maximum length of the address of a picture, in bytes.
const PICTURE_URL_BYTES: usize = 2_048;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemPreview {
    /// Beginning of the text on one line.
    pub excerpt: Option<String>,
    /// URL of the first picture.
    pub picture_url: Option<String>,
}

impl ItemPreview {
    /// Returns the preview of a text.
    pub(crate) fn of(document: &Document) -> Self {
        let paragraphs =
            document.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph && block.is_main_text());
        let mut excerpt = String::new();
        for word in paragraphs.flat_map(|block| block.text.split_whitespace()) {
            if excerpt.chars().count() + word.chars().count() >= EXCERPT_CHARS {
                break;
            }
            if !excerpt.is_empty() {
                excerpt.push(' ');
            }
            excerpt.push_str(word);
        }
        let mut pictures = document.blocks.iter().flat_map(|block| {
            own_picture(block).into_iter().chain(block.pictures.iter().map(|picture| &picture.src))
        });
        let is_usable = |url: &&String| url.starts_with("http") && url.len() <= PICTURE_URL_BYTES;
        Self {
            excerpt: Some(excerpt).filter(|excerpt| !excerpt.is_empty()),
            picture_url: pictures.find(is_usable).cloned(),
        }
    }
}

/// Returns the URL of the picture that a block consists of. `None` for texts, and for embedded videos and pages.
pub(crate) fn own_picture(block: &Block) -> Option<&String> {
    block.src.as_ref().filter(|_| block.kind == BlockKind::Figure && !block.embedded)
}

/// Returns the previews of the items that have a text.
#[boxed]
pub async fn previews(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<HashMap<ItemId, ItemPreview>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(ItemId, Option<String>, Option<String>)> = library_text::Entity::owned_by(account_id)
        .filter(library_text::Column::ItemId.is_in(ids.to_vec()))
        .select_only()
        .columns([
            library_text::Column::ItemId,
            library_text::Column::Excerpt,
            library_text::Column::PictureUrl,
        ])
        .into_tuple()
        .all(domain.db().read())
        .await?;
    let preview = |(id, excerpt, picture_url)| (id, ItemPreview { excerpt, picture_url });
    Ok(rows.into_iter().map(preview).collect())
}

#[cfg(test)]
mod tests {
    use extract::Picture;

    use super::*;

    fn block(kind: BlockKind, text: &str) -> Block {
        Block { kind, text: text.to_owned(), ..Block::default() }
    }

    fn document(blocks: Vec<Block>) -> Document {
        Document { blocks, ..Document::default() }
    }

    #[test]
    fn preview_is_the_beginning_of_the_paragraphs_and_the_first_picture() {
        let mut figure = block(BlockKind::Figure, "A boat");
        figure.src = Some("https://example.org/boat.png".to_owned());
        let mut video = block(BlockKind::Figure, "A film");
        (video.src, video.embedded) = (Some("https://example.org/film".to_owned()), true);
        let blocks = vec![
            block(BlockKind::Heading, "Title"),
            video,
            block(BlockKind::Paragraph, "One\n two."),
            figure,
            block(BlockKind::Paragraph, &"word ".repeat(200)),
        ];
        let preview = ItemPreview::of(&document(blocks));
        let excerpt = preview.excerpt.unwrap();
        assert!(excerpt.starts_with("One two. word word") && excerpt.ends_with(" word"), "{excerpt}");
        assert!(excerpt.chars().count() <= EXCERPT_CHARS);
        assert_eq!(preview.picture_url.as_deref(), Some("https://example.org/boat.png"));
    }

    #[test]
    fn preview_without_paragraphs_and_web_pictures_is_empty() {
        let mut heading = block(BlockKind::Heading, "Title");
        heading.pictures =
            vec![Picture { src: "data:image/png;base64,AA".to_owned(), alt: None, link: None, after: false }];
        assert_eq!(ItemPreview::of(&document(vec![heading])), ItemPreview::default());
    }
}
