//! Pictures in texts: what the renderers leave as an `img` of another host becomes one of ours, under an address that is
//! signed for whoever is shown the page; where pictures are off it becomes its words, with a link to the original.

use std::collections::HashMap;

use articles::pictures::{self, PictureKey, Viewer};
use kernel::AccountId;

use super::account::request::PageRequest;
use super::look::Look;
use http_kit::app::App;

/// Where pictures are found, with what is sealed behind it.
const PATH: &str = "/pictures/";
/// What a picture without words is called.
const NAMELESS: &str = "Picture";
/// Pictures that feeds declare to be no larger only count who reads.
const COUNTERS: u32 = 2;
/// A declared side that is believed until the picture is known, in pixels.
const BELIEVED: std::ops::RangeInclusive<u32> = 3..=20_000;

/// What a page knows of its pictures.
pub(super) struct Pictures {
    /// None where pictures are off.
    key: Option<PictureKey>,
    viewer: Viewer,
    sizes: HashMap<String, (u32, u32)>,
}

impl Pictures {
    /// Pictures of a page that anybody may read. How large they are is not looked up.
    pub(super) fn for_anybody(app: &App) -> Self {
        let is_on = app.domain.policy().max_picture_bytes > 0;
        let key = if is_on { PictureKey::known(&app.domain) } else { None };
        Self { key, viewer: Viewer::Anybody, sizes: HashMap::new() }
    }

    /// Pictures of `html`, for a signed-in person who may have switched them off.
    ///
    /// # Errors
    /// When the database does not answer.
    pub(super) async fn for_person(
        request: &PageRequest,
        account_id: AccountId,
        html: &str,
    ) -> kernel::Result<Self> {
        let domain = &request.app.domain;
        let is_on = domain.policy().max_picture_bytes > 0 && !are_hidden(request.look);
        let key = if is_on { Some(PictureKey::of(domain).await?) } else { None };
        let sizes = if is_on { pictures::sizes(domain, &addresses(html)).await? } else { HashMap::new() };
        Ok(Self { key, viewer: Viewer::Account(account_id), sizes })
    }

    /// `html`, which came out of a sanitiser, with its pictures as they are shown.
    pub(super) fn put_into(&self, html: &str) -> String {
        replaced(html, |image| self.shown(image))
    }

    fn shown(&self, image: &Image<'_>) -> String {
        if [image.width, image.height].into_iter().flatten().any(|side| side <= COUNTERS) {
            return String::new();
        }
        let sealed = self.key.as_ref().and_then(|key| key.seal(self.viewer, &image.src));
        let words = if image.alt.trim().is_empty() { NAMELESS } else { image.alt.trim() };
        let inner = match sealed {
            None => extract::render::escape(words),
            Some(sealed) => {
                let declared = image
                    .width
                    .zip(image.height)
                    .filter(|(width, height)| BELIEVED.contains(width) && BELIEVED.contains(height));
                let size = self.sizes.get(&image.src).copied().or(declared);
                let size = size.map_or_else(String::new, |(width, height)| {
                    format!(" width=\"{width}\" height=\"{height}\"")
                });
                let alt = extract::render::escape(words);
                format!(
                    "<img class=\"picture\" src=\"{PATH}{sealed}\" alt=\"{alt}\"{size} loading=\"lazy\" decoding=\"async\">"
                )
            }
        };
        if image.is_linked || !image.src.starts_with("http") {
            return inner;
        }
        format!("<a href=\"{}\" rel=\"noopener nofollow\">{inner}</a>", extract::render::escape(&image.src))
    }
}

/// Whether a browser wants no pictures.
pub(super) fn are_hidden(look: Look) -> bool {
    look.word("pictures").is_some()
}

/// A page whose pictures became their words.
pub(super) fn hidden(page: &str) -> String {
    replaced(page, |image| {
        if image.src.starts_with(PATH) { extract::render::escape(&image.alt) } else { image.tag.to_owned() }
    })
}

/// The addresses of the pictures in `html`.
fn addresses(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    replaced(html, |image| {
        found.push(image.src.clone());
        String::new()
    });
    found
}

/// An `img` as a sanitiser writes it.
struct Image<'a> {
    tag: &'a str,
    src: String,
    alt: String,
    width: Option<u32>,
    height: Option<u32>,
    /// Whether it stands in a link.
    is_linked: bool,
}

/// `html` with something else in the place of each `img`. Sanitisers and templates quote attributes and escape what is
/// between tags, so that tags are told by their brackets.
fn replaced(html: &str, mut shown: impl FnMut(&Image<'_>) -> String) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    let mut is_linked = false;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let length = tag_length(&rest[open..]);
        let tag = &rest[open..open + length];
        if tag.starts_with("<a ") || tag.starts_with("</a>") {
            is_linked = tag.starts_with("<a ");
        }
        if tag.starts_with("<img ") {
            let side = |name| attribute(tag, name).and_then(|pixels| pixels.trim().parse().ok());
            let (src, alt) = (attribute(tag, "src"), attribute(tag, "alt").unwrap_or_default());
            let (width, height) = (side("width"), side("height"));
            let image = Image { tag, src: src.unwrap_or_default(), alt, width, height, is_linked };
            out.push_str(&shown(&image));
        } else {
            out.push_str(tag);
        }
        rest = &rest[open + length..];
    }
    out.push_str(rest);
    out
}

/// The bytes of the tag that `html` begins with: a bracket in a quoted value does not end it.
fn tag_length(html: &str) -> usize {
    let mut is_quoted = false;
    for (at, byte) in html.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return at + 1,
            _ => {}
        }
    }
    html.len()
}

/// The value of an attribute.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = format!(" {name}=\"");
    let (_, rest) = tag.split_once(start.as_str())?;
    let (value, _) = rest.split_once('"')?;
    let plain =
        value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", "\u{a0}");
    Some(plain.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pictures(is_on: bool) -> Pictures {
        let key = is_on.then(|| PictureKey::from(kernel::cursor::CursorKey::new([7; 32])));
        let sizes = [("https://a.example/known.png".to_owned(), (640, 480))].into();
        Pictures { key, viewer: Viewer::Anybody, sizes }
    }

    #[test]
    fn a_picture_is_ours_has_its_words_and_its_size_and_leads_to_the_original() {
        let html = "<p>One <img src=\"https://a.example/known.png?\" alt=\"A &quot;town&quot; > sea\"></p>";
        let shown = pictures(true).put_into(html);
        assert!(shown.starts_with("<p>One <a href=\"https://a.example/known.png?\" rel=\"noopener nofollow\"><img class=\"picture\" src=\"/pictures/"), "{shown}");
        assert!(
            shown
                .contains("alt=\"A &quot;town&quot; &gt; sea\" loading=\"lazy\" decoding=\"async\"></a></p>"),
            "{shown}"
        );
        let sized = pictures(true)
            .put_into("<img alt=\"x\" src=\"https://a.example/known.png\" width=\"9\" height=\"9\">");
        assert!(sized.contains("width=\"640\" height=\"480\""), "{sized}");
        assert_eq!(
            hidden(&shown),
            "<p>One <a href=\"https://a.example/known.png?\" rel=\"noopener nofollow\">A &quot;town&quot; &gt; sea</a></p>"
        );
    }

    #[test]
    fn a_picture_in_a_link_keeps_its_link_and_one_that_only_counts_is_left_out() {
        let html = "<a href=\"https://b.example/\" rel=\"x\"><img src=\"https://a.example/a.png\"></a>\
                    <img src=\"https://a.example/count.gif\" width=\"1\" height=\"1\" alt=\"\">";
        let shown = pictures(true).put_into(html);
        assert_eq!(shown.matches("<a ").count(), 1, "{shown}");
        assert_eq!(shown.matches("<img ").count(), 1, "{shown}");
        assert!(shown.contains("alt=\"Picture\""), "{shown}");
    }

    #[test]
    fn where_pictures_are_off_their_words_lead_to_them() {
        let html = "<p><img src=\"https://a.example/a.png?x=1&amp;y\" alt=\"A &lt;b&gt;\"></p>";
        assert_eq!(
            pictures(false).put_into(html),
            "<p><a href=\"https://a.example/a.png?x=1&amp;y\" rel=\"noopener nofollow\">A &lt;b&gt;</a></p>"
        );
    }

    #[test]
    fn what_is_no_address_of_the_web_is_words_alone() {
        for src in ["data:image/png;base64,AA", "javascript:alert(1)", "/etc/passwd", ""] {
            let shown = pictures(true).put_into(&format!("<img src=\"{src}\" alt=\"A tower\">"));
            assert_eq!(shown, "A tower");
        }
        assert_eq!(pictures(true).put_into("<img src=\"https://a"), "Picture");
    }
}
