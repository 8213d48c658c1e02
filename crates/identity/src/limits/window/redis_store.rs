//! Counters of all processes in Redis: one script call per check, so that several policies are charged in one
//! atomic step. A reply that does not arrive in time counts as an outage of Redis.

use std::time::Duration;

use redis::Script;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};

use super::outage::Outage;
use super::policy::{CheckCounts, ClockSource, Count, LimitDecision, RatePolicy, Span, day_of};
use kernel::Millis;

/// Maximum wait for the store. After that, counting in this process costs less than waiting.
const REPLY_TIMEOUT: Duration = Duration::from_millis(500);

/// Connection to Redis, which reconnects automatically, and the two scripts.
pub(super) struct RedisStore {
    connection: ConnectionManager,
    prefix: String,
    time: ClockSource,
    check: Script,
    refund: Script,
    outage: Outage,
}

impl RedisStore {
    pub(super) fn new(
        client: &redis::Client,
        prefix: &str,
        time: ClockSource,
    ) -> Result<Self, redis::RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(REPLY_TIMEOUT))
            .set_response_timeout(Some(REPLY_TIMEOUT))
            .set_number_of_retries(1);
        Ok(Self {
            connection: ConnectionManager::new_lazy_with_config(client.clone(), config)?,
            prefix: prefix.to_owned(),
            time,
            check: Script::new(include_str!("check.lua")),
            refund: Script::new(include_str!("refund.lua")),
            outage: Outage::of("Redis"),
        })
    }

    /// Checks and charges the policies. `None` if Redis is unavailable.
    pub(super) async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Option<CheckCounts> {
        let mut invocation = self.check.prepare_invoke();
        invocation.arg(match self.time {
            ClockSource::Server => -1,
            ClockSource::Caller => now,
        });
        for policy in policies {
            invocation.key(self.key(key, policy, day_of(now)));
            match policy.span {
                Span::Sliding { seconds } => invocation
                    .arg("s")
                    .arg(policy.quota)
                    .arg(i64::from(seconds) * 1000)
                    .arg(policy.cost)
                    .arg(0),
                Span::Day { initial } => {
                    invocation.arg("d").arg(policy.quota).arg(0).arg(policy.cost).arg(initial)
                }
            };
        }
        let reply: Vec<i64> = self.invoke(&invocation).await?;
        parse_counts(&reply, policies.len())
    }

    /// Refunds a charge. Returns false if Redis is unavailable.
    pub(super) async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &LimitDecision) -> bool {
        let mut invocation = self.refund.prepare_invoke();
        invocation.arg(charged.at);
        for policy in policies.iter().filter(|policy| policy.cost > 0) {
            let kind = match policy.span {
                Span::Sliding { .. } => "s",
                Span::Day { .. } => "d",
            };
            invocation.key(self.key(key, policy, charged.day)).arg(kind).arg(policy.cost);
        }
        self.invoke::<i64>(&invocation).await.is_some()
    }

    async fn invoke<T: redis::FromRedisValue>(&self, invocation: &redis::ScriptInvocation<'_>) -> Option<T> {
        if self.outage.is_active() {
            return None;
        }
        let mut connection = self.connection.clone();
        let error = match tokio::time::timeout(REPLY_TIMEOUT, invocation.invoke_async(&mut connection)).await
        {
            Ok(Ok(reply)) => return Some(reply),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no reply in time".to_owned(),
        };
        self.outage.record_failure(&error);
        None
    }

    /// Returns the name of a counter in Redis. The braces put all counters of one key on the same cluster
    /// node.
    fn key(&self, key: &str, policy: &RatePolicy, day: i64) -> String {
        match policy.span {
            Span::Sliding { .. } => format!("{}limit:{{{key}}}:{}", self.prefix, policy.name),
            Span::Day { .. } => format!("{}limit:{{{key}}}:{}:{}", self.prefix, policy.name, day),
        }
    }
}

fn parse_counts(reply: &[i64], policies: usize) -> Option<CheckCounts> {
    let [allowed, at, rest @ ..] = reply else { return None };
    let counts: Vec<Count> = rest
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&[used, wait_ms]| Count { used: u32::try_from(used).unwrap_or(u32::MAX), wait_ms })
        .collect();
    (counts.len() == policies).then_some(CheckCounts { allowed: *allowed == 1, at: *at, counts })
}
