//! Previews: what a monitor would look at, found by one download before there is a monitor. A worker makes
//! it; whoever asked reads it where it is kept for a while.

use data_encoding::HEXLOWER;
use entities::ids::AccountId;
use entities::monitor_preview;
use extract::watch::{self, Observation, Purpose, Reading, Snapshot, Suggestion, Truths};
use fetch::Pace;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::definition;
use super::evaluate::{Seen, look};
use super::monitor::Definition;
use super::observe::{NotObserved, Observer};
use super::warnings::{self, NO_KEY};
use articles::worker::Tools;
use articles::{Address, Failure};
use jobs::{JobKind, NewJob};
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Blocks, addresses or items that a preview shows.
const MOST_SHOWN: usize = 200;
/// The word for a selector that finds nothing.
const ABSENT: &str = Code::SelectorNotFound.as_str();
/// The word for a value in which more than one number stands.
const SEVERAL_NUMBERS: &str = "several_numbers";
/// The word for a limit that finds no number to be compared with.
const NO_NUMBER: &str = "no_number";

/// What a monitor would look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// The source's own title.
    pub title: Option<String>,
    /// The first of what was found; none when the selector finds nothing.
    pub found: Option<Snapshot>,
    /// How many blocks, addresses or items there are.
    pub total: usize,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// The numbers that a limit would be compared with.
    #[serde(default)]
    pub readings: Vec<Reading>,
    /// The first texts in which the text of the trigger stands now.
    #[serde(default)]
    pub matches: Vec<String>,
    /// Whether the trigger holds now.
    #[serde(default)]
    pub triggered: Option<bool>,
    /// What else may be watched there.
    #[serde(default)]
    pub suggestions: Vec<Suggestion>,
}

/// What a preview came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PreviewOutcome {
    /// Something to look at, or a selector that finds nothing.
    Found(Box<Preview>),
    /// The source could not be read, for this reason.
    Failed(Failure),
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

/// What came of looking.
struct Made {
    kept: StoredPreview,
    failure: Option<Failure>,
}

/// Asks for a preview, or joins the same one that is under way. Tells its key, by which it is found. The
/// caller pushes the job.
///
/// # Errors
/// `invalid_request` for what cannot be watched; `capacity_exhausted`.
pub(super) async fn submit_preview(
    domain: &Domain,
    account_id: AccountId,
    address: &Address,
    definition: &Definition,
) -> Result<(String, jobs::Submitted)> {
    definition::check(definition)?;
    let asked = PreviewArgs { url: address.url.as_str().to_owned(), definition: definition.clone() };
    let asked = serde_json::to_string(&asked).map_err(Error::internal)?;
    let key = HEXLOWER.encode(&Sha256::digest(format!("{account_id} {asked}").as_bytes()));
    let transaction = domain.db().begin().await?;
    let row = monitor_preview::Model {
        key: key.clone(),
        account_id,
        asked,
        found: None,
        error_code: None,
        error_message: None,
        made_at: domain.now(),
    };
    let nothing = OnConflict::column(monitor_preview::Column::Key).do_nothing().to_owned();
    let insert = monitor_preview::Entity::insert(row.into_active_model()).on_conflict(nothing);
    insert.try_insert().exec_without_returning(&transaction).await?;
    let job = NewJob::new(JobKind::MonitorPreview, key.clone());
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((key, submitted))
}

/// The account's preview under `key`, when it was made at `since` or later.
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
    let Some(found) = row.found else { return Ok(None) };
    let kept: StoredPreview = serde_json::from_str(&found).map_err(Error::internal)?;
    Ok(Some(match (kept.preview, row.error_code) {
        (Some(preview), None) => PreviewOutcome::Found(Box::new(preview)),
        (_, code) => {
            let code = code.unwrap_or_default();
            let failure = Failure::kept(&code, row.error_message.unwrap_or_default(), None);
            PreviewOutcome::Failed(failure)
        }
    }))
}

/// Makes the preview that `claimed` asks for, in a worker.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be made or written.
pub async fn run_preview(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let row = monitor_preview::Entity::of_any_owner(claimed.key.as_str()).one(domain.db().write()).await?;
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    let asked: PreviewArgs = serde_json::from_str(&row.asked).map_err(Error::internal)?;
    let Made { kept, failure } = make(tools, &asked).await?;
    let kept = serde_json::to_string(&kept).map_err(Error::internal)?;
    let (code, message) = failure.map(|failure| (failure.code, failure.message)).unzip();
    let made = monitor_preview::ActiveModel {
        key: Set(row.key),
        found: Set(Some(kept)),
        error_code: Set(code.map(|code| code.as_str().to_owned())),
        error_message: Set(message),
        made_at: Set(domain.now()),
        ..Default::default()
    };
    let transaction = domain.db().begin().await?;
    made.update(&transaction).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

async fn make(tools: &Tools, asked: &PreviewArgs) -> Result<Made> {
    let observer =
        Observer { tools, definition: &asked.definition, pace: Pace::Interactive, purpose: Purpose::Preview };
    match observer.look(&asked.url).await {
        Ok(seen) => {
            let definition = asked.definition.clone();
            let shown = tokio::task::spawn_blocking(move || shown(&definition, seen));
            Ok(Made::of(shown.await.map_err(Error::internal)?))
        }
        Err(NotObserved::Unusable(failed)) if failed.is_absence() => {
            let nothing = Preview {
                title: None,
                found: None,
                total: 0,
                warnings: vec![ABSENT.to_owned()],
                readings: Vec::new(),
                matches: Vec::new(),
                triggered: None,
                suggestions: Vec::new(),
            };
            Ok(Made::of(nothing))
        }
        Err(NotObserved::Unusable(failed)) => {
            let message = "The source was read, but there is nothing in it that could be watched.";
            let failure = Some(Failure::new(failed.code, message));
            Ok(Made { kept: StoredPreview { preview: None }, failure })
        }
        Err(NotObserved::Fetch(error)) => {
            let failure = Some(Failure::from(&error));
            Ok(Made { kept: StoredPreview { preview: None }, failure })
        }
        Err(NotObserved::Unavailable(error)) => Err(error),
    }
}

/// What is shown of what was read.
fn shown(definition: &Definition, seen: Observation) -> Preview {
    let total = seen.snapshot.len() + seen.sitemaps.len();
    let mut told: Vec<String> = seen.warnings.iter().copied().filter_map(warnings::word).collect();
    let look = look(definition, Seen { snapshot: &seen.snapshot, at: 0 }, seen.language.as_deref());
    let readings = watch::readings(&definition.trigger, look);
    let matches = watch::matches(&definition.trigger, look);
    let truths = Truths::has(&definition.trigger).then(|| Truths::of(&definition.trigger, look));
    let triggered = truths.and_then(|truths| truths.holds());
    let mut warn = |is_so: bool, word: &str| {
        if is_so && !told.iter().any(|known| known == word) {
            told.push(word.to_owned());
        }
    };
    warn(seen.absent.is_some(), ABSENT);
    warn(watch::is_nameless(&seen.snapshot, &definition.target), NO_KEY);
    warn(readings.iter().any(|reading| reading.numbers > 1), SEVERAL_NUMBERS);
    warn(
        definition.trigger.is_numeric() && !readings.iter().any(|reading| reading.number.is_some()),
        NO_NUMBER,
    );
    let is_nothing = seen.absent.is_some() && !definition.allow_empty;
    let mut found = seen.snapshot;
    if let Snapshot::Urls(urls) = &mut found {
        // Of an index the parts are shown; a run reads them.
        urls.extend(seen.sitemaps);
    }
    shorten(&mut found);
    let found = (!is_nothing).then_some(found);
    let total = if found.is_some() { total } else { 0 };
    let (title, suggestions) = (seen.title, seen.suggestions);
    Preview { title, found, total, warnings: told, readings, matches, triggered, suggestions }
}

impl Made {
    fn of(preview: Preview) -> Self {
        Self { kept: StoredPreview { preview: Some(preview) }, failure: None }
    }
}

fn shorten(found: &mut Snapshot) {
    match found {
        Snapshot::Blocks(blocks) => blocks.truncate(MOST_SHOWN),
        Snapshot::Urls(urls) => urls.truncate(MOST_SHOWN),
        Snapshot::Items(items) => items.truncate(MOST_SHOWN),
    }
}
