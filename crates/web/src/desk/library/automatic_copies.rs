//! Settings of automatic copies: the formats in which the page of each new item is copied, and whether the pages of
//! imported items are also copied.

use articles::{Render, require_browser};
use kernel::{Code, Error};
use library::{CopyChoice, CopyChoiceUpdate, PageCopyFormat, imported_copies_per_day};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;

use super::super::frame::{Section, notice, redirect_done, respond_with};
use super::page_copies::FORMATS;
use crate::language::text::Text;
use crate::page::error_text::ErrorSentences;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

const PATH: &str = "/library/copies";
const DONE: [(&str, Text); 1] = [("saved", Text("copies-saved"))];

/// Renders the form that selects the formats, or the reason why copies are unavailable.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let domain = &request.app.domain;
    let missing = require_browser(domain, Render::Always).err().map(|error| ErrorSentences::of(&error));
    let chosen = library::automatic_copies(domain, user.account.id).await?;
    let per_day = imported_copies_per_day(&user.account.limits(domain));
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("copies-automatic")) }
        (notice(&request, &DONE))
        p { (Text("copies-words")) }
        @match &missing {
            Some(missing) => { p.notice { (missing) } },
            None => { (choice(&chosen, per_day, &FormToken::of(&request))) },
        }
    };
    let title = format!("{} · {}", Text("copies-automatic").get(), Text("nav-library").get());
    Ok(respond_with(&request, StatusCode::OK, Section::Library, &title, &content))
}

/// Renders the form. At most `per_day` copies of imported items are created in a day.
fn choice(chosen: &CopyChoice, per_day: u32, token: &FormToken) -> Markup {
    html! {
        form.stack method="post" action=(PATH) {
            (token.field())
            fieldset {
                legend { (Text("copies-formats")) }
                @for (format, name, about) in FORMATS {
                    label.choice {
                        input type="checkbox" name="format" value=(format) checked[chosen.formats.contains(&format)];
                        span { (name) " " span.soft.small { (about) } }
                    }
                }
            }
            label.choice {
                input type="checkbox" name="imports" value="1" checked[chosen.copies_imports];
                span { (Text("copies-imports").with("count", per_day)) }
            }
            p.soft { (Text("copies-limits")) }
            div { button type="submit" { (Text("form-save")) } }
        }
    }
}

/// Saves the choice.
#[handler]
pub(in crate::desk) async fn save(request: PageRequest, user: User, form: Form) -> PageResult {
    let formats: Option<Vec<PageCopyFormat>> = form.all("format").map(PageCopyFormat::parse).collect();
    let formats = formats.ok_or_else(|| Error::new(Code::InvalidRequest, "There is no such format."))?;
    let copies_imports = Some(form.get("imports") == "1");
    let update = CopyChoiceUpdate { formats: Some(formats), copies_imports };
    library::update_automatic_copies(&request.app.domain, user.account.id, update).await?;
    Ok(redirect_done(PATH, "saved"))
}
