//! Markdown (`CommonMark` with GitHub's tables) that reads back as the same text.

use std::fmt::Write as _;

use super::spans::{Step, steps};
use crate::document::{Block, BlockKind, Style};

/// All blocks as one Markdown text, ending in a line feed unless there are none.
pub fn markdown(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut before: Option<&Block> = None;
    for block in blocks {
        if let Some(before) = before {
            let same_list = before.kind == BlockKind::ListItem && block.kind == BlockKind::ListItem;
            let same_quote = before.kind == BlockKind::Quote && block.kind == BlockKind::Quote;
            out.push_str(if same_list {
                "\n"
            } else if same_quote {
                "\n>\n"
            } else {
                "\n\n"
            });
        }
        push(&mut out, block);
        before = Some(block);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn push(out: &mut String, block: &Block) {
    match block.kind {
        BlockKind::Heading => {
            out.push_str(&"#".repeat(usize::from(block.level.unwrap_or(2).clamp(1, 6))));
            out.push(' ');
            out.push_str(&inline(block).replace('\n', " "));
        }
        BlockKind::Paragraph | BlockKind::Transcript => out.push_str(&lines(&inline(block), "  \n")),
        BlockKind::Footnote => push_item(out, block, "- ", ""),
        BlockKind::ListItem => {
            let place = block.list;
            let indent = "    ".repeat(usize::from(place.map_or(0, |place| place.depth).min(8)));
            let bullet =
                place.and_then(|place| place.number).map_or("- ".to_owned(), |number| format!("{number}. "));
            push_item(out, block, &bullet, &indent);
        }
        BlockKind::Quote => {
            _ = write!(out, "> {}", lines(&inline(block), "  \n> "));
        }
        BlockKind::Code => push_fenced(out, &block.text, block.language.as_deref().unwrap_or("")),
        BlockKind::Table => out.push_str(&block.text),
        BlockKind::Math => {
            _ = write!(out, "$$\n{}\n$$", block.text.trim());
        }
        BlockKind::Figure => push_figure(out, block),
    }
}

fn push_item(out: &mut String, block: &Block, bullet: &str, indent: &str) {
    let inner = format!("  \n{indent}{}", " ".repeat(bullet.len()));
    out.push_str(indent);
    out.push_str(bullet);
    out.push_str(&lines(&inline(block), &inner));
}

/// A fence longer than any run of backticks inside.
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

/// The text with its marks, escaped.
fn inline(block: &Block) -> String {
    let mut out = String::with_capacity(block.text.len() + 16);
    let mut code = None;
    for step in steps(block) {
        match step {
            Step::Text(text) if code.is_some() => out.push_str(text),
            Step::Text(text) => {
                let at_start = out.is_empty() || out.ends_with('\n');
                out.push_str(&escape(text, at_start));
            }
            Step::Start(Style::Code) if code.is_none() => {
                code = Some(out.len());
            }
            Step::End(Style::Code) => {
                if let Some(start) = code.take() {
                    let inner = out.split_off(start);
                    out.push_str(&code_span(&inner));
                }
            }
            Step::Start(_) | Step::End(_) if code.is_some() => {}
            Step::Start(Style::Link(_)) => out.push('['),
            Step::End(Style::Link(index)) => {
                let url = usize::try_from(index).ok().and_then(|index| block.links.get(index));
                _ = write!(out, "]({})", url.map_or(String::new(), |link| destination(&link.url)));
            }
            Step::Start(Style::Strong) | Step::End(Style::Strong) => out.push_str("**"),
            Step::Start(Style::Emphasis) | Step::End(Style::Emphasis) => out.push('*'),
            Step::Start(Style::Code) => {}
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

/// A link's address; brackets that would end it are encoded.
fn destination(url: &str) -> String {
    url.replace('(', "%28")
        .replace(')', "%29")
        .replace(' ', "%20")
        .replace('<', "%3C")
        .replace('>', "%3E")
        .replace('\n', "")
}

fn lines(text: &str, joint: &str) -> String {
    text.replace('\n', joint)
}

/// Characters that would mean something are escaped; some mean something only at the start of a line.
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
