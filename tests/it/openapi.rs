//! The API descriptions are the contract of their surfaces. Snapshots make every change visible.

use std::process::Command;

use serde_json::Value;

use crate::support::operations::{Operation, resolve_reference, schema_error};
use crate::support::servers::CARREL;

fn printed(surface: &str) -> Value {
    let output = Command::new(CARREL)
        .args(["openapi", surface])
        .env_clear()
        .env("CARREL_READER_URL", "https://read.carrel.example")
        .env("CARREL_BASE_URL", "https://api.carrel.example")
        .current_dir(std::env::temp_dir())
        .output()
        .expect("carrel runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a document")
}

#[test]
fn reader_description_matches_its_snapshot() {
    insta::assert_snapshot!("openapi_reader", serde_json::to_string_pretty(&printed("reader")).unwrap());
}

#[test]
fn developer_api_description_matches_its_snapshot() {
    insta::assert_snapshot!(
        "openapi_developer",
        serde_json::to_string_pretty(&printed("developer")).unwrap()
    );
}

#[test]
fn operation_without_parameters_omits_the_member() {
    for surface in ["reader", "developer"] {
        for (path, methods) in printed(surface)["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let parameters = operation.get("parameters");
                assert!(parameters.is_none_or(Value::is_array), "{method} {path}: {parameters:?}");
            }
        }
    }
}

#[test]
fn reader_description_contains_every_operation() {
    let document = printed("reader");
    assert_eq!(document["openapi"], "3.1.0");
    let mut operations: Vec<String> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if ["head", "options"].contains(&method.as_str()) {
                continue;
            }
            operations.push(format!("{} {method} {path}", operation["operationId"].as_str().unwrap()));
            assert!(operation["summary"].is_string(), "{path}");
            assert_eq!(operation["security"], serde_json::json!([]), "{path}");
        }
    }
    operations.sort();
    assert_eq!(
        operations,
        [
            "createReadJob post /api/v1/read/jobs",
            "getReadJob get /api/v1/read/jobs/{jobId}",
            "readByPrefix get /{url}",
            "readPublicUrl get /api/v1/read",
            "readPublicUrlJson post /api/v1/read",
            "readPublicUrls post /api/v1/read/batch",
            "sandboxRead get /api/v1/sandbox/read",
            "verifyQuotes post /api/v1/read/verify",
        ]
    );
}

#[test]
fn developer_api_description_contains_every_operation() {
    let mut written = std::collections::BTreeSet::new();
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/api/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let code = std::fs::read_to_string(&path).unwrap();
            let ids = code.split("operation_id = \"").skip(1).map(|rest| rest.split('"').next().unwrap());
            written.extend(ids.map(str::to_owned));
        }
    }
    let all_operations: std::collections::BTreeSet<String> =
        Operation::all(&printed("developer")).into_iter().map(|operation| operation.id).collect();
    assert!(all_operations.contains("saveLibraryItem"));
    assert_eq!(all_operations, written);
}

/// Returns every operation of both documents, with its document.
fn all_operations() -> Vec<(Value, Operation)> {
    let of = |surface: &str| {
        let document = printed(surface);
        let operations = Operation::all(&document);
        operations.into_iter().map(move |operation| (document.clone(), operation)).collect::<Vec<_>>()
    };
    ["reader", "developer"].into_iter().flat_map(of).collect()
}

#[test]
fn every_response_has_a_valid_example() {
    let mut checked = 0;
    for (document, operation) in all_operations() {
        for (status, response) in operation.description["responses"].as_object().unwrap() {
            let response = resolve_reference(&document, response);
            assert!(response.get("content").is_none_or(Value::is_object), "{} {status}", operation.id);
            let contents = response["content"].as_object().into_iter().flatten();
            for (kind, media) in contents.filter(|(kind, _)| *kind != "text/html") {
                let about = format!("{} {status} {kind}", operation.id);
                let example = media.get("example").unwrap_or_else(|| panic!("{about} has no example"));
                assert_eq!(schema_error(&document, &media["schema"], example), None, "{about}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked} answers");
}

#[test]
fn every_request_body_has_a_valid_example() {
    let mut kinds = Vec::new();
    for (document, operation) in all_operations() {
        let body = &operation.description["requestBody"]["content"];
        for (kind, media) in body.as_object().into_iter().flatten() {
            let about = format!("{} {kind}", operation.id);
            let example = media.get("example").unwrap_or_else(|| panic!("{about} has no example"));
            assert_eq!(schema_error(&document, &media["schema"], example), None, "{about}");
            if operation.id == "importOpml" {
                kinds.push(kind.clone());
            }
        }
    }
    assert!(
        kinds.iter().any(|kind| kind == "multipart/form-data"),
        "an OPML list may be sent as a form: {kinds:?}"
    );
}

#[test]
fn every_reader_response_documents_its_rate_limit_headers() {
    let document = printed("reader");
    for operation in Operation::all(&document) {
        for (status, response) in operation.description["responses"].as_object().unwrap() {
            let headers = resolve_reference(&document, response)["headers"].as_object().unwrap();
            for name in ["RateLimit-Policy", "RateLimit", "RateLimit-Remaining", "X-RateLimit-Reset"] {
                let header = headers.get(name).unwrap_or_else(|| panic!("{} {status} {name}", operation.id));
                assert!(resolve_reference(&document, header)["example"].is_string());
            }
        }
    }
}

#[test]
fn operation_ids_are_unique() {
    for surface in ["reader", "developer"] {
        let operations = Operation::all(&printed(surface));
        let ids: std::collections::BTreeSet<&str> = operations.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids.len(), operations.len());
    }
}
