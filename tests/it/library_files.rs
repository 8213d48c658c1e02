//! Files of items through HTTP: sent as a body or in a form, downloaded whole or in ranges, replaced, and
//! removed.

use data_encoding::BASE64;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::form::{Field, with_form};
use crate::support::person::Person;
use crate::support::{HttpAnswer, TestApp, on_each_world};

const PDF: &[u8] = b"%PDF-1.7 nothing in it";

/// Creates an item that waits for its file.
async fn pending(app: &TestApp, who: &Person, name: &str) -> String {
    let saved = who.post(app, "/v1/library/items", &json!({ "fileName": name })).await.expect(201).json();
    assert_eq!(saved["item"]["articleStatus"], "awaiting_upload");
    assert_eq!(saved["item"]["asset"], Value::Null);
    saved["item"]["id"].as_str().unwrap().to_owned()
}

fn path(id: &str) -> String {
    format!("/v1/library/items/{id}/file")
}

async fn put(app: &TestApp, who: &Person, id: &str, headers: &[(&str, &str)], body: &[u8]) -> HttpAnswer {
    let mut request = app.request(Method::PUT, &path(id)).header("x-api-key", &who.key).body(body.to_vec());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    HttpAnswer::of(request.send().await.unwrap()).await
}

async fn get(app: &TestApp, who: &Person, id: &str, method: Method, headers: &[(&str, &str)]) -> HttpAnswer {
    let mut all = vec![("x-api-key", who.key.as_str())];
    all.extend_from_slice(headers);
    app.send(method, &path(id), &all, None).await
}

#[test]
fn file_is_uploaded_extracted_and_downloaded() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let id = pending(&app, &who, "Notes.md").await;
        let body = b"# The title\n\nSome words of a note that somebody wrote.";
        let made = put(&app, &who, &id, &[("content-type", "text/markdown")], body).await.expect(201).json();
        let item = &made["item"];
        let checksum = format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(body)));
        assert_eq!((&item["format"], &item["articleStatus"]), (&json!("markdown"), &json!("queued")));
        let asset = &item["asset"];
        assert_eq!((&asset["fileName"], &asset["size"]), (&json!("Notes.md"), &json!(body.len())));
        assert_eq!((&asset["checksum"], &asset["itemId"]), (&json!(checksum), &json!(id)));
        assert!(asset["downloadUrl"].as_str().unwrap().ends_with(&path(&id)));

        let whole = get(&app, &who, &id, Method::GET, &[]).await.expect(200);
        assert_eq!(
            (whole.body.as_slice(), whole.header("content-type")),
            (&body[..], "application/octet-stream")
        );
        assert_eq!(whole.header("etag"), format!("\"{checksum}\""));
        assert_eq!(
            whole.header("repr-digest"),
            format!("sha-256=:{}:", BASE64.encode(&Sha256::digest(body)))
        );
        assert!(whole.header("content-disposition").contains("filename*=UTF-8''Notes.md"));
        let head = get(&app, &who, &id, Method::HEAD, &[]).await.expect(200);
        assert_eq!((head.body.len(), head.header("content-length")), (0, body.len().to_string().as_str()));
        let part = get(&app, &who, &id, Method::GET, &[("range", "bytes=2-4")]).await.expect(206);
        assert_eq!(part.body, b"The");
        get(&app, &who, &id, Method::GET, &[("range", "bytes=900-")]).await.expect(416);
        get(&app, &who, &id, Method::GET, &[("if-none-match", whole.header("etag"))]).await.expect(304);
        for method in [Method::GET, Method::DELETE] {
            get(&app, &other, &id, method, &[]).await.expect(404);
        }
        put(&app, &other, &id, &[], body).await.expect(404);

        app.tick().await;
        app.run_jobs().await;
        let answer =
            who.get(&app, &format!("/v1/library/items/{id}?includeContent=true")).await.expect(200).json();
        assert_eq!(answer["item"]["articleStatus"], "ready", "{answer}");
        assert!(answer["item"]["article"]["textContent"].as_str().unwrap().contains("Some words"));

        get(&app, &who, &id, Method::DELETE, &[]).await.expect(204);
        get(&app, &who, &id, Method::DELETE, &[]).await.expect(404);
        get(&app, &who, &id, Method::GET, &[]).await.expect(404);
        let after_removal = who.get(&app, &format!("/v1/library/items/{id}")).await.expect(200).json();
        assert_eq!(
            (&after_removal["item"]["asset"], &after_removal["item"]["articleStatus"]),
            (&Value::Null, &json!("ready"))
        );
    });
}

#[test]
fn file_that_contradicts_its_declaration_is_refused() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let id = pending(&app, &who, "a.bin").await;
        let code = |answer: HttpAnswer, status: u16| {
            answer.expect(status).json()["code"].as_str().unwrap().to_owned()
        };
        let lie = put(&app, &who, &id, &[("content-type", "image/png")], PDF).await.expect(415).json();
        assert_eq!(lie["code"], "unsupported_media_type");
        assert_eq!(lie["details"], "/file: declared=image/png found=application/pdf");
        let gzip = [("content-encoding", "gzip")];
        assert_eq!(code(put(&app, &who, &id, &gzip, PDF).await, 415), "unsupported_media_type");
        let wrong = format!("sha-256=:{}:", BASE64.encode(&[0; 32]));
        assert_eq!(
            code(put(&app, &who, &id, &[("content-digest", &wrong)], PDF).await, 422),
            "checksum_mismatch"
        );
        assert_eq!(
            code(put(&app, &who, &id, &[("content-digest", "sha-256=x")], PDF).await, 422),
            "invalid_request"
        );
        let answer = who.get(&app, &format!("/v1/library/items/{id}")).await.expect(200).json();
        assert_eq!(
            (&answer["item"]["asset"], &answer["item"]["articleStatus"]),
            (&Value::Null, &json!("awaiting_upload"))
        );
        // The media type that curl sends by default does not describe the file.
        let form = [("content-type", "application/x-www-form-urlencoded")];
        put(&app, &who, &id, &form, PDF).await.expect(201);
        let new = [("if-none-match", "*"), ("content-type", "application/pdf")];
        put(&app, &who, &id, &new, PDF).await.expect(200);
        assert_eq!(code(put(&app, &who, &id, &new, b"%PDF-1.4 other").await, 412), "precondition_failed");
        let right = format!("sha-256=:{}:", BASE64.encode(&Sha256::digest(PDF)));
        put(&app, &who, &id, &[("content-digest", &right)], PDF).await.expect(200);
    });
}

#[test]
fn excessive_size_is_refused_before_the_body_is_read() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Free).await;
        let id = pending(&app, &who, "big.bin").await;
        let big = vec![0_u8; 26_214_401];
        let refused = put(&app, &who, &id, &[], &big).await.expect(413).json();
        assert_eq!(
            (&refused["code"], &refused["details"]),
            (&json!("payload_too_large"), &json!("limit=26214400 used=26214401"))
        );
        put(&app, &who, &id, &[], &big[..26_214_400]).await.expect(201);
        let used = who.get(&app, "/v1/me").await.expect(200).json();
        assert!(used["limits"]["libraryStorageUsedBytes"].as_u64().unwrap() >= 26_214_400);
    });
}

#[test]
fn form_upload_provides_name_and_type() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let id = pending(&app, &who, "x").await;
        let send = async |name: &'static str| {
            let request = app.request(Method::POST, &path(&id)).header("x-api-key", &who.key);
            let file = Some(("../../evil/Paper.pdf", "application/pdf"));
            let request = with_form(request, &[Field { name, file, body: PDF }]);
            HttpAnswer::of(request.send().await.unwrap()).await
        };
        send("other").await.expect(422);
        let made = send("file").await.expect(201).json();
        assert_eq!(
            (&made["item"]["asset"]["fileName"], &made["item"]["contentKind"]),
            (&json!("Paper.pdf"), &json!("pdf"))
        );
        let typed = get(&app, &who, &id, Method::GET, &[]).await.expect(200);
        assert_eq!(typed.header("content-type"), "application/pdf");
    });
}

#[test]
fn pictures_and_unknown_types_are_stored_without_text() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        for (body, format) in
            [(&b"\x89PNG\r\n\x1a\n...."[..], "unknown"), (b"\0\x01\x02", "unknown"), (b"ID3....", "audio")]
        {
            let id = pending(&app, &who, "thing").await;
            let made = put(&app, &who, &id, &[], body).await.expect(201).json();
            assert_eq!(
                (&made["item"]["format"], &made["item"]["articleStatus"]),
                (&json!(format), &json!("not_applicable"))
            );
        }
    });
}

#[test]
fn item_retains_its_text_when_its_file_becomes_a_picture() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let id = pending(&app, &who, "notes.txt").await;
        let item = format!("/v1/library/items/{id}");
        let text = [("content-type", "text/plain")];
        let picture = [("content-type", "image/png")];
        put(&app, &who, &id, &text, b"Some words of a note that somebody wrote.").await.expect(201);
        app.tick().await;
        app.run_jobs().await;
        let ready = who.get(&app, &item).await.expect(200).json()["item"].clone();
        assert_eq!(ready["articleStatus"], "ready", "{ready}");
        let png = b"\x89PNG\r\n\x1a\n....";
        let replaced = put(&app, &who, &id, &picture, png).await.expect(200).json();
        assert_eq!(replaced["item"]["articleStatus"], "ready", "{replaced}");
        app.clock.advance(61_000);
        who.post(&app, &format!("{item}/refresh"), &json!({})).await.expect(202);
        app.run_jobs().await;
        let refreshed = who.get(&app, &item).await.expect(200).json()["item"].clone();
        assert_eq!(
            (&refreshed["articleStatus"], &refreshed["contentHash"]),
            (&json!("ready"), &ready["contentHash"]),
            "{refreshed}"
        );
        // The picture arrives before the text of the second file is extracted.
        put(&app, &who, &id, &text, b"Other words, which nobody reads.").await.expect(200);
        put(&app, &who, &id, &picture, png).await.expect(200);
        app.tick().await;
        app.run_jobs().await;
        let item = who.get(&app, &item).await.expect(200).json()["item"].clone();
        assert_eq!(item["articleStatus"], "ready", "{item}");
    });
}

#[test]
fn files_are_deleted_with_their_item_and_account() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let id = pending(&app, &who, "a.pdf").await;
        put(&app, &who, &id, &[], PDF).await.expect(201);
        let item = format!("/v1/library/items/{id}");
        app.send(Method::DELETE, &item, &[("x-api-key", &who.key)], None).await.expect(204);
        get(&app, &who, &id, Method::GET, &[]).await.expect(404);
        let used = who.get(&app, "/v1/me").await.expect(200).json();
        assert_eq!(
            used["limits"]["libraryStorageUsedBytes"],
            PDF.len(),
            "a released file counts until it is deleted"
        );
        app.clock.advance(120_001);
        assert!(library::files::delete_released(&app.app.domain).await.unwrap() >= 1);
        let used = who.get(&app, "/v1/me").await.expect(200).json();
        assert_eq!(used["limits"]["libraryStorageUsedBytes"], 0);
    });
}
