//! Previews: the content that a monitor would observe, from one download before the monitor exists. A worker
//! creates the preview and stores it temporarily; the caller then reads it.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::{AccountId, MonitorId};
use entities::monitor_preview;
use extract::watch::{
    self, FilterStep, Observation, ObservationPurpose, Reading, Snapshot, Suggestion, Target, Truths,
    Unwatched,
};
use fetch::Pace;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::args::BrowserJobOwner;
use super::evaluate::{TimedSnapshot, rules_of, trigger_input};
use super::memory::Memory;
use super::monitor::Definition;
use super::observer::{NotObserved, Observer};
use super::page_parts::{self, PageParts};
use super::request::{self, Credentials, OpenedCredentials, SealedCredentials};
use super::rows::load;
use super::warnings::{self, NO_KEY};
use super::{definition, rendering_rules, sealed, step_secrets};
use articles::worker_tools::{PageStep, Tools};
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

#[derive(Clone, Copy, Debug)]
pub struct PreviewRequest<'a> {
    pub address: &'a Address,
    pub definition: &'a Definition,
    pub credentials: Option<&'a Credentials>,
    /// Monitor whose stored credentials are sent if `credentials` has none.
    pub credentials_of: Option<MonitorId>,
    /// Planned interval of the monitor, in minutes, if it is known.
    pub interval_minutes: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PreviewContent {
    /// Content that the monitor would observe.
    #[default]
    Observed,
    /// Parts of the page with its picture.
    Parts,
}

/// Result of a preview.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PreviewOutcome<T> {
    /// The preview was created. It has no content if a selector matches nothing.
    Ready(Box<T>),
    /// The source could not be read.
    Failed(SourceFailure),
}

#[derive(Serialize, Deserialize)]
struct PreviewArgs {
    url: String,
    definition: Definition,
    #[serde(default)]
    content: PreviewContent,
}

#[derive(Serialize, Deserialize)]
struct StoredPreview {
    preview: Option<Preview>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<PageParts>,
}

struct PreviewResult {
    stored: StoredPreview,
    failure: Option<SourceFailure>,
    /// Picture of the page in JPEG.
    picture: Option<Vec<u8>>,
}

/// Requests a preview, or joins an identical request in progress. Returns the key of the preview. The caller
/// pushes the job.
///
/// # Errors
/// `invalid_request` if the definition is invalid; `capacity_exhausted` if too many jobs are waiting.
pub(super) async fn submit_preview(
    domain: &Domain,
    account_id: AccountId,
    request: PreviewRequest<'_>,
    content: PreviewContent,
) -> Result<(String, jobs::Submitted)> {
    let PreviewRequest { address, credentials, credentials_of, .. } = request;
    let mut definition = request.definition.clone();
    definition::check(&definition)?;
    request::check_headers(domain, &definition.request)?;
    request::check_proxy(domain, &definition.request)?;
    rendering_rules::check_browser(domain, &definition)?;
    let kind = if rendering_rules::needs_browser(domain, &definition) {
        JobKind::MonitorRenderPreview
    } else {
        JobKind::MonitorPreview
    };
    definition.request.credentials = match (credentials, credentials_of) {
        (Some(credentials), _) => Some(request::seal(domain, account_id, &address.url, credentials).await?),
        (None, Some(id)) => stored_credentials(domain, account_id, id, address).await?,
        (None, None) => None,
    };
    rendering_rules::check(&definition)?;
    step_secrets::seal(domain, account_id, &address.url, &mut definition).await?;
    let args = PreviewArgs { url: address.url.as_str().to_owned(), definition, content };
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
        picture: None,
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

/// Returns the sealed credentials of a monitor, for a preview of a page with its origin.
///
/// # Errors
/// `not_found` if the monitor does not exist; `invalid_request` if the credentials are for another origin.
async fn stored_credentials(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    address: &Address,
) -> Result<Option<SealedCredentials>> {
    let row = load(domain.db().read(), account_id, id).await?;
    let settings = definition::read(&row.definition)?.request;
    request::check_origin(&settings, &address.url)?;
    Ok(settings.credentials)
}

/// Returns the account's preview under `key`. `None` unless it was created at or after `since`, as measured
/// by the clock of the database.
pub(super) async fn find_preview(
    domain: &Domain,
    account_id: AccountId,
    key: &str,
    since: Millis,
) -> Result<Option<PreviewOutcome<Preview>>> {
    let stored = find_stored(domain, account_id, key, since).await?;
    Ok(stored.map(|(stored, failure)| PreviewOutcome::of(stored.preview, failure)))
}

/// Returns the parts of the page in the account's preview under `key`. `None` unless they were created at or after
/// `since`.
pub(super) async fn find_parts(
    domain: &Domain,
    account_id: AccountId,
    key: &str,
    since: Millis,
) -> Result<Option<PreviewOutcome<PageParts>>> {
    let stored = find_stored(domain, account_id, key, since).await?;
    Ok(stored.map(|(stored, failure)| {
        let parts = stored.parts.map(|parts| PageParts { key: key.to_owned(), ..parts });
        PreviewOutcome::of(parts, failure)
    }))
}

/// Returns the parts of a page that the account requested. `None` if there are none under this key, or if they have
/// expired.
///
/// # Errors
/// Returns an error if the database is unavailable.
#[boxed]
pub async fn find_page_parts(domain: &Domain, account_id: AccountId, key: &str) -> Result<Option<PageParts>> {
    if !page_parts::is_key(key) {
        return Ok(None);
    }
    let since = page_parts::oldest_time(domain).await?;
    Ok(match find_parts(domain, account_id, key, since).await? {
        Some(PreviewOutcome::Ready(parts)) => Some(*parts),
        Some(PreviewOutcome::Failed(_)) | None => None,
    })
}

async fn find_stored(
    domain: &Domain,
    account_id: AccountId,
    key: &str,
    since: Millis,
) -> Result<Option<(StoredPreview, Option<SourceFailure>)>> {
    use monitor_preview::Column;
    let row = monitor_preview::Entity::owned_by(account_id)
        .select_only()
        .columns([Column::Found, Column::ErrorCode, Column::ErrorMessage])
        .filter(Column::Key.eq(key))
        .filter(Column::MadeAt.gte(since))
        .into_tuple::<(Option<String>, Option<String>, Option<String>)>()
        .one(domain.db().write())
        .await?;
    let Some((Some(json), code, message)) = row else { return Ok(None) };
    let stored: StoredPreview = serde_json::from_str(&json).map_err(Error::internal)?;
    let failure = code.map(|code| SourceFailure::from_stored(&code, message.unwrap_or_default(), None));
    Ok(Some((stored, failure)))
}

/// Creates the preview of a claimed job and stores it.
#[boxed]
pub async fn run_preview(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let row = monitor_preview::Entity::of_any_owner(claimed.key.as_str()).one(domain.db().write()).await?;
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    let args: PreviewArgs = serde_json::from_str(&row.asked).map_err(Error::internal)?;
    let PreviewResult { stored, failure, picture } =
        make_preview(domain, tools, row.account_id, &args).await?;
    let has_picture = picture.is_some();
    let stored = serde_json::to_string(&stored).map_err(Error::internal)?;
    let (code, message) = failure.map(|failure| (failure.code, failure.message)).unzip();
    let made = monitor_preview::ActiveModel {
        key: Set(row.key),
        found: Set(Some(stored)),
        error_code: Set(code.map(|code| code.as_str().to_owned())),
        error_message: Set(message),
        made_at: Set(jobs::database_time(domain.db().read(), domain).await?),
        picture: Set(picture),
        ..Default::default()
    };
    let transaction = domain.db().begin().await?;
    made.update(&transaction).await?;
    if has_picture {
        page_parts::delete_oldest(&transaction, row.account_id).await?;
    }
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Opens the secret texts of the steps of a preview. Returns the steps, or `None` if there are no texts. The inner
/// error means that a text cannot be opened.
async fn open_steps(
    domain: &Domain,
    account_id: AccountId,
    args: &PreviewArgs,
) -> Result<Result<Option<Vec<PageStep>>>> {
    let rendering = args.definition.rendering.as_ref();
    let Some(rendering) = rendering.filter(|rendering| !rendering.secrets.is_empty()) else {
        return Ok(Ok(None));
    };
    let opened = step_secrets::open(&sealed::load_vault(domain).await?, account_id, &args.url, rendering);
    if let Err(error) = &opened {
        tracing::error!(%error, account = %account_id, "failed to open the step secrets of a preview");
    }
    Ok(opened.map(Some))
}

async fn make_preview(
    domain: &Domain,
    tools: &Tools,
    account_id: AccountId,
    args: &PreviewArgs,
) -> Result<PreviewResult> {
    let opened = match &args.definition.request.credentials {
        None => OpenedCredentials::None,
        Some(sealed) => request::open(&sealed::load_vault(domain).await?, account_id, &args.url, sealed),
    };
    let Ok(steps) = open_steps(domain, account_id, args).await? else {
        return Ok(PreviewResult::unreadable());
    };
    let credentials = match &opened {
        OpenedCredentials::None => None,
        OpenedCredentials::Header(header) => Some(header),
        OpenedCredentials::Unreadable => {
            return Ok(PreviewResult::unreadable());
        }
    };
    let observer = Observer {
        tools,
        account_id,
        definition: &args.definition,
        target_url: &args.url,
        credentials,
        steps: steps.as_deref(),
        cookies: None,
        pace: Pace::Interactive,
        purpose: ObservationPurpose::Preview,
    };
    if args.content == PreviewContent::Parts {
        return match page_parts::read(&observer, &args.url).await {
            Ok((parts, picture)) => Ok(PreviewResult::of_parts(parts, picture)),
            Err(error) => failed_preview(error, &args.url),
        };
    }
    match observer.observe_with_warnings(&args.url).await {
        Ok((seen, rendering)) => {
            let definition = args.definition.clone();
            let preview = tokio::task::spawn_blocking(move || build_preview(&definition, seen));
            let mut preview = preview.await.map_err(Error::internal)?;
            let mut warnings: Vec<String> = rendering.iter().map(ToString::to_string).collect();
            warnings.append(&mut preview.warnings);
            preview.warnings = warnings;
            Ok(PreviewResult::of(preview))
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
        Err(error) => failed_preview(error, &args.url),
    }
}

/// Returns the result for a source that could not be observed.
///
/// # Errors
/// Returns an error if this service caused the failure.
fn failed_preview(error: NotObserved, url: &str) -> Result<PreviewResult> {
    let failure = match error {
        NotObserved::Unusable(failed) => {
            let message = "The source was read, but it contains nothing that can be monitored.".to_owned();
            SourceFailure::new(failed.code, failed.reason.unwrap_or(message))
        }
        NotObserved::Fetch(error) => SourceFailure::from(&error),
        NotObserved::Unavailable(error) => return Err(error),
    };
    Ok(PreviewResult::failed(with_address(failure, url)))
}

/// If the page is on a well-known site, adds the recommended URL of that site to the failure.
fn with_address(mut failure: SourceFailure, url: &str) -> SourceFailure {
    if let Some((source, about)) = watch::known_sources(url).into_iter().next() {
        failure.message = format!("{} {about}: {}", failure.message, source.url);
    }
    failure
}

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

impl<T> PreviewOutcome<T> {
    fn of(result: Option<T>, failure: Option<SourceFailure>) -> Self {
        match (result, failure) {
            (Some(result), None) => Self::Ready(Box::new(result)),
            (_, failure) => {
                Self::Failed(failure.unwrap_or_else(|| SourceFailure::from_stored("", String::new(), None)))
            }
        }
    }
}

impl PreviewResult {
    fn of(preview: Preview) -> Self {
        let stored = StoredPreview { preview: Some(preview), parts: None };
        Self { stored, failure: None, picture: None }
    }

    fn of_parts(parts: PageParts, picture: Vec<u8>) -> Self {
        let stored = StoredPreview { preview: None, parts: Some(parts) };
        Self { stored, failure: None, picture: Some(picture) }
    }

    /// Failure of a preview whose secrets cannot be opened.
    fn unreadable() -> Self {
        let message = "The credentials, or the secrets of the steps, cannot be read. Send them again.";
        Self::failed(SourceFailure::new(Code::InvalidRequest, message))
    }

    fn failed(failure: SourceFailure) -> Self {
        let stored = StoredPreview { preview: None, parts: None };
        Self { stored, failure: Some(failure), picture: None }
    }
}

/// Replaces a screenshot with its size in pixels.
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
