//! Fields that describe a text in the responses of both APIs, each in the spelling of its surface.

/// Declares the fields in the spelling of one surface, and the constructor that fills them.
#[macro_export]
macro_rules! text_head {
    ($(#[doc = $about:literal])+ $vis:vis struct $name:ident in $case:tt) => {
        $(#[doc = $about])+
        #[derive(Debug, poem_openapi::Object)]
        #[oai(rename_all = $case)]
        $vis struct $name {
            /// URL of the source after redirects.
            pub source_url: String,
            /// URL of the source in the public reader.
            pub reader_url: String,
            /// Title of the text.
            pub title: String,
            /// Author names, joined by commas. Null if unknown.
            pub author: Option<String>,
            /// Site or organisation that published the text. Null if unknown.
            pub publisher: Option<String>,
            /// Publication time (RFC 3339), or a date if the source gives no time. Null if unknown.
            pub published_at: Option<String>,
            /// Language as a BCP 47 tag. Null if unknown.
            pub language: Option<String>,
            /// Method by which the text was extracted.
            pub extraction_source: $crate::http::enum_param::EnumParam<extract::ExtractionSource>,
            /// Quality of the extracted text. Null if it was not rated.
            pub content_quality: Option<$crate::http::enum_param::EnumParam<extract::Quality>>,
            /// False if the source was downloaded for this response.
            pub cache_hit: bool,
            /// Time of the response (RFC 3339).
            pub responded_at: String,
            /// `sha256:<hex>` of all block texts joined by blank lines. Cursors are valid while it is
            /// unchanged.
            pub content_hash: String,
            /// Number of blocks in the whole text.
            pub total_blocks: u64,
            /// Number of `o200k_base` tokens in the whole text.
            pub total_tokens: u64,
            /// Warnings about what was cut, skipped, masked, or repaired.
            pub warnings: Vec<$crate::http::enum_param::EnumParam<extract::Warning>>,
        }

        impl $name {
            /// Builds the fields from `article`, served at `reader_url`.
            pub fn of(
                article: &articles::Article,
                reader_url: &str,
                at: $crate::text_head::AnswerFacts,
            ) -> Self {
                use $crate::http::enum_param::EnumParam;
                let document = &article.document;
                Self {
                    source_url: article.final_url.clone(),
                    reader_url: $crate::text_head::prefix_form(reader_url, &article.final_url),
                    title: document.title.clone(),
                    author: document.author.clone(),
                    publisher: document.publisher.clone(),
                    published_at: document.published_at.as_deref().map(kernel::source_time),
                    language: document.language.clone(),
                    extraction_source: EnumParam(document.source),
                    content_quality: document.quality.map(EnumParam),
                    cache_hit: at.cache_hit,
                    responded_at: kernel::rfc3339(at.time),
                    content_hash: document.content_hash.clone(),
                    total_blocks: document.blocks.len() as u64,
                    total_tokens: at.total_tokens.into(),
                    warnings: document.warnings.iter().copied().map(EnumParam).collect(),
                }
            }
        }
    };
}
pub use crate::text_head;

/// Facts about a response that are not part of the article.
#[derive(Debug, Clone, Copy)]
pub struct AnswerFacts {
    /// True if nothing was downloaded for the response.
    pub cache_hit: bool,
    /// Time of the response, in milliseconds since the Unix epoch.
    pub time: i64,
    /// Tokens of the text, as counted by the surface.
    pub total_tokens: u32,
}

/// Returns the URL of a source in the reader, in the prefix form.
pub fn prefix_form(reader_url: &str, source_url: &str) -> String {
    format!("{reader_url}/{source_url}")
}
