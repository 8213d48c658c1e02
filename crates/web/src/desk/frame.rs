//! What pages of the desk have in common: their frame, addresses with parameters, notices of what was done, the way to
//! the next page of a list, and words cut to a length.

use articles::Payer;
use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode};

use crate::account::form::Form;
use crate::account::parts::success;
use crate::account::request::{PageRequest, User};
use crate::account::respond::redirect;
use crate::layout::{Shell, Width};

/// Rows on a page of a list.
pub(super) const ROWS: u32 = 50;

/// The places of the desk, as the navigation knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Today.
    Today,
    /// Feeds.
    Feeds,
    /// Library.
    Library,
    /// None of them.
    Elsewhere,
}

impl Place {
    const fn path(self) -> &'static str {
        match self {
            Self::Today => "/today",
            Self::Feeds => "/entries",
            Self::Library => "/library",
            Self::Elsewhere => "",
        }
    }
}

/// A page of the desk.
pub(super) fn respond(request: &PageRequest, place: Place, title: &str, content: &Markup) -> Response {
    respond_with(request, StatusCode::OK, place, title, content)
}

/// A page of the desk with a status; one that shows what is wrong says so first in its title.
pub(super) fn respond_with(
    request: &PageRequest,
    status: StatusCode,
    place: Place,
    title: &str,
    content: &Markup,
) -> Response {
    let title = if status.is_client_error() { format!("Error: {title}") } else { title.to_owned() };
    request.respond_in(Shell { title: &title, current: place.path(), width: Width::Desk }, status, content)
}

/// An address with those of the parameters that are not empty.
pub(super) fn link(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let mut is_bare = true;
    for (name, value) in parameters.iter().filter(|(_, value)| !value.is_empty()) {
        query.append_pair(name, value);
        is_bare = false;
    }
    if is_bare { path.to_owned() } else { format!("{path}?{}", query.finish()) }
}

/// The page that a form was sent from, without what it said was done there; `usual` for one that is none of the desk's.
pub(super) fn back(form: &Form, usual: &str) -> String {
    let sent = form.get("back");
    let plain = sent.len() <= 2_000 && sent.bytes().all(|byte| (0x21..0x7f).contains(&byte) && byte != b'\\');
    let places = ["/today", "/entries", "/library", "/search", "/subscriptions", "/collections"];
    let is_ours = places.iter().any(|place| {
        sent.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
    });
    let target = if plain && is_ours { sent } else { usual };
    without_done(target)
}

/// An address without the notice that it asked for.
fn without_done(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else { return target.to_owned() };
    let kept: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("done=")).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

/// Leads on to a page that says what was done.
pub(super) fn led_on(target: &str, done: &str) -> Response {
    let joint = if target.contains('?') { '&' } else { '?' };
    redirect(&format!("{target}{joint}done={done}"))
}

/// Seconds between two looks at something that is under way.
const LOOK_AGAIN_SECONDS: u32 = 2;

/// Has the browser look at `target`, a page that shows something under way, again and again, also where no script runs.
pub(super) fn looking_again(mut response: Response, target: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(&format!("{LOOK_AGAIN_SECONDS}; url={target}")) {
        response.headers_mut().insert("refresh", value);
    }
    response
}

/// The hidden field that says which page a form stands on.
pub(super) fn back_field(request: &PageRequest) -> Markup {
    let here = request.uri.path_and_query().map_or("", |here| here.as_str());
    html! { input type="hidden" name="back" value=(here); }
}

/// The notice of what was done before, of those that this page knows.
pub(super) fn notice(request: &PageRequest, known: &[(&str, &str)]) -> Markup {
    let done = request.parameter("done");
    let words = known.iter().find(|(word, _)| *word == done).map(|(_, words)| *words);
    html! { @if let Some(words) = words { (success(words)) } }
}

/// The way to the next page of a list.
pub(super) fn pager(next: Option<&str>, label: &str) -> Markup {
    html! { @if let Some(next) = next { p.pager { a.button.quiet rel="next" href=(next) { (label) } } } }
}

/// One of several ways to look at a list: its address, its name, and whether it is shown.
pub(super) struct Tab {
    /// Where it is.
    pub(super) href: String,
    /// What it is called.
    pub(super) name: String,
    /// Whether the page shows it.
    pub(super) is_current: bool,
}

/// The ways to look at a list.
pub(super) fn tabs(label: &str, tabs: &[Tab]) -> Markup {
    html! {
        nav.subnav aria-label=(label) {
            @for tab in tabs { a href=(tab.href) aria-current=[tab.is_current.then_some("page")] { (tab.name) } }
        }
    }
}

/// The words of a text up to a length, cut between two of them.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most).collect();
    let end = start.rfind(char::is_whitespace).unwrap_or(start.len());
    format!("{}…", start[..end].trim_end())
}

/// The host of an address, as people say it.
pub(super) fn host(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
}

/// The account that pays for what is looked at.
pub(super) fn payer(user: &User) -> Payer {
    Payer { account_id: user.account.id, tier: user.account.tier }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_the_parameters_that_say_something() {
        assert_eq!(
            link("/library", &[("shelf", "all"), ("q", ""), ("tag", "a b")]),
            "/library?shelf=all&tag=a+b"
        );
        assert_eq!(link("/library", &[("q", "")]), "/library");
        assert_eq!(without_done("/entries?feed=3&done=read&x=1"), "/entries?feed=3&x=1");
        assert_eq!(without_done("/entries?done=read"), "/entries");
    }

    #[test]
    fn words_are_cut_between_two_of_them() {
        assert_eq!(cut("one two three", 9), "one two…");
        assert_eq!(cut("short", 9), "short");
        assert_eq!(host("https://www.example.org/x").as_deref(), Some("example.org"));
    }
}
