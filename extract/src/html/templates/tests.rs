//! Layout of posts and cards, and pages to which no layout is applied.

use super::{LayoutPlan, cards, posts};
use crate::{
    document::Block,
    html::{blocks, hidden},
    page::{Page, parse},
    render,
};

/// Converts markup to blocks with the layout that `plan` returns. All visible text is selected.
fn blocks_with_plan(markup: &str, plan: impl Fn(&Page, &mut [bool]) -> LayoutPlan) -> Vec<Block> {
    let document = parse::parse(markup).unwrap();
    let page = Page::new(&document, |_, _| {});
    let mut keep: Vec<bool> = hidden::find(&page).iter().map(|hidden| !hidden).collect();
    let plan = plan(&page, &mut keep);
    blocks::walk(&page, 0, &keep, None, &plan)
}

fn forum(markup: &str) -> String {
    render::markdown(&blocks_with_plan(markup, |page, keep| LayoutPlan {
        posts: posts::find(page, keep),
        ..LayoutPlan::default()
    }))
}

fn listing(markup: &str) -> String {
    render::markdown(&blocks_with_plan(markup, |page, keep| LayoutPlan {
        cards: cards::find(page, keep),
        ..LayoutPlan::default()
    }))
}

#[test]
fn posts_become_sections_with_author_and_date() {
    let post = |name: &str, date: &str, text: &str| {
        format!(
            "<li class='comment'><div class='head'><a class='username' href='/u/1'>{name}</a> {date}</div>\
             <div class='body'><p>{text}</p></div>"
        )
    };
    let page = format!(
        "<ol>{}{}</li></ol></li>{}</li></ol>",
        post(
            "ada",
            "<time datetime='2026-02-01T10:00:00Z'>2 days ago</time>",
            "How do I stop the wheel from freezing?"
        ) + "<ol>",
        post("Bruno B.", "<span class='date'>3 Feb 2026 10:12</span>", "Keep some water running under it."),
        post("carla", "", "We use straw round the axle."),
    );
    assert_eq!(
        forum(&page),
        "### ada · 2026-02-01\n\nHow do I stop the wheel from freezing?\n\n\
         #### Bruno B. → ada · 3 Feb 2026 10:12\n\nKeep some water running under it.\n\n\
         ### carla\n\nWe use straw round the axle.\n"
    );
}

#[test]
fn entries_with_headings_and_essays_with_comments_are_not_posts() {
    let entry = "<article class='post'><h2><a href='/a'>Title</a></h2><span class='author'>Ada</span><p>What it says here.</p></article>";
    assert!(!forum(&entry.repeat(3)).contains("### Ada"));
    let essay = format!(
        "<p>{}</p><div class='comment'><b class='author'>Ada</b><p>I agree with it.</p></div>\
         <div class='comment'><b class='author'>Bruno</b><p>I do not agree.</p></div>",
        "A long essay on the wheel, its axle and the ice. ".repeat(8)
    );
    assert!(!forum(&essay).contains("###"), "{}", forum(&essay));
}

#[test]
fn cards_become_list_items_with_a_bold_title() {
    let card = |n: u32| {
        format!(
            "<div class='card'><img src='/{n}.jpg' alt='Flour {n}'><h3><a href='https://a.example/{n}'>Flour {n}</a></h3>\
             <div class='price'>{n}.20</div></div>"
        )
    };
    let page = format!("<h1>Flours</h1><p>What we grind.</p><div>{}{}{}</div>", card(1), card(2), card(3));
    let markdown = listing(&page);
    assert!(
        markdown.starts_with("# Flours\n\nWhat we grind.\n\n- **[Flour 1](https://a.example/1)**"),
        "{markdown}"
    );
    assert_eq!(markdown.matches("\n- ").count(), 3, "{markdown}");
}

#[test]
fn paragraphs_long_sections_and_pairs_are_not_cards() {
    let words = "word ".repeat(200);
    for page in [
        "<p><a href='/1'>one</a></p><p><a href='/2'>two</a></p><p><a href='/3'>three</a></p>".to_owned(),
        format!("<section><h2>A</h2><p>{words}</p></section>").repeat(4),
        "<div class='c'><a href='/1'>one</a><p>x</p></div>".repeat(2),
    ] {
        assert!(!listing(&page).contains("- "), "{page}");
    }
}
