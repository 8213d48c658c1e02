//! Operations on teams: members, invitations, what the owner shares, and what is shared with the account.

mod schema;
mod shared;

use std::sync::Arc;

use identity::teams::{self, NewInvitation};
use kernel::bounds::TAG_CHARS;
use kernel::{AccountId, Error, MonitorId, TeamId, TeamInvitationId};
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;

use self::schema::{
    TeamCreated, TeamInvitationAcceptance, TeamInvitationCreated, TeamInvitationOne, TeamInvitationRequest,
    TeamJoined, TeamList, TeamMemberUpdate, TeamMembership, TeamMonitorResponse, TeamOne, TeamRequest,
    TeamResponse, TeamTagResponse, account_id, invitation_id, monitor_id, team_id,
};
use self::shared::SharedApi;
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, SharedRead, SharedWrite};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;

/// Operations of the group, one type per subject.
pub(super) type TeamsGroup = (TeamsApi, SharedApi);

pub(super) fn operations() -> TeamsGroup {
    (TeamsApi, SharedApi)
}

pub(crate) struct TeamsApi;

#[OpenApi(tag = "ApiTag::Account")]
impl TeamsApi {
    /// List teams
    ///
    /// Returns the teams that the account owns, with members, invitations and shares, and its memberships in
    /// teams of other accounts. Connected apps may not call operations on teams.
    #[oai(path = "/v1/teams", method = "get", operation_id = "listTeams")]
    async fn list(
        &self,
        caller: Authorized<SharedRead>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<TeamList>, ApiError> {
        let (domain, account_id) = (&app.domain, caller.0.account_id);
        let tags = library::list_team_tags(domain, account_id).await?;
        let monitors = monitors::list_team_monitors(domain, account_id).await?;
        let team = |team: teams::Team| {
            let id = team.id;
            let tags = tags.iter().filter(|tag| tag.team_id == id);
            let monitors = monitors.iter().filter(|monitor| monitor.team_id == id);
            let monitor = |monitor: &monitors::TeamMonitor| TeamMonitorResponse {
                id: monitor.monitor_id.to_string(),
                name: monitor.name.clone(),
            };
            TeamResponse {
                tags: tags.map(|tag| TeamTagResponse { name: tag.name.clone() }).collect(),
                monitors: monitors.map(monitor).collect(),
                ..TeamResponse::from(team)
            }
        };
        let owned_teams = teams::list_teams(domain, account_id).await?;
        let memberships = teams::list_memberships(domain, account_id).await?;
        Ok(Json(TeamList {
            teams: owned_teams.into_iter().map(team).collect(),
            memberships: memberships.into_iter().map(TeamMembership::from).collect(),
        }))
    }

    /// Create a team
    ///
    /// Creates a team without members, with which the account shares tags and monitors.
    #[oai(path = "/v1/teams", method = "post", operation_id = "createTeam")]
    async fn create(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        body: Body<TeamRequest>,
    ) -> Result<TeamCreated, Errors<422>> {
        let team = teams::create_team(&app.domain, caller.0.account_id, &body.0.name.0).await?;
        Ok(TeamCreated::Created(Json(TeamOne { team: team.into() })))
    }

    /// Delete a team
    ///
    /// Its members lose access immediately. The owner retains what was shared.
    #[oai(path = "/v1/teams/:id", method = "delete", operation_id = "deleteTeam")]
    async fn delete(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        teams::delete_team(&app.domain, caller.0.account_id, team_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }

    /// Invite to a team
    ///
    /// Creates a link that works once and expires after a week. With `email`, the link is mailed.
    #[oai(path = "/v1/teams/:id/invitations", method = "post", operation_id = "inviteToTeam")]
    async fn invite(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        body: Body<TeamInvitationRequest>,
    ) -> Result<TeamInvitationCreated, Errors<404, 422>> {
        let email = body.0.email.as_ref().map(|email| email.0.as_str());
        let new = NewInvitation { role: body.0.role.0, email };
        let (invitation, job) = teams::invite(&app.domain, caller.0.account_id, team_of(&id.0)?, new).await?;
        app.engine.push_all(job.as_slice()).await;
        let invitation = invitation.into();
        Ok(TeamInvitationCreated::Created(Json(TeamInvitationOne { invitation })))
    }

    /// Revoke an invitation to a team
    ///
    /// Its link stops working immediately.
    #[oai(path = "/v1/team-invitations/:id", method = "delete", operation_id = "revokeTeamInvitation")]
    async fn revoke(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the invitation.
        #[oai(example = "invitation_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let id: TeamInvitationId = path_id(&id.0, "invitation")?;
        teams::revoke_invitation(&app.domain, caller.0.account_id, id).await?;
        Ok(NoContent::Done)
    }

    /// Accept an invitation to a team
    ///
    /// Makes the account a member of the team. The owner sees its e-mail address.
    #[oai(path = "/v1/team-invitations/accept", method = "post", operation_id = "acceptTeamInvitation")]
    async fn accept(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        body: Body<TeamInvitationAcceptance>,
    ) -> Result<Json<TeamJoined>, Errors<404, 422>> {
        let id = teams::accept_invitation(&app.domain, caller.0.account_id, &body.0.link.0).await?;
        Ok(Json(TeamJoined { team_id: id.to_string() }))
    }

    /// Change a member of a team
    ///
    /// Changes the role of a member of a team that the account owns.
    #[oai(path = "/v1/teams/:id/members/:accountId", method = "patch", operation_id = "updateTeamMember")]
    async fn update_member(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        /// Id of the account of the member.
        #[oai(name = "accountId", example = "account_id")]
        member: Path<String>,
        body: Body<TeamMemberUpdate>,
    ) -> Result<NoContent, Errors<404, 422>> {
        let key = (team_of(&id.0)?, path_id::<AccountId>(&member.0, "member")?);
        teams::set_role(&app.domain, caller.0.account_id, key, body.0.role.0).await?;
        Ok(NoContent::Done)
    }

    /// Remove a member from a team
    ///
    /// Removes a member from a team that the account owns. With its own id, an account leaves the team.
    #[oai(path = "/v1/teams/:id/members/:accountId", method = "delete", operation_id = "removeTeamMember")]
    async fn remove_member(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        /// Id of the account of the member.
        #[oai(name = "accountId", example = "account_id")]
        member: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (id, member) = (team_of(&id.0)?, path_id::<AccountId>(&member.0, "member")?);
        teams::remove_member(&app.domain, caller.0.account_id, id, member).await?;
        Ok(NoContent::Done)
    }

    /// Share a tag with a team
    ///
    /// Members see the items with the tag that have a public web address: title, address, the time of saving,
    /// and the beginning of the text if Carrel fetched it from the address. Sharing it again changes nothing.
    #[oai(path = "/v1/teams/:id/tags/:tag", method = "put", operation_id = "shareTag")]
    async fn share_tag(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        /// Name of the tag.
        #[oai(example = "tag_name")]
        tag: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (id, tag) = (team_of(&id.0)?, tag_of(&tag.0)?);
        library::share_tag(&app.domain, caller.0.account_id, id, tag).await?;
        Ok(NoContent::Done)
    }

    /// Stop sharing a tag with a team
    ///
    /// Members lose access to it immediately.
    #[oai(path = "/v1/teams/:id/tags/:tag", method = "delete", operation_id = "unshareTag")]
    async fn unshare_tag(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        /// Name of the tag.
        #[oai(example = "tag_name")]
        tag: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (id, tag) = (team_of(&id.0)?, tag_of(&tag.0)?);
        library::unshare_tag(&app.domain, caller.0.account_id, id, tag).await?;
        Ok(NoContent::Done)
    }

    /// Share a monitor with a team
    ///
    /// Members see its name and its changes. Sharing it again changes nothing.
    #[oai(path = "/v1/teams/:id/monitors/:monitorId", method = "put", operation_id = "shareMonitor")]
    async fn share_monitor(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        /// Id of the monitor.
        #[oai(name = "monitorId", example = "monitor_id")]
        monitor: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (id, monitor) = (team_of(&id.0)?, path_id::<MonitorId>(&monitor.0, "monitor")?);
        monitors::share_monitor(&app.domain, caller.0.account_id, id, monitor).await?;
        Ok(NoContent::Done)
    }

    /// Stop sharing a monitor with a team
    ///
    /// Members lose access to it immediately.
    #[oai(path = "/v1/teams/:id/monitors/:monitorId", method = "delete", operation_id = "unshareMonitor")]
    async fn unshare_monitor(
        &self,
        caller: Authorized<SharedWrite>,
        app: Data<&Arc<App>>,
        /// Id of the team.
        #[oai(example = "team_id")]
        id: Path<String>,
        /// Id of the monitor.
        #[oai(name = "monitorId", example = "monitor_id")]
        monitor: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let (id, monitor) = (team_of(&id.0)?, path_id::<MonitorId>(&monitor.0, "monitor")?);
        monitors::unshare_monitor(&app.domain, caller.0.account_id, id, monitor).await?;
        Ok(NoContent::Done)
    }
}

fn tag_name() -> String {
    "desk".to_owned()
}

fn team_of(text: &str) -> Result<TeamId, ApiError> {
    path_id(text, "team")
}

/// Checks the tag in a path. A tag that no object can have yields `not_found`.
fn tag_of(text: &str) -> Result<&str, Error> {
    let is_tag = kernel::tag::Tag::of(text).is_some() && text.chars().count() <= TAG_CHARS;
    if is_tag { Ok(text) } else { Err(kernel::error::not_found("tag")) }
}
