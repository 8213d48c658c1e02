//! Evaluates the rules of all followers of a feed on its new entries in one pass. Rules are evaluated before
//! ids are assigned to the entries, because other writers wait during the assignment. The results are written
//! with the entries.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher;
use std::time::Duration;

use entities::ids::{AccountId, ChannelId, EntryId, FeedId, RuleId, SubscriptionId};
use entities::rss_rule;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, Value};

use super::super::entry::{PUBLISHED, categories_of_column, enclosures_of_column};
use super::super::expressions::{CpuClock, thread_cpu_time};
use super::super::sql::value_rows;
use super::matching::{
    ACCOUNT_TIME_LIMIT, BODY_TIME_LIMIT, EntryFields, MatchOutcome, Matcher, PreparedEntry, RULE_TIME_LIMIT,
};
use super::rule::{RuleAction, RuleKind, RulePart, SAVE_RULES_PER_ENTRY, channels_of, words_of};
use super::saves;
use kernel::statement::columns_of;
use kernel::statement::{execute, placeholders, scalar, statement};
use kernel::{Error, Millis, Result};

/// Number of rows per statement.
const STEP: usize = 200;

/// New entry: its key within the feed, and its content.
pub(crate) type KeyedEntry = (i64, EntryFields);

/// Results of evaluating rules on the entries of a feed. Each match is the key of an entry and the rule that
/// applies to it.
#[derive(Debug, Default)]
pub(crate) struct Decisions {
    pub(super) matches: Vec<(i64, RuleId)>,
    /// Matches that drop the entry for an account.
    dropped: Vec<(i64, RuleId)>,
    /// Matches that star or save the entry, in addition to `matches`.
    pub(super) saves: Vec<(i64, RuleId)>,
    /// Matches that send the entry to channels, in addition to `saves`.
    pub(super) notices: Vec<(i64, RuleId)>,
    /// Rules that exceeded the time limit of a single rule. They are disabled.
    pub(super) stopped: Vec<RuleId>,
    /// Number of rules that were skipped because other rules had used up the time. They remain enabled.
    pub(super) skipped: usize,
}

/// Join with the enabled rules that apply to the subscriptions `s`.
const RULES_OF_SUBSCRIPTIONS: &str = "rss_rule r ON r.account_id = s.account_id \
     AND (r.subscription_id IS NULL OR r.subscription_id = s.id) AND r.stopped_at IS NULL";

/// An enabled rule.
pub(crate) struct ActiveRule {
    pub(super) id: RuleId,
    pub(super) account_id: AccountId,
    pub(super) action: RuleAction,
    pub(super) part: RulePart,
    pub(super) kind: RuleKind,
    pub(super) words: String,
    /// Channels to which the rule sends entries.
    pub(super) notify: Vec<ChannelId>,
}

impl ActiveRule {
    pub(super) fn of(row: rss_rule::Model) -> Result<Self> {
        let ((action, part, kind), notify) = (words_of(&row)?, channels_of(&row)?);
        Ok(Self { id: row.id, account_id: row.account_id, action, part, kind, words: row.words, notify })
    }
}

/// Evaluates the rules of a feed's followers on its new entries.
pub(crate) async fn decide(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed_id: FeedId,
    arrived: impl FnOnce() -> Vec<KeyedEntry>,
) -> Result<Decisions> {
    decide_with(active_rules(connection, feed_id, None).await?, now, feed_id, arrived).await
}

/// Evaluates the given rules of a feed's followers on its new entries.
pub(crate) async fn decide_with(
    rules: Vec<ActiveRule>,
    now: Millis,
    feed_id: FeedId,
    arrived: impl FnOnce() -> Vec<KeyedEntry>,
) -> Result<Decisions> {
    if rules.is_empty() {
        return Ok(Decisions::default());
    }
    let decisions = evaluate(rules, arrived(), now).await?;
    if decisions.skipped > 0 {
        tracing::warn!(feed = %feed_id, rules = decisions.skipped, "rules skipped: time limit reached");
    }
    Ok(decisions)
}

/// Evaluates the rules of a new follower on the existing entries after the follower's read watermark.
pub(crate) async fn decide_existing(
    connection: &impl ConnectionTrait,
    now: Millis,
    (id, feed_id): (SubscriptionId, FeedId),
    read_through: EntryId,
) -> Result<Decisions> {
    let rules = active_rules(connection, feed_id, Some(id)).await?;
    if rules.is_empty() {
        return Ok(Decisions::default());
    }
    let sql = format!(
        "SELECT e.entry_key, {} FROM feed_entry e WHERE e.feed_id = $1 AND e.id > $2",
        field_columns()
    );
    let rows =
        connection.query_all_raw(statement(connection, &sql, [feed_id.into(), read_through.into()])).await?;
    let present = rows
        .iter()
        .map(|row| Ok((row.try_get_by_index(0)?, fields_of_row(row, 1)?)))
        .collect::<Result<_>>()?;
    evaluate(rules, present, now).await
}

/// Returns the columns of an entry `e` that [`fields_of_row`] reads.
pub(super) fn field_columns() -> String {
    format!("e.title, e.author, e.summary, e.content, e.url, e.enclosures, e.categories, {PUBLISHED}")
}

/// Reads the content of an entry from a row. The columns of [`field_columns`] start at column `at`.
pub(super) fn fields_of_row(row: &sea_orm::QueryResult, at: usize) -> Result<EntryFields> {
    let text = |column: usize| row.try_get_by_index::<Option<String>>(at + column);
    Ok(EntryFields {
        title: text(0)?,
        author: text(1)?,
        summary: text(2)?,
        content: text(3)?,
        url: text(4)?,
        enclosures: enclosures_of_column(text(5)?),
        categories: categories_of_column(text(6)?).names,
        published_at: row.try_get_by_index(at + 7)?,
        is_ahead: false,
    })
}

/// Returns the enabled rules for the entries of a feed. If `only` is set, returns only those of this
/// subscription.
async fn active_rules(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    only: Option<SubscriptionId>,
) -> Result<Vec<ActiveRule>> {
    let sql = format!(
        "SELECT r.* FROM rss_subscription s JOIN {RULES_OF_SUBSCRIPTIONS} \
         WHERE s.feed_id = $1 AND ($2 = 0 OR s.id = $2) ORDER BY r.id"
    );
    let only = only.map_or(0, SubscriptionId::as_i64);
    let rows = connection.query_all_raw(statement(connection, &sql, [feed_id.into(), only.into()])).await?;
    rows.iter().map(|row| ActiveRule::of(rss_rule::Model::from_query_result(row, "")?)).collect()
}

/// Returns the given accounts that have enabled rules.
pub async fn accounts_with_rules(
    connection: &impl ConnectionTrait,
    account_ids: &HashSet<AccountId, impl BuildHasher + Sync>,
) -> Result<HashSet<AccountId>> {
    if account_ids.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = format!(
        "SELECT DISTINCT account_id FROM rss_rule WHERE stopped_at IS NULL AND account_id IN ({})",
        placeholders(1, account_ids.len())
    );
    let ids = account_ids.iter().map(|id| Value::from(*id));
    let rows = connection.query_all_raw(statement(connection, &sql, ids)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Returns the given feeds that are followed, with the rules of their followers. Intended for feeds with few
/// followers.
pub(crate) async fn followed(
    connection: &impl ConnectionTrait,
    feed_ids: &[FeedId],
) -> Result<HashMap<FeedId, Vec<ActiveRule>>> {
    let sql = format!(
        "SELECT s.feed_id AS followed_id, {} FROM rss_subscription s LEFT JOIN {RULES_OF_SUBSCRIPTIONS} \
         WHERE s.feed_id IN ({}) ORDER BY r.id",
        columns_of::<rss_rule::Entity>("r"),
        placeholders(1, feed_ids.len())
    );
    let ids = feed_ids.iter().map(|id| Value::from(*id));
    let mut rules_by_feed: HashMap<FeedId, Vec<ActiveRule>> = HashMap::with_capacity(feed_ids.len());
    for row in connection.query_all_raw(statement(connection, &sql, ids)).await? {
        let rules = rules_by_feed.entry(row.try_get("", "followed_id")?).or_default();
        if row.try_get::<Option<RuleId>>("r_", "id")?.is_some() {
            rules.push(ActiveRule::of(rss_rule::Model::from_query_result(&row, "r_")?)?);
        }
    }
    Ok(rules_by_feed)
}

/// Evaluates rules on entries, on a blocking thread.
pub(super) async fn evaluate(
    rules: Vec<ActiveRule>,
    entries: Vec<KeyedEntry>,
    now: Millis,
) -> Result<Decisions> {
    let evaluation = move || evaluate_timed(&rules, &entries, now, &thread_cpu_time);
    tokio::task::spawn_blocking(evaluation).await.map_err(Error::internal)
}

/// Evaluates rules and measures their time with `clock`. Rules for words are cheap and run first. Equal
/// patterns are evaluated only once, even if they belong to different accounts.
fn evaluate_timed(
    rules: &[ActiveRule],
    arrived: &[KeyedEntry],
    now: Millis,
    clock: CpuClock<'_>,
) -> Decisions {
    let entries: Vec<PreparedEntry> =
        arrived.iter().map(|(_, fields)| PreparedEntry::new(fields, now)).collect();
    let mut decisions = Decisions::default();
    let mut outcomes: HashMap<(RulePart, RuleKind, &str), MatchOutcome> = HashMap::new();
    let mut by_account: HashMap<AccountId, Vec<(&ActiveRule, Vec<bool>)>> = HashMap::new();
    let mut spent: HashMap<AccountId, Duration> = HashMap::new();
    let begun = clock();
    let (words, expressions): (Vec<&ActiveRule>, _) =
        rules.iter().partition(|rule| rule.kind == RuleKind::Words);
    for rule in words.into_iter().chain(expressions) {
        let (spent, before) = (spent.entry(rule.account_id).or_default(), clock());
        let left = ACCOUNT_TIME_LIMIT
            .saturating_sub(*spent)
            .min(BODY_TIME_LIMIT.saturating_sub(before.saturating_sub(begun)));
        let pattern = (rule.part, rule.kind, rule.words.as_str());
        let outcome = match outcomes.get(&pattern) {
            Some(outcome) => outcome.clone(),
            None if left.is_zero() => MatchOutcome::NoTimeLeft,
            // A pattern that a newer version of the service rejects is treated as too slow.
            None => Matcher::new(rule.part, rule.kind, &rule.words)
                .map_or(MatchOutcome::TooSlow, |matcher| matcher.match_all(&entries, clock, left)),
        };
        *spent += clock().saturating_sub(before).min(RULE_TIME_LIMIT);
        match outcome.clone() {
            MatchOutcome::Matched(matched) => {
                by_account.entry(rule.account_id).or_default().push((rule, matched));
            }
            MatchOutcome::TooSlow => decisions.stopped.push(rule.id),
            // This outcome is not stored, because another account may have time left for the same pattern.
            MatchOutcome::NoTimeLeft => {
                decisions.skipped += 1;
                continue;
            }
        }
        outcomes.insert(pattern, outcome);
    }
    for mut rules in by_account.into_values() {
        rules.sort_by_key(|(rule, _)| rule.id);
        for (at, (key, _)) in arrived.iter().enumerate() {
            let matched = rules.iter().filter(|(_, matched)| matched[at]).map(|(rule, _)| *rule);
            decisions.add(*key, &matched.collect::<Vec<_>>());
        }
    }
    decisions
}

impl Decisions {
    /// Adds the actions on one entry: at most one that hides it or marks it as read, one that stars it,
    /// [`SAVE_RULES_PER_ENTRY`] that save it, and, if it remains unread, those that send it to further channels.
    /// `matched` are the matching rules of one account, oldest first.
    fn add(&mut self, key: i64, matched: &[&ActiveRule]) {
        let first = |action: RuleAction| matched.iter().find(|rule| rule.action == action);
        let actions = [RuleAction::Drop, RuleAction::Mute, RuleAction::Read];
        let mut is_unread = true;
        if first(RuleAction::Keep).is_none()
            && let Some(rule) = actions.into_iter().find_map(first)
        {
            self.matches.push((key, rule.id));
            is_unread = false;
            if rule.action == RuleAction::Drop {
                self.dropped.push((key, rule.id));
                return;
            }
        }
        let of = |action: RuleAction| matched.iter().filter(move |rule| rule.action == action);
        let saving = of(RuleAction::Star).take(1).chain(of(RuleAction::Save).take(SAVE_RULES_PER_ENTRY));
        self.saves.extend(saving.map(|rule| (key, rule.id)));
        let mut notified: HashSet<ChannelId> = HashSet::new();
        for rule in of(RuleAction::Notify).filter(|_| is_unread) {
            if rule.notify.iter().any(|id| !notified.contains(id)) {
                notified.extend(&rule.notify);
                self.notices.push((key, rule.id));
            }
        }
    }
}

/// Returns the keys of the entries that every follower of the feed drops.
pub(crate) async fn dropped_by_all(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    decisions: &Decisions,
) -> Result<HashSet<i64>> {
    if decisions.dropped.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = "SELECT count(*) FROM rss_subscription WHERE feed_id = $1";
    let followers = scalar(connection, sql, [feed_id.into()]).await?;
    // Each account has at most one match per entry.
    let mut counts: HashMap<i64, i64> = HashMap::new();
    for (key, _) in &decisions.dropped {
        *counts.entry(*key).or_default() += 1;
    }
    Ok(counts.into_iter().filter(|(_, count)| *count >= followers).map(|(key, _)| key).collect())
}

/// Writes the decisions about entries of a feed. At this point, all entries have ids, except entries that are
/// not stored.
pub(crate) async fn write(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    decisions: &Decisions,
) -> Result<()> {
    for chunk in decisions.matches.chunks(STEP) {
        let sql = format!(
            "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread, muted_by) \
             SELECT r.account_id, e.feed_id, e.id, FALSE, CASE WHEN r.action IN ('mute', 'drop') THEN r.id END \
             FROM (VALUES {}) v JOIN rss_rule r ON r.id = v.column2 \
             JOIN feed_entry e ON e.feed_id = $1 AND e.entry_key = v.column1 WHERE TRUE \
             ON CONFLICT (account_id, feed_id, entry_id) DO UPDATE SET unread = excluded.unread, \
             muted_by = excluded.muted_by",
            value_rows(2, chunk.len(), &["bigint", "bigint"])
        );
        let mut values: Vec<Value> = vec![feed_id.into()];
        values.extend(chunk.iter().flat_map(|(key, rule)| [Value::from(*key), Value::from(*rule)]));
        execute(transaction, &sql, values).await?;
    }
    saves::request(transaction, now, feed_id, &decisions.saves).await?;
    let mut counts: BTreeMap<RuleId, i64> = BTreeMap::new();
    for (_, rule) in &decisions.dropped {
        *counts.entry(*rule).or_default() += 1;
    }
    for (rule, count) in counts {
        let sql = "UPDATE rss_rule SET dropped = dropped + $1 WHERE id = $2";
        execute(transaction, sql, [count.into(), rule.into()]).await?;
    }
    disable(transaction, now, &decisions.stopped).await
}

/// Disables rules that exceeded their time limit.
pub(super) async fn disable(connection: &impl ConnectionTrait, now: Millis, ids: &[RuleId]) -> Result<()> {
    for chunk in ids.chunks(STEP) {
        let sql =
            format!("UPDATE rss_rule SET stopped_at = $1 WHERE id IN ({})", placeholders(2, chunk.len()));
        let mut values: Vec<Value> = vec![now.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(connection, &sql, values).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Returns one expression rule for each of `count` accounts. All patterns are different.
    fn of_followers(count: u128) -> Vec<ActiveRule> {
        let rule = |number: u128| ActiveRule {
            id: RuleId::new(i64::try_from(number).unwrap()),
            account_id: AccountId::from_u128(number),
            action: RuleAction::Mute,
            part: RulePart::Title,
            kind: RuleKind::Expression,
            words: format!("^advert|{number}$"),
            notify: Vec::new(),
        };
        (1..=count).map(rule).collect()
    }

    fn adverts(count: i64) -> Vec<KeyedEntry> {
        (0..count)
            .map(|key| (key, EntryFields { title: Some("Advert".to_owned()), ..EntryFields::default() }))
            .collect()
    }

    /// Evaluates rules with a clock that advances by `step` each time it is read.
    fn evaluate_with_step(step: Duration, rules: &[ActiveRule]) -> Decisions {
        let now = Cell::new(Duration::ZERO);
        let clock = || {
            now.set(now.get() + step);
            now.get()
        };
        evaluate_timed(rules, &adverts(1), 0, &clock)
    }

    #[test]
    fn star_and_save_apply_in_addition_to_other_actions_except_drop() {
        use RuleAction::{Drop, Keep, Mute, Read, Save, Star};
        let rules_of = |actions: &[RuleAction]| -> Vec<ActiveRule> {
            let mut rules = of_followers(actions.len() as u128);
            for (rule, action) in rules.iter_mut().zip(actions) {
                (rule.account_id, rule.action) = (AccountId::from_u128(1), *action);
            }
            rules
        };
        let decided = |actions: &[RuleAction]| {
            let decisions = evaluate_with_step(Duration::ZERO, &rules_of(actions));
            let ids = |matches: Vec<(i64, RuleId)>| {
                matches.into_iter().map(|(_, id)| id.as_i64()).collect::<Vec<_>>()
            };
            (ids(decisions.matches), ids(decisions.saves))
        };
        assert_eq!(decided(&[Star, Save, Save, Read]), (vec![4], vec![1, 2, 3]));
        assert_eq!(decided(&[Mute, Star]), (vec![1], vec![2]));
        assert_eq!(decided(&[Keep, Drop, Save]), (vec![], vec![3]));
        assert_eq!(decided(&[Save, Star, Drop]), (vec![3], vec![]));
        assert_eq!(decided(&[Star, Star, Save]), (vec![], vec![1, 3]));
        assert_eq!(decided(&[Save; 100]), (vec![], vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
    }

    #[test]
    fn notify_rules_apply_to_unread_entries_until_no_channel_is_left() {
        use RuleAction::{Keep, Mute, Notify, Save};
        let decided = |rules: &[(RuleAction, &[u128])]| {
            let mut active = of_followers(rules.len() as u128);
            for (rule, (action, channels)) in active.iter_mut().zip(rules) {
                (rule.account_id, rule.action) = (AccountId::from_u128(1), *action);
                rule.notify = channels.iter().map(|id| ChannelId::from_u128(*id)).collect();
            }
            let decisions = evaluate_with_step(Duration::ZERO, &active);
            decisions.notices.into_iter().map(|(_, id)| id.as_i64()).collect::<Vec<_>>()
        };
        assert_eq!(decided(&[(Notify, &[1]), (Save, &[]), (Notify, &[1, 2]), (Notify, &[2])]), [1, 3]);
        assert_eq!(decided(&[(Notify, &[1]), (Mute, &[])]), Vec::<i64>::new());
        assert_eq!(decided(&[(Keep, &[]), (Notify, &[1]), (Mute, &[])]), [2]);
        assert_eq!(decided(&[(Notify, &[])]), Vec::<i64>::new(), "its channels were deleted");
    }

    #[test]
    fn rules_of_all_followers_share_five_seconds_and_stay_enabled() {
        let decisions = evaluate_with_step(RULE_TIME_LIMIT / 5, &of_followers(200));
        // The clock is read four times per rule.
        assert_eq!((decisions.stopped.len(), decisions.matches.len()), (0, 25));
        assert_eq!(decisions.skipped, 175);
    }

    #[test]
    fn rule_over_its_own_time_limit_is_disabled() {
        let decisions = evaluate_with_step(RULE_TIME_LIMIT * 2, &of_followers(1));
        assert_eq!((decisions.stopped, decisions.skipped), (vec![RuleId::new(1)], 0));
    }

    #[test]
    fn account_with_many_slow_rules_does_not_use_the_time_of_other_accounts() {
        let mut rules = of_followers(30);
        for rule in &mut rules[..20] {
            rule.account_id = AccountId::from_u128(99);
        }
        let decisions = evaluate_with_step(RULE_TIME_LIMIT / 5, &rules);
        let others = decisions.matches.iter().filter(|(_, id)| id.as_i64() > 20).count();
        assert_eq!((decisions.stopped.len(), others), (0, 10));
        assert!(decisions.skipped > 0);
    }
}
