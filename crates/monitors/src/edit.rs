//! Edits a monitor: its name, interval, target, definition, and status.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChannelId, MonitorGroupId, MonitorId};
use entities::{monitor, monitor_snapshot};
use extract::watch::{Filter, Ignore, Target, Trigger, WatchedField};
use fetch::Url;
use identity::limits::AccountLimits;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, PaginatorTrait, QueryFilter,
};

use super::calendar::Schedule;
use super::evaluate::{self, PackedSnapshot, TimedSnapshot};
use super::feed_format::{FeedFormat, feed_url};
use super::group_settings::{GroupSetting, copy_settings, load_group, own_settings, set_own_settings};
use super::manage::{FirstRun, check_interval, check_name, first_run, stored_failures, stored_schedule};
use super::memory::Memory;
use super::monitor::{Definition, ExplanationSettings, Monitor, PauseReason, Status};
use super::rendering::Rendering;
use super::request::{self, Credentials, RequestSettings, SealedCredentials};
use super::rows::{load, owner_tier};
use super::sealed::SealedStepText;
use super::stored_snapshots::{self, RequiredSnapshots};
use super::{
    cookie_jar, definition, follow, next_run, rendering_rules, rules, sql, step_secrets, tags, warnings,
};
use articles::Address;
use articles::worker_tools::PageStep;
use feeds::internal_feed;
use identity::accounts;
use identity::limits::{Reservation, check_plan_limit};
use kernel::tag::Tag;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};

use kernel::writes::Writes;

/// Changes to a monitor. If the outer `Option` is `None`, the value is not changed.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    pub name: Option<String>,
    /// Interval between two runs, in minutes.
    pub interval_minutes: Option<u32>,
    /// Selector of a page. `Some(None)` watches the main text.
    pub selector: Option<Option<String>>,
    /// URL patterns of a sitemap to include.
    pub include: Option<Vec<String>>,
    /// URL patterns of a sitemap to exclude.
    pub exclude: Option<Vec<String>>,
    /// Selector of the items of an extract. `Some(None)` reads the whole source as one item.
    pub items: Option<Option<String>>,
    /// Fields of an extract, or of monitored headers.
    pub fields: Option<Vec<WatchedField>>,
    /// Content to ignore.
    pub ignore: Option<Vec<Ignore>>,
    /// Filters of the blocks of a page.
    pub filters: Option<Vec<Filter>>,
    /// Condition for reporting a change.
    pub trigger: Option<Trigger>,
    /// True if the order of a list matters.
    pub ordered: Option<bool>,
    /// True if the monitor is among its owner's feeds.
    pub follow: Option<bool>,
    /// New status: active or paused.
    pub status: Option<Status>,
    /// New URL to monitor.
    pub target: Option<Address>,
    /// True if an empty list is accepted as content.
    pub allow_empty: Option<bool>,
    /// True if the next run is a baseline. The state of earlier checks is discarded.
    pub reset_baseline: bool,
    /// True to discard the learned noise masks and disable learning.
    pub drop_masks: bool,
    /// Channels to notify of changes.
    pub notify: Option<Vec<ChannelId>>,
    pub tags: Option<Vec<String>>,
    /// New request settings. The credentials are retained.
    pub request: Option<RequestSettings>,
    /// True if a browser opens the page. False also removes `wait_for`, `steps`, and `dismiss_cookie_notices`.
    pub render: Option<bool>,
    /// CSS selector of the element that must appear before the page is read. `Some(None)` waits for no
    /// element.
    pub wait_for: Option<Option<String>>,
    /// Steps to perform on the page before it is read. A secret step without a text keeps the stored text.
    pub steps: Option<Vec<PageStep>>,
    /// True to dismiss cookie notices before the page is read.
    pub dismiss_cookie_notices: Option<bool>,
    /// Sealed texts of `steps` that were submitted with a form. They are newer than the stored texts.
    pub step_texts: Vec<SealedStepText>,
    /// Explanations of changes. `Some(None)` switches them off.
    pub explanation: Option<Option<ExplanationSettings>>,
    /// New credentials. `Some(None)` removes them.
    pub credentials: Option<Option<Credentials>>,
    pub schedule: Option<Schedule>,
    /// Number of consecutive failed runs after which channels are notified. `Some(None)` means never.
    pub notify_failures: Option<Option<u32>>,
    /// Tags to add to `tags`, or to the tags of the monitor.
    pub add_tags: Vec<String>,
    /// Tags to remove, regardless of letter case.
    pub remove_tags: Vec<String>,
    /// Channels to add to `notify`, or to the channels of the monitor.
    pub add_notify: Vec<ChannelId>,
    pub remove_notify: Vec<ChannelId>,
    /// Group of the monitor. `Some(None)` removes the monitor from its group.
    pub group: Option<Option<MonitorGroupId>>,
    /// Settings that do not follow the group. By default, these are the settings that this or an earlier edit
    /// changes.
    pub own_settings: Option<Vec<GroupSetting>>,
}

impl Edit {
    /// Group of the monitor after the edit, and its settings that do not follow the group. If the monitor is
    /// moved to another group, only the settings that the edit changes do not follow it.
    pub(super) fn membership_of(
        &self,
        current: Option<MonitorGroupId>,
        own: &[GroupSetting],
    ) -> (Option<MonitorGroupId>, Vec<GroupSetting>) {
        let group = self.group.unwrap_or(current);
        if let Some(own) = &self.own_settings {
            return (group, own.clone());
        }
        let is_set = |setting: &GroupSetting| match setting {
            GroupSetting::Interval => self.interval_minutes.is_some(),
            GroupSetting::Schedule => self.schedule.is_some(),
            GroupSetting::Notify => self.notify_of(&[]).is_some(),
        };
        let is_own = |setting: &GroupSetting| is_set(setting) || (group == current && own.contains(setting));
        (group, GroupSetting::ALL.iter().copied().filter(is_own).collect())
    }

    /// New tags of a monitor whose tags are `current`. `None` if they do not change.
    pub(super) fn tags_of(&self, current: &[String]) -> Option<Vec<String>> {
        if self.tags.is_none() && self.add_tags.is_empty() && self.remove_tags.is_empty() {
            return None;
        }
        let removed: Vec<Tag> = self.remove_tags.iter().filter_map(|text| Tag::of(text)).collect();
        let is_removed =
            |text: &String| Tag::of(text).is_some_and(|tag| removed.iter().any(|one| one.key == tag.key));
        let mut tags = self.tags.clone().unwrap_or_else(|| current.to_vec());
        tags.extend(self.add_tags.iter().cloned());
        tags.retain(|text| !is_removed(text));
        Some(tags)
    }

    /// New channels of a monitor whose channels are `current`. `None` if they do not change.
    pub(super) fn notify_of(&self, current: &[ChannelId]) -> Option<Vec<ChannelId>> {
        if self.notify.is_none() && self.add_notify.is_empty() && self.remove_notify.is_empty() {
            return None;
        }
        let mut channels = self.notify.clone().unwrap_or_else(|| current.to_vec());
        channels.extend(self.add_notify.iter().copied());
        channels.retain(|id| !self.remove_notify.contains(id));
        Some(channels)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Updated {
    pub monitor: Monitor,
    /// Codes of warnings about the monitor.
    pub warnings: Vec<&'static str>,
}

/// Updates a monitor. If its target changes, the next run is a new baseline.
///
/// # Errors
/// `not_found`, `invalid_request`, `interval_too_short`; `limit_reached` if the plan allows no further active
/// monitor; `name_taken` if another monitor has the same address and definition; `fresh_extraction_limit` if
/// the monitor is resumed before its interval has passed.
#[boxed]
pub async fn update(domain: &Domain, account_id: AccountId, id: MonitorId, edit: Edit) -> Result<Updated> {
    let reservation = reserve_early_run(domain, account_id, id, &edit).await?;
    let updated = apply(domain, account_id, id, edit).await;
    if let Some(reservation) = reservation.filter(|_| updated.is_err()) {
        domain.limits().refund(reservation).await;
    }
    updated
}

/// Reserves a fresh extraction if the edit resumes a monitor before its interval has passed. The early run
/// costs as much as a run that a user starts.
async fn reserve_early_run(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    edit: &Edit,
) -> Result<Option<Reservation>> {
    if edit.status != Some(Status::Active) {
        return Ok(None);
    }
    let row = load(domain.db().read(), account_id, id).await?;
    let tier = owner_tier(domain, account_id).await?;
    let interval = next_run::interval(&row, domain.policy().tiers.of(tier));
    let is_early = row.last_run_at.is_some_and(|last| domain.now() < last + interval);
    if row.status == Status::Active.as_str() || !is_early {
        return Ok(None);
    }
    let count = rendering_rules::fresh_extractions(&definition::read(&row.definition)?);
    domain.limits().reserve_extractions(domain, (account_id, tier), count).await.map(Some)
}

async fn apply(domain: &Domain, account_id: AccountId, id: MonitorId, mut edit: Edit) -> Result<Updated> {
    let now = domain.now();
    let sealed = seal_secrets(domain, account_id, id, &mut edit).await?;
    let transaction = domain.db().begin().await?;
    let plan = &accounts::lock_limits(&transaction, domain, account_id).await?;
    let row = load(&transaction, account_id, id).await?;
    let address = match &edit.target {
        Some(target) => target.clone(),
        None => Address::parse(domain, &row.target_url)?,
    };
    let before = definition::read(&row.definition)?;
    let mut after = apply_edit(&before, &edit)?;
    sealed.store_in(&mut after, &address.url)?;
    if after.request.headers != before.request.headers {
        request::check_headers(domain, &after.request)?;
    }
    // If the operator removed the proxy of a monitor, other edits must still be possible.
    if after.request.proxy != before.request.proxy {
        request::check_proxy(domain, &after.request)?;
    }
    // The same applies if the operator removed the browser.
    if after.rendering != before.rendering {
        rendering_rules::check_browser(domain, &after)?;
    }
    let status = Status::parse(&row.status).unwrap_or(Status::Paused);
    let new_status = edit.status.unwrap_or(status);
    if new_status == Status::Active && status != Status::Active {
        let used = rules::count_active(&transaction, account_id).await?;
        check_plan_limit("active web monitors", plan.web_monitors.into(), used)?;
    }
    let mut change = EditedMonitor::of(&row);
    change.set_options(&transaction, &edit, plan).await?;
    change.set_status(edit.status);
    change.set_target(&address, &before, &after)?;
    if edit.reset_baseline {
        change.reset_states();
    } else if !change.has_reset && !observes_equally(&before, &after) {
        change.reset_observation();
        if after.trigger != before.trigger {
            change.retrigger(domain, &after, now).await?;
        }
    }
    if edit.drop_masks {
        change.drop_masks()?;
    }
    if change.row.status == Status::Active.as_str() && (change.has_reset || status != Status::Active) {
        change.set_first_run(first_run(&transaction, now, &change.row, plan).await?);
    } else if (change.row.interval_minutes, &change.row.schedule) != (row.interval_minutes, &row.schedule) {
        change.row.next_run_at = next_run::reschedule(&change.row, plan, now);
    }
    if after.request != before.request || change.row.target_url != row.target_url {
        cookie_jar::clear(&transaction, id).await?;
    }
    let updated = change.write(&transaction, &row).await?;
    let follow = Following { should_follow: edit.follow, base_url: &domain.policy().base_url };
    let updated = set_followed(&transaction, now, updated, follow).await?;
    let warnings = warnings::of_account(&transaction, account_id, plan, &after).await?;
    transaction.commit().await?;
    Ok(Updated { monitor: Monitor::of(&updated, plan)?, warnings })
}

/// Secrets of an edit, sealed for the new URL of the monitor.
pub(super) struct SealedSecrets {
    pub(super) credentials: Option<SealedCredentials>,
    /// New secret text of each step. `None` if the edit has no steps.
    pub(super) texts: Option<Vec<Option<SealedStepText>>>,
}

impl SealedSecrets {
    /// Stores the secrets in the definition after the edit. Stored secrets are retained if they are for the origin of
    /// `url`.
    fn store_in(self, after: &mut Definition, url: &Url) -> Result<()> {
        if self.credentials.is_some() {
            after.request.credentials = self.credentials;
            rendering_rules::check(after)?;
        }
        request::check_origin(&after.request, url)?;
        let Some(rendering) = &mut after.rendering else { return Ok(()) };
        if let Some(texts) = self.texts {
            rendering.secrets = step_secrets::with_stored(url, &rendering.steps, texts, &rendering.secrets)?;
        }
        rendering_rules::check_addresses(url, &rendering.steps)?;
        step_secrets::check_origin(rendering, url)
    }
}

/// Seals the secrets of an edit for the new URL of the monitor, and removes the secret texts from its steps.
pub(super) async fn seal_secrets(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    edit: &mut Edit,
) -> Result<SealedSecrets> {
    let has_secret_steps = edit.steps.iter().flatten().any(|step| step.secret);
    if !has_secret_steps && !matches!(edit.credentials, Some(Some(_))) {
        let texts = edit.steps.as_ref().map(|steps| vec![None; steps.len()]);
        return Ok(SealedSecrets { credentials: None, texts });
    }
    let url = if let Some(target) = &edit.target {
        target.url.clone()
    } else {
        let row = load(domain.db().read(), account_id, id).await?;
        Address::parse(domain, &row.target_url)?.url
    };
    let credentials = match &edit.credentials {
        Some(Some(credentials)) => Some(request::seal(domain, account_id, &url, credentials).await?),
        _ => None,
    };
    let texts = match &mut edit.steps {
        Some(steps) => Some(step_secrets::seal_texts(domain, account_id, &url, steps).await?),
        None => None,
    };
    Ok(SealedSecrets { credentials, texts })
}

/// If the edit requires it, adds the monitor to its owner's feeds or removes it from them. The feed of a
/// followed monitor has the monitor's name.
async fn set_followed(
    transaction: &DatabaseTransaction,
    now: Millis,
    row: monitor::Model,
    follow: Following<'_>,
) -> Result<monitor::Model> {
    let feed_id = match (row.feed_id, follow.should_follow) {
        (None, Some(true)) => Some(follow::create_feed(transaction, now, &row, follow.base_url).await?),
        (Some(feed_id), Some(false)) => {
            feeds::unfollow_monitor(transaction, now, row.account_id, feed_id).await?;
            None
        }
        (Some(feed_id), Some(true) | None) => {
            let url = feed_url(follow.base_url, &row.feed_token, FeedFormat::Rss);
            internal_feed::rename(transaction, feed_id, &row.name, &url).await?;
            return Ok(row);
        }
        (None, Some(false) | None) => return Ok(row),
    };
    let after = monitor::ActiveModel { id: Set(row.id), feed_id: Set(feed_id), ..Default::default() };
    Ok(after.update(transaction).await?)
}

/// Requested following of a monitor: true adds it to its owner's feeds, false removes it, and `None` changes
/// nothing. `base_url` is the origin of the feed's URL.
struct Following<'a> {
    should_follow: Option<bool>,
    base_url: &'a str,
}

/// Monitor with the edit applied.
struct EditedMonitor {
    row: monitor::Model,
    /// Snapshot to store with the monitor.
    content: Option<PackedSnapshot>,
    has_reset: bool,
}

impl EditedMonitor {
    fn of(row: &monitor::Model) -> Self {
        Self { row: row.clone(), content: None, has_reset: false }
    }

    /// Sets the values that are not part of the definition.
    async fn set_options(
        &mut self,
        transaction: &DatabaseTransaction,
        edit: &Edit,
        plan: &TierLimits,
    ) -> Result<()> {
        let account_id = self.row.account_id;
        if let Some(name) = &edit.name {
            self.row.name = check_name(name)?;
        }
        if let Some(minutes) = edit.interval_minutes {
            check_interval(minutes, plan)?;
            self.row.interval_minutes = i32::try_from(minutes).unwrap_or(i32::MAX);
        }
        if let Some(schedule) = &edit.schedule {
            self.row.schedule = stored_schedule(schedule, plan)?;
        }
        if let Some(failures) = edit.notify_failures {
            self.row.notify_failures = failures.map(stored_failures);
        }
        let notified: Vec<ChannelId> = serde_json::from_str(&self.row.notify).unwrap_or_default();
        if let Some(ids) = edit.notify_of(&notified) {
            self.row.notify = notices::check_notify(transaction, account_id, &ids).await?;
        }
        if let Some(texts) = edit.tags_of(&tags::read(&self.row.tags)) {
            self.row.tags = tags::serialize(transaction, account_id, &texts).await?;
        }
        let (group_id, own) = edit.membership_of(self.row.group_id, &own_settings(&self.row));
        self.row.group_id = group_id;
        set_own_settings(&mut self.row, &own);
        if let Some(group_id) = group_id {
            copy_settings(&mut self.row, &load_group(transaction, account_id, group_id).await?);
        }
        Ok(())
    }

    fn set_status(&mut self, new_status: Option<Status>) {
        let active = Status::Active.as_str();
        match new_status {
            // If a user pauses a monitor that the plan had paused, it is not resumed with a larger plan.
            Some(Status::Paused) => {
                Status::Paused.as_str().clone_into(&mut self.row.status);
                self.row.pause_reason = Some(PauseReason::User.as_str().to_owned());
                self.row.next_run_at = None;
                self.row.credits_wait_until = None;
            }
            Some(Status::Active) if self.row.status != active => {
                active.clone_into(&mut self.row.status);
                self.row.pause_reason = None;
                // A user who resumes a monitor is aware of its failures.
                self.reset_failures();
            }
            Some(Status::Active | Status::Failed) | None => {}
        }
    }

    fn reset_failures(&mut self) {
        self.row.failures = 0;
        self.row.failing_since = None;
        self.row.absent = 0;
        self.row.refused_since = None;
    }

    /// Sets the URL and the definition. If content under the new definition is not comparable with the old
    /// content, the state of earlier checks is discarded.
    fn set_target(&mut self, address: &Address, before: &Definition, after: &Definition) -> Result<()> {
        let url_key = definition::target_key(after, self.row.id, address);
        let has_new_address = url_key != self.row.url_key;
        if has_new_address {
            self.row.host = extract::feed::site(address.url.as_str()).unwrap_or_default();
            address.url.as_str().clone_into(&mut self.row.target_url);
            self.row.url_key = url_key;
        }
        if has_new_address || after != before {
            self.row.definition = definition::write(after)?;
            self.row.identity = definition::identity(address, after)?;
        }
        if has_new_address || !definition::are_comparable(before, after) {
            self.reset_states();
        }
        Ok(())
    }

    /// Makes the next run a baseline.
    fn reset_states(&mut self) {
        self.has_reset = true;
        self.row.baseline_hash = None;
        self.row.observed_hash = None;
        "{}".clone_into(&mut self.row.masks);
        self.reset_observation();
        self.reset_failures();
    }

    /// Makes the next check evaluate the body even if it is unchanged. Discards fingerprints that were
    /// computed under other rules.
    fn reset_observation(&mut self) {
        self.row.seen_body_hash = 0;
        "[]".clone_into(&mut self.row.recent);
    }

    /// Evaluates the new trigger on the stored snapshots without reporting a change.
    async fn retrigger(&mut self, domain: &Domain, after: &Definition, now: Millis) -> Result<()> {
        let stored =
            stored_snapshots::load(domain, &self.row, RequiredSnapshots::BaselineAndObserved).await?;
        let previous_state = stored.previous(&self.row)?;
        let (Some(baseline), Some(observed)) = (previous_state.baseline, stored.observed()?) else {
            return Ok(());
        };
        let (definition, mut memory) = (after.clone(), previous_state.memory);
        let evaluation = tokio::task::spawn_blocking(move || {
            let seen = TimedSnapshot { snapshot: &observed, at: now };
            let language = memory.language.clone();
            let (truths, reference) =
                evaluate::retrigger(&definition, &baseline.snapshot, seen, language.as_deref());
            memory.truths = truths;
            let content = reference.map(|reference| PackedSnapshot::of(&reference)).transpose();
            (memory, content)
        });
        let (memory, content) = evaluation.await.map_err(Error::internal)?;
        self.row.masks = serde_json::to_string(&memory).map_err(Error::internal)?;
        if let Some(content) = content.map_err(Error::internal)? {
            self.row.baseline_hash = Some(content.hash.clone());
            self.content = Some(content);
        }
        Ok(())
    }

    fn drop_masks(&mut self) -> Result<()> {
        let mut memory = Memory::read(&self.row.masks);
        memory.drop_masks();
        self.row.masks = serde_json::to_string(&memory).map_err(Error::internal)?;
        self.reset_observation();
        Ok(())
    }

    fn set_first_run(&mut self, first: FirstRun) {
        self.row.next_run_at = Some(first.at);
        self.row.credits_wait_until = first.waits_until;
    }

    async fn write(
        self,
        transaction: &DatabaseTransaction,
        before: &monitor::Model,
    ) -> Result<monitor::Model> {
        if self.row.identity != before.identity {
            let same = monitor::Entity::owned_by(before.account_id)
                .filter(monitor::Column::Identity.eq(self.row.identity.as_str()));
            if same.count(transaction).await? > 0 {
                return Err(Error::new(
                    Code::NameTaken,
                    "Another monitor already watches the same part of this address.",
                ));
            }
        }
        if let Some(content) = self.content {
            let snapshot = monitor_snapshot::Model {
                account_id: before.account_id,
                monitor_id: before.id,
                hash: content.hash,
                content: content.encoded,
                seen_at: before.last_run_at.unwrap_or(before.created_at),
            };
            let mut writes = Writes::of(transaction);
            sql::upsert_snapshots(&mut writes, vec![snapshot]);
            writes.send().await?;
        }
        Ok(self.row.into_active_model().reset_all().update(transaction).await?)
    }
}

/// Returns true if two definitions observe and compare in the same way.
fn observes_equally(one: &Definition, other: &Definition) -> bool {
    *one == Definition { explanation: one.explanation.clone(), ..other.clone() }
}

/// Applies an edit to a definition and validates the result.
pub(super) fn apply_edit(before: &Definition, edit: &Edit) -> Result<Definition> {
    let mut after = before.clone();
    match &mut after.target {
        Target::Page { selector } | Target::Visual { selector } => {
            reject_foreign(edit.include.is_some(), "include")?;
            reject_foreign(edit.exclude.is_some(), "exclude")?;
            reject_foreign(edit.items.is_some(), "items")?;
            reject_foreign(edit.fields.is_some(), "fields")?;
            set_if_some(selector, edit.selector.as_ref());
        }
        Target::Sitemap { include, exclude } => {
            reject_foreign(edit.selector.is_some(), "selector")?;
            reject_foreign(edit.items.is_some(), "items")?;
            reject_foreign(edit.fields.is_some(), "fields")?;
            set_if_some(include, edit.include.as_ref());
            set_if_some(exclude, edit.exclude.as_ref());
        }
        Target::Extract { items, fields } => {
            reject_foreign(edit.selector.is_some(), "selector")?;
            reject_foreign(edit.include.is_some(), "include")?;
            reject_foreign(edit.exclude.is_some(), "exclude")?;
            set_if_some(items, edit.items.as_ref());
            set_if_some(fields, edit.fields.as_ref());
        }
        Target::Headers { fields } => {
            reject_foreign(edit.selector.is_some(), "selector")?;
            reject_foreign(edit.include.is_some(), "include")?;
            reject_foreign(edit.exclude.is_some(), "exclude")?;
            reject_foreign(edit.items.is_some(), "items")?;
            set_if_some(fields, edit.fields.as_ref());
        }
        Target::Product | Target::Calendar | Target::File | Target::Image => {
            reject_foreign(edit.selector.is_some(), "selector")?;
            reject_foreign(edit.include.is_some(), "include")?;
            reject_foreign(edit.exclude.is_some(), "exclude")?;
            reject_foreign(edit.items.is_some(), "items")?;
            reject_foreign(edit.fields.is_some(), "fields")?;
        }
    }
    set_if_some(&mut after.ignore, edit.ignore.as_ref());
    set_if_some(&mut after.filters, edit.filters.as_ref());
    set_if_some(&mut after.trigger, edit.trigger.as_ref());
    set_if_some(&mut after.ordered, edit.ordered.as_ref());
    set_if_some(&mut after.allow_empty, edit.allow_empty.as_ref());
    set_if_some(&mut after.explanation, edit.explanation.as_ref());
    if let Some(request) = &edit.request {
        let credentials = after.request.credentials.take();
        after.request = RequestSettings { credentials, ..request.clone() };
    }
    if edit.credentials == Some(None) {
        after.request.credentials = None;
    }
    edit_rendering(&mut after.rendering, edit)?;
    definition::check(&after)?;
    Ok(after)
}

fn edit_rendering(rendering: &mut Option<Rendering>, edit: &Edit) -> Result<()> {
    match edit.render {
        Some(true) => {
            rendering.get_or_insert_default();
        }
        Some(false) => *rendering = None,
        None => {}
    }
    let Some(rendering) = rendering else {
        let wait_for = edit.wait_for.clone().flatten();
        let steps = edit.steps.clone().unwrap_or_default();
        let dismiss_cookie_notices = edit.dismiss_cookie_notices.unwrap_or_default();
        return rendering_rules::check_without_browser(&Rendering {
            wait_for,
            steps,
            dismiss_cookie_notices,
            ..Rendering::default()
        });
    };
    set_if_some(&mut rendering.wait_for, edit.wait_for.as_ref());
    set_if_some(&mut rendering.steps, edit.steps.as_ref());
    set_if_some(&mut rendering.dismiss_cookie_notices, edit.dismiss_cookie_notices.as_ref());
    if !edit.step_texts.is_empty() {
        // The first text of a selector is used.
        let stored = std::mem::take(&mut rendering.secrets);
        rendering.secrets = edit.step_texts.iter().cloned().chain(stored).collect();
    }
    Ok(())
}

fn set_if_some<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

fn reject_foreign(is_sent: bool, name: &'static str) -> Result<()> {
    if is_sent {
        return Err(Error::invalid_field(name, "does not belong to this type of target"));
    }
    Ok(())
}
