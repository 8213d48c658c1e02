//! Renders Markdown (`CommonMark` with GitHub's tables). Parsing it results in the same text.

use std::fmt::Write as _;

use super::{
    formula_text::{self, FormulaPiece},
    html::is_rule,
    spans::{SpanStep, marked_lines, steps},
};
use crate::{
    assemble,
    document::{Block, BlockKind, Container, Link, Mark, Picture, Style},
};

/// Minimum indentation of a list item's content, in spaces. Items with long numbers have a larger
/// indentation.
const ITEM_INDENT: usize = 4;

/// Renders all blocks as a Markdown text. It has a final line feed unless it is empty.
pub fn markdown(blocks: &[Block]) -> String {
    let mut writer = MarkdownWriter::default();
    let mut rest = blocks;
    while !rest.is_empty() {
        let (parts, after) = rest.split_at(part_count(rest));
        writer.push(parts);
        rest = after;
    }
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    writer.out
}

#[derive(Default)]
struct MarkdownWriter {
    out: String,
    open: Vec<OpenContainer>,
    /// True if the last block was a list item.
    is_after_item: bool,
}

/// Quote or list item that is open at the current end of the output.
struct OpenContainer {
    container: Container,
    /// Index in the container path of the blocks. A list item is open only if its beginning is in the output.
    index: usize,
    prefix: String,
}

impl MarkdownWriter {
    /// Renders a block. Code or a table that was too long for a single block has several parts.
    fn push(&mut self, parts: &[Block]) {
        let Some(block) = parts.first() else { return };
        let mut path = block.containers();
        let is_item = block.kind == BlockKind::ListItem;
        if is_item && block.continued {
            path.push(Container::Item);
        }
        let pictures = || parts.iter().flat_map(|part| &part.pictures);
        let mut before = pictures().filter(|picture| !picture.after);
        let after = pictures().filter(|picture| picture.after);
        if is_item {
            let text = [item_text(block)].into_iter().chain(before.chain(after).map(picture));
            let bullet = (!block.continued).then(|| {
                block
                    .list
                    .and_then(|list| list.number)
                    .map_or("- ".to_owned(), |number| format!("{number}. "))
            });
            return self.write(&path, bullet.as_deref(), &text.collect::<Vec<_>>().join("  \n"));
        }
        before.by_ref().for_each(|before| self.write(&path, None, &picture(before)));
        self.write(&path, None, &render_parts(parts));
        after.for_each(|after| self.write(&path, None, &picture(after)));
    }

    /// Writes the lines of a block into its containers. If `bullet` is set, the block begins a list item.
    fn write(&mut self, path: &[Container], bullet: Option<&str>, body: &str) {
        let continues = |open: &&OpenContainer| path.get(open.index) == Some(&open.container);
        let common = self.open.iter().take_while(continues).count();
        let next = self.open[..common].last().map_or(0, |open| open.index + 1);
        let quotes = |open: &[OpenContainer]| open.iter().any(|open| open.container == Container::Quote);
        let is_same_list = !quotes(&self.open[common..]) && !path[next..].contains(&Container::Quote);
        self.open.truncate(common);
        if !self.out.is_empty() {
            let is_tight = bullet.is_some() && self.is_after_item && is_same_list;
            let blank = if is_tight { String::new() } else { self.prefix().trim_end().to_owned() + "\n" };
            self.out.push('\n');
            self.out.push_str(&blank);
        }
        for (index, container) in path.iter().enumerate().skip(next) {
            if *container == Container::Quote {
                self.open.push(OpenContainer { container: Container::Quote, index, prefix: "> ".to_owned() });
            }
        }
        let prefix = self.prefix();
        let indent = format!("{prefix}{}", " ".repeat(bullet.map_or(0, str::len)));
        for (number, line) in body.split('\n').enumerate() {
            match number {
                0 => self.out.push_str(&format!("{prefix}{}{line}", bullet.unwrap_or(""))),
                _ if line.is_empty() => self.out.push_str(&format!("\n{}", indent.trim_end())),
                _ => self.out.push_str(&format!("\n{indent}{line}")),
            }
        }
        if let Some(bullet) = bullet {
            let prefix = " ".repeat(bullet.len().max(ITEM_INDENT));
            self.open.push(OpenContainer { container: Container::Item, index: path.len(), prefix });
        }
        self.is_after_item = bullet.is_some();
    }

    fn prefix(&self) -> String {
        self.open.iter().map(|open| open.prefix.as_str()).collect()
    }
}

/// Number of leading blocks that are parts of the same code block or table.
fn part_count(blocks: &[Block]) -> usize {
    let is_split = |part: &Block, next: &Block| {
        matches!(part.kind, BlockKind::Code | BlockKind::Table) && part.kind == next.kind && next.continued
    };
    let continues = |pair: &&[Block]| matches!(pair, [part, next] if is_split(part, next));
    1 + blocks.windows(2).take_while(continues).count()
}

/// Renders the parts of a block, without its containers.
fn render_parts(parts: &[Block]) -> String {
    match parts {
        [first, _, ..] if first.kind == BlockKind::Code => {
            let code = assemble::join_code(parts.iter().map(|part| part.text.as_str()));
            let mut out = String::new();
            push_fenced(&mut out, &code, first.language.as_deref().unwrap_or(""));
            out
        }
        parts => parts.iter().map(render).collect::<Vec<_>>().join("\n"),
    }
}

/// Renders a block, without its containers.
fn render(block: &Block) -> String {
    let mut out = String::new();
    match block.kind {
        BlockKind::Heading => {
            out.push_str(&"#".repeat(usize::from(block.level.unwrap_or(2).clamp(1, 6))));
            out.push(' ');
            out.push_str(&inline(block).replace('\n', " "));
        }
        BlockKind::Paragraph | BlockKind::Transcript | BlockKind::Quote | BlockKind::ListItem => {
            out.push_str(&lines(&inline(block), "  \n"));
        }
        BlockKind::Footnote => push_footnote(&mut out, block),
        BlockKind::Code => push_fenced(&mut out, &block.text, block.language.as_deref().unwrap_or("")),
        BlockKind::Table => push_table(&mut out, block),
        BlockKind::Math => push_formula(&mut out, block.text.trim()),
        BlockKind::Figure => push_figure(&mut out, block),
    }
    out
}

fn item_text(block: &Block) -> String {
    let text = render(block);
    // The checkbox of a task is not escaped.
    let task = [("\\[x\\] ", "[x] "), ("\\[ \\] ", "[ ] ")]
        .into_iter()
        .find_map(|(escaped, mark)| Some((mark, text.strip_prefix(escaped)?)));
    match task {
        Some((mark, rest)) => format!("{mark}{rest}"),
        None => text,
    }
}

fn picture(picture: &Picture) -> String {
    image(picture.alt.as_deref().unwrap_or(""), &picture.src, picture.link.as_deref())
}

/// Renders an image. If `link` is set, the image is inside a link.
fn image(alt: &str, src: &str, link: Option<&str>) -> String {
    let image = format!("![{}]({})", escape(&alt.replace('\n', " "), false), destination(src));
    match link {
        Some(link) => format!("[{image}]({})", destination(link)),
        None => image,
    }
}

/// Renders a footnote with its label. A block that continues a footnote is indented.
fn push_footnote(out: &mut String, block: &Block) {
    let text = inline(block);
    match &block.note {
        Some(label) => _ = write!(out, "[^{label}]: {}", lines(&text, "  \n    ")),
        None => _ = write!(out, "    {}", lines(&text, "  \n    ")),
    }
}

/// Renders a table. In its cells, only the marks become markup; other text is escaped.
fn push_table(out: &mut String, block: &Block) {
    let escaped = |text: &str, _: bool| marked_notes(&escape_cells(text), block);
    for (index, (line, marks)) in marked_lines(block).enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if index == 1 && is_rule(line) {
            out.push_str(line);
            continue;
        }
        out.push_str(&marked(line, &marks, &block.links, escaped));
    }
}

/// Escapes a row. Vertical bars that separate cells are unchanged. Vertical bars within cells are already
/// escaped.
fn escape_cells(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for piece in formula_text::pieces(text) {
        let mut rest = match piece {
            FormulaPiece::Formula(formula) => {
                out.push_str(&inert(formula));
                continue;
            }
            FormulaPiece::Text(text) => text,
        };
        while let Some(c) = rest.chars().next() {
            let after = &rest[c.len_utf8()..];
            let is_escaped_bar = c == '\\' && after.starts_with('|');
            if !is_escaped_bar && is_special(c, &out, after) {
                out.push('\\');
            }
            out.push(c);
            rest = after;
            if is_escaped_bar {
                out.push('|');
                rest = &after[1..];
            }
        }
    }
    out
}

/// True if a character would be parsed as markup between `before` and `after`. Underscores within words, and
/// `&` that does not begin an entity, are text. Both occur in many URLs.
fn is_special(c: char, before: &str, after: &str) -> bool {
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' => true,
        '_' => !before.ends_with(char::is_alphanumeric) || !after.starts_with(char::is_alphanumeric),
        '&' => {
            let name = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
            name.len() < after.len() && name.starts_with(';')
        }
        '!' => after.starts_with('['),
        '~' => after.starts_with('~') || before.ends_with('~'),
        _ => false,
    }
}

/// Restores the footnote references in escaped text.
fn marked_notes(text: &str, block: &Block) -> String {
    block.notes.iter().fold(text.to_owned(), |text, note| {
        let mark = format!("[^{}]", note.label);
        text.replace(&escape_cells(&mark), &mark)
    })
}

/// Renders a formula between double dollar signs. If its text would terminate the formula too early, it is
/// rendered in a code fence.
fn push_formula(out: &mut String, formula: &str) {
    if formula.contains("$$") || formula.contains("\n\n") || formula.contains("```") {
        return push_fenced(out, formula, "math");
    }
    _ = write!(out, "$$\n{}\n$$", inert(formula));
}

/// Renders a formula within a line. If it contains a dollar sign, the syntax of GitHub is used.
fn formula_span(formula: &str) -> String {
    let formula = formula.replace('\n', " ");
    if formula.contains('$') || formula.contains('`') {
        return if formula.contains('`') { code_span(&formula) } else { format!("$`{formula}`$") };
    }
    format!("${}$", inert(&formula))
}

/// Inserts spaces into a formula at positions where a parser without support for formulas would read markup
/// or a link. Spaces have no meaning in TeX formulas.
fn inert(formula: &str) -> String {
    let mut safe = String::with_capacity(formula.len());
    for (at, c) in formula.char_indices() {
        safe.push(c);
        let next = formula[at + c.len_utf8()..].chars().next();
        let begins = match c {
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            ']' => matches!(next, Some('(' | '[' | ':')),
            _ => false,
        };
        if begins {
            safe.push(' ');
        }
    }
    safe
}

/// Renders code in a fence that is longer than any run of backticks at the start of its lines.
fn push_fenced(out: &mut String, code: &str, language: &str) {
    let longest =
        code.lines().map(|line| line.trim_start().bytes().take_while(|byte| *byte == b'`').count()).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    _ = write!(out, "{fence}{language}\n{code}\n{fence}");
}

/// Renders an image with its caption, or a link to an embedded video.
fn push_figure(out: &mut String, block: &Block) {
    let alt = block.alt.as_deref().unwrap_or("");
    let Some(src) = &block.src else {
        return out.push_str(&lines(&inline(block), "  \n"));
    };
    if block.embedded {
        let title = if alt.is_empty() { &block.text } else { alt };
        _ = write!(out, "[{}]({})", escape(title, false), destination(src));
    } else {
        out.push_str(&image(alt, src, block.image_link.as_deref()));
    }
    if block.text != alt {
        out.push_str("\n\n");
        out.push_str(&lines(&inline(block), "  \n"));
    }
}

/// Escaped text of a block with its marks.
fn inline(block: &Block) -> String {
    marked(&block.text, &block.marks, &block.links, escape)
}

/// Text with its marks. `escaped` escapes a piece of text. Its second argument is true if the piece begins a
/// line.
fn marked(text: &str, marks: &[Mark], links: &[Link], escaped: impl Fn(&str, bool) -> String) -> String {
    let out = String::with_capacity(text.len() + 16);
    let mut inline = InlineText { links, out, code: None, formula: None, is_note: false };
    for step in steps(text, marks) {
        match step {
            SpanStep::Start(style) => inline.start(style),
            SpanStep::End(style) => inline.end(style),
            SpanStep::Text(piece) if inline.code.is_some() || inline.formula.is_some() || inline.is_note => {
                inline.out.push_str(piece);
            }
            SpanStep::Text(piece) => {
                let at_start = inline.out.is_empty() || inline.out.ends_with('\n');
                inline.out.push_str(&escaped(piece, at_start));
            }
        }
    }
    inline.out
}

/// Text with marks while it is rendered. Code and formulas are collected until they are complete.
struct InlineText<'b> {
    links: &'b [Link],
    out: String,
    /// Offset in `out` at which the open code begins.
    code: Option<usize>,
    /// Offset in `out` at which the open formula begins.
    formula: Option<usize>,
    is_note: bool,
}

impl InlineText<'_> {
    fn start(&mut self, style: Style) {
        match style {
            // The code is interrupted for a link, because Markdown code cannot contain links.
            Style::Link(_) if self.code.is_some() => {
                self.end_code();
                self.out.push('[');
                self.code = Some(self.out.len());
            }
            _ if self.code.is_some() || self.formula.is_some() => {}
            Style::Note => self.is_note = true,
            Style::Code => self.code = Some(self.out.len()),
            Style::Math => self.formula = Some(self.out.len()),
            Style::Link(_) => self.out.push('['),
            Style::Strong => self.out.push_str("**"),
            Style::Emphasis => self.out.push('*'),
            Style::Deleted => self.out.push_str("~~"),
            Style::Superscript | Style::Subscript => {}
        }
    }

    fn end(&mut self, style: Style) {
        match style {
            Style::Link(index) => {
                let is_in_code = self.code.is_some();
                self.end_code();
                self.end_link(index);
                self.code = is_in_code.then_some(self.out.len());
            }
            Style::Code => self.end_code(),
            Style::Math if self.code.is_none() => {
                if let Some(start) = self.formula.take() {
                    let formula = self.out.split_off(start);
                    self.out.push_str(&formula_span(&formula));
                }
            }
            _ if self.code.is_some() || self.formula.is_some() => {}
            Style::Note => self.is_note = false,
            Style::Strong => self.out.push_str("**"),
            Style::Emphasis => self.out.push('*'),
            Style::Deleted => self.out.push_str("~~"),
            Style::Math | Style::Superscript | Style::Subscript => {}
        }
    }

    fn end_code(&mut self) {
        let Some(start) = self.code.take() else { return };
        let code = self.out.split_off(start);
        if !code.is_empty() {
            self.out.push_str(&code_span(&code));
        }
    }

    fn end_link(&mut self, index: u32) {
        let link = usize::try_from(index).ok().and_then(|index| self.links.get(index));
        _ = write!(self.out, "]({})", link.map_or(String::new(), |link| destination(&link.url)));
    }
}

fn code_span(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    // A parser removes one space on each side.
    let is_padded = code.starts_with(' ') && code.ends_with(' ') && !code.trim().is_empty();
    let pad = if is_padded || code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{}{pad}{ticks}", code.replace('\n', " "))
}

/// URL of a link. Characters that would terminate the link or its table cell are percent-encoded.
fn destination(url: &str) -> String {
    url.replace('(', "%28")
        .replace(')', "%29")
        .replace(' ', "%20")
        .replace('<', "%3C")
        .replace('>', "%3E")
        .replace('|', "%7C")
        .replace('\n', "")
}

fn lines(text: &str, joint: &str) -> String {
    text.replace('\n', joint)
}

/// Escapes characters that have a meaning in Markdown. Some of them are escaped only at the start of a line.
/// Formulas in the text are unchanged.
fn escape(text: &str, at_line_start: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut line_start = at_line_start;
    for piece in formula_text::pieces(text) {
        match piece {
            FormulaPiece::Formula(formula) => out.push_str(&inert(formula)),
            FormulaPiece::Text(words) => push_escaped(&mut out, words, line_start),
        }
        line_start = out.ends_with('\n');
    }
    out
}

fn push_escaped(out: &mut String, text: &str, at_line_start: bool) {
    let mut line_start = at_line_start;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let begins_block = line_start && matches!(c, '#' | '>' | '~' | '|' | '=' | '-' | '+');
        let special = begins_block || is_special(c, out, after);
        if line_start && c.is_ascii_digit() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            out.push_str(&rest[..digits]);
            rest = &rest[digits..];
            if digits <= 9 && rest.starts_with(['.', ')']) {
                out.push('\\');
            }
            line_start = false;
            continue;
        }
        if special {
            out.push('\\');
        }
        out.push(c);
        line_start = c == '\n';
        rest = after;
    }
}
