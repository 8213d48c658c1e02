//! Appends attached pictures to texts. Posts of social networks have no title, and their pictures are not in
//! their markup.

use super::builder::AttachedPicture;
use super::sanitise::MAX_MARKUP_BYTES;
use super::{ParsedEntry, text, urls};

const MAX_PICTURES: usize = 10;
const MAX_DESCRIPTION: usize = 1000;
/// Host and path of author portraits, which blogs attach to each post.
const AVATARS: &str = "gravatar.com/avatar";

/// Appends pictures to the longer text of an entry, if its texts contain no pictures.
pub(super) fn append(entry: &mut ParsedEntry, pictures: &[AttachedPicture]) {
    let has_pictures =
        [&entry.content_html, &entry.summary_html].into_iter().flatten().any(|html| html.contains("<img "));
    if has_pictures {
        return;
    }
    let markup: String = pictures.iter().take(MAX_PICTURES).filter_map(element).collect();
    let length = |html: &Option<String>| html.as_ref().map_or(0, String::len);
    let target = if length(&entry.content_html) > length(&entry.summary_html) {
        &mut entry.content_html
    } else {
        &mut entry.summary_html
    };
    if !markup.is_empty() && length(target) + markup.len() <= MAX_MARKUP_BYTES {
        target.get_or_insert_default().push_str(&markup);
    }
}

fn element(picture: &AttachedPicture) -> Option<String> {
    let url = urls::readable(&picture.url).filter(|url| !url.contains(AVATARS))?;
    let quoted = |value: &str| text::escape(value).replace('"', "&quot;");
    let description = picture.description.as_deref().unwrap_or_default();
    let description = text::cut(&text::clean(description), MAX_DESCRIPTION);
    Some(format!("<p><img src=\"{}\" alt=\"{}\"></p>", quoted(&url), quoted(&description)))
}
