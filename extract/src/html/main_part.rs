//! Selects the main part of a page. A classifier scores each unit of text on the basis of its words and its
//! position.

mod calls_to_action;
mod characters;
mod classify;
mod code_blocks;
mod code_lists;
mod columns;
mod embedded_posts;
mod embeds;
mod features;
mod gbdt;
mod headings;
mod headline;
mod link_cards;
pub(crate) mod markers;
mod marks;
mod members;
mod neighbours;
mod next_articles;
mod page_type;
mod phrases;
mod postprocess;
mod records;
mod repeats;
mod short_entries;
mod short_structures;
mod siblings;
mod units;
mod whole_parts;

pub(crate) use self::{
    gbdt::load_override,
    units::{is_non_text, is_noscript_content},
};

use url::Url;

use self::{
    features::{FeatureTable, PageStats},
    phrases::Phrases,
    repeats::Repeats,
    siblings::Siblings,
    units::Units,
    whole_parts::WholeParts,
};
use super::disclosures::Disclosures;
use crate::page::{Id, Page, PageType, Types};

/// Result of classifying a page.
pub(crate) struct MainPart {
    /// True for each node that belongs to the main part.
    pub(crate) keep: Vec<bool>,
    pub(crate) types: Types,
}

/// Units and features of a page: the input of the classifiers.
struct PreparedPage {
    units: Units,
    /// Features of the units.
    table: FeatureTable,
    /// Number of words of each unit, used as its weight.
    words: Vec<f32>,
    siblings: Siblings,
    /// Features of the whole page.
    features: Vec<f32>,
    /// True if the metadata declares an article.
    is_declared_article: bool,
}

impl PreparedPage {
    fn of(page: &Page, address: Option<&Url>, hidden: &[bool]) -> Self {
        let (units, sums) = units::split(page, hidden);
        let whole = describe(page, address);
        let forms = siblings::forms(page);
        let table = features::table(page, &units, &sums, &whole, &forms);
        let words = table.weights();
        let features = page_type::features(&table, &words, address);
        let siblings = Siblings::of(page, &units, &forms);
        let is_declared_article = whole.kinds[0] || whole.news;
        Self { units, table, words, siblings, features, is_declared_article }
    }
}

/// Description of a page for training the classifiers.
#[derive(Debug, Default, serde::Serialize)]
pub struct PageDescription {
    /// Names of a unit's features.
    pub columns: Vec<String>,
    /// Text, features, sibling groups and sibling ranges of each unit, in page order.
    pub units: Vec<(String, Vec<f32>, [usize; 2], siblings::SiblingRanges)>,
    /// Features of the whole page.
    pub page: Vec<f32>,
}

/// Classifies a page.
pub(crate) fn find(
    page: &Page,
    address: Option<&Url>,
    hidden: &[bool],
    disclosures: &Disclosures,
) -> MainPart {
    let prepared = PreparedPage::of(page, address, hidden);
    let PreparedPage { units, table, words, siblings, features, is_declared_article } = &prepared;
    let types = page_type::classify(features);
    let Some(mut selected) = classify::keep(table, words, siblings, &types) else {
        return MainPart { keep: vec![false; page.len()], types };
    };
    postprocess::complete(page, units, &mut selected);
    code_lists::complete(page, units, &mut selected);
    postprocess::keep_headings(page, units, siblings, &mut selected);
    short_entries::complete(page, units, &mut selected);
    // For an article, the title of the page is used instead of the headline. On other pages, the text of a
    // heading occurs nowhere else.
    let has_title = types.share(&[PageType::Article, PageType::Forum]) > 0.5;
    if !has_title || units.len() < units::SMALL_PAGE_UNITS {
        headline::keep(page, units, &mut selected);
    }
    short_structures::complete(page, units, &mut selected);
    members::keep(page, units, &mut selected);
    link_cards::keep(page, units, *is_declared_article, &mut selected);
    let parts = WholeParts::of(page, units, hidden, disclosures);
    parts.complete(types.share(&[PageType::Forum]) > 0.5, &mut selected);
    let repeats = Repeats { page, units, siblings, is_cell: parts.cells() };
    repeats.drop_variants(&mut selected);
    if types.share(&[PageType::Article]) > 0.5 {
        repeats.drop_calls(&mut selected);
    }
    repeats.drop_copies(types.share(&[PageType::Product, PageType::Forum]) > 0.5, &mut selected);
    postprocess::keep_notes(page, units, hidden, &disclosures.notes, &mut selected);
    records::keep(page, units, &mut selected);
    headings::keep(page, units, &mut selected);
    code_blocks::keep(page, units, &mut selected);
    embedded_posts::keep(page, units, &mut selected);
    // The type of a page with few units is uncertain.
    let is_list =
        types.share(&[PageType::Forum, PageType::Listing, PageType::Collection, PageType::Product]) > 0.5;
    let is_small = units.len() < units::SMALL_PAGE_UNITS && !is_list;
    if types.share(&[PageType::Article]) > 0.5 || is_small {
        neighbours::deselect(page, units, &mut selected);
        next_articles::deselect(page, units, address, &mut selected);
    }
    let mut keep = vec![false; page.len()];
    for (unit, _) in units.iter().zip(selected).filter(|(_, is_selected)| *is_selected) {
        for &text in &unit.texts {
            keep[text] = true;
        }
    }
    embeds::keep(page, units, hidden, &mut keep);
    // Select the ancestors of selected nodes.
    for id in (1..page.len()).rev() {
        if keep[id] {
            keep[page.parent(id)] = true;
        }
    }
    MainPart { keep, types }
}

/// Describes a page for training the classifiers.
pub(crate) fn described(page: &Page, address: Option<&Url>, hidden: &[bool]) -> PageDescription {
    let PreparedPage { units, table, siblings, features, .. } = PreparedPage::of(page, address, hidden);
    let rows = units.iter().zip(&siblings.groups).zip(&siblings.ranges).enumerate();
    PageDescription {
        columns: columns::of_unit(),
        units: rows
            .map(|(index, ((unit, groups), ranges))| {
                (unit.text.trim().to_owned(), table.row(index).to_vec(), *groups, *ranges)
            })
            .collect(),
        page: features,
    }
}

/// Collects properties of the page from its head and its URL.
fn describe(page: &Page, address: Option<&Url>) -> PageStats {
    let mut kinds = [false; 5];
    let mut news = false;
    let mut title = String::new();
    let (mut described, mut carried) = (Phrases::default(), Phrases::default());
    for id in 1..page.len() {
        match page.tag(id) {
            "title" if title.is_empty() => title = page.folded_text(id),
            "meta" if page.attribute(id, "property") == Some("og:type") => {
                kinds[0] |= page.attribute(id, "content") == Some("article");
                kinds[1] |= page.attribute(id, "content").is_some_and(|kind| kind.contains("product"));
            }
            "meta" if is_news_metadata(page, id) => news = true,
            "meta" if is_description(page, id) => described.add(page.attribute(id, "content").unwrap_or("")),
            "script" if page.attribute(id, "type").is_some_and(|kind| kind.contains("ld+json")) => {
                for child in page.children(id) {
                    let data = page.text(child).unwrap_or("");
                    for text in described_in(data) {
                        carried.add(text);
                    }
                    kinds[0] |= data.contains("Article\"") || data.contains("BlogPosting\"");
                    news |= data.contains("NewsArticle\"");
                    kinds[1] |= data.contains("\"Product\"");
                    kinds[2] |= data.contains("\"DiscussionForumPosting\"") || data.contains("\"QAPage\"");
                    kinds[3] |= data.contains("\"CollectionPage\"") || data.contains("\"ItemList\"");
                    kinds[4] |= data.contains("\"LocalBusiness\"")
                        || data.contains("\"Service\"")
                        || data.contains("\"FAQPage\"");
                }
            }
            _ => {}
        }
    }
    let path_depth = address.map_or(0, |url| url.path().split('/').filter(|part| !part.is_empty()).count());
    PageStats { title, kinds, news, path_depth, described, carried }
}

/// True for metadata that only news sites use: the section, keywords and access tier of an article.
fn is_news_metadata(page: &Page, id: Id) -> bool {
    ["name", "property"].iter().any(|attribute| {
        page.attribute(id, attribute).is_some_and(|name| {
            ["article:section", "news_keywords", "article:content_tier", "article:opinion"].contains(&name)
        })
    })
}

fn is_description(page: &Page, id: Id) -> bool {
    ["name", "property"].iter().any(|attribute| {
        page.attribute(id, attribute).is_some_and(|name| {
            name.eq_ignore_ascii_case("description") || name.eq_ignore_ascii_case("og:description")
        })
    })
}

/// Descriptions and bodies in JSON-LD. They are still escaped, which is sufficient to recognise phrases.
fn described_in(data: &str) -> impl Iterator<Item = &str> {
    ["\"description\"", "\"articleBody\"", "\"reviewBody\"", "\"text\""].into_iter().flat_map(move |name| {
        data.match_indices(name).take(20).filter_map(move |(at, _)| {
            let value =
                data[at + name.len()..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let end =
                value.match_indices('"').map(|(end, _)| end).find(|&end| !value[..end].ends_with('\\'))?;
            Some(&value[..end])
        })
    })
}
