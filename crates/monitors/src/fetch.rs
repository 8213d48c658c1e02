//! Fetches the body for a run: downloads it, or uses the body that another monitor of the same URL downloaded
//! recently.

use std::collections::HashMap;
use std::io::Read;

use entities::{monitor, monitor_target};
use extract::watch::ObservationPurpose;
use fetch::{Bytes, CookieState, Fetched, Pace, Request, StoredCookies};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};

use super::args::{MonitorRunArgs, MonitorRunBatch};
use super::monitor::{Definition, Status, TargetType};
use super::observer::{Observer, SourceBody};
use super::outcome::RunError;
use super::request::{self, OpenedCredentials};
use super::{cookie_jar, definition, sealed, step_secrets};
use articles::worker_tools::{PageStep, RenderingWarning, Tools};
use identity::accounts::{LIMIT_COLUMNS, limits_of_row};
use identity::credits::{self, CreditBalance};
use kernel::clock::{DAY, MINUTE, SECOND};
use kernel::hash::body_hash;
use kernel::statement::{columns_of, placeholders, statement};
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum size of an unpacked stored body, in bytes.
const MAX_BYTES: u64 = 32 << 20;

/// Maximum age of a body that is shared between monitors.
const MAX_SHARED_AGE_MS: Millis = 15 * MINUTE;
/// Maximum age of the stored body for conditional requests. If the body is older, the request is
/// unconditional, because some sources always respond with 304.
const MAX_VALIDATED_AGE_MS: Millis = 7 * DAY;

/// Context of a run, loaded at its start.
pub(super) struct RunContext {
    pub(super) row: monitor::Model,
    pub(super) definition: Definition,
    pub(super) credentials: OpenedCredentials,
    /// Steps with their secret texts. `None` if no step has a secret text.
    pub(super) steps: Option<Vec<PageStep>>,
    /// Cookies of earlier runs.
    pub(super) cookies: StoredCookies,
    pub(super) kind: TargetType,
    pub(super) plan: TierLimits,
    /// True if the owner had enough credits for the run when it started.
    pub(super) can_pay: bool,
    pub(super) target: Option<monitor_target::Model>,
    /// Number of monitors with the same URL, including this monitor.
    pub(super) subscriber_count: u64,
    pub(super) args: MonitorRunArgs,
    pub(super) started_at: Millis,
}

/// Result of fetching a source.
pub(super) enum SourceFetchOutcome {
    /// The body is the same as at the last check.
    Same(SourceResponse),
    /// Body to observe.
    Body(FetchedBody),
    /// No body was received, for this reason.
    Failed(RunError),
    /// The owner has too few credits for a run of this kind.
    Exhausted,
    /// The fetch queue of this service is full, so no request was sent.
    Postponed,
}

pub(super) struct FetchedBody {
    pub(super) body: SourceBody,
    pub(super) hash: i64,
    pub(super) answered: SourceResponse,
}

pub(super) struct SourceResponse {
    /// True if no credits are charged, because another monitor of the same account fetched the body.
    pub(super) is_free: bool,
    /// Earliest time at which the source returned this content, in milliseconds since the epoch.
    pub(super) at: Millis,
    /// HTTP response. `None` if no request was sent.
    pub(super) fetched: Option<Fetched>,
    /// Hash of the body in the response.
    pub(super) body_hash: Option<i64>,
    /// Warnings about the rendering of the page. Empty if it was not rendered.
    pub(super) warnings: Vec<RenderingWarning>,
}

impl SourceFetchOutcome {
    /// Cookies after the fetch. `None` if the monitor does not store them.
    pub(super) fn cookies(&self) -> Option<&StoredCookies> {
        let answered = match self {
            Self::Same(answered) => answered,
            Self::Body(fetched) => &fetched.answered,
            Self::Failed(_) | Self::Exhausted | Self::Postponed => return None,
        };
        answered.fetched.as_ref()?.cookies.as_ref()
    }

    /// Returns the outcome with the warnings about the rendering of its page.
    fn with_warnings(mut self, warnings: Vec<RenderingWarning>) -> Self {
        match &mut self {
            Self::Same(answered) => answered.warnings = warnings,
            Self::Body(fetched) => fetched.answered.warnings = warnings,
            Self::Failed(_) | Self::Exhausted | Self::Postponed => {}
        }
        self
    }
}

impl RunContext {
    /// True if other monitors watch the same URL.
    pub(super) fn shares_address(&self) -> bool {
        self.subscriber_count > 1
    }

    /// Loads the context of the run `args`. `None` if the run is not needed: the monitor was deleted or is
    /// not active, or the owner is disabled.
    pub(super) async fn load(domain: &Domain, args: MonitorRunArgs) -> Result<Option<Self>> {
        let is_due = |row: &monitor::Model| args.by_hand || row.status == Status::Active.as_str();
        Ok(Self::load_runs(domain, &[args], is_due).await?.pop())
    }

    /// Loads the contexts of the runs of a batch, except for monitors that were claimed again, started,
    /// paused or deleted since the claim, and for disabled owners.
    pub(super) async fn load_all(domain: &Domain, batch: &MonitorRunBatch) -> Result<Vec<Self>> {
        let is_due = |row: &monitor::Model| {
            row.next_run_at == Some(batch.until) && row.status == Status::Active.as_str()
        };
        Self::load_runs(domain, &batch.runs, is_due).await
    }

    /// Loads the contexts of the runs whose monitors are due, in one statement for any number of runs.
    async fn load_runs(
        domain: &Domain,
        runs: &[MonitorRunArgs],
        is_due: impl Fn(&monitor::Model) -> bool,
    ) -> Result<Vec<Self>> {
        let connection = domain.db().read();
        let month = credits::month_of(domain.now());
        let sql = format!(
            "SELECT {}, {}, {LIMIT_COLUMNS}, c.allowance, c.granted, c.used, \
             (SELECT count(*) FROM monitor s WHERE s.url_key = m.url_key) AS subscriber_count \
             FROM monitor m JOIN account a ON a.id = m.account_id \
             LEFT JOIN monitor_target t ON t.url_key = m.url_key \
             LEFT JOIN credit_month c ON c.account_id = m.account_id AND c.month = $1 \
             WHERE m.id IN ({}) AND a.disabled_at IS NULL",
            columns_of::<monitor::Entity>("m"),
            columns_of::<monitor_target::Entity>("t"),
            placeholders(2, runs.len())
        );
        let ids = runs.iter().map(|run| run.monitor_id.into());
        let values = std::iter::once(month.into()).chain(ids);
        let mut records = HashMap::with_capacity(runs.len());
        for record in connection.query_all_raw(statement(connection, &sql, values)).await? {
            let row = monitor::Model::from_query_result(&record, "m_")?;
            if is_due(&row) {
                records.insert(row.id, (row, record));
            }
        }
        let contexts = runs.iter().filter_map(|args| {
            let (row, record) = records.remove(&args.monitor_id)?;
            Some(Self::of_record(domain, month, *args, row, &record))
        });
        let mut contexts = contexts.collect::<Result<Vec<_>>>()?;
        Self::open_credentials(domain, &mut contexts).await?;
        let with_cookies = contexts.iter().filter(|context| context.definition.request.cookies);
        let with_cookies: Vec<&monitor::Model> = with_cookies.map(|context| &context.row).collect();
        let mut jars = cookie_jar::load(domain, &with_cookies).await?;
        for context in &mut contexts {
            context.cookies = jars.remove(&context.row.id).unwrap_or_default();
        }
        Ok(contexts)
    }

    /// Decrypts the credentials and the secret texts of steps of the monitors that have any.
    async fn open_credentials(domain: &Domain, contexts: &mut [Self]) -> Result<()> {
        let has_secrets = |definition: &Definition| {
            definition.request.credentials.is_some() || step_secrets::has_texts(definition)
        };
        if !contexts.iter().any(|context| has_secrets(&context.definition)) {
            return Ok(());
        }
        let vault = sealed::load_vault(domain).await?;
        for context in contexts {
            let row = &context.row;
            if let Some(sealed) = &context.definition.request.credentials {
                context.credentials = request::open(&vault, row.account_id, &row.target_url, sealed);
            }
            let rendering = context.definition.rendering.as_ref();
            let Some(rendering) = rendering.filter(|rendering| !rendering.secrets.is_empty()) else {
                continue;
            };
            match step_secrets::open(&vault, row.account_id, &row.target_url, rendering) {
                Ok(steps) => context.steps = Some(steps),
                Err(error) => {
                    tracing::error!(%error, monitor = %row.id, "failed to open the step secrets of a monitor");
                    context.credentials = OpenedCredentials::Unreadable;
                }
            }
        }
        Ok(())
    }

    fn of_record(
        domain: &Domain,
        month: i32,
        args: MonitorRunArgs,
        row: monitor::Model,
        record: &QueryResult,
    ) -> Result<Self> {
        let definition = definition::read(&row.definition)?;
        let kind = TargetType::of(&definition.target);
        let plan = limits_of_row(domain, record)?;
        let open = CreditBalance::of_row(record, month)?.unwrap_or_default();
        let balance = CreditBalance { allowance: i64::from(plan.web_monitor_monthly_credits), ..open };
        let subscriber_count: i64 = record.try_get("", "subscriber_count")?;
        Ok(Self {
            kind,
            can_pay: balance.remaining() >= definition.cost(),
            definition,
            credentials: OpenedCredentials::None,
            steps: None,
            cookies: StoredCookies::default(),
            plan,
            target: monitor_target::Model::from_query_result_optional(record, "t_")?,
            subscriber_count: u64::try_from(subscriber_count).unwrap_or(0),
            row,
            args,
            started_at: domain.now(),
        })
    }

    /// Monthly credits of the owner's plan.
    pub(super) fn allowance(&self) -> i64 {
        i64::from(self.plan.web_monitor_monthly_credits)
    }

    /// Replaces the row of the monitor with its current row.
    pub(super) fn with_row(self, row: monitor::Model) -> Result<Self> {
        Ok(Self { definition: definition::read(&row.definition)?, row, ..self })
    }

    /// True if the observation of this run is comparable with the content that `row` watches.
    pub(super) fn is_comparable_with(&self, row: &monitor::Model) -> Result<bool> {
        let other = definition::read(&row.definition)?;
        Ok(self.row.url_key == row.url_key && definition::are_comparable(&self.definition, &other))
    }

    /// Creates the observer for the sources of this run.
    pub(super) fn observer<'a>(&'a self, tools: &'a Tools) -> Observer<'a> {
        let pace = if self.args.by_hand { Pace::Interactive } else { Pace::Background };
        Observer {
            tools,
            account_id: self.row.account_id,
            definition: &self.definition,
            target_url: &self.row.target_url,
            credentials: match &self.credentials {
                OpenedCredentials::Header(header) => Some(header),
                OpenedCredentials::None | OpenedCredentials::Unreadable => None,
            },
            steps: self.steps.as_deref(),
            cookies: self
                .definition
                .request
                .cookies
                .then(|| CookieState { stored: self.cookies.clone(), now: self.started_at / SECOND }),
            pace,
            purpose: ObservationPurpose::Run,
        }
    }

    /// True if a body with this hash was already evaluated under the current definition.
    fn has_seen(&self, hash: i64) -> bool {
        self.row.baseline_hash.is_some() && self.row.seen_body_hash == hash && hash != 0
    }

    /// Fetches the source, or uses the shared body, if the account has enough credits for the run.
    pub(super) async fn fetch(&self, tools: &Tools) -> Result<SourceFetchOutcome> {
        if !self.can_pay {
            return Ok(SourceFetchOutcome::Exhausted);
        }
        if matches!(self.credentials, OpenedCredentials::Unreadable) {
            return Ok(SourceFetchOutcome::Failed(RunError::unusable(Code::InvalidRequest)));
        }
        if self.definition.rendering.is_some() {
            return Ok(self.render(&self.observer(tools)).await);
        }
        if let Some(fetched) = self.shared()? {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "shared").increment(1);
            return Ok(fetched);
        }
        let observer = self.observer(tools);
        let fetched = match observer.fetch(&self.conditions(observer.request(&self.row.target_url))).await {
            Ok(fetched) => fetched,
            Err(fetch::Error::Busy { .. }) => return Ok(SourceFetchOutcome::Postponed),
            Err(error) => {
                metrics::counter!("carrel_monitor_looks_total", "outcome" => "failed").increment(1);
                return Ok(SourceFetchOutcome::Failed(RunError::of(&error)));
            }
        };
        if fetched.not_modified {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "not_modified").increment(1);
            return self.outcome_from_cache(self.answer(fetched, None));
        }
        let body = observer.body_of(&fetched);
        Ok(self.outcome_of_body(fetched, body))
    }

    /// Renders the source in the worker's browser.
    async fn render(&self, observer: &Observer<'_>) -> SourceFetchOutcome {
        match observer.render(&self.row.target_url).await {
            Ok(rendered) => {
                let body = SourceBody::of_rendered(&rendered);
                self.outcome_of_body(rendered.fetched, body).with_warnings(rendered.warnings)
            }
            Err(failed) => {
                metrics::counter!("carrel_monitor_looks_total", "outcome" => "failed").increment(1);
                SourceFetchOutcome::Failed(failed)
            }
        }
    }

    /// Outcome of a response with a body.
    fn outcome_of_body(&self, mut fetched: Fetched, body: SourceBody) -> SourceFetchOutcome {
        let hash = body_hash(&body.bytes);
        if self.has_seen(hash) {
            metrics::counter!("carrel_monitor_looks_total", "outcome" => "same_body").increment(1);
            drop(body);
            // The result waits until the other results of its batch are written.
            fetched.release_body();
            return SourceFetchOutcome::Same(self.answer(fetched, Some(hash)));
        }
        metrics::counter!("carrel_monitor_looks_total", "outcome" => "read").increment(1);
        let answered = self.answer(fetched, Some(hash));
        SourceFetchOutcome::Body(FetchedBody { body, hash, answered })
    }

    /// Response that the source has just returned.
    fn answer(&self, fetched: Fetched, body_hash: Option<i64>) -> SourceResponse {
        let at = self.started_at;
        SourceResponse { is_free: false, at, fetched: Some(fetched), body_hash, warnings: Vec::new() }
    }

    /// Body that another monitor of the same URL received recently, and after the last check of this monitor.
    /// `None` if there is no such body, or if a user started the run, because such a run always fetches.
    fn shared(&self) -> Result<Option<SourceFetchOutcome>> {
        let Some(target) = &self.target else { return Ok(None) };
        let since = self.row.last_run_at.unwrap_or(0).max(self.started_at - MAX_SHARED_AGE_MS);
        let is_usable = target.body.is_some() || self.has_seen(target.body_hash);
        if self.args.by_hand || target.checked_at <= since || !is_usable {
            return Ok(None);
        }
        // A body that another account fetched costs credits, too. Otherwise, the price would reveal that
        // other accounts watch the same URL.
        let is_free = target.fetched_by == Some(self.row.account_id);
        self.outcome_from_cache(SourceResponse {
            is_free,
            at: target.checked_at,
            fetched: None,
            body_hash: None,
            warnings: Vec::new(),
        })
        .map(Some)
    }

    /// Outcome of a response without a body. It depends on the stored body.
    fn outcome_from_cache(&self, answered: SourceResponse) -> Result<SourceFetchOutcome> {
        let target = self.target.as_ref().filter(|target| target.body_hash != 0);
        match target {
            Some(target) if self.has_seen(target.body_hash) => Ok(SourceFetchOutcome::Same(answered)),
            Some(monitor_target::Model {
                body: Some(packed), body_hash, content_type, final_url, ..
            }) => {
                let url = final_url.clone().unwrap_or_else(|| self.row.target_url.clone());
                let content_type = content_type.clone();
                let body = SourceBody { bytes: unpack(packed)?, content_type, url, is_cut: false };
                Ok(SourceFetchOutcome::Body(FetchedBody { body, hash: *body_hash, answered }))
            }
            // The source returned 304 for an unconditional request.
            Some(_) | None => Ok(SourceFetchOutcome::Failed(RunError::unusable(Code::SourceInvalidResponse))),
        }
    }

    /// Adds the validators of the stored body to the request, unless it is a POST request or headers are
    /// watched.
    fn conditions(&self, request: Request) -> Request {
        if request.body.is_some() || request.headers_only {
            return request;
        }
        let cached = self.target.as_ref().filter(|target| {
            let is_recent = self.started_at - target.fetched_at < MAX_VALIDATED_AGE_MS;
            let is_known =
                self.has_seen(target.body_hash) || (target.body_hash != 0 && target.body.is_some());
            is_known && is_recent
        });
        Request {
            etag: cached.and_then(|target| target.etag.clone()),
            last_modified: cached.and_then(|target| target.last_modified.clone()),
            ..request
        }
    }
}

fn unpack(packed: &[u8]) -> Result<Bytes> {
    let mut bytes = Vec::new();
    let unpacked = zstd::stream::read::Decoder::new(packed).map_err(Error::internal)?;
    unpacked.take(MAX_BYTES).read_to_end(&mut bytes).map_err(Error::internal)?;
    Ok(bytes.into())
}

#[cfg(test)]
mod tests;
