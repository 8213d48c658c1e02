//! Requests to the model: a prompt is answered with a text, and texts are answered with their vectors. The account's
//! consent is checked immediately before each request.

use entities::ids::AccountId;
use fetch::model_server::{ModelEndpoint, ModelServer, ModelServerError, RequestPermit};
use kernel::{Code, Domain, Error, Result};
use serde_json::json;

use crate::embedding::{Embedding, parse_embeddings};
use crate::prompt::ModelPrompt;
use crate::{answer, consent};

/// Sends a prompt with texts of an account to the model. Returns the text of its answer.
///
/// # Errors
/// An error of the class `Upstream` if another attempt may help; `owner_required` without consent.
pub(crate) async fn complete(
    domain: &Domain,
    server: Option<&ModelServer>,
    account_id: AccountId,
    prompt: &ModelPrompt,
) -> Result<String> {
    let endpoint = domain.policy().model.as_ref();
    let (server, endpoint) = server.zip(endpoint).ok_or_else(no_model)?;
    let permit = permit_for(domain, server, account_id).await?;
    let body = server.complete(permit, prompt.body(endpoint.model())).await;
    let body = body.map_err(|error| of_failure(&error));
    count(body.and_then(|body| answer::content_of(&body)))
}

/// Sends texts of an account to the embedding model. Returns their vectors.
///
/// # Errors
/// Returns the errors of [`complete`].
pub(crate) async fn embed(
    domain: &Domain,
    server: Option<&ModelServer>,
    account_id: AccountId,
    texts: Vec<String>,
) -> Result<Vec<Embedding>> {
    let model = domain.policy().model.as_ref().and_then(ModelEndpoint::embeddings);
    let (server, model) = server.zip(model).ok_or_else(no_model)?;
    let texts_count = texts.len();
    let body = json!({"model": model, "input": texts, "encoding_format": "float"}).to_string();
    let permit = permit_for(domain, server, account_id).await?;
    let body = server.embed(permit, body).await.map_err(|error| of_failure(&error));
    // The answer is too large to be parsed on an async thread.
    let parse = move || body.and_then(|body| parse_embeddings(&body, texts_count));
    count(tokio::task::spawn_blocking(parse).await.map_err(Error::internal)?)
}

/// Waits until a request may be sent. A person may have withdrawn the consent during the wait.
async fn permit_for<'a>(
    domain: &Domain,
    server: &'a ModelServer,
    account_id: AccountId,
) -> Result<RequestPermit<'a>> {
    let permit = server.permit().await.map_err(|error| of_failure(&error))?;
    consent::require_consent(domain, account_id).await?;
    Ok(permit)
}

/// Returns true if the error concerns only the texts of one request, so that requests with other texts may succeed.
pub(crate) fn is_of_text(code: Code) -> bool {
    matches!(code, Code::SourceInvalidResponse | Code::SourceForbidden | Code::ContentTooLarge)
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
        ModelServerError::Status { status: 413, .. } => {
            (Code::ContentTooLarge, "The text is too large for the language model.")
        }
        ModelServerError::Status { status: 400 | 422, .. } => {
            (Code::SourceForbidden, "The language model refuses the text.")
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
    fn busy_model_is_transient_and_a_refusal_is_not() {
        let status = |status| of_failure(&ModelServerError::Status { status, retry_after: Some(9) });
        assert_eq!((status(429).code, status(429).retry_after), (Code::SourceRateLimited, Some(9)));
        for transient in [429, 500, 503] {
            assert!(status(transient).is_transient(), "{transient}");
        }
        for permanent in [400, 401, 403, 404, 413, 422] {
            assert!(!status(permanent).is_transient(), "{permanent}");
        }
    }
}
