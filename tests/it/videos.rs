//! Players of videos on reading pages and on pages of entries and items, and the hosts that these pages may frame.

use serde_json::json;

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::site::article;
use crate::support::{Reply, TestApp, on_each_world};

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
const POLICY: &str = "content-security-policy";
const YOUTUBE: &str = "https://www.youtube-nocookie.com";
const PLAYER: &str = "data-player=\"https://www.youtube-nocookie.com/embed/aB3-x_9kQ1w?autoplay=1\"";

/// Publishes the article with an embedded page between two of its sections. Returns its address.
fn article_with_embed(app: &TestApp, path: &str, src: &str) -> String {
    let embed = format!("<iframe src=\"{src}\" title=\"Low &quot;tide&quot;\"></iframe><h2>Market</h2>");
    app.site.put(path, Reply::html(article().replace("<h2>Market</h2>", &embed)))
}

#[test]
fn video_in_a_text_has_a_player_and_only_its_host_may_be_framed() {
    on_each_world(async |app| {
        let url = article_with_embed(&app, "/film", "https://www.youtube.com/embed/aB3-x_9kQ1w?rel=0");
        let page = app.get_with(&format!("/{url}"), &[BROWSER]).await.expect(200);
        let (policy, text) = (page.header(POLICY), page.text());
        assert!(policy.ends_with(&format!("; frame-src {YOUTUBE}")), "{policy}");
        for part in [
            PLAYER,
            "data-title=\"Low &quot;tide&quot;\"",
            ">Play video here</button>",
            "Loads the YouTube player",
            "<a href=\"https://www.youtube.com/embed/aB3-x_9kQ1w?rel=0\"",
        ] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        assert!(!text.contains("<iframe") && !text.contains("src=\"https://"), "{text}");
        let known = [BROWSER, ("if-none-match", page.header("etag"))];
        let known = app.get_with(&format!("/{url}"), &known).await.expect(304);
        assert_eq!(known.header(POLICY), policy, "a cached page keeps its policy");

        let other = article_with_embed(&app, "/other", "https://www.youtube.com/embed/videoseries?list=PLx");
        let page = app.get_with(&format!("/{other}"), &[BROWSER]).await.expect(200);
        assert!(page.text().contains("embed/videoseries") && !page.text().contains("class=\"video\""));
        assert!(!page.header(POLICY).contains("frame-src"), "{}", page.header(POLICY));
    });
}

/// Feed of a channel with a video and an announcement.
const CHANNEL: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\">\
    <title>Harbour Films</title><id>channel</id><updated>2026-11-03T10:00:00Z</updated>\
    <entry><id>yt:video:aB3-x_9kQ1w</id><title>Low tide</title>\
    <link rel=\"alternate\" href=\"https://www.youtube.com/watch?v=aB3-x_9kQ1w\"/><published>2026-11-03T10:00:00Z</published>\
    <media:group><media:thumbnail url=\"https://example.org/tide.jpg\" width=\"480\" height=\"360\"/>\
    <media:description>We walk out.</media:description></media:group></entry>\
    <entry><id>2</id><title>News</title><link rel=\"alternate\" href=\"https://example.org/news\"/>\
    <published>2026-11-02T10:00:00Z</published><content type=\"html\">No film.</content></entry></feed>";

#[test]
fn entry_of_a_channel_has_a_player_with_the_picture_of_the_feed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let url =
            app.site.put("/films.xml", Reply::bytes("application/atom+xml", CHANNEL.as_bytes().to_vec()));
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        poll(&app).await;
        let list = browser.open("/entries").await.expect(200).text();
        let ids: Vec<&str> = list
            .split("name=\"entry\" value=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        assert_eq!(ids.len(), 2, "{list}");
        for id in ids {
            let page = browser.open(&format!("/entries/{id}")).await.expect(200);
            let (policy, text) = (page.header(POLICY), page.text());
            let is_video = text.contains("<h1><bdi>Low tide");
            assert_eq!(policy.ends_with(&format!("; frame-src {YOUTUBE}")), is_video, "{policy}");
            assert_eq!(text.contains(PLAYER), is_video, "{text}");
            if is_video {
                let video = between(&text, PLAYER, "</div>");
                assert!(video.contains("src=\"/pictures/") && video.contains("alt=\"Low tide\""), "{video}");
                assert!(video.contains("<a href=\"https://www.youtube.com/watch?v=aB3-x_9kQ1w\""), "{video}");
                assert!(text.contains("We walk out."), "{text}");
            } else {
                assert!(!policy.contains("frame-src") && text.contains("No film."), "{policy}: {text}");
            }
        }
    });
}

#[test]
fn saved_video_has_a_player() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        for (url, origin) in [
            ("https://vimeo.com/76979871/8272103f6e", "https://player.vimeo.com"),
            ("https://dai.ly/x8abcde", "https://geo.dailymotion.com"),
        ] {
            let body = json!({"url": url, "title": "Boats", "content": "Some words."});
            let saved = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
            let id = saved["item"]["id"].as_str().unwrap();
            let page = browser.open(&format!("/library/{id}")).await.expect(200);
            assert!(
                page.header(POLICY).ends_with(&format!("; frame-src {origin}")),
                "{}",
                page.header(POLICY)
            );
            let text = page.text();
            assert!(text.contains(&format!("data-player=\"{origin}/")), "{text}");
            assert!(text.contains("data-title=\"Boats\"") && text.contains("Some words."), "{text}");
        }
    });
}
