//! Author of the first post of a discussion, in the markup of common forum programs.

use super::person;
use crate::{
    clean,
    page::{Id, Page},
};

/// Class names of elements whose first text is the name of a poster, in lower case.
const POSTER_CLASSES: [&str; 10] = [
    "bigusername", "username", "author_information", "postuser-name", "poster", "postleft", "message-name",
    "post-username", "postprofile", "topic-author",
];
/// Words in the class names of posts, in lower case.
const POST_CLASSES: [&str; 4] = ["message", "question", "post", "topic"];
/// Maximum number of characters of a user name.
const MAX_NAME_CHARS: usize = 60;

/// Name in an attribute of the first post.
pub(super) fn declared(page: &Page) -> Option<String> {
    (1..page.len()).find_map(|id| {
        let name = page
            .value(id, "data-author-username")
            .or_else(|| page.value(id, "data-author").filter(|_| is_post(page, id)))?;
        (name.chars().count() <= MAX_NAME_CHARS).then(|| person::single(name)).flatten()
    })
}

fn is_post(page: &Page, id: Id) -> bool {
    page.class_names(id).any(|class| POST_CLASSES.iter().any(|known| class.eq_ignore_ascii_case(known)))
}

/// First text of the first element that contains the name of a poster.
pub(super) fn marked(page: &Page) -> Option<String> {
    let is_poster = |id: Id| {
        page.class_names(id).any(|class| POSTER_CLASSES.iter().any(|known| class.eq_ignore_ascii_case(known)))
    };
    let mut posters = (1..page.len()).filter(|&id| is_poster(id));
    posters.find_map(|id| name_in(page, id))
}

fn name_in(page: &Page, id: Id) -> Option<String> {
    // A single letter replaces the portrait.
    let mut texts = page.descendants(id).filter_map(|inner| page.text(inner)).map(clean::fold);
    let name = texts.find(|text| text.chars().nth(1).is_some())?;
    (name.chars().count() <= MAX_NAME_CHARS).then(|| person::single(&name)).flatten()
}
