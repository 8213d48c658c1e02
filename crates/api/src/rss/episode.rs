//! Podcast data of an entry in responses.

use extract::feed::{Episode, EpisodeKind, EpisodePerson, TranscriptFile};
use poem_openapi::Object;

use http_kit::http::enum_param::EnumParam;

/// Podcast data of an entry. Its picture is the `imageUrl` of the entry, its recording one of the
/// `enclosures`.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct RssEpisode {
    /// Stated duration in seconds; null if unknown.
    pub duration_seconds: Option<u32>,
    /// Number of the season; null if unknown.
    pub season: Option<u32>,
    /// Name of the season; null if it has none.
    pub season_name: Option<String>,
    /// Number of the episode; null if unknown.
    pub number: Option<u32>,
    /// Number as the feed displays it, such as `3.5` or `Part 2`; null if it does not differ from `number`.
    pub label: Option<String>,
    /// Kind of the episode; null if the feed states none.
    pub kind: Option<EnumParam<EpisodeKind>>,
    /// True if the publisher marks the episode as explicit; null if the feed does not say.
    pub explicit: Option<bool>,
    /// URL of the chapters as a JSON file of Podcasting 2.0; null if there are none.
    pub chapters_url: Option<String>,
    /// Transcripts. At most 10.
    pub transcripts: Vec<RssTranscript>,
    /// Persons of the episode, or of the feed if the episode names none. At most 30, and fewer if their
    /// addresses are very long.
    pub persons: Vec<RssPerson>,
}

/// Transcript of an episode.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct RssTranscript {
    /// URL of the file.
    pub url: String,
    /// Media type, such as `text/vtt`, `application/x-subrip`, `application/json`, `text/html` or `text/plain`.
    pub media_type: String,
    /// Language tag as the feed declares it, such as `en`; null if it declares none.
    pub language: Option<String>,
}

/// Person of an episode.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct RssPerson {
    /// Name. Third-party text.
    pub name: String,
    /// Role in lower case, such as `host` or `guest`; `host` if the feed states none.
    pub role: String,
    /// URL of a page about the person; null if there is none.
    pub url: Option<String>,
    /// URL of a picture; null if there is none.
    pub image_url: Option<String>,
}

impl From<Episode> for RssEpisode {
    fn from(episode: Episode) -> Self {
        Self {
            duration_seconds: episode.duration_seconds,
            season: episode.season,
            season_name: episode.season_name,
            number: episode.number,
            label: episode.label,
            kind: episode.kind.map(EnumParam),
            explicit: episode.explicit,
            chapters_url: episode.chapters_url,
            transcripts: episode.transcripts.into_iter().map(RssTranscript::from).collect(),
            persons: episode.persons.into_iter().map(RssPerson::from).collect(),
        }
    }
}

impl From<TranscriptFile> for RssTranscript {
    fn from(file: TranscriptFile) -> Self {
        Self { url: file.url, media_type: file.media_type, language: file.language }
    }
}

impl From<EpisodePerson> for RssPerson {
    fn from(person: EpisodePerson) -> Self {
        Self { name: person.name, role: person.role, url: person.url, image_url: person.image_url }
    }
}
