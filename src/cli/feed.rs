//! `carrel feed`: prints a feed for a person, or parses many feeds as a filter.

use std::io::{BufRead, Read, Write};

use ::extract::feed::{FeedInput, debug_print::debug_print, discover, jsonl, parse};
use anyhow::{Context, bail};
use clap::Args;

use super::source::{self, InputSource};
use http_kit::config::Settings;

/// Maximum size of an input file, in bytes.
const MAX_FILE: u64 = 64 << 20;

const JSONL: &str = "Read many feeds: one JSON object per line on standard input, {\"id\":\"1\",\"path\":\"feed.xml\",\"headers\":{},\"base_uri\":\"https://example.com/feed\"}, and one per line as answer";

/// Arguments of `carrel feed`.
#[derive(Debug, Args)]
pub(super) struct FeedArgs {
    /// URL, file, or `-` for standard input.
    #[arg(value_name = "URL|FILE|-", required_unless_present = "jsonl")]
    source: Option<String>,
    #[arg(long, conflicts_with = "source", help = JSONL)]
    jsonl: bool,
}

impl FeedArgs {
    /// Returns true if many feeds are read from standard input.
    pub(super) fn is_filter(&self) -> bool {
        self.jsonl
    }
}

/// Answers each input line until standard input ends.
pub(super) fn filter() -> anyhow::Result<()> {
    // Panics of feed libraries are caught and reported in the output.
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("failed to read standard input")?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = jsonl::answer(&line, read_file);
        writeln!(out, "{answer}").and_then(|()| out.flush()).context("standard output is closed")?;
    }
    Ok(())
}

pub(super) async fn run(settings: Settings, arguments: &FeedArgs) -> anyhow::Result<()> {
    let Some(source) = &arguments.source else { return filter() };
    let input = match InputSource::of(source) {
        InputSource::Local => local(source)?,
        InputSource::Web(urls) => {
            let fetched = source::fetch(&settings, urls, ::fetch::Request::feed).await?;
            FeedInput {
                body: fetched.body.to_vec(),
                content_type: fetched.content_type,
                base_url: Some(fetched.url.into()),
                ..FeedInput::default()
            }
        }
    };
    let (parsed, named) = tokio::task::spawn_blocking(move || {
        let parsed = parse(&input);
        let named = if parsed.is_feed() { Vec::new() } else { named_in(&input) };
        (parsed, named)
    })
    .await?;
    if !parsed.is_feed() {
        match named.first() {
            Some(first) => bail!("{source} is no feed, but names one: try `carrel feed {}`", first.feed_url),
            None => bail!("{source} is no feed"),
        }
    }
    std::io::stdout().write_all(debug_print(&parsed).as_bytes()).context("standard output is closed")
}

/// Returns the feeds that known rules derive from the address of the page, and the feeds to which the page
/// links.
fn named_in(page: &FeedInput) -> Vec<discover::FeedCandidate> {
    let address = page.base_url.as_deref().unwrap_or_default();
    let mut feeds = discover::site_rules(address).feeds;
    feeds.extend(discover::in_page(&page.body, page.content_type.as_deref(), address));
    feeds
}

fn local(source: &str) -> anyhow::Result<FeedInput> {
    let body = if source == "-" {
        let mut body = Vec::new();
        std::io::stdin().take(MAX_FILE).read_to_end(&mut body).context("failed to read standard input")?;
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
