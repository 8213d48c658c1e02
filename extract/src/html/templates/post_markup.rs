//! Elements of posts and of their texts in the markup of common programs for discussions.

use crate::page::{Id, Page};

/// Class names of posts that begin or answer a discussion.
const POSTS: [&str; 13] = [
    "fatitem", "comtr", "question", "answer", "timeline-comment", "react-issue-body", "react-issue-comment",
    "review-comment", "topic-post", "crawler-post", "qa-q-view", "qa-a-list-item", "message--post",
];
/// Class names of comments. Comments alone are not a discussion.
const COMMENTS: [&str; 2] = ["comment", "qa-c-list-item"];
/// Class names of elements that contain the text of a post.
const TEXTS: [&str; 17] = [
    "titleline", "toptext", "commtext", "js-post-body", "s-prose", "post-text", "comment-copy",
    "js-comment-body", "comment-body", "markdown-body", "cooked", "bbWrapper", "qa-q-view-content",
    "qa-a-item-content", "comment_text", "comment-content", "md-div",
];

/// Markup of a program that names its posts or texts with common words. An element is a post only if it
/// contains a text of this markup.
struct Program {
    /// Class name or tag of the posts.
    post: &'static str,
    /// Class names of titles. A post may consist of a linked title.
    titles: &'static [&'static str],
    /// Class names of texts. A name with a leading `#` is the beginning of an id.
    texts: &'static [&'static str],
}

const fn program(post: &'static str, texts: &'static [&'static str]) -> Program {
    Program { post, titles: &[], texts }
}

/// Reddit (old and new), Lobsters, Lemmy, Mastodon, GitLab, phpBB, vBulletin 4 and 5, `XenForo` 1, Discuz,
/// Invision, Simple Machines, bbPress, Flarum, `MyBB`, and vBulletin 3.
const PROGRAMS: [Program; 21] = [
    Program { post: "thing", titles: &["title"], texts: &["md"] },
    program("shreddit-post", &["md"]),
    program("shreddit-comment", &["md"]),
    Program { post: "story", titles: &["u-url"], texts: &[] },
    Program { post: "story_liner", titles: &["u-url"], texts: &["story_text"] },
    Program { post: "post-listing", titles: &["post-title"], texts: &["md-div"] },
    program("status", &["status__content"]),
    program("detailed-status", &["status__content"]),
    program("note-wrapper", &["note-text"]),
    program("has-profile", &["content", "attachbox"]),
    program("postcontainer", &["postcontent"]),
    program("b-post", &["js-post__content-text"]),
    program("message", &["messageText"]),
    program("plhin", &["t_f", "pattl"]),
    program("cPost", &["ipsType_richText"]),
    program("post_wrapper", &["inner"]),
    program("type-topic", &["bbp-topic-content", "bbp-reply-content"]),
    program("type-reply", &["bbp-reply-content"]),
    program("CommentPost", &["Post-body"]),
    program("classic", &["post_body"]),
    program("tborder", &["#post_message_"]),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PostKind {
    Post,
    Comment,
}

/// Markup of an element that may be a post.
#[derive(Clone, Copy)]
pub(super) struct PostMarkup {
    pub(super) kind: PostKind,
    /// True if the element is not a post without an element that is named as its text.
    pub(super) has_known_text: bool,
    program: Option<&'static Program>,
}

impl PostMarkup {
    /// True for an element with the text of the post, or with its title.
    pub(super) fn is_text(&self, page: &Page, id: Id) -> bool {
        page.is_element(id)
            && (page.class_names(id).any(|class| TEXTS.contains(&class))
                || page.attribute(id, "itemprop").is_some_and(|prop| {
                    prop.split_ascii_whitespace()
                        .any(|prop| matches!(prop, "text" | "articleBody" | "commentText"))
                })
                || self.program.is_some_and(|program| is_named(page, id, program.texts))
                || self.is_title(page, id))
    }

    /// True for an element with the title of the post.
    pub(super) fn is_title(&self, page: &Page, id: Id) -> bool {
        self.program.is_some_and(|program| has_class(page, id, program.titles))
    }
}

/// Markup of a post. `None` if the element is not a post.
pub(super) fn of(page: &Page, id: Id) -> Option<PostMarkup> {
    if !page.is_element(id) || page.is_inline(id) || matches!(page.tag(id), "html" | "body") {
        return None;
    }
    let is_of_type = |types: &[&str]| {
        page.attribute(id, "itemtype")
            .is_some_and(|kind| types.iter().any(|name| kind.rsplit('/').next() == Some(*name)))
    };
    let named = |name: &str| PROGRAMS.iter().find(|program| program.post == name);
    let program = page.class_names(id).find_map(named).or_else(|| named(page.tag(id)));
    let is_post = has_class(page, id, &POSTS)
        || is_of_type(&["Question", "Answer", "DiscussionForumPosting", "SocialMediaPosting"]);
    let is_comment = || has_class(page, id, &COMMENTS) || is_of_type(&["Comment"]);
    let kind = if is_post || program.is_some() {
        PostKind::Post
    } else if is_comment() {
        PostKind::Comment
    } else {
        return None;
    };
    Some(PostMarkup { kind, has_known_text: !is_post && program.is_some(), program })
}

/// True for a quote element that contains the text of a post instead of a quotation.
pub(crate) fn is_post_text(page: &Page, id: Id) -> bool {
    has_class(page, id, &["postcontent", "messageText"])
}

fn is_named(page: &Page, id: Id, names: &[&str]) -> bool {
    let begins = |name: &&str| {
        let start = name.strip_prefix('#');
        start.is_some_and(|start| page.attribute(id, "id").is_some_and(|id| id.starts_with(start)))
    };
    has_class(page, id, names) || names.iter().any(begins)
}

fn has_class(page: &Page, id: Id, names: &[&str]) -> bool {
    page.class_names(id).any(|class| names.contains(&class))
}
