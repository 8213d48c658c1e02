//! Consent page: the person decides whether an app may use the account. The redirect address precedes the
//! app's name, because the address is verified and the name is not.

use identity::accounts::Session;
use identity::oauth::{self, Audience, RedirectKind, ValidatedRequest};
use kernel::Scope;
use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};

use super::super::link_form::without_referrer;
use super::incoming::{PATH, return_path};
use crate::assets::Asset;
use crate::language::text::Text;
use crate::layout::Shell;
use crate::page::form::FormToken;
use crate::page::parts::{quoted, time};
use crate::page::request::PageRequest;

/// Content security policy of the page. It has no `form-action`, because the response redirects to the app,
/// and some browsers apply `form-action` to the app's own redirects as well.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Descriptions of read access.
const READS: [Text; 3] =
    [Text("consent-reads-library"), Text("consent-reads-feeds"), Text("consent-reads-pages")];

/// Renders the page.
pub(super) async fn ask(
    request: &PageRequest,
    session: &Session,
    checked: &ValidatedRequest,
    query: &str,
) -> kernel::Result<Response> {
    let domain = &request.app.domain;
    let page = oauth::page_token(domain, &session.secret, query).await?;
    let last = oauth::last_allowed(domain, session.account.id, &checked.client.id).await?;
    let token = FormToken::of(request);
    let destination = checked.redirect.destination();
    let content = html! {
        (heading(&destination, &checked.redirect.redirect_uri))
        @if let Some(warning) = warning(&destination) { p.notice.bad { (warning) } }
        dl.facts {
            dt { (Text("consent-app")) } dd { (Text("consent-calls-itself").markup(&[("name", quoted(&checked.client.name)), ("note", html! { span.soft { (Text("consent-not-verified")) } })])) }
            @if let (Some(host), RedirectKind::Website(_) | RedirectKind::Extension(_)) = (&checked.client.document_host, &destination) {
                dt { (Text("consent-information")) } dd { strong { bdi { (host) } } span.soft { ", " (Text("consent-verified")) } }
            }
            dt { (Text("consent-account")) } dd { (session.account.email) " " button.link form="other" type="submit" { (Text("consent-other-account")) } }
            dt { (Text("consent-last")) } dd { @match last {
                Some(at) => (time(at, domain.now())),
                None => (Text("consent-new-words").markup(&[("new", html! { strong { (Text("consent-new")) } })])),
            } }
            dt { (Text("consent-works-with")) } dd { (audience(checked.audience)) }
        }
        form.consent method="post" action=(PATH) {
            (token.field())
            input type="hidden" name="page" value=(page);
            input type="hidden" name="request" value=(query);
            h2 { (Text("consent-reads")) }
            ul { @for line in READS { li { (line) } } }
            label.choice {
                input type="checkbox" name="change" value="on" checked[checked.scopes.0.allow(Scope::Write)];
                span { (Text("consent-changes").markup(&[("allow", html! { strong { (Text("consent-allow-changes")) } })])) }
            }
            p.soft.small { (Text("consent-limits")) }
            div.row {
                button.secondary type="submit" name="answer" value="deny" { (Text("consent-deny")) }
                button #allow type="submit" name="answer" value="allow" { (Text("consent-allow")) }
            }
        }
        form #other method="post" action="/sign-out" {
            (token.field())
            input type="hidden" name="next" value=(return_path(query));
        }
        script src=(Asset::Consent.path()) {}
    };
    let title = Text("consent-title").get();
    let response = request.respond_in(Shell::titled(&title), StatusCode::OK, &content);
    Ok(guarded(response))
}

/// Describes the interfaces for which the access is valid.
fn audience(audience: Audience) -> Text {
    match audience {
        Audience::Everywhere => Text("consent-everywhere"),
        Audience::Mcp => Text("consent-mcp-only"),
    }
}

/// Renders the heading with the redirect address. It is displayed larger than the app's name, because the name is not
/// verified.
fn heading(destination: &RedirectKind, redirect_uri: &str) -> Markup {
    let (before, address, after) = match destination {
        RedirectKind::Website(host) => (Text("consent-website"), host.clone(), Text("consent-after")),
        RedirectKind::Extension(host) => (Text("consent-extension"), host.clone(), Text("consent-after")),
        RedirectKind::Loopback => (Text("consent-loopback"), authority(redirect_uri), Text("consent-after")),
        RedirectKind::Program(scheme) => {
            (Text("consent-program"), format!("{scheme}:"), Text("consent-after-addresses"))
        }
    };
    html! { h1.asks { span { (before) " " } bdi.address { (address) } span { (after) } } }
}

/// Returns a warning for redirect addresses that any program on the computer can use.
fn warning(destination: &RedirectKind) -> Option<Markup> {
    match destination {
        RedirectKind::Website(_) | RedirectKind::Extension(_) => None,
        RedirectKind::Loopback | RedirectKind::Program(_) => Some(html! {
            strong { (Text("consent-warning")) } " " (Text("consent-warning-advice"))
        }),
    }
}

/// Returns the host and port of a URL, unchanged.
fn authority(uri: &str) -> String {
    let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default().to_owned()
}

/// Sets the page's security headers.
fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY"));
    without_referrer(response)
}
