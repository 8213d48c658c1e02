//! Conversion of rendered pages to sources of self-contained copies.

use browser::CapturedPage;
use extract::page_copy::{PageResource, PageSource};
use kernel::Millis;
use kernel::clock::minute_in_words;

/// Returns the source of the copy of a page that was rendered at `now`.
pub fn page_source(url: &str, page: CapturedPage, now: Millis) -> PageSource {
    let resources = page.files.into_iter().map(|file| {
        // Browsers return style sheets in UTF-8.
        let is_text = file.media_type.starts_with("text/");
        let charset = if is_text { "; charset=utf-8" } else { "" };
        PageResource {
            url: file.url,
            final_url: file.final_url,
            media_type: format!("{}{charset}", file.media_type),
            bytes: file.bytes,
        }
    });
    PageSource {
        url: url.to_owned(),
        base_url: page.base_url,
        date: minute_in_words(now),
        html: page.html,
        resources: resources.collect(),
        is_cut: page.is_cut,
    }
}
