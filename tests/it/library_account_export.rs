//! Additional content of an account export: subscriptions, monitors, and the sync cursor.

use std::io::{Cursor, Read};

use feeds::Playback;
use kernel::tiers::Tier;
use library::ReadingPosition;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports::{send, state};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};

fn entry(zip: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
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
        };
        import(&[("dryRun", "true"), ("include", "subscriptions,monitors")]).await;
        import(&[("dryRun", "false")]).await;
        assert_eq!(subscriptions_and_monitors().await, (0, vec![]), "imported only on request");
        for _ in 0..2 {
            import(&[("dryRun", "false"), ("include", "monitors, subscriptions")]).await;
            let states = [("Running", "active"), ("Waiting", "paused")];
            let states = states.map(|(name, status)| (json!(name), json!(status)));
            assert_eq!(subscriptions_and_monitors().await, (1, states.to_vec()));
        }
        send(&app, &heir, zip.clone(), &[("include", "everything")]).await.expect(422);
    });
}

#[test]
fn positions_are_exported_and_imported_on_request_unless_newer_ones_exist() {
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

        let export = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let headers = [("x-api-key", who.key.as_str())];
        let zip = app.send(Method::GET, &path, &headers, None).await.expect(200).body;
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
        assert_eq!(read().await.map(|(position, _)| position), Some(position(0.25)));
        assert_eq!(feeds::playback(domain, heir.id, played).await.unwrap(), stopped);

        // A position that was reported since stays.
        app.clock.advance(1_000);
        library::put_reading_position(domain, heir.id, position(0.75)).await.unwrap();
        import("positions").await;
        assert_eq!(read().await.map(|(position, _)| position.fraction), Some(0.75));

        // The report of a person who does not follow the feed names the position.
        let other = Person::on(&app, Tier::Pro).await;
        let fields = [("dryRun", "false"), ("include", "positions")];
        let made = send(&app, &other, zip, &fields).await.expect(202).json();
        let done = state(&app, &other, made["import"]["id"].as_str().unwrap()).await;
        let reason = done["problems"][0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("positions.json: the position of"), "{done}");
    });
}
