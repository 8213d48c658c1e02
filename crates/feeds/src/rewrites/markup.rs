//! Changes sanitised markup. Its tags are read in one pass, without a tree: sanitised markup is well-formed, and
//! changed markup is sanitised again.

use std::borrow::Cow;

use extract::feed::{display_markup_with_pictures, plain_text};

use super::attributes::{CAPTION, IS_DEFERRED, MARKS};

/// Maximum size of rewritten markup in bytes, as for markup of feeds.
pub(super) const MAX_MARKUP_BYTES: usize = 512 * 1024;
/// Maximum nesting depth of the elements of changed markup. The cost of a tree grows quadratically with its depth.
const MAX_DEPTH: usize = 256;
/// Maximum number of tags of changed markup.
const MAX_TAGS: usize = 50_000;
/// Maximum sum, over all tags and texts of changed markup, of the number of open elements. A parser copies elements
/// that are closed in the wrong order into the elements after them.
const MAX_OPEN_ELEMENTS: usize = 1_000_000;
/// Maximum size, in bytes, of changed markup that does not have the syntax of sanitised markup.
const MAX_OTHER_BYTES: usize = 64 * 1024;
/// Maximum size of a tag's attributes in larger markup, in bytes.
const MAX_ATTRIBUTE_BYTES: usize = 8 * 1024;
/// Elements without an end tag.
const VOID: [&str; 6] = ["area", "br", "col", "hr", "img", "wbr"];
/// Elements in which a parser ignores tags.
const OPAQUE: [&str; 14] = [
    "iframe", "math", "noembed", "noframes", "noscript", "plaintext", "script", "select", "style", "svg",
    "template", "textarea", "title", "xmp",
];
/// Elements that separate paragraphs. A text with one of them needs no further paragraphs.
const BLOCKS: [&str; 15] = [
    "article", "blockquote", "div", "dl", "figure", "h2", "h3", "h4", "li", "ol", "p", "pre", "section",
    "table", "ul",
];

/// Part of markup.
enum Piece<'a> {
    Text(&'a str),
    Start(Element<'a>),
    End { name: &'a str, raw: &'a str },
}

/// Start tag of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    /// Text after the name.
    pub(super) attributes: &'a str,
    /// Whole tag.
    pub(super) raw: &'a str,
}

impl<'a> Element<'a> {
    /// Returns the value of an attribute, with its character references resolved.
    pub(super) fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        attributes(self.attributes).find(|(known, _)| *known == name).map(|(_, value)| unescape(value))
    }

    /// Returns the marks of the element: classes prefixed with a dot, ids prefixed with a number sign, and the mark of
    /// a picture whose address was in an attribute for deferred loading.
    pub(super) fn marks(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let marks =
            attributes(self.attributes).find(|(name, _)| *name == MARKS).map_or("", |(_, value)| value);
        marks.split(' ').filter(|mark| mark.starts_with(['.', '#', '!']))
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn is_void(&self) -> bool {
        VOID.iter().any(|void| self.is(void))
    }

    /// Returns true if the tag has the syntax of sanitised markup, so that every parser agrees on its last character.
    fn is_plain(&self) -> bool {
        let is_known = |character: char| character.is_ascii_alphanumeric() || " -_:/\n\t".contains(character);
        let mut rest = self.attributes;
        while let Some((name, after)) = rest.split_once("=\"") {
            let Some((_, next)) = after.split_once('"').filter(|_| name.chars().all(is_known)) else {
                return false;
            };
            rest = next;
        }
        rest.chars().all(is_known)
            && self.attributes.len() <= MAX_ATTRIBUTE_BYTES
            && self.name.chars().all(|character| character.is_ascii_alphanumeric())
            && !OPAQUE.iter().any(|opaque| self.is(opaque))
    }
}

/// Markup that is too deep or too long to be sanitised.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooComplex;

/// Returns the attributes of a sanitised tag with their values as written.
fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.trim_start();
        let (name, after) = start.split_once("=\"")?;
        let (value, next) = after.split_once('"')?;
        rest = next;
        // Attributes without a value precede the name.
        Some((name.rsplit(char::is_whitespace).next().unwrap_or(name), value))
    })
}

/// Resolves the character references of a sanitised text.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let plain =
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", "\u{a0}");
    Cow::Owned(plain.replace("&amp;", "&"))
}

/// Splits markup into tags and texts. An unclosed tag is text.
fn pieces(markup: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = markup;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = next_piece(rest);
        rest = after;
        Some(piece)
    })
}

fn next_piece(text: &str) -> (Piece<'_>, &str) {
    let Some(inside) = text.strip_prefix('<') else {
        let (words, after) = text.split_at(text.find('<').unwrap_or(text.len()));
        return (Piece::Text(words), after);
    };
    let (is_end, inside) = inside.strip_prefix('/').map_or((false, inside), |inside| (true, inside));
    if !inside.starts_with(|first: char| first.is_ascii_alphabetic()) {
        let end = text[1..].find('<').map_or(text.len(), |at| at + 1);
        let (words, after) = text.split_at(end);
        return (Piece::Text(words), after);
    }
    let Some(length) = tag_length(text) else { return (Piece::Text(text), "") };
    let (raw, after) = text.split_at(length);
    let body = raw.trim_start_matches(['<', '/']).trim_end_matches('>');
    let (name, attributes) =
        body.split_at(body.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(body.len()));
    let piece =
        if is_end { Piece::End { name, raw } } else { Piece::Start(Element { name, attributes, raw }) };
    (piece, after)
}

/// Returns the length of the tag at the start of a text. `None` if it is not closed.
fn tag_length(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Removes the elements for which `is_removed` is true, with their contents.
pub(super) fn without_elements(markup: &str, is_removed: impl Fn(&Element<'_>) -> bool) -> String {
    let mut out = String::with_capacity(markup.len());
    // Name of the removed element, and the number of its unclosed tags.
    let mut removed: Option<(&str, usize)> = None;
    for piece in pieces(markup) {
        removed = match (removed, piece) {
            (Some((name, depth)), Piece::Start(element)) if element.is(name) => Some((name, depth + 1)),
            (Some((name, depth)), Piece::End { name: ended, .. }) if ended.eq_ignore_ascii_case(name) => {
                (depth > 1).then(|| (name, depth - 1))
            }
            (None, Piece::Start(element)) if is_removed(&element) => {
                (!element.is_void()).then_some((element.name, 1))
            }
            (None, Piece::Start(Element { raw, .. }) | Piece::End { raw, .. } | Piece::Text(raw)) => {
                out.push_str(raw);
                None
            }
            (Some(_), Piece::Text(_) | Piece::Start(_) | Piece::End { .. }) => removed,
        };
    }
    out
}

/// Adds the titles of pictures as captions.
pub(super) fn with_captions(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    for piece in pieces(markup) {
        match piece {
            Piece::Start(element) if element.is("img") => {
                let title = attributes(element.attributes).find(|(name, _)| *name == CAPTION);
                match title.map(|(_, title)| title.trim()).filter(|title| !title.is_empty()) {
                    Some(title) => {
                        let caption = title.replace('<', "&lt;").replace('>', "&gt;");
                        out.extend([
                            "<figure>",
                            element.raw,
                            "<figcaption>",
                            caption.as_str(),
                            "</figcaption></figure>",
                        ]);
                    }
                    None => out.push_str(element.raw),
                }
            }
            Piece::Start(Element { raw, .. }) | Piece::End { raw, .. } | Piece::Text(raw) => {
                out.push_str(raw);
            }
        }
    }
    out
}

/// Removes the attributes that the preparation of a body added. `deferred` is the treatment of pictures whose addresses
/// were in attributes for deferred loading.
pub(super) fn without_marks(markup: &str, deferred: DeferredPictures) -> String {
    let mut out = String::with_capacity(markup.len());
    for piece in pieces(markup) {
        match piece {
            Piece::Start(element) => {
                let is_deferred = element.is("img") && element.marks().any(|mark| mark == IS_DEFERRED);
                if !is_deferred || deferred == DeferredPictures::Displayed {
                    push_without_marks(&mut out, &element);
                }
            }
            Piece::End { raw, .. } | Piece::Text(raw) => out.push_str(raw),
        }
    }
    out
}

/// Treatment of pictures whose addresses were in attributes for deferred loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeferredPictures {
    Displayed,
    /// Removes them, as if no rule displayed them.
    Removed,
}

fn push_without_marks(out: &mut String, element: &Element<'_>) {
    let is_mark = |name: &str| {
        (name == MARKS && element.marks().next().is_some()) || (name == CAPTION && element.is("img"))
    };
    if !attributes(element.attributes).any(|(name, _)| is_mark(name)) {
        out.push_str(element.raw);
        return;
    }
    out.push('<');
    out.push_str(element.name);
    for (name, value) in attributes(element.attributes).filter(|(name, _)| !is_mark(name)) {
        out.extend([" ", name, "=\"", value, "\""]);
    }
    out.push('>');
}

/// Converts a text without block elements to paragraphs: blank lines and repeated line breaks separate
/// paragraphs, and single line breaks become `br`.
pub(super) fn with_paragraphs(markup: &str) -> String {
    let is_block = |piece: Piece<'_>| match piece {
        Piece::Start(element) => BLOCKS.iter().any(|block| element.is(block)),
        Piece::Text(_) | Piece::End { .. } => false,
    };
    if pieces(markup).any(is_block) {
        return markup.to_owned();
    }
    let mut lines = String::with_capacity(markup.len());
    for piece in pieces(markup) {
        match piece {
            Piece::Start(element) if element.is("br") => lines.push('\n'),
            Piece::Start(Element { raw, .. }) | Piece::End { raw, .. } | Piece::Text(raw) => {
                lines.push_str(raw);
            }
        }
    }
    let (mut paragraphs, mut open) = (String::with_capacity(markup.len()), Vec::new());
    for line in lines.lines().map(str::trim).chain([""]) {
        if !line.is_empty() {
            open.push(line);
        } else if !open.is_empty() {
            paragraphs.extend(["<p>", open.join("<br>").as_str(), "</p>"]);
            open.clear();
        }
    }
    paragraphs
}

/// Sanitises changed markup.
///
/// # Errors
/// Returns [`TooComplex`] if the tree would be too costly.
pub(super) fn sanitised(markup: &str) -> Result<String, TooComplex> {
    check_tree(markup)?;
    Ok(display_markup_with_pictures(markup).replace("<p></p>", "").trim().to_owned())
}

/// Refuses markup whose tree would be too costly. The number of open elements is overestimated: an end tag
/// closes only the innermost open element, and no element is closed after a piece that parsers may interpret
/// differently.
fn check_tree(markup: &str) -> Result<(), TooComplex> {
    let (mut open, mut tags, mut sum, mut is_plain) = (Vec::new(), 0_usize, 0_usize, true);
    for piece in pieces(markup) {
        match piece {
            Piece::Start(element) => {
                tags += 1;
                is_plain &= element.is_plain();
                if !element.is_void() {
                    open.push(element.name);
                }
            }
            Piece::End { name, raw } => {
                is_plain &= raw.len() == name.len() + "</>".len();
                if is_plain && open.last().is_some_and(|last| last.eq_ignore_ascii_case(name)) {
                    open.pop();
                }
            }
            Piece::Text(text) if is_unclosed_tag(text) => return Err(TooComplex),
            Piece::Text(text) => is_plain &= !["<!", "<?", "</"].iter().any(|start| text.starts_with(start)),
        }
        sum += open.len();
        if open.len() > MAX_DEPTH || tags > MAX_TAGS || sum > MAX_OPEN_ELEMENTS {
            return Err(TooComplex);
        }
    }
    let most = if is_plain { MAX_MARKUP_BYTES } else { MAX_OTHER_BYTES };
    if markup.len() > most { Err(TooComplex) } else { Ok(()) }
}

/// Returns true if a text is the remainder of markup that starts with an unclosed tag.
fn is_unclosed_tag(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('<') else { return false };
    inside.trim_start_matches('/').starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Returns the words of markup on one line.
pub(super) fn line_of(markup: &str) -> String {
    one_line(&plain_text(markup))
}

/// Collapses white space to single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_elements_are_removed_with_their_contents() {
        let markup = "<p>One</p><div lang=\".ad\">Buy <div>more</div><img src=\"a.png\"></div><p>Two<img lang=\".ad\" src=\"b.png\"></p>";
        let is_ad = |element: &Element<'_>| element.marks().any(|mark| mark == ".ad");
        assert_eq!(without_elements(markup, is_ad), "<p>One</p><p>Two</p>");
        let unclosed = "<p>One</p><div lang=\".ad\">Two";
        assert_eq!(without_elements(unclosed, is_ad), "<p>One</p>");
    }

    #[test]
    fn titles_of_pictures_become_captions() {
        let markup = "<img align=\"Two &lt;b&gt; &amp; 5 > 4\" src=\"a.png\"><img src=\"b.png\"><img align=\" \" src=\"c.png\">";
        let captioned = with_captions(markup);
        let caption = "<figcaption>Two &lt;b&gt; &amp; 5 &gt; 4</figcaption></figure><img src=\"b.png\">";
        assert!(captioned.contains(caption), "{captioned}");
        let clean = without_marks(&captioned, DeferredPictures::Displayed);
        assert!(clean.starts_with("<figure><img src=\"a.png\"><figcaption>"), "{clean}");
        assert!(clean.ends_with("<img src=\"b.png\"><img src=\"c.png\">"), "{clean}");
    }

    #[test]
    fn marks_are_removed_and_other_attributes_are_retained() {
        let markup = "<p lang=\"fr\">Un</p><a lang=\".x\" href=\"https://example.org/\">two</a><img lang=\"!deferred\" src=\"a.png\">";
        let clean = "<p lang=\"fr\">Un</p><a href=\"https://example.org/\">two</a>";
        assert_eq!(without_marks(markup, DeferredPictures::Removed), clean);
        let displayed = format!("{clean}<img src=\"a.png\">");
        assert_eq!(without_marks(markup, DeferredPictures::Displayed), displayed);
    }

    #[test]
    fn line_breaks_become_paragraphs_in_texts_without_blocks() {
        let markup = "One<br>two<br><br>Three <b>four</b>\n\nFive";
        assert_eq!(with_paragraphs(markup), "<p>One<br>two</p><p>Three <b>four</b></p><p>Five</p>");
        let paragraphs = "<p>One<br><br>two</p>";
        assert_eq!(with_paragraphs(paragraphs), paragraphs);
    }

    #[test]
    fn changed_markup_is_sanitised_within_limits() {
        let safe = sanitised("<p onclick=\"x()\">One</p><script>x()</script><p></p>").unwrap();
        assert_eq!(safe, "<p>One</p>");
        assert_eq!(sanitised(&"<div>".repeat(300)), Err(TooComplex));
        assert_eq!(sanitised(&"<br>".repeat(60_000)), Err(TooComplex));
        assert_eq!(sanitised("a < b"), Ok("a &lt; b".to_owned()));
        let long = "<p>One <a href=\"https://example.org/?a>b\" lang=\"fr\">two</a><br></p>".repeat(5_000);
        assert!(sanitised(&long).is_ok());
    }

    #[test]
    fn markup_that_hides_the_depth_of_its_tree_is_refused() {
        for part in [
            "<b></i>", "<span><div></span>", "<b x=\"</b>\" y='\">\"</b>'>", "<b><!--</b>-->",
            "<b><textarea></b></textarea>", "<b></ </b>", "<b></b x='>'>",
        ] {
            assert_eq!(sanitised(&part.repeat(2_000)), Err(TooComplex), "{part}");
        }
        let bold = (0..200).map(|number| format!("<b id=\"x{number}\">")).collect::<Vec<_>>().concat();
        let copied = format!("<p>{bold}</p>{}", "<p>x</p>".repeat(20_000));
        assert_eq!(sanitised(&copied), Err(TooComplex));
        assert_eq!(sanitised("<p>One <a \"><b>two"), Err(TooComplex));
        let attributes = format!("<p {}>", "a ".repeat(40_000));
        assert_eq!(sanitised(&attributes), Err(TooComplex));
    }
}
