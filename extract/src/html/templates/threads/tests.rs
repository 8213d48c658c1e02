//! Pages of common software for questions and discussions.

use crate::{
    html::{blocks, hidden, parse_page, read, templates::LayoutPlan},
    render,
};

/// Markdown of a page on which the classifier selected only the paragraphs.
fn discussion(markup: &str) -> String {
    let page = parse_page(markup).unwrap();
    let hidden = hidden::find(&page);
    let mut keep: Vec<bool> = (0..page.len())
        .map(|id| page.text(id).is_some() && page.ancestors(id).any(|above| page.is(above, "p")))
        .collect();
    let plan = LayoutPlan { posts: super::find(&page, &hidden, &mut keep), ..LayoutPlan::default() };
    render::markdown(&blocks::walk(&page, 0, &keep, None, &plan))
}

fn stack_post(kind: &str, author: &str, text: &str, comments: &str) -> String {
    format!(
        "<div class='{kind} js-{kind}'><div class=votecell><div class=js-vote-count>30</div></div><div class=postcell>\
         <div class='s-prose js-post-body' itemprop=text><p>{text}</p></div><a href=/share>Share</a>\
         <div class=post-signature><div class=user-info><div class=user-action-time>edited <span title='2024-06-01 09:00:00Z' class=relativetime>Jun 1 at 9:00</span></div>\
         <div class=user-details><a href=/users/7/editor>editor</a></div></div></div>\
         <div class='post-signature owner'><div class=user-info><div class=user-action-time>asked <span title='2024-05-03 09:00:00Z' class=relativetime>May 3 at 9:00</span></div>\
         <div class=user-details itemprop=author><a href=/users/1/{author}>{author}</a><span itemprop=name>{author}</span><span>1,234</span></div></div></div></div>\
         <ul class=comments-list>{comments}</ul></div>"
    )
}

fn stack_comment(author: &str, text: &str) -> String {
    format!(
        "<li class='comment js-comment'><div class=comment-score>3</div><div class=comment-body><span class=comment-copy>{text}</span>\
         &ndash; <a href=/users/9/{author} class=comment-user>{author}</a> <span class=comment-date><span title='2024-05-04 10:00:00Z' \
         class=relativetime-clean>May 4 at 10:00</span></span></div></li>"
    )
}

#[test]
fn question_answers_and_comments_get_headings_with_their_authors() {
    let page = format!(
        "<h1>How do I count ships?</h1><div itemscope itemtype='https://schema.org/Question'>{}<div id=answers><h2>2 Answers</h2>{}{}</div></div>",
        stack_post(
            "question",
            "ada",
            "I have a list of ships. How do I count them?",
            &stack_comment("bob", "What did you try?")
        ),
        stack_post(
            "answer",
            "carl",
            "Use a set of their names.",
            &(stack_comment("ada", "This works.") + &stack_comment("dora", "Mind the ferries."))
        ),
        stack_post("answer", "emil", "Sort them first.", ""),
    );
    assert_eq!(
        discussion(&page),
        "### ada · 2024-05-03\n\nI have a list of ships. How do I count them?\n\n\
         #### bob → ada · 2024-05-04\n\nWhat did you try?\n\n\
         ### carl · 2024-05-03\n\nUse a set of their names.\n\n\
         #### ada → carl · 2024-05-04\n\nThis works.\n\n#### dora → carl · 2024-05-04\n\nMind the ferries.\n\n\
         ### emil · 2024-05-03\n\nSort them first.\n"
    );
}

fn news_comment(author: &str, depth: usize, text: &str) -> String {
    format!(
        "<tr class='athing comtr'><td><table><tr><td class=ind indent={depth}><img src=s.gif width={}></td><td class=votelinks></td><td class=default>\
         <div><span class=comhead><a href='user?id={author}' class=hnuser>{author}</a> <span class=age title='2024-05-03T10:00:00 1714730400'>\
         <a href='item?id=2'>2 hours ago</a></span><span class=navs> | <a href=#3>next</a> <a class=togg>[–]</a></span></span></div><br>\
         <div class=comment><div class=commtext>{text}</div><div class=reply><p><font><a href=reply>reply</a></font></div></div></td></tr></table></td></tr>",
        depth * 40
    )
}

fn news(top: &str, comments: &str) -> String {
    format!(
        "<html><head><title>Lamps | News</title></head><body><center><table id=hnmain><tr><td><table><tr><td><span class=pagetop><b><a href=news>News</a></b>\
         <a href=newest>new</a> | <a href=front>past</a> | <a href=ask>ask</a></span></td><td><a href=login>login</a></td></tr></table></td></tr>\
         <tr><td><table class=fatitem>{top}</table><br><table class=comment-tree>{comments}</table></td></tr>\
         <tr><td><center><a href=faq>FAQ</a> | <a href=legal>Legal</a></center></td></tr></table></center></body></html>"
    )
}

#[test]
fn reply_headings_have_the_level_of_their_nesting() {
    let comments = [
        news_comment("anna", 0, "How does it handle a storm?"),
        news_comment("keeper", 1, "It asks by radio. <p>Then it waits."),
        news_comment("bruno", 2, "As in the navy."),
        news_comment("carla", 0, "Is it open?"),
    ];
    let top = "<tr class=athing><td class=title><span class=titleline><a href='https://a.example/'>A ledger</a></span></td></tr><tr><td class=subtext>\
        <span class=score>120 points</span> by <a href='user?id=keeper' class=hnuser>keeper</a> <span class=age title='2024-05-03T09:00:00'>5 hours ago</span></td></tr>\
        <tr><td></td><td><div class=toptext>We wrote a ledger.</div></td></tr>";
    let expected = "### keeper · 2024-05-03\n\n[A ledger](https://a.example/)\n\nWe wrote a ledger.\n\n\
        ### anna · 2024-05-03\n\nHow does it handle a storm?\n\n\
        #### keeper → anna · 2024-05-03\n\nIt asks by radio.\n\nThen it waits.\n\n\
        ##### bruno → keeper · 2024-05-03\n\nAs in the navy.\n\n### carla · 2024-05-03\n\nIs it open?\n";
    let page = news(top, &comments.concat());
    assert_eq!(discussion(&page), expected);
    let url = Some("https://news.example/item?id=1");
    assert_eq!(render::markdown(&read(&page, url).unwrap().blocks), expected);
    // A page with one comment only.
    let top = "<tr class=athing><td class=default><span class=comhead><a href='user?id=bruno' class=hnuser>bruno</a> <span class=age title='2024-05-03'>1 hour ago</span>\
        <span class=navs> | <a href=2>parent</a></span></span><div class=commtext>As in the navy.</div></td></tr>";
    let single = news(top, "");
    assert_eq!(
        render::markdown(&read(&single, url).unwrap().blocks),
        "### bruno · 2024-05-03\n\nAs in the navy.\n"
    );
}

#[test]
fn first_post_of_an_issue_gets_a_heading_with_its_author() {
    let comment = |author: &str, text: &str| {
        format!(
            "<div class=TimelineItem><a href=/{author}><img alt='@{author}' src=a.png></a><div class='timeline-comment js-comment'><div class=timeline-comment-header>\
             <h3><strong><a class=author href=/{author}>{author}</a></strong> commented <a href=#c><relative-time datetime=2024-05-02T09:00:00Z>May 2</relative-time></a></h3>\
             </div><table><tr><td class='comment-body markdown-body js-comment-body'><p>{text}</p></td></tr></table></div></div>"
        )
    };
    let page = format!(
        "<main><h1>Lamp goes out <span>#39</span></h1>{}{}</main>",
        comment("keeper", "The lamp goes out at dawn."),
        comment("anna", "I see the same.")
    );
    assert_eq!(
        discussion(&page),
        "### keeper · 2024-05-02\n\nThe lamp goes out at dawn.\n\n### anna · 2024-05-02\n\nI see the same.\n"
    );
}

#[test]
fn posts_are_recognised_by_schema_org_types() {
    let page = "<div itemscope itemtype=https://schema.org/DiscussionForumPosting><span itemprop=author itemscope><a itemprop=url href=/u/ada><span itemprop=name>ada</span></a></span>\
        <time itemprop=datePublished datetime=2024-05-03T10:00:00Z>1d</time><div itemprop=text><p>How do I count ships?</p></div>\
        <div itemprop=comment itemscope itemtype=http://schema.org/Comment><span itemprop=creator><span itemprop=name>bob</span></span>\
        <time itemprop=dateCreated datetime=2024-05-04>2h</time><div itemprop=text>With a set.</div></div></div>";
    assert_eq!(
        discussion(page),
        "### ada · 2024-05-03\n\nHow do I count ships?\n\n#### bob → ada · 2024-05-04\n\nWith a set.\n"
    );
}

#[test]
fn paragraphs_without_text_class_belong_to_their_post() {
    let page = "<div class=question><h1>Counting ships</h1><div class=votes>12</div><p>How do I count them all?</p><span class=author>ada</span>\
        <div class=comment><p>What did you try so far?</p>&ndash; <a class=user href=/u/bob>bob</a></div></div>\
        <div class=answer><p>With a set of names.</p><div class=user-info>answered <time datetime=2024-05-04>May 4</time> <a href=/users/3>carl</a></div></div>";
    let markdown = discussion(page);
    for words in [
        "### ada\n",
        "How do I count them all?",
        "#### bob → ada\n\nWhat did you try so far?",
        "### carl · 2024-05-04\n\nWith a set of names.",
    ] {
        assert!(markdown.contains(words), "{words}: {markdown}");
    }
    assert!(!markdown.contains("12"), "{markdown}");
}

#[test]
fn lists_and_tables_between_paragraphs_belong_to_their_post() {
    let page = "<div class=question><p>How do I count them all?</p><span class=author>ada</span></div>\
        <div class=answer><p>In these steps:</p><ol><li>Take a set.</li><li>Add each name.</li></ol>\
        <table><tr><th>Port</th><th>Ships</th></tr><tr><td>Vik</td><td>12</td></tr></table>\
        <ul><li><a href=/share>Share</a></li><li><a href=/flag>Flag</a></li></ul><div><ul><li>Posts: 99</li></ul></div>\
        <div class=user-info>answered <time datetime=2024-05-04>May 4</time> <a href=/users/3>carl</a></div></div>";
    let markdown = discussion(page);
    for words in ["1. Take a set.\n2. Add each name.", "| Vik | 12 |"] {
        assert!(markdown.contains(words), "{words}: {markdown}");
    }
    assert!(!markdown.contains("Share") && !markdown.contains("99"), "{markdown}");
}

#[test]
fn articles_with_comments_and_answers_without_authors_are_not_discussions() {
    let comment = "<div itemscope itemtype=https://schema.org/Comment><b itemprop=author>ada</b><div itemprop=text>I agree.</div></div>";
    let article = format!("<article><p>{}</p></article>{comment}", "A long text on lamps. ".repeat(20));
    assert!(!discussion(&article).contains("###"));
    assert!(!discussion(comment).contains("###"));
    let faq = "<div class=faq><div class=question><p>Is it open?</p></div><div class=answer><div itemprop=text><p>Yes, every day.</p></div></div></div>";
    assert!(!discussion(faq).contains("###"));
    let product = format!(
        "<p>{}</p><div class=question><b class=author>ada</b><div itemprop=text>Is it red?</div></div>",
        "A red lamp. ".repeat(20)
    );
    assert!(!discussion(&product).contains("###"));
}

/// Post of a program whose markup declares author and date with common words.
fn program_post(opening: &str, byline: &str, text: &str) -> String {
    format!("{opening}<div>{byline}</div>{text}<div>Reply</div></div>")
}

#[test]
fn posts_of_programs_with_common_class_names_are_recognised_by_their_text() {
    let author = |name: &str| {
        format!("<a class=author href=/user/{name}>{name}</a> <time datetime=2024-05-03>1 day</time>")
    };
    for (opening, text_class) in [
        ("<div class='thing comment'>", "md"),
        ("<shreddit-comment>", "md"),
        ("<div class='post has-profile'>", "content"),
        ("<div class=postcontainer>", "postcontent"),
        ("<div class=message>", "messageText"),
        ("<div class=plhin>", "t_f"),
        ("<div class='cPost ipsBox'>", "ipsType_richText"),
        ("<div class=post_wrapper>", "inner"),
        ("<div class=type-reply>", "bbp-reply-content"),
        ("<div class=CommentPost>", "Post-body"),
        ("<div class='post classic'>", "post_body"),
        ("<div class=note-wrapper>", "note-text"),
        ("<div class=status>", "status__content"),
    ] {
        let post = |name: &str, text: &str| {
            let text = format!("<div class='{text_class}'>{text}</div>");
            let post = program_post(opening, &author(name), &text);
            if opening.starts_with("<shreddit") {
                post.replace("<div>Reply</div></div>", "</shreddit-comment>")
            } else {
                post
            }
        };
        let page = post("ada", "How do I count ships?") + &post("bob", "No.");
        assert_eq!(
            discussion(&page),
            "### ada · 2024-05-03\n\nHow do I count ships?\n\n### bob · 2024-05-03\n\nNo.\n",
            "{opening}"
        );
        let without_text =
            program_post(opening, &author("ada"), "<p>A story of a ship and its long journey.</p>");
        assert!(!discussion(&without_text).contains("###"), "{opening}");
    }
}

#[test]
fn signature_edit_time_and_title_of_code_are_not_part_of_a_post() {
    let author = "<a class=author href=/user/ada>ada</a> <time datetime=2024-05-03>1 day</time>";
    for (opening, text_class, addition) in [
        ("<div class=cPost>", "ipsType_richText", "<span data-excludequote>Edited May 4 by ada</span>"),
        (
            "<div class=cPost>",
            "ipsType_richText",
            "<div data-role=memberSignature><div class=ipsType_richText><p>Edited by a sailor of ships.</p></div></div>",
        ),
        (
            "<div class='post has-profile'>",
            "content",
            "<div class=codebox><p>Edited: <a href=#>Select all</a></p></div>",
        ),
    ] {
        let text = format!("<div class={text_class}><p>How do I count ships?</p>{addition}</div>{addition}");
        let page = discussion(&program_post(opening, author, &text));
        assert!(page.contains("How do I count ships?") && !page.contains("Edited"), "{page}");
    }
}

#[test]
fn reply_in_a_nested_list_has_the_level_of_its_list() {
    let comment = |name: &str, text: &str, replies: &str| {
        format!(
            "<li class=comments_subtree><div class=comment><div class=byline><a href=/~{name}><img></a> <a href=/~{name}>{name}</a> \
             <time datetime='2024-05-03 11:00:00'>1 day ago</time> | <a href=/c/1>link</a></div><div class=comment_text><p>{text}</p></div></div>\
             <ol class=comments>{replies}</ol></li>"
        )
    };
    let story = |name: &str, title: &str| {
        format!(
            "<li class=story><span class=link><a class=u-url href='https://a.example/'>{title}</a></span><div class=byline>via \
             <a class=u-author href=/~{name}>{name}</a> <span title='2024-05-02 09:00:00 -0500'>2 days ago</span></div></li>"
        )
    };
    let replies = comment("bob", "It depends.", &comment("carl", "On the sea.", ""));
    let page = format!(
        "<ol>{}</ol><ol>{}{}</ol>",
        story("ada", "A ledger of ships"),
        comment("anna", "Is it open?", &replies),
        comment("dora", "Yes.", "")
    );
    assert_eq!(
        discussion(&page),
        "### ada · 2024-05-02\n\n[A ledger of ships](https://a.example/)\n\n### anna · 2024-05-03\n\nIs it open?\n\n\
         #### bob → anna · 2024-05-03\n\nIt depends.\n\n##### carl → bob · 2024-05-03\n\nOn the sea.\n\n\
         ### dora · 2024-05-03\n\nYes.\n"
    );
    // A listing of stories is not a discussion.
    let listing =
        format!("<ol>{}{}</ol>", story("ada", "A ledger of ships"), story("bob", "A list of boats"));
    assert!(!discussion(&listing).contains("###"));
}

#[test]
fn post_of_a_deleted_account_keeps_its_text() {
    let page = "<div class='thing comment' data-author=ada><div class=md><p>How do I count ships?</p></div><div class=child>\
        <div class='thing comment'><p class=tagline><em>[deleted]</em></p><div class=md><p>With a set.</p></div></div></div></div>";
    assert_eq!(
        discussion(page),
        "### ada\n\nHow do I count ships?\n\n#### \\[deleted\\] → ada\n\nWith a set.\n"
    );
}

#[test]
fn date_of_a_post_is_read_from_its_unmarked_line() {
    let post = |name: &str| {
        format!(
            "<div class=post_wrapper><h4><a href='/members/{name}'>{name}</a></h4><ul><li>Joined: Jan 5, 2018</li></ul>\
             <div>« <b>Reply on:</b> May 03, 2024, 10:00:00 AM »</div><div class=inner>How do I count ships?</div>\
             <div class=signature><p>Words that {name} appends to every post on ships and boats, whatever they are about</p></div></div>"
        )
    };
    assert_eq!(
        discussion(&(post("ada") + &post("bob"))),
        "### ada · 2024-05-03\n\nHow do I count ships?\n\n### bob · 2024-05-03\n\nHow do I count ships?\n"
    );
}

#[test]
fn quote_element_with_the_text_of_a_post_is_not_a_quotation() {
    let post = "<li class=postcontainer><img src=/offline.png alt='ada is offline'><a class=username href=/members/1>ada</a><blockquote class=postcontent><blockquote>Which ships?</blockquote>\
        All of them.</blockquote></li>";
    assert_eq!(
        discussion(&post.repeat(2)),
        "### ada\n\n> Which ships?\n\nAll of them.\n\n".repeat(2).trim_end().to_owned() + "\n"
    );
}

#[test]
fn author_of_a_discussion_without_metadata_is_its_first_poster() {
    let page = news(
        "",
        &[
            news_comment("anna", 0, "How does it handle a storm?"),
            news_comment("bruno", 1, "As in the navy."),
        ]
        .concat(),
    );
    assert_eq!(read(&page, None).unwrap().author.as_deref(), Some("anna"));
}
