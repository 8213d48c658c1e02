//! The title of a page: the main heading if it can be determined, or else the title in the head without the
//! site name.

use super::sources::MetadataSources;
use crate::{
    clean::{self, lower_words, squeezed},
    page::{Id, Page, controls},
};

const MAX_TITLE_CHARS: usize = 400;

/// Separators between the title of a page and the name of its site.
const SEPARATORS: [&str; 12] =
    [" | ", " – ", " — ", " - ", " » ", " « ", " :: ", " · ", " • ", " / ", " > ", "ㅣ"];

/// Maximum distance, in ancestors, from a heading to the breadcrumb list that contains it.
const CRUMB_LAYERS: usize = 4;
/// Minimum number of words in a title for which a kicker in the heading is recognised.
const MIN_TITLE_WORDS: usize = 3;

/// Heading that contains the title of the page. `None` if there is no such heading.
pub(super) fn heading(sources: &MetadataSources<'_>, publisher: Option<&str>) -> Option<Id> {
    let page = sources.page;
    let site = SiteAliases::new(sources, publisher);
    let headings: Vec<(Id, String)> = sources
        .headings
        .iter()
        .filter(|&&id| page.is(id, "h1"))
        .map(|&id| (id, heading_text(page, id)))
        .filter(|(id, text)| {
            (1..=MAX_TITLE_CHARS).contains(&text.chars().count())
                && text.chars().any(char::is_alphanumeric)
                && !site.is_name(text)
                && !links_home(page, *id)
        })
        .collect();
    let named = [named(sources), open_graph(sources), sources.linked.title.clone()];
    let named: Vec<String> = named.into_iter().flatten().map(|title| lower_words(&title)).collect();
    if let Some(below) = headline_below(sources, &headings, &site) {
        return Some(below);
    }
    // A heading that is repeated in the head of the page is the main heading.
    let repeated = headings.iter().find(|(_, text)| {
        let text = lower_words(text);
        text.len() >= 3 && named.iter().any(|title| contains_words(title, &text))
    });
    if let Some((id, _)) = repeated {
        return Some(*id);
    }
    let overlap =
        |text: &str| named.iter().map(|title| shared(title, &lower_words(text))).fold(0.0, f64::max);
    let best = headings
        .iter()
        .max_by(|one, other| overlap(&one.1).total_cmp(&overlap(&other.1)).then(other.0.cmp(&one.0)))?;
    let alone = headings.len() == 1 && clean::words(&best.1) >= 3;
    (overlap(&best.1) >= 0.5 || alone || named.is_empty()).then_some(best.0)
}

/// Title of the text. If `offers` is true, the page offers a product or service. On such a page, the heading
/// is usually a slogan, and the title is in the head.
pub(super) fn title(sources: &MetadataSources<'_>, publisher: Option<&str>, offers: bool) -> Option<String> {
    let page = sources.page;
    let site = SiteAliases::new(sources, publisher);
    let heading = sources.main_heading.map(|id| heading_text(page, id)).filter(|text| !text.is_empty());
    let alone = |title: String| without_section(page, &title, site.without(&title));
    let stated = open_graph(sources).map(alone).filter(|title| !site.is_name(title));
    let named = || named(sources).map(alone).filter(|title| !site.is_name(title));
    let heading = match (heading, stated.clone().or_else(named)) {
        (Some(heading), Some(stated)) => Some(of_heading(heading, stated, offers)),
        (heading, _) => heading,
    };
    heading
        .or(stated)
        .or_else(|| sources.linked.title.clone().filter(|title| !site.is_name(title)))
        .or_else(named)
        .or_else(|| sources.headings.first().map(|&id| heading_text(page, id)))
        .filter(|title| !title.is_empty())
        .map(|title| title.chars().take(MAX_TITLE_CHARS).collect())
}

/// Removes the section from a title such as `Title-Section`, if the site name followed it and the page links
/// to a section with that name.
fn without_section(page: &Page, whole: &str, title: String) -> String {
    let Some((head, section)) = title.rsplit_once('-').filter(|_| whole.len() > title.len()) else {
        return title;
    };
    let is_name = section.chars().count() >= 2 && section.chars().all(char::is_alphabetic);
    let is_linked = || (1..page.len()).any(|id| page.is(id, "a") && page.folded_text(id) == section);
    let is_section = is_name && clean::words(head) >= MIN_TITLE_WORDS && is_linked();
    if is_section { head.trim_end().to_owned() } else { title }
}

/// Returns the whole heading, or the `stated` title of the head if it is more precise.
fn of_heading(heading: String, stated: String, offers: bool) -> String {
    let (short, whole) = (lower_words(&stated), lower_words(&heading));
    // A kicker is in the same element as the headline. It precedes the headline, possibly without a space.
    let begins_with_kicker = clean::words(&short) >= MIN_TITLE_WORDS
        && whole.ends_with(&format!(" {short}"))
        && !is_lead_in(&heading, &stated);
    let has_joined_kicker = short != whole && squeezed(&stated) == squeezed(&heading);
    let names_other_things = offers && shared(&short, &whole) < 1.0 && shared(&whole, &short) < 1.0;
    if begins_with_kicker || has_joined_kicker || names_other_things { stated } else { heading }
}

/// True if the heading contains words with a colon before the stated title. Such words belong to the
/// headline.
fn is_lead_in(heading: &str, stated: &str) -> bool {
    let before = heading.strip_suffix(stated).unwrap_or("").trim_end();
    let words = before.strip_suffix(':').unwrap_or("");
    clean::words(words) > 1 && !words.ends_with(' ')
}

/// Text of a heading without its controls, such as a permalink or a copy button.
fn heading_text(page: &Page, id: Id) -> String {
    let presses = |inner: &Id| page.is(*inner, "button") || controls::is_control(page, *inner);
    let text = if page.descendants(id).any(|inner| presses(&inner)) {
        let words = page.descendants(id).filter(|&inner| {
            page.text(inner).is_some()
                && !page.ancestors(inner).take_while(|&above| above != id).any(|above| presses(&above))
        });
        clean::fold(&words.filter_map(|inner| page.text(inner)).collect::<String>())
    } else {
        page.folded_text(id)
    };
    match text.strip_suffix('¶').map(str::trim_end) {
        Some(before) if !before.is_empty() => before.to_owned(),
        _ => text,
    }
}

/// True if a heading is the last entry of a breadcrumb list. In that case, the visible headline is another
/// heading.
fn is_crumb(page: &Page, id: Id) -> bool {
    let says = |id: Id| page.class(id).is_some_and(|class| class.to_ascii_lowercase().contains("crumb"));
    let around = || page.ancestors(id).take(CRUMB_LAYERS);
    says(id)
        || around().any(|above| page.is(above, "nav") || says(above))
        // The heading is also an entry if all of its siblings are links.
        || page.element_children(page.parent(id)).filter(|&child| child != id && page.is(child, "a")).count() >= 2
            && page.element_children(page.parent(id)).all(|child| child == id || matches!(page.tag(child), "a" | "svg" | "span"))
}

/// Heading that equals the declared title and is below the only main heading. `None` unless the main heading
/// is the last entry of a breadcrumb list.
fn headline_below(
    sources: &MetadataSources<'_>,
    headings: &[(Id, String)],
    site: &SiteAliases,
) -> Option<Id> {
    let page = sources.page;
    let [(crumb, said)] = headings else { return None };
    let stated = lower_words(&site.without(&open_graph(sources)?));
    if !is_crumb(page, *crumb) || lower_words(said) == stated || clean::words(&stated) < MIN_TITLE_WORDS {
        return None;
    }
    let below = sources.headings.iter().copied().filter(|id| id > crumb && page.is(*id, "h2"));
    let mut candidates = below.map(|id| (id, lower_words(&page.folded_text(id))));
    candidates
        .find(|(_, text)| text.ends_with(&stated) || squeezed(text) == squeezed(&stated))
        .map(|(id, _)| id)
}

fn named(sources: &MetadataSources<'_>) -> Option<String> {
    sources.title.map(|id| clean::fold(&sources.page.raw_text(id))).filter(|title| !title.is_empty())
}

fn open_graph(sources: &MetadataSources<'_>) -> Option<String> {
    let title = sources
        .first(&["og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title", "title"])?;
    Some(clean::fold(&super::references::unescape(title))).filter(|title| !title.is_empty())
}

/// True if a heading is the logo of the site, which links to its home page.
fn links_home(page: &Page, id: Id) -> bool {
    let link = page
        .descendants(id)
        .find(|&inner| page.is(inner, "a"))
        .or_else(|| page.ancestors(id).take(2).find(|&above| page.is(above, "a")));
    link.and_then(|link| page.attribute(link, "href")).is_some_and(|href| {
        let path = href.trim().splitn(4, '/').nth(3).unwrap_or("x");
        matches!(href.trim(), "/" | "./" | "index.html" | "/index.html" | "#")
            || href.contains("://") && path.is_empty()
    })
}

/// Names by which a title may refer to the site.
struct SiteAliases {
    names: Vec<String>,
}

impl SiteAliases {
    fn new(sources: &MetadataSources<'_>, publisher: Option<&str>) -> Self {
        let host = sources.address.and_then(url::Url::host_str).unwrap_or("").trim_start_matches("www.");
        let label = sites::registrable_domain(host).and_then(|domain| domain.split('.').next()).unwrap_or("");
        let meta = sources.first(&["og:site_name", "application-name"]);
        let names = [publisher, meta, Some(label), Some(host)]
            .into_iter()
            .flatten()
            .map(squeezed)
            .filter(|name| name.len() >= 2)
            .collect();
        Self { names }
    }

    fn is_name(&self, text: &str) -> bool {
        let text = squeezed(text);
        self.names.contains(&text)
    }

    /// Compares as `is_name` does, but the text may also be the beginning of a site name, or vice versa.
    fn resembles(&self, text: &str) -> bool {
        let text = squeezed(text);
        text.len() >= 3
            && self
                .names
                .iter()
                .any(|name| name.len() >= 3 && (text.starts_with(name.as_str()) || name.starts_with(&text)))
    }

    /// Removes the site name from a title such as `Title | Site` or `Site | Title`.
    fn without(&self, title: &str) -> String {
        for separator in SEPARATORS {
            if let Some((head, tail)) = title.rsplit_once(separator) {
                let short = clean::words(tail) <= 4
                    && clean::words(head) >= 2
                    && clean::words(head) >= clean::words(tail);
                if self.resembles(tail) || short {
                    return self.without(head.trim());
                }
            }
            if let Some((head, tail)) = title.split_once(separator)
                && self.resembles(head)
                && !tail.trim().is_empty()
            {
                return tail.trim().to_owned();
            }
        }
        title.to_owned()
    }
}

fn contains_words(whole: &str, part: &str) -> bool {
    format!(" {whole} ").contains(&format!(" {part} "))
}

/// Share of a heading's words that occur in a title, from 0 to 1.
fn shared(title: &str, heading: &str) -> f64 {
    let words: Vec<&str> = heading.split(' ').collect();
    let common = words.iter().filter(|word| title.split(' ').any(|other| other == **word)).count();
    #[expect(clippy::cast_precision_loss, reason = "a handful of words")]
    let share = common as f64 / words.len().max(1) as f64;
    share
}
