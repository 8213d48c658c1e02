//! The kinds of jobs, one file each: what a worker does with a job, and what becomes due of it by itself.
//! A kind that is missing in one of the lists here does not compile.

mod account_files;
mod extraction;
mod feed_discovery;
mod feed_follow;
mod feed_hub;
mod feed_poll;
mod library_export;
mod library_import;
mod library_tag;
mod library_text;
mod mail;
mod monitor_preview;
mod monitor_run;
mod notice;
mod oauth_client;
mod picture;
mod read_job;

use domain::jobs::{DeadJob, JobKind};
use domain::worker::Tools;
use domain::{Domain, Result, articles, feeds, library, monitors, notices, pictures};
use futures_util::future::BoxFuture;

use crate::engine::Engine;
use crate::handler::{Handler, Handlers};

/// Turns what is due into jobs and pushes them, in batches; returns how many.
pub(crate) type ClaimDue = for<'a> fn(&'a Engine) -> BoxFuture<'a, Result<u64>>;

/// Where jobs of a kind come from when their time has come.
#[derive(Clone, Copy)]
pub(crate) struct DueSource {
    /// What every tick asks for.
    pub(crate) claim: ClaimDue,
    /// What the same tick asks for more, when some have come. None where what a tick gives is the pace.
    pub(crate) further: Option<ClaimDue>,
}

impl DueSource {
    /// Each tick gives so much and no more.
    fn paced(claim: ClaimDue) -> Self {
        Self { claim, further: None }
    }

    /// As much is claimed as the queue has room for, in rounds.
    fn in_rounds(claim: ClaimDue, further: ClaimDue) -> Self {
        Self { claim, further: Some(further) }
    }
}

/// The handlers of the product, one for every kind.
pub fn handlers(tools: &Tools) -> Handlers {
    JobKind::ALL.iter().fold(Handlers::new(), |handlers, kind| handlers.with(handler(*kind, tools.clone())))
}

fn handler(kind: JobKind, tools: Tools) -> Handler {
    match kind {
        JobKind::Extraction => Handler::of(extraction::Extraction { tools }),
        JobKind::ReadJob => Handler::of(read_job::ReadJob),
        JobKind::FeedDiscovery => Handler::of(feed_discovery::FeedDiscovery { tools }),
        JobKind::FeedFollow => Handler::of(feed_follow::FeedFollow),
        JobKind::MonitorPreview => Handler::of(monitor_preview::MonitorPreview { tools }),
        JobKind::OAuthClient => Handler::of(oauth_client::OAuthClient { tools }),
        JobKind::Picture => Handler::of(picture::Picture { tools }),
        JobKind::FeedPoll => Handler::of(feed_poll::FeedPoll { tools }),
        JobKind::MonitorRun => Handler::of(monitor_run::MonitorRun { tools }),
        JobKind::LibraryText => Handler::of(library_text::LibraryText { tools }),
        JobKind::FeedHub => Handler::of(feed_hub::FeedHub { tools }),
        JobKind::LibraryImport => Handler::of(library_import::LibraryImport { tools }),
        JobKind::LibraryExport => Handler::of(library_export::LibraryExport),
        JobKind::LibraryTag => Handler::of(library_tag::LibraryTag),
        JobKind::AccountFiles => Handler::of(account_files::AccountFiles),
        JobKind::Mail => Handler::of(mail::Mail { tools }),
        JobKind::Notice => Handler::of(notice::Notice { tools }),
    }
}

/// Tells what a dead job was about that it will not be done. A page that took its workers down three times
/// is a source that fails, or the next reader would have three more go down.
pub(crate) async fn after_death(domain: &Domain, job: &DeadJob) -> Result<()> {
    match job.kind {
        JobKind::Extraction => articles::extraction::give_up(domain, &job.key).await,
        JobKind::MonitorRun => monitors::give_up_run(domain, job).await,
        JobKind::LibraryImport => library::transfer::give_up_imports(domain, &job.key).await,
        JobKind::LibraryExport => library::transfer::give_up_export(domain, &job.key).await,
        JobKind::FeedPoll => feeds::give_up_poll(domain, job).await,
        JobKind::LibraryText => library::work::give_up(domain, &job.key).await,
        JobKind::FeedFollow => feeds::give_up_following(domain, &job.key).await,
        JobKind::Notice => notices::give_up(domain, &job.key).await,
        JobKind::Picture => pictures::give_up(domain, &job.key).await,
        JobKind::ReadJob
        | JobKind::FeedDiscovery
        | JobKind::MonitorPreview
        | JobKind::OAuthClient
        | JobKind::FeedHub
        | JobKind::LibraryTag
        | JobKind::AccountFiles
        | JobKind::Mail => Ok(()),
    }
}

/// Tells what a job was about that its last start ended in an error, where the job itself has not said so. What stayed
/// under way would keep the next of its kind waiting.
pub(crate) async fn after_failure(domain: &Domain, kind: JobKind, key: &str) -> Result<()> {
    match kind {
        JobKind::LibraryImport => library::transfer::give_up_imports(domain, key).await,
        JobKind::LibraryExport => library::transfer::give_up_export(domain, key).await,
        JobKind::FeedFollow => feeds::give_up_following(domain, key).await,
        JobKind::Notice => notices::give_up(domain, key).await,
        JobKind::Picture => pictures::give_up(domain, key).await,
        JobKind::Extraction
        | JobKind::MonitorRun
        | JobKind::FeedPoll
        | JobKind::LibraryText
        | JobKind::ReadJob
        | JobKind::FeedDiscovery
        | JobKind::MonitorPreview
        | JobKind::OAuthClient
        | JobKind::FeedHub
        | JobKind::LibraryTag
        | JobKind::AccountFiles
        | JobKind::Mail => Ok(()),
    }
}

/// Where jobs of `kind` come from when their time has come; none for kinds that somebody asks for.
pub(crate) fn due_source(kind: JobKind) -> Option<DueSource> {
    match kind {
        JobKind::FeedPoll => Some(DueSource::in_rounds(
            |engine| Box::pin(feed_poll::claim_due(engine)),
            |engine| Box::pin(feed_poll::claim_further(engine)),
        )),
        JobKind::MonitorRun => Some(DueSource::in_rounds(
            |engine| Box::pin(monitor_run::claim_due(engine)),
            |engine| Box::pin(monitor_run::claim_due(engine)),
        )),
        JobKind::FeedHub => Some(DueSource::paced(|engine| Box::pin(feed_hub::claim_due(engine)))),
        JobKind::LibraryText => Some(DueSource::paced(|engine| Box::pin(library_text::claim_due(engine)))),
        JobKind::Extraction
        | JobKind::ReadJob
        | JobKind::FeedDiscovery
        | JobKind::FeedFollow
        | JobKind::MonitorPreview
        | JobKind::OAuthClient
        | JobKind::Picture
        | JobKind::LibraryImport
        | JobKind::LibraryExport
        | JobKind::LibraryTag
        | JobKind::AccountFiles
        | JobKind::Mail
        | JobKind::Notice => None,
    }
}
