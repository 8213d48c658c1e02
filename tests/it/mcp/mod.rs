//! MCP endpoint `/mcp`, called as agents call it: protocol, tools, resources, prompts, and refusals.

mod activity;
mod briefings;
mod builtin;
mod connecting;
mod default_set;
mod elicitation;
mod hostile_requests;
mod listening;
mod planner;
mod protocol;
mod refusals;
mod resources;
mod results;
mod schemas;
mod stdio;
mod tokens;
mod tools;
mod transfer_tasks;
mod undo;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp};

const NEWEST_REVISION: &str = "2026-07-28";
/// Older revisions of the protocol.
const OLDER_REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Path that lists all operations as tools, with structured content.
const ALL_OPERATIONS: &str = "/mcp/x/all?output=structured";

/// Agent with an API key and a protocol revision, at one of the MCP paths.
#[derive(Clone)]
struct Agent<'a> {
    app: &'a TestApp,
    key: String,
    path: &'a str,
    revision: &'static str,
    /// Capabilities that the client declares with each request of the newest revision.
    capabilities: Value,
}

impl<'a> Agent<'a> {
    fn of(app: &'a TestApp, who: &Person) -> Self {
        Self {
            app,
            key: who.key.clone(),
            path: ALL_OPERATIONS,
            revision: NEWEST_REVISION,
            capabilities: json!({}),
        }
    }

    fn at(&self, path: &'a str) -> Self {
        Self { path, ..self.clone() }
    }

    fn declaring(&self, capabilities: Value) -> Self {
        Self { capabilities, ..self.clone() }
    }

    fn with_key(&self, key: &str) -> Self {
        Self { key: key.to_owned(), ..self.clone() }
    }

    /// Sends a request in the agent's protocol revision.
    async fn send(&self, method: &str, params: Value) -> HttpAnswer {
        let mut params = params;
        let name = ["name", "uri", "taskId"].iter().find_map(|member| params[member].as_str());
        let name = name.unwrap_or_default().to_owned();
        let mut headers = vec![("authorization", format!("Bearer {}", self.key))];
        headers.push(("mcp-protocol-version", self.revision.to_owned()));
        if self.revision == NEWEST_REVISION {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": NEWEST_REVISION,
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
            headers.push(("mcp-method", method.to_owned()));
            if ["tools/call", "prompts/get", "resources/read"].contains(&method)
                || method.starts_with("tasks/")
            {
                headers.push(("mcp-name", name));
            }
        }
        let body = json!({ "jsonrpc": "2.0", "id": "one", "method": method, "params": params });
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.app.post_with(self.path, &headers, &body).await
    }

    /// Sends a request, asserts that it succeeds, and returns its result.
    #[track_caller]
    fn request(&self, method: &str, params: Value) -> impl Future<Output = Value> {
        let (agent, method) = (self.clone(), method.to_owned());
        async move {
            let answer = agent.send(&method, params).await.expect(200).json();
            assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!("one")), "{answer}");
            assert!(answer.get("error").is_none(), "{method}: {answer}");
            answer["result"].clone()
        }
    }

    /// Sends a request, asserts that it fails, and returns the HTTP status and the error.
    async fn error(&self, method: &str, params: Value) -> (u16, Value) {
        let answer = self.send(method, params).await;
        let body = answer.json();
        assert!(body["error"].is_object(), "{method}: {body}");
        assert_eq!(body["id"], "one");
        (answer.status, body["error"].clone())
    }

    /// Calls a tool, asserts that it succeeds, and returns its structured content.
    async fn call(&self, name: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert_eq!(result["isError"], false, "{name}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"], "{name}");
        assert_eq!(text, result["structuredContent"].to_string(), "the text of {name} is compact JSON");
        result["structuredContent"].clone()
    }

    /// Calls a tool, asserts that it fails, and returns the error.
    async fn tool_error(&self, name: &str, arguments: Value) -> Value {
        let result = self.request("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert_eq!(result["isError"], true, "{name}: {result}");
        assert!(result.get("structuredContent").is_none(), "{result}");
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
    }

    /// Calls a default tool, asserts that it succeeds, and returns its text.
    async fn ask(&self, name: &str, arguments: Value) -> String {
        let result = self.request("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert_eq!(result["isError"], false, "{name}: {result}");
        assert!(result.get("structuredContent").is_none(), "{name}: {result}");
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Calls a default tool, asserts that it is refused, and returns its text.
    async fn refusal(&self, name: &str, arguments: Value) -> String {
        let result = self.request("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert_eq!(result["isError"], true, "{name}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Lists the tools.
    async fn tools(&self) -> Vec<Value> {
        self.request("tools/list", json!({})).await["tools"].as_array().unwrap().clone()
    }

    async fn tool_names(&self) -> Vec<String> {
        self.tools().await.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// Returns the remaining operations of the day. The request itself costs one operation.
async fn remaining_operations(app: &TestApp, who: &Person) -> u32 {
    who.send(app, Method::GET, "/v1/me").await.expect(200).rate_limit("day").0
}

/// Returns the first mismatch between a value and a schema. Fields without a schema are accepted. `None` if
/// the value matches.
fn schema_error(schema: &Value, value: &Value) -> Option<String> {
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let fits = alternatives.iter().any(|one| schema_error(one, value).is_none());
        return (!fits).then(|| format!("{value} is not {schema}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let known = &schema["type"];
    let fits = known.is_null() || known == kind || (known == "number" && kind == "integer");
    if !fits {
        return Some(format!("{value} is not {schema}"));
    }
    let missing = schema["required"].as_array().into_iter().flatten();
    if let Some(name) =
        missing.filter(|_| value.is_object()).find(|name| value.get(name.as_str().unwrap()).is_none())
    {
        return Some(format!("{name} is missing in {value}"));
    }
    match value {
        Value::Array(items) => items.iter().find_map(|item| schema_error(&schema["items"], item)),
        Value::Object(fields) => {
            fields.iter().find_map(|(name, field)| schema_error(&schema["properties"][name.as_str()], field))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
