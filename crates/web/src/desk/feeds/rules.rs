//! Rules for new entries: a page for the rules of one feed, and a page for rules that apply to all feeds.
//! Each page previews the entries that a rule would match before the rule is created.

use feeds::{NewRule, Rule, RuleAction, RulePreview, RuleScope, Subscription};
use kernel::{Error, Millis, RuleId, SubscriptionId};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{self, Section, notice, redirect_done, respond, respond_with};
use super::entry_rows::plain_entry;
use super::rule_fields::{RuleInput, action_words, match_words};
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, &str); 3] = [
    ("made", "Rule created. It checks every new entry."),
    ("applied", "Rule created and applied to your unread entries."),
    (
        "deleted",
        "Rule deleted. Entries that it muted are back in your lists. Dropped entries cannot be restored.",
    ),
];

/// Status, form values, errors, and preview of a rule page.
struct RulePage<'a> {
    status: StatusCode,
    input: &'a RuleInput,
    form_error: FormError,
    preview: Option<RulePreview>,
}

#[handler]
pub(in crate::desk) async fn show_all(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, None, RulePage::first(&RuleInput::empty())).await
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<i64>) -> PageResult {
    page(&request, &user, Some(id.into()), RulePage::first(&RuleInput::empty())).await
}

/// Creates a rule for all feeds, or previews the entries that it would match.
#[handler]
pub(in crate::desk) async fn create_for_all(request: PageRequest, user: User, form: Form) -> PageResult {
    create_of(&request, &user, None, &form).await
}

/// Creates a rule for one feed, or previews the entries that it would match.
#[handler]
pub(in crate::desk) async fn create(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    create_of(&request, &user, Some(id.into()), &form).await
}

async fn create_of(
    request: &PageRequest,
    user: &User,
    of: Option<SubscriptionId>,
    form: &Form,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let input = RuleInput::of(form);
    let new = input.rule(of);
    let outcome = if form.get("act") == "create" {
        create_rule(request, user, &new, input.reach()).await.map(Err)
    } else {
        feeds::preview_rule(domain, account_id, &new).await.map(Ok)
    };
    match outcome {
        Ok(Err(done)) => Ok(redirect_done(&path(of), done)),
        Ok(Ok(preview)) => {
            let view = RulePage { preview: Some(preview), ..RulePage::first(&input) };
            page(request, user, of, view).await
        }
        Err(error) => {
            let form_error = FormError::of(error)?;
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            page(request, user, of, RulePage { status, form_error, ..RulePage::first(&input) }).await
        }
    }
}

/// Creates a rule. Returns the name of the message about its creation.
async fn create_rule(
    request: &PageRequest,
    user: &User,
    new: &NewRule,
    reach: RuleScope,
) -> Result<&'static str, Error> {
    feeds::create_rule(&request.app.domain, user.account.id, new, reach).await?;
    Ok(match reach {
        RuleScope::NewEntries => "made",
        RuleScope::NewAndUnread => "applied",
    })
}

impl<'a> RulePage<'a> {
    fn first(input: &'a RuleInput) -> Self {
        Self { status: StatusCode::OK, input, form_error: FormError::default(), preview: None }
    }
}

/// Returns the path of the rules of a feed, or of the rules for all feeds.
fn path(of: Option<SubscriptionId>) -> String {
    of.map_or_else(|| "/subscriptions/rules".to_owned(), |id| format!("/subscriptions/{id}/rules"))
}

async fn page(
    request: &PageRequest,
    user: &User,
    of: Option<SubscriptionId>,
    view: RulePage<'_>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let feed = match of {
        Some(id) => Some(feeds::get_subscription(domain, account_id, id).await?),
        None => None,
    };
    let rules = feeds::list_rules(domain, account_id, of).await?;
    let token = FormToken::of(request);
    let now = domain.now();
    let content = html! {
        (crumbs(feed.as_ref()))
        h1 { "Rules " @match &feed { Some(feed) => { "of " bdi { (feed.title) } }, None => "for all feeds" } }
        (notice(request, &DONE))
        p { "A rule checks each new entry. It can drop the entry, mute it, mark it as read, or protect it from other rules. "
            @if feed.is_some() { "There are also " a href="/subscriptions/rules" { "rules for all feeds" } "." }
            @else { "Rules for a single feed are on the page of that feed." } }
        @if !rules.is_empty() {
            h2 { "Active rules" }
            ul.rows { @for rule in &rules { (row(rule, now)) } }
        }
        h2 #new { "New rule" }
        (view.form_error.summary())
        (view.input.form(&path(of), &token, &view.form_error))
        @if let Some(preview) = &view.preview { (match_list(preview, view.input, now)) }
    };
    let title = match &feed {
        Some(feed) => format!("Rules · {} · Feeds", frame::cut(&feed.title, 80)),
        None => "Rules · Feeds".to_owned(),
    };
    Ok(respond_with(request, view.status, Section::Feeds, &title, &content))
}

fn crumbs(feed: Option<&Subscription>) -> Markup {
    html! {
        p.soft {
            a href="/entries" { "Feeds" } " › " a href="/subscriptions" { "Subscriptions" }
            @if let Some(feed) = feed { " › " a href={ "/subscriptions/" (feed.id) } { bdi { (feed.title) } } }
        }
    }
}

fn row(rule: &Rule, now: Millis) -> Markup {
    html! {
        li {
            h3 { a href={ "/subscriptions/rules/" (rule.id) } { (action_words(rule.action)) ": " (match_words(rule)) } }
            p.meta.dots {
                @if rule.action == RuleAction::Mute { span { (rule.muted) " muted" } }
                @if rule.action == RuleAction::Drop { span { (rule.dropped) " dropped" } }
                span { "since " (time(rule.created_at, now)) }
                @if let Some(at) = rule.stopped_at { span { span.state.bad { "Switched off" } " " (time(at, now)) ": it took too long" } }
            }
        }
    }
}

/// Lists the existing entries that a rule would match.
fn match_list(preview: &RulePreview, input: &RuleInput, now: Millis) -> Markup {
    let count = preview.matches.len();
    html! {
        section.after aria-labelledby="found" {
            h2 #found tabindex="-1" { "Entries that this rule matches" }
            @if preview.examined == 0 { p { "There are no entries to test it on yet." } }
            @else {
                p { "Of the newest " (preview.examined) " entries, it matches " strong { (count) } ". "
                    @if count == 0 { "Nothing has changed." }
                    @else { "They would be " (input.effect_words()) ". Nothing has changed yet." } }
                @if count > 0 { ul.rows { @for entry in preview.matches.iter().take(20) { (plain_entry(entry, now)) } } }
                @if count > 20 { p.soft { "And " (count - 20) " more." } }
            }
        }
    }
}

/// Renders one rule, with a confirmation before it is deleted.
#[handler]
pub(in crate::desk) async fn show_one(request: PageRequest, user: User, Path(id): Path<i64>) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let rule = feeds::get_rule(domain, account_id, RuleId::new(id)).await?;
    let feed = match rule.subscription_id {
        Some(id) => Some(feeds::get_subscription(domain, account_id, id).await?),
        None => None,
    };
    let token = FormToken::of(&request);
    let back = path(rule.subscription_id);
    let content = html! {
        (crumbs(feed.as_ref()))
        h1 { "Delete this rule?" }
        p { strong { (action_words(rule.action)) ": " (match_words(&rule)) } }
        @if rule.stopped_at.is_some() {
            p.notice.bad { "This rule was switched off because it took too long on new entries. Delete it and create a simpler one." }
        }
        @match (rule.action, rule.muted) {
            (RuleAction::Drop, _) => { p { "It has dropped " (rule.dropped) @if rule.dropped == 1 { " entry" } @else { " entries" } ". Dropped entries cannot be restored." } },
            (RuleAction::Mute, 0) => { p { "It has not muted any entries yet." } },
            (RuleAction::Mute, muted) => { p { "It has muted " (muted) @if muted == 1 { " entry" } @else { " entries" } ". If you delete the rule, they return to your lists." } },
            (RuleAction::Read | RuleAction::Keep, _) => { p { "Entries that it changed stay as they are." } },
        }
        form method="post" action={ "/subscriptions/rules/" (rule.id) } {
            (token.field())
            div.row { button.danger type="submit" { "Delete rule" } a.button.secondary href=(back) { "Cancel" } }
        }
    };
    Ok(respond(&request, Section::Feeds, "Delete rule · Feeds", &content))
}

#[handler]
pub(in crate::desk) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let rule = feeds::get_rule(domain, account_id, RuleId::new(id)).await?;
    feeds::delete_rule(domain, account_id, rule.id).await?;
    Ok(redirect_done(&path(rule.subscription_id), "deleted"))
}
