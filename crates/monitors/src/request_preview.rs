//! Requests a preview, which costs one of the account's fresh extractions.

use super::monitor::Definition;
use super::page_parts::PageParts;
use super::preview::{self, Preview, PreviewContent, PreviewOutcome, PreviewRequest};
use super::rendering_rules;
use super::rows::owner_plan;
use super::warnings::{self, PlannedMonitor};
use articles::Payer;
use extract::watch::Target;
use identity::limits::AccountLimits;
use identity::limits::Reservation;
use identity::limits::window::RateState;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::{Code, Domain, Error, Millis, Result};

/// Preview that a job is creating.
pub struct PendingPreview {
    submitted: SubmittedPreview,
    another: Option<PlannedMonitor>,
}

/// Parts of a page that a job is reading.
pub struct PendingPageParts {
    submitted: SubmittedPreview,
}

/// Submitted preview with the reservation of its fresh extractions.
struct SubmittedPreview {
    payer: Payer,
    key: String,
    requested_at: Millis,
    reservation: Reservation,
}

/// Requests a preview from one download. It costs one fresh extraction, or five for a rendered page, regardless
/// of its result. The result includes the payer's current limits on fresh extractions.
///
/// # Errors
/// `invalid_request`; `fresh_extraction_limit`; `capacity_exhausted`.
pub async fn request_preview(
    domain: &Domain,
    payer: Payer,
    request: PreviewRequest<'_>,
) -> Result<Progress<PendingPreview>> {
    let (submitted, job) = SubmittedPreview::submit(domain, payer, request, PreviewContent::Observed).await?;
    let cost = request.definition.cost();
    let another = request.interval_minutes.map(|interval_minutes| PlannedMonitor { cost, interval_minutes });
    Ok(Progress::Waiting { job, pending: PendingPreview { submitted, another } })
}

/// Requests the parts of a page with its picture. The page is rendered, with the steps of the definition if it has
/// any, so it costs five fresh extractions, regardless of the result.
///
/// # Errors
/// `invalid_request`; `renderer_unavailable`; `fresh_extraction_limit`; `capacity_exhausted`.
pub async fn request_page_parts(
    domain: &Domain,
    payer: Payer,
    request: PreviewRequest<'_>,
) -> Result<Progress<PendingPageParts>> {
    let Definition { rendering, request: settings, .. } = request.definition.clone();
    let definition = Definition {
        rendering: Some(rendering.unwrap_or_default()),
        request: settings,
        ..Definition::of(Target::Page { selector: None })
    };
    let request = PreviewRequest { definition: &definition, interval_minutes: None, ..request };
    let (submitted, job) = SubmittedPreview::submit(domain, payer, request, PreviewContent::Parts).await?;
    Ok(Progress::Waiting { job, pending: PendingPageParts { submitted } })
}

impl SubmittedPreview {
    async fn submit(
        domain: &Domain,
        payer: Payer,
        request: PreviewRequest<'_>,
        content: PreviewContent,
    ) -> Result<(Self, jobs::Submitted)> {
        let account_id = payer.account_id;
        let requested_at = jobs::database_time(domain.db().read(), domain).await?;
        let count = rendering_rules::fresh_extractions(request.definition);
        let reservation =
            domain.limits().reserve_extractions(domain, (account_id, payer.tier), count).await?;
        match preview::submit_preview(domain, account_id, request, content).await {
            Ok((key, job)) => Ok((Self { payer, key, requested_at, reservation }, job)),
            Err(error) => {
                domain.limits().refund(reservation).await;
                Err(error)
            }
        }
    }

    /// Evaluates the outcome of the job. If this service caused the failure, the fresh extractions are not charged.
    async fn completed(self, domain: &Domain, outcome: WaitOutcome) -> Result<Self> {
        match outcome {
            WaitOutcome::Ended(_) => Ok(self),
            WaitOutcome::TimedOut => Err(timeout_error()),
            WaitOutcome::Failed(error) => {
                domain.limits().refund(self.reservation).await;
                Err(error)
            }
        }
    }
}

impl Pending for PendingPageParts {
    type Answer = PageParts;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<PageParts> {
        let SubmittedPreview { payer, key, requested_at, .. } =
            self.submitted.completed(domain, outcome).await?;
        match preview::find_parts(domain, payer.account_id, &key, requested_at).await? {
            Some(PreviewOutcome::Ready(parts)) => Ok(*parts),
            Some(PreviewOutcome::Failed(failure)) => Err(failure.into()),
            None => Err(timeout_error()),
        }
    }
}

impl Pending for PendingPreview {
    type Answer = (Preview, Vec<RateState>);

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Self::Answer> {
        let SubmittedPreview { payer, key, requested_at, reservation } =
            self.submitted.completed(domain, outcome).await?;
        let account_id = payer.account_id;
        match preview::find_preview(domain, account_id, &key, requested_at).await? {
            Some(PreviewOutcome::Ready(mut preview)) => {
                if self.another.is_some() {
                    let plan = &owner_plan(domain, account_id).await?;
                    let warning =
                        warnings::of_credits(domain.db().read(), account_id, plan, self.another).await?;
                    preview.warnings.extend(warning.map(str::to_owned));
                }
                Ok((*preview, reservation.states().to_vec()))
            }
            Some(PreviewOutcome::Failed(failure)) => Err(failure.into()),
            None => Err(timeout_error()),
        }
    }
}

fn timeout_error() -> Error {
    jobs::timed_out(Code::ServiceUnavailable, "The source was not read in time. Try again in a moment.")
}

#[cfg(test)]
mod tests {
    use articles::Address;
    use articles::worker_tools::{ToolSettings, Tools};
    use extract::sandbox::{Pool, PoolSettings};
    use fetch::Url;
    use jobs::JobState;
    use kernel::Policy;
    use kernel::clock::{HOUR, MINUTE};
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;

    use super::*;
    use crate::tests::page;

    #[tokio::test]
    async fn preview_is_returned_if_clocks_of_service_and_database_differ() {
        // The guard refuses the URL, so no child process is started.
        let sandbox = Pool::new(PoolSettings::new("/bin/false".into(), Vec::new()));
        let tools = Tools::new(&Policy::default(), sandbox, ToolSettings::default()).unwrap();
        for database in TestDatabase::each().await {
            for ahead in [HOUR, -HOUR] {
                let (web, worker) = (database.handle_ahead(-ahead).await, database.handle_ahead(ahead).await);
                let payer =
                    Payer { account_id: person(&database.domain, Tier::Free).await, tier: Tier::Free };
                let url = Url::parse("http://127.0.0.1/page").unwrap();
                let page_address = Address::parse(&web, "https://page.example/").unwrap();
                let address = Address { url, key: "a page".to_owned(), ..page_address };
                let definition = page();
                let request = PreviewRequest {
                    address: &address,
                    definition: &definition,
                    credentials: None,
                    credentials_of: None,
                    interval_minutes: None,
                };
                let progress = request_preview(&web, payer, request).await.unwrap();
                let Progress::Waiting { job, pending } = progress else { panic!("a job makes the preview") };
                let claimed = jobs::claim(&worker, job.id, "worker", MINUTE).await.unwrap().unwrap();
                preview::run_preview(&worker, &tools, &claimed).await.unwrap();
                let answer = pending.resume(&web, WaitOutcome::Ended(JobState::Complete)).await;
                assert_eq!(answer.err().map(|error| error.code), Some(Code::UrlNotAllowed), "{ahead}");
            }
        }
    }
}
