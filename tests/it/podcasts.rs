//! Podcast episodes: playback, chapters, transcripts, and saved positions on pages, and podcast data for API
//! callers and e-readers.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{Reply, TestApp, on_each_world};

const CHAPTERS: &str = r#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Start"},
    {"startTime":754.2,"title":"Ships","url":"https://ships.example/"}]}"#;
const TRANSCRIPT: &str = "WEBVTT\n\n00:00.500 --> 00:02.000\n<v Ann>Welcome to the harbour.\n\n\
    01:01.000 --> 01:03.000\n<v Bo>Thank you.";

/// Publishes an episode with chapters and a transcript. Returns the URL of its feed.
fn publish(app: &TestApp) -> String {
    let reply = |kind: &str, body: &str| Reply::bytes(kind, body.as_bytes().to_vec());
    let chapters = app.site.put("/1.json", reply("application/json+chapters", CHAPTERS));
    let transcript = app.site.put("/1.vtt", reply("text/vtt", TRANSCRIPT));
    let body = format!(
        "<rss version=\"2.0\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" \
         xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>Radio</title>\
         <item><title>Ships</title><category>Sea</category><guid isPermaLink=\"false\">1</guid><description>About ships</description>\
         <enclosure url=\"https://media.example.org/1.mp3\" type=\"audio/mpeg\" length=\"52428800\"/>\
         <itunes:duration>1:02:03</itunes:duration><itunes:season>2</itunes:season><itunes:episode>7</itunes:episode>\
         <podcast:chapters url=\"{chapters}\" type=\"application/json+chapters\"/>\
         <podcast:transcript url=\"{transcript}\" type=\"text/vtt\" language=\"en\"/>\
         <podcast:person role=\"guest\" href=\"https://ann.example/\">Ann Lee</podcast:person></item></channel></rss>"
    );
    app.site.put("/radio.xml", reply("application/rss+xml", &body))
}

/// Returns a signed-in browser that follows the podcast, and the path of the episode's page.
async fn following<'a>(app: &'a TestApp, who: &Person) -> (Browser<'a>, String) {
    let url = publish(app);
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    browser.open("/subscriptions/new").await.expect(200);
    browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
    poll(app).await;
    let list = browser.open("/entries").await.expect(200).text();
    let at = format!("/entries/{}", between(&list, "href=\"/entries/", "\""));
    (browser, at)
}

#[test]
fn episode_has_a_player_with_its_details_chapters_and_transcript() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = following(&app, &who).await;
        let page = browser.open(&at).await.expect(200);
        assert!(page.header("content-security-policy").contains("media-src http: https:"));
        let page = page.text();
        for part in [
            "<audio controls preload=\"none\" src=\"https://media.example.org/1.mp3\"",
            "(53 MB)",
            "Season 2",
            "Episode 7",
            "1:02:03",
            "<bdi>Ann Lee</bdi>",
            "<bdi>guest</bdi>",
            "Show chapters",
            "Show transcript",
        ] {
            assert!(page.contains(part), "{part} is missing in {page}");
        }
        let parts = format!("{at}/part");
        let requested = browser.submit(&parts, &[("part", "chapters"), ("back", &at)]).await.expect(303);
        let page = browser.follow(&requested).await;
        assert!(
            page.contains(&format!("<a href=\"{at}?t=754#player\" data-seconds=\"754\">12:34</a>")),
            "{page}"
        );
        assert!(
            page.contains("href=\"https://ships.example/\"") && !page.contains("Show chapters"),
            "{page}"
        );
        let requested = browser.submit(&parts, &[("part", "0"), ("back", &at)]).await.expect(303);
        let page = browser.follow(&requested).await;
        assert!(page.contains("id=\"transcript\" open") && !page.contains("Show transcript"), "{page}");
        assert!(page.contains("data-seconds=\"61\">1:01</a> Bo: Thank you."), "{page}");
        let plain = browser.open(&at).await.expect(200).text();
        assert!(plain.contains("Ann: Welcome to the harbour.") && !plain.contains("id=\"transcript\" open"));
        let jumped = browser.open(&format!("{at}?t=754")).await.expect(200).text();
        assert!(jumped.contains("src=\"https://media.example.org/1.mp3#t=754\""), "{jumped}");
    });
}

#[test]
fn long_list_of_chapters_is_truncated_with_a_link_to_the_file() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = following(&app, &who).await;
        let chapters: Vec<Value> =
            (0..=1_000).map(|n| json!({"startTime": n, "title": format!("Part {n}.")})).collect();
        let file = json!({"version": "1.2.0", "chapters": chapters}).to_string();
        let url = app.site.put("/1.json", Reply::bytes("application/json+chapters", file.into_bytes()));
        browser.open(&at).await.expect(200);
        let sent = [("part", "chapters"), ("back", at.as_str())];
        let requested = browser.submit(&format!("{at}/part"), &sent).await.expect(303);
        let page = browser.follow(&requested).await;
        assert!(page.contains("Part 999.") && !page.contains("Part 1000."));
        assert!(
            page.contains("Only part of this list is shown. ")
                && page.contains(&format!("<a href=\"{url}\""))
        );
    });
}

#[test]
fn position_and_speed_are_restored_on_other_devices() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (mut browser, at) = following(&app, &who).await;
        browser.open(&at).await.expect(200);
        let playback = format!("{at}/playback");
        let sent = [("position", "12:34"), ("speed", "150"), ("back", at.as_str())];
        let saved = browser.submit(&playback, &sent).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("Position saved.") && page.contains("1.mp3#t=754\""), "{page}");
        let sent = [("position", "1:00:00"), ("speed", "110"), ("by", "script")];
        browser.submit(&playback, &sent).await.expect(204);
        let mut phone = Browser::new(&app);
        phone.sign_in(&who.email).await;
        let page = phone.open(&at).await.expect(200).text();
        assert!(page.contains("1.mp3#t=3600\"") && page.contains("value=\"1:00:00\""), "{page}");
        assert!(page.contains("<option value=\"110\" selected>"), "{page}");
        for wrong in [[("position", "soon"), ("speed", "100")], [("position", "1"), ("speed", "9000")]] {
            phone.open(&at).await.expect(200);
            phone.submit(&playback, &wrong).await.expect(422);
        }
    });
}

#[test]
fn episode_of_another_account_cannot_be_played_or_requested() {
    on_each_world(async |app| {
        let (who, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let (mut browser, at) = following(&app, &who).await;
        let mut other = Browser::new(&app);
        other.sign_in(&stranger.email).await;
        let position: &[(&str, &str)] = &[("position", "1"), ("speed", "100")];
        let part: &[(&str, &str)] = &[("part", "chapters")];
        for (action, fields) in [("playback", position), ("part", part)] {
            other.open("/subscriptions/new").await.expect(200);
            other.submit(&format!("{at}/{action}"), fields).await.expect(404);
            let signed_out = Browser::new(&app).submit(&format!("{at}/{action}"), fields).await.expect(303);
            assert!(signed_out.header("location").contains("/sign-in"));
        }
        for (part, status) in [("7", 404), ("x", 422)] {
            browser.open(&at).await.expect(200);
            browser.submit(&format!("{at}/part"), &[("part", part)]).await.expect(status);
        }
    });
}

#[test]
fn episode_data_is_returned_to_api_callers_and_e_readers() {
    on_each_world(async |app| {
        let (who, stranger) = (Person::free(&app).await, Person::free(&app).await);
        let url = publish(&app);
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let episode = &list["entries"][0]["episode"];
        let person =
            json!({"name": "Ann Lee", "role": "guest", "url": "https://ann.example/", "imageUrl": null});
        assert_eq!(episode["persons"], json!([person]));
        assert_eq!(episode["durationSeconds"], 3723);
        assert_eq!(
            (&episode["season"], &episode["number"], &episode["kind"]),
            (&json!(2), &json!(7), &Value::Null)
        );
        assert!(episode["chaptersUrl"].as_str().unwrap().ends_with("/1.json"));
        let transcript = &episode["transcripts"][0];
        assert_eq!((&transcript["mediaType"], &transcript["language"]), (&json!("text/vtt"), &json!("en")));
        let queried = who.post(&app, "/v1/feeds/query", &json!({})).await.expect(200).json();
        assert_eq!(&queried["entries"][0]["episode"], episode);

        let credentials = |who: &Person| {
            let pair = format!("{}:{}", who.email, who.key);
            format!("Basic {}", data_encoding::BASE64.encode(pair.as_bytes()))
        };
        let ask = async |who: &Person, path: &str| {
            app.send(Method::GET, path, &[("authorization", &credentials(who))], None).await
        };
        let catalogue = ask(&who, "/opds/podcasts").await.expect(200).text();
        let link = "<link rel=\"http://opds-spec.org/acquisition/open-access\" \
            href=\"https://media.example.org/1.mp3\" type=\"audio/mpeg\" length=\"52428800\"/>";
        assert!(catalogue.contains(link) && catalogue.contains("<title>Ships</title>"), "{catalogue}");
        assert!(catalogue.contains("<category term=\"Sea\" label=\"Sea\"/>"), "{catalogue}");
        let catalogue = ask(&who, "/opds/2/podcasts").await.expect(200).json();
        let episode = &catalogue["publications"][0];
        assert_eq!(episode["metadata"]["title"], "Ships");
        assert_eq!(episode["metadata"]["subject"], json!(["Sea"]));
        assert_eq!(
            episode["links"][0],
            json!({"rel": "http://opds-spec.org/acquisition/open-access", "type": "audio/mpeg",
                "href": "https://media.example.org/1.mp3", "size": 52_428_800})
        );
        assert!(!ask(&stranger, "/opds/podcasts").await.expect(200).text().contains("Ships"));
        ask(&who, "/opds/podcasts?c=broken").await.expect(400);
    });
}
