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
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::{FormRejection, RequiredField, settings_tabs, settings_title, success, time};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Fields of the forms as typed.
#[derive(Default)]
struct TeamFormInput {
    email: String,
    tag: String,
}

/// Renders the page of a team.
#[handler]
pub(super) async fn show(request: PageRequest, user: User, Path(id): Path<TeamId>) -> PageResult {
    page(&request, &user, id, (&TeamFormInput::default(), &FormRejection::default())).await
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
            let input = TeamFormInput { email: email.to_owned(), ..TeamFormInput::default() };
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
            let message = "None of your items have this tag.";
            Error::new(Code::InvalidRequest, message).at("tag", message)
        }
        Err(error) => error,
    };
    let mut rejection = FormRejection::of(error)?;
    rejection.form_error = std::mem::take(&mut rejection.form_error).renamed("name", "tag");
    let input = TeamFormInput { tag: tag.to_owned(), ..TeamFormInput::default() };
    page(&request, &user, id, (&input, &rejection)).await
}

/// Asks for confirmation before a team is deleted.
#[handler]
pub(super) async fn show_delete(request: PageRequest, user: User, Path(id): Path<TeamId>) -> PageResult {
    let team = teams::get_team(&request.app.domain, user.account.id, id).await?;
    let content = html! {
        h1 { (Text("team-delete-question").markup(&[("name", html! { bdi { (team.name) } })])) }
        p.notice.bad { (Text("team-delete-words")) }
        form method="post" action={ (path(id)) "/delete" } {
            (FormToken::of(&request).field())
            div.row { button.danger type="submit" { (Text("team-delete")) } a.button.secondary href=(path(id)) { (Text("settings-cancel")) } }
        }
    };
    Ok(request.respond(StatusCode::OK, &settings_title(&[Text("team-delete")]), &content))
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
    (input, rejection): (&TeamFormInput, &FormRejection),
) -> PageResult {
    let (domain, owner_id) = (&request.app.domain, user.account.id);
    let team = teams::get_team(domain, owner_id, id).await?;
    let mut tags = library::list_team_tags(domain, owner_id).await?;
    tags.retain(|tag| tag.team_id == id);
    sort_by_name(&mut tags, |tag| &tag.name);
    let mut shared = monitors::list_team_monitors(domain, owner_id).await?;
    shared.retain(|monitor| monitor.team_id == id);
    sort_by_name(&mut shared, |monitor| &monitor.name);
    let mut own = monitors::monitor_names(domain, owner_id).await?;
    own.retain(|(id, _)| shared.iter().all(|monitor| monitor.monitor_id != *id));
    sort_by_name(&mut own, |(_, name)| name);
    let token = FormToken::of(request);
    let content = html! {
        (settings_tabs(PATH, &token))
        p.soft { a href=(PATH) { (Text("settings-teams")) } }
        h1 { bdi { (team.name) } }
        (notice(request.uri.query()))
        (rejection.form_error.summary())
        h2 { (Text("team-members")) }
        (member_list(&team, &token))
        h2 { (Text("team-invite-heading")) }
        (invitation_list(&team, &token, domain.now()))
        (invitation_form(&team, &input.email, &rejection.form_error, &token))
        h2 { (Text("team-tags")) }
        p { (Text("team-tags-words")) }
        (tag_list(&team, &tags, &token))
        (tag_form(&team, &input.tag, &rejection.form_error, &token))
        h2 { (Text("team-monitors")) }
        p { (Text("team-monitors-words")) }
        (monitor_list(&team, &shared, &token))
        @if !own.is_empty() { (monitor_form(&team, &own, &token)) }
        p { a.button.secondary href={ (path(id)) "/delete" } { (Text("team-delete-link")) } }
    };
    let title = settings_title(&[Text("team-title")]);
    Ok(rejection.add_retry_after(request.respond(rejection.status, &title, &content)))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("created") => success(&Text("team-created")),
        Some("invited") => success(&Text("team-invited")),
        Some("revoked") => success(&Text("team-revoked")),
        Some("removed") => success(&Text("team-removed")),
        Some("changed") => success(&Text("team-role-changed")),
        Some("shared") => success(&Text("team-sharing-changed")),
        Some(_) | None => html! {},
    }
}

fn member_list(team: &Team, token: &FormToken) -> Markup {
    html! {
        @if team.members.is_empty() { p.soft { (Text("team-no-members")) } }
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
                (role_choice(member.role, &Text("team-role-of").with("email", member.email.as_str()).get()))
                button.secondary type="submit" name="act" value="change" aria-label=(Text("team-change-role").with("email", member.email.as_str())) { (Text("team-change")) }
                button.secondary type="submit" name="act" value="remove" aria-label=(Text("passkeys-remove-named").with("name", member.email.as_str())) { (Text("passkeys-remove")) }
            }
        }
    }
}

fn role_choice(current: TeamRole, label: &str) -> Markup {
    let name = |role: TeamRole| match role {
        TeamRole::Reader => Text("team-reader"),
        TeamRole::Editor => Text("team-editor"),
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
                @match &invitation.email {
                    Some(email) => (Text("team-mailed").markup(&[("email", html! { bdi { (email) } })])),
                    None => (Text("team-link-to-pass")),
                }
                ", " @match invitation.role { TeamRole::Reader => (Text("team-as-reader")), TeamRole::Editor => (Text("team-as-editor")) }
                ", " (Text("team-expires").markup(&[("time", time(invitation.expires_at, now))]))
            }
            @if invitation.email.is_none() {
                p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("team-invitation-link")) { (invitation.link) }
            }
            form method="post" action={ (path(team.id)) "/invitations" } {
                (token.field())
                input type="hidden" name="invitation" value=(invitation.id);
                button.secondary type="submit" name="act" value="revoke" { (Text("keys-revoke-title")) }
            }
        }
    }
}

fn invitation_form(team: &Team, email: &str, form_error: &FormError, token: &FormToken) -> Markup {
    let (label, hint) = (Text("field-email").get(), Text("team-email-hint").get());
    let field = FormField {
        name: "email",
        label: &label,
        hint: &hint,
        kind: "email",
        value: email,
        autocomplete: "off",
        required: false,
    };
    html! {
        form.stack method="post" action={ (path(team.id)) "/invitations" } {
            (token.field())
            (field.show(form_error))
            (role_choice(TeamRole::Reader, &Text("team-role").get()))
            div { button type="submit" name="act" value="invite" { (Text("team-invite")) } }
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
                    button.secondary type="submit" name="act" value="unshare-tag" aria-label=(Text("team-stop-named").with("name", tag.name.as_str())) { (Text("team-stop")) }
                }
            }
        } } }
    }
}

fn tag_form(team: &Team, typed: &str, form_error: &FormError, token: &FormToken) -> Markup {
    let (label, autocomplete) = (Text("team-tag"), "off");
    let field = RequiredField { name: "tag", label, hint: None, kind: "text", value: typed, autocomplete };
    html! {
        form.stack method="post" action={ (path(team.id)) "/shares" } {
            (token.field())
            (field.show(form_error))
            div { button type="submit" name="act" value="share-tag" { (Text("team-share-tag")) } }
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
                    button.secondary type="submit" name="act" value="unshare-monitor" aria-label=(Text("team-stop-named").with("name", monitor.name.as_str())) { (Text("team-stop")) }
                }
            }
        } } }
    }
}

fn monitor_form(team: &Team, own: &[(MonitorId, String)], token: &FormToken) -> Markup {
    html! {
        form.row method="post" action={ (path(team.id)) "/shares" } {
            (token.field())
            select name="monitor" aria-label=(Text("team-monitor")) {
                @for (id, name) in own { option value=(id) { (name) } }
            }
            button.secondary type="submit" name="act" value="share-monitor" { (Text("team-share-monitor")) }
        }
    }
}
