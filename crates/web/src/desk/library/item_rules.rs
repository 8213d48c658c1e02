//! Rules for saved items: the list with a form for a new rule, the order of the rules, and the page that changes or
//! deletes a rule.

use kernel::bounds::{LIBRARY_QUERY_CHARS, SEARCH_NAME_CHARS};
use kernel::error::not_found;
use kernel::{Error, LibraryRuleId};
use library::{ItemRule, ItemRuleUpdate, ItemStatus, NewItemRule};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, link, notice, redirect_done, respond_with};
use super::fields::{require_length, tags_of};
use super::item_rows::{STATUSES, status_name};
use crate::language::text::Text;
use crate::page::displayed::{displayed_field, displayed_value};
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};

const PATH: &str = "/library/rules";

const DONE: [(&str, Text); 3] = [
    ("created", Text("item-rules-created")),
    ("changed", Text("item-rules-changed")),
    ("deleted", Text("item-rules-deleted")),
];

/// Values of the form of a rule.
#[derive(Default)]
struct ItemRuleInput {
    name: String,
    query: String,
    /// Tags, separated by commas.
    tags: String,
    /// Status. Empty for none.
    status: String,
}

impl ItemRuleInput {
    fn of(form: &Form) -> Self {
        let field = |name: &str| form.get(name).trim().to_owned();
        Self { name: field("name"), query: field("query"), tags: field("tags"), status: field("status") }
    }

    fn of_rule(rule: &ItemRule) -> Self {
        Self {
            name: rule.name.clone(),
            query: rule.query.clone(),
            tags: rule.tags.join(", "),
            status: rule.status.map_or("", ItemStatus::as_str).to_owned(),
        }
    }

    fn rule(&self) -> Result<NewItemRule, Error> {
        require_length("name", &self.name, SEARCH_NAME_CHARS)?;
        require_length("query", &self.query, LIBRARY_QUERY_CHARS)?;
        Ok(NewItemRule {
            name: self.name.clone(),
            query: self.query.clone(),
            tags: tags_of("tags", &self.tags)?,
            status: ItemStatus::parse(&self.status),
        })
    }

    /// Values that the form of a rule displayed before they were edited.
    fn displayed(form: &Form, rule: &ItemRule) -> Self {
        let current = Self::of_rule(rule);
        Self {
            name: displayed_value(form, "name", &current.name),
            query: displayed_value(form, "query", &current.query),
            tags: displayed_value(form, "tags", &current.tags),
            status: displayed_value(form, "status", &current.status),
        }
    }

    /// Renders hidden fields with these values as the displayed ones.
    fn displayed_fields(&self) -> Markup {
        html! {
            (displayed_field("name", &self.name))
            (displayed_field("query", &self.query))
            (displayed_field("tags", &self.tags))
            (displayed_field("status", &self.status))
        }
    }

    /// Returns the update with the values that differ from the displayed ones. Unchanged tags are not sent, because a
    /// tag may contain a comma, too.
    fn update(&self, displayed: &Self) -> Result<ItemRuleUpdate, Error> {
        let is_retagged = self.tags != displayed.tags;
        let tags = is_retagged.then(|| tags_of("tags", &self.tags)).transpose()?;
        Ok(ItemRuleUpdate {
            name: Some(self.name.clone()).filter(|name| *name != displayed.name),
            query: Some(self.query.clone()).filter(|query| *query != displayed.query),
            tags,
            status: (self.status != displayed.status).then(|| ItemStatus::parse(&self.status)),
            position: None,
        })
    }

    /// Renders the fields of the form.
    fn fields(&self, form_error: &FormError) -> Markup {
        let field = |name: &str, label: Text, hint: Option<Text>, value: &str| {
            let (label, hint) = (label.get(), hint.map(Text::get).unwrap_or_default());
            let required = name != "tags";
            FormField { name, label: &label, hint: &hint, kind: "text", value, autocomplete: "off", required }
                .show(form_error)
        };
        html! {
            (field("name", Text("item-rules-name"), None, &self.name))
            (field("query", Text("item-rules-query"), Some(Text("item-rules-query-hint")), &self.query))
            (field("tags", Text("items-tags"), Some(Text("edit-tags-hint")), &self.tags))
            div {
                label for="status" { (Text("item-rules-status")) }
                select #status name="status" {
                    option value="" selected[self.status.is_empty()] { (Text("item-rules-status-none")) }
                    @for (status, name) in STATUSES {
                        option value=(status.as_str()) selected[status.as_str() == self.status] { (name) }
                    }
                }
            }
        }
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, (StatusCode::OK, &ItemRuleInput::default()), &FormError::default()).await
}

#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let input = ItemRuleInput::of(&form);
    let created = match input.rule() {
        Ok(new) => library::create_item_rule(&request.app.domain, user.account.id, new).await,
        Err(error) => Err(error),
    };
    match created {
        Ok(_) => Ok(redirect_done(PATH, "created")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, &input), &form_error).await
        }
    }
}

#[handler]
pub(in crate::desk) async fn show_one(
    request: PageRequest,
    user: User,
    Path(id): Path<LibraryRuleId>,
) -> PageResult {
    let (rule, _) = find(&request, &user, id).await?;
    let input = ItemRuleInput::of_rule(&rule);
    Ok(edit_page(&request, &rule, (StatusCode::OK, &input, &input), &FormError::default()))
}

/// Changes, moves, or deletes a rule.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<LibraryRuleId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let (rule, position) = find(&request, &user, id).await?;
    let (input, displayed) = (ItemRuleInput::of(&form), ItemRuleInput::displayed(&form, &rule));
    let update = match form.get("act") {
        "delete" => {
            library::delete_item_rule(domain, account_id, id).await?;
            return Ok(redirect_done(PATH, "deleted"));
        }
        "up" => Ok(moved(position.saturating_sub(1).max(1))),
        "down" => Ok(moved(position + 1)),
        _ => input.update(&displayed),
    };
    let changed = match update {
        Ok(update) => library::update_item_rule(domain, account_id, id, update).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => Ok(redirect_done(PATH, "changed")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            let typed = (StatusCode::UNPROCESSABLE_ENTITY, &input, &displayed);
            Ok(edit_page(&request, &rule, typed, &form_error))
        }
    }
}

fn moved(position: u32) -> ItemRuleUpdate {
    ItemRuleUpdate { position: Some(position), ..ItemRuleUpdate::default() }
}

/// Returns a rule, and its position in the order of the rules.
async fn find(request: &PageRequest, user: &User, id: LibraryRuleId) -> Result<(ItemRule, u32), Error> {
    let rules = library::list_item_rules(&request.app.domain, user.account.id).await?;
    rules.into_iter().zip(1_u32..).find(|(rule, _)| rule.id == id).ok_or_else(|| not_found("rule"))
}

async fn page(
    request: &PageRequest,
    user: &User,
    (status, input): (StatusCode, &ItemRuleInput),
    form_error: &FormError,
) -> PageResult {
    let rules = library::list_item_rules(&request.app.domain, user.account.id).await?;
    let token = FormToken::of(request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " / " a href="/library/tags" { (Text("items-tags")) } }
        h1 { (Text("item-rules")) }
        (notice(request, &DONE))
        p { (Text("item-rules-words")) }
        (form_error.summary())
        @if !rules.is_empty() {
            h2 { (Text("rules-active")) }
            ul.rows { @for (index, rule) in rules.iter().enumerate() {
                (row(rule, (index > 0, index + 1 < rules.len()), &token))
            } }
        }
        h2 { (Text("rules-new")) }
        form.stack method="post" action=(PATH) {
            (token.field())
            (input.fields(form_error))
            div { button type="submit" { (Text("rules-create")) } }
        }
    };
    let title = format!("{} · {}", Text("item-rules").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &title, &content))
}

/// Renders a rule. The flags state whether it can move up and down.
fn row(rule: &ItemRule, (can_rise, can_fall): (bool, bool), token: &FormToken) -> Markup {
    let named = |text: Text| text.with("name", rule.name.as_str()).get();
    let path = format!("{PATH}/{}", rule.id);
    html! {
        li {
            h3 { a href=(path) aria-label=(named(Text("item-rules-edit-named"))) { bdi { (rule.name) } } }
            p.meta { code { bdi { (rule.query) } } }
            p.meta.dots {
                @if !rule.tags.is_empty() { span { (Text("item-rules-adds").with("tags", rule.tags.join(", "))) } }
                @if let Some(status) = rule.status { span { (Text("item-rules-moves").with("status", status_name(status).get())) } }
                @if rule.tags.is_empty() && rule.status.is_none() { span { (Text("item-rules-nothing")) } }
                span { (Text("item-rules-matches").with("count", with_thousands_separators(rule.matches))) }
                a href=(link("/library", &[("shelf", "all"), ("q", &rule.query)])) { (Text("item-rules-items")) }
            }
            @if !rule.withheld_tags.is_empty() {
                p.notice { (Text("item-rules-withheld").with("tags", rule.withheld_tags.join(", "))) }
            }
            @if can_rise || can_fall {
                form method="post" action=(path) {
                    (token.field())
                    @if can_rise { button.secondary type="submit" name="act" value="up" aria-label=(named(Text("item-rules-up-named"))) { (Text("item-rules-up")) } }
                    @if can_fall { button.secondary type="submit" name="act" value="down" aria-label=(named(Text("item-rules-down-named"))) { (Text("item-rules-down")) } }
                }
            }
        }
    }
}

/// Renders the form of a rule with its typed and its displayed values.
fn edit_page(
    request: &PageRequest,
    rule: &ItemRule,
    (status, input, displayed): (StatusCode, &ItemRuleInput, &ItemRuleInput),
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let path = format!("{PATH}/{}", rule.id);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " / " a href=(PATH) { (Text("item-rules")) } }
        h1 { bdi { (rule.name) } }
        (form_error.summary())
        form.stack method="post" action=(path) {
            (token.field())
            (displayed.displayed_fields())
            (input.fields(form_error))
            div.row { button type="submit" { (Text("feed-save")) } a.button.secondary href=(PATH) { (Text("feed-cancel")) } }
        }
        form method="post" action=(path) {
            (token.field())
            p { (Text("item-rules-stay")) }
            button.danger type="submit" name="act" value="delete" { (Text("rules-delete")) }
        }
    };
    let title = format!("{} · {}", Text("item-rules").get(), Text("nav-library").get());
    respond_with(request, status, Section::Library, &title, &content)
}
