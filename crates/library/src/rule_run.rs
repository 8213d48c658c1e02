//! Applies rules to saved items, in a job of the account. The queries are evaluated outside the transaction, so that
//! expensive rules of one account do not delay transactions of other accounts. Each item is processed once, in the
//! transaction that removes it from the queue.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, LibraryRuleId};
use entities::library_rule::Model as Rule;
use entities::library_rule_item::{Column, Entity, Model as QueuedItem};
use entities::library_words::{ItemStatus, TagSource};
use jobs::Claimed;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};

use super::account_concurrency::limit_searches;
use super::change::change_items;
use super::item::{self, Item};
use super::item_rules;
use super::keys::{self, ItemKey};
use super::rule_queue::SETTLED;
use super::search::matches::{Conditions, ObjectConditions};
use super::tag_marks::{self, AttachableTags};
use super::tags::Tag;
use super::transaction::{LibraryTransaction, committed_state};
use kernel::search::query::Query;
use kernel::statement::{execute, placeholders, statement};
use kernel::{Code, Domain, Error, Result};

/// Maximum number of items of one transaction.
const ITEMS_PER_STEP: u32 = 20;

/// Rule with the items that it matches.
struct RuleMatch {
    rule: Rule,
    items: Vec<ItemId>,
}

/// Changes that the matching rules make to an item.
#[derive(Default)]
struct RuleChange {
    status: Option<ItemStatus>,
    tags: Vec<Tag>,
}

/// Runs the claimed job that applies the rules of an account to the queued items whose texts are settled.
#[boxed]
pub(crate) async fn run(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    loop {
        let ids = ready_items(domain.db().read(), account_id).await?;
        let matches = match_rules(domain, account_id, &ids).await?;
        let mut transaction = match LibraryTransaction::begin(domain, account_id).await {
            Ok(transaction) => transaction,
            // The account was deleted, and its items with it.
            Err(error) if error.code == Code::NotFound => return jobs::complete(domain, claimed).await,
            Err(error) => return Err(error),
        };
        jobs::lock_claim_in(transaction.db(), claimed).await?;
        if !ids.is_empty() {
            apply(&mut transaction, &ids, matches).await?;
        }
        if ready_items(transaction.db(), account_id).await?.is_empty() {
            let sql = "UPDATE library_account SET rules_due_at = NULL WHERE account_id = $1";
            execute(transaction.db(), sql, [account_id.into()]).await?;
            jobs::complete_in(transaction.db(), domain, claimed).await?;
            return transaction.commit().await;
        }
        transaction.commit().await?;
    }
}

/// Returns released items whose texts are settled, least recently saved first. Waiting items are not read. A released
/// item whose text was requested again is omitted until the text is settled.
async fn ready_items(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Vec<ItemId>> {
    let query = statement(connection, &ready_statement(), [account_id.into()]);
    let rows = connection.query_all_raw(query).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

fn ready_statement() -> String {
    format!(
        "SELECT r.item_id FROM library_rule_item r JOIN library_item i ON i.id = r.item_id \
         WHERE r.account_id = $1 AND NOT r.is_waiting AND {SETTLED} ORDER BY r.item_id LIMIT {ITEMS_PER_STEP}"
    )
}

/// Evaluates the rules of an account for these items. The number of concurrent searches per account is limited.
async fn match_rules(domain: &Domain, account_id: AccountId, ids: &[ItemId]) -> Result<Vec<RuleMatch>> {
    let connection = domain.db().read();
    let Some(state) = committed_state(connection, account_id).await?.filter(|_| !ids.is_empty()) else {
        return Ok(Vec::new());
    };
    let _permit = limit_searches(domain, account_id).await;
    let objects = ObjectConditions {
        backend: connection.get_database_backend(),
        account_id,
        number: state.number,
        object: "i.id",
        now: domain.now(),
    };
    let mut matches = Vec::new();
    for rule in item_rules::load(connection, account_id).await? {
        let items = matching_items(connection, objects, &Query::parse_stored(&rule.query), ids).await?;
        matches.push(RuleMatch { rule, items });
    }
    Ok(matches)
}

/// Returns the items among `ids` that match a query.
async fn matching_items(
    connection: &impl ConnectionTrait,
    objects: ObjectConditions<'_>,
    query: &Query,
    ids: &[ItemId],
) -> Result<Vec<ItemId>> {
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let account_id = objects.account_id;
    let mut conditions = Conditions::default();
    if let Some(address) = &query.address {
        let id = keys::item_with(connection, account_id, &ItemKey::url(address)).await?;
        let Some(id) = id else { return Ok(Vec::new()) };
        conditions.and("i.id = ?", [id.into()]);
    }
    conditions.whole_query(objects, query);
    let (more, further) = conditions.render(2 + ids.len());
    let sql = format!(
        "SELECT i.id FROM library_item i WHERE i.account_id = $1 AND i.id IN ({}){more}",
        placeholders(2, ids.len())
    );
    let ids = ids.iter().map(|id| Value::from(*id));
    let values = std::iter::once(Value::from(account_id)).chain(ids).chain(further);
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Applies the matching rules to queued items, and removes the items from the queue. If the query of a rule was not
/// evaluated because the rule was created or changed meanwhile, the items remain in the queue.
async fn apply(
    transaction: &mut LibraryTransaction,
    ids: &[ItemId],
    evaluated: Vec<RuleMatch>,
) -> Result<()> {
    let account_id = transaction.account_id;
    let rules = item_rules::load(transaction.db(), account_id).await?;
    let Some(matches) = current_matches(rules, evaluated) else { return Ok(()) };
    let of_ids = Entity::owned_by(account_id).filter(Column::ItemId.is_in(ids.to_vec()));
    let queued = of_ids.all(transaction.db()).await?;
    let queued_ids: Vec<ItemId> = queued.iter().map(|row| row.item_id).collect();
    let items = item::find_all(transaction.db(), account_id, &queued_ids).await?;
    let attachable = AttachableTags::load(transaction, &queued_ids).await?;
    let mut changes: HashMap<ItemId, RuleChange> = HashMap::new();
    for item in &items {
        let saved = queued.iter().find(|row| row.item_id == item.id);
        changes.extend(saved.map(|saved| (item.id, change_of(item, saved, &matches, &attachable))));
    }
    change_items(transaction, &items, |item, tags| {
        let mut row = item.row.clone();
        let Some(change) = changes.get(&item.id) else { return Ok((row, tags.to_vec())) };
        row.status = change.status.unwrap_or(row.status);
        Ok((row, tags.iter().chain(&change.tags).cloned().collect()))
    })
    .await?;
    for (item_id, change) in &changes {
        tag_marks::mark(transaction, *item_id, &change.tags, TagSource::Rule).await?;
    }
    count_matches(transaction, &matches, &queued_ids).await?;
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::ItemId.is_in(queued_ids))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Returns the rules of the account with the items that they match. `None` if the query of a rule was not evaluated.
fn current_matches(rules: Vec<Rule>, mut evaluated: Vec<RuleMatch>) -> Option<Vec<RuleMatch>> {
    let matched = |rule: Rule| {
        let is_same = |known: &RuleMatch| known.rule.id == rule.id && known.rule.query == rule.query;
        let index = evaluated.iter().position(is_same)?;
        Some(RuleMatch { items: evaluated.swap_remove(index).items, rule })
    };
    rules.into_iter().map(matched).collect()
}

/// Returns the changes of an item. The last rule with a status decides, unless the status has changed since the item
/// was saved. A tag that the item had when it was saved is not added again.
fn change_of(
    item: &Item,
    saved: &QueuedItem,
    matches: &[RuleMatch],
    attachable: &AttachableTags,
) -> RuleChange {
    let saved_tags: Vec<String> = serde_json::from_str(&saved.tags).unwrap_or_default();
    let mut change = RuleChange::default();
    let mut tags: Vec<Tag> = Vec::new();
    for RuleMatch { rule, .. } in matches.iter().filter(|matched| matched.items.contains(&item.id)) {
        change.status = rule.status.or(change.status);
        for tag in item_rules::tags_of(rule) {
            if !saved_tags.contains(&tag.key) && tags.iter().all(|known| known.key != tag.key) {
                tags.push(tag);
            }
        }
    }
    change.status = change.status.filter(|_| item.status == saved.status);
    change.tags = attachable.select(item, &tags);
    change
}

/// Counts the items that each rule has matched.
async fn count_matches(
    transaction: &LibraryTransaction,
    matches: &[RuleMatch],
    queued: &[ItemId],
) -> Result<()> {
    let sql = "UPDATE library_rule SET matches = matches + $3 WHERE account_id = $1 AND id = $2";
    for RuleMatch { rule, items } in matches {
        let count = items.iter().filter(|id| queued.contains(id)).count();
        if count > 0 {
            let (id, count): (LibraryRuleId, i64) = (rule.id, i64::try_from(count).unwrap_or(i64::MAX));
            let values = [transaction.account_id.into(), id.into(), count.into()];
            execute(transaction.db(), sql, values).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use kernel::Backend;
    use kernel::testing::TestDatabase;

    use super::*;

    /// A step must not read thousands of items that wait for their texts. Tests only SQLite, because the plan of PostgreSQL
    /// depends on the number of rows, and this table is empty.
    #[tokio::test]
    async fn step_reads_ready_items_only() {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let connection = database.domain.db().read();
        let text = format!("EXPLAIN QUERY PLAN {}", ready_statement());
        let query = statement(connection, &text, [AccountId::MAX.into()]);
        let rows = connection.query_all_raw(query).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(3).unwrap()).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("library_rule_item_ready") && !plan.contains("TEMP B-TREE"), "{plan}");
    }

    fn rule(id: u128, query: &str, matches: i64) -> Rule {
        Rule {
            id: LibraryRuleId::from_u128(id),
            account_id: AccountId::MAX,
            position: 1,
            name: "Rule".to_owned(),
            query: query.to_owned(),
            tags: "[]".to_owned(),
            status: None,
            matches,
            created_at: 0,
        }
    }

    #[test]
    fn rules_changed_after_their_evaluation_apply_in_their_current_form() {
        let evaluated = || {
            let items = |id| vec![ItemId::from_u128(id)];
            vec![
                RuleMatch { rule: rule(1, "boats", 0), items: items(1) },
                RuleMatch { rule: rule(2, "ships", 0), items: items(2) },
            ]
        };
        let renamed = Rule { name: "New name".to_owned(), ..rule(2, "ships", 5) };
        let current = current_matches(vec![renamed.clone(), rule(1, "boats", 0)], evaluated()).unwrap();
        assert_eq!((&current[0].rule, &current[0].items), (&renamed, &vec![ItemId::from_u128(2)]));
        assert_eq!(current[1].items, [ItemId::from_u128(1)]);
        assert!(current_matches(vec![rule(1, "boats", 0)], evaluated()).is_some_and(|left| left.len() == 1));
        assert!(current_matches(vec![rule(1, "tides", 0)], evaluated()).is_none(), "another query");
        assert!(current_matches(vec![rule(3, "boats", 0)], evaluated()).is_none(), "a new rule");
    }
}
