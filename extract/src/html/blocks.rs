//! Converts the selected part of a page to typed blocks: headings, paragraphs, lists, quotes, code, tables,
//! figures, formulas and footnotes.

use url::Url;

use super::{
    code, code_lines, drawings,
    embeds::{self, is_embedded},
    enclosure::BlockEnclosure,
    equations,
    gaps::is_after_gap,
    image_sources::is_image,
    inline::{self, Inline, OpenStyle},
    main_part::is_noscript_content,
    math,
    notes::{Notes, is_footnote_id, is_footnotes},
    pictures::PagePictures,
    table,
    templates::{self, LayoutPlan, PostHeading},
};
use crate::{
    document::{Block, BlockKind, ListItemPosition, MAX_ITEM_NUMBER, Role, bound},
    page::{Id, Page, links},
};

/// Maximum number of siblings between a pronunciation (`rt`) and its brackets (`rp`).
const MAX_BRACKET_DISTANCE: usize = 8;

/// Result of converting a page to blocks.
#[derive(Debug, Default)]
pub(crate) struct Converted {
    pub(crate) blocks: Vec<Block>,
    /// True if a part is missing: a formula without TeX, an embed without URL, or images beyond the limit.
    pub(crate) is_partial: bool,
}

/// Converts the selected nodes of a subtree to draft blocks, arranged according to `plan`.
pub(crate) fn convert(
    page: &Page,
    root: Id,
    keep: &[bool],
    base: Option<&Url>,
    plan: &LayoutPlan,
) -> Converted {
    let mut walker = Walker::new(page, keep, base, plan);
    walker.children(root);
    walker.flush();
    let Walker { out: mut blocks, pictures, mut inline_notes, is_partial, .. } = walker;
    blocks.append(&mut inline_notes);
    let is_partial = is_partial || pictures.is_cut();
    pictures.attach(&mut blocks);
    Converted { blocks, is_partial }
}

/// Converts a subtree and returns only its blocks.
#[cfg(test)]
pub(crate) fn walk(
    page: &Page,
    root: Id,
    keep: &[bool],
    base: Option<&Url>,
    plan: &LayoutPlan,
) -> Vec<Block> {
    convert(page, root, keep, base, plan).blocks
}

struct Level {
    ordered: bool,
    reversed: bool,
    next: u32,
}

pub(super) struct Walker<'p> {
    pub(super) page: &'p Page,
    pub(super) keep: &'p [bool],
    pub(super) base: Option<&'p Url>,
    plan: &'p LayoutPlan,
    pub(super) out: Vec<Block>,
    pub(super) inline: Inline,
    pub(super) pictures: PagePictures,
    notes: Notes,
    /// Footnotes that are inside the current line. They are appended after it.
    inline_notes: Vec<Block>,
    /// Label of the current footnote, and true if a block already has the label.
    note: Option<(String, bool)>,
    quotes: u32,
    footnotes: u32,
    lists: Vec<Level>,
    /// List position of the next line, set for the first line of a list item.
    pub(super) item: Option<ListItemPosition>,
    enclosure: BlockEnclosure,
    /// Blocks to append after the current line.
    after_line: Vec<Block>,
    /// Index in `out` of the first block of the table whose cells are being read.
    pub(super) table: Option<usize>,
    /// True inside a data table cell without text.
    pub(super) is_blank_cell: bool,
    /// True if part of the page could not be converted.
    pub(super) is_partial: bool,
}

impl<'p> Walker<'p> {
    fn new(page: &'p Page, keep: &'p [bool], base: Option<&'p Url>, plan: &'p LayoutPlan) -> Self {
        Self {
            page,
            keep,
            base,
            plan,
            out: Vec::new(),
            inline: Inline::default(),
            pictures: PagePictures::default(),
            notes: Notes::find(page, keep, &plan.notes),
            inline_notes: Vec::new(),
            note: None,
            quotes: 0,
            footnotes: 0,
            lists: Vec::new(),
            item: None,
            enclosure: BlockEnclosure::default(),
            after_line: Vec::new(),
            table: None,
            is_blank_cell: false,
            is_partial: false,
        }
    }

    pub(super) fn children(&mut self, id: Id) {
        let page = self.page;
        let mut before = None;
        for child in page.children(id) {
            if before.is_some_and(|before| is_after_gap(page, before, child)) {
                self.inline.push(" ");
            }
            self.node(child);
            before = Some(child);
        }
    }

    pub(super) fn node(&mut self, id: Id) {
        if let Some(text) = self.page.text(id) {
            if self.keep[id] {
                self.inline.push(text);
            }
            return;
        }
        if let Some(heading) = self.plan.posts.get(&id) {
            return self.post(id, heading);
        }
        if self.plan.cards.contains(&id) {
            return self.card(id);
        }
        let is_selected = self.keep[id] || self.keep[self.page.parent(id)];
        if let Some(label) = self.notes.mark(id).filter(|_| is_selected) {
            self.inline.push_note(label);
            // A footnote reference can contain its footnote.
            let inner = self.page.descendants(id).find(|&inner| self.notes.note(inner).is_some());
            return inner.into_iter().for_each(|inner| self.node(inner));
        }
        if let Some((label, text)) = self.notes.titled(id).filter(|_| is_selected) {
            self.inline.push_note(label);
            let (text, note) = (text.clone(), Some(label.clone()));
            return self.inline_notes.push(Block {
                kind: BlockKind::Footnote,
                text,
                note,
                ..Block::default()
            });
        }
        if let Some(label) = self.notes.note(id).filter(|_| self.note.is_none()).map(str::to_owned) {
            return self.footnote(id, label);
        }
        if let Some((label, _)) = &self.note
            && self.notes.is_back_link(self.page, id, label)
        {
            return;
        }
        self.element(id);
    }

    /// Converts a footnote. If it is inside a line, it is appended after that line.
    fn footnote(&mut self, id: Id, label: String) {
        let page = self.page;
        let is_inline = [id, page.parent(id)].iter().any(|&id| page.is_inline(id) || page.is(id, "button"));
        let mut outer_line = (Inline::default(), None, Vec::new());
        if is_inline {
            let after_line = std::mem::take(&mut self.after_line);
            outer_line = (std::mem::take(&mut self.inline), self.item.take(), after_line);
        } else {
            self.flush();
        }
        let opened = self.out.len();
        self.note = Some((label, false));
        self.footnotes += 1;
        self.element(id);
        self.flush();
        self.footnotes -= 1;
        self.note = None;
        if is_inline {
            self.inline_notes.extend(self.out.split_off(opened));
            (self.inline, self.item, self.after_line) = outer_line;
        }
    }

    fn element(&mut self, id: Id) {
        let Some(&role) = self.plan.roles.get(&id) else { return self.tagged(id) };
        self.flush();
        let (opened, picture_count) = (self.out.len(), self.pictures.count());
        self.tagged(id);
        self.flush();
        for block in &mut self.out[opened..] {
            block.role = block.role.or(Some(role));
        }
        if matches!(role, Role::Credit | Role::Note | Role::Comment | Role::Teaser) {
            self.pictures.truncate(picture_count);
        }
    }

    fn tagged(&mut self, id: Id) {
        let page = self.page;
        if let Some(formula) = math::of_element(page, id) {
            return self.formula(id, formula);
        }
        if math::is_unconverted(page, id) {
            // A formula without text is not selected itself. It is treated as missing if its parent or
            // grandparent is selected.
            self.is_partial |= page.ancestors(id).take(2).any(|above| self.keep[above]);
        }
        match page.tag(id) {
            "input" if self.item.is_some() && self.inline.is_blank() => self.task(id),
            "script" | "div" | "blockquote" if embeds::is_widget(page, id) => self.embed(id),
            "script" | "style" | "template" | "head" | "select" | "textarea" | "input" | "dialog"
            | "link" | "meta" | "title" | "annotation" => {}
            "svg" | "canvas" => self.drawing(id),
            "noscript" if !is_noscript_content(page, id) => self.noscript_media(id),
            _ if code_lines::is_editor(page, id) => self.code_block(id),
            "br" => self.line_break(),
            "hr" => self.flush(),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(id),
            "pre" => self.code_block(id),
            "blockquote" if !templates::is_post_text(page, id) => self.quote(id),
            "ul" | "ol" | "menu" | "dir" => self.list(id),
            "li" => self.list_item(id),
            "dt" | "dd" => self.definition(id),
            "table" => self.table(id),
            "td" | "th" if self.table.is_some() => {
                let outer = self.is_blank_cell;
                self.is_blank_cell = is_without_text(page, id);
                self.block_element(id);
                self.is_blank_cell = outer;
            }
            "figure" => self.figure(id),
            "img" | "picture" => self.image(id),
            _ if is_image(page, id) => self.image(id),
            _ if self.keep[id] && drawings::is_content(page, id) => self.drawing(id),
            "object" => self.object(id),
            tag if is_embedded(tag) => self.embed(id),
            "rt" if !is_parenthesised(page, id) => self.annotation(id),
            "button" if is_copy_button(page, id) => {}
            _ if math::is_rendering(page, id) => {}
            _ if page.is_inline(id) => self.inline_element(id),
            _ => self.block_element(id),
        }
    }

    /// Completes the current line and appends it as a block.
    pub(super) fn flush(&mut self) {
        if let Some(line) = self.inline.take() {
            self.push_line(line);
        }
        for block in std::mem::take(&mut self.after_line) {
            self.push_block(block);
        }
        if self.note.is_none() {
            self.out.append(&mut self.inline_notes);
        }
    }

    /// Appends a block, and assigns the enclosing quotes and list items to it.
    pub(super) fn push_block(&mut self, mut block: Block) {
        if block.kind != BlockKind::Footnote && self.table.is_none() {
            self.enclosure.assign(&mut block);
        }
        self.out.push(block);
    }

    /// Appends a block, after the current line if a line is open.
    pub(super) fn push_after_line(&mut self, block: Block) {
        if self.inline.is_blank() {
            self.flush();
            self.push_block(block);
        } else {
            self.after_line.push(block);
        }
    }

    fn push_line(&mut self, line: inline::InlineLine) {
        let position = self.item.take();
        let kind = if self.footnotes > 0 {
            BlockKind::Footnote
        } else if position.is_some() {
            BlockKind::ListItem
        } else if self.quotes > 0 {
            BlockKind::Quote
        } else {
            BlockKind::Paragraph
        };
        let note = self.note.as_mut().filter(|(_, is_assigned)| !is_assigned).map(|(label, is_assigned)| {
            *is_assigned = true;
            label.clone()
        });
        self.push_block(Block { list: position, note, ..line.into_block(kind) });
    }

    fn line_break(&mut self) {
        if self.inline.has_trailing_break() {
            self.flush();
        } else {
            self.inline.push_break();
        }
    }

    fn block_element(&mut self, id: Id) {
        let notes = u32::from(is_footnotes(self.page, id));
        // The checkbox of a task belongs to the first line of its list item.
        if self.item.is_none() || !self.inline.is_check_box() {
            self.flush();
        }
        self.footnotes += notes;
        self.children(id);
        self.flush();
        self.footnotes -= notes;
    }

    /// Appends a post as a section under its own heading.
    fn post(&mut self, id: Id, heading: &PostHeading) {
        self.flush();
        let (lists, enclosure) = (std::mem::take(&mut self.lists), std::mem::take(&mut self.enclosure));
        self.item = None;
        let (text, level) = (heading.text.clone(), Some(heading.level));
        self.out.push(Block { kind: BlockKind::Heading, text, level, ..Block::default() });
        self.children(id);
        self.flush();
        (self.lists, self.enclosure) = (lists, enclosure);
    }

    /// Appends a card as one list item.
    fn card(&mut self, id: Id) {
        self.flush();
        let (lists, enclosure) = (std::mem::take(&mut self.lists), std::mem::take(&mut self.enclosure));
        self.item = None;
        let (opened, picture_count) = (self.out.len(), self.pictures.count());
        if self.page.is(id, "a") {
            self.inline_element(id);
        } else {
            self.children(id);
        }
        self.flush();
        self.pictures.truncate(picture_count);
        let blocks = self.out.split_off(opened);
        (self.lists, self.enclosure) = (lists, enclosure);
        self.out.extend(templates::join_as_item(blocks, 0));
    }

    fn heading(&mut self, id: Id) {
        self.flush();
        let item = self.item.take();
        let level = self.page.tag(id).as_bytes().get(1).map(|digit| digit - b'0');
        let opened = self.out.len();
        let quotes = std::mem::take(&mut self.quotes);
        self.children(id);
        self.flush();
        self.quotes = quotes;
        // Blocks inside a heading are lines of the heading. Figures and footnotes are appended after it.
        let inner = self.out.split_off(opened);
        let follows =
            |block: &Block| block.kind == BlockKind::Figure || self.note.is_none() && block.note.is_some();
        let (others, lines): (Vec<_>, Vec<_>) = inner.into_iter().partition(follows);
        let text = lines.iter().map(|block| block.text.replace('\n', " ")).collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            let first = lines.into_iter().next().unwrap_or_default();
            let marks = if first.text == text { first.marks } else { Vec::new() };
            let (links, notes) = (first.links, first.notes);
            let kind = BlockKind::Heading;
            self.push_block(Block { kind, text, level, links, notes, marks, ..Block::default() });
        }
        self.out.extend(others);
        self.item = item;
    }

    fn quote(&mut self, id: Id) {
        self.flush();
        self.quotes += 1;
        let outer = self.enclosure.enter_quote();
        self.children(id);
        self.flush();
        self.enclosure.leave(outer);
        self.quotes -= 1;
    }

    fn list(&mut self, id: Id) {
        self.flush();
        let page = self.page;
        let reversed = page.attribute(id, "reversed").is_some();
        // A reversed list counts down to 1.
        let items = || page.children(id).filter(|&child| page.is(child, "li")).count();
        let first = || if reversed { bound(items()) } else { 1 };
        let next = number(page, id, "start").unwrap_or_else(first);
        self.lists.push(Level { ordered: page.is(id, "ol"), reversed, next });
        let notes = u32::from(is_footnotes(self.page, id));
        self.footnotes += notes;
        let outer = self.enclosure.enter_list();
        self.children(id);
        self.flush();
        self.enclosure.leave(outer);
        self.footnotes -= notes;
        self.lists.pop();
        self.item = None;
    }

    fn list_item(&mut self, id: Id) {
        self.flush();
        let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
        let stated = number(self.page, id, "value");
        let number = self.lists.last_mut().filter(|level| level.ordered).map(|level| {
            let number = stated.unwrap_or(level.next);
            level.next =
                if level.reversed { number.saturating_sub(1) } else { MAX_ITEM_NUMBER.min(number + 1) };
            number
        });
        let note = u32::from(self.page.attribute(id, "id").is_some_and(is_footnote_id));
        self.item = Some(ListItemPosition { depth, number });
        self.footnotes += note;
        let outer = self.enclosure.enter_item();
        self.children(id);
        self.flush();
        self.enclosure.leave(outer);
        self.footnotes -= note;
        self.item = None;
    }

    /// Appends the checkbox of a task in Markdown notation.
    fn task(&mut self, id: Id) {
        let page = self.page;
        let is_box = page.attribute(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
        let enclosing_item = page.ancestors(id).take(3).find(|&above| page.is(above, "li"));
        if is_box && enclosing_item.is_some_and(|item| self.keep[item] && is_task(page, item, id)) {
            self.inline.push(if page.attribute(id, "checked").is_some() { "[x] " } else { "[ ] " });
        }
    }

    /// Converts a term and its definition to list items. The definition is one level deeper.
    fn definition(&mut self, id: Id) {
        self.flush();
        let lists = u8::try_from(self.lists.len()).unwrap_or(u8::MAX);
        let depth = lists.saturating_add(u8::from(self.page.is(id, "dd")));
        self.item = Some(ListItemPosition { depth, number: None });
        let outer = self.enclosure.enter_definition(usize::from(depth));
        self.children(id);
        self.flush();
        self.enclosure.leave(outer);
        self.item = None;
    }

    fn code_block(&mut self, id: Id) {
        self.flush();
        let text = code::text(self.page, id, self.keep);
        if text.trim().is_empty() || code::is_gutter(self.page, id, &text) {
            return;
        }
        let item = self.page.ancestors(id).find(|&above| matches!(self.page.tag(above), "li" | "dt" | "dd"));
        let is_in_list = item.is_some_and(|item| self.page.is(item, "li"));
        // A list item has to begin with a line of text.
        if self.item.is_some() && is_in_list && !text.contains('\n') {
            self.inline.push_verbatim(&text);
            return self.flush();
        }
        let language = code::language(self.page, id);
        self.push_block(Block { kind: BlockKind::Code, text, language, ..Block::default() });
    }

    /// Converts a cell of a data table. Its lists and quotes end with the cell.
    pub(super) fn cell(&mut self, id: Id) -> Vec<Block> {
        let opened = self.out.len();
        let (lists, item, note) = (std::mem::take(&mut self.lists), self.item.take(), self.note.take());
        let (quotes, footnotes) = (std::mem::take(&mut self.quotes), std::mem::take(&mut self.footnotes));
        let table = self.table.replace(opened);
        let outer = std::mem::replace(&mut self.is_blank_cell, is_without_text(self.page, id));
        self.children(id);
        self.flush();
        (self.table, self.is_blank_cell) = (table, outer);
        (self.lists, self.item, self.note) = (lists, item, note);
        (self.quotes, self.footnotes) = (quotes, footnotes);
        self.out.split_off(opened)
    }

    fn table(&mut self, id: Id) {
        self.flush();
        if let Some(entries) = self.plan.rankings.get(&id) {
            return self.listing(entries);
        }
        if let Some(equations) = equations::of_table(self.page, id, self.keep) {
            return equations.into_iter().for_each(|equation| self.push_block(equation));
        }
        let is_data = self.table.is_none()
            && !self.plan.has_post_in(self.page, id)
            && table::is_data(self.page, id, self.keep);
        if !is_data {
            self.children(id);
            self.flush();
            return;
        }
        if let Some(caption) = self.page.children(id).find(|&child| self.page.is(child, "caption")) {
            let first = self.out.len();
            self.children(caption);
            self.flush();
            // A caption with several blocks becomes ordinary text before the table.
            if let [caption] = &mut self.out[first..] {
                caption.caption = caption.kind == BlockKind::Paragraph;
            }
        }
        self.data_table(id);
    }

    /// Appends the entries of a numbered listing as list items.
    fn listing(&mut self, entries: &[templates::RankingEntry]) {
        for entry in entries {
            let opened = self.out.len();
            for &row in &entry.rows {
                self.children(row);
                self.flush();
            }
            let mut item = templates::join_as_item(self.out.split_off(opened), 0);
            if let Some(position) = item.first_mut().and_then(|block| block.list.as_mut()) {
                position.number = Some(entry.number);
            }
            self.out.extend(item);
        }
    }

    pub(super) fn formula(&mut self, id: Id, formula: math::Formula) {
        if !self.keep[id] {
            return;
        }
        // A list item has to begin with a line of text.
        let is_block = self.table.is_none() && (self.item.is_none() || !self.inline.is_blank());
        if formula.is_display && is_block {
            self.flush();
            self.push_block(Block { kind: BlockKind::Math, text: formula.tex, ..Block::default() });
        } else {
            self.inline.push_formula(&formula.tex);
        }
    }

    /// Appends the pronunciation of a word in brackets.
    fn annotation(&mut self, id: Id) {
        if !self.page.raw_text(id).trim().is_empty() && self.keep[id] {
            self.inline.push("(");
            self.children(id);
            self.inline.push(")");
        }
    }

    fn inline_element(&mut self, id: Id) {
        let style = match self.page.tag(id) {
            tag if tag == "a" || tag.contains('-') => {
                let url = self.page.value(id, "href").and_then(|href| links::resolve(self.base, href));
                url.map(OpenStyle::Link)
            }
            tag => OpenStyle::of_tag(tag),
        };
        let Some(style) = style else { return self.children(id) };
        let opened = self.inline.open(style);
        self.children(id);
        self.inline.close(opened);
    }
}

fn is_without_text(page: &Page, cell: Id) -> bool {
    let is_script = |id: Id| matches!(page.tag(id), "script" | "style" | "template" | "noscript");
    !page.descendants_without(cell, is_script).any(|id| page.is_nonblank_text(id))
}

/// Number of a list or list item, from an attribute.
fn number(page: &Page, id: Id, name: &str) -> Option<u32> {
    let number: u32 = page.attribute(id, name)?.trim().parse().ok()?;
    Some(number.min(MAX_ITEM_NUMBER))
}

/// True if the checkbox only shows the state of its list item: it is disabled, or belongs to a task list.
fn is_task(page: &Page, item: Id, id: Id) -> bool {
    page.attribute(id, "disabled").is_some()
        || [item, page.parent(item), id].into_iter().any(|marked| {
            page.class(marked).is_some_and(|class| class.contains("task-list") || class.contains("todo"))
        })
}

/// True if the page has its own brackets, for browsers that do not display the pronunciation above the word.
fn is_parenthesised(page: &Page, id: Id) -> bool {
    let is_bracket = |sibling: Id| page.is(sibling, "rp") && !page.raw_text(sibling).trim().is_empty();
    page.neighbours(id, MAX_BRACKET_DISTANCE).any(is_bracket)
}

/// True for a button that copies the code next to it.
fn is_copy_button(page: &Page, id: Id) -> bool {
    page.class(id).is_some_and(|classes| {
        let classes = classes.to_ascii_lowercase();
        classes.contains("copy") || classes.contains("clipboard")
    })
}
