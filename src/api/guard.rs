//! The first thing every operation asks for: who calls, whether the credential holds the operation's
//! scope, and whether the account's limits allow one more operation.
//!
//! It is an extractor, and the first argument of each operation, so that a stranger learns nothing of
//! the operation's other rules, and so that the API description says what the code does.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use domain::Scope;
use domain::caller::Caller;
use domain::limits::window::State;
use domain::limits::{self, Shown};
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaOAuthFlow, MetaOAuthFlows, MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::error::ApiError;
use crate::app::App;
use crate::auth;

/// The names of the three credential forms in the API description.
pub const SCHEMES: [&str; 3] = ["OAuth2", "ApiKeyBearer", "ApiKeyHeader"];

/// What an operation needs.
pub trait Needs: Send + Sync + 'static {
    /// The scope.
    const SCOPE: Scope;
    /// Which limits its answers show.
    const SHOWN: Shown = Shown::Operations;
    /// The scope as the API description's first credential form carries it.
    const SCHEME: &'static str;
}

/// `svc:read`.
pub struct Read;

/// `svc:read`, and perhaps a fresh extraction.
pub struct ReadSource;

/// `svc:write`.
pub struct Write;

/// `svc:write`, for what has a source read.
pub struct WriteSource;

impl Needs for Read {
    const SCOPE: Scope = Scope::Read;
    const SCHEME: &'static str = "OAuth2@svc:read";
}

impl Needs for ReadSource {
    const SCOPE: Scope = Scope::Read;
    const SHOWN: Shown = Shown::Fresh;
    const SCHEME: &'static str = "OAuth2@svc:read";
}

impl Needs for WriteSource {
    const SCOPE: Scope = Scope::Write;
    const SHOWN: Shown = Shown::Fresh;
    const SCHEME: &'static str = "OAuth2@svc:write";
}

impl Needs for Write {
    const SCOPE: Scope = Scope::Write;
    const SCHEME: &'static str = "OAuth2@svc:write";
}

/// A caller who may carry out an operation that needs `N`.
pub struct Allowed<N>(pub Caller, PhantomData<N>);

/// Where the caller stands with the limits: written by the guard and by operations, shown by the surface.
#[derive(Clone, Default)]
pub struct Standing(Arc<Mutex<Vec<State>>>);

impl Standing {
    /// Notes newer states; those of other policies stay.
    pub fn note(&self, states: &[State]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for state in states {
            match kept.iter_mut().find(|known| known.name == state.name) {
                Some(known) => *known = *state,
                None => kept.push(*state),
            }
        }
    }

    /// All states noted.
    pub fn states(&self) -> Vec<State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<'a, N: Needs> ApiExtractor<'a> for Allowed<N> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        for (name, scheme) in schemes() {
            registry.create_security_scheme(name, scheme);
        }
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![N::SCHEME, SCHEMES[1], SCHEMES[2]]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(enter::<N>(request).await.map_err(|error| error.needing(N::SCOPE))?, PhantomData))
    }
}

async fn enter<N: Needs>(request: &Request) -> Result<Caller, ApiError> {
    let app = request.data::<Arc<App>>().ok_or_else(unprepared)?;
    let standing = request.data::<Standing>().ok_or_else(unprepared)?;
    let caller = auth::identify(app, request).await?;
    let decision = app.limits.charge_operation(&app.domain, caller.account_id, caller.tier, N::SHOWN).await?;
    standing.note(&decision.states);
    if let Some(refusal) = limits::refusal(&decision) {
        return Err(refusal.into());
    }
    caller.require(N::SCOPE)?;
    Ok(caller)
}

fn unprepared() -> ApiError {
    ApiError::from(domain::Error::internal("the surface did not prepare the request"))
}

fn schemes() -> [(&'static str, MetaSecurityScheme); 3] {
    let scheme = |ty, description| MetaSecurityScheme {
        ty,
        description: Some(description),
        name: None,
        key_in: None,
        scheme: None,
        bearer_format: None,
        flows: None,
        openid_connect_url: None,
    };
    let flow =
        MetaOAuthFlow { authorization_url: None, token_url: None, refresh_url: None, scopes: Vec::new() };
    let flows = MetaOAuthFlows {
        implicit: None,
        password: None,
        client_credentials: None,
        authorization_code: Some(flow),
    };
    [
        (
            SCHEMES[0],
            MetaSecurityScheme {
                flows: Some(flows),
                ..scheme("oauth2", "An OAuth 2.0 access token: Authorization Code flow with PKCE.")
            },
        ),
        (
            SCHEMES[1],
            MetaSecurityScheme {
                scheme: Some("bearer"),
                bearer_format: Some("svc_…"),
                ..scheme("http", "A personal API key as a bearer token.")
            },
        ),
        (
            SCHEMES[2],
            MetaSecurityScheme {
                name: Some("X-API-Key"),
                key_in: Some("header"),
                ..scheme("apiKey", "A personal API key in a header of its own.")
            },
        ),
    ]
}
