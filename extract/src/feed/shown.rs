//! Markup of an entry as a page of ours shows it: nothing in it is loaded from elsewhere.

use std::borrow::Cow;
use std::sync::LazyLock;

use ammonia::Builder;

static SHOWN: LazyLock<Builder<'static>> = LazyLock::new(|| {
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

/// Sanitised markup without pictures, which would be asked for at other hosts, and without what says how it looks.
pub fn shown_markup(markup: &str) -> String {
    SHOWN.clean(markup).to_string()
}

/// The same with the `img` of each picture, for a caller who puts its own in that place.
pub fn shown_markup_with_pictures(markup: &str) -> String {
    WITH_PICTURES.clean(markup).to_string()
}

#[cfg(test)]
mod tests {
    use super::shown_markup;

    #[test]
    fn nothing_is_loaded_and_words_stay() {
        let markup = "<h1>A</h1><p align=\"center\">One <a href=\"https://example.org/\">two</a><img src=\"https://example.org/a.png\"></p><script>x()</script>";
        assert_eq!(
            shown_markup(markup),
            "A<p>One <a href=\"https://example.org/\" rel=\"noopener noreferrer nofollow\">two</a></p>"
        );
    }
}
