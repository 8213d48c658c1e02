//! Changes of tags: with more than a thousand items, through HTTP, and in settings that add tags to new items.

use ::inbox::NewAddress;
use feeds::{NewRule, RuleAction, RuleKind, RulePart, RuleScope};
use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::form::{Field, with_form};
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, on_each_world, run};

/// Imports `count` items with one tag.
async fn import(app: &TestApp, who: &Person, count: usize, tag: &str) {
    import_rows(app, who, (0..count).map(|n| (n, tag.to_owned()))).await;
}

/// Imports one item for each number, with its tags, which are separated by `|`.
async fn import_rows(app: &TestApp, who: &Person, rows: impl Iterator<Item = (usize, String)>) {
    let rows = rows.map(|(n, tags)| format!("T{n},https://example.org/{n},1704067200,{tags},unread\n"));
    let file: String = std::iter::once("title,url,time_added,tags,status\n".to_owned()).chain(rows).collect();
    let parts = [
        Field { name: "dryRun", file: None, body: b"false" },
        Field { name: "file", file: Some(("file", "text/csv")), body: file.as_bytes() },
    ];
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    HttpAnswer::of(with_form(request, &parts).send().await.unwrap()).await.expect(202);
}

async fn tags(app: &TestApp, who: &Person) -> Value {
    who.get(app, "/v1/library/tags").await.expect(200).json()["tags"].clone()
}

#[test]
fn page_of_tags_links_to_the_next_page() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let tags_of =
            |row: usize| (row * 12..(row + 1) * 12).map(|n| format!("tag{n:03}")).collect::<Vec<_>>();
        import_rows(&app, &who, (0..42).map(|row| (row, tags_of(row).join("|")))).await;
        app.run_jobs().await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let first = browser.open("/library/tags").await.expect(200).text();
        assert!(first.contains("value=\"tag499\"") && !first.contains("value=\"tag500\""));
        let next = "/library/tags?after=tag499";
        assert!(first.contains(&format!("href=\"{next}\"")));
        let library = browser.open("/library").await.expect(200).text();
        let more = library.matches("<a href=\"/library/tags\">More tags</a>").count();
        assert_eq!(more, 1, "{library}");
        let second = browser.open(next).await.expect(200).text();
        assert!(second.contains("value=\"tag503\"") && !second.contains("value=\"tag499\""), "{second}");
        assert!(!second.contains("rel=\"next\""), "{second}");
        let long = "t".repeat(33);
        let renaming = [("from", "tag503"), ("to", long.as_str()), ("act", "rename")];
        let refused = browser.submit(next, &renaming).await.expect(422).text();
        assert!(refused.contains("name=\"from\" value=\"tag503\""), "the page has the tag: {refused}");
        let typed = format!("id=\"to\" type=\"text\" name=\"to\" value=\"{long}\"");
        assert!(refused.contains(&typed) && refused.contains("id=\"to-error\""), "{refused}");
        browser.submit(next, &[("from", "tag503"), ("to", ""), ("act", "delete")]).await.expect(303);
        assert!(!browser.open(next).await.expect(200).text().contains("value=\"tag503\""));
        browser.open("/library/tags?after=%00").await.expect(200);
        assert!(!browser.open("/library/tags?after=z").await.expect(200).text().contains("rel=\"next\""));
    });
}

#[test]
fn tag_of_over_a_thousand_items_is_changed_by_a_job() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            import(&app, &who, 1_001, "Desk").await;
            app.run_jobs().await;
            let start = who.get(&app, "/v1/library/sync?limit=500").await.expect(200).json();
            let mut cursor = start["nextCursor"].as_str().unwrap().to_owned();
            while read_next_page(&app, &who, &mut cursor).await > 0 {}
            let rename = json!({"from": "DESK", "to": "Desks"});
            let begun = who.post(&app, "/v1/library/tags/rename", &rename).await.expect(202).json();
            assert_eq!(begun, json!({"updated": 1001}));
            app.run_jobs().await;
            assert_eq!(tags(&app, &who).await, json!([{"name": "Desks", "count": 1001}]));
            let mut changed = 0;
            while let count @ 1.. = read_next_page(&app, &who, &mut cursor).await {
                changed += count;
            }
            assert_eq!(changed, 1_001, "every item is synchronized once");
            let matches =
                who.get(&app, "/v1/library/objects?query=tag:desks&limit=1").await.expect(200).json();
            assert_eq!(matches["total"], 1001);
            let begun = who.post(&app, "/v1/library/tags/delete", &json!({"name": "desks"})).await;
            assert_eq!(begun.expect(202).json(), json!({"updated": 1001}));
            app.run_jobs().await;
            assert_eq!(tags(&app, &who).await, json!([]));
            let matches = who.get(&app, "/v1/library/objects?query=desks&limit=1").await.expect(200).json();
            assert_eq!(matches["total"], 0, "a removed tag matches nothing");
        }
    });
}

#[test]
fn tags_of_long_texts_are_changed_part_by_part() {
    run(async {
        for world in World::ALL {
            let app = Setup::on(world).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let ids: Vec<Value> = who.save_texts(&app, 4).await.into_iter().map(Value::from).collect();
            let body = json!({"ids": ids, "changes": {"addTags": ["Book"]}});
            // Long texts would take the processes of a debug build minutes.
            let size = "UPDATE library_text SET text_bytes = 1500000";
            app.app.domain.db().write().execute_unprepared(size).await.unwrap();
            let change = async |body: &Value| {
                let request = app.request(Method::PATCH, "/v1/library/items").header("x-api-key", &who.key);
                let request = request.header("content-type", "application/json");
                HttpAnswer::of(request.body(body.to_string()).send().await.unwrap()).await
            };
            change(&body).await.expect(200);
            let full = json!((0..11).map(|number| format!("tag {number}")).collect::<Vec<_>>());
            let last = json!({"ids": [ids[3]], "changes": {"addTags": full}});
            change(&last).await.expect(200);

            let add = json!({"ids": ids, "changes": {"addTags": ["Long"]}});
            change(&add).await.expect(422);
            let found = async |query: &str| {
                let page = who.get(&app, &format!("/v1/library/objects?query={query}&limit=9")).await;
                page.expect(200).json()["total"].clone()
            };
            assert_eq!(found("tag:long").await, 0, "an item with too many tags refuses the change of all");
            let add = json!({"ids": ids[..3], "changes": {"addTags": ["Long"]}});
            let changed = change(&add).await.expect(200).json();
            let order: Vec<_> = changed["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
            assert_eq!((&changed["updated"], order), (&json!(3), ids[..3].iter().collect()));
            assert_eq!(found("tag:long").await, 3);

            let rename = json!({"from": "book", "to": "Novel"});
            let begun = who.post(&app, "/v1/library/tags/rename", &rename).await.expect(202).json();
            assert_eq!(begun, json!({"updated": 4}));
            app.run_jobs().await;
            assert_eq!((found("tag:novel").await, found("tag:book").await), (json!(4), json!(0)));
            assert_eq!(found("words").await, 4);
        }
    });
}

/// Reads the next page of changes and returns their number.
async fn read_next_page(app: &TestApp, who: &Person, cursor: &mut String) -> usize {
    let page = who.get(app, &format!("/v1/library/sync?limit=500&cursor={cursor}")).await.expect(200).json();
    page["nextCursor"].as_str().unwrap().clone_into(cursor);
    page["changes"].as_array().unwrap().len()
}

/// Creates a rule for feeds and an inbox address, which add these tags to new items.
async fn add_automatically(app: &TestApp, who: &Person, tags: &[&str]) {
    let domain = &app.app.domain;
    let tags: Vec<String> = tags.iter().map(|&tag| tag.to_owned()).collect();
    let rule = NewRule {
        subscription_id: None,
        action: RuleAction::Save,
        part: RulePart::Title,
        kind: RuleKind::Words,
        words: "boat".to_owned(),
        tags: tags.clone(),
        notify: Vec::new(),
    };
    feeds::create_rule(domain, who.id, &rule, RuleScope::NewEntries).await.unwrap();
    let address = NewAddress { name: "Mail".to_owned(), tags, ..NewAddress::default() };
    ::inbox::create_address(domain, who.id, address).await.unwrap();
}

/// Returns the tags of the only rule for feeds and of the only inbox address.
async fn automatic_tags(app: &TestApp, who: &Person) -> [Vec<String>; 2] {
    let domain = &app.app.domain;
    let mut rules = feeds::list_rules(domain, who.id, None).await.unwrap();
    let mut addresses = ::inbox::list_addresses(domain, who.id).await.unwrap();
    [rules.remove(0).tags, addresses.remove(0).tags]
}

#[test]
fn tag_changes_apply_to_feed_rules_and_inbox_addresses_of_the_account() {
    on_each_world(async |app| {
        let domain = &app.app.domain;
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let tags = ["Ships", "sea", "Port"];
        add_automatically(&app, &who, &tags).await;
        add_automatically(&app, &other, &tags).await;
        library::rename_tag(domain, who.id, "SHIPS", "Sea").await.unwrap();
        assert_eq!(automatic_tags(&app, &who).await, [["Sea", "Port"]; 2], "two equal tags become one");
        library::rename_tag(domain, who.id, "sea", "SEA").await.unwrap();
        assert_eq!(automatic_tags(&app, &who).await, [["SEA", "Port"]; 2]);
        library::delete_tag(domain, who.id, "port").await.unwrap();
        assert_eq!(automatic_tags(&app, &who).await, [["SEA"]; 2], "new items do not get a deleted tag");
        assert_eq!(automatic_tags(&app, &other).await, [tags; 2]);
    });
}
