//! Creation of a monitor. The form asks for the address, displays a preview of the watched content, and then
//! asks when to report a change. The name comes last, because the preview proposes it. If the service has a
//! browser, the watched part can be chosen on a picture of the page.

use articles::Payer;
use kernel::Error;
use kernel::bounds::MONITOR_NAME_CHARS;
use maud::{Markup, html};
use monitors::{PageParts, Preview, PreviewRequest, TargetType};
use poem::http::StatusCode;
use poem::{Response, handler};
use tokio::time::Instant;

use super::frame::{path, respond};
use super::input::{MonitorInput, Naming, PreviewTarget};
use super::page_picture::{collapsed_picture, picture_field, picture_section};
use super::part_choice::{FormAction, choose, known_parts, request_picture};
use super::picture_form::PictureForm;
use super::preview::preview_section;
use super::step_choice::change_steps;
use super::steps::{StepParts, StepValues, empty_preview, steps};
use super::words;
use crate::language::text::Text;
use crate::monitor_link::{list_fields, new_monitor_link};
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::app::ANSWER_TIMEOUT;

/// Address of the form. The page scrolls to the preview.
const PREVIEW: &str = "/monitors/new#preview";

/// Renders the empty form, or advice if the plan allows no more monitors.
#[handler]
pub(crate) async fn show_new(request: PageRequest, user: User) -> PageResult {
    let app = &request.app;
    let limits = application::capabilities::capabilities(&app.domain, user.account.id, user.account.tier)
        .await?
        .limits;
    if limits.web_monitors_used >= limits.web_monitors {
        let content = full(limits.web_monitors_used, limits.web_monitors);
        return Ok(respond(&request, StatusCode::OK, &page_title(), &content));
    }
    let input = MonitorInput::of_link(&request).with_channels(&request, &user).await?;
    Ok(page(&request, &user, StatusCode::OK, &input, &FormError::default(), CreationFormContent::default()))
}

/// Preview and picture that the form displays.
#[derive(Clone, Copy, Default)]
struct CreationFormContent<'a> {
    preview: Option<&'a Preview>,
    parts: Option<&'a PageParts>,
}

/// Creates the monitor, or previews the content that it would watch, or displays a picture of the page.
#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let mut input = MonitorInput::of(&form).with_channels(&request, &user).await?;
    let action = FormAction::of(&form);
    let parts = known_parts(&request, &user, &input).await?;
    let parts = parts.as_ref();
    let missing = match action {
        FormAction::Submit => input.missing(Naming::Required),
        FormAction::Preview => input.missing(Naming::Optional),
        FormAction::Picture => input.missing_address(),
        FormAction::Choose(number) => choose(&mut input, parts, number),
        FormAction::AddStep | FormAction::RemoveStep(_) => change_steps(&mut input, action),
    };
    let unsealed = input.seal_secrets(&request, &user).await?;
    let missing = if missing.is_some() { missing } else { unsealed };
    let content = CreationFormContent { preview: None, parts };
    if missing.is_some() {
        return Ok(page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &input, &missing, content));
    }
    let outcome = match action {
        FormAction::Submit => make(&request, &user, &input).await.map(CreationSubmitResult::Created),
        FormAction::Preview => preview(&request, &user, &input).await.map(CreationSubmitResult::Previewed),
        FormAction::Picture | FormAction::AddStep | FormAction::RemoveStep(_) => {
            request_picture(&request, &user, &input, None)
                .await
                .map(|parts| CreationSubmitResult::Pictured(Some(parts)))
        }
        FormAction::Choose(_) => Ok(CreationSubmitResult::Pictured(None)),
    };
    let no_error = FormError::default();
    match outcome {
        Ok(CreationSubmitResult::Created(target)) => Ok(redirect(&target)),
        Ok(CreationSubmitResult::Previewed(preview)) => {
            if input.name.is_empty() {
                input.name = proposed_name(&preview);
            }
            let content = CreationFormContent { preview: Some(&preview), parts };
            Ok(page(&request, &user, StatusCode::OK, &input, &no_error, content))
        }
        Ok(CreationSubmitResult::Pictured(requested)) => {
            let content = CreationFormContent { preview: None, parts: requested.as_ref().or(parts) };
            Ok(page(&request, &user, StatusCode::OK, &input, &no_error, content))
        }
        Err(error) => {
            let form_error = words::form_error(error, least_minutes(&request, &user))?;
            Ok(page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &input, &form_error, content))
        }
    }
}

enum CreationSubmitResult {
    Created(String),
    Previewed(Preview),
    /// The requested picture. `None` if the form already has a picture, on which a part was chosen.
    Pictured(Option<PageParts>),
}

async fn make(request: &PageRequest, user: &User, input: &MonitorInput) -> Result<String, Error> {
    let app = &request.app;
    let made = monitors::create(&app.domain, user.account.id, input.new_monitor(&app.domain)?).await?;
    Ok(format!("{}?made", path(made.monitor.id)))
}

async fn preview(request: &PageRequest, user: &User, input: &MonitorInput) -> Result<Preview, Error> {
    let app = &request.app;
    let PreviewTarget { address, definition, credentials, interval_minutes } = input.preview(&app.domain)?;
    let payer = Payer { account_id: user.account.id, tier: user.account.tier };
    let credentials = credentials.as_ref();
    let preview_request = PreviewRequest {
        address: &address,
        definition: &definition,
        credentials,
        credentials_of: None,
        interval_minutes,
    };
    let progress = monitors::request_preview(&app.domain, payer, preview_request).await?;
    let (preview, _) = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?;
    Ok(preview)
}

/// Returns the title of the source in one line, truncated to the maximum length of a name.
fn proposed_name(preview: &Preview) -> String {
    let words = preview.title.iter().flat_map(|title| title.split_whitespace());
    let line = words.collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).take(MONITOR_NAME_CHARS).collect()
}

fn least_minutes(request: &PageRequest, user: &User) -> u32 {
    request.app.domain.policy().tiers.of(user.account.tier).web_monitor_minimum_interval_minutes
}

/// Renders examples of what a monitor can watch. Each fills in the form.
fn examples() -> Markup {
    let page = |address: &str, trigger: &str, value: &str| {
        let fields = [("targetType", TargetType::Page.as_str()), ("trigger", trigger), ("value", value)];
        let fields: Vec<(&str, String)> = fields
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        new_monitor_link(address, &fields)
    };
    let examples = [
        (Text("monitor-example-change"), page("https://www.iana.org/time-zones", "", "")),
        (Text("monitor-example-word"), page("https://www.debian.org/releases/", "text_appears", "forky")),
        (
            Text("monitor-example-list"),
            new_monitor_link("https://blog.rust-lang.org/", &list_fields("main a")),
        ),
    ];
    html! {
        section aria-labelledby="examples" {
            h2.small #examples { (Text("monitor-examples")) }
            p.tags { @for (name, link) in examples { a.tag href=(link) { (name) } } }
        }
    }
}

fn full(used: u64, limit: u64) -> Markup {
    html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { (Text("monitor-new")) }
        div.notice {
            p { strong { (Text("monitor-full")) } " "
                (Text("monitor-full-used").with("used", with_thousands_separators(used)).with("limit", with_thousands_separators(limit))) }
            p { (Text("monitor-full-words")) }
        }
        div.row { a.button href="/monitors" { (Text("monitor-full-list")) } a.button.secondary href="/settings/plan" { (Text("monitor-full-plan")) } }
    }
}

fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &MonitorInput,
    form_error: &FormError,
    content: CreationFormContent<'_>,
) -> Response {
    let token = FormToken::of(request);
    let proxies: Vec<&str> = request.app.domain.policy().fetch.proxies.names().collect();
    let values = StepValues {
        input,
        types: &TargetType::ALL,
        proxies: &proxies,
        least_minutes: least_minutes(request, user),
        has_model: model::model_info(&request.app.domain).is_some(),
        form_error,
    };
    let parts = parts(request, &values, content);
    let content = html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { (Text("monitor-new")) }
        p.soft { (Text("monitor-new-words")) }
        @if input.url.is_empty() { (examples()) }
        (form_error.summary())
        form.stack.steps method="post" action="/monitors/new" {
            (token.field())
            (steps(&values, &parts))
        }
    };
    respond(request, status, &page_title(), &content)
}

fn page_title() -> String {
    format!("{} · {}", Text("monitor-new").get(), Text("nav-monitors").get())
}

/// Returns the parts of the form for new monitors: the choice of the type, the preview or the picture with its
/// button, and the buttons below the last step.
fn parts(request: &PageRequest, values: &StepValues<'_>, content: CreationFormContent<'_>) -> StepParts {
    let StepValues { input, form_error, .. } = *values;
    // After an error, the page must scroll to the summary of the errors, so no picture replaces the empty preview.
    let (opened, collapsed) = match content {
        CreationFormContent { preview: None, parts } if !form_error.is_some() => (parts, None),
        CreationFormContent { parts, .. } => (None, parts),
    };
    let form = PictureForm { input, target: PREVIEW, offers_parts: true, form_error };
    let button_class = |is_secondary: bool| if is_secondary { "secondary" } else { "" };
    let is_previewed = content.preview.is_some();
    // The Enter key presses the first button.
    let source_end = html! {
        div.row {
            button class=(button_class(is_previewed)) type="submit" name="act" value="preview" formnovalidate formaction=(PREVIEW) {
                @if is_previewed { (Text("monitor-preview-again")) } @else { (Text("monitor-preview")) }
            }
        }
        (picture_field(request, form))
        @if let Some(parts) = collapsed { (collapsed_picture(parts, form)) }
    };
    let preview = match (content.preview, opened) {
        (Some(preview), _) => preview_section(preview, input),
        (None, Some(parts)) => picture_section(parts, form),
        (None, None) => empty_preview(&Text("monitor-preview-empty").get()),
    };
    let buttons = html! {
        button class=(button_class(!is_previewed)) type="submit" name="act" value="make" { (Text("monitor-start")) }
        a.button.secondary href="/monitors" { (Text("monitor-cancel")) }
    };
    StepParts {
        kinds: kinds(input),
        source_end,
        preview,
        name_hint: Some(Text("monitor-name-hint")),
        buttons,
    }
}

fn kinds(input: &MonitorInput) -> Markup {
    let about = [
        (TargetType::Page, Text("target-page"), Text("target-page-words")),
        (TargetType::Sitemap, Text("target-sitemap"), Text("target-sitemap-words")),
        (TargetType::Product, Text("target-product"), Text("target-product-words")),
        (TargetType::Calendar, Text("target-calendar"), Text("target-calendar-words")),
        (TargetType::File, Text("target-file"), Text("target-file-words")),
        (TargetType::Image, Text("target-image"), Text("target-image-words")),
        (TargetType::Visual, Text("target-visual"), Text("target-visual-words")),
        (TargetType::Headers, Text("target-headers"), Text("target-headers-words")),
        (TargetType::Extract, Text("target-extract"), Text("target-extract-words")),
    ];
    html! {
        fieldset #targetType tabindex="-1" {
            legend { (Text("monitor-type")) }
            @for (kind, name, words) in about {
                label.choice { input type="radio" name="targetType" value=(kind.as_str()) checked[input.target_type() == kind]; span { (name) ": " span.soft { (words) } } }
            }
        }
    }
}
