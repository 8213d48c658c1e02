//! S3-compatible server that supports the operations of the file store: objects in one bucket, multipart
//! uploads, ranges, and lists.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::listener::TcpAcceptor;
use poem::{Body, Endpoint, Request, Response};
use tokio::task::JoinHandle;

/// Name of the bucket, and access key.
const BUCKET: &str = "shelf";
const KEY: &str = "reader";
/// Minimum size of each part except the last, in bytes.
const MIN_PART_BYTES: usize = 5 * 1024 * 1024;
/// Number of objects per page of a list.
const PAGE_SIZE: usize = 2;
const DATE: &str = "Sun, 22 Nov 2026 12:00:00 GMT";

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Vec<u8>>,
    uploads: HashMap<String, BTreeMap<u32, Vec<u8>>>,
    /// Number of uploads that were started.
    started_uploads: usize,
    /// Number of subsequent requests that fail.
    failures: usize,
}

pub(crate) struct Bucket {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
}

impl Bucket {
    /// Starts an empty bucket on a free port.
    pub(crate) fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bind a free port");
        let address = listener.local_addr().expect("read the address");
        listener.set_nonblocking(true).expect("make the socket non-blocking");
        let acceptor = TcpAcceptor::from_std(listener).expect("create the acceptor");
        let state = Arc::new(Mutex::new(State::default()));
        let server = poem::Server::new_with_acceptor(acceptor).run(BucketEndpoint(Arc::clone(&state)));
        let task = tokio::spawn(async move { server.await.expect("the server runs") });
        Self { address, state, task }
    }

    /// Returns the storage location in the format of `CARREL_FILES`, with objects under `prefix`.
    pub(crate) fn location(&self, prefix: &str) -> String {
        let address = self.address;
        format!("s3://{KEY}:hush@{BUCKET}/{prefix}?endpoint=http://{address}&region=us-east-1")
    }

    /// Returns the keys of all objects.
    pub(crate) fn keys(&self) -> Vec<String> {
        lock(&self.state).objects.keys().cloned().collect()
    }

    /// Returns the number of uploads that were started, and the number of uploads in progress.
    pub(crate) fn uploads(&self) -> (usize, usize) {
        let state = lock(&self.state);
        (state.started_uploads, state.uploads.len())
    }

    /// Makes the next `requests` requests fail.
    pub(crate) fn fail(&self, requests: usize) {
        lock(&self.state).failures = requests;
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

struct BucketEndpoint(Arc<Mutex<State>>);

impl Endpoint for BucketEndpoint {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let body = request.take_body().into_vec().await.unwrap_or_default();
        let query: HashMap<String, String> =
            url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
                .into_owned()
                .collect();
        let mut state = lock(&self.0);
        if state.failures > 0 {
            state.failures -= 1;
            return Ok(error_response(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"));
        }
        let signed = request.header("authorization").unwrap_or_default();
        if !signed.starts_with(&format!("AWS4-HMAC-SHA256 Credential={KEY}/")) {
            return Ok(error_response(StatusCode::FORBIDDEN, "AccessDenied"));
        }
        let path = request.uri().path().trim_start_matches('/');
        let Some(key) = path.strip_prefix(BUCKET) else {
            return Ok(error_response(StatusCode::NOT_FOUND, "NoSuchBucket"));
        };
        let key = key.trim_start_matches('/').to_owned();
        Ok(match (key.is_empty(), request.method()) {
            (true, &Method::GET) => state.list(&query),
            (true, _) => error_response(StatusCode::NOT_IMPLEMENTED, "NotImplemented"),
            (false, method) => state.object(method, key, &query, request.headers(), body),
        })
    }
}

impl State {
    fn object(
        &mut self,
        method: &Method,
        key: String,
        query: &HashMap<String, String>,
        headers: &HeaderMap,
        body: Vec<u8>,
    ) -> Response {
        let upload = query.get("uploadId").cloned();
        match (method.as_str(), upload) {
            ("POST", None) if query.contains_key("uploads") => self.begin(&key),
            ("PUT", Some(id)) => {
                let number = query["partNumber"].parse().expect("a number");
                match self.uploads.get_mut(&id) {
                    Some(parts) => drop(parts.insert(number, body)),
                    None => return error_response(StatusCode::NOT_FOUND, "NoSuchUpload"),
                }
                Response::builder().header(header::ETAG, format!("\"{number}\"")).finish()
            }
            ("POST", Some(id)) => self.complete(&key, &id),
            ("DELETE", Some(id)) => {
                self.uploads.remove(&id);
                Response::builder().status(StatusCode::NO_CONTENT).finish()
            }
            ("PUT", None) => {
                self.objects.insert(key, body);
                Response::builder().header(header::ETAG, "\"whole\"").finish()
            }
            ("DELETE", None) => {
                self.objects.remove(&key);
                Response::builder().status(StatusCode::NO_CONTENT).finish()
            }
            ("GET" | "HEAD", None) => match self.objects.get(&key) {
                Some(bytes) => object_response(bytes, headers),
                None => error_response(StatusCode::NOT_FOUND, "NoSuchKey"),
            },
            _ => error_response(StatusCode::NOT_IMPLEMENTED, "NotImplemented"),
        }
    }

    fn begin(&mut self, key: &str) -> Response {
        self.started_uploads += 1;
        let id = format!("upload-{}", self.started_uploads);
        self.uploads.insert(id.clone(), BTreeMap::new());
        xml(format!(
            "<InitiateMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key><UploadId>{id}</UploadId>\
             </InitiateMultipartUploadResult>"
        ))
    }

    fn complete(&mut self, key: &str, id: &str) -> Response {
        let Some(parts) = self.uploads.remove(id) else {
            return error_response(StatusCode::NOT_FOUND, "NoSuchUpload");
        };
        let parts: Vec<Vec<u8>> = parts.into_values().collect();
        if parts.iter().rev().skip(1).any(|part| part.len() < MIN_PART_BYTES) {
            return error_response(StatusCode::BAD_REQUEST, "EntityTooSmall");
        }
        self.objects.insert(key.to_owned(), parts.concat());
        xml(format!(
            "<CompleteMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{key}</Key><ETag>\"whole\"</ETag>\
             </CompleteMultipartUploadResult>"
        ))
    }

    /// Returns a page of the objects with the requested prefix.
    fn list(&self, query: &HashMap<String, String>) -> Response {
        let prefix = query.get("prefix").map_or("", String::as_str);
        let after = query.get("continuation-token").map_or("", String::as_str);
        let matches: Vec<(&String, &Vec<u8>)> =
            self.objects.iter().filter(|(key, _)| key.starts_with(prefix) && key.as_str() > after).collect();
        let mut text = String::from("<ListBucketResult>");
        for (key, bytes) in matches.iter().take(PAGE_SIZE) {
            let _ = write!(
                text,
                "<Contents><Key>{key}</Key><LastModified>2026-11-22T12:00:00.000Z</LastModified>\
                 <ETag>\"whole\"</ETag><Size>{}</Size></Contents>",
                bytes.len()
            );
        }
        let is_cut = matches.len() > PAGE_SIZE;
        let _ = write!(text, "<IsTruncated>{is_cut}</IsTruncated>");
        if is_cut {
            let _ =
                write!(text, "<NextContinuationToken>{}</NextContinuationToken>", matches[PAGE_SIZE - 1].0);
        }
        xml(text + "</ListBucketResult>")
    }
}

/// Creates the response with an object or its requested range.
fn object_response(bytes: &[u8], headers: &HeaderMap) -> Response {
    let range = headers
        .get(header::RANGE)
        .and_then(|range| range.to_str().ok()?.strip_prefix("bytes=")?.split_once('-'));
    let answer = Response::builder().header(header::ETAG, "\"whole\"").header(header::LAST_MODIFIED, DATE);
    let Some((from, to)) = range else {
        return answer.header(header::CONTENT_LENGTH, bytes.len()).body(Body::from(bytes.to_vec()));
    };
    let last = bytes.len().saturating_sub(1);
    let (from, to): (usize, usize) = (from.parse().expect("a number"), to.parse().unwrap_or(last).min(last));
    if from > last {
        return error_response(StatusCode::RANGE_NOT_SATISFIABLE, "InvalidRange");
    }
    answer
        .status(StatusCode::PARTIAL_CONTENT)
        .header(header::CONTENT_RANGE, format!("bytes {from}-{to}/{}", bytes.len()))
        .body(Body::from(bytes[from..=to].to_vec()))
}

fn xml(text: String) -> Response {
    Response::builder().content_type("application/xml").body(text)
}

fn error_response(status: StatusCode, code: &str) -> Response {
    let text = format!("<Error><Code>{code}</Code><Message>{code}</Message></Error>");
    Response::builder().status(status).content_type("application/xml").body(text)
}
