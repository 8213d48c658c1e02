//! Parameters of a read. They are sent in the query string, in headers, in the body, or in the prefix form.

use articles::Render;
use articles::reader::{Lines, TextSelector};
use kernel::ReadJobId;

use super::negotiate::ResponseFormat;

/// Default maximum age of a cached copy, in seconds.
pub(super) const DEFAULT_MAX_AGE: u32 = 3600;

/// Parameters of one read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadParams {
    /// URL as the client sent it.
    pub url: String,
    /// Search query.
    pub query: Option<String>,
    /// Maximum number of passages for a query.
    pub passages: Option<u32>,
    pub lines: Option<Lines>,
    /// Number of blocks per page.
    pub limit: Option<u32>,
    /// Cursor from the previous page.
    pub cursor: Option<String>,
    /// Requested format.
    pub format: Option<ResponseFormat>,
    /// Maximum number of tokens.
    pub max_tokens: Option<u32>,
    /// Maximum age of a cached copy, in seconds.
    pub max_age: Option<u32>,
    /// Choice of whether the page is rendered in a browser.
    pub render: Render,
    /// Job whose result is read.
    pub job_id: Option<ReadJobId>,
}

impl ReadParams {
    /// Returns the selector of the requested part of the text, without the cursor.
    pub fn selector(&self) -> TextSelector {
        TextSelector {
            query: self.query.clone(),
            passages: self.passages,
            lines: self.lines,
            limit: self.limit,
            bookmark: None,
            max_tokens: self.max_tokens,
        }
    }

    /// Returns the URL of this read at `operation_url`, with the parameters in canonical order.
    pub fn api_url(&self, operation_url: &str, format: ResponseFormat, cursor: Option<&str>) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("url", &self.url);
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                query.append_pair(name, &value);
            }
        };
        add("query", self.query.clone());
        add("passages", self.passages.map(|n| n.to_string()));
        // A cursor contains the end of the range, so `lines` must not be sent with it.
        let lines = self.lines.filter(|_| cursor.is_none());
        add("lines", lines.map(|lines| format!("{}-{}", lines.first, lines.last)));
        add("limit", self.limit.map(|n| n.to_string()));
        add("cursor", cursor.map(str::to_owned));
        add("max_tokens", self.max_tokens.map(|n| n.to_string()));
        add("render", (self.render == Render::Never).then(|| "never".to_owned()));
        add("job_id", self.job_id.map(|id| id.to_string()));
        add("format", Some(format.as_str().to_owned()));
        format!("{operation_url}?{}", query.finish())
    }
}
