//! Feeds that are suggested to new accounts, by topic. The list is compiled into the program.

use std::sync::LazyLock;

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use serde::Deserialize;

use super::follow::{Follow, follow};
use kernel::{Domain, Result};

const LIST: &str = include_str!("suggestions.json");

static TOPICS: LazyLock<Vec<SuggestedTopic>> =
    LazyLock::new(|| serde_json::from_str(LIST).unwrap_or_default());

/// Topic with its suggested feeds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuggestedTopic {
    pub name: String,
    pub feeds: Vec<SuggestedFeed>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuggestedFeed {
    pub title: String,
    /// Address of the feed itself.
    pub url: String,
    /// Content of the feed, in one sentence.
    pub about: String,
}

/// Returns the topics with their suggested feeds.
pub fn suggested_topics() -> &'static [SuggestedTopic] {
    &TOPICS
}

/// Follows the addresses that are suggested, and returns their number. Other addresses are ignored: only
/// suggested feeds are followed without a check that the address is a feed.
///
/// # Errors
/// `limit_reached` if the plan allows no more feeds. The feeds before the limit are followed.
#[boxed]
pub async fn follow_suggested(domain: &Domain, account_id: AccountId, urls: &[String]) -> Result<usize> {
    let all = TOPICS.iter().flat_map(|topic| &topic.feeds);
    let chosen: Vec<&SuggestedFeed> = all.filter(|feed| urls.contains(&feed.url)).collect();
    for feed in &chosen {
        let new =
            Follow { feed_url: feed.url.clone(), feed_title: Some(feed.title.clone()), ..Follow::default() };
        follow(domain, account_id, new).await?;
    }
    Ok(chosen.len())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn suggestions_are_complete_short_and_distinct() {
        let topics: Vec<SuggestedTopic> = serde_json::from_str(LIST).expect("the list is valid");
        assert!((4..=10).contains(&topics.len()));
        let (mut names, mut urls) = (HashSet::new(), HashSet::new());
        for topic in &topics {
            assert!(names.insert(&topic.name) && topic.name.trim() == topic.name, "{topic:?}");
            assert!((3..=8).contains(&topic.feeds.len()), "{topic:?}");
            for feed in &topic.feeds {
                let url = url::Url::parse(&feed.url).expect("the address is valid");
                assert_eq!((url.scheme(), url.as_str()), ("https", feed.url.as_str()));
                assert!(urls.insert(&feed.url), "{feed:?}");
                assert!((1..=60).contains(&feed.title.chars().count()), "{feed:?}");
                assert!(feed.about.ends_with('.') && feed.about.chars().count() <= 80, "{feed:?}");
            }
        }
    }
}
