//! The descriptions are the contract of their surfaces: every change of them is seen here.

use std::process::Command;

use serde_json::Value;

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
fn the_readers_description_is_what_it_was() {
    insta::assert_snapshot!("openapi_reader", serde_json::to_string_pretty(&printed("reader")).unwrap());
}

#[test]
fn the_developer_apis_description_is_what_it_was() {
    insta::assert_snapshot!(
        "openapi_developer",
        serde_json::to_string_pretty(&printed("developer")).unwrap()
    );
}

#[test]
fn an_operation_without_parameters_has_no_member_for_them() {
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
fn every_operation_of_the_contract_is_described() {
    let document = printed("reader");
    assert_eq!(document["openapi"], "3.1.0");
    let mut operations: Vec<String> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
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
