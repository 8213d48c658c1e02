//! Template of a channel's messages, with a preview.

use kernel::ChannelId;
use maud::{Markup, html};
use notices::{Channel, MAX_TEMPLATE_CHARS};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Fields that a template can use, with their descriptions.
const FIELDS: [(&str, &str); 10] = [
    ("title", "title of the message, one line"),
    ("text", "summary of the change"),
    ("link", "link to the change"),
    ("monitor", "name of the monitor; empty in messages about the account"),
    ("address", "address that the monitor watches"),
    ("time", "time of the message"),
    ("kind", "type of the message, such as monitor.changed or digest"),
    ("messages", "the messages of a digest, each with title, text, link, monitor, address and time"),
    ("snooze", "link to snooze or mute the monitor; empty in other messages"),
    ("more", "number of further messages of a digest"),
];
/// Example template.
const EXAMPLE: &str =
    "{{ monitor|upper }}: {{ title }}\n{% for one in messages %}- {{ one.title }}\n{% endfor %}{{ link }}";

#[handler]
pub(crate) async fn show_template(request: PageRequest, user: User, Path(id): Path<ChannelId>) -> PageResult {
    let channel = notices::get(&request.app.domain, user.account.id, id).await?;
    let written = channel.template.clone().unwrap_or_default();
    Ok(page(&request, StatusCode::OK, (&channel, &written), None, &FormError::default()))
}

/// Saves the template, or previews a message.
#[handler]
pub(crate) async fn save_template(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    let domain = &request.app.domain;
    let channel = notices::get(domain, user.account.id, id).await?;
    let written = form.get("template").replace("\r\n", "\n");
    let outcome = if form.get("act") == "preview" {
        notices::preview_template(domain, user.account.id, id, &written).await.map(Some)
    } else {
        notices::set_template(domain, user.account.id, id, &written).await.map(|_| None)
    };
    match outcome {
        Ok(None) => Ok(redirect(&format!("/settings/channels/{id}?changed"))),
        Ok(Some(preview)) => {
            let typed = (&channel, written.as_str());
            Ok(page(&request, StatusCode::OK, typed, Some(&preview), &FormError::default()))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let refused = (&channel, written.as_str());
            Ok(page(&request, rejection.status, refused, None, &rejection.form_error))
        }
    }
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    (channel, written): (&Channel, &str),
    preview: Option<&str>,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let path = format!("/settings/channels/{}", channel.id);
    let wrong = form_error.at("template");
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        p.soft { a href=(path) { (channel.name) } }
        h1 { "Text of messages" }
        (form_error.summary())
        @if let Some(preview) = preview { h2 { "Preview" } pre tabindex="0" { (preview) } }
        form.stack method="post" action={ (path) "/template" } {
            (token.field())
            div {
                label for="template" { "Template" }
                p.soft #template-rule { "Leave it empty for the usual text. At most " (MAX_TEMPLATE_CHARS) " characters." }
                textarea #template name="template" rows="8" maxlength=(MAX_TEMPLATE_CHARS) spellcheck="false"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby={ "template-rule" @if wrong.is_some() { " template-error" } } { (written) }
                @if let Some(message) = wrong { p.error #template-error { (message) } }
            }
            div.row {
                button type="submit" name="act" value="save" { "Save" }
                button.secondary type="submit" name="act" value="preview" { "Preview" }
            }
        }
        (help())
    };
    request.respond(status, "Text of messages · Channels · Settings", &content)
}

fn help() -> Markup {
    html! {
        h2 { "What a template can contain" }
        p { "Text, and fields in double braces. An example:" }
        pre tabindex="0" { code { (EXAMPLE) } }
        dl.facts { @for (name, meaning) in FIELDS { dt { code { (name) } } dd { (meaning) } } }
        p.soft { "Statements: if, elif, else, for. Filters: upper, lower, trim, truncate(n), length, default(text). If a template fails for a message, the usual text is sent and names the fault." }
    }
}
