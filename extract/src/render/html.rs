//! Renders an article as semantic HTML for the reading page. The HTML is sanitised as the last step. It does
//! not load anything from the network.

use std::fmt::Write as _;
use std::{borrow::Cow, ops::Range, sync::LazyLock};

use ammonia::Builder;

use super::spans::{SpanStep, steps};
use crate::{
    document::{Block, BlockKind, Container, Mark, Picture, Style},
    scripts,
};

/// Renders blocks as HTML. The first element of each block has `id="p<anchor>"`. Images become links with
/// their alternative text.
pub fn html(blocks: &[Block]) -> String {
    SANITIZER.clean(&render_blocks(blocks, false)).to_string()
}

/// Renders blocks as `html` does, but the link of each image contains an `img` with the original URL. The
/// caller must replace that URL with a URL of this service, because nothing may be loaded from other hosts.
pub fn html_with_pictures(blocks: &[Block]) -> String {
    WITH_PICTURES.clean(&render_blocks(blocks, true)).to_string()
}

fn render_blocks(blocks: &[Block], with_pictures: bool) -> String {
    let mut writer = HtmlWriter { with_pictures, ..HtmlWriter::default() };
    for block in blocks {
        writer.push(block);
    }
    writer.close(0);
    writer.close_footnotes();
    writer.flush_caption();
    writer.out
}

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = sanitizer();
    builder.rm_tags(["img"]);
    builder
});

static WITH_PICTURES: LazyLock<Builder<'static>> = LazyLock::new(sanitizer);

fn sanitizer() -> Builder<'static> {
    let mut builder = Builder::default();
    builder
        .link_rel(Some("noopener nofollow"))
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(ammonia::UrlRelative::Custom(Box::new(within)))
        .rm_tags(["map", "area"])
        .rm_generic_attributes(["title"])
        .add_generic_attributes(["id"])
        .add_allowed_classes("code", ["math"])
        .add_allowed_classes("p", ["image"])
        .add_allowed_classes("section", ["footnotes"])
        .add_allowed_classes("div", ["scroll"])
        .add_tag_attributes("pre", ["tabindex"])
        .add_tag_attributes("div", ["tabindex", "role", "aria-label"])
        .add_tag_attributes("code", ["data-language"])
        .add_tag_attributes("th", ["scope"])
        .add_tag_attributes("ol", ["start"])
        .add_tag_attributes("li", ["value"])
        .add_tags(["section"])
        .id_prefix(None);
    builder
}

/// Allows links within the page only if they lead to a block.
fn within(url: &str) -> Option<Cow<'_, str>> {
    let number = url.strip_prefix("#p")?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(Cow::Borrowed(url))
}

#[derive(Default)]
struct HtmlWriter {
    out: String,
    with_pictures: bool,
    /// Open quotes and lists, the outermost first. Each open list has an open item.
    open: Vec<OpenElement>,
    is_in_footnotes: bool,
    /// Caption for the table that follows.
    caption: Option<String>,
    /// Number of tables so far.
    tables: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OpenElement {
    Quote,
    /// Tag of a list, and the number of its last item.
    List(&'static str, u32),
}

impl OpenElement {
    fn is(self, container: Container) -> bool {
        matches!((self, container), (Self::Quote, Container::Quote) | (Self::List(..), Container::Item))
    }
}

impl HtmlWriter {
    fn push(&mut self, block: &Block) {
        if block.kind != BlockKind::Table {
            self.flush_caption();
        }
        if block.kind != BlockKind::Footnote {
            self.close_footnotes();
        }
        self.enter(block);
        // HTML does not allow content between two list items.
        let is_after = |picture: &&Picture| picture.after || block.kind == BlockKind::ListItem;
        self.push_pictures(block.pictures.iter().filter(|picture| !is_after(picture)));
        self.push_block(block);
        self.push_pictures(block.pictures.iter().filter(is_after));
    }

    /// Closes and opens quotes and lists until they are the containers of the block. A list item is opened
    /// only if the block itself begins a list item.
    fn enter(&mut self, block: &Block) {
        let is_item = block.kind == BlockKind::ListItem;
        let mut path = Vec::new();
        for container in block.containers() {
            let is_open = self.open.get(path.len()).is_some_and(|open| open.is(container));
            if is_item || is_open || container == Container::Quote {
                path.push(container);
            }
        }
        let common = self.open.iter().zip(&path).take_while(|(open, container)| open.is(**container)).count();
        // The list of the previous item remains open for the next item.
        let is_next_item = is_item && common == path.len();
        self.close(if is_next_item { common + 1 } else { common });
        for container in &path[common..] {
            self.out.push_str(match container {
                Container::Quote => "<blockquote>\n",
                Container::Item => "<ul>\n<li>",
            });
            self.open.push(match container {
                Container::Quote => OpenElement::Quote,
                Container::Item => OpenElement::List("ul", 0),
            });
        }
    }

    fn push_block(&mut self, block: &Block) {
        let id = block.anchor;
        let body = inline(block);
        match block.kind {
            BlockKind::Heading => {
                let level = block.level.unwrap_or(2).clamp(2, 6);
                _ = writeln!(self.out, "<h{level} id=\"p{id}\">{body}</h{level}>");
            }
            BlockKind::ListItem => self.push_item(block, &body),
            BlockKind::Code => {
                let language = block.language.as_deref().map(escape);
                let named = language.map_or(String::new(), |name| format!(" data-language=\"{name}\""));
                _ = writeln!(
                    self.out,
                    "<pre id=\"p{id}\" tabindex=\"0\"><code{named}>{}</code></pre>",
                    escape(&block.text)
                );
            }
            BlockKind::Math => {
                _ = writeln!(
                    self.out,
                    "<p id=\"p{id}\"><code class=\"math\">{}</code></p>",
                    escape(&block.text)
                );
            }
            BlockKind::Table => self.push_table(block),
            BlockKind::Figure => self.push_figure(block, &body),
            BlockKind::Footnote => {
                if !self.is_in_footnotes {
                    self.out.push_str("<section class=\"footnotes\">\n");
                    self.is_in_footnotes = true;
                }
                self.push_footnote(block, &body);
            }
            BlockKind::Paragraph if block.caption => {
                self.caption = Some(format!("<caption id=\"p{id}\">{body}</caption>\n"));
            }
            BlockKind::Paragraph | BlockKind::Quote | BlockKind::Transcript => {
                _ = writeln!(self.out, "<p id=\"p{id}\">{body}</p>");
            }
        }
    }

    /// Renders a caption that is not followed by its table as a paragraph.
    fn flush_caption(&mut self) {
        if let Some(caption) = self.caption.take() {
            self.out.push_str(&caption.replace("<caption", "<p").replace("</caption>", "</p>"));
        }
    }

    fn close_footnotes(&mut self) {
        if std::mem::take(&mut self.is_in_footnotes) {
            self.out.push_str("</section>\n");
        }
    }

    fn push_item(&mut self, block: &Block, body: &str) {
        let depth = block.containers().len();
        let number = block.list.and_then(|position| position.number);
        let tag = if number.is_some() { "ol" } else { "ul" };
        let mut value = String::new();
        match self.open.get_mut(depth) {
            Some(OpenElement::List(open, last)) if *open == tag => {
                // Browsers assign each item the number of the previous item plus one.
                if let Some(number) = number.filter(|&number| number != last.saturating_add(1)) {
                    value = format!(" value=\"{number}\"");
                }
                *last = number.unwrap_or_default();
                self.out.push_str("</li>\n");
            }
            _ => {
                self.close(depth);
                let opening = match number.filter(|&number| number != 1) {
                    Some(number) => format!("<ol start=\"{number}\">\n"),
                    None => format!("<{tag}>\n"),
                };
                self.out.push_str(&opening);
                self.open.push(OpenElement::List(tag, number.unwrap_or_default()));
            }
        }
        _ = write!(self.out, "<li id=\"p{}\"{value}>{body}", block.anchor);
    }

    fn close(&mut self, count: usize) {
        while self.open.len() > count {
            match self.open.pop() {
                Some(OpenElement::List(tag, _)) => _ = write!(self.out, "</li>\n</{tag}>\n"),
                Some(OpenElement::Quote) => self.out.push_str("</blockquote>\n"),
                None => {}
            }
        }
    }

    /// Renders a footnote with its label, and with a link to each block that refers to it.
    fn push_footnote(&mut self, block: &Block, body: &str) {
        _ = write!(self.out, "<p id=\"p{}\">", block.anchor);
        if let Some(label) = &block.note {
            _ = write!(self.out, "<sup>{}</sup> ", escape(label));
        }
        self.out.push_str(body);
        let own = block.note.as_ref();
        for note in block.notes.iter().filter(|note| Some(&note.label) == own) {
            _ = write!(self.out, " <a href=\"#p{}\">↩</a>", note.anchor);
        }
        self.out.push_str("</p>\n");
    }

    /// Renders a table in a focusable frame, so that wide tables can be scrolled by keyboard. The frames of an
    /// article are numbered, because landmarks need different names (WAI-ARIA 1.2, `region`).
    fn push_table(&mut self, block: &Block) {
        let id = block.anchor;
        self.tables += 1;
        let number = self.tables;
        _ = writeln!(
            self.out,
            "<div id=\"p{id}\" class=\"scroll\" role=\"region\" aria-label=\"Table {number}\" tabindex=\"0\">"
        );
        self.out.push_str("<table>\n");
        if let Some(caption) = self.caption.take() {
            self.out.push_str(&caption);
        }
        let headed = block.text.lines().nth(1).is_some_and(is_rule);
        for (index, line) in block.text.lines().enumerate() {
            if index == 1 && headed {
                continue;
            }
            let is_head = index == 0 && headed;
            self.out.push_str(if is_head { "<thead>\n<tr>" } else { "<tr>" });
            for range in cells(block, line) {
                let (text, marks) = cell_content(block, range);
                let text = linked_notes(&marked(&text, &marks, block), block);
                _ = if is_head {
                    write!(self.out, "<th scope=\"col\">{text}</th>")
                } else {
                    write!(self.out, "<td>{text}</td>")
                };
            }
            self.out.push_str(if is_head { "</tr>\n</thead>\n<tbody>\n" } else { "</tr>\n" });
        }
        self.out.push_str(if headed { "</tbody>\n</table>\n</div>\n" } else { "</table>\n</div>\n" });
    }

    /// Renders pictures that are not blocks, if pictures are included in the output.
    fn push_pictures<'b>(&mut self, pictures: impl Iterator<Item = &'b Picture>) {
        for picture in pictures.filter(|_| self.with_pictures) {
            let (src, alt) = (escape(&picture.src), escape(picture.alt.as_deref().unwrap_or_default()));
            let href = picture.link.as_deref().map_or_else(|| src.clone(), escape);
            _ = writeln!(
                self.out,
                "<p class=\"image\"><a href=\"{href}\"><img src=\"{src}\" alt=\"{alt}\"></a></p>"
            );
        }
    }

    fn push_figure(&mut self, block: &Block, body: &str) {
        _ = writeln!(self.out, "<figure id=\"p{}\">", block.anchor);
        if let Some(src) = &block.src {
            let words = block.alt.as_deref().filter(|alt| !alt.is_empty()).unwrap_or("Image");
            let (src, words) = (escape(src), escape(words));
            let href = block.image_link.as_deref().map_or_else(|| src.clone(), escape);
            let content = if self.with_pictures && !block.embedded {
                format!("<img src=\"{src}\" alt=\"{words}\">")
            } else {
                words
            };
            _ = writeln!(self.out, "<p class=\"image\"><a href=\"{href}\">{content}</a></p>");
        }
        if block.src.is_none() || block.alt.as_deref() != Some(block.text.as_str()) {
            _ = writeln!(self.out, "<figcaption>{body}</figcaption>");
        }
        self.out.push_str("</figure>\n");
    }
}

/// Renders a reference to a footnote. It becomes a link if the footnote exists.
fn note_link(block: &Block, label: &str) -> String {
    match block.notes.iter().find(|note| note.label == label) {
        Some(note) => format!("<sup><a href=\"#p{}\">{}</a></sup>", note.anchor, escape(label)),
        None => format!("<sup>{}</sup>", escape(label)),
    }
}

/// Replaces the footnote references in a cell by links.
fn linked_notes(cell: &str, block: &Block) -> String {
    block.notes.iter().fold(cell.to_owned(), |cell, note| {
        cell.replace(&format!("[^{}]", escape(&note.label)), &note_link(block, &note.label))
    })
}

pub(super) fn is_rule(line: &str) -> bool {
    line.contains("---") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// Byte ranges of the cells in one line of a table.
fn cells(block: &Block, line: &str) -> Vec<Range<usize>> {
    let start = line.as_ptr().addr() - block.text.as_ptr().addr();
    let trimmed = line.trim();
    let inner = trimmed.strip_prefix('|').unwrap_or(trimmed);
    let inner = if inner.ends_with("\\|") { inner } else { inner.strip_suffix('|').unwrap_or(inner) };
    let offset = start + (inner.as_ptr().addr() - line.as_ptr().addr());
    let mut bounds = vec![0];
    let mut is_escaped = false;
    for (at, c) in inner.char_indices() {
        if c == '|' && !is_escaped {
            bounds.extend([at, at + 1]);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    bounds.push(inner.len());
    bounds.chunks(2).map(|bound| offset + bound[0]..offset + bound[1]).collect()
}

/// Text of a cell without escapes, and the marks in the cell.
fn cell_content(block: &Block, range: Range<usize>) -> (String, Vec<Mark>) {
    let raw = &block.text[range.clone()];
    let content = raw.trim();
    let start = range.start + (content.as_ptr().addr() - raw.as_ptr().addr());
    let end = start + content.len();
    let mut text = String::with_capacity(content.len());
    let mut removed = Vec::new();
    for (at, c) in content.char_indices() {
        if c == '\\' && content[at + 1..].starts_with('|') {
            removed.push(start + at);
        } else {
            text.push(c);
        }
    }
    let byte = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    let position = |at: u32| {
        let at = byte(at).clamp(start, end);
        let before = removed.iter().filter(|removed| **removed < at).count();
        u32::try_from(at - start - before).unwrap_or(u32::MAX)
    };
    let first = block.marks.partition_point(|mark| byte(mark.start) < start);
    let marks = block.marks[first..].iter().take_while(|mark| byte(mark.start) < end);
    let shifted =
        marks.map(|mark| Mark { start: position(mark.start), end: position(mark.end), style: mark.style });
    (text, shifted.filter(|mark| mark.start < mark.end).collect())
}

fn inline(block: &Block) -> String {
    marked(&block.text, &block.marks, block)
}

/// Renders a part of a block's text with its marks as HTML.
fn marked(text: &str, marks: &[Mark], block: &Block) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut script = None;
    for step in steps(text, marks) {
        match step {
            SpanStep::Text(text) if script == Some(Style::Note) => {
                let label = text.trim_start_matches("[^").trim_end_matches(']');
                out.push_str(&note_link(block, label));
            }
            SpanStep::Text(text) if script.is_some() => out.push_str(&escape(&scripts::original(text))),
            SpanStep::Start(style @ (Style::Note | Style::Superscript | Style::Subscript)) => {
                script = Some(style);
                out.push_str(match style {
                    Style::Superscript => "<sup>",
                    Style::Subscript => "<sub>",
                    _ => "",
                });
            }
            SpanStep::End(style @ (Style::Note | Style::Superscript | Style::Subscript)) => {
                script = None;
                out.push_str(match style {
                    Style::Superscript => "</sup>",
                    Style::Subscript => "</sub>",
                    _ => "",
                });
            }
            SpanStep::Text(text) => out.push_str(&escape(text).replace('\n', "<br>\n")),
            SpanStep::Start(Style::Strong) => out.push_str("<strong>"),
            SpanStep::End(Style::Strong) => out.push_str("</strong>"),
            SpanStep::Start(Style::Emphasis) => out.push_str("<em>"),
            SpanStep::End(Style::Emphasis) => out.push_str("</em>"),
            SpanStep::Start(Style::Code) => out.push_str("<code>"),
            SpanStep::End(Style::Code | Style::Math) => out.push_str("</code>"),
            SpanStep::Start(Style::Math) => out.push_str("<code class=\"math\">"),
            SpanStep::Start(Style::Deleted) => out.push_str("<del>"),
            SpanStep::End(Style::Deleted) => out.push_str("</del>"),
            SpanStep::Start(Style::Link(index)) => {
                let url = usize::try_from(index).ok().and_then(|index| block.links.get(index));
                _ = write!(out, "<a href=\"{}\">", url.map_or(String::new(), |link| escape(&link.url)));
            }
            SpanStep::End(Style::Link(_)) => out.push_str("</a>"),
        }
    }
    out
}

/// Escapes a text for HTML, between tags or in a quoted attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
