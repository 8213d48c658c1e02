//! Refusals of single sign-on, as errors with the texts that people see.

use super::provider::{OidcProvider, OidcProviderError};
use kernel::{Code, Error, Result};

pub(super) use super::super::external_sign_in::refused;

/// Checks that people can sign in with a password. The operator can disable passwords if there is a provider.
///
/// # Errors
/// `invalid_request` if people can sign in only at the provider or with a passkey.
pub fn require_passwords(provider: Option<&OidcProvider>) -> Result<()> {
    if provider.is_none_or(OidcProvider::accepts_passwords) {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidRequest,
        "Passwords are not accepted for the sign-in to this service. Sign in at its provider or with a passkey.",
    ))
}

/// Error for a state that was not issued to this browser, was used before, or has expired.
pub(super) fn expired() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The sign-in took too long, or was started in another tab or browser. Start it again.",
    )
}

/// Error for a sign-in that the person cancelled, or that the provider does not permit.
pub(super) fn denied() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The provider did not sign you in: the sign-in was cancelled there, or you are not allowed to use this service.",
    )
}

/// Error for a person without an account, if accounts are not created automatically.
pub(super) fn unknown_person(provider: &OidcProvider) -> Error {
    if !provider.accepts_passwords() {
        return Error::new(
            Code::SignupClosed,
            "No account is connected to this sign-in. Ask the operator of this service for one.",
        );
    }
    Error::new(
        Code::SignupClosed,
        "No account is connected to this sign-in. If you have an account, sign in with its password and connect it in the settings; otherwise ask the operator of this service for one.",
    )
}

/// Error for a person whose e-mail address the provider has not verified.
pub(super) fn unverified_email() -> Error {
    Error::new(
        Code::SignupClosed,
        "The provider did not confirm an e-mail address, which a new account needs. Confirm it there, or ask the operator of this service.",
    )
}

/// Error for a person whose e-mail address belongs to an account that is not connected.
pub(super) fn email_has_account(provider: &OidcProvider) -> Error {
    if !provider.accepts_passwords() {
        return Error::new(
            Code::NameTaken,
            "Your e-mail address has an account that is not connected to this sign-in. Ask the operator of this service.",
        );
    }
    Error::new(
        Code::NameTaken,
        "Your e-mail address already has an account. Sign in with its password, and connect it in the settings.",
    )
}

/// Error for a failed exchange with the provider.
pub(super) fn of_provider(provider: &OidcProvider, error: &OidcProviderError) -> Error {
    match error {
        OidcProviderError::IdToken(_) | OidcProviderError::Refused(_) => refused(),
        OidcProviderError::Server(_)
        | OidcProviderError::Status(_)
        | OidcProviderError::Metadata(_)
        | OidcProviderError::Format(_)
        | OidcProviderError::Paused => unavailable(provider),
    }
}

fn unavailable(provider: &OidcProvider) -> Error {
    if !provider.accepts_passwords() {
        return Error::new(
            Code::ServiceUnavailable,
            "The provider does not answer as expected. Try again in a minute, or sign in with a passkey.",
        );
    }
    Error::new(
        Code::ServiceUnavailable,
        "The provider does not answer as expected. Try again in a minute, or sign in with your password.",
    )
}
