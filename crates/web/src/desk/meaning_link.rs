//! Links to the search by meaning. Nothing is rendered without an embedding model, or if the person has not switched it
//! on.

use maud::{Markup, html};
use model::SearchedTexts;

use super::frame::link;
use crate::language::text::Text;
use crate::page::request::{PageRequest, User};

/// Path of the page.
pub(super) const PATH: &str = "/library/meaning";

/// Renders the link from a list or search of these texts, with the query that was typed there.
pub(super) async fn link_from(
    request: &PageRequest,
    user: &User,
    searched: SearchedTexts,
    typed: &str,
) -> kernel::Result<Markup> {
    let domain = &request.app.domain;
    let is_on =
        model::require_embeddings(domain).is_ok() && model::has_consent(domain, user.account.id).await?;
    let href = link(PATH, &[("searched", searched.as_str()), ("q", typed)]);
    Ok(html! { @if is_on { p { a href=(href) { (Text("items-by-meaning")) } } } })
}
