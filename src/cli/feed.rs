//! `carrel feed`: a feed for a person to look at, or a filter that reads many.

use std::io::{BufRead, Read, Write};

use ::extract::feed::{FeedInput, debug_print::debug_print, jsonl, parse};
use anyhow::{Context, bail};
use clap::Args;

use crate::config::Settings;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// Which feed, or which form.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A URL, a file, or `-` for standard input.
    #[arg(value_name = "URL|FILE|-", required_unless_present = "jsonl")]
    source: Option<String>,
    /// Read {"`id","path","headers","base_uri`"} a line from standard input and answer each with a line.
    #[arg(long, conflicts_with = "source")]
    jsonl: bool,
}

impl Arguments {
    /// Whether many feeds are to be read.
    pub(super) fn is_filter(&self) -> bool {
        self.jsonl
    }
}

/// Answers line after line until standard input ends.
pub(super) fn filter() -> anyhow::Result<()> {
    // What a feed does to a library is told in its answer.
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("standard input cannot be read")?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = jsonl::answer(&line, read_file);
        writeln!(out, "{answer}").and_then(|()| out.flush()).context("standard output is closed")?;
    }
    Ok(())
}

/// Reads one feed and prints it.
pub(super) async fn run(settings: Settings, arguments: &Arguments) -> anyhow::Result<()> {
    let Some(source) = &arguments.source else { return filter() };
    let is_url = source.starts_with("http://") || source.starts_with("https://");
    let input = if is_url { fetch(settings, source).await? } else { local(source)? };
    let found = tokio::task::spawn_blocking(move || parse(&input)).await?;
    if !found.is_feed() {
        bail!("{source} is no feed");
    }
    std::io::stdout().write_all(debug_print(&found).as_bytes()).context("standard output is closed")
}

async fn fetch(settings: Settings, url: &str) -> anyhow::Result<FeedInput> {
    let fetcher = ::fetch::Fetcher::new(crate::app::fetch_policy(&settings))?;
    let request = ::fetch::Request { deadline: settings.deadlines.fetch, ..::fetch::Request::feed(url) };
    let fetched = fetcher.fetch(&request).await?;
    Ok(FeedInput {
        body: fetched.body.to_vec(),
        content_type: fetched.content_type,
        base_url: Some(fetched.url.into()),
        ..FeedInput::default()
    })
}

fn local(source: &str) -> anyhow::Result<FeedInput> {
    let body = if source == "-" {
        let mut body = Vec::new();
        std::io::stdin().take(MAX_FILE).read_to_end(&mut body).context("standard input cannot be read")?;
        body
    } else {
        read_file(source).with_context(|| format!("{source} cannot be read"))?
    };
    Ok(FeedInput { body, ..FeedInput::default() })
}

fn read_file(path: &str) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    std::fs::File::open(path)?.take(MAX_FILE).read_to_end(&mut body)?;
    Ok(body)
}
