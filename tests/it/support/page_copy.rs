//! Copies of the pages of items, imported from an archive, so that no browser is needed.

use std::io::{Cursor, Write};

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::form::{Field, with_form};
use super::person::Person;
use super::{HttpAnswer, TestApp};

/// Copy with a script, which must not run.
pub(crate) const COPY: &str = "<!doctype html><p>Copied words.</p><script>document.title = 'ran'</script>";

/// Returns the checksum of a file in the format of responses.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)))
}

/// Imports an archive with [`COPY`] as the copy of the page of an item. Returns the import.
pub(crate) async fn import_copy(app: &TestApp, who: &Person, item: &str) -> Value {
    let manifest =
        json!({"type": "manifest", "format": "svc_jsonl", "version": 1, "exportedAt": 1, "part": 1});
    let path = format!("copies/{item}.html");
    let file = json!({"name": "page.html", "mimeType": "text/html", "size": COPY.len(),
        "checksum": checksum(COPY.as_bytes()), "path": path, "at": 1});
    let line = json!({"type": "page_copy", "itemId": item, "format": "html",
        "statement": "Left out: 1 picture.", "file": file});
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("manifest.json", manifest.to_string()),
        ("page_copies/000001.jsonl", format!("{line}\n")),
        (path.as_str(), COPY.to_owned()),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    import(app, who, &zip.finish().unwrap().into_inner()).await
}

/// Imports an archive and waits until the import is finished.
pub(crate) async fn import(app: &TestApp, who: &Person, archive: &[u8]) -> Value {
    import_with(app, who, archive, b"false").await
}

/// Imports an archive in a dry run and waits until it is finished.
pub(crate) async fn try_import(app: &TestApp, who: &Person, archive: &[u8]) -> Value {
    import_with(app, who, archive, b"true").await
}

async fn import_with(app: &TestApp, who: &Person, archive: &[u8], dry_run: &[u8]) -> Value {
    let parts = [
        Field { name: "dryRun", file: None, body: dry_run },
        Field { name: "file", file: Some(("library.zip", "application/zip")), body: archive },
    ];
    let request = app.request(Method::POST, "/v1/library/imports").header("x-api-key", &who.key);
    let made = HttpAnswer::of(with_form(request, &parts).send().await.unwrap()).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/imports/{}", made["import"]["id"].as_str().unwrap());
    let import = who.get(app, &path).await.expect(200).json()["import"].clone();
    assert_eq!((&import["state"], &import["problems"]), (&json!("complete"), &json!([])), "{import}");
    import
}
