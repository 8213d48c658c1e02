//! Additional content of an account export: subscriptions, monitors with changes, settings, rules, stars,
//! positions, and the sync cursor.

use std::io::{Cursor, Read};

use feeds::{
    CollectionSettings, NewCollection, NewRule, Playback, RuleAction, RuleKind, RulePart, RuleScope,
    SubscriptionUpdate,
};
use kernel::tiers::Tier;
use kernel::{EntryId, SubscriptionId};
use library::{NewSearch, ReadingPosition, SearchTarget};
use notices::TemplateEdit;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports::{send, state};
use crate::support::browser::Browser;
use crate::support::monitoring::{advance_minute, create_monitor, page, run_now};
use crate::support::owned_objects::create_channel;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{TestApp, on_each_world};

fn entry(zip: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Counts of the objects of one kind in the report of an import.
fn part(kind: &str, imported: u64, failed: u64) -> Value {
    json!({"kind": kind, "imported": imported, "failed": failed})
}

#[test]
fn export_includes_subscriptions_and_monitors_for_opt_in_import() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let url = app.site.put("/f.xml", feed(1..=2));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        let mut made = Vec::new();
        for name in ["Running", "Waiting"] {
            let monitor = json!({"name": name, "targetUrl": app.site.article(&format!("/{name}"))});
            made.push(who.post(&app, "/v1/monitors", &monitor).await.expect(201).json());
            app.clock.advance(1_000);
        }
        let path = format!("/v1/monitors/{}", made[1]["monitor"]["id"].as_str().unwrap());
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        app.send(Method::PATCH, &path, &headers, Some(r#"{"status": "paused"}"#.into())).await.expect(200);
        who.post(&app, "/v1/library/items", &json!({"content": "Before."})).await.expect(201);
        let export = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let zip = app.send(Method::GET, &path, &headers[..1], None).await.expect(200).body;

        // A client continues to sync from the cursor in the export.
        let manifest: Value = serde_json::from_str(&entry(&zip, "manifest.json")).unwrap();
        who.post(&app, "/v1/library/items", &json!({"content": "After."})).await.expect(201);
        let sync = format!("/v1/library/sync?cursor={}", manifest["cursor"].as_str().unwrap());
        let changes = who.get(&app, &sync).await.expect(200).json();
        let titles: Vec<&Value> =
            changes["changes"].as_array().unwrap().iter().map(|change| &change["object"]["title"]).collect();
        assert_eq!(titles, [&json!("After.")]);
        heir.get(&app, &sync).await.api_error(422, "invalid_cursor");

        let monitors = entry(&zip, "monitors.json");
        let listed: Value = serde_json::from_str(&monitors).unwrap();
        assert_eq!((&listed[0]["name"], &listed[1]["status"]), (&json!("Running"), &json!("paused")));
        let feed_url = made[0]["monitor"]["feedUrl"].as_str().unwrap();
        let secret = feed_url.rsplit('/').find(|part| part.len() > 15).unwrap();
        assert!(!monitors.contains(secret) && !entry(&zip, "subscriptions.opml").contains(secret));

        let subscriptions_and_monitors = async || {
            let subscriptions = heir.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
            let monitors = heir.get(&app, "/v1/monitors").await.expect(200).json();
            let state_of = |monitor: &Value| (monitor["name"].clone(), monitor["status"].clone());
            let mut states: Vec<(Value, Value)> =
                monitors["monitors"].as_array().unwrap().iter().map(state_of).collect();
            states.sort_by_key(|(name, _)| name.to_string());
            (subscriptions["subscriptions"].as_array().unwrap().len(), states)
        };
        let import = async |fields: &[(&'static str, &'static str)]| {
            let made = send(&app, &heir, zip.clone(), fields).await.expect(202).json();
            let done = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
            done["parts"].clone()
        };
        let dry = import(&[("dryRun", "true"), ("include", "subscriptions,monitors")]).await;
        assert_eq!((dry, import(&[("dryRun", "false")]).await), (json!([]), json!([])));
        assert_eq!(subscriptions_and_monitors().await, (0, vec![]), "imported only on request");
        for _ in 0..2 {
            let parts = import(&[("dryRun", "false"), ("include", "monitors, subscriptions")]).await;
            assert_eq!(parts, json!([part("feeds", 1, 0), part("monitors", 2, 0)]), "also if they exist");
            let states = [("Running", "active"), ("Waiting", "paused")];
            let states = states.map(|(name, status)| (json!(name), json!(status)));
            assert_eq!(subscriptions_and_monitors().await, (1, states.to_vec()));
        }
        send(&app, &heir, zip.clone(), &[("include", "everything")]).await.expect(422);
    });
}

/// Exports everything of an account and returns the archive.
pub(crate) async fn export(app: &TestApp, who: &Person) -> Vec<u8> {
    let export = who.post(app, "/v1/library/exports", &json!({})).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
    app.send(Method::GET, &path, &[("x-api-key", who.key.as_str())], None).await.expect(200).body.clone()
}

/// Follows a feed with a setting, two rules, and a star, and monitors a page that changes.
async fn fill(app: &TestApp, who: &Person) {
    let domain = &app.app.domain;
    let url = app.site.put("/f.xml", feed(1..=2));
    let made = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
    poll(app).await;
    let id = SubscriptionId::new(made["subscription"]["id"].as_i64().unwrap());
    let update = SubscriptionUpdate {
        read_after_days: Some(Some(9)),
        show_original: Some(true),
        text_removals: Some(vec![".letter".into(), "aside p".into()]),
        ..SubscriptionUpdate::default()
    };
    feeds::update_subscription(domain, who.id, id, update).await.unwrap();
    for (subscription_id, words) in [(None, "advert"), (Some(id), "sports")] {
        let (action, part, kind) = (RuleAction::Save, RulePart::Url, RuleKind::Words);
        let (words, tags) = (words.to_owned(), vec!["Ships".to_owned()]);
        let new = NewRule { subscription_id, action, part, kind, words, tags, notify: Vec::new() };
        feeds::create_rule(domain, who.id, &new, RuleScope::NewEntries).await.unwrap();
    }
    for (target, name) in [(SearchTarget::Library, "Boats"), (SearchTarget::Entries, "Boats")] {
        let new = NewSearch { target, name: name.to_owned(), query: "boats OR ships".to_owned() };
        library::save_search(domain, who.id, new).await.unwrap();
    }
    let entries = who.get(app, "/v1/rss/entries?limit=1").await.expect(200).json();
    let entry_id = EntryId::new(entries["entries"][0]["id"].as_i64().unwrap());
    library::star(domain, who.id, &[entry_id]).await.unwrap();
    let target = app.site.put("/harbour", page("Nothing new."));
    let monitor = create_monitor(app, who, &json!({"name": "Harbour", "targetUrl": target})).await;
    advance_minute(app).await;
    app.site.put("/harbour", page("The STORM closed the harbour."));
    assert_eq!(run_now(app, who, &monitor).await["outcome"], "changed");
}

#[test]
fn export_includes_settings_stars_and_changes_and_settings_are_imported() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        fill(&app, &who).await;
        let channel = create_channel(&app, &who).await.parse().unwrap();
        let templates = TemplateEdit { title: Some("{{ value }}".to_owned()), text: None };
        notices::set_templates(&app.app.domain, who.id, channel, templates).await.unwrap();
        create_channel(&app, &heir).await;
        let zip = export(&app, &who).await;
        assert!(entry(&zip, "README").contains("account/starred.jsonl"));
        let starred = entry(&zip, "account/starred.jsonl");
        assert_eq!(starred.lines().count(), 1, "{starred}");
        let star: Value = serde_json::from_str(&starred).unwrap();
        assert_eq!(star["feedTitle"], "Harbour");
        let settings: Value = serde_json::from_str(&entry(&zip, "account/settings.json")).unwrap();
        assert_eq!(settings["account"]["email"], json!(who.email));
        let subscription = &settings["subscriptions"][0];
        assert_eq!(subscription["readAfterDays"], 9);
        assert_eq!(subscription["textRemovals"], json!([".letter", "aside p"]));
        assert_eq!(settings["rules"].as_array().unwrap().len(), 2);
        let search = json!({"target": "library", "name": "Boats", "query": "boats OR ships"});
        assert!(settings["searches"].as_array().unwrap().contains(&search), "{settings}");
        let exported = json!([{"kind": "ntfy", "name": "Mine", "titleTemplate": "{{ value }}"}]);
        assert_eq!(settings["messageTemplates"], exported);
        assert_changes_of_the_monitor(&zip);

        for _ in 0..2 {
            let fields = [("dryRun", "false"), ("include", "settings,subscriptions")];
            let made = send(&app, &heir, zip.clone(), &fields).await.expect(202).json();
            let done = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
            let kinds = [
                ("feeds", 1),
                ("feed_settings", 1),
                ("rules", 2),
                ("searches", 2),
                ("templates", 1),
                ("account_settings", 1),
            ];
            assert_eq!(done["parts"], json!(kinds.map(|(kind, imported)| part(kind, imported, 0))), "{done}");
        }
        let domain = &app.app.domain;
        let searches = library::list_saved_searches(domain, heir.id).await.unwrap();
        assert!(searches.len() == 2 && searches.iter().all(|one| one.query == "boats OR ships"));
        let channels = notices::list(domain, heir.id).await.unwrap();
        assert_eq!(channels[0].title_template.as_deref(), Some("{{ value }}"));
        let followed = feeds::list_subscriptions(domain, heir.id, None, None, 10).await.unwrap();
        let feed = &followed.subscriptions[0];
        assert_eq!((followed.subscriptions.len(), feed.read_after_days), (1, Some(9)));
        assert!(feed.show_original);
        assert_eq!(feed.text_removals, [".letter", "aside p"]);
        for (subscription_id, words) in [(None, "advert"), (Some(feed.id), "sports")] {
            let rules = feeds::list_rules(domain, heir.id, subscription_id).await.unwrap();
            assert_eq!(rules.iter().map(|rule| rule.words.as_str()).collect::<Vec<_>>(), [words]);
            assert_eq!((rules[0].action, rules[0].part), (RuleAction::Save, RulePart::Url));
            assert_eq!(rules[0].tags, ["Ships"]);
        }
    });
}

fn assert_changes_of_the_monitor(zip: &[u8]) {
    let archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let changes: Vec<&String> = names.iter().filter(|name| name.contains("/changes/")).collect();
    assert_eq!(changes.len(), 1, "{names:?}");
    let change: Value = serde_json::from_str(&entry(zip, changes[0])).unwrap();
    assert_eq!(change["monitor"], "Harbour");
    assert!(change["operations"].to_string().contains("STORM"), "{change}");
}

async fn page_of_import(app: &TestApp, who: &Person, import: &Value) -> String {
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    let path = format!("/library/import/{}", import["id"].as_str().unwrap());
    browser.open(&path).await.expect(200).text()
}

#[test]
fn settings_of_feeds_that_are_not_followed_are_reported() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        fill(&app, &who).await;
        let zip = export(&app, &who).await;
        let fields = [("dryRun", "false"), ("include", "settings")];
        let made = send(&app, &heir, zip.clone(), &fields).await.expect(202).json();
        let done = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
        let problems = done["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 2, "the settings and the rule of the feed: {done}");
        assert!(problems.iter().all(|problem| problem["code"] == "not_found"), "{done}");
        let parts = [
            part("feed_settings", 0, 1),
            part("rules", 1, 1),
            part("searches", 2, 0),
            part("account_settings", 1, 0),
        ];
        assert_eq!(done["parts"], json!(parts), "{done}");
        let page = page_of_import(&app, &heir, &done).await;
        for (name, count) in [("Feed settings", "0 of 1"), ("Rules", "1 of 2"), ("Saved searches", "2")] {
            assert!(page.contains(&format!("<dt>{name}</dt><dd>{count}</dd>")), "{page}");
        }
        let fields = [("dryRun", "true"), ("include", "settings")];
        let made = send(&app, &heir, zip, &fields).await.expect(202).json();
        let dry = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
        let page = page_of_import(&app, &heir, &dry).await;
        assert!(page.contains("They are counted when the import runs."), "{page}");
        assert_eq!(feeds::list_rules(&app.app.domain, heir.id, None).await.unwrap().len(), 1);
    });
}

#[test]
fn settings_of_collections_are_imported_unless_the_collection_does_not_exist() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let domain = &app.app.domain;
        let url = app.site.put("/f.xml", feed(1..=2));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        let followed = feeds::list_subscriptions(domain, who.id, None, None, 10).await.unwrap();
        let feed_ids = vec![followed.subscriptions[0].feed_id];
        // An empty collection is in no list of feeds, so that the other account does not have it.
        for (name, feed_ids) in [("Sea", feed_ids), ("Empty", Vec::new())] {
            let new = NewCollection { name: name.to_owned(), feed_ids };
            feeds::create_collection(domain, who.id, new).await.unwrap();
        }
        for (days, collection) in (20..).zip(feeds::list_collections(domain, who.id).await.unwrap()) {
            let settings =
                CollectionSettings { read_after_days: Some(Some(days)), ..CollectionSettings::default() };
            feeds::update_collection_settings(domain, who.id, collection.id, settings).await.unwrap();
        }
        let zip = export(&app, &who).await;
        for _ in 0..2 {
            let fields = [("dryRun", "false"), ("include", "subscriptions,settings")];
            let made = send(&app, &heir, zip.clone(), &fields).await.expect(202).json();
            let done = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!(done["parts"][1], part("feed_settings", 3, 1), "{done}");
            let reason = done["problems"][0]["reason"].as_str().unwrap();
            assert_eq!(reason, "account/settings.json: Empty could not be imported");
        }
        let collections = feeds::list_collections(domain, heir.id).await.unwrap();
        let days: Vec<(&str, Option<u32>)> = collections
            .iter()
            .map(|collection| (collection.name.as_str(), collection.read_after_days))
            .collect();
        assert_eq!(days, [("Unsorted", Some(20)), ("Sea", Some(22))]);
    });
}

#[test]
fn positions_are_exported_and_imported_on_request_unless_newer_positions_exist() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let domain = &app.app.domain;
        let url = app.site.put("/show.xml", feed(1..=2));
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201);
        poll(&app).await;
        let filter = feeds::EntryFilter::default();
        let played = feeds::list_entries(domain, who.id, &filter, None, 1).await.unwrap().entries[0].id;
        let position = |fraction: f64| ReadingPosition {
            document: "0b229176d4e8db7f6d2b5a4952368d7a".into(),
            progress: "/body/DocFragment[2]/p[1]".into(),
            fraction,
            device: "reader".into(),
            device_id: "r1".into(),
        };
        library::put_reading_position(domain, who.id, position(0.25)).await.unwrap();
        let stopped = Playback { position_seconds: 754, speed_percent: 150 };
        feeds::save_playback(domain, who.id, played, stopped).await.unwrap();

        let zip = export(&app, &who).await;
        let listed: Value = serde_json::from_str(&entry(&zip, "positions.json")).unwrap();
        assert_eq!(listed["readingPositions"][0]["fraction"], json!(0.25));
        assert_eq!(
            (&listed["playback"][0]["feedUrl"], &listed["playback"][0]["positionSeconds"]),
            (&json!(url), &json!(754))
        );

        let document = position(0.0).document;
        let read = async || library::get_reading_position(domain, heir.id, &document).await.unwrap();
        let import = async |include: &'static str| {
            let fields = [("dryRun", "false"), ("include", include)];
            let made = send(&app, &heir, zip.clone(), &fields).await.expect(202).json();
            state(&app, &heir, made["import"]["id"].as_str().unwrap()).await
        };
        import("subscriptions").await;
        assert_eq!(read().await, None, "imported only on request");
        let done = import("positions,subscriptions").await;
        assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        assert_eq!(done["parts"], json!([part("feeds", 1, 0), part("positions", 2, 0)]), "{done}");
        assert_eq!(read().await.map(|(position, _)| position), Some(position(0.25)));
        assert_eq!(feeds::playback(domain, heir.id, played).await.unwrap(), stopped);

        // A position that was reported after the export is retained.
        app.clock.advance(1_000);
        library::put_reading_position(domain, heir.id, position(0.75)).await.unwrap();
        import("positions").await;
        assert_eq!(read().await.map(|(position, _)| position.fraction), Some(0.75));

        // If a person does not follow the feed, the report lists the position.
        let other = Person::on(&app, Tier::Pro).await;
        let fields = [("dryRun", "false"), ("include", "positions")];
        let made = send(&app, &other, zip, &fields).await.expect(202).json();
        let done = state(&app, &other, made["import"]["id"].as_str().unwrap()).await;
        let reason = done["problems"][0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("positions.json: the position of"), "{done}");
    });
}
