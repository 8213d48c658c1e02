//! Pages of feeds: following, reading, marking, saving, settings, collections, and lists.

use kernel::tiers::Tier;

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{Reply, TestApp, on_each_world, run};

/// Returns a signed-in browser that follows a feed with entries of these numbers, and the path of its first
/// entry's page.
async fn following<'a>(
    app: &'a TestApp,
    who: &Person,
    numbers: std::ops::RangeInclusive<u32>,
) -> Browser<'a> {
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    let url = app.site.put("/feed.xml", feed(numbers));
    browser.open("/subscriptions/new").await.expect(200);
    browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
    poll(app).await;
    browser
}

#[test]
fn feed_of_a_site_is_discovered_followed_and_read() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/feed.xml", feed(1..=3));
        let page = app.site.put(
            "/blog",
            Reply::html("<link rel=alternate type=application/rss+xml href=/feed.xml><p>Hello</p>"),
        );
        let form = "/subscriptions/new";
        browser.open(&format!("{form}?url={page}")).await.expect(200);
        let results = browser.submit(form, &[("url", &page)]).await.expect(200).text();
        assert!(
            results.contains("Feeds found") && results.contains("Harbour") && results.contains(&url),
            "{results}"
        );
        let again = results.find(">Search again<").expect("the page has a button to search again");
        assert!(again < results.find("name=\"feed\"").unwrap(), "Enter in the address field searches again");
        let followed = browser.submit(form, &[("url", &page), ("feed", &url)]).await.expect(303);
        assert!(followed.header("location").contains("done=followed"));
        browser.open(form).await.expect(200);
        let again = browser.submit(form, &[("url", &page), ("feed", &url)]).await.expect(303);
        assert!(again.header("location").contains("done=already"));
        poll(&app).await;
        let list = browser.open("/entries").await.expect(200).text();
        assert!(
            list.contains("Unread 3") && list.contains("Note 3") && list.contains("Words of 3"),
            "{list}"
        );
        let at = format!("/entries/{}", between(&list, "href=\"/entries/", "\""));
        let entry = browser.open(&at).await.expect(200).text();
        assert!(entry.contains("Words of 3") && !entry.contains("x()"), "{entry}");
        assert!(entry.contains("Next: <bdi>Note 2"), "{entry}");
        assert!(
            browser.open("/entries").await.expect(200).text().contains("Unread 2"),
            "opening an entry marks it as read"
        );
        let marked = browser
            .submit("/entries/mark", &[("unread", at.rsplit('/').next().unwrap()), ("back", &at)])
            .await
            .expect(303);
        assert!(browser.follow(&marked).await.contains("Marked as unread."));
        assert!(browser.open("/entries").await.expect(200).text().contains("Unread 3"));

        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open(&at).await.expect(404);
        let subscription = browser.open("/subscriptions").await.expect(200).text();
        let subscription =
            format!("/subscriptions/{}", between(&subscription, "<h3><a href=\"/subscriptions/", "\""));
        stranger.open(&subscription).await.expect(404);
        stranger.open(&format!("{subscription}/delete")).await.expect(404);
        stranger.open("/entries?collection=1").await.expect(404);
    });
}

#[test]
fn marking_through_an_entry_leaves_newer_entries_unread() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = following(&app, &who, 1..=5).await;
        let list = browser.open("/entries").await.expect(200).text();
        let ids: Vec<String> = list
            .split("href=\"/entries/")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
            .map(str::to_owned)
            .collect();
        assert_eq!(ids.len(), 5);
        let one =
            browser.submit("/entries/mark", &[("read", &ids[4]), ("back", "/entries")]).await.expect(303);
        assert!(browser.follow(&one).await.contains("Unread 4"));
        browser.submit("/entries/mark", &[("above", &ids[1]), ("back", "/entries")]).await.expect(303);
        let left = browser.open("/entries").await.expect(200).text();
        assert!(
            left.contains("Unread 2") && !left.contains(">Note 4<") && left.contains(">Note 3<"),
            "{left}"
        );
        let through = between(&left, "name=\"through\" value=\"", "\"").to_owned();
        app.site.put("/feed.xml", feed(1..=6));
        let list = browser.open("/subscriptions").await.expect(200).text();
        let feed = between(&list, "<h3><a href=\"/subscriptions/", "\"").to_owned();
        browser.open(&format!("/subscriptions/{feed}")).await.expect(200);
        browser.submit(&format!("/subscriptions/{feed}/refresh"), &[]).await.expect(303);
        poll(&app).await;
        browser.open("/entries").await.expect(200);
        let above = [("above", ids[2].as_str()), ("through", through.as_str()), ("back", "/entries")];
        browser.submit("/entries/mark", &above).await.expect(303);
        let left = browser.open("/entries").await.expect(200).text();
        assert!(
            left.contains("Unread 2") && left.contains(">Note 6<") && !left.contains(">Note 3<"),
            "{left}"
        );
        browser.submit("/entries/mark-all", &[("through", &through), ("back", "/entries")]).await.expect(303);
        let left = browser.open("/entries").await.expect(200).text();
        assert!(left.contains("Unread 1") && left.contains(">Note 6<"), "{left}");
        assert!(browser.open("/entries?show=all&q=note").await.expect(200).text().contains(">Note 2<"));
    });
}

#[test]
fn starred_entry_is_saved_and_listed_separately() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let article = app.site.article("/town");
        let body = format!(
            "<rss version=\"2.0\"><channel><title>H</title><item><title>A &lt;b&gt;town&lt;/b&gt;</title><link>{article}</link><guid>1</guid></item>\
             <item><title>Plain</title><link>{article}?2</link><guid>2</guid></item></channel></rss>"
        );
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        poll(&app).await;
        let empty = browser.open("/entries?show=starred").await.expect(200).text();
        assert!(empty.contains("No starred entries"), "{empty}");
        let list = browser.open("/entries").await.expect(200).text();
        assert!(!list.contains("<b>town"), "{list}");
        let row = list.split("<li").find(|row| row.contains("town")).unwrap();
        let id = between(row, "name=\"star\" value=\"", "\"").to_owned();
        let starred = [("star", id.as_str()), ("back", "/entries?show=all")];
        let starred = browser.submit("/entries/mark", &starred).await.expect(303);
        assert_eq!(starred.header("location"), format!("/entries?show=all&done=starred&undo=unstar__-{id}"));
        app.run_jobs().await;
        assert!(browser.open("/library").await.expect(200).text().contains("Inbox 1"));
        let list = browser.open("/entries").await.expect(200).text();
        let feed = between(&list, "/entries?feed=", "\"").split('&').next().unwrap().to_owned();
        let at = format!("/entries/{id}");
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("Feed settings") && page.contains("Starred: "), "{page}");
        let subscription = between(&page, "href=\"/subscriptions/", "\"").to_owned();
        let of_feed = browser.open(&format!("/entries?feed={feed}&show=starred")).await.expect(200).text();
        assert!(of_feed.contains("town") && !of_feed.contains(">Plain<"), "{of_feed}");
        browser.open(&format!("/subscriptions/{subscription}/delete")).await.expect(200);
        browser.submit(&format!("/subscriptions/{subscription}/delete"), &[]).await.expect(303);
        let starred_list = browser.open("/entries?show=starred").await.expect(200).text();
        assert!(
            starred_list.contains("town") && starred_list.contains("Remove star"),
            "a starred entry is listed without its feed: {starred_list}"
        );
        let page = browser.open(&format!("{at}?show=starred")).await.expect(200).text();
        assert!(!page.contains("Feed settings") && !page.contains("Mark as unread"), "{page}");
        let taken = [("unstar", id.as_str()), ("back", "/entries?show=starred")];
        browser.submit("/entries/mark", &taken).await.expect(303);
        let none = browser.open("/entries?show=starred").await.expect(200).text();
        assert!(!none.contains("town"), "{none}");
        browser.open(&at).await.expect(404);
    });
}

#[test]
fn feed_settings_are_changed_and_feed_is_unfollowed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = following(&app, &who, 1..=2).await;
        browser.open("/collections").await.expect(200);
        browser.submit("/collections", &[("name", "Coast")]).await.expect(303);
        browser.open("/collections").await.expect(200);
        let twice = browser.submit("/collections", &[("name", "coast")]).await.expect(422).text();
        assert!(twice.contains("id=\"errors\"") && twice.contains("value=\"coast\""), "{twice}");
        let coast = between(twice.split("<h3>").last().unwrap(), "collection=", "\"").to_owned();
        let list = browser.open("/subscriptions").await.expect(200).text();
        assert!(list.contains("Working") && list.contains("2 unread"), "{list}");
        let at = format!("/subscriptions/{}", between(&list, "<h3><a href=\"/subscriptions/", "\""));
        browser.open(&at).await.expect(200);
        let fields = [
            ("title", "My <harbour>"),
            ("collection", coast.as_str()),
            ("intervalMinutes", "120"),
            ("fullText", "on"),
        ];
        let changed = browser.submit(&at, &fields).await.expect(303);
        let page = browser.follow(&changed).await;
        assert!(
            page.contains("My &lt;harbour&gt;")
                && page.contains("value=\"120\"")
                && page.contains("<option value=\"on\" selected>"),
            "{page}"
        );
        let wrong = browser
            .submit(&at, &[("title", ""), ("collection", &coast), ("intervalMinutes", "soon")])
            .await
            .expect(422)
            .text();
        assert!(wrong.contains("intervalMinutes-error") && wrong.contains("value=\"soon\""), "{wrong}");
        let list = browser.open(&format!("/entries?collection={coast}")).await.expect(200).text();
        assert!(list.contains("<h1><bdi>Coast</bdi></h1>") && list.contains("Unread 2"), "{list}");
        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/refresh"), &[]).await.expect(303);
        browser.open("/collections").await.expect(200);
        browser.submit(&format!("/collections/{coast}"), &[("name", "Sea")]).await.expect(303);
        browser.open("/collections").await.expect(200);
        browser.submit(&format!("/collections/{coast}"), &[("act", "delete")]).await.expect(303);
        assert!(browser.open(&format!("{at}/delete")).await.expect(200).text().contains("Unfollow"));
        browser.submit(&format!("{at}/delete"), &[]).await.expect(303);
        browser.open(&at).await.expect(404);
        assert!(browser.open("/entries").await.expect(200).text().contains("You do not follow any feeds"));
    });
}

#[test]
fn refused_change_of_a_collection_retains_the_input() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/collections").await.expect(200);
        browser.submit("/collections", &[("name", "Coast")]).await.expect(303);
        let page = browser.open("/collections").await.expect(200).text();
        let coast = between(page.split("<h3>").last().unwrap(), "collection=", "\"").to_owned();
        let (path, long) = (format!("/collections/{coast}"), "n".repeat(81));
        let refused = browser.submit(&path, &[("name", &long)]).await.expect(422).text();
        let typed = format!("id=\"new-name\" type=\"text\" name=\"name\" value=\"{long}\"");
        assert!(refused.contains(&typed), "{refused}");
        assert!(
            refused.contains("id=\"new-name-error\"") && !refused.contains("id=\"name-error\""),
            "{refused}"
        );
        let fields = [("act", "age"), ("readAfterDays", "soon")];
        let refused = browser.submit(&path, &fields).await.expect(422).text();
        assert!(
            refused.contains("value=\"soon\"") && refused.contains("id=\"readAfterDays-error\""),
            "{refused}"
        );
    });
}

#[test]
fn missing_feed_and_unreachable_site_are_explained() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let bare = app.site.put("/bare", Reply::html("<p>Nothing here to follow.</p>"));
        let form = "/subscriptions/new";
        browser.open(form).await.expect(200);
        let none = browser.submit(form, &[("url", &bare)]).await.expect(200).text();
        assert!(none.contains("no feed at this address") && none.contains("/monitors/new"), "{none}");
        for wrong in ["not an address", "http://192.168.0.1/feed"] {
            let page = browser.submit(form, &[("url", wrong)]).await.expect(422).text();
            assert!(page.contains("url-error") && page.contains(&format!("value=\"{wrong}\"")), "{page}");
        }
    });
}

#[test]
fn feed_text_declares_its_language_and_can_be_shared() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let words = "Die Fähre verlässt den Hafen um sechs Uhr morgens, wenn der Nebel noch über dem Wasser liegt. \
            Niemand zählt die Boote, aber der Wächter des Leuchtturms schreibt jedes von ihnen in sein Buch, mit der Stunde und \
            dem Wind. Wir haben ihn gefragt, warum er das seit vierzig Jahren macht, und er hat nur gelacht. Später zeigte er uns \
            die alten Bände, die zwischen den Fenstern stehen, und sagte, dass nichts davon verloren gehen darf.";
        let body = format!(
            "<rss version=\"2.0\"><channel><title>Hafen</title><item><title>Fähre</title><guid>1</guid>\
             <link>https://example.org/1</link><description>{words}</description></item></channel></rss>"
        );
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        poll(&app).await;
        let list = browser.open("/entries").await.expect(200).text();
        let row = between(&list, "<h3><span class=\"hidden unread-word\">", "</h3>");
        let path = format!("/entries/{}", between(row, "href=\"/entries/", "\""));
        let page = browser.open(&path).await.expect(200).text();
        assert!(page.contains("<article class=\"text\" lang=\"de\" dir=\"auto\">"), "{page}");
        assert!(
            page.contains("id=\"share-page\" type=\"button\" data-url=\"https://example.org/1\""),
            "{page}"
        );
    });
}

#[test]
fn recording_of_an_entry_is_played_from_its_source() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let item = "<item><title>Episode</title><guid>1</guid><description>&lt;p&gt;Words&lt;img src=https://example.org/p.png&gt;&lt;/p&gt;</description>\
            <enclosure url=\"https://media.example.org/1.mp3\" type=\"audio/mpeg\" length=\"9\"/></item>\
            <item><title>Bare</title><guid>2</guid><enclosure url=\"https://media.example.org/2.html\" type=\"text/html\"/></item>\
            <item><title>Film</title><guid>3</guid><enclosure url=\"https://media.example.org/3.mp4\" type=\"video/mp4\"/></item>";
        let body = format!("<rss version=\"2.0\"><channel><title>Radio</title>{item}</channel></rss>");
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/subscriptions/new").await.expect(200);
        browser.submit("/subscriptions/new", &[("url", &url), ("feed", &url)]).await.expect(303);
        poll(&app).await;
        let list = browser.open("/entries").await.expect(200).text();
        for id in list.split("name=\"star\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let page = browser.open(&format!("/entries/{id}")).await.expect(200);
            let policy = page.header("content-security-policy").to_owned();
            let text = page.text();
            let has_audio =
                text.contains("<audio controls preload=\"none\" src=\"https://media.example.org/1.mp3\"");
            assert_eq!(has_audio, text.contains("<h1><bdi>Episode"), "{text}");
            let has_video =
                text.contains("<video controls preload=\"none\" src=\"https://media.example.org/3.mp4\"");
            assert_eq!(has_video, text.contains("<h1><bdi>Film"), "{text}");
            assert_eq!(policy.contains("media-src http: https:"), has_audio || has_video, "{policy}");
            assert!(!text.contains("src=\"https://example.org/p.png"), "{text}");
        }
    });
}

#[test]
fn deleting_a_rule_restores_the_entries_it_muted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = following(&app, &who, 1..=3).await;
        let list = browser.open("/subscriptions").await.expect(200).text();
        let at = format!("/subscriptions/{}", between(&list, "<h3><a href=\"/subscriptions/", "\""));
        assert!(browser.open(&at).await.expect(200).text().contains("Rules for this feed"));
        let rules = format!("{at}/rules");
        browser.open(&rules).await.expect(200);
        let fields = [("action", "mute"), ("part", "title"), ("kind", "expression"), ("words", "note [24]$")];
        let tried = browser.submit(&rules, &fields).await.expect(200).text();
        assert!(
            tried.contains("newest 3 entries, it matches <strong>1</strong>")
                && tried.contains(">Note 2<")
                && tried.contains("value=\"note [24]$\""),
            "{tried}"
        );
        let broken = [("action", "mute"), ("kind", "expression"), ("words", "(note"), ("act", "create")];
        let broken = browser.submit(&rules, &broken).await.expect(422).text();
        assert!(broken.contains("unclosed group") && broken.contains("value=\"(note\""), "{broken}");
        let costly =
            [("action", "mute"), ("kind", "expression"), ("words", r"(\w{60}){60}"), ("act", "create")];
        assert!(browser.submit(&rules, &costly).await.expect(422).text().contains("too costly"));
        let fields = [fields.as_slice(), &[("unread", "on"), ("act", "create")]].concat();
        let made = browser.submit(&rules, &fields).await.expect(303);
        let page = browser.follow(&made).await;
        assert!(page.contains("1 muted") && page.contains("applied to your unread entries"), "{page}");
        let rule = format!("/subscriptions/rules/{}", between(&page, "href=\"/subscriptions/rules/", "\""));
        app.site.put("/feed.xml", feed(1..=5));
        browser.open(&at).await.expect(200);
        browser.submit(&format!("{at}/refresh"), &[]).await.expect(303);
        poll(&app).await;
        let list = browser.open("/entries?show=all").await.expect(200).text();
        assert!(list.contains("Unread 3"), "{list}");
        assert!(
            list.contains(">Note 5<") && !list.contains(">Note 4<") && !list.contains(">Note 2<"),
            "{list}"
        );
        let confirmation = browser.open(&rule).await.expect(200).text();
        assert!(confirmation.contains("It has muted 2 entries"), "{confirmation}");
        let other = Person::free(&app).await;
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open(&rule).await.expect(404);
        stranger.open(&rules).await.expect(404);
        browser.open(&rule).await.expect(200);
        browser.submit(&rule, &[]).await.expect(303);
        let list = browser.open("/entries").await.expect(200).text();
        assert!(list.contains("Unread 5") && list.contains(">Note 4<"), "{list}");
        assert!(
            browser.open("/subscriptions/rules").await.expect(200).text().contains("Rules for all feeds")
        );
    });
}
