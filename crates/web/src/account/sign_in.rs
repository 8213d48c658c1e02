//! Sign-up, sign-in, and sign-out.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use identity::accounts::{
    self, ExternalSignIn, SignIn, SignInOrigin, SignInServers, SignInStep, SignUp, Signups,
};
use kernel::tiers::Tier;
use kernel::{Class, Error};
use maud::{Markup, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Response, handler};

use super::{authorize, sessions};
use crate::language::text::Text;
use crate::page::cookies;
use crate::page::error_text::{ErrorSentences, wait};
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, RequiredField, current_password, email_field, new_password};
use crate::page::request::{PageRequest, PageResult, SIGNED_OUT, UNSAVED};
use crate::page::response::redirect;
use http_kit::surface::Surface;

/// Maximum length of the return path after sign-in, in bytes. The longest authorization request of an app
/// fits.
const MAX_NEXT: usize = 8 * 1024;
/// Return path after sign-in if none was requested.
pub(super) const DEFAULT_NEXT: &str = "/today";
/// Path of the second page of the sign-in.
pub(super) const CODE_PATH: &str = "/sign-in/code";
/// Path that begins a sign-in at the OpenID provider.
pub(super) const OIDC_PATH: &str = "/sign-in/oidc";
/// Query parameter that lets a signed-in person use the sign-in pages.
const AGAIN: &str = "again";

/// Page after sign-up if none was requested.
pub(super) const FIRST_STEPS: &str = "/welcome";

/// Purpose of a section, which the sign-in page displays to visitors who were redirected from the section.
struct SignInPurpose {
    /// First segments of the section's paths.
    paths: &'static [&'static str],
    title: Text,
    words: Text,
}

static PURPOSES: [SignInPurpose; 5] = [
    SignInPurpose { paths: &["/today"], title: Text("purpose-today"), words: Text("purpose-today-words") },
    SignInPurpose {
        paths: &["/entries", "/subscriptions", "/collections"],
        title: Text("purpose-feeds"),
        words: Text("purpose-feeds-words"),
    },
    SignInPurpose {
        paths: &["/library", "/save", "/highlights"],
        title: Text("purpose-library"),
        words: Text("purpose-library-words"),
    },
    SignInPurpose {
        paths: &["/monitors"],
        title: Text("purpose-monitors"),
        words: Text("purpose-monitors-words"),
    },
    SignInPurpose { paths: &["/search"], title: Text("purpose-search"), words: Text("purpose-search-words") },
];

impl SignInPurpose {
    /// Returns true if the path is in the section.
    fn covers(&self, path: &str) -> bool {
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?']);
        self.paths.iter().any(|first| path.strip_prefix(first).is_some_and(is_below))
    }
}

#[handler]
pub(super) async fn show_sign_up(request: PageRequest) -> PageResult {
    let next = request.parameter("next");
    let next = local_path(&next);
    if request.session.is_some() {
        return Ok(redirect(next));
    }
    if !accepts_passwords(&request) {
        return Ok(redirect(&with_next("/sign-in", next)));
    }
    // An invitation link may contain the code.
    let invite = request.parameter("invite");
    let input = SignUpInput { email: "", invite: &invite, next };
    Ok(sign_up_page(&request, StatusCode::OK, input, &FormError::default()))
}

#[handler]
pub(super) async fn sign_up(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    let new = SignUp {
        email: form.get("email"),
        password: form.get("password"),
        invite: Some(form.get("invite")),
        network: &request.network,
    };
    let signups = app.settings.accounts.signups;
    let made = accounts::sign_up(&app.domain, &app.passwords, signups, new).await;
    match made {
        Ok((account, opened)) => {
            // Without invitations, only the first account has a plan other than free.
            let is_first = account.tier == Tier::Pro && signups == Signups::Open;
            let next = match local_path(form.get("next")) {
                DEFAULT_NEXT if is_first => "/settings/plan?first",
                DEFAULT_NEXT => FIRST_STEPS,
                next => next,
            };
            Ok(sessions::open(&request, redirect(next), &opened).await)
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let next = local_path(form.get("next"));
            let input = SignUpInput { email: form.get("email"), invite: form.get("invite"), next };
            Ok(rejection
                .add_retry_after(sign_up_page(&request, rejection.status, input, &rejection.form_error)))
        }
    }
}

/// Values of the sign-up form.
#[derive(Clone, Copy)]
struct SignUpInput<'a> {
    email: &'a str,
    invite: &'a str,
    next: &'a str,
}

fn sign_up_page(
    request: &PageRequest,
    status: StatusCode,
    input: SignUpInput<'_>,
    form_error: &FormError,
) -> Response {
    let SignUpInput { email, invite, next } = input;
    let token = FormToken::of(request);
    let signups = request.app.settings.accounts.signups;
    let content = html! {
        h1 { (Text("sign-up-heading")) }
        @if signups == Signups::Closed {
            p.notice { (Text("sign-up-closed")) }
        } @else {
            (for_an_app(next))
            p { (Text("sign-up-purpose")) }
            (form_error.summary())
            form.stack method="post" action="/sign-up" {
                (token.field())
                input type="hidden" name="next" value=(next);
                (email_field(email).show(form_error))
                (new_password("password", Text("field-password")).show(form_error))
                @if signups == Signups::Invite {
                    (RequiredField {
                        name: "invite", label: Text("sign-up-invitation"), hint: Some(Text("sign-up-invitation-hint")),
                        kind: "text", value: invite, autocomplete: "off",
                    }.show(form_error))
                }
                div { button type="submit" { (Text("sign-up-button")) } }
            }
        }
        p { (Text("sign-up-known").linked(&[&with_next("/sign-in", next)])) }
    };
    authorize::allow_redirect_to_app(
        next,
        token.keep(&request.app, request.respond(status, &Text("sign-up").get(), &content)),
    )
}

/// Opens a session if the password is correct.
#[handler]
pub(super) async fn sign_in(request: PageRequest, form: Form) -> PageResult {
    let app = &request.app;
    accounts::require_passwords(app.oidc.as_ref())?;
    let sent = SignIn { email: form.get("email"), password: form.get("password"), origin: origin(&request) };
    let step = accounts::sign_in(&app.domain, &app.passwords, sent).await;
    match step {
        Ok(SignInStep::SignedIn(opened)) => {
            let next = redirect(local_path(form.get("next")));
            Ok(sessions::open(&request, next, &opened).await)
        }
        Ok(SignInStep::CodeRequired(state)) => {
            let next = redirect(&with_next(CODE_PATH, local_path(form.get("next"))));
            Ok(cookies::set_pending_sign_in(app, next, state.expose()))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let next = local_path(form.get("next"));
            let page =
                sign_in_page(&request, rejection.status, form.get("email"), next, &rejection.form_error);
            Ok(rejection.add_retry_after(page))
        }
    }
}

/// Returns the network and the browser from which the person signs in.
pub(super) fn origin(request: &PageRequest) -> SignInOrigin<'_> {
    SignInOrigin {
        network: &request.network,
        previous: request.session.as_ref().map(|session| &session.secret),
        browser: request.browser.as_deref(),
    }
}

/// Continues to the local path `next` after another server has authenticated the person.
pub(super) async fn continue_sign_in(
    request: &PageRequest,
    signed_in: ExternalSignIn,
    next: &str,
) -> Response {
    match signed_in {
        ExternalSignIn::SignedIn(opened) => sessions::open(request, redirect(next), &opened).await,
        ExternalSignIn::Created(opened) => {
            let next = if next == DEFAULT_NEXT { FIRST_STEPS } else { next };
            sessions::open(request, redirect(next), &opened).await
        }
        ExternalSignIn::CodeRequired(state) => {
            cookies::set_pending_sign_in(&request.app, redirect(&with_next(CODE_PATH, next)), state.expose())
        }
    }
}

/// Returns true if people can sign in with a password, and not only at the provider or with a passkey.
pub(super) fn accepts_passwords(request: &PageRequest) -> bool {
    accounts::require_passwords(request.app.oidc.as_ref()).is_ok()
}

/// Returns the provider and the proxy of the installation.
pub(super) fn sign_in_servers(request: &PageRequest) -> SignInServers<'_> {
    let has_proxy = request.app.settings.accounts.proxy_header.is_some();
    SignInServers { provider: request.app.oidc.as_ref(), has_proxy }
}

/// Returns true if the cookie of a sign-in at the provider can store the return path.
pub(super) fn can_return(next: &str) -> bool {
    next.len() <= accounts::MAX_RETURN_PATH_BYTES
}

/// Renders the page for a sign-in that another server or this service refused, with `links` to other ways to sign in.
///
/// # Errors
/// Returns `error` if the sign-in was not refused, for example because of an internal error.
pub(super) fn refused_page(request: &PageRequest, title: &str, error: Error, links: &Markup) -> PageResult {
    let status = match error.class() {
        Class::Limited => StatusCode::TOO_MANY_REQUESTS,
        Class::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Class::Unauthenticated | Class::Forbidden | Class::Conflict | Class::Invalid => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Class::NotFound | Class::Gone | Class::Unreadable | Class::Upstream | Class::Internal => {
            return Err(error.into());
        }
    };
    let content = html! {
        h1 { (title) }
        p.notice.bad role="alert" {
            (ErrorSentences::of(&error))
            @if let Some(seconds) = error.retry_after { " " (wait(seconds)) }
        }
        (links)
    };
    let mut page = request.respond(status, title, &content);
    if let Some(seconds) = error.retry_after {
        page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    Ok(page)
}

/// Renders the sign-in page, with the password form or with only the provider and passkeys.
pub(super) fn sign_in_page(
    request: &PageRequest,
    status: StatusCode,
    email: &str,
    next: &str,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    // A sign-in without a requested page also leads to the default page.
    let is_requested = next != DEFAULT_NEXT || request.parameter("next") == DEFAULT_NEXT;
    let purpose = PURPOSES.iter().find(|purpose| is_requested && purpose.covers(next));
    let has_form = accepts_passwords(request);
    let content = html! {
        h1 { (purpose.map_or(Text("sign-in"), |purpose| purpose.title)) }
        (unsaved_notice(request))
        (for_an_app(next))
        @if let Some(purpose) = purpose { p { (purpose.words) } }
        @if has_form {
            (form_error.summary())
            form.stack method="post" action="/sign-in" {
                (token.field())
                input type="hidden" name="next" value=(next);
                (email_field(email).show(form_error))
                (current_password("password", Text("field-password")).show(form_error))
                div { button type="submit" { (Text("sign-in")) } }
            }
            (provider_button(request, next))
        } @else {
            (only_provider(request, next))
        }
        @if accounts::accepts_passkeys(&request.app.domain) {
            p { a href=(sign_in_path(request, "/sign-in/passkey", next)) { (Text("sign-in-passkey")) } }
        }
        @if has_form { p { a href=(with_next("/forgot", next)) { (Text("sign-in-forgot")) } } }
        @if request.app.settings.accounts.signups != Signups::Closed {
            p { (Text("sign-in-new").linked(&[&with_next("/sign-up", next)])) }
        }
    };
    authorize::allow_redirect_to_app(
        next,
        token.keep(&request.app, request.respond(status, &Text("sign-in").get(), &content)),
    )
}

/// Renders the button that leads to the OpenID provider. Empty if there is none, or if the return path is too long
/// for the sign-in cookie.
pub(super) fn provider_button(request: &PageRequest, next: &str) -> Markup {
    let provider = request.app.oidc.as_ref().filter(|_| can_return(next));
    html! {
        @if let Some(provider) = provider {
            p { a.button.secondary href=(sign_in_path(request, OIDC_PATH, next)) { (Text("oidc-sign-in").with("name", provider.name())) } }
        }
    }
}

/// Renders the button of the only provider, for a person who has signed out, or whose return path is too long for the
/// sign-in cookie.
fn only_provider(request: &PageRequest, next: &str) -> Markup {
    let path = if can_return(next) { with_next(OIDC_PATH, next) } else { OIDC_PATH.to_owned() };
    html! {
        @if let Some(provider) = &request.app.oidc {
            @if request.has_parameter(SIGNED_OUT) { p.notice { (Text("oidc-signed-out").with("name", provider.name())) } }
            @if !can_return(next) { p.notice { (Text("oidc-no-return")) } }
            p { a.button href=(path) { (Text("oidc-sign-in").with("name", provider.name())) } }
        }
    }
}

/// Renders a notice for a person whose session had ended when they submitted a form. Empty for all others.
pub(super) fn unsaved_notice(request: &PageRequest) -> Markup {
    html! { @if request.has_parameter(UNSAVED) { p.notice.bad role="alert" { (Text("sign-in-unsaved")) } } }
}

/// Renders a notice for a person whom an app sent to this page.
fn for_an_app(next: &str) -> Markup {
    html! {
        @if next.starts_with(authorize::PATH) {
            p.notice { (Text("sign-in-for-app")) }
        }
    }
}

/// Returns the path of a sign-in page that continues to `next`.
pub(super) fn with_next(path: &str, next: &str) -> String {
    if next == DEFAULT_NEXT {
        return path.to_owned();
    }
    let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{path}?next={next}")
}

/// Returns true if the person is signed in and did not request to sign in again.
pub(super) fn needs_no_sign_in(request: &PageRequest) -> bool {
    request.session.is_some() && !request.has_parameter(AGAIN)
}

/// Returns the path of a sign-in page that continues to `next`, and lets a signed-in person sign in again.
pub(super) fn sign_in_path(request: &PageRequest, path: &str, next: &str) -> String {
    let path = with_next(path, next);
    if request.session.is_none() {
        return path;
    }
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{AGAIN}")
}

/// Closes the session. The sign-in page then continues to `next`, so that a person can grant an app access to
/// another account.
#[handler]
pub(super) async fn sign_out(request: PageRequest, form: Form) -> PageResult {
    if let Some(session) = &request.session {
        accounts::sign_out(&request.app.domain, &session.secret).await?;
    }
    let next = local_path(form.get("next"));
    let page = with_next("/sign-in", next);
    let separator = if page.contains('?') { '&' } else { '?' };
    Ok(cookies::close_session(&request.app, redirect(&format!("{page}{separator}{SIGNED_OUT}"))))
}

/// Returns `next` if it is a local path, and the default page if it could lead to another host.
pub(super) fn local_path(next: &str) -> &str {
    let plain = next.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    let local = next.starts_with('/')
        && !next.starts_with("//")
        && Surface::of(next.split('?').next().unwrap_or(next)) == Surface::Account;
    if plain && local && next.len() <= MAX_NEXT { next } else { DEFAULT_NEXT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_in_redirects_only_to_local_pages() {
        assert_eq!(local_path("/settings/plan"), "/settings/plan");
        assert_eq!(local_path(FIRST_STEPS), FIRST_STEPS);
        assert_eq!(local_path("/settings/keys?x=1"), "/settings/keys?x=1");
        let request = "/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fevil.example%2F";
        assert_eq!(local_path(request), request, "the consent page checks the redirect URI");
        assert_eq!(
            with_next("/sign-up", "/oauth/authorize?a=b"),
            "/sign-up?next=%2Foauth%2Fauthorize%3Fa%3Db"
        );
        let long = format!("/oauth/authorize?{}", "a".repeat(MAX_NEXT));
        for elsewhere in [
            "",
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "/settings/\r\nx",
            "/https://evil.example",
            "/oauth/token",
            long.as_str(),
        ] {
            assert_eq!(local_path(elsewhere), "/today", "{elsewhere}");
        }
    }
}
