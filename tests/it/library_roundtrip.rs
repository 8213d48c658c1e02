//! A native export that is imported into another account or database creates the same library. Importing it
//! again changes nothing.

use std::collections::{BTreeMap, HashMap};

use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::form::{Field, with_form};
use crate::support::person::Person;
use crate::support::{HttpAnswer, Setup, TestApp, World, random_library, run};

/// Number of random libraries. Each has its own seed.
const LIBRARIES: u64 = 4;
const EVERYTHING: &str = "/v1/library/sync?limit=500&includeContent=true&contentMaxCharacters=2000000";

/// Library as the API returns it, without values that an import creates: ids, change times, and positions in
/// the change log.
#[derive(Debug, PartialEq)]
struct Library {
    items: Vec<String>,
    notes: Vec<String>,
    highlights: Vec<String>,
    tags: Value,
    used_bytes: Value,
    search_results: BTreeMap<&'static str, Vec<String>>,
}

/// Returns the used storage without released files, which count until they are deleted.
async fn used_bytes(app: &TestApp, who: &Person) -> Value {
    let sql = "UPDATE library_blob SET delete_at = 1 WHERE reserved_bytes > 0";
    app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
    library::files::delete_released(&app.app.domain).await.unwrap();
    who.get(app, "/v1/me").await.expect(200).json()["limits"]["libraryStorageUsedBytes"].clone()
}

async fn export(app: &TestApp, who: &Person) -> Vec<u8> {
    let made = who.post(app, "/v1/library/exports", &json!({"format": "svc_jsonl"})).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/exports/{}/file", made["export"]["id"].as_str().unwrap());
    who.get(app, &path).await.expect(200).body
}

async fn import(app: &TestApp, who: &Person, archive: &[u8]) -> Value {
    let file = ("library.zip", "application/zip");
    let parts = [
        Field { name: "dryRun", file: None, body: b"false" },
        Field { name: "file", file: Some(file), body: archive },
    ];
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    let made = HttpAnswer::of(with_form(request, &parts).send().await.unwrap()).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/imports/{}", made["import"]["id"].as_str().unwrap());
    let import = who.get(app, &path).await.expect(200).json()["import"].clone();
    assert_eq!((&import["state"], &import["problems"]), (&json!("complete"), &json!([])), "{import}");
    import
}

fn without(object: &mut Value, rendered_items: &[&str]) {
    for name in rendered_items {
        object.as_object_mut().expect("a JSON object").remove(*name);
    }
}

/// Reads the whole library, and then the sync cursor.
async fn read_library(app: &TestApp, who: &Person) -> (Library, String) {
    let page = who.get(app, EVERYTHING).await.expect(200).json();
    assert_eq!(page["hasMore"], false);
    let of = |kind: &'static str| {
        let changes = page["changes"].as_array().unwrap().iter().filter(move |change| change["type"] == kind);
        changes.map(|change| change["object"].clone())
    };
    let (mut items, mut rendered_items) = (Vec::new(), HashMap::new());
    for item in of("item") {
        let rendered = render_item(app, who, &item).await;
        rendered_items.insert(item["id"].clone(), rendered.clone());
        items.push((item["duplicateOf"].clone(), rendered));
    }
    let rendered_item = |id: &Value| rendered_items.get(id).cloned().unwrap_or_else(|| id.to_string());
    let mut items: Vec<String> =
        items.into_iter().map(|(of, rendered)| format!("{rendered} {}", rendered_item(&of))).collect();
    let annotations = |kind: &'static str| {
        let render = |mut annotation: Value| {
            let about = rendered_item(&annotation["itemId"]);
            without(&mut annotation, &["id", "itemId", "updatedAt"]);
            format!("{annotation} {about}")
        };
        let mut all: Vec<String> = of(kind).map(render).collect();
        all.sort();
        all
    };
    items.sort();
    let library = Library {
        items,
        notes: annotations("note"),
        highlights: annotations("highlight"),
        tags: who.get(app, "/v1/library/tags").await.expect(200).json()["tags"].clone(),
        used_bytes: used_bytes(app, who).await,
        search_results: search_results(app, who).await,
    };
    (library, page["nextCursor"].as_str().unwrap().to_owned())
}

/// Renders an item with its text in each format, and verifies the bytes of its file.
async fn render_item(app: &TestApp, who: &Person, item: &Value) -> String {
    let (mut fields, path) = (item.clone(), format!("/v1/library/items/{}", item["id"].as_str().unwrap()));
    without(&mut fields, &["id", "updatedAt", "duplicateOf"]);
    if fields["url"].as_str().unwrap().starts_with("urn:uuid:") {
        fields["url"] = "none".into();
    }
    if fields["articleStatus"] == "extracting" {
        fields["articleStatus"] = "queued".into();
    }
    if fields["asset"].is_object() {
        without(&mut fields["asset"], &["itemId", "resourceUri", "downloadUrl"]);
        let file = who.get(app, &format!("{path}/file")).await.expect(200);
        let checksum = format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(&file.body)));
        assert_eq!(fields["asset"]["checksum"], checksum);
    }
    if fields["contentHash"].is_string() {
        for format in ["html", "markdown"] {
            let text = who.get(app, &format!("{path}/content?format={format}")).await.expect(200);
            fields[format] = text.text().into();
        }
    }
    // Sorts the fields by name, because answers have no fixed field order.
    let sorted: BTreeMap<String, Value> = serde_json::from_value(fields).unwrap();
    serde_json::to_string(&sorted).unwrap()
}

/// Returns the search results with their scores, by query.
async fn search_results(app: &TestApp, who: &Person) -> BTreeMap<&'static str, Vec<String>> {
    let mut all = BTreeMap::new();
    for query in [
        "carrel", "tag:x", "status:archive", "漢字", "\"quiet reader\"", "kind:book", "domain:example.org",
        "evil",
    ] {
        let encoded: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
        let path = format!("/v1/library/objects?limit=100&query={encoded}");
        let page = who.get(app, &path).await.expect(200).json();
        let objects = page["objects"].as_array().unwrap().iter();
        let mut hits: Vec<String> = objects
            .map(|one| format!("{} {} {} {}", one["type"], one["title"], one["snippet"], one["score"]))
            .collect();
        hits.sort();
        all.insert(query, hits);
    }
    all
}

#[track_caller]
fn assert_same(left: &Library, right: &Library, seed: u64, way: &str) {
    for (name, left, right) in [
        ("items", &left.items, &right.items),
        ("notes", &left.notes, &right.notes),
        ("highlights", &left.highlights, &right.highlights),
    ] {
        let lost: Vec<&String> = left.iter().filter(|one| !right.contains(one)).collect();
        let new: Vec<&String> = right.iter().filter(|one| !left.contains(one)).collect();
        let differences: Vec<String> = lost.iter().map(|one| difference(one, &new)).collect();
        assert!(
            lost.is_empty() && new.is_empty(),
            "{way} of library {seed}: {name}: {} new\n{}",
            new.len(),
            differences.join("\n")
        );
    }
    assert_eq!(left, right, "{way} of library {seed}");
}

/// Describes where an object differs from the most similar object in `others`.
fn difference(one: &str, others: &[&String]) -> String {
    let common =
        |other: &str| one.chars().zip(other.chars()).take_while(|(left, right)| left == right).count();
    let nearest = others.iter().max_by_key(|other| common(other)).map_or("", |other| other.as_str());
    let at = common(nearest);
    let cut = |text: &str| text.chars().skip(at.saturating_sub(80)).take(240).collect::<String>();
    format!("lost: …{}…\nnew:  …{}…", cut(one), cut(nearest))
}

/// Exports a library, imports it into another account and database, and imports the export of that account
/// into a third account. Asserts that a second import changes nothing.
async fn assert_round_trip(apps: [&TestApp; 2], seed: u64) {
    let [app, other] = apps;
    let (first, second, third) = (
        Person::on(app, Tier::Pro).await,
        Person::on(other, Tier::Pro).await,
        Person::on(app, Tier::Pro).await,
    );
    random_library::fill(app, &first, seed).await;
    let archive = export(app, &first).await;
    // Advances the other clock so that no exported time is in its future.
    let ahead = app.app.domain.now() - other.app.domain.now();
    other.clock.advance(ahead.max(0) + 1);
    let (before, cursor) = read_library(app, &first).await;
    import(other, &second, &archive).await;
    let (there, there_cursor) = read_library(other, &second).await;
    assert_same(&before, &there, seed, "an import");

    for (app, who, cursor) in [(app, &first, cursor), (other, &second, there_cursor)] {
        let again = import(app, who, &archive).await;
        assert_eq!((&again["created"], &again["highlights"]), (&json!(0), &json!(0)), "{again}");
        let changes = who.get(app, &format!("/v1/library/sync?cursor={cursor}")).await.expect(200).json();
        assert_eq!(changes["changes"], json!([]), "library {seed}: importing again changes nothing");
    }

    let archive = export(other, &second).await;
    let ahead = other.app.domain.now() - app.app.domain.now();
    app.clock.advance(ahead.max(0) + 1);
    import(app, &third, &archive).await;
    assert_same(&before, &read_library(app, &third).await.0, seed, "an import of an import");
}

#[test]
fn native_export_and_import_preserve_the_library() {
    run(async {
        let app = async |world| Setup::on(world).set("CARREL_READER_LIMITS", "off").spawn().await;
        let (small, large) = (app(World::Small).await, app(World::Large).await);
        for seed in 0..LIBRARIES {
            let apps = if seed % 2 == 0 { [&small, &large] } else { [&large, &small] };
            Box::pin(assert_round_trip(apps, seed)).await;
        }
    });
}
