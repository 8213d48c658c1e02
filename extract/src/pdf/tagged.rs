//! Assembles tagged files by their structure, which identifies headings, lists and tables. Text outside the
//! structure is not read.

use std::collections::{BTreeMap, HashSet};

use super::{
    glyphs::{DOT, Glyph, PageGlyphs},
    grid::{self, GridCell},
    lines::{self, GlyphLine},
    tree::{ElementContent, StructureElement},
    words::DocumentWords,
};
use crate::{
    clean,
    document::{Block, BlockKind, ListItemPosition},
};

/// Bullets before list items.
const BULLETS: &[char] = &['•', '‣', '◦', '▪', '●', '■', '○', '–', '-', '*'];

/// Minimum share of a file's glyphs that its structure must contain.
const MIN_SHARE: f32 = 0.6;

/// Blocks from the structure. `None` if too much text is outside of it.
#[expect(clippy::cast_precision_loss, reason = "numbers of glyphs")]
pub(super) fn blocks(
    top: &StructureElement,
    pages: &BTreeMap<u32, PageGlyphs>,
    words: &DocumentWords,
) -> Option<Vec<Block>> {
    let mut writer = TaggedWriter::new(pages, words);
    writer.element(top, ElementContext::default());
    writer.flush();
    let written = |glyph: &&Glyph| glyph.character != DOT;
    let all: usize = pages.values().map(|page| page.glyphs.iter().filter(written).count()).sum();
    (writer.glyph_count as f32 >= all as f32 * MIN_SHARE && !writer.blocks.is_empty())
        .then_some(writer.blocks)
}

/// Context in which an element is converted.
#[derive(Debug, Clone, Copy, Default)]
struct ElementContext {
    quoted: bool,
    /// Number of enclosing lists.
    lists: u8,
}

struct TaggedWriter<'p> {
    pages: &'p BTreeMap<u32, PageGlyphs>,
    words: &'p DocumentWords,
    blocks: Vec<Block>,
    open: Block,
    /// Glyphs of the open block, by page.
    run: Vec<(u32, Vec<Glyph>)>,
    /// True if an element has already determined the kind of the open block.
    named: bool,
    glyph_count: usize,
    /// Page number and id of content that was already read, so that it is not read again.
    taken: HashSet<(u32, i64)>,
}

impl<'p> TaggedWriter<'p> {
    fn new(pages: &'p BTreeMap<u32, PageGlyphs>, words: &'p DocumentWords) -> Self {
        Self {
            pages,
            words,
            blocks: Vec::new(),
            open: Block::default(),
            run: Vec::new(),
            named: false,
            glyph_count: 0,
            taken: HashSet::new(),
        }
    }

    fn element(&mut self, element: &StructureElement, context: ElementContext) {
        let kind = match element.role.as_str() {
            "H" | "H1" | "H2" | "H3" | "H4" | "H5" | "H6" | "Title" => BlockKind::Heading,
            "P" | "TOCI" | "Caption" | "Index" => BlockKind::Paragraph,
            "Note" | "FENote" => BlockKind::Footnote,
            "Formula" if self.is_empty() => BlockKind::Math,
            "Code" if self.is_empty() => BlockKind::Code,
            "L" => return self.list(element, context),
            "BlockQuote" => {
                self.flush();
                self.children(element, ElementContext { quoted: true, ..context });
                return self.flush();
            }
            "Table" => {
                self.flush();
                return self.table(element);
            }
            "Figure" => return self.figure(element, context),
            "Artifact" => return,
            "Div" | "Sect" | "Art" | "Document" | "Part" | "TOC" | "Aside" => {
                self.flush();
                self.children(element, context);
                return self.flush();
            }
            _ => return self.children(element, context),
        };
        // The first paragraph in a list item is the text of the item.
        let item = self.open.kind == BlockKind::ListItem && self.is_empty() && kind == BlockKind::Paragraph;
        if !item {
            self.flush();
            self.open.kind = kind;
            self.open.level = (kind == BlockKind::Heading).then(|| level(&element.role));
            if context.quoted && kind == BlockKind::Paragraph {
                self.open.kind = BlockKind::Quote;
            }
        }
        self.named = true;
        self.children(element, context);
        self.flush();
    }

    fn children(&mut self, element: &StructureElement, context: ElementContext) {
        for inner in &element.inner {
            match inner {
                ElementContent::Element(inner) => self.element(inner, context),
                ElementContent::Content(page, content) => {
                    if self.is_empty()
                        && !self.named
                        && context.quoted
                        && self.open.kind == BlockKind::Paragraph
                    {
                        self.open.kind = BlockKind::Quote;
                    }
                    self.content(*page, *content);
                }
            }
        }
    }

    fn content(&mut self, page: u32, content: i64) {
        let glyphs = self.contents(page, content);
        self.glyph_count += glyphs.len();
        match self.run.last_mut() {
            Some((last, run)) if *last == page => run.extend(glyphs),
            _ if glyphs.is_empty() => {}
            _ => self.run.push((page, glyphs)),
        }
    }

    fn contents(&mut self, page: u32, content: i64) -> Vec<Glyph> {
        let Some(page_glyphs) = self.pages.get(&page).filter(|_| self.taken.insert((page, content))) else {
            return Vec::new();
        };
        let ranges = page_glyphs.contents.get(&content).into_iter().flatten();
        ranges.flat_map(|range| page_glyphs.glyphs.get(range.clone()).unwrap_or_default()).copied().collect()
    }

    /// Collects the content of an element and its descendants.
    fn gather(&mut self, element: &StructureElement, run: &mut Vec<(u32, Vec<Glyph>)>) {
        for inner in &element.inner {
            match inner {
                ElementContent::Element(inner) => self.gather(inner, run),
                ElementContent::Content(page, content) => run.push((*page, self.contents(*page, *content))),
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.run.iter().all(|(_, glyphs)| glyphs.iter().all(|glyph| glyph.character.is_whitespace()))
    }

    fn list(&mut self, list: &StructureElement, context: ElementContext) {
        self.flush();
        let within = ElementContext { lists: context.lists.saturating_add(1), ..context };
        for inner in &list.inner {
            let ElementContent::Element(item) = inner else { continue };
            match item.role.as_str() {
                "L" => self.list(item, within),
                "Caption" => self.element(item, context),
                _ => self.item(item, within),
            }
        }
        self.flush();
    }

    fn item(&mut self, item: &StructureElement, context: ElementContext) {
        self.flush();
        let label = item.inner.iter().find_map(|inner| match inner {
            ElementContent::Element(label) if label.role == "Lbl" => Some(self.label(label)),
            _ => None,
        });
        let number = label.as_deref().and_then(|label| {
            let digits: String = label.chars().filter(char::is_ascii_digit).collect();
            digits.parse().ok()
        });
        self.open.kind = BlockKind::ListItem;
        self.open.list = Some(ListItemPosition { depth: context.lists.saturating_sub(1), number });
        for inner in &item.inner {
            match inner {
                ElementContent::Element(label) if label.role == "Lbl" => {}
                ElementContent::Element(inner) => self.element(inner, context),
                ElementContent::Content(page, content) => self.content(*page, *content),
            }
        }
        self.flush();
    }

    fn label(&mut self, label: &StructureElement) -> String {
        let mut run = Vec::new();
        self.gather(label, &mut run);
        self.glyph_count += run.iter().map(|(_, glyphs)| glyphs.len()).sum::<usize>();
        text_of(&run, self.words, self.pages)
    }

    fn table(&mut self, table: &StructureElement) {
        let mut rows = Vec::new();
        let mut captions = Vec::new();
        rows_of(table, &mut rows, &mut captions, 0);
        let mut page = None;
        for caption in captions {
            let text = self.label(caption);
            self.blocks.push(Block { text, page: first_page(caption), caption: true, ..Block::default() });
        }
        let cells = rows.into_iter().map(|row| {
            let cells = row.inner.iter().filter_map(|inner| match inner {
                ElementContent::Element(cell) if matches!(cell.role.as_str(), "TD" | "TH") => Some(cell),
                _ => None,
            });
            let cells = cells.map(|cell| {
                page = page.or(first_page(cell));
                GridCell { text: self.label(cell), rows: cell.spans.0, columns: cell.spans.1 }
            });
            cells.collect()
        });
        let cells: Vec<Vec<GridCell>> = cells.collect();
        if let Some(text) = grid::markdown(cells) {
            self.blocks.push(Block { kind: BlockKind::Table, text, page, ..Block::default() });
        }
    }

    fn figure(&mut self, figure: &StructureElement, context: ElementContext) {
        let Some(alt) = figure.alt.as_deref().map(clean::fold) else { return self.children(figure, context) };
        self.flush();
        self.label(figure);
        let block = Block {
            kind: BlockKind::Figure,
            text: alt.clone(),
            page: first_page(figure),
            ..Block::default()
        };
        self.blocks.push(Block { alt: Some(alt), ..block });
    }

    /// Creates a block from the collected glyphs.
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let mut block = std::mem::take(&mut self.open);
        let named = std::mem::take(&mut self.named);
        let Some((page, _)) = run.first() else { return };
        block.page = Some(*page);
        let lines = lines_of(&run, self.pages);
        let mono = !lines.is_empty() && lines.iter().all(|line| line.mono);
        if block.kind == BlockKind::Code
            || mono && block.kind == BlockKind::Paragraph && (!named || lines.len() > 1)
        {
            block.kind = BlockKind::Code;
            block.text = lines::code(&lines);
        } else {
            block.text = joined(&lines, self.words);
        }
        if block.kind == BlockKind::ListItem {
            let text = std::mem::take(&mut block.text);
            text.trim_start_matches(BULLETS).trim_start().clone_into(&mut block.text);
        }
        if !block.text.trim().is_empty() {
            self.blocks.push(block);
        }
    }
}

fn level(role: &str) -> u8 {
    role.chars()
        .find_map(|c| c.to_digit(10))
        .and_then(|level| u8::try_from(level).ok())
        .unwrap_or(1)
        .clamp(1, 6)
}

fn rows_of<'e>(
    table: &'e StructureElement,
    rows: &mut Vec<&'e StructureElement>,
    captions: &mut Vec<&'e StructureElement>,
    depth: usize,
) {
    for inner in &table.inner {
        let ElementContent::Element(inner) = inner else { continue };
        match inner.role.as_str() {
            "TR" => rows.push(inner),
            "Caption" => captions.push(inner),
            _ if depth < 8 => rows_of(inner, rows, captions, depth + 1),
            _ => {}
        }
    }
}

fn first_page(element: &StructureElement) -> Option<u32> {
    element.inner.iter().find_map(|inner| match inner {
        ElementContent::Content(page, _) => Some(*page),
        ElementContent::Element(inner) => first_page(inner),
    })
}

/// Combines glyphs into lines, with gaps of any width between words, as in justified text or with tabs.
fn lines_of(run: &[(u32, Vec<Glyph>)], pages: &BTreeMap<u32, PageGlyphs>) -> Vec<GlyphLine> {
    let height = |page: u32| pages.get(&page).map_or(0.0, |page| page.height);
    run.iter().flat_map(|(page, glyphs)| lines::of(*page, height(*page), glyphs, 60.0)).collect()
}

fn joined(lines: &[GlyphLine], words: &DocumentWords) -> String {
    let mut text = String::new();
    for line in lines {
        words.join(&mut text, line.text.trim());
    }
    clean::fold(&text)
}

fn text_of(run: &[(u32, Vec<Glyph>)], words: &DocumentWords, pages: &BTreeMap<u32, PageGlyphs>) -> String {
    joined(&lines_of(run, pages), words)
}
