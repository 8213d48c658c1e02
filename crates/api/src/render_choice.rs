//! Choice of a caller between the served page and its rendering in a browser.

use articles::Render;
use http_kit::http::value::words;
use poem_openapi::Enum;

/// Rendering of a page in a browser. `without_cookie_notices` also rejects or hides cookie notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum RenderChoice {
    /// The page is rendered if its text needs scripts.
    Auto,
    /// The served page is read, without running its scripts.
    Never,
    /// The page is rendered.
    Always,
    /// The page is rendered, and its cookie notices are rejected or hidden, never accepted.
    WithoutCookieNotices,
}

words!(RenderChoice);

impl From<RenderChoice> for Render {
    fn from(choice: RenderChoice) -> Self {
        match choice {
            RenderChoice::Auto => Self::Auto,
            RenderChoice::Never => Self::Never,
            RenderChoice::Always => Self::Always,
            RenderChoice::WithoutCookieNotices => Self::WithoutCookieNotices,
        }
    }
}
