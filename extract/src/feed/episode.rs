//! Podcast data of an entry: duration, numbers, chapters, transcripts and persons, from the vocabularies of
//! iTunes and Podcasting 2.0, Media RSS, and JSON Feed.

use serde::{Deserialize, Serialize};

use super::{text, urls};
use crate::document::words;

/// Maximum number of transcripts of an episode.
const MAX_TRANSCRIPTS: usize = 10;
/// Maximum number of persons of an episode.
const MAX_PERSONS: usize = 30;
/// Maximum number of bytes of all texts and URLs of an episode. If there are more, the last persons are
/// omitted first, then the last transcripts.
const MAX_BYTES: usize = 16 * 1024;
/// Maximum number of characters in a name.
const MAX_NAME: usize = 200;
/// Maximum number of characters in a role, a language, or a displayed number.
const MAX_WORD: usize = 60;
/// Maximum duration, in seconds. Longer durations are errors of the feed.
const MAX_SECONDS: u32 = 30 * 86_400;
/// Highest accepted season or episode number.
const MAX_NUMBER: u32 = 1_000_000;
/// Default role of a person, as defined by the podcast namespace.
const DEFAULT_ROLE: &str = "host";

/// Podcast data of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Episode {
    /// Declared duration of the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_seconds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season_name: Option<String>,
    /// Number of the episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// Number as the feed displays it, such as `3.5` or `Part 2`. `None` if it equals `number`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<EpisodeKind>,
    /// True if the publisher marks the episode as unsuitable for children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explicit: Option<bool>,
    /// Absolute http(s) URL of a chapters file in JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapters_url: Option<String>,
    /// At most 10 transcripts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transcripts: Vec<TranscriptFile>,
    /// At most 30 persons. If the entry names no persons, these are the persons of the feed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub persons: Vec<EpisodePerson>,
}

words! {
    /// Kind of an episode.
    EpisodeKind {
        /// A complete episode.
        Full = "full",
        /// A short preview.
        Trailer = "trailer",
        /// Extra content.
        Bonus = "bonus",
    }
}

/// File with the transcript of an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptFile {
    /// Absolute http(s) URL.
    pub url: String,
    /// Media type that the feed declares, or else the type for the extension of the URL.
    pub media_type: String,
    /// Language tag as the feed declares it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodePerson {
    pub name: String,
    /// Role in lower case, such as `host` or `guest`.
    pub role: String,
    /// Page about the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_url: Option<String>,
}

impl Episode {
    /// Returns the best transcript of each language, in the order of the feed. Transcripts with times are
    /// preferred.
    pub fn readable_transcripts(&self) -> Vec<&TranscriptFile> {
        let mut best: Vec<&TranscriptFile> = Vec::new();
        for file in &self.transcripts {
            match best.iter_mut().find(|known| known.language == file.language) {
                Some(known) if file.rank() < known.rank() => *known = file,
                Some(_) => {}
                None => best.push(file),
            }
        }
        best
    }

    /// Applies a text element of the iTunes vocabulary. If an element is repeated, the first one is used.
    pub(super) fn apply_itunes(&mut self, local: &str, value: &str) {
        match local {
            "duration" => self.set_duration(value),
            "season" => self.season = self.season.or_else(|| number(value)),
            "episode" => self.number = self.number.or_else(|| number(value)),
            "episodetype" => {
                self.kind = self.kind.or_else(|| EpisodeKind::parse(&value.trim().to_ascii_lowercase()));
            }
            "explicit" => self.explicit = self.explicit.or_else(|| explicit(value)),
            _ => {}
        }
    }

    /// Applies a declared duration. 0 means unknown.
    pub(super) fn set_duration(&mut self, value: &str) {
        let stated = duration(value).filter(|seconds| *seconds > 0);
        self.duration_seconds = self.duration_seconds.or(stated);
    }

    /// Applies `podcast:season` with its `name` attribute.
    pub(super) fn set_season(&mut self, value: &str, name: Option<String>) {
        self.season = self.season.or_else(|| number(value));
        self.season_name = self.season_name.take().or(name);
    }

    /// Applies `podcast:episode` with its `display` attribute. A number with decimals is only displayed.
    pub(super) fn set_number(&mut self, value: &str, display: Option<String>) {
        let stated = number(value);
        let is_decimal = value.contains('.') && value.trim().parse::<f64>().is_ok();
        let label = display.or_else(|| is_decimal.then(|| value.trim().to_owned()));
        self.number = self.number.or(stated);
        self.label = self.label.take().or(label);
    }

    /// Returns the data with clean texts and usable URLs, within the limits.
    pub(super) fn cleaned(self) -> Self {
        let transcripts = self.transcripts.into_iter().filter_map(TranscriptFile::cleaned);
        Self {
            season_name: self.season_name.as_deref().and_then(|name| line(name, MAX_NAME)),
            label: self.label.as_deref().and_then(|label| line(label, MAX_WORD)),
            chapters_url: self.chapters_url.as_deref().and_then(urls::readable),
            transcripts: transcripts.take(MAX_TRANSCRIPTS).collect(),
            persons: cleaned_persons(self.persons),
            ..self
        }
    }

    /// Returns the data with at most [`MAX_BYTES`] of texts and URLs.
    pub(super) fn bounded(mut self) -> Self {
        while self.size_bytes() > MAX_BYTES {
            if self.persons.pop().is_none() && self.transcripts.pop().is_none() {
                break;
            }
        }
        self
    }

    fn size_bytes(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let person =
            |one: &EpisodePerson| one.name.len() + one.role.len() + length(&one.url) + length(&one.image_url);
        let file = |one: &TranscriptFile| one.url.len() + one.media_type.len() + length(&one.language);
        let own = length(&self.season_name) + length(&self.label) + length(&self.chapters_url);
        own + self.persons.iter().map(person).sum::<usize>()
            + self.transcripts.iter().map(file).sum::<usize>()
    }
}

impl TranscriptFile {
    /// Rank of the format: transcripts with times come first, then text with markup, then plain text.
    fn rank(&self) -> usize {
        let ranks = ["vtt", "srt", "subrip", "json", "html"];
        ranks.iter().position(|part| self.media_type.contains(part)).unwrap_or(ranks.len())
    }

    fn cleaned(self) -> Option<Self> {
        let url = urls::readable(&self.url)?;
        let media_type = transcript_type(&self.media_type, &url);
        let language = self.language.as_deref().and_then(|language| line(language, MAX_WORD));
        Some(Self { url, media_type, language })
    }
}

/// Persons with clean names and usable URLs, without duplicates, at most [`MAX_PERSONS`].
pub(super) fn cleaned_persons(persons: Vec<EpisodePerson>) -> Vec<EpisodePerson> {
    let mut cleaned: Vec<EpisodePerson> = Vec::new();
    for person in persons {
        let Some(name) = line(&person.name, MAX_NAME) else { continue };
        let role = line(&person.role, MAX_WORD).map(|role| role.to_lowercase());
        let role = role.unwrap_or_else(|| DEFAULT_ROLE.to_owned());
        if cleaned.len() >= MAX_PERSONS {
            break;
        }
        if cleaned.iter().all(|known| known.name != name || known.role != role) {
            let url = person.url.as_deref().and_then(urls::readable);
            let image_url = person.image_url.as_deref().and_then(urls::readable);
            cleaned.push(EpisodePerson { name, role, url, image_url });
        }
    }
    cleaned
}

/// Parses the value of `itunes:explicit`. `None` if it is unknown.
pub(super) fn explicit(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "explicit" => Some(true),
        "false" | "no" | "clean" => Some(false),
        _ => None,
    }
}

/// Parses `1:02:03`, `62:03` or `3723` to seconds, at most 30 days. Fractions are dropped.
pub fn duration(value: &str) -> Option<u32> {
    let mut sum = 0_u32;
    for (at, part) in value.trim().split(':').enumerate() {
        let whole = part.trim().split(['.', ',']).next().unwrap_or_default();
        let number = whole.parse::<u32>().ok().filter(|number| *number <= MAX_SECONDS && at < 3)?;
        sum = sum.checked_mul(60)?.checked_add(number)?;
    }
    (sum <= MAX_SECONDS).then_some(sum)
}

fn number(value: &str) -> Option<u32> {
    value.trim().parse().ok().filter(|number| *number <= MAX_NUMBER)
}

fn line(value: &str, limit: usize) -> Option<String> {
    let line = text::cut(&text::one_line(&text::clean(value)), limit);
    (!line.is_empty()).then_some(line)
}

fn transcript_type(declared: &str, url: &str) -> String {
    let declared = declared.split(';').next().unwrap_or_default();
    if let Some(declared) = line(declared, MAX_WORD).filter(|declared| declared.contains('/')) {
        return declared.to_ascii_lowercase();
    }
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let known = [
        (".vtt", "text/vtt"),
        (".srt", "application/x-subrip"),
        (".json", "application/json"),
        (".html", "text/html"),
    ];
    let known = known.iter().find(|(extension, _)| path.ends_with(extension));
    known.map_or("text/plain", |(_, media_type)| *media_type).to_owned()
}
