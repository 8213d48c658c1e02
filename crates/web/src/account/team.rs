//! Page of a team that the account owns: members, invitations, shared tags and monitors, and the deletion of the team.

use identity::teams::{self, NewInvitation, Team, TeamInvitation, TeamMember, TeamRole};
use kernel::{AccountId, Code, Error, Millis, MonitorId, TeamId, TeamInvitationId};
use library::TeamTag;
use maud::{Markup, html};
use monitors::TeamMonitor;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::teams::PATH;
use crate::page::form::{Field, Form, FormError, FormToken};
use crate::page::parts::{FormRejection, settings_tabs, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Fields of the forms as typed.
#[derive(Default)]
struct Input {
    email: String,
    tag: String,
}

/// Renders the page of a team.
#[handler]
pub(super) async fn show(request: PageRequest, user: User, Path(id): Path<TeamId>) -> PageResult {
    page(&request, &user, id, (&Input::default(), &FormRejection::default())).await
}

/// Changes the role of a member, or removes the member.
#[handler]
pub(super) async fn change_member(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<TeamId>,
) -> PageResult {
    let (domain, owner_id) = (&request.app.domain, user.account.id);
    let member_id: AccountId = parsed(form.get("member"), "member")?;
    let done = if form.get("act") == "remove" {
        teams::remove_member(domain, owner_id, id, member_id).await?;
        "removed"
    } else {
        let role = TeamRole::parse(form.get("role")).unwrap_or_default();
        teams::set_role(domain, owner_id, (id, member_id), role).await?;
        "changed"
    };
    Ok(back(id, done))
}

/// Invites a person, or revokes an invitation.
#[handler]
pub(super) async fn change_invitation(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<TeamId>,
) -> PageResult {
    let (app, owner_id) = (&request.app, user.account.id);
    if form.get("act") == "revoke" {
        let invitation: TeamInvitationId = parsed(form.get("invitation"), "invitation")?;
        teams::revoke_invitation(&app.domain, owner_id, invitation).await?;
        return Ok(back(id, "revoked"));
    }
    let email = form.get("email").trim();
    let role = TeamRole::parse(form.get("role")).unwrap_or_default();
    let new = NewInvitation { role, email: Some(email).filter(|email| !email.is_empty()) };
    match teams::invite(&app.domain, owner_id, id, new).await {
        Ok((_, job)) => {
            app.engine.push_all(job.as_slice()).await;
            Ok(back(id, "invited"))
        }
        Err(error) => {
            let input = Input { email: email.to_owned(), ..Input::default() };
            page(&request, &user, id, (&input, &FormRejection::of(error)?)).await
        }
    }
}

/// Shares a tag or a monitor with the team, or stops sharing it.
#[handler]
pub(super) async fn change_share(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<TeamId>,
) -> PageResult {
    let (domain, owner_id) = (&request.app.domain, user.account.id);
    let tag = form.get("tag");
    let monitor = || parsed::<MonitorId>(form.get("monitor"), "monitor");
    let changed = match form.get("act") {
        "unshare-tag" => library::unshare_tag(domain, owner_id, id, tag).await,
        "share-monitor" => monitors::share_monitor(domain, owner_id, id, monitor()?).await,
        "unshare-monitor" => monitors::unshare_monitor(domain, owner_id, id, monitor()?).await,
        _ => {
            teams::get_team(domain, owner_id, id).await?;
            library::share_tag(domain, owner_id, id, tag).await.map(drop)
        }
    };
    let error = match changed {
        Ok(()) => return Ok(back(id, "shared")),
        Err(error) if error.code == Code::NotFound && form.get("act") == "share-tag" => {
            let message = "None of your items has this tag.";
            Error::new(Code::InvalidRequest, message).at("tag", message)
        }
        Err(error) => error,
    };
    let mut rejection = FormRejection::of(error)?;
    rejection.form_error = std::mem::take(&mut rejection.form_error).renamed("name", "tag");
    let input = Input { tag: tag.to_owned(), ..Input::default() };
    page(&request, &user, id, (&input, &rejection)).await
}

/// Asks for confirmation before a team is deleted.
#[handler]
pub(super) async fn show_delete(request: PageRequest, user: User, Path(id): Path<TeamId>) -> PageResult {
    let team = teams::get_team(&request.app.domain, user.account.id, id).await?;
    let content = html! {
        h1 { "Delete the team " bdi { (team.name) } "?" }
        p.notice.bad { "Its members lose access at once. Your tags, items and monitors stay as they are." }
        form method="post" action={ (path(id)) "/delete" } {
            (FormToken::of(&request).field())
            div.row { button.danger type="submit" { "Delete team" } a.button.secondary href=(path(id)) { "Cancel" } }
        }
    };
    Ok(request.respond(StatusCode::OK, "Delete team · Settings", &content))
}

/// Deletes a team.
#[handler]
pub(super) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<TeamId>,
) -> PageResult {
    teams::delete_team(&request.app.domain, user.account.id, id).await?;
    Ok(redirect("/settings/teams?deleted"))
}

fn path(id: TeamId) -> String {
    format!("{PATH}/{id}")
}

fn back(id: TeamId, done: &str) -> poem::Response {
    redirect(&format!("{}?{done}", path(id)))
}

/// Parses the id of an object in a form.
fn parsed<Id: std::str::FromStr>(text: &str, what: &str) -> Result<Id, Error> {
    text.parse().map_err(|_| kernel::error::not_found(what))
}

async fn page(
    request: &PageRequest,
    user: &User,
    id: TeamId,
    (input, rejection): (&Input, &FormRejection),
) -> PageResult {
    let (domain, owner_id) = (&request.app.domain, user.account.id);
    let team = teams::get_team(domain, owner_id, id).await?;
    let mut tags = library::list_team_tags(domain, owner_id).await?;
    tags.retain(|tag| tag.team_id == id);
    let mut shared = monitors::list_team_monitors(domain, owner_id).await?;
    shared.retain(|monitor| monitor.team_id == id);
    let mut own = monitors::monitor_names(domain, owner_id).await?;
    own.retain(|(id, _)| shared.iter().all(|monitor| monitor.monitor_id != *id));
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs(PATH, &token))
        p.soft { a href=(PATH) { "Teams" } }
        h1 { bdi { (team.name) } }
        (notice(request.uri.query()))
        (rejection.form_error.summary())
        h2 { "Members" }
        (member_list(&team, &token))
        h2 { "Invite someone" }
        (invitation_list(&team, &token, domain.now()))
        (invitation_form(&team, &input.email, &rejection.form_error, &token))
        h2 { "Shared tags" }
        p { "Members see the pages with these tags: title, address, when you saved them, and the beginning of the text if it was fetched from the address. Notes, highlights and files stay private." }
        (tag_list(&team, &tags, &token))
        (tag_form(&team, &input.tag, &rejection.form_error, &token))
        h2 { "Shared monitors" }
        p { "Members see the names and the changes of these monitors." }
        (monitor_list(&team, &shared, &token))
        @if !own.is_empty() { (monitor_form(&team, &own, &token)) }
        p { a.button.secondary href={ (path(id)) "/delete" } { "Delete team…" } }
    };
    Ok(rejection.add_retry_after(request.respond(rejection.status, "Team · Settings", &content)))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("created") => success("Team created. Invite its members."),
        Some("invited") => success("Invitation created. It expires in 7 days and works one time."),
        Some("revoked") => success("Invitation revoked. Its link no longer works."),
        Some("removed") => {
            success("Member removed. A link below that you passed on works until you revoke it.")
        }
        Some("changed") => success("Role changed."),
        Some("shared") => success("Sharing changed."),
        Some(_) | None => html! {},
    }
}

fn member_list(team: &Team, token: &FormToken) -> Markup {
    html! {
        @if team.members.is_empty() { p.soft { "No members yet." } }
        @else { ul.rows { @for member in &team.members { (member_row(team, member, token)) } } }
    }
}

fn member_row(team: &Team, member: &TeamMember, token: &FormToken) -> Markup {
    html! {
        li {
            h3 { bdi { (member.email) } }
            form.row method="post" action={ (path(team.id)) "/members" } {
                (token.field())
                input type="hidden" name="member" value=(member.account_id);
                (role_choice(member.role, &format!("Role of {}", member.email)))
                button.secondary type="submit" name="act" value="change" aria-label={ "Change the role of " (member.email) } { "Change" }
                button.secondary type="submit" name="act" value="remove" aria-label={ "Remove " (member.email) } { "Remove" }
            }
        }
    }
}

fn role_choice(current: TeamRole, label: &str) -> Markup {
    let name = |role: TeamRole| match role {
        TeamRole::Reader => "Reader",
        TeamRole::Editor => "Editor: adds and removes pages",
    };
    html! {
        select name="role" aria-label=(label) {
            @for role in TeamRole::ALL { option value=(role.as_str()) selected[*role == current] { (name(*role)) } }
        }
    }
}

fn invitation_list(team: &Team, token: &FormToken, now: Millis) -> Markup {
    html! {
        @if !team.invitations.is_empty() {
            ul.rows { @for invitation in &team.invitations { (invitation_row(team, invitation, token, now)) } }
        }
    }
}

fn invitation_row(team: &Team, invitation: &TeamInvitation, token: &FormToken, now: Millis) -> Markup {
    html! {
        li {
            p {
                @match &invitation.email { Some(email) => { "Mailed to " bdi { (email) } }, None => "Link to pass on" }
                ", as " (invitation.role.as_str()) ", expires " (time(invitation.expires_at, now))
            }
            @if invitation.email.is_none() {
                p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Link of the invitation" { (invitation.link) }
            }
            form method="post" action={ (path(team.id)) "/invitations" } {
                (token.field())
                input type="hidden" name="invitation" value=(invitation.id);
                button.secondary type="submit" name="act" value="revoke" { "Revoke" }
            }
        }
    }
}

fn invitation_form(team: &Team, email: &str, form_error: &FormError, token: &FormToken) -> Markup {
    let field = Field {
        name: "email",
        label: "E-mail address",
        hint: "Leave it empty to get a link that you pass on yourself.",
        kind: "email",
        value: email,
        autocomplete: "off",
        required: false,
    };
    html! {
        form.stack method="post" action={ (path(team.id)) "/invitations" } {
            (token.field())
            (field.show(form_error))
            (role_choice(TeamRole::Reader, "Role"))
            div { button type="submit" name="act" value="invite" { "Invite" } }
        }
    }
}

fn tag_list(team: &Team, tags: &[TeamTag], token: &FormToken) -> Markup {
    html! {
        @if !tags.is_empty() { ul.rows { @for tag in tags {
            li {
                h3 { bdi { (tag.name) } }
                form method="post" action={ (path(team.id)) "/shares" } {
                    (token.field())
                    input type="hidden" name="tag" value=(tag.name);
                    button.secondary type="submit" name="act" value="unshare-tag" aria-label={ "Stop sharing “" (tag.name) "”" } { "Stop sharing" }
                }
            }
        } } }
    }
}

fn tag_form(team: &Team, typed: &str, form_error: &FormError, token: &FormToken) -> Markup {
    let field = Field {
        name: "tag",
        label: "Tag",
        hint: "",
        kind: "text",
        value: typed,
        autocomplete: "off",
        required: true,
    };
    html! {
        form.stack method="post" action={ (path(team.id)) "/shares" } {
            (token.field())
            (field.show(form_error))
            div { button type="submit" name="act" value="share-tag" { "Share tag" } }
        }
    }
}

fn monitor_list(team: &Team, shared: &[TeamMonitor], token: &FormToken) -> Markup {
    html! {
        @if !shared.is_empty() { ul.rows { @for monitor in shared {
            li {
                h3 { a href={ "/monitors/" (monitor.monitor_id) } { bdi { (monitor.name) } } }
                form method="post" action={ (path(team.id)) "/shares" } {
                    (token.field())
                    input type="hidden" name="monitor" value=(monitor.monitor_id);
                    button.secondary type="submit" name="act" value="unshare-monitor" aria-label={ "Stop sharing “" (monitor.name) "”" } { "Stop sharing" }
                }
            }
        } } }
    }
}

fn monitor_form(team: &Team, own: &[(MonitorId, String)], token: &FormToken) -> Markup {
    html! {
        form.row method="post" action={ (path(team.id)) "/shares" } {
            (token.field())
            select name="monitor" aria-label="Monitor" {
                @for (id, name) in own { option value=(id) { (name) } }
            }
            button.secondary type="submit" name="act" value="share-monitor" { "Share monitor" }
        }
    }
}
