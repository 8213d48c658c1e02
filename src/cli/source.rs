//! What a person names on the command line: a file, standard input, or a page of the web with or without its
//! scheme.

use std::net::Ipv4Addr;
use std::path::Path;

use anyhow::Context;
use fetch::{Fetched, Fetcher, Request};

use http_kit::config::Settings;

/// Where to read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A file, or standard input.
    Local,
    /// The first of these addresses that answers.
    Web(Vec<String>),
}

impl Source {
    /// What `text` names. A file that is there is a file; `example.com/page` is a page, asked for over https
    /// first.
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

/// Whether the text begins with a name that a host in the web may have: `notes.html` may not, `example.com` may, and so
/// may whatever names a port.
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
        && ::extract::formats::Format::of_extension(last).is_none()
}

/// Fetches the first of `urls` at which somebody answers, as `request` asks for it. An answer that is an error, such as
/// a 404 over https, is the answer: it is not asked for again in the clear.
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
                let is_final = !nobody_answered(&error);
                first = first.or(Some(error));
                if is_final {
                    break;
                }
            }
        }
    }
    Err(first.context("there is nothing to fetch")?.into())
}

/// Whether nobody spoke at the address, so that another scheme may lead to somebody.
fn nobody_answered(error: &fetch::Error) -> bool {
    matches!(error, fetch::Error::Unreachable { .. } | fetch::Error::Tls { .. })
}

#[cfg(test)]
mod tests;
