//! Rules for saved items: their application after the text was read, the items and values that they do not
//! change, their order, limits, page, and export.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::language_model::count_rows;
use crate::library_account_export;
use crate::library_imports;
use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

const RULES: &str = "/v1/library/rules";
const PAGE: &str = "/library/rules";

/// Creates a rule, and returns its id.
async fn create(app: &TestApp, who: &Person, rule: &Value) -> String {
    let created = who.post(app, RULES, rule).await.expect(201).json();
    created["rule"]["id"].as_str().unwrap().to_owned()
}

/// Saves an item, and returns its id.
async fn save(app: &TestApp, who: &Person, item: &Value) -> String {
    let saved = who.post(app, "/v1/library/items", item).await.expect(201).json();
    saved["item"]["id"].as_str().unwrap().to_owned()
}

/// Applies the rules to the items that are ready for them.
async fn apply(app: &TestApp) {
    app.tick().await;
    app.run_jobs().await;
}

/// Returns the tags and the status of an item.
async fn state(app: &TestApp, who: &Person, id: &str) -> (Value, Value) {
    let item = who.get(app, &format!("/v1/library/items/{id}")).await.expect(200).json()["item"].clone();
    (item["tags"].clone(), item["status"].clone())
}

async fn patch(app: &TestApp, who: &Person, path: &str, body: &Value) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(Method::PATCH, path, &headers, Some(body.to_string())).await
}

async fn change(app: &TestApp, who: &Person, id: &str, changes: &Value) {
    patch(app, who, &format!("/v1/library/items/{id}"), changes).await.expect(200);
}

/// Returns the names and the numbers of matches of all rules, in their order.
async fn listed(app: &TestApp, who: &Person) -> Vec<(String, u64)> {
    let rules = who.get(app, RULES).await.expect(200).json();
    let rule = |rule: &Value| (rule["name"].as_str().unwrap().to_owned(), rule["matches"].as_u64().unwrap());
    rules["rules"].as_array().unwrap().iter().map(rule).collect()
}

#[test]
fn rules_change_matching_new_items_in_the_order_of_the_rules() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let before = save(&app, &who, &json!({"content": "Boats in the old harbour."})).await;
        for rule in [
            json!({"name": "Words", "query": "boats harbour", "addTags": ["Sea", "favorite"], "status": "later"}),
            json!({"name": "Phrase", "query": "\"boats in\" (harbour OR port) -ships", "addTags": ["Port"]}),
            json!({"name": "Title", "query": "title:tides has:note", "addTags": ["Never"]}),
            json!({"name": "Last", "query": "status:inbox boats", "addTags": ["sea"], "status": "archive"}),
            json!({"name": "Nothing", "query": "!!", "addTags": ["Never"]}),
            json!({"name": "Tag of a rule", "query": "tag:port", "addTags": ["Never"]}),
        ] {
            create(&app, &who, &rule).await;
        }
        let item = save(&app, &who, &json!({"content": "Boats in the harbour.", "tags": ["Own"]})).await;
        let ships = json!({"content": "Boats in the harbour, and ships.", "status": "later"});
        let ships = save(&app, &who, &ships).await;
        let foreign = save(&app, &other, &json!({"content": "Boats in the harbour."})).await;
        assert_eq!(state(&app, &who, &item).await, (json!(["Own"]), json!("inbox")), "the job applies them");
        apply(&app).await;
        let tags = json!(["Own", "Sea", "favorite", "Port"]);
        assert_eq!(state(&app, &who, &item).await, (tags.clone(), json!("archive")));
        assert_eq!(state(&app, &who, &ships).await, (json!(["Sea", "favorite"]), json!("later")));
        let untouched = (json!([]), json!("inbox"));
        assert_eq!(state(&app, &who, &before).await, untouched, "an item from before the rules");
        assert_eq!(state(&app, &other, &foreign).await, untouched, "an item of another account");
        let counts: Vec<u64> = listed(&app, &who).await.iter().map(|(_, matches)| *matches).collect();
        assert_eq!(counts, [2, 1, 0, 1, 0, 0]);
        assert_eq!(count_rows(&app, "library_rule_item").await, 0);

        change(&app, &who, &item, &json!({"removeTags": ["Port"], "status": "inbox"})).await;
        let again = json!({"content": "Boats in the harbour.", "tags": ["Own"]});
        who.post(&app, "/v1/library/items", &again).await.expect(200);
        apply(&app).await;
        let tags = json!(["Own", "Sea", "favorite"]);
        assert_eq!(
            state(&app, &who, &item).await,
            (tags, json!("inbox")),
            "a repeated save applies no rules"
        );
        let found = who.get(&app, "/v1/library/items?query=is:starred+tag:sea").await.expect(200).json();
        assert_eq!(found["items"].as_array().map(Vec::len), Some(2), "the tags are in the index: {found}");
    });
}

#[test]
fn rules_wait_for_the_text_and_apply_to_items_without_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        create(&app, &who, &json!({"name": "Text", "query": "paragraph", "addTags": ["Text"]})).await;
        create(&app, &who, &json!({"name": "Title", "query": "title:gone", "addTags": ["Title"]})).await;
        create(&app, &who, &json!({"name": "Kind", "query": "domain:127.0.0.1", "status": "later"})).await;
        let gone = app.site.put("/gone", Reply::status(404));
        let gone = save(&app, &who, &json!({"url": gone, "title": "Gone"})).await;
        let broken = app.site.put("/broken", Reply::status(500));
        let broken = save(&app, &who, &json!({"url": broken, "title": "Gone too"})).await;
        let file = save(&app, &who, &json!({"fileName": "gone.txt", "title": "Gone"})).await;
        apply(&app).await;
        assert_eq!(state(&app, &who, &gone).await, (json!(["Title"]), json!("later")));
        assert_eq!(state(&app, &who, &broken).await, (json!([]), json!("inbox")), "its text is retried");
        assert_eq!(state(&app, &who, &file).await, (json!([]), json!("inbox")), "its file is awaited");
        app.site.article("/broken");
        for _ in 0..5 {
            app.clock.advance(400_000);
            apply(&app).await;
        }
        assert_eq!(state(&app, &who, &broken).await, (json!(["Text", "Title"]), json!("later")));
        let path = format!("/v1/library/items/{file}/file");
        let request = app.request(Method::PUT, &path).header("x-api-key", &who.key);
        HttpAnswer::of(request.body("A paragraph.").send().await.unwrap()).await.expect(201);
        for _ in 0..2 {
            apply(&app).await;
        }
        assert_eq!(state(&app, &who, &file).await, (json!(["Text", "Title"]), json!("inbox")));
        assert_eq!(count_rows(&app, "library_rule_item").await, 0);
    });
}

#[test]
fn rules_apply_to_a_waiting_item_when_an_import_supplies_its_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        create(&app, &who, &json!({"name": "Words", "query": "lighthouse", "addTags": ["Sea"]})).await;
        let url = app.site.put("/broken", Reply::status(500));
        let item = save(&app, &who, &json!({"url": url})).await;
        apply(&app).await;
        assert_eq!(count_rows(&app, "library_rule_item").await, 1, "its text is retried");
        let file = json!([{"id": 1, "title": "Lamp", "url": url, "is_archived": 0, "tags": [],
            "content": "<p>Words of the keeper of the lighthouse.</p>"}]);
        let fields = [("dryRun", "false")];
        let sent = library_imports::send(&app, &who, file.to_string().into_bytes(), &fields).await;
        let import = sent.expect(202).json()["import"]["id"].as_str().unwrap().to_owned();
        let done = library_imports::state(&app, &who, &import).await;
        assert_eq!((&done["format"], &done["existing"]), (&json!("wallabag_json"), &json!(1)), "{done}");
        apply(&app).await;
        assert_eq!(state(&app, &who, &item).await.0, json!(["Sea"]));
        assert_eq!(count_rows(&app, "library_rule_item").await, 0);
    });
}

#[test]
fn rules_do_not_override_changes_by_the_person_or_add_public_or_shared_tags() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, &json!({"content": "Old.", "tags": ["Public", "Family", "Own"]})).await;
        who.post(&app, "/v1/library/public-tags", &json!({"name": "Public"})).await.expect(200);
        let team = who.post(&app, "/v1/teams", &json!({"name": "Family"})).await.expect(201).json();
        let shared = format!("/v1/teams/{}/tags/family", team["team"]["id"].as_str().unwrap());
        who.send(&app, Method::PUT, &shared).await.expect(204);
        let rule = json!({"name": "All", "query": "boats", "addTags": ["Public", "family", "Own", "New"], "status": "archive"});
        let id = create(&app, &who, &rule).await;
        let item = save(&app, &who, &json!({"content": "Boats.", "tags": ["own"]})).await;
        change(&app, &who, &item, &json!({"removeTags": ["own"], "status": "later"})).await;
        apply(&app).await;
        assert_eq!(state(&app, &who, &item).await, (json!(["New"]), json!("later")));
        let rules = who.get(&app, RULES).await.expect(200).json();
        assert_eq!(rules["rules"][0]["withheldTags"], json!(["Public", "family"]));

        // A rule that was deleted in the meantime does not apply.
        let item = save(&app, &who, &json!({"content": "More boats."})).await;
        who.send(&app, Method::DELETE, &format!("{RULES}/{id}")).await.expect(204);
        apply(&app).await;
        assert_eq!(state(&app, &who, &item).await, (json!([]), json!("inbox")));
    });
}

#[test]
fn rules_add_a_renamed_tag_under_its_new_name_and_no_deleted_tag() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, &json!({"content": "Old.", "tags": ["Sea", "Port"]})).await;
        create(&app, &who, &json!({"name": "Boats", "query": "boats", "addTags": ["sea", "Port"]})).await;
        library::rename_tag(&app.app.domain, who.id, "Sea", "Coast").await.unwrap();
        library::delete_tag(&app.app.domain, who.id, "port").await.unwrap();
        let item = save(&app, &who, &json!({"content": "Boats."})).await;
        apply(&app).await;
        assert_eq!(state(&app, &who, &item).await.0, json!(["Coast"]));
    });
}

#[test]
fn rules_do_not_add_a_removed_tag_under_its_new_name() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        create(&app, &who, &json!({"name": "Boats", "query": "boats", "addTags": ["Sea", "New"]})).await;
        for tags in [["sea", "Own"], ["Own", "sea"]] {
            let content = format!("Boats, saved with the tag {} first.", tags[0]);
            let item = save(&app, &who, &json!({"content": content, "tags": tags})).await;
            library::rename_tag(&app.app.domain, who.id, "Sea", "Coast").await.unwrap();
            change(&app, &who, &item, &json!({"removeTags": ["Coast"]})).await;
            apply(&app).await;
            assert_eq!(state(&app, &who, &item).await.0, json!(["Own", "New"]), "{tags:?}");
        }
    });
}

#[test]
fn imported_items_are_not_changed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        create(
            &app,
            &who,
            &json!({"name": "All", "query": "title:one OR domain:127.0.0.1", "addTags": ["Rule"]}),
        )
        .await;
        let table = format!("title,url,time_added,tags,status\nOne,{},1,,unread\n", app.site.article("/one"));
        let fields = [("dryRun", "false")];
        library_imports::send(&app, &who, table.into_bytes(), &fields).await.expect(202);
        app.run_jobs().await;
        for _ in 0..3 {
            app.clock.advance(60_000);
            apply(&app).await;
        }
        let items = who.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(items["items"][0]["tags"], json!([]), "{items}");
        assert_eq!(count_rows(&app, "library_rule_item").await, 0);
    });
}

#[test]
fn rules_are_ordered_changed_and_limited() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut ids = Vec::new();
        for number in 1..=50 {
            let rule = json!({"name": format!("Rule {number}"), "query": "boats"});
            ids.push(create(&app, &who, &rule).await);
        }
        who.post(&app, RULES, &json!({"name": "More", "query": "boats"}))
            .await
            .api_error(403, "limit_reached");
        let path = format!("{RULES}/{}", ids[2]);
        let update = json!({"name": "First", "query": "ships", "addTags": ["Ships"], "status": "later", "position": 1});
        let rule = patch(&app, &who, &path, &update).await.expect(200).json()["rule"].clone();
        assert_eq!((&rule["addTags"], &rule["status"]), (&json!(["Ships"]), &json!("later")));
        let rule =
            patch(&app, &who, &path, &json!({"status": null})).await.expect(200).json()["rule"].clone();
        assert_eq!((&rule["query"], &rule["status"]), (&json!("ships"), &Value::Null));
        patch(&app, &who, &format!("{RULES}/{}", ids[0]), &json!({"position": 50})).await.expect(200);
        let names: Vec<String> = listed(&app, &who).await.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names[..3], ["First", "Rule 2", "Rule 4"]);
        assert_eq!(names[49], "Rule 1");
        for (body, field) in [
            (json!({"query": "boats (ships"}), "/query"),
            (json!({"position": 51}), "/position"),
            (json!({"addTags": vec!["a"; 13]}), "/addTags"),
            (json!({"status": "deleted"}), "/status"),
        ] {
            let error = patch(&app, &who, &path, &body).await.api_error(422, "invalid_request");
            assert!(error.to_string().contains(field), "{error}");
        }
    });
}

#[test]
fn rules_are_exported_and_imported_after_existing_rules() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let rule = json!({"name": "One", "query": "boats", "addTags": ["Sea"], "status": "archive"});
        create(&app, &who, &rule).await;
        create(&app, &who, &json!({"name": "Two", "query": "ships"})).await;
        let zip = library_account_export::export(&app, &who).await;
        create(&app, &heir, &json!({"name": "Own", "query": "tides"})).await;
        for _ in 0..2 {
            let fields = [("dryRun", "false"), ("include", "settings")];
            let sent = library_imports::send(&app, &heir, zip.clone(), &fields).await.expect(202).json();
            let import = library_imports::state(&app, &heir, sent["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&import["state"], &import["problems"]), (&json!("complete"), &json!([])), "{import}");
            let rules = who.get(&app, RULES).await.expect(200).json();
            let imported = heir.get(&app, RULES).await.expect(200).json();
            assert_eq!(imported["rules"].as_array().map(Vec::len), Some(3), "{imported}");
            for (index, rule) in rules["rules"].as_array().unwrap().iter().enumerate() {
                for field in ["name", "query", "addTags", "status"] {
                    assert_eq!(imported["rules"][index + 1][field], rule[field], "{imported}");
                }
            }
        }
    });
}

#[test]
fn rules_are_created_ordered_changed_and_deleted_on_their_page() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let mut browser = Browser::signed_in(&app, &who).await;
        for (name, query) in [("Sea & <b>land</b>", "boats"), ("Second", "ships")] {
            browser.open(PAGE).await.expect(200);
            let fields = [("name", name), ("query", query), ("tags", "Sea, Port"), ("status", "later")];
            let created = browser.submit(PAGE, &fields).await.expect(303);
            let page = browser.follow(&created).await;
            assert!(page.contains("Rule created.") && page.contains("Adds the tags: Sea, Port"), "{page}");
        }
        let wrong = browser.submit(PAGE, &[("name", "Wrong"), ("query", "a (b")]).await.expect(422).text();
        assert!(wrong.contains("parenthesis at character 3") && wrong.contains("value=\"Wrong\""), "{wrong}");
        let page = browser.open(PAGE).await.expect(200).text();
        assert!(page.contains("Sea &amp; &lt;b&gt;land") && page.contains("Moves to: Later"), "{page}");
        assert!(page.contains("href=\"/library?shelf=all&amp;q=boats\""), "{page}");
        let first = format!("{PAGE}/{}", between(&page, "href=\"/library/rules/", "\""));
        let moved = browser.submit(&first, &[("act", "down")]).await.expect(303);
        browser.follow(&moved).await;
        let names: Vec<String> = listed(&app, &who).await.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Second", "Sea & <b>land</b>"]);

        let edit = browser.open(&first).await.expect(200).text();
        assert!(edit.contains("value=\"Sea, Port\"") && edit.contains("value=\"boats\""), "{edit}");
        let fields = [("name", "Sea"), ("query", "tides"), ("tags", "Sea"), ("status", "")];
        browser.submit(&first, &fields).await.expect(303);
        let rule = who.get(&app, RULES).await.expect(200).json()["rules"][1].clone();
        assert_eq!(
            (&rule["name"], &rule["addTags"], &rule["status"]),
            (&json!("Sea"), &json!(["Sea"]), &Value::Null)
        );

        let mut stranger = Browser::signed_in(&app, &other).await;
        stranger.open(&first).await.expect(404);
        for act in ["delete", "up", "save"] {
            stranger.open(PAGE).await.expect(200);
            stranger.submit(&first, &[("act", act), ("name", "Mine"), ("query", "x")]).await.expect(404);
        }
        assert!(app.get(PAGE).await.header("location").starts_with("/sign-in"));
        browser.open(&first).await.expect(200);
        let deleted = browser.submit(&first, &[("act", "delete")]).await.expect(303);
        let page = browser.follow(&deleted).await;
        assert!(page.contains("Rule deleted.") && !page.contains("tides"), "{page}");
    });
}
