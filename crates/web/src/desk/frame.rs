//! Code shared by all desk pages: their frame, addresses with parameters, messages about actions, links to
//! the next page of a list, and truncated texts.

use articles::Payer;
use maud::{Markup, Render, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode};

use crate::layout::{Shell, Width};
use crate::page::form::Form;
use crate::page::parts::success;
use crate::page::request::{PageRequest, User, title_with_status};
use crate::page::response::redirect;
use crate::page::return_link::without_done;

/// Rows per page of a list.
pub(super) const ROWS: u32 = 50;

/// Section of the desk, for the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Today,
    Feeds,
    Library,
    /// No section, for example on settings pages.
    Elsewhere,
}

impl Section {
    const fn path(self) -> &'static str {
        match self {
            Self::Today => "/today",
            Self::Feeds => "/entries",
            Self::Library => "/library",
            Self::Elsewhere => "",
        }
    }
}

/// Responds with a desk page.
pub(super) fn respond(request: &PageRequest, section: Section, title: &str, content: &Markup) -> Response {
    respond_with(request, StatusCode::OK, section, title, content)
}

/// Responds with a desk page and a status.
pub(super) fn respond_with(
    request: &PageRequest,
    status: StatusCode,
    section: Section,
    title: &str,
    content: &Markup,
) -> Response {
    let title = title_with_status(status, title);
    request.respond_in(Shell { title: &title, current: section.path(), width: Width::Desk }, status, content)
}

/// Builds an address with the parameters that are not empty.
pub(super) fn link(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let mut is_bare = true;
    for (name, value) in parameters.iter().filter(|(_, value)| !value.is_empty()) {
        query.append_pair(name, value);
        is_bare = false;
    }
    if is_bare { path.to_owned() } else { format!("{path}?{}", query.finish()) }
}

/// Returns the address of the page that submitted the form, without its message. Returns `usual` unless that
/// page is a desk page.
pub(super) fn back(form: &Form, usual: &str) -> String {
    let sent = form.get("back");
    let plain = sent.len() <= 2_000 && sent.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    let prefixes =
        ["/today", "/entries", "/library", "/search", "/subscriptions", "/collections", "/welcome"];
    let is_ours = prefixes.iter().any(|prefix| {
        sent.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
    });
    let target = if plain && is_ours { sent } else { usual };
    without_done(target)
}

/// Redirects to a page that displays the message `done`.
pub(super) fn redirect_done(target: &str, done: &str) -> Response {
    redirect(&with_done(target, done))
}

/// Returns the address of a page that displays the message `done`.
pub(super) fn with_done(target: &str, done: &str) -> String {
    let joint = if target.contains('?') { '&' } else { '?' };
    format!("{target}{joint}done={done}")
}

/// Seconds between reloads of a page about work in progress.
const RELOAD_SECONDS: u32 = 2;

/// Makes the browser reload `target` periodically, without scripts. For pages about work in progress.
pub(super) fn with_reload(mut response: Response, target: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(&format!("{RELOAD_SECONDS}; url={target}")) {
        response.headers_mut().insert("refresh", value);
    }
    response
}

/// Makes the browser reload the page at `path` periodically, at most `max_reloads` times, and scroll to `fragment`.
pub(super) fn with_limited_reload(
    request: &PageRequest,
    response: Response,
    path: &str,
    fragment: &str,
    max_reloads: u32,
) -> Response {
    let reloads: u32 = request.parameter("reload").parse().unwrap_or(0);
    if reloads >= max_reloads {
        return response;
    }
    with_reload(response, &format!("{path}?reload={}{fragment}", reloads + 1))
}

/// Renders a hidden field with the address of the current page, without its message.
pub(super) fn back_field(request: &PageRequest) -> Markup {
    let current = request.uri.path_and_query().map_or("", |current| current.as_str());
    html! { input type="hidden" name="back" value=(without_done(current)); }
}

/// Renders the message about the last action. Empty if the message is not in `known`.
pub(super) fn notice(request: &PageRequest, known: &[(&str, impl Render)]) -> Markup {
    let done = request.parameter("done");
    let words = known.iter().find(|(word, _)| *word == done).map(|(_, words)| words);
    html! { @if let Some(words) = words { (success(words)) } }
}

/// Renders a link to the next page of a list. Empty if there is no next page.
pub(super) fn pager(next: Option<&str>, label: &(impl Render + ?Sized)) -> Markup {
    html! { @if let Some(next) = next { p.pager { a.button.secondary rel="next" href=(next) { (label) } } } }
}

/// Tab of a list.
pub(super) struct Tab {
    pub(super) href: String,
    pub(super) name: String,
    pub(super) is_current: bool,
}

/// Renders the tabs of a list.
pub(super) fn tabs(label: &str, tabs: &[Tab]) -> Markup {
    html! {
        nav.subnav aria-label=(label) {
            @for tab in tabs { a href=(tab.href) aria-current=[tab.is_current.then_some("page")] { (tab.name) } }
        }
    }
}

/// Truncates a text to at most `most` characters, between two words.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most).collect();
    let end = start.rfind(char::is_whitespace).unwrap_or(start.len());
    format!("{}…", start[..end].trim_end())
}

/// Returns true if the address is `http` or `https`.
pub(super) fn is_web(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

/// Returns the host of an address, without `www.`.
pub(super) fn host(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
}

/// Returns the signed-in account as the payer of its requests.
pub(super) fn payer(user: &User) -> Payer {
    Payer { account_id: user.account.id, tier: user.account.tier }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_omit_empty_parameters_and_the_done_message() {
        assert_eq!(
            link("/library", &[("shelf", "all"), ("q", ""), ("tag", "a b")]),
            "/library?shelf=all&tag=a+b"
        );
        assert_eq!(link("/library", &[("q", "")]), "/library");
        assert_eq!(without_done("/entries?feed=3&done=read&x=1"), "/entries?feed=3&x=1");
        assert_eq!(without_done("/entries?done=read&undo=unread__1.2"), "/entries");
        assert_eq!(without_done("/library?refused=1.0&done=copying"), "/library");
    }

    #[test]
    fn long_text_is_truncated_between_words() {
        assert_eq!(cut("one two three", 9), "one two…");
        assert_eq!(cut("short", 9), "short");
        assert_eq!(host("https://www.example.org/x").as_deref(), Some("example.org"));
    }
}
