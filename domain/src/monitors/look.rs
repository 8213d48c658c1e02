//! Looking: the body that a run is about, downloaded or taken from what another monitor of the same
//! address downloaded within the interval, and what went wrong when there is none.

use std::io::Read;
use std::time::Duration;

use entities::{monitor, monitor_target};
use fetch::{Accept, Bytes, Fetched, Pace, Request, RobotsRule};
use sea_orm::{ConnectionTrait, EntityTrait};
use sha2::{Digest, Sha256};

use super::due::Asked;
use super::rows::{model, number, sql};
use super::{Definition, Status, TargetType, definition, rules};
use crate::articles::extraction::Reach;
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::feeds::schedule::{DAY, MINUTE};
use crate::handle::Domain;
use crate::limits::{Tier, TierLimits};

/// The longest that one download may take.
const DEADLINE: Duration = Duration::from_secs(30);
/// A server that says 429 without saying for how long is left alone for this long.
const UNSAID_PAUSE: Millis = 15 * MINUTE;
/// A stored body is no longer than this when unpacked.
const MOST_BYTES: u64 = 32 << 20;

/// What a run is about, as it stood when the run began.
pub(super) struct Subject {
    pub(super) row: monitor::Model,
    pub(super) definition: Definition,
    pub(super) kind: TargetType,
    pub(super) plan: TierLimits,
    pub(super) target: Option<monitor_target::Model>,
    /// Monitors of the same address, this one included.
    pub(super) sharers: i64,
    pub(super) asked: Asked,
    pub(super) begun: Millis,
}

/// What there is to look at.
pub(super) enum Looked {
    /// The same body as last time.
    Same(Answered),
    /// A body.
    Body(Body),
    /// None, for this reason.
    Failed(Failed),
    /// No run of this kind can be paid for.
    Exhausted,
    /// Our own queue is full; nothing was asked.
    Postponed,
}

/// A body to be observed.
pub(super) struct Body {
    pub(super) bytes: Bytes,
    pub(super) content_type: Option<String>,
    pub(super) url: String,
    pub(super) hash: i64,
    pub(super) answered: Answered,
}

/// How the source answered.
pub(super) struct Answered {
    /// 304, or what another monitor downloaded: nothing is charged.
    pub(super) is_free: bool,
    /// The answer, when the source was asked.
    pub(super) fetched: Option<Fetched>,
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) code: &'static str,
    /// The source had answered: the run is charged.
    pub(super) answered: bool,
    /// The monitor is given up at once.
    pub(super) is_final: bool,
    /// What is looked for is not in the source.
    pub(super) absent: bool,
    /// The server asks for a pause.
    pub(super) host_pause: Option<Millis>,
}

impl Failed {
    /// A body that came and is of no use.
    pub(super) fn unusable(code: &'static str) -> Self {
        Self { code, answered: true, is_final: false, absent: false, host_pause: None }
    }

    /// What is looked for is not in the source.
    pub(super) fn absent(code: &'static str) -> Self {
        Self { absent: true, ..Self::unusable(code) }
    }

    pub(super) fn of(error: &fetch::Error) -> Self {
        let asked = error.retry_after().and_then(|after| Millis::try_from(after.as_millis()).ok());
        let pause = match error {
            fetch::Error::RateLimited { .. } | fetch::Error::Status { status: 429, .. } => {
                Some(asked.unwrap_or(UNSAID_PAUSE))
            }
            fetch::Error::Status { status: 503, .. } => asked,
            _ => None,
        };
        let is_final = matches!(
            error,
            fetch::Error::NotFound { gone: true }
                | fetch::Error::RobotsDisallowed
                | fetch::Error::NotAllowed { .. }
        );
        Self {
            code: error.code(),
            answered: error.source_answered(),
            is_final,
            absent: false,
            host_pause: pause.map(|pause| pause.clamp(MINUTE, DAY)),
        }
    }
}

impl Subject {
    /// What the run `asked` is about; `None` when there is nothing to do any more: the monitor is gone or
    /// waits, or its owner is kept out.
    pub(super) async fn load(domain: &Domain, reach: &Reach, asked: Asked) -> Result<Option<Self>> {
        let connection = domain.db().read();
        let text = "SELECT m.*, a.tier AS a_tier, a.disabled_at AS a_disabled_at FROM monitor m \
                    JOIN account a ON a.id = m.account_id WHERE m.id = $1";
        let row = connection.query_one_raw(sql(connection, text, [asked.monitor_id.into()])).await?;
        let Some(found) = row else { return Ok(None) };
        let row = model(&found)?;
        let disabled: Option<Millis> = found.try_get("", "a_disabled_at")?;
        let is_active = row.status == Status::Active.as_str();
        if disabled.is_some() || !(is_active || asked.by_hand) {
            return Ok(None);
        }
        let tier: String = found.try_get("", "a_tier")?;
        let definition = definition::read(&row.definition)?;
        let target = monitor_target::Entity::find_by_id(row.url_key.as_str()).one(connection).await?;
        let text = "SELECT count(*) FROM monitor WHERE url_key = $1";
        Ok(Some(Self {
            kind: definition::type_of(&definition.target),
            definition,
            plan: *reach.monitors.tiers.of(Tier::parse(&tier).unwrap_or_default()),
            target,
            sharers: number(connection, text, [row.url_key.as_str().into()]).await?,
            row,
            asked,
            begun: domain.now(),
        }))
    }

    /// The time between two of its runs.
    pub(super) fn interval(&self) -> Millis {
        rules::interval(self.row.interval_minutes, &self.plan)
    }

    /// Whether a body with this hash was looked at already, by today's definition.
    fn has_seen(&self, hash: i64) -> bool {
        self.row.baseline_hash.is_some() && self.row.seen_body_hash == hash && hash != 0
    }

    /// Looks at what there is.
    pub(super) async fn look(&self, reach: &Reach) -> Result<Looked> {
        if let Some(looked) = self.shared()? {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "shared").increment(1);
            return Ok(looked);
        }
        let request = self.request();
        let fetched = match reach.fetcher.fetch(&request).await {
            Ok(fetched) => fetched,
            Err(fetch::Error::Busy { .. }) => return Ok(Looked::Postponed),
            Err(error) => {
                metrics::counter!("carrel_monitor_looks_total", "outcome" => "failed").increment(1);
                return Ok(Looked::Failed(Failed::of(&error)));
            }
        };
        if fetched.not_modified {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "not_modified").increment(1);
            let answered = Answered { is_free: true, fetched: Some(fetched) };
            return self.kept(answered);
        }
        let hash = hash(&fetched.body);
        if self.has_seen(hash) {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "same_body").increment(1);
            return Ok(Looked::Same(Answered { is_free: false, fetched: Some(fetched) }));
        }
        metrics::counter!("carrel_monitor_looks_total", "outcome" => "read").increment(1);
        Ok(Looked::Body(Body {
            bytes: fetched.body.clone(),
            content_type: fetched.content_type.clone(),
            url: fetched.url.as_str().to_owned(),
            hash,
            answered: Answered { is_free: false, fetched: Some(fetched) },
        }))
    }

    /// What another monitor of the same address downloaded since this one last ran, within its interval.
    /// Who asks by hand wants to know how things are now.
    fn shared(&self) -> Result<Option<Looked>> {
        let Some(target) = &self.target else { return Ok(None) };
        let since = self.row.last_run_at.unwrap_or(0).max(self.begun - self.interval());
        let is_usable = target.body.is_some() || self.has_seen(target.body_hash);
        if self.asked.by_hand || target.checked_at <= since || !is_usable {
            return Ok(None);
        }
        self.kept(Answered { is_free: true, fetched: None }).map(Some)
    }

    /// What is kept of the last body.
    fn kept(&self, answered: Answered) -> Result<Looked> {
        let target = self.target.as_ref().filter(|target| target.body_hash != 0);
        match target {
            Some(target) if self.has_seen(target.body_hash) => Ok(Looked::Same(answered)),
            Some(monitor_target::Model {
                body: Some(packed), body_hash, content_type, final_url, ..
            }) => {
                let url = final_url.clone().unwrap_or_else(|| self.row.target_url.clone());
                let (bytes, content_type) = (unpack(packed)?, content_type.clone());
                Ok(Looked::Body(Body { bytes, content_type, url, hash: *body_hash, answered }))
            }
            // A 304 that nobody asked for.
            Some(_) | None => Ok(Looked::Failed(Failed::unusable("source_invalid_response"))),
        }
    }

    fn request(&self) -> Request {
        let kept = self.target.as_ref().filter(|target| {
            self.has_seen(target.body_hash) || (target.body_hash != 0 && target.body.is_some())
        });
        Request {
            accept: accept(self.kind),
            etag: kept.and_then(|target| target.etag.clone()),
            last_modified: kept.and_then(|target| target.last_modified.clone()),
            deadline: DEADLINE,
            pace: if self.asked.by_hand { Pace::Interactive } else { Pace::Background },
            robots: RobotsRule::Obey,
            ..Request::page(self.row.target_url.clone())
        }
    }
}

/// What is asked for: markup for selectors rather than the Markdown that a reader would like best.
pub(super) fn accept(kind: TargetType) -> Accept {
    match kind {
        TargetType::Sitemap => Accept::Feed,
        TargetType::Page | TargetType::Extract => Accept::Any,
    }
}

/// The first 64 bits of a body's SHA-256; never 0.
pub(super) fn hash(body: &[u8]) -> i64 {
    let mut first = [0_u8; 8];
    first.copy_from_slice(&Sha256::digest(body)[..8]);
    i64::from_be_bytes(first) | 1
}

fn unpack(packed: &[u8]) -> Result<Bytes> {
    let mut bytes = Vec::new();
    let unpacked = zstd::stream::read::Decoder::new(packed).map_err(Error::internal)?;
    unpacked.take(MOST_BYTES).read_to_end(&mut bytes).map_err(Error::internal)?;
    Ok(bytes.into())
}
