//! Rules of feeds: conditions on URL, publication date, and attached files, and rules that star or save entries.

use kernel::clock::{DAY, rfc3339};
use kernel::tiers::Tier;
use kernel::{AccountId, Millis};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{Reply, TestApp, on_each_world};

/// Entry of a feed. The path of its page is also its guid.
struct Item {
    title: &'static str,
    path: &'static str,
    published_at: Millis,
    media_type: Option<&'static str>,
}

fn item(app: &TestApp, title: &'static str, path: &'static str) -> Item {
    Item { title, path, published_at: app.app.domain.now(), media_type: None }
}

/// Publishes a feed. Returns its URL.
fn publish(app: &TestApp, path: &str, items: &[Item]) -> String {
    let item = |item: &Item| {
        let (link, at) = (app.site.article(item.path), rfc3339(item.published_at));
        let file = item.media_type.map(|media_type| {
            format!("<enclosure url=\"https://media.example.org/file\" type=\"{media_type}\" length=\"1\"/>")
        });
        format!(
            "<item><title>{}</title><link>{link}</link><guid isPermaLink=\"false\">{}</guid>\
             <pubDate>{at}</pubDate>{}</item>",
            item.title,
            item.path,
            file.unwrap_or_default()
        )
    };
    let items: Vec<String> = items.iter().map(item).collect();
    let body =
        format!("<rss version=\"2.0\"><channel><title>Harbour</title>{}</channel></rss>", items.concat());
    app.site.put(path, Reply::bytes("application/rss+xml", body.into_bytes()))
}

async fn follow(app: &TestApp, who: &Person, url: &str) {
    who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
}

/// Creates a rule for all feeds on its page: action, part, words, and tags.
async fn create(browser: &mut Browser<'_>, [action, part, words, tags]: [&str; 4]) {
    browser.open("/subscriptions/rules").await.expect(200);
    let fields = [
        ("act", "create"),
        ("action", action),
        ("part", part),
        ("kind", "words"),
        ("words", words),
        ("tags", tags),
    ];
    browser.submit("/subscriptions/rules", &fields).await.expect(303);
}

/// Polls due feeds, and then runs the jobs for the entries that rules save.
async fn poll_and_save(app: &TestApp) {
    for _ in 0..5 {
        poll(app).await;
    }
}

async fn titles(app: &TestApp, who: &Person, query: &str) -> Vec<String> {
    let list = who.get(app, &format!("/v1/rss/entries?limit=100&{query}")).await.expect(200).json();
    let mut titles: Vec<String> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

async fn items(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, "/v1/library/items?limit=100").await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

async fn starred(app: &TestApp, account_id: AccountId) -> Vec<String> {
    let page = feeds::list_starred(&app.app.domain, account_id, None, 100).await.unwrap();
    page.entries.into_iter().map(|entry| entry.title).collect()
}

async fn rules_page(browser: &mut Browser<'_>) -> String {
    browser.open("/subscriptions/rules").await.expect(200).text()
}

#[test]
fn rules_match_url_publication_date_and_attached_files() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = Browser::signed_in(&app, &who).await;
        create(&mut browser, ["mute", "url", "/SPORT/", ""]).await;
        create(&mut browser, ["read", "published", ">30d", ""]).await;
        create(&mut browser, ["mute", "media", "audio/", ""]).await;
        let old = Item { published_at: app.app.domain.now() - 60 * DAY, ..item(&app, "Old", "/news/3") };
        let episode = Item { media_type: Some("audio/mpeg"), ..item(&app, "Episode", "/news/4") };
        let picture = Item { media_type: Some("image/png"), ..item(&app, "Picture", "/news/5") };
        let all = [item(&app, "News", "/news/1"), item(&app, "Match", "/sport/2"), old, episode, picture];
        let url = publish(&app, "/feed.xml", &all);
        follow(&app, &who, &url).await;
        follow(&app, &other, &url).await;
        poll(&app).await;
        assert_eq!(titles(&app, &who, "unread=true").await, ["News", "Picture"]);
        assert_eq!(titles(&app, &who, "").await, ["News", "Old", "Picture"]);
        assert_eq!(titles(&app, &other, "unread=true").await.len(), 5);

        // The same conditions apply to stored entries.
        rules_page(&mut browser).await;
        let preview = [("action", "mute"), ("part", "media"), ("kind", "expression"), ("words", "^image/")];
        let page = browser.submit("/subscriptions/rules", &preview).await.expect(200).text();
        assert!(page.contains("it matches <strong>1</strong>") && page.contains(">Picture<"), "{page}");
        let preview = [("action", "read"), ("part", "published"), ("kind", "words"), ("words", "7d")];
        let page = browser.submit("/subscriptions/rules", &preview).await.expect(200).text();
        assert!(page.contains("it matches <strong>2</strong>"), "{page}");
        for (kind, words, reason) in [
            ("words", "yesterday", "Enter a date condition"),
            ("expression", "7d", "A date cannot be matched with a regular expression"),
        ] {
            let fields = [("act", "create"), ("part", "published"), ("kind", kind), ("words", words)];
            let page = browser.submit("/subscriptions/rules", &fields).await.expect(422).text();
            assert!(page.contains(reason), "{page}");
        }
    });
}

#[test]
fn rules_star_and_save_new_entries_and_change_nothing_afterwards() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = Browser::signed_in(&app, &who).await;
        create(&mut browser, ["save", "title", "boat", "Ships, news"]).await;
        create(&mut browser, ["save", "url", "/boats/", "water"]).await;
        create(&mut browser, ["star", "title", "storm", ""]).await;
        create(&mut browser, ["drop", "title", "advert", ""]).await;
        create(&mut browser, ["mute", "title", "storm", ""]).await;
        let all = |title| {
            let advert = item(&app, "Boat advert", "/boats/4");
            [item(&app, title, "/boats/1"), item(&app, "Storm", "/2"), item(&app, "News", "/3"), advert]
        };
        let url = publish(&app, "/feed.xml", &all("Boat"));
        follow(&app, &who, &url).await;
        follow(&app, &other, &url).await;
        poll_and_save(&app).await;
        let saved = items(&app, &who).await;
        assert_eq!(saved.len(), 2, "{saved:?}");
        let boat = saved.iter().find(|item| item["title"] == "Boat").unwrap();
        let mut tags: Vec<&str> =
            boat["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
        tags.sort_unstable();
        assert_eq!(tags, ["Ships", "news", "water"], "the item has the tags of all rules");
        assert_eq!(starred(&app, who.id).await, ["Storm"], "an entry is starred although it is muted");
        assert!(items(&app, &other).await.is_empty() && starred(&app, other.id).await.is_empty());
        let page = rules_page(&mut browser).await;
        assert_eq!(page.matches("1 saved").count(), 2, "{page}");
        assert!(
            page.contains("1 starred") && page.contains("Ships, news") && !page.contains("not saved"),
            "{page}"
        );

        // A changed entry is not saved again, and an item that the person deleted is not created again.
        let path = format!("/v1/library/items/{}", boat["id"].as_str().unwrap());
        who.send(&app, Method::DELETE, &path).await.expect(204);
        publish(&app, "/feed.xml", &all("Boat, longer"));
        app.clock.advance(27 * 60 * 60 * 1000);
        poll_and_save(&app).await;
        assert_eq!(titles(&app, &who, "").await, ["Boat, longer", "News"]);
        assert_eq!(items(&app, &who).await.len(), 1);
        let rows = "SELECT count(*) FROM rss_rule_save WHERE account_id = $1";
        let left =
            kernel::statement::scalar(app.app.domain.db().write(), rows, [who.id.into()]).await.unwrap();
        assert_eq!(left, 0, "rows that no longer count are deleted without a new entry");
        let second = publish(&app, "/second.xml", &[item(&app, "Boat again", "/boats/1")]);
        follow(&app, &who, &second).await;
        poll_and_save(&app).await;
        assert!(titles(&app, &who, "").await.contains(&"Boat again".to_owned()));
        assert_eq!(items(&app, &who).await.len(), 1);
        let page = rules_page(&mut browser).await;
        assert_eq!(page.matches("you deleted this item").count(), 2, "{page}");
    });
}

#[test]
fn existing_item_is_not_changed_by_a_rule() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let page = app.site.article("/1");
        who.post(&app, "/v1/library/items", &json!({ "url": page, "title": "Mine" })).await.expect(201);
        let mut browser = Browser::signed_in(&app, &who).await;
        create(&mut browser, ["save", "any", "boat", "rule"]).await;
        create(&mut browser, ["star", "any", "boat", ""]).await;
        let url = publish(&app, "/feed.xml", &[item(&app, "Boat", "/1")]);
        follow(&app, &who, &url).await;
        poll_and_save(&app).await;
        let saved = items(&app, &who).await;
        assert_eq!((saved.len(), &saved[0]["title"], &saved[0]["tags"]), (1, &json!("Mine"), &json!([])));
        assert_eq!(starred(&app, who.id).await, ["Boat"]);
        let page = rules_page(&mut browser).await;
        assert!(page.contains("1 starred") && page.contains("0 saved"), "{page}");
    });
}

#[test]
fn rule_does_not_save_entries_with_public_or_shared_tags() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let old = json!({"content": "Old.", "tags": ["Public", "Family"]});
        who.post(&app, "/v1/library/items", &old).await.expect(201);
        who.post(&app, "/v1/library/public-tags", &json!({"name": "Public"})).await.expect(200);
        let team = who.post(&app, "/v1/teams", &json!({"name": "Family"})).await.expect(201).json();
        let shared = format!("/v1/teams/{}/tags/family", team["team"]["id"].as_str().unwrap());
        who.send(&app, Method::PUT, &shared).await.expect(204);
        let mut browser = Browser::signed_in(&app, &who).await;
        create(&mut browser, ["save", "title", "boat", "public, Ships, family"]).await;
        let page = rules_page(&mut browser).await;
        assert!(page.contains("Not added because they are public or shared: public, family"), "{page}");
        let url = publish(&app, "/feed.xml", &[item(&app, "Boat", "/1")]);
        follow(&app, &who, &url).await;
        poll_and_save(&app).await;
        let saved = items(&app, &who).await;
        let boat = saved.iter().find(|item| item["title"] == "Boat").unwrap();
        assert_eq!(boat["tags"], json!(["Ships"]));
    });
}

#[test]
fn rules_save_at_most_a_hundred_entries_a_day_and_count_further_entries() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let domain = &app.app.domain;
        for number in 1..kernel::bounds::RULE_SAVES_PER_DAY {
            let sql =
                "INSERT INTO rss_rule_save (account_id, entry_id, rule_id, saved_at) VALUES ($1, $2, 0, $3)";
            let values = [who.id.into(), (1_000_000 + i64::from(number)).into(), domain.now().into()];
            kernel::statement::execute(domain.db().write(), sql, values).await.unwrap();
        }
        let mut browser = Browser::signed_in(&app, &who).await;
        create(&mut browser, ["save", "title", "boat", ""]).await;
        let preview = [("action", "save"), ("part", "title"), ("kind", "words"), ("words", "boat")];
        let all = [item(&app, "Boat 1", "/1"), item(&app, "Boat 2", "/2"), item(&app, "Boat 3", "/3")];
        let url = publish(&app, "/feed.xml", &all);
        follow(&app, &who, &url).await;
        poll_and_save(&app).await;
        assert_eq!(items(&app, &who).await.len(), 1);
        assert_eq!(titles(&app, &who, "unread=true").await.len(), 3, "the other entries stay in the feed");
        let page = rules_page(&mut browser).await;
        assert!(page.contains("1 saved") && page.contains("2 not saved"), "{page}");
        assert!(page.contains("rules save at most 100 entries a day"), "{page}");
        let page = browser.submit("/subscriptions/rules", &preview).await.expect(200).text();
        assert!(page.contains("They would be saved to your library, at most 100 entries a day"), "{page}");

        app.clock.advance(DAY + 3 * 60 * 60 * 1000);
        let [first, second, third] = all;
        publish(&app, "/feed.xml", &[first, second, third, item(&app, "Boat 4", "/4")]);
        poll_and_save(&app).await;
        assert_eq!(items(&app, &who).await.len(), 2, "the limit is one of the last 24 hours");
        assert!(rules_page(&mut browser).await.contains("2 saved"));
    });
}

#[test]
fn rule_applies_to_unread_entries_until_it_is_deleted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let url = publish(&app, "/feed.xml", &[item(&app, "Boat 1", "/1"), item(&app, "News", "/2")]);
        follow(&app, &who, &url).await;
        poll(&app).await;
        browser.open("/subscriptions/rules").await.expect(200);
        let fields = [
            ("act", "create"),
            ("action", "save"),
            ("part", "title"),
            ("kind", "words"),
            ("words", "boat"),
            ("tags", "ships"),
            ("unread", "on"),
        ];
        browser.submit("/subscriptions/rules", &fields).await.expect(303);
        poll_and_save(&app).await;
        assert_eq!(items(&app, &who).await.len(), 1);
        let id = feeds::list_rules(&app.app.domain, who.id, None).await.unwrap()[0].id;
        let rule = format!("/subscriptions/rules/{id}");
        assert!(browser.open(&rule).await.expect(200).text().contains("will stay as they are"));
        browser.submit(&rule, &[]).await.expect(303);
        let all = [item(&app, "Boat 1", "/1"), item(&app, "News", "/2"), item(&app, "Boat 3", "/3")];
        publish(&app, "/feed.xml", &all);
        app.clock.advance(27 * 60 * 60 * 1000);
        poll_and_save(&app).await;
        assert_eq!(titles(&app, &who, "").await.len(), 3);
        assert_eq!(items(&app, &who).await.len(), 1, "the saved item remains, and no other is saved");
        let long = "x".repeat(33);
        browser.open("/subscriptions/rules").await.expect(200);
        for tags in ["a,b,c,d,e,f,g,h,i,j,k,l,m", long.as_str()] {
            let fields = [("act", "create"), ("action", "save"), ("words", "boat"), ("tags", tags)];
            browser.submit("/subscriptions/rules", &fields).await.expect(422);
        }
    });
}
