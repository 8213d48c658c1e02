//! Log of tool calls and daily limit of a connection, as the owner sees and changes them.

use serde_json::json;

use super::{Agent, remaining_operations};
use crate::support::browser::Browser;
use crate::support::clock::{DAY, MINUTE};
use crate::support::oauth_clients::{Client, FULL_ACCESS};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, eventually, on_each_world, run};

/// Returns the path of the activity page of the account's only app.
async fn activity_path(app: &TestApp, who: &Person) -> String {
    let grants = identity::oauth::list(&app.app.domain, who.id).await.unwrap();
    format!("/settings/apps/{}/activity", grants[0].id)
}

/// Returns an agent with the person's key, a browser that has opened the activity page of the key, and its path.
async fn agent_with_page<'a>(app: &'a TestApp, who: &Person) -> (Agent<'a>, Browser<'a>, String) {
    let mut browser = Browser::new(app);
    browser.sign_in(&who.email).await;
    let path = format!("/settings/keys/{}/activity", who.key_id);
    browser.open(&path).await.expect(200);
    (Agent::of(app, who).at("/mcp"), browser, path)
}

#[test]
fn calls_of_an_app_are_listed_for_their_owner_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let client = Client::public(&app).await;
        let token = client.connect(&app, &who, FULL_ACCESS).await.access;
        let agent = Agent::of(&app, &who).at("/mcp").with_key(&token);
        agent.ask("search", json!({"query": "desks"})).await;
        agent.ask("annotate", json!({"text": "Private words."})).await;
        agent.refusal("fetch", json!({"id": "https://me:secret@10.0.0.1/page?token=x"})).await;
        let path = activity_path(&app, &who).await;
        let domain = &app.app.domain;
        let grants = identity::oauth::list(domain, who.id).await.unwrap();
        let name = identity::agents::ConnectionName::grant(grants[0].id);
        let count = async || identity::agents::calls(domain, who.id, &name, 10).await.unwrap().len();
        eventually("the calls are recorded", &count, |count| *count == 3).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open("/settings/apps").await.expect(200).text();
        assert!(page.contains(&format!("href=\"{path}\"")), "{page}");
        let text = browser.open(&path).await.expect(200).text();
        for words in [
            "<bdi>10.0.0.1/page</bdi>", "<code>search</code>", "<bdi>desks</bdi>", "<code>annotate</code>",
            "done",
        ] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        for words in ["Last errors", "What to do", "allowed to read and change", "last used"] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        browser.choose_language("de").await;
        let german = browser.open(&path).await.expect(200).text();
        for words in ["Die URL ist nicht gültig", "Verwende eine vollständige Adresse"] {
            assert!(german.contains(words), "{words} is missing in {german}");
        }
        assert!(!german.contains("lang=\"en\""), "{german}");
        let errors = identity::agents::failed_calls(domain, who.id, &name, 10).await.unwrap();
        assert_eq!(errors.iter().map(|call| call.tool.as_str()).collect::<Vec<_>>(), ["fetch"]);
        assert!(identity::agents::failed_calls(domain, other.id, &name, 10).await.unwrap().is_empty());
        for secret in ["Private words", "me:secret", "token=x"] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        assert_eq!(stranger.open(&path).await.status, 404);
        assert!(Browser::new(&app).open(&path).await.header("location").starts_with("/sign-in"));
        app.clock.advance(8 * DAY);
        identity::agents::delete_expired(domain).await.unwrap();
        assert_eq!(count().await, 0, "calls are stored for a week");
    });
}

#[test]
fn daily_limit_of_a_connection_refuses_further_calls() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (agent, mut browser, path) = agent_with_page(&app, &who).await;
        for wrong in ["many", "0", "2000000", "-1"] {
            let answer = browser.submit(&path, &[("callsPerDay", wrong)]).await.expect(422);
            assert!(answer.text().contains("There is a problem"), "{wrong}");
            browser.open(&path).await.expect(200);
        }
        browser.submit(&path, &[("callsPerDay", "2")]).await.expect(303);
        agent.ask("account", json!({})).await;
        agent.ask("account", json!({})).await;
        let refused = agent.refusal("account", json!({})).await;
        assert!(refused.contains("(daily_limit_reached)") && refused.contains("2 calls a day"), "{refused}");
        assert!(refused.contains("Next: wait "), "{refused}");
        let (key, _) = who.create_key(&app, kernel::Scopes::ALL, None).await;
        agent.with_key(&key).ask("account", json!({})).await;
        app.clock.advance(2 * DAY);
        agent.ask("account", json!({})).await;
        browser.open(&path).await.expect(200);
        browser.submit(&path, &[("callsPerDay", "")]).await.expect(303);
        for _ in 0..3 {
            agent.ask("account", json!({})).await;
        }
    });
}

#[test]
fn reconnected_app_retains_its_daily_limit() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let client = Client::public(&app).await;
        client.connect(&app, &who, FULL_ACCESS).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let path = activity_path(&app, &who).await;
        browser.open(&path).await.expect(200);
        browser.submit(&path, &[("callsPerDay", "1")]).await.expect(303);
        app.clock.advance(MINUTE);
        let token = client.connect(&app, &who, FULL_ACCESS).await.access;
        assert_ne!(activity_path(&app, &who).await, path, "each approval is a connection of its own");
        let agent = Agent::of(&app, &who).at("/mcp").with_key(&token);
        agent.ask("account", json!({})).await;
        assert!(agent.refusal("account", json!({})).await.contains("(daily_limit_reached)"));
        let other = Client::confidential(&app).await.connect(&app, &who, FULL_ACCESS).await.access;
        let agent = agent.with_key(&other);
        for _ in 0..2 {
            agent.ask("account", json!({})).await;
        }
    });
}

#[test]
fn calls_refused_by_a_limit_are_not_recorded() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who).at("/mcp");
        let call = async || {
            let params = json!({"name": "account", "arguments": {}});
            agent.request("tools/call", params).await["isError"] == false
        };
        let mut done = 0;
        while call().await {
            done += 1;
            assert!(done < 1_000, "no limit was reached");
        }
        app.clock.advance(MINUTE);
        assert!(call().await);
        let (domain, name) = (&app.app.domain, identity::agents::ConnectionName::key(who.key_id));
        let calls = async || identity::agents::calls(domain, who.id, &name, 1_000).await.unwrap();
        let recorded = eventually("the calls are recorded", &calls, |calls| calls.len() == done + 1).await;
        assert!(recorded.iter().all(|call| call.error.is_none()), "{recorded:?}");
    });
}

#[test]
fn list_of_calls_is_labelled_as_partial_only_if_more_calls_exist() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who).at("/mcp");
        let (domain, name) = (&app.app.domain, identity::agents::ConnectionName::key(who.key_id));
        let day = kernel::rfc3339(domain.now())[..10].to_owned();
        let call = identity::agents::CallRecord { tool: "search", target: "lamps", error: None, undo: None };
        for _ in 0..60 {
            identity::agents::record(domain, who.id, &name, call).await.unwrap();
        }
        let all = agent.ask("account", json!({"day": day})).await;
        assert!(all.starts_with(&format!("60 tool calls on {day}, newest first.")), "{all}");
        identity::agents::record(domain, who.id, &name, call).await.unwrap();
        let cut = agent.ask("account", json!({"day": day})).await;
        assert!(cut.starts_with(&format!("60 tool calls on {day}, the last ones of the day")), "{cut}");
    });
}

#[test]
fn approval_allows_a_single_call() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let (agent, mut browser, path) = agent_with_page(&app, &who).await;
        let rules = format!("{path}/approval-rules");
        let page = browser.open(&path).await.expect(200).text();
        assert!(page.contains("<code>/v1</code> need no approval"), "{page}");
        browser.submit(&rules, &[("tools", "annotate"), ("tools", "operations")]).await.expect(303);
        let note = json!({"text": "Buy lamps.", "tags": ["home"]});
        let refused = agent.refusal("annotate", note.clone()).await;
        assert!(refused.contains("(approval_required)") && refused.contains(&path), "{refused}");
        assert!(refused.contains("call annotate again with the same arguments"), "{refused}");
        agent.refusal("annotate", json!({"tags": ["home"], "text": "Buy lamps."})).await;
        assert!(agent.tool_error("delete_tag", json!({"name": "x"})).await["code"] == "approval_required");
        let mut dry_run = note.clone();
        dry_run["dryRun"] = true.into();
        agent.ask("annotate", dry_run).await;
        agent.ask("search", json!({"query": "lamps"})).await;
        agent.ask("save", json!({"text": "Lamps."})).await;

        let name = identity::agents::ConnectionName::key(who.key_id);
        let waiting = identity::agents::pending_approvals(&app.app.domain, who.id, &name).await.unwrap();
        assert_eq!(waiting.len(), 2, "equal calls wait as one: {waiting:?}");
        let hash = &waiting.iter().find(|call| call.tool == "annotate").unwrap().call_hash;
        let page = browser.open(&path).await.expect(200).text();
        assert!(page.contains("Buy lamps.") && page.contains("Approve"), "{page}");
        let approvals = format!("{path}/approvals");
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&other.email).await;
        stranger.open("/settings/apps").await.expect(200);
        let approve = [("call", hash.as_str()), ("decision", "approve")];
        stranger.submit(&approvals, &approve).await.expect(404);
        browser.submit(&approvals, &approve).await.expect(303);
        agent.refusal("annotate", json!({"text": "Something else."})).await;
        assert!(agent.ask("annotate", note.clone()).await.starts_with("Added note:"));
        agent.refusal("annotate", note.clone()).await;

        browser.open(&path).await.expect(200);
        browser.submit(&approvals, &approve).await.expect(303);
        app.clock.advance(DAY + MINUTE);
        let late = agent.refusal("annotate", note.clone()).await;
        assert!(late.contains("(approval_required)"), "an approval expires: {late}");
        app.clock.advance(DAY - MINUTE);
        browser.open(&path).await.expect(200);
        browser.submit(&approvals, &approve).await.expect(303);
        app.clock.advance(2 * MINUTE);
        let page = browser.open(&path).await.expect(200).text();
        assert!(page.contains("Withdraw"), "a valid approval is listed after its request expired: {page}");
        browser.submit(&approvals, &[("call", hash.as_str()), ("decision", "deny")]).await.expect(303);
        let withdrawn = agent.refusal("annotate", note.clone()).await;
        assert!(withdrawn.contains("(approval_required)"), "{withdrawn}");
        browser.open(&path).await.expect(200);
        browser.submit(&rules, &[]).await.expect(303);
        agent.ask("annotate", note).await;
    });
}

#[test]
fn call_refused_by_a_limit_does_not_consume_its_approval() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (agent, mut browser, path) = agent_with_page(&app, &who).await;
        browser.submit(&format!("{path}/approval-rules"), &[("tools", "annotate")]).await.expect(303);
        let note = json!({"text": "Buy lamps."});
        agent.refusal("annotate", note.clone()).await;
        let name = identity::agents::ConnectionName::key(who.key_id);
        let waiting = identity::agents::pending_approvals(&app.app.domain, who.id, &name).await.unwrap();
        let approve = [("call", waiting[0].call_hash.as_str()), ("decision", "approve")];
        browser.open(&path).await.expect(200);
        browser.submit(&format!("{path}/approvals"), &approve).await.expect(303);

        let mut done = 0;
        let params = json!({"name": "account", "arguments": {}});
        while agent.request("tools/call", params.clone()).await["isError"] == false {
            done += 1;
            assert!(done < 1_000, "no limit was reached");
        }
        let limited = agent.refusal("annotate", note.clone()).await;
        assert!(limited.contains("(rate_limited)"), "{limited}");
        app.clock.advance(MINUTE);
        let before = remaining_operations(&app, &who).await;
        assert!(agent.ask("annotate", note).await.starts_with("Added note:"));
        assert_eq!(remaining_operations(&app, &who).await, before - 2, "the call costs one operation");
    });
}

#[test]
fn call_with_invalid_arguments_does_not_consume_its_approval() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (agent, mut browser, path) = agent_with_page(&app, &who).await;
        browser
            .submit(&format!("{path}/approval-rules"), &[("tools", "annotate"), ("tools", "operations")])
            .await
            .expect(303);
        let name = identity::agents::ConnectionName::key(who.key_id);
        let waiting =
            async || identity::agents::pending_approvals(&app.app.domain, who.id, &name).await.unwrap();
        for invalid in [json!({"tags": ["home"]}), json!({"text": "x", "color": "pink"}), json!({"other": 1})]
        {
            let refused = agent.refusal("annotate", invalid).await;
            assert!(refused.contains("(invalid_request)"), "{refused}");
        }
        let all = Agent::of(&app, &who);
        assert_eq!(all.tool_error("delete_tag", json!({})).await["code"], "invalid_request");
        assert!(waiting().await.is_empty(), "an invalid call is not listed for the person");

        // The operation refuses these calls, after the approval.
        let missing = json!({"id": "item:00000000-0000-7000-8000-000000000000", "text": "x"});
        agent.refusal("annotate", missing.clone()).await;
        let call = waiting().await.remove(0);
        let approve = [("call", call.call_hash.as_str()), ("decision", "approve")];
        browser.open(&path).await.expect(200);
        browser.submit(&format!("{path}/approvals"), &approve).await.expect(303);
        let approved = waiting().await;
        assert!(approved[0].is_approved);
        for _ in 0..2 {
            assert!(agent.refusal("annotate", missing.clone()).await.contains("(not_found)"));
            assert_eq!(waiting().await, approved, "the approval is given back");
        }
    });
}

#[test]
fn secrets_of_a_call_are_masked_in_its_approval_request() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (_, mut browser, path) = agent_with_page(&app, &who).await;
        browser.submit(&format!("{path}/approval-rules"), &[("tools", "operations")]).await.expect(303);
        let call = json!({"name": "Lamps", "targetUrl": "https://shop.example/lamps",
            "credentials": {"bearer": "brass-and-oil"}});
        let refused = Agent::of(&app, &who).tool_error("create_web_monitor", call).await;
        assert_eq!(refused["code"], "approval_required");
        let page = browser.open(&path).await.expect(200).text();
        assert!(page.contains("shop.example/lamps") && page.contains("•••"), "{page}");
        let name = identity::agents::ConnectionName::key(who.key_id);
        let waiting = identity::agents::pending_approvals(&app.app.domain, who.id, &name).await.unwrap();
        assert!(!page.contains("brass-and-oil") && !waiting[0].arguments.contains("brass"), "{page}");
    });
}

#[test]
fn reconnected_app_retains_its_approval_rules() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let client = Client::public(&app).await;
        client.connect(&app, &who, FULL_ACCESS).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let path = activity_path(&app, &who).await;
        browser.open(&path).await.expect(200);
        browser.submit(&format!("{path}/approval-rules"), &[("tools", "save")]).await.expect(303);
        app.clock.advance(MINUTE);
        let token = client.connect(&app, &who, FULL_ACCESS).await.access;
        let agent = Agent::of(&app, &who).at("/mcp").with_key(&token);
        assert!(agent.refusal("save", json!({"text": "x"})).await.contains("(approval_required)"));
        browser.open(&path).await.expect(200);
        let wrong = browser.submit(&format!("{path}/approval-rules"), &[("tools", "search")]).await;
        assert!((400..500).contains(&wrong.status), "{}", wrong.status);
        assert!(agent.refusal("save", json!({"text": "x"})).await.contains("(approval_required)"));
    });
}
