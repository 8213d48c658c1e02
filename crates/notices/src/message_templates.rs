//! Templates of a channel's messages: settings, previews, and their export and import with the account.

use async_recursion::async_recursion as boxed;
use entities::channel::{self, ChannelKind};
use entities::ids::{AccountId, ChannelId};
use entities::notice::{self, NoticeKind};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder};
use serde::{Deserialize, Serialize};

use super::channel::Channel;
use super::message::MessageContent;
use super::rows::load;
use super::template::{self, Templates};
use identity::accounts;
use kernel::{Code, Domain, Error, ImportedObjects, Result};

/// Maximum number of channels whose templates are imported. It exceeds the limit of every plan.
const MAX_IMPORTED: usize = 500;

/// Changes to the templates of a channel. `None` leaves a template unchanged; an empty text removes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateEdit {
    pub title: Option<String>,
    pub text: Option<String>,
}

/// Message as its templates render it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePreview {
    pub title: String,
    /// Text that the template rendered. `None` for the default text.
    pub text: Option<String>,
}

/// Templates of a channel in an account export. Channels are not exported, because they contain secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedTemplates {
    /// Kind of the channel.
    pub kind: String,
    /// Name of the channel.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_template: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// Changes to the settings of a channel's messages. `None` leaves a setting unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageEdit {
    pub templates: TemplateEdit,
    /// True if messages about new entries contain their texts.
    pub entry_texts: Option<bool>,
    /// True if the channel gets messages about items that are saved to the library.
    pub saved_items: Option<bool>,
}

/// Changes the templates of a channel.
///
/// # Errors
/// `not_found`; `invalid_request` for `title_template` or `template`, with the line of the error; `invalid_request` if
/// the channel is a webhook, whose messages have fields instead of texts.
#[boxed]
pub async fn set_templates(
    domain: &Domain,
    account_id: AccountId,
    id: ChannelId,
    edit: TemplateEdit,
) -> Result<Channel> {
    edit_messages(domain, account_id, id, MessageEdit { templates: edit, ..MessageEdit::default() }).await
}

/// Changes the templates of a channel, and the settings of its messages.
///
/// # Errors
/// Same as for [`set_templates`].
#[boxed]
pub async fn edit_messages(
    domain: &Domain,
    account_id: AccountId,
    id: ChannelId,
    edit: MessageEdit,
) -> Result<Channel> {
    let transaction = domain.db().begin().await?;
    let row = load(&transaction, account_id, id).await?;
    if edit == MessageEdit::default() {
        return Ok(row.into());
    }
    let MessageEdit { templates, entry_texts, saved_items } = edit;
    if templates != TemplateEdit::default() {
        check_edit(row.kind, &templates)?;
    }
    let mut change = channel::ActiveModel { id: Set(id), ..Default::default() };
    if let Some(title) = &templates.title {
        change.title_template = Set(given(title).map(str::to_owned));
    }
    if let Some(text) = &templates.text {
        change.template = Set(given(text).map(str::to_owned));
    }
    if let Some(entry_texts) = entry_texts {
        change.entry_texts = Set(entry_texts);
    }
    if let Some(saved_items) = saved_items {
        change.saved_items = Set(saved_items);
    }
    let row = change.update(&transaction).await?;
    transaction.commit().await?;
    Ok(row.into())
}

/// Renders templates for the newest message about a change to this channel. If there is none, an example is used. For a
/// template that the request does not change, the channel's own template is used.
///
/// # Errors
/// Same as for [`set_templates`].
#[boxed]
pub async fn preview_templates(
    domain: &Domain,
    account_id: AccountId,
    id: ChannelId,
    edit: TemplateEdit,
) -> Result<MessagePreview> {
    let connection = domain.db().read();
    let row = load(connection, account_id, id).await?;
    check_edit(row.kind, &edit)?;
    let stored = Templates::of(&row);
    let templates = Templates {
        title: edit.title.as_deref().map_or(stored.title, given),
        text: edit.text.as_deref().map_or(stored.text, given),
    };
    let mut message = template::example();
    message.content = example_content(connection, account_id, id).await?;
    let templated = template::apply(templates, &message, str::to_owned);
    let text = templated.text.transpose().map_err(|error| error.at("template"))?;
    Ok(MessagePreview { title: templated.message.content.title, text })
}

/// Content of the newest message about a change to a channel, or an example.
pub(super) async fn example_content(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: ChannelId,
) -> Result<MessageContent> {
    let newest = notice::Entity::owned_by(account_id)
        .filter(notice::Column::ChannelId.eq(id))
        .filter(notice::Column::Kind.eq(NoticeKind::Change))
        .order_by_desc(notice::Column::Id)
        .one(connection)
        .await?;
    Ok(newest.map_or_else(|| template::example().content, |newest| MessageContent::of(&newest)))
}

/// Returns a template without white space at its end. `None` if it is empty.
fn given(template: &str) -> Option<&str> {
    Some(template.trim_end()).filter(|template| !template.trim().is_empty())
}

fn check_edit(kind: ChannelKind, edit: &TemplateEdit) -> Result<()> {
    if kind == ChannelKind::Webhook {
        let message = "Messages to a webhook have fields instead of text, so they have no template.";
        return Err(Error::new(Code::InvalidRequest, message).at("template", message));
    }
    if let Some(title) = edit.title.as_deref().and_then(given) {
        template::check_title(title).map_err(|error| error.at("title_template"))?;
    }
    if let Some(text) = edit.text.as_deref().and_then(given) {
        template::check(text).map_err(|error| error.at("template"))?;
    }
    Ok(())
}

/// Exports the templates of an account's channels, oldest channel first.
#[boxed]
pub async fn export_templates(domain: &Domain, account_id: AccountId) -> Result<Vec<ExportedTemplates>> {
    let rows = channel::Entity::owned_by(account_id).order_by_asc(channel::Column::Id);
    let rows = rows.all(domain.db().read()).await?.into_iter();
    let with_templates = rows.filter(|row| row.template.is_some() || row.title_template.is_some());
    let exported = with_templates.map(|row| ExportedTemplates {
        kind: row.kind.as_str().to_owned(),
        name: row.name,
        title_template: row.title_template,
        template: row.template,
    });
    Ok(exported.collect())
}

/// Imports templates for the channels with the same kind and name. Templates that a channel already has are not
/// changed. Failures are reported under the names of the channels. All entries beyond a maximum number are reported as
/// one failure.
///
/// # Errors
/// Transient errors of the database.
#[boxed]
pub async fn import_templates(
    domain: &Domain,
    account_id: AccountId,
    exported: Vec<ExportedTemplates>,
) -> Result<ImportedObjects> {
    let mut imported = ImportedObjects::default();
    for ((number, entry), step) in (1..).zip(exported).zip(0_usize..) {
        if step >= MAX_IMPORTED {
            imported.fail(number, entry.name, Code::LimitReached);
            break;
        }
        let result = import_one(domain, account_id, &entry).await;
        imported.record(number, entry.name, result)?;
    }
    Ok(imported)
}

async fn import_one(domain: &Domain, account_id: AccountId, entry: &ExportedTemplates) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let channels = channel::Entity::owned_by(account_id)
        .filter(channel::Column::Name.eq(entry.name.as_str()))
        .order_by_asc(channel::Column::Id)
        .all(&transaction)
        .await?;
    let row = channels.into_iter().find(|row| row.kind.as_str() == entry.kind);
    let row = row.ok_or_else(super::rows::unknown_channel)?;
    let edit = TemplateEdit {
        title: entry.title_template.clone().filter(|_| row.title_template.is_none()),
        text: entry.template.clone().filter(|_| row.template.is_none()),
    };
    if edit == TemplateEdit::default() {
        return Ok(());
    }
    check_edit(row.kind, &edit)?;
    let change = channel::ActiveModel {
        id: Set(row.id),
        title_template: Set(edit.title.or(row.title_template)),
        template: Set(edit.text.or(row.template)),
        ..Default::default()
    };
    change.update(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}
