//! Rules for new entries: a page for the rules of one feed, and a page for rules that apply to all feeds.
//! Each page previews the entries that a rule would match before the rule is created.

use feeds::{NewRule, Rule, RuleAction, RulePreview, RuleScope, Subscription};
use kernel::{Error, Millis, RuleId, SubscriptionId};
use library::VisibleTags;
use maud::{Markup, html};
use notices::Channel;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::frame::{self, Section, notice, redirect_done, respond, respond_with};
use super::entry_rows::plain_entry;
use super::rule_fields::{RuleInput, rule_words, unsaved_words};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 3] =
    [("made", Text("rules-made")), ("applied", Text("rules-applied")), ("deleted", Text("rules-deleted"))];

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
    let outcome = match input.rule(of) {
        Err(error) => Err(error),
        Ok(new) if form.get("act") == "create" => {
            create_rule(request, user, &new, input.reach()).await.map(Err)
        }
        Ok(new) => feeds::preview_rule(domain, account_id, &new).await.map(Ok),
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
        RuleScope::NewAndUnread if new.action != RuleAction::Notify => "applied",
        // Existing entries are not sent to channels.
        RuleScope::NewEntries | RuleScope::NewAndUnread => "made",
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
    let channels = notices::list(domain, account_id).await?;
    let visible_tags = library::visible_tags(domain, account_id).await?;
    let token = FormToken::of(request);
    let now = domain.now();
    let content = html! {
        (crumbs(feed.as_ref()))
        h1 { @match &feed { Some(feed) => { (Text("rules-of").markup(&[("feed", html! { bdi { (feed.title) } })])) }, None => { (Text("rules-for-all")) } } }
        (notice(request, &DONE))
        p { (Text("rules-words")) " "
            @if feed.is_some() { (Text("rules-also-for-all").linked(&["/subscriptions/rules"])) }
            @else { (Text("rules-single-feed")) } }
        @if !rules.is_empty() {
            h2 { (Text("rules-active")) }
            ul.rows { @for rule in &rules { (row(rule, &channels, &visible_tags, now)) } }
        }
        h2 #new { (Text("rules-new")) }
        (view.form_error.summary())
        (view.input.form(&path(of), &channels, (&token, &view.form_error)))
        @if let Some(preview) = &view.preview { (match_list(preview, view.input, now)) }
    };
    let (name, section) = (Text("feeds-rules").get(), Text("nav-feeds").get());
    let title = match &feed {
        Some(feed) => format!("{name} · {} · {section}", frame::cut(&feed.title, 80)),
        None => format!("{name} · {section}"),
    };
    Ok(respond_with(request, view.status, Section::Feeds, &title, &content))
}

fn crumbs(feed: Option<&Subscription>) -> Markup {
    html! {
        p.soft {
            a href="/entries" { (Text("nav-feeds")) } " › " a href="/subscriptions" { (Text("feeds-subscriptions")) }
            @if let Some(feed) = feed { " › " a href={ "/subscriptions/" (feed.id) } { bdi { (feed.title) } } }
        }
    }
}

fn row(rule: &Rule, channels: &[Channel], visible_tags: &VisibleTags, now: Millis) -> Markup {
    let notified = channels.iter().filter(|channel| rule.notify.contains(&channel.id));
    let names: Vec<&str> = notified.map(|channel| channel.name.as_str()).collect();
    let withheld_tags = visible_tags.among(&rule.tags);
    html! {
        li {
            h3 { a href={ "/subscriptions/rules/" (rule.id) } { (rule_words(rule)) } }
            p.meta.dots {
                @if rule.action == RuleAction::Mute { span { (Text("rules-muted-count").with("number", rule.muted)) } }
                @if rule.action == RuleAction::Drop { span { (Text("rules-dropped-count").with("number", rule.dropped)) } }
                @if rule.action == RuleAction::Star { span { (Text("rules-starred-count").with("number", rule.saved)) } }
                @if rule.action == RuleAction::Save { span { (Text("rules-saved-count").with("number", rule.saved)) } }
                @if let Some(unsaved) = rule.unsaved { span { (Text("rules-unsaved-count").with("number", unsaved.count).with("reason", unsaved_words(unsaved.reason)).markup(&[("time", time(unsaved.last_at, now))])) } }
                @if rule.action == RuleAction::Notify { span { (Text("rules-channels")) ": " @if names.is_empty() { (Text("rules-channels-none")) } @else { bdi { (names.join(", ")) } } } }
                @if !rule.tags.is_empty() { span { (Text("items-tags")) ": " bdi { (rule.tags.join(", ")) } } }
                span { (Text("rules-since").markup(&[("time", time(rule.created_at, now))])) }
                @if let Some(at) = rule.stopped_at { span { (Text("rules-off-words").markup(&[("off", html! { span.state.bad { (Text("rules-off")) } }), ("time", time(at, now))])) } }
            }
            @if !withheld_tags.is_empty() { p.notice { (Text("item-rules-withheld").with("tags", withheld_tags.join(", "))) } }
        }
    }
}

/// Lists the existing entries that a rule would match.
fn match_list(preview: &RulePreview, input: &RuleInput, now: Millis) -> Markup {
    let count = preview.matches.len();
    html! {
        section.after aria-labelledby="matches" {
            h2 #matches tabindex="-1" { (Text("rules-matches")) }
            @if preview.examined == 0 { p { (Text("rules-nothing-to-test")) } }
            @else {
                p { (Text("rules-match-count").with("examined", preview.examined).markup(&[("matched", html! { strong { (count) } })])) " "
                    @if count == 0 { (Text("rules-nothing-changed")) }
                    @else { (input.effect_words()) } }
                @if count > 0 { ul.rows { @for entry in preview.matches.iter().take(20) { (plain_entry(entry, now)) } } }
                @if count > 20 { p.soft { (Text("rules-more").with("number", count - 20)) } }
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
        h1 { (Text("rules-delete-question")) }
        p { strong { (rule_words(&rule)) } }
        @if rule.stopped_at.is_some() {
            p.notice.bad { (Text("rules-too-slow")) }
        }
        @match (rule.action, rule.muted) {
            (RuleAction::Drop, _) => { p { (Text("rules-has-dropped").with("count", rule.dropped)) } },
            (RuleAction::Mute, 0) => { p { (Text("rules-has-muted-none")) } },
            (RuleAction::Mute, muted) => { p { (Text("rules-has-muted").with("count", muted)) } },
            (RuleAction::Read | RuleAction::Keep | RuleAction::Star | RuleAction::Save | RuleAction::Notify, _) => { p { (Text("rules-stay-changed")) } },
        }
        form method="post" action={ "/subscriptions/rules/" (rule.id) } {
            (token.field())
            div.row { button.danger type="submit" { (Text("rules-delete")) } a.button.secondary href=(back) { (Text("feed-cancel")) } }
        }
    };
    let title = format!("{} · {}", Text("rules-delete").get(), Text("nav-feeds").get());
    Ok(respond(&request, Section::Feeds, &title, &content))
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
