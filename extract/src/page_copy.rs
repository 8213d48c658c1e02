//! Self-contained copies of displayed pages: one HTML file with its styles, pictures, and fonts as `data:`
//! URLs, without scripts, forms, frames, or anything else that a browser would load or run.
//!
//! Two independent rules protect the reader of a copy: only the elements and attributes below are written,
//! and a policy in the file forbids scripts and the network. A copy that is served has the same policy in its
//! header.

mod inliner;
mod markup;
mod omissions;
mod policy;
mod source;
mod styles;

pub use self::omissions::Omissions;
pub use self::policy::POLICY;
pub use self::source::{PageResource, PageSource};
use self::{inliner::Inliner, markup::PageWriter};
use crate::{limits, page::parse, render::escape};

use serde::{Deserialize, Serialize};
use url::Url;

/// Maximum size of a page's document, in bytes.
pub const MAX_DOCUMENT_BYTES: usize = limits::MAX_BYTES;

/// Self-contained copy of a page as one HTML file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HtmlCopy {
    pub html: String,
    /// Content that was left out. The notice in the copy states it.
    pub omissions: Omissions,
}

/// Creates the copy of a page.
///
/// # Errors
/// Returns an error, as a text for users, if the page exceeds a limit on markup.
pub fn create(source: &PageSource) -> Result<HtmlCopy, String> {
    limits::check(&source.html)?;
    let document = parse::parse(&source.html)?;
    let mut inliner = Inliner::new(&source.resources, markup::clean_vector);
    inliner.omissions.is_cut = source.is_cut;
    let base = Url::parse(&source.base_url).or_else(|_| Url::parse(&source.url)).ok();
    let page = PageWriter::page(&mut inliner, &source.url, base).write(&document);
    let omissions = inliner.omissions;
    let (before, after) = page.html.split_at(page.body_start);
    // The byte order mark declares the encoding of a file that is opened without a header.
    let html = format!("\u{feff}<!doctype html>{before}{}{after}", notice(source, omissions));
    Ok(HtmlCopy { html, omissions })
}

/// Notice at the top of a copy: its page, its date, and the content that was left out.
fn notice(source: &PageSource, omissions: Omissions) -> String {
    let style = "all:initial!important;display:block!important;position:relative!important;\
                 z-index:2147483647!important;padding:8px 12px!important;border-bottom:1px solid #777!important;\
                 background:#fff!important;color:#222!important;font:14px/1.4 sans-serif!important";
    let (url, date) = (escape(&source.url), escape(&source.date));
    let statement = omissions.statement().map(|text| format!(" {}", escape(&text))).unwrap_or_default();
    format!("<div style=\"{style}\">Copy of {url} from {date}.{statement}</div>")
}

#[cfg(test)]
mod tests;
