//! Devices sync a library and are offline at times, while other clients write and the process is killed. At
//! the end, each device has the same state as the server.

use std::collections::BTreeMap;

use fastrand::Rng;
use futures_util::future::join_all;
use kernel::Backend;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::killable_process::KillableProcess;
use crate::support::run;

const ITEMS: &str = "/v1/library/items";
const NOTES: &str = "/v1/library/notes";
const HIGHLIGHTS: &str = "/v1/library/highlights";
/// Number of concurrent writers, and number of steps per writer.
const WRITERS: u64 = 4;
const STEPS: u64 = 45;
/// Number of devices that sync.
const DEVICES: u64 = 3;
/// Number of times that the process is killed.
const KILLS: u64 = 3;

/// State of a device that syncs.
#[derive(Default)]
struct Device {
    objects: BTreeMap<String, Value>,
    cursor: Option<String>,
}

impl Device {
    /// Syncs until no changes are left, with pages of `limit` changes.
    async fn catch_up(&mut self, all: &KillableProcess, limit: u32) {
        let is_first = self.cursor.is_none();
        let mut named = Vec::new();
        loop {
            let after = self.cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let page = all.get(&format!("/v1/library/sync?limit={limit}{after}")).await;
            let changes = page["changes"].as_array().unwrap();
            assert!(changes.len() <= limit as usize);
            for change in changes {
                let name = change["ref"].as_str().unwrap().to_owned();
                if change["op"] == "delete" {
                    self.objects.remove(&name);
                } else {
                    self.objects.insert(name.clone(), normalized(&change["object"]));
                }
                named.push(name);
            }
            self.cursor = Some(page["nextCursor"].as_str().unwrap().to_owned());
            if page["hasMore"] == false {
                break;
            }
        }
        if is_first {
            // Objects that the first walk did not report were deleted.
            self.objects.retain(|name, _| named.contains(name));
        }
    }
}

/// Normalizes the progress of an object's extraction, which is not recorded as a change.
fn normalized(object: &Value) -> Value {
    let mut object = object.clone();
    if object["articleStatus"] == "extracting" {
        object["articleStatus"] = "queued".into();
    }
    object
}

/// Writer that creates, changes, and deletes objects. Other writers may have deleted them before.
struct Writer<'a> {
    all: &'a KillableProcess,
    rng: Rng,
    number: u64,
    made: u64,
    items: Vec<String>,
    annotations: Vec<String>,
}

impl Writer<'_> {
    async fn work(&mut self) {
        let url = format!("https://example.org/own/{}", self.number);
        let item = self.save(json!({"url": url, "content": "For one quiet reader."})).await;
        self.items.clear();
        self.annotate(HIGHLIGHTS, json!({"itemId": item, "quote": "quiet reader"})).await;
        for _ in 0..STEPS {
            self.step().await;
        }
        // Last change of an item that no other writer changes. The title is also part of its highlight.
        let (status, _) = self.change(&format!("{ITEMS}/{item}"), json!({"title": "the last word"})).await;
        assert_eq!(status, 200);
    }

    async fn step(&mut self) {
        let item = if self.items.is_empty() { self.item().await } else { self.any_item() };
        let word = self.word();
        match self.rng.u8(0..14) {
            0..4 => drop(self.item().await),
            4..8 => self.change_items(&item, &word).await,
            8 => drop(self.all.send(Method::DELETE, &format!("{ITEMS}/{item}"), None).await),
            9 => {
                let gone = json!({"ids": [item], "annotations": "delete"});
                self.all.send(Method::POST, &format!("{ITEMS}/delete"), Some(&gone)).await;
            }
            10 => self.annotate(NOTES, json!({"text": word, "itemId": item, "tags": ["a", "B"]})).await,
            11 => {
                let body = json!({"itemId": item, "quote": "quiet reader", "note": word, "tags": ["b"]});
                self.annotate(HIGHLIGHTS, body).await;
            }
            12 => self.change_annotation().await,
            // A new text of the same item re-anchors its highlights.
            _ => {
                let url = format!("https://example.org/{}", self.number);
                let text = format!("<p>{word} quiet reader.</p>");
                let item = self.save(json!({"url": url, "content": text, "title": word})).await;
                self.annotate(HIGHLIGHTS, json!({"itemId": item, "quote": "quiet reader"})).await;
            }
        }
    }

    async fn change_items(&mut self, item: &str, word: &str) {
        let ids: Vec<String> = (0..self.rng.u8(1..6)).map(|_| self.any_item()).collect();
        let tags = [self.one_of(&["a", "b", "c", "D"]), "every"];
        match self.rng.u8(0..4) {
            0 => drop(self.change(&format!("{ITEMS}/{item}"), json!({"title": word, "tags": tags})).await),
            1 => {
                let changes = json!({"tags": tags, "status": "archive"});
                self.change(ITEMS, json!({"ids": ids, "changes": changes})).await;
            }
            2 => drop(self.change(ITEMS, json!({"ids": ids, "changes": {"markRead": true}})).await),
            _ => {
                let names = json!({"from": self.one_of(&["a", "b"]), "to": self.one_of(&["b", "D", "d"])});
                self.all.send(Method::POST, "/v1/library/tags/rename", Some(&names)).await;
            }
        }
    }

    fn word(&mut self) -> String {
        format!("word {} of {}", self.rng.u32(..), self.number)
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.rng.usize(..words.len())]
    }

    fn any_item(&mut self) -> String {
        if self.items.is_empty() {
            return "0193a0b2-7c00-7000-8000-000000000000".to_owned();
        }
        self.items[self.rng.usize(..self.items.len())].clone()
    }

    async fn save(&mut self, body: Value) -> String {
        let (status, saved) = self.all.send(Method::POST, ITEMS, Some(&body)).await;
        assert!(matches!(status, 200 | 201), "{saved}");
        let id = saved["item"]["id"].as_str().unwrap().to_owned();
        self.items.push(id.clone());
        id
    }

    async fn item(&mut self) -> String {
        self.made += 1;
        let id = format!("{}-{}", self.number, self.made);
        self.save(
            json!({"externalId": id, "content": "A desk for one quiet reader.", "format": "plain_text"}),
        )
        .await
    }

    async fn change(&self, path: &str, body: Value) -> (u16, Value) {
        self.all.send(Method::PATCH, path, Some(&body)).await
    }

    async fn annotate(&mut self, path: &str, mut body: Value) {
        self.made += 1;
        body["externalId"] = format!("{}-{}", self.number, self.made).into();
        let (status, made) = self.all.send(Method::POST, path, Some(&body)).await;
        assert!(matches!(status, 200 | 201 | 404), "{made}");
        if let Some(id) = made["object"]["id"].as_str() {
            self.annotations.push(format!("{path}/{id}"));
        }
    }

    async fn change_annotation(&mut self) {
        let Some(path) = self.annotations.pop() else { return };
        let text = self.word();
        match self.rng.u8(0..3) {
            0 => drop(self.all.send(Method::DELETE, &path, None).await),
            _ if path.starts_with(NOTES) => {
                drop(self.change(&path, json!({"text": text, "itemId": null})).await);
            }
            _ => drop(self.change(&path, json!({"note": text, "color": "blue"})).await),
        }
    }
}

async fn devices_never_diverge(backend: Backend) {
    let all = &KillableProcess::start(backend).await;
    let writers = (0..WRITERS).map(|number| async move {
        let rng = Rng::with_seed(number);
        Writer { all, rng, number, made: 0, items: Vec::new(), annotations: Vec::new() }.work().await;
    });
    let devices = (0..DEVICES).map(|number| async move {
        let (mut device, mut rng) = (Device::default(), Rng::with_seed(100 + number));
        for round in 0..4 {
            device.catch_up(all, rng.u32(1..60)).await;
            // The device is offline until the writers have sent this number of requests.
            all.wait_for_answers((round + 1) * WRITERS * STEPS / 5 + number * 7).await;
        }
        device
    });
    let kills = async {
        for kill in 0..KILLS {
            all.wait_for_answers((kill + 1) * WRITERS * STEPS / (KILLS + 1)).await;
            all.kill().await;
            all.restart().await;
        }
    };
    let (_, devices, ()) = tokio::join!(join_all(writers), join_all(devices), kills);
    let mut fresh = Device::default();
    fresh.catch_up(all, 500).await;
    assert!(fresh.objects.len() > 40, "{} objects", fresh.objects.len());
    for (name, object) in &fresh.objects {
        let one = all.get(&format!("/v1/library/objects/{name}?contentMaxCharacters=500")).await;
        let mut one = normalized(&one["object"]);
        one.as_object_mut().unwrap().remove("article");
        assert_eq!(one, *object, "the synchronized state of {name} is current");
    }
    for (number, mut device) in devices.into_iter().enumerate() {
        device.catch_up(all, 7).await;
        let names = |device: &Device| device.objects.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&device), names(&fresh), "device {number}");
        for (name, object) in &fresh.objects {
            assert_eq!(device.objects[name], *object, "device {number}: {name}");
        }
    }
}

#[test]
fn devices_do_not_diverge_despite_kills_on_sqlite() {
    run(devices_never_diverge(Backend::Sqlite));
}

#[test]
fn devices_do_not_diverge_despite_kills_on_postgres() {
    run(devices_never_diverge(Backend::Postgres));
}
