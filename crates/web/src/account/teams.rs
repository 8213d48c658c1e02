//! Teams: the list of teams that the account owns and of its memberships, creation, leaving, and the page behind
//! the link of an invitation.

use identity::teams::{self, InvitationOffer, Membership, Team, TeamRole};
use kernel::{Class, Error, TeamId};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::link_form::{LinkForm, expired_link_page};
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, success};
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

async fn page(request: &PageRequest, user: &User, (typed, rejection): (&str, &FormRejection)) -> PageResult {
    let domain = &request.app.domain;
    let own = teams::list_teams(domain, user.account.id).await?;
    let memberships = teams::list_memberships(domain, user.account.id).await?;
    let token = FormToken::of(request);
    let name = Field {
        name: "name",
        label: "Name",
        hint: "Such as “Family”. Members see it.",
        kind: "text",
        value: typed,
        autocomplete: "off",
        required: true,
    };
    let content = html! {
        (settings_tabs(PATH, &token))
        h1 { "Family and teams" }
        @match request.uri.query() {
            Some("left") => (success("You left the team.")),
            Some("deleted") => (success("Team deleted. What you shared is yours alone again.")),
            Some(_) | None => {}
        }
        p { "Share tags of your library and the changes of monitors with people you know. You decide who reads and who also adds pages." }
        @if !memberships.is_empty() { (membership_list(&memberships, &token)) }
        @if !own.is_empty() { (team_list(&own)) }
        h2 { "New team" }
        (rejection.form_error.summary())
        form.stack method="post" action=(PATH) {
            (token.field())
            (name.show(&rejection.form_error))
            div { button type="submit" { "Create team" } }
        }
    };
    Ok(rejection.add_retry_after(request.respond(rejection.status, "Teams · Settings", &content)))
}

fn membership_list(memberships: &[Membership], token: &FormToken) -> Markup {
    html! {
        h2 { "You are a member of" }
        ul.rows { @for membership in memberships {
            li {
                h3 { bdi { (membership.team_name) } }
                p.meta { "Owner: " bdi { (membership.owner_email) } ". You " (rights(membership.role)) ". " a href="/library/shared" { "Shared with you" } }
                form method="post" action={ (PATH) "/" (membership.team_id) "/leave" } {
                    (token.field())
                    button.secondary type="submit" aria-label={ "Leave “" (membership.team_name) "”" } { "Leave" }
                }
            }
        } }
    }
}

fn team_list(own: &[Team]) -> Markup {
    html! {
        h2 { "Your teams" }
        ul.rows { @for team in own {
            li {
                h3 { a href={ (PATH) "/" (team.id) } { bdi { (team.name) } } }
                p.meta { @match team.members.len() { 0 => "no members yet", 1 => "1 member", count => { (count) " members" } } }
            }
        } }
    }
}

/// Returns what a role may do, as the end of a sentence.
fn rights(role: TeamRole) -> &'static str {
    match role {
        TeamRole::Reader => "can read",
        TeamRole::Editor => "can read, and add and remove pages",
    }
}

/// Renders the page behind the link of an invitation. Opening it changes nothing.
#[handler]
pub(super) async fn show_join(request: PageRequest, user: User) -> PageResult {
    let link = request.parameter("link");
    match teams::find_invitation(&request.app.domain, &link).await {
        Ok(offer) => Ok(join_page(&request, &user, (&offer, &link), StatusCode::OK, &FormError::default())),
        Err(error) => expired_or(&request, error),
    }
}

/// Accepts an invitation.
#[handler]
pub(super) async fn join(request: PageRequest, user: User, form: Form) -> PageResult {
    let domain = &request.app.domain;
    let link = form.get("link");
    match teams::accept_invitation(domain, user.account.id, link).await {
        Ok(_) => Ok(redirect("/library/shared?joined")),
        Err(error) if error.class() == Class::NotFound => expired_or(&request, error),
        Err(error) => {
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
        title: "Join a team",
        effect: html! {
            bdi { (offer.owner_email) } " invites you to the team " strong { bdi { (offer.team_name) } } ". You " (rights(offer.role))
            " what the owner shares. The owner will see your e-mail address, " bdi { (user.account.email) } ". You can leave at any time."
        },
        action: JOIN_PATH,
        link,
        fields: html! {},
        button: "Join",
    };
    form.respond(request, status, form_error)
}

/// Renders the page of an invitation that is no longer valid, or returns another error.
fn expired_or(request: &PageRequest, error: Error) -> PageResult {
    if error.class() != Class::NotFound {
        return Err(error.into());
    }
    Ok(expired_link_page(request, &error, (PATH, "Your teams")))
}
