//! Registry of all job kinds, one line each. If a kind is not registered, the crate does not compile.

mod mail;

use articles::worker_tools::Tools;
use jobs::{Handler, Handlers, Hooks, JobKind, KindHooks};

pub use mail::Mail;

macro_rules! register {
    (|$tools:ident| $($kind:ident => $job:ty, $given:expr;)+) => {
        fn handler(kind: JobKind, $tools: &Tools) -> Handler {
            match kind {
                $(JobKind::$kind => Handler::of(<$job>::new($given)),)+
            }
        }

        fn kind_hooks(kind: JobKind) -> KindHooks {
            match kind {
                $(JobKind::$kind => KindHooks::of::<$job>(),)+
            }
        }
    };
}

register! { |tools|
    Extraction => articles::job_kinds::Extraction, tools;
    Render => articles::job_kinds::Render, tools;
    ReadJob => articles::job_kinds::ReadJobRunner, tools;
    Picture => articles::job_kinds::PictureJob, tools;
    SmallerPicture => articles::job_kinds::SmallerPictureJob, tools;
    FeedDiscovery => feeds::job_kinds::FeedDiscovery, tools;
    FeedFollow => feeds::job_kinds::FeedFollow, tools;
    FeedPoll => feeds::job_kinds::FeedPoll, tools;
    FeedSample => feeds::job_kinds::FeedSample, tools;
    FeedHub => feeds::job_kinds::FeedHub, tools;
    MonitorPreview => monitors::job_kinds::MonitorPreview, tools;
    MonitorRun => monitors::job_kinds::MonitorRun, tools;
    MonitorRender => monitors::job_kinds::MonitorRender, tools;
    MonitorRenderPreview => monitors::job_kinds::MonitorRenderPreview, tools;
    LibraryText => library::job_kinds::LibraryText, tools;
    LibraryPageCopy => library::job_kinds::LibraryPageCopy, tools;
    InboxMessage => inbox::job_kinds::InboxMessage, tools;
    InboxUnsubscribe => inbox::job_kinds::InboxUnsubscribe, tools;
    Summary => model::job_kinds::SummaryJob, tools;
    Briefing => model::job_kinds::BriefingJob, tools;
    MeaningSearch => model::job_kinds::MeaningSearchJob, tools;
    Question => model::job_kinds::QuestionJob, tools;
    ChangeExplanation => model::job_kinds::ChangeExplanationJob, tools;
    LibraryImport => library::job_kinds::LibraryImport, tools;
    LibraryServer => library::job_kinds::LibraryServer, tools;
    LibraryExport => library::job_kinds::LibraryExport, tools;
    LibraryIndex => library::job_kinds::LibraryIndex, tools;
    LibraryTag => library::job_kinds::LibraryTag, tools;
    ModelTags => library::job_kinds::ModelTags, tools;
    AccountFiles => library::job_kinds::AccountFiles, tools;
    OAuthClient => identity::job_kinds::OAuthClient, &tools.fetcher;
    AddressCheck => identity::job_kinds::AddressCheck, &tools.fetcher;
    Mail => Mail, tools;
    Notice => notices::job_kinds::NoticeJob, tools;
}

/// Returns the handlers of all kinds with the tools of their worker.
pub fn handlers(tools: &Tools) -> Handlers {
    JobKind::ALL.iter().fold(Handlers::new(), |handlers, kind| handlers.with(handler(*kind, tools)))
}

/// Returns the hooks of all kinds.
pub fn hooks() -> Hooks {
    JobKind::ALL.iter().fold(Hooks::default(), |hooks, kind| hooks.with(*kind, kind_hooks(*kind)))
}
