//! Page of one feed: its health, title, collection, interval, and unfollowing.

use feeds::{
    ArticlePreview, CollectionSummary, FeedStatistics, Health, SourceFilter, SourceKind, SourceQuery,
    StatisticsFilter, Subscription, SubscriptionUpdate, TextPreview,
};
use http_kit::app::{ANSWER_TIMEOUT, App};
use kernel::bounds::FEED_TEXT_REMOVALS;
use kernel::{ChannelId, Class, CollectionId, Error, Millis, SubscriptionId};
use maud::{Markup, PreEscaped, html};
use notices::Channel;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;
use tokio::time::Instant;

use super::super::frame::{Section, link, notice, payer, redirect_done, respond, respond_with};
use super::entry_rows::{health_words, path};
use super::feed_pictures::FeedPictures;
use super::request_input::FeedRequestInput;
use super::statistics;
use crate::channel_choice::{channel_choices, channel_ids};
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::displayed::{displayed_field, displayed_value};
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 3] =
    [("edited", Text("feed-edited")), ("asked", Text("feed-asked")), ("undone", Text("feed-move-undone"))];

/// Values of the form for a feed's settings.
struct SubscriptionInput {
    title: String,
    collection: String,
    interval: String,
    articles: ArticleChoice,
    show_original: bool,
    /// Ids of the feed's own channels. Empty if it inherits the channels of its collection.
    notify: Vec<String>,
    /// True if no channel is notified, even if the collection has channels.
    is_silent: bool,
    text_selector: String,
    /// Selectors of removed parts, one on each line.
    text_removals: String,
    read_after: String,
    request: FeedRequestInput,
    displayed: DisplayedSettings,
}

/// Settings that the form displayed before they were edited. Only values that differ from them are written.
struct DisplayedSettings {
    title: String,
    collection: String,
    interval: String,
    articles: ArticleChoice,
    show_original: bool,
    /// Ids of the feed's own channels, separated by commas. `None` if it inherits the channels of its collection.
    own_channels: Option<String>,
    text_selector: String,
    /// Selectors of removed parts, one on each line.
    text_removals: String,
    read_after: String,
}

/// Source of the texts of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArticleChoice {
    /// The texts of the feed.
    Feed,
    /// The articles, extracted from their pages as served.
    Served,
    /// The articles, extracted from their pages after a browser rendered them.
    Rendered,
}

impl ArticleChoice {
    const ALL: [Self; 3] = [Self::Feed, Self::Served, Self::Rendered];

    fn of_feed(feed: &Subscription) -> Self {
        match (feed.full_text, feed.render_articles) {
            (false, _) => Self::Feed,
            (true, false) => Self::Served,
            (true, true) => Self::Rendered,
        }
    }

    fn parse(value: &str) -> Self {
        Self::ALL.into_iter().find(|choice| choice.value() == value).unwrap_or(Self::Feed)
    }

    fn value(self) -> &'static str {
        match self {
            Self::Feed => "",
            Self::Served => "on",
            Self::Rendered => "rendered",
        }
    }

    fn words(self) -> Text {
        match self {
            Self::Feed => Text("feed-articles-feed"),
            Self::Served => Text("feed-articles-served"),
            Self::Rendered => Text("feed-articles-rendered"),
        }
    }
}

/// Text of the newest entry, extracted with the typed selectors.
struct PartsPreview {
    text: TextPreview,
    /// Text before the parts are removed. `None` if no selector of removed parts was typed.
    before: Option<TextPreview>,
}

/// Value of the hidden field for the channels of a feed that inherits them.
const INHERITED: &str = "inherited";

impl DisplayedSettings {
    fn of_feed(feed: &Subscription) -> Self {
        Self {
            title: feed.title.clone(),
            collection: feed.collection_id.to_string(),
            interval: feed.interval_minutes.map(|minutes| minutes.to_string()).unwrap_or_default(),
            articles: ArticleChoice::of_feed(feed),
            show_original: feed.show_original,
            own_channels: feed.own_notify.then(|| joined(&feed.notify)),
            text_selector: feed.text_selector.clone().unwrap_or_default(),
            text_removals: feed.text_removals.join("\n"),
            read_after: feed.read_after_days.map(|days| days.to_string()).unwrap_or_default(),
        }
    }

    fn of_form(form: &Form, feed: &Subscription) -> Self {
        let current = Self::of_feed(feed);
        let articles = displayed_value(form, "fullText", current.articles.value());
        let show_original = displayed_value(form, "showOriginal", &current.show_original.to_string());
        let channels = displayed_value(form, "notify", current.channel_words());
        Self {
            title: displayed_value(form, "title", &current.title),
            collection: displayed_value(form, "collection", &current.collection),
            interval: displayed_value(form, "intervalMinutes", &current.interval),
            articles: ArticleChoice::parse(&articles),
            show_original: show_original == "true",
            own_channels: Some(channels).filter(|channels| channels != INHERITED),
            text_selector: displayed_value(form, "textSelector", &current.text_selector),
            text_removals: displayed_value(form, "textRemovals", &current.text_removals),
            read_after: displayed_value(form, "readAfterDays", &current.read_after),
        }
    }

    fn channel_words(&self) -> &str {
        self.own_channels.as_deref().unwrap_or(INHERITED)
    }

    /// Renders the hidden fields.
    fn fields(&self) -> Markup {
        html! {
            (displayed_field("title", &self.title))
            (displayed_field("collection", &self.collection))
            (displayed_field("intervalMinutes", &self.interval))
            (displayed_field("fullText", self.articles.value()))
            (displayed_field("showOriginal", &self.show_original.to_string()))
            (displayed_field("notify", self.channel_words()))
            (displayed_field("textSelector", &self.text_selector))
            (displayed_field("textRemovals", &self.text_removals))
            (displayed_field("readAfterDays", &self.read_after))
        }
    }
}

/// Joins the ids of channels in ascending order.
fn joined(channels: &[ChannelId]) -> String {
    let mut ids: Vec<String> = channels.iter().map(ToString::to_string).collect();
    ids.sort_unstable();
    ids.join(",")
}

/// Splits selectors of removed parts, one on each line.
fn selectors(lines: &str) -> Vec<String> {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

impl SubscriptionInput {
    /// Selectors of removed parts.
    fn removals(&self) -> Vec<String> {
        selectors(&self.text_removals)
    }

    /// Parses the feed's own channels. `None` if it inherits those of its collection.
    fn own_channels(&self) -> Result<Option<Vec<ChannelId>>, Error> {
        let channels = channel_ids(&self.notify)?;
        Ok(Some(channels).filter(|channels| self.is_silent || !channels.is_empty()))
    }
}

/// Options that the form offers, and the minimum interval of the account's plan.
struct SettingsChoices {
    collections: Vec<CollectionSummary>,
    channels: Vec<Channel>,
    /// Minimum interval in minutes.
    minimum_interval: u32,
}

/// Status, form values, errors, and preview of a settings page.
struct SettingsPage<'a> {
    status: StatusCode,
    input: &'a SubscriptionInput,
    form_error: FormError,
    preview: Option<PartsPreview>,
}

impl<'a> SettingsPage<'a> {
    fn of(input: &'a SubscriptionInput) -> Self {
        Self { status: StatusCode::OK, input, form_error: FormError::default(), preview: None }
    }
}

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User, Path(id): Path<i64>) -> PageResult {
    let feed = feeds::get_subscription(&request.app.domain, user.account.id, id.into()).await?;
    let displayed = DisplayedSettings::of_feed(&feed);
    let input = SubscriptionInput {
        title: displayed.title.clone(),
        collection: displayed.collection.clone(),
        interval: displayed.interval.clone(),
        articles: displayed.articles,
        show_original: displayed.show_original,
        notify: feed.notify.iter().filter(|_| feed.own_notify).map(ToString::to_string).collect(),
        is_silent: feed.own_notify && feed.notify.is_empty(),
        text_selector: displayed.text_selector.clone(),
        text_removals: displayed.text_removals.clone(),
        read_after: displayed.read_after.clone(),
        request: FeedRequestInput::of_feed(&feed),
        displayed,
    };
    page(&request, &user, &feed, SettingsPage::of(&input)).await
}

/// Saves this person's settings of the feed.
#[handler]
pub(in crate::desk) async fn save(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let feed = feeds::get_subscription(domain, account_id, id.into()).await?;
    let field = |name: &str| form.get(name).trim().to_owned();
    let input = SubscriptionInput {
        title: field("title"),
        collection: field("collection"),
        interval: field("intervalMinutes"),
        articles: ArticleChoice::parse(form.get("fullText")),
        show_original: form.get("showOriginal") == "on",
        notify: form.all("notify").map(str::to_owned).collect(),
        is_silent: form.get("notifyNone") == "on",
        text_selector: field("textSelector"),
        text_removals: field("textRemovals"),
        read_after: field("readAfterDays"),
        request: FeedRequestInput::of_form(&form, Some(&feed)),
        displayed: DisplayedSettings::of_form(&form, &feed),
    };
    let outcome = if form.get("act") == "preview" {
        preview_text(&request, &user, &feed, &input).await.map(Some)
    } else {
        change(&request, &user, &feed, &input).await.map(|()| None)
    };
    match outcome {
        Ok(None) => Ok(redirect_done(&format!("/subscriptions/{id}"), "edited")),
        Ok(preview) => {
            page(&request, &user, &feed, SettingsPage { preview, ..SettingsPage::of(&input) }).await
        }
        Err(error) => {
            let form_error = wrong(error)?;
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            page(&request, &user, &feed, SettingsPage { status, form_error, ..SettingsPage::of(&input) })
                .await
        }
    }
}

/// Maps an error to the field that caused it. Errors of the page are displayed at the selector field.
fn wrong(error: Error) -> Result<FormError, Error> {
    match error.class() {
        Class::Unreadable | Class::Upstream | Class::Unavailable => {
            Ok(FormError::at_field_of("textSelector", &error))
        }
        _ => FormError::of(error),
    }
}

/// Returns the text that the typed selectors select in the newest entry's page, and the text before parts are
/// removed.
async fn preview_text(
    request: &PageRequest,
    user: &User,
    feed: &Subscription,
    input: &SubscriptionInput,
) -> Result<PartsPreview, Error> {
    let app = &request.app;
    let typed = ArticlePreview {
        subscription_id: feed.id,
        selector: input.text_selector.clone(),
        removals: input.removals(),
        deadline: Instant::now() + ANSWER_TIMEOUT,
    };
    let text = newest_text(app, user, input.articles, &typed).await?;
    let before = if typed.removals.is_empty() {
        None
    } else {
        let whole = ArticlePreview { removals: Vec::new(), ..typed };
        Some(newest_text(app, user, input.articles, &whole).await?)
    };
    Ok(PartsPreview { text, before })
}

/// Returns the text of the newest entry's page. A browser renders the page if the form selects that.
async fn newest_text(
    app: &App,
    user: &User,
    articles: ArticleChoice,
    preview: &ArticlePreview,
) -> Result<TextPreview, Error> {
    if articles == ArticleChoice::Rendered {
        return feeds::preview_rendered_text(&app.engine, payer(user), preview).await;
    }
    let ArticlePreview { subscription_id, selector, removals, deadline } = preview;
    let requested =
        feeds::request_text_preview(&app.domain, payer(user), *subscription_id, selector, removals).await?;
    app.engine.await_result(requested, *deadline).await
}

async fn change(
    request: &PageRequest,
    user: &User,
    feed: &Subscription,
    input: &SubscriptionInput,
) -> Result<(), Error> {
    let displayed = &input.displayed;
    let interval = Some(&input.interval).filter(|interval| **interval != displayed.interval);
    let days = Some(&input.read_after).filter(|days| **days != displayed.read_after);
    let articles = Some(input.articles).filter(|articles| *articles != displayed.articles);
    let full_text = articles.map(|articles| articles != ArticleChoice::Feed);
    let rendered = articles.filter(|articles| *articles != ArticleChoice::Feed);
    let update = SubscriptionUpdate {
        title: (input.title != displayed.title)
            .then(|| Some(input.title.clone()).filter(|title| !title.is_empty())),
        collection_id: Some(&input.collection)
            .filter(|collection| **collection != displayed.collection)
            .and_then(|collection| collection.parse::<i64>().ok().map(CollectionId::new)),
        interval_minutes: interval.map(|interval| minutes_of(interval)).transpose()?,
        full_text: full_text.filter(|full_text| *full_text != feed.full_text),
        render_articles: rendered
            .map(|articles| articles == ArticleChoice::Rendered)
            .filter(|is_rendered| *is_rendered != feed.render_articles),
        rewrites: None,
        feed_url: None,
        text_selector: (input.text_selector != displayed.text_selector)
            .then(|| Some(input.text_selector.clone())),
        text_removals: Some(input.removals())
            .filter(|removals| *removals != selectors(&displayed.text_removals)),
        read_after_days: days.map(|days| days_of(days)).transpose()?,
        show_original: (input.show_original != displayed.show_original).then_some(input.show_original),
        notify: Some(input.own_channels()?)
            .filter(|own| own.as_deref().map(joined) != displayed.own_channels),
        request: input.request.update()?,
    };
    feeds::update_subscription(&request.app.domain, user.account.id, feed.id, update).await.map(drop)
}

/// Parses an interval in minutes. `None` if nothing was typed.
fn minutes_of(typed: &str) -> Result<Option<u32>, Error> {
    if typed.is_empty() {
        return Ok(None);
    }
    typed.parse().map(Some).map_err(|_| {
        let message = "Enter a number of minutes, or leave this empty.";
        Error::new(kernel::Code::InvalidRequest, message).at("interval_minutes", message)
    })
}

/// Parses the number of days after which unread entries count as read. `None` if nothing was typed.
pub(super) fn days_of(typed: &str) -> Result<Option<u32>, Error> {
    if typed.is_empty() {
        return Ok(None);
    }
    typed.parse().map(Some).map_err(|_| {
        let message = "Enter a number of days, or leave this empty.";
        Error::new(kernel::Code::InvalidRequest, message).at("read_after_days", message)
    })
}

async fn page(request: &PageRequest, user: &User, feed: &Subscription, view: SettingsPage<'_>) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let mut collections = feeds::collection_summaries(domain, account_id).await?;
    sort_by_name(&mut collections, |collection| &collection.name);
    let one = SourceQuery {
        sources: SourceFilter { include: vec![feed.feed_id], ..SourceFilter::default() },
        ..SourceQuery::default()
    };
    let sources = feeds::query_sources(domain, account_id, &one, None, 1).await?.items;
    let health = sources.first().map_or(Health::Never, |source| source.health);
    let filter = StatisticsFilter { subscription_id: Some(feed.id), ..StatisticsFilter::default() };
    let counted = feeds::list_statistics(domain, account_id, filter, None, 1).await?.statistics.pop();
    let pictures = FeedPictures::of(request, account_id, &[feed]).await?;
    let token = FormToken::of(request);
    let choices = SettingsChoices {
        collections,
        channels: notices::list(domain, account_id).await?,
        minimum_interval: domain.policy().tiers.of(user.account.tier).rss_minimum_interval_minutes,
    };
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } " › " a href="/subscriptions" { (Text("feeds-subscriptions")) } }
        h1 { (pictures.show(feed.feed_id)) bdi { (feed.title) } }
        (notice(request, &DONE))
        (facts(feed, health, counted.as_ref(), domain.now()))
        (buttons(feed, &token))
        h2 { (Text("feed-settings")) }
        (view.form_error.summary())
        (settings(feed, &view, &choices, &token))
        @if let Some(preview) = &view.preview { (preview_section(preview)) }
        h2 { (Text("feeds-rules")) }
        p { (Text("feed-rules-words").linked(&[format!("/subscriptions/{}/rules", feed.id).as_str()])) }
        @if feed.source_kind == SourceKind::Feed {
            p { (Text("feed-rewrites-words").linked(&[format!("/subscriptions/{}/rewrites", feed.id).as_str()])) }
        }
        h2 { (Text("feed-unfollow")) }
        p { a.button.secondary href={ "/subscriptions/" (feed.id) "/delete" } data-key="#" { (Text("entries-unfollow")) } }
    };
    let title = format!("{} · {}", feed.title, Text("nav-feeds").get());
    Ok(respond_with(request, view.status, Section::Feeds, &title, &content))
}

fn facts(feed: &Subscription, health: Health, counted: Option<&FeedStatistics>, now: Millis) -> Markup {
    html! {
        @if let Some(description) = &feed.description { p { bdi { (description) } } }
        dl.facts {
            dt { (Text("feed-state")) } dd { (health_words(health, feed, now)) }
            dt { (Text("monitor-feed")) } dd { a href=(feed.feed_url) rel="noopener nofollow external" { bdi { (feed.feed_url) } } }
            @if let Some(site) = &feed.site_url { dt { (Text("feed-site")) } dd { a href=(site) rel="noopener nofollow external" { bdi { (site) } } } }
            dt { (Text("feed-answered")) } dd { @match feed.last_fetched_at { Some(at) => { (time(at, now)) }, None => { (Text("feed-answered-never")) } } }
            dt { (Text("feed-followed")) } dd { (time(feed.created_at, now)) }
            dt { (Text("today-unread-heading")) } dd { a href=(link("/entries", &[("feed", &feed.feed_id.to_string())])) { (feed.unread_count) @if feed.unread_partial { "+" } } }
            @if let Some(counted) = counted { (statistics::facts(counted, now)) }
            @if let Some(moved) = &feed.moved_from { dt { (Text("feed-moved")) } dd { (Text("feed-moved-from").markup(&[("address", html! { bdi { (moved.feed_url) } }), ("time", time(moved.at, now))])) } }
        }
    }
}

fn buttons(feed: &Subscription, token: &FormToken) -> Markup {
    html! {
        div.row {
            form method="post" action={ "/subscriptions/" (feed.id) "/refresh" } { (token.field()) button.secondary type="submit" { (Text("entries-fetch-now")) } }
            @if feed.moved_from.is_some() {
                form method="post" action={ "/subscriptions/" (feed.id) "/undo-move" } { (token.field()) button.secondary type="submit" { (Text("feed-old-address")) } }
            }
        }
    }
}

fn settings(
    feed: &Subscription,
    view: &SettingsPage<'_>,
    choices: &SettingsChoices,
    token: &FormToken,
) -> Markup {
    let (input, form_error) = (view.input, &view.form_error);
    let field = |name: &str, (label, hint): (Text, &str), value: &str, kind: &str| {
        let label = label.get();
        let field =
            FormField { name, label: &label, hint, kind, value, autocomplete: "off", required: false };
        field.show(form_error)
    };
    let interval_hint = Text("feed-interval-hint").with("least", choices.minimum_interval).get();
    html! {
        form.stack method="post" action={ "/subscriptions/" (feed.id) } {
            (token.field())
            (input.displayed.fields())
            (field("title", (Text("save-title"), &Text("feed-title-hint").get()), &input.title, "text"))
            div {
                label for="collection" { (Text("follow-collection")) }
                select #collection name="collection" {
                    @for collection in &choices.collections {
                        option value=(collection.id) selected[collection.id.to_string() == input.collection] { (collection.name) }
                    }
                }
            }
            (field("intervalMinutes", (Text("feed-interval"), &interval_hint), &input.interval, "number"))
            div {
                label for="fullText" { (Text("feed-articles")) }
                p.rule #fullText-rule { (Text("feed-articles-hint")) }
                select #fullText name="fullText" aria-describedby="fullText-rule" {
                    @for choice in ArticleChoice::ALL {
                        option value=(choice.value()) selected[choice == input.articles] { (choice.words()) }
                    }
                }
                (form_error.on_group("fullText"))
            }
            label.choice {
                input type="checkbox" name="showOriginal" checked[input.show_original];
                span { (Text("feed-show-original")) }
            }
            (notify_field(feed, &choices.channels, input))
            (field("readAfterDays", (Text("feed-read-after"), &Text("feed-read-after-hint").get()), &input.read_after, "number"))
            (field("textSelector", (Text("feed-selector"), &Text("feed-selector-hint").get()), &input.text_selector, "text"))
            (removals_field(&input.text_removals, form_error))
            (input.request.fields(&feed.header_names, form_error))
            div.row {
                button type="submit" { (Text("feed-save")) }
                button.secondary type="submit" name="act" value="preview" { (Text("feed-preview-text")) }
            }
        }
    }
}

/// Renders the fields that select the channels for new entries, with the limits of their messages and the channels
/// that the feed inherits from its collection.
fn notify_field(feed: &Subscription, channels: &[Channel], input: &SubscriptionInput) -> Markup {
    let inherited = channels.iter().filter(|channel| !feed.own_notify && feed.notify.contains(&channel.id));
    let names: Vec<&str> = inherited.map(|channel| channel.name.as_str()).collect();
    let hint = Text("feed-notify-hint")
        .with("frequent", notices::MAX_FREQUENT_ENTRY_MESSAGES)
        .with("most", notices::MAX_ENTRY_MESSAGES_PER_DAY);
    html! {
        fieldset {
            legend { (Text("feed-notify")) }
            p.rule { (hint.get()) }
            (channel_choices(channels, &input.notify))
            @if !names.is_empty() { p.soft { (Text("feed-notify-collection").markup(&[("channels", html! { bdi { (names.join(", ")) } })])) } }
            @if !channels.is_empty() {
                label.choice { input type="checkbox" name="notifyNone" checked[input.is_silent]; span { (Text("feed-notify-none")) } }
            }
        }
    }
}

/// Renders the field for the selectors of removed parts.
fn removals_field(value: &str, form_error: &FormError) -> Markup {
    let wrong = form_error.at("textRemovals");
    let described =
        if wrong.is_some() { "textRemovals-rule textRemovals-error" } else { "textRemovals-rule" };
    html! {
        div {
            label for="textRemovals" { (Text("feed-removals")) }
            p.rule #textRemovals-rule { (Text("feed-removals-hint").with("most", FEED_TEXT_REMOVALS)) }
            textarea #textRemovals name="textRemovals" rows="3" spellcheck="false" dir="ltr" aria-describedby=(described) aria-invalid=[wrong.map(|_| "true")] { (value) }
            (form_error.on_group("textRemovals"))
        }
    }
}

/// Renders the text of the newest entry with the typed selectors. Nothing is saved.
fn preview_section(PartsPreview { text: preview, before }: &PartsPreview) -> Markup {
    let entry = || html! { a href=(path(preview.entry.id)) { bdi { (preview.entry.title) } } };
    html! {
        section.after aria-labelledby="preview" {
            h2 #preview tabindex="-1" { (Text("feed-preview")) }
            p { (Text("feed-preview-words").markup(&[("entry", entry())])) }
            article.text dir="auto" { (PreEscaped(extract::render::html(&preview.document.blocks))) }
            @if let Some(before) = before {
                details { summary { (Text("feed-preview-before")) }
                    article.text dir="auto" { (PreEscaped(extract::render::html(&before.document.blocks))) }
                }
            }
        }
    }
}

/// Requests an immediate fetch of the feed.
#[handler]
pub(in crate::desk) async fn refresh(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    feeds::refresh(&request.app.domain, user.account.id, id.into()).await?;
    Ok(redirect_done(&format!("/subscriptions/{id}"), "asked"))
}

/// Follows the feed at its previous address, from which it moved.
#[handler]
pub(in crate::desk) async fn undo_move(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let feed = feeds::get_subscription(domain, account_id, id.into()).await?;
    let feed_url = feed.moved_from.map(|moved| moved.feed_url);
    let update = SubscriptionUpdate { feed_url, ..SubscriptionUpdate::default() };
    feeds::update_subscription(domain, account_id, id.into(), update).await?;
    Ok(redirect_done(&format!("/subscriptions/{id}"), "undone"))
}

/// Asks for confirmation before a feed is unfollowed.
#[handler]
pub(in crate::desk) async fn show_delete(
    request: PageRequest,
    user: User,
    Path(id): Path<i64>,
) -> PageResult {
    let feed = feeds::get_subscription(&request.app.domain, user.account.id, SubscriptionId::new(id)).await?;
    let token = FormToken::of(&request);
    let content = html! {
        h1 { (Text("feed-unfollow-question").markup(&[("title", html! { bdi { (feed.title) } })])) }
        p.notice.bad { (Text("feed-unfollow-words")) }
        form method="post" action={ "/subscriptions/" (feed.id) "/delete" } {
            (token.field())
            div.row { button.danger type="submit" { (Text("feed-unfollow")) } a.button.secondary href={ "/subscriptions/" (feed.id) } { (Text("feed-cancel")) } }
        }
    };
    let title = format!("{} · {}", Text("feed-unfollow").get(), Text("nav-feeds").get());
    Ok(respond(&request, Section::Feeds, &title, &content))
}

#[handler]
pub(in crate::desk) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    feeds::unfollow(&request.app.domain, user.account.id, id.into()).await?;
    Ok(redirect_done("/subscriptions", "unfollowed"))
}
