//! Parsing of a feed whose rules need attributes of the publisher's markup.

use std::collections::HashMap;

use extract::feed::{FeedInput, ParsedEntry, ParsedFeed};
use extract::sandbox::{Pool, SandboxError};

use super::attributes::prepared;
use kernel::{Error, Result};

/// Parses the body of a feed in a child process. If the rules need attributes, the markup of the entries comes from a
/// parse of the prepared body. Everything else, such as identities, comes from the body itself.
///
/// # Errors
/// Returns an error if a task fails. The inner error concerns the child process.
pub(crate) async fn read_feed(
    sandbox: &Pool,
    input: FeedInput,
    needs_attributes: bool,
) -> Result<std::result::Result<ParsedFeed, SandboxError>> {
    if !needs_attributes {
        return Ok(sandbox.read_feed(input).await);
    }
    let prepare = move || {
        let body = prepared(&input.body);
        let prepared = FeedInput {
            body,
            content_type: input.content_type.clone(),
            base_url: input.base_url.clone(),
            trust: input.trust,
            known: input.known.clone(),
            was_read: input.was_read,
            fixed_through: input.fixed_through,
            limits: input.limits,
        };
        (input, prepared)
    };
    let (input, prepared) = tokio::task::spawn_blocking(prepare).await.map_err(Error::internal)?;
    let mut parsed = match sandbox.read_feed(input).await {
        Ok(parsed) if parsed.is_feed() => parsed,
        other => return Ok(other),
    };
    match sandbox.read_feed(prepared).await {
        Ok(marked) => adopt_markup(&mut parsed, marked),
        Err(fault) => tracing::warn!(?fault, "prepared body of a feed not parsed"),
    }
    Ok(Ok(parsed))
}

/// Replaces the markup of entries with the markup of the same entries in the prepared body.
fn adopt_markup(parsed: &mut ParsedFeed, marked: ParsedFeed) {
    let mut by_key: HashMap<i64, Option<ParsedEntry>> = HashMap::with_capacity(marked.entries.len());
    for entry in marked.entries {
        // Several entries may have the same key. Their markup cannot be assigned.
        by_key.entry(entry.key).and_modify(|known| *known = None).or_insert(Some(entry));
    }
    for entry in &mut parsed.entries {
        let Some(marked) = by_key.remove(&entry.key).flatten() else { continue };
        let has_text = marked.content_html.is_some() || marked.summary_html.is_some();
        if has_text && marked.title == entry.title && marked.url == entry.url {
            entry.content_html = marked.content_html;
            entry.summary_html = marked.summary_html;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &[u8]) -> ParsedFeed {
        extract::feed::parse(&FeedInput { body: body.to_vec(), ..FeedInput::default() })
    }

    #[test]
    fn markup_of_the_prepared_body_is_used_and_identities_are_unchanged() {
        let items = "<item><title>One</title><guid>g1</guid><description>&lt;p class=\"ad\"&gt;Buy&lt;/p&gt;\
             &lt;img src=\"https://example.org/a.png\" title=\"Two &amp;amp; two\"&gt;</description></item>\
             <item><description>&lt;p class=\"ad\"&gt;No title&lt;/p&gt;</description></item>";
        let body = format!("<rss version=\"2.0\"><channel><title>News</title>{items}</channel></rss>");
        let original = parse(body.as_bytes());
        let mut parsed = original.clone();
        adopt_markup(&mut parsed, parse(&prepared(body.as_bytes())));
        let markup = |feed: &ParsedFeed, at: usize| feed.entries[at].summary_html.clone().unwrap();
        let marked = markup(&parsed, 0);
        assert!(
            marked.contains("<p lang=\".ad\">") && marked.contains("align=\"Two &amp; two\""),
            "{marked}"
        );
        assert_eq!(
            markup(&parsed, 1),
            markup(&original, 1),
            "an entry without a stable key keeps its markup"
        );
        for (one, other) in original.entries.iter().zip(&parsed.entries) {
            assert_eq!((one.marks, one.key, &one.title), (other.marks, other.key, &other.title));
        }
    }
}
