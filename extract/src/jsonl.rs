//! Line protocol of the extraction benchmarks, for a filter that runs until its input is closed. Each request
//! and each response is a JSON object on one line.

use std::io;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::{
    document::{Block, BlockKind, Document, ExtractionOutcome, Input},
    pipeline::extract_declared,
};

#[derive(Deserialize)]
struct ExtractRequest {
    id: serde_json::Value,
    url: Option<String>,
    html_path: String,
}

#[derive(Serialize, Default)]
struct ExtractResponse {
    id: serde_json::Value,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lang: Option<String>,
    /// Processor time of this thread, in milliseconds.
    ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Returns the response to a request line, without a line feed. `read` returns the bytes of the page at a
/// path. Pages are UTF-8 HTML.
pub fn answer(line: &str, read: impl Fn(&str) -> io::Result<Vec<u8>>) -> String {
    let answer = match serde_json::from_str::<ExtractRequest>(line) {
        Ok(question) => answer_question(question, read),
        Err(error) => {
            ExtractResponse { error: Some(format!("invalid request: {error}")), ..ExtractResponse::default() }
        }
    };
    serde_json::to_string(&answer).unwrap_or_else(|_| "{}".to_owned())
}

fn answer_question(question: ExtractRequest, read: impl Fn(&str) -> io::Result<Vec<u8>>) -> ExtractResponse {
    let mut answer = ExtractResponse { id: question.id, ..ExtractResponse::default() };
    let bytes = match read(&question.html_path) {
        Ok(bytes) => bytes,
        Err(error) => {
            answer.error = Some(error.to_string());
            return answer;
        }
    };
    let content_type = Some("text/html; charset=utf-8".to_owned());
    let input = Input { bytes, content_type, url: question.url };
    let before = processor_ms();
    // The benchmarks compare only the declared language. Therefore language detection is skipped, so that its
    // time is not measured.
    let outcome = extract_declared(&input);
    answer.ms = ((processor_ms() - before) * 1e3).round() / 1e3;
    match outcome {
        ExtractionOutcome::Document(document) => fill(&mut answer, *document),
        ExtractionOutcome::NoText { .. } => {}
        ExtractionOutcome::Unsupported { mime } => answer.error = Some(format!("unsupported: {mime}")),
        ExtractionOutcome::TooComplex { reason } => answer.error = Some(reason),
    }
    answer
}

fn fill(answer: &mut ExtractResponse, document: Document) {
    let texts: Vec<&str> =
        document.blocks.iter().filter(|block| is_page_text(block)).map(|block| block.text.as_str()).collect();
    answer.text = texts.join("\n");
    answer.title = Some(document.title);
    answer.author = document.author;
    answer.date = document.published_at;
    answer.site = document.publisher;
    answer.lang = document.language;
}

/// True for text that is displayed on the page, as opposed to the alternative text of an image.
fn is_page_text(block: &Block) -> bool {
    let is_alternative = block.kind == BlockKind::Figure && block.alt.as_deref() == Some(block.text.as_str());
    block.is_main_text() && !is_alternative
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of one thread stay far below 2^52")]
fn processor_ms() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

#[cfg(test)]
mod tests;
