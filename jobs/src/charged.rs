//! Obtaining a text on an account: the download is charged to whoever made it happen, once, and given
//! back when there was none.

use domain::AccountId;
use domain::articles::{self, Address, Answer, Article, Freshness, Stored};
use domain::limits::window::State;
use domain::limits::{FreshHold, Limits, Tier};
use domain::{Class, Domain, Error, Result};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::extraction::await_end;

/// A text confirmed in the last hour is fresh.
const FRESH_SECONDS: u32 = 3600;

/// The account that asks.
#[derive(Clone, Copy, Debug)]
pub struct Payer {
    /// Whose fresh extractions are counted.
    pub account_id: AccountId,
    /// Under which plan.
    pub tier: Tier,
}

/// A text, and what it meant for the account.
#[derive(Debug)]
pub struct Obtained {
    /// The text.
    pub answer: Answer,
    /// The age in seconds of a text that is served because the account's fresh extractions are used up.
    pub age_s: Option<u32>,
    /// Where the account stands with fresh extractions, when this call changed it.
    pub fresh: Option<Vec<State>>,
}

/// The text of `address`, at most an hour old, or made new by an extraction until `deadline`.
///
/// Whoever joins an extraction under way is charged nothing. With the quota used up, a text of the last
/// seven days is served instead.
///
/// # Errors
/// The source's failure; `fresh_extraction_limit`; `Unavailable` as in [`obtain`](crate::extraction::obtain).
pub async fn obtain(
    engine: &Engine,
    limits: &Limits,
    payer: Payer,
    address: &Address,
    deadline: Instant,
) -> Result<Obtained> {
    let domain = engine.domain();
    let asked_at = domain.now();
    let freshness = Freshness::seconds(FRESH_SECONDS);
    match articles::look_up(domain, address, freshness).await? {
        Stored::Fresh(article) => return Ok(kept(article, None)),
        Stored::Failed(failure) => return Err(failure.into()),
        Stored::Stale(_) => {}
    }
    let hold = match limits.hold_fresh(domain, payer.account_id, payer.tier).await {
        Ok(hold) => hold,
        Err(refusal) => return without_quota(engine, address, deadline, refusal).await,
    };
    let submitted = match articles::submit_if_needed(domain, address, freshness).await {
        Ok(Some(submitted)) => submitted,
        Ok(None) => {
            limits.release(hold).await;
            let answer = articles::answer_of(domain, &address.key, asked_at).await?;
            return Ok(Obtained { answer, age_s: None, fresh: None });
        }
        Err(error) => {
            limits.release(hold).await;
            return Err(error);
        }
    };
    let hold = if submitted.joined {
        limits.release(hold).await;
        None
    } else {
        Some(hold)
    };
    let pushed = engine.push(&submitted).await;
    let ended = match pushed {
        Ok(()) => await_end(engine, submitted.id, address, asked_at, deadline).await,
        Err(error) => Err(error),
    };
    let fresh = settle(domain, limits, hold, address, asked_at, &ended).await;
    Ok(Obtained { answer: ended?, age_s: None, fresh })
}

/// Keeps the charge when a body was downloaded, or may still be; gives it back otherwise.
async fn settle(
    domain: &Domain,
    limits: &Limits,
    hold: Option<FreshHold>,
    address: &Address,
    asked_at: i64,
    ended: &Result<Answer>,
) -> Option<Vec<State>> {
    let hold = hold?;
    let still_running = matches!(ended, Err(error) if error.class() == Class::Unavailable);
    let downloaded = match ended {
        _ if still_running => true,
        Ok(answer) if !answer.cache_hit => true,
        Ok(_) | Err(_) => articles::downloaded_since(domain, address, asked_at).await.unwrap_or(true),
    };
    if downloaded {
        return Some(hold.states().to_vec());
    }
    limits.release(hold).await;
    None
}

/// What an account gets whose fresh extractions are used up: somebody else's download, or a text of the
/// last seven days.
async fn without_quota(
    engine: &Engine,
    address: &Address,
    deadline: Instant,
    refusal: Error,
) -> Result<Obtained> {
    let domain = engine.domain();
    if !matches!(refusal.class(), Class::Limited | Class::Forbidden) {
        return Err(refusal);
    }
    if let Some((article, age)) = articles::fallback(domain, address).await? {
        return Ok(kept(article, Some(age)));
    }
    if let Some(id) = articles::under_way(domain, address).await? {
        let answer = await_end(engine, id, address, domain.now(), deadline).await?;
        return Ok(Obtained { answer, age_s: None, fresh: None });
    }
    Err(refusal)
}

fn kept(article: Article, age_s: Option<u32>) -> Obtained {
    metrics::counter!("carrel_cache_total", "outcome" => "hit").increment(1);
    Obtained { answer: Answer { article, cache_hit: true }, age_s, fresh: None }
}
