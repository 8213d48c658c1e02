//! Forum posts with author and date.

use std::collections::{HashMap, HashSet};

use super::{
    form::{MAX_VISITED_NODES, form, has_name_word},
    post_heading::PostHeading,
};
use crate::{
    clean, metadata,
    page::{Id, Page},
};

/// Minimum number of characters in a post, not counting its author and date.
const MIN_CHARS: usize = 12;
/// Maximum number of characters in a name.
const NAME_CHARS: usize = 50;
/// Maximum number of words in a name.
const NAME_WORDS: usize = 5;
/// Maximum number of words in a date.
const DATE_WORDS: usize = 8;
/// Number of characters of the date at the start of an RFC 3339 time.
const DATE_CHARS: usize = 10;
/// Maximum number of nodes in an element with a date.
const MAX_DATE_NODES: usize = 12;
/// Minimum percentage of the selected text that must be in posts.
const MIN_PERCENT: usize = 50;

/// Words in the names of elements that are comments below a post.
const COMMENT_WORDS: &[&str] = &["comment", "reply"];
/// Maximum number of nodes in a comment that are searched for its author.
const MAX_COMMENT_NODES: usize = 200;

struct AuthoredPost {
    id: Id,
    author: String,
    date: Option<String>,
    /// Elements that contain the author and date of the post.
    byline: Vec<Id>,
    chars: usize,
}

/// Headings of the posts of a page. Empty if the page does not consist of posts.
pub(super) fn find(page: &Page, keep: &mut [bool]) -> HashMap<Id, PostHeading> {
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    let candidates: Vec<Id> = (1..page.len()).filter(|&id| may_be_post(page, id)).collect();
    for &id in &candidates {
        *counts.entry(form(page, id)).or_default() += 1;
    }
    let (repeated, single): (Vec<Id>, Vec<Id>) =
        candidates.into_iter().partition(|&id| counts[&form(page, id)] > 1);
    let among: HashSet<Id> = repeated.iter().copied().collect();
    let mut claimed = HashSet::new();
    let mut posts: Vec<AuthoredPost> = Vec::new();
    let mut visited = 0;
    for id in repeated {
        visited += page.subtree(id).len();
        if visited > MAX_VISITED_NODES {
            return HashMap::new();
        }
        posts.extend(post(page, id, keep, &among, &mut claimed));
    }
    let of_posts: HashSet<Id> = posts.iter().map(|post| post.id).collect();
    for id in single {
        visited += page.subtree(id).len();
        if visited > MAX_VISITED_NODES {
            return HashMap::new();
        }
        if !page.descendants(id).any(|inner| of_posts.contains(&inner))
            && !page.ancestors(id).any(|above| of_posts.contains(&above))
        {
            posts.extend(post(page, id, keep, &of_posts, &mut claimed));
        }
    }
    let all: usize =
        (1..page.len()).filter(|&id| keep[id]).filter_map(|id| page.text(id)).map(clean::visible_chars).sum();
    let post_chars: usize = posts.iter().map(|post| post.chars).sum();
    let titled = posts.iter().filter(|post| has_heading(page, post.id, keep)).count();
    if posts.len() < 2 || post_chars * 100 < all * MIN_PERCENT || titled * 2 > posts.len() {
        return HashMap::new();
    }
    for post in &posts {
        for inner in post.byline.iter().flat_map(|&id| page.subtree(id)) {
            keep[inner] = false;
        }
    }
    posts.sort_by_key(|post| post.id);
    headings(page, posts)
}

/// Creates the heading of each post. Its level shows the nesting of replies.
fn headings(page: &Page, posts: Vec<AuthoredPost>) -> HashMap<Id, PostHeading> {
    let mut above: Vec<(Id, String)> = Vec::new();
    let mut headings = HashMap::new();
    for AuthoredPost { id, author, date, .. } in posts {
        while above.last().is_some_and(|(outer, _)| !page.subtree(*outer).contains(&id)) {
            above.pop();
        }
        let replied_to = above.last().map(|(_, author)| author.as_str());
        headings.insert(id, PostHeading::new(&author, replied_to, date.as_deref(), above.len()));
        above.push((id, author));
    }
    headings
}

fn may_be_post(page: &Page, id: Id) -> bool {
    const WORDS: &[&str] = &[
        "post", "comment", "message", "reply", "answer", "question", "topic", "msg", "response", "thing",
        "article", "suggestedanswer", "acceptedanswer", "comtr", "postcontainer", "commentcontainer",
    ];
    if page.is_inline(id)
        || matches!(page.tag(id), "" | "html" | "body" | "main" | "form" | "h1" | "h2" | "h3")
    {
        return false;
    }
    page.is(id, "article")
        || page.attribute(id, "role") == Some("article")
        || ["data-author", "data-post-id", "data-message-id"]
            .iter()
            .any(|name| page.attribute(id, name).is_some())
        || page.attribute(id, "itemtype").is_some_and(|kind| {
            ["Comment", "Answer", "Question", "DiscussionForumPosting"].iter().any(|end| kind.ends_with(end))
        })
        || has_name_word(page, id, WORDS)
}

/// Reads a post that has its own author. `claimed` contains the author elements of other posts.
fn post(
    page: &Page,
    id: Id,
    keep: &[bool],
    posts: &HashSet<Id>,
    claimed: &mut HashSet<Id>,
) -> Option<AuthoredPost> {
    let own = own_nodes(page, id, posts);
    let (by, name) = own.iter().find_map(|&inner| Some((inner, author(page, inner)?)))?;
    if claimed.contains(&by) {
        return None;
    }
    let on = own.iter().find_map(|&inner| Some((inner, date(page, inner)?)));
    let mut byline = vec![by];
    byline.extend(on.as_ref().map(|(at, _)| *at));
    let byline_nodes: HashSet<Id> = byline.iter().flat_map(|&id| page.subtree(id)).collect();
    let chars = own.iter().filter(|inner| keep[**inner] && !byline_nodes.contains(inner));
    let chars: usize = chars.filter_map(|&inner| page.text(inner)).map(clean::visible_chars).sum();
    if chars < MIN_CHARS {
        return None;
    }
    claimed.insert(by);
    Some(AuthoredPost { id, author: name, date: on.map(|(_, date)| date), byline, chars })
}

/// Nodes of a post, without the replies inside it.
fn own_nodes(page: &Page, id: Id, posts: &HashSet<Id>) -> Vec<Id> {
    let alike = form(page, id);
    let is_comment = has_name_word(page, id, COMMENT_WORDS);
    let is_reply = |at: Id| {
        posts.contains(&at) && (form(page, at) == alike || !is_comment && is_comment_with_author(page, at))
    };
    page.descendants_without(id, is_reply).collect()
}

/// True for a comment below a post, if the comment has its own author.
fn is_comment_with_author(page: &Page, id: Id) -> bool {
    has_name_word(page, id, COMMENT_WORDS)
        && page.descendants(id).take(MAX_COMMENT_NODES).any(|inner| author(page, inner).is_some())
}

pub(super) fn author(page: &Page, id: Id) -> Option<String> {
    const WORDS: &[&str] = &[
        "author", "username", "creator", "poster", "nickname", "nick", "displayname", "user", "byline",
        "membername", "hnuser",
    ];
    const PATHS: &[&str] = &[
        "/user/", "/users/", "/u/", "/profile/", "/profiles/", "/member/", "/members/", "/people/",
        "member.php", "user?id=", "space-uid-",
    ];
    if !page.is_element(id) || matches!(page.tag(id), "img" | "svg" | "script" | "style" | "time") {
        return None;
    }
    let leads = page.is(id, "a")
        && ["href", "data-hovercard-url"]
            .iter()
            .filter_map(|name| page.attribute(id, name))
            .any(|href| is_handle(href) || PATHS.iter().any(|path| href.contains(path)));
    if !leads && page.attribute(id, "rel") != Some("author") && !has_name_word(page, id, WORDS) {
        return None;
    }
    let text = name_in(page, id);
    let text = text.trim();
    let name = ["by ", "By ", "@"].iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    let name = name.trim_matches([' ', ',', '|', '•', '·', ':', '-', '–', '—']);
    let fits = name.chars().count() <= NAME_CHARS
        && (1..=NAME_WORDS).contains(&name.split_whitespace().count())
        && name.contains(char::is_alphanumeric)
        && !page.descendants(id).any(|inner| date(page, inner).is_some());
    fits.then(|| name.to_owned())
}

/// True for a URL whose path is only the handle of a person, such as `/@ann` and `/~ann`.
fn is_handle(href: &str) -> bool {
    let path = href.split_once("://").map_or(href, |(_, rest)| &rest[rest.find('/').unwrap_or(0)..]);
    let name = path.strip_prefix("/@").or_else(|| path.strip_prefix("/~"));
    name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
}

/// Name in an author element: the text of the element that is declared as the name, or of the link at the
/// beginning.
fn name_in(page: &Page, id: Id) -> String {
    const NAMES: [&str; 3] = ["username", "p-name", "display-name__html"];
    let text = page.folded_text(id);
    let is_name = |inner: &Id| {
        page.attribute(*inner, "itemprop") == Some("name")
            || page.class_names(*inner).any(|class| NAMES.contains(&class))
    };
    if let Some(name) = page.descendants(id).find(is_name) {
        let name = page.folded_text(name);
        if !name.is_empty() {
            return name;
        }
    }
    let links = page.descendants(id).filter(|&inner| page.is(inner, "a")).map(|link| page.folded_text(link));
    links.filter(|link| !link.is_empty()).find(|link| text.starts_with(link.as_str())).unwrap_or(text)
}

pub(super) fn date(page: &Page, id: Id) -> Option<String> {
    const WORDS: &[&str] = &[
        "date", "time", "timestamp", "posted", "published", "created", "age", "ago", "datepublished",
        "datecreated", "relativetime",
    ];
    let timed = matches!(page.tag(id), "time" | "relative-time" | "local-time" | "time-ago")
        || is_titled_date(page, id);
    if !timed && (!page.is_element(id) || !has_name_word(page, id, WORDS)) {
        return None;
    }
    let stated = ["datetime", "content", "title", "data-tippy-content"]
        .iter()
        .filter_map(|name| page.value(id, name))
        .find_map(metadata::normal_date);
    if stated.is_none() && page.descendants(id).take(MAX_DATE_NODES).any(|inner| is_machine_date(page, inner))
    {
        return None;
    }
    let displayed = page.folded_text(id);
    let short = clean::words(&displayed) <= DATE_WORDS && displayed.contains(|c: char| c.is_ascii_digit());
    if !timed && !short {
        return None;
    }
    // The displayed text is used if it contains a year. Other texts, such as "Yesterday", become wrong over
    // time.
    let full = short && displayed.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() == 4);
    let day = || Some(stated?.chars().take(DATE_CHARS).collect());
    if full { Some(displayed) } else { day().or_else(|| short.then_some(displayed)) }
}

/// True for an inline element whose title is a machine-readable date, such as `1 day ago`.
fn is_titled_date(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "span" | "a" | "abbr")
        && page.value(id, "title").is_some_and(|title| {
            title.get(..5).is_some_and(|year| {
                year.ends_with('-') && year[..4].bytes().all(|byte| byte.is_ascii_digit())
            }) && metadata::normal_date(title).is_some()
        })
}

/// True for an element inside a date element that contains the date in a machine-readable form.
fn is_machine_date(page: &Page, id: Id) -> bool {
    ["datetime", "title"]
        .iter()
        .filter_map(|name| page.value(id, name))
        .any(|value| metadata::normal_date(value).is_some())
}

fn has_heading(page: &Page, id: Id, keep: &[bool]) -> bool {
    page.descendants(id).any(|inner| keep[inner] && matches!(page.tag(inner), "h1" | "h2" | "h3" | "h4"))
}
