//! Discussions whose markup declares the author of each post, by schema.org types or by the class names of
//! common forum software. The text of each post is selected, even if the classifier did not select it.

use std::collections::{HashMap, HashSet};

use super::{form::MAX_VISITED_NODES, post_heading::PostHeading, posts};
use crate::{
    clean,
    html::main_part::is_non_text,
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
/// Width in pixels of one level of indentation.
const INDENT_PIXELS: usize = 40;

/// Class names of posts that begin or answer a discussion.
const POSTS: [&str; 12] = [
    "fatitem", "question", "answer", "timeline-comment", "react-issue-body", "react-issue-comment",
    "review-comment", "topic-post", "crawler-post", "qa-q-view", "qa-a-list-item", "message--post",
];
/// Class names of comments. Comments alone are not a discussion.
const COMMENTS: [&str; 3] = ["comtr", "comment", "qa-c-list-item"];
/// Class names of elements that contain the text of a post.
const BODIES: [&str; 14] = [
    "titleline", "toptext", "commtext", "js-post-body", "s-prose", "post-text", "comment-copy",
    "js-comment-body", "comment-body", "markdown-body", "cooked", "bbWrapper", "qa-q-view-content",
    "qa-a-item-content",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum PostKind {
    Post,
    Comment,
}

struct ThreadPost {
    id: Id,
    kind: PostKind,
    author: String,
    date: Option<String>,
    bodies: Vec<Id>,
    chars: usize,
}

/// Returns the headings of the posts of a page. Selects the texts of the posts and excludes their other
/// content. Empty if the page is not a discussion with such markup.
pub(super) fn find(page: &Page, hidden: &[bool], keep: &mut [bool]) -> HashMap<Id, PostHeading> {
    let posts = posts_of(page, hidden);
    if !posts.iter().any(|post| post.kind == PostKind::Post) {
        return HashMap::new();
    }
    let ids: HashSet<Id> = posts.iter().map(|post| post.id).collect();
    let mut inside = vec![false; page.len()];
    for &id in &ids {
        inside[page.subtree(id)].fill(true);
    }
    let others = (1..page.len()).filter(|&id| keep[id] && !inside[id]).filter_map(|id| page.text(id));
    let (others, in_posts): (usize, usize) =
        (others.map(clean::visible_chars).sum(), posts.iter().map(|post| post.chars).sum());
    if in_posts * 100 < (in_posts + others) * MIN_PERCENT {
        return HashMap::new();
    }
    for id in 1..page.len() {
        if page.text(id).is_some()
            && (inside[id] && is_post_metadata(page, id) || !inside[id] && is_link_or_symbol(page, id))
        {
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
    let candidates: Vec<(Id, PostKind)> =
        (1..page.len()).filter(|&id| !hidden[id]).filter_map(|id| Some((id, kind(page, id)?))).collect();
    let mut valid: HashSet<Id> = HashSet::new();
    let mut posts = Vec::new();
    let mut visited = 0;
    // Inner posts are read first, because their authors and texts do not belong to the outer post.
    for (id, kind) in candidates.into_iter().rev() {
        visited += page.subtree(id).len();
        if visited > MAX_VISITED_NODES {
            return Vec::new();
        }
        let mut inner =
            posts.iter().rev().take_while(|inner: &&ThreadPost| page.subtree(id).contains(&inner.id));
        let is_outer = inner.any(|inner| inner.kind == PostKind::Post);
        let candidate = PostCandidate { id, kind, is_outer };
        if let Some(post) = post(page, &candidate, &valid, hidden) {
            valid.insert(id);
            posts.push(post);
        }
    }
    posts.reverse();
    posts
}

fn kind(page: &Page, id: Id) -> Option<PostKind> {
    if !page.is_element(id) || page.is_inline(id) || matches!(page.tag(id), "html" | "body") {
        return None;
    }
    let has = |names: &[&str]| page.class_names(id).any(|class| names.contains(&class));
    let is_of_type = |types: &[&str]| {
        page.attribute(id, "itemtype")
            .is_some_and(|kind| types.iter().any(|name| kind.rsplit('/').next() == Some(*name)))
    };
    if has(&POSTS) || is_of_type(&["Question", "Answer", "DiscussionForumPosting", "SocialMediaPosting"]) {
        Some(PostKind::Post)
    } else {
        (has(&COMMENTS) || is_of_type(&["Comment"])).then_some(PostKind::Comment)
    }
}

/// Element that may be a post.
struct PostCandidate {
    id: Id,
    kind: PostKind,
    /// True if the element contains posts other than comments.
    is_outer: bool,
}

fn post(page: &Page, candidate: &PostCandidate, inner: &HashSet<Id>, hidden: &[bool]) -> Option<ThreadPost> {
    let &PostCandidate { id, kind, is_outer } = candidate;
    let own: Vec<Id> = page.descendants_without(id, |at| inner.contains(&at)).collect();
    let (bodies, is_known) = match bodies(page, &own) {
        bodies if bodies.is_empty() && !is_outer => (paragraphs(page, &own), false),
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
    let author = first_stated(page, &others, &["author", "creator"], posts::author)?;
    let date = first_stated(page, &others, &["dateCreated", "datePublished"], posts::date);
    Some(ThreadPost { id, kind, author, date, bodies, chars })
}

/// Elements with the text of a post, recognised by their names.
fn bodies(page: &Page, own: &[Id]) -> Vec<Id> {
    let mut bodies: Vec<Id> = Vec::new();
    for &at in own.iter().filter(|&&at| is_body(page, at)) {
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

fn is_body(page: &Page, id: Id) -> bool {
    page.is_element(id)
        && (page.class_names(id).any(|class| BODIES.contains(&class))
            || page.attribute(id, "itemprop").is_some_and(|prop| {
                prop.split_ascii_whitespace()
                    .any(|prop| matches!(prop, "text" | "articleBody" | "commentText"))
            }))
}

/// First value of a node with one of these properties, or else of a node of the post's owner, or else of any
/// node. The owner precedes other nodes, because a post may also name its
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
        if at != body && posts.contains(&at) || is_silent {
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
    let ids: HashSet<Id> = posts.iter().map(|post| post.id).collect();
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

/// Nesting level of a post among the replies, from its indentation, a `data-depth` attribute, or the number
/// of posts that contain it.
fn depth(page: &Page, id: Id, posts: &HashSet<Id>) -> usize {
    let number = |id: Id, name: &str| page.value(id, name).and_then(|value| value.parse::<usize>().ok());
    let indentation = page.descendants(id).take(12).find(|&inner| page.has_class(inner, "ind"));
    let indented = indentation.and_then(|cell| {
        let image = || page.find(cell, "img").and_then(|image| number(image, "width"));
        number(cell, "indent").or_else(|| image().map(|width| width / INDENT_PIXELS))
    });
    indented
        .or_else(|| number(id, "data-depth"))
        .unwrap_or_else(|| page.ancestors(id).filter(|above| posts.contains(above)).count())
}

#[cfg(test)]
mod tests;
