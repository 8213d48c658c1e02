//! Language model: the data that is sent to it, the consent of the account, and the account's choices. The page
//! exists only if the operator has configured a model.

use ::model::{
    MAX_BRIEFING_ENTRIES, MAX_CONTEXT_CHARS, MAX_ENTRY_CHARS, MAX_HISTORY_CHARS, MAX_IMPORTED_PER_DAY,
    MAX_INDEXED_CHARS, MAX_INDEXED_STARRED, MAX_INDEXED_UNREAD, MAX_OWN_PROMPTS, MAX_OWN_TAGS,
    MAX_PASSAGE_CHARS, MAX_PASSAGE_TEXT_CHARS, MAX_PROMPT_CHARS, MAX_PROMPT_NAME_CHARS, MAX_QUESTION_ITEMS,
    MAX_SENT_QUESTIONS, MAX_TAGS, MAX_TEXT_CHARS, ModelChoice, ModelInfo, NewChoice, OwnPrompt,
};
use kernel::Class;
use kernel::error::not_found;
use maud::{Markup, html};
use monitors::MAX_EXPLAINED_CHARS;
use poem::handler;
use poem::http::StatusCode;

use super::model_tags;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{settings_tabs, settings_title, success, thousands, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/settings/model";

/// Renders the section of the account page. Empty without a model.
pub(super) fn section(request: &PageRequest) -> Markup {
    html! { @if ::model::model_info(&request.app.domain).is_some() {
        h2 { (Text("model")) }
        p { (Text("model-purpose")) }
        p { a.button.secondary href=(PATH) { (Text("model-manage")) } }
    } }
}

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, None, &FormError::default()).await
}

/// Renders the page. After an error, it displays the submitted choices.
async fn page(
    request: &PageRequest,
    user: &User,
    typed: Option<NewChoice>,
    form_error: &FormError,
) -> PageResult {
    let domain = &request.app.domain;
    let model = ::model::model_info(domain).ok_or_else(|| not_found("page"))?;
    let is_on = ::model::has_consent(domain, user.account.id).await?;
    let choice = ::model::get_choice(domain, user.account.id).await?;
    let limit = domain.policy().tiers.of(user.account.tier).model_requests_per_day;
    let tags = model_tags::section(request, user).await?;
    let token = FormToken::of(request);
    let status = if form_error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let content = html! {
        (settings_tabs("/settings", &token))
        p.soft { a href="/settings" { (Text("nav-account")) } }
        h1 { (Text("model")) }
        (notice(request.uri.query()))
        (form_error.summary())
        p { @if is_on { (Text("model-is-on").markup(&[("state", html! { strong { (Text("model-on")) } })])) } @else { (Text("model-is-off").markup(&[("state", html! { strong { (Text("model-off")) } })])) } }
        (explanation(&model, &choice, limit))
        @if is_on { (choices(&typed.unwrap_or_else(|| choice.into()), &token, form_error)) }
        (tags)
        form method="post" action=(PATH) {
            (token.field())
            @if is_on { button.secondary type="submit" name="act" value="off" { (Text("model-switch-off")) } }
            @else { button type="submit" name="act" value="on" { (Text("model-switch-on")) } }
        }
    };
    Ok(request.respond(status, &settings_title(&[Text("model")]), &content))
}

/// Switches the model on or off for the account, or saves its choices.
#[handler]
pub(super) async fn switch(request: PageRequest, user: User, form: Form) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    if form.get("act") == "choose" {
        let new = NewChoice {
            is_automatic: form.get("automatic") == "1",
            attaches_tags: form.get("attachTags") == "1",
            tags_imports: form.get("tagImports") == "1",
            excluded_tags: form.get("excludedTags").split(',').map(|tag| tag.trim().to_owned()).collect(),
            new_tags: form.get("newTags") == "1",
            prompt: form.get("prompt").to_owned(),
            own_prompts: typed_prompts(&form),
            translation_language: None,
        };
        return match ::model::set_choice(domain, account_id, new.clone()).await {
            Ok(()) => Ok(redirect(&format!("{PATH}?chosen"))),
            Err(error) if error.class() == Class::Invalid => {
                page(&request, &user, Some(new), &FormError::of(error)?).await
            }
            Err(error) => Err(error.into()),
        };
    }
    if form.get("act") == "on" {
        ::model::give_consent(domain, account_id).await?;
        return Ok(redirect(&format!("{PATH}?on")));
    }
    ::model::withdraw_consent(domain, account_id).await?;
    Ok(redirect(&format!("{PATH}?off")))
}

/// Reads the passage prompts from a submitted form.
fn typed_prompts(form: &Form) -> Vec<OwnPrompt> {
    let rows = form.all("promptName").zip(form.all("promptInstruction"));
    rows.map(|(name, instruction)| OwnPrompt { name: name.to_owned(), instruction: instruction.to_owned() })
        .collect()
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("on") => success(&Text("model-switched-on")),
        Some("chosen") => success(&Text("model-choices-saved")),
        Some("off") => success(&Text("model-switched-off")),
        Some(_) | None => html! {},
    }
}

/// Renders the form with the choices of the account.
fn choices(choice: &NewChoice, token: &FormToken, form_error: &FormError) -> Markup {
    let is_wrong = |name: &str| form_error.at(name).map(|_| "true");
    html! {
        h2 { (Text("model-choices")) }
        form.stack method="post" action=(PATH) {
            (token.field())
            label.choice { input type="checkbox" name="automatic" value="1" checked[choice.is_automatic]; span { (Text("model-automatic")) } }
            label.choice { input type="checkbox" name="attachTags" value="1" checked[choice.attaches_tags]; span { (Text("model-attach-tags").with("count", MAX_TAGS)) } }
            label.choice { input type="checkbox" name="tagImports" value="1" checked[choice.tags_imports]; span { (Text("model-tag-imports").with("count", MAX_IMPORTED_PER_DAY)) } }
            div {
                label for="excludedTags" { (Text("model-excluded")) }
                p.rule id="excludedTags-rule" { (Text("model-excluded-hint")) }
                input id="excludedTags" name="excludedTags" type="text" value=(choice.excluded_tags.join(", ")) autocomplete="off" aria-describedby="excludedTags-rule" aria-invalid=[is_wrong("excludedTags")];
                (form_error.on_group("excludedTags"))
            }
            label.choice { input type="checkbox" name="newTags" value="1" checked[choice.new_tags]; span { (Text("model-new-tags")) } }
            div {
                label for="prompt" { (Text("model-prompt")) }
                p.rule id="prompt-rule" { (Text("model-prompt-hint").with("count", thousands(MAX_PROMPT_CHARS))) }
                textarea id="prompt" name="prompt" rows="4" maxlength=(MAX_PROMPT_CHARS) aria-describedby="prompt-rule" aria-invalid=[is_wrong("prompt")] { (choice.prompt) }
                (form_error.on_group("prompt"))
            }
            (own_prompts(&choice.own_prompts, form_error))
            div { button type="submit" name="act" value="choose" { (Text("form-save")) } }
        }
    }
}

/// Renders the passage prompts, and empty fields for another one if the maximum is not reached.
fn own_prompts(prompts: &[OwnPrompt], form_error: &FormError) -> Markup {
    let blank = OwnPrompt::default();
    let prompts: Vec<&OwnPrompt> = prompts.iter().filter(|prompt| **prompt != blank).collect();
    let another = (prompts.len() < MAX_OWN_PROMPTS).then_some(&blank);
    let hint =
        Text("model-own-prompts-hint").with("count", MAX_OWN_PROMPTS).with("name", MAX_PROMPT_NAME_CHARS);
    html! {
        fieldset #ownPrompts tabindex="-1" {
            legend { (Text("model-own-prompts")) }
            p.rule { (hint.with("characters", thousands(MAX_PROMPT_CHARS))) }
            @for prompt in prompts.into_iter().chain(another) {
                input name="promptName" type="text" value=(prompt.name) maxlength=(MAX_PROMPT_NAME_CHARS) autocomplete="off" aria-label=(Text("model-own-prompt-name")) placeholder=(Text("model-own-prompt-name"));
                textarea name="promptInstruction" rows="2" maxlength=(MAX_PROMPT_CHARS) aria-label=(Text("model-own-prompt-instruction")) placeholder=(Text("model-own-prompt-instruction")) { (prompt.instruction) }
            }
            (form_error.on_group("ownPrompts"))
        }
    }
}

/// Renders the name of the language model and, if one is configured, of the embedding model.
fn names(model: &ModelInfo) -> Markup {
    let name = html! { code { (model.name) } };
    match &model.embeddings {
        Some(other) => {
            Text("model-with-embeddings").markup(&[("model", name), ("other", html! { code { (other) } })])
        }
        None => name,
    }
}

/// Describes which feed entries are sent for the search by meaning, and how much of their text.
fn sent_entries() -> Markup {
    let words = Text("model-sent-entries")
        .with("characters", MAX_ENTRY_CHARS.to_string())
        .with("unread", with_thousands_separators(MAX_INDEXED_UNREAD.into()))
        .with("starred", with_thousands_separators(MAX_INDEXED_STARRED.into()));
    html! {
        li { (words) }
    }
}

/// Explains which texts are sent to the language model, when, and to which server.
fn explanation(model: &ModelInfo, choice: &ModelChoice, limit: u32) -> Markup {
    html! {
        h2 { (Text("model-sent")) }
        ul {
            li { (Text("model-sent-summary").with("characters", thousands(MAX_TEXT_CHARS)).with("tags", thousands(MAX_OWN_TAGS))) }
            li { (Text("model-sent-briefing").with("entries", MAX_BRIEFING_ENTRIES.to_string()).with("characters", MAX_ENTRY_CHARS.to_string())) }
            li { (Text("model-sent-question").with("characters", thousands(MAX_TEXT_CHARS)).with("items", MAX_QUESTION_ITEMS)) }
            li { (Text("model-sent-follow-up").with("questions", MAX_SENT_QUESTIONS).with("characters", thousands(MAX_HISTORY_CHARS))) }
            li { (Text("model-sent-passage").with("characters", thousands(MAX_PASSAGE_CHARS)).with("context", thousands(MAX_CONTEXT_CHARS)).with("text", thousands(MAX_PASSAGE_TEXT_CHARS))) }
            li { (Text("model-sent-explanation").with("characters", thousands(MAX_EXPLAINED_CHARS))) }
            @if model.embeddings.is_some() {
                li { (Text("model-sent-search").with("characters", thousands(MAX_INDEXED_CHARS))) }
                (sent_entries())
            }
            li { (Text("model-sent-when").markup(&[("summarize", html! { strong { (Text("summary-create")) } }), ("briefing", html! { strong { (Text("model-briefing-button")) } })])) }
            @if model.embeddings.is_some() { li { (Text("model-sent-index")) } }
            @if choice.automatic_since.is_some() { li { (Text("model-sent-automatic")) } }
            @if choice.tags_since.is_some() { li { (Text("model-sent-tags")) } }
            @if choice.prompt.is_some() { li { (Text("model-sent-prompt")) } }
            li { (Text("model-sent-never")) }
        }
        h2 { (Text("model-where")) }
        p { (Text("model-where-words").markup(&[("model", names(model)), ("host", html! { code { (model.host) } })])) }
        h2 { (Text("model-answer")) }
        p { (Text("model-answer-words")) }
        @if model.embeddings.is_some() { p { (Text("model-answer-numbers")) } }
        p.soft { (Text("model-limit").with("amount", with_thousands_separators(limit.into()))) }
    }
}
