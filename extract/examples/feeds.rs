//! Feed parsing without the service, for measurements: `filter` answers request lines as `carrel feed
//! --jsonl` does, `speed FILE ROUNDS FRESH` parses one file repeatedly, and `fuzz DIR SECONDS SEED` mutates
//! the files of a folder for SECONDS of processor time and stops at the first panic or slow input.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the counts of a measuring tool are small"
)]

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use extract::feed::{EntryState, FeedInput, KnownEntry, jsonl, parse};

/// Maximum processor time for one mutated input.
const SLOW: Duration = Duration::from_secs(5);
/// Maximum size of a mutated body.
const FUZZ_BYTES: usize = 512 * 1024;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let words: Vec<&str> = arguments.iter().skip(1).map(String::as_str).collect();
    match words.as_slice() {
        ["filter"] => filter(),
        ["speed", file, rounds, known] => speed(file, number(rounds), number(known)),
        ["fuzz", folder, seconds, seed] => fuzz(folder, number(seconds), number(seed)),
        _ => Err(std::io::Error::other("filter | speed FILE ROUNDS FRESH | fuzz DIR SECONDS SEED")),
    }
}

fn number(word: &str) -> u64 {
    word.parse().unwrap_or(0)
}

fn filter() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", jsonl::answer(&line?, |path| std::fs::read(path)))?;
        out.flush()?;
    }
    Ok(())
}

/// Parses a file `rounds` times. All of its entries but the first `fresh` are known.
fn speed(file: &str, rounds: u64, fresh: u64) -> std::io::Result<()> {
    let mut input = FeedInput {
        body: std::fs::read(file)?,
        base_url: Some("https://example.org/feed".to_owned()),
        ..FeedInput::default()
    };
    let first = parse(&input);
    let known = first.entries.iter().enumerate().skip(usize::try_from(fresh).unwrap_or(0));
    input.known = known.map(|(at, entry)| KnownEntry { id: at as i64 + 1, marks: entry.marks }).collect();
    let start = Instant::now();
    let mut new = 0;
    for _ in 0..rounds {
        let parsed = parse(&input);
        new += parsed.entries.iter().filter(|entry| entry.state == EntryState::New).count();
    }
    let each = start.elapsed().as_secs_f64() * 1000.0 / rounds.max(1) as f64;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{each:.3} ms each, {} bytes, {} entries, {} new in each, repaired {}",
        input.body.len(),
        first.entries.len(),
        new as u64 / rounds.max(1),
        first.repaired
    )
}

/// Pseudo-random generator; the same seed gives the same inputs.
struct SeededRandom(u64);

impl SeededRandom {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() % limit as u64) as usize }
    }
}

fn fuzz(folder: &str, seconds: u64, seed: u64) -> std::io::Result<()> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            files.push(std::fs::read(path)?);
        }
    }
    let mut random = SeededRandom(seed | 1);
    let (start, mut runs, mut slowest) = (cpu_time(), 0_u64, Duration::ZERO);
    let current = std::env::temp_dir().join(format!("feed-fuzz-{seed}"));
    while (cpu_time_since(start)).as_secs() < seconds {
        let mut body = files[random.below(files.len())].clone();
        for _ in 0..=random.below(12) {
            mutate(&mut body, &files, &mut random);
        }
        body.truncate(FUZZ_BYTES);
        std::fs::write(&current, &body)?;
        let began = cpu_time();
        run(body, &mut random);
        let took = cpu_time_since(began);
        slowest = slowest.max(took);
        if took > SLOW {
            return Err(std::io::Error::other(format!("{} took {took:?}", current.display())));
        }
        runs += 1;
        if runs.is_multiple_of(20_000) {
            report(cpu_time_since(start), runs, slowest)?;
        }
    }
    report(cpu_time_since(start), runs, slowest)
}

/// Processor time of this process. Unlike elapsed time, it does not make inputs seem slow on a busy machine.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Processor time since `then`.
fn cpu_time_since(then: Duration) -> Duration {
    cpu_time().saturating_sub(then)
}

fn run(body: Vec<u8>, random: &mut SeededRandom) {
    let mut input =
        FeedInput { body, base_url: Some("https://example.org/a/feed".to_owned()), ..FeedInput::default() };
    let first = parse(&input);
    if !first.entries.is_empty() {
        // The second parse receives some of the entries as known entries. No entry may be returned twice.
        input.trust = first.trust;
        input.known = first
            .entries
            .iter()
            .enumerate()
            .filter(|_| !random.next().is_multiple_of(4))
            .map(|(at, entry)| KnownEntry { id: at as i64 + 1, marks: entry.marks })
            .collect();
        let second = parse(&input);
        assert_eq!(
            first.entries.len(),
            second.entries.len(),
            "parsing the same body twice returns the same number of entries"
        );
    }
    extract::feed::opml::read(&input.body);
    extract::feed::discover::in_page(&input.body, None, "https://example.org/a");
}

fn report(cpu_time: Duration, runs: u64, slowest: Duration) -> std::io::Result<()> {
    let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = memory.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown").to_owned();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{cpu_time:?} of processor time: {runs} inputs, slowest {slowest:?}, {peak}")
}

const PIECES: &[&[u8]] = &[
    b"<",
    b">",
    b"</",
    b"/>",
    b"<item>",
    b"</item>",
    b"<entry>",
    b"<![CDATA[",
    b"]]>",
    b"&",
    b"&amp;",
    b"&#0;",
    b"&#x110000;",
    b"<!--",
    b"-->",
    b"<?xml",
    b"?>",
    b"\"",
    b"'",
    b"=",
    b"\0",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"xmlns=\"",
    b" xml:base=\"//\"",
    b"<!DOCTYPE x [",
    b"]>",
    b"<guid isPermaLink=\"false\">",
    b"<link>",
    b"<title>",
    b"\xc3\x28",
    b"<content type=\"xhtml\"><div>",
    b"<description>",
    b"<media:group>",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"\"items\":",
    b"\\u0000",
    b"99999999999999999999",
    b"-1",
    b"\xe2\x80\xae",
    b"<itunes:duration>",
    b"<pubDate>Thu, 32 Foo 99999 25:61:61 +9999</pubDate>",
];

fn mutate(body: &mut Vec<u8>, files: &[Vec<u8>], random: &mut SeededRandom) {
    let at = random.below(body.len() + 1);
    let length = random.below(64).min(body.len() - at.min(body.len()));
    match random.below(8) {
        0 => body.truncate(at),
        1 if at < body.len() => body[at] = random.next() as u8,
        2 => drop(body.drain(at..at + length)),
        3 => drop(body.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
        4 => {
            let piece = body[at..at + length].to_vec();
            let times = random.below(2000);
            drop(body.splice(at..at, piece.iter().copied().cycle().take(piece.len() * times)));
        }
        5 => {
            let other = &files[random.below(files.len())];
            let from = random.below(other.len() + 1);
            let taken = random.below(4096).min(other.len() - from);
            drop(body.splice(at..at, other[from..from + taken].iter().copied()));
        }
        6 => {
            let piece = PIECES[random.below(PIECES.len())];
            let times = random.below(5000);
            drop(body.splice(at..at, piece.iter().copied().cycle().take(piece.len() * times)));
        }
        _ if at < body.len() => body[at] ^= 1 << random.below(8),
        _ => {}
    }
}
