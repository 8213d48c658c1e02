//! Links to the search by meaning and to questions about the library. Nothing is rendered without a model, or if the
//! person has not switched it on.

use maud::{Markup, html};
use model::SearchedTexts;

use super::frame::link;
use crate::language::text::Text;
use crate::page::request::{PageRequest, User};

/// Path of the search by meaning.
pub(super) const PATH: &str = "/library/meaning";
/// Path of questions about the library.
pub(super) const ASK_PATH: &str = "/library/ask";

/// Renders the links that a list or search of these texts offers, with its query. Only the library has a link
/// to questions.
pub(super) async fn link_from(
    request: &PageRequest,
    user: &User,
    searched: SearchedTexts,
    typed: &str,
) -> kernel::Result<Markup> {
    let domain = &request.app.domain;
    let is_on = model::model_info(domain).is_some() && model::has_consent(domain, user.account.id).await?;
    let has_search = is_on && model::require_embeddings(domain).is_ok();
    let has_questions = is_on && searched == SearchedTexts::Items;
    let href = link(PATH, &[("searched", searched.as_str()), ("q", typed)]);
    Ok(html! { @if has_search || has_questions {
        p.dots {
            @if has_search { span { a href=(href) { (Text("items-by-meaning")) } } }
            @if has_questions { span { a href=(ASK_PATH) { (Text("question-library")) } } }
        }
    } })
}
