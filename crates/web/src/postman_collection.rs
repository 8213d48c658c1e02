//! Operations of an API description as a collection in the format of Postman (version 2.1), which other API
//! clients, such as Bruno, import as well.

use serde_json::{Value, json};

use super::api_fields::string_member;
use super::operations::Reference;
use super::samples::OperationRef;
use super::samples::call::{Call, CallBody, FormPart, pretty};

/// Schema of the format.
const SCHEMA: &str = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/// Creates the collection: a folder for each group, a request for each operation. Its variables are the address of
/// the service (`baseUrl`) and the API key (`key`).
pub(super) fn postman_collection(document: &Value) -> Value {
    let server = string_member(&document["servers"][0], "url");
    let mut folders: Vec<(&str, Vec<Value>)> = Vec::new();
    for (group, op) in Reference::of(document).all() {
        let request = request(server, op);
        match folders.last_mut() {
            Some((name, requests)) if *name == group => requests.push(request),
            _ => folders.push((group, vec![request])),
        }
    }
    let folders: Vec<Value> =
        folders.into_iter().map(|(name, requests)| json!({"name": name, "item": requests})).collect();
    json!({
        "info": {
            "name": string_member(&document["info"], "title"),
            "description": string_member(&document["info"], "description"),
            "schema": SCHEMA,
        },
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{key}}", "type": "string"}]},
        "variable": [
            {"key": "baseUrl", "value": server},
            {"key": "key", "value": ""},
        ],
        "item": folders,
    })
}

fn request(server: &str, op: OperationRef<'_>) -> Value {
    let call = Call::of(op.document, (op.path, op.method), op.operation);
    let path_and_query = call.url.strip_prefix(server).unwrap_or(&call.url);
    let headers = call.headers().into_iter().map(|(name, value)| json!({"key": name, "value": value}));
    let mut request = json!({
        "method": call.method,
        "header": headers.collect::<Vec<_>>(),
        "url": postman_url(path_and_query),
        "description": string_member(op.operation, "description"),
    });
    if let Some(body) = &call.body {
        request["body"] = body_of(body);
    }
    json!({"name": string_member(op.operation, "summary"), "request": request})
}

/// Returns Postman's object for a URL: the variable `baseUrl`, the path segments, and the query parameters.
fn postman_url(path_and_query: &str) -> Value {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let pairs: Vec<Value> = pairs.map(|(name, value)| json!({"key": name, "value": value})).collect();
    json!({
        "raw": format!("{{{{baseUrl}}}}{path_and_query}"),
        "host": ["{{baseUrl}}"],
        "path": segments,
        "query": pairs,
    })
}

fn body_of(body: &CallBody<'_>) -> Value {
    match body {
        CallBody::Json(example) => {
            json!({"mode": "raw", "raw": pretty(example), "options": {"raw": {"language": "json"}}})
        }
        CallBody::Form(fields) => {
            let fields = fields.iter().map(|(name, part)| match part {
                FormPart::Text(value) => json!({"key": name, "type": "text", "value": value}),
                FormPart::File => json!({"key": name, "type": "file", "src": ""}),
            });
            json!({"mode": "formdata", "formdata": fields.collect::<Vec<_>>()})
        }
        CallBody::File(..) => json!({"mode": "file", "file": {"src": ""}}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collection_has_a_folder_per_group_and_a_request_per_operation() {
        let document = json!({
            "info": {"title": "Desk", "description": "About."},
            "servers": [{"url": "https://api.example.org"}],
            "tags": [{"name": "Lamps"}],
            "paths": {"/v1/lamps/{id}": {"patch": {
                "operationId": "updateLamp", "summary": "Update a lamp", "tags": ["Lamps"],
                "parameters": [
                    {"name": "id", "in": "path", "required": true, "schema": {"examples": ["7"]}},
                    {"name": "mode", "in": "query", "required": true, "schema": {"examples": ["dim"]}},
                ],
                "requestBody": {"content": {"application/json": {"example": {"on": true}}}},
                "responses": {},
            }}},
        });
        let all = postman_collection(&document);
        assert_eq!(all["item"][0]["name"], "Lamps");
        let request = &all["item"][0]["item"][0]["request"];
        assert_eq!(request["method"], "PATCH");
        assert_eq!(request["url"]["raw"], "{{baseUrl}}/v1/lamps/7?mode=dim");
        assert_eq!(request["url"]["path"], json!(["v1", "lamps", "7"]));
        assert_eq!(request["url"]["query"], json!([{"key": "mode", "value": "dim"}]));
        let body: Value = serde_json::from_str(request["body"]["raw"].as_str().unwrap()).unwrap();
        assert_eq!(body, json!({"on": true}));
        assert_eq!(all["variable"][0]["value"], "https://api.example.org");
    }
}
