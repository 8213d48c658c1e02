//! What type of page this is, told from its address and from what its units look like on the whole.

use url::Url;

use super::{features::Table, gbdt};

/// A type of page, as far as it matters for what its main part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageType {
    /// One text: news, a post, an essay.
    Article,
    /// What several people wrote one after the other.
    Forum,
    /// One thing that is sold or described.
    Product,
    /// Entries of one kind: jobs, results, events.
    Listing,
    /// A shop's or a library's shelf.
    Collection,
    /// Instructions with code and tables.
    Documentation,
    /// What somebody offers: a service, a company, a person.
    Service,
}

/// In the order in which the classifiers of the types follow each other.
const TYPES: [PageType; 7] = [
    PageType::Article,
    PageType::Forum,
    PageType::Product,
    PageType::Listing,
    PageType::Collection,
    PageType::Documentation,
    PageType::Service,
];

/// How probable each type is.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Types {
    /// In the order of `PageType`; all 0 where nothing could be told.
    pub(super) probabilities: [f32; 7],
}

impl Types {
    /// Judges a page by its features.
    pub(super) fn of(page: &[f32]) -> Self {
        let rounds = gbdt::rounds().get(2..).unwrap_or_default();
        if rounds.len() != TYPES.len() || rounds.iter().any(|round| round.features() != page.len()) {
            return Self::default();
        }
        let mut probabilities = [0.0; 7];
        for (probability, round) in probabilities.iter_mut().zip(rounds) {
            *probability = round.scores(&[page]).first().copied().unwrap_or(0.0).exp();
        }
        let all: f32 = probabilities.iter().sum();
        Self { probabilities: probabilities.map(|one| one / all) }
    }

    /// Certainty, for tests of what follows from it.
    #[cfg(test)]
    pub(crate) fn certain(is: PageType) -> Self {
        Self { probabilities: TYPES.map(|kind| f32::from(u8::from(kind == is))) }
    }

    /// The most probable type.
    pub(crate) fn best(&self) -> PageType {
        let best =
            TYPES.into_iter().max_by(|one, other| self.share(&[*one]).total_cmp(&self.share(&[*other])));
        best.filter(|best| self.share(&[*best]) > 0.0).unwrap_or(PageType::Article)
    }

    /// How probable it is that the page is of one of these types.
    pub(crate) fn share(&self, of: &[PageType]) -> f32 {
        TYPES
            .iter()
            .zip(self.probabilities)
            .filter(|(kind, _)| of.contains(kind))
            .map(|(_, share)| share)
            .sum()
    }
}

/// Words of addresses that tell what a page is, by what they tell.
const WORDS: [&[&str]; 8] = [
    &[
        "forum",
        "forums",
        "thread",
        "threads",
        "topic",
        "topics",
        "t",
        "viewtopic",
        "showthread",
        "questions",
        "discussion",
        "discussions",
        "comments",
        "community",
        "r",
        "q",
    ],
    &["product", "products", "p", "dp", "item", "itm", "sku", "buy", "ip", "pd"],
    &[
        "category",
        "categories",
        "collections",
        "collection",
        "c",
        "shop",
        "store",
        "catalog",
        "browse",
        "all",
        "cat",
        "b",
        "s",
        "search",
    ],
    &[
        "docs",
        "doc",
        "documentation",
        "api",
        "reference",
        "manual",
        "guide",
        "guides",
        "en",
        "latest",
        "stable",
        "learn",
        "tutorial",
    ],
    &["blog", "blogs", "news", "article", "articles", "story", "stories", "post", "posts"],
    &["services", "service", "solutions", "features", "pricing", "about", "company", "platform", "contact"],
    &[
        "tag",
        "tags",
        "topic",
        "section",
        "archive",
        "archives",
        "jobs",
        "list",
        "events",
        "directory",
        "listings",
        "page",
    ],
    &["html", "htm", "php", "aspx"],
];

/// Features of a page: what its units are like in the mean, and what its address says.
pub(super) fn features(table: &Table, words: &[f32], address: Option<&Url>) -> Vec<f32> {
    let mut sums = vec![0.0; table.width];
    let all: f32 = words.iter().sum::<f32>().max(1.0);
    for (unit, words) in words.iter().enumerate() {
        for (sum, value) in sums.iter_mut().zip(table.row(unit)) {
            *sum += value * words / all;
        }
    }
    sums.extend(of_address(address));
    sums
}

fn of_address(address: Option<&Url>) -> [f32; 11] {
    let mut told = [0.0; 11];
    let Some(address) = address else { return told };
    let host = address.host_str().unwrap_or("").to_lowercase();
    let path = address.path().to_lowercase();
    for part in path.split(['/', '.']).chain(host.split('.').take(1)) {
        for (told, words) in told.iter_mut().zip(WORDS) {
            if words.contains(&part) {
                *told = 1.0;
            }
        }
    }
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    told[8] = f32::from(u8::try_from(last.matches('-').count().min(20)).unwrap_or(0));
    told[9] = f32::from(u8::try_from(path.bytes().filter(u8::is_ascii_digit).count().min(20)).unwrap_or(0));
    told[10] = f32::from(u8::from(address.query().is_some()));
    told
}
