//! Version of the articles of a feed: rendered or as served, with selected and removed parts.

use articles::Address;

use crate::subscription::Subscription;

/// Beginning of the text form of a version of rendered pages. No selector contains it.
pub(crate) const RENDERED: &str = "\u{1e}";

/// Version of the articles of a feed that a follower reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArticleVersion {
    /// True for the text of the page after a browser rendered it.
    pub(crate) is_rendered: bool,
    /// Text form of the selected and removed parts. `None` for the main part.
    pub(crate) parts: Option<String>,
}

impl ArticleVersion {
    pub(crate) fn of(subscription: &Subscription) -> Self {
        Self { is_rendered: subscription.render_articles, parts: subscription.text_parts().text() }
    }

    /// Parses the text form.
    pub(crate) fn parse(text: &str) -> Self {
        let (is_rendered, parts) = match text.strip_prefix(RENDERED) {
            Some(parts) => (true, parts),
            None => (false, text),
        };
        Self { is_rendered, parts: Some(parts.to_owned()).filter(|parts| !parts.is_empty()) }
    }

    /// Returns the text form. Empty for the main part of the pages as served.
    pub(crate) fn text(&self) -> String {
        let prefix = if self.is_rendered { RENDERED } else { "" };
        format!("{prefix}{}", self.parts.as_deref().unwrap_or_default())
    }

    /// Returns the address of this version of a page.
    pub(crate) fn address(&self, page: Address) -> Address {
        let selected = match &self.parts {
            Some(parts) => page.with_selector(parts),
            None => page,
        };
        if self.is_rendered { selected.rendered() } else { selected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_of_a_version_is_parsed() {
        for text in ["", ".story", "\u{1f}.ad", "\u{1e}", "\u{1e}.story\u{1f}.ad"] {
            assert_eq!(ArticleVersion::parse(text).text(), text);
        }
        let rendered = ArticleVersion::parse("\u{1e}.story");
        assert_eq!(rendered, ArticleVersion { is_rendered: true, parts: Some(".story".to_owned()) });
    }
}
