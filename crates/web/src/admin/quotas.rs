//! Quotas of one account: limits that an operator sets instead of those of its plan.

use application::capabilities::{CapabilityLimits, capabilities};
use identity::accounts::{QuotaSettings, quota_settings, replace_quotas};
use kernel::quotas::{AccountQuotas, parse_count, parse_storage, storage_text};
use kernel::tiers::TierLimits;
use kernel::{AccountId, Code};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::operator::{Operator, respond};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{success, time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult};
use crate::page::response::redirect;

const FEEDS: Text = Text("plan-feeds");
const MONITORS: Text = Text("nav-monitors");
const CREDITS: Text = Text("plan-credits-per-month");
const STORAGE: Text = Text("admin-storage");

/// Values of the fields as typed. An empty value means that the limit of the plan applies.
struct QuotaInput {
    feeds: String,
    monitors: String,
    credits: String,
    storage: String,
    /// Revision of the quotas that the form displayed.
    revision: String,
}

impl QuotaInput {
    fn of(quotas: &AccountQuotas) -> Self {
        let number = |quota: Option<u32>| quota.map(|quota| quota.to_string()).unwrap_or_default();
        Self {
            feeds: number(quotas.rss_subscriptions),
            monitors: number(quotas.web_monitors),
            credits: number(quotas.web_monitor_monthly_credits),
            storage: quotas.library_storage_bytes.map(storage_text).unwrap_or_default(),
            revision: quotas.revision(),
        }
    }

    /// Parses the values. Every invalid value is reported.
    fn parse(&self) -> Result<AccountQuotas, FormError> {
        let mut wrong = FormError::default();
        let quotas = AccountQuotas {
            rss_subscriptions: parsed(("feeds", FEEDS), &self.feeds, parse_count, &mut wrong),
            web_monitors: parsed(("monitors", MONITORS), &self.monitors, parse_count, &mut wrong),
            web_monitor_monthly_credits: parsed(("credits", CREDITS), &self.credits, parse_count, &mut wrong),
            library_storage_bytes: parsed(("storage", STORAGE), &self.storage, parse_storage, &mut wrong),
        };
        if wrong.is_some() { Err(wrong) } else { Ok(quotas) }
    }
}

/// Parses the value of a field. `None` if it is empty or invalid. An invalid value is added to `wrong`.
fn parsed<T>(
    (name, label): (&str, Text),
    text: &str,
    parse: impl Fn(&str) -> Result<T, &'static str>,
    wrong: &mut FormError,
) -> Option<T> {
    if text.is_empty() {
        return None;
    }
    match parse(text) {
        Ok(value) => Some(value),
        Err(message) => {
            *wrong = std::mem::take(wrong).and(name, &format!("{}: {message}", label.get()));
            None
        }
    }
}

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator, Path(id): Path<AccountId>) -> PageResult {
    let settings = quota_settings(&request.app.domain, id).await?;
    let typed = QuotaInput::of(&settings.account.quotas);
    respond_with_form(&request, &settings, &typed, &FormError::default()).await
}

/// Replaces the quotas, or displays the form again with its errors. If another operator has changed the quotas since
/// the form was displayed, displays their current values.
#[handler]
pub(super) async fn replace(
    request: PageRequest,
    operator: Operator,
    form: Form,
    Path(id): Path<AccountId>,
) -> PageResult {
    let domain = &request.app.domain;
    let settings = quota_settings(domain, id).await?;
    let word = |name| form.get(name).trim().to_owned();
    let typed = QuotaInput {
        feeds: word("feeds"),
        monitors: word("monitors"),
        credits: word("credits"),
        storage: word("storage"),
        revision: word("revision"),
    };
    let quotas = match typed.parse() {
        Ok(quotas) => quotas,
        Err(wrong) => return respond_with_form(&request, &settings, &typed, &wrong).await,
    };
    match replace_quotas(domain, id, &typed.revision, quotas, &operator.name).await {
        Ok(_) => Ok(redirect(&format!("/admin/accounts/{id}/quotas?set"))),
        Err(error) if error.code == Code::PreconditionFailed => {
            let settings = quota_settings(domain, id).await?;
            let current = QuotaInput::of(&settings.account.quotas);
            respond_with_form(&request, &settings, &current, &FormError::of(error)?).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn respond_with_form(
    request: &PageRequest,
    settings: &QuotaSettings,
    typed: &QuotaInput,
    wrong: &FormError,
) -> PageResult {
    let (domain, account) = (&request.app.domain, &settings.account);
    let used = capabilities(domain, account.id, account.tier).await?.limits;
    let plan = domain.policy().tiers.of(account.tier);
    let now = domain.now();
    let content = html! {
        p.soft { a href="/admin/accounts" { (Text("admin-all-accounts")) } }
        h1 { (Text("admin-quotas-of").markup(&[("email", html! { bdi { (account.email) } })])) }
        @if request.uri.query() == Some("set") { (success(&Text("admin-quotas-set"))) }
        (wrong.summary())
        p { (Text("admin-quotas-words").markup(&[("plan", html! { strong { (account.tier) } })])) }
        p { (Text("admin-quotas-excess")) }
        @if let (Some(at), Some(by)) = (settings.set_at, &settings.set_by) { p.soft { (Text("admin-quotas-changed").markup(&[("time", time(at, now)), ("name", html! { bdi { (by) } })])) } }
        (fields(request, account.id, (plan, &used), (typed, wrong)))
    };
    let title = Text("admin-quotas-of").with("email", account.email.as_str()).get();
    Ok(respond(request, "/admin/accounts", &title, &content))
}

fn fields(
    request: &PageRequest,
    id: AccountId,
    (plan, used): (&TierLimits, &CapabilityLimits),
    (typed, wrong): (&QuotaInput, &FormError),
) -> Markup {
    let count = |of_plan: u32, used: u64| {
        let (of_plan, used) = (with_thousands_separators(of_plan.into()), with_thousands_separators(used));
        Text("admin-quota-use").with("plan", of_plan).with("used", used).get()
    };
    let storage = Text("admin-storage-use")
        .with("plan", storage_text(plan.library_storage_bytes))
        .with("used", with_thousands_separators(used.library_storage_used_bytes / 1_048_576))
        .get();
    let field = |name, label: Text, hint: &str, value: &str, kind| {
        let label = label.get();
        FormField { name, label: &label, hint, kind, value, autocomplete: "off", required: false }.show(wrong)
    };
    let feeds = count(plan.rss_subscriptions, used.rss_subscriptions_used);
    let monitors = count(plan.web_monitors, used.web_monitors_used);
    let credits = count(plan.web_monitor_monthly_credits, used.web_monitor_monthly_credits_used);
    html! {
        form.stack method="post" action=(format!("/admin/accounts/{id}/quotas")) {
            (FormToken::of(request).field())
            input type="hidden" name="revision" value=(typed.revision);
            (field("storage", STORAGE, &storage, &typed.storage, "text"))
            (field("feeds", FEEDS, &feeds, &typed.feeds, "number"))
            (field("monitors", MONITORS, &monitors, &typed.monitors, "number"))
            (field("credits", CREDITS, &credits, &typed.credits, "number"))
            div { button type="submit" { (Text("admin-set-quotas")) } }
        }
    }
}
