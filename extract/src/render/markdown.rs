//! Renders Markdown (`CommonMark` with GitHub's tables) that reads back as the same text.

use std::fmt::Write as _;

use super::{
    html::is_rule,
    spans::{SpanStep, marked_lines, steps},
};
use crate::{
    assemble,
    document::{Block, BlockKind, Link, Mark, Style},
};

/// Renders all blocks as one Markdown text, with a final line feed unless it is empty.
pub fn markdown(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut before: Option<&Block> = None;
    let mut rest = blocks;
    while let Some(block) = rest.first() {
        let (parts, after) = rest.split_at(code_parts(rest));
        rest = after;
        if let Some(before) = before {
            let same_list = before.kind == BlockKind::ListItem && block.kind == BlockKind::ListItem;
            let same_quote = before.kind == BlockKind::Quote && block.kind == BlockKind::Quote;
            let same_table =
                before.kind == BlockKind::Table && block.kind == BlockKind::Table && block.continued;
            out.push_str(if same_list || same_table {
                "\n"
            } else if same_quote {
                "\n>\n"
            } else {
                "\n\n"
            });
        }
        match parts {
            [block] => push(&mut out, block),
            parts => {
                let code = assemble::join_code(parts.iter().map(|part| part.text.as_str()));
                push_fenced(&mut out, &code, block.language.as_deref().unwrap_or(""));
            }
        }
        before = Some(block);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Number of blocks at the beginning that are parts of one code block.
fn code_parts(blocks: &[Block]) -> usize {
    let is_code = |block: &Block| block.kind == BlockKind::Code;
    let continues =
        |pair: &&[Block]| matches!(pair, [part, next] if is_code(part) && is_code(next) && next.continued);
    1 + blocks.windows(2).take_while(continues).count()
}

fn push(out: &mut String, block: &Block) {
    match block.kind {
        BlockKind::Heading => {
            out.push_str(&"#".repeat(usize::from(block.level.unwrap_or(2).clamp(1, 6))));
            out.push(' ');
            out.push_str(&inline(block).replace('\n', " "));
        }
        BlockKind::Paragraph | BlockKind::Transcript => out.push_str(&lines(&inline(block), "  \n")),
        BlockKind::Footnote => push_footnote(out, block),
        BlockKind::ListItem => {
            let position = block.list;
            let indent = "    ".repeat(usize::from(position.map_or(0, |position| position.depth).min(8)));
            let bullet = position
                .and_then(|position| position.number)
                .map_or("- ".to_owned(), |number| format!("{number}. "));
            push_item(out, block, &bullet, &indent);
        }
        BlockKind::Quote => {
            _ = write!(out, "> {}", lines(&inline(block), "  \n> "));
        }
        BlockKind::Code => push_fenced(out, &block.text, block.language.as_deref().unwrap_or("")),
        BlockKind::Table => push_table(out, block),
        BlockKind::Math => push_formula(out, block.text.trim()),
        BlockKind::Figure => push_figure(out, block),
    }
}

fn push_item(out: &mut String, block: &Block, bullet: &str, indent: &str) {
    let inner = format!("  \n{indent}{}", " ".repeat(bullet.len()));
    out.push_str(indent);
    out.push_str(bullet);
    let text = lines(&inline(block), &inner);
    // The check box of a task is markup.
    let task = [("\\[x\\] ", "[x] "), ("\\[ \\] ", "[ ] ")]
        .into_iter()
        .find_map(|(escaped, mark)| Some((mark, text.strip_prefix(escaped)?)));
    match task {
        Some((mark, rest)) => {
            out.push_str(mark);
            out.push_str(rest);
        }
        None => out.push_str(&text),
    }
}

/// Renders a footnote with its label. A continued footnote is indented below it.
fn push_footnote(out: &mut String, block: &Block) {
    let text = inline(block);
    match &block.note {
        Some(label) => _ = write!(out, "[^{label}]: {}", lines(&text, "  \n    ")),
        None => _ = write!(out, "    {}", lines(&text, "  \n    ")),
    }
}

/// Renders a table. Its cells have the markup of the marks only: any other markup is words of the source.
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

/// Escapes one row. Bars separate cells; bars within cells are already escaped.
fn escape_cells(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' if rest.peek() == Some(&'|') => {
                out.push_str("\\|");
                rest.next();
            }
            '\\' | '`' | '*' | '[' | ']' | '<' | '_' | '&' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Restores the footnote marks in escaped text.
fn marked_notes(text: &str, block: &Block) -> String {
    block.notes.iter().fold(text.to_owned(), |text, note| {
        let mark = format!("[^{}]", note.label);
        text.replace(&escape_cells(&mark), &mark)
    })
}

/// Renders a formula between dollar signs, or in a fence if it would end them early. Spaces, which have no
/// meaning in a formula, prevent that parts of it are read as markup or as a link.
fn push_formula(out: &mut String, formula: &str) {
    if formula.contains("$$") || formula.contains("\n\n") || formula.contains("```") {
        return push_fenced(out, formula, "math");
    }
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
    _ = write!(out, "$$\n{safe}\n$$");
}

/// Renders code in a fence longer than any run of backticks at the start of its lines.
fn push_fenced(out: &mut String, code: &str, language: &str) {
    let longest =
        code.lines().map(|line| line.trim_start().bytes().take_while(|byte| *byte == b'`').count()).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    _ = write!(out, "{fence}{language}\n{code}\n{fence}");
}

fn push_figure(out: &mut String, block: &Block) {
    let alt = block.alt.as_deref().unwrap_or("");
    let Some(src) = &block.src else {
        return out.push_str(&lines(&inline(block), "  \n"));
    };
    _ = write!(out, "![{}]({})", escape(alt, false), destination(src));
    if block.text != alt {
        out.push_str("\n\n");
        out.push_str(&lines(&inline(block), "  \n"));
    }
}

/// Text with its marks, escaped.
fn inline(block: &Block) -> String {
    marked(&block.text, &block.marks, &block.links, escape)
}

/// Text with marks. `escaped` escapes a part of it, given whether the part begins a line.
fn marked(text: &str, marks: &[Mark], links: &[Link], escaped: impl Fn(&str, bool) -> String) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut code = None;
    let mut note = false;
    for step in steps(text, marks) {
        match step {
            SpanStep::Start(Style::Note) if code.is_none() => note = true,
            SpanStep::End(Style::Note) if code.is_none() => note = false,
            SpanStep::Text(text) if code.is_some() || note => out.push_str(text),
            SpanStep::Text(text) => {
                let at_start = out.is_empty() || out.ends_with('\n');
                out.push_str(&escaped(text, at_start));
            }
            SpanStep::Start(Style::Code) if code.is_none() => {
                code = Some(out.len());
            }
            SpanStep::End(Style::Code) => {
                if let Some(start) = code.take() {
                    let inner = out.split_off(start);
                    out.push_str(&code_span(&inner));
                }
            }
            SpanStep::Start(_) | SpanStep::End(_) if code.is_some() => {}
            SpanStep::Start(Style::Link(_)) => out.push('['),
            SpanStep::End(Style::Link(index)) => {
                let url = usize::try_from(index).ok().and_then(|index| links.get(index));
                _ = write!(out, "]({})", url.map_or(String::new(), |link| destination(&link.url)));
            }
            SpanStep::Start(Style::Strong) | SpanStep::End(Style::Strong) => out.push_str("**"),
            SpanStep::Start(Style::Emphasis) | SpanStep::End(Style::Emphasis) => out.push('*'),
            SpanStep::Start(Style::Code | Style::Superscript | Style::Subscript | Style::Note)
            | SpanStep::End(Style::Superscript | Style::Subscript | Style::Note) => {}
        }
    }
    out
}

fn code_span(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{}{pad}{ticks}", code.replace('\n', " "))
}

/// URL of a link, with characters encoded that would end it or its cell.
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

/// Escapes characters with a meaning in Markdown; some have one only at the start of a line.
fn escape(text: &str, at_line_start: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut line_start = at_line_start;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '_' => true,
            '&' => after.starts_with(|next: char| next.is_ascii_alphabetic() || next == '#'),
            '!' => after.starts_with('['),
            '#' | '>' | '~' | '|' | '=' | '-' | '+' if line_start => true,
            _ => false,
        };
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
    out
}
