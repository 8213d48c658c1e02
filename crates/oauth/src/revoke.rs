//! `POST /oauth/token/revoke`: token revocation (RFC 7009). The `token_type_hint` is ignored.

use poem::http::StatusCode;
use poem::{Request, RequestBody, Response};
use serde_json::json;

use super::client_auth::SentClient;
use super::fault::{OAuthRefusal, json_answer};
use super::form::RequestForm;
use http_kit::app::App;

/// Answers a revocation request. The client may be omitted, because a token can be revoked without it.
pub(super) async fn answer(
    app: &App,
    request: &Request,
    body: &mut RequestBody,
) -> Result<Response, OAuthRefusal> {
    let form = RequestForm::read(request, body).await?;
    let client = match SentClient::read(request, &form)? {
        Some(sent) => Some(sent.prove(app).await?),
        None => None,
    };
    let token = form.get("token").ok_or_else(|| OAuthRefusal::malformed("The token is missing."))?;
    let client_id = client.as_ref().map(|client| client.id.as_str());
    identity::oauth::revoke(&app.domain, token, client_id).await?;
    Ok(json_answer(StatusCode::OK, &json!({})))
}
