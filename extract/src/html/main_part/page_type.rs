//! Classifies the type of a page by its URL and the average features of its units.

use url::Url;

use super::{features::FeatureTable, gbdt};
use crate::page::Types;

/// Probability of each page type, from the features of the page. All are 0 if the page cannot be classified.
pub(super) fn classify(page: &[f32]) -> Types {
    let rounds = gbdt::rounds().get(2..).unwrap_or_default();
    let mut probabilities = [0.0; 7];
    if rounds.len() != probabilities.len() || rounds.iter().any(|round| round.features() != page.len()) {
        return Types::default();
    }
    for (probability, round) in probabilities.iter_mut().zip(rounds) {
        *probability = round.scores(&[page]).first().copied().unwrap_or(0.0).exp();
    }
    let all: f32 = probabilities.iter().sum();
    Types::new(probabilities.map(|one| one / all))
}

/// Words in URLs that indicate a page type, grouped by type.
const WORDS: [&[&str]; 8] = [
    &[
        "forum", "forums", "thread", "threads", "topic", "topics", "t", "viewtopic", "showthread",
        "questions", "discussion", "discussions", "comments", "community", "r", "q",
    ],
    &["product", "products", "p", "dp", "item", "itm", "sku", "buy", "ip", "pd"],
    &[
        "category", "categories", "collections", "collection", "c", "shop", "store", "catalog", "browse",
        "all", "cat", "b", "s", "search",
    ],
    &[
        "docs", "doc", "documentation", "api", "reference", "manual", "guide", "guides", "en", "latest",
        "stable", "learn", "tutorial",
    ],
    &["blog", "blogs", "news", "article", "articles", "story", "stories", "post", "posts"],
    &["services", "service", "solutions", "features", "pricing", "about", "company", "platform", "contact"],
    &[
        "tag", "tags", "topic", "section", "archive", "archives", "jobs", "list", "events", "directory",
        "listings", "page",
    ],
    &["html", "htm", "php", "aspx"],
];

/// Features of a page: the weighted mean of the features of its units, and features of its URL.
pub(super) fn features(table: &FeatureTable, words: &[f32], address: Option<&Url>) -> Vec<f32> {
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
    let mut values = [0.0; 11];
    let Some(address) = address else { return values };
    let host = address.host_str().unwrap_or("").to_lowercase();
    let path = address.path().to_lowercase();
    for part in path.split(['/', '.']).chain(host.split('.').take(1)) {
        for (value, words) in values.iter_mut().zip(WORDS) {
            if words.contains(&part) {
                *value = 1.0;
            }
        }
    }
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    values[8] = f32::from(u8::try_from(last.matches('-').count().min(20)).unwrap_or(0));
    values[9] = f32::from(u8::try_from(path.bytes().filter(u8::is_ascii_digit).count().min(20)).unwrap_or(0));
    values[10] = f32::from(u8::from(address.query().is_some()));
    values
}
