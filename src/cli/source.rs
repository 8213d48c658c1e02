//! Input that is named on the command line: a file, standard input, or a web page with or without its scheme.

use std::net::Ipv4Addr;
use std::path::Path;

use anyhow::Context;
use fetch::{Fetched, Fetcher, Request};

use http_kit::config::Settings;

/// Input to read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputSource {
    /// File or standard input.
    Local,
    /// URLs to try in order.
    Web(Vec<String>),
}

impl InputSource {
    /// Classifies `text`. An existing file is a file; otherwise `example.com/page` is a web page, tried over
    /// https first.
    pub(super) fn of(text: &str) -> Self {
        if text.starts_with("http://") || text.starts_with("https://") {
            return Self::Web(vec![text.to_owned()]);
        }
        if is_host(text) && !Path::new(text).exists() {
            return Self::Web(vec![format!("https://{text}"), format!("http://{text}")]);
        }
        Self::Local
    }
}

/// Returns true if the text begins with a possible host name or address: `example.com`, or any name with a
/// port, but not `notes.html`.
fn is_host(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = authority.split_once(':').unwrap_or((authority, ""));
    if port.parse::<u16>().is_ok() && !name.is_empty() || name.parse::<Ipv4Addr>().is_ok() {
        return true;
    }
    let labels: Vec<&str> = name.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty() && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let last = labels.last().copied().unwrap_or_default();
    labels.len() > 1
        && labels.iter().all(is_label)
        && last.chars().all(char::is_alphabetic)
        && ::extract::formats::SourceFormat::of_extension(last).is_none()
}

/// Fetches the first of `urls` whose server can be reached, using `request`. An HTTP error, such as a 404
/// over https, is final and is not retried over plain http.
pub(super) async fn fetch(
    settings: &Settings,
    urls: Vec<String>,
    request: fn(String) -> Request,
) -> anyhow::Result<Fetched> {
    let fetcher = Fetcher::new(http_kit::app::fetch_policy(settings))?;
    let mut first = None;
    for url in urls {
        let request = Request { deadline: settings.worker.fetch_timeout, ..request(url) };
        match fetcher.fetch(&request).await {
            Ok(fetched) => return Ok(fetched),
            Err(error) => {
                let is_final = !is_connection_error(&error);
                first = first.or(Some(error));
                if is_final {
                    break;
                }
            }
        }
    }
    Err(first.context("no URL to fetch")?.into())
}

/// Returns true if no connection could be opened, so that another scheme may succeed.
fn is_connection_error(error: &fetch::Error) -> bool {
    matches!(error, fetch::Error::Unreachable { .. } | fetch::Error::Tls { .. })
}

#[cfg(test)]
mod tests;
