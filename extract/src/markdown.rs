//! Reads Markdown: `CommonMark` with tables, footnotes, raw HTML and front matter.

mod raw_html;

use std::fmt::Write as _;

use pulldown_cmark::{
    Alignment, CodeBlockKind, Event, HeadingLevel, MetadataBlockKind, Options, Parser, Tag, TagEnd,
};
use url::Url;

use crate::{
    charset, clean,
    document::{Block, BlockKind, Container, Input, ListItemPosition, Picture},
    draft::{Draft, DraftResult},
    html::{
        cell::CellSpans,
        inline::{Inline, OpenStyle},
    },
    page::links,
};

/// Maximum number of parser events that are read. Nesting is not limited, because reading events does not
/// recurse.
const MAX_EVENTS: usize = 2_000_000;

#[expect(clippy::unnecessary_wraps, reason = "all readers in the format table have one type")]
pub(crate) fn read(input: &Input) -> DraftResult {
    Ok(read_text(&charset::decode(&input.bytes, input.content_type.as_deref()), input.url.as_deref()))
}

/// Reads the blocks and the front matter of a text into a draft.
pub(crate) fn read_text(text: &str, url: Option<&str>) -> Draft {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let base = url.and_then(|url| Url::parse(url).ok());
    let mut writer = BlockWriter { base: base.as_ref(), ..BlockWriter::default() };
    for event in Parser::new_ext(text, options).take(MAX_EVENTS) {
        writer.event(event);
    }
    writer.flush();
    writer.attach_pictures();
    let mut draft = writer.draft;
    if writer.is_partial {
        draft.report_missing_part();
    }
    draft.blocks = writer.out;
    if draft.title.is_none() {
        let heading = draft.blocks.iter().find(|block| block.kind == BlockKind::Heading);
        draft.title = heading.map(|block| clean::fold(&block.title()));
    }
    draft
}

#[derive(Default)]
struct BlockWriter<'b> {
    base: Option<&'b Url>,
    draft: Draft,
    out: Vec<Block>,
    inline: Inline,
    opened: Vec<usize>,
    lists: Vec<Option<u32>>,
    item: Option<ListItemPosition>,
    quotes: usize,
    footnotes: usize,
    /// Open quotes and list items, the outermost first.
    containers: Vec<Container>,
    /// Label of the footnote that begins next.
    note: Option<String>,
    /// Literal text of the open code block, front matter or HTML block.
    verbatim: Option<String>,
    code_language: Option<String>,
    table: Option<Vec<Vec<String>>>,
    /// Alignments of the columns of the current table.
    alignments: Vec<Alignment>,
    /// Links and footnote marks in the current table.
    table_spans: CellSpans,
    image: Option<(String, String)>,
    /// Images that are not blocks, each with the index of the block that contains its line.
    pictures: Vec<(usize, Picture)>,
    /// True in the line of a heading.
    is_heading: bool,
    /// Names of the open HTML tags in the current line, each with its span.
    tags: Vec<(String, usize)>,
    /// Number of parts of HTML that were parsed.
    parsed_parts: usize,
    /// True if HTML was omitted because of a limit.
    is_partial: bool,
}

impl BlockWriter<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => {
                let opened = self.inline.open(OpenStyle::Code);
                self.text(&code);
                self.inline.close(opened);
            }
            Event::InlineMath(formula) => {
                let opened = self.inline.open(OpenStyle::Math);
                self.text(&formula);
                self.inline.close(opened);
            }
            Event::DisplayMath(formula) => {
                self.flush();
                self.push(Block {
                    kind: BlockKind::Math,
                    text: formula.trim().to_owned(),
                    ..Block::default()
                });
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.inline.push_break(),
            Event::TaskListMarker(done) => self.text(if done { "[x] " } else { "[ ] " }),
            Event::FootnoteReference(name) => self.note_mark(&name),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            Event::Rule => self.flush(),
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(verbatim) = &mut self.verbatim {
            verbatim.push_str(text);
        } else if let Some((_, alt)) = &mut self.image {
            alt.push_str(text);
        } else {
            self.inline.push(text);
        }
    }

    fn note_mark(&mut self, label: &str) {
        if self.verbatim.is_none() && self.image.is_none() {
            self.inline.push_note(label);
        }
    }

    fn html(&mut self, html: &str) {
        if let Some(verbatim) = &mut self.verbatim {
            verbatim.push_str(html);
        } else {
            self.inline_tag(html);
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::DefinitionListTitle | Tag::DefinitionListDefinition => self.flush(),
            Tag::Heading { .. } => {
                self.flush();
                self.is_heading = true;
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
                self.containers.push(Container::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.verbatim = Some(String::new());
                self.code_language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',', '{']).next().filter(|word| !word.is_empty()).map(str::to_owned)
                    }
                    CodeBlockKind::Indented => None,
                };
            }
            Tag::HtmlBlock | Tag::MetadataBlock(_) => {
                self.flush();
                self.verbatim = Some(String::new());
            }
            Tag::List(start) => {
                self.flush();
                self.lists.push(start.map(|start| u32::try_from(start).unwrap_or(u32::MAX)));
            }
            Tag::Item => self.start_item(),
            Tag::FootnoteDefinition(name) => {
                self.flush();
                self.note = Some(name.to_string());
                self.footnotes += 1;
            }
            Tag::Table(alignments) => {
                self.flush();
                self.alignments = alignments;
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::Emphasis => self.open(OpenStyle::Emphasis),
            Tag::Strong => self.open(OpenStyle::Strong),
            Tag::Strikethrough => self.open(OpenStyle::Deleted),
            Tag::Link { dest_url, .. } => match links::resolve(self.base, &dest_url) {
                Some(url) => self.open(OpenStyle::Link(url)),
                None => self.opened.push(usize::MAX),
            },
            Tag::Image { dest_url, .. } => self.image = Some((dest_url.to_string(), String::new())),
            Tag::TableCell | Tag::Superscript | Tag::Subscript | Tag::DefinitionList => {}
        }
    }

    fn start_item(&mut self) {
        self.flush();
        let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
        let number = self.lists.last_mut().and_then(|next| {
            let number = *next;
            *next = next.map(|number| number.saturating_add(1));
            number
        });
        self.item = Some(ListItemPosition { depth, number });
        self.containers.push(Container::Item);
    }

    fn open(&mut self, style: OpenStyle) {
        let opened = self.inline.open(style);
        self.opened.push(opened);
    }

    fn end(&mut self, tag: TagEnd) {
        if let TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell = tag {
            self.close_tags();
        }
        match tag {
            TagEnd::Paragraph | TagEnd::DefinitionListTitle | TagEnd::DefinitionListDefinition => {
                self.flush();
            }
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
                self.containers.pop();
            }
            TagEnd::CodeBlock => {
                let text = self.verbatim.take().unwrap_or_default().trim_end().to_owned();
                let language = self.code_language.take();
                self.push(Block { kind: BlockKind::Code, text, language, ..Block::default() });
            }
            TagEnd::HtmlBlock => self.end_markup(),
            TagEnd::MetadataBlock(kind) => {
                let text = self.verbatim.take().unwrap_or_default();
                self.front_matter(&text, kind);
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.item = None;
                self.containers.pop();
            }
            TagEnd::FootnoteDefinition => {
                self.flush();
                self.footnotes = self.footnotes.saturating_sub(1);
                self.note = None;
            }
            TagEnd::TableCell => {
                let cell = self.inline.take().map_or(String::new(), |line| self.table_spans.add(line));
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.end_table(),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link => {
                if let Some(opened) = self.opened.pop().filter(|opened| *opened != usize::MAX) {
                    self.inline.close(opened);
                }
            }
            TagEnd::Image => self.end_image(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::DefinitionList => {}
        }
    }

    fn flush(&mut self) {
        let Some(line) = self.inline.take() else { return };
        let item = self.item.take();
        let kind = match item {
            _ if self.footnotes > 0 => BlockKind::Footnote,
            Some(_) => BlockKind::ListItem,
            None if self.quotes > 0 => BlockKind::Quote,
            None => BlockKind::Paragraph,
        };
        let note = self.note.take_if(|_| kind == BlockKind::Footnote);
        self.push(Block { note, list: item, ..line.into_block(kind) });
    }

    /// Appends a block, and assigns the enclosing quotes and list items to it.
    fn push(&mut self, mut block: Block) {
        let own = usize::from(block.kind == BlockKind::ListItem);
        let path = &self.containers[..self.containers.len().saturating_sub(own)];
        if block.kind != BlockKind::Footnote && path != block.containers() {
            block.within = path.to_vec();
        }
        self.out.push(block);
    }

    fn end_heading(&mut self, level: HeadingLevel) {
        self.is_heading = false;
        let Some(line) = self.inline.take() else { return };
        let level = Some(level as u8);
        let text = line.text.replace('\n', " ");
        self.push(Block { text, level, ..line.into_block(BlockKind::Heading) });
    }

    fn end_table(&mut self) {
        let rows = self.table.take().unwrap_or_default();
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            _ = writeln!(text, "| {} |", row.join(" | "));
            if index == 0 {
                let rule = |column: usize| match self.alignments.get(column) {
                    Some(Alignment::Left) => " :--- |",
                    Some(Alignment::Center) => " :---: |",
                    Some(Alignment::Right) => " ---: |",
                    Some(Alignment::None) | None => " --- |",
                };
                _ = writeln!(text, "|{}", (0..row.len()).map(rule).collect::<String>());
            }
        }
        text.truncate(text.trim_end().len());
        let table = std::mem::take(&mut self.table_spans).table_block(text);
        self.push(table);
    }

    /// Converts an image to a figure if it has meaningful text and is not inside a line. Other images are
    /// displayed next to their line.
    fn end_image(&mut self) {
        let Some((address, alt)) = self.image.take() else { return };
        let alt = clean::fold(&alt);
        let Some(src) = links::resolve_web(self.base, &address) else { return };
        let link = self.inline.open_link().map(str::to_owned);
        if self.table.is_some() || !self.inline.is_blank() || clean::words(&alt) < 2 {
            let alt = Some(alt).filter(|alt| !alt.is_empty());
            return self.pictures.push((self.out.len(), Picture { src, alt, link, after: true }));
        }
        self.push(Block {
            kind: BlockKind::Figure,
            text: alt.clone(),
            alt: Some(alt),
            src: Some(src),
            image_link: link,
            ..Block::default()
        });
    }

    /// Attaches each image that is not a block to the block of its line. If the line has no block, attaches
    /// the image to the last block.
    fn attach_pictures(&mut self) {
        let Some(last) = self.out.len().checked_sub(1) else { return };
        for (at, picture) in std::mem::take(&mut self.pictures) {
            self.out[at.min(last)].pictures.push(picture);
        }
    }

    /// Reads fields such as `name: value` (YAML) or `name = "value"` (TOML) at the top level of the front
    /// matter.
    fn front_matter(&mut self, text: &str, kind: MetadataBlockKind) {
        let separator = match kind {
            MetadataBlockKind::YamlStyle => ':',
            MetadataBlockKind::PlusesStyle => '=',
        };
        for line in text.lines().take(200).filter(|line| !line.starts_with([' ', '\t', '#', '-'])) {
            let Some((name, value)) = line.split_once(separator) else { continue };
            let value = clean::fold(value.trim().trim_matches(['"', '\'']));
            if value.is_empty() {
                continue;
            }
            match name.trim().to_ascii_lowercase().as_str() {
                "title" => self.draft.title = Some(value),
                "author" | "authors" => self.draft.author = Some(value.trim_matches(['[', ']']).to_owned()),
                "date" | "published" => self.draft.published_at = crate::metadata::normal_date(&value),
                "lang" | "language" => self.draft.language = Some(value),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
