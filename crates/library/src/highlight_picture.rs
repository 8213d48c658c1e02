//! Pictures that highlights mark. A picture is recognised by its URL. Its quote is its caption, else its alternative
//! text, else the name of its file, so that lists and searches treat it like a passage.

use entities::library_highlight;
use extract::Block;
use url::Url;

use super::draft::{cut, plain};
use super::item_preview::own_picture;
use kernel::bounds::HIGHLIGHT_CHARS;

/// Picture that a highlight marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightPicture {
    /// URL in the text of the item. Pictures of a message have an address below `extract::MAIL_PICTURES`.
    pub url: String,
    /// Alternative text. `None` if the picture has none.
    pub alt: Option<String>,
}

impl HighlightPicture {
    /// Returns the picture of a highlight. `None` if the highlight is a passage.
    pub fn of(row: &library_highlight::Model) -> Option<Self> {
        let url = row.picture_url.clone()?;
        Some(Self { url, alt: row.picture_alt.clone() })
    }
}

/// Picture in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextPicture {
    pub url: String,
    pub alt: Option<String>,
    /// Caption, or else the alternative text. Empty if the picture has neither.
    words: String,
    /// Range of the words in the text, in code points. If the words are not part of the text, the range is empty and
    /// lies at the position of the picture.
    pub start: usize,
    pub end: usize,
    /// Anchor of the block that contains the picture or consists of it.
    pub anchor: u32,
    pub page: Option<u32>,
}

impl TextPicture {
    /// Returns the pictures of a block that spans `start` to `end` in the whole text.
    pub(crate) fn of_block(block: &Block, start: usize, end: usize) -> impl Iterator<Item = Self> {
        let own = own_picture(block).map(|url| Self {
            url: url.clone(),
            alt: block.alt.clone(),
            words: block.text.clone(),
            start,
            end,
            anchor: block.anchor,
            page: block.page,
        });
        let attached = block.pictures.iter().map(move |picture| {
            let position = if picture.after { end } else { start };
            Self {
                url: picture.src.clone(),
                alt: picture.alt.clone(),
                words: picture.alt.clone().unwrap_or_default(),
                start: position,
                end: position,
                anchor: block.anchor,
                page: block.page,
            }
        });
        own.into_iter().chain(attached)
    }

    /// Returns the quote of a highlight of the picture.
    pub(crate) fn quote(&self) -> String {
        let words = plain(&self.words);
        let words = words.trim();
        if words.is_empty() { file_name(&self.url) } else { cut(words, HIGHLIGHT_CHARS) }
    }

    /// Returns true if a picture of an earlier text is this picture at another URL: the URLs differ only in their
    /// queries, such as signatures that expire, and the pictures have the same words.
    pub(crate) fn is_same_elsewhere(&self, url: &str, quote: &str) -> bool {
        let without_query = |url: &str| url.split(['?', '#']).next().unwrap_or_default().to_owned();
        !self.words.trim().is_empty()
            && without_query(&self.url) == without_query(url)
            && self.quote() == quote
    }
}

/// Returns the name of the file at a URL, or else the host.
pub(crate) fn file_name(url: &str) -> String {
    let Ok(parsed) = Url::parse(url) else { return cut(&plain(url), HIGHLIGHT_CHARS) };
    let segments = parsed.path_segments();
    let last = segments.and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()));
    last.or(parsed.host_str()).unwrap_or(url).to_owned()
}

#[cfg(test)]
mod tests {
    use extract::{BlockKind, Picture};

    use super::*;

    fn figure(src: &str, alt: Option<&str>, text: &str) -> Block {
        Block {
            anchor: 3,
            kind: BlockKind::Figure,
            text: text.to_owned(),
            alt: alt.map(str::to_owned),
            src: Some(src.to_owned()),
            ..Block::default()
        }
    }

    #[test]
    fn quote_falls_back_from_caption_to_alternative_text_to_file_name() {
        let quote = |block: &Block| TextPicture::of_block(block, 5, 9).next().unwrap().quote();
        let url = "https://a.example/maps/harbour.png?size=2";
        assert_eq!(quote(&figure(url, Some("A map"), "The harbour in 1900")), "The harbour in 1900");
        assert_eq!(quote(&figure(url, Some("A map"), "A map")), "A map");
        assert_eq!(quote(&figure(url, None, " ")), "harbour.png");
        assert_eq!(quote(&figure("https://a.example/", None, "")), "a.example");
    }

    #[test]
    fn picture_without_words_in_its_block_has_an_empty_range_and_embedded_video_is_not_a_picture() {
        let picture = |after| Picture {
            src: "https://a.example/b.png".to_owned(),
            alt: Some("Boat".to_owned()),
            link: None,
            after,
        };
        let mut block =
            Block { anchor: 7, pictures: vec![picture(false), picture(true)], ..Block::default() };
        let ranges = |block: &Block| -> Vec<(usize, usize)> {
            TextPicture::of_block(block, 5, 9).map(|picture| (picture.start, picture.end)).collect()
        };
        assert_eq!(ranges(&block), [(5, 5), (9, 9)]);
        block = Block { embedded: true, ..figure("https://a.example/v", None, "Video") };
        assert!(ranges(&block).is_empty());
    }

    #[test]
    fn same_picture_may_have_another_query_if_its_words_are_equal() {
        let block = figure("https://a.example/b.png?signature=2", Some("Boat"), "Boat");
        let picture = TextPicture::of_block(&block, 0, 4).next().unwrap();
        assert!(picture.is_same_elsewhere("https://a.example/b.png?signature=1", "Boat"));
        assert!(!picture.is_same_elsewhere("https://a.example/b.png?signature=1", "Ship"));
        assert!(!picture.is_same_elsewhere("https://a.example/c.png", "Boat"));
        let unnamed = figure("https://a.example/b.png?id=2", None, "");
        let unnamed = TextPicture::of_block(&unnamed, 0, 0).next().unwrap();
        assert!(!unnamed.is_same_elsewhere("https://a.example/b.png?id=1", "b.png"));
    }
}
