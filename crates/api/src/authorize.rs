//! Extractor that authorizes an operation: identifies the caller, charges the account's limits, and checks
//! the scope.
//!
//! It is the first argument of each operation. An unauthorized caller therefore learns nothing about the
//! operation's other rules, and the API description is generated from the same declaration.

use identity::limits::AccountLimits;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use identity::caller::Caller;
use identity::limits::window::RateState;
use identity::limits::{self, ExposedLimits};
use identity::oauth::Resource;
use kernel::Scope;
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaOAuthFlow, MetaOAuthFlows, MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::error::ApiError;
use http_kit::app::App;
use http_kit::auth::{self, Identified};

/// Names of the three security schemes in the API description.
pub const SCHEMES: [&str; 3] = ["OAuth2", "ApiKeyBearer", "ApiKeyHeader"];

/// Permission that a credential may have.
pub trait Permission: Send + Sync + 'static {
    const SCOPE: Scope;
    /// Access granted to app tokens.
    const TOKENS: AppTokens = AppTokens::Allowed;
}

/// Access of app tokens to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppTokens {
    /// Access depends on the scopes of the token.
    Allowed,
    /// No access. A person who connects an app does not consent to actions that concern other accounts.
    Refused,
}

/// Charge of an operation against the caller's limits.
pub trait LimitCharge: Send + Sync + 'static {
    /// Limits that the response headers report.
    const EXPOSED_LIMITS: ExposedLimits;
}

#[derive(Debug)]
pub struct Read;

#[derive(Debug)]
pub struct Write;

/// Permission to read data that other accounts share. Apps never have it.
#[derive(Debug)]
pub struct SharedRead;

/// Permission to change data that is shared with other accounts. Apps never have it.
#[derive(Debug)]
pub struct SharedWrite;

/// Charges one operation.
#[derive(Debug)]
pub struct OperationCharge;

/// Charges one operation, and one fresh extraction if a source is downloaded.
#[derive(Debug)]
pub struct Fresh;

impl Permission for Read {
    const SCOPE: Scope = Scope::Read;
}

impl Permission for Write {
    const SCOPE: Scope = Scope::Write;
}

impl Permission for SharedRead {
    const SCOPE: Scope = Scope::Read;
    const TOKENS: AppTokens = AppTokens::Refused;
}

impl Permission for SharedWrite {
    const SCOPE: Scope = Scope::Write;
    const TOKENS: AppTokens = AppTokens::Refused;
}

impl LimitCharge for OperationCharge {
    const EXPOSED_LIMITS: ExposedLimits = ExposedLimits::Operations;
}

impl LimitCharge for Fresh {
    const EXPOSED_LIMITS: ExposedLimits = ExposedLimits::Fresh;
}

/// Caller with permission `P`, charged according to `C`. As an argument, it adds the scope, the limits, and the error
/// statuses 401, 403 and 429 to the operation's description.
#[derive(Debug)]
pub struct Authorized<P, C = OperationCharge>(pub Caller, PhantomData<(P, C)>);

/// Remaining limits of the caller. They are recorded while the request is handled, and `surface` writes them
/// as headers.
#[derive(Clone, Default)]
pub struct RateLimitState(Arc<Mutex<Vec<RateState>>>);

impl RateLimitState {
    /// Replaces the states of the given policies. The states of other policies are unchanged.
    pub fn record(&self, states: &[RateState]) {
        let mut recorded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for state in states {
            match recorded.iter_mut().find(|known| known.name == state.name) {
                Some(known) => *known = *state,
                None => recorded.push(*state),
            }
        }
    }

    pub fn states(&self) -> Vec<RateState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<'a, P: Permission, C: LimitCharge> ApiExtractor<'a> for Authorized<P, C> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        for (name, scheme) in schemes() {
            registry.create_security_scheme(name, scheme);
        }
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![oauth_scheme(P::SCOPE, C::EXPOSED_LIMITS), SCHEMES[1], SCHEMES[2]]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let caller = authorize::<P>(request, C::EXPOSED_LIMITS).await;
        Ok(Self(caller.map_err(|error| error.with_scope(P::SCOPE))?, PhantomData))
    }
}

async fn authorize<P: Permission>(request: &Request, exposed: ExposedLimits) -> Result<Caller, ApiError> {
    let caller = identify_and_charge(request, exposed).await?;
    caller.require(P::SCOPE)?;
    match P::TOKENS {
        AppTokens::Allowed => {}
        AppTokens::Refused => caller.require_own_credential()?,
    }
    Ok(caller)
}

/// Identifies the caller and charges one operation.
async fn identify_and_charge(request: &Request, exposed: ExposedLimits) -> Result<Caller, ApiError> {
    let app = request.data::<Arc<App>>().ok_or_else(unprepared)?;
    let limits_left = request.data::<RateLimitState>().ok_or_else(unprepared)?;
    let caller = match request.data::<Identified>() {
        Some(Identified { caller, charge: auth::ChargePolicy::Paid }) => return Ok(caller.clone()),
        Some(Identified { caller, charge: auth::ChargePolicy::Due }) => caller.clone(),
        None => auth::identify(app, request, Resource::Api).await?,
    };
    let (states, refusal) = charge(app, &caller, exposed).await?;
    limits_left.record(&states);
    refusal.map_or(Ok(caller), |refusal| Err(refusal.into()))
}

/// Charges one operation. Returns the account's limit states and, if a limit is exhausted, the error of the
/// refused request.
///
/// # Errors
/// `Unavailable` if the database cannot report today's usage.
pub async fn charge(
    app: &App,
    caller: &Caller,
    exposed: ExposedLimits,
) -> kernel::Result<(Vec<RateState>, Option<kernel::Error>)> {
    let limits = app.domain.limits();
    let decision = limits.charge_operation(&app.domain, caller.account_id, caller.tier, exposed).await?;
    let refusal = limits::refusal(&decision);
    Ok((decision.states, refusal))
}

/// Charges a request to an unknown path or method if its credential is valid: such calls count like any other
/// call. Unauthenticated callers get the same response without a charge, because the set of paths is public.
///
/// # Errors
/// If a limit of the account is exhausted.
pub(super) async fn charge_known(request: &Request) -> Result<(), ApiError> {
    let charged = identify_and_charge(request, ExposedLimits::Operations).await.map(drop);
    charged.or_else(|error| if error.is_unauthenticated() { Ok(()) } else { Err(error) })
}

/// Returns the name of the first security scheme, with the scope and the exposed limits.
/// [`Requirement::read`] parses it.
const fn oauth_scheme(scope: Scope, exposed: ExposedLimits) -> &'static str {
    match (scope, exposed) {
        (Scope::Read, ExposedLimits::Operations) => "OAuth2@svc:read",
        (Scope::Read, ExposedLimits::Fresh) => "OAuth2@svc:read+fresh",
        (Scope::Write, ExposedLimits::Operations) => "OAuth2@svc:write",
        (Scope::Write, ExposedLimits::Fresh) => "OAuth2@svc:write+fresh",
    }
}

/// Security requirement of an operation, parsed from the document of poem-openapi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Requirement<'a> {
    /// Name of the security scheme.
    pub scheme: &'a str,
    /// Required scope. `None` if the scheme has no scopes.
    pub scope: Option<&'a str>,
    /// Limits that the operation's responses expose.
    pub exposed: ExposedLimits,
}

impl<'a> Requirement<'a> {
    /// Parses the name of a security scheme.
    pub(super) fn read(name: &'a str) -> Self {
        let (scheme, scope) =
            name.split_once('@').map_or((name, None), |(scheme, scope)| (scheme, Some(scope)));
        match scope.and_then(|scope| scope.strip_suffix("+fresh")) {
            Some(scope) => Self { scheme, scope: Some(scope), exposed: ExposedLimits::Fresh },
            None => Self { scheme, scope, exposed: ExposedLimits::Operations },
        }
    }
}

fn unprepared() -> ApiError {
    ApiError::from(kernel::Error::internal("authorization data is missing from the request"))
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
                ..scheme(
                    "oauth2",
                    "OAuth 2.0 access token, obtained by the authorization code flow with PKCE.",
                )
            },
        ),
        (
            SCHEMES[1],
            MetaSecurityScheme {
                scheme: Some("bearer"),
                bearer_format: Some("svc_…"),
                ..scheme("http", "Personal API key as a bearer token.")
            },
        ),
        (
            SCHEMES[2],
            MetaSecurityScheme {
                name: Some("X-API-Key"),
                key_in: Some("header"),
                ..scheme("apiKey", "Personal API key in the `X-API-Key` header.")
            },
        ),
    ]
}
