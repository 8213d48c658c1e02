//! Job that lets the model write a briefing. The entries of each feed are sent in separate requests, so that the text
//! of a feed cannot change the sentences about another feed. If a request gets no usable answer, its entries are
//! omitted, and the briefing states their number. Entries with neither title nor summary are also omitted.

use async_recursion::async_recursion as boxed;
use entities::model_briefing::{ActiveModel, Entity, Model};
use entities::model_task::ModelTaskState;
use feeds::Entry;
use fetch::model_server::ModelServer;
use jobs::{Claimed, JobError, JobOutcome};
use kernel::clock::MINUTE;
use kernel::{Domain, Error, Millis, Result};
use sea_orm::ActiveValue::Set;

use crate::answer::{self, ParsedBriefing};
use crate::briefing::{BriefingLine, unread_of};
use crate::prompt::{MAX_BRIEFING_ENTRIES, ModelPrompt, SourceMarks};
use crate::source_text::text_of_entry;
use crate::{budget, consent, exchange, model_task};

/// Maximum number of entries per request.
const ENTRIES_PER_REQUEST: usize = 15;
/// Maximum number of requests per briefing.
const MAX_REQUESTS: usize = 40;
/// Number of successive requests without a usable answer after which the job sends no more requests.
const MAX_FAILURES: usize = 3;
/// Time after which the job sends no more requests to the language model.
const MAX_DURATION: Millis = 30 * MINUTE;
const MAX_TITLE_CHARS: usize = 200;
const TASK: &str = "Each source is an entry of a feed and is named entry with its number. Write a briefing for a reader: \
     one short sentence for each entry, or one for several entries about the same event. Leave out entries without \
     news. Name in entries the numbers of the sources that a sentence describes; a sentence without a number is \
     discarded. Answer as {\"sentences\": [{\"text\": \"sentence\", \"entries\": [1, 2]}]}.";

/// Sentences of the answered requests.
#[derive(Default)]
struct BriefingDraft {
    lines: Vec<BriefingLine>,
    covered: usize,
    omitted: usize,
    dropped: usize,
    /// Error of the last request without a usable answer.
    error: Option<Error>,
}

/// Writes the briefing of a job.
#[boxed]
pub(crate) async fn run(
    domain: &Domain,
    server: Option<&ModelServer>,
    claimed: &Claimed,
) -> Result<JobOutcome, JobError> {
    let Some(row) = model_task::requested::<Entity>(domain, &claimed.key).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let mut draft = match write(domain, server, &row).await {
        Ok(draft) => draft,
        Err(error) => BriefingDraft { error: Some(error), ..BriefingDraft::default() },
    };
    // Sentences about some entries are stored, even if other requests failed.
    let is_empty = draft.covered == 0;
    let change = match draft.error.take_if(|_| is_empty) {
        None => ready(domain, &draft)?,
        Some(error) => model_task::failed::<Entity>(domain, claimed, error)?,
    };
    model_task::complete::<Entity>(domain, &row, change, claimed).await?;
    Ok(JobOutcome::Completed)
}

/// Records that a briefing was given up because its job was stopped.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    model_task::give_up::<Entity>(domain, key).await
}

/// Sends the unread entries of a collection to the model, newest feeds first.
async fn write(domain: &Domain, server: Option<&ModelServer>, row: &Model) -> Result<BriefingDraft> {
    let filter = unread_of(row.collection_id);
    let page = feeds::list_entries(domain, row.account_id, &filter, None, MAX_BRIEFING_ENTRIES).await?;
    let unread = usize::try_from(page.unread_total).unwrap_or_default();
    let has_text = |entry: &Entry| text_of_entry(entry, MAX_TITLE_CHARS).is_some();
    let entries: Vec<Entry> = page.entries.into_iter().filter(has_text).collect();
    let mut draft =
        BriefingDraft { omitted: unread.saturating_sub(entries.len()), ..BriefingDraft::default() };
    let (mut failures, start) = (0, domain.now());
    for (index, entries) in requests_of(entries).iter().enumerate() {
        let is_late = domain.now() - start > MAX_DURATION;
        if index >= MAX_REQUESTS || failures >= MAX_FAILURES || is_late {
            draft.omitted += entries.len();
            continue;
        }
        match describe(domain, server, row, entries, index).await {
            Ok(parsed) => {
                failures = 0;
                draft.covered += entries.len();
                draft.dropped += parsed.dropped;
                draft.lines.extend(parsed.lines);
            }
            Err(error) => {
                failures = if exchange::is_of_text(error.code) { failures + 1 } else { MAX_FAILURES };
                draft.omitted += entries.len();
                draft.error = Some(error);
            }
        }
    }
    Ok(draft)
}

/// Groups entries by feed in the order of their first entry, and splits large groups.
fn requests_of(entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for entry in entries {
        let belongs = |group: &&mut Vec<Entry>| {
            group.len() < ENTRIES_PER_REQUEST && group.iter().all(|other| other.feed_id == entry.feed_id)
        };
        match groups.iter_mut().find(belongs) {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    groups
}

/// Sends some entries to the model. The first request was charged when the person requested the briefing; the others
/// are charged when they are sent.
async fn describe(
    domain: &Domain,
    server: Option<&ModelServer>,
    row: &Model,
    entries: &[Entry],
    index: usize,
) -> Result<ParsedBriefing> {
    consent::require_consent(domain, row.account_id).await?;
    if index > 0 {
        budget::charge(domain, row.account_id).await?;
    }
    let prompt = prompt_of(&SourceMarks::random(domain), entries);
    let content = exchange::complete(domain, server, row.account_id, &prompt).await?;
    let ids: Vec<i64> = entries.iter().map(|entry| entry.id.as_i64()).collect();
    answer::parse_briefing(&content, &ids)
}

fn prompt_of(marks: &SourceMarks, entries: &[Entry]) -> ModelPrompt {
    let source = |entry: &Entry| {
        Some(marks.wrap(&format!("entry {}", entry.id), &text_of_entry(entry, MAX_TITLE_CHARS)?))
    };
    let sources: Vec<String> = entries.iter().filter_map(source).collect();
    ModelPrompt::new(marks, TASK, sources.concat())
}

fn ready(domain: &Domain, draft: &BriefingDraft) -> Result<ActiveModel> {
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    Ok(ActiveModel {
        state: Set(ModelTaskState::Ready),
        lines: Set(serde_json::to_string(&draft.lines).map_err(Error::internal)?),
        entries: Set(count(draft.covered)),
        omitted_entries: Set(count(draft.omitted)),
        dropped_sentences: Set(count(draft.dropped)),
        reason: Set(draft.error.as_ref().map(|error| error.code.as_str().to_owned())),
        model: Set(domain.policy().model.as_ref().map(|endpoint| endpoint.model().to_owned())),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    })
}
