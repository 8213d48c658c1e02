//! Templates of a channel's messages, with a preview.

use kernel::ChannelId;
use maud::{Markup, html};
use notices::{Channel, MAX_TEMPLATE_CHARS, MAX_TITLE_TEMPLATE_CHARS, MessagePreview, TemplateEdit};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Fields that a template can use, with their descriptions.
const FIELDS: [(&str, Text); 14] = [
    ("title", Text("channel-template-title")),
    ("text", Text("channel-template-text")),
    ("link", Text("channel-template-link")),
    ("monitor", Text("channel-template-monitor")),
    ("url", Text("channel-template-url")),
    ("before", Text("channel-template-before")),
    ("after", Text("channel-template-after")),
    ("change", Text("channel-template-change")),
    ("value", Text("channel-template-value")),
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
    let written = WrittenTemplate {
        title: channel.title_template.clone().unwrap_or_default(),
        text: channel.template.clone().unwrap_or_default(),
    };
    Ok(page(&request, StatusCode::OK, (&channel, &written), None, &FormError::default()))
}

/// Templates as typed.
struct WrittenTemplate {
    title: String,
    text: String,
}

/// Saves the templates, or previews a message.
#[handler]
pub(crate) async fn save_template(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ChannelId>,
) -> PageResult {
    let domain = &request.app.domain;
    let channel = notices::get(domain, user.account.id, id).await?;
    let written = WrittenTemplate {
        title: form.get("titleTemplate").trim().to_owned(),
        text: form.get("template").to_owned(),
    };
    let edit = TemplateEdit { title: Some(written.title.clone()), text: Some(written.text.clone()) };
    let outcome = if form.get("act") == "preview" {
        notices::preview_templates(domain, user.account.id, id, edit).await.map(Some)
    } else {
        notices::set_templates(domain, user.account.id, id, edit).await.map(|_| None)
    };
    match outcome {
        Ok(None) => Ok(redirect(&format!("/settings/channels/{id}?changed"))),
        Ok(Some(preview)) => {
            let typed = (&channel, &written);
            Ok(page(&request, StatusCode::OK, typed, Some(&preview), &FormError::default()))
        }
        Err(error) => {
            let rejection = FormRejection::of(error)?;
            let refused = (&channel, &written);
            Ok(page(&request, rejection.status, refused, None, &rejection.form_error))
        }
    }
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    (channel, written): (&Channel, &WrittenTemplate),
    preview: Option<&MessagePreview>,
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let path = format!("/settings/channels/{}", channel.id);
    let wrong = form_error.at("template");
    let (label, hint) = (Text("channel-template-subject").get(), Text("channel-template-subject-hint"));
    let hint = hint.with("most", MAX_TITLE_TEMPLATE_CHARS.to_string()).get();
    let title = FormField {
        name: "titleTemplate",
        label: &label,
        hint: &hint,
        kind: "text",
        value: &written.title,
        autocomplete: "off",
        required: false,
    };
    let content = html! {
        (settings_tabs("/settings/channels", &token))
        p.soft { a href=(path) { (channel.name) } }
        h1 { (Text("channel-text")) }
        (form_error.summary())
        @if let Some(preview) = preview { (preview_section(preview)) }
        form.stack method="post" action={ (path) "/template" } {
            (token.field())
            (title.show(form_error))
            div {
                label for="template" { (Text("channel-template")) }
                p.soft #template-rule { (Text("channel-template-hint").with("most", MAX_TEMPLATE_CHARS.to_string())) }
                textarea #template name="template" rows="8" maxlength=(MAX_TEMPLATE_CHARS) spellcheck="false"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby={ "template-rule" @if wrong.is_some() { " template-error" } } { (written.text) }
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

fn preview_section(preview: &MessagePreview) -> Markup {
    html! {
        h2 { (Text("channel-template-preview")) }
        p { strong { bdi { (preview.title) } } }
        @match &preview.text {
            Some(text) => { pre tabindex="0" { (text) } }
            None => { p.soft { (Text("channel-template-default")) } }
        }
    }
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

#[cfg(test)]
mod tests {
    use notices::TEMPLATE_FIELDS;

    use super::*;

    #[test]
    fn page_lists_every_template_field() {
        let listed = |name: &&str| *name == "address" || FIELDS.iter().any(|(field, _)| field == name);
        assert_eq!(TEMPLATE_FIELDS.iter().filter(|name| !listed(name)).count(), 0);
        assert!(FIELDS.iter().all(|(field, _)| TEMPLATE_FIELDS.contains(field)));
    }
}
