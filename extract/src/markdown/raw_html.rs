//! Raw HTML in Markdown: blocks of markup, and tags in a line.

use super::BlockWriter;
use crate::{
    document::BlockKind,
    html::{self, inline::OpenStyle},
    limits,
    page::{Id, Page, links, parse},
};

/// Maximum number of blocks of markup and of tags that are parsed.
const MAX_PARSED_PARTS: usize = 2000;
/// Maximum number of open tags in a line.
const MAX_OPEN_TAGS: usize = 32;

impl BlockWriter<'_> {
    /// Appends the open block of markup.
    pub(super) fn end_markup(&mut self) {
        let markup = self.verbatim.take().unwrap_or_default();
        self.push_markup(&markup);
    }

    /// Appends the blocks and images of markup.
    fn push_markup(&mut self, markup: &str) {
        if !self.may_parse() {
            return;
        }
        let Ok(converted) = html::read_whole_page(markup, self.base) else {
            self.is_partial = true;
            return;
        };
        self.is_partial |= converted.is_partial;
        // Images are attached to blocks, so they are read separately if there is no block.
        if converted.blocks.is_empty() && markup.contains("<img") {
            return self.push_images(markup);
        }
        for mut block in converted.blocks {
            let inner = block.containers();
            let mut outer = self.containers.as_slice();
            if block.kind == BlockKind::Paragraph {
                if let Some(position) = self.item.take() {
                    (block.kind, block.list) = (BlockKind::ListItem, Some(position));
                    outer = &outer[..outer.len().saturating_sub(1)];
                } else if self.quotes > 0 {
                    block.kind = BlockKind::Quote;
                }
            }
            if !outer.is_empty() && block.kind != BlockKind::Footnote {
                block.within = outer.iter().copied().chain(inner).collect();
            }
            self.out.push(block);
        }
    }

    /// Reads a tag in a line. The parser reports the text between tags in separate events.
    pub(super) fn inline_tag(&mut self, tag: &str) {
        if self.image.is_some() {
            return;
        }
        if is_type_argument(tag) && self.inline.is_after_word() {
            return self.inline.push(tag);
        }
        let is_end = tag.starts_with("</");
        let name = tag.trim_start_matches(['<', '/']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name[..end].to_ascii_lowercase();
        match name.as_str() {
            "br" => self.inline.push_break(),
            _ if is_end => self.close_tag(&name),
            "img" => self.push_images(tag),
            "video" | "audio" | "iframe" => {
                // The line of a cell belongs to its table, and that of a heading is one line.
                if self.table.is_none() && !self.is_heading {
                    self.flush();
                }
                self.push_markup(&format!("{tag}</{name}>"));
            }
            "a" => {
                let element = self.element(tag, "a");
                let href = element.as_ref().and_then(|(page, link)| page.value(*link, "href"));
                if let Some(url) = href.and_then(|href| links::resolve(self.base, href)) {
                    self.open_tag(name, OpenStyle::Link(url));
                }
            }
            _ => {
                if let Some(style) = OpenStyle::of_tag(&name) {
                    self.open_tag(name, style);
                }
            }
        }
    }

    fn open_tag(&mut self, name: String, style: OpenStyle) {
        if self.tags.len() < MAX_OPEN_TAGS {
            let opened = self.inline.open(style);
            self.tags.push((name, opened));
        }
    }

    fn close_tag(&mut self, name: &str) {
        if let Some(at) = self.tags.iter().rposition(|(open, _)| open == name) {
            self.inline.close(self.tags[at].1);
            self.tags.truncate(at);
        }
    }

    /// Closes the tags that are still open at the end of a line.
    pub(super) fn close_tags(&mut self) {
        if let Some((_, opened)) = self.tags.first() {
            self.inline.close(*opened);
        }
        self.tags.clear();
    }

    fn push_images(&mut self, markup: &str) {
        let Some((page, first)) = self.element(markup, "img") else { return };
        for image in (first..page.len()).filter(|&id| page.is(id, "img")) {
            if let Some(src) = page.value(image, "src") {
                let alt = page.value(image, "alt").unwrap_or_default();
                self.image = Some((src.to_owned(), alt.to_owned()));
                self.end_image();
            }
        }
    }

    /// First element of markup with this tag.
    fn element(&mut self, markup: &str, tag: &str) -> Option<(Page, Id)> {
        if !self.may_parse() {
            return None;
        }
        let Ok(document) = limits::check(markup).and_then(|()| parse::parse(markup)) else {
            self.is_partial = true;
            return None;
        };
        let page = Page::take(document);
        let id = (1..page.len()).find(|&id| page.is(id, tag))?;
        Some((page, id))
    }

    fn may_parse(&mut self) -> bool {
        self.parsed_parts += 1;
        self.is_partial |= self.parsed_parts > MAX_PARSED_PARTS;
        self.parsed_parts <= MAX_PARSED_PARTS
    }
}

/// True for a tag without attributes that is probably a type argument, as in `Vec<T>` or `Vec<String>`: one capital
/// letter, or a capitalized name with lower-case letters that is not `br` or an element for styled text.
fn is_type_argument(tag: &str) -> bool {
    let Some(name) = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>')) else { return false };
    let is_element =
        name.eq_ignore_ascii_case("br") || OpenStyle::of_tag(&name.to_ascii_lowercase()).is_some();
    let is_type = name.len() == 1 || name.contains(|c: char| c.is_ascii_lowercase()) && !is_element;
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && is_type
}
