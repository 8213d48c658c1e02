//! Calls of operations for one call of a default tool. Only the first operation is charged.

use poem::Request;
use poem::http::{Method, StatusCode};
use serde_json::Value;

use crate::session::{AgentRequest, Refusal, json_of, uri_of, with_json};
use http_kit::auth::ChargePolicy;

/// Operations of one tool call.
pub(super) struct Calls<'a> {
    session: &'a AgentRequest,
    is_charged: bool,
}

impl<'a> Calls<'a> {
    pub(super) fn new(session: &'a AgentRequest) -> Self {
        Self { session, is_charged: false }
    }

    pub(super) fn session(&self) -> &'a AgentRequest {
        self.session
    }

    /// Charge of the next operation.
    fn charge(&mut self) -> ChargePolicy {
        if std::mem::replace(&mut self.is_charged, true) { ChargePolicy::Paid } else { ChargePolicy::Due }
    }

    /// Records that the call is charged by an operation that is called without [`Calls`].
    pub(super) fn leave_charge(&mut self) {
        self.is_charged = true;
    }

    /// Calls a GET operation.
    ///
    /// # Errors
    /// The error response of the operation.
    pub(super) async fn get(&mut self, path: &str) -> Result<Value, Refusal> {
        let charge = self.charge();
        self.session.get(path, charge).await
    }

    /// Calls a POST operation with a JSON body.
    ///
    /// # Errors
    /// The error response of the operation.
    pub(super) async fn post(&mut self, path: &str, body: &Value) -> Result<Value, Refusal> {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Calls a POST operation that creates an object. Returns true with its response if the object is new.
    ///
    /// # Errors
    /// The error response of the operation.
    pub(super) async fn create(&mut self, path: &str, body: &Value) -> Result<(Value, bool), Refusal> {
        let request = with_json(Request::builder().method(Method::POST).uri(uri_of(path)?), body);
        let charge = self.charge();
        let response = self.session.send(request, charge).await?;
        let is_new = response.status() == StatusCode::CREATED;
        Ok((json_of(response).await?, is_new))
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// The error response of the operation.
    pub(super) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Refusal> {
        let builder = Request::builder().method(method).uri(uri_of(path)?);
        let request = match body {
            Some(body) => with_json(builder, body),
            None => builder.finish(),
        };
        let charge = self.charge();
        json_of(self.session.send(request, charge).await?).await
    }

    /// Charges the call if it has not been charged yet, and checks the scope.
    ///
    /// # Errors
    /// A refusal because of the account's limits or a missing scope.
    pub(super) async fn charge_alone(&mut self, scope: kernel::Scope) -> Result<(), Refusal> {
        match self.charge() {
            ChargePolicy::Due => self.session.charge(scope).await,
            ChargePolicy::Paid => Ok(self.session.caller.require(scope)?),
        }
    }
}
