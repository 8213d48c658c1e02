//! Template of a channel's messages, with a preview.

use kernel::ChannelId;
use maud::{Markup, html};
use notices::{Channel, MAX_TEMPLATE_CHARS};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Fields that a template can use, with their descriptions.
const FIELDS: [(&str, Text); 10] = [
    ("title", Text("channel-template-title")),
    ("text", Text("channel-template-text")),
    ("link", Text("channel-template-link")),
    ("monitor", Text("channel-template-monitor")),
    ("address", Text("channel-template-address")),
    ("time", Text("channel-template-time")),
    ("kind", Text("channel-template-kind")),
    ("messages", Text("channel-template-messages")),
    ("snooze", Text("channel-template-snooze")),
    ("more", Text("channel-template-more")),
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
        h1 { (Text("channel-text")) }
        (form_error.summary())
        @if let Some(preview) = preview { h2 { (Text("channel-template-preview")) } pre tabindex="0" { (preview) } }
        form.stack method="post" action={ (path) "/template" } {
            (token.field())
            div {
                label for="template" { (Text("channel-template")) }
                p.soft #template-rule { (Text("channel-template-hint").with("most", MAX_TEMPLATE_CHARS.to_string())) }
                textarea #template name="template" rows="8" maxlength=(MAX_TEMPLATE_CHARS) spellcheck="false"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby={ "template-rule" @if wrong.is_some() { " template-error" } } { (written) }
                (form_error.on_group("template"))
            }
            div.row {
                button type="submit" name="act" value="save" { (Text("form-save")) }
                button.secondary type="submit" name="act" value="preview" { (Text("channel-template-preview")) }
            }
        }
        (help())
    };
    request.respond(status, &settings_title(&[Text("channel-text"), Text("settings-channels")]), &content)
}

fn help() -> Markup {
    html! {
        h2 { (Text("channel-template-contents")) }
        p { (Text("channel-template-contents-words")) }
        pre tabindex="0" { code { (EXAMPLE) } }
        dl.facts { @for (name, meaning) in FIELDS { dt { code { (name) } } dd { (meaning) } } }
        p.soft { (Text("channel-template-statements")) }
    }
}
