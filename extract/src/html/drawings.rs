//! Drawings: elements other than images that show a picture. They are `svg` and `canvas` elements, elements
//! with the role of an image, and elements with a background picture. A drawing is represented by its name,
//! its description and the words that it shows.

use super::{
    embeds::is_embedded,
    image_sources::{LAZY_BACKGROUNDS, background, is_image},
    main_part::is_non_text,
    pictures::{self, MAX_ALT_BYTES, folded_alt},
};
use crate::{
    clean,
    page::{Id, Page},
};

/// Maximum number of nodes in an element that has only a role or a background.
const MAX_EMPTY_NODES: usize = 100;
/// Maximum distance from a drawing to its figure, in ancestors.
const FIGURE_LAYERS: usize = 6;
/// Maximum number of nodes of a figure that are searched for other pictures.
const MAX_FIGURE_NODES: usize = 200;
/// Maximum distance from a drawing to the link or the button to which it belongs, in ancestors.
const LINK_ANCESTORS: usize = 4;
/// Maximum number of bytes of a description, and of the words of a drawing.
const MAX_TEXT_BYTES: usize = 16 * 1024;
/// Maximum number of words of a drawing that has neither a name, a description, nor a figure. More words are the
/// labels of a diagram, which are not readable in a row.
const MAX_UNNAMED_WORDS: usize = 8;
/// Maximum number of words in a notice that the browser cannot display the drawing.
const NOTICE_WORDS: usize = 40;
/// Lower-case words of such notices.
const NOTICE_TERMS: [&str; 13] = [
    "canvas", "browser", "html5", "javascript", "navigateur", "navegador", "przegląda", "prohlížeč",
    "браузер", "ブラウザ", "浏览器", "瀏覽器", "브라우저",
];
/// Text that represents a drawing.
pub(super) struct Description {
    pub(super) name: Option<String>,
    /// Name, description and words, one per line. Blank for a drawing that says nothing.
    pub(super) text: String,
    /// True if the text is cut.
    pub(super) is_cut: bool,
}

/// True if the element is a drawing that belongs to the text, as opposed to an icon or a decoration.
pub(super) fn is_content(page: &Page, id: Id) -> bool {
    let is_visible = match page.tag(id) {
        "svg" => {
            !pictures::is_small(page, id)
                && (pictures::is_large(page, id) || has_words_or_images(page, id) || is_of_figure(page, id))
        }
        "canvas" => !pictures::is_small(page, id),
        _ => is_picture_element(page, id),
    };
    let is_control = || {
        page.self_and_ancestors(id)
            .take(LINK_ANCESTORS)
            .any(|above| matches!(page.tag(above), "a" | "label" | "summary"))
    };
    is_visible && pictures::is_content(page, id, "") && (!is_control() || is_of_figure(page, id))
}

/// True for an element without text that is named as an image, or has a background picture with a name or a
/// caption. The picture of a figure may contain text.
fn is_picture_element(page: &Page, id: Id) -> bool {
    let may_show_picture = page.attributes(id).any(|(name, value)| match name {
        "role" => value == "img",
        "style" => value.contains("url("),
        _ => LAZY_BACKGROUNDS.contains(&name),
    });
    if !may_show_picture {
        return false;
    }
    let label = page.value(id, "aria-label");
    let has_role = label.is_some() && page.attribute(id, "role") == Some("img");
    let has_background = background(page, id).is_some();
    if !has_role && !has_background || !may_be_empty(page, id) || pictures::is_small(page, id) {
        return false;
    }
    let is_named = || label.or_else(|| page.value(id, "title")).is_some_and(|label| clean::words(label) >= 2);
    let is_picture = if has_background {
        has_role || is_named() || is_captioned(page, id)
    } else {
        !page.is_inline(id) && is_named()
    };
    is_picture && (is_empty(page, id) || has_role && is_named() && is_of_figure(page, id))
}

fn may_be_empty(page: &Page, id: Id) -> bool {
    let tag = page.tag(id);
    !is_image(page, id) && !is_embedded(tag) && !matches!(tag, "picture" | "figure" | "td" | "th" | "button")
}

/// True for an element with neither text nor media.
pub(super) fn is_empty(page: &Page, id: Id) -> bool {
    let mut inside = page.descendants_without(id, |inner| is_non_text(page.tag(inner)));
    let mut nodes = 0;
    inside.all(|inner| {
        nodes += 1;
        nodes <= MAX_EMPTY_NODES
            && !page.is_nonblank_text(inner)
            && !is_image(page, inner)
            && !is_embedded(page.tag(inner))
    })
}

fn figure_of(page: &Page, id: Id) -> Option<Id> {
    page.ancestors(id).take(FIGURE_LAYERS).find(|&above| page.is(above, "figure"))
}

/// True if the drawing is the picture of a figure with a caption. Backgrounds without a caption are banners and
/// previews of films.
fn is_captioned(page: &Page, id: Id) -> bool {
    let has_caption = |figure: Id| {
        page.descendants(figure).take(MAX_FIGURE_NODES).any(|inner| page.is(inner, "figcaption"))
    };
    figure_of(page, id).is_some_and(has_caption) && is_of_figure(page, id)
}

/// True if the drawing is the picture of a figure.
fn is_of_figure(page: &Page, id: Id) -> bool {
    figure_of(page, id).is_some_and(|figure| {
        !page
            .descendants(figure)
            .take(MAX_FIGURE_NODES)
            .any(|inner| is_image(page, inner) || is_embedded(page.tag(inner)))
    })
}

fn has_words_or_images(page: &Page, id: Id) -> bool {
    page.descendants(id).any(|inner| matches!(page.tag(inner), "text" | "foreignObject" | "image"))
}

/// Elements of a drawing with the URL of an image: the drawing itself, or images in it.
pub(super) fn images(page: &Page, id: Id) -> Vec<Id> {
    match page.tag(id) {
        "svg" => page.descendants(id).filter(|&inner| page.is(inner, "image")).collect(),
        "canvas" => Vec::new(),
        _ => vec![id],
    }
}

/// Description of a drawing.
pub(super) fn describe(page: &Page, id: Id) -> Description {
    let child = |tag: &str| page.element_children(id).find(|&child| page.is(child, tag));
    let title = || Some(page.folded_beginning(child("title")?, MAX_ALT_BYTES));
    let label = page.value(id, "aria-label").map(str::to_owned).or_else(title);
    let label = label.or_else(|| page.value(id, "title").map(str::to_owned));
    let name = label.map(|label| folded_alt(&label)).filter(|name| !name.is_empty());
    let mut lines: Vec<String> = name.iter().cloned().collect();
    let mut is_cut = false;
    match page.tag(id) {
        "svg" => {
            let about = child("desc").map(|about| page.folded_beginning(about, MAX_TEXT_BYTES));
            // Drawing programs write their own name as the description.
            let is_written =
                |about: &String| !about.is_empty() && !about.to_lowercase().starts_with("created");
            lines.extend(about.filter(is_written));
            let mut words = words(page, id);
            is_cut = words.len() > MAX_TEXT_BYTES;
            words.truncate(words.floor_char_boundary(MAX_TEXT_BYTES));
            let is_readable = |words: &String| {
                !lines.is_empty() || clean::words(words) <= MAX_UNNAMED_WORDS || is_of_figure(page, id)
            };
            let words = Some(words).filter(|words| says_something(words)).filter(is_readable);
            lines.extend(words);
        }
        "canvas" if has_fallback(page, id) => {
            let fallback = page.folded_beginning(id, MAX_TEXT_BYTES);
            lines.retain(|line| !fallback.contains(line.as_str()));
        }
        _ => {}
    }
    lines.dedup();
    let text = lines.join("\n");
    let text = if clean::words(&text) < 2 { String::new() } else { text };
    Description { name, text, is_cut }
}

/// Words that an `svg` shows, with single spaces. If there are more than `MAX_TEXT_BYTES`, some words beyond
/// them are included.
fn words(page: &Page, svg: Id) -> String {
    let mut words = String::new();
    let (mut at, end) = (svg + 1, page.subtree(svg).end);
    while at < end && words.len() <= MAX_TEXT_BYTES {
        if matches!(page.tag(at), "text" | "foreignObject") {
            clean::push_folded(&mut words, " ");
            clean::push_folded(&mut words, &page.folded_beginning(at, 2 * MAX_TEXT_BYTES));
            at = page.subtree(at).end;
        } else {
            at += 1;
        }
    }
    words.truncate(words.trim_end().len());
    words
}

/// True for words other than the numbers of an axis.
fn says_something(words: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    clean::words(words) >= 2 && words.split_whitespace().filter(is_word).map(clean::words).sum::<usize>() >= 2
}

/// True if the content of a `canvas` is the text of the drawing, as opposed to a notice that the browser
/// cannot display it.
pub(super) fn has_fallback(page: &Page, canvas: Id) -> bool {
    let text = page.folded_beginning(canvas, MAX_TEXT_BYTES).to_lowercase();
    let words = clean::words(&text);
    words >= 2 && (words > NOTICE_WORDS || !NOTICE_TERMS.iter().any(|term| text.contains(term)))
}
