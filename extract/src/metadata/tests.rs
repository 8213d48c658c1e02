//! Titles, authors, dates and languages, and where they are found.

use super::*;
use crate::html::parse::parse;

fn read_page(markup: &str) -> Metadata {
    let document = parse(markup).unwrap();
    let page = Page::new(&document, |_, _| {});
    let url = Url::parse("https://news.example/2026/01/02/story").unwrap();
    read(&page, Some(&url), Some(&url))
}

#[test]
fn structured_data_names_author_and_dates() {
    let meta = read_page(
        r##"<html lang="de-AT"><head><title>Ein Titel | Zeitung</title>
        <script type="application/ld+json">{"@graph":[{"@type":"Person","@id":"#p","name":"Eva Beispiel"},
        {"@type":"NewsArticle","headline":"Ein Titel","author":{"@id":"#p"},"datePublished":"2026-01-02T08:00:00+01:00",
        "dateModified":"2026-01-03","publisher":{"name":"Zeitung"}}]}</script>
        <link rel=canonical href="/story"></head><body><h1>Ein Titel</h1></body>"##,
    );
    assert_eq!(meta.title.as_deref(), Some("Ein Titel"));
    assert_eq!(meta.author.as_deref(), Some("Eva Beispiel"));
    assert_eq!(meta.publisher.as_deref(), Some("Zeitung"));
    assert_eq!(meta.published_at.as_deref(), Some("2026-01-02T08:00:00+01:00"));
    assert_eq!(meta.modified_at.as_deref(), Some("2026-01-03"));
    assert_eq!(meta.language.as_deref(), Some("de-AT"));
    assert_eq!(meta.canonical_url.as_deref(), Some("https://news.example/story"));
}

#[test]
fn a_title_loses_the_name_of_its_site() {
    let meta = read_page("<title>How to bake bread - The Baker</title><p>x");
    assert_eq!(meta.title.as_deref(), Some("How to bake bread"));
}
