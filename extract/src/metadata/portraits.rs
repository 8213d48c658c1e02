//! Author's portrait near the heading: a small image whose description is the name in the next text.

use super::{person, sources::MetadataSources};
use crate::page::{Id, Page};

/// Number of texts after the heading that are searched for a name.
const MAX_TEXTS: usize = 12;
/// Maximum number of nodes between an image and the name after it.
const MAX_NODES: usize = 25;
/// Maximum width of a portrait in pixels.
const MAX_WIDTH: u32 = 200;
/// Words in the attributes of portraits, in lower case.
const PORTRAIT_WORDS: [&str; 9] =
    ["avatar", "author", "autor", "profile", "headshot", "portrait", "rounded", "circle", "staff"];

/// Words next to the name in the description of a portrait, in lower case.
const DESCRIPTIONS: [&str; 8] =
    ["avatar", "headshot", "portrait", "profile", "picture of", "photo of", "image of", "author"];

/// Name in a text after the heading that also describes the portrait before it.
pub(super) fn author(sources: &MetadataSources<'_>) -> Option<String> {
    let page = sources.page;
    let start = page.subtree(sources.main_heading?).end;
    let mut texts = (start..page.len()).filter(|&id| page.is_nonblank_text(id)).take(MAX_TEXTS);
    texts.find_map(|text| {
        let name = person::single(page.text(text)?).filter(|name| person::is_short_name(name))?;
        let mut images = (text.saturating_sub(MAX_NODES).max(start)..text).filter(|&id| page.is(id, "img"));
        images.any(|image| is_portrait(page, image, &name)).then_some(name)
    })
}

fn is_portrait(page: &Page, image: Id, name: &str) -> bool {
    let is_portrait_of = |alt: &str| {
        let alt = alt.to_lowercase();
        alt == name.to_lowercase()
            || alt.contains(&name.to_lowercase()) && DESCRIPTIONS.iter().any(|word| alt.contains(word))
    };
    let describes = page.value(image, "alt").is_some_and(is_portrait_of);
    let is_small = page
        .value(image, "width")
        .and_then(|width| width.trim_end_matches("px").parse::<u32>().ok())
        .is_some_and(|width| width <= MAX_WIDTH);
    let is_named = || {
        page.attributes(image).filter(|(name, _)| matches!(*name, "alt" | "class" | "src")).any(
            |(_, value)| {
                let value = value.to_ascii_lowercase();
                PORTRAIT_WORDS.iter().any(|word| value.contains(word))
            },
        )
    };
    describes
        && (is_small || is_named())
        && !page.ancestors(image).any(|above| matches!(page.tag(above), "figure" | "figcaption"))
}
