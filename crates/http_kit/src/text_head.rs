//! What both APIs say of a text they answer with, each in its own spelling.

/// Declares the fields in the spelling of one surface, and how they are filled.
#[macro_export]
macro_rules! text_head {
    ($(#[doc = $about:literal])+ $vis:vis struct $name:ident in $case:tt) => {
        $(#[doc = $about])+
        #[derive(Debug, poem_openapi::Object)]
        #[oai(rename_all = $case)]
        $vis struct $name {
            /// The URL that answered, after redirects.
            pub source_url: String,
            /// The public reader's address of the source.
            pub reader_url: String,
            /// The title.
            pub title: String,
            /// Names joined by commas.
            pub author: Option<String>,
            /// The site or organisation.
            pub publisher: Option<String>,
            /// RFC 3339, or a bare date when the source gives no time.
            pub published_at: Option<String>,
            /// BCP 47 tag.
            pub language: Option<String>,
            /// How the text was found.
            pub extraction_source: $crate::http::word::Word<extract::ExtractionSource>,
            /// How good it is; null when not judged.
            pub content_quality: Option<$crate::http::word::Word<extract::Quality>>,
            /// False when the source was downloaded for this answer.
            pub cache_hit: bool,
            /// When this answer was created.
            pub responded_at: String,
            /// `sha256:<hex>` of all block texts joined by blank lines: cursors are good while it stays.
            pub content_hash: String,
            /// Blocks of the whole text.
            pub total_blocks: u64,
            /// `o200k_base` tokens of the whole text.
            pub total_tokens: u64,
            /// What is worth knowing about how the text was obtained.
            pub warnings: Vec<$crate::http::word::Word<extract::Warning>>,
        }

        impl $name {
            /// The head of `article`, answered by the reader at `reader_url` or by its sibling.
            pub fn of(article: &articles::Article, reader_url: &str, at: $crate::text_head::Answered) -> Self {
                use $crate::http::word::Word;
                let document = &article.document;
                Self {
                    source_url: article.final_url.clone(),
                    reader_url: $crate::text_head::prefix_form(reader_url, &article.final_url),
                    title: document.title.clone(),
                    author: document.author.clone(),
                    publisher: document.publisher.clone(),
                    published_at: document.published_at.as_deref().map(kernel::source_time),
                    language: document.language.clone(),
                    extraction_source: Word(document.source),
                    content_quality: document.quality.map(Word),
                    cache_hit: at.cache_hit,
                    responded_at: kernel::rfc3339(at.time),
                    content_hash: document.content_hash.clone(),
                    total_blocks: document.blocks.len() as u64,
                    total_tokens: at.total_tokens.into(),
                    warnings: document.warnings.iter().copied().map(Word).collect(),
                }
            }
        }
    };
}
pub use crate::text_head;

/// What an answer adds to a text.
#[derive(Debug, Clone, Copy)]
pub struct Answered {
    /// Whether no download was made for it.
    pub cache_hit: bool,
    /// When it is made, in milliseconds.
    pub time: i64,
    /// Tokens of the text, as the surface counts them.
    pub total_tokens: u32,
}

/// The reader's address of a source: the prefix form.
pub fn prefix_form(reader_url: &str, source_url: &str) -> String {
    format!("{reader_url}/{source_url}")
}
