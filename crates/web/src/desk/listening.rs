//! Position at which the script of reading pages reads a text aloud (`listen.js`). The page of a text has a hidden form
//! with the stored position, which the script submits while it reads.

use application::listening::{self, ListenedText, ListeningPosition};
use kernel::Error;
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{IntoResponse, handler};

use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Stores the position. If no block is sent, the text was read to its end.
#[handler]
pub(in crate::desk) async fn remember(request: PageRequest, user: User, form: Form) -> PageResult {
    let text = ListenedText::parse(form.get("text"))
        .ok_or_else(|| Error::invalid_field("text", "must be an entry or an item"))?;
    let number = |name: &'static str| {
        form.get(name).parse::<u32>().map_err(|_| Error::invalid_field(name, "must be a whole number"))
    };
    let position = if form.get("block").is_empty() {
        None
    } else {
        Some(ListeningPosition {
            blocks: number("blocks")?,
            block: number("block")?,
            offset: number("offset")?,
        })
    };
    listening::save_position(&request.app.domain, user.account.id, text, position).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Renders the form of a text with its stored position.
///
/// # Errors
/// `unavailable` if the database does not respond.
pub(super) async fn position_form(
    request: &PageRequest,
    user: &User,
    text: ListenedText,
) -> Result<Markup, Error> {
    let stored = listening::position(&request.app.domain, user.account.id, text).await?;
    let of = |part: fn(&ListeningPosition) -> u32| stored.as_ref().map(|(position, _)| part(position));
    Ok(html! {
        form #listening method="post" action="/settings/listening" hidden
            data-blocks=[of(|position| position.blocks)] data-block=[of(|position| position.block)]
            data-offset=[of(|position| position.offset)] data-time=[stored.map(|(_, time)| time)] {
            (FormToken::of(request).field())
            input type="hidden" name="text" value=(text);
        }
    })
}
