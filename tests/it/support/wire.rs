//! Raw HTTP requests, for request targets that an HTTP client would normalise.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::TestApp;

/// Answer, as received.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Sends `GET target` with these header lines and reads the whole answer.
pub(crate) async fn get(app: &TestApp, target: &str, headers: &[&str]) -> RawAnswer {
    let authority = app.origin.trim_start_matches("http://");
    let mut request = format!("GET {target} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n");
    for line in headers {
        request += &format!("{line}\r\n");
    }
    request += "\r\n";
    send(app, request.as_bytes()).await
}

/// Sends raw bytes and reads the whole answer.
pub(crate) async fn send(app: &TestApp, request: &[u8]) -> RawAnswer {
    let authority = app.origin.trim_start_matches("http://");
    let mut stream = TcpStream::connect(authority).await.expect("connect to the app");
    stream.write_all(request).await.expect("send the request");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.expect("read the response");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").expect("the response has a head and a body");
    let status =
        head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("the head has a status");
    RawAnswer { status, head: head.to_owned(), body: body.to_owned() }
}
