//! Fields of a received message that an inbox stores in addition to its text. All values are bounded, because senders
//! choose them.

use serde::{Deserialize, Serialize};
use url::Url;

use super::files::{self, MailFile};
use super::message::{MailHeader, MailPart};
use crate::{clean, metadata};

/// Maximum number of characters of a line, such as the subject.
const LINE_CHARS: usize = 500;
/// Maximum number of characters of an identifier. A longer identifier is ignored, because a truncated
/// identifier is not unique.
const ID_CHARS: usize = 250;
/// Maximum number of characters of an unsubscribe URL.
const URL_CHARS: usize = 2000;
/// Maximum number of `Authentication-Results` fields, and maximum number of characters of each field.
const RESULTS: usize = 5;
const RESULT_CHARS: usize = 1000;

/// Fields of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailFields {
    /// `Message-ID` without angle brackets.
    pub message_id: Option<String>,
    pub subject: Option<String>,
    /// `From`, with name and address.
    pub sender: Option<String>,
    /// Name of the sender, or the address if the name is missing.
    pub sender_name: Option<String>,
    /// Address of the sender, in lower case.
    pub sender_address: Option<String>,
    /// `Date`, in RFC 3339 format.
    pub sent_at: Option<String>,
    /// `List-Id` without description and angle brackets, in lower case. It identifies a newsletter.
    pub list_id: Option<String>,
    /// First http(s) URL of `List-Unsubscribe`.
    pub unsubscribe_url: Option<String>,
    /// True if a `POST` to the URL unsubscribes without further questions (RFC 8058). False if the message
    /// has DKIM signatures, but none of them covers the unsubscribe fields.
    pub is_one_click: bool,
    /// Values of `Authentication-Results`, the most recently added first. Any sender can add such fields.
    pub authentication_results: Vec<String>,
    /// Attachments and pictures.
    pub files: Vec<MailFile>,
    /// Number of further files, which are not listed.
    pub further_files: u32,
    /// Number of tracking pixels, which are not part of the text.
    pub tracking_pixels: u32,
    /// Link that confirms a subscription.
    pub confirmation_url: Option<String>,
}

impl MailFields {
    pub(super) fn of(message: &MailPart<'_>) -> Self {
        let header = &message.header;
        let line = |name: &str| header.text(name).map(|text| cut(&text, LINE_CHARS));
        let unsubscribe_url = header.get("List-Unsubscribe").and_then(unsubscribe_url);
        let is_one_click = unsubscribe_url.as_deref().is_some_and(|url| url.starts_with("https:"))
            && header
                .get("List-Unsubscribe-Post")
                .is_some_and(|post| post.trim().eq_ignore_ascii_case("List-Unsubscribe=One-Click"))
            && is_signed(header);
        let results = header.all("Authentication-Results").take(RESULTS);
        let (files, further_files) = files::list(message);
        Self {
            message_id: header.get("Message-ID").and_then(identifier),
            subject: line("Subject"),
            sender: line("From"),
            sender_name: line("From").map(|from| name_of(&from)).filter(|name| !name.is_empty()),
            sender_address: header.get("From").and_then(identifier).map(|address| address.to_lowercase()),
            sent_at: header.get("Date").and_then(date),
            list_id: header.get("List-Id").and_then(identifier).map(|id| id.to_lowercase()),
            unsubscribe_url,
            is_one_click,
            authentication_results: results.map(|text| cut(&clean::fold(text), RESULT_CHARS)).collect(),
            files,
            further_files: u32::try_from(further_files).unwrap_or(u32::MAX),
            tracking_pixels: 0,
            confirmation_url: None,
        }
    }
}

/// True if a DKIM signature covers the unsubscribe fields, or if the message has no DKIM signature.
fn is_signed(header: &MailHeader) -> bool {
    let mut signatures = header.all("DKIM-Signature").peekable();
    signatures.peek().is_none() || signatures.any(covers_unsubscribing)
}

/// True if the list of signed fields (`h=`) of a DKIM signature contains both unsubscribe fields.
fn covers_unsubscribing(signature: &str) -> bool {
    let fields =
        signature.split(';').find_map(|tag| tag.trim().strip_prefix("h")?.trim_start().strip_prefix('='));
    let has = |name: &str| {
        fields.is_some_and(|fields| fields.split(':').any(|field| field.trim().eq_ignore_ascii_case(name)))
    };
    has("List-Unsubscribe") && has("List-Unsubscribe-Post")
}

/// Name of a sender, or the address if the name is missing. Empty if both are missing.
pub(super) fn name_of(from: &str) -> String {
    let name = from.split('<').next().unwrap_or(from).trim().trim_matches('"').trim();
    if name.is_empty() { identifier(from).unwrap_or_default() } else { name.to_owned() }
}

/// Value between the last angle brackets, or the whole value if it has none.
fn identifier(field: &str) -> Option<String> {
    let inner = field.rsplit_once('<').map_or(field, |(_, rest)| rest.split('>').next().unwrap_or(rest));
    let mut id = clean::fold(inner);
    clean::strip_controls(&mut id);
    (!id.is_empty() && id.chars().count() <= ID_CHARS).then_some(id)
}

fn unsubscribe_url(field: &str) -> Option<String> {
    let urls = field.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(url, _)| url.trim());
    let is_short = |url: &&str| url.len() <= URL_CHARS;
    urls.filter(is_short).find_map(|url| {
        let url = Url::parse(url).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    })
}

fn cut(text: &str, most: usize) -> String {
    let mut text: String = text.chars().take(most).collect();
    clean::strip_controls(&mut text);
    text
}

/// Parses the value of a `Date` header field.
pub(super) fn date(field: &str) -> Option<String> {
    let field = field.split('(').next().unwrap_or(field).trim();
    let parsed = chrono::DateTime::parse_from_rfc2822(field).ok();
    parsed.map(|time| time.to_rfc3339()).or_else(|| metadata::normal_date(field))
}
