//! Markup of an item's text on its page, with a link next to each paragraph and with highlights.
//!
//! The text renderer creates the markup and sanitises it. This module only inserts its own elements and never
//! inserts text of a highlight. A `>` in a quoted value does not end a tag.

use std::collections::HashMap;

use extract::Document;
use library::Highlight;

use crate::paragraph_links::with_paragraph_links;
use crate::pictures::{attribute, tag_length};

/// Opening tag of the paragraph of a picture, as the text renderer writes it.
pub(super) const PICTURE: &str = "<p class=\"image\">";

/// Renders the text of a document with its highlights. Pictures have their original addresses.
pub(in crate::desk) fn text(document: &Document, highlights: &[Highlight]) -> String {
    let blocks = &document.blocks;
    let repeats = blocks
        .first()
        .is_some_and(|block| block.kind == extract::BlockKind::Heading && block.text == document.title);
    let mut html = extract::render::html_with_pictures(&blocks[usize::from(repeats)..]);
    for highlight in highlights {
        let row = &highlight.row;
        let Some(anchor) = row.anchor.filter(|_| row.picture_url.is_none()) else { continue };
        let end = row.end_anchor.unwrap_or(anchor);
        html = mark(html, (anchor, end), &row.quote, &row.id.to_string());
    }
    with_paragraph_links(&with_marked_pictures(&html, highlights))
}

/// Marks the pictures that have a highlight. The first picture with its URL gets the id of the highlight.
fn with_marked_pictures(html: &str, highlights: &[Highlight]) -> String {
    let mut names: HashMap<&str, String> = HashMap::new();
    for highlight in highlights.iter().filter(|highlight| highlight.row.anchor.is_some()) {
        if let Some(url) = &highlight.row.picture_url {
            names.insert(url, format!(" id=\"mark-{}\"", highlight.row.id));
        }
    }
    rewrite_pictures(html, |url| {
        let name = std::mem::take(names.get_mut(url)?);
        Some([format!("<p class=\"image marked\"{name}>"), String::new()])
    })
}

/// Rewrites the paragraphs of pictures. For the URL of a picture, `rewrite` returns the opening tag and the markup to
/// insert at the end, or `None` to leave the paragraph unchanged.
pub(super) fn rewrite_pictures(html: &str, mut rewrite: impl FnMut(&str) -> Option<[String; 2]>) -> String {
    let (mut out, mut rest) = (String::with_capacity(html.len()), html);
    // Position of the opening tag in `out`, and URL of the picture.
    let (mut opened, mut url) = (None, None);
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let (tag, after) = rest[at..].split_at(tag_length(&rest[at..]));
        if tag == PICTURE {
            (opened, url) = (Some(out.len()), None);
        } else if tag.starts_with("<img ") {
            url = attribute(tag, "src");
        } else if tag == "</p>"
            && let Some(start) = opened.take()
            && let Some([opening, inserted]) = url.take().and_then(|url| rewrite(&url))
        {
            out.replace_range(start..start + PICTURE.len(), &opening);
            out.push_str(&inserted);
        }
        out.push_str(tag);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Highlights the quote if it occurs between the blocks `first` and `last`.
fn mark(html: String, (first, last): (i32, i32), quote: &str, id: &str) -> String {
    let Some(start) = html.find(&format!(" id=\"p{first}\"")) else { return html };
    let end = (last + 1..last + 20)
        .find_map(|next| html[start..].find(&format!(" id=\"p{next}\"")))
        .map_or(html.len(), |at| start + at);
    let letters = letters(&html, start, end);
    let quoted: Vec<char> = quote.chars().filter(|letter| !letter.is_whitespace()).collect();
    let characters: Vec<char> = letters.iter().map(|letter| letter.character).collect();
    let Some(at) = find(&characters, &quoted) else { return html };
    let matched = &letters[at..at + quoted.len()];
    let mut marked = String::with_capacity(html.len() + 64);
    let mut from = 0;
    let mut is_first = true;
    for run in runs(&html, matched) {
        marked.push_str(&html[from..run.0]);
        let name = if is_first { format!(" id=\"mark-{id}\"") } else { String::new() };
        marked.push_str(&format!("<mark{name}>{}</mark>", &html[run.0..run.1]));
        (from, is_first) = (run.1, false);
    }
    marked.push_str(&html[from..]);
    marked
}

/// Character of the text that is not white space, and its byte range in the markup.
struct MarkupCharacter {
    character: char,
    from: usize,
    to: usize,
}

/// Returns the characters between two positions of the markup, without tags and white space.
fn letters(html: &str, start: usize, end: usize) -> Vec<MarkupCharacter> {
    let mut letters = Vec::new();
    // `start` is inside a tag.
    let mut at = start + tag_length(&html[start..]);
    while at < end {
        let rest = &html[at..];
        let Some(first) = rest.chars().next() else { break };
        let length = match first {
            '<' => {
                at += tag_length(rest);
                continue;
            }
            '&' => rest.find(';').map_or(1, |close| close + 1),
            other => other.len_utf8(),
        };
        let letter = match &rest[..length] {
            "&amp;" => '&',
            "&lt;" => '<',
            "&gt;" => '>',
            "&quot;" => '"',
            "&nbsp;" => ' ',
            _ => first,
        };
        if !letter.is_whitespace() {
            letters.push(MarkupCharacter { character: letter, from: at, to: at + length });
        }
        at += length;
    }
    letters
}

fn find(text: &[char], quoted: &[char]) -> Option<usize> {
    if quoted.is_empty() {
        return None;
    }
    // `str::find` takes linear time, whatever the strings contain.
    let (text, quoted): (String, String) = (text.iter().collect(), quoted.iter().collect());
    text.find(&quoted).map(|at| text[..at].chars().count())
}

/// Returns the byte ranges of the markup that contain these characters and no tag.
fn runs(html: &str, matched: &[MarkupCharacter]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for letter in matched {
        match runs.last_mut() {
            Some(run) if !html[run.1..letter.from].contains('<') => run.1 = letter.to,
            Some(_) | None => runs.push((letter.from, letter.to)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quote_is_marked_across_tags_and_stays_escaped() {
        let html = "<p id=\"p1\">One <em>two</em> &lt;three</p>\n<p id=\"p2\">four</p>".to_owned();
        assert_eq!(
            mark(html.clone(), (1, 1), "two  <th", "x"),
            "<p id=\"p1\">One <em><mark id=\"mark-x\">two</mark></em><mark> &lt;th</mark>ree</p>\n<p id=\"p2\">four</p>"
                .replace("<mark> &lt;th", " <mark>&lt;th")
        );
        assert_eq!(mark(html.clone(), (1, 2), "three four", "x").matches("<mark").count(), 2);
        for none in ["five", "", "<p"] {
            assert_eq!(mark(html.clone(), (1, 2), none, "x"), html);
        }
        assert_eq!(mark(html.clone(), (9, 9), "two", "x"), html);
    }

    #[test]
    fn quote_is_not_marked_in_the_description_of_a_picture() {
        let html = "<p id=\"p1\">One <img alt=\"a > two\"> two</p>".to_owned();
        let marked = mark(html, (1, 1), "two", "x");
        assert_eq!(marked, "<p id=\"p1\">One <img alt=\"a > two\"> <mark id=\"mark-x\">two</mark></p>");
    }

    #[test]
    fn paragraph_of_a_picture_is_rewritten_by_the_unescaped_url() {
        let image =
            "<a href=\"https://a.example/\"><img src=\"https://a.example/?x=1&amp;y\" alt=\"</p> > \"></a>";
        let html = format!("<p>One</p>{PICTURE}{image}</p>{PICTURE}Video</p>");
        let rewritten = rewrite_pictures(&html, |url| {
            (url == "https://a.example/?x=1&y").then(|| ["<p>".to_owned(), "<b>2</b>".to_owned()])
        });
        assert_eq!(rewritten, format!("<p>One</p><p>{image}<b>2</b></p>{PICTURE}Video</p>"));
        assert_eq!(rewrite_pictures(&html, |_| None), html);
        let cut = format!("{PICTURE}<img src=\"https://a.example/");
        assert_eq!(rewrite_pictures(&cut, |_| Some([String::new(), String::new()])), cut);
    }
}
