//! One run, in a worker: what is due is looked at, compared with what was seen before, and written down
//! together with what it costs, when it runs next, and the end of its job.

use super::due::Asked;
use super::judge;
use super::look::{Looked, Subject};
use super::settle::{self, Ended};
use crate::credits;
use crate::error::Result;
use crate::handle::Domain;
use crate::jobs;
use crate::worker::Tools;

/// Carries out the run that `claimed` asks for. The failure of a source is a result, not a failure of the
/// job.
///
/// # Errors
/// `Unavailable` and `Internal` when the result could not be written; the job is then tried again, and
/// nothing has been charged.
pub async fn run(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let asked: Asked = claimed.arguments()?;
    let Some(subject) = Subject::load(domain, asked).await? else {
        return jobs::complete(domain, claimed).await;
    };
    let looked =
        if can_pay(domain, &subject).await? { subject.look(tools).await? } else { Looked::Exhausted };
    let found = judge::judge(domain, tools, &subject, looked).await?;
    settle::write(domain, Ended { claimed, subject: &subject, found }).await
}

/// Whether a run could be paid for, before anything is asked of the source.
async fn can_pay(domain: &Domain, subject: &Subject) -> Result<bool> {
    let allowance = i64::from(subject.plan.web_monitor_monthly_credits);
    let account_id = subject.row.account_id;
    let standing = credits::balance(domain.db().read(), domain.now(), account_id, allowance).await?;
    Ok(standing.remaining() >= subject.kind.cost())
}
