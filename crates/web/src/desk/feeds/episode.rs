//! Recording of an entry: players with the saved position, chapters, persons, and transcripts.
//!
//! The browser plays a recording from the publisher's host, because recordings are too large to be proxied.
//! Nothing is loaded before the person presses play. Chapters and transcripts are small files that the
//! service fetches when the person requests them. Everything except the speed works without scripts.

use std::sync::Arc;
use std::time::Duration;

use extract::feed::{Enclosure, Episode, EpisodeKind, EpisodePerson, TranscriptFile, duration};
use extract::{BlockKind, Document, Warning};
use feeds::{Entry, EpisodePart, Playback};
use kernel::{AccountId, Code, EntryId, Error};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{IntoResponse, handler};
use tokio::time::Instant;

use super::super::frame::{self, payer, redirect_done};
use super::entry_rows::path;
use super::entry_scope::EntryListScope;
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};
use crate::text_format::{clock, direction};
use http_kit::app::ANSWER_TIMEOUT;

/// Speeds that the form offers, in percent.
const SPEEDS: [u32; 9] = [75, 100, 110, 125, 150, 175, 200, 250, 300];
/// Maximum number of transcript blocks on the page. The file contains the others.
const MAX_BLOCKS: usize = 5_000;
/// Maximum number of chapters on the page. The publisher's file of chapters may be longer.
const MAX_CHAPTERS: usize = 1_000;
/// Query parameter with the index of the open transcript.
const TRANSCRIPT: &str = "transcript";

/// Messages about the actions of this module.
pub(super) const DONE: [(&str, Text); 3] = [
    ("position", Text("recording-position-saved")),
    ("fetching", Text("recording-fetching")),
    ("no-text", Text("recording-no-text")),
];

/// Recording of an entry, with the chapters and the transcript if they are cached.
pub(super) struct Recording<'a> {
    entry: &'a Entry,
    /// `None` if the entry has neither audio nor video.
    playback: Option<Playback>,
    chapters: Option<Arc<Document>>,
    transcript: Option<Arc<Document>>,
    /// Index of the selected transcript.
    selected: usize,
    /// True if the person requested the transcript.
    is_open: bool,
    /// Address of the page without a position, and the separator for the next query parameter.
    address: (String, char),
}

impl<'a> Recording<'a> {
    /// Loads the recording and its cached parts. The query parameter `t` overrides the saved position.
    pub(super) async fn load(
        request: &PageRequest,
        account_id: AccountId,
        entry: &'a Entry,
    ) -> Result<Self, Error> {
        let domain = &request.app.domain;
        let mut playback = None;
        if entry.enclosures.iter().any(Enclosure::is_played) {
            let remembered = feeds::playback(domain, account_id, entry.id).await?;
            let position_seconds = duration(&request.parameter("t")).unwrap_or(remembered.position_seconds);
            playback = Some(Playback { position_seconds, ..remembered });
        }
        let sent = request.parameter(TRANSCRIPT);
        let selected = sent.parse().unwrap_or(0);
        let (mut chapters, mut transcript) = (None, None);
        if let Some(episode) = &entry.episode {
            chapters = feeds::episode_text(domain, episode, EpisodePart::Chapters).await?;
            transcript = feeds::episode_text(domain, episode, EpisodePart::Transcript(selected)).await?;
        }
        let scope = EntryListScope::of(request);
        let address = with_separator(scope.at(&path(entry.id), scope.tab_value()));
        let is_open = !sent.is_empty();
        Ok(Self { entry, playback, chapters, transcript, selected, is_open, address })
    }

    /// Renders the players, links to other files except pictures, the saved position, and the chapters.
    pub(super) fn players(&self, request: &PageRequest, token: &FormToken) -> Markup {
        let first = self.entry.enclosures.iter().position(Enclosure::is_played);
        let files = self.entry.enclosures.iter().enumerate().filter(|(_, enclosure)| !enclosure.is_image());
        html! {
            @if let Some(episode) = &self.entry.episode { (facts(episode)) }
            @for (index, enclosure) in files { (self.player(enclosure, first == Some(index))) }
            @if let Some(playback) = self.playback { (self.playback_form(request, token, playback)) }
            @if let Some(episode) = &self.entry.episode { (self.chapters(request, token, episode)) }
        }
    }

    /// Renders the player of a file. The first player starts at the saved position.
    fn player(&self, enclosure: &Enclosure, is_first: bool) -> Markup {
        let position = self.playback.filter(|_| is_first).map_or(0, |playback| playback.position_seconds);
        let start = (position > 0 && !enclosure.url.contains('#')).then(|| format!("#t={position}"));
        let source = format!("{}{}", enclosure.url, start.unwrap_or_default());
        let id = is_first.then_some("player");
        let title = &self.entry.title;
        let link = html! { a href=(enclosure.url) rel="noopener nofollow external" download { (Text("recording-download-link")) } };
        let host = html! { bdi { (frame::host(&enclosure.url).unwrap_or_default()) } };
        html! {
            figure.file {
                @if enclosure.is_video() { video controls preload="none" src=(source) aria-label=(title) id=[id] {} }
                @else if enclosure.is_played() { audio controls preload="none" src=(source) aria-label=(title) id=[id] {} }
                figcaption.small {
                    (Text("recording-download").markup(&[("link", link), ("host", host)]))
                    @if let Some(size) = enclosure.size_bytes { " (" (megabytes(size)) ")" }
                }
            }
        }
    }

    /// Renders the form with the position and the speed. Scripts submit it while the recording plays.
    fn playback_form(&self, request: &PageRequest, token: &FormToken, playback: Playback) -> Markup {
        let speed = playback.speed_percent;
        let other = Some(speed).filter(|speed| !SPEEDS.contains(speed));
        html! {
            form.tools.noprint id="playback" method="post" action={ (path(self.entry.id)) "/playback" } {
                (token.field()) (frame::back_field(request))
                label for="position" { (Text("recording-position")) }
                input.when id="position" type="text" name="position" value=(clock(playback.position_seconds.into())) size="8" autocomplete="off";
                span hidden { label for="speed" { (Text("recording-speed")) } " " select id="speed" name="speed" {
                    @for option in other.into_iter().chain(SPEEDS) {
                        option value=(option) selected[option == speed] { (option / 100) "." (format!("{:02}", option % 100)) " ×" }
                    }
                } }
                button.secondary type="submit" { (Text("recording-save-position")) }
            }
        }
    }

    fn chapters(&self, request: &PageRequest, token: &FormToken, episode: &Episode) -> Markup {
        let Some(document) = &self.chapters else {
            let is_known = episode.chapters_url.is_some();
            return html! { @if is_known { (self.part_form(request, token, "chapters", &Text("recording-show-chapters").get())) } };
        };
        html! {
            details.outline.noprint open {
                summary { (Text("recording-chapters")) }
                ol { @for block in document.blocks.iter().take(MAX_CHAPTERS) {
                    li {
                        @if let Some(start) = block.start_seconds { (self.jump(start)) " " }
                        @if let Some(link) = block.links.first() { a href=(link.url) rel="noopener nofollow external" { bdi { (block.text) } } }
                        @else { bdi { (block.text) } }
                    }
                } }
                @if is_cut(document, MAX_CHAPTERS) { (file_with_rest(Text("recording-list-shortened"), episode.chapters_url.as_deref().unwrap_or_default())) }
            }
        }
    }

    /// Renders the transcript, or buttons that request one.
    pub(super) fn transcripts(&self, request: &PageRequest, token: &FormToken) -> Markup {
        let Some(episode) = &self.entry.episode else { return html! {} };
        let files = episode.readable_transcripts();
        let others = files
            .iter()
            .enumerate()
            .filter(|(index, _)| self.transcript.is_none() || *index != self.selected);
        html! {
            @if let (Some(document), Some(file)) = (&self.transcript, files.get(self.selected)) {
                (self.transcript(document, file))
            }
            @for (index, file) in others {
                @let language = file.language.as_deref().filter(|_| files.len() > 1);
                @let label = language.map_or_else(|| Text("recording-show-transcript").get(), |language| Text("recording-show-transcript-in").with("language", language).get());
                (self.part_form(request, token, &index.to_string(), &label))
            }
        }
    }

    fn transcript(&self, document: &Document, file: &TranscriptFile) -> Markup {
        let language = document.language.as_deref().or(file.language.as_deref()).unwrap_or("en");
        html! {
            details.outline id="transcript" open[self.is_open] {
                summary { (Text("recording-transcript")) }
                div lang=(language) dir=(direction(language)) {
                    @for block in document.blocks.iter().take(MAX_BLOCKS) {
                        @if block.kind == BlockKind::Heading { h3 { (block.text) } }
                        @else { p { @if let Some(start) = block.start_seconds { (self.jump(start)) " " } (block.text) } }
                    }
                }
                @if is_cut(document, MAX_BLOCKS) { (file_with_rest(Text("recording-transcript-shortened"), &file.url)) }
            }
        }
    }

    /// Renders a link that starts the recording at a time.
    fn jump(&self, start_seconds: f64) -> Markup {
        let seconds = Duration::try_from_secs_f64(start_seconds).map_or(0, |start| start.as_secs());
        let (address, separator) = &self.address;
        html! {
            @if self.playback.is_some() { a href={ (address) (separator) "t=" (seconds) "#player" } data-seconds=(seconds) { (clock(seconds)) } }
            @else { (clock(seconds)) }
        }
    }

    /// Renders a button that requests a part of the episode.
    fn part_form(&self, request: &PageRequest, token: &FormToken, part: &str, label: &str) -> Markup {
        html! {
            form.tools.noprint method="post" action={ (path(self.entry.id)) "/part" } {
                (token.field()) (frame::back_field(request))
                button.secondary type="submit" name="part" value=(part) { (label) }
            }
        }
    }
}

/// Saves the position and the speed of a recording. Scripts submit them while the recording plays.
#[handler]
pub(in crate::desk) async fn remember(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let id = EntryId::new(id);
    let position_seconds = duration(form.get("position"))
        .ok_or_else(|| Error::invalid_field("position", "must be a time such as 12:34"))?;
    let speed_percent = form
        .get("speed")
        .parse()
        .map_err(|_| Error::invalid_field("speed", "must be a number of percent"))?;
    let playback = Playback { position_seconds, speed_percent };
    feeds::save_playback(&request.app.domain, user.account.id, id, playback).await?;
    if form.get("by") == "script" {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(redirect_done(&address_of(&form, id), "position"))
}

/// Requests chapters or a transcript, and waits briefly for the result.
#[handler]
pub(in crate::desk) async fn request_part(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let id = EntryId::new(id);
    let (address, separator) = with_separator(address_of(&form, id));
    let (part, target) = match form.get("part") {
        "chapters" => (EpisodePart::Chapters, address),
        index => {
            let index: usize =
                index.parse().map_err(|_| Error::invalid_field("part", "is not a part of the entry"))?;
            (EpisodePart::Transcript(index), format!("{address}{separator}{TRANSCRIPT}={index}"))
        }
    };
    let app = &request.app;
    let progress = feeds::request_episode_text(&app.domain, payer(&user), id, part).await?;
    match app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await {
        Ok(obtained) if obtained.answer.article.document.blocks.is_empty() => {
            Ok(redirect_done(&target, "no-text"))
        }
        Ok(_) => Ok(redirect_done(&target, "")),
        Err(error) if error.code == Code::ReadTimeout => Ok(redirect_done(&target, "fetching")),
        Err(error) => Err(error.into()),
    }
}

/// Returns true if the page or the extraction omitted a part of the file.
fn is_cut(document: &Document, max_blocks: usize) -> bool {
    document.blocks.len() > max_blocks || document.warnings.contains(&Warning::TruncatedSource)
}

/// Renders a statement that a part of a file is omitted, with a link to the file.
fn file_with_rest(statement: Text, url: &str) -> Markup {
    let link = html! { a href=(url) rel="noopener nofollow external" { (Text("recording-open-file")) } };
    html! { p.soft { (statement.markup(&[("link", link)])) } }
}

/// Returns the address of the entry, with the scope of the page that submitted the form.
fn address_of(form: &Form, id: EntryId) -> String {
    let scope = EntryListScope::of_address(&frame::back(form, ""));
    scope.at(&path(id), scope.tab_value())
}

/// Returns the address, and the separator (`?` or `&`) for the next query parameter.
fn with_separator(address: String) -> (String, char) {
    let separator = if address.contains('?') { '&' } else { '?' };
    (address, separator)
}

/// Renders the duration, the numbers, and the persons of an episode.
fn facts(episode: &Episode) -> Markup {
    let season = match (&episode.season_name, episode.season) {
        (Some(name), _) => Some(name.clone()),
        (None, season) => {
            season.map(|season| Text("episode-season").with("number", season.to_string()).get())
        }
    };
    let number = match (&episode.label, episode.number) {
        (Some(label), _) => Some(Text("episode-number").with("number", label.as_str()).get()),
        (None, number) => {
            number.map(|number| Text("episode-number").with("number", number.to_string()).get())
        }
    };
    let kind = episode.kind.and_then(kind_word).map(Text::get);
    let length = episode.duration_seconds.map(|seconds| clock(seconds.into()));
    let explicit = (episode.explicit == Some(true)).then(|| Text("episode-explicit").get());
    let facts: Vec<String> = [season, number, kind, length, explicit].into_iter().flatten().collect();
    let persons = html! { @for (index, one) in episode.persons.iter().enumerate() {
        @if index > 0 { ", " } (person(one))
    } };
    html! {
        @if !facts.is_empty() { p.meta.dots { @for fact in &facts { span { bdi { (fact) } } } } }
        @if !episode.persons.is_empty() { p.meta { (Text("episode-with").markup(&[("persons", persons)])) } }
    }
}

fn person(person: &EpisodePerson) -> Markup {
    html! {
        @if let Some(url) = &person.url { a href=(url) rel="noopener nofollow external" { bdi { (person.name) } } }
        @else { bdi { (person.name) } }
        " (" bdi { (person.role) } ")"
    }
}

const fn kind_word(kind: EpisodeKind) -> Option<Text> {
    match kind {
        EpisodeKind::Full => None,
        EpisodeKind::Trailer => Some(Text("episode-trailer")),
        EpisodeKind::Bonus => Some(Text("episode-bonus")),
    }
}

fn megabytes(bytes: u64) -> String {
    Text("recording-megabytes").with("count", bytes.div_ceil(1_000_000)).get()
}

/// Returns markup for the picture of an episode, to insert after the text. Empty if there is no text, or if
/// the text contains the picture.
pub(super) fn picture(entry: &Entry, markup: &str) -> String {
    let has_text = !markup.trim().is_empty();
    let url = entry.image_url.as_deref().filter(|_| has_text && entry.episode.is_some());
    let url = url.map(extract::render::escape).filter(|url| !markup.contains(url.as_str()));
    url.map(|url| format!("<p><img src=\"{url}\" alt=\"\"></p>")).unwrap_or_default()
}
