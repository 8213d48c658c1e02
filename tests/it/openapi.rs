//! The reader's description is the contract of its surface: every change of it is seen here.

use std::process::Command;

use serde_json::Value;

use crate::support::servers::CARREL;

fn printed() -> Value {
    let output = Command::new(CARREL)
        .args(["openapi", "reader"])
        .env_clear()
        .env("CARREL_READER_URL", "https://read.carrel.example")
        .current_dir(std::env::temp_dir())
        .output()
        .expect("carrel runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a document")
}

#[test]
fn the_readers_description_is_what_it_was() {
    insta::assert_snapshot!("openapi_reader", serde_json::to_string_pretty(&printed()).unwrap());
}

#[test]
fn every_operation_of_the_contract_is_described() {
    let document = printed();
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
