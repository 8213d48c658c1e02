//! Converts errors of the HTTP client.
//!
//! The client's errors are chains of boxed causes. The kind of failure is determined by the innermost known
//! cause, never from a message.

use std::error::Error as StdError;
use std::io;

use crate::error::{Error, NO_TLS};
use crate::resolve::GuardError;

/// Phase of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExchangePhase {
    /// The head of the response has not been read yet.
    Head,
    /// The body is being read.
    Body,
}

/// Maximum length of a TLS error reason, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Error of a failed exchange.
pub(crate) fn client_error(error: &reqwest::Error, phase: ExchangePhase) -> Error {
    let answered = phase == ExchangePhase::Body;
    for cause in causes(error) {
        if let Some(guard) = cause.downcast_ref::<GuardError>() {
            return from_guard(*guard);
        }
        if let Some(reason) = tls_reason(cause) {
            return Error::Tls { reason };
        }
    }
    if error.is_timeout() {
        let reason = match (error.is_connect(), answered) {
            (true, _) => "no connection in time",
            (false, false) => "no answer in time",
            (false, true) => "the response stopped midway",
        };
        return Error::Timeout { reason, answered };
    }
    if error.is_connect() {
        return Error::Unreachable { reason: "no connection" };
    }
    match phase {
        ExchangePhase::Body => Error::InvalidResponse { reason: "the body ended early" },
        ExchangePhase::Head if causes(error).any(is_disconnect) => {
            Error::Unreachable { reason: "the connection was closed without a response" }
        }
        ExchangePhase::Head => Error::InvalidResponse { reason: "it is not valid HTTP" },
    }
}

/// Error of a failed exchange through a proxy.
pub(crate) fn proxy_error(error: &reqwest::Error, name: &str) -> Error {
    let is_of_target = |cause: &(dyn StdError + 'static)| {
        cause.downcast_ref::<GuardError>().is_some() || tls_reason(cause).is_some()
    };
    if !error.is_connect() || causes(error).any(is_of_target) {
        return client_error(error, ExchangePhase::Head);
    }
    let reason = if error.is_timeout() {
        "no connection in time"
    } else {
        "it cannot be reached, or refuses to connect to the source"
    };
    Error::Proxy { name: name.to_owned(), reason }
}

/// Error of a failed TLS handshake.
pub(crate) fn handshake_error(error: &io::Error) -> Error {
    let broken = Error::Unreachable { reason: "the connection was closed during the TLS handshake" };
    causes(error).find_map(tls_reason).map_or(broken, |reason| Error::Tls { reason })
}

/// Messages of an error and its causes, for operators.
pub(crate) fn chain(error: &(dyn StdError + 'static)) -> String {
    causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

pub(crate) fn from_guard(guard: GuardError) -> Error {
    match guard {
        GuardError::Refused(reason) => Error::NotAllowed { reason },
        GuardError::NoAddress => Error::Unreachable { reason: "the host name has no address" },
        GuardError::Failed => Error::Unreachable { reason: "name lookup failed" },
        GuardError::TimedOut => Error::Timeout { reason: "name lookup took too long", answered: false },
    }
}

fn tls_reason(cause: &(dyn StdError + 'static)) -> Option<String> {
    let tls = cause.downcast_ref::<rustls::Error>()?;
    Some(match tls {
        // Usually a plain-text response of a server without TLS at this port.
        rustls::Error::InvalidMessage(_) => NO_TLS.to_owned(),
        other => other.to_string().chars().take(MAX_REASON_CHARS).collect(),
    })
}

/// True if the server closed the connection before it sent anything.
fn is_disconnect(cause: &(dyn StdError + 'static)) -> bool {
    if let Some(error) = cause.downcast_ref::<io::Error>() {
        return matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
                | io::ErrorKind::NotConnected
        );
    }
    cause.downcast_ref::<hyper::Error>().is_some_and(|error| error.is_canceled() || error.is_closed())
}

/// An error and its causes, outermost first.
fn causes<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    // A cycle of causes is very unlikely, but the bound costs nothing.
    std::iter::successors(Some(error), |error: &&'a (dyn StdError + 'static)| cause(*error)).take(16)
}

/// Next cause. The `source` of an `io::Error` skips the error that it wraps, so the wrapped error is taken
/// first: rustls errors are wrapped there.
fn cause<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}
