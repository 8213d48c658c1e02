//! Page of the card of a highlight: words that the review hides, or a question with its answer. Words are chosen
//! with checkboxes, by writing them, or by selecting them if scripts run.

use std::collections::{HashMap, HashSet};

use kernel::{Error, HighlightId};
use library::{CardFace, CardGap, Highlight, HighlightCard, HighlightUpdate, NewCard, NewGap, QuotePart};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::frame::{Section, notice, redirect_done, respond_with};
use super::fields::words_field;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Maximum number of words that have a checkbox.
const LISTED_WORDS: usize = 300;

const DONE: [(&str, Text); 2] = [("card", Text("card-saved")), ("deleted", Text("card-deleted"))];

/// Values of the forms on the page.
#[derive(Default)]
struct CardInput {
    /// Start positions of the chosen words.
    words: HashSet<u32>,
    /// Start positions of the chosen gaps that are not listed words.
    parts: HashSet<u32>,
    /// Written words to hide, one gap per line.
    gaps: String,
    question: String,
    answer: String,
}

#[handler]
pub(in crate::desk) async fn show(
    request: PageRequest,
    user: User,
    Path(id): Path<HighlightId>,
) -> PageResult {
    let highlight = library::get_highlight(&request.app.domain, user.account.id, id).await?;
    let input = CardInput::of_card(&highlight);
    Ok(page(&request, &highlight, StatusCode::OK, &input, &FormError::default()))
}

/// Creates, replaces, or deletes the card.
#[handler]
pub(in crate::desk) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<HighlightId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let highlight = library::get_highlight(domain, account_id, id).await?;
    let card = match form.get("act") {
        "gaps" => Some(NewCard::Gaps(chosen_gaps(&form, &highlight))),
        "question" => {
            let (question, answer) = (form.get("question").to_owned(), form.get("answer").to_owned());
            Some(NewCard::Question { question, answer })
        }
        "delete" => None,
        _ => return Err(Error::invalid_field("act", "must be gaps, question, or delete").into()),
    };
    let done = if card.is_some() { "card" } else { "deleted" };
    let update = HighlightUpdate { card: Some(card), ..HighlightUpdate::default() };
    match library::update_highlight(domain, account_id, id, update).await {
        Ok(_) => Ok(redirect_done(&path(id), done)),
        Err(error) => {
            let form_error = FormError::of(error)?;
            let input = CardInput::of_form(&form);
            Ok(page(&request, &highlight, StatusCode::UNPROCESSABLE_ENTITY, &input, &form_error))
        }
    }
}

/// Returns the path of the page.
pub(super) fn path(id: HighlightId) -> String {
    format!("/library/highlights/{id}/card")
}

/// Renders the link to the page.
pub(super) fn link(highlight: &Highlight) -> Markup {
    html! { a href=(path(highlight.row.id)) {
        @if highlight.row.card.is_some() { (Text("card-change")) } @else { (Text("card-make")) }
    } }
}

impl CardInput {
    fn of_card(highlight: &Highlight) -> Self {
        let quote = &highlight.row.quote;
        let fits = |card: &HighlightCard| card.face(quote) != CardFace::Unfit;
        match HighlightCard::of(&highlight.row).filter(fits) {
            None => Self::default(),
            Some(HighlightCard::Question { question, answer }) => {
                Self { question, answer, ..Self::default() }
            }
            Some(HighlightCard::Gaps { gaps }) => {
                let words = listed_words(quote);
                let mut input = Self::default();
                for gap in &gaps {
                    let hidden = words.iter().filter(|word| is_within(word, gap));
                    if is_of_words(gap, &words) {
                        input.words.extend(hidden.map(|word| word.start));
                    } else {
                        input.parts.insert(gap.start);
                    }
                }
                input
            }
        }
    }

    fn of_form(form: &Form) -> Self {
        Self {
            words: form.all("word").filter_map(|start| start.parse().ok()).collect(),
            parts: form.all("part").filter_map(|start| start.parse().ok()).collect(),
            gaps: form.get("gaps").to_owned(),
            question: form.get("question").to_owned(),
            answer: form.get("answer").to_owned(),
        }
    }
}

/// Returns the words that have a checkbox.
fn listed_words(quote: &str) -> Vec<QuotePart<'_>> {
    library::quote_parts(quote).into_iter().filter(|part| part.is_word).take(LISTED_WORDS).collect()
}

fn end_of(start: u32, text: &str) -> u32 {
    start.saturating_add(u32::try_from(text.chars().count()).unwrap_or(u32::MAX))
}

fn is_within(word: &QuotePart<'_>, gap: &CardGap) -> bool {
    word.start >= gap.start && end_of(word.start, word.text) <= end_of(gap.start, &gap.text)
}

/// Returns true if the first and the last word of a gap are listed.
fn is_of_words(gap: &CardGap, words: &[QuotePart<'_>]) -> bool {
    words.iter().any(|word| word.start == gap.start)
        && words.iter().any(|word| end_of(word.start, word.text) == end_of(gap.start, &gap.text))
}

/// Returns the gaps that a submitted form chooses: ticked words, other ticked parts of the current card, and typed
/// phrases.
fn chosen_gaps(form: &Form, highlight: &Highlight) -> Vec<NewGap> {
    let quote = &highlight.row.quote;
    let words = listed_words(quote);
    let words: HashMap<u32, &str> = words.iter().map(|word| (word.start, word.text)).collect();
    let parts = other_parts(highlight);
    let parts: HashMap<u32, &str> = parts.iter().map(|gap| (gap.start, gap.text.as_str())).collect();
    // A start without its text is refused.
    let chosen = |known: &HashMap<u32, &str>, start: &str| {
        let start: u32 = start.parse().unwrap_or(u32::MAX);
        NewGap { text: known.get(&start).copied().unwrap_or_default().to_owned(), start: Some(start) }
    };
    let written = form.get("gaps").lines().map(str::trim).filter(|line| !line.is_empty());
    let written = written.map(|line| NewGap { text: line.to_owned(), start: None });
    let ticked = form.all("word").map(|start| chosen(&words, start));
    let retained = form.all("part").map(|start| chosen(&parts, start));
    ticked.chain(retained).chain(written).collect()
}

/// Returns the gaps of the current card that do not consist of listed words. Empty if the card does not fit the
/// quote.
fn other_parts(highlight: &Highlight) -> Vec<CardGap> {
    let quote = &highlight.row.quote;
    let Some(card) = HighlightCard::of(&highlight.row) else { return Vec::new() };
    if card.face(quote) == CardFace::Unfit {
        return Vec::new();
    }
    let HighlightCard::Gaps { mut gaps } = card else { return Vec::new() };
    let words = listed_words(quote);
    gaps.retain(|gap| !is_of_words(gap, &words));
    gaps
}

fn page(
    request: &PageRequest,
    highlight: &Highlight,
    status: StatusCode,
    input: &CardInput,
    form_error: &FormError,
) -> Response {
    let (id, quote) = (highlight.row.id, highlight.row.quote.as_str());
    let token = FormToken::of(request);
    let card = HighlightCard::of(&highlight.row);
    let is_unfit = card.as_ref().is_some_and(|card| card.face(quote) == CardFace::Unfit);
    let content = html! {
        p.soft { a href={ "/library/highlights/" (id) } { (Text("quote-back")) } " · " a href="/highlights/review" { (Text("review")) } }
        h1 { (Text("card")) }
        (notice(request, &DONE))
        (form_error.summary())
        @if is_unfit { p.notice.bad { (Text("card-unfit")) } }
        p { (Text("card-words")) }
        (gap_form(highlight, input, form_error, &token))
        (question_form(highlight, input, form_error, &token))
        @if card.is_some() {
            form method="post" action=(path(id)) {
                (token.field())
                button.secondary type="submit" name="act" value="delete" { (Text("card-delete")) }
            }
        }
    };
    let title = format!("{} · {}", Text("card").get(), Text("nav-library").get());
    respond_with(request, status, Section::Library, &title, &content)
}

fn gap_form(highlight: &Highlight, input: &CardInput, form_error: &FormError, token: &FormToken) -> Markup {
    let parts = library::quote_parts(&highlight.row.quote);
    let words = parts.iter().filter(|part| part.is_word);
    let is_cut = words.clone().count() > LISTED_WORDS;
    let last = words.take(LISTED_WORDS).last().map_or(0, |word| word.start);
    html! {
        h2 { (Text("card-gaps")) }
        form.stack method="post" action=(path(highlight.row.id)) {
            (token.field())
            fieldset {
                legend { (Text("card-gaps-rule")) }
                p.words.gaps dir="auto" {
                    @for part in &parts {
                        @if part.is_word && part.start <= last {
                            label { input type="checkbox" name="word" value=(part.start) checked[input.words.contains(&part.start)]; (part.text) }
                        } @else { (part.text) }
                    }
                }
                @if is_cut { p.small.soft { (Text("card-gaps-first").with("count", LISTED_WORDS)) } }
                @for gap in other_parts(highlight) {
                    label.choice { input type="checkbox" name="part" value=(gap.start) checked[input.parts.contains(&gap.start)]; span { bdi { (gap.text) } } }
                }
            }
            (words_field("gaps", &Text("card-gaps-written"), &input.gaps, 2, form_error))
            div { button type="submit" name="act" value="gaps" { (Text("card-gaps-save")) } }
        }
    }
}

fn question_form(
    highlight: &Highlight,
    input: &CardInput,
    form_error: &FormError,
    token: &FormToken,
) -> Markup {
    html! {
        h2 { (Text("card-question")) }
        form.stack method="post" action=(path(highlight.row.id)) {
            (token.field())
            (words_field("question", &Text("card-question-label"), &input.question, 2, form_error))
            (words_field("answer", &Text("card-answer"), &input.answer, 2, form_error))
            div { button type="submit" name="act" value="question" { (Text("card-question-save")) } }
        }
    }
}
