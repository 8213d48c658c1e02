//! Choices of an account: automatic summaries and tags of new items, new tags, a custom prompt for summaries, prompts for
//! passages, and the language of translations.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::model_choice::{Column, Entity, Model};
use entities::model_import_tagging;
use futures_util::future::BoxFuture;
use identity::accounts;
use kernel::clock::DAY;
use kernel::statement::{execute, placeholders};
use kernel::tag::Tag;
use kernel::{Domain, Error, Millis, Result};
use library::ModelChoices;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer_language::AnswerLanguage;
use crate::own_prompt::{MAX_PROMPT_CHARS, OwnPrompt, plain_prompt, validated_prompts};
use crate::{consent, item_index_queue, summary};

/// Maximum number of tags whose items are not summarized automatically.
pub const MAX_EXCLUDED_TAGS: usize = 20;

/// Choices of an account. By default, nothing is automatic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelChoice {
    /// Time since which new items are summarized automatically. `None` if they are not.
    pub automatic_since: Option<Millis>,
    /// Time since which new items get tags automatically. `None` if they do not.
    pub tags_since: Option<Millis>,
    /// True if imported items also get tags, up to a maximum number of items per day.
    pub tags_imports: bool,
    /// Tags whose items are not summarized and get no tags automatically.
    pub excluded_tags: Vec<Tag>,
    /// True if tags may be suggested that the account does not have.
    pub new_tags: bool,
    /// Wishes for summaries in the words of the person.
    pub prompt: Option<String>,
    /// Prompts for passages.
    pub own_prompts: Vec<OwnPrompt>,
    /// Language of the latest translation that the person requested. `None` for the language of the account.
    pub translation_language: Option<AnswerLanguage>,
    /// True if the excluded tags could not be read, so that nothing is sent automatically.
    pub is_unreadable: bool,
}

impl ModelChoice {
    /// Returns true if an item that was saved at this time and has these tags is summarized automatically.
    pub(crate) fn summarizes(&self, saved_at: Millis, tags: &[String]) -> bool {
        self.automatic_since.is_some_and(|since| saved_at >= since) && !self.excludes(tags)
    }

    /// Returns true if an item that was saved at this time and has these tags gets further tags automatically.
    pub(crate) fn tags(&self, saved_at: Millis, tags: &[String]) -> bool {
        self.tags_since.is_some_and(|since| saved_at >= since) && !self.excludes(tags)
    }

    /// Returns the SQL condition that the item `i` has no excluded tag. The keys of these tags are the parameters from
    /// `$first` on.
    pub(crate) fn without_excluded(&self, first: usize) -> String {
        if self.excluded_tags.is_empty() {
            return "TRUE".to_owned();
        }
        format!(
            "NOT EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = i.account_id \
             AND g.object_id = i.id AND g.tag_key IN ({}))",
            placeholders(first, self.excluded_tags.len())
        )
    }

    /// Returns the values of the parameters of [`without_excluded`](Self::without_excluded).
    pub(crate) fn excluded_keys(&self) -> impl Iterator<Item = sea_orm::Value> {
        self.excluded_tags.iter().map(|tag| tag.key.as_str().into())
    }

    /// Returns true if the text of an item with these tags is sent only on request for this item.
    pub(crate) fn excludes(&self, tags: &[String]) -> bool {
        let mut tags = tags.iter().filter_map(|name| Tag::of(name));
        tags.any(|tag| self.excluded_tags.iter().any(|excluded| excluded.key == tag.key))
    }
}

impl From<Model> for ModelChoice {
    /// If the excluded tags cannot be read, no item is summarized automatically, so that no excluded item is
    /// sent to the model.
    fn from(row: Model) -> Self {
        let excluded = serde_json::from_str::<Vec<Tag>>(&row.excluded_tags);
        if let Err(error) = &excluded {
            tracing::error!(account = %row.account_id, %error, "excluded tags unreadable, automatic requests off");
        }
        let own_prompts = serde_json::from_str::<Vec<OwnPrompt>>(&row.own_prompts);
        if let Err(error) = &own_prompts {
            tracing::error!(account = %row.account_id, %error, "prompts for passages unreadable");
        }
        Self {
            is_unreadable: excluded.is_err(),
            automatic_since: row.automatic_since.filter(|_| excluded.is_ok()),
            tags_since: row.tags_since.filter(|_| excluded.is_ok()),
            tags_imports: false,
            excluded_tags: excluded.unwrap_or_default(),
            new_tags: row.new_tags,
            prompt: row.prompt,
            own_prompts: own_prompts.unwrap_or_default(),
            translation_language: row.translation_language.as_deref().and_then(AnswerLanguage::parse),
        }
    }
}

/// Choices as a person submits them, and as they are exported.
#[expect(clippy::struct_excessive_bools, reason = "each field is an independent choice")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NewChoice {
    /// True if new items are summarized automatically.
    #[serde(rename = "summarizesItems")]
    pub is_automatic: bool,
    /// True if tags are attached to new items automatically.
    pub attaches_tags: bool,
    /// True if tags are also attached to imported items. Has no effect without `attaches_tags`.
    pub tags_imports: bool,
    pub excluded_tags: Vec<String>,
    pub new_tags: bool,
    /// Empty to remove the prompt.
    pub prompt: String,
    /// Prompts for passages. Prompts with neither a name nor an instruction are omitted.
    pub own_prompts: Vec<OwnPrompt>,
    /// BCP 47 tag of the language of translations. `None` leaves it unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation_language: Option<String>,
}

impl From<ModelChoice> for NewChoice {
    fn from(choice: ModelChoice) -> Self {
        Self {
            is_automatic: choice.automatic_since.is_some(),
            attaches_tags: choice.tags_since.is_some(),
            tags_imports: choice.tags_imports,
            excluded_tags: choice.excluded_tags.into_iter().map(|tag| tag.name).collect(),
            new_tags: choice.new_tags,
            prompt: choice.prompt.unwrap_or_default(),
            own_prompts: choice.own_prompts,
            translation_language: choice.translation_language.map(|language| language.tag().to_owned()),
        }
    }
}

/// Exports and imports the choices with an account.
#[derive(Clone, Copy, Debug)]
pub struct AccountChoices;

impl ModelChoices for AccountChoices {
    fn export<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
    ) -> BoxFuture<'a, Result<Option<Value>>> {
        Box::pin(async move {
            let choice = NewChoice::from(get_choice(domain, account_id).await?);
            let exported = (choice != NewChoice::default()).then(|| serde_json::to_value(choice));
            exported.transpose().map_err(Error::internal)
        })
    }

    fn import<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        choices: Value,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let choice = serde_json::from_value(choices);
            let choice = choice.map_err(|error| Error::invalid_field("languageModel", error.to_string()))?;
            set_choice(domain, account_id, choice).await
        })
    }

    fn begin_rename<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: &'a Tag,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(change_excluded(transaction, account_id, move |tags| {
            if tags.iter().any(|tag| tag.key == from.key) {
                tags.retain(|tag| tag.key != to.key);
                tags.push(to.clone());
            }
        }))
    }

    fn finish_rename<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        account_id: AccountId,
        from: &'a Tag,
        to: &'a Tag,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(change_excluded(transaction, account_id, move |tags| {
            if tags.iter().any(|tag| tag.key == to.key) {
                tags.retain(|tag| tag.key == to.key || tag.key != from.key);
            }
        }))
    }
}

/// Changes the excluded tags of an account. Tags that cannot be read are loaded as an empty list, which the changes
/// leave empty, so they are not overwritten.
async fn change_excluded(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    change: impl FnOnce(&mut Vec<Tag>) + Send,
) -> Result<()> {
    let stored = load(transaction, account_id).await?.excluded_tags;
    let mut tags = stored.clone();
    change(&mut tags);
    if tags != stored {
        let tags = serde_json::to_string(&tags).map_err(Error::internal)?;
        let sql = "UPDATE model_choice SET excluded_tags = $2 WHERE account_id = $1";
        execute(transaction, sql, [account_id.into(), tags.into()]).await?;
    }
    Ok(())
}

/// Returns the choices of an account.
#[boxed]
pub async fn get_choice(domain: &Domain, account_id: AccountId) -> Result<ModelChoice> {
    load(domain.db().write(), account_id).await
}

pub(crate) async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<ModelChoice> {
    let row = Entity::owned_by(account_id).one(connection).await?;
    let choice = row.map(ModelChoice::from).unwrap_or_default();
    if choice.tags_since.is_none() {
        return Ok(choice);
    }
    let imports = model_import_tagging::Entity::owned_by(account_id).one(connection).await?;
    Ok(ModelChoice { tags_imports: imports.is_some(), ..choice })
}

/// Replaces the choices of an account. Only items that are saved from then on are summarized and get tags automatically.
///
/// # Errors
/// `not_found` if this installation has no model; `owner_required` without consent; `invalid_request` with the field
/// `prompt`, `excludedTags`, `own_prompts`, or `translationLanguage`.
#[boxed]
pub async fn set_choice(domain: &Domain, account_id: AccountId, new: NewChoice) -> Result<()> {
    consent::require_consent(domain, account_id).await?;
    let prompt = validated_prompt(&new.prompt)?;
    let own_prompts = validated_prompts(&new.own_prompts)?;
    let language = new.translation_language.as_deref().map(validated_language).transpose()?;
    let excluded = Tag::list(&new.excluded_tags)?;
    if excluded.len() > MAX_EXCLUDED_TAGS {
        return Err(Error::invalid_field(
            "excludedTags",
            format!("must have at most {MAX_EXCLUDED_TAGS} tags"),
        ));
    }
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let present = load(&transaction, account_id).await?;
    let since = |present: Option<Millis>| present.unwrap_or_else(|| domain.now());
    let row = Model {
        account_id,
        automatic_since: new.is_automatic.then_some(since(present.automatic_since)),
        tags_since: new.attaches_tags.then_some(since(present.tags_since)),
        excluded_tags: serde_json::to_string(&excluded).map_err(Error::internal)?,
        new_tags: new.new_tags,
        prompt,
        own_prompts: serde_json::to_string(&own_prompts).map_err(Error::internal)?,
        translation_language: language
            .or(present.translation_language)
            .map(|language| language.tag().to_owned()),
    };
    let replaced = OnConflict::column(Column::AccountId)
        .update_columns([
            Column::AutomaticSince,
            Column::TagsSince,
            Column::ExcludedTags,
            Column::NewTags,
            Column::Prompt,
            Column::OwnPrompts,
            Column::TranslationLanguage,
        ])
        .to_owned();
    Entity::insert(row.into_active_model())
        .on_conflict(replaced)
        .exec_without_returning(&transaction)
        .await?;
    set_imports(&transaction, domain, account_id, new.attaches_tags && new.tags_imports).await?;
    item_index_queue::update_soon(&transaction, domain, account_id).await?;
    transaction.commit().await?;
    Ok(())
}

/// Stores the default language of translations.
pub(crate) async fn set_translation_language(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    language: AnswerLanguage,
) -> Result<()> {
    let row = Model {
        account_id,
        automatic_since: None,
        tags_since: None,
        excluded_tags: "[]".to_owned(),
        new_tags: false,
        prompt: None,
        own_prompts: "[]".to_owned(),
        translation_language: Some(language.tag().to_owned()),
    };
    let replaced =
        OnConflict::column(Column::AccountId).update_column(Column::TranslationLanguage).to_owned();
    Entity::insert(row.into_active_model()).on_conflict(replaced).exec_without_returning(transaction).await?;
    Ok(())
}

/// Sets whether imported items get tags. The first items are chosen on the next tick, or a day after the previous ones,
/// so that switching the choice off and on does not exceed the daily maximum.
async fn set_imports(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    are_tagged: bool,
) -> Result<()> {
    if !are_tagged {
        return consent::stop_imports(transaction, account_id).await;
    }
    let (now, last) = (domain.now(), summary::last_import_request(transaction, account_id).await?);
    let due_at = last.map_or(now, |last| now.max(last + DAY));
    let row = model_import_tagging::Model { account_id, due_at };
    // A pending time is retained, so that saving the choices again does not exceed the daily maximum.
    let retained = OnConflict::column(model_import_tagging::Column::AccountId).do_nothing().to_owned();
    model_import_tagging::Entity::insert(row.into_active_model())
        .on_conflict(retained)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

fn validated_language(tag: &str) -> Result<AnswerLanguage> {
    let unknown = || Error::invalid_field("translationLanguage", "is unknown");
    AnswerLanguage::parse(tag).ok_or_else(unknown)
}

/// Returns a prompt without control characters. `None` if it is blank.
fn validated_prompt(text: &str) -> Result<Option<String>> {
    let plain = plain_prompt(text).ok_or_else(|| {
        Error::invalid_field("prompt", format!("must have at most {MAX_PROMPT_CHARS} characters"))
    })?;
    Ok(Some(plain).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompt_has_no_control_characters_and_a_limited_length() {
        assert_eq!(
            validated_prompt(" One\u{7} sentence.\r\nNo names. ").unwrap().unwrap(),
            "One sentence.\nNo names."
        );
        assert_eq!(validated_prompt(" \n ").unwrap(), None);
        assert_eq!(validated_prompt(&"x".repeat(1_000)).unwrap().unwrap().len(), 1_000);
        assert_eq!(validated_prompt(&"x".repeat(1_001)).unwrap_err().code, kernel::Code::InvalidRequest);
    }

    #[test]
    fn unreadable_excluded_tags_switch_automatic_summaries_off() {
        let since = |excluded_tags: &str| {
            let row = Model {
                account_id: AccountId::from_u128(1),
                automatic_since: Some(5),
                excluded_tags: excluded_tags.to_owned(),
                new_tags: true,
                tags_since: Some(6),
                prompt: None,
                own_prompts: "[]".to_owned(),
                translation_language: None,
            };
            let choice = ModelChoice::from(row);
            (choice.automatic_since, choice.tags_since)
        };
        assert_eq!((since("[]"), since("[\"Private")), ((Some(5), Some(6)), (None, None)));
    }

    #[test]
    fn item_is_excluded_by_a_tag_in_any_spelling() {
        let excluded_tags = vec![Tag::of("Private").unwrap()];
        let choice = ModelChoice { excluded_tags, ..ModelChoice::default() };
        assert!(choice.excludes(&["sea".to_owned(), "PRIVATE".to_owned()]));
        assert!(!choice.excludes(&["sea".to_owned()]) && !choice.excludes(&[]));
        let private = ["Private".to_owned()];
        assert!(!choice.summarizes(7, &[]), "nothing is automatic by default");
        let choice = ModelChoice { automatic_since: Some(7), ..choice };
        assert!(choice.summarizes(7, &[]) && !choice.summarizes(6, &[]) && !choice.summarizes(7, &private));
        assert!(!choice.tags(7, &[]), "tags are a choice of their own");
        let choice = ModelChoice { tags_since: Some(7), ..choice };
        assert!(choice.tags(7, &[]) && !choice.tags(6, &[]) && !choice.tags(7, &private));
    }
}
