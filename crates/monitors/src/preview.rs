//! Previews: the content that a monitor would observe, from one download before the monitor exists. A worker
//! creates the preview and stores it temporarily. Then the requester reads it.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::AccountId;
use entities::monitor_preview;
use extract::watch::{
    self, FilterStep, Observation, ObservationPurpose, Reading, Snapshot, Suggestion, Target, Truths,
    Unwatched,
};
use fetch::Pace;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::args::BrowserJobOwner;
use super::evaluate::{TimedSnapshot, rules_of, trigger_input};
use super::memory::Memory;
use super::monitor::Definition;
use super::observer::{NotObserved, Observer};
use super::request::{self, Credentials, OpenedCredentials};
use super::warnings::{self, NO_KEY};
use super::{definition, rendering_rules};
use articles::worker_tools::Tools;
use articles::{Address, SourceFailure};
use jobs::{JobKind, NewJob};
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of blocks, URLs or items in a preview.
const MAX_ENTRIES: usize = 200;
/// Warning that a selector matches nothing.
const ABSENT: &str = Code::SelectorNotFound.as_str();
/// Warning that a value contains several numbers.
const SEVERAL_NUMBERS: &str = "several_numbers";
/// Warning that there is no number to compare with the limit.
const NO_NUMBER: &str = "no_number";
/// Warning that a number can be interpreted in two ways, such as 1299 and 1.299.
const AMBIGUOUS_NUMBER: &str = "ambiguous_number";
/// Warning that the text of the trigger occurs only after a negation.
const DENIED_TEXT: &str = "denied_text";
/// Maximum number of characters in a value in a preview.
const MAX_VALUE_CHARS: usize = 4_000;

/// Content that a monitor would observe, with hints about its definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// Title of the source.
    pub title: Option<String>,
    /// First part of the observed content. `None` if a selector matches nothing.
    #[serde(rename = "found")]
    pub snapshot: Option<Snapshot>,
    /// Total number of blocks, URLs or items.
    pub total: usize,
    /// Codes of warnings.
    pub warnings: Vec<String>,
    /// Numbers that a trigger with a limit would compare.
    #[serde(default)]
    pub readings: Vec<Reading>,
    /// First texts that currently contain the text of the trigger.
    #[serde(default)]
    pub matches: Vec<String>,
    /// True if the condition of the trigger is true now. `None` if it cannot be evaluated.
    #[serde(default)]
    pub triggered: Option<bool>,
    /// Other parts of the source that could be watched.
    #[serde(default)]
    pub suggestions: Vec<Suggestion>,
    /// Texts of `snapshot` that are not compared.
    #[serde(default)]
    pub unwatched: Vec<Unwatched>,
    /// Blocks after each filter.
    #[serde(default)]
    pub steps: Vec<FilterStep>,
}

/// Preview to request.
#[derive(Clone, Copy, Debug)]
pub struct PreviewRequest<'a> {
    pub address: &'a Address,
    pub definition: &'a Definition,
    pub credentials: Option<&'a Credentials>,
    /// Planned interval of the monitor, in minutes, if it is known.
    pub interval_minutes: Option<u32>,
}

/// Result of a preview.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PreviewOutcome {
    /// The preview was created. It has no content if a selector matches nothing.
    Ready(Box<Preview>),
    /// The source could not be read.
    Failed(SourceFailure),
}

#[derive(Serialize, Deserialize)]
struct PreviewArgs {
    url: String,
    definition: Definition,
}

#[derive(Serialize, Deserialize)]
struct StoredPreview {
    preview: Option<Preview>,
}

/// Result of creating a preview.
struct PreviewResult {
    stored: StoredPreview,
    failure: Option<SourceFailure>,
}

/// Requests a preview, or joins an identical request in progress. Returns the key of the preview. The caller
/// pushes the job.
///
/// # Errors
/// `invalid_request` for an invalid definition; `capacity_exhausted`.
pub(super) async fn submit_preview(
    domain: &Domain,
    account_id: AccountId,
    request: PreviewRequest<'_>,
) -> Result<(String, jobs::Submitted)> {
    let PreviewRequest { address, credentials, .. } = request;
    let mut definition = request.definition.clone();
    definition::check(&definition)?;
    request::check_proxy(domain, &definition.request)?;
    rendering_rules::check_browser(domain, &definition)?;
    let kind = if rendering_rules::needs_browser(domain, &definition) {
        JobKind::MonitorRenderPreview
    } else {
        JobKind::MonitorPreview
    };
    definition.request.credentials = match credentials {
        Some(credentials) => Some(request::seal(domain, account_id, &address.url, credentials).await?),
        None => None,
    };
    rendering_rules::check(&definition)?;
    let args = PreviewArgs { url: address.url.as_str().to_owned(), definition };
    let args = serde_json::to_string(&args).map_err(Error::internal)?;
    let key = HEXLOWER.encode(&Sha256::digest(format!("{account_id} {args}").as_bytes()));
    let transaction = domain.db().begin().await?;
    let row = monitor_preview::Model {
        key: key.clone(),
        account_id,
        asked: args,
        found: None,
        error_code: None,
        error_message: None,
        made_at: jobs::database_time(&transaction, domain).await?,
    };
    let nothing = OnConflict::column(monitor_preview::Column::Key).do_nothing().to_owned();
    let insert = monitor_preview::Entity::insert(row.into_active_model()).on_conflict(nothing);
    insert.try_insert().exec_without_returning(&transaction).await?;
    let owner = BrowserJobOwner { account_id };
    let job = NewJob::new(kind, key.clone()).owner(account_id).payload(&owner)?;
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((key, submitted))
}

/// Returns the account's preview under `key`. `None` unless it was created at or after `since`, as measured
/// by the clock of the database.
pub(super) async fn find_preview(
    domain: &Domain,
    account_id: AccountId,
    key: &str,
    since: Millis,
) -> Result<Option<PreviewOutcome>> {
    let row = monitor_preview::Entity::owned_by(account_id)
        .filter(monitor_preview::Column::Key.eq(key))
        .filter(monitor_preview::Column::MadeAt.gte(since))
        .one(domain.db().write())
        .await?;
    let Some(row) = row else { return Ok(None) };
    let Some(json) = row.found else { return Ok(None) };
    let stored: StoredPreview = serde_json::from_str(&json).map_err(Error::internal)?;
    Ok(Some(match (stored.preview, row.error_code) {
        (Some(preview), None) => PreviewOutcome::Ready(Box::new(preview)),
        (_, code) => {
            let code = code.unwrap_or_default();
            let failure = SourceFailure::from_stored(&code, row.error_message.unwrap_or_default(), None);
            PreviewOutcome::Failed(failure)
        }
    }))
}

/// Creates the preview of a claimed job and stores it.
#[boxed]
pub async fn run_preview(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let row = monitor_preview::Entity::of_any_owner(claimed.key.as_str()).one(domain.db().write()).await?;
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    let args: PreviewArgs = serde_json::from_str(&row.asked).map_err(Error::internal)?;
    let PreviewResult { stored, failure } = make_preview(domain, tools, row.account_id, &args).await?;
    let stored = serde_json::to_string(&stored).map_err(Error::internal)?;
    let (code, message) = failure.map(|failure| (failure.code, failure.message)).unzip();
    let made = monitor_preview::ActiveModel {
        key: Set(row.key),
        found: Set(Some(stored)),
        error_code: Set(code.map(|code| code.as_str().to_owned())),
        error_message: Set(message),
        made_at: Set(jobs::database_time(domain.db().read(), domain).await?),
        ..Default::default()
    };
    let transaction = domain.db().begin().await?;
    made.update(&transaction).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

async fn make_preview(
    domain: &Domain,
    tools: &Tools,
    account_id: AccountId,
    args: &PreviewArgs,
) -> Result<PreviewResult> {
    let opened = match &args.definition.request.credentials {
        None => OpenedCredentials::None,
        Some(sealed) => request::open(&request::load_vault(domain).await?, account_id, &args.url, sealed),
    };
    let credentials = match &opened {
        OpenedCredentials::None => None,
        OpenedCredentials::Header(header) => Some(header),
        OpenedCredentials::Unreadable => {
            let message = "The credentials cannot be read. Send them again.";
            let failure = Some(SourceFailure::new(Code::InvalidRequest, message));
            return Ok(PreviewResult { stored: StoredPreview { preview: None }, failure });
        }
    };
    let observer = Observer {
        tools,
        account_id,
        definition: &args.definition,
        target_url: &args.url,
        credentials,
        cookies: None,
        pace: Pace::Interactive,
        purpose: ObservationPurpose::Preview,
    };
    match observer.observe(&args.url).await {
        Ok(seen) => {
            let definition = args.definition.clone();
            let preview = tokio::task::spawn_blocking(move || build_preview(&definition, seen));
            Ok(PreviewResult::of(preview.await.map_err(Error::internal)?))
        }
        Err(NotObserved::Unusable(failed)) if failed.is_absence() => {
            let nothing = Preview {
                title: None,
                snapshot: None,
                total: 0,
                warnings: vec![ABSENT.to_owned()],
                readings: Vec::new(),
                matches: Vec::new(),
                triggered: None,
                suggestions: Vec::new(),
                unwatched: Vec::new(),
                steps: Vec::new(),
            };
            Ok(PreviewResult::of(nothing))
        }
        Err(NotObserved::Unusable(failed)) => {
            let message = "The source was read, but it contains nothing that can be monitored.".to_owned();
            let failure = SourceFailure::new(failed.code, failed.reason.unwrap_or(message));
            let failure = Some(with_address(failure, &args.url));
            Ok(PreviewResult { stored: StoredPreview { preview: None }, failure })
        }
        Err(NotObserved::Fetch(error)) => {
            let failure = Some(with_address(SourceFailure::from(&error), &args.url));
            Ok(PreviewResult { stored: StoredPreview { preview: None }, failure })
        }
        Err(NotObserved::Unavailable(error)) => Err(error),
    }
}

/// If the page is on a well-known site, adds the better URL to the failure.
fn with_address(mut failure: SourceFailure, url: &str) -> SourceFailure {
    if let Some((source, about)) = watch::known_sources(url).into_iter().next() {
        failure.message = format!("{} {about}: {}", failure.message, source.url);
    }
    failure
}

/// Builds a preview from an observation.
fn build_preview(definition: &Definition, seen: Observation) -> Preview {
    let total = seen.snapshot.len() + seen.sitemaps.len();
    let mut warning_codes: Vec<String> = seen.warnings.iter().copied().filter_map(warnings::code).collect();
    let input = trigger_input(
        definition,
        TimedSnapshot { snapshot: &seen.snapshot, at: 0 },
        seen.language.as_deref(),
    );
    let readings = watch::readings(&definition.trigger, input);
    let matches = watch::matches(&definition.trigger, input);
    let truths = Truths::has(&definition.trigger).then(|| Truths::of(&definition.trigger, input));
    let triggered = truths.and_then(|truths| truths.holds());
    let mut warn = |is_so: bool, word: &str| {
        if is_so && !warning_codes.iter().any(|known| known == word) {
            warning_codes.push(word.to_owned());
        }
    };
    warn(seen.absent.is_some(), ABSENT);
    warn(watch::is_nameless(&seen.snapshot, &definition.target), NO_KEY);
    warn(readings.iter().any(|reading| reading.numbers > 1), SEVERAL_NUMBERS);
    warn(readings.iter().any(|reading| reading.is_ambiguous), AMBIGUOUS_NUMBER);
    warn(
        definition.trigger.is_numeric() && !readings.iter().any(|reading| reading.number.is_some()),
        NO_NUMBER,
    );
    warn(watch::is_denied(&definition.trigger, input), DENIED_TEXT);
    let is_nothing = seen.absent.is_some() && !definition.allow_empty;
    let mut content = seen.snapshot;
    if let Snapshot::Urls(urls) = &mut content {
        // For a sitemap index, the preview lists its parts. A run reads the parts.
        urls.extend(seen.sitemaps);
    }
    if matches!(definition.target, Target::Visual { .. }) {
        keep_size(&mut content);
    }
    shorten(&mut content);
    let unwatched = watch::unwatched(&content, &rules_of(definition, &Memory::default()));
    let content = (!is_nothing).then_some(content);
    let total = if content.is_some() { total } else { 0 };
    let (title, suggestions, steps) = (seen.title, seen.suggestions, seen.steps);
    Preview {
        title,
        snapshot: content,
        total,
        warnings: warning_codes,
        readings,
        matches,
        triggered,
        suggestions,
        unwatched,
        steps,
    }
}

impl PreviewResult {
    fn of(preview: Preview) -> Self {
        Self { stored: StoredPreview { preview: Some(preview) }, failure: None }
    }
}

/// Replaces a screenshot by its size in pixels.
fn keep_size(content: &mut Snapshot) {
    let Snapshot::Items(items) = content else { return };
    for field in items.iter_mut().flat_map(|item| &mut item.fields) {
        field.value = field.value.take().map(|value| format!("{} pixels", watch::screenshot_size(&value)));
    }
}

fn shorten(content: &mut Snapshot) {
    match content {
        Snapshot::Blocks(blocks) => {
            blocks.truncate(MAX_ENTRIES);
            for block in blocks {
                shorten_text(&mut block.text);
            }
        }
        Snapshot::Urls(urls) => urls.truncate(MAX_ENTRIES),
        Snapshot::Items(items) => {
            items.truncate(MAX_ENTRIES);
            let fields = items.iter_mut().flat_map(|item| &mut item.fields);
            fields.filter_map(|field| field.value.as_mut()).for_each(shorten_text);
        }
    }
}

fn shorten_text(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(MAX_VALUE_CHARS) {
        text.truncate(end);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use extract::watch::SnapshotBlock;

    use super::*;

    #[test]
    fn long_texts_of_a_preview_are_truncated() {
        let block = SnapshotBlock { text: "é".repeat(5_000), ..SnapshotBlock::default() };
        let mut content = Snapshot::Blocks(vec![block; 300]);
        shorten(&mut content);
        let Snapshot::Blocks(blocks) = &content else { panic!("blocks") };
        assert_eq!((blocks.len(), blocks[0].text.chars().count()), (MAX_ENTRIES, MAX_VALUE_CHARS + 1));
    }
}
