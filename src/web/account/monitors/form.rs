//! Making a monitor: a form that can first show what would be watched.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, also those that wait for nothing")]

use domain::articles::{Address, Payer};
use domain::bounds::{MONITOR_MINUTES, MONITOR_NAME_CHARS};
use domain::keys;
use domain::monitors::{self, Definition, NewMonitor, Preview, TargetType};
use domain::{Class, Code, Error};
use extract::watch::{Field as Value, Ignore, Snapshot, Target, Trigger, TriggerKind};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};
use tokio::time::Instant;

use super::super::form::{Field, FormError, FormToken};
use super::super::{Answer, Form, PageRequest, User, redirect};
use super::{path, respond, words};
use crate::app::ANSWER_TIMEOUT;

/// Blocks, addresses or items of a preview on the page.
const MAX_SHOWN: usize = 30;

/// The empty form.
#[handler]
pub(crate) async fn show_new(request: PageRequest, user: User) -> Answer {
    Ok(page(&request, &user, StatusCode::OK, &MonitorInput::default(), &FormError::default(), None))
}

/// Makes the monitor, or shows what it would watch.
#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> Answer {
    let input = MonitorInput::of(&form);
    let outcome = if form.get("act") == "preview" {
        preview(&request, &user, &input).await.map(Outcome::Previewed)
    } else {
        make(&request, &user, &input).await.map(Outcome::Created)
    };
    match outcome {
        Ok(Outcome::Created(target)) => Ok(redirect(&target)),
        Ok(Outcome::Previewed(preview)) => {
            Ok(page(&request, &user, StatusCode::OK, &input, &FormError::default(), Some(&preview)))
        }
        Err(error) => {
            let form_error = form_error_of(error)?;
            Ok(page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, &input, &form_error, None))
        }
    }
}

enum Outcome {
    Created(String),
    Previewed(Preview),
}

async fn make(request: &PageRequest, user: &User, input: &MonitorInput) -> Result<String, Error> {
    let app = &request.app;
    let new = NewMonitor {
        name: input.name.clone(),
        address: input.address(request)?,
        definition: input.definition()?,
        interval_minutes: input.minutes()?,
        follow: input.follow,
    };
    let made = monitors::create(&app.domain, user.account.id, new).await?;
    Ok(format!("{}?made", path(made.monitor.id)))
}

async fn preview(request: &PageRequest, user: &User, input: &MonitorInput) -> Result<Preview, Error> {
    let app = &request.app;
    let (address, definition) = (input.address(request)?, input.definition()?);
    let payer = Payer { account_id: user.account.id, tier: user.account.tier };
    let progress = monitors::request_preview(&app.domain, payer, &address, &definition).await?;
    let (preview, _) = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?;
    Ok(preview)
}

/// What is wrong, at the field where it was input. A source that fails is an error of its address.
pub(super) fn form_error_of(error: Error) -> Result<FormError, Error> {
    match error.class() {
        Class::Unreadable | Class::Upstream => Ok(FormError::at_field("targetUrl", error.message)),
        Class::Invalid => {
            let input = input_of(error.field().and_then(|field| field.path.root()));
            Ok(FormError::at_field(input, error.message))
        }
        Class::NotFound
        | Class::Unauthenticated
        | Class::Forbidden
        | Class::Conflict
        | Class::Gone
        | Class::Limited
        | Class::Unavailable
        | Class::Internal => FormError::of(error),
    }
}

/// The input in which a monitor's field is input.
fn input_of(field: Option<&str>) -> &'static str {
    match field {
        None | Some("target_url") => "targetUrl",
        Some("interval_minutes") => "intervalMinutes",
        Some("selector") => "selector",
        Some("include") => "include",
        Some("exclude") => "exclude",
        Some("items") => "items",
        Some("fields") => "fields",
        Some("ignore") => "ignore",
        Some("trigger") => "value",
        Some(_) => "name",
    }
}

fn wrong(field: &'static str, message: &str) -> Error {
    Error::new(Code::InvalidRequest, message).at(field, message)
}

/// What the form holds.
#[derive(Default)]
pub(super) struct MonitorInput {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) kind: String,
    pub(super) minutes: String,
    pub(super) selector: String,
    pub(super) include: String,
    pub(super) exclude: String,
    pub(super) items: String,
    pub(super) fields: String,
    pub(super) ignore: String,
    pub(super) trigger: String,
    pub(super) value: String,
    pub(super) follow: bool,
}

impl MonitorInput {
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            name: text("name"),
            url: text("targetUrl"),
            kind: text("targetType"),
            minutes: text("intervalMinutes"),
            selector: text("selector"),
            include: text("include"),
            exclude: text("exclude"),
            items: text("items"),
            fields: text("fields"),
            ignore: text("ignore"),
            trigger: text("trigger"),
            value: text("value"),
            follow: form.get("follow") == "1",
        }
    }

    fn address(&self, request: &PageRequest) -> Result<Address, Error> {
        if keys::looks_like_a_key(&self.url) {
            return Err(wrong("target_url", "The address holds an API key. Revoke that key."));
        }
        Address::parse(&request.app.domain, &self.url)
            .map_err(|error| wrong("target_url", &error.to_string()))
    }

    pub(super) fn minutes(&self) -> Result<Option<u32>, Error> {
        match self.minutes.as_str() {
            "" => Ok(None),
            text => {
                let number = text.parse().map(Some);
                number.map_err(|_| wrong("interval_minutes", "Write a number of minutes, or leave it empty."))
            }
        }
    }

    pub(super) fn definition(&self) -> Result<Definition, Error> {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let target = match TargetType::parse(&self.kind).unwrap_or(TargetType::Page) {
            TargetType::Page => Target::Page { selector: some(&self.selector) },
            TargetType::Sitemap => {
                Target::Sitemap { include: lines(&self.include), exclude: lines(&self.exclude) }
            }
            TargetType::Extract => Target::Extract { items: some(&self.items), fields: self.values()? },
        };
        Ok(Definition { target, ignore: self.ignored(), trigger: self.trigger(), ordered: false })
    }

    pub(super) fn ignored(&self) -> Vec<Ignore> {
        lines(&self.ignore).into_iter().map(Ignore::Text).collect()
    }

    pub(super) fn trigger(&self) -> Trigger {
        let kind = KINDS.iter().find(|(_, word, _)| *word == self.trigger);
        let kind = kind.map_or(TriggerKind::Any, |(kind, ..)| *kind);
        let value = Some(self.value.clone()).filter(|value| !value.is_empty() && kind != TriggerKind::Any);
        Trigger { kind, value, field: None }
    }

    /// `name = selector` a line; a star behind the name makes it the key.
    fn values(&self) -> Result<Vec<Value>, Error> {
        let value = |line: &String| {
            let (name, selector) = line
                .split_once('=')
                .ok_or_else(|| wrong("fields", "Write each value as: name = selector"))?;
            let (name, key) = match name.trim().strip_suffix('*') {
                Some(name) => (name.trim(), true),
                None => (name.trim(), false),
            };
            Ok(Value { name: name.to_owned(), selector: selector.trim().to_owned(), key })
        };
        lines(&self.fields).iter().map(value).collect()
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The kinds of triggers: for the rules, for the form, for people.
const KINDS: [(TriggerKind, &str, &str); 6] = [
    (TriggerKind::Any, "any", "any change"),
    (TriggerKind::TextAppears, "text_appears", "a text appears"),
    (TriggerKind::TextDisappears, "text_disappears", "a text disappears"),
    (TriggerKind::Above, "above", "a number rises above"),
    (TriggerKind::Below, "below", "a number falls below"),
    (TriggerKind::Share, "share", "at least this percentage changes"),
];

fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    input: &MonitorInput,
    form_error: &FormError,
    preview: Option<&Preview>,
) -> Response {
    let token = FormToken::of(request);
    let least = request.app.domain.limits().of(user.account.tier).web_monitor_minimum_interval_minutes;
    let content = html! {
        p.soft { a href="/monitors" { "Monitors" } }
        h1 { "New monitor" }
        (form_error.summary())
        @if let Some(preview) = preview { (preview_section(preview)) }
        form.stack method="post" action="/monitors/new" {
            (token.field())
            (line("name", "Name", &format!("1 to {MONITOR_NAME_CHARS} characters."), &input.name, true).show(form_error))
            (line("targetUrl", "Page address", "The public page, sitemap or JSON document to watch.", &input.url, true).show(form_error))
            (kinds(input))
            (interval_field(input, least, form_error))
            details open[!input.selector.is_empty()] { summary { "Only a part of the page" }
                (line("selector", "Selector", "CSS, such as #price; or JSONPath, such as $.version.", &input.selector, false).show(form_error)) }
            details open[input.kind == "sitemap"] { summary { "Sitemap filters" }
                (area("include", "Include addresses matching", "One pattern a line, such as /blog/*.", &input.include, form_error))
                (area("exclude", "Exclude addresses matching", "One pattern a line.", &input.exclude, form_error)) }
            details open[input.kind == "extract"] { summary { "Values" }
                (line("items", "Repeated element", "CSS of what repeats, such as .product. Empty: the page is one item.", &input.items, false).show(form_error))
                (area("fields", "Values", "One a line, as in: price = .price. A star after the name marks the key that identifies an item.", &input.fields, form_error)) }
            (trigger_fields(input, form_error))
            label.choice { input type="checkbox" name="follow" value="1" checked[input.follow || input.url.is_empty()]; span { "Also show changes in my RSS entries" } }
            div.row {
                button type="submit" name="act" value="make" { "Start watching" }
                button.quiet type="submit" name="act" value="preview" formnovalidate { "Preview" }
            }
        }
    };
    let title =
        if form_error.is_some() { "Error: New monitor · Monitors" } else { "New monitor · Monitors" };
    respond(&request.app, status, title, &content)
}

pub(super) fn line<'a>(
    name: &'a str,
    label: &'a str,
    rule: &'a str,
    value: &'a str,
    required: bool,
) -> Field<'a> {
    Field { name, label, rule, kind: "text", value, autocomplete: "off", required }
}

pub(super) fn area(name: &str, label: &str, rule: &str, value: &str, form_error: &FormError) -> Markup {
    html! {
        div {
            label for=(name) { (label) }
            p.rule id={ (name) "-rule" } { (rule) }
            textarea id=(name) aria-invalid=[form_error.at(name).map(|_| "true")] autofocus[form_error.at(name).is_some()] name=(name) aria-describedby={ (name) "-rule" } spellcheck="false" { (value) }
            (form_error.on_group(name))
        }
    }
}

/// How often it runs.
pub(super) fn interval_field(input: &MonitorInput, least: u32, form_error: &FormError) -> Markup {
    let rule = format!("Minutes between two runs, {least} to {MONITOR_MINUTES}. Leave empty for once a day.");
    let field =
        Field { kind: "number", ..line("intervalMinutes", "Check every", &rule, &input.minutes, false) };
    field.show(form_error)
}

/// What is worth telling, and what does not count.
pub(super) fn trigger_fields(input: &MonitorInput, form_error: &FormError) -> Markup {
    html! {
        div {
            label for="trigger" { "Report when" }
            select id="trigger" name="trigger" {
                @for (_, word, label) in KINDS { option value=(word) selected[input.trigger == word] { (label) } }
            }
        }
        (line("value", "Text or number", "Not needed for “any change”.", &input.value, false).show(form_error))
        (area("ignore", "Ignore changes containing", "One text a line; blocks that contain it are ignored.", &input.ignore, form_error))
    }
}

fn kinds(input: &MonitorInput) -> Markup {
    let about = [
        ("page", "A page", "its text, or a part of it; 1 credit a run"),
        ("sitemap", "A sitemap", "which addresses are added and removed; 2 credits a run"),
        ("extract", "Values", "such as prices, by selector; 3 credits a run"),
    ];
    let current = if input.kind.is_empty() { "page" } else { input.kind.as_str() };
    html! {
        fieldset {
            legend { "Type" }
            @for (word, name, words) in about {
                label.choice { input type="radio" name="targetType" value=(word) checked[current == word]; span { (name) ": " span.soft { (words) } } }
            }
        }
    }
}

fn preview_section(preview: &Preview) -> Markup {
    html! {
        section.notice aria-label="Preview" {
            p { strong { "This would be watched" } @if let Some(title) = &preview.title { " of “" (title) "”" } ": " (preview.total) " in all." }
            @for warning in &preview.warnings { p.notice { (words::warning(warning)) } }
            @match &preview.found {
                Some(Snapshot::Blocks(blocks)) => { ol { @for block in blocks.iter().take(MAX_SHOWN) { li { (block.text) } } } },
                Some(Snapshot::Urls(urls)) => { ol { @for entry in urls.iter().take(MAX_SHOWN) { li { (entry.url) } } } },
                Some(Snapshot::Items(items)) => { ol { @for item in items.iter().take(MAX_SHOWN) {
                    li { @for field in &item.fields { strong { (field.name) } ": " (field.value.as_deref().unwrap_or("–")) " " } }
                } } },
                None => { p { "Nothing: the selector finds nothing in this source." } },
            }
            p.soft.small { "No credit was spent." }
        }
    }
}
