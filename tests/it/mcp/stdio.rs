//! `carrel mcp` as a subprocess of a client.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::NEWEST_REVISION;
use crate::support::person::Person;
use crate::support::servers::CARREL;
use crate::support::{Setup, World, run};

/// Writes the lines to `carrel mcp` and waits for an answer after each line that is marked with `true`.
/// Returns the answers, the standard error output, and whether the process succeeded.
fn run_stdio(
    arguments: &[&str],
    settings: &[(&str, &str)],
    lines: &[(Value, bool)],
) -> (Vec<Value>, String, bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(CARREL)
        .arg("mcp")
        .args(arguments)
        .env_clear()
        .envs(settings.iter().copied())
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answers = Vec::new();
    for (line, is_answered) in lines {
        let text = line.as_str().map_or_else(|| line.to_string(), str::to_owned);
        writeln!(input, "{text}").unwrap();
        if *is_answered {
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            answers.push(serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}")));
        }
    }
    drop(input);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).unwrap();
    assert_eq!(rest, "", "nothing else is printed");
    let ended = child.wait_with_output().unwrap();
    (answers, String::from_utf8(ended.stderr).unwrap(), ended.status.success())
}

#[test]
fn program_is_connected_until_its_input_closes() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let (origin, key) = (app.origin.clone(), who.key.clone());
        let answers = tokio::task::spawn_blocking(move || {
            let lines = [
                (
                    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}),
                    true,
                ),
                (json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), false),
                (json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}), true),
                (
                    json!({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "get_account_capabilities"}}),
                    true,
                ),
                (
                    json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": "svc://x", "_meta": {
                        "io.modelcontextprotocol/protocolVersion": NEWEST_REVISION, "io.modelcontextprotocol/clientCapabilities": {},
                    }}}),
                    true,
                ),
                (json!("{\"jsonrpc\":"), true),
            ];
            run_stdio(
                &["--group", "core", "--readonly"],
                &[("CARREL_URL", &origin), ("CARREL_API_KEY", &key)],
                &lines,
            )
        });
        let (answers, stderr, succeeded) = answers.await.unwrap();
        assert!(succeeded && stderr.is_empty(), "{stderr}");
        assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(answers[0]["result"]["capabilities"]["resources"], json!({}), "there is no GET stream");
        let tools = answers[1]["result"]["tools"].as_array().unwrap();
        assert!(tools.len() < 25 && tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
        assert_eq!(
            (&answers[2]["id"], &answers[2]["result"]["structuredContent"]["userId"]),
            (&json!("c"), &json!(who.id.to_string()))
        );
        assert_eq!((&answers[3]["id"], &answers[3]["error"]["code"]), (&json!(3), &json!(-32602)));
        assert_eq!((&answers[4]["id"], &answers[4]["error"]["code"]), (&Value::Null, &json!(-32700)));
    });
}

#[test]
fn open_stream_is_closed_with_the_input() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let (origin, key) = (app.origin.clone(), who.key.clone());
        let ended = tokio::task::spawn_blocking(move || {
            let params = json!({"notifications": {"toolsListChanged": true}, "_meta": {
                "io.modelcontextprotocol/protocolVersion": NEWEST_REVISION,
                "io.modelcontextprotocol/clientCapabilities": {},
            }});
            let listen =
                json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params});
            run_stdio(&[], &[("CARREL_URL", &origin), ("CARREL_API_KEY", &key)], &[(listen, true)])
        });
        let (answers, stderr, succeeded) = ended.await.unwrap();
        assert!(succeeded && stderr.is_empty(), "{stderr}");
        assert_eq!(answers[0]["method"], "notifications/subscriptions/acknowledged");
    });
}

#[test]
fn cancelled_call_has_no_response() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        let (origin, key, url) = (app.origin.clone(), who.key.clone(), app.site.article("/slow"));
        let ended = tokio::task::spawn_blocking(move || {
            let call = json!({"name": "read_article", "arguments": {"url": url}});
            let lines = [
                (json!({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call}), false),
                (
                    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}}),
                    false,
                ),
                (
                    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
                    false,
                ),
                (json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}), true),
            ];
            run_stdio(&["--group", "all"], &[("CARREL_URL", &origin), ("CARREL_API_KEY", &key)], &lines)
        });
        let (answers, stderr, succeeded) = ended.await.unwrap();
        assert!(succeeded && stderr.is_empty(), "{stderr}");
        assert_eq!(answers, [json!({"jsonrpc": "2.0", "id": 2, "result": {}})]);
    });
}

#[test]
fn service_errors_are_reported_as_protocol_errors() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let origin = app.origin.clone();
        let ended = tokio::task::spawn_blocking(move || {
            let ping = [(json!({"jsonrpc": "2.0", "id": 7, "method": "ping"}), true)];
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("key");
            std::fs::write(&file, "svc_nonsense\n").unwrap();
            let refused =
                run_stdio(&["--key-file", file.to_str().unwrap()], &[("CARREL_URL", &origin)], &ping);
            let unreachable =
                run_stdio(&[], &[("CARREL_URL", "http://127.0.0.1:9"), ("CARREL_API_KEY", "svc_x")], &ping);
            let faults = [
                run_stdio(&[], &[("CARREL_API_KEY", "svc_x")], &[]),
                run_stdio(&[], &[("CARREL_URL", &origin)], &[]),
                run_stdio(
                    &[],
                    &[("CARREL_URL", "http://carrel.example.org"), ("CARREL_API_KEY", "svc_x")],
                    &[],
                ),
                run_stdio(
                    &["--group", "nothing"],
                    &[("CARREL_URL", &origin), ("CARREL_API_KEY", "svc_x")],
                    &[],
                ),
            ];
            (refused, unreachable, faults)
        });
        let (refused, unreachable, faults) = ended.await.unwrap();
        let error = &refused.0[0]["error"];
        assert_eq!((&refused.0[0]["id"], &error["data"]["status"]), (&json!(7), &json!(401)));
        assert_eq!(error["data"]["code"], "invalid_credential");
        assert!(
            unreachable.0[0]["error"]["message"].as_str().unwrap().contains("cannot be reached"),
            "{unreachable:?}"
        );
        assert!(refused.2 && unreachable.2);
        for (_, stderr, succeeded) in faults {
            assert!(!succeeded && !stderr.is_empty());
        }
    });
}
