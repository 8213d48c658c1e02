//! Accounts: sign-up, sign-in, passwords, sessions, and account deletion.
//!
//! Every row that an account owns refers to it by `account_id`. `cascade` lists the tables of these rows, so
//! that an account is deleted completely in one transaction.

mod account;
mod account_deletion;
mod browser;
mod cascade;
mod email_change;
mod enrolment;
mod external_sign_in;
mod field_error;
mod oidc;
mod open_sessions;
mod operators;
mod owner_proof;
mod passkey_registration;
mod passkey_removal;
mod passkey_sign_in;
mod passkeys;
mod password_reset;
mod passwords;
mod pending_sign_in;
mod proxy_sign_in;
mod quotas;
mod reserved_email;
mod reset;
mod sample;
mod second_factor;
mod second_step;
mod sessions;
mod sign_in;
mod sign_up;
#[cfg(test)]
mod tests;
mod totp;
mod webauthn;

pub use account::{
    Account, close_first_steps, get, is_active, lock, message_language, set_appearance, set_language,
};
pub use account_deletion::delete;
pub use browser::{BrowserToken, SignedIn};
pub use cascade::TABLES;
pub use email_change::{
    ChangeEmail, EmailChange, cancel_email_change, confirm_email_change, find_email_change, find_email_undo,
    pending_email_change, request_email_change, set_email, undo_email_change, write_email_change,
    write_email_changed,
};
pub use enrolment::{
    AuthenticatorKey, finish_second_factor, pending_second_factor, remove_second_factor,
    renew_recovery_codes, reset_second_factor, start_second_factor,
};
pub use external_sign_in::{AutomaticSignUp, ExternalSignIn};
pub use oidc::{
    CompletedOidc, MAX_RETURN_PATH_BYTES, OidcCallback, OidcConnection, OidcIssuer, OidcProvider,
    OidcProviderError, OidcSettings, OidcStep, PasswordSignIn, StartedOidc, complete_oidc, connect_oidc,
    disconnect_oidc, oidc_connection, require_passwords, start_oidc,
};
pub use open_sessions::{OpenSession, end_other_sessions, end_session, note_browser, open_sessions};
pub use operators::{
    AccountRole, create, delete_by_email, disable, enable, find, invite, list, set_role, set_tier,
};
pub use owner_proof::{OwnerProof, must_sign_in_again};
pub use passkey_registration::{NewPasskey, RegistrationOptions, register_passkey, registration_options};
pub use passkey_removal::{SignInServers, remove_passkey};
pub use passkey_sign_in::{
    PasskeyAssertion, PasskeySignInOptions, accepts_passkeys, passkey_sign_in_options, sign_in_with_passkey,
};
pub use passkeys::{Passkey, list_passkeys};
pub use password_reset::request_reset;
pub use password_reset::write_reset;
pub use passwords::{HashCost, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, Passwords};
pub use pending_sign_in::PendingSignIn;
pub use proxy_sign_in::{ProxyPerson, sign_in_by_proxy};
pub use quotas::{
    LIMIT_COLUMNS, QuotaSettings, limits, limits_of_row, lock_limits, quota_settings, replace_quotas,
    set_quotas,
};
pub use reset::{
    ResetPassword, ResetSecret, create_reset, find_reset, reset_password, reset_retains_passkeys,
    set_password,
};
pub use sample::{create_sample, delete_sample};
pub use second_factor::{SecondFactor, second_factor};
pub use second_step::{CompleteSignIn, complete_sign_in};
pub use sessions::is_open;
pub use sessions::open as open_session;
pub use sessions::{Session, SessionSecret, authenticate, remove_expired, sign_out};
pub use sign_in::{
    ChangePassword, ExistingAccess, SignIn, SignInOrigin, SignInStep, change_password, sign_in,
};
pub use sign_up::{SignUp, Signups, any_account, sign_up};
