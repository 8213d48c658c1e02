//! Pictures in texts. An `img` from another host is replaced with an `img` from this host, whose address is
//! signed for the viewer. Narrow screens load a smaller version (`picture` element). If pictures are switched
//! off, the `img` is replaced with its description and a link to the original.

use std::collections::HashMap;

use articles::pictures::{self, PATH, PictureKey, PictureWidth, Viewer};
use kernel::AccountId;

use super::appearance::Appearance;
use super::language::text::Text;
use super::page::request::PageRequest;
use http_kit::app::App;

/// Maximum declared width or height of a tracking pixel, in pixels.
const TRACKING_PIXELS: u32 = 2;
/// Declared widths and heights that are used until the real size is known, in pixels.
const TRUSTED_PIXELS: std::ops::RangeInclusive<u32> = 3..=20_000;
/// Widths of smaller versions, each with the media query of its screens. The first that matches is loaded, otherwise the
/// last width. They depend on the screen and not on the size of the picture, which is unknown until it is fetched: with
/// the attribute `sizes`, a browser would display a small picture smaller than it is.
const SCREENS: [(PictureWidth, &str); 2] = [
    (PictureWidth::SMALL, "(max-width: 480px) and (max-resolution: 1.2dppx)"),
    (PictureWidth::MEDIUM, "(max-width: 480px), (max-resolution: 1.3dppx)"),
];
/// Width of smaller versions for all other screens.
const OTHER_SCREENS: PictureWidth = PictureWidth::LARGE;

/// Key for signing the pictures' addresses, and known sizes of the pictures.
pub(super) struct Pictures {
    /// `None` if pictures are off.
    key: Option<PictureKey>,
    viewer: Viewer,
    sizes: HashMap<String, (u32, u32)>,
    /// Path prefix of the pictures of a message. `None` if the text is not a message.
    message_path: Option<String>,
    /// Width of the only version that is loaded. `None` if it depends on the screen.
    only_width: Option<PictureWidth>,
}

impl Pictures {
    /// Creates the pictures of a public page. Their sizes are not queried.
    pub(super) fn for_anyone(app: &App) -> Self {
        let is_on = app.domain.policy().max_picture_bytes > 0;
        let key = if is_on { PictureKey::loaded(&app.domain) } else { None };
        Self { key, viewer: Viewer::Anyone, sizes: HashMap::new(), message_path: None, only_width: None }
    }

    /// Creates the pictures of `html` for a signed-in person, who may have switched them off.
    pub(super) async fn for_person(
        request: &PageRequest,
        account_id: AccountId,
        html: &str,
    ) -> kernel::Result<Self> {
        let domain = &request.app.domain;
        let is_on = domain.policy().max_picture_bytes > 0 && !are_pictures_off(request.appearance);
        let key = if is_on { Some(PictureKey::load(domain).await?) } else { None };
        let sizes = if is_on { pictures::sizes(domain, &addresses(html)).await? } else { HashMap::new() };
        Ok(Self { key, viewer: Viewer::Account(account_id), sizes, message_path: None, only_width: None })
    }

    /// Sets the path prefix of the pictures of a message.
    pub(super) fn of_message(self, path: String) -> Self {
        Self { message_path: Some(path), ..self }
    }

    /// Sets the width of the only version that is loaded, for pages that a browser stores.
    pub(super) fn only_of(self, width: PictureWidth) -> Self {
        Self { only_width: Some(width), ..self }
    }

    /// Replaces the pictures in `html`, which must be the output of a sanitiser.
    pub(super) fn replace_in(&self, html: &str) -> String {
        let html = replace_images(html, |image| self.render(image));
        match &self.message_path {
            Some(path) => link_message_files(&html, path),
            None => html,
        }
    }

    fn render(&self, image: &Image<'_>) -> String {
        if [image.width, image.height].into_iter().flatten().any(|side| side <= TRACKING_PIXELS) {
            return String::new();
        }
        let alt = match image.alt.trim() {
            "" => extract::render::escape(&Text("picture-unnamed").get()),
            alt => extract::render::escape(alt),
        };
        if let Some(number) = image.src.strip_prefix(extract::MAIL_PICTURES) {
            return match (number.parse::<u32>(), &self.message_path) {
                (Ok(number), Some(path)) if self.key.is_some() => format!(
                    "<img class=\"picture\" src=\"{path}/{number}\" alt=\"{alt}\" loading=\"lazy\" decoding=\"async\">"
                ),
                _ => alt,
            };
        }
        let sealed = self.key.as_ref().and_then(|key| key.seal(self.viewer, &image.src));
        let inner = match sealed {
            None => alt,
            Some(sealed) => self.versions(image, &format!("{PATH}{sealed}"), &alt),
        };
        if image.is_linked || !image.src.starts_with("http") {
            return inner;
        }
        format!("<a href=\"{}\" rel=\"noopener nofollow\">{inner}</a>", extract::render::escape(&image.src))
    }

    /// Renders a picture of this host with its smaller versions.
    fn versions(&self, image: &Image<'_>, path: &str, alt: &str) -> String {
        let known = self.sizes.get(&image.src).copied();
        let declared = image
            .width
            .zip(image.height)
            .filter(|(width, height)| TRUSTED_PIXELS.contains(width) && TRUSTED_PIXELS.contains(height));
        let size = known
            .or(declared)
            .map_or_else(String::new, |(width, height)| format!(" width=\"{width}\" height=\"{height}\""));
        let query = self.only_width.map_or_else(String::new, |width| format!("?{}", width.query()));
        let picture = format!(
            "<img class=\"picture\" src=\"{path}{query}\" alt=\"{alt}\"{size} loading=\"lazy\" decoding=\"async\">"
        );
        // A declared size may be that of a smaller display.
        let sources = sources(path, known.map(|(width, _)| width));
        if self.only_width.is_some() || sources.is_empty() {
            return picture;
        }
        format!("<picture>{sources}{picture}</picture>")
    }
}

/// Renders the smaller versions of a picture for the screens that need no more pixels. Empty if its known width is small.
fn sources(path: &str, known_width: Option<u32>) -> String {
    let is_smaller = |width: PictureWidth| known_width.is_none_or(|known| known > width.pixels());
    let mut out = String::new();
    for (width, screens) in SCREENS.into_iter().filter(|(width, _)| is_smaller(*width)) {
        let query = width.query();
        out.push_str(&format!("<source srcset=\"{path}?{query}\" media=\"{screens}\">"));
    }
    if is_smaller(OTHER_SCREENS) {
        out.push_str(&format!("<source srcset=\"{path}?{}\">", OTHER_SCREENS.query()));
    }
    out
}

/// Changes links to pictures of a message, so that they lead to its files.
fn link_message_files(html: &str, path: &str) -> String {
    let link = format!("href=\"{}", extract::MAIL_PICTURES);
    let mut pieces = html.split(link.as_str());
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once('"').and_then(|(number, _)| number.parse::<u32>().ok()) {
            Some(_) => out.push_str(&format!("href=\"{path}/")),
            None => out.push_str(&link),
        }
        out.push_str(piece);
    }
    out
}

/// Renders an `img` with its original address, which [`Pictures::replace_in`] replaces.
pub(super) fn original_image(url: &str, alt: &str) -> String {
    let (url, alt) = (extract::render::escape(url), extract::render::escape(alt));
    format!("<img src=\"{url}\" alt=\"{alt}\">")
}

/// Returns true if the visitor switched pictures off.
pub(super) fn are_pictures_off(appearance: Appearance) -> bool {
    appearance.value_of("pictures").is_some()
}

/// Replaces the pictures of a page with their descriptions.
pub(super) fn without_pictures(page: &str) -> String {
    replace_images(page, |image| {
        if image.src.starts_with(PATH) { extract::render::escape(&image.alt) } else { image.tag.to_owned() }
    })
}

/// Returns the addresses of the pictures in `html`.
fn addresses(html: &str) -> Vec<String> {
    let mut sources = Vec::new();
    replace_images(html, |image| {
        sources.push(image.src.clone());
        String::new()
    });
    sources
}

/// `img` element in the output of a sanitiser.
struct Image<'a> {
    tag: &'a str,
    src: String,
    alt: String,
    width: Option<u32>,
    height: Option<u32>,
    /// True if the element is inside a link.
    is_linked: bool,
}

/// Replaces each `img` in `html`. Sanitisers and templates quote attributes and escape text, so `<` and `>`
/// outside quoted values always delimit tags.
fn replace_images(html: &str, mut render: impl FnMut(&Image<'_>) -> String) -> String {
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
            out.push_str(&render(&image));
        } else if !is_part_of_picture(tag) {
            out.push_str(tag);
        }
        rest = &rest[open + length..];
    }
    out.push_str(rest);
    out
}

/// Returns true for a tag of a `picture` element. Sanitised content has no such elements, so the tag belongs to a
/// picture of this host.
fn is_part_of_picture(tag: &str) -> bool {
    let is_version = tag.strip_prefix("<source srcset=\"").is_some_and(|rest| rest.starts_with(PATH));
    is_version || matches!(tag, "<picture>" | "</picture>")
}

/// Returns the length of the tag at the start of `html`, in bytes. A `>` in a quoted value does not end the
/// tag.
pub(super) fn tag_length(html: &str) -> usize {
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

/// Returns the unescaped value of an attribute. `None` if the tag lacks the attribute.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
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
        Pictures { key, viewer: Viewer::Anyone, sizes, message_path: None, only_width: None }
    }

    #[test]
    fn pictures_of_a_message_are_loaded_from_its_item() {
        let html = "<p><img src=\"https://mail.invalid/3\" alt=\"A tower\"></p>";
        let of_message = pictures(true).of_message("/library/1/files".to_owned());
        let rendered = of_message.replace_in(html);
        assert!(rendered.contains("src=\"/library/1/files/3\" alt=\"A tower\""), "{rendered}");
        for other in [pictures(true), pictures(false).of_message("/library/1/files".to_owned())] {
            assert_eq!(other.replace_in(html), "<p>A tower</p>");
        }
        let linked = "<a href=\"https://mail.invalid/3\">x</a><a href=\"https://mail.invalid/../3\">y</a>";
        assert_eq!(
            pictures(true).of_message("/library/1/files".to_owned()).replace_in(linked),
            "<a href=\"/library/1/files/3\">x</a><a href=\"https://mail.invalid/../3\">y</a>"
        );
        let foreign = "<img src=\"https://mail.invalid/../x\" alt=\"A tower\">";
        assert_eq!(pictures(true).of_message("/library/1/files".to_owned()).replace_in(foreign), "A tower");
    }

    #[test]
    fn picture_is_proxied_with_alt_text_size_and_link() {
        let html = "<p>One <img src=\"https://a.example/known.png?\" alt=\"A &quot;town&quot; > sea\"></p>";
        let rendered = pictures(true).replace_in(html);
        assert!(rendered.starts_with("<p>One <a href=\"https://a.example/known.png?\" rel=\"noopener nofollow\"><picture><source srcset=\"/pictures/"), "{rendered}");
        assert!(
            rendered.contains(
                "alt=\"A &quot;town&quot; &gt; sea\" loading=\"lazy\" decoding=\"async\"></picture></a></p>"
            ),
            "{rendered}"
        );
        let sized = pictures(true)
            .replace_in("<img alt=\"x\" src=\"https://a.example/known.png\" width=\"9\" height=\"9\">");
        assert!(sized.contains("width=\"640\" height=\"480\""), "{sized}");
        assert_eq!(
            without_pictures(&rendered),
            "<p>One <a href=\"https://a.example/known.png?\" rel=\"noopener nofollow\">A &quot;town&quot; &gt; sea</a></p>"
        );
    }

    #[test]
    fn narrow_screens_load_smaller_versions_of_wide_pictures() {
        let widths = |html: &str| -> Vec<String> {
            let pieces = html.split("?width=").skip(1);
            pieces.map(|piece| piece.split('"').next().unwrap().to_owned()).collect()
        };
        let image = |src: &str| format!("<img src=\"https://a.example/{src}\" width=\"300\" height=\"200\">");
        let unknown = pictures(true).replace_in(&image("other.png"));
        assert_eq!(widths(&unknown), ["480", "960", "1600"], "{unknown}");
        let (_, original) = unknown.split_once("<img class=\"picture\" src=\"").unwrap();
        let path = original.split('"').next().unwrap();
        assert!(unknown.contains(&format!("srcset=\"{path}?width=1600\">")), "{unknown}");
        assert_eq!(widths(&pictures(true).replace_in(&image("known.png"))), ["480"], "it is 640 pixels wide");
        let stored = pictures(true).only_of(PictureWidth::MEDIUM).replace_in(&image("known.png"));
        assert!(widths(&stored) == ["960"] && !stored.contains("<picture>"), "{stored}");
        let mut small = pictures(true);
        small.sizes.insert("https://a.example/small.png".to_owned(), (480, 300));
        let small = small.replace_in(&image("small.png"));
        assert!(widths(&small).is_empty() && !small.contains("<picture>"), "{small}");
        assert_eq!(without_pictures(&unknown).matches('<').count(), 2, "only the link is left");
    }

    #[test]
    fn linked_picture_keeps_its_link_and_tracking_pixel_is_removed() {
        let html = "<a href=\"https://b.example/\" rel=\"x\"><img src=\"https://a.example/a.png\"></a>\
                    <img src=\"https://a.example/count.gif\" width=\"1\" height=\"1\" alt=\"\">";
        let rendered = pictures(true).replace_in(html);
        assert_eq!(rendered.matches("<a ").count(), 1, "{rendered}");
        assert_eq!(rendered.matches("<img ").count(), 1, "{rendered}");
        assert!(rendered.contains("alt=\"Picture\""), "{rendered}");
    }

    #[test]
    fn disabled_pictures_become_linked_descriptions() {
        let html = "<p><img src=\"https://a.example/a.png?x=1&amp;y\" alt=\"A &lt;b&gt;\"></p>";
        assert_eq!(
            pictures(false).replace_in(html),
            "<p><a href=\"https://a.example/a.png?x=1&amp;y\" rel=\"noopener nofollow\">A &lt;b&gt;</a></p>"
        );
    }

    #[test]
    fn picture_without_web_address_becomes_its_description() {
        for src in ["data:image/png;base64,AA", "javascript:alert(1)", "/etc/passwd", ""] {
            let rendered = pictures(true).replace_in(&format!("<img src=\"{src}\" alt=\"A tower\">"));
            assert_eq!(rendered, "A tower");
        }
        assert_eq!(pictures(true).replace_in("<img src=\"https://a"), "Picture");
    }
}
