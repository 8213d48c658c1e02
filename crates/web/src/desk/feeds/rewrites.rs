//! Rules that rewrite the entries of a feed: a form with a row for each rule, and a preview of the newest entries.

use extract::feed::display_markup_with_pictures;
use feeds::{
    NamedRewrite, Replacement, Rewrite, RewriteField, RewritePreview, RewrittenEntry, RewrittenTexts,
    Subscription, SubscriptionUpdate,
};
use http_kit::app::ANSWER_TIMEOUT;
use kernel::bounds::FEED_REWRITES;
use kernel::{AccountId, Class, Error, Segment, SubscriptionId};
use maud::{Markup, PreEscaped, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;
use tokio::time::Instant;

use super::super::frame::{self, Section, notice, payer, redirect_done, respond_with};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::pictures::Pictures;

const DONE: [(&str, Text); 1] = [("saved", Text("rewrites-saved"))];
/// Number of empty rows of the form.
const EMPTY_ROWS: usize = 3;
/// Form value of the kind of rule that removes elements.
const REMOVE: &str = "remove";

/// Form values of a rule.
#[derive(Default)]
struct RewriteRow {
    /// Name of a replaced field, of a named rule, or [`REMOVE`]. Empty if the row has no rule.
    kind: String,
    /// Regular expression or selector.
    pattern: String,
    with: String,
    position: String,
}

/// Form values of all rules.
struct RewriteInput(Vec<RewriteRow>);

impl RewriteRow {
    fn of_rule(rule: &Rewrite) -> Self {
        match rule {
            Rewrite::Replace(Replacement { field, pattern, with }) => Self {
                kind: field.as_str().to_owned(),
                pattern: pattern.clone(),
                with: with.clone(),
                ..Self::default()
            },
            Rewrite::Remove(selector) => {
                Self { kind: REMOVE.to_owned(), pattern: selector.clone(), ..Self::default() }
            }
            Rewrite::Apply(name) => Self { kind: name.as_str().to_owned(), ..Self::default() },
        }
    }

    /// Returns the rule of the row. `None` if it has none.
    fn rule(&self) -> Option<Rewrite> {
        if self.kind == REMOVE {
            return Some(Rewrite::Remove(self.pattern.clone()));
        }
        let field = RewriteField::ALL.iter().find(|field| field.as_str() == self.kind);
        let replace = field.map(|field| {
            let (pattern, with) = (self.pattern.clone(), self.with.clone());
            Rewrite::Replace(Replacement { field: *field, pattern, with })
        });
        let name = NamedRewrite::ALL.iter().find(|name| name.as_str() == self.kind);
        replace.or(name.map(|name| Rewrite::Apply(*name)))
    }
}

impl RewriteInput {
    fn of_rules(rules: &[Rewrite]) -> Self {
        Self(rules.iter().map(RewriteRow::of_rule).collect())
    }

    fn of_form(form: &Form) -> Self {
        let texts = form.all("pattern").zip(form.all("with"));
        let rows = form.all("kind").zip(form.all("position")).zip(texts);
        let row = |((kind, position), (pattern, with)): ((&str, &str), (&str, &str))| RewriteRow {
            kind: kind.to_owned(),
            pattern: pattern.to_owned(),
            with: with.to_owned(),
            position: position.trim().to_owned(),
        };
        Self(rows.map(row).take(FEED_REWRITES).collect())
    }

    /// Returns the rules in the order of their positions, each with the index of its row.
    fn rules(&self) -> (Vec<usize>, Vec<Rewrite>) {
        let mut rows: Vec<(usize, &RewriteRow)> = self.0.iter().enumerate().collect();
        rows.sort_by_key(|(index, row)| row.position.parse().unwrap_or(index + 1));
        rows.into_iter().filter_map(|(index, row)| Some((index, row.rule()?))).unzip()
    }
}

/// Status, form values, errors, and preview of the page.
struct RewritesPage<'a> {
    status: StatusCode,
    input: &'a RewriteInput,
    form_error: FormError,
    preview: Option<RewritePreview>,
}

impl<'a> RewritesPage<'a> {
    fn of(input: &'a RewriteInput) -> Self {
        Self { status: StatusCode::OK, input, form_error: FormError::default(), preview: None }
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<i64>) -> PageResult {
    let feed = feeds::get_subscription(&request.app.domain, user.account.id, id.into()).await?;
    let input = RewriteInput::of_rules(&feed.rewrites);
    page(&request, &user, &feed, RewritesPage::of(&input)).await
}

/// Saves the rules, or previews the newest entries with them.
#[handler]
pub(in crate::desk) async fn save(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let feed = feeds::get_subscription(&request.app.domain, user.account.id, id.into()).await?;
    let input = RewriteInput::of_form(&form);
    let (indexes, rules) = input.rules();
    let outcome = if form.get("act") == "preview" {
        preview(&request, &user, feed.id, &rules).await.map(Some)
    } else {
        change(&request, &user, feed.id, rules).await.map(|()| None)
    };
    match outcome {
        Ok(None) => Ok(redirect_done(&path(feed.id), "saved")),
        Ok(preview) => {
            page(&request, &user, &feed, RewritesPage { preview, ..RewritesPage::of(&input) }).await
        }
        Err(error) => {
            let form_error = form_error_of(error, &indexes)?;
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            page(&request, &user, &feed, RewritesPage { status, form_error, ..RewritesPage::of(&input) })
                .await
        }
    }
}

async fn preview(
    request: &PageRequest,
    user: &User,
    id: SubscriptionId,
    rules: &[Rewrite],
) -> Result<RewritePreview, Error> {
    let app = &request.app;
    let requested = feeds::request_rewrite_preview(&app.domain, payer(user), id, rules).await?;
    app.engine.await_result(requested, Instant::now() + ANSWER_TIMEOUT).await
}

async fn change(
    request: &PageRequest,
    user: &User,
    id: SubscriptionId,
    rules: Vec<Rewrite>,
) -> Result<(), Error> {
    let update = SubscriptionUpdate { rewrites: Some(rules), ..SubscriptionUpdate::default() };
    feeds::update_subscription(&request.app.domain, user.account.id, id, update).await.map(drop)
}

/// Maps an error to the row of the rule that caused it. `indexes` contains the row index of each rule.
fn form_error_of(error: Error, indexes: &[usize]) -> Result<FormError, Error> {
    let segments = error.field().map(|field| field.path.segments()).unwrap_or_default();
    let row = match segments {
        [Segment::Name(name), Segment::Index(index), ..] if name == "rewrites" => {
            indexes.get(*index).copied()
        }
        _ => None,
    };
    match (row, error.class()) {
        (Some(row), _) => Ok(FormError::at_field_of(pattern_id(row), &error)),
        (None, Class::Unreadable | Class::Upstream | Class::Unavailable) => {
            Ok(FormError::at_field_of("", &error))
        }
        (None, _) => FormError::of(error),
    }
}

fn path(id: SubscriptionId) -> String {
    format!("/subscriptions/{id}/rewrites")
}

fn pattern_id(row: usize) -> String {
    format!("pattern-{}", row + 1)
}

async fn page(request: &PageRequest, user: &User, feed: &Subscription, view: RewritesPage<'_>) -> PageResult {
    let (token, now) = (FormToken::of(request), request.app.domain.now());
    let preview = if let Some(preview) = &view.preview {
        preview_section(request, user.account.id, preview).await?
    } else {
        html! {}
    };
    let content = html! {
        p.soft {
            a href="/entries" { (Text("nav-feeds")) } " › " a href="/subscriptions" { (Text("feeds-subscriptions")) }
            " › " a href={ "/subscriptions/" (feed.id) } { bdi { (feed.title) } }
        }
        h1 { (Text("rewrites-of").markup(&[("feed", html! { bdi { (feed.title) } })])) }
        (notice(request, &DONE))
        p { (Text("rewrites-words")) }
        @if let Some(at) = feed.rewrites_stopped_at { p.notice.bad { (Text("rewrites-stopped").markup(&[("time", time(at, now))])) } }
        @if feed.rewrites_skipped > 0 { p.notice { (Text("rewrites-skipped").with("count", feed.rewrites_skipped)) } }
        (view.form_error.summary())
        (form(feed.id, view.input, &view.form_error, &token))
        (preview)
    };
    let title = format!("{} · {}", frame::cut(&feed.title, 80), Text("nav-feeds").get());
    Ok(respond_with(request, view.status, Section::Feeds, &title, &content))
}

fn form(id: SubscriptionId, input: &RewriteInput, form_error: &FormError, token: &FormToken) -> Markup {
    let used = input.0.iter().filter(|row| !row.kind.is_empty()).count();
    let count = (used + EMPTY_ROWS).max(input.0.len()).min(FEED_REWRITES);
    let empty = RewriteRow::default();
    html! {
        form.stack #rewrites method="post" action={ (path(id)) "#preview" } {
            (token.field())
            p.rule #rewrites-rule { (Text("rewrites-hint")) }
            @for index in 0..count { (row(index, input.0.get(index).unwrap_or(&empty), form_error)) }
            div.row {
                button type="submit" { (Text("rewrites-save")) }
                button.secondary type="submit" name="act" value="preview" { (Text("rewrites-preview")) }
            }
        }
    }
}

/// Renders the fields of one rule.
fn row(index: usize, row: &RewriteRow, form_error: &FormError) -> Markup {
    let number = index + 1;
    let pattern = pattern_id(index);
    let (kind, with, position) =
        (format!("kind-{number}"), format!("with-{number}"), format!("position-{number}"));
    let wrong = form_error.at(&pattern);
    let order = if row.position.is_empty() { number.to_string() } else { row.position.clone() };
    html! {
        fieldset {
            legend { (Text("rewrites-rule").with("number", number)) }
            div {
                label for=(kind) { (Text("rewrites-kind")) }
                select id=(kind) name="kind" {
                    @for (value, words) in KINDS { option value=(value) selected[value == row.kind] { (words) } }
                }
            }
            div {
                label for=(pattern) { (Text("rewrites-pattern")) }
                input id=(pattern) name="pattern" type="text" value=(row.pattern) autocomplete="off" spellcheck="false" dir="ltr"
                    aria-describedby="rewrites-rule" aria-invalid=[wrong.map(|_| "true")];
                (form_error.on_group(&pattern))
            }
            div {
                label for=(with) { (Text("rewrites-with")) }
                input id=(with) name="with" type="text" value=(row.with) autocomplete="off" spellcheck="false" dir="ltr";
            }
            div {
                label for=(position) { (Text("rewrites-position")) }
                input id=(position) name="position" type="number" min="1" max=(FEED_REWRITES) value=(order) autocomplete="off";
            }
        }
    }
}

/// Kinds of rules: values and names.
const KINDS: [(&str, Text); 9] = [
    ("", Text("rewrites-none")),
    (RewriteField::Title.as_str(), Text("rewrites-replace-title")),
    (RewriteField::Content.as_str(), Text("rewrites-replace-content")),
    (RewriteField::Address.as_str(), Text("rewrites-replace-address")),
    (REMOVE, Text("rewrites-remove")),
    (NamedRewrite::ImageCaptions.as_str(), Text("rewrites-captions")),
    (NamedRewrite::SrcsetImages.as_str(), Text("rewrites-srcset")),
    (NamedRewrite::LineBreaks.as_str(), Text("rewrites-breaks")),
    (NamedRewrite::TitleCapitals.as_str(), Text("rewrites-capitals")),
];

/// Renders the newest entries before and after the rules are applied.
async fn preview_section(
    request: &PageRequest,
    account_id: AccountId,
    preview: &RewritePreview,
) -> Result<Markup, Error> {
    let mut entries = Vec::with_capacity(preview.entries.len());
    for entry in &preview.entries {
        entries.push(entry_markup(request, account_id, entry).await?);
    }
    Ok(html! {
        section.after aria-labelledby="preview" {
            h2 #preview tabindex="-1" { (Text("feed-preview")) }
            p { (Text("rewrites-preview-words")) }
            @if entries.is_empty() { p { (Text("rewrites-no-entries")) } }
            @for entry in &entries { (entry) }
        }
    })
}

async fn entry_markup(
    request: &PageRequest,
    account_id: AccountId,
    entry: &RewrittenEntry,
) -> Result<Markup, Error> {
    let after = texts_markup(request, account_id, &entry.after).await?;
    if entry.before == entry.after {
        return Ok(html! { (after) p.soft { (Text("rewrites-unchanged")) } (partial_notice(entry)) });
    }
    let before = texts_markup(request, account_id, &entry.before).await?;
    Ok(html! {
        (after)
        (partial_notice(entry))
        details { summary { (Text("rewrites-before")) } (before) }
    })
}

fn partial_notice(entry: &RewrittenEntry) -> Markup {
    html! { @if entry.is_partial { p.notice { (Text("rewrites-partial")) } } }
}

/// Renders the texts of an entry. Its pictures get addresses on this host.
async fn texts_markup(
    request: &PageRequest,
    account_id: AccountId,
    texts: &RewrittenTexts,
) -> Result<Markup, Error> {
    let markup = display_markup_with_pictures(texts.content.as_deref().unwrap_or_default());
    let markup = Pictures::for_person(request, account_id, &markup).await?.replace_in(&markup);
    Ok(html! {
        @if let Some(title) = &texts.title { h3 { bdi { (title) } } }
        @if let Some(url) = &texts.url { p.meta { bdi { (url) } } }
        @if let Some(summary) = &texts.summary { p.soft { bdi { (summary) } } }
        article.text dir="auto" { (PreEscaped(markup)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_rules_in_the_order_of_their_positions() {
        let row = |kind: &str, pattern: &str, position: &str| RewriteRow {
            kind: kind.to_owned(),
            pattern: pattern.to_owned(),
            position: position.to_owned(),
            ..RewriteRow::default()
        };
        let input = RewriteInput(vec![
            row("title", "b", "2"),
            row("", "ignored", "1"),
            row("remove", ".ad", "1"),
            row("image_captions", "", ""),
        ]);
        let (indexes, rules) = input.rules();
        assert_eq!(indexes, [2, 0, 3]);
        let again = RewriteInput::of_rules(&rules);
        let kinds: Vec<&str> = again.0.iter().map(|row| row.kind.as_str()).collect();
        assert_eq!(kinds, ["remove", "title", "image_captions"]);
        assert_eq!(again.0[1].pattern, "b");
    }

    #[test]
    fn every_kind_of_rule_can_be_chosen() {
        for (kind, _) in KINDS.iter().filter(|(kind, _)| !kind.is_empty()) {
            let row = RewriteRow { kind: (*kind).to_owned(), ..RewriteRow::default() };
            let rule = row.rule().unwrap_or_else(|| panic!("{kind} has no rule"));
            assert_eq!(RewriteRow::of_rule(&rule).kind, *kind);
        }
        assert_eq!(KINDS.len(), 2 + RewriteField::ALL.len() + NamedRewrite::ALL.len());
    }
}
