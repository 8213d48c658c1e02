//! Elicitation, choices that clients present to a person: which of several feeds of a site is followed.

use serde_json::{Value, json};

use super::{Agent, OLDER_REVISIONS};
use crate::support::person::Person;
use crate::support::rss::feed;
use crate::support::{Reply, TestApp, on_each_world, run};

/// Page of the fixture site with two feeds, and the addresses of the feeds.
fn site(app: &TestApp) -> (String, [String; 2]) {
    let urls = ["/one.xml", "/two.xml"].map(|path| app.site.put(path, feed(1..=2)));
    let link = |url: &String| format!("<link rel=alternate type=application/rss+xml href={url}>");
    let page = app.site.put("/news", Reply::html(urls.iter().map(link).collect::<String>()));
    (page, urls)
}

fn follow(url: &str, responses: Option<Value>) -> Value {
    let mut params = json!({ "name": "follow", "arguments": { "url": url } });
    if let Some(responses) = responses {
        params["inputResponses"] = responses;
    }
    params
}

async fn followed(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, "/v1/rss/subscriptions").await.expect(200).json();
    list["subscriptions"].as_array().unwrap().iter().map(|known| known["feedUrl"].clone()).collect()
}

#[test]
fn elicitation_selects_one_of_several_feeds() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (page, [first, second]) = site(&app);
        let agent = Agent::of(&app, &who).at("/mcp").declaring(json!({ "elicitation": { "form": {} } }));
        let open = agent.request("tools/call", follow(&page, None)).await;
        assert_eq!(open["resultType"], "input_required", "{open}");
        let request = &open["inputRequests"]["feed"];
        assert_eq!(request["method"], "elicitation/create");
        let field = &request["params"]["requestedSchema"]["properties"]["feed"];
        assert_eq!((&field["enum"], &field["default"]), (&json!([first, second]), &json!(first)));
        assert!(followed(&app, &who).await.is_empty(), "nothing is followed before the choice");
        let unusable = json!({ "feed": { "action": "accept", "content": {} } });
        let again = agent.request("tools/call", follow(&page, Some(unusable))).await;
        assert_eq!(again["resultType"], "input_required", "a missing choice is requested again");
        let chosen = json!({ "feed": { "action": "accept", "content": { "feed": second } }, "other": {} });
        let done = agent.request("tools/call", follow(&page, Some(chosen))).await;
        assert_eq!((&done["resultType"], &done["isError"]), (&json!("complete"), &json!(false)), "{done}");
        assert_eq!(followed(&app, &who).await, [json!(second)]);
        let mut malformed = follow(&page, None);
        malformed["inputResponses"] = json!("second");
        assert_eq!(agent.error("tools/call", malformed).await.1["code"], -32602);
        let direct = agent.request("tools/call", follow(&first, None)).await;
        assert_eq!(direct["isError"], false, "the address of a feed leaves no choice: {direct}");
    });
}

#[test]
fn declined_elicitation_follows_no_feed() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let (page, _) = site(&app);
        let agent = Agent::of(&app, &who).at("/mcp").declaring(json!({ "elicitation": {} }));
        for action in ["decline", "cancel"] {
            let response = json!({ "feed": { "action": action } });
            let result = agent.request("tools/call", follow(&page, Some(response))).await;
            assert_eq!((&result["resultType"], &result["isError"]), (&json!("complete"), &json!(true)));
        }
        assert!(followed(&app, &who).await.is_empty());
    });
}

#[test]
fn client_without_forms_follows_the_first_feed() {
    run(async {
        let app = TestApp::spawn().await;
        let (page, [first, _]) = site(&app);
        let who = Person::free(&app).await;
        for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
            let agent = Agent::of(&app, &who).at("/mcp").declaring(capabilities);
            let done = agent.request("tools/call", follow(&page, None)).await;
            assert_eq!((&done["resultType"], &done["isError"]), (&json!("complete"), &json!(false)));
        }
        for revision in OLDER_REVISIONS {
            let agent = Agent { revision, ..Agent::of(&app, &who).at("/mcp") };
            let done = agent.request("tools/call", follow(&page, None)).await;
            assert_eq!((done.get("resultType"), &done["isError"]), (None, &json!(false)));
        }
        assert_eq!(followed(&app, &who).await, [json!(first)]);
    });
}
