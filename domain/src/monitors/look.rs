//! Looking: the body that a run is about, downloaded or taken from what another monitor of the same
//! address downloaded within the interval, and what went wrong when there is none.

use std::io::Read;

use entities::{account, monitor, monitor_target};
use fetch::{Bytes, Fetched, Pace, Request};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter};

use super::due::Asked;
use super::observe::{Body, Observer};
use super::outcome::Failed;
use super::{Definition, Status, TargetType, definition, rules};
use crate::clock::Millis;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::hash::body_hash;
use crate::limits::{Tier, TierLimits};
use crate::worker::Tools;

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
    pub(super) sharers: u64,
    pub(super) asked: Asked,
    pub(super) begun: Millis,
}

/// What there is to look at.
pub(super) enum Looked {
    /// The same body as last time.
    Same(Answered),
    /// A body.
    Body(Fresh),
    /// None, for this reason.
    Failed(Failed),
    /// No run of this kind can be paid for.
    Exhausted,
    /// Our own queue is full; nothing was asked.
    Postponed,
}

/// A body to be observed.
pub(super) struct Fresh {
    pub(super) body: Body,
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

impl Subject {
    /// What the run `asked` is about; `None` when there is nothing to do any more: the monitor is gone or
    /// waits, or its owner is kept out.
    pub(super) async fn load(domain: &Domain, asked: Asked) -> Result<Option<Self>> {
        let connection = domain.db().read();
        let Some(row) = monitor::Entity::find_by_id(asked.monitor_id).one(connection).await? else {
            return Ok(None);
        };
        let owner = account::Entity::find_by_id(row.account_id).one(connection).await?;
        let is_active = row.status == Status::Active.as_str();
        let Some(owner) = owner.filter(|owner| owner.disabled_at.is_none() && (is_active || asked.by_hand))
        else {
            return Ok(None);
        };
        let definition = definition::read(&row.definition)?;
        let target = monitor_target::Entity::find_by_id(row.url_key.as_str()).one(connection).await?;
        let same_address = monitor::Entity::find().filter(monitor::Column::UrlKey.eq(row.url_key.as_str()));
        Ok(Some(Self {
            kind: definition::type_of(&definition.target),
            definition,
            plan: *domain.policy().tiers.of(Tier::parse(&owner.tier).unwrap_or_default()),
            target,
            sharers: same_address.count(connection).await?,
            row,
            asked,
            begun: domain.now(),
        }))
    }

    /// How its sources are asked for and read.
    pub(super) fn observer<'a>(&'a self, tools: &'a Tools) -> Observer<'a> {
        let pace = if self.asked.by_hand { Pace::Interactive } else { Pace::Background };
        Observer { tools, definition: &self.definition, pace }
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
    pub(super) async fn look(&self, tools: &Tools) -> Result<Looked> {
        if let Some(looked) = self.shared()? {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "shared").increment(1);
            return Ok(looked);
        }
        let observer = self.observer(tools);
        let fetched = match observer.fetch(&self.conditions(observer.request(&self.row.target_url))).await {
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
        let hash = body_hash(&fetched.body);
        if self.has_seen(hash) {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "same_body").increment(1);
            return Ok(Looked::Same(Answered { is_free: false, fetched: Some(fetched) }));
        }
        metrics::counter!("carrel_monitor_looks_total", "outcome" => "read").increment(1);
        let body = Body::of(&fetched);
        let answered = Answered { is_free: false, fetched: Some(fetched) };
        Ok(Looked::Body(Fresh { body, hash, answered }))
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
                let body = Body { bytes: unpack(packed)?, content_type: content_type.clone(), url };
                Ok(Looked::Body(Fresh { body, hash: *body_hash, answered }))
            }
            // A 304 that nobody asked for.
            Some(_) | None => Ok(Looked::Failed(Failed::unusable(Code::SourceInvalidResponse))),
        }
    }

    /// The request, with what the source is told of the body that is kept.
    fn conditions(&self, request: Request) -> Request {
        let kept = self.target.as_ref().filter(|target| {
            self.has_seen(target.body_hash) || (target.body_hash != 0 && target.body.is_some())
        });
        Request {
            etag: kept.and_then(|target| target.etag.clone()),
            last_modified: kept.and_then(|target| target.last_modified.clone()),
            ..request
        }
    }
}

fn unpack(packed: &[u8]) -> Result<Bytes> {
    let mut bytes = Vec::new();
    let unpacked = zstd::stream::read::Decoder::new(packed).map_err(Error::internal)?;
    unpacked.take(MOST_BYTES).read_to_end(&mut bytes).map_err(Error::internal)?;
    Ok(bytes.into())
}
