//! Marks of elements: properties that their tag, role, class and id indicate.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::page::{Id, Page};

/// Set of marks, with one bit for each.
pub(super) type UnitMarks = u64;

/// Number of marks.
pub(super) const COUNT: usize = 47;

/// Words in class and id, grouped by their usual meaning. The index of a group is its bit number.
const WORDS: [&[&str]; 30] = [
    &["nav", "menu", "breadcrumb", "crumb", "toolbar", "topbar", "paginat", "pager", "skip-"],
    &["footer", "copyright", "colophon", "bottom", "legal"],
    &["header", "masthead", "banner", "logo"],
    &["sidebar", "aside", "rail", "widget", "secondary"],
    &["comment", "disqus", "respond", "reply", "replies"],
    &["share", "sharing", "social", "follow", "addthis", "facebook", "twitter"],
    &["advert", "sponsor", "promo", "-ad-", "ad-", "ads-", "_ad", "dfp", "outbrain", "taboola", "adsense"],
    &[
        "related", "recommend", "read-more", "more-", "popular", "trending", "latest", "suggest", "upsell",
        "readnext", "also-like",
    ],
    &["newsletter", "subscri", "signup", "sign-up", "login", "signin", "optin", "register", "paywall"],
    &["cookie", "consent", "gdpr", "modal", "popup", "overlay", "lightbox", "dialog"],
    &["byline", "author", "date", "time", "meta", "publish", "posted"],
    &["tags", "tag-", "categor", "topics", "keyword"],
    &["caption", "credit"],
    &["content", "article", "body", "entry", "text", "main", "prose", "markdown", "story", "rte", "wysiwyg"],
    &["post", "message", "thread", "topic", "answer", "question", "discussion"],
    &["product", "price", "sku", "cart", "variant", "swatch", "spec", "descri", "detail"],
    &["card", "item", "tile", "teaser", "grid", "list", "result", "loop"],
    &["review", "rating", "testimonial", "star"],
    &["hidden", "sr-only", "screen-reader", "visually", "tooltip", "offscreen"],
    &["btn", "button", "cta", "action"],
    &["form", "search", "filter", "input", "sort", "facet"],
    &["hero", "intro", "lead", "summary", "abstract", "excerpt", "headline", "subtitle", "standfirst", "dek"],
    &["tab", "accordion", "faq", "collaps", "toggle"],
    &["bio", "profile", "avatar", "user", "signature", "member"],
    &["toc", "table-of-contents", "outline", "on-this-page"],
    &["docs", "documentation", "code", "highlight", "example"],
    &["gallery", "slider", "carousel", "swiper", "slide"],
    &["address", "contact", "phone", "hours", "location", "map"],
    &["lang", "locale", "country", "currency"],
    &["notice", "alert", "disclaimer", "warning", "announcement"],
];

static MATCHER: LazyLock<Option<(AhoCorasick, Vec<u8>)>> = LazyLock::new(|| {
    let mut groups = Vec::new();
    let mut words = Vec::new();
    for (group, list) in WORDS.iter().enumerate() {
        for word in *list {
            words.push(*word);
            groups.push(u8::try_from(group).unwrap_or(0));
        }
    }
    // For this many words, the builder would choose an NFA, which takes several steps per byte.
    let matcher = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(words);
    matcher.ok().map(|matcher| (matcher, groups))
});

/// Tags and attributes that correspond to the bits after the bits of `WORDS`.
const TAGS: [&str; COUNT - WORDS.len()] = [
    "article", "main", "aside", "nav", "footer", "header", "form", "section", "li", "table", "figure",
    "blockquote", "button", "dl", "details", "itemprop", "aria-hidden",
];

/// Name of a bit: the first word of its group, or its tag.
pub(super) fn name(bit: usize) -> String {
    match WORDS.get(bit) {
        Some(words) => format!("class {}", words.first().copied().unwrap_or_default()),
        None => format!("mark {}", TAGS.get(bit - WORDS.len()).copied().unwrap_or_default()),
    }
}

/// Marks of an element.
pub(super) fn of(page: &Page, id: Id) -> UnitMarks {
    let mut marks = of_tag(page.tag(id));
    for (name, value) in page.attributes(id) {
        match name {
            "class" | "id" | "data-testid" | "data-component" => marks |= of_words(value),
            "aria-hidden" if value == "true" => marks |= 1 << 46,
            "role" => marks |= of_role(value),
            "itemprop" if value.contains("articleBody") || value == "text" || value == "description" => {
                marks |= 1 << 45;
            }
            _ => {}
        }
    }
    marks
}

fn of_words(value: &str) -> UnitMarks {
    let Some((matcher, groups)) = &*MATCHER else { return 0 };
    // Generated class lists can be very long. Their significant words are at the beginning.
    let end = (0..=value.len().min(400)).rev().find(|&at| value.is_char_boundary(at)).unwrap_or(0);
    matcher
        .find_overlapping_iter(&value[..end])
        .fold(0, |marks, hit| marks | 1 << groups[hit.pattern().as_usize()])
}

fn of_tag(tag: &str) -> UnitMarks {
    let bit = match tag {
        "article" => 30,
        "main" => 31,
        "aside" => 32,
        "nav" => 33,
        "footer" => 34,
        "header" => 35,
        "form" => 36,
        "section" => 37,
        "li" => 38,
        "table" => 39,
        "figure" => 40,
        "blockquote" => 41,
        "button" => 42,
        "dl" => 43,
        "details" => 44,
        _ => return 0,
    };
    1 << bit
}

fn of_role(role: &str) -> UnitMarks {
    match role {
        "navigation" | "menu" | "menubar" | "breadcrumb" => 1 << 33,
        "contentinfo" => 1 << 34,
        "banner" => 1 << 35,
        "complementary" => 1 << 32,
        "main" => 1 << 31,
        "article" => 1 << 30,
        "search" => 1 << 36,
        "dialog" | "alertdialog" => 1 << 9,
        "button" | "tab" => 1 << 42,
        _ => 0,
    }
}
