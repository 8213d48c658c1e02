//! HTTP transport of MCP: one message per POST to a known address, from an allowed host and origin, with a
//! credential, and streams of notifications. There are no sessions, and cookies do not authenticate.

use std::sync::{Arc, OnceLock};

use identity::oauth::Resource;
use kernel::{AccountId, Code};
use permits::{KeyedLimit, KeyedPermit};
use poem::endpoint::{BoxEndpoint, make};
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{EndpointExt, IntoResponse, Request, RequestBody, Response};
use serde_json::{Value, json};

use super::error::McpError;
use super::limits::{count_free, count_unauthenticated};
use super::listen::{self, Listening};
use super::message::{self, JsonRpcMessage, RpcError};
use super::methods::{self, may_step_up};
use super::revision::Revision;
use super::selection::ToolSelection;
use super::session::{AgentRequest, Operations, Refusal};
use super::tools::ToolCatalogue;
use super::{origins, stream};
use api::document;
use api::error::{ApiError, ErrorForm, RenderContext};
use http_kit::app::App;
use http_kit::auth;
use http_kit::http::body::{BodyFault, JSON, bytes_of, essence};
use http_kit::http::cors::AllowedOrigin;
use http_kit::http::json;
use http_kit::http::request_id::{self, RequestId};
use http_kit::mcp_address::{Access, McpAddress, ToolGroup};
use http_kit::protected_resource::ProtectedResource;

/// Size limit of a message, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Supported methods.
const ALLOW: HeaderValue = HeaderValue::from_static("GET, POST, OPTIONS");

/// Seconds after which an account with too many streams may open another.
const STREAM_RETRY_SECONDS: u32 = 60;

/// Endpoint for agents.
struct Mcp {
    app: Arc<App>,
    operations: Operations,
    catalogue: OnceLock<Arc<ToolCatalogue>>,
    /// Open streams of notifications by account.
    streams: KeyedLimit<AccountId>,
}

/// Endpoint for all paths under `/mcp`. It never returns an error: every error is rendered as a response.
pub fn endpoint(app: &Arc<App>, operations: Operations) -> BoxEndpoint<'static> {
    let streams = KeyedLimit::new(listen::MAX_STREAMS);
    let mcp = Arc::new(Mcp { app: Arc::clone(app), operations, catalogue: OnceLock::new(), streams });
    let memory = app.body_memory.clone();
    make(move |request| {
        let mcp = Arc::clone(&mcp);
        async move { mcp.answer(request).await }
    })
    .data(memory)
    .boxed()
}

impl Mcp {
    async fn answer(&self, request: Request) -> Response {
        let Some(grant) = origins::admit(&self.app.settings, &request) else {
            let error = RpcError::invalid_request("Requests from this host or origin are not allowed.");
            return rendered(&error.with_status(StatusCode::FORBIDDEN), None);
        };
        let mut response = match McpAddress::of(request.uri().path()) {
            None => unknown_address(),
            Some(_) if *request.method() == Method::OPTIONS => return origins::preflight(&grant),
            Some(address) => self.authenticated(address, request).await,
        };
        let headers = response.headers_mut();
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
        if grant != AllowedOrigin::SameOrigin {
            origins::expose(&grant, &mut response);
        }
        response
    }

    async fn authenticated(&self, address: McpAddress, request: Request) -> Response {
        let caller = match auth::identify(&self.app, &request, Resource::Mcp).await {
            Ok(caller) => caller,
            Err(error) => return self.unauthenticated(address, &request, error.into()).await,
        };
        let is_listening = *request.method() == Method::GET && accepts_stream(request.headers());
        if *request.method() != Method::POST && !is_listening {
            return StatusCode::METHOD_NOT_ALLOWED.with_header(header::ALLOW, ALLOW).into_response();
        }
        let Some(selection) = ToolSelection::of(address, request.uri().query().unwrap_or_default()) else {
            return unknown_selection();
        };
        let request_id = RequestId(request_id::of(&request));
        let operations = Arc::clone(&self.operations);
        let app = Arc::clone(&self.app);
        let is_charged = false;
        let session = AgentRequest { app, caller, address, selection, request_id, operations, is_charged };
        let (request, mut body) = request.split();
        if is_listening {
            let listening = Listening::stored(&session, request.headers());
            return Box::pin(self.listen_stored(session, listening)).await;
        }
        match self.message(session, &request, &mut body).await {
            Ok(response) | Err(response) => response,
        }
    }

    /// Parses a message and responds to it.
    async fn message(
        &self,
        session: AgentRequest,
        request: &Request,
        body: &mut RequestBody,
    ) -> Result<Response, Response> {
        let accepted = AcceptedFormat::of(request.headers())
            .ok_or_else(|| StatusCode::NOT_ACCEPTABLE.into_response())?;
        if request.content_type().is_some_and(|kind| essence(kind) != JSON) {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response());
        }
        let received = bytes_of(request, body, MAX_BYTES).await;
        let (bytes, permit) = received.map_err(|fault| body_fault_response(&fault))?;
        let (message, permit) = match json::parse(bytes, permit, |text| Ok(message::parse(text))).await {
            Ok((Ok(message), permit)) => (message, permit),
            Ok((Err((error, id)), _)) => return Err(count_and_reject(&session, &error, id.as_ref()).await),
            Err(BodyFault::Malformed(reason)) => {
                let error = RpcError::invalid_request(format!("The body is refused: {reason}."));
                return Err(count_and_reject(&session, &error, None).await);
            }
            Err(fault) => return Err(body_fault_response(&fault)),
        };
        let revision = match Revision::of(request.headers(), &message) {
            Ok(revision) => revision,
            Err(error) => return Err(count_and_reject(&session, &error, message.id.as_ref()).await),
        };
        let Some(id) = message.id.clone() else { return Ok(accept(&session).await) };
        if revision == Revision::Newest && message.method == listen::METHOD {
            return Ok(Box::pin(self.listen_for(session, accepted, &message, &id)).await);
        }
        let catalogue = self.catalogue().map_err(|error| rendered(&error, Some(&id)))?;
        let token = message.params.get("_meta").and_then(|metadata| metadata.get("progressToken")).cloned();
        let token = token.filter(|token| token.is_string() || token.is_number());
        let changes_list = methods::changes_tool_list(&session, revision, &message);
        let work = Box::pin(async move {
            // The memory of the message is reserved until it is answered.
            let _permit = permit;
            respond(&session, &catalogue, revision, message, &id).await
        });
        let mut response = match token.filter(|_| accepted == AcceptedFormat::Stream) {
            None => work.await,
            Some(token) => stream::respond(work, token).await,
        };
        if changes_list && accepted == AcceptedFormat::Stream {
            response = stream::with_notification(response, "notifications/tools/list_changed").await;
        }
        let version = HeaderValue::from_static(revision.as_str());
        response.headers_mut().insert("mcp-protocol-version", version);
        Ok(response)
    }

    /// Response to `subscriptions/listen`.
    async fn listen_for(
        &self,
        session: AgentRequest,
        accepted: AcceptedFormat,
        message: &JsonRpcMessage,
        id: &Value,
    ) -> Response {
        if accepted != AcceptedFormat::Stream {
            return StatusCode::NOT_ACCEPTABLE.into_response();
        }
        // Counted before the queries for the resources.
        let permit = match self.stream_permit(&session).await {
            Ok(permit) => permit,
            Err(refusal) => return refusal_response(&session, &refusal, Some(id)),
        };
        match Listening::named(&session, &message.params, id).await {
            Ok(listening) => open_stream(session, listening, permit, Some(id)).await,
            Err(McpError::Rpc(error)) => rendered(&error, Some(id)),
            Err(McpError::Refused(refusal)) => refusal_response(&session, &refusal, Some(id)),
        }
    }

    /// Response to a GET that opens a stream.
    async fn listen_stored(&self, session: AgentRequest, listening: Listening) -> Response {
        match self.stream_permit(&session).await {
            Ok(permit) => open_stream(session, listening, permit, None).await,
            Err(refusal) => refusal_response(&session, &refusal, None),
        }
    }

    /// Counts a request for a stream, and reserves one of the account's streams.
    async fn stream_permit(&self, session: &AgentRequest) -> Result<KeyedPermit<AccountId>, Refusal> {
        count_free(&session.app, &session.caller).await?;
        self.streams.try_acquire(session.caller.account_id).ok_or_else(|| {
            let message = format!("An account can listen with {} streams at a time.", listen::MAX_STREAMS);
            kernel::Error::new(Code::RateLimited, message).retry_after(STREAM_RETRY_SECONDS).into()
        })
    }

    /// Catalogue of all tools, built on first use.
    fn catalogue(&self) -> Result<Arc<ToolCatalogue>, RpcError> {
        if let Some(catalogue) = self.catalogue.get() {
            return Ok(Arc::clone(catalogue));
        }
        let document = document::document(&self.app.settings.origins).map_err(|error| {
            tracing::error!(%error, "failed to build the tool catalogue");
            RpcError::internal().with_status(StatusCode::SERVICE_UNAVAILABLE)
        })?;
        Ok(Arc::clone(self.catalogue.get_or_init(|| Arc::new(ToolCatalogue::of(&document)))))
    }

    /// Response to an unauthenticated request, with a challenge that says how to authenticate.
    async fn unauthenticated(&self, address: McpAddress, request: &Request, error: ApiError) -> Response {
        let base_url = self.app.settings.origins.base.as_str();
        let error = if error.is_unauthenticated() {
            count_unauthenticated(&self.app, request).await.map_or_else(ApiError::from, |()| error)
        } else {
            error
        };
        let request_id = request_id::of(request);
        let mut response =
            error.render(&RenderContext { form: ErrorForm::Plain, base_url, request_id: &request_id });
        challenge(&mut response, &error, &metadata_of(base_url, address));
        response
    }
}

/// Opens a stream of notifications.
async fn open_stream(
    session: AgentRequest,
    listening: Listening,
    permit: KeyedPermit<AccountId>,
    id: Option<&Value>,
) -> Response {
    match listen::open(session.clone(), listening, permit).await {
        Ok(response) => response,
        Err(refusal) => refusal_response(&session, &refusal, id),
    }
}

/// URL of the protected resource metadata of an address.
fn metadata_of(base_url: &str, address: McpAddress) -> String {
    ProtectedResource::mcp(address).metadata_address(base_url)
}

fn challenge(response: &mut Response, error: &ApiError, metadata: &str) {
    match error.challenge(metadata) {
        Some(challenge) => response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge),
        None => response.headers_mut().remove(header::WWW_AUTHENTICATE),
    };
}

/// Response format that the client accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AcceptedFormat {
    /// Single JSON message.
    Json,
    /// The client also accepts a stream of messages (`text/event-stream`).
    Stream,
}

impl AcceptedFormat {
    /// Parses the `Accept` header. Clients that send none, or an incomplete one, receive JSON. `None` if the client
    /// accepts neither format.
    fn of(headers: &HeaderMap) -> Option<Self> {
        let lines: Vec<&str> =
            headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok()).collect();
        let kinds: Vec<String> = lines.iter().flat_map(|line| line.split(',')).map(essence).collect();
        let takes = |kind: &str| kinds.iter().any(|taken| taken == kind);
        if takes("text/event-stream") {
            return Some(Self::Stream);
        }
        (kinds.is_empty() || takes(JSON) || takes("*/*") || takes("application/*")).then_some(Self::Json)
    }
}

/// Response to a valid message.
async fn respond(
    session: &AgentRequest,
    catalogue: &ToolCatalogue,
    revision: Revision,
    message: JsonRpcMessage,
    id: &Value,
) -> Response {
    match methods::handle(session, catalogue, revision, message).await {
        Ok(result) => as_json(StatusCode::OK, &message::answer(id, result)),
        Err(McpError::Rpc(error)) if revision == Revision::Newest => {
            rendered(&error.for_newest_revision(), Some(id))
        }
        Err(McpError::Rpc(error)) => rendered(&error, Some(id)),
        Err(McpError::Refused(refusal)) => refusal_response(session, &refusal, Some(id)),
    }
}

/// Response to a notification of the client.
async fn accept(session: &AgentRequest) -> Response {
    match count_free(&session.app, &session.caller).await {
        Ok(()) => StatusCode::ACCEPTED.into_response(),
        Err(error) => refusal_response(session, &error.into(), None),
    }
}

/// True if a client of an older revision asks for a stream. The newest revision has no stream at GET.
fn accepts_stream(headers: &HeaderMap) -> bool {
    let version = headers.get("mcp-protocol-version").and_then(|version| version.to_str().ok());
    AcceptedFormat::of(headers) == Some(AcceptedFormat::Stream) && version != Some(Revision::Newest.as_str())
}

/// Response to an invalid message. It costs the account nothing but counts against the free limit.
async fn count_and_reject(session: &AgentRequest, error: &RpcError, id: Option<&Value>) -> Response {
    match count_free(&session.app, &session.caller).await {
        Ok(()) => rendered(error, id),
        Err(error) => refusal_response(session, &error.into(), id),
    }
}

/// JSON-RPC error for a refusal that is not the result of a tool. It challenges the client for the write scope if
/// that scope could be granted to the token.
fn refusal_response(session: &AgentRequest, refusal: &Refusal, id: Option<&Value>) -> Response {
    let is_scope = refusal.code() == Code::InsufficientScope.as_str();
    let steps_up = may_step_up(session, refusal);
    let mut error = match refusal.status {
        _ if steps_up => RpcError::insufficient_scope("Reconnect and grant write access.")
            .with_status(StatusCode::FORBIDDEN),
        _ if is_scope => RpcError::insufficient_scope(refusal.message()),
        status @ (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
            RpcError::refused(refusal.message()).with_status(status)
        }
        StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY => {
            RpcError::invalid_params(refusal.message())
        }
        _ => RpcError::refused(refusal.message()),
    };
    let mut data = json!({ "code": refusal.code() });
    for member in ["retryAfter", "details"] {
        if let Some(said) = refusal.error.get(member) {
            data[member] = said.clone();
        }
    }
    if is_scope {
        data["scope"] = kernel::Scope::Write.as_str().into();
    }
    error = error.with_data(data);
    let mut response = rendered(&error, id);
    if let Some(seconds) = refusal.retry_after().filter(|_| error.status != StatusCode::OK) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if steps_up {
        let base_url = session.app.settings.origins.base.as_str();
        let needed =
            ApiError::new(Code::InsufficientScope, refusal.message()).with_scope(kernel::Scope::Write);
        challenge(&mut response, &needed, &metadata_of(base_url, session.address));
    }
    response
}

fn rendered(error: &RpcError, id: Option<&Value>) -> Response {
    as_json(error.status, &error.answer(id))
}

fn as_json(status: StatusCode, value: &Value) -> Response {
    Response::builder().status(status).content_type("application/json").body(value.to_string())
}

/// Response to a body that cannot be read.
fn body_fault_response(fault: &BodyFault) -> Response {
    let (status, reason) = match fault {
        BodyFault::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "The message is larger than 16 MiB."),
        BodyFault::MemoryExhausted => {
            (StatusCode::SERVICE_UNAVAILABLE, "There is no capacity for a message of this size. Retry later.")
        }
        BodyFault::Missing
        | BodyFault::Broken
        | BodyFault::ContentType(_)
        | BodyFault::Malformed(_)
        | BodyFault::Field(_) => (StatusCode::BAD_REQUEST, "The request body cannot be read."),
    };
    let mut response = rendered(&RpcError::invalid_request(reason).with_status(status), None);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(5));
    }
    response
}

/// Response to a query that names an unknown set of tools or an unknown output.
fn unknown_selection() -> Response {
    let sets: Vec<&str> = ["default"].into_iter().chain(ToolGroup::ALL.map(ToolGroup::as_str)).collect();
    let message = "There is no such set of tools or output.";
    let body = json!({
        "error": message,
        "code": Code::NotFound.as_str(),
        "tools": sets,
        "output": ["markdown", "structured"],
    });
    as_json(StatusCode::NOT_FOUND, &body)
}

/// Response for an unknown address, with the list of known addresses.
fn unknown_address() -> Response {
    let full = McpAddress::all().filter(|address| address.access == Access::Full);
    let paths: Vec<String> = full.map(McpAddress::path).collect();
    let error = ApiError::new(Code::NotFound, "There is no MCP endpoint at this path.");
    let body = json!({
        "error": error.message,
        "code": error.code.as_str(),
        "addresses": paths,
    });
    as_json(StatusCode::NOT_FOUND, &body)
}
