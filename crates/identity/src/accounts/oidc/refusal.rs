//! Refusals of single sign-on, as errors with the texts that people see.

use super::provider::OidcProviderError;
use kernel::{Code, Error};

/// Error of a state that was not issued to this browser, was used before, or has expired.
pub(super) fn expired() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The sign-in took too long, or was started in another tab or browser. Start it again.",
    )
}

/// Error of a sign-in that the person cancelled, or that the provider does not permit.
pub(super) fn denied() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The provider did not sign you in: the sign-in was cancelled there, or you are not allowed to use this service.",
    )
}

/// Error of an answer that was not accepted, and of an account that may not be used.
pub(super) fn refused() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The sign-in was refused. Start it again. If it is refused again, ask the operator of this service.",
    )
}

/// Error for a person without an account, if accounts are not created automatically.
pub(super) fn unknown_person() -> Error {
    Error::new(
        Code::SignupClosed,
        "No account is connected to this sign-in. If you have an account, sign in with its password and connect it in the settings; otherwise ask the operator of this service for one.",
    )
}

/// Error of a person whose e-mail address the provider has not verified.
pub(super) fn unverified_email() -> Error {
    Error::new(
        Code::SignupClosed,
        "The provider did not confirm an e-mail address, which a new account needs. Confirm it there, or ask the operator of this service.",
    )
}

/// Error of a person whose e-mail address has an account that is not connected.
pub(super) fn email_has_account() -> Error {
    Error::new(
        Code::NameTaken,
        "Your e-mail address already has an account. Sign in with its password, and connect it in the settings.",
    )
}

/// Error of a failed exchange with the provider.
pub(super) fn of_provider(error: &OidcProviderError) -> Error {
    match error {
        OidcProviderError::IdToken(_) | OidcProviderError::Refused(_) => refused(),
        OidcProviderError::Server(_)
        | OidcProviderError::Status(_)
        | OidcProviderError::Metadata(_)
        | OidcProviderError::Format(_)
        | OidcProviderError::Paused => Error::new(
            Code::ServiceUnavailable,
            "The provider does not answer as expected. Try again in a minute, or sign in with your password.",
        ),
    }
}
