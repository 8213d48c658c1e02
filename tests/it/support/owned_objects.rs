//! One object of every kind that an account can own, and the owner's view of all of them.

use std::collections::BTreeMap;

use kernel::AccountId;
use reqwest::Method;
use serde_json::{Value, json};

use super::browser::Browser;
use super::form::{Field, with_form};
use super::monitoring::{self, page};
use super::page_copy::import_copy;
use super::person::Person;
use super::rss::{feed, poll};
use super::{HttpAnswer, TestApp};

/// Paths of the lists of the owner's objects.
const LIST_PATHS: &[&str] = &[
    "/v1/keys",
    "/v1/library/sync?limit=500&includeContent=true",
    "/v1/library/tags",
    "/v1/library/public-tags",
    "/v1/library/rules",
    "/v1/library/reviews",
    "/v1/teams",
    "/v1/rss/subscriptions",
    "/v1/rss/collections",
    "/v1/rss/entries",
    "/v1/monitors",
    "/v1/monitor-groups",
    "/v1/feeds/consumers",
    "/v1/channels",
    "/v1/library/import-servers",
    "/v1/inbox/addresses",
    "/v1/inbox/messages",
];

fn linkding_server(address: &str) -> Value {
    json!({"service": "linkding", "address": address, "token": "secret"})
}

async fn upload_file(app: &TestApp, who: &Person, item: &str) {
    let file = app.request(Method::PUT, &format!("/v1/library/items/{item}/file"));
    let file = file.header("x-api-key", &who.key).body("A file.").send().await.unwrap();
    assert_eq!(file.status(), 201);
}

/// Delivers a message with a text to an inbox address. Returns the message.
pub(crate) async fn deliver_message(app: &TestApp, who: &Person, address: &Value, text: &str) -> Value {
    let path = format!("/v1/inbox/messages?address={}", address.as_str().unwrap());
    let request = app.request(Method::POST, &path).header("x-api-key", &who.key);
    let request = request.header("content-type", "message/rfc822");
    let answer = request.body(format!("From: a@b.example\r\nSubject: Mine\r\n\r\n{text}\r\n")).send();
    HttpAnswer::of(answer.await.unwrap()).await.expect(202).json()
}

async fn import_table(app: &TestApp, who: &Person) -> Value {
    let table = Field {
        name: "file",
        file: Some(("a.csv", "text/csv")),
        body: b"title,url,time_added,tags,status\nA,https://a.example/,1,,\nB,https://b.example/,1,,\n",
    };
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    HttpAnswer::of(with_form(request, &[table]).send().await.unwrap()).await.expect(202).json()
}

/// Creates a team with an invitation. Returns the ids of both.
pub(crate) async fn create_team(app: &TestApp, who: &Person) -> (String, String) {
    let id = |object: &Value| object["id"].as_str().unwrap().to_owned();
    let team = who.post(app, "/v1/teams", &json!({"name": "Mine"})).await.expect(201).json();
    let team = id(&team["team"]);
    let path = format!("/v1/teams/{team}/invitations");
    let invited = who.post(app, &path, &json!({"role": "reader"})).await.expect(201).json();
    (team, id(&invited["invitation"]))
}

/// Creates a channel to a service, which is possible only in a browser. Returns its id.
pub(crate) async fn create_channel(app: &TestApp, who: &Person) -> String {
    let mut browser = Browser::signed_in(app, who).await;
    browser.open("/settings/channels?kind=ntfy").await.expect(200);
    let topic = app.site.url("/my-topic");
    let fields = [("kind", "ntfy"), ("address", topic.as_str()), ("name", "Mine"), ("serviceToken", "")];
    browser.submit("/settings/channels", &fields).await.expect(303);
    let list = who.get(app, "/v1/channels").await.expect(200).json();
    list["channels"][0]["id"].as_str().unwrap().to_owned()
}

fn saved_text(name: &str) -> Value {
    json!({"url": format!("https://example.org/{name}"), "content": "Words of a desk.", "tags": ["mine"]})
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn themed_review(name: &str) -> Value {
    json!({"name": name, "highlightsPerDay": 5, "tag": "mine"})
}

/// Ids of one object of every kind, by the prefix of the object's API path.
pub(crate) struct OwnedObjects {
    pub(crate) ids: BTreeMap<&'static str, String>,
    account_id: AccountId,
}

impl OwnedObjects {
    /// Creates one object of every kind for the account.
    pub(crate) async fn create(app: &TestApp, who: &Person, name: &str) -> Self {
        let post = async |path: &str, body: Value| {
            let answer = who.post(app, path, &body).await;
            assert!(matches!(answer.status, 200..=202), "{path}: {}", answer.text());
            answer.json()
        };
        let item = text(&post("/v1/library/items", saved_text(name)).await["item"]["id"]);
        upload_file(app, who, &item).await;
        import_copy(app, who, &item).await;
        let public_tag = post("/v1/library/public-tags", json!({"name": "mine"})).await;
        let rule = post("/v1/library/rules", json!({"name": name, "query": "desk"})).await;
        let review = post("/v1/library/reviews", themed_review(name)).await;
        let note = post("/v1/library/notes", json!({"text": "A note.", "itemId": item})).await;
        let highlight = post("/v1/library/highlights", json!({"itemId": item, "quote": "a desk"})).await;
        let import = import_table(app, who).await;
        let export = post("/v1/library/exports", json!({"format": "csv"})).await;
        let feed_url = app.site.put(&format!("/{name}.xml"), feed(1..=2));
        let subscription = post("/v1/rss/subscriptions", json!({"url": feed_url})).await;
        poll(app).await;
        let subscription = text(&subscription["subscription"]["id"]);
        let collection = post("/v1/rss/collections", json!({"name": name, "feedIds": []})).await;
        let entries = who.get(app, "/v1/rss/entries").await.expect(200).json();
        let monitor = monitoring::watch_page(app, who, &app.site.put(&format!("/{name}"), page("x"))).await;
        monitoring::run_now(app, who, &monitor).await;
        let group = post("/v1/monitor-groups", json!({"name": name})).await;
        let server = post("/v1/library/import-servers", linkding_server(&app.site.url("/server"))).await;
        let address = post("/v1/inbox/addresses", json!({"name": name})).await;
        let message = deliver_message(app, who, &address["address"]["address"], "Words of a letter.").await;
        let consumer = post("/v1/feeds/consumers", json!({"name": name})).await;
        let (team, invitation) = create_team(app, who).await;
        let channel = create_channel(app, who).await;
        let keys = who.get(app, "/v1/keys").await.expect(200).json();
        let ids = [
            ("/v1/keys/", text(&keys["keys"][0]["id"])),
            ("/v1/library/items/", item.clone()),
            ("/v1/library/objects/", format!("item:{item}")),
            ("/v1/library/notes/", text(&note["object"]["id"])),
            ("/v1/library/highlights/", text(&highlight["object"]["id"])),
            ("/v1/library/public-tags/", text(&public_tag["tag"]["id"])),
            ("/v1/library/rules/", text(&rule["rule"]["id"])),
            ("/v1/library/reviews/", text(&review["review"]["id"])),
            ("/v1/library/imports/", text(&import["import"]["id"])),
            ("/v1/library/exports/", text(&export["export"]["id"])),
            ("/v1/library/import-servers/", text(&server["server"]["id"])),
            ("/v1/inbox/addresses/", text(&address["address"]["id"])),
            ("/v1/inbox/messages/", text(&message["message"]["id"])),
            ("/v1/rss/subscriptions/", subscription),
            ("/v1/rss/collections/", text(&collection["collection"]["id"])),
            ("/v1/rss/entries/", text(&entries["entries"][0]["id"])),
            ("/v1/monitors/", text(&monitor["id"])),
            ("/v1/monitor-groups/", text(&group["group"]["id"])),
            ("/v1/feeds/consumers/", text(&consumer["consumer"]["id"])),
            ("/v1/channels/", channel),
            ("/v1/teams/", team),
            ("/v1/team-invitations/", invitation),
        ];
        assert!(ids.iter().all(|(_, id)| !id.is_empty() && id != "null"), "{ids:?}");
        app.run_jobs().await;
        Self { ids: ids.into(), account_id: who.id }
    }

    /// Returns the path of an operation with the id of the matching object.
    pub(crate) fn path(&self, template: &str) -> String {
        let (_, id) = self
            .ids
            .iter()
            .find(|(front, _)| template.starts_with(**front))
            .unwrap_or_else(|| panic!("{template}: create an object for it above"));
        let (front, rest) = template.split_once('{').unwrap();
        let rest = rest.split_once('}').unwrap().1;
        // Further parameters: the format of a page's copy, and second parts of the paths of a team.
        let rest = rest.replace("{format}", "html").replace("{tag}", "mine");
        let rest = rest.replace("{monitorId}", &self.ids["/v1/monitors/"]);
        format!("{front}{id}{}", rest.replace("{accountId}", &self.account_id.to_string()))
    }

    pub(crate) fn id(&self, front: &str) -> Value {
        let id = &self.ids[front];
        id.parse::<u64>().map_or_else(|_| id.as_str().into(), Value::from)
    }
}

/// Returns everything that the account can see of its objects.
pub(crate) async fn visible_objects(app: &TestApp, who: &Person, own: &OwnedObjects) -> Vec<String> {
    let mut answers = Vec::new();
    let details = ["/v1/library/imports/", "/v1/library/exports/", "/v1/monitors/"];
    let details = details.iter().map(|front| format!("{front}{}", own.ids[front]));
    for path in LIST_PATHS.iter().map(|path| (*path).to_owned()).chain(details) {
        let mut body = who.get(app, &path).await.expect(200).json();
        // Each request changes the time at which its key was last used.
        for key in body["keys"].as_array_mut().into_iter().flatten() {
            key.as_object_mut().unwrap().remove("lastUsedAt");
        }
        answers.push(format!("{path} {body}"));
    }
    answers
}
