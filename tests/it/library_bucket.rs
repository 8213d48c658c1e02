//! Service that stores its files in a bucket: multipart uploads, range requests, aborted uploads, and
//! deletion with the account. By default the tests provide the bucket with a small server. `CARREL_TEST_S3`
//! selects another bucket, in the format of `CARREL_FILES`.

use kernel::Backend;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::support::bucket::Bucket;
use crate::support::form::{Field, with_form};
use crate::support::killable_process::KillableProcess;
use crate::support::{eventually, run};

const ITEMS: &str = "/v1/library/items";

/// Creates an item that waits for its file, and returns the path of the file.
async fn pending(all: &KillableProcess, name: &str) -> String {
    let (status, saved) = all.send(Method::POST, ITEMS, Some(&json!({"fileName": name}))).await;
    assert_eq!(status, 201, "{saved}");
    format!("{ITEMS}/{}/file", saved["item"]["id"].as_str().unwrap())
}

async fn put(all: &KillableProcess, path: &str, body: &[u8]) -> (u16, Value) {
    let (status, body) = all
        .try_request(all.request(Method::PUT, path).body(body.to_vec()))
        .await
        .expect("the upload gets a response");
    (status, serde_json::from_slice(&body).unwrap())
}

async fn range(all: &KillableProcess, path: &str, range: &str) -> (u16, Vec<u8>) {
    all.try_request(all.request(Method::GET, path).header("range", range))
        .await
        .expect("the download gets a response")
}

/// Starts an upload and disconnects before it is complete.
async fn interrupted_upload(all: &KillableProcess, path: &str) {
    let authority = all.origin.trim_start_matches("http://");
    let mut stream = tokio::net::TcpStream::connect(authority).await.unwrap();
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: {authority}\r\nx-api-key: {}\r\ncontent-length: 9000000\r\n\r\n",
        all.who.key
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&vec![b'x'; 6_000_000]).await.unwrap();
    stream.flush().await.unwrap();
}

/// Sends every kind of request that the store handles. Returns the path of a stored file.
async fn exercise_store(all: &KillableProcess) -> String {
    let path = pending(all, "long.bin").await;
    let body: Vec<u8> = (0..11_000_000_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
    let (status, made) = put(all, &path, &body).await;
    assert_eq!((status, &made["item"]["asset"]["size"]), (201, &json!(11_000_000)), "{made}");
    let (status, part) = range(all, &path, "bytes=5242870-5242890").await;
    assert_eq!((status, part.as_slice()), (206, &body[5_242_870..=5_242_890]));
    let (status, end) = range(all, &path, "bytes=-7").await;
    assert_eq!((status, end.as_slice()), (206, &body[body.len() - 7..]));
    let (status, whole) =
        all.try_request(all.request(Method::GET, &path)).await.expect("the download gets a response");
    assert!(status == 200 && whole == body, "{status}: {} bytes", whole.len());

    let small = pending(all, "small.md").await;
    assert_eq!(put(all, &small, b"# Small").await.0, 201);
    assert_eq!(put(all, &small, b"# Another").await.0, 200);
    assert_eq!(range(all, &small, "bytes=2-").await, (206, b"Another".to_vec()));
    assert_eq!(all.send(Method::DELETE, &small, None).await.0, 204);
    assert_eq!(all.send(Method::GET, &small, None).await.0, 404);

    let table = b"title,url,time_added,tags,status\nA,http://10.0.0.1/a,1,,\n";
    let parts = [
        Field { name: "dryRun", file: None, body: b"false" },
        Field { name: "file", file: Some(("a.csv", "text/csv")), body: table },
    ];
    let (status, made) = all
        .try_request(with_form(all.request(Method::POST, "/v1/library/imports"), &parts))
        .await
        .expect("the import gets a response");
    let made: Value = serde_json::from_slice(&made).unwrap();
    assert_eq!(status, 202, "{made}");
    let import = format!("/v1/library/imports/{}", made["import"]["id"].as_str().unwrap());
    ended(all, &import, "import").await;
    let (_, made) = all.send(Method::POST, "/v1/library/exports", Some(&json!({}))).await;
    let export = format!("/v1/library/exports/{}", made["export"]["id"].as_str().unwrap());
    let export_made = ended(all, &export, "export").await;
    let (status, archive) = range(all, &format!("{export}/file"), "bytes=0-3").await;
    assert_eq!((status, archive.as_slice()), (206, &b"PK\x03\x04"[..]));
    assert!(export_made["parts"][0]["size"].as_u64().unwrap() > 11_000_000);
    path
}

async fn ended(all: &KillableProcess, path: &str, kind: &str) -> Value {
    let state = async || all.get(path).await[kind].clone();
    let ended =
        eventually("it ends", state, |one| one["state"] == "complete" || one["state"] == "failed").await;
    assert_eq!(ended["state"], "complete", "{ended}");
    ended
}

#[test]
fn files_are_stored_in_a_bucket_and_deleted_with_their_account() {
    run(async {
        let bucket = Bucket::start();
        let location = bucket.location("some/where");
        let all = KillableProcess::start_with(Backend::Sqlite, &[("CARREL_FILES", &location)]).await;
        let path = exercise_store(&all).await;
        assert!(
            bucket.keys().iter().all(|key| key.starts_with("some/where/account/")),
            "{:?}",
            bucket.keys()
        );

        // An aborted upload is also aborted in the bucket, and its item is unchanged.
        let (begun, _) = bucket.uploads();
        let waiting = pending(&all, "broken.bin").await;
        interrupted_upload(&all, &waiting).await;
        let uploads = async || bucket.uploads();
        eventually("the upload is begun and given up", uploads, |(all, open)| *all > begun && *open == 0)
            .await;
        assert_eq!(all.send(Method::GET, &waiting, None).await.0, 404);

        // The service retries a request after a transient failure of the bucket.
        bucket.fail(1);
        assert_eq!(range(&all, &path, "bytes=0-1").await, (206, vec![0, 1]));

        all.delete_account().await;
        let remaining = async || bucket.keys();
        eventually("the files go with their account", remaining, Vec::is_empty).await;
    });
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the environment of the test selects the bucket")]
fn files_are_stored_in_the_configured_bucket() {
    let Ok(location) = std::env::var("CARREL_TEST_S3") else { return };
    run(async {
        let all = KillableProcess::start_with(Backend::Sqlite, &[("CARREL_FILES", &location)]).await;
        exercise_store(&all).await;
        all.delete_account().await;
    });
}
