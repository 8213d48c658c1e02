//! Site with many hosts, reachable at every address in 127.0.0.0/8. `/same/…` responds with 304 to
//! conditional requests, `/new/…` with a feed of 30 entries (about 30 KB) that has one new entry per request,
//! and `/silent/…` never responds. Prints its port as the first line of output.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Number of entries per feed.
const ENTRIES: u32 = 30;

type RequestCounts = Arc<Mutex<HashMap<String, u32>>>;

/// Serves requests until the process is terminated.
pub(crate) async fn serve() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap().port());
    let counts = RequestCounts::default();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        tokio::spawn(answer(stream, Arc::clone(&counts)));
    }
}

async fn answer(mut stream: TcpStream, counts: RequestCounts) {
    let mut head = Vec::with_capacity(2048);
    loop {
        head.clear();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_buf(&mut head).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
        let text = String::from_utf8_lossy(&head);
        let path = text.split(' ').nth(1).unwrap_or_default().to_owned();
        if path.starts_with("/silent/") {
            std::future::pending::<()>().await;
        }
        let is_conditional = text.contains("if-none-match:");
        let reply = if path.starts_with("/same/") && is_conditional {
            b"HTTP/1.1 304 Not Modified\r\nETag: \"same\"\r\n\r\n".to_vec()
        } else {
            let times = {
                let mut counts = counts.lock().unwrap();
                let times = counts.entry(path.clone()).or_insert(0);
                *times += 1;
                *times
            };
            let body = feed(&path, times);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nETag: \"{times}\"\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            [head.into_bytes(), body.into_bytes()].concat()
        };
        if stream.write_all(&reply).await.is_err() {
            return;
        }
    }
}

fn feed(path: &str, newest: u32) -> String {
    let words =
        "boats that come in with the tide and carry bread, lamps and letters to the houses by the quay, ";
    let mut body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>Harbour {path}</title>\
         <link>https://example.org/</link><description>Notes</description>"
    );
    for n in (newest..newest + ENTRIES).rev() {
        write!(
            body,
            "<item><title>Note {n} of {path}</title><link>https://example.org{path}/{n}?utm_source=rss</link>\
             <guid isPermaLink=\"false\">{path}-{n}</guid><pubDate>Fri, 20 Nov 2026 {:02}:{:02}:00 GMT</pubDate>\
             <description>&lt;p&gt;Of {n}: {}&lt;/p&gt;&lt;p&gt;More &lt;a href=\"/{n}\"&gt;here&lt;/a&gt;.&lt;/p&gt;\
             &lt;script&gt;no()&lt;/script&gt;</description></item>",
            n / 60 % 12,
            n % 60,
            words.repeat(7)
        )
        .unwrap();
    }
    body.push_str("</channel></rss>");
    body
}
