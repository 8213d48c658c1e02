//! Themed reviews of highlights: the list with a form for a new review, and the page that changes or deletes a
//! review.

use kernel::bounds::{SEARCH_NAME_CHARS, TAG_CHARS};
use kernel::{Error, ItemId, ThemedReviewId};
use library::{HighlightedItems, NewThemedReview, ReviewTheme, SavedSearch, SearchTarget, ThemedReview};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, notice, redirect_done, respond_with};
use super::fields::{PER_DAY, per_day_input, require_length};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

pub(super) const PATH: &str = "/highlights/review/themes";

const DONE: [(&str, Text); 3] = [
    ("created", Text("review-theme-created")),
    ("changed", Text("review-theme-changed")),
    ("deleted", Text("review-theme-deleted")),
];

/// Default number of highlights per day of a new review.
const USUAL_NUMBER: &str = "5";

/// Values of the form of a review.
struct ReviewInput {
    name: String,
    per_day: String,
    /// Kind of the theme: `tag`, `item`, or `search`.
    kind: String,
    tag: String,
    /// Id of the item.
    item: String,
    /// Name of the saved search.
    search: String,
}

/// Values that the form offers.
struct Choices {
    items: HighlightedItems,
    searches: Vec<SavedSearch>,
}

impl Choices {
    async fn load(request: &PageRequest, user: &User) -> Result<Self, Error> {
        let (domain, account_id) = (&request.app.domain, user.account.id);
        let items = library::highlighted_items(domain, account_id).await?;
        let mut searches = library::list_saved_searches(domain, account_id).await?;
        searches.retain(|search| search.target == SearchTarget::Library);
        Ok(Self { items, searches })
    }
}

impl ReviewInput {
    fn empty() -> Self {
        Self {
            name: String::new(),
            per_day: USUAL_NUMBER.to_owned(),
            kind: "tag".to_owned(),
            tag: String::new(),
            item: String::new(),
            search: String::new(),
        }
    }

    fn of(form: &Form) -> Self {
        let field = |name: &str| form.get(name).trim().to_owned();
        Self {
            name: field("name"),
            per_day: field(PER_DAY),
            kind: field("kind"),
            tag: field("tag"),
            item: field("item"),
            search: field("search"),
        }
    }

    fn of_review(review: &ThemedReview) -> Self {
        let mut input = Self {
            name: review.name.clone(),
            per_day: review.per_day.to_string(),
            kind: "search".to_owned(),
            ..Self::empty()
        };
        match &review.theme {
            Some(ReviewTheme::Tag(tag)) => (input.kind, input.tag) = ("tag".to_owned(), tag.clone()),
            Some(ReviewTheme::Item(id)) => (input.kind, input.item) = ("item".to_owned(), id.to_string()),
            Some(ReviewTheme::Search(name)) => input.search.clone_from(name),
            None => {}
        }
        input
    }

    fn review(&self) -> Result<NewThemedReview, Error> {
        require_length("name", &self.name, SEARCH_NAME_CHARS)?;
        let theme = match self.kind.as_str() {
            "item" => ReviewTheme::Item(
                self.item.parse::<ItemId>().map_err(|_| Error::invalid_field("item", "must not be blank"))?,
            ),
            "search" if self.search.is_empty() => {
                return Err(Error::invalid_field("search", "must not be blank"));
            }
            "search" => ReviewTheme::Search(self.search.clone()),
            _ => {
                require_length("tag", &self.tag, TAG_CHARS)?;
                ReviewTheme::Tag(self.tag.clone())
            }
        };
        let per_day = self.per_day.parse().unwrap_or_default();
        Ok(NewThemedReview { name: self.name.clone(), per_day, theme })
    }

    /// Renders the fields of the form.
    fn fields(&self, choices: &Choices, form_error: &FormError) -> Markup {
        let name = Text("review-theme-name").get();
        let name = FormField {
            name: "name",
            label: &name,
            hint: "",
            kind: "text",
            value: &self.name,
            autocomplete: "off",
            required: true,
        };
        html! {
            (name.show(form_error))
            div { (per_day_input(&self.per_day, form_error)) (form_error.on_group(PER_DAY)) }
            fieldset {
                legend { (Text("review-theme-choose")) }
                (self.kind_choice("tag", Text("review-theme-tag")))
                (self.tag_field(form_error))
                @if !choices.items.listed.is_empty() || !self.item.is_empty() {
                    (self.kind_choice("item", Text("review-theme-item")))
                    (self.item_field(&choices.items, form_error))
                }
                @if !choices.searches.is_empty() {
                    (self.kind_choice("search", Text("review-theme-search")))
                    (self.search_field(&choices.searches, form_error))
                }
            }
        }
    }

    fn kind_choice(&self, kind: &str, label: Text) -> Markup {
        html! {
            label.choice {
                input type="radio" name="kind" value=(kind) checked[self.kind == kind];
                span { (label) }
            }
        }
    }

    fn tag_field(&self, form_error: &FormError) -> Markup {
        let wrong = form_error.at("tag");
        html! {
            input #tag type="text" name="tag" value=(self.tag) maxlength=(TAG_CHARS) autocomplete="off"
                aria-label=(Text("review-theme-tag")) aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "tag-error")];
            (form_error.on_group("tag"))
        }
    }

    /// Renders the field that selects an item with highlights. The current item stays selected if it is not listed,
    /// because it was deleted or is older.
    fn item_field(&self, items: &HighlightedItems, form_error: &FormError) -> Markup {
        let is_listed = items.listed.iter().any(|(id, _)| id.to_string() == self.item);
        html! {
            select #item name="item" aria-label=(Text("review-theme-item")) {
                @if !is_listed && !self.item.is_empty() { option value=(self.item) selected { (Text("review-theme-same")) } }
                @for (id, title) in &items.listed {
                    option value=(id) selected[id.to_string() == self.item] { (title) }
                }
            }
            @if items.has_more { p.soft.small { (Text("review-sources-more").with("count", items.listed.len())) } }
            (form_error.on_group("item"))
        }
    }

    fn search_field(&self, searches: &[SavedSearch], form_error: &FormError) -> Markup {
        html! {
            select #search name="search" aria-label=(Text("review-theme-search")) {
                @for search in searches { option value=(search.name) selected[search.name == self.search] { (search.name) } }
            }
            (form_error.on_group("search"))
        }
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, (StatusCode::OK, &ReviewInput::empty()), &FormError::default()).await
}

#[handler]
pub(in crate::desk) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let input = ReviewInput::of(&form);
    let created = match input.review() {
        Ok(new) => library::create_themed_review(&request.app.domain, user.account.id, new).await,
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
    Path(id): Path<ThemedReviewId>,
) -> PageResult {
    let review = library::get_themed_review(&request.app.domain, user.account.id, id).await?;
    let choices = Choices::load(&request, &user).await?;
    let input = ReviewInput::of_review(&review);
    Ok(edit_page(&request, (&review, &choices), (StatusCode::OK, &input), &FormError::default()))
}

/// Changes or deletes a themed review.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ThemedReviewId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    if form.get("act") == "delete" {
        library::delete_themed_review(domain, account_id, id).await?;
        return Ok(redirect_done(PATH, "deleted"));
    }
    let review = library::get_themed_review(domain, account_id, id).await?;
    let input = ReviewInput::of(&form);
    let changed = match input.review() {
        Ok(new) => library::replace_themed_review(domain, account_id, id, new).await.map(drop),
        Err(error) => Err(error),
    };
    match changed {
        Ok(()) => Ok(redirect_done(PATH, "changed")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            let choices = Choices::load(&request, &user).await?;
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(edit_page(&request, (&review, &choices), (status, &input), &form_error))
        }
    }
}

async fn page(
    request: &PageRequest,
    user: &User,
    (status, input): (StatusCode, &ReviewInput),
    form_error: &FormError,
) -> PageResult {
    let reviews = library::list_themed_reviews(&request.app.domain, user.account.id).await?;
    let choices = Choices::load(request, user).await?;
    let token = FormToken::of(request);
    let content = html! {
        (path_to(&[]))
        h1 { (Text("review-themes")) }
        (notice(request, &DONE))
        p { (Text("review-themes-words")) }
        (form_error.summary())
        @if !reviews.is_empty() {
            ul.rows { @for review in &reviews {
                li {
                    h3 { a href={ (PATH) "/" (review.id) } { bdi { (review.name) } } }
                    p.meta.dots { (theme_words(review)) span { (Text("review-per-day")) ": " (review.per_day) } }
                }
            } }
        }
        h2 { (Text("review-theme-new")) }
        form.stack method="post" action=(PATH) {
            (token.field())
            (input.fields(&choices, form_error))
            div { button type="submit" { (Text("review-theme-add")) } }
        }
    };
    Ok(respond_with(request, status, Section::Library, &title(), &content))
}

fn edit_page(
    request: &PageRequest,
    (review, choices): (&ThemedReview, &Choices),
    (status, input): (StatusCode, &ReviewInput),
    form_error: &FormError,
) -> Response {
    let token = FormToken::of(request);
    let path = format!("{PATH}/{}", review.id);
    let content = html! {
        (path_to(&[(PATH, Text("review-themes"))]))
        h1 { bdi { (review.name) } }
        (form_error.summary())
        @if review.theme.is_none() { p.notice { (Text("review-theme-no-search")) } }
        form.stack method="post" action=(path) {
            (token.field())
            (input.fields(choices, form_error))
            div.row { button type="submit" { (Text("feed-save")) } a.button.secondary href=(PATH) { (Text("feed-cancel")) } }
        }
        form method="post" action=(path) {
            (token.field())
            p { (Text("review-theme-stay")) }
            button.danger type="submit" name="act" value="delete" { (Text("review-theme-delete")) }
        }
    };
    respond_with(request, status, Section::Library, &title(), &content)
}

fn title() -> String {
    format!("{} · {}", Text("review-themes").get(), Text("nav-library").get())
}

/// Renders links to the parent pages.
fn path_to(more: &[(&str, Text)]) -> Markup {
    html! {
        p.soft {
            a href="/library" { (Text("nav-library")) } " / " a href="/highlights/review" { (Text("review")) }
            @for (path, name) in more { " / " a href=(path) { (name) } }
        }
    }
}

/// Renders the theme of a review.
pub(super) fn theme_words(review: &ThemedReview) -> Markup {
    html! {
        @match &review.theme {
            Some(ReviewTheme::Tag(tag)) => span { (Text("review-theme-tag")) ": " bdi { (tag) } },
            Some(ReviewTheme::Item(id)) => span {
                (Text("review-theme-item")) ": "
                @match &review.item_title {
                    Some(title) => a href={ "/library/" (id) } { bdi { (title) } },
                    None => (Text("review-theme-no-item")),
                }
            },
            Some(ReviewTheme::Search(name)) => span { (Text("review-theme-search")) ": " bdi { (name) } },
            None => span { (Text("review-theme-no-search")) },
        }
    }
}
