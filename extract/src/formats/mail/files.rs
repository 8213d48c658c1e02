//! Files of a message: attachments, and the pictures to which its HTML refers by `cid:`. They remain parts of
//! the message, and are read from it by their numbers.

use serde::{Deserialize, Serialize};

use super::message::MailPart;
use crate::clean;

/// Base URL of the pictures of a message. The number of the file follows it. No server has this host.
pub const MAIL_PICTURES: &str = "https://mail.invalid/";
/// Maximum number of files of a message that are listed.
const MAX_FILES: usize = 50;
/// Maximum length of a file name, in characters.
const NAME_CHARS: usize = 120;
/// Maximum number of characters of a media type.
const TYPE_CHARS: usize = 100;
/// Maximum length of a picture id, in characters.
const ID_CHARS: usize = 250;

/// File of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailFile {
    /// Number of the file in its message, counted from 1.
    pub number: u32,
    pub name: String,
    /// Media type as declared by the sender.
    pub media_type: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// Picture of a message to which its HTML may refer.
struct InlinePicture {
    content_id: String,
    number: usize,
    is_displayed: bool,
}

/// Pictures of a message, and the number of its tracking pixels.
#[derive(Default)]
pub(super) struct MailPictures {
    pictures: Vec<InlinePicture>,
    pub(super) tracking_pixels: u32,
}

/// Lists the files of a message. Returns the number of further files.
pub(super) fn list(message: &MailPart<'_>) -> (Vec<MailFile>, usize) {
    let files = parts(message);
    let listed = files.iter().take(MAX_FILES).zip(1..).map(|(part, number)| MailFile {
        number,
        name: name(part),
        media_type: media_type(part),
        bytes: u64::try_from(part.content().len()).unwrap_or(u64::MAX),
    });
    (listed.collect(), files.len().saturating_sub(MAX_FILES))
}

/// Returns a listed file with its bytes.
pub(super) fn read(message: &MailPart<'_>, number: u32) -> Option<(MailFile, Vec<u8>)> {
    let index = usize::try_from(number).ok()?.checked_sub(1).filter(|index| *index < MAX_FILES)?;
    let part = *parts(message).get(index)?;
    let content = part.content();
    let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
    Some((MailFile { number, name: name(part), media_type: media_type(part), bytes }, content))
}

fn parts<'w, 'b>(message: &'w MailPart<'b>) -> Vec<&'w MailPart<'b>> {
    message.leaves().into_iter().filter(|part| part.is_attachment()).collect()
}

fn name(part: &MailPart<'_>) -> String {
    let mut name: String =
        part.name().unwrap_or_else(|| part.header.media_type()).chars().take(NAME_CHARS).collect();
    clean::strip_controls(&mut name);
    name
}

fn media_type(part: &MailPart<'_>) -> String {
    let mut media_type: String = part.header.media_type().chars().take(TYPE_CHARS).collect();
    clean::strip_controls(&mut media_type);
    media_type
}

impl MailPictures {
    /// Finds the pictures of a message that have an id.
    pub(super) fn of(message: &MailPart<'_>) -> Self {
        let numbered = parts(message).into_iter().take(MAX_FILES).zip(1..);
        let mut pictures: Vec<InlinePicture> = numbered
            .filter(|(part, _)| part.header.media_type().starts_with("image/"))
            .filter_map(|(part, number)| {
                Some(InlinePicture { content_id: content_id(part)?, number, is_displayed: false })
            })
            .collect();
        // An id may begin with another id, so longer ids are replaced first.
        pictures.sort_by_key(|picture| std::cmp::Reverse(picture.content_id.len()));
        Self { pictures, tracking_pixels: 0 }
    }

    /// Replaces references to pictures with URLs.
    pub(super) fn link(&mut self, mut markup: String) -> String {
        if !markup.contains("cid:") {
            return markup;
        }
        for picture in &mut self.pictures {
            let reference = format!("cid:{}", picture.content_id);
            if markup.contains(&reference) {
                picture.is_displayed = true;
                markup = markup.replace(&reference, &format!("{MAIL_PICTURES}{}", picture.number));
            }
        }
        markup
    }

    /// True if the text displays the picture.
    pub(super) fn is_displayed(&self, part: &MailPart<'_>) -> bool {
        let id = content_id(part);
        self.pictures.iter().any(|picture| picture.is_displayed && Some(&picture.content_id) == id.as_ref())
    }
}

fn content_id(part: &MailPart<'_>) -> Option<String> {
    let id = part.header.get("Content-ID")?.trim().trim_start_matches('<').trim_end_matches('>').trim();
    (!id.is_empty() && id.chars().count() <= ID_CHARS).then(|| id.to_owned())
}
