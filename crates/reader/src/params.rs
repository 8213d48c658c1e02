//! A read as a caller requests it, by whichever form: query string, headers, body or prefix.

use articles::reader::{Lines, Selector};
use kernel::ReadJobId;

use super::negotiate::Format;

/// How old a copy may be when the caller does not say, in seconds.
pub(super) const DEFAULT_MAX_AGE: u32 = 3600;

/// One read as it was requested.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadParams {
    /// The URL as it was sent.
    pub url: String,
    /// Words to find.
    pub query: Option<String>,
    /// The most passages for a query.
    pub passages: Option<u32>,
    /// A range of blocks.
    pub lines: Option<Lines>,
    /// Blocks a page.
    pub limit: Option<u32>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// The form that is named.
    pub format: Option<Format>,
    /// The most tokens.
    pub max_tokens: Option<u32>,
    /// How old a copy may be, in seconds.
    pub max_age: Option<u32>,
    /// The job whose text is read.
    pub job_id: Option<ReadJobId>,
}

impl ReadParams {
    /// The part of the text that is wanted, without the cursor.
    pub fn selector(&self) -> Selector {
        Selector {
            query: self.query.clone(),
            passages: self.passages,
            lines: self.lines,
            limit: self.limit,
            bookmark: None,
            max_tokens: self.max_tokens,
        }
    }

    /// The same read as a URL of the operation at `operation_url`, in a canonical order of parameters.
    pub fn api_url(&self, operation_url: &str, format: Format, cursor: Option<&str>) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("url", &self.url);
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                query.append_pair(name, &value);
            }
        };
        add("query", self.query.clone());
        add("passages", self.passages.map(|n| n.to_string()));
        // A cursor keeps the end of the range; the two cannot be sent together.
        let lines = self.lines.filter(|_| cursor.is_none());
        add("lines", lines.map(|lines| format!("{}-{}", lines.first, lines.last)));
        add("limit", self.limit.map(|n| n.to_string()));
        add("cursor", cursor.map(str::to_owned));
        add("max_tokens", self.max_tokens.map(|n| n.to_string()));
        add("job_id", self.job_id.map(|id| id.to_string()));
        add("format", Some(format.as_str().to_owned()));
        format!("{operation_url}?{}", query.finish())
    }
}
