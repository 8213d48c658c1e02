//! First steps of a new account: following a site or importing feeds, saving a page, and watching a page. Also
//! suggests feeds by topic.

use application::first_steps::{self, FirstSteps};
use feeds::SuggestedTopic;
use identity::accounts;
use kernel::bounds::URL_CHARS;
use maud::{Markup, Render, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::frame::{Section, notice, redirect_done, respond_with};
use crate::language::text::{Text, in_english};
use crate::page::form::{Form, FormError, FormToken};
use crate::page::request::{PageError, PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/welcome";
/// Messages about actions on the page.
const DONE: [(&str, Text); 6] = [
    ("followed", Text("welcome-followed")),
    ("none", Text("welcome-none")),
    ("feed", Text("done-followed")),
    ("already", Text("done-already")),
    ("saved", Text("done-item-saved")),
    ("kept", Text("done-item-known")),
];

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, StatusCode::OK, &FormError::default()).await
}

/// Follows the selected suggestions.
#[handler]
pub(super) async fn follow(request: PageRequest, user: User, form: Form) -> PageResult {
    let chosen: Vec<String> = form.all("feed").map(str::to_owned).collect();
    match feeds::follow_suggested(&request.app.domain, user.account.id, &chosen).await {
        Ok(0) => Ok(redirect_done(PATH, "none")),
        Ok(_) => Ok(redirect_done(PATH, "followed")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &form_error).await
        }
    }
}

/// Closes the first steps. Today then no longer offers them.
#[handler]
pub(super) async fn close(request: PageRequest, user: User, _form: Form) -> PageResult {
    accounts::close_first_steps(&request.app.domain, user.account.id).await?;
    Ok(redirect("/today"))
}

async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    form_error: &FormError,
) -> Result<Response, PageError> {
    let steps = first_steps::load(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    // The field of the next step has the focus, unless a message has it.
    let next = [steps.has_feed, steps.has_item, steps.has_monitor].iter().position(|is_done| !is_done);
    let is_next = |step: usize| next == Some(step) && !form_error.is_some();
    let content = html! {
        h1 { (Text("begin")) }
        (notice(request, &DONE))
        (form_error.summary())
        (progress_line(steps))
        ol.first-steps {
            li {
                (heading(Text("begin-follow"), steps.has_feed))
                p { (Text("welcome-follow-words")) }
                (address_form(&AddressForm {
                    id: "site", label: Text("welcome-site"), action: "/subscriptions/new", button: Text("follow-search"), is_change: true, is_next: is_next(0),
                }, &token))
                p { (Text("welcome-bring").linked(&["/subscriptions/opml", "/library/import"])) }
            }
            li {
                (heading(Text("begin-save"), steps.has_item))
                p { (Text("welcome-save-words")) }
                (address_form(&AddressForm {
                    id: "page", label: Text("welcome-page"), action: "/save", button: Text("home-save"), is_change: true, is_next: is_next(1),
                }, &token))
                p { (Text("welcome-ways").linked(&["/settings/look#ways"])) }
            }
            li {
                (heading(Text("begin-watch"), steps.has_monitor))
                p { (Text("welcome-watch-words")) }
                (address_form(&AddressForm {
                    id: "watched", label: Text("welcome-watched"), action: "/monitors/new", button: Text("home-watch"), is_change: false, is_next: is_next(2),
                }, &token))
            }
        }
        (suggestions(&token))
        form.row method="post" action="/welcome/close" {
            (token.field())
            a.button href="/today" { (Text("welcome-today")) }
            @if steps.completed() < FirstSteps::COUNT { button.secondary type="submit" { (Text("welcome-skip")) } }
        }
    };
    Ok(respond_with(request, status, Section::Elsewhere, &Text("begin").get(), &content))
}

/// Renders the number of completed steps.
pub(super) fn progress_line(steps: FirstSteps) -> Markup {
    let (completed, count) = (steps.completed(), FirstSteps::COUNT);
    html! {
        p.steps-line {
            progress max=(count) value=(completed) aria-hidden="true" {}
            span { (Text("begin-progress").with("completed", completed).with("count", count)) }
        }
    }
}

fn heading(title: Text, is_done: bool) -> Markup {
    html! { h2 { (title) @if is_done { " " span.state.good { (Text("begin-done")) } } } }
}

/// Form with one address.
struct AddressForm<'a> {
    id: &'a str,
    label: Text,
    action: &'a str,
    button: Text,
    /// True if the form changes something. Otherwise it opens a page with the address filled in.
    is_change: bool,
    /// True for the first step that is not completed.
    is_next: bool,
}

fn address_form(form: &AddressForm<'_>, token: &FormToken) -> Markup {
    html! {
        form.ask method=(if form.is_change { "post" } else { "get" }) action=(form.action) {
            @if form.is_change { (token.field()) input type="hidden" name="back" value=(PATH); }
            div {
                label for=(form.id) { (form.label) }
                input id=(form.id) name="url" type="text" inputmode="url" required maxlength=(URL_CHARS) placeholder="https://…" autocapitalize="off" spellcheck="false" autofocus[form.is_next];
            }
            button.secondary type="submit" { (form.button) }
        }
    }
}

/// Renders the suggested feeds, by topic.
fn suggestions(token: &FormToken) -> Markup {
    html! {
        section aria-labelledby="suggested" {
            h2 #suggested { (Text("welcome-suggested")) }
            form method="post" action="/welcome/feeds" {
                (token.field())
                div.topics { @for topic in feeds::suggested_topics() { (topic_choices(topic)) } }
                div.row { button type="submit" { (Text("welcome-follow-selected")) } }
            }
        }
    }
}

fn topic_choices(topic: &SuggestedTopic) -> Markup {
    html! {
        fieldset {
            legend { (topic_name(&topic.name)) }
            @for feed in &topic.feeds {
                label.choice {
                    input type="checkbox" name="feed" value=(feed.url);
                    span { (in_english(&feed.title)) " " span.soft.small { (in_english(&feed.about)) } }
                }
            }
        }
    }
}

/// Renders the name of a topic in the language of the page. A topic without a translation is displayed in English.
fn topic_name(name: &str) -> Markup {
    let text = match name {
        "News" => Text("topic-news"),
        "Science" => Text("topic-science"),
        "Technology" => Text("topic-technology"),
        "Programming" => Text("topic-programming"),
        "Ideas and culture" => Text("topic-culture"),
        "Comics and food" => Text("topic-comics"),
        other => return in_english(other),
    };
    text.render()
}
