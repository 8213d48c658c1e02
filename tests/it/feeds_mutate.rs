//! Bulk changes of followed feeds through HTTP: dry run, commit, and repeated commit.

use jobs::JobKind;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{HttpAnswer, Setup, TestApp, World, eventually, on_each_world, run};

const MUTATE: &str = "/v1/feeds/mutate";
const MINUTE: i64 = 60 * 1000;

async fn follow(app: &TestApp, who: &Person, path: &str, numbers: std::ops::RangeInclusive<u32>) -> Value {
    let url = app.site.put(path, feed(numbers));
    let made = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
    poll(app).await;
    made["subscription"].clone()
}

async fn send(app: &TestApp, who: &Person, body: Value) -> HttpAnswer {
    who.post(app, MUTATE, &body).await
}

async fn done(app: &TestApp, who: &Person, body: Value) -> Value {
    send(app, who, body).await.expect(200).json()
}

/// Runs a dry run and commits it.
async fn preview_and_commit(app: &TestApp, who: &Person, body: Value) -> (Value, Value) {
    let preview = done(app, who, body.clone()).await;
    assert_eq!(preview["dryRun"], true);
    let commit = json!({"op": body["op"], "commitToken": preview["commitToken"]});
    (preview, done(app, who, commit).await)
}

async fn unread(app: &TestApp, who: &Person) -> Value {
    who.get(app, "/v1/rss/entries?unread=true").await.expect(200).json()["unreadTotal"].clone()
}

async fn sources(app: &TestApp, who: &Person) -> usize {
    let list = who.get(app, "/v1/rss/subscriptions").await.expect(200).json();
    list["subscriptions"].as_array().unwrap().len()
}

#[test]
fn dry_run_changes_nothing_and_commit_changes_its_selection() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow(&app, &who, "/a.xml", 1..=4).await;
        let preview = done(&app, &who, json!({"op": "entries.markRead", "where": {"text": "words"}})).await;
        assert_eq!((&preview["wouldAffect"], preview["sample"].as_array().unwrap().len()), (&json!(4), 4));
        assert_eq!(preview["sample"][0]["title"], "Note 4");
        assert!(preview["expiresAt"].is_string() && preview.get("affected").is_none());
        assert_eq!(unread(&app, &who).await, 4);
        // An entry that arrives after the dry run is not changed by the commit.
        app.site.put("/a.xml", feed(1..=5));
        app.clock.advance(5 * MINUTE);
        who.send(&app, Method::POST, "/v1/rss/subscriptions/1/refresh").await.expect(202);
        poll(&app).await;
        assert_eq!(unread(&app, &who).await, 5);
        let commit = json!({"op": "entries.markRead", "commitToken": preview["commitToken"]});
        let committed = done(&app, &who, commit.clone()).await;
        assert_eq!(committed, json!({"dryRun": false, "affected": 4, "partial": false, "outcomes": []}));
        assert_eq!(unread(&app, &who).await, 1);
        // A repeated commit returns the same answer, even after the token has expired, and changes nothing.
        app.clock.advance(30 * MINUTE);
        assert_eq!(done(&app, &who, commit.clone()).await, committed);
        let other = json!({"op": "entries.markUnread", "commitToken": preview["commitToken"]});
        send(&app, &who, other).await.api_error(409, "commit_conflict");
        let mut changed = commit.clone();
        changed["where"] = json!({"text": "other"});
        send(&app, &who, changed).await.api_error(409, "commit_conflict");
        let mut same = commit.clone();
        same["where"] = json!({"text": "words"});
        assert_eq!(done(&app, &who, same).await, committed);
        let stranger = Person::free(&app).await;
        send(&app, &stranger, commit.clone()).await.api_error(404, "not_found");
        app.clock.advance(25 * 60 * MINUTE);
        send(&app, &who, commit).await.api_error(404, "not_found");
        let late = done(&app, &who, json!({"op": "entries.markUnread", "where": {"all": true}})).await;
        app.clock.advance(11 * MINUTE);
        let late = json!({"op": "entries.markUnread", "commitToken": late["commitToken"]});
        let refused = send(&app, &who, late).await.api_error(409, "commit_conflict");
        assert_eq!(refused["details"], "/commitToken: expired");
    });
}

#[test]
fn concurrent_commits_have_a_single_effect() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let one = follow(&app, &who, "/a.xml", 1..=2).await;
        let filter = json!({"source": {"include": [one["feedId"]]}});
        let preview = done(&app, &who, json!({"op": "sources.unfollow", "where": filter})).await;
        let commit = json!({"op": "sources.unfollow", "commitToken": preview["commitToken"]});
        let (first, second) = tokio::join!(done(&app, &who, commit.clone()), done(&app, &who, commit));
        assert_eq!(first, second);
        assert_eq!(first["outcomes"], json!([{"id": one["feedId"], "url": null, "ok": true, "code": null}]));
        assert_eq!(sources(&app, &who).await, 0);
    });
}

#[test]
fn commit_skips_sources_that_changed_since_the_dry_run() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (a, b) = (follow(&app, &who, "/a.xml", 1..=1).await, follow(&app, &who, "/b.xml", 1..=1).await);
        let c = follow(&app, &who, "/c.xml", 1..=1).await;
        done(&app, &who, json!({"op": "collections.create", "set": {"name": "Sea"}, "dryRun": false})).await;
        let to_sea = json!({"op": "sources.move", "set": {"collection": "sea"}, "dryRun": false,
            "where": {"source": {"exclude": [c["feedId"]]}}});
        assert_eq!(done(&app, &who, to_sea).await["affected"], 2);
        let preview =
            done(&app, &who, json!({"op": "sources.unfollow", "where": {"collection": ["Sea"]}})).await;
        assert_eq!(preview["wouldAffect"], 2);
        // Meanwhile, one source is moved out, one is unfollowed, and one is moved in.
        let out = json!({"op": "sources.move", "set": {"collection": "Unsorted"}, "dryRun": false,
            "where": {"source": {"include": [a["feedId"]]}}});
        done(&app, &who, out).await;
        who.send(&app, Method::DELETE, &format!("/v1/rss/subscriptions/{}", b["id"])).await.expect(204);
        let into = json!({"op": "sources.move", "set": {"collection": "Sea"}, "dryRun": false,
            "where": {"source": {"include": [c["feedId"]]}}});
        done(&app, &who, into).await;
        let commit = json!({"op": "sources.unfollow", "commitToken": preview["commitToken"]});
        let committed = done(&app, &who, commit).await;
        assert_eq!((&committed["affected"], &committed["partial"]), (&json!(0), &json!(true)));
        let codes: Vec<&Value> =
            committed["outcomes"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
        assert_eq!(codes, [&json!("changed"), &json!("not_found")]);
        assert_eq!(sources(&app, &who).await, 2);
        let rename = json!({"op": "sources.rename", "set": {"title": "Mine"}, "dryRun": false,
            "where": {"source": {"include": [a["feedId"]]}}});
        done(&app, &who, rename).await;
        let path = format!("/v1/rss/subscriptions/{}", a["id"]);
        let renamed_source = who.get(&app, &path).await.expect(200).json();
        assert_eq!(renamed_source["subscription"]["title"], "Mine");
        let (_, renamed) = preview_and_commit(
            &app,
            &who,
            json!({"op": "collections.rename", "where": {"collection": ["sea"]}, "set": {"name": "Ocean"}}),
        )
        .await;
        assert_eq!(renamed["affected"], 1);
        let taken = json!({"op": "collections.create", "set": {"name": "ocean"}, "dryRun": false});
        let taken = done(&app, &who, taken).await;
        assert_eq!(taken["outcomes"][0]["code"], "name_taken");
        let (_, deleted) = preview_and_commit(
            &app,
            &who,
            json!({"op": "collections.delete", "where": {"collection": ["Ocean"]}}),
        )
        .await;
        assert_eq!((&deleted["affected"], &deleted["partial"]), (&json!(1), &json!(false)));
    });
}

#[test]
fn following_urls_returns_an_outcome_per_url() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        follow(&app, &other, "/known.xml", 1..=1).await;
        let urls = json!([
            app.site.url("/known.xml"),
            app.site.put("/new.xml", feed(1..=2)),
            app.site.url("/missing"),
            "http://10.0.0.1/feed",
            "nonsense"
        ]);
        let request = json!({"op": "sources.follow", "set": {"urls": urls, "collection": "Unsorted"}});
        who.get(&app, "/v1/rss/collections").await.expect(200);
        let hits = app.site.hits("/new.xml");
        let preview = done(&app, &who, request).await;
        assert_eq!(
            (&preview["wouldAffect"], app.site.hits("/new.xml")),
            (&json!(3), hits),
            "a preview fetches nothing"
        );
        let commit = json!({"op": "sources.follow", "commitToken": preview["commitToken"]});
        let committed = done(&app, &who, commit.clone()).await;
        assert_eq!((&committed["affected"], &committed["partial"]), (&json!(2), &json!(true)));
        let codes: Vec<&Value> =
            committed["outcomes"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
        let expected = [
            Value::Null,
            Value::Null,
            json!("source_not_found"),
            json!("url_not_allowed"),
            json!("invalid_url"),
        ];
        assert_eq!(codes, expected.iter().collect::<Vec<_>>());
        assert_eq!(done(&app, &who, commit).await, committed);
        assert_eq!(sources(&app, &who).await, 2);
    });
}

async fn urls_are_followed_after_the_caller_disconnects(world: World) {
    let mut app = Setup::on(world).set("CARREL_READER_LIMITS", "off").idle().spawn().await;
    let who = Person::free(&app).await;
    let urls = [app.site.put("/late.xml", feed(1..=2)), app.site.url("/missing")];
    let preview = done(&app, &who, json!({"op": "sources.follow", "set": {"urls": urls}})).await;
    let commit = json!({"op": "sources.follow", "commitToken": preview["commitToken"]});
    let is_written = eventually(
        "the addresses are somebody's work",
        async || app.app.engine.depth(JobKind::FeedFollow).await.unwrap(),
        |waiting| *waiting == 1,
    );
    tokio::select! {
        answer = send(&app, &who, commit.clone()) => panic!("the commit must wait for the job: {}", answer.text()),
        _ = is_written => {}
    }
    assert_eq!(sources(&app, &who).await, 0);
    app.start_workers().await;
    let committed = done(&app, &who, commit.clone()).await;
    assert_eq!(committed["outcomes"][1]["code"], "source_not_found");
    assert_eq!((&committed["affected"], &committed["outcomes"][0]["ok"]), (&json!(1), &json!(true)));
    app.run_jobs().await;
    assert_eq!(done(&app, &who, commit).await, committed);
    assert_eq!(sources(&app, &who).await, 1);
    app.stop().await;
}

#[test]
fn commit_follows_its_urls_even_if_the_client_disconnects() {
    run(async {
        for world in World::ALL {
            urls_are_followed_after_the_caller_disconnects(world).await;
        }
    });
}

#[test]
fn entries_are_saved_to_the_library() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow(&app, &who, "/a.xml", 1..=3).await;
        let save = json!({"op": "entries.save", "where": {"text": "\"note 2\""}, "dryRun": false});
        assert_eq!(done(&app, &who, save).await["affected"], 1);
        let items = who.get(&app, "/v1/library/items").await.expect(200).json();
        assert_eq!(items["items"][0]["title"], "Note 2");
        assert_eq!(items["items"][0]["captureMethod"], "rss");
    });
}

#[test]
fn large_changes_require_a_dry_run() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        follow(&app, &who, "/a.xml", 1..=60).await;
        for (body, field) in [
            (json!({"op": "sources.unfollow"}), "/where"),
            (json!({"op": "sources.unfollow", "where": {}}), "/where"),
            (json!({"op": "entries.markRead", "where": {"all": true, "unread": true}}), "/where"),
            (json!({"op": "sources.unfollow", "where": {"unread": true}}), "/where"),
            (json!({"op": "sources.unfollow", "where": {"all": true}, "dryRun": false}), "/commitToken"),
            (json!({"op": "entries.markRead", "where": {"all": true}, "dryRun": false}), "/commitToken"),
            (json!({"op": "sources.move", "where": {"all": true}}), "/set"),
            (json!({"op": "sources.follow"}), "/set"),
            (json!({"op": "sources.follow", "set": {"urls": ["https://example.org/"], "name": "x"}}), "/set"),
            (json!({"op": "collections.delete", "where": {"kind": ["feed"]}}), "/where"),
            (json!({"op": "collections.create", "where": {"all": true}, "set": {"name": "x"}}), "/where"),
            (json!({"op": "sources.unfollow", "commitToken": "x", "dryRun": true}), "/dryRun"),
        ] {
            let refused = send(&app, &who, body.clone()).await.api_error(422, "conflicting_changes");
            let details = refused["details"].as_str().unwrap();
            assert!(details.starts_with(&format!("{field}:")), "{body}: {details}");
        }
        send(&app, &who, json!({"op": "sources.burn"})).await.api_error(422, "invalid_request");
        let unknown = json!({"op": "sources.unfollow", "commitToken": "made-up"});
        send(&app, &who, unknown).await.api_error(404, "not_found");
        let elsewhere = json!({"op": "sources.unfollow", "where": {"collection": ["Land"]}});
        send(&app, &who, elsewhere).await.api_error(404, "not_found");
        assert_eq!((sources(&app, &who).await, unread(&app, &who).await), (1, json!(60)));
        let (preview, read) =
            preview_and_commit(&app, &who, json!({"op": "entries.markRead", "where": {"all": true}})).await;
        assert_eq!((&preview["wouldAffect"], preview["sample"].as_array().unwrap().len()), (&json!(60), 10));
        assert_eq!((&read["affected"], unread(&app, &who).await), (&json!(60), json!(0)));
    });
}
