//! Inbox: the secret addresses of an account with their settings, and the latest messages with their outcome.

use ::inbox::{
    AddressChanges, InboxAddress, InboxDestination, InboxMessage, InboxMessageState, MAX_NAME_CHARS,
    MessagePage, NewAddress,
};
use feeds::CollectionSummary;
use kernel::bounds::OBJECT_TAGS;
use kernel::{CollectionId, InboxAddressId, InboxMessageId, Millis};
use library::VisibleTags;
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::inbox_message::{reason, state};
use crate::form_input::comma_separated;
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
const PATH: &str = "/settings/inbox";
/// Number of messages on the page.
const LISTED: u32 = 50;

/// Values of the form for a new address.
#[derive(Default)]
struct AddressFormInput {
    name: String,
    tags: String,
    target: InboxTarget,
}

/// Destination in a form.
#[derive(Clone, Copy, Default)]
struct InboxTarget {
    destination: InboxDestination,
    collection_id: Option<CollectionId>,
}

impl InboxTarget {
    /// Reads the fields of the form. Missing fields have their defaults.
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
            div { label { (Text("inbox-becomes")) " " select name="destination" {
                @for destination in InboxDestination::ALL {
                    option value=(destination.as_str()) selected[*destination == self.destination] { (destination_label(*destination)) }
                }
            } } }
            @if collections.len() > 1 {
                div { label { (Text("inbox-collection")) " " select name="collection" {
                    @for collection in collections {
                        option value=(collection.id) selected[Some(collection.id) == self.collection_id] { (collection.name) }
                    }
                } } }
            }
        }
    }
}

fn destination_label(destination: InboxDestination) -> Text {
    match destination {
        InboxDestination::Library => Text("inbox-to-library"),
        InboxDestination::Feed => Text("inbox-to-feed"),
        InboxDestination::Both => Text("inbox-to-both"),
    }
}

/// Renders the addresses and the latest messages.
#[handler]
pub(crate) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, &AddressFormInput::default(), &FormRejection::default()).await
}

/// Creates an address.
#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let target = InboxTarget::of(&form);
    let input =
        AddressFormInput { name: form.get("name").to_owned(), tags: form.get("tags").to_owned(), target };
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
            let target = InboxTarget::of(&form);
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

async fn page(
    request: &PageRequest,
    user: &User,
    input: &AddressFormInput,
    rejection: &FormRejection,
) -> PageResult {
    let form_error = &rejection.form_error;
    let domain = &request.app.domain;
    let addresses = ::inbox::list_addresses(domain, user.account.id).await?;
    let visible_tags = library::visible_tags(domain, user.account.id).await?;
    let mut collections = feeds::collection_summaries(domain, user.account.id).await?;
    sort_by_name(&mut collections, |collection| &collection.name);
    let after = request.parameter("after").parse::<InboxMessageId>().ok();
    let received = ::inbox::list_messages(domain, user.account.id, after, LISTED).await?;
    let limit = domain.policy().tiers.of(user.account.tier).inbox_addresses;
    let (token, now) = (FormToken::of(request), domain.now());
    let content = html! {
        (settings_tabs(PATH, &token))
        h1 { (Text("settings-inbox")) }
        (notice(request.uri.query()))
        p { (Text("inbox-words")) }
        @if domain.policy().inbox_domain.is_none() {
            p.notice { (Text("inbox-no-mail")) }
        }
        @if !addresses.is_empty() { ul.rows { @for address in &addresses { (row(address, &collections, &visible_tags, &token, now)) } } }
        p.soft { (Text("inbox-used").with("count", addresses.len()).with("most", limit)) }
        h2 #new { (Text("inbox-add-heading")) }
        (form_error.summary())
        (new_form(input, &collections, form_error, &token))
        h2 { (Text("inbox-latest")) }
        (messages(&received, now))
    };
    let title = settings_title(&[Text("settings-inbox")]);
    Ok(rejection.add_retry_after(request.respond(rejection.status, &title, &content)))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("created") => success(&Text("inbox-added")),
        Some("changed") => success(&Text("inbox-updated")),
        Some("replaced") => success(&Text("inbox-replaced")),
        Some("deleted") => success(&Text("inbox-deleted")),
        Some(_) | None => html! {},
    }
}

/// Renders the row of an address with its actions.
fn row(
    address: &InboxAddress,
    collections: &[CollectionSummary],
    visible_tags: &VisibleTags,
    token: &FormToken,
    now: Millis,
) -> Markup {
    let tags = address.tags.join(", ");
    let withheld_tags = visible_tags.among(&address.tags);
    html! {
        li {
            p { strong { (address.name) } " " code { (address.address) } @if address.muted { " " span.badge.paused { (Text("inbox-muted")) } } }
            p.soft.small {
                (Text("inbox-becomes-words").with("destination", destination_label(address.destination).get())) " "
                @if !tags.is_empty() { (Text("inbox-tags").with("tags", tags.as_str())) " " }
                @match address.last_received_at { Some(at) => (Text("inbox-last-message").markup(&[("time", time(at, now))])), None => (Text("channel-no-messages")) }
            }
            @if !withheld_tags.is_empty() { p.notice { (Text("item-rules-withheld").with("tags", withheld_tags.join(", "))) } }
            @if let Some((at, code)) = address.refused_at.zip(address.refused_reason.as_deref()) {
                p.soft.small { (Text("inbox-last-refused").with("reason", reason(code).get()).with("count", address.refusals.to_string()).markup(&[("time", time(at, now))])) }
            }
            form.row method="post" action={ (PATH) "/" (address.id) } {
                (token.field())
                @if address.muted { button.secondary type="submit" name="act" value="unmute" { (Text("inbox-unmute")) } }
                @else { button.secondary type="submit" name="act" value="mute" { (Text("inbox-mute")) } }
            }
            details {
                summary { (Text("form-edit")) }
                form.stack method="post" action={ (PATH) "/" (address.id) } {
                    (token.field())
                    div { label { (Text("settings-name")) " " input name="name" type="text" value=(address.name) required autocomplete="off"; } }
                    div { label { (Text("inbox-tags-separated")) " " input name="tags" type="text" value=(tags) autocomplete="off"; } }
                    (InboxTarget::of_address(address).fields(collections))
                    div { button type="submit" name="act" value="save" { (Text("form-save")) } }
                }
                p.soft { (Text("inbox-after")) }
                form.row method="post" action={ (PATH) "/" (address.id) } {
                    (token.field())
                    button.secondary type="submit" name="act" value="replace" { (Text("inbox-replace")) }
                    button.danger type="submit" name="act" value="delete" { (Text("inbox-delete")) }
                }
            }
        }
    }
}

fn new_form(
    input: &AddressFormInput,
    collections: &[CollectionSummary],
    form_error: &FormError,
    token: &FormToken,
) -> Markup {
    let (name, tags) = (Text("settings-name").get(), Text("items-tags").get());
    let hint = Text("inbox-name-hint").with("most", MAX_NAME_CHARS).get();
    let tags_hint = Text("inbox-tags-hint").with("most", OBJECT_TAGS).get();
    let field = |name, label, hint, value, required| FormField {
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
            (field("name", name.as_str(), hint.as_str(), input.name.as_str(), true).show(form_error))
            (field("tags", tags.as_str(), tags_hint.as_str(), input.tags.as_str(), false).show(form_error))
            (input.target.fields(collections))
            div { button type="submit" { (Text("inbox-add")) } }
        }
    }
}

fn messages(page: &MessagePage, now: Millis) -> Markup {
    let messages = &page.messages;
    html! {
        @if messages.is_empty() { p.soft { (Text("channel-no-messages")) } } @else {
            table.cards {
                caption.soft { (Text("channel-newest-first")) }
                thead { tr { th scope="col" { (Text("channel-message")) } th scope="col" { (Text("channel-state")) } th scope="col" { (Text("inbox-received-at")) } } }
                tbody { @for message in messages { (message_row(message, now)) } }
            }
        }
        @if let Some(next) = page.next {
            p.pager { a.button.secondary rel="next" href={ (PATH) "?after=" (next) } { (Text("inbox-older")) } }
        }
    }
}

fn message_row(message: &InboxMessage, now: Millis) -> Markup {
    let subject = message.subject.clone().unwrap_or_else(|| Text("inbox-no-subject").get());
    html! {
        tr {
            th scope="row" {
                a href={ (PATH) "/messages/" (message.id) } { bdi { (subject) } }
                @if let Some(sender) = &message.sender { br; span.soft.small { bdi { (sender) } } }
                @if let Some(url) = &message.unsubscribe_url {
                    br; a.small href=(url) rel="noopener noreferrer nofollow" { (Text("notice-stop")) }
                }
                @if message.confirmation_url.is_some() { br; span.small { (Text("inbox-asks-to-confirm")) } }
            }
            td data-label=(Text("channel-state")) {
                (state(message))
                @if let Some(code) = &message.reason { ": " (reason(code)) }
                @if message.state == InboxMessageState::Received && message.reason.is_some() {
                    br; span.soft.small { (Text("inbox-retried")) }
                }
            }
            td data-label=(Text("inbox-received-at")) { (time(message.received_at, now)) }
        }
    }
}
