//! Benchmark: cached reads per second, compared with a bare poem handler that returns the same bytes.
//!
//! `cargo bench --bench reader` starts the real executable on a fresh SQLite file without reader limits,
//! reads an article of about 30 KB from a local site, and then requests it repeatedly over keep-alive
//! connections. A second process serves exactly the bytes of that response from a bare handler. The same
//! client drives both servers alternately. The CPU time per request is printed as well, because the client
//! shares the machine.

#![expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first error")]
#![expect(clippy::format_collect, reason = "the page is made once")]
#![expect(clippy::needless_pass_by_value, reason = "the handler macro extracts by value")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use poem::http::header;
use poem::web::Data;
use poem::{EndpointExt, IntoResponse, Response, Route, Server, get, handler};

/// Concurrent keep-alive connections.
const CONNECTIONS: usize = 16;
/// Measurement rounds per server, and their length.
const ROUNDS: usize = 5;
const ROUND_LENGTH: Duration = Duration::from_secs(3);

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("bare") {
        return bare(&arguments.next().unwrap(), &arguments.next().unwrap(), &arguments.next().unwrap());
    }
    let site = serve_article();
    let folder = tempfile::tempdir().unwrap();
    let at = free_address();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carrel"));
    command
        .arg("serve")
        .current_dir(folder.path())
        .env("CARREL_LISTEN", at.to_string())
        .env("DATABASE_URL", format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display()))
        .env("CARREL_FETCH_ALLOW", format!("127.0.0.1:{}", site.port()))
        .env("CARREL_READER_LIMITS", "off")
        .stderr(std::fs::File::create(folder.path().join("log")).unwrap());
    let carrel = ServerProcess::start(&mut command, at);
    println!("{CONNECTIONS} connections, {ROUNDS} rounds of {} s each", ROUND_LENGTH.as_secs());
    println!(
        "{:<10} {:>8} {:>12} {:>12} {:>8} {:>22}",
        "format", "bytes", "carrel/s", "bare/s", "ratio", "CPU us: carrel, bare"
    );
    for format in ["json", "text", "markdown"] {
        compare(&carrel, format, site, folder.path());
    }
}

fn compare(carrel: &ServerProcess, format: &str, site: SocketAddr, folder: &std::path::Path) {
    let path = format!("/api/v1/read?url=http%3A%2F%2F{site}%2Farticle&format={format}");
    let (kind, body) = fetch(carrel.at, &path);
    let file = folder.join(format);
    std::fs::write(&file, &body).unwrap();
    let at = free_address();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["bare", &at.to_string(), &kind]).arg(&file);
    let bare = ServerProcess::start(&mut command, at);
    let (mut rates, mut costs) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for round in 0..=ROUNDS {
        for (number, server) in [carrel, &bare].into_iter().enumerate() {
            let path = if number == 0 { path.as_str() } else { "/" };
            let (rate, cost) = drive(server, path);
            // The first round is a warm-up.
            if round > 0 {
                rates[number].push(rate);
                costs[number].push(cost);
            }
        }
    }
    let ([carrel_rate, plain], [cost, plain_cost]) = (rates.map(median), costs.map(median));
    let ratio = carrel_rate / plain;
    println!(
        "{format:<10} {:>8} {carrel_rate:>12.0} {plain:>12.0} {ratio:>8.2} {cost:>12.0} {plain_cost:>9.0}",
        body.len()
    );
}

/// Requests per second, and microseconds of server CPU time per request.
fn drive(server: &ServerProcess, path: &str) -> (f64, f64) {
    let answered = AtomicU64::new(0);
    let (begun, spent) = (Instant::now(), server.processor_time());
    thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut client = KeepAliveClient::connect(server.at, path);
                while begun.elapsed() < ROUND_LENGTH {
                    client.get();
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let answered = answered.into_inner() as f64;
    let spent = server.processor_time().saturating_sub(spent);
    (answered / begun.elapsed().as_secs_f64(), spent.as_secs_f64() * 1e6 / answered)
}

/// Client with one keep-alive connection.
struct KeepAliveClient {
    stream: BufReader<TcpStream>,
    request: String,
    line: String,
    body: Vec<u8>,
}

impl KeepAliveClient {
    fn connect(at: SocketAddr, path: &str) -> Self {
        let stream = TcpStream::connect(at).unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {at}\r\n\r\n");
        Self {
            stream: BufReader::with_capacity(64 * 1024, stream),
            request,
            line: String::new(),
            body: Vec::new(),
        }
    }

    /// Sends a request and returns the media type. The body is stored in `body`.
    fn get(&mut self) -> String {
        self.stream.get_mut().write_all(self.request.as_bytes()).unwrap();
        let (mut kind, mut length, mut is_first) = (String::new(), 0, true);
        loop {
            self.line.clear();
            self.stream.read_line(&mut self.line).unwrap();
            let line = self.line.trim_end();
            if is_first {
                assert!(line.starts_with("HTTP/1.1 200"), "{line}");
                is_first = false;
            } else if line.is_empty() {
                break;
            } else if let Some((name, value)) = line.split_once(": ") {
                if name.eq_ignore_ascii_case("content-length") {
                    length = value.parse().unwrap();
                } else if name.eq_ignore_ascii_case("content-type") {
                    value.clone_into(&mut kind);
                }
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).unwrap();
        kind
    }
}

fn fetch(at: SocketAddr, path: &str) -> (String, Vec<u8>) {
    let mut client = KeepAliveClient::connect(at, path);
    client.get();
    // The second response comes from the cache, like all measured responses.
    (client.get(), client.body)
}

/// Server in a child process, killed on drop.
struct ServerProcess {
    child: Child,
    at: SocketAddr,
}

impl ServerProcess {
    fn start(command: &mut Command, at: SocketAddr) -> Self {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect(at).is_err() {
            assert!(begun.elapsed() < Duration::from_mins(1), "no server answers at {at}");
            thread::yield_now();
        }
        Self { child, at }
    }

    fn processor_time(&self) -> Duration {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_whitespace().collect();
        // User and system time are fields 14 and 15 of proc_pid_stat(5), in hundredths of a second.
        let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().unwrap()).sum();
        Duration::from_millis(ticks * 10)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[handler]
fn same_bytes(answer: Data<&(String, bytes::Bytes)>) -> Response {
    let (kind, body) = answer.0.clone();
    Response::builder().header(header::CONTENT_TYPE, kind).body(body).into_response()
}

/// Baseline server.
#[tokio::main]
async fn bare(at: &str, kind: &str, file: &str) {
    let body = bytes::Bytes::from(std::fs::read(file).unwrap());
    let routes = Route::new().at("/", get(same_bytes.data((kind.to_owned(), body))));
    Server::new(poem::listener::TcpListener::bind(at.to_owned())).run(routes).await.unwrap();
}

/// Serves a site with one article of about 30 KB of text.
fn serve_article() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let sentence = "The reading room opens at nine, and by ten every desk beside a window is taken. ";
    let parts: String = (0..60)
        .map(|number| {
            let heading = if number % 10 == 0 { format!("<h2>Part {number}</h2>") } else { String::new() };
            format!(
                "{heading}<p>{number}. {} See <a href='/note/{number}'>note {number}</a>.</p>",
                sentence.repeat(6)
            )
        })
        .collect();
    let page = format!(
        "<!doctype html><html lang=en><title>The reading room</title><article><h1>The reading room</h1>{parts}</article>"
    );
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
            let status = if head.starts_with("GET /article") { "200 OK" } else { "404 Not Found" };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                page.len()
            );
            let _ = reader.get_mut().write_all((head + &page).as_bytes());
        }
    });
    at
}

fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
