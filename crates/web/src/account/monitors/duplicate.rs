//! Duplication of a monitor for another address, with all its settings.

use kernel::{Class, Error, MonitorId};
use maud::html;
use monitors::{Edit, Monitor};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::frame::{find, path, respond};
use super::words;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::RequiredField;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use articles::{Address, typed_address};

/// Renders the form for the name and the address of the copy.
#[handler]
pub(crate) async fn show_duplicate(
    request: PageRequest,
    user: User,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let name = copy_name(&monitor.name);
    let typed = (name.as_str(), monitor.target_url.as_str());
    Ok(page(&request, StatusCode::OK, &monitor, typed, &FormError::default()))
}

/// Returns the proposed name of the copy. Removes the bidirectional marks that enclose inserted values, because
/// the name is stored.
fn copy_name(name: &str) -> String {
    Text("duplicate-name").with("name", name).get().replace(['\u{2068}', '\u{2069}'], "")
}

#[handler]
pub(crate) async fn create_duplicate(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let (name, url) = (form.get("name").trim(), form.get("targetUrl").trim());
    match copy(&request, &user, id, (name, url)).await {
        Ok(id) => Ok(redirect(&format!("{}?made", path(id)))),
        Err(error) => {
            let form_error = if error.class() == Class::Conflict {
                FormError::at_field_of("targetUrl", &error)
            } else {
                words::form_error(error, monitor.interval_minutes)?
            };
            Ok(page(&request, StatusCode::UNPROCESSABLE_ENTITY, &monitor, (name, url), &form_error))
        }
    }
}

async fn copy(
    request: &PageRequest,
    user: &User,
    id: MonitorId,
    (name, url): (&str, &str),
) -> Result<MonitorId, Error> {
    let domain = &request.app.domain;
    let target = Address::parse(domain, &typed_address(url)).map_err(|error| {
        let reason = error.message.clone();
        error.at("target_url", reason)
    })?;
    let edit = Edit { name: Some(name.to_owned()), target: Some(target), ..Edit::default() };
    Ok(monitors::duplicate(domain, user.account.id, id, edit).await?.monitor.id)
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    monitor: &Monitor,
    (name, url): (&str, &str),
    form_error: &FormError,
) -> Response {
    let back = path(monitor.id);
    let content = html! {
        p.soft { a href=(back) { bdi { (monitor.name) } } }
        h1 { (Text("duplicate-heading").markup(&[("name", html! { bdi { (monitor.name) } })])) }
        (form_error.summary())
        p { (Text("duplicate-words")) }
        form.stack method="post" action={ (back) "/duplicate" } {
            (FormToken::of(request).field())
            (field("name", Text("monitor-name"), None, name).show(form_error))
            (field("targetUrl", Text("monitor-address"), Some(Text("monitor-address-hint")), url).show(form_error))
            div.row { button type="submit" { (Text("duplicate-create")) } a.button.secondary href=(back) { (Text("feed-cancel")) } }
        }
    };
    let title = format!("{} · {}", Text("monitor-duplicate").get(), Text("nav-monitors").get());
    respond(request, status, &title, &content)
}

fn field<'a>(name: &'a str, label: Text, hint: Option<Text>, value: &'a str) -> RequiredField<'a> {
    RequiredField { name, label, hint, kind: "text", value, autocomplete: "off" }
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    #[test]
    fn copy_name_has_no_bidirectional_marks() {
        let of = |language: Language| {
            with_sync(PageLanguages { shell: language, content: language }, || copy_name("Lamp"))
        };
        assert_eq!(of(Language::English), "Lamp (copy)");
        let arabic = of(Language::Arabic);
        assert!(arabic.starts_with("Lamp (") && !arabic.contains(['\u{2068}', '\u{2069}']), "{arabic:?}");
    }
}
