//! Parts of an account export: settings of subscriptions, and rules. They can be imported for feeds that the account
//! follows. The values of headers, and logins, are never exported.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, SubscriptionId};
use extract::feed::feed_key;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::collections::{
    Collection, CollectionKind, CollectionSettings, list_collections, name_key, update_collection_settings,
};
use super::rewrites::Rewrite;
use super::rules::{NewRule, Rule, RuleAction, RuleKind, RulePart, RuleScope, create_rule, list_rules};
use super::source_kind::SourceKind;
use super::subscription::Subscription;
use super::subscriptions::{SubscriptionUpdate, list_subscriptions, update_subscription};
use kernel::error::not_found;
use kernel::json_bounds::count_values;
use kernel::{Code, Domain, Error, ImportedObjects, Millis, Result, address};
use notices::Channel;

/// Maximum number of rows per page.
const PAGE: u32 = 200;
/// Maximum number of JSON values and member names in imported settings.
const MAX_VALUES: usize = 1_000_000;

/// Collections, settings of subscriptions, and rules of an account.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ExportedSettings {
    #[serde(default)]
    collections: Vec<ExportedCollection>,
    #[serde(default)]
    subscriptions: Vec<ExportedSubscription>,
    #[serde(default)]
    rules: Vec<ExportedRule>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedCollection {
    name: String,
    /// True for the collection of the subscriptions that are in no other collection.
    #[serde(default)]
    is_unsorted: bool,
    read_after_days: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedSubscription {
    feed_url: String,
    title: String,
    #[serde(default)]
    collection: Option<String>,
    #[serde(default)]
    interval_minutes: Option<u32>,
    #[serde(default)]
    full_text: bool,
    #[serde(default)]
    text_selector: Option<String>,
    #[serde(default)]
    text_removals: Vec<String>,
    #[serde(default)]
    render_articles: bool,
    /// Rewrite rules. Parsed one by one; if one rule is from a newer version, only this subscription fails.
    #[serde(default)]
    rewrites: Vec<Value>,
    #[serde(default)]
    read_after_days: Option<u32>,
    #[serde(default)]
    show_original: bool,
    /// Names of headers that are sent for this account. Their values are not exported.
    #[serde(default)]
    header_names: Vec<String>,
    #[serde(default)]
    followed_at: Millis,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedRule {
    /// Feed to which the rule applies. `None` for all feeds.
    #[serde(default)]
    feed_url: Option<String>,
    action: String,
    part: String,
    kind: String,
    words: String,
    /// Tags for the items that the rule saves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    /// Channels to which the rule sends entries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    channels: Vec<ExportedChannel>,
}

/// Channel of a rule. Channels are not exported, because they contain secrets, so an import needs a channel with the same
/// kind and name.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedChannel {
    kind: String,
    name: String,
}

/// Exports collections, settings of subscriptions, and rules. Feeds of monitors are omitted, as in the list of
/// subscriptions.
#[boxed]
pub async fn export_settings(domain: &Domain, account_id: AccountId) -> Result<ExportedSettings> {
    let collections = list_collections(domain, account_id).await?;
    let channels = notices::list(domain, account_id).await?;
    let mut exported = ExportedSettings::default();
    for rule in list_rules(domain, account_id, None).await? {
        exported.rules.push(exported_rule(rule, None, &channels));
    }
    for subscription in all_subscriptions(domain, account_id).await? {
        for rule in list_rules(domain, account_id, Some(subscription.id)).await? {
            exported.rules.push(exported_rule(rule, Some(&subscription.feed_url), &channels));
        }
        let collection = collections.iter().find(|collection| {
            collection.id == subscription.collection_id && collection.kind == CollectionKind::Custom
        });
        exported.subscriptions.push(ExportedSubscription {
            collection: collection.map(|collection| collection.name.clone()),
            interval_minutes: interval_of(&subscription),
            feed_url: subscription.feed_url,
            title: subscription.title,
            full_text: subscription.full_text,
            text_selector: subscription.text_selector,
            text_removals: subscription.text_removals,
            render_articles: subscription.render_articles,
            rewrites: values_of(&subscription.rewrites)?,
            read_after_days: subscription.read_after_days,
            show_original: subscription.show_original,
            header_names: subscription.header_names,
            followed_at: subscription.created_at,
        });
    }
    exported.collections = collections
        .into_iter()
        .map(|collection| ExportedCollection {
            name: collection.name,
            is_unsorted: collection.kind == CollectionKind::Unsorted,
            read_after_days: collection.read_after_days,
        })
        .collect();
    Ok(exported)
}

/// Result of an import of settings. Objects are numbered consecutively: first the subscriptions, then the
/// rules, then the collections.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportedSettings {
    /// Settings of subscriptions and collections, and the feed URLs and names of those that failed.
    pub subscriptions: ImportedObjects,
    /// Rules, and the words of the rules that failed.
    pub rules: ImportedObjects,
}

/// Imports the settings of followed feeds and of collections, and rules, from JSON that contains
/// [`ExportedSettings`]. Repeated runs create no duplicates.
///
/// # Errors
/// Returns transient database errors. JSON that cannot be parsed is reported as a failure of object 1.
#[boxed]
pub async fn import_settings(
    domain: &Domain,
    account_id: AccountId,
    json: Vec<u8>,
) -> Result<ImportedSettings> {
    let mut imported = ImportedSettings::default();
    let Some(settings) = parse(json).await? else {
        imported.subscriptions.fail(1, "the file", Code::InvalidRequest);
        return Ok(imported);
    };
    let followed: HashMap<String, Subscription> = all_subscriptions(domain, account_id)
        .await?
        .into_iter()
        .filter_map(|subscription| Some((feed_key(&subscription.feed_url)?, subscription)))
        .collect();
    let followed_at = |url: &str| feed_key(url).and_then(|key| followed.get(&key));
    let mut number = 0;
    for exported in settings.subscriptions {
        number += 1;
        let url = exported.feed_url.clone();
        let name = address::without_user_info(&url).into_owned();
        let applied = match followed_at(&url) {
            Some(current) => apply(domain, account_id, current, exported).await,
            None => Err(not_found("subscription")),
        };
        imported.subscriptions.record(number, name, applied)?;
    }
    for rule in settings.rules {
        number += 1;
        let words = rule.words.clone();
        let subscription = rule.feed_url.as_deref().map(followed_at);
        let applied = match subscription {
            Some(None) => Err(not_found("subscription")),
            Some(Some(subscription)) => add_rule(domain, account_id, Some(subscription.id), &rule).await,
            None => add_rule(domain, account_id, None, &rule).await,
        };
        imported.rules.record(number, words, applied)?;
    }
    let collections = (number + 1..).zip(settings.collections);
    import_collections(domain, account_id, collections, &mut imported.subscriptions).await?;
    Ok(imported)
}

/// Imports the days after which unread entries of collections count as read. Collections are matched by name. A
/// collection that was exported without such days is not changed.
async fn import_collections(
    domain: &Domain,
    account_id: AccountId,
    collections: impl Iterator<Item = (u64, ExportedCollection)>,
    imported: &mut ImportedObjects,
) -> Result<()> {
    let existing = list_collections(domain, account_id).await?;
    for (number, exported) in collections {
        let Some(days) = exported.read_after_days else { continue };
        let is_same = |collection: &&Collection| match collection.kind {
            CollectionKind::Unsorted => exported.is_unsorted,
            CollectionKind::Custom => {
                !exported.is_unsorted && name_key(&collection.name) == name_key(&exported.name)
            }
        };
        let applied = match existing.iter().find(is_same) {
            Some(collection) => {
                let settings =
                    CollectionSettings { read_after_days: Some(Some(days)), ..CollectionSettings::default() };
                update_collection_settings(domain, account_id, collection.id, settings).await.map(drop)
            }
            None => Err(not_found("collection")),
        };
        imported.record(number, exported.name, applied)?;
    }
    Ok(())
}

async fn parse(json: Vec<u8>) -> Result<Option<ExportedSettings>> {
    let parsing = tokio::task::spawn_blocking(move || {
        let is_bounded = count_values(&json, MAX_VALUES).is_ok();
        if is_bounded { serde_json::from_slice(&json).ok() } else { None }
    });
    parsing.await.map_err(Error::internal)
}

async fn all_subscriptions(domain: &Domain, account_id: AccountId) -> Result<Vec<Subscription>> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = list_subscriptions(domain, account_id, None, after, PAGE).await?;
        all.extend(page.subscriptions.into_iter().filter(|one| one.source_kind == SourceKind::Feed));
        match page.next_after {
            Some(next) => after = Some(next),
            None => return Ok(all),
        }
    }
}

fn interval_of(subscription: &Subscription) -> Option<u32> {
    subscription.interval_minutes.and_then(|minutes| u32::try_from(minutes).ok())
}

/// Applies exported settings to a subscription. The interval is applied last, because the plan may not allow it.
async fn apply(
    domain: &Domain,
    account_id: AccountId,
    current: &Subscription,
    exported: ExportedSubscription,
) -> Result<()> {
    let has_same_text = current.full_text == exported.full_text
        && current.text_selector == exported.text_selector
        && current.text_removals == exported.text_removals;
    let has_same_rendering = current.render_articles == exported.render_articles;
    let rewrites = rewrites_of(exported.rewrites)?;
    let has_same_rewrites = current.rewrites == rewrites;
    let has_same_reading = current.read_after_days == exported.read_after_days
        && current.show_original == exported.show_original;
    if !has_same_text || !has_same_rendering || !has_same_reading || !has_same_rewrites {
        let update = SubscriptionUpdate {
            full_text: (!has_same_text).then_some(exported.full_text),
            text_selector: (!has_same_text).then_some(exported.text_selector),
            text_removals: (!has_same_text).then_some(exported.text_removals),
            render_articles: (!has_same_rendering).then_some(exported.render_articles),
            rewrites: (!has_same_rewrites).then_some(rewrites),
            read_after_days: Some(exported.read_after_days),
            show_original: Some(exported.show_original),
            ..SubscriptionUpdate::default()
        };
        update_subscription(domain, account_id, current.id, update).await?;
    }
    if interval_of(current) != exported.interval_minutes {
        let interval_minutes = Some(exported.interval_minutes);
        let update = SubscriptionUpdate { interval_minutes, ..SubscriptionUpdate::default() };
        update_subscription(domain, account_id, current.id, update).await?;
    }
    Ok(())
}

fn values_of(rules: &[Rewrite]) -> Result<Vec<Value>> {
    rules.iter().map(|rule| serde_json::to_value(rule).map_err(Error::internal)).collect()
}

/// Parses exported rewrite rules.
fn rewrites_of(values: Vec<Value>) -> Result<Vec<Rewrite>> {
    let unknown = |_| Error::new(Code::InvalidRequest, "A rule that rewrites entries is of an unknown kind.");
    values.into_iter().map(|value| serde_json::from_value(value).map_err(unknown)).collect()
}

/// Creates a rule for new entries, unless the account already has an identical rule.
async fn add_rule(
    domain: &Domain,
    account_id: AccountId,
    subscription_id: Option<SubscriptionId>,
    exported: &ExportedRule,
) -> Result<()> {
    let parsed = (
        RuleAction::parse(&exported.action),
        RulePart::parse(&exported.part),
        RuleKind::parse(&exported.kind),
    );
    let (Some(action), Some(part), Some(kind)) = parsed else {
        return Err(Error::new(Code::InvalidRequest, "The rule has an unknown action, part or kind."));
    };
    let (words, tags) = (exported.words.clone(), exported.tags.clone());
    let notify = imported_channels(domain, account_id, &exported.channels).await?;
    let new = NewRule { subscription_id, action, part, kind, words, tags, notify };
    let existing = list_rules(domain, account_id, subscription_id).await?;
    let is_same = |rule: &Rule| {
        (rule.action, rule.part, rule.kind) == (action, part, kind)
            && (&rule.words, &rule.tags, &rule.notify) == (&new.words, &new.tags, &new.notify)
    };
    if existing.iter().any(is_same) {
        return Ok(());
    }
    create_rule(domain, account_id, &new, RuleScope::NewEntries).await.map(drop)
}

/// Returns the account's channels whose kinds and names match exported channels, in the order of their ids.
async fn imported_channels(
    domain: &Domain,
    account_id: AccountId,
    exported: &[ExportedChannel],
) -> Result<Vec<ChannelId>> {
    if exported.is_empty() {
        return Ok(Vec::new());
    }
    let known = notices::list(domain, account_id).await?;
    let find = |channel: &ExportedChannel| {
        let matching = known.iter().find(|known| *channel == exported_channel(known));
        matching.map(|known| known.id).ok_or_else(notices::unknown_channel)
    };
    let mut ids = exported.iter().map(find).collect::<Result<Vec<ChannelId>>>()?;
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

fn exported_channel(channel: &Channel) -> ExportedChannel {
    ExportedChannel { kind: channel.kind.as_str().to_owned(), name: channel.name.clone() }
}

fn exported_rule(rule: Rule, feed_url: Option<&str>, channels: &[Channel]) -> ExportedRule {
    let notified = channels.iter().filter(|channel| rule.notify.contains(&channel.id));
    ExportedRule {
        feed_url: feed_url.map(str::to_owned),
        action: rule.action.as_str().to_owned(),
        part: rule.part.as_str().to_owned(),
        kind: rule.kind.as_str().to_owned(),
        words: rule.words,
        tags: rule.tags,
        channels: notified.map(exported_channel).collect(),
    }
}
