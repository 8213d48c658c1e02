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
use crate::layout::Shell;
use crate::page::form::FormToken;
use crate::page::parts::{quoted, time};
use crate::page::request::PageRequest;

/// Content security policy of the page. It has no `form-action`, because the response redirects to the app,
/// and some browsers apply `form-action` to the app's own redirects as well.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Descriptions of read access.
const READS: [&str; 3] = [
    "Your library: saved pages, files, highlights, notes and tags",
    "Your feeds, their entries and read states; your monitors and their changes",
    "Any public page, on your plan\u{2019}s account",
];
/// Description of write access.
const CHANGES: &str = "save, edit and delete items in your library, follow and unfollow feeds, create, run and delete monitors, import and export";

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
            dt { "The app" } dd { "calls itself " (quoted(&checked.client.name)) ", " span.soft { "name not verified" } }
            @if let (Some(host), RedirectKind::Website(_) | RedirectKind::Extension(_)) = (&checked.client.document_host, &destination) {
                dt { "Information from" } dd { strong { bdi { (host) } } span.soft { ", verified" } }
            }
            dt { "Your account" } dd { (session.account.email) " " button.link form="other" type="submit" { "Use another account" } }
            dt { "Last granted" } dd { @match last {
                Some(at) => (time(at, domain.now())),
                None => { strong { "new" } ": you have not connected this app recently" },
            } }
            dt { "Works with" } dd { @match checked.audience {
                Audience::Everywhere => "the API and the MCP endpoint",
                Audience::Mcp => "the MCP endpoint only",
            } }
        }
        form.consent method="post" action=(PATH) {
            (token.field())
            input type="hidden" name="page" value=(page);
            input type="hidden" name="request" value=(query);
            h2 { "It will be able to read" }
            ul { @for line in READS { li { (line) } } }
            label.choice {
                input type="checkbox" name="change" value="on" checked[checked.scopes.0.allow(Scope::Write)];
                span { strong { "Also allow changes" } ": " (CHANGES) }
            }
            p.soft.small { "It cannot create keys, see your password or delete your account. You can remove its access at any time under Settings, Connected apps. Access expires after 180 days." }
            div.row {
                button.secondary type="submit" name="answer" value="deny" { "Deny" }
                button #allow type="submit" name="answer" value="allow" { "Allow" }
            }
        }
        form #other method="post" action="/sign-out" {
            (token.field())
            input type="hidden" name="next" value=(return_path(query));
        }
        script src=(Asset::Consent.path()) {}
    };
    let response = request.respond_in(Shell::titled("Connect an app"), StatusCode::OK, &content);
    Ok(guarded(response))
}

/// Renders the heading with the redirect address. The address is larger than the app's name, because the name
/// is not verified.
fn heading(destination: &RedirectKind, redirect_uri: &str) -> Markup {
    let (before, address, after) = match destination {
        RedirectKind::Website(host) => ("Allow access for the app at", host.clone(), "?"),
        RedirectKind::Extension(host) => ("Allow access for a browser extension, at", host.clone(), "?"),
        RedirectKind::Loopback => {
            ("Allow access for a program on this computer, at", authority(redirect_uri), "?")
        }
        RedirectKind::Program(scheme) => {
            ("Allow access for the program on this computer that opens", format!("{scheme}:"), " addresses?")
        }
    };
    html! { h1.asks { span { (before) " " } bdi.address { (address) } span { (after) } } }
}

/// Returns a warning for redirect addresses that any program on the computer can use.
fn warning(destination: &RedirectKind) -> Option<Markup> {
    match destination {
        RedirectKind::Website(_) | RedirectKind::Extension(_) => None,
        RedirectKind::Loopback | RedirectKind::Program(_) => Some(html! {
            strong { "Any program on this computer can pose as this app." } " Continue only if you started this just now."
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
