//! Servers of all feeds, behind one listener on loopback. Each host is an address in 127.0.0.0/8, and each
//! feed is a path. All requests are recorded with their simulated time.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use kernel::{Clock, FixedClock, rfc3339};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::behaviour::{Server, SimulatedFeed, simulated_feeds};

/// Number of entries per body.
const ENTRIES: i64 = 30;

/// Request that a server received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimulatedRequest {
    pub feed: usize,
    pub at: i64,
    /// Status of the response. 0 if the connection was closed without a response.
    pub status: u16,
    /// True if the request arrived during a pause that the server had requested for this feed, or for all
    /// feeds of the server. A pause for all feeds counts only up to the maximum duration that one feed may
    /// request.
    pub in_pause: bool,
    /// True for the second request of a redirect.
    pub is_hop: bool,
}

/// Maximum duration, in seconds, for which one feed can pause all feeds of its server.
const MAX_HOST_PAUSE_SECONDS: i64 = 120;

pub(crate) struct SimulatedSite {
    clock: Arc<FixedClock>,
    begin: i64,
    feeds: Vec<SimulatedFeed>,
    log: Mutex<Vec<SimulatedRequest>>,
    /// Number of requests so far, by host.
    hosts: Mutex<HashMap<usize, u32>>,
    /// End times of pauses, by host and feed. The feed `None` means all feeds of the host.
    pauses: Mutex<HashMap<(usize, Option<usize>), i64>>,
}

impl SimulatedSite {
    pub(crate) async fn start(clock: Arc<FixedClock>) -> (Arc<Self>, u16) {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (begin, log, hosts, pauses) = (clock.now(), Mutex::default(), Mutex::default(), Mutex::default());
        let site = Arc::new(Self { clock, begin, feeds: simulated_feeds(), log, hosts, pauses });
        let answering = Arc::clone(&site);
        tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                tokio::spawn(answer(Arc::clone(&answering), stream));
            }
        });
        (site, port)
    }

    pub(crate) fn log(&self) -> Vec<SimulatedRequest> {
        self.log.lock().unwrap().clone()
    }

    /// Returns the number of recorded requests.
    pub(crate) fn count_log(&self) -> usize {
        self.log.lock().unwrap().len()
    }

    /// Returns the recorded requests after the first `count`.
    pub(crate) fn log_after(&self, count: usize) -> Vec<SimulatedRequest> {
        self.log.lock().unwrap()[count..].to_vec()
    }

    /// Returns the bytes of the response. `None` closes the connection without a response.
    fn reply(&self, path: &str, validator: Option<&str>) -> Option<Vec<u8>> {
        let (now, is_hop) = (self.clock.now(), path.starts_with("/moved/"));
        let number: usize = path.rsplit('/').next()?.parse().ok()?;
        let simulated = *self.feeds.get(number)?;
        let count = self.count(simulated.host);
        let in_pause = self.is_paused(simulated, now);
        let mut reply = self.decide(simulated, now, count, is_hop, validator);
        let status = reply.as_ref().map_or(0, |reply| reply.status);
        if let Some(Reply { pause: Some(seconds), .. }) = &reply {
            let mut pauses = self.pauses.lock().unwrap();
            pauses.insert((simulated.host, Some(simulated.feed)), now + seconds * 1000);
            pauses.insert((simulated.host, None), now + (*seconds).min(MAX_HOST_PAUSE_SECONDS) * 1000);
        }
        self.log.lock().unwrap().push(SimulatedRequest { feed: number, at: now, status, in_pause, is_hop });
        reply.take().map(Reply::bytes)
    }

    fn count(&self, host: usize) -> u32 {
        let mut hosts = self.hosts.lock().unwrap();
        let count = hosts.entry(host).or_default();
        *count += 1;
        *count
    }

    fn is_paused(&self, simulated: SimulatedFeed, now: i64) -> bool {
        let pauses = self.pauses.lock().unwrap();
        let until = [Some(simulated.feed), None].map(|feed| pauses.get(&(simulated.host, feed)).copied());
        until.into_iter().flatten().any(|until| now < until)
    }

    fn decide(
        &self,
        simulated: SimulatedFeed,
        now: i64,
        count: u32,
        is_hop: bool,
        validator: Option<&str>,
    ) -> Option<Reply> {
        let behaviour = simulated.behaviour();
        let moved = format!("Location: /moved/{}\r\n", simulated.feed);
        match behaviour.server {
            Server::Closes => return None,
            Server::Status(status) => return Some(Reply::bare(status)),
            Server::Flaky(one_in) if count.is_multiple_of(one_in) => return Some(Reply::bare(500)),
            Server::GoneAfter(after) if now - self.begin >= after => return Some(Reply::bare(410)),
            Server::Pauses(one_in, status, seconds) if count.is_multiple_of(one_in) => {
                let head = format!("Retry-After: {seconds}\r\n");
                return Some(Reply { head, pause: Some(seconds), ..Reply::bare(status) });
            }
            Server::MovesAfter(after) if !is_hop && now - self.begin >= after => {
                return Some(Reply { head: moved, ..Reply::bare(301) });
            }
            Server::AlwaysRedirects if !is_hop => return Some(Reply { head: moved, ..Reply::bare(302) }),
            _ => {}
        }
        let there = simulated.entries_at(self.begin, now);
        let tag = format!("\"{}-{there}\"", simulated.feed);
        let mut head = String::from("Content-Type: application/rss+xml\r\n");
        if !matches!(behaviour.server, Server::Plain | Server::Churn | Server::NoGuids | Server::Shuffled) {
            if validator == Some(&tag) {
                return Some(Reply { head: format!("ETag: {tag}\r\n"), ..Reply::bare(304) });
            }
            write!(head, "ETag: {tag}\r\n").unwrap();
        }
        if let Server::MaxAge(seconds) = behaviour.server {
            write!(head, "Cache-Control: max-age={seconds}\r\n").unwrap();
        }
        Some(Reply { status: 200, head, pause: None, body: self.body(simulated, there, count) })
    }

    fn body(&self, simulated: SimulatedFeed, there: i64, count: u32) -> String {
        let behaviour = simulated.behaviour();
        let hints = match behaviour.server {
            Server::Ttl(minutes) => format!("<ttl>{minutes}</ttl>"),
            Server::SkipHours(end) => {
                let hours: Vec<String> = (0..end).map(|hour| format!("<hour>{hour}</hour>")).collect();
                format!("<skipHours>{}</skipHours>", hours.concat())
            }
            _ => String::new(),
        };
        let feed = simulated.feed;
        let items = self.items(simulated, there, count);
        format!(
            "<rss version=\"2.0\"><channel><title>Feed {feed}</title><link>https://example.org/{feed}</link>{hints}\
             {items}</channel></rss>"
        )
    }

    fn items(&self, simulated: SimulatedFeed, there: i64, count: u32) -> String {
        let (feed, server) = (simulated.feed, simulated.behaviour().server);
        let mut numbers: Vec<i64> = ((there - ENTRIES).max(0)..there).rev().collect();
        match server {
            Server::Undated => numbers.reverse(),
            Server::Shuffled if !numbers.is_empty() => {
                let by = usize::try_from(count).unwrap() % numbers.len();
                numbers.rotate_left(by);
            }
            _ => {}
        }
        let mut items = String::new();
        for n in numbers {
            let date = format!("<pubDate>{}</pubDate>", rfc3339(simulated.published(self.begin, n)));
            let guid = |suffix: &str| format!("<guid isPermaLink=\"false\">{feed}-{n}{suffix}</guid>");
            let (query, guid, date) = match server {
                Server::NoGuids => (format!("?visit={count}"), String::new(), date),
                Server::Undated => (String::new(), guid(""), String::new()),
                Server::Churn => (String::new(), guid(&format!("-{count}")), date),
                _ => (String::new(), guid(""), date),
            };
            write!(
                items,
                "<item><title>Entry {n} of {feed}</title><link>https://example.org/{feed}/{n}{query}</link>\
                 {guid}{date}<description>&lt;p&gt;Words of {n}&lt;/p&gt;</description></item>"
            )
            .unwrap();
        }
        items
    }
}

struct Reply {
    status: u16,
    head: String,
    /// Duration of the pause that the host requests, in seconds. `None` if the host requests no pause.
    pause: Option<i64>,
    body: String,
}

impl Reply {
    fn bare(status: u16) -> Self {
        Self { status, head: String::new(), pause: None, body: String::new() }
    }

    fn bytes(self) -> Vec<u8> {
        let Self { status, head, body, .. } = self;
        let length =
            if status == 304 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        format!("HTTP/1.1 {status} Said\r\n{head}{length}Connection: close\r\n\r\n{body}").into_bytes()
    }
}

async fn answer(site: Arc<SimulatedSite>, mut stream: TcpStream) {
    let mut head = Vec::with_capacity(2048);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_buf(&mut head).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    let text = String::from_utf8_lossy(&head);
    let path = text.split(' ').nth(1).unwrap_or_default();
    let validator = text.lines().find_map(|line| line.strip_prefix("if-none-match: ")).map(str::trim);
    if let Some(reply) = site.reply(path, validator) {
        let _ = stream.write_all(&reply).await;
        let _ = stream.shutdown().await;
    }
}
