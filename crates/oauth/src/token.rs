//! `POST /oauth/token`: exchanges a code or a refresh token for tokens (RFC 6749, section 3.2).

use identity::limits::Network;
use identity::oauth::{
    Audience, CodeExchange, OAuthCode, OAuthError, RefreshRequest, Tokens, exchange, named_scopes, refresh,
};
use poem::http::StatusCode;
use poem::{Request, RequestBody, Response};
use serde_json::json;

use super::client_auth::authenticate;
use super::fault::{OAuthRefusal, json_answer};
use super::form::RequestForm;
use http_kit::app::App;

enum GrantType {
    Code,
    Refresh,
}

pub(super) async fn answer(
    app: &App,
    request: &Request,
    body: &mut RequestBody,
    network: &Network,
) -> Result<Response, OAuthRefusal> {
    let form = RequestForm::read(request, body).await?;
    let grant_type = grant_type_of(&form)?;
    let client = authenticate(app, request, &form).await?;
    let audience = Audience::parse(app.settings.origins.base.as_str(), form.all("resource"))?;
    let needed = |name, missing| form.get(name).ok_or_else(|| OAuthRefusal::malformed(missing));
    let tokens = match grant_type {
        GrantType::Code => {
            let code_exchange = CodeExchange {
                client: &client,
                code: needed("code", "The code is missing.")?,
                redirect_uri: form.get("redirect_uri"),
                verifier: form.get("code_verifier").unwrap_or_default(),
                audience,
            };
            exchange(&app.domain, code_exchange).await?
        }
        GrantType::Refresh => {
            let refresh_request = RefreshRequest {
                client: &client,
                token: needed("refresh_token", "The refresh_token is missing.")?,
                scopes: named_scopes(form.get("scope"))?,
                audience,
                network,
            };
            refresh(&app.domain, refresh_request).await?
        }
    };
    Ok(granted(&tokens))
}

fn grant_type_of(form: &RequestForm) -> Result<GrantType, OAuthRefusal> {
    match form.get("grant_type") {
        Some("authorization_code") => Ok(GrantType::Code),
        Some("refresh_token") => Ok(GrantType::Refresh),
        None => Err(OAuthRefusal::malformed("The grant_type is missing.")),
        Some(_) => {
            let description = "The grant_type must be authorization_code or refresh_token.";
            Err(OAuthError::new(OAuthCode::UnsupportedGrantType, description).into())
        }
    }
}

fn granted(tokens: &Tokens) -> Response {
    let mut body = json!({
        "access_token": tokens.access.expose(),
        "token_type": "Bearer",
        "expires_in": tokens.expires_in,
        "scope": tokens.scopes.names().join(" "),
    });
    if let Some(refresh) = &tokens.refresh {
        body["refresh_token"] = refresh.expose().into();
    }
    json_answer(StatusCode::OK, &body)
}
