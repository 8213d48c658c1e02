//! Imports and exports as tasks of the extension `io.modelcontextprotocol/tasks`.

use identity::agents::{self, ConnectionName};
use serde_json::{Value, json};

use super::{Agent, OLDER_REVISIONS};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, on_each_world, run};

const FILE: &str = "title,url,time_added,tags,status\nA,https://example.com/a,1600000000,,unread\n";

/// Agent whose client polls tasks.
fn polling<'a>(app: &'a TestApp, who: &Person) -> Agent<'a> {
    Agent::of(app, who).declaring(json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } }))
}

fn import(is_dry: bool) -> Value {
    let arguments = json!({"text": FILE, "format": "pocket_csv", "fileName": "pocket.csv", "dryRun": is_dry});
    json!({ "name": "import_library", "arguments": arguments })
}

#[test]
fn import_is_polled_as_a_task_until_its_result_is_available() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let agent = polling(&app, &who);
        let discovery = agent.request("server/discover", json!({})).await;
        assert!(discovery["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object());
        let created = agent.request("tools/call", import(false)).await;
        assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")));
        for member in ["createdAt", "lastUpdatedAt"] {
            assert!(created[member].as_str().unwrap().ends_with('Z'), "{created}");
        }
        assert!(created["ttlMs"].as_i64().unwrap() > 0 && created["pollIntervalMs"].is_number(), "{created}");
        assert!(created.get("content").is_none(), "{created}");
        let id = json!({ "taskId": created["taskId"] });
        app.run_jobs().await;
        let done = agent.request("tasks/get", id.clone()).await;
        assert_eq!((&done["resultType"], &done["status"]), (&json!("complete"), &json!("completed")));
        assert_eq!(done["createdAt"], created["createdAt"]);
        let result = &done["result"];
        assert_eq!((&result["isError"], &result["resultType"]), (&json!(false), &json!("complete")));
        assert_eq!(result["structuredContent"]["import"]["created"], 1, "{done}");
        let unknown = json!({ "taskId": id["taskId"], "inputResponses": { "x": { "action": "accept" } } });
        assert_eq!(agent.request("tasks/update", unknown).await, json!({ "resultType": "complete" }));
        assert_eq!(agent.request("tasks/cancel", id.clone()).await, json!({ "resultType": "complete" }));
        assert_eq!(agent.request("tasks/get", id.clone()).await["status"], "completed");
        let stranger = polling(&app, &other);
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            assert_eq!(stranger.error(method, id.clone()).await.1["code"], -32602, "{method}");
            assert_eq!(agent.error(method, json!({ "taskId": "nothing" })).await.1["code"], -32602);
        }
    });
}

#[test]
fn task_is_cancelled_and_its_import_stops() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let agent = polling(&app, &who);
        let created = agent.request("tools/call", import(true)).await;
        let id = json!({ "taskId": created["taskId"] });
        let working = agent.request("tasks/get", id.clone()).await;
        assert_eq!((&working["status"], working.get("result")), (&json!("working"), None));
        let readonly = agent.at("/mcp/x/all/readonly");
        assert_eq!(readonly.error("tasks/cancel", id.clone()).await.1["code"], -32602);
        let (domain, key) = (&app.app.domain, ConnectionName::key(who.key_id));
        agents::set_approval_rules(domain, who.id, &key, &["operations".to_owned()]).await.unwrap();
        let (_, refused) = agent.error("tasks/cancel", id.clone()).await;
        assert_eq!(refused["data"]["code"], "approval_required", "{refused}");
        assert_eq!(agent.request("tasks/get", id.clone()).await["status"], "working");
        agents::set_approval_rules(domain, who.id, &key, &[]).await.unwrap();
        agent.request("tasks/cancel", id.clone()).await;
        assert_eq!(agent.request("tasks/get", id).await["status"], "cancelled");
    });
}

#[test]
fn export_is_a_task() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::free(&app).await;
        let agent = polling(&app, &who);
        let call = json!({ "name": "export_library", "arguments": { "format": "csv" } });
        let created = agent.request("tools/call", call).await;
        assert!(created["taskId"].as_str().unwrap().starts_with("export:"), "{created}");
        app.run_jobs().await;
        let done = agent.request("tasks/get", json!({ "taskId": created["taskId"] })).await;
        assert_eq!(done["result"]["structuredContent"]["export"]["state"], "complete", "{done}");
    });
}

#[test]
fn client_without_the_extension_gets_results_and_no_tasks() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let agent = Agent::of(&app, &who);
        let result = agent.request("tools/call", import(true)).await;
        assert_eq!((&result["resultType"], &result["isError"]), (&json!("complete"), &json!(false)));
        let task = format!("import-check:{}", result["structuredContent"]["import"]["id"].as_str().unwrap());
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let (status, error) = agent.error(method, json!({ "taskId": task })).await;
            assert_eq!((status, &error["code"]), (400, &json!(-32021)), "{method}");
            let required = &error["data"]["requiredCapabilities"]["extensions"];
            assert!(required["io.modelcontextprotocol/tasks"].is_object(), "{error}");
            for revision in OLDER_REVISIONS {
                let older = Agent { revision, ..polling(&app, &who) };
                assert_eq!(older.error(method, json!({ "taskId": task })).await.1["code"], -32601);
            }
        }
        let missing = polling(&app, &who).error("tasks/get", json!({})).await;
        assert_eq!(missing.1["code"], -32602);
    });
}
