//! The limits of one kind: what holds by its rules, and the form by which an operator sets others while it runs.

use jobs::{JobKind, KindLimits};
use kernel::{Error, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::kinds::find;
use super::operator::{Operator, respond};
use super::words::kind_words;
use crate::account::form::{Field, Form, FormError, FormToken};
use crate::account::parts::{success, time};
use crate::account::request::{Answer, PageRequest};
use crate::account::respond::redirect;

const SECOND: Millis = 1_000;

/// What was typed into the three fields.
#[derive(Default)]
struct Typed {
    seconds: String,
    running: String,
    starts: String,
}

impl Typed {
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

/// The page of a kind's limits.
#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator, Path(kind): Path<String>) -> Answer {
    let kind = find(&kind)?;
    let limits = standing(&request, kind).await?;
    Ok(respond(
        &request,
        "/admin",
        &title(kind),
        &page(&request, kind, (&limits, &Typed::of(limits.as_ref())), &FormError::default()),
    ))
}

/// Sets the limits, or says what is wrong with them.
#[handler]
pub(super) async fn set(
    request: PageRequest,
    operator: Operator,
    form: Form,
    Path(kind): Path<String>,
) -> Answer {
    let kind = find(&kind)?;
    let word = |name| form.get(name).trim().to_owned();
    let typed = Typed { seconds: word("seconds"), running: word("running"), starts: word("starts") };
    let mut wrong = FormError::default();
    let mut number = |name: &str, word: &str| match word.parse() {
        _ if word.is_empty() => None,
        Ok(number) if (1..=jobs::HIGHEST_LIMIT).contains(&number) => Some(number),
        _ => {
            let message = match name {
                "running" => {
                    "How many run at once is a whole number up to a million, or nothing for no limit."
                }
                "starts" => {
                    "How many start a minute is a whole number up to a million, or nothing for no limit."
                }
                _ => {
                    "How many seconds a run may take is a whole number up to a million, or nothing for the usual time."
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
        let standing = standing(&request, kind).await?;
        return Ok(respond(
            &request,
            "/admin",
            &title(kind),
            &page(&request, kind, (&standing, &typed), &wrong),
        ));
    }
    jobs::set_limits(&request.app.domain, &limits).await?;
    Ok(redirect(&format!("/admin/kinds/{kind}/limits?set")))
}

async fn standing(request: &PageRequest, kind: JobKind) -> Result<Option<KindLimits>, Error> {
    let all = jobs::limits(&request.app.domain).await?;
    Ok(all.into_iter().find(|limits| limits.kind == kind))
}

fn title(kind: JobKind) -> String {
    format!("Limits of “{}”", kind_words(kind))
}

fn page(
    request: &PageRequest,
    kind: JobKind,
    (limits, typed): (&Option<KindLimits>, &Typed),
    wrong: &FormError,
) -> Markup {
    let (rules, token, now) = (kind.rules(), FormToken::of(request), request.app.domain.now());
    let usual = format!("Without a number: {} seconds.", rules.max_run_ms / SECOND);
    let each = format!(
        "Without a number there is no limit beside that of each worker process, as a rule {}.",
        rules.concurrency
    );
    let field = |name, label, rule, value| Field {
        name,
        label,
        rule,
        kind: "number",
        value,
        autocomplete: "off",
        required: false,
    };
    html! {
        p.soft { a href="/admin" { "All kinds" } }
        h1 { (title(kind)) }
        @if request.uri.query() == Some("set") { (success("It is set. Workers go by it within some seconds.")) }
        (wrong.summary())
        p { @match limits {
            Some(limits) => { "Set " (time(limits.set_at, now)) " by " bdi { (limits.set_by) } "." }
            None => "No limits are set: the kind goes by its rules.",
        } }
        form.stack method="post" action=(format!("/admin/kinds/{kind}/limits")) {
            (token.field())
            (field("running", "At once in all processes", &each, &typed.running).show(wrong))
            (field("starts", "Starts a minute in all processes", "They are spread over the minute. Without a number there is no limit.", &typed.starts).show(wrong))
            (field("seconds", "Seconds that one run may take", &usual, &typed.seconds).show(wrong))
            div { button type="submit" { "Set limits" } }
        }
    }
}
