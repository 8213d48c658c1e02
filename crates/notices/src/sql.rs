//! SQL statements of notices that the entities cannot express.

use entities::ids::{AccountId, ChannelId, MonitorId, NoticeId, SubscriptionId};
use entities::notice::HoldReason;
use entities::{channel, notice};
use sea_orm::{ConnectionTrait, FromQueryResult, Value};

use kernel::clock::DAY;
use kernel::statement::{execute, scalar, scalar_optional, statement};
use kernel::{Millis, Result};

/// Number of mails of an account whose due time is on the UTC day of `now`.
pub(super) async fn mails_today(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    now: Millis,
) -> Result<u64> {
    let begin = now - now.rem_euclid(DAY);
    let sql = "SELECT count(*) FROM notice n JOIN channel c ON c.id = n.channel_id \
               WHERE n.account_id = $1 AND n.due_at >= $2 AND n.due_at < $3 AND c.kind = 'mail' \
               AND n.state IN ('waiting', 'sent', 'failed')";
    let count = scalar(connection, sql, [account_id.into(), begin.into(), (begin + DAY).into()]).await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Number of messages about a monitor to a channel since `since`, and the due time of the newest message.
pub(super) async fn messages_of(
    connection: &impl ConnectionTrait,
    channel_id: ChannelId,
    monitor_id: MonitorId,
    since: Millis,
) -> Result<(i64, Option<Millis>)> {
    const OF_MONITOR: &str = "FROM notice WHERE channel_id = $1 AND state IN ('waiting', 'sent', 'failed') \
        AND monitor_id = $2 AND kind IN ('change', 'several') AND due_at > $3";
    let values = || [channel_id.into(), monitor_id.into(), since.into()];
    let count = scalar(connection, &format!("SELECT count(*) {OF_MONITOR}"), values()).await?;
    let newest = scalar_optional(connection, &format!("SELECT max(due_at) {OF_MONITOR}"), values()).await?;
    Ok((count, newest))
}

/// Number of messages about new entries of an account since `since`, to all channels.
pub(super) async fn entry_messages_of_account(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    since: Millis,
) -> Result<i64> {
    let sql = "SELECT count(*) FROM notice WHERE account_id = $1 AND subscription_id IS NOT NULL \
               AND created_at >= $2";
    scalar(connection, sql, [account_id.into(), since.into()]).await
}

/// Number of messages about saved items of an account since `since`, to all channels.
pub(super) async fn saved_messages_of_account(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    since: Millis,
) -> Result<i64> {
    let sql = "SELECT count(*) FROM notice WHERE account_id = $1 AND kind = 'saved' AND created_at >= $2";
    scalar(connection, sql, [account_id.into(), since.into()]).await
}

/// Deletes the new entries of the messages that a sent message has collected.
pub(super) async fn drop_collected_entries(connection: &impl ConnectionTrait, sent: NoticeId) -> Result<()> {
    let sql = "UPDATE notice SET entries = NULL WHERE gathered_by = $1 AND entries IS NOT NULL";
    execute(connection, sql, [sent.into()]).await.map(drop)
}

/// Number of messages about new entries of a subscription since `since`, each counted for one channel, and the time of
/// the newest message.
pub(super) async fn entry_messages_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    subscription_id: SubscriptionId,
    since: Millis,
) -> Result<(i64, Option<Millis>)> {
    const OF_SUBSCRIPTION: &str =
        "FROM notice WHERE account_id = $1 AND subscription_id = $2 AND created_at > $3";
    let values = || [account_id.into(), subscription_id.into(), since.into()];
    let count = format!("SELECT count(DISTINCT cause) {OF_SUBSCRIPTION}");
    let count = scalar(connection, &count, values()).await?;
    let newest = format!("SELECT max(created_at) {OF_SUBSCRIPTION}");
    Ok((count, scalar_optional(connection, &newest, values()).await?))
}

/// Time until which messages about a monitor to a channel are snoozed. `None` if it is not after `now`.
pub(super) async fn snoozed_until(
    connection: &impl ConnectionTrait,
    channel_id: ChannelId,
    monitor_id: MonitorId,
    now: Millis,
) -> Result<Option<Millis>> {
    let sql =
        "SELECT max(until_at) FROM notice_snooze WHERE channel_id = $1 AND monitor_id = $2 AND until_at > $3";
    scalar_optional(connection, sql, [channel_id.into(), monitor_id.into(), now.into()]).await
}

/// Merges the messages of a channel that wait for `waits_for` into the message `into`. A combined message collects
/// only messages about the same monitor.
pub(super) async fn collect_waiting(
    connection: &impl ConnectionTrait,
    into: &notice::Model,
    waits_for: HoldReason,
) -> Result<u64> {
    let of_monitor = if waits_for == HoldReason::Several { "AND monitor_id = $4" } else { "AND $4 = $4" };
    let sql = format!(
        "UPDATE notice SET state = 'gathered', gathered_by = $1 WHERE channel_id = $2 AND state = 'held' \
         AND held_for = $3 {of_monitor}"
    );
    let reason: String = sea_orm::ActiveEnum::to_value(&waits_for);
    let monitor = into.monitor_id.map_or_else(|| into.id.as_uuid(), MonitorId::as_uuid);
    let values: [Value; 4] = [into.id.into(), into.channel_id.into(), reason.into(), monitor.into()];
    execute(connection, &sql, values).await
}

/// Merges the messages that a channel missed since `since` into the message `into`. These include messages that
/// waited for a message that could not be sent, and messages that a failed message had collected.
pub(super) async fn collect_missed(
    connection: &impl ConnectionTrait,
    into: &notice::Model,
    since: Millis,
) -> Result<u64> {
    let collected_before = "UPDATE notice SET gathered_by = $1 WHERE gathered_by IN (SELECT id FROM notice \
        WHERE channel_id = $2 AND created_at >= $3 AND kind IN ('digest', 'several', 'summary') \
        AND state IN ('failed', 'held'))";
    let missed = "UPDATE notice SET state = 'gathered', gathered_by = $1 WHERE channel_id = $2 AND created_at >= $3 \
        AND kind <> 'test' AND state IN ('failed', 'held')";
    let values = || [into.id.into(), into.channel_id.into(), since.into()];
    let moved = execute(connection, collected_before, values()).await?;
    Ok(moved + execute(connection, missed, values()).await?)
}

/// Records a failure of a channel, and the time of the first consecutive failure. `given_up` is the number of
/// messages that were given up.
pub(super) async fn note_failure(
    connection: &impl ConnectionTrait,
    channel_id: ChannelId,
    now: Millis,
    given_up: i32,
) -> Result<Option<channel::Model>> {
    let sql = "UPDATE channel SET failing_since = COALESCE(failing_since, $2), failures = failures + $3 \
               WHERE id = $1 RETURNING *";
    let query = statement(connection, sql, [channel_id.into(), now.into(), given_up.into()]);
    let row = connection.query_one_raw(query).await?;
    Ok(row.map(|row| channel::Model::from_query_result(&row, "")).transpose()?)
}

/// Counts a confirmation link to an address. Returns false if too many links were already mailed to it.
pub(super) async fn count_link(
    connection: &impl ConnectionTrait,
    hash: &[u8],
    now: Millis,
    most: i32,
) -> Result<bool> {
    let sql = "INSERT INTO channel_address (hash, mails, last_mail_at) VALUES ($1, 1, $2) \
               ON CONFLICT (hash) DO UPDATE SET mails = channel_address.mails + 1, last_mail_at = $2 \
               WHERE channel_address.mails < $3 AND channel_address.last_mail_at <= $4";
    let values: [Value; 4] = [hash.to_vec().into(), now.into(), most.into(), (now - DAY).into()];
    Ok(execute(connection, sql, values).await? > 0)
}

/// Removes a channel from the lists of all monitors, groups, subscriptions, collections, and rules of its account.
pub(super) async fn remove_channel(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    channel_id: ChannelId,
) -> Result<()> {
    let quoted = format!("\"{channel_id}\"");
    for table in ["monitor", "monitor_group", "rss_subscription", "rss_collection", "rss_rule"] {
        let remove = format!(
            "UPDATE {table} SET notify = REPLACE(notify, $2, '') \
             WHERE account_id = $1 AND notify LIKE '%' || $2 || '%'"
        );
        execute(connection, &remove, [account_id.into(), quoted.as_str().into()]).await?;
        let close_gaps = format!(
            "UPDATE {table} SET notify = REPLACE(REPLACE(REPLACE(notify, ',,', ','), '[,', '['), ',]', ']') \
             WHERE account_id = $1 AND (notify LIKE '%,,%' OR notify LIKE '[,%' OR notify LIKE '%,]')"
        );
        execute(connection, &close_gaps, [account_id.into()]).await?;
    }
    Ok(())
}

/// Returns the newest `most` messages that a message has collected, oldest first, and the number of all. Messages that
/// themselves collect others are excluded.
pub(super) async fn list_collected(
    connection: &impl ConnectionTrait,
    into: NoticeId,
    most: u32,
) -> Result<(Vec<notice::Model>, u64)> {
    const OF_MESSAGE: &str =
        "FROM notice WHERE gathered_by = $1 AND kind NOT IN ('digest', 'several', 'summary')";
    let sql = format!("SELECT * {OF_MESSAGE} ORDER BY id DESC LIMIT {most}");
    let rows = connection.query_all_raw(statement(connection, &sql, [into.into()])).await?;
    let mut rows = rows
        .iter()
        .map(|row| notice::Model::from_query_result(row, ""))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    rows.reverse();
    let all = scalar(connection, &format!("SELECT count(*) {OF_MESSAGE}"), [into.into()]).await?;
    Ok((rows, u64::try_from(all).unwrap_or(0)))
}
