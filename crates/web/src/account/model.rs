//! Language model: what is sent to it, and the switch of the account. The page exists only if the operator has
//! configured a model.

use ::model::{
    MAX_BRIEFING_ENTRIES, MAX_ENTRY_CHARS, MAX_INDEXED, MAX_INDEXED_CHARS, MAX_INDEXED_STARRED,
    MAX_INDEXED_UNREAD, MAX_OWN_TAGS, MAX_TEXT_CHARS, ModelInfo,
};
use kernel::error::not_found;
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;

use crate::page::form::{Form, FormToken};
use crate::page::parts::{settings_tabs, success, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/settings/model";

/// Renders the section of the account page. Empty without a model.
pub(super) fn section(request: &PageRequest) -> Markup {
    html! { @if ::model::model_info(&request.app.domain).is_some() {
        h2 { "Language model" }
        p { "A language model can summarize saved items and unread entries. It is off until you switch it on." }
        p { a.button.secondary href=(PATH) { "Manage the language model" } }
    } }
}

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let domain = &request.app.domain;
    let model = ::model::model_info(domain).ok_or_else(|| not_found("page"))?;
    let is_on = ::model::has_consent(domain, user.account.id).await?;
    let limit = domain.policy().tiers.of(user.account.tier).model_requests_per_day;
    let token = FormToken::of(&request);
    let content = html! {
        (settings_tabs("/settings", &token))
        p.soft { a href="/settings" { "Account" } }
        h1 { "Language model" }
        (notice(request.uri.query()))
        p { @if is_on { "The language model is " strong { "on" } " for your account." } @else { "The language model is " strong { "off" } " for your account. Nothing is sent to it." } }
        (explanation(&model, limit))
        form method="post" action=(PATH) {
            (token.field())
            @if is_on { button.secondary type="submit" name="act" value="off" { "Switch off" } }
            @else { button type="submit" name="act" value="on" { "Switch on" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "Language model · Settings", &content))
}

/// Switches the model on or off for the account.
#[handler]
pub(super) async fn switch(request: PageRequest, user: User, form: Form) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    if form.get("act") == "on" {
        ::model::give_consent(domain, account_id).await?;
        return Ok(redirect(&format!("{PATH}?on")));
    }
    ::model::withdraw_consent(domain, account_id).await?;
    Ok(redirect(&format!("{PATH}?off")))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("on") => success(
            "Switched on. The page of a saved item has a button to summarize it, and the entries of a collection have a link to a briefing.",
        ),
        Some("off") => success("Switched off. Nothing more is sent. Existing summaries and briefings stay."),
        Some(_) | None => html! {},
    }
}

/// Renders what is sent for a search by meaning in feed entries.
fn sent_entries() -> Markup {
    html! {
        li {
            "For a search by meaning in feed entries: the titles, and the first " (MAX_ENTRY_CHARS) " characters of the summaries, of your newest "
            (with_thousands_separators(MAX_INDEXED_UNREAD.into())) " unread and " (with_thousands_separators(MAX_INDEXED_STARRED.into())) " starred entries."
        }
    }
}

/// Renders what is sent, when, and where.
fn explanation(model: &ModelInfo, limit: u32) -> Markup {
    let thousands = |number: usize| with_thousands_separators(u64::try_from(number).unwrap_or(u64::MAX));
    html! {
        h2 { "What is sent" }
        ul {
            li { "For the summary of an item: its title, the first " (thousands(MAX_TEXT_CHARS)) " characters of its text, and at most " (MAX_OWN_TAGS) " names of your tags." }
            li { "For a briefing of a collection: the titles of at most " (MAX_BRIEFING_ENTRIES) " unread entries, and the first " (MAX_ENTRY_CHARS) " characters of their summaries." }
            @if model.embeddings.is_some() {
                li { "For a search by meaning: the words that you search for. In the library: the titles and first " (thousands(MAX_INDEXED_CHARS)) " characters of the texts of your newest " (thousands(MAX_INDEXED)) " items." }
                (sent_entries())
            }
            li { "Only when you press " strong { "Summarize" } " on the page of an item or " strong { "Write a briefing" } " on the page of a collection, when you search by meaning, or when a program with your key requests it." }
            li { "Never your name, your address, your notes, or your highlights." }
        }
        h2 { "Where it is sent" }
        p { "To the model " code { (model.name) } @if let Some(name) = &model.embeddings { " (for a search by meaning, " code { (name) } ")" } " at " code { (model.host) } ", which the operator of this installation chose. The operator of that server can read what is sent." }
        h2 { "What happens with the answer" }
        p { "The answer is displayed as text, and may be wrong. It changes nothing: suggested tags are added only when you press them." }
        @if model.embeddings.is_some() {
            p { "For a search by meaning, the answers are lists of numbers. Those of your texts are deleted when you switch the model off. Those of an entry are also used for other accounts with the same feed, except for newsletters, monitors, and feeds with a login." }
        }
        p.soft { "Your plan allows " (with_thousands_separators(limit.into())) " requests a day." }
    }
}
