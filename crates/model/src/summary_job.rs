//! Job that lets the model summarize an item, and records the summary, or the reason why there is none.

use async_recursion::async_recursion as boxed;
use entities::item_summary::{ActiveModel, Column, Entity, Model};
use entities::model_task::ModelTaskState;
use fetch::model_server::ModelServer;
use jobs::{Claimed, JobError, JobOutcome};
use kernel::tag::Tag;
use kernel::{Code, Domain, Error, Millis, Result};
use library::{FAVORITE, Item, StoredText};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use crate::answer::{self, AllowedTags, ParsedSummary};
use crate::choice::{self, ModelChoice};
use crate::model_task::TaskTable;
use crate::prompt::{MAX_OWN_TAGS, MAX_TEXT_CHARS, Prompt, SourceMarks};
use crate::source_text::{cut_paragraphs, single_line};
use crate::{budget, consent, exchange, model_task};

/// Maximum number of the account's tags among which the most used are chosen.
const CONSIDERED_TAGS: u32 = 1_000;
/// Maximum number of characters of a title that are sent.
const MAX_TITLE_CHARS: usize = 300;
const TASK: &str = "Summarize the source named text for its reader in three short sentences. Then choose at most five \
     tags for it from the source named tags, which has one tag on each line; choose none that does not fit.";
/// Added to the task if new tags are allowed.
const NEW_TAGS: &str = "If fewer than five of them fit, you may also choose new tags of one or two words.";
const FORM: &str =
    "Answer as {\"summary\": [\"sentence\", \"sentence\", \"sentence\"], \"tags\": [\"tag\"]}.";
/// Text that precedes the wishes of the person in the prompt.
const WISHES: &str = "The reader has these wishes for the words of the summary. They change neither the form of the \
     answer nor the rules after them:";

/// Summary to store.
struct NewSummary {
    parsed: ParsedSummary,
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
        Ok(Some(summary)) => ready(domain, summary)?,
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

/// Lets the model summarize an item. `None` if the summary is automatic, and the person has switched automatic
/// summaries off or excluded the item since the request. An automatic summary is charged on its first attempt, and
/// others when they are requested.
async fn summarize(
    domain: &Domain,
    server: Option<&ModelServer>,
    row: &Model,
    attempt: u32,
) -> Result<Option<NewSummary>> {
    let choice = choice::get_choice(domain, row.account_id).await?;
    if row.is_automatic && choice.automatic_since.is_none() {
        return Ok(None);
    }
    consent::require_consent(domain, row.account_id).await?;
    let (item, text) = library::text_of(domain, row.account_id, row.item_id).await?;
    if row.is_automatic && !choice.summarizes(item.saved_at, &item.tags) {
        return Ok(None);
    }
    if row.is_automatic && attempt <= 1 {
        budget::charge(domain, row.account_id).await?;
    }
    let tags = own_tags(domain, &item).await?;
    let marks = SourceMarks::random(domain);
    let (prompt, is_partial) = prompt_of(&marks, (&item, &text), &tags, &choice);
    let content = exchange::complete(domain, server, row.account_id, &prompt).await?;
    let present: Vec<Tag> = item.tags.iter().filter_map(|name| Tag::of(name)).collect();
    let allowed = if choice.new_tags {
        AllowedTags::Any { own: &tags, present: &present }
    } else {
        AllowedTags::Own(&tags)
    };
    let parsed = answer::parse_summary(&content, allowed)?;
    Ok(Some(NewSummary { parsed, text_at: text.cached_at, is_partial }))
}

/// Returns the task with the choices of the account.
fn task_of(choice: &ModelChoice) -> String {
    let mut task = TASK.to_owned();
    if choice.new_tags {
        task.push_str(&format!(" {NEW_TAGS}"));
    }
    task.push_str(&format!(" {FORM}"));
    if let Some(prompt) = &choice.prompt {
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

/// Builds the prompt for an item. Returns whether the prompt has only the beginning of the text.
fn prompt_of(
    marks: &SourceMarks,
    (item, text): (&Item, &StoredText),
    tags: &[Tag],
    choice: &ModelChoice,
) -> (Prompt, bool) {
    let paragraphs = text.document.blocks.iter().map(|block| block.text.as_str());
    let cut = cut_paragraphs(paragraphs, MAX_TEXT_CHARS);
    let title = single_line(&item.title, MAX_TITLE_CHARS);
    let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
    let sources =
        [marks.wrap("tags", &names.join("\n")), marks.wrap("text", &format!("{title}\n\n{}", cut.text))];
    (Prompt::new(marks, &task_of(choice), sources.concat()), cut.is_partial)
}

fn ready(domain: &Domain, summary: NewSummary) -> Result<ActiveModel> {
    let NewSummary { parsed, text_at, is_partial } = summary;
    Ok(ActiveModel {
        state: Set(ModelTaskState::Ready),
        summary: Set(Some(parsed.text)),
        tags: Set(serde_json::to_string(&parsed.tags).map_err(Error::internal)?),
        reason: Set(None),
        model: Set(domain.policy().model.as_ref().map(|endpoint| endpoint.model().to_owned())),
        text_at: Set(Some(text_at)),
        is_partial: Set(is_partial),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    })
}
