//! Which text of a page is its main part: each unit of text is judged by what it says and where it stands.

mod characters;
mod classify;
mod columns;
pub(crate) mod cues;
mod entries;
mod features;
mod gbdt;
mod headline;
mod marks;
mod page_type;
mod phrases;
mod postprocess;
mod shown;
mod siblings;
mod units;

pub(crate) use self::{
    gbdt::load_override,
    page_type::{PageType, Types},
    units::{is_silent, is_substitute},
};

use url::Url;

use self::{
    features::{Table, Whole},
    phrases::Phrases,
    siblings::Siblings,
    units::Units,
};
use super::tree::{Id, Page};

/// What was judged of a page.
pub(crate) struct MainPart {
    /// For each node, whether it belongs to the main part.
    pub(crate) keep: Vec<bool>,
    pub(crate) types: Types,
}

/// A page as its classifiers see it.
struct Prepared {
    units: Units,
    /// Features of each unit.
    table: Table,
    /// Words of each unit, by which it weighs.
    words: Vec<f32>,
    siblings: Siblings,
    /// Features of the page as a whole.
    features: Vec<f32>,
}

impl Prepared {
    fn of(page: &Page, address: Option<&Url>, hidden: &[bool]) -> Self {
        let (units, sums) = units::split(page, hidden);
        let whole = describe(page, address);
        let forms = siblings::forms(page);
        let table = features::table(page, &units, &sums, &whole, &forms);
        let words = table.weights();
        let features = page_type::features(&table, &words, address);
        let siblings = Siblings::of(page, &units, &forms);
        Self { units, table, words, siblings, features }
    }
}

/// A page as the fitting of its classifiers sees it.
#[derive(Debug, Default, serde::Serialize)]
pub struct Described {
    /// Names of the features of a unit.
    pub columns: Vec<String>,
    /// Text, features, groups of siblings and kin of each unit, in the order of the page.
    pub units: Vec<(String, Vec<f32>, [usize; 2], siblings::Kin)>,
    /// Features of the page as a whole.
    pub page: Vec<f32>,
}

/// Judges a page.
pub(crate) fn find(page: &Page, address: Option<&Url>, hidden: &[bool]) -> MainPart {
    let prepared = Prepared::of(page, address, hidden);
    let Prepared { units, table, words, siblings, features } = &prepared;
    let types = Types::of(features);
    let Some(mut kept_units) = classify::keep(table, words, siblings, &types) else {
        return MainPart { keep: vec![false; page.len()], types };
    };
    postprocess::complete(page, units, &mut kept_units);
    postprocess::keep_headings(page, units, siblings, &mut kept_units);
    entries::complete(page, units, &mut kept_units);
    // The headline of an article is told by its title; what a heading says of other things is said nowhere else.
    let has_title = types.share(&[PageType::Article, PageType::Forum]) > 0.5;
    if !has_title || units.len() < units::SMALL_PAGE_UNITS {
        headline::keep(page, units, &mut kept_units);
    }
    if types.share(&[PageType::Article]) > 0.5 {
        postprocess::drop_inserts(page, units, &mut kept_units);
    }
    let once = types.share(&[PageType::Product, PageType::Forum]) > 0.5;
    postprocess::drop_copies(page, units, siblings, once, &mut kept_units);
    postprocess::keep_notes(page, units, hidden, &mut kept_units);
    let mut keep = vec![false; page.len()];
    for (unit, _) in units.iter().zip(kept_units).filter(|(_, kept)| *kept) {
        for &text in &unit.texts {
            keep[text] = true;
        }
    }
    shown::keep(page, units, hidden, &mut keep);
    // What holds something that is kept is kept.
    for id in (1..page.len()).rev() {
        if keep[id] {
            keep[page.parent(id)] = true;
        }
    }
    MainPart { keep, types }
}

/// Describes a page for the fitting of the classifiers.
pub(crate) fn described(page: &Page, address: Option<&Url>, hidden: &[bool]) -> Described {
    let Prepared { units, table, siblings, features, .. } = Prepared::of(page, address, hidden);
    let rows = units.iter().zip(&siblings.groups).zip(&siblings.kin).enumerate();
    Described {
        columns: columns::of_unit(),
        units: rows
            .map(|(index, ((unit, groups), kin))| {
                (unit.text.trim().to_owned(), table.row(index).to_vec(), *groups, *kin)
            })
            .collect(),
        page: features,
    }
}

/// What the head and the address say of the page.
fn describe(page: &Page, address: Option<&Url>) -> Whole {
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
            "meta" if is_of_news(page, id) => news = true,
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
    Whole { title, kinds, news, path_depth, described, carried }
}

/// What only newspapers state: the section and the keywords of an article, whom it is shown to.
fn is_of_news(page: &Page, id: Id) -> bool {
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

/// Descriptions and bodies in JSON-LD, as they stand in the source: exact enough to recognise phrases.
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
