//! One exchange with the model: a prompt and the text of the answer, or texts and their vectors.

use fetch::model_server::{ModelEndpoint, ModelServer, ModelServerError};
use kernel::{Code, Domain, Error, Result};
use serde_json::json;

use crate::answer;
use crate::embedding::{Embedding, parse_embeddings};
use crate::prompt::Prompt;

/// Sends a prompt to the model. Returns the text of its answer.
///
/// # Errors
/// An error of the class `Upstream` if another attempt may help.
pub(crate) async fn complete(
    domain: &Domain,
    server: Option<&ModelServer>,
    prompt: &Prompt,
) -> Result<String> {
    let endpoint = domain.policy().model.as_ref();
    let (server, endpoint) = server.zip(endpoint).ok_or_else(no_model)?;
    let body = server.complete(prompt.body(endpoint.model())).await.map_err(|error| of_failure(&error));
    count(body.and_then(|body| answer::content_of(&body)))
}

/// Sends texts to the embedding model. Returns their vectors.
///
/// # Errors
/// Those of [`complete`].
pub(crate) async fn embed(
    domain: &Domain,
    server: Option<&ModelServer>,
    texts: Vec<String>,
) -> Result<Vec<Embedding>> {
    let model = domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings);
    let (server, model) = server.zip(model).ok_or_else(no_model)?;
    let texts_count = texts.len();
    let body = json!({"model": model, "input": texts, "encoding_format": "float"}).to_string();
    let body = server.embed(body).await.map_err(|error| of_failure(&error));
    // The answer is too large to be parsed on an async thread.
    let parse = move || body.and_then(|body| parse_embeddings(&body, texts_count));
    count(tokio::task::spawn_blocking(parse).await.map_err(Error::internal)?)
}

/// Counts a request by its outcome.
fn count<T>(answer: Result<T>) -> Result<T> {
    let outcome = match answer.as_ref().map_err(|error| error.code) {
        Ok(_) => "answered",
        Err(Code::SourceRateLimited) => "busy",
        Err(Code::SourceForbidden) => "refused",
        Err(Code::SourceInvalidResponse | Code::ContentTooLarge) => "unusable",
        Err(_) => "failed",
    };
    metrics::counter!("carrel_model_requests_total", "outcome" => outcome).increment(1);
    answer
}

fn no_model() -> Error {
    Error::new(Code::ServiceUnavailable, "This worker has no language model (CARREL_MODEL_URL).")
}

fn of_failure(error: &ModelServerError) -> Error {
    tracing::warn!(%error, "request to the language model failed");
    let (code, message) = match error {
        ModelServerError::Unreachable(_) => {
            (Code::SourceUnreachable, "The language model cannot be reached.")
        }
        ModelServerError::Timeout => (Code::SourceTimeout, "The language model took too long."),
        ModelServerError::TooLarge => {
            (Code::ContentTooLarge, "The answer of the language model is too large.")
        }
        ModelServerError::Status { status: 401 | 403, .. } => {
            (Code::SourceForbidden, "The language model refuses the key of this installation.")
        }
        ModelServerError::Status { status: 404, .. } => {
            (Code::SourceNotFound, "The server has no such language model.")
        }
        ModelServerError::Status { status: 429, .. } => {
            (Code::SourceRateLimited, "The language model is busy.")
        }
        ModelServerError::Status { .. } => (Code::SourceError, "The language model failed."),
    };
    let retry_after =
        if let ModelServerError::Status { retry_after, .. } = error { *retry_after } else { None };
    Error { retry_after, ..Error::new(code, message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_model_is_transient_and_a_wrong_key_is_not() {
        let status = |status| of_failure(&ModelServerError::Status { status, retry_after: Some(9) });
        assert_eq!((status(429).code, status(429).retry_after), (Code::SourceRateLimited, Some(9)));
        for transient in [429, 500, 503] {
            assert!(status(transient).is_transient(), "{transient}");
        }
        for permanent in [401, 403, 404] {
            assert!(!status(permanent).is_transient(), "{permanent}");
        }
    }
}
