//! Second step of a save with content: extracts the text of the content in the sandbox. Imports and the text
//! queue also use this step.

use std::sync::Arc;
use std::time::Duration;

use entities::library_words::TextOrigin;
use extract::sandbox::Pool;
use extract::{ExtractionOutcome, Input};

use super::text::NewText;
use super::text_request::TextOutcome;
use articles::{of_extraction, of_sandbox_error};
use kernel::{Code, Error, Millis};

/// Maximum time that a save waits for its text.
pub const SAVE_TIMEOUT: Duration = Duration::from_secs(8);

/// Content whose text is to be extracted.
#[derive(Debug)]
pub(crate) struct ContentInput {
    pub bytes: Vec<u8>,
    pub mime: String,
    pub url: Option<String>,
    pub origin: TextOrigin,
}

/// Extracts the text of `content`. If the extraction takes longer than `timeout`, returns
/// [`TextOutcome::Postponed`].
pub(crate) async fn extract_text(
    sandbox: &Pool,
    content: ContentInput,
    now: Millis,
    timeout: Duration,
) -> TextOutcome {
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
    let extracted = match tokio::time::timeout(timeout, sandbox.extract(input)).await {
        Err(_) => return TextOutcome::Postponed(0),
        Ok(Err(fault)) => return TextOutcome::of_error(&Error::from(of_sandbox_error(&fault))),
        Ok(Ok(extracted)) => extracted,
    };
    text_outcome(extracted, content.origin, now).await
}

/// Converts the result of an extraction to the outcome for an item.
pub(crate) async fn text_outcome(
    extracted: ExtractionOutcome,
    origin: TextOrigin,
    now: Millis,
) -> TextOutcome {
    match (of_extraction(&extracted), extracted) {
        (None, ExtractionOutcome::Document(mut document)) => {
            document.next_links = extract::NextLinks::default();
            let text = NewText { document: Arc::from(document), origin, final_url: None, made_at: now };
            match text.pack().await {
                Ok(packed) => TextOutcome::Text(Box::new(packed)),
                Err(error) => TextOutcome::of_error(&error),
            }
        }
        (Some(failure), _) => TextOutcome::of_error(&Error::from(failure)),
        (None, _) => TextOutcome::Failed(Code::NoReadableText),
    }
}
