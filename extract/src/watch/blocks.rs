//! Converts a part of a page to blocks. Each block is the text of one visible line.

use url::Url;

use super::{
    line_text::{PART_SEPARATOR, compose},
    marks,
    operation::Kind,
    part::PagePart,
    snapshot::SnapshotBlock,
};
use crate::{
    clean,
    feed::is_tracking,
    page::{Id, Page, is_inline, links},
};

/// Maximum number of blocks of a source.
pub(super) const MAX_BLOCKS: usize = 60_000;
/// Maximum number of links of a block.
const MAX_LINKS: usize = 40;
/// Maximum number of bytes of a list item that becomes one block. A longer item is split into paragraphs.
const MAX_ITEM_BYTES: usize = 800;
/// Separator between the cells of a table row.
pub(super) const CELL_SEPARATOR: &str = " | ";

/// Converts the visible text of a part of a page to blocks.
pub(super) fn walk(page: &Page, part: &PagePart, base: Option<&Url>) -> Vec<SnapshotBlock> {
    walk_within(page, part, base, &positions(page), MAX_BLOCKS)
}

/// Converts the beginning of a part of a page to blocks without links. The caller computes the positions of the
/// page once for all parts.
pub(super) fn beginning(
    page: &Page,
    part: &PagePart,
    positions: &[u32],
    max_blocks: usize,
) -> Vec<SnapshotBlock> {
    walk_within(page, part, None, positions, max_blocks)
}

fn walk_within(
    page: &Page,
    part: &PagePart,
    base: Option<&Url>,
    positions: &[u32],
    max_blocks: usize,
) -> Vec<SnapshotBlock> {
    let mut walker = SnapshotWalker {
        page,
        out: &part.excluded,
        max_blocks,
        positions,
        base,
        blocks: Vec::new(),
        line: LineBuilder::default(),
        kind: Kind::Paragraph,
        separator: None,
        list: 0,
        lists: 0,
        is_struck: false,
    };
    for &root in &part.roots {
        walker.node(root);
        walker.flush();
    }
    walker.blocks
}

#[derive(Default)]
struct LineBuilder {
    text: String,
    links: Vec<String>,
    position: u32,
    /// True after a part of the line. In that case, the separator is written before the next word.
    needs_separator: bool,
    /// True if the line consists of the text of a control.
    is_control: bool,
}

struct SnapshotWalker<'p> {
    page: &'p Page,
    out: &'p [bool],
    max_blocks: usize,
    positions: &'p [u32],
    base: Option<&'p Url>,
    blocks: Vec<SnapshotBlock>,
    line: LineBuilder,
    kind: Kind,
    /// Separator between the parts of an element that becomes one line. `None` outside such an element.
    separator: Option<&'static str>,
    list: u32,
    lists: u32,
    /// True inside a struck-out element.
    is_struck: bool,
}

impl SnapshotWalker<'_> {
    fn children(&mut self, id: Id) {
        let page = self.page;
        for child in page.children(id) {
            self.node(child);
        }
    }

    fn node(&mut self, id: Id) {
        if self.out[id] || self.blocks.len() >= self.max_blocks {
            return;
        }
        let page = self.page;
        if let Some(text) = page.text(id) {
            return self.push(text, self.positions[page.parent(id)]);
        }
        if let Some(digits) = marks::raised(page, id, &self.line.text) {
            self.line.text.push_str(&digits);
            return;
        }
        if let Some(words) = marks::control(page, id) {
            self.end_part();
            self.push(&words, self.positions[id]);
            self.line.is_control = self.separator.is_none();
            return self.end_part();
        }
        if !self.is_struck && marks::is_struck_line(page, id) {
            return self.struck(id);
        }
        match page.tag(id) {
            "br" | "hr" => self.end_part(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.one_line(id, Kind::Heading, " "),
            "pre" => self.code(id),
            "ul" | "ol" | "dl" | "table" if self.separator.is_none() => self.list(id),
            "li" | "dt" | "dd" => self.item(id),
            "tr" if is_row(page, id) => self.one_line(id, Kind::Row, CELL_SEPARATOR),
            "figcaption" => self.one_line(id, Kind::Figure, " "),
            "img" => self.image(id),
            "a" => self.link(id),
            tag if is_inline(tag) => self.children(id),
            _ => {
                self.end_part();
                self.children(id);
                self.end_part();
            }
        }
    }

    fn struck(&mut self, id: Id) {
        self.is_struck = true;
        self.push(marks::STRUCK, self.positions[self.page.parent(id)]);
        self.children(id);
        marks::close(&mut self.line.text);
        self.is_struck = false;
    }

    fn push(&mut self, text: &str, position: u32) {
        if self.line.needs_separator && !text.trim_ascii().is_empty() {
            self.line.needs_separator = false;
            let end = self.line.text.trim_end().len();
            self.line.text.truncate(end);
            if end > 0 {
                self.line.text.push_str(self.separator.unwrap_or(" "));
            }
        }
        if self.line.text.is_empty() {
            self.line.position = position;
        }
        clean::push_folded(&mut self.line.text, text);
    }

    /// Completes a part of an element that becomes one line. Outside such an element, completes the line.
    fn end_part(&mut self) {
        if self.separator.is_some() {
            self.line.needs_separator = true;
        } else {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        line.text.truncate(line.text.trim_end().len());
        clean::strip_controls(&mut line.text);
        if line.text.is_empty() || self.blocks.len() >= self.max_blocks {
            return;
        }
        let text = compose(line.text);
        self.blocks.push(SnapshotBlock {
            kind: self.kind,
            text,
            links: line.links,
            position: line.position,
            list: if self.kind.is_listed() { self.list } else { 0 },
            is_marginal: line.is_control,
        });
    }

    /// Converts an element to one block, with `separator` between its parts.
    fn one_line(&mut self, id: Id, kind: Kind, separator: &'static str) {
        if self.separator.is_some() {
            self.end_part();
            self.children(id);
            return self.end_part();
        }
        self.flush();
        let outer = std::mem::replace(&mut self.kind, kind);
        self.separator = Some(separator);
        self.line.position = self.positions[id];
        self.children(id);
        if !self.line.text.is_empty() && kind.is_listed() {
            self.line.position = self.positions[id];
        }
        self.flush();
        self.separator = None;
        self.kind = outer;
    }

    fn list(&mut self, id: Id) {
        self.flush();
        self.lists += 1;
        let outer = std::mem::replace(&mut self.list, self.lists);
        self.children(id);
        self.flush();
        self.list = outer;
    }

    fn item(&mut self, id: Id) {
        if self.is_short(id) {
            return self.one_line(id, Kind::ListItem, PART_SEPARATOR);
        }
        self.end_part();
        let outer = std::mem::replace(&mut self.kind, Kind::ListItem);
        // A long item is split into paragraphs. Their order matters, so they do not belong to the list.
        let list = std::mem::replace(&mut self.list, 0);
        self.children(id);
        self.end_part();
        self.list = list;
        self.kind = outer;
    }

    /// True if an item fits into one line: it has little text and contains no list.
    fn is_short(&self, id: Id) -> bool {
        let mut bytes = 0;
        for inner in self.page.descendants(id).filter(|&inner| !self.out[inner]) {
            bytes += self.page.text(inner).map_or(0, |text| text.trim().len());
            if bytes > MAX_ITEM_BYTES || matches!(self.page.tag(inner), "ul" | "ol" | "dl" | "table" | "pre")
            {
                return false;
            }
        }
        true
    }

    fn code(&mut self, id: Id) {
        self.end_part();
        if self.separator.is_some() {
            return self.children(id);
        }
        let outer = std::mem::replace(&mut self.kind, Kind::Code);
        for line in self.page.raw_text(id).lines() {
            self.push(line, self.positions[id]);
            self.flush();
        }
        self.kind = outer;
    }

    /// Adds an image with a meaningful description as its own block.
    fn image(&mut self, id: Id) {
        let Some(words) = self.page.value(id, "alt").filter(|words| words.split_whitespace().count() > 2)
        else {
            return;
        };
        if self.separator.is_some() {
            return;
        }
        self.flush();
        let outer = std::mem::replace(&mut self.kind, Kind::Figure);
        self.push(words, self.positions[id]);
        self.flush();
        self.kind = outer;
    }

    fn link(&mut self, id: Id) {
        self.children(id);
        if self.line.text.is_empty() || self.line.links.len() >= MAX_LINKS {
            return;
        }
        let url = self.page.value(id, "href").and_then(|href| links::resolve(self.base, href));
        self.line.links.extend(url.map(stable_url));
    }
}

/// True for a row with several cells that contain only text. Rows of layout tables contain other blocks.
fn is_row(page: &Page, id: Id) -> bool {
    let mut cells = 0;
    for inner in page.descendants(id) {
        match page.tag(inner) {
            "td" | "th" => cells += 1,
            "table" | "ul" | "ol" | "pre" | "h1" | "h2" | "h3" | "section" | "article" | "form"
            | "blockquote" => {
                return false;
            }
            _ => {}
        }
    }
    cells > 1
}

/// URL without parameters that differ between visits.
pub(super) fn stable_url(url: String) -> String {
    let url = without_path_session(url);
    let Some((path, rest)) = url.split_once('?') else { return url };
    let (query, fragment) = rest.split_once('#').map_or((rest, None), |(query, end)| (query, Some(end)));
    let params: Vec<&str> = query.split('&').filter(|pair| !is_tracking(pair) && !is_session(pair)).collect();
    let mut text = path.to_owned();
    if !params.is_empty() {
        text.push('?');
        text.push_str(&params.join("&"));
    }
    if let Some(fragment) = fragment {
        text.push('#');
        text.push_str(fragment);
    }
    text
}

/// URL without `;jsessionid=…` at the end of its path.
fn without_path_session(mut url: String) -> String {
    let path = url.find(['?', '#']).unwrap_or(url.len());
    let start = url[..path].rfind(';').filter(|&at| is_session(&url[at + 1..path]));
    if let Some(start) = start {
        url.replace_range(start..path, "");
    }
    url
}

/// True for parameters that identify a session, a time or a cached copy.
fn is_session(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    matches!(
        name.as_str(),
        "sid"
            | "sessionid"
            | "session_id"
            | "session"
            | "phpsessid"
            | "jsessionid"
            | "aspsessionid"
            | "nonce"
            | "token"
            | "csrf"
            | "csrf_token"
            | "_"
            | "ts"
            | "timestamp"
            | "cb"
            | "cachebust"
            | "cachebuster"
            | "rnd"
            | "rand"
            | "random"
            | "_t"
            | "sig"
            | "signature"
            | "expires"
            | "x-amz-signature"
            | "x-amz-date"
    )
}

/// For each node, a hash of the tags, ids and classes from the root to it. Names with digits are omitted,
/// because many sites generate new names at each build.
pub(super) fn positions(page: &Page) -> Vec<u32> {
    let mut positions = vec![0x811c_9dc5_u32; page.len()];
    for id in 1..page.len() {
        let mut hash = positions[page.parent(id)];
        if !page.is_element(id) {
            positions[id] = hash;
            continue;
        }
        let mut put = |text: &str| {
            for byte in text.bytes().chain([0]) {
                hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            }
        };
        put(page.tag(id));
        for (name, value) in page.attributes(id) {
            if matches!(name, "class" | "id") {
                value
                    .split_ascii_whitespace()
                    .filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit()))
                    .for_each(&mut put);
            }
        }
        positions[id] = hash;
    }
    positions
}
