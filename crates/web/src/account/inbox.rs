//! Inbox: the secret addresses of an account with their settings, and the latest messages with their outcome.

use ::inbox::{
    AddressChanges, InboxAddress, InboxDestination, InboxMessage, InboxMessageState, MAX_NAME_CHARS,
    MessagePage, NewAddress,
};
use feeds::CollectionSummary;
use kernel::bounds::OBJECT_TAGS;
use kernel::{CollectionId, InboxAddressId, InboxMessageId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::inbox_message::{reason, state};
use crate::form_input::comma_separated;
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/settings/inbox";
/// Number of messages on the page.
const LISTED: u32 = 50;

/// Values of the form for a new address.
#[derive(Default)]
struct Input {
    name: String,
    tags: String,
    target: Target,
}

/// Destination in a form.
#[derive(Clone, Copy, Default)]
struct Target {
    destination: InboxDestination,
    collection_id: Option<CollectionId>,
}

impl Target {
    /// Reads the fields of the form. A form without them sends the defaults.
    fn of(form: &Form) -> Self {
        let word = form.get("destination");
        let destination = InboxDestination::ALL.iter().copied().find(|one| one.as_str() == word);
        let collection_id = form.get("collection").parse().ok().map(CollectionId::new);
        Self { destination: destination.unwrap_or_default(), collection_id }
    }

    fn of_address(address: &InboxAddress) -> Self {
        Self { destination: address.destination, collection_id: address.collection_id }
    }

    /// Renders the fields of the form.
    fn fields(self, collections: &[CollectionSummary]) -> Markup {
        html! {
            div { label { "Messages become " select name="destination" {
                @for destination in InboxDestination::ALL {
                    option value=(destination.as_str()) selected[*destination == self.destination] { (destination_label(*destination)) }
                }
            } } }
            @if collections.len() > 1 {
                div { label { "Collection for new newsletters in your feeds " select name="collection" {
                    @for collection in collections {
                        option value=(collection.id) selected[Some(collection.id) == self.collection_id] { (collection.name) }
                    }
                } } }
            }
        }
    }
}

fn destination_label(destination: InboxDestination) -> &'static str {
    match destination {
        InboxDestination::Library => "items of the library",
        InboxDestination::Feed => "entries in your feeds, one feed for each newsletter",
        InboxDestination::Both => "items and entries",
    }
}

/// Renders the addresses and the latest messages.
#[handler]
pub(crate) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, &Input::default(), &FormRejection::default()).await
}

/// Creates an address.
#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let target = Target::of(&form);
    let input = Input { name: form.get("name").to_owned(), tags: form.get("tags").to_owned(), target };
    let new = NewAddress {
        name: input.name.clone(),
        tags: comma_separated(&input.tags).map(str::to_owned).collect(),
        destination: target.destination,
        collection_id: target.collection_id,
    };
    match ::inbox::create_address(&request.app.domain, user.account.id, new).await {
        Ok(_) => Ok(back("created")),
        Err(error) => page(&request, &user, &input, &FormRejection::of(error)?).await,
    }
}

/// Changes, replaces, or deletes an address.
#[handler]
pub(crate) async fn change(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<InboxAddressId>,
) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let changes = match form.get("act") {
        "delete" => {
            ::inbox::delete_address(domain, account_id, id).await?;
            return Ok(back("deleted"));
        }
        "replace" => {
            ::inbox::replace_address(domain, account_id, id).await?;
            return Ok(back("replaced"));
        }
        "mute" => AddressChanges { muted: Some(true), ..AddressChanges::default() },
        "unmute" => AddressChanges { muted: Some(false), ..AddressChanges::default() },
        _ => {
            let target = Target::of(&form);
            AddressChanges {
                name: Some(form.get("name").to_owned()),
                tags: Some(comma_separated(form.get("tags")).map(str::to_owned).collect()),
                muted: None,
                destination: Some(target.destination),
                collection_id: Some(target.collection_id),
            }
        }
    };
    ::inbox::update_address(domain, account_id, id, changes).await?;
    Ok(back("changed"))
}

fn back(done: &str) -> poem::Response {
    redirect(&format!("{PATH}?{done}"))
}

async fn page(request: &PageRequest, user: &User, input: &Input, rejection: &FormRejection) -> PageResult {
    let form_error = &rejection.form_error;
    let domain = &request.app.domain;
    let addresses = ::inbox::list_addresses(domain, user.account.id).await?;
    let collections = feeds::collection_summaries(domain, user.account.id).await?;
    let after = request.parameter("after").parse::<InboxMessageId>().ok();
    let received = ::inbox::list_messages(domain, user.account.id, after, LISTED).await?;
    let limit = domain.policy().tiers.of(user.account.tier).inbox_addresses;
    let (token, now) = (FormToken::of(request), domain.now());
    let content = html! {
        (settings_tabs(PATH, &token))
        h1 { "Inbox" }
        (notice(request.uri.query()))
        p { "Mail to these addresses is saved in your library or appears in your feeds. Use them to subscribe to newsletters. An address is a secret: anyone who knows it can add items." }
        @if domain.policy().inbox_domain.is_none() {
            p.notice { "This installation does not receive mail from the internet. The operator can set this up (CARREL_INBOX_DOMAIN). Programs can deliver messages with the API." }
        }
        @if !addresses.is_empty() { ul.rows { @for address in &addresses { (row(address, &collections, &token, now)) } } }
        p.soft { (addresses.len()) " of " (limit) " addresses used." }
        h2 #new { "Add an address" }
        (form_error.summary())
        (new_form(input, &collections, form_error, &token))
        h2 { "Latest messages" }
        (messages(&received, now))
    };
    Ok(rejection.add_retry_after(request.respond(rejection.status, "Inbox · Settings", &content)))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("created") => success("Address added."),
        Some("changed") => success("Address updated."),
        Some("replaced") => success("Address replaced. Mail to the old address is refused."),
        Some("deleted") => success("Address deleted. Saved items stay."),
        Some(_) | None => html! {},
    }
}

/// Renders the row of an address with its actions.
fn row(address: &InboxAddress, collections: &[CollectionSummary], token: &FormToken, now: Millis) -> Markup {
    let tags = address.tags.join(", ");
    html! {
        li {
            p { strong { (address.name) } " " code { (address.address) } @if address.muted { " " span.badge.paused { "muted" } } }
            p.soft.small {
                "Messages become " (destination_label(address.destination)) ". "
                @if !tags.is_empty() { "Tags: " (tags) ". " }
                @match address.last_received_at { Some(at) => { "Last message " (time(at, now)) "." }, None => "No messages yet." }
            }
            @if let Some((at, code)) = address.refused_at.zip(address.refused_reason.as_deref()) {
                p.soft.small { "Last refused " (time(at, now)) ": " (reason(code)) " (" (address.refusals) " in all)" }
            }
            form.row method="post" action={ (PATH) "/" (address.id) } {
                (token.field())
                @if address.muted { button.secondary type="submit" name="act" value="unmute" { "Unmute" } }
                @else { button.secondary type="submit" name="act" value="mute" { "Mute" } }
            }
            details {
                summary { "Edit" }
                form.stack method="post" action={ (PATH) "/" (address.id) } {
                    (token.field())
                    div { label { "Name " input name="name" type="text" value=(address.name) required autocomplete="off"; } }
                    div { label { "Tags, separated by commas " input name="tags" type="text" value=(tags) autocomplete="off"; } }
                    (Target::of_address(address).fields(collections))
                    div { button type="submit" name="act" value="save" { "Save" } }
                }
                p.soft { "After Replace or Delete, mail to the current address is refused." }
                form.row method="post" action={ (PATH) "/" (address.id) } {
                    (token.field())
                    button.secondary type="submit" name="act" value="replace" { "Replace address" }
                    button.danger type="submit" name="act" value="delete" { "Delete address" }
                }
            }
        }
    }
}

fn new_form(
    input: &Input,
    collections: &[CollectionSummary],
    form_error: &FormError,
    token: &FormToken,
) -> Markup {
    let hint = format!("Such as \"Newsletters\". At most {MAX_NAME_CHARS} characters.");
    let tags_hint = format!("Tags of the saved items, separated by commas. At most {OBJECT_TAGS}.");
    let field = |name, label, hint, value, required| Field {
        name,
        label,
        hint,
        kind: "text",
        value,
        autocomplete: "off",
        required,
    };
    html! {
        form.stack method="post" action=(PATH) {
            (token.field())
            (field("name", "Name", hint.as_str(), input.name.as_str(), true).show(form_error))
            (field("tags", "Tags", tags_hint.as_str(), input.tags.as_str(), false).show(form_error))
            (input.target.fields(collections))
            div { button type="submit" { "Add address" } }
        }
    }
}

fn messages(page: &MessagePage, now: Millis) -> Markup {
    let messages = &page.messages;
    html! {
        @if messages.is_empty() { p.soft { "No messages yet." } } @else {
            table.cards {
                caption.soft { "Newest first" }
                thead { tr { th scope="col" { "Message" } th scope="col" { "State" } th scope="col" { "Received" } } }
                tbody { @for message in messages { (message_row(message, now)) } }
            }
        }
        @if let Some(next) = page.next {
            p.pager { a.button.secondary rel="next" href={ (PATH) "?after=" (next) } { "Older messages" } }
        }
    }
}

fn message_row(message: &InboxMessage, now: Millis) -> Markup {
    let subject = message.subject.as_deref().unwrap_or("No subject");
    html! {
        tr {
            th scope="row" {
                a href={ (PATH) "/messages/" (message.id) } { bdi { (subject) } }
                @if let Some(sender) = &message.sender { br; span.soft.small { bdi { (sender) } } }
                @if let Some(url) = &message.unsubscribe_url {
                    br; a.small href=(url) rel="noopener noreferrer nofollow" { "Unsubscribe" }
                }
                @if message.confirmation_url.is_some() { br; span.small { "Asks you to confirm a subscription" } }
            }
            td data-label="State" {
                (state(message))
                @if let Some(code) = &message.reason { ": " (reason(code)) }
                @if message.state == InboxMessageState::Received && message.reason.is_some() {
                    br; span.soft.small { "Saving is retried every hour, after a day every day. After 90 days the message is deleted." }
                }
            }
            td data-label="Received" { (time(message.received_at, now)) }
        }
    }
}
