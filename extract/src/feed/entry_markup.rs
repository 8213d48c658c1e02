//! Entry markup for display on Carrel's own pages. It does not load anything from other hosts.

use std::borrow::Cow;
use std::sync::LazyLock;

use ammonia::Builder;

static WITHOUT_PICTURES: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = sanitiser();
    builder.rm_tags(["img"]);
    builder
});

static WITH_PICTURES: LazyLock<Builder<'static>> = LazyLock::new(sanitiser);

fn sanitiser() -> Builder<'static> {
    let mut builder = Builder::default();
    builder
        .link_rel(Some("noopener noreferrer nofollow"))
        .url_schemes(["http", "https", "mailto"].into())
        .rm_generic_attributes(["title"])
        .rm_tags(["map", "area", "h1"])
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", "width" | "height") => Some(Cow::Borrowed(value)),
            (_, "align" | "bgcolor" | "width" | "height" | "size" | "color") => None,
            _ => Some(Cow::Borrowed(value)),
        });
    builder
}

/// Sanitises markup, and removes presentational attributes. Also removes images, because they would be loaded
/// from other hosts.
pub fn display_markup(markup: &str) -> String {
    WITHOUT_PICTURES.clean(markup).to_string()
}

/// Sanitises markup as [`display_markup`] does, but retains the `img` elements for callers that replace them.
pub fn display_markup_with_pictures(markup: &str) -> String {
    WITH_PICTURES.clean(markup).to_string()
}

#[cfg(test)]
mod tests {
    use super::display_markup;

    #[test]
    fn display_markup_preserves_text_and_does_not_load_resources() {
        let markup = "<h1>A</h1><p align=\"center\">One <a href=\"https://example.org/\">two</a><img src=\"https://example.org/a.png\"></p><script>x()</script>";
        assert_eq!(
            display_markup(markup),
            "A<p>One <a href=\"https://example.org/\" rel=\"noopener noreferrer nofollow\">two</a></p>"
        );
    }
}
