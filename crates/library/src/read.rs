//! Extracts the text of supplied content in the sandbox.

use std::sync::Arc;
use std::time::Duration;

use entities::library_words::TextOrigin;
use extract::sandbox::Pool;
use extract::{Found, Input};

use super::apply::Outcome;
use super::text::NewText;
use articles::{of_fault, of_found};
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::Error;

/// Time that a save waits for its text.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// Content whose text is to be extracted.
#[derive(Debug)]
pub(crate) struct Content {
    pub bytes: Vec<u8>,
    pub mime: String,
    pub url: Option<String>,
    pub origin: TextOrigin,
}

/// Extracts the text of content. If `patience` runs out, the outcome is [`Outcome::Later`].
pub(crate) async fn read(sandbox: &Pool, content: Content, now: Millis, patience: Duration) -> Outcome {
    let content_type = match content.mime.as_str() {
        text if text.starts_with("text/") && content.origin == TextOrigin::Supplied => {
            format!("{text}; charset=utf-8")
        }
        other => other.to_owned(),
    };
    let input = Input {
        bytes: content.bytes,
        content_type: Some(content_type).filter(|kind| !kind.is_empty()),
        url: content.url,
    };
    let found = match tokio::time::timeout(patience, sandbox.extract(input)).await {
        Err(_) => return Outcome::Later(0),
        Ok(Err(fault)) => return Outcome::of_error(&Error::from(of_fault(&fault))),
        Ok(Ok(found)) => found,
    };
    match (of_found(&found), found) {
        (None, Found::Document(mut document)) => {
            document.next_links = extract::NextLinks::default();
            let text = NewText {
                document: Arc::from(document),
                origin: content.origin,
                final_url: None,
                made_at: now,
            };
            match text.pack().await {
                Ok(packed) => Outcome::Text(Box::new(packed)),
                Err(error) => Outcome::of_error(&error),
            }
        }
        (Some(failure), _) => Outcome::of_error(&Error::from(failure)),
        (None, _) => Outcome::Failed(Code::NoReadableText),
    }
}
