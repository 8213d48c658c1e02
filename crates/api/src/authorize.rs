//! The first thing every operation asks for: who calls, whether the account's limits allow one more
//! operation, and whether the credential holds the operation's scope.
//!
//! It is an extractor, and the first argument of each operation, so that a stranger learns nothing of
//! the operation's other rules, and so that the API description says what the code does.

use identity::limits::AccountLimits;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use identity::caller::Caller;
use identity::limits::window::RateState;
use identity::limits::{self, Shown};
use identity::oauth::Resource;
use kernel::Scope;
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaOAuthFlow, MetaOAuthFlows, MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::error::ApiError;
use http_kit::app::App;
use http_kit::auth::{self, Identified};

/// The names of the three credential forms in the API description.
pub const SCHEMES: [&str; 3] = ["OAuth2", "ApiKeyBearer", "ApiKeyHeader"];

/// A permission that a credential may hold.
pub trait Permission: Send + Sync + 'static {
    /// Its scope.
    const SCOPE: Scope;
}

/// What an operation is charged with.
pub trait Charge: Send + Sync + 'static {
    /// The limits that its answers show.
    const SHOWN: Shown;
}

/// `svc:read`.
#[derive(Debug)]
pub struct Read;

/// `svc:write`.
#[derive(Debug)]
pub struct Write;

/// One operation.
#[derive(Debug)]
pub struct Operation;

/// One operation, and a fresh extraction when a source is downloaded.
#[derive(Debug)]
pub struct Fresh;

impl Permission for Read {
    const SCOPE: Scope = Scope::Read;
}

impl Permission for Write {
    const SCOPE: Scope = Scope::Write;
}

impl Charge for Operation {
    const SHOWN: Shown = Shown::Operations;
}

impl Charge for Fresh {
    const SHOWN: Shown = Shown::Fresh;
}

/// A caller who holds permission `P` and was charged with `C`. As an argument it makes an operation describe
/// its scope, its limits, and the refusals 401, 403 and 429.
#[derive(Debug)]
pub struct Authorized<P, C = Operation>(pub Caller, PhantomData<(P, C)>);

/// How much of the caller's limits is left: noted while the request is handled, shown by the surface.
#[derive(Clone, Default)]
pub struct RateLimitState(Arc<Mutex<Vec<RateState>>>);

impl RateLimitState {
    /// Notes newer states; those of other policies stay.
    pub fn note(&self, states: &[RateState]) {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for state in states {
            match noted.iter_mut().find(|known| known.name == state.name) {
                Some(known) => *known = *state,
                None => noted.push(*state),
            }
        }
    }

    /// All states noted.
    pub fn states(&self) -> Vec<RateState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<'a, P: Permission, C: Charge> ApiExtractor<'a> for Authorized<P, C> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        for (name, scheme) in schemes() {
            registry.create_security_scheme(name, scheme);
        }
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![scheme_of(P::SCOPE, C::SHOWN), SCHEMES[1], SCHEMES[2]]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let caller = authorize(request, P::SCOPE, C::SHOWN).await;
        Ok(Self(caller.map_err(|error| error.needing(P::SCOPE))?, PhantomData))
    }
}

async fn authorize(request: &Request, scope: Scope, shown: Shown) -> Result<Caller, ApiError> {
    let caller = charged(request, shown).await?;
    caller.require(scope)?;
    Ok(caller)
}

/// Whoever sends the request, charged one operation.
async fn charged(request: &Request, shown: Shown) -> Result<Caller, ApiError> {
    let app = request.data::<Arc<App>>().ok_or_else(unprepared)?;
    let limits_left = request.data::<RateLimitState>().ok_or_else(unprepared)?;
    let caller = match request.data::<Identified>() {
        Some(Identified { caller, charge: auth::Charge::Paid }) => return Ok(caller.clone()),
        Some(Identified { caller, charge: auth::Charge::Due }) => caller.clone(),
        None => auth::identify(app, request, Resource::Api).await?,
    };
    let (states, refusal) = charge(app, &caller, shown).await?;
    limits_left.note(&states);
    refusal.map_or(Ok(caller), |refusal| Err(refusal.into()))
}

/// Charges one operation: where the account stands now, and the refusal when it has none left.
///
/// # Errors
/// `Unavailable` when the database cannot tell what the day has used so far.
pub async fn charge(
    app: &App,
    caller: &Caller,
    shown: Shown,
) -> kernel::Result<(Vec<RateState>, Option<kernel::Error>)> {
    let limits = app.domain.limits();
    let decision = limits.charge_operation(&app.domain, caller.account_id, caller.tier, shown).await?;
    let refusal = limits::refusal(&decision);
    Ok((decision.states, refusal))
}

/// Charges a request that reaches no operation, when its credential holds: such a call counts like any other.
/// Whoever is not known is told of the path all the same, which is no secret.
///
/// # Errors
/// The refusal of the account's limits.
pub(super) async fn charge_known(request: &Request) -> Result<(), ApiError> {
    let charged = charged(request, Shown::Operations).await.map(drop);
    charged.or_else(|error| if error.is_unauthenticated() { Ok(()) } else { Err(error) })
}

/// The first credential form, with the scope and what the answers show, as [`Requirement::read`] reads them.
const fn scheme_of(scope: Scope, shown: Shown) -> &'static str {
    match (scope, shown) {
        (Scope::Read, Shown::Operations) => "OAuth2@svc:read",
        (Scope::Read, Shown::Fresh) => "OAuth2@svc:read+fresh",
        (Scope::Write, Shown::Operations) => "OAuth2@svc:write",
        (Scope::Write, Shown::Fresh) => "OAuth2@svc:write+fresh",
    }
}

/// What an operation's credential form in the framework's document says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Requirement<'a> {
    /// The form.
    pub scheme: &'a str,
    /// The scope, where the form has scopes.
    pub scope: Option<&'a str>,
    /// The limits that the operation's answers show.
    pub shown: Shown,
}

impl<'a> Requirement<'a> {
    /// Reads the name of a credential form.
    pub(super) fn read(name: &'a str) -> Self {
        let (scheme, scope) =
            name.split_once('@').map_or((name, None), |(scheme, scope)| (scheme, Some(scope)));
        match scope.and_then(|scope| scope.strip_suffix("+fresh")) {
            Some(scope) => Self { scheme, scope: Some(scope), shown: Shown::Fresh },
            None => Self { scheme, scope, shown: Shown::Operations },
        }
    }
}

fn unprepared() -> ApiError {
    ApiError::from(kernel::Error::internal("the surface did not prepare the request"))
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
