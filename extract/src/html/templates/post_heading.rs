//! Generated headings of posts and tabs.

/// Heading level of posts that are not replies.
const POST_LEVEL: usize = 3;
/// Maximum heading level of replies.
const LAST_LEVEL: usize = 6;

/// Generated heading of a post or of a tab's text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PostHeading {
    pub(crate) text: String,
    pub(super) author: String,
    pub(crate) level: u8,
}

impl PostHeading {
    /// Creates a heading from the author, the author of the parent post if the post is a reply, and the date.
    pub(crate) fn new(author: &str, replied_to: Option<&str>, date: Option<&str>, depth: usize) -> Self {
        let mut text = author.to_owned();
        for (separator, part) in [(" → ", replied_to), (" · ", date)] {
            if let Some(part) = part {
                text.push_str(separator);
                text.push_str(part);
            }
        }
        Self {
            text,
            author: author.to_owned(),
            level: u8::try_from((POST_LEVEL + depth).min(LAST_LEVEL)).unwrap_or(6),
        }
    }
}
