//! Limits of one job kind: those from its rules, and a form in which an operator overrides them at run time.

use jobs::{JobKind, KindLimits};
use kernel::{Error, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::kinds::find;
use super::operator::{Operator, respond};
use crate::language::job_kind_name::job_kind_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{success, time};
use crate::page::request::{PageRequest, PageResult};
use crate::page::response::redirect;

const SECOND: Millis = 1_000;

/// Values of the three fields as typed.
#[derive(Default)]
struct LimitsInput {
    seconds: String,
    running: String,
    starts: String,
}

impl LimitsInput {
    fn of(limits: Option<&KindLimits>) -> Self {
        let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
        let Some(limits) = limits else { return Self::default() };
        Self {
            seconds: limits.max_run_ms.map(|ms| (ms / SECOND).to_string()).unwrap_or_default(),
            running: number(limits.most_running),
            starts: number(limits.starts_a_minute),
        }
    }
}

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator, Path(kind): Path<String>) -> PageResult {
    let kind = find(&kind)?;
    let limits = current_limits(&request, kind).await?;
    Ok(respond(
        &request,
        "/admin",
        &title(kind),
        &page(&request, kind, (&limits, &LimitsInput::of(limits.as_ref())), &FormError::default()),
    ))
}

/// Sets the limits, or displays the form again with its errors.
#[handler]
pub(super) async fn set(
    request: PageRequest,
    operator: Operator,
    form: Form,
    Path(kind): Path<String>,
) -> PageResult {
    let kind = find(&kind)?;
    let word = |name| form.get(name).trim().to_owned();
    let typed = LimitsInput { seconds: word("seconds"), running: word("running"), starts: word("starts") };
    let mut wrong = FormError::default();
    let mut number = |name: &str, word: &str| match word.parse() {
        _ if word.is_empty() => None,
        Ok(number) if (1..=jobs::HIGHEST_LIMIT).contains(&number) => Some(number),
        _ => {
            let message = match name {
                "running" => {
                    "For jobs running at once, enter a whole number up to a million, or leave it empty for no limit."
                }
                "starts" => {
                    "For starts per minute, enter a whole number up to a million, or leave it empty for no limit."
                }
                _ => {
                    "For seconds per run, enter a whole number up to a million, or leave it empty for the default."
                }
            };
            wrong = std::mem::take(&mut wrong).and(name, message);
            None
        }
    };
    let limits = KindLimits {
        kind,
        max_run_ms: number("seconds", &typed.seconds).map(|seconds: u32| Millis::from(seconds) * SECOND),
        most_running: number("running", &typed.running),
        starts_a_minute: number("starts", &typed.starts),
        set_at: request.app.domain.now(),
        set_by: operator.name.clone(),
    };
    if wrong.is_some() {
        let current = current_limits(&request, kind).await?;
        return Ok(respond(
            &request,
            "/admin",
            &title(kind),
            &page(&request, kind, (&current, &typed), &wrong),
        ));
    }
    jobs::set_limits(&request.app.domain, &limits).await?;
    Ok(redirect(&format!("/admin/kinds/{kind}/limits?set")))
}

async fn current_limits(request: &PageRequest, kind: JobKind) -> Result<Option<KindLimits>, Error> {
    let all = jobs::limits(&request.app.domain).await?;
    Ok(all.into_iter().find(|limits| limits.kind == kind))
}

fn title(kind: JobKind) -> String {
    Text("admin-limits-of").with("name", job_kind_name(kind)).get()
}

fn page(
    request: &PageRequest,
    kind: JobKind,
    (limits, typed): (&Option<KindLimits>, &LimitsInput),
    wrong: &FormError,
) -> Markup {
    let (rules, token, now) = (kind.rules(), FormToken::of(request), request.app.domain.now());
    let usual = Text("admin-seconds-hint").with("count", (rules.max_run_ms / SECOND).to_string()).get();
    let each = Text("admin-running-hint").with("count", rules.concurrency.to_string()).get();
    let spread = Text("admin-starts-hint").get();
    let field = |name, label: Text, hint: &str, value: &str| {
        let (label, kind, autocomplete) = (label.get(), "number", "off");
        FormField { name, label: &label, hint, kind, value, autocomplete, required: false }.show(wrong)
    };
    html! {
        p.soft { a href="/admin" { (Text("admin-all-kinds")) } }
        h1 { (title(kind)) }
        @if request.uri.query() == Some("set") { (success(&Text("admin-limits-set"))) }
        (wrong.summary())
        p { @match limits {
            Some(limits) => (Text("admin-quotas-changed").markup(&[("time", time(limits.set_at, now)), ("name", html! { bdi { (limits.set_by) } })])),
            None => (Text("admin-limits-none")),
        } }
        form.stack method="post" action=(format!("/admin/kinds/{kind}/limits")) {
            (token.field())
            (field("running", Text("admin-running-all"), &each, &typed.running))
            (field("starts", Text("admin-starts"), &spread, &typed.starts))
            (field("seconds", Text("admin-seconds"), &usual, &typed.seconds))
            div { button type="submit" { (Text("admin-set-limits")) } }
        }
    }
}
