//! Additional content of an account export: subscriptions, monitors, and the sync cursor.

use std::io::{Cursor, Read};

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports::{send, state};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::rss::feed;

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
