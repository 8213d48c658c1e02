//! Undo of calls on the page of their connection.

use std::collections::HashSet;

use application::agent_undo::{self, Undone};
use identity::agents::{AgentCall, CallRecord, ConnectionName, calls, record};
use reqwest::Method;
use serde_json::{Value, json};

use super::Agent;
use crate::support::browser::Browser;
use crate::support::clock::{MINUTE, SECOND};
use crate::support::monitoring::{page, send};
use crate::support::person::Person;
use crate::support::rss::{feed, poll};
use crate::support::{TestApp, eventually, on_each_world};

/// Owner of a key with the page of the key, and the agent that uses the key.
struct Owner<'a> {
    app: &'a TestApp,
    who: &'a Person,
    agent: Agent<'a>,
    browser: Browser<'a>,
    path: String,
    seen: HashSet<String>,
}

impl<'a> Owner<'a> {
    async fn of(app: &'a TestApp, who: &'a Person) -> Self {
        let mut browser = Browser::new(app);
        browser.sign_in(&who.email).await;
        let path = format!("/settings/keys/{}/activity", who.key_id);
        let agent = Agent::of(app, who).at("/mcp");
        Self { app, who, agent, browser, path, seen: HashSet::new() }
    }

    /// Calls a tool, and returns its text and the call in the log.
    async fn ask(&mut self, tool: &str, arguments: Value) -> (String, AgentCall) {
        let text = self.agent.ask(tool, arguments).await;
        let name = ConnectionName::key(self.who.key_id);
        let log = async || calls(&self.app.app.domain, self.who.id, &name, 100).await.unwrap();
        let known = self.seen.len() + 1;
        let all = eventually("the call is recorded", &log, |all| all.len() == known).await;
        let call = all.into_iter().find(|call| !self.seen.contains(&call.id.to_string())).unwrap();
        self.seen.insert(call.id.to_string());
        self.app.clock.advance(MINUTE);
        (text, call)
    }

    /// Presses the button, and returns the displayed result.
    async fn undo(&mut self, call: &AgentCall) -> String {
        let text = self.browser.open(&self.path).await.expect(200).text();
        let has_button = text.contains(&format!("value=\"{}\"", call.id));
        let id = call.id.to_string();
        let answer = self.browser.submit(&format!("{}/undo", self.path), &[("call", &id)]).await.expect(303);
        let word = answer.header("location").rsplit('?').next().unwrap().to_owned();
        assert_eq!(has_button, word != "undone-before", "the button of {} in {text}", call.tool);
        let text = self.browser.open(answer.header("location")).await.expect(200).text();
        assert!(text.contains("role=\"status\""), "{text}");
        word
    }

    async fn get(&self, path: &str) -> Value {
        self.who.get(self.app, path).await.expect(200).json()
    }

    async fn patch(&self, path: &str, body: Value) {
        send(self.app, self.who, Method::PATCH, path, &body).await.expect(200);
    }

    async fn unread(&self) -> Vec<i64> {
        let list = self.get("/v1/rss/entries?unread=true").await;
        let mut ids: Vec<i64> =
            list["entries"].as_array().unwrap().iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
        ids.sort_unstable();
        ids
    }

    async fn item_status(&self, reference: &str) -> u16 {
        let id = reference.trim_start_matches("item:");
        self.who.get(self.app, &format!("/v1/library/items/{id}")).await.status
    }
}

/// First reference of a kind in a text, such as `item:…`.
fn reference(text: &str, kind: &str) -> String {
    let rest = &text[text.find(&format!("{kind}:")).unwrap()..];
    let end = rest[kind.len() + 1..].find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    end.map_or(rest, |end| &rest[..=kind.len() + end]).to_owned()
}

#[test]
fn undo_deletes_a_saved_item_unless_it_was_changed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let source = json!({"sources": ["https://example.com/a"], "text": "Lamps.", "title": "Lamps"});
        let (text, saved) = owner.ask("save", source.clone()).await;
        let (_, repeated) = owner.ask("save", source.clone()).await;
        assert_eq!(repeated.undo, None, "the call created nothing");
        let item = reference(&text, "item");
        assert_eq!(owner.item_status(&item).await, 200);
        assert_eq!(owner.undo(&saved).await, "undone");
        assert_eq!(owner.item_status(&item).await, 404);
        assert_eq!(owner.undo(&saved).await, "undone-before");
        let page = owner.browser.open(&owner.path).await.expect(200).text();
        assert!(page.contains("undone <"), "{page}");

        let (text, saved) = owner.ask("save", source).await;
        let item = reference(&text, "item");
        let id = item.trim_start_matches("item:");
        owner.patch(&format!("/v1/library/items/{id}"), json!({"addTags": ["mine"]})).await;
        assert_eq!(owner.undo(&saved).await, "not-undone");
        assert_eq!(owner.item_status(&item).await, 200, "a changed item is not deleted");
    });
}

#[test]
fn only_one_of_concurrent_undos_of_a_call_has_an_effect() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let (text, saved) = owner.ask("save", json!({"text": "Lamps.", "title": "Lamps"})).await;
        let (domain, name) = (&app.app.domain, ConnectionName::key(who.key_id));
        let undo = || agent_undo::undo(domain, who.id, &name, saved.id);
        let (one, two) = tokio::join!(undo(), undo());
        let undone = [one.unwrap(), two.unwrap()];
        assert_eq!(undone.iter().filter(|undone| **undone == Undone::All).count(), 1, "{undone:?}");
        assert_eq!(owner.item_status(&reference(&text, "item")).await, 404);
        assert_eq!(undo().await.unwrap(), Undone::Before);
    });
}

#[test]
fn undo_deletes_a_created_note_and_highlight() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let (text, _) = owner.ask("save", json!({"text": "Lamps by the window.", "title": "Lamps"})).await;
        let item = reference(&text, "item");
        let (text, noted) = owner.ask("annotate", json!({"id": item, "text": "Buy some."})).await;
        let note = format!("/v1/library/notes/{}", reference(&text, "note").trim_start_matches("note:"));
        let quote = json!({"id": item, "quote": "by the window"});
        let (text, marked) = owner.ask("annotate", quote.clone()).await;
        let highlight = reference(&text, "highlight");
        let highlight = format!("/v1/library/highlights/{}", highlight.trim_start_matches("highlight:"));
        let (_, repeated) = owner.ask("annotate", quote).await;
        assert_eq!(repeated.undo, None, "the highlight existed");
        assert_eq!(owner.undo(&noted).await, "undone");
        owner.patch(&highlight, json!({"note": "Mine."})).await;
        assert_eq!(owner.undo(&marked).await, "not-undone");
        assert_eq!(who.get(&app, &note).await.status, 404);
        owner.get(&highlight).await;
        let (_, noted) = owner.ask("annotate", json!({"text": "Free."})).await;
        assert_eq!(owner.undo(&noted).await, "undone");
    });
}

#[test]
fn picture_is_highlighted_by_its_address_and_undo_deletes_the_highlight() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let (text, _) = owner.ask("save", json!({"text": "Lamps by the window.", "title": "Lamps"})).await;
        let item = reference(&text, "item");
        let picture = json!({"id": item, "picture": "https://a.example/lamp.png", "text": "Buy one."});
        let (text, marked) = owner.ask("annotate", picture).await;
        assert!(text.contains("does not have this picture"), "{text}");
        let highlight = reference(&text, "highlight");
        let highlight = format!("/v1/library/highlights/{}", highlight.trim_start_matches("highlight:"));
        let made = owner.get(&highlight).await["object"].clone();
        assert_eq!((&made["quote"], &made["note"]), (&json!("lamp.png"), &json!("Buy one.")));
        assert_eq!(owner.undo(&marked).await, "undone");
        let both = json!({"id": item, "picture": "https://a.example/lamp.png", "quote": "Lamps"});
        assert!(owner.agent.refusal("annotate", both).await.contains("picture"));
    });
}

#[test]
fn undo_restores_tags_status_and_read_state_of_items() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let mut ids = Vec::new();
        for title in ["One", "Two"] {
            let text = format!("Words of {title}.");
            let save = json!({"text": text, "title": title, "tags": ["old"], "status": "later"});
            ids.push(reference(&owner.ask("save", save).await.0, "item"));
        }
        let change = json!({"ids": ids, "addTags": ["new"], "removeTags": ["old"], "status": "archive", "mark": "read"});
        let (_, changed) = owner.ask("organize", change.clone()).await;
        let path = |id: &str| format!("/v1/library/items/{}", id.trim_start_matches("item:"));
        owner.patch(&path(&ids[1]), json!({"addTags": ["mine"], "status": "inbox"})).await;
        assert_eq!(owner.undo(&changed).await, "undone-partly");
        let first = owner.get(&path(&ids[0])).await["item"].clone();
        assert_eq!((&first["tags"], &first["status"]), (&json!(["old"]), &json!("later")), "{first}");
        assert_eq!(first["finishedAt"], Value::Null, "{first}");
        let second = owner.get(&path(&ids[1])).await["item"].clone();
        assert_eq!((&second["tags"], &second["status"]), (&json!(["new", "mine"]), &json!("inbox")));
        assert_eq!(owner.undo(&changed).await, "undone-before");
        let same = json!({"ids": [ids[0]], "status": "later"});
        assert_eq!(owner.ask("organize", same).await.1.undo, None, "the call changed nothing");
    });
}

#[test]
fn undo_restores_the_state_of_marked_entries() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let url = app.site.put("/feed.xml", feed(1..=3));
        who.post(&app, "/v1/rss/subscriptions", &json!({"url": url})).await.expect(201);
        poll(&app).await;
        let all = owner.unread().await;
        assert_eq!(all.len(), 3);
        owner.patch("/v1/rss/entries", json!({"ids": [all[0]], "unread": false})).await;
        let ids = [format!("entry:{}", all[0]), format!("entry:{}", all[1])];
        let (_, marked) = owner.ask("mark", json!({"ids": ids})).await;
        assert_eq!(owner.unread().await, all[2..]);
        assert_eq!(owner.undo(&marked).await, "undone");
        assert_eq!(owner.unread().await, all[1..], "an entry that was read before stays read");
        let (_, marked) = owner.ask("mark", json!({"source": "all"})).await;
        assert!(owner.unread().await.is_empty());
        assert_eq!(owner.undo(&marked).await, "undone");
        assert_eq!(owner.unread().await, all[1..]);
        let (_, marked) = owner.ask("mark", json!({"ids": [ids[0]], "as": "unread"})).await;
        assert_eq!(owner.undo(&marked).await, "undone");
        assert_eq!(owner.unread().await, all[1..]);
        let (_, nothing) = owner.ask("mark", json!({"ids": [ids[0]]})).await;
        assert_eq!(nothing.undo, None, "the entry was read");
    });
}

#[test]
fn undo_unfollows_a_followed_feed_and_restores_an_unfollowed_feed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let follow = json!({"url": url, "collection": "News"});
        let (_, followed) = owner.ask("follow", follow.clone()).await;
        assert_eq!(owner.undo(&followed).await, "undone");
        let subscriptions = "/v1/rss/subscriptions";
        assert_eq!(owner.get(subscriptions).await["subscriptions"], json!([]));
        let collections = owner.get("/v1/rss/collections").await.to_string();
        assert!(!collections.contains("News"), "the collection of the call is deleted: {collections}");

        let (_, followed) = owner.ask("follow", follow.clone()).await;
        let (_, repeated) = owner.ask("follow", follow).await;
        assert_eq!(repeated.undo, None, "the feed was followed before");
        let list = owner.get(subscriptions).await["subscriptions"].clone();
        let path = format!("{subscriptions}/{}", list[0]["id"]);
        owner.patch(&path, json!({"title": "Mine"})).await;
        assert_eq!(owner.undo(&followed).await, "not-undone");
        let unfollow = json!({"url": url, "action": "unfollow"});
        let (_, unfollowed) = owner.ask("follow", unfollow).await;
        assert_eq!(owner.get(subscriptions).await["subscriptions"], json!([]));
        assert_eq!(owner.undo(&unfollowed).await, "undone");
        let again = owner.get(subscriptions).await["subscriptions"].clone();
        assert_eq!(again[0]["title"], "Mine");
        for member in ["folderId", "feedId"] {
            assert!(again[0][member].is_i64(), "{again}");
            assert_eq!(again[0][member], list[0][member]);
        }
    });
}

#[test]
fn undo_does_not_delete_a_created_collection_that_was_renamed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let (_, followed) = owner.ask("follow", json!({"url": url, "collection": "News"})).await;
        let list = owner.get("/v1/rss/collections").await["collections"].clone();
        let news = list.as_array().unwrap().iter().find(|one| one["name"] == "News").unwrap();
        owner.patch(&format!("/v1/rss/collections/{}", news["id"]), json!({"name": "Mine"})).await;
        assert_eq!(owner.undo(&followed).await, "undone");
        assert_eq!(owner.get("/v1/rss/subscriptions").await["subscriptions"], json!([]));
        let collections = owner.get("/v1/rss/collections").await.to_string();
        assert!(collections.contains("\"Mine\""), "{collections}");
    });
}

#[test]
fn undo_deletes_a_created_monitor_unless_it_was_changed() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut owner = Owner::of(&app, &who).await;
        let url = app.site.put("/watched", page("It begins."));
        let (text, watched) = owner.ask("watch", json!({"url": url})).await;
        let (_, repeated) = owner.ask("watch", json!({"url": url})).await;
        assert_eq!(repeated.undo, None, "the monitor existed");
        let path = |text: &str| format!("/v1/monitors/{}", &reference(text, "monitor")["monitor:".len()..]);
        assert_eq!(owner.undo(&watched).await, "undone");
        assert_eq!(who.get(&app, &path(&text)).await.status, 404);
        let (text, watched) = owner.ask("watch", json!({"url": url})).await;
        owner.patch(&path(&text), json!({"name": "Mine"})).await;
        assert_eq!(owner.undo(&watched).await, "not-undone");
        assert_eq!(owner.get(&path(&text)).await["monitor"]["name"], "Mine");
    });
}

#[test]
fn call_is_undone_by_its_owner_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut owner = Owner::of(&app, &who).await;
        let (text, saved) = owner.ask("save", json!({"text": "Words.", "title": "Words"})).await;
        let (path, id) = (format!("{}/undo", owner.path), saved.id.to_string());
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open("/settings/apps").await.expect(200);
        stranger.submit(&path, &[("call", &id)]).await.expect(404);
        let own = format!("/settings/keys/{}/activity", other.key_id);
        stranger.open(&own).await.expect(200);
        stranger.submit(&format!("{own}/undo"), &[("call", &id)]).await.expect(404);
        let mut anonymous = Browser::new(&app);
        anonymous.open("/sign-in").await.expect(200);
        assert_ne!(anonymous.submit(&path, &[("call", &id)]).await.status, 200, "without a session");
        owner.browser.open(&owner.path).await.expect(200);
        for wrong in ["", "call", "00000000-0000-7000-8000-000000000000"] {
            owner.browser.submit(&path, &[("call", wrong)]).await.expect(404);
            owner.browser.open(&owner.path).await.expect(200);
        }
        let (_, read) = owner.ask("search", json!({"query": "words"})).await;
        owner.browser.open(&owner.path).await.expect(200);
        owner.browser.submit(&path, &[("call", &read.id.to_string())]).await.expect(404);
        assert_eq!(owner.item_status(&reference(&text, "item")).await, 200);
    });
}

#[test]
fn only_the_newest_calls_of_a_connection_can_be_undone() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (domain, name) = (&app.app.domain, ConnectionName::key(who.key_id));
        for _ in 0..102 {
            let call = CallRecord { tool: "save", target: "", error: None, undo: Some("{}") };
            record(domain, who.id, &name, call).await.unwrap();
            app.clock.advance(SECOND);
        }
        let all = calls(domain, who.id, &name, 200).await.unwrap();
        assert_eq!(all.len(), 102);
        assert!(all[..100].iter().all(|call| call.undo.is_some()));
        assert!(all[100..].iter().all(|call| call.undo.is_none()));
    });
}
