//! Stylesheets, scripts, pictures of the front page, and the icon. They are compiled in (except the stylesheet
//! and the icons with the colour of the installation), have a hash in their names, and are cached by browsers for
//! a year. The icon also has a name without a hash. If its colour may change, it is cached for a day.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use maud::{Markup, html};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};
use sha2::{Digest, Sha256};

use super::face_name::FaceName;
use super::site_color;
use super::site_icon::IconFormat;
use http_kit::app::App;

/// Name of the SVG icon without a hash.
const ICON_NAME: &str = "icon.svg";
/// Cache policy of files with a hash in their names.
const LONG_CACHE_POLICY: &str = "public, max-age=31536000, immutable";
/// Cache policy of an icon with a colour that the operator may change, at a name without a hash.
const ICON_CACHE_POLICY: &str = "public, max-age=86400";

/// Compiled-in file whose name contains a hash of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asset {
    /// Stylesheet of the pages.
    Style,
    /// Stylesheet of the interactive reference.
    ReferenceStyle,
    /// Library of the interactive reference.
    ReferenceLibrary,
    /// Script that starts the interactive reference.
    ReferenceStart,
    /// Script that enables the Allow button of the consent page after a delay.
    Consent,
    /// Script with the keyboard shortcuts and the selection of rows on desk pages.
    Desk,
    /// Scripts of reading pages.
    Reading,
    /// Script of pages in browsers that store texts for offline reading.
    Offline,
    /// Script that asks the browser for a passkey.
    Passkey,
    /// Script that renders a quote as a picture.
    QuotePicture,
    /// Picture of the front page.
    Front(FrontPicture),
}

/// Pictures of pages on the front page, in light and dark. `tests/browser/run --front-pictures` creates them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrontPicture {
    TodayLight,
    TodayDark,
    TextLight,
    TextDark,
    MonitorLight,
    MonitorDark,
}

static NAMES: LazyLock<Vec<(String, Asset)>> =
    LazyLock::new(|| Asset::ALL.iter().map(|file| (file.name(), *file)).collect());

impl Asset {
    const ALL: [Self; 16] = [
        Self::Style,
        Self::ReferenceStyle,
        Self::ReferenceLibrary,
        Self::ReferenceStart,
        Self::Consent,
        Self::Desk,
        Self::Reading,
        Self::Offline,
        Self::Passkey,
        Self::QuotePicture,
        Self::Front(FrontPicture::TodayLight),
        Self::Front(FrontPicture::TodayDark),
        Self::Front(FrontPicture::TextLight),
        Self::Front(FrontPicture::TextDark),
        Self::Front(FrontPicture::MonitorLight),
        Self::Front(FrontPicture::MonitorDark),
    ];

    /// Returns the path of the file.
    pub(super) fn path(self) -> String {
        let name = NAMES.iter().find(|(_, file)| *file == self).map(|(name, _)| name.as_str());
        format!("/assets/{}", name.unwrap_or_default())
    }

    fn name(self) -> String {
        let (front, ending) = self.stem();
        hashed_name(front, ending, self.content())
    }

    const fn stem(self) -> (&'static str, &'static str) {
        match self {
            Self::Style => ("carrel", "css"),
            Self::ReferenceStyle => ("swagger-ui", "css"),
            Self::ReferenceLibrary => ("swagger-ui", "js"),
            Self::ReferenceStart => ("reference", "js"),
            Self::Consent => ("consent", "js"),
            Self::Desk => ("desk", "js"),
            Self::Reading => ("reading", "js"),
            Self::Offline => ("offline", "js"),
            Self::Passkey => ("passkey", "js"),
            Self::QuotePicture => ("quote-picture", "js"),
            Self::Front(picture) => (picture.stem(), "webp"),
        }
    }

    const fn content(self) -> &'static [u8] {
        match self {
            Self::Style => include_bytes!("carrel.css"),
            Self::ReferenceStyle => include_bytes!("swagger-ui/swagger-ui.css"),
            Self::ReferenceLibrary => include_bytes!("swagger-ui/swagger-ui-bundle.js"),
            Self::ReferenceStart => include_bytes!("reference.js"),
            Self::Consent => include_bytes!("consent.js"),
            Self::Desk => concat!(include_str!("counted_text.js"), include_str!("desk.js")).as_bytes(),
            Self::Reading => concat!(
                include_str!("counted_text.js"),
                include_str!("reading.js"),
                include_str!("listen.js")
            )
            .as_bytes(),
            Self::Offline => concat!(
                include_str!("counted_text.js"),
                include_str!("offline_queue.js"),
                include_str!("offline.js")
            )
            .as_bytes(),
            Self::Passkey => include_bytes!("passkey.js"),
            Self::QuotePicture => include_bytes!("quote_picture.js"),
            Self::Front(picture) => picture.content(),
        }
    }
}

impl FrontPicture {
    const fn stem(self) -> &'static str {
        match self {
            Self::TodayLight => "today-light",
            Self::TodayDark => "today-dark",
            Self::TextLight => "text-light",
            Self::TextDark => "text-dark",
            Self::MonitorLight => "monitor-light",
            Self::MonitorDark => "monitor-dark",
        }
    }

    const fn content(self) -> &'static [u8] {
        match self {
            Self::TodayLight => include_bytes!("front/today-light.webp"),
            Self::TodayDark => include_bytes!("front/today-dark.webp"),
            Self::TextLight => include_bytes!("front/text-light.webp"),
            Self::TextDark => include_bytes!("front/text-dark.webp"),
            Self::MonitorLight => include_bytes!("front/monitor-light.webp"),
            Self::MonitorDark => include_bytes!("front/monitor-dark.webp"),
        }
    }
}

/// Returns a file name that contains a hash of the content.
fn hashed_name(front: &str, ending: &str, content: &[u8]) -> String {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(content));
    format!("{front}-{}.{ending}", &hash[..12])
}

/// Returns the name and the text of the stylesheet with the colour of this installation. `None` if it has the
/// built-in colour.
fn site_style(app: &App) -> Option<(String, String)> {
    let text = site_color::stylesheet(app.settings.site.color?);
    Some((hashed_name("site", "css", text.as_bytes()), text))
}

/// Returns the name and the content of the installation's icon.
fn site_icon(app: &App, format: IconFormat) -> (String, Cow<'static, [u8]>) {
    let content = format.content(app.settings.site.color);
    let (front, ending) = format.stem();
    (hashed_name(front, ending, &content), content)
}

/// Returns the path of the installation's icon.
pub(super) fn icon_path(app: &App, format: IconFormat) -> String {
    if format == IconFormat::Svg && app.settings.site.color.is_none() {
        return format!("/assets/{ICON_NAME}");
    }
    format!("/assets/{}", site_icon(app, format).0)
}

/// Returns the paths of the stylesheets.
pub(super) fn style_paths(app: &App) -> Vec<String> {
    let site = site_style(app).map(|(name, _)| format!("/assets/{name}"));
    std::iter::once(Asset::Style.path()).chain(site).collect()
}

/// Renders the links to the stylesheets and the icon.
pub(super) fn asset_links(app: &App) -> Markup {
    html! {
        @for path in style_paths(app) { link rel="stylesheet" href=(path); }
        link rel="icon" href=(icon_path(app, IconFormat::Svg)) type="image/svg+xml";
    }
}

/// Serves a file by its name.
#[handler]
pub(super) fn asset(app: Data<&Arc<App>>, request: &Request) -> Response {
    let name = request.raw_path_param("name").unwrap_or_default();
    if name == ICON_NAME {
        return default_icon(&app);
    }
    let icons = IconFormat::ALL.map(|format| (format, site_icon(&app, format)));
    if let Some((format, (_, content))) = icons.into_iter().find(|(_, (own, _))| own == name) {
        return file(content.into_owned(), format.media_type());
    }
    if let Some((_, text)) = site_style(&app).filter(|(own, _)| own == name) {
        return file(text, "text/css; charset=utf-8");
    }
    if let Some(face) = FaceName::of_file(name) {
        return file(face.stylesheet(), "text/css; charset=utf-8");
    }
    let Some((_, matched)) = NAMES.iter().find(|(known, _)| known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = match matched.stem().1 {
        "css" => "text/css; charset=utf-8",
        "webp" => "image/webp",
        _ => "text/javascript; charset=utf-8",
    };
    file(matched.content(), kind)
}

/// Serves the icon at the address that browsers request by default.
#[handler]
pub(super) fn icon(app: Data<&Arc<App>>) -> Response {
    default_icon(&app)
}

fn default_icon(app: &App) -> Response {
    let color = app.settings.site.color;
    let policy = if color.is_some() { ICON_CACHE_POLICY } else { LONG_CACHE_POLICY };
    let content = IconFormat::Svg.content(color).into_owned();
    content
        .with_content_type(IconFormat::Svg.media_type())
        .with_header(header::CACHE_CONTROL, policy)
        .into_response()
}

fn file(content: impl IntoResponse, kind: &'static str) -> Response {
    content.with_content_type(kind).with_header(header::CACHE_CONTROL, LONG_CACHE_POLICY).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_the_front_page_are_small() {
        const MAX_BYTES: usize = 30_000;
        let pictures = Asset::ALL.iter().filter(|each| matches!(each, Asset::Front(_)));
        for picture in pictures {
            let content = picture.content();
            assert!(content.len() <= MAX_BYTES && content.starts_with(b"RIFF"), "{}", picture.name());
        }
    }
}
