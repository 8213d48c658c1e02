//! Operations on inbox addresses and received mail.

use std::sync::Arc;

use ::inbox::{
    AddressChanges, InboxDestination, InboxMessageState, MAX_MESSAGE_BYTES, MAX_NAME_CHARS, NewAddress,
    UnsubscribeState,
};
use kernel::bounds::{OBJECT_TAGS, TAG_CHARS};
use kernel::cursor_scope::CursorScope;
use kernel::{Code, CollectionId, Error, FeedId, InboxAddressId, InboxMessageId, rfc3339};
use poem::web::Data;
use poem::{Request, RequestBody};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema};
use poem_openapi::types::Example;
use poem_openapi::{ApiExtractor, ApiResponse, ExtractParamOptions, Object, OpenApi};

use super::answers::{Errors, NoContent};
use super::authorize::{Authorized, Read, Write};
use super::body::{Body, body_extractor, refuse};
use super::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use super::error::ApiError;
use super::path_id::path_id;
use super::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::body::{BodyFault, bytes_of, essence};
use http_kit::http::body_memory::BodyPermit;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::openapi_type::inline;
use http_kit::http::params::{Flag, Name, NumericId, Text};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable};

/// Media type of messages.
const MESSAGE_TYPE: &str = "message/rfc822";
/// Message in the API description.
const MESSAGE: &str = "From: Lamps Weekly <news@lamps.example>\r\nSubject: Issue 7\r\nMessage-ID: <7@lamps.example>\r\n\r\nThe lamp is lit.\r\n";

/// Tags of an address.
type AddressTags = List<Text<1, TAG_CHARS>, 0, OBJECT_TAGS>;

pub(super) struct InboxApi;

request! {
    /// Inbox address to create.
    pub(super) struct InboxAddressRequest in camelCase {
        /// Name of the address.
        name: Name<MAX_NAME_CHARS> = "Newsletters",
        /// Tags that items of received messages get. Public and shared tags among them are not added.
        tags: Option<AddressTags> = ["newsletter"],
        /// Destination of received messages: items of the library, entries of a feed for each newsletter, or
        /// both. Default: `library`.
        destination: Option<EnumParam<InboxDestination>> = "both",
        /// Id of the collection for the feeds of newsletters. Default: the unsorted collection.
        collection_id: Option<NumericId>,
    }
}

request! {
    /// Changes to an inbox address; omitted fields stay unchanged.
    pub(super) struct InboxAddressUpdate in camelCase {
        /// Name of the address.
        name: Option<Name<MAX_NAME_CHARS>> = "Newsletters",
        /// Tags of the items of received messages; replaces all tags.
        tags: Option<AddressTags> = ["newsletter"],
        /// True to discard received messages.
        muted: Option<Flag> = false,
        /// Destination of messages that are received from now on.
        destination: Option<EnumParam<InboxDestination>> = "feed",
        /// Id of the collection for the feeds of newsletters that are first received from now on; null for the
        /// unsorted collection.
        collection_id: Option<Nullable<NumericId>>,
    }
}

/// Secret address at which mail is received.
#[derive(Debug, Object)]
#[oai(rename = "InboxAddress", rename_all = "camelCase")]
pub(super) struct InboxAddressResponse {
    /// Id of the address (UUID).
    pub id: String,
    /// Mail address. Anyone who knows it can add items to the library.
    pub address: String,
    /// Name of the address.
    pub name: String,
    /// Tags that items of received messages get. Public and shared tags among them are not added.
    pub tags: Vec<String>,
    /// True if received messages are discarded.
    pub muted: bool,
    /// Destination of received messages: items of the library, entries of a feed for each newsletter, or both. A
    /// message that does not completely fit into an entry becomes an item, too.
    pub destination: EnumParam<InboxDestination>,
    /// Id of the collection for the feeds of newsletters; null for the unsorted collection.
    pub collection_id: Option<i64>,
    /// Time of the last received message, RFC 3339 UTC; null if there was none.
    pub last_received_at: Option<String>,
    /// Number of refused messages.
    pub refusals: i64,
    /// Time of the last refused message, RFC 3339 UTC; null if there was none.
    pub refused_at: Option<String>,
    /// Error code of the last refused message; null if there was none.
    pub refused_reason: Option<String>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
}

impl From<::inbox::InboxAddress> for InboxAddressResponse {
    fn from(address: ::inbox::InboxAddress) -> Self {
        Self {
            id: address.id.to_string(),
            address: address.address,
            name: address.name,
            tags: address.tags,
            muted: address.muted,
            destination: EnumParam(address.destination),
            collection_id: address.collection_id.map(CollectionId::as_i64),
            last_received_at: address.last_received_at.map(rfc3339),
            refusals: address.refusals,
            refused_at: address.refused_at.map(rfc3339),
            refused_reason: address.refused_reason,
            created_at: rfc3339(address.created_at),
        }
    }
}

/// Inbox addresses of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct InboxAddressList {
    /// Addresses, oldest first.
    pub addresses: Vec<InboxAddressResponse>,
}

/// Response with one inbox address.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct InboxAddressOne {
    /// The address.
    pub address: InboxAddressResponse,
}

/// Received message.
#[derive(Debug, Object)]
#[oai(rename = "InboxMessage", rename_all = "camelCase")]
pub(super) struct InboxMessageResponse {
    /// Id of the message (UUID).
    pub id: String,
    /// Id of the address that received the message. The address may have been deleted.
    pub address_id: String,
    /// State of the message.
    pub state: EnumParam<InboxMessageState>,
    /// Error code of a message that waits for another attempt or has failed; otherwise null.
    pub reason: Option<String>,
    /// Sender with name and address; null until the message is processed.
    pub sender: Option<String>,
    /// Subject; null until the message is processed.
    pub subject: Option<String>,
    /// Identity of the newsletter (`List-Id`); null if the message is not from a newsletter.
    pub list_id: Option<String>,
    /// URL that unsubscribes from the newsletter; null if the message has none. Carrel opens it only on request.
    pub unsubscribe_url: Option<String>,
    /// True if a `POST` of `List-Unsubscribe=One-Click` to the URL unsubscribes (RFC 8058). False if the DKIM
    /// signatures of the message do not cover this.
    pub one_click_unsubscribe: bool,
    /// Results of SPF, DKIM and DMARC (`Authentication-Results`) from the mail server of this installation; null
    /// if there are none.
    pub authentication: Option<String>,
    /// Names of attachments and pictures. They are contained in the item's file.
    pub attachments: Vec<String>,
    /// Size in bytes.
    pub size: i64,
    /// Id of the item created from the message (UUID); null if there is none.
    pub item_id: Option<String>,
    /// Id of the feed that contains the message as an entry; null if there is none.
    pub feed_id: Option<i64>,
    /// Number of tracking pixels that were left out.
    pub tracking_pixels: i32,
    /// Link that confirms a subscription; null if the message asks for no confirmation. Carrel never opens the link.
    pub confirmation_url: Option<String>,
    /// State of the last request to unsubscribe; null if there was none.
    pub unsubscribe_state: Option<EnumParam<UnsubscribeState>>,
    /// Error code of a failed request to unsubscribe; otherwise null.
    pub unsubscribe_reason: Option<String>,
    /// Time of the request to unsubscribe, or of its result, RFC 3339 UTC; null if there was none.
    pub unsubscribe_at: Option<String>,
    /// Time of reception, RFC 3339 UTC.
    pub received_at: String,
}

impl From<::inbox::InboxMessage> for InboxMessageResponse {
    fn from(message: ::inbox::InboxMessage) -> Self {
        Self {
            id: message.id.to_string(),
            address_id: message.address_id.to_string(),
            state: EnumParam(message.state),
            reason: message.reason,
            sender: message.sender,
            subject: message.subject,
            list_id: message.list_id,
            unsubscribe_url: message.unsubscribe_url,
            one_click_unsubscribe: message.one_click,
            authentication: message.authentication,
            attachments: message.attachments,
            size: message.bytes,
            item_id: message.item_id.map(|id| id.to_string()),
            feed_id: message.feed_id.map(FeedId::as_i64),
            tracking_pixels: message.tracking_pixels,
            confirmation_url: message.confirmation_url,
            unsubscribe_state: message.unsubscribe_state.map(EnumParam),
            unsubscribe_reason: message.unsubscribe_reason,
            unsubscribe_at: message.unsubscribe_at.map(rfc3339),
            received_at: rfc3339(message.received_at),
        }
    }
}

/// Received messages of an account.
#[derive(Debug, Object)]
#[oai(example, rename_all = "camelCase")]
pub(super) struct InboxMessageList {
    /// Messages, newest first.
    pub messages: Vec<InboxMessageResponse>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Response with one received message.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct InboxMessageOne {
    /// The message.
    pub message: InboxMessageResponse,
}

fn address_id() -> String {
    "0193a0b2-7e00-7000-8000-1a2b3c4d5e6f".to_owned()
}

impl Example for InboxAddressResponse {
    fn example() -> Self {
        Self {
            id: address_id(),
            address: "copper-meadow-4821@in.example.org".into(),
            name: "Newsletters".into(),
            tags: vec!["newsletter".into()],
            muted: false,
            destination: EnumParam(InboxDestination::Both),
            collection_id: Some(7),
            last_received_at: Some("2026-11-20T12:00:00.000Z".into()),
            refusals: 0,
            refused_at: None,
            refused_reason: None,
            created_at: "2026-11-19T12:00:00.000Z".into(),
        }
    }
}

impl Example for InboxAddressList {
    fn example() -> Self {
        Self { addresses: vec![InboxAddressResponse::example()] }
    }
}

impl Example for InboxAddressOne {
    fn example() -> Self {
        Self { address: InboxAddressResponse::example() }
    }
}

impl Example for InboxMessageResponse {
    fn example() -> Self {
        Self {
            id: "0193a0b2-7e01-7000-8000-2b3c4d5e6f70".into(),
            address_id: address_id(),
            state: EnumParam(InboxMessageState::Saved),
            reason: None,
            sender: Some("Lamps Weekly <news@lamps.example>".into()),
            subject: Some("Issue 7".into()),
            list_id: Some("weekly.lamps.example".into()),
            unsubscribe_url: Some("https://lamps.example/off?u=1".into()),
            one_click_unsubscribe: true,
            authentication: Some("mx.example.org; spf=pass; dkim=pass; dmarc=pass".into()),
            attachments: Vec::new(),
            size: 48_213,
            item_id: Some("0193a0b2-7c00-7000-8000-9a8b7c6d5e4f".into()),
            feed_id: Some(42),
            tracking_pixels: 1,
            confirmation_url: None,
            unsubscribe_state: Some(EnumParam(UnsubscribeState::Completed)),
            unsubscribe_reason: None,
            unsubscribe_at: Some("2026-11-21T08:00:00.000Z".into()),
            received_at: "2026-11-20T12:00:00.000Z".into(),
        }
    }
}

impl Example for InboxMessageList {
    fn example() -> Self {
        Self { messages: vec![InboxMessageResponse::example()], next_cursor: None }
    }
}

impl Example for InboxMessageOne {
    fn example() -> Self {
        Self { message: InboxMessageResponse::example() }
    }
}

#[derive(ApiResponse)]
pub(super) enum InboxAddressCreated {
    /// The new address.
    #[oai(status = 201)]
    Created(Json<InboxAddressOne>),
}

#[derive(ApiResponse)]
pub(super) enum InboxMessageAccepted {
    /// The message is stored. If the account has already received it, the first message is returned.
    #[oai(status = 202)]
    Accepted(Json<InboxMessageOne>),
}

#[derive(ApiResponse)]
pub(super) enum InboxUnsubscribeAccepted {
    /// A worker will send the request to unsubscribe. If a request is pending or was accepted, no other is sent.
    #[oai(status = 202)]
    Accepted(Json<InboxMessageOne>),
}

/// Raw message. Dropping it releases the reserved memory.
pub(super) struct RawMessageBody(
    bytes::Bytes,
    #[expect(dead_code, reason = "the reservation is released on drop")] BodyPermit,
);

impl<'a> ApiExtractor<'a> for RawMessageBody {
    body_extractor!();

    fn request_meta() -> Option<MetaRequest> {
        let schema =
            MetaSchema { format: Some("binary"), example: Some(MESSAGE.into()), ..MetaSchema::new("string") };
        let content = vec![MetaMediaType { content_type: MESSAGE_TYPE, schema: inline(schema) }];
        Some(MetaRequest { description: Some("The message (RFC 5322)."), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        if essence(request.content_type().unwrap_or_default()) != MESSAGE_TYPE {
            let message = "Send the message as message/rfc822.";
            return Err(ApiError::from(Error::new(Code::UnsupportedMediaType, message)).into());
        }
        let (bytes, permit) = bytes_of(request, body, MAX_MESSAGE_BYTES).await.map_err(refuse_mail)?;
        Ok(Self(bytes, permit))
    }
}

fn refuse_mail(fault: BodyFault) -> ApiError {
    match fault {
        BodyFault::TooLarge(most) => {
            let message = format!("A message has at most {most} bytes.");
            Error::new(Code::PayloadTooLarge, message).into()
        }
        fault => refuse(fault),
    }
}

fn id_of(text: &str) -> Result<InboxAddressId, ApiError> {
    path_id(text, "inbox address")
}

fn tags_of(tags: AddressTags) -> Vec<String> {
    tags.0.into_iter().map(|tag| tag.0).collect()
}

#[OpenApi(tag = "ApiTag::Library")]
impl InboxApi {
    /// List inbox addresses
    ///
    /// Returns the secret addresses at which the account receives mail.
    #[oai(path = "/v1/inbox/addresses", method = "get", operation_id = "listInboxAddresses")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<InboxAddressList>, ApiError> {
        let addresses = ::inbox::list_addresses(&app.domain, caller.0.account_id).await?;
        Ok(Json(InboxAddressList {
            addresses: addresses.into_iter().map(InboxAddressResponse::from).collect(),
        }))
    }

    /// Create an inbox address
    ///
    /// Creates a secret address. Each message that it receives becomes an item of the library with the message
    /// as its file, an entry of a feed for the newsletter, or both.
    #[oai(path = "/v1/inbox/addresses", method = "post", operation_id = "createInboxAddress")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<InboxAddressRequest>,
    ) -> Result<InboxAddressCreated, Errors<404, 422>> {
        let InboxAddressRequest { name, tags, destination, collection_id } = body.0;
        let new = NewAddress {
            name: name.0,
            tags: tags.map(tags_of).unwrap_or_default(),
            destination: destination.map(|word| word.0).unwrap_or_default(),
            collection_id: collection_id.map(|id| id.0.into()),
        };
        let address = ::inbox::create_address(&app.domain, caller.0.account_id, new).await?.into();
        Ok(InboxAddressCreated::Created(Json(InboxAddressOne { address })))
    }

    /// Update an inbox address
    ///
    /// Changes name, tags or destination, or mutes the address: mail to a muted address is accepted and discarded.
    #[oai(path = "/v1/inbox/addresses/:id", method = "patch", operation_id = "updateInboxAddress")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the address.
        #[oai(example = "address_id")]
        id: Path<String>,
        body: Body<InboxAddressUpdate>,
    ) -> Result<Json<InboxAddressOne>, Errors<404, 422>> {
        let InboxAddressUpdate { name, tags, muted, destination, collection_id } = body.0;
        let changes = AddressChanges {
            name: name.map(|name| name.0),
            tags: tags.map(tags_of),
            muted: muted.map(|flag| flag.0),
            destination: destination.map(|word| word.0),
            collection_id: collection_id.map(|id| id.0.map(|id| id.0.into())),
        };
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let address = ::inbox::update_address(&app.domain, account_id, id, changes).await?.into();
        Ok(Json(InboxAddressOne { address }))
    }

    /// Replace an inbox address
    ///
    /// Assigns a new secret name to the address. From now on, mail to the previous name is refused.
    #[oai(path = "/v1/inbox/addresses/:id/replace", method = "post", operation_id = "replaceInboxAddress")]
    async fn replace(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the address.
        #[oai(example = "address_id")]
        id: Path<String>,
    ) -> Result<Json<InboxAddressOne>, Errors<404>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let address = ::inbox::replace_address(&app.domain, account_id, id).await?.into();
        Ok(Json(InboxAddressOne { address }))
    }

    /// Delete an inbox address
    ///
    /// Mail to the address is refused from now on. Received messages are retained.
    #[oai(path = "/v1/inbox/addresses/:id", method = "delete", operation_id = "deleteInboxAddress")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the address.
        #[oai(example = "address_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        ::inbox::delete_address(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }

    /// List received messages
    ///
    /// Returns the messages with their outcome, newest first. Messages are listed for 90 days; their items are
    /// retained.
    #[oai(path = "/v1/inbox/messages", method = "get", operation_id = "listInboxMessages")]
    async fn messages(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of messages. Default: 50.
        limit: Limit,
    ) -> Result<Json<InboxMessageList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let cursor_scope = CursorScope { account_id, operation: "listInboxMessages", filters: String::new() };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let page = ::inbox::list_messages(&app.domain, account_id, after, page_size(&limit)).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next).await?;
        let messages = page.messages.into_iter().map(InboxMessageResponse::from).collect();
        Ok(Json(InboxMessageList { messages, next_cursor }))
    }

    /// Unsubscribe from a newsletter
    ///
    /// Sends the one-click unsubscribe request (RFC 8058) for a message to the sender's server. A worker sends it
    /// after the response; the result is recorded in the message.
    #[oai(
        path = "/v1/inbox/messages/:id/unsubscribe",
        method = "post",
        operation_id = "unsubscribeInboxMessage"
    )]
    async fn unsubscribe(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the message.
        #[oai(example = "address_id")]
        id: Path<String>,
    ) -> Result<InboxUnsubscribeAccepted, Errors<404, 422>> {
        let no_message = |_| ApiError::new(Code::NotFound, "There is no such message.");
        let id: InboxMessageId = id.0.parse().map_err(no_message)?;
        let (message, job) = ::inbox::unsubscribe(&app.domain, caller.0.account_id, id).await?;
        app.engine.push_all(job.as_slice()).await;
        Ok(InboxUnsubscribeAccepted::Accepted(Json(InboxMessageOne { message: message.into() })))
    }

    /// Deliver a message
    ///
    /// Receives a message for an inbox address of the account, for example from the webhook of a mail service.
    /// The message is stored when the response is sent, and becomes an item afterwards. A message is saved only
    /// once, even if it is delivered again.
    #[oai(path = "/v1/inbox/messages", method = "post", operation_id = "deliverInboxMessage")]
    async fn deliver(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Inbox address of the account.
        address: Query<Text<3, 320>>,
        body: RawMessageBody,
    ) -> Result<InboxMessageAccepted, Errors<404, 413, 415, 422>> {
        let domain = &app.domain;
        let recipient = ::inbox::find_own_recipient(domain, caller.0.account_id, &address.0.0).await?;
        let (message, job) = ::inbox::receive(domain, recipient, "", &body.0).await?;
        app.engine.push_all(job.as_slice()).await;
        Ok(InboxMessageAccepted::Accepted(Json(InboxMessageOne { message: message.into() })))
    }
}
