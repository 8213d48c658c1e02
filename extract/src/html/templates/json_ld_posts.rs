//! Discussions whose posts are described in the page's JSON-LD. The data contains the author of each post.
//! The text of the post is located in the page.

use std::{collections::HashMap, ops::Range};

use serde_json::Value;

use super::post_heading::PostHeading;
use crate::{
    clean::{self, squeezed},
    html::main_part::is_non_text,
    metadata,
    page::{Id, Page},
};

/// Schema.org types of posts.
const TYPES: [&str; 5] = ["Question", "Answer", "Comment", "DiscussionForumPosting", "SocialMediaPosting"];
/// Properties that contain the replies to a post.
const REPLIES: [&str; 3] = ["comment", "acceptedAnswer", "suggestedAnswer"];
const MAX_POSTS: usize = 200;
const MAX_DEPTH: usize = 8;
/// Number of leading characters by which a long post is located in the page.
const START_CHARS: usize = 60;
/// Minimum number of characters in a post.
const MIN_CHARS: usize = 12;
/// Minimum percentage of the selected text that must be in posts.
const MIN_PERCENT: usize = 50;
/// Number of characters of the date at the start of an RFC 3339 time.
const DATE_CHARS: usize = 10;

struct JsonLdPost {
    author: String,
    date: Option<String>,
    text: String,
    depth: usize,
}

/// Returns the headings of the posts of a page, and selects the texts of the posts. Empty if the data does
/// not describe a discussion.
pub(super) fn find(page: &Page, hidden: &[bool], keep: &mut [bool]) -> HashMap<Id, PostHeading> {
    let stated = stated(page);
    if stated.len() < 2 {
        return HashMap::new();
    }
    let text = PageText::of(page, hidden);
    let (mut headings, mut ranges) = (HashMap::new(), Vec::new());
    let mut authors: Vec<String> = Vec::new();
    for post in stated {
        authors.truncate(post.depth);
        let replied_to = authors.last().map(String::as_str);
        let heading = PostHeading::new(&post.author, replied_to, post.date.as_deref(), post.depth);
        authors.push(post.author);
        let Some((first, last)) = text.find(&post.text) else { continue };
        let id = outermost(page, &text, first, post.text.len());
        if headings.insert(id, heading).is_none() {
            ranges.push((first, last));
        }
    }
    let is_in_posts = |id: Id| ranges.iter().any(|&(first, last)| (first..=last).contains(&id));
    let (mut all, mut in_posts) = (0, 0);
    for id in (1..page.len()).filter(|&id| keep[id] || is_in_posts(id)) {
        let count = page.text(id).filter(|_| !hidden[id]).map_or(0, clean::visible_chars);
        all += count;
        in_posts += if is_in_posts(id) { count } else { 0 };
    }
    if headings.len() < 2 || in_posts * 100 < all * MIN_PERCENT {
        return HashMap::new();
    }
    for id in ranges.into_iter().flat_map(|(first, last)| first..=last) {
        if page.text(id).is_some() && !hidden[id] && !is_non_text(page.tag(page.parent(id))) {
            keep[id] = true;
            page.ancestors(id).for_each(|above| keep[above] = true);
        }
    }
    headings
}

/// Posts that the data of a page describes, each before its replies.
fn stated(page: &Page) -> Vec<JsonLdPost> {
    let is_data = |id: &Id| {
        page.is(*id, "script") && page.attribute(*id, "type").is_some_and(|kind| kind.contains("ld+json"))
    };
    let mut posts = Vec::new();
    for script in (1..page.len()).filter(is_data) {
        let data: String = page.children(script).filter_map(|child| page.text(child)).collect();
        if let Some(value) = metadata::parse_data(&data) {
            collect(&value, 0, 0, &mut posts);
        }
    }
    posts
}

fn collect(value: &Value, depth: usize, level: usize, posts: &mut Vec<JsonLdPost>) {
    if level > MAX_DEPTH * 2 || posts.len() >= MAX_POSTS {
        return;
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, depth, level + 1, posts)),
        Value::Object(map) => {
            let post = has_post_type(value).then(|| post(value, depth)).flatten();
            let is_stated = post.is_some();
            posts.extend(post);
            for name in ["@graph", "mainEntity", "mainEntityOfPage"] {
                if let Some(inner @ (Value::Array(_) | Value::Object(_))) = map.get(name) {
                    collect(inner, depth, level + 1, posts);
                }
            }
            for name in REPLIES.iter().filter(|_| is_stated) {
                // An answer has the same level as its question.
                let inner_depth = if *name == "comment" { depth + 1 } else { depth };
                if let Some(inner) = map.get(*name) {
                    collect(inner, inner_depth.min(MAX_DEPTH), level + 1, posts);
                }
            }
        }
        _ => {}
    }
}

fn has_post_type(value: &Value) -> bool {
    let is = |value: &Value| {
        value.as_str().is_some_and(|name| TYPES.contains(&name.rsplit(['/', ':']).next().unwrap_or(name)))
    };
    match value.get("@type") {
        Some(Value::Array(types)) => types.iter().any(is),
        Some(kind) => is(kind),
        None => false,
    }
}

fn post(value: &Value, depth: usize) -> Option<JsonLdPost> {
    let author = match value.get("author")? {
        Value::Array(authors) => authors.first()?.get("name")?.as_str()?,
        author => author.get("name").unwrap_or(author).as_str()?,
    };
    let text = ["text", "articleBody"].iter().find_map(|name| value.get(*name)?.as_str())?;
    let text = squeezed(&without_tags(&metadata::unescape(text)));
    let date = ["dateCreated", "datePublished"].iter().find_map(|name| value.get(*name)?.as_str());
    let date = date.and_then(metadata::normal_date).map(|date| date.chars().take(DATE_CHARS).collect());
    let author = clean::fold(&metadata::unescape(author));
    (!author.is_empty() && text.chars().count() >= MIN_CHARS).then_some(JsonLdPost {
        author,
        date,
        text,
        depth,
    })
}

/// Removes the tags from a string of the data.
fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let (before, after) = (&rest[..open], &rest[open + 1..]);
        let is_tag = after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let end = if is_tag { after.find('>') } else { None };
        if is_tag && end.is_none() {
            break;
        }
        out.push_str(before);
        rest = end.map_or(after, |end| &after[end + 1..]);
    }
    out.push_str(rest);
    out
}

/// Letters and digits of the visible text of a page, with the text node of each position. Markup may change
/// punctuation, but it does not change letters and digits.
struct PageText {
    text: String,
    /// Position in `text` at which each text node begins.
    starts: Vec<(usize, Id)>,
    /// Bytes of letters and digits before each node, including hidden nodes. The last element is the total.
    sizes: Vec<usize>,
}

impl PageText {
    fn of(page: &Page, hidden: &[bool]) -> Self {
        let mut all = Self { text: String::new(), starts: Vec::new(), sizes: vec![0] };
        let (mut silent_until, mut size) = (0, 0);
        for (id, is_hidden) in (0..page.len()).zip(hidden).skip(1) {
            if is_non_text(page.tag(id)) {
                silent_until = silent_until.max(page.subtree(id).end);
            }
            all.sizes.push(size);
            let Some(text) = page.text(id).map(squeezed) else { continue };
            size += text.len();
            if !is_hidden && id >= silent_until {
                all.starts.push((all.text.len(), id));
                all.text.push_str(&text);
            }
        }
        all.sizes.push(size);
        all
    }

    /// Bytes of letters and digits in a range of nodes.
    fn size(&self, nodes: Range<Id>) -> usize {
        self.sizes[nodes.end] - self.sizes[nodes.start]
    }

    /// First and last text node of a post.
    fn find(&self, post: &str) -> Option<(Id, Id)> {
        let start: String = post.chars().take(START_CHARS).collect();
        let at = self.text.find(post).or_else(|| self.text.find(&start))?;
        let end = if self.text[at..].starts_with(post) { at + post.len() } else { at + start.len() };
        let node = |position: usize| {
            let after = self.starts.partition_point(|(start, _)| *start <= position);
            self.starts.get(after.checked_sub(1)?).map(|(_, id)| *id)
        };
        Some((node(at)?, node(end - 1)?))
    }
}

/// Outermost block that begins with the text node `first` and has at most 30 % more text than `length` bytes.
fn outermost(page: &Page, text: &PageText, first: Id, length: usize) -> Id {
    let mut outermost = first;
    for above in page.ancestors(first) {
        let begins = text.size(above..first) == 0;
        let size = text.size(page.subtree(above));
        if !begins || size * 10 > length * 13 || matches!(page.tag(above), "body" | "html" | "main") {
            break;
        }
        outermost = above;
    }
    outermost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        html::{blocks, hidden, parse_page, templates::LayoutPlan},
        render,
    };

    fn markdown(data: &str, body: &str) -> String {
        let page = parse_page(&format!("<script type=application/ld+json>{data}</script>{body}")).unwrap();
        let hidden = hidden::find(&page);
        let mut keep: Vec<bool> = (0..page.len())
            .map(|id| page.text(id).is_some() && page.ancestors(id).any(|above| page.is(above, "p")))
            .collect();
        let plan = LayoutPlan { posts: find(&page, &hidden, &mut keep), ..LayoutPlan::default() };
        render::markdown(&blocks::walk(&page, 0, &keep, None, &plan))
    }

    #[test]
    fn post_authors_are_read_from_json_ld() {
        let data = r#"{"@type":"QAPage","mainEntity":{"@type":"Question","name":"Ships","text":"<p>I have a list of ships &amp; boats. How do I count them?</p>",
            "author":{"@type":"Person","name":"ada"},"dateCreated":"2024-05-03T10:00:00Z","comment":{"@type":"Comment","text":"What did you try so far?","author":{"name":"bob"}},
            "acceptedAnswer":{"@type":"Answer","text":"Use a set of their names.","author":{"name":"carl"},"dateCreated":"2024-05-04"}}}"#;
        let body = "<h1>Ships</h1><div class=x1><div class=x2>A. D. A.</div><div><p>I have a list of <b>ships</b> &amp; boats.</p><p>How do I count them?</p></div>\
            <span>What did you try so far?</span></div><div class=x1><div>Use a set of their names.</div><i>9 votes</i></div>";
        assert_eq!(
            markdown(data, body),
            "### ada · 2024-05-03\n\nI have a list of **ships** & boats.\n\nHow do I count them?\n\n\
             #### bob → ada\n\nWhat did you try so far?\n\n### carl · 2024-05-04\n\nUse a set of their names.\n"
        );
    }

    #[test]
    fn tags_are_removed_from_json_ld_texts() {
        assert_eq!(without_tags("a<b>b</b> 1 < 2<br> c <d <e"), "ab 1  2 c <d <e");
    }

    #[test]
    fn comments_below_an_article_are_not_a_discussion() {
        let data = r#"[{"@type":"Comment","text":"I agree with all of it.","author":{"name":"bob"}},{"@type":"Comment","text":"I do not agree.","author":{"name":"carl"}}]"#;
        let article = format!(
            "<p>{}</p><div>I agree with all of it.</div><div>I do not agree.</div>",
            "A long text on lamps. ".repeat(20)
        );
        assert!(!markdown(data, &article).contains("###"));
        let faq = r#"{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Is it open?","acceptedAnswer":{"@type":"Answer","text":"Yes, it is open every day."}}]}"#;
        assert!(!markdown(faq, "<p>Yes, it is open every day.</p>").contains("###"));
    }
}
