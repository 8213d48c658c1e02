//! Sanitises markup as the last step, with ammonia. URLs become absolute and lose their tracking parameters.
//! Hostile markup is rejected before this step, because the cost of its tree is quadratic in its depth,
//! attributes or short references.

use std::borrow::Cow;

use ammonia::{Builder, UrlRelative};
use url::Url;

use super::text;
use super::tokens::{MarkupToken, MarkupTokens, attributes};
use super::urls;
use crate::{html::formula_of_markup, page::xhtml};

/// Maximum number of bytes of markup. Longer markup is cut before parsing.
pub(super) const MAX_MARKUP_BYTES: usize = 512 * 1024;
const MAX_DEPTH: usize = 256;
const MAX_TAGS: usize = 50_000;
const MAX_REFERENCES: usize = 20_000;
const MAX_ATTRIBUTE_BYTES: usize = 64 * 1024;
const MAX_ATTRIBUTES: usize = 60;
/// Maximum number of formulas of one text that are converted.
const MAX_FORMULAS: usize = 1000;
/// Classes of rendered formulas, whose text repeats their `MathML`.
const RENDERINGS: [&str; 3] = ["katex-html", "MJX_Assistive_MathML", "mjx-assistive-mml"];

/// Sanitises markup with one base URL for relative links.
pub(super) struct Sanitiser {
    builder: Builder<'static>,
    base: Option<String>,
}

impl Sanitiser {
    pub(super) fn new(base: Option<&str>) -> Self {
        let mut builder = Builder::default();
        let relative = base
            .and_then(|base| Url::parse(base).ok())
            .map_or(UrlRelative::Deny, UrlRelative::RewriteWithBase);
        builder
            .url_schemes(["http", "https", "mailto"].into())
            .rm_generic_attributes(["title"])
            .link_rel(Some("noopener noreferrer nofollow"))
            .url_relative(relative)
            .attribute_filter(|_, attribute, value| match attribute {
                "href" | "src" | "cite" => Some(without_tracking(value)),
                _ => Some(Cow::Borrowed(value)),
            });
        Self { builder, base: base.map(str::to_owned) }
    }

    pub(super) fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    /// Returns markup that is safe to display. Markup that is too costly to parse is returned as plain text.
    pub(super) fn clean(&self, html: &str) -> String {
        let html = xhtml::with_closed_raw_text(cut(html));
        let html = text::clean(&html);
        if is_costly(&html) {
            return text::escape(text::plain(&html).trim()).into_owned();
        }
        self.builder.clean(&with_formulas(&html)).to_string().trim().to_owned()
    }
}

fn cut(html: &str) -> &str {
    if html.len() <= MAX_MARKUP_BYTES {
        return html;
    }
    let end = (0..=MAX_MARKUP_BYTES).rev().find(|&end| html.is_char_boundary(end)).unwrap_or(0);
    &html[..end]
}

/// Converts `MathML` to TeX in `code` elements. Sanitising would remove it with its text.
fn with_formulas(html: &str) -> Cow<'_, str> {
    if !html.contains("<math") || RENDERINGS.iter().any(|class| html.contains(class)) {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    for _ in 0..MAX_FORMULAS {
        let Some(start) = rest.find("<math") else { break };
        let Some(length) = rest[start..].find("</math>") else { break };
        let (before, from_start) = rest.split_at(start);
        let (markup, after) = from_start.split_at(length + "</math>".len());
        out.push_str(before);
        match formula_of_markup(markup) {
            Some(formula) => {
                let tex = text::escape(&formula.tex);
                out.extend(["<code>", tex.as_ref(), "</code>"]);
            }
            None => out.push_str(markup),
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Removes tracking parameters from a URL, which may still be relative.
fn without_tracking(address: &str) -> Cow<'_, str> {
    let Some((before_query, rest)) = address.split_once('?') else { return Cow::Borrowed(address) };
    let (query, fragment) = rest.split_once('#').map_or((rest, None), |(query, after)| (query, Some(after)));
    let params: Vec<&str> = query.split('&').filter(|pair| !urls::is_tracking(pair)).collect();
    if params.len() == query.split('&').count() {
        return Cow::Borrowed(address);
    }
    let mut cleaned = before_query.to_owned();
    if !params.is_empty() {
        cleaned.push('?');
        cleaned.push_str(&params.join("&"));
    }
    if let Some(fragment) = fragment {
        cleaned.push('#');
        cleaned.push_str(fragment);
    }
    Cow::Owned(cleaned)
}

fn is_costly(html: &str) -> bool {
    let mut tokens = MarkupTokens::new(html);
    let (mut depth, mut tags) = (0_usize, 0_usize);
    while let Some(token) = tokens.next(None) {
        match token {
            MarkupToken::Start { name, attributes: raw, empty, .. } => {
                tags += 1;
                if !empty && !super::field::is_void(name) && !has_implied_end(name) {
                    depth += 1;
                }
                if raw.len() > MAX_ATTRIBUTE_BYTES || attributes(raw).len() > MAX_ATTRIBUTES {
                    return true;
                }
            }
            MarkupToken::End { name, .. } if !has_implied_end(name) => depth = depth.saturating_sub(1),
            MarkupToken::End { .. } => {}
            MarkupToken::Text(text) | MarkupToken::Cdata(text) => {
                if text.len() > MAX_REFERENCES
                    && memchr::memchr_iter(b'&', text.as_bytes()).count() > MAX_REFERENCES
                {
                    return true;
                }
            }
        }
        if depth > MAX_DEPTH || tags > MAX_TAGS {
            return true;
        }
    }
    false
}

/// True for elements whose end tag HTML implies. They add no depth if their end tags are missing.
fn has_implied_end(name: &str) -> bool {
    ["p", "li", "dt", "dd", "tr", "td", "th", "option"].iter().any(|open| open.eq_ignore_ascii_case(name))
}
