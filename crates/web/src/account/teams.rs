//! Teams: the list of the account's teams and memberships, creating and leaving teams, and the page behind an
//! invitation link.

use identity::teams::{self, InvitationOffer, Membership, Team, TeamRole};
use kernel::{Class, Error, TeamId};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::link_form::{LinkForm, expired_link_page};
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{FormRejection, RequiredField, settings_tabs, settings_title, success};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Path of the page.
pub(super) const PATH: &str = "/settings/teams";
const JOIN_PATH: &str = "/settings/teams/join";

/// Lists the teams of the account and its memberships, with a form for a new team.
#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    page(&request, &user, ("", &FormRejection::default())).await
}

/// Creates a team and redirects to its page.
#[handler]
pub(super) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let name = form.get("name");
    match teams::create_team(&request.app.domain, user.account.id, name).await {
        Ok(team) => Ok(redirect(&format!("{PATH}/{}?created", team.id))),
        Err(error) => page(&request, &user, (name, &FormRejection::of(error)?)).await,
    }
}

/// Leaves a team of another account.
#[handler]
pub(super) async fn leave(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<TeamId>,
) -> PageResult {
    teams::leave_team(&request.app.domain, user.account.id, id).await?;
    Ok(redirect("/settings/teams?left"))
}

async fn page(
    request: &PageRequest,
    user: &User,
    (typed_name, rejection): (&str, &FormRejection),
) -> PageResult {
    let domain = &request.app.domain;
    let owned = teams::list_teams(domain, user.account.id).await?;
    let mut memberships = teams::list_memberships(domain, user.account.id).await?;
    sort_by_name(&mut memberships, |membership| &membership.team_name);
    let token = FormToken::of(request);
    let name = RequiredField {
        name: "name",
        label: Text("settings-name"),
        hint: Some(Text("teams-name-hint")),
        kind: "text",
        value: typed_name,
        autocomplete: "off",
    };
    let content = html! {
        (settings_tabs(PATH, &token))
        h1 { (Text("teams-heading")) }
        @match request.uri.query() {
            Some("left") => (success(&Text("teams-left"))),
            Some("deleted") => (success(&Text("teams-deleted"))),
            Some(_) | None => {}
        }
        p { (Text("teams-words")) }
        @if !memberships.is_empty() { (membership_list(&memberships, &token)) }
        @if !owned.is_empty() { (team_list(&owned)) }
        h2 { (Text("teams-new")) }
        (rejection.form_error.summary())
        form.stack method="post" action=(PATH) {
            (token.field())
            (name.show(&rejection.form_error))
            div { button type="submit" { (Text("teams-create")) } }
        }
    };
    let title = settings_title(&[Text("settings-teams")]);
    Ok(rejection.add_retry_after(request.respond(rejection.status, &title, &content)))
}

fn membership_list(memberships: &[Membership], token: &FormToken) -> Markup {
    html! {
        h2 { (Text("teams-member-of")) }
        ul.rows { @for membership in memberships {
            li {
                h3 { bdi { (membership.team_name) } }
                p.meta { (membership_text(membership)) }
                form method="post" action={ (PATH) "/" (membership.team_id) "/leave" } {
                    (token.field())
                    button.secondary type="submit" aria-label=(Text("teams-leave-named").with("name", membership.team_name.as_str())) { (Text("teams-leave")) }
                }
            }
        } }
    }
}

fn team_list(owned: &[Team]) -> Markup {
    html! {
        h2 { (Text("teams-yours")) }
        ul.rows { @for team in owned {
            li {
                h3 { a href={ (PATH) "/" (team.id) } { bdi { (team.name) } } }
                p.meta { @match team.members.len() { 0 => (Text("teams-no-members")), count => (Text("teams-members-count").with("count", count)) } }
            }
        } }
    }
}

/// Renders the owner of a team, and the account's permissions in it.
fn membership_text(membership: &Membership) -> Markup {
    let text = match membership.role {
        TeamRole::Reader => Text("teams-membership-reader"),
        TeamRole::Editor => Text("teams-membership-editor"),
    };
    text.markup(&[
        ("owner", html! { bdi { (membership.owner_email) } }),
        ("link", html! { a href="/library/shared" { (Text("teams-shared")) } }),
    ])
}

/// Describes the team and the role that an invitation offers, and the data that the owner of the team will see.
fn offer_text(offer: &InvitationOffer, user: &User) -> Markup {
    let text = match offer.role {
        TeamRole::Reader => Text("teams-join-reader"),
        TeamRole::Editor => Text("teams-join-editor"),
    };
    text.markup(&[
        ("owner", html! { bdi { (offer.owner_email) } }),
        ("team", html! { strong { bdi { (offer.team_name) } } }),
        ("email", html! { bdi { (user.account.email) } }),
    ])
}

/// Renders the page behind an invitation link. Opening it changes nothing.
#[handler]
pub(super) async fn show_join(request: PageRequest, user: User) -> PageResult {
    let link = request.parameter("link");
    match teams::find_invitation(&request.app.domain, &link).await {
        Ok(offer) => Ok(join_page(&request, &user, (&offer, &link), StatusCode::OK, &FormError::default())),
        Err(error) => expired_page_or_error(&request, error),
    }
}

/// Accepts an invitation.
#[handler]
pub(super) async fn join(request: PageRequest, user: User, form: Form) -> PageResult {
    let domain = &request.app.domain;
    let link = form.get("link");
    match teams::accept_invitation(domain, user.account.id, link).await {
        Ok(_) => Ok(redirect("/library/shared?joined")),
        Err(error) if error.class() == Class::NotFound => expired_page_or_error(&request, error),
        Err(error) => {
            // The link is not a field of the form, so its errors are displayed above the form.
            let form_error = FormError::of(error)?.renamed("link", "");
            let offer = teams::find_invitation(domain, link).await?;
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(join_page(&request, &user, (&offer, link), status, &form_error))
        }
    }
}

fn join_page(
    request: &PageRequest,
    user: &User,
    (offer, link): (&InvitationOffer, &str),
    status: StatusCode,
    form_error: &FormError,
) -> Response {
    let form = LinkForm {
        title: &Text("teams-join-title").get(),
        effect: offer_text(offer, user),
        action: JOIN_PATH,
        link,
        fields: html! {},
        button: &Text("teams-join").get(),
    };
    form.respond(request, status, form_error)
}

/// Renders the page for an invitation that is no longer valid, or returns another error.
fn expired_page_or_error(request: &PageRequest, error: Error) -> PageResult {
    if error.class() != Class::NotFound {
        return Err(error.into());
    }
    Ok(expired_link_page(request, &error, (PATH, &Text("teams-yours").get())))
}
