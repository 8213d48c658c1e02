//! Stylesheets, scripts, and the icon. They are compiled in (except the stylesheet with the colour of the
//! installation), have a hash in their names, and are cached by browsers for a year.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::sync::{Arc, LazyLock};

use maud::{Markup, html};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};
use sha2::{Digest, Sha256};

use super::site_color;
use http_kit::app::App;

const ICON: &str = include_str!("icon.svg");

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
    /// Script of the copy buttons on reading pages.
    Reading,
    /// Script that asks the browser for a passkey.
    Passkey,
}

static NAMES: LazyLock<Vec<(String, Asset)>> =
    LazyLock::new(|| Asset::ALL.iter().map(|file| (file.name(), *file)).collect());

impl Asset {
    const ALL: [Self; 8] = [
        Self::Style,
        Self::ReferenceStyle,
        Self::ReferenceLibrary,
        Self::ReferenceStart,
        Self::Consent,
        Self::Desk,
        Self::Reading,
        Self::Passkey,
    ];

    /// Returns the path of the file.
    pub(super) fn path(self) -> String {
        let name = NAMES.iter().find(|(_, file)| *file == self).map(|(name, _)| name.as_str());
        format!("/assets/{}", name.unwrap_or_default())
    }

    fn name(self) -> String {
        let (front, ending) = self.stem();
        hashed_name(front, ending, self.text())
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
            Self::Passkey => ("passkey", "js"),
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Style => include_str!("carrel.css"),
            Self::ReferenceStyle => include_str!("swagger-ui/swagger-ui.css"),
            Self::ReferenceLibrary => include_str!("swagger-ui/swagger-ui-bundle.js"),
            Self::ReferenceStart => include_str!("reference.js"),
            Self::Consent => include_str!("consent.js"),
            Self::Desk => include_str!("desk.js"),
            Self::Reading => include_str!("reading.js"),
            Self::Passkey => include_str!("passkey.js"),
        }
    }
}

/// Returns a file name that contains a hash of the content.
fn hashed_name(front: &str, ending: &str, text: &str) -> String {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()));
    format!("{front}-{}.{ending}", &hash[..12])
}

/// Returns name and text of the stylesheet with the colour of this installation. `None` if it has the
/// built-in colour.
fn site_style(app: &App) -> Option<(String, String)> {
    let text = site_color::stylesheet(app.settings.site.color?);
    Some((hashed_name("site", "css", &text), text))
}

/// Renders the links to the stylesheets and the icon.
pub(super) fn asset_links(app: &App) -> Markup {
    html! {
        link rel="stylesheet" href=(Asset::Style.path());
        @if let Some((name, _)) = site_style(app) { link rel="stylesheet" href={ "/assets/" (name) }; }
        link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
    }
}

/// Serves a file by its name.
#[handler]
pub(super) fn asset(app: Data<&Arc<App>>, request: &Request) -> Response {
    let name = request.raw_path_param("name").unwrap_or_default();
    if name == "icon.svg" {
        return file(ICON, "image/svg+xml");
    }
    if let Some((_, text)) = site_style(&app).filter(|(own, _)| own == name) {
        return file(text, "text/css; charset=utf-8");
    }
    let Some((_, matched)) = NAMES.iter().find(|(known, _)| known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = match matched.stem().1 {
        "css" => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    file(matched.text(), kind)
}

/// Serves the icon at the address that browsers request by default.
#[handler]
pub(super) fn icon() -> Response {
    file(ICON, "image/svg+xml")
}

fn file(text: impl IntoResponse, kind: &'static str) -> Response {
    text.with_content_type(kind)
        .with_header(header::CACHE_CONTROL, "public, max-age=31536000, immutable")
        .into_response()
}
