//! Daily review of highlights, general or themed: the next due highlight with its card, picture, note, source, and
//! answer buttons; the list of themed reviews; the number of highlights per day, and the frequency of each source;
//! and the channels to which due highlights are sent.

use application::highlight_review;
use kernel::error::not_found;
use kernel::{ChannelId, Error, HighlightId, ItemId, ThemedReviewId};
use library::{
    CardFace, GivenAnswer, HIDDEN_WORDS, Highlight, HighlightCard, NextReview, ReviewAnswer, ReviewFrequency,
    ReviewSources, ThemedReview,
};
use maud::{Markup, html};
use notices::{Channel, ChannelKind, ChannelStatus, ReviewDigest};
use poem::handler;
use poem::http::StatusCode;

use super::super::frame::{Section, host, notice, redirect_done, respond_with};
use super::fields::{PER_DAY, per_day_input};
use super::{highlight_card, highlight_picture, themed_reviews};
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

const PATH: &str = "/highlights/review";

const DONE: [(&str, Text); 5] = [
    ("removed", Text("review-removed")),
    ("frequency", Text("review-frequency-saved")),
    ("number", Text("review-per-day-saved")),
    ("sent", Text("review-send-started")),
    ("unsent", Text("review-send-stopped")),
];

/// Default time of the daily digest.
const USUAL_TIME: &str = "08:00";

/// Frequencies of a source and their names.
const FREQUENCIES: [(ReviewFrequency, Text); 4] = [
    (ReviewFrequency::More, Text("review-frequency-more")),
    (ReviewFrequency::Normal, Text("review-frequency-normal")),
    (ReviewFrequency::Less, Text("review-frequency-less")),
    (ReviewFrequency::Never, Text("review-frequency-never")),
];

/// Answers and the names of their buttons.
const ANSWERS: [(ReviewAnswer, Text); 3] = [
    (ReviewAnswer::Soon, Text("review-soon")),
    (ReviewAnswer::Later, Text("review-later")),
    (ReviewAnswer::Never, Text("review-never")),
];

/// Renders the next highlight to review today.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, StatusCode::OK, None, &FormError::default()).await
}

/// Renders the page. `typed` is the number of highlights per day that a person typed.
async fn page(
    request: &PageRequest,
    user: &User,
    status: StatusCode,
    typed: Option<&str>,
    form_error: &FormError,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let themes = highlight_review::themes(domain, account_id).await?;
    let theme = current_theme(request, &themes)?;
    let next = highlight_review::next(domain, account_id, theme.map(|theme| theme.id)).await?;
    let picture = if let Some(next) = &next {
        highlight_picture::of_highlight(request, account_id, &next.highlight).await?
    } else {
        html! {}
    };
    let per_day = library::reviews_per_day(domain, account_id).await?.to_string();
    let sources = library::review_sources(domain, account_id).await?;
    let channels = notices::list(domain, account_id).await?;
    let token = FormToken::of(request);
    let content = html! {
        p.soft {
            a href="/library" { (Text("nav-library")) }
            @if theme.is_some() { " / " a href=(PATH) { (Text("review")) } }
        }
        h1 { @match theme { Some(theme) => bdi { (theme.name) }, None => (Text("review")) } }
        (notice(request, &DONE))
        (form_error.summary())
        @if let Some(theme) = theme { p.meta.dots { (themed_reviews::theme_words(theme)) } }
        @match &next {
            Some(next) => { (reviewed(next, theme, &picture, &token)) },
            None => {
                p { (Text("review-none")) }
                p.soft { (Text("review-none-words")) }
            },
        }
        (themed(&themes, theme))
        @if theme.is_none() { (number_form(typed.unwrap_or(&per_day), form_error, &token)) }
        (chosen_sources(&sources, &token))
        (to_channels(&channels, &token))
    };
    let title = format!("{} · {}", Text("review").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &title, &content))
}

/// Returns the themed review that the page displays. `None` for the general review.
fn current_theme<'t>(
    request: &PageRequest,
    themes: &'t [(ThemedReview, u32)],
) -> Result<Option<&'t ThemedReview>, Error> {
    let id = request.parameter("theme");
    if id.is_empty() {
        return Ok(None);
    }
    let theme = themes.iter().map(|(theme, _)| theme).find(|theme| theme.id.to_string() == id);
    theme.map(Some).ok_or_else(|| not_found("review"))
}

/// Returns the path of the general review or of a themed one.
fn path_of(theme: Option<ThemedReviewId>) -> String {
    theme.map_or_else(|| PATH.to_owned(), |id| format!("{PATH}?theme={id}"))
}

/// Records the answer to a highlight, and continues with the next. An answer that is sent again changes nothing.
#[handler]
pub(in crate::desk) async fn record(request: PageRequest, user: User, form: Form) -> PageResult {
    let Ok(id) = form.get("id").parse::<HighlightId>() else { return Err(not_found("highlight").into()) };
    let Some(given) = ReviewAnswer::parse(form.get("answer")) else {
        return Err(Error::invalid_field("answer", "must be soon, later, or never").into());
    };
    let theme = match form.get("theme") {
        "" => None,
        id => Some(id.parse::<ThemedReviewId>().map_err(|_| not_found("review"))?),
    };
    let answer = GivenAnswer { highlight_id: id, answer: given, theme };
    let is_recorded = highlight_review::answer(&request.app.domain, user.account.id, answer).await?;
    let path = path_of(theme);
    if is_recorded && given == ReviewAnswer::Never {
        return Ok(redirect_done(&path, "removed"));
    }
    Ok(redirect(&path))
}

/// Sets how many highlights are reviewed per day.
#[handler]
pub(in crate::desk) async fn set_number(request: PageRequest, user: User, form: Form) -> PageResult {
    let typed = form.get(PER_DAY).trim();
    let number: u32 = typed.parse().unwrap_or_default();
    match library::set_reviews_per_day(&request.app.domain, user.account.id, number).await {
        Ok(()) => Ok(redirect_done(PATH, "number")),
        Err(error) => {
            let form_error = FormError::of(error)?;
            page(&request, &user, StatusCode::UNPROCESSABLE_ENTITY, Some(typed), &form_error).await
        }
    }
}

/// Sets how often the highlights of an item are reviewed.
#[handler]
pub(in crate::desk) async fn set_frequency(request: PageRequest, user: User, form: Form) -> PageResult {
    let Ok(id) = form.get("item").parse::<ItemId>() else { return Err(not_found("item").into()) };
    let Some(frequency) = ReviewFrequency::parse(form.get("frequency")) else {
        return Err(Error::invalid_field("frequency", "must be more, normal, less, or never").into());
    };
    library::set_review_frequency(&request.app.domain, user.account.id, id, frequency).await?;
    Ok(redirect_done(PATH, "frequency"))
}

/// Adds the due highlights to the daily digest of a channel, or removes them.
#[handler]
pub(in crate::desk) async fn set_channel(request: PageRequest, user: User, form: Form) -> PageResult {
    let Ok(id) = form.get("channel").parse::<ChannelId>() else { return Err(not_found("channel").into()) };
    let (choice, done) = match form.get("send") {
        "on" => (ReviewDigest::On { time: form.get("digest") }, "sent"),
        "off" => (ReviewDigest::Off, "unsent"),
        _ => return Err(Error::invalid_field("send", "must be on or off").into()),
    };
    notices::choose_review_digest(&request.app.domain, user.account.id, id, choice).await?;
    Ok(redirect_done(PATH, done))
}

/// Renders a highlight. If it has a card that fits, only the question side is displayed first, and the rest on
/// demand, including the picture, which may contain the answer.
fn reviewed(next: &NextReview, theme: Option<&ThemedReview>, picture: &Markup, token: &FormToken) -> Markup {
    let row = &next.highlight.row;
    let answers = answer_form(next, theme, token);
    let card = HighlightCard::of(row);
    let face = card.as_ref().map(|card| card.face(&row.quote));
    html! {
        p.soft { (Text("review-left").with("count", next.remaining)) }
        @match &face {
            None => { (picture) (whole(next)) (answers) },
            Some(CardFace::Unfit) => {
                p.notice.bad { (Text("card-unfit")) }
                (picture)
                (whole(next))
                (answers)
            },
            Some(CardFace::Gaps(pieces)) => {
                blockquote.quoted { p.words dir="auto" {
                    @for piece in pieces { @if piece.is_hidden { mark { (HIDDEN_WORDS) } } @else { (piece.text) } }
                } }
                (source(&next.highlight))
                (on_demand(next, &answers, &html! {
                    (picture)
                    blockquote.quoted { p.words dir="auto" {
                        @for piece in pieces { @if piece.is_hidden { mark { (piece.text) } } @else { (piece.text) } }
                    } }
                }))
            },
            Some(CardFace::Question { question, answer }) => {
                p.words.lead dir="auto" { (question) }
                (source(&next.highlight))
                (on_demand(next, &answers, &html! {
                    p.words dir="auto" { strong { (answer) } }
                    (picture)
                    blockquote.quoted { p.words dir="auto" { (row.quote) } }
                }))
            },
        }
        p.small.soft { (Text("review-rule").with("count", next.interval_days)) }
        p { (highlight_card::link(&next.highlight)) }
        @if let (Some(item_id), Some(frequency)) = (row.item_id, next.frequency) {
            p.soft { (Text("review-frequency")) }
            (frequency_form(item_id, frequency, token))
        }
    }
}

/// Renders the quote, the note, and the source of a highlight.
fn whole(next: &NextReview) -> Markup {
    let row = &next.highlight.row;
    html! {
        blockquote.quoted { p.words dir="auto" { (row.quote) } }
        @if let Some(note) = &row.note { p.words dir="auto" { (note) } }
        (source(&next.highlight))
    }
}

/// Renders the answer side of a card, which is displayed when the card is pressed. It works without scripts.
fn on_demand(next: &NextReview, answers: &Markup, answer: &Markup) -> Markup {
    html! {
        details {
            summary.button.secondary { (Text("card-show-answer")) }
            div {
                (answer)
                @if let Some(note) = &next.highlight.row.note { p.words dir="auto" { (note) } }
                (answers)
            }
        }
    }
}

fn answer_form(next: &NextReview, theme: Option<&ThemedReview>, token: &FormToken) -> Markup {
    html! {
        form.row method="post" action=(PATH) {
            (token.field())
            input type="hidden" name="id" value=(next.highlight.row.id);
            @if let Some(theme) = theme { input type="hidden" name="theme" value=(theme.id); }
            @for (answer, name) in ANSWERS {
                button.secondary type="submit" name="answer" value=(answer.as_str()) { (name) }
            }
        }
    }
}

fn frequency_form(item_id: ItemId, frequency: ReviewFrequency, token: &FormToken) -> Markup {
    html! {
        form.row method="post" action={ (PATH) "/frequency" } {
            (token.field())
            input type="hidden" name="item" value=(item_id);
            select name="frequency" aria-label=(Text("review-frequency")) {
                @for (value, name) in FREQUENCIES { option value=(value) selected[value == frequency] { (name) } }
            }
            button.secondary type="submit" { (Text("form-save")) }
        }
    }
}

/// Renders the themed reviews other than `present`, with the number of highlights that each has today.
fn themed(themes: &[(ThemedReview, u32)], present: Option<&ThemedReview>) -> Markup {
    let is_other = |(theme, _): &&(ThemedReview, u32)| present.is_none_or(|present| present.id != theme.id);
    let others: Vec<&(ThemedReview, u32)> = themes.iter().filter(is_other).collect();
    html! {
        h2 { (Text("review-themes")) }
        @if !others.is_empty() { ul.rows { @for (theme, due) in others {
            li {
                h3 { a href=(path_of(Some(theme.id))) { bdi { (theme.name) } } }
                p.meta.dots { span { (Text("review-left").with("count", *due)) } (themed_reviews::theme_words(theme)) }
            }
        } } }
        p { a href=(themed_reviews::PATH) { (Text("review-themes-edit")) } }
    }
}

/// Renders the form for the number of highlights that are reviewed per day.
fn number_form(value: &str, form_error: &FormError, token: &FormToken) -> Markup {
    html! {
        form.seek method="post" action={ (PATH) "/number" } {
            (token.field())
            (per_day_input(value, form_error))
            button.secondary type="submit" { (Text("form-save")) }
            (form_error.on_group(PER_DAY))
        }
    }
}

/// Renders the items with a chosen frequency, with a form to change it.
fn chosen_sources(sources: &ReviewSources, token: &FormToken) -> Markup {
    html! { @if !sources.listed.is_empty() {
        details {
            summary { (Text("review-sources")) }
            ul { @for source in &sources.listed {
                li {
                    a href={ "/library/" (source.item_id) } { bdi { (source.title) } }
                    (frequency_form(source.item_id, source.frequency, token))
                }
            } }
            @if sources.has_more { p.soft { (Text("review-sources-more").with("count", sources.listed.len())) } }
        }
    } }
}

/// Renders, for each active channel, the form that starts or stops sending due highlights.
fn to_channels(channels: &[Channel], token: &FormToken) -> Markup {
    let is_usable = |channel: &&Channel| channel.status == ChannelStatus::Active;
    let usable: Vec<&Channel> = channels.iter().filter(is_usable).collect();
    html! {
        h2 { (Text("review-send")) }
        p.soft { (Text("review-send-words")) }
        @for channel in &usable { (channel_form(channel, token)) }
        @if usable.is_empty() { p { (Text("review-send-none").linked(&["/settings/channels"])) } }
    }
}

fn channel_form(channel: &Channel, token: &FormToken) -> Markup {
    let is_mail = channel.kind == ChannelKind::Mail;
    let address = if is_mail { channel.masked_address.as_str() } else { channel.name.as_str() };
    html! {
        form.stack method="post" action={ (PATH) "/channel" } {
            (token.field())
            input type="hidden" name="channel" value=(channel.id);
            @match channel.digest {
                Some(at) if channel.digest_review => {
                    p { (Text("review-send-to").with("time", at.to_string()).with("address", address)) }
                    div { button.secondary type="submit" name="send" value="off" { (Text("review-send-stop")) } }
                },
                Some(_) => { (send_button(address)) },
                None => {
                    div { label { (Text("channel-digest-at")) " " input type="time" name="digest" value=(USUAL_TIME) required; } }
                    p.small.soft { (Text("review-send-at-hint")) }
                    (send_button(address))
                },
            }
        }
    }
}

fn send_button(address: &str) -> Markup {
    html! { div { button.secondary type="submit" name="send" value="on" { (Text("review-send-start").with("address", address)) } } }
}

/// Renders the title, author, and host of the item, with a link to the highlight in its text.
fn source(highlight: &Highlight) -> Markup {
    let title = highlight.item_title.as_deref().filter(|title| !title.trim().is_empty());
    let site = highlight.source_url.as_deref().and_then(host);
    html! {
        p.meta.dots {
            @if let Some(title) = title { span {
                @match highlight.row.item_id {
                    Some(item) => { a href={ "/library/" (item) "#mark-" (highlight.row.id) } { bdi { (title) } } },
                    None => { bdi { (title) } },
                }
            } }
            @if let Some(author) = &highlight.item_author { span { bdi { (author) } } }
            @if let Some(site) = &site { span { bdi { (site) } } }
        }
    }
}
