//! Responses in the public format of each service, converted by the feed parser.

use super::super::{FeedInput, FeedKind, ParsedFeed, parse};

fn converted(address: &str, content_type: &str, body: &str) -> ParsedFeed {
    let feed = parse(&FeedInput {
        body: body.as_bytes().to_vec(),
        content_type: Some(content_type.to_owned()),
        base_url: Some(address.to_owned()),
        ..FeedInput::default()
    });
    assert_eq!(feed.kind, Some(FeedKind::Converted), "{address}");
    feed
}

fn json(address: &str, body: &str) -> ParsedFeed {
    converted(address, "application/json; charset=utf-8", body)
}

/// Titles and URLs of the entries.
fn titles(feed: &ParsedFeed) -> Vec<(&str, &str)> {
    let entries = feed.entries.iter();
    entries.map(|entry| (entry.title.as_deref().unwrap_or(""), entry.url.as_deref().unwrap_or(""))).collect()
}

/// Time at 10:00 UTC on a day of November 2026, in milliseconds since the epoch.
fn day(number: i64) -> i64 {
    const FIRST: i64 = 1_793_527_200_000;
    FIRST + (number - 1) * 86_400_000
}

#[test]
fn npm_package_versions_become_entries() {
    let body = r#"{"_id":"left-pad","name":"left-pad","description":"String left pad",
        "dist-tags":{"latest":"1.3.0"},
        "versions":{"1.2.0":{"name":"left-pad","version":"1.2.0"},"1.3.0":{"name":"left-pad","version":"1.3.0"}},
        "time":{"created":"2026-11-01T10:00:00.000Z","modified":"2026-11-03T10:00:00.000Z",
        "1.2.0":"2026-11-01T10:00:00.000Z","1.3.0":"2026-11-02T10:00:00.000Z","unpublished":{"time":"x"}}}"#;
    let feed = json("https://registry.npmjs.org/left-pad", body);
    assert_eq!(feed.title.as_deref(), Some("left-pad on npm"));
    assert_eq!(feed.description.as_deref(), Some("String left pad"));
    assert_eq!(feed.site_url.as_deref(), Some("https://www.npmjs.com/package/left-pad"));
    assert_eq!(
        titles(&feed),
        [
            ("left-pad 1.2.0", "https://www.npmjs.com/package/left-pad/v/1.2.0"),
            ("left-pad 1.3.0", "https://www.npmjs.com/package/left-pad/v/1.3.0"),
        ]
    );
    let newest = &feed.entries[1];
    assert_eq!((newest.published, newest.rank, newest.id.as_str()), (Some(day(2)), 0, "left-pad@1.3.0"));
    let scoped = json("https://registry.npmjs.org/@types/node", r#"{"name":"@types/node","time":{}}"#);
    assert_eq!(scoped.site_url.as_deref(), Some("https://www.npmjs.com/package/@types/node"));
}

#[test]
fn npm_search_results_become_entries() {
    let body = r#"{"objects":[{"package":{"name":"tide","version":"2.0.1","description":"Tides",
        "date":"2026-11-02T10:00:00.000Z","publisher":{"username":"ann","email":"a@b.example"},
        "links":{"npm":"https://www.npmjs.com/package/tide"}},"score":{"final":1}},{"package":null},7],
        "total":1,"time":"now"}"#;
    let feed = json("https://registry.npmjs.org/-/v1/search?text=maintainer%3Aann&size=50", body);
    assert_eq!(feed.title.as_deref(), Some("maintainer:ann on npm"));
    assert_eq!(titles(&feed), [("tide 2.0.1", "https://www.npmjs.com/package/tide/v/2.0.1")]);
    let entry = &feed.entries[0];
    assert_eq!((entry.author.as_deref(), entry.summary.as_deref()), (Some("ann"), Some("Tides")));
    assert_eq!(entry.published, Some(day(2)));
}

#[test]
fn image_tag_that_is_pushed_again_is_a_new_entry() {
    let body = |digest: &str| {
        format!(
            r#"{{"count":1,"next":null,"results":[{{"name":"1.27","last_updated":"2026-11-02T10:00:00.000000Z",
            "tag_last_pushed":"2026-11-01T10:00:00.000000Z","digest":"sha256:{digest}","full_size":1}}]}}"#
        )
    };
    let address = "https://hub.docker.com/v2/repositories/library/nginx/tags?page_size=50";
    let (first, second) = (json(address, &body("aa")), json(address, &body("bb")));
    assert_eq!(first.title.as_deref(), Some("nginx on Docker Hub"));
    assert_eq!(titles(&first), [("nginx:1.27", "https://hub.docker.com/_/nginx/tags?name=1.27#sha256-aa")]);
    let entry = &first.entries[0];
    assert_eq!((entry.published, entry.summary.as_deref()), (Some(day(1)), Some("sha256:aa")));
    let (marks, other) = (entry.marks, second.entries[0].marks);
    assert!(marks.guid != other.guid && marks.url != other.url);
    let other = json("https://hub.docker.com/v2/repositories/grafana/loki/tags", &body("aa"));
    assert_eq!(other.site_url.as_deref(), Some("https://hub.docker.com/r/grafana/loki"));
}

#[test]
fn docker_images_of_a_user_become_entries() {
    let body = r#"{"count":1,"results":[{"name":"loki","namespace":"grafana","description":"Logs",
        "date_registered":"2026-11-01T10:00:00.000000Z","last_updated":"2026-11-03T10:00:00.000000Z"}]}"#;
    let feed = json("https://hub.docker.com/v2/repositories/grafana/?page_size=50", body);
    assert_eq!(titles(&feed), [("grafana/loki", "https://hub.docker.com/r/grafana/loki")]);
    assert_eq!(feed.entries[0].published, Some(day(1)));
}

#[test]
fn hacker_news_stories_and_comments_become_entries() {
    let body = r#"{"hits":[
        {"objectID":"12","title":"Low tide","url":"https://tide.example/low?utm_source=hn","author":"ann",
         "points":3,"num_comments":1,"created_at":"2026-11-02T10:00:00Z","_tags":["story"]},
        {"objectID":"11","title":"Ask HN: Which boat?","url":null,"author":"ben",
         "story_text":"A <i>small</i> one.<p>Or not.","created_at":"2026-11-01T10:00:00Z"}],
        "nbHits":2,"page":0}"#;
    let feed = json("https://hn.algolia.com/api/v1/search_by_date?tags=story&hitsPerPage=50", body);
    assert_eq!(feed.title.as_deref(), Some("Hacker News: newest"));
    assert_eq!(
        titles(&feed),
        [
            ("Low tide", "https://tide.example/low"),
            ("Ask HN: Which boat?", "https://news.ycombinator.com/item?id=11"),
        ]
    );
    assert_eq!(feed.entries[0].links[1], "https://news.ycombinator.com/item?id=12");
    assert_eq!(feed.entries[1].content_html.as_deref(), Some("A <i>small</i> one.<p>Or not.</p>"));

    let body = r#"{"hits":[{"objectID":"13","author":"ann","comment_text":"Aye.","story_id":12,
        "story_title":"Low tide","story_url":"https://tide.example/low","created_at":"2026-11-03T10:00:00Z"}]}"#;
    let address = "https://hn.algolia.com/api/v1/search_by_date?tags=comment%2Cauthor_ann&hitsPerPage=50";
    let feed = json(address, body);
    assert_eq!(feed.title.as_deref(), Some("Hacker News: comments of ann"));
    assert_eq!(titles(&feed), [("ann on Low tide", "https://news.ycombinator.com/item?id=13")]);
    assert_eq!((feed.entries[0].author.as_deref(), feed.entries[0].published), (Some("ann"), Some(day(3))));
}

#[test]
fn issues_become_entries_and_pull_requests_are_skipped() {
    let body = r#"[{"number":2,"html_url":"https://github.com/harbour/tide/issues/2","title":"Boat leaks",
        "user":{"login":"ann"},"state":"open","created_at":"2026-11-02T10:00:00Z",
        "updated_at":"2026-11-03T10:00:00Z","body":"It **leaks**.\n\n- a <script>x()</script>"},
        {"number":1,"html_url":"https://github.com/harbour/tide/pull/1","title":"Fix","user":null,
        "created_at":"2026-11-01T10:00:00Z","body":null,"pull_request":{"url":"x"}}]"#;
    let feed = json("https://api.github.com/repos/harbour/tide/issues?state=all", body);
    assert_eq!(feed.title.as_deref(), Some("harbour/tide: issues"));
    assert_eq!(feed.site_url.as_deref(), Some("https://github.com/harbour/tide/issues"));
    assert_eq!(titles(&feed), [("Boat leaks", "https://github.com/harbour/tide/issues/2")]);
    let entry = &feed.entries[0];
    assert_eq!(
        (entry.author.as_deref(), entry.published, entry.updated),
        (Some("ann"), Some(day(2)), Some(day(3)))
    );
    let content = entry.content_html.as_deref().unwrap();
    assert!(content.contains("<strong>leaks</strong>") && !content.contains("script"), "{content}");

    let search = format!(r#"{{"total_count":2,"items":{body}}}"#);
    let feed = json("https://api.github.com/search/issues?q=repo%3Aharbour%2Ftide+boat", &search);
    assert_eq!((feed.title.as_deref(), feed.entries.len()), (Some("GitHub: repo:harbour/tide boat"), 2));
    let feed = json("https://codeberg.org/api/v1/repos/harbour/tide/issues?type=pulls", body);
    assert_eq!(feed.site_url.as_deref(), Some("https://codeberg.org/harbour/tide/pulls"));
    assert_eq!(feed.entries.len(), 2);
}

#[test]
fn telegram_messages_become_entries_with_their_pictures() {
    let message = |number: u32, content: &str| {
        format!(
            r#"<div class="tgme_widget_message_wrap js-widget_message_wrap"><div
            class="tgme_widget_message text_not_supported_wrap js-widget_message" data-post="harbour_news/{number}">
            <div class="tgme_widget_message_bubble">{content}<div class="tgme_widget_message_footer"><span
            class="tgme_widget_message_views">1.2K</span><span class="tgme_widget_message_meta"><a
            class="tgme_widget_message_date" href="https://t.me/harbour_news/{number}"><time
            datetime="2026-11-0{number}T10:00:00+00:00" class="time">10:00</time></a></span></div></div></div></div>"#
        )
    };
    let first = message(
        1,
        r#"<div class="tgme_widget_message_text js-message_reply_text">An older text</div>
        <div class="tgme_widget_message_text js-message_text" dir="auto">Low <b>tide</b><br/>at <a
        href="/s/other">ten</a><script>x()</script></div>"#,
    );
    let second = message(
        2,
        r#"<a class="tgme_widget_message_photo_wrap" href="https://t.me/harbour_news/2"
        style="width:800px;background-image:url('https://cdn.example/boat.jpg')"></a>
        <video src="https://cdn.example/boat.mp4" class="tgme_widget_message_video"></video>
        <div class="tgme_widget_message_poll_question">Which <boat>?</div>"#,
    );
    let page = format!(
        r#"<!DOCTYPE html><html><head><meta property="og:title" content="Harbour news">
        <meta property="og:description" content="Tides &amp; boats"></head><body>{first}{second}
        <div class="tgme_widget_message" data-post="../x">Bad</div></body></html>"#
    );
    let feed = converted("https://t.me/s/harbour_news", "text/html; charset=utf-8", &page);
    assert_eq!(feed.title.as_deref(), Some("Harbour news"));
    assert_eq!(feed.description.as_deref(), Some("Tides & boats"));
    assert_eq!(titles(&feed), [("", "https://t.me/harbour_news/2"), ("", "https://t.me/harbour_news/1")]);
    let [newest, oldest] = feed.entries.as_slice() else { panic!("two entries") };
    assert_eq!(
        (newest.published, newest.rank, oldest.published, oldest.rank),
        (Some(day(2)), 0, Some(day(1)), 1)
    );
    let content = oldest.content_html.as_deref().unwrap();
    assert!(content.contains("<b>tide</b>") && content.contains("https://t.me/s/other"), "{content}");
    assert!(!content.contains("script") && !content.contains("older"), "{content}");
    let markup = format!("{:?}{:?}", newest.content_html, newest.summary_html);
    assert!(markup.contains("https://cdn.example/boat.jpg") && markup.contains("Which"), "{markup}");
    assert_eq!(newest.enclosures[0].url, "https://cdn.example/boat.mp4");
}

#[test]
fn bandcamp_releases_become_entries_in_page_order() {
    let page = r#"<html><head><meta property="og:title" content="Harbour Records"></head><body>
        <ol id="music-grid" class="music-grid" data-client-items="[{&quot;id&quot;:3,&quot;type&quot;:&quot;album&quot;,
        &quot;title&quot;:&quot;High tide&quot;,&quot;artist&quot;:&quot;Ben&quot;,&quot;page_url&quot;:&quot;/album/high-tide&quot;},
        {&quot;id&quot;:2,&quot;title&quot;:&quot;Low tide&quot;,&quot;page_url&quot;:&quot;/album/low-tide&quot;}]">
        <li data-item-id="album-2" class="music-grid-item square"><a href="/album/low-tide"><div class="art"><img
        src="https://f4.bcbits.com/img/a2_2.jpg"></div><p class="title">
        Low tide
        <br><span class="artist-override">Ann</span></p></a></li></ol></body></html>"#;
    let feed = converted("https://harbour.bandcamp.com/music", "text/html", page);
    assert_eq!(feed.title.as_deref(), Some("Harbour Records"));
    assert_eq!(
        titles(&feed),
        [
            ("Low tide", "https://harbour.bandcamp.com/album/low-tide"),
            ("High tide", "https://harbour.bandcamp.com/album/high-tide"),
        ]
    );
    let [first, second] = feed.entries.as_slice() else { panic!("two entries") };
    assert_eq!((first.author.as_deref(), second.author.as_deref()), (Some("Ann"), Some("Ben")));
    assert_eq!(first.image_url.as_deref(), Some("https://f4.bcbits.com/img/a2_2.jpg"));
    assert_eq!((first.rank, second.rank), (0, 1));
}

#[test]
fn response_in_an_unexpected_format_is_not_a_feed() {
    for address in [
        "https://t.me/s/harbour_news",
        "https://harbour.bandcamp.com/music",
        "https://registry.npmjs.org/left-pad",
        "https://registry.npmjs.org/-/v1/search?text=x",
        "https://hub.docker.com/v2/repositories/library/nginx/tags",
        "https://hub.docker.com/v2/repositories/library",
        "https://hn.algolia.com/api/v1/search_by_date?tags=story",
        "https://api.github.com/repos/harbour/tide/issues",
    ] {
        let deep = "[".repeat(100_000);
        for body in
            ["", "<html><p>Sorry</p></html>", "{}", "[", "null", r#"{"message":"limit"}"#, deep.as_str()]
        {
            let input = FeedInput {
                body: body.as_bytes().to_vec(),
                base_url: Some(address.to_owned()),
                ..FeedInput::default()
            };
            assert_eq!(parse(&input).kind, None, "{address}: {body:.40}");
        }
    }
    let page = "<rss version=\"2.0\"><channel><title>T</title></channel></rss>";
    let input = FeedInput {
        body: page.into(),
        base_url: Some("https://t.me/harbour_news".to_owned()),
        ..FeedInput::default()
    };
    assert_eq!(parse(&input).kind, Some(FeedKind::Rss), "other addresses are not converted");
}
