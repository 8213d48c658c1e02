//! Renders operations as markup that feed readers preserve: without scripts, classes or images. It uses
//! inline styles, and in addition `ins`, `del` and symbols for feed readers that remove styles.

use super::{
    super::operation::{Kind, Op, Operation},
    segments::{DiffSegment, Side, folded, segments},
    sides::label,
};

/// Maximum number of bytes of the markup.
const MAX_BYTES: usize = 48 * 1024;
const INS: &str = "<ins style=\"background:#dafbe1;color:#0a3d1a;text-decoration:underline\">";
const DEL: &str = "<del style=\"background:#ffebe9;color:#6e1018;text-decoration:line-through\">";

/// Renders operations as a list under their headings, up to 48 KiB. The last item is the number of omitted
/// operations.
pub fn html(operations: &[Operation]) -> String {
    let mut markup = String::new();
    let mut section: Option<&str> = None;
    for (at, operation) in operations.iter().enumerate() {
        let mut piece = String::new();
        let current = operation.section.as_deref();
        if current != section
            && let Some(heading) = current
        {
            piece.push_str("<p><strong>");
            escape(&mut piece, heading);
            piece.push_str("</strong></p>\n");
        }
        section = current;
        write(&mut piece, operation);
        if markup.len() + piece.len() > MAX_BYTES {
            let rest = operations.len() - at;
            markup.push_str(&format!(
                "<p>… and {rest} more {}.</p>\n",
                if rest == 1 { "change" } else { "changes" }
            ));
            break;
        }
        markup.push_str(&piece);
    }
    markup
}

fn write(out: &mut String, operation: &Operation) {
    let (symbol, word) = match operation.op {
        Op::Added => ("+", "Added"),
        Op::Removed => ("−", "Removed"),
        Op::Changed => ("±", "Changed"),
        Op::Moved => ("↕", "Moved"),
    };
    if operation.kind == Kind::Whole {
        out.push_str("<p>± The change is too large to show line by line.</p>\n");
        return;
    }
    out.push_str(&format!("<p><span title=\"{word}\">{symbol}</span> "));
    if let Some(label) = label(operation) {
        let link = operation.link.as_deref().filter(|link| link.starts_with("http"));
        if let Some(link) = link {
            out.push_str("<a rel=\"noopener nofollow\" href=\"");
            escape(out, link);
            out.push_str("\">");
        }
        escape(out, &label);
        out.push_str(if link.is_some() { "</a>" } else { "" });
        if operation.kind != Kind::Url || operation.op == Op::Changed {
            out.push_str(": ");
        }
    }
    if operation.kind != Kind::Url || operation.op == Op::Changed {
        write_text(out, operation);
    }
    if let Some(difference) = &operation.difference {
        out.push_str(" (");
        escape(out, difference);
        out.push(')');
    }
    if let Some(before) = &operation.link_before {
        out.push_str("<br>Link: ");
        write_segment(out, &DiffSegment::new(Side::Removed, before));
        out.push(' ');
        write_segment(out, &DiffSegment::new(Side::Added, operation.link.as_deref().unwrap_or("none")));
    }
    out.push_str("</p>\n");
}

fn write_text(out: &mut String, operation: &Operation) {
    for segment in folded(&segments(operation)) {
        write_segment(out, &segment);
    }
}

fn write_segment(out: &mut String, segment: &DiffSegment) {
    let (open, close) = match segment.side {
        Side::Same => ("", ""),
        Side::Removed => (DEL, "</del>"),
        Side::Added => (INS, "</ins>"),
    };
    out.push_str(open);
    escape(out, &segment.text);
    out.push_str(close);
}

/// Escapes text for content and quoted attributes.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if crate::clean::is_unwanted(c) => {}
            c => out.push(c),
        }
    }
}
