//! Daily review of highlights: the next due highlight with its note and source, and the answers to it.

use application::highlight_review;
use kernel::error::not_found;
use kernel::{Error, HighlightId};
use library::{Highlight, NextReview, ReviewAnswer};
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{Section, host, notice, redirect_done, respond};
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const PATH: &str = "/highlights/review";

const DONE: [(&str, Text); 1] = [("removed", Text("review-removed"))];

/// Answers and the names of their buttons.
const ANSWERS: [(ReviewAnswer, Text); 3] = [
    (ReviewAnswer::Soon, Text("review-soon")),
    (ReviewAnswer::Later, Text("review-later")),
    (ReviewAnswer::Never, Text("review-never")),
];

/// Renders the next highlight to review today.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let next = highlight_review::next(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(&request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("review")) }
        (notice(&request, &DONE))
        @match &next {
            Some(next) => { (card(next, &token)) },
            None => {
                p { (Text("review-none")) }
                p.soft { (Text("review-none-words")) }
            },
        }
    };
    let title = format!("{} · {}", Text("review").get(), Text("nav-library").get());
    Ok(respond(&request, Section::Library, &title, &content))
}

/// Records the answer to a highlight, and continues with the next. An answer that is sent again changes nothing.
#[handler]
pub(in crate::desk) async fn record(request: PageRequest, user: User, form: Form) -> PageResult {
    let Ok(id) = form.get("id").parse::<HighlightId>() else { return Err(not_found("highlight").into()) };
    let Some(given) = ReviewAnswer::parse(form.get("answer")) else {
        return Err(Error::invalid_field("answer", "must be soon, later, or never").into());
    };
    let is_recorded = highlight_review::answer(&request.app.domain, user.account.id, id, given).await?;
    if is_recorded && given == ReviewAnswer::Never {
        return Ok(redirect_done(PATH, "removed"));
    }
    Ok(redirect(PATH))
}

fn card(next: &NextReview, token: &FormToken) -> Markup {
    let row = &next.highlight.row;
    html! {
        p.soft { (Text("review-left").with("count", next.remaining)) }
        blockquote.quoted { p.words dir="auto" { (row.quote) } }
        @if let Some(note) = &row.note { p.words dir="auto" { (note) } }
        (source(&next.highlight))
        form.row method="post" action=(PATH) {
            (token.field())
            input type="hidden" name="id" value=(row.id);
            @for (answer, name) in ANSWERS {
                button.secondary type="submit" name="answer" value=(answer.as_str()) { (name) }
            }
        }
        p.small.soft { (Text("review-rule").with("count", next.interval_days)) }
    }
}

/// Renders the title, author, and host of the item, with a link to the highlight in its text.
fn source(highlight: &Highlight) -> Markup {
    let title = highlight.item_title.as_deref().filter(|title| !title.trim().is_empty());
    let site = highlight.source_url.as_deref().and_then(host);
    html! {
        p.meta.dots {
            @if let Some(title) = title { span {
                @match highlight.row.item_id {
                    Some(item) => { a href={ "/library/" (item) "#mark-" (highlight.row.id) } { bdi { (title) } } },
                    None => { bdi { (title) } },
                }
            } }
            @if let Some(author) = &highlight.item_author { span { bdi { (author) } } }
            @if let Some(site) = &site { span { bdi { (site) } } }
        }
    }
}
