//! Discussions whose markup declares the author of each post, by schema.org types or by the class names of
//! common forum software. The text of each post is selected, even if the classifier did not select it.

use std::collections::{HashMap, HashSet};

use super::{
    form::{MAX_VISITED_NODES, has_name_word},
    post_heading::PostHeading,
    post_markup::{self, PostKind, PostMarkup},
    posts,
};
use crate::{
    clean,
    html::main_part::is_non_text,
    metadata,
    page::{Id, Page},
};

/// Minimum number of characters in the text of a post.
const MIN_CHARS: usize = 2;
/// Minimum percentage of the page's text that must be in posts.
const MIN_PERCENT: usize = 50;
/// Maximum number of words in a line of a post that is metadata instead of text.
const METADATA_WORDS: usize = 6;
/// Maximum number of words in a line that contains the author.
const BYLINE_WORDS: usize = 16;
/// Maximum number of nodes in a metadata line.
const METADATA_NODES: usize = 60;
/// Maximum number of bytes of a metadata line that are read.
const METADATA_BYTES: usize = 400;
/// Maximum number of words in a line that contains the date.
const DATE_LINE_WORDS: usize = 16;
/// Number of characters of the date at the start of an RFC 3339 time.
const DATE_CHARS: usize = 10;
/// Maximum number of characters in the name of an author.
const NAME_CHARS: usize = 50;
/// Name that replaces the author of a post whose account is deleted.
const DELETED: &str = "[deleted]";
/// Maximum distance from a text to the element that is appended to a post, in ancestors.
const ADDITION_LAYERS: usize = 7;
/// Width in pixels of one level of indentation.
const INDENT_PIXELS: usize = 40;

struct ThreadPost {
    id: Id,
    kind: PostKind,
    /// True if the post consists of its title only.
    is_title: bool,
    /// True if pictures and texts outside of `bodies` do not belong to the post.
    has_known_text: bool,
    author: String,
    date: Option<String>,
    bodies: Vec<Id>,
    chars: usize,
}

/// Returns the headings of the posts of a page. Selects the texts of the posts and excludes their other
/// content. Empty if the page is not a discussion with such markup.
pub(super) fn find(page: &Page, hidden: &[bool], keep: &mut [bool]) -> HashMap<Id, PostHeading> {
    let posts = posts_of(page, hidden);
    // Several posts without text are the entries of a listing.
    let is_listing = posts.iter().filter(|post| post.is_title).count() > 1;
    if is_listing || !posts.iter().any(|post| post.kind == PostKind::Post) {
        return HashMap::new();
    }
    let ids: HashSet<Id> = posts.iter().map(|post| post.id).collect();
    let (mut inside, mut has_known_text) = (vec![false; page.len()], vec![false; page.len()]);
    for post in &posts {
        inside[page.subtree(post.id)].fill(true);
        has_known_text[page.subtree(post.id)].fill(post.has_known_text);
    }
    let others = (1..page.len()).filter(|&id| keep[id] && !inside[id]).filter_map(|id| page.text(id));
    let (others, in_posts): (usize, usize) =
        (others.map(clean::visible_chars).sum(), posts.iter().map(|post| post.chars).sum());
    if in_posts * 100 < (in_posts + others) * MIN_PERCENT {
        return HashMap::new();
    }
    for id in 1..page.len() {
        if keep[id] && page.text(id).is_some() {
            let is_other = if inside[id] {
                is_post_metadata(page, id) || is_in_addition(page, id)
            } else {
                is_link_or_symbol(page, id) || is_in_sidebar(page, id)
            };
            keep[id] = !is_other;
        } else if has_known_text[id] && page.is(id, "img") {
            // Pictures outside of the text are portraits and symbols.
            keep[id] = false;
        }
    }
    for post in &posts {
        for &body in &post.bodies {
            select(page, body, &ids, hidden, keep);
        }
    }
    headings(page, posts)
}

/// Posts with an author and a text, in page order.
fn posts_of(page: &Page, hidden: &[bool]) -> Vec<ThreadPost> {
    let candidates: Vec<(Id, PostMarkup)> = (1..page.len())
        .filter(|&id| !hidden[id])
        .filter_map(|id| Some((id, post_markup::of(page, id)?)))
        .collect();
    let mut valid: HashSet<Id> = HashSet::new();
    let mut posts = Vec::new();
    let mut visited = 0;
    // Inner posts are read first, because their authors and texts do not belong to the outer post.
    for (id, markup) in candidates.into_iter().rev() {
        visited += page.subtree(id).len();
        if visited > MAX_VISITED_NODES {
            return Vec::new();
        }
        let mut inner =
            posts.iter().rev().take_while(|inner: &&ThreadPost| page.subtree(id).contains(&inner.id));
        let is_outer = inner.any(|inner| inner.kind == PostKind::Post);
        let candidate = PostCandidate { id, markup, is_outer };
        if let Some(post) = post(page, &candidate, &valid, hidden) {
            valid.insert(id);
            posts.push(post);
        }
    }
    posts.reverse();
    posts
}

/// Element that may be a post.
struct PostCandidate {
    id: Id,
    markup: PostMarkup,
    /// True if the element contains posts other than comments.
    is_outer: bool,
}

fn post(page: &Page, candidate: &PostCandidate, inner: &HashSet<Id>, hidden: &[bool]) -> Option<ThreadPost> {
    let &PostCandidate { id, markup, is_outer } = candidate;
    let own: Vec<Id> = page.descendants_without(id, |at| inner.contains(&at)).collect();
    let (bodies, is_known) = match bodies(page, &own, &markup) {
        bodies if bodies.is_empty() && !is_outer && !markup.has_known_text => (paragraphs(page, &own), false),
        bodies => (bodies, true),
    };
    let mut body_end = 0;
    let (in_bodies, mut others): (Vec<Id>, Vec<Id>) = own.iter().copied().partition(|at| {
        if bodies.binary_search(at).is_ok() {
            body_end = page.subtree(*at).end;
        }
        *at < body_end
    });
    let texts = in_bodies.iter().filter(|&&at| !hidden[at]).filter_map(|&at| page.text(at));
    let chars: usize = texts.map(clean::visible_chars).sum();
    if chars < MIN_CHARS {
        return None;
    }
    if !is_known {
        others = own;
    }
    let author = author(page, id, &others)?;
    let date = first_stated(page, &others, &["dateCreated", "datePublished"], posts::date)
        .or_else(|| date_in_text(page, &others));
    let is_title = !bodies.is_empty() && bodies.iter().all(|&body| markup.is_title(page, body));
    Some(ThreadPost {
        id,
        kind: markup.kind,
        is_title,
        has_known_text: markup.has_known_text,
        author,
        date,
        bodies,
        chars,
    })
}

/// Author of a post, from an attribute of its element or from the nodes outside of its text.
fn author(page: &Page, id: Id, others: &[Id]) -> Option<String> {
    let declared = ["data-author", "author"].iter().find_map(|name| page.value(id, name)).map(clean::fold);
    let is_deleted = |id: Id| page.text(id).is_some_and(|text| text.trim() == DELETED);
    declared
        .filter(|name| (1..=NAME_CHARS).contains(&name.chars().count()))
        .or_else(|| first_stated(page, others, &["author", "creator"], posts::author))
        .or_else(|| others.iter().any(|&id| is_deleted(id)).then(|| DELETED.to_owned()))
}

/// Date in a short line of a post whose markup does not mark the date. Lines that state since when the author
/// has been a member are ignored.
fn date_in_text(page: &Page, others: &[Id]) -> Option<String> {
    const MEMBERSHIP: [&str; 8] =
        ["join", "member", "regist", "inscri", "iscritt", "beigetreten", "dabei seit", "注册"];
    others.iter().find_map(|&id| {
        let date = metadata::normal_date(page.text(id).filter(|text| metadata::may_contain_date(text))?)?;
        let block = page.ancestors(id).find(|&above| !page.is_inline(above))?;
        let line = page.folded_beginning(block, METADATA_BYTES).to_lowercase();
        let is_of_post =
            clean::words(&line) <= DATE_LINE_WORDS && !MEMBERSHIP.iter().any(|word| line.contains(word));
        is_of_post.then(|| date.chars().take(DATE_CHARS).collect())
    })
}

/// Elements with the text of a post, recognised by their names.
fn bodies(page: &Page, own: &[Id], markup: &PostMarkup) -> Vec<Id> {
    let mut bodies: Vec<Id> = Vec::new();
    for &at in own.iter().filter(|&&at| markup.is_text(page, at) && !is_in_addition(page, at)) {
        // An outer element with this name may also contain the author.
        if bodies.last().is_some_and(|last| page.subtree(*last).contains(&at)) {
            bodies.pop();
        }
        bodies.push(at);
    }
    bodies
}

/// Paragraphs of a post whose text element has no known name, and the lists and tables between them.
fn paragraphs(page: &Page, own: &[Id]) -> Vec<Id> {
    let is_paragraph = |id: Id| matches!(page.tag(id), "p" | "pre" | "blockquote");
    let parents: HashSet<Id> =
        own.iter().filter(|&&at| is_paragraph(at)).map(|&at| page.parent(at)).collect();
    let is_list = |id: Id| {
        matches!(page.tag(id), "ul" | "ol" | "dl" | "table")
            && (parents.is_empty() || parents.contains(&page.parent(id)))
            && !is_mostly_linked(page, id)
    };
    let mut paragraphs: Vec<Id> = Vec::new();
    for &at in own {
        let is_inside = paragraphs.last().is_some_and(|last| page.subtree(*last).contains(&at));
        if !is_inside && (is_paragraph(at) || is_list(at)) {
            paragraphs.push(at);
        }
    }
    paragraphs
}

/// True if at least half of the characters of an element are in links.
fn is_mostly_linked(page: &Page, id: Id) -> bool {
    let (mut all, mut linked, mut link_end) = (0, 0, 0);
    for inner in page.descendants(id) {
        if page.is(inner, "a") {
            link_end = link_end.max(page.subtree(inner).end);
        }
        let count = page.text(inner).map_or(0, clean::visible_chars);
        all += count;
        linked += if inner < link_end { count } else { 0 };
    }
    linked * 2 >= all
}

/// Value of the first node with one of these properties, or else of the first node of the post's owner, or
/// else of the first node that has a value. The owner precedes other nodes, because a post may also name its
/// last editor.
fn first_stated(
    page: &Page,
    nodes: &[Id],
    properties: &[&str],
    value: fn(&Page, Id) -> Option<String>,
) -> Option<String> {
    let is_stated = |id: Id| {
        page.attribute(id, "itemprop")
            .is_some_and(|prop| prop.split_ascii_whitespace().any(|prop| properties.contains(&prop)))
    };
    let is_owner = |id: Id| page.self_and_ancestors(id).take(6).any(|above| page.has_class(above, "owner"));
    let first = |test: &dyn Fn(Id) -> bool| {
        nodes.iter().copied().filter(|&id| page.is_element(id) && test(id)).find_map(|id| value(page, id))
    };
    first(&is_stated).or_else(|| first(&is_owner)).or_else(|| first(&|_| true))
}

/// Selects the visible text of a body, without nested posts.
fn select(page: &Page, body: Id, posts: &HashSet<Id>, hidden: &[bool], keep: &mut [bool]) {
    let end = page.subtree(body).end;
    let mut at = body;
    while at < end {
        let is_silent = is_non_text(page.tag(at)) || matches!(page.tag(at), "button" | "form");
        if at != body && posts.contains(&at) || is_silent || is_addition(page, at) {
            at = page.subtree(at).end;
            continue;
        }
        let is_medium = matches!(page.tag(at), "img" | "video" | "audio" | "iframe");
        if !hidden[at] && (page.text(at).is_some() || is_medium) {
            page.flag_with_ancestors(at, keep);
        }
        at += 1;
    }
}

/// True for a text in a post that is short or mostly linked, such as votes, controls, author and date. Author
/// and date are in the heading.
fn is_post_metadata(page: &Page, text: Id) -> bool {
    let mut above = page.ancestors(text);
    let block = above.find(|&above| !page.is_inline(above)).unwrap_or(0);
    let is_title = page.is(block, "h1") || above.take(2).any(|above| page.is(above, "h1"));
    if is_title || page.subtree(block).len() > METADATA_NODES {
        return false;
    }
    let is_linked =
        |id: Id| page.ancestors(id).take_while(|&above| above != block).any(|above| page.is(above, "a"));
    let texts = page.descendants(block).filter_map(|id| Some((id, clean::visible_chars(page.text(id)?))));
    let (all, linked) = texts.fold((0, 0), |(all, linked), (id, count)| {
        (all + count, linked + if is_linked(id) { count } else { 0 })
    });
    let words = clean::words(&page.folded_text(block));
    let is_byline = || page.descendants(block).any(|inner| posts::author(page, inner).is_some());
    linked * 2 >= all || words <= METADATA_WORDS || words <= BYLINE_WORDS && is_byline()
}

/// True for an element that is appended to the text of posts: the signature of the author, the time of the last edit
/// in Invision, and the title and the button of code in phpBB.
fn is_addition(page: &Page, id: Id) -> bool {
    has_name_word(page, id, &["signature"])
        || page.attribute(id, "data-role") == Some("memberSignature")
        || page.attribute(id, "data-excludequote").is_some()
        || page.is(id, "p") && page.has_class(page.parent(id), "codebox")
}

fn is_in_addition(page: &Page, id: Id) -> bool {
    page.self_and_ancestors(id).take(ADDITION_LAYERS).any(|above| is_addition(page, above))
}

/// True for a text next to the discussion, such as the description of the forum.
fn is_in_sidebar(page: &Page, text: Id) -> bool {
    let is_sidebar = |class: &str| matches!(class, "side" | "sidebar");
    page.ancestors(text).any(|above| page.is(above, "aside") || page.class_names(above).any(is_sidebar))
}

/// True for a link outside of headings, and for symbols without words, such as a separator between links.
fn is_link_or_symbol(page: &Page, text: Id) -> bool {
    let has_words = page.text(text).is_some_and(|text| text.contains(char::is_alphanumeric));
    !has_words
        || page
            .ancestors(text)
            .take_while(|&above| !matches!(page.tag(above), "h1" | "h2" | "h3" | "p"))
            .any(|above| matches!(page.tag(above), "a" | "nav" | "footer"))
            && !page.ancestors(text).any(|above| matches!(page.tag(above), "h1" | "h2" | "h3" | "p"))
}

/// Creates the heading of each post. Its level shows the nesting of replies.
fn headings(page: &Page, posts: Vec<ThreadPost>) -> HashMap<Id, PostHeading> {
    let ids: Vec<Id> = posts.iter().map(|post| post.id).collect();
    let mut authors: Vec<String> = Vec::new();
    let mut headings = HashMap::new();
    for ThreadPost { id, author, date, .. } in posts {
        let depth = depth(page, id, &ids).min(authors.len());
        authors.truncate(depth);
        let heading = PostHeading::new(&author, authors.last().map(String::as_str), date.as_deref(), depth);
        headings.insert(id, heading);
        authors.push(author);
    }
    headings
}

/// Nesting level of a post among the replies, from its indentation, an attribute, or the posts that contain it.
/// `posts` is sorted.
fn depth(page: &Page, id: Id, posts: &[Id]) -> usize {
    let number = |id: Id, name: &str| page.value(id, name).and_then(|value| value.parse::<usize>().ok());
    let indentation = page.descendants(id).take(12).find(|&inner| page.has_class(inner, "ind"));
    let indented = indentation.and_then(|cell| {
        let image = || page.find(cell, "img").and_then(|image| number(image, "width"));
        number(cell, "indent").or_else(|| image().map(|width| width / INDENT_PIXELS))
    });
    let stated = || ["data-depth", "depth"].iter().find_map(|name| number(id, name));
    indented.or_else(stated).unwrap_or_else(|| outer_posts(page, id, posts))
}

/// Number of posts that contain a post. A list item whose first post is another post counts like that post, if
/// the reply has its own item in a list within it.
fn outer_posts(page: &Page, id: Id, posts: &[Id]) -> usize {
    let first_post = |item: Id| {
        let first = *posts.get(posts.partition_point(|&post| post < item))?;
        page.subtree(item).contains(&first).then_some(first)
    };
    let items = || page.self_and_ancestors(id).filter(|&above| page.is(above, "li"));
    let has_own_item = items().next().is_some_and(|item| first_post(item) == Some(id));
    let mut outer: HashSet<Id> =
        page.ancestors(id).filter(|above| posts.binary_search(above).is_ok()).collect();
    if has_own_item {
        outer.extend(items().filter_map(first_post).filter(|&post| post != id));
    }
    outer.len()
}

#[cfg(test)]
mod tests;
