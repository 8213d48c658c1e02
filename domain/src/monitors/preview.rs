//! Previews: what a monitor would look at, found by one download before there is a monitor. A worker makes
//! it; whoever asked reads it where it is kept for a while.

use data_encoding::HEXLOWER;
use extract::watch::{ObserveInput, Snapshot, Warning};
use fetch::{Request, RobotsRule};
use sea_orm::{ConnectionTrait, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::look::{Failed, accept};
use super::rows::{change, sql};
use super::{Definition, definition, judge};
use crate::articles::extraction::Reach;
use crate::articles::{Address, Failure};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::jobs::{self, JobKind, NewJob};

/// Blocks, addresses or items that a preview shows.
const MOST_SHOWN: usize = 200;
/// The word for a selector that finds nothing.
const ABSENT: &str = "selector_not_found";

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
}

/// What a preview came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Previewed {
    /// Something to look at, or a selector that finds nothing.
    Found(Box<Preview>),
    /// The source could not be read.
    Failed {
        /// Why.
        failure: Failure,
        /// Whether a body came.
        downloaded: bool,
    },
}

#[derive(Serialize, Deserialize)]
struct Asked {
    url: String,
    definition: Definition,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    preview: Option<Preview>,
    downloaded: bool,
}

/// Asks for a preview, or joins the same one that is under way. Tells its key, by which it is found. The
/// caller pushes the job.
///
/// # Errors
/// `invalid_request` for what cannot be watched; `capacity_exhausted`.
pub async fn ask_preview(
    domain: &Domain,
    account_id: Uuid,
    address: &Address,
    definition: &Definition,
) -> Result<(String, jobs::Submitted)> {
    definition::check(definition)?;
    let asked = Asked { url: address.url.as_str().to_owned(), definition: definition.clone() };
    let asked = serde_json::to_string(&asked).map_err(Error::internal)?;
    let key = HEXLOWER.encode(&Sha256::digest(format!("{account_id} {asked}").as_bytes()));
    let transaction = domain.db().begin().await?;
    let text = "INSERT INTO monitor_preview (key, account_id, asked, made_at) VALUES ($1, $2, $3, $4) \
                ON CONFLICT (key) DO NOTHING";
    let values: [Value; 4] = [key.as_str().into(), account_id.into(), asked.into(), domain.now().into()];
    change(&transaction, text, values).await?;
    let job = NewJob::new(JobKind::MonitorPreview, key.clone());
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((key, submitted))
}

/// The account's preview under `key`, when it was made at `since` or later.
pub async fn known_preview(
    domain: &Domain,
    account_id: Uuid,
    key: &str,
    since: Millis,
) -> Result<Option<Previewed>> {
    let connection = domain.db().write();
    let text = "SELECT found, error_code, error_message FROM monitor_preview \
                WHERE key = $1 AND account_id = $2 AND made_at >= $3 AND found IS NOT NULL";
    let values = [key.into(), account_id.into(), since.into()];
    let Some(row) = connection.query_one_raw(sql(connection, text, values)).await? else { return Ok(None) };
    let (found, code, message): (String, Option<String>, Option<String>) =
        (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
    let kept: Kept = serde_json::from_str(&found).map_err(Error::internal)?;
    Ok(Some(match (kept.preview, code) {
        (Some(preview), None) => Previewed::Found(Box::new(preview)),
        (_, code) => {
            let code = code.unwrap_or_default();
            let failure = Failure::kept(&code, message.unwrap_or_default(), None);
            Previewed::Failed { failure, downloaded: kept.downloaded }
        }
    }))
}

/// Makes the preview that `claimed` asks for, in a worker.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be made or written.
pub async fn make_preview(domain: &Domain, reach: &Reach, claimed: &jobs::Claimed) -> Result<()> {
    let connection = domain.db().write();
    let text = "SELECT asked FROM monitor_preview WHERE key = $1";
    let row = connection.query_one_raw(sql(connection, text, [claimed.key.as_str().into()])).await?;
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    let asked: Asked = serde_json::from_str(&row.try_get_by_index::<String>(0)?).map_err(Error::internal)?;
    let (kept, failure) = look(reach, asked).await?;
    let kept = serde_json::to_string(&kept).map_err(Error::internal)?;
    let (code, message) = failure.map(|failure| (failure.code, failure.message)).unzip();
    let transaction = domain.db().begin().await?;
    let text = "UPDATE monitor_preview SET found = $1, error_code = $2, error_message = $3, made_at = $4 WHERE key = $5";
    let values: [Value; 5] =
        [kept.into(), code.into(), message.into(), domain.now().into(), claimed.key.as_str().into()];
    change(&transaction, text, values).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

async fn look(reach: &Reach, asked: Asked) -> Result<(Kept, Option<Failure>)> {
    let kind = definition::type_of(&asked.definition.target);
    let request =
        Request { accept: accept(kind), robots: RobotsRule::Obey, ..Request::page(asked.url.clone()) };
    let fetched = match reach.fetcher.fetch(&request).await {
        Ok(fetched) => fetched,
        Err(error) => {
            let kept = Kept { preview: None, downloaded: false };
            return Ok((kept, Some(Failure::from(&error))));
        }
    };
    let input = ObserveInput {
        bytes: fetched.body.into(),
        content_type: fetched.content_type,
        url: Some(fetched.url.as_str().to_owned()),
        target: asked.definition.target,
        ignore: asked.definition.ignore,
    };
    let preview = match judge::read(reach, input).await? {
        Ok(seen) => {
            let total = seen.snapshot.len() + seen.sitemaps.len();
            let warnings = seen.warnings.iter().copied().filter_map(word).collect();
            let mut found = seen.snapshot;
            if let Snapshot::Urls(urls) = &mut found {
                // Of an index the parts are shown; a run reads them.
                urls.extend(seen.sitemaps);
            }
            shorten(&mut found);
            Preview { title: seen.title, found: Some(found), total, warnings }
        }
        Err(Failed { absent: true, .. }) => {
            Preview { title: None, found: None, total: 0, warnings: vec![ABSENT.to_owned()] }
        }
        Err(failed) => {
            let kept = Kept { preview: None, downloaded: true };
            let message = "The source was read, but there is nothing in it that could be watched.";
            return Ok((kept, Some(Failure::new(failed.code, message))));
        }
    };
    Ok((Kept { preview: Some(preview), downloaded: true }, None))
}

fn shorten(found: &mut Snapshot) {
    match found {
        Snapshot::Blocks(blocks) => blocks.truncate(MOST_SHOWN),
        Snapshot::Urls(urls) => urls.truncate(MOST_SHOWN),
        Snapshot::Items(items) => items.truncate(MOST_SHOWN),
    }
}

/// A warning's word on the wire.
fn word(warning: Warning) -> Option<String> {
    serde_json::to_value(warning).ok()?.as_str().map(str::to_owned)
}
