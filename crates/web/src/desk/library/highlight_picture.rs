//! Pictures of highlights on pages, and the buttons that highlight the pictures of a text.

use extract::render::escape;
use kernel::AccountId;
use library::{Highlight, HighlightPicture};
use maud::{Markup, PreEscaped, html};

use super::highlight_markup::{PICTURE, rewrite_pictures};
use crate::icons::{Icon, icon};
use crate::language::text::Text;
use crate::page::form::FormToken;
use crate::page::request::PageRequest;
use crate::pictures::{Pictures, original_image};

/// Id of the form to which the buttons of pictures belong.
const FORM: &str = "mark-picture";

/// Renders the picture of a highlight. Empty if the highlight is a passage.
pub(super) async fn of_highlight(
    request: &PageRequest,
    account_id: AccountId,
    highlight: &Highlight,
) -> kernel::Result<Markup> {
    let Some(image) = image(highlight) else { return Ok(html! {}) };
    let pictures = Pictures::for_person(request, account_id, &image).await?;
    let pictures = match highlight.row.item_id {
        Some(item_id) => pictures.of_message(format!("/library/{item_id}/files")),
        None => pictures,
    };
    Ok(framed(&pictures, highlight))
}

/// Renders the picture of a highlight. `pictures` supplies its address on this host. Empty if the highlight is a
/// passage.
pub(super) fn framed(pictures: &Pictures, highlight: &Highlight) -> Markup {
    html! { @if let Some(image) = image(highlight) {
        div.highlight-picture { (PreEscaped(pictures.replace_in(&image))) }
    } }
}

/// Renders a picture with its original address. Without an alternative text, the quote is used.
fn image(highlight: &Highlight) -> Option<String> {
    let HighlightPicture { url, alt } = HighlightPicture::of(&highlight.row)?;
    let alt = alt.as_deref().unwrap_or(&highlight.row.quote);
    Some(original_image(&url, alt))
}

/// Adds a highlight button to each picture in a text, unless the picture has a highlight. The button works without
/// scripts.
pub(super) fn with_buttons(html: &str) -> String {
    let label = escape(&Text("highlight-picture").get());
    let icon = icon(Icon::Highlight).into_string();
    rewrite_pictures(html, |url| {
        let button = format!(
            "<button class=\"mark-picture noprint\" type=\"submit\" form=\"{FORM}\" name=\"picture\" \
             value=\"{}\" aria-label=\"{label}\" title=\"{label}\">{icon}</button>",
            escape(url)
        );
        Some([PICTURE.to_owned(), button])
    })
}

/// Renders the form of the buttons.
pub(super) fn form(item_path: &str, token: &FormToken) -> Markup {
    html! { form.noprint id=(FORM) method="post" action={ (item_path) "/highlights" } { (token.field()) } }
}
