//! Articles that are split into several pages, and script-only pages with a readable alternative.

use crate::support::{Reply, on_each_world};

/// Creates a page of an article that links to the page `next`.
fn part(word: &str, next: Option<&str>) -> Reply {
    let link = next.map_or_else(String::new, |next| format!("<link rel=\"next\" href=\"{next}\">"));
    let text =
        format!("On the {word} day they walked along the river until it was dark, and slept in a barn. ");
    Reply::html(format!(
        "<html lang=en><head><title>The long walk</title>{link}</head><body><article><h1>The long walk</h1>\
         <p>{0}</p><p>{0}And so the {word} day ended.</p></article></body></html>",
        text.repeat(4)
    ))
}

#[test]
fn pages_of_one_article_are_joined() {
    on_each_world(async |app| {
        let url = app.site.put("/walk", part("first", Some("/walk?page=2")));
        app.site.put("/walk?page=2", part("second", Some("/walk?page=3")));
        app.site.put("/walk?page=3", part("third", None));
        let answer = app.read(&url, &[("format", "text")]).await.expect(200);
        for word in ["first", "second", "third"] {
            assert!(answer.text().contains(&format!("the {word} day ended")), "{}", answer.text());
        }
        let body = app.read(&url, &[]).await.expect(200).json();
        assert_eq!(body["title"], "The long walk");
        assert!(body["final_url"].as_str().is_none_or(|url| url.ends_with("/walk")));
        assert_eq!(app.site.hits("/walk?page=3"), 1);
    });
}

#[test]
fn missing_page_makes_the_text_partial() {
    on_each_world(async |app| {
        let url = app.site.put("/walk", part("first", Some("/walk/2")));
        app.site.put("/walk/2", part("second", Some("/walk/3")));
        app.site.put("/walk/3", Reply::status(503));
        let body = app.read(&url, &[]).await.expect(200).json();
        assert_eq!(body["content_quality"], "partial", "{body}");
    });
}

#[test]
fn next_link_to_another_article_is_not_followed() {
    on_each_world(async |app| {
        let other = "<p>A quite different text about something else, long enough to be read as one.</p>";
        let url = app.site.put("/one", part("first", Some("/two")));
        let circle = app.site.put("/round", part("only", Some("/round?page=2")));
        app.site.put("/two", Reply::html(format!("<title>Two</title><article>{other}</article>")));
        app.site.put("/round?page=2", part("only", Some("/round?page=2")));
        let body = app.read(&url, &[]).await.expect(200).json();
        assert_eq!((app.site.hits("/two"), &body["content_quality"]), (0, &"complete".into()));
        app.read(&circle, &[]).await.expect(200);
        assert_eq!(app.site.hits("/round?page=2"), 1);
    });
}

#[test]
fn script_only_page_is_read_in_its_amp_version() {
    on_each_world(async |app| {
        let shell = |form: &str| {
            Reply::html(format!(
                "<html><head><title>The long walk</title><link rel=amphtml href=\"{form}\"></head>\
                 <body><div id=root></div><p>Loading the story.</p></body></html>"
            ))
        };
        let url = app.site.put("/app", shell("/app/amp"));
        app.site.put("/app/amp", part("first", None));
        let answer = app.read(&url, &[("format", "text")]).await.expect(200);
        assert!(answer.text().contains("the first day ended"), "{}", answer.text());
        // The guard also applies to the addresses of alternative pages.
        let inside = app.site.put("/inside", shell("http://10.0.0.1/amp"));
        let answer = app.read(&inside, &[("format", "text")]).await;
        assert!(!answer.text().contains("day ended"), "{}", answer.text());
    });
}
