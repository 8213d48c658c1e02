//! Connects the capabilities: if one capability needs a function of another, this module installs that
//! function in the [`Domain`] handle.

use std::sync::Arc;

use feeds::{FeedRows, InstalledSavedEntries};
use identity::account_rows::AccountOwners;
use identity::security_notices::InstalledNotifier;
use inbox::InboxRows;
use jobs::cleanup::Cleanups;
use kernel::Domain;
use library::{InstalledModelChoices, InstalledTextHook, LibraryEntries, LibraryRows};
use model::{AccountChoices, AutomaticSummaries, ModelRows};
use monitors::MonitorRows;
use notices::{ChannelNotifier, InstalledToday, NoticeRows};

use crate::today_digest::TodayContent;
use crate::{cleanups, job_kinds};

/// Installs all capabilities in the handle: account rows, security notices, saved entries, the
/// content of Today, automatic summaries, job hooks, and cleanups.
#[must_use]
pub fn compose(domain: Domain) -> Domain {
    let owners = AccountOwners(vec![
        Arc::new(FeedRows),
        Arc::new(MonitorRows),
        Arc::new(InboxRows),
        Arc::new(ModelRows),
        Arc::new(LibraryRows),
        Arc::new(NoticeRows),
    ]);
    domain
        .install(owners)
        .install(InstalledNotifier(Arc::new(ChannelNotifier)))
        .install(InstalledToday(Arc::new(TodayContent)))
        .install(InstalledTextHook(Arc::new(AutomaticSummaries)))
        .install(InstalledModelChoices(Arc::new(AccountChoices)))
        .install(InstalledSavedEntries(Arc::new(LibraryEntries)))
        .install(job_kinds::hooks())
        .install(Cleanups(cleanups::CLEANUPS))
}

#[cfg(test)]
mod tests;
