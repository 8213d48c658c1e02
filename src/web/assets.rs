//! The stylesheet and the icon: compiled in, with a hash in the name, kept by browsers for a year.

use std::sync::LazyLock;

use poem::http::{StatusCode, header};
use poem::{IntoResponse, Request, Response, handler};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("carrel.css");
const ICON: &str = include_str!("icon.svg");

static STYLE_NAME: LazyLock<String> = LazyLock::new(|| {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(STYLE.as_bytes()));
    format!("carrel-{}.css", &hash[..12])
});

/// The stylesheet's address.
pub(super) fn style_path() -> String {
    format!("/assets/{}", *STYLE_NAME)
}

/// A compiled-in file by its name.
#[handler]
pub(super) fn asset(request: &Request) -> Response {
    match request.raw_path_param("name") {
        Some(name) if name == *STYLE_NAME => file(STYLE, "text/css; charset=utf-8"),
        Some("icon.svg") => file(ICON, "image/svg+xml"),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What browsers ask for by itself.
#[handler]
pub(super) fn icon() -> Response {
    file(ICON, "image/svg+xml")
}

fn file(text: &'static str, kind: &'static str) -> Response {
    text.with_content_type(kind)
        .with_header(header::CACHE_CONTROL, "public, max-age=31536000, immutable")
        .into_response()
}
