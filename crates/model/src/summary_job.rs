//! Job that lets the model summarize an item or choose tags for it, and records the answer, or the reason why there is
//! none. If the account has chosen so, the tags are attached to the item.

use async_recursion::async_recursion as boxed;
use entities::item_summary::{ActiveModel, Column, Entity, Model, SummaryParts};
use entities::model_task::ModelTaskState;
use fetch::model_server::ModelServer;
use jobs::{Claimed, JobError, JobOutcome};
use kernel::tag::Tag;
use kernel::{Code, Domain, Error, Millis, Result};
use library::{FAVORITE, Item, LibraryTransaction, StoredText};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::answer::{self, AllowedTags};
use crate::choice::{self, ModelChoice};
use crate::model_task::TaskTable;
use crate::prompt::{MAX_OWN_TAGS, MAX_TEXT_CHARS, ModelPrompt, SourceMarks};
use crate::source_text::{cut_paragraphs, single_line};
use crate::{budget, consent, exchange, model_task};

/// Maximum number of the account's tags from which the most used are chosen.
const CONSIDERED_TAGS: u32 = 1_000;
/// Maximum number of characters of a title that are sent.
const MAX_TITLE_CHARS: usize = 300;
const TASK: &str = "Summarize the source named text for its reader in three short sentences. Then choose at most five \
     tags for it from the source named tags, which has one tag on each line; choose none that does not fit.";
const TAGS_TASK: &str = "Choose at most five tags for the source named text from the source named tags, which has one tag on \
     each line; choose none that does not fit.";
/// Added to the task if new tags are allowed.
const NEW_TAGS: &str = "If fewer than five of them fit, you may also choose new tags of one or two words.";
const FORM: &str =
    "Answer as {\"summary\": [\"sentence\", \"sentence\", \"sentence\"], \"tags\": [\"tag\"]}.";
const TAGS_FORM: &str = "Answer as {\"tags\": [\"tag\"]}.";
/// Text that precedes the wishes of the person in the prompt.
const WISHES: &str = "The reader has these wishes for the words of the summary. They change neither the form of the \
     answer nor the rules after them:";

/// Answer to store.
struct NewSummary {
    /// Parts that the account still allows.
    parts: SummaryParts,
    text: Option<String>,
    tags: Vec<String>,
    /// False if there was no tag to choose from, so that nothing was sent.
    was_sent: bool,
    text_at: Millis,
    is_partial: bool,
}

/// Summarizes the item of a job.
#[boxed]
pub(crate) async fn run(
    domain: &Domain,
    server: Option<&ModelServer>,
    claimed: &Claimed,
) -> Result<JobOutcome, JobError> {
    let Some(row) = model_task::requested::<Entity>(domain, &claimed.key).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let change = match summarize(domain, server, &row, claimed.attempt).await {
        Ok(Some(summary)) if summary.parts.attaches_tags() => {
            attach_tags(domain, &row, summary, claimed).await?;
            return Ok(JobOutcome::Completed);
        }
        Ok(Some(summary)) => ready(domain, &summary)?,
        Ok(None) => {
            withdraw(domain, &row, claimed).await?;
            return Ok(JobOutcome::Completed);
        }
        // Another attempt on the same day would be refused too.
        Err(error) if error.code == Code::RateLimited => Entity::failed(error.code, domain.now()),
        Err(error) => model_task::failed::<Entity>(domain, claimed, error)?,
    };
    model_task::complete::<Entity>(domain, &row, change, claimed).await?;
    Ok(JobOutcome::Completed)
}

/// Records that a summary was given up because its job was stopped.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    model_task::give_up::<Entity>(domain, key).await
}

/// Deletes an automatic request that no longer applies, and completes its job. A request of the person that has
/// replaced it meanwhile is retained.
async fn withdraw(domain: &Domain, row: &Model, claimed: &Claimed) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let request = Entity::delete_many().filter(Entity::waiting(row)).filter(Column::IsAutomatic.eq(true));
    request.exec(&transaction).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Records an answer, attaches its tags to the item, and completes the job, in one transaction.
///
/// # Errors
/// `service_unavailable` if the person has requested a summary during the request for tags. Another attempt writes it.
async fn attach_tags(domain: &Domain, row: &Model, summary: NewSummary, claimed: &Claimed) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, row.account_id).await?;
    let present = Entity::find().filter(Entity::waiting(row)).one(transaction.db()).await?;
    if present.is_some_and(|present| present.parts.has_summary() && !row.parts.has_summary()) {
        return Err(Error::new(Code::ServiceUnavailable, "The request was replaced by another one."));
    }
    let is_recorded = model_task::record::<Entity>(transaction.db(), row, ready(domain, &summary)?).await?;
    if is_recorded {
        let tags: Vec<Tag> = summary.tags.iter().filter_map(|name| Tag::of(name)).collect();
        library::attach_model_tags(&mut transaction, row.item_id, &tags).await?;
    }
    jobs::complete_in(transaction.db(), domain, claimed).await?;
    transaction.commit().await
}

/// Returns the parts of a request that the choices of its account still allow. `None` if there are none. Without the
/// item, only the switches are considered.
fn allowed_parts(row: &Model, choice: &ModelChoice, item: Option<&Item>) -> Option<SummaryParts> {
    let is_summarized = match item {
        _ if !row.is_automatic => true,
        None => choice.automatic_since.is_some(),
        Some(item) => choice.summarizes(item.saved_at, &item.tags),
    };
    let is_tagged = choice.tags_since.is_some() && item.is_none_or(|item| !choice.excludes(&item.tags));
    SummaryParts::of(row.parts.has_summary() && is_summarized, row.parts.attaches_tags() && is_tagged)
}

/// Lets the model summarize an item or choose tags for it. `None` if the request is automatic, and the person has since
/// switched automatic requests off or excluded the item. An automatic request is charged on its first attempt, and
/// others when they are written.
async fn summarize(
    domain: &Domain,
    server: Option<&ModelServer>,
    row: &Model,
    attempt: u32,
) -> Result<Option<NewSummary>> {
    let choice = choice::get_choice(domain, row.account_id).await?;
    if allowed_parts(row, &choice, None).is_none() {
        return Ok(None);
    }
    consent::require_consent(domain, row.account_id).await?;
    let (item, text) = library::text_of(domain, row.account_id, row.item_id).await?;
    let Some(parts) = allowed_parts(row, &choice, Some(&item)) else { return Ok(None) };
    let tags = own_tags(domain, &item).await?;
    let new = NewSummary {
        parts,
        text: None,
        tags: Vec::new(),
        was_sent: false,
        text_at: text.cached_at,
        is_partial: false,
    };
    if !parts.has_summary() && tags.is_empty() && !choice.new_tags {
        return Ok(Some(new));
    }
    if row.is_automatic && attempt <= 1 {
        budget::charge(domain, row.account_id).await?;
    }
    let marks = SourceMarks::random(domain);
    let (sources, is_partial) = sources_of(&marks, (&item, &text), &tags);
    let prompt = ModelPrompt::new(&marks, &task_of(parts, &choice), sources);
    let content = exchange::complete(domain, server, row.account_id, &prompt).await?;
    let present: Vec<Tag> = item.tags.iter().filter_map(|name| Tag::of(name)).collect();
    let allowed = if choice.new_tags {
        AllowedTags::Any { own: &tags, present: &present }
    } else {
        AllowedTags::Own(&tags)
    };
    let new = NewSummary { was_sent: true, is_partial, ..new };
    if !parts.has_summary() {
        return Ok(Some(NewSummary { tags: answer::parse_tags(&content, allowed)?, ..new }));
    }
    let parsed = answer::parse_summary(&content, allowed)?;
    Ok(Some(NewSummary { text: Some(parsed.text), tags: parsed.tags, ..new }))
}

/// Returns the task with the choices of the account.
fn task_of(parts: SummaryParts, choice: &ModelChoice) -> String {
    let (task, form) = if parts.has_summary() { (TASK, FORM) } else { (TAGS_TASK, TAGS_FORM) };
    let mut task = task.to_owned();
    if choice.new_tags {
        task.push_str(&format!(" {NEW_TAGS}"));
    }
    task.push_str(&format!(" {form}"));
    if let Some(prompt) = choice.prompt.as_ref().filter(|_| parts.has_summary()) {
        task.push_str(&format!("\n{WISHES}\n{prompt}"));
    }
    task
}

/// Returns the account's tags that an item does not have, the most used first.
async fn own_tags(domain: &Domain, item: &Item) -> Result<Vec<Tag>> {
    let mut counts = library::list_tags(domain, item.account_id, None, None, CONSIDERED_TAGS).await?;
    counts.sort_by_key(|tag| std::cmp::Reverse(tag.count));
    let present: Vec<Tag> = item.tags.iter().filter_map(|name| Tag::of(name)).collect();
    let is_new = |key: &str| key != FAVORITE && present.iter().all(|tag| tag.key != key);
    let new = counts.into_iter().filter(|tag| is_new(&tag.key));
    Ok(new.map(|tag| Tag { key: tag.key, name: tag.name }).take(MAX_OWN_TAGS).collect())
}

/// Returns the marked tags and the marked text of an item, and whether they have only the beginning of the text.
fn sources_of(marks: &SourceMarks, (item, text): (&Item, &StoredText), tags: &[Tag]) -> (String, bool) {
    let paragraphs = text.document.blocks.iter().map(|block| block.text.as_str());
    let cut = cut_paragraphs(paragraphs, MAX_TEXT_CHARS);
    let title = single_line(&item.title, MAX_TITLE_CHARS);
    let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
    let sources =
        [marks.wrap("tags", &names.join("\n")), marks.wrap("text", &format!("{title}\n\n{}", cut.text))];
    (sources.concat(), cut.is_partial)
}

fn ready(domain: &Domain, summary: &NewSummary) -> Result<ActiveModel> {
    let endpoint = domain.policy().model.as_ref().filter(|_| summary.was_sent);
    Ok(ActiveModel {
        state: Set(ModelTaskState::Ready),
        summary: Set(summary.text.clone()),
        tags: Set(serde_json::to_string(&summary.tags).map_err(Error::internal)?),
        reason: Set(None),
        model: Set(endpoint.map(|endpoint| endpoint.model().to_owned())),
        text_at: Set(Some(summary.text_at)),
        is_partial: Set(summary.is_partial),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    })
}
