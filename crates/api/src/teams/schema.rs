//! Requests and responses of the operations on teams.

use identity::teams::{MAX_NAME_CHARS, TeamRole};
use kernel::rfc3339;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, payload::Json};

use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Name, Text};
use http_kit::http::request::request;

request! {
    /// Team to create.
    pub(super) struct TeamRequest in camelCase {
        /// Name of the team. Members see it.
        name: Name<MAX_NAME_CHARS> = "Family",
    }
}

request! {
    /// Invitation to a team.
    pub(super) struct TeamInvitationRequest in camelCase {
        /// `reader` reads what the team shares; `editor` also adds pages to shared tags and removes them.
        role: EnumParam<TeamRole> = "reader",
        /// E-mail address to which the link is mailed. If omitted, the owner passes the link on.
        email: Option<Text<3, 254>> = "guest@example.org",
    }
}

request! {
    /// Changes to a member.
    pub(super) struct TeamMemberUpdate in camelCase {
        /// New role.
        role: EnumParam<TeamRole> = "editor",
    }
}

request! {
    /// Invitation to accept.
    pub(super) struct TeamInvitationAcceptance in camelCase {
        /// `link` parameter of the invitation's URL.
        link: Text<1, 200> = "AZOgsnsAcACAAD8eLUxbYA",
    }
}

/// Member of a team.
#[derive(Debug, Object)]
#[oai(rename = "TeamMember", rename_all = "camelCase")]
pub(super) struct TeamMemberResponse {
    /// Id of the account (UUID).
    pub account_id: String,
    /// E-mail address of the account.
    pub email: String,
    /// Role of the member.
    pub role: EnumParam<TeamRole>,
    /// Time of joining, RFC 3339 UTC.
    pub joined_at: String,
}

/// Pending invitation to a team.
#[derive(Debug, Object)]
#[oai(rename = "TeamInvitation", rename_all = "camelCase")]
pub(super) struct TeamInvitationResponse {
    /// Id of the invitation (UUID).
    pub id: String,
    /// Role of the new member.
    pub role: EnumParam<TeamRole>,
    /// E-mail address to which the link was mailed; null if the owner passes it on.
    pub email: Option<String>,
    /// URL of the page that accepts the invitation. It works once. Null in lists, and if it was mailed.
    pub url: Option<String>,
    /// Time of expiry, RFC 3339 UTC.
    pub expires_at: String,
}

/// Tag that is shared with a team.
#[derive(Debug, Object)]
#[oai(rename = "TeamTag", rename_all = "camelCase")]
pub(super) struct TeamTagResponse {
    /// Name of the tag.
    pub name: String,
}

/// Monitor that is shared with a team.
#[derive(Debug, Object)]
#[oai(rename = "TeamMonitor", rename_all = "camelCase")]
pub(super) struct TeamMonitorResponse {
    /// Id of the monitor (UUID).
    pub id: String,
    /// Name of the monitor.
    pub name: String,
}

/// Team that the account owns.
#[derive(Debug, Object)]
#[oai(rename = "Team", rename_all = "camelCase")]
pub(super) struct TeamResponse {
    /// Id of the team (UUID).
    pub id: String,
    /// Name of the team.
    pub name: String,
    /// Members other than the owner, in the order of joining.
    pub members: Vec<TeamMemberResponse>,
    /// Pending invitations, oldest first.
    pub invitations: Vec<TeamInvitationResponse>,
    /// Shared tags, by name.
    pub tags: Vec<TeamTagResponse>,
    /// Shared monitors, by name.
    pub monitors: Vec<TeamMonitorResponse>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
}

/// Membership in a team of another account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct TeamMembership {
    /// Id of the team (UUID).
    pub team_id: String,
    /// Name of the team.
    pub name: String,
    /// E-mail address of the owner.
    pub owner: String,
    /// Role of the account in the team.
    pub role: EnumParam<TeamRole>,
    /// Time of joining, RFC 3339 UTC.
    pub joined_at: String,
}

/// Teams of an account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct TeamList {
    /// Teams that the account owns, oldest first.
    pub teams: Vec<TeamResponse>,
    /// Memberships in teams of other accounts, by name.
    pub memberships: Vec<TeamMembership>,
}

/// Response with one team.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct TeamOne {
    /// The team.
    pub team: TeamResponse,
}

/// Response with one invitation.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct TeamInvitationOne {
    /// The invitation.
    pub invitation: TeamInvitationResponse,
}

/// Result of an accepted invitation.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct TeamJoined {
    /// Id of the team (UUID).
    pub team_id: String,
}

#[derive(ApiResponse)]
pub(super) enum TeamCreated {
    /// The new team, without members.
    #[oai(status = 201)]
    Created(Json<TeamOne>),
}

#[derive(ApiResponse)]
pub(super) enum TeamInvitationCreated {
    /// The new invitation.
    #[oai(status = 201)]
    Created(Json<TeamInvitationOne>),
}

impl From<identity::teams::TeamMember> for TeamMemberResponse {
    fn from(member: identity::teams::TeamMember) -> Self {
        Self {
            account_id: member.account_id.to_string(),
            email: member.email,
            role: EnumParam(member.role),
            joined_at: rfc3339(member.joined_at),
        }
    }
}

impl From<identity::teams::TeamInvitation> for TeamInvitationResponse {
    fn from(invitation: identity::teams::TeamInvitation) -> Self {
        Self {
            id: invitation.id.to_string(),
            role: EnumParam(invitation.role),
            url: invitation.email.is_none().then_some(invitation.link),
            email: invitation.email,
            expires_at: rfc3339(invitation.expires_at),
        }
    }
}

impl From<identity::teams::Membership> for TeamMembership {
    fn from(membership: identity::teams::Membership) -> Self {
        Self {
            team_id: membership.team_id.to_string(),
            name: membership.team_name,
            owner: membership.owner_email,
            role: EnumParam(membership.role),
            joined_at: rfc3339(membership.joined_at),
        }
    }
}

impl From<identity::teams::Team> for TeamResponse {
    fn from(team: identity::teams::Team) -> Self {
        Self {
            id: team.id.to_string(),
            name: team.name,
            members: team.members.into_iter().map(TeamMemberResponse::from).collect(),
            invitations: team.invitations.into_iter().map(listed).collect(),
            tags: Vec::new(),
            monitors: Vec::new(),
            created_at: rfc3339(team.created_at),
        }
    }
}

/// Returns an invitation without its link, because a key with read access only must not be able to accept it.
fn listed(invitation: identity::teams::TeamInvitation) -> TeamInvitationResponse {
    TeamInvitationResponse { url: None, ..invitation.into() }
}

/// Id of a team in examples.
pub(super) fn team_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b62".to_owned()
}

/// Id of an account in examples.
pub(super) fn account_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b63".to_owned()
}

/// Id of an invitation in examples.
pub(super) fn invitation_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b64".to_owned()
}

/// Id of a monitor in examples.
pub(super) fn monitor_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b65".to_owned()
}

/// Time in examples.
pub(super) const EXAMPLE_TIME: &str = "2026-11-20T12:00:00.000Z";

impl Example for TeamInvitationResponse {
    fn example() -> Self {
        Self {
            id: invitation_id(),
            role: EnumParam(TeamRole::Reader),
            email: None,
            url: Some("https://example.org/settings/teams/join?link=AZOgsnsAcACAAD8eLUxbYA".into()),
            expires_at: "2026-11-27T12:00:00.000Z".into(),
        }
    }
}

impl Example for TeamResponse {
    fn example() -> Self {
        Self {
            id: team_id(),
            name: "Family".into(),
            members: vec![TeamMemberResponse {
                account_id: account_id(),
                email: "guest@example.org".into(),
                role: EnumParam(TeamRole::Editor),
                joined_at: EXAMPLE_TIME.into(),
            }],
            invitations: vec![TeamInvitationResponse { url: None, ..TeamInvitationResponse::example() }],
            tags: vec![TeamTagResponse { name: "desk".into() }],
            monitors: vec![TeamMonitorResponse { id: monitor_id(), name: "Ferries".into() }],
            created_at: EXAMPLE_TIME.into(),
        }
    }
}

impl Example for TeamList {
    fn example() -> Self {
        Self {
            teams: vec![TeamResponse::example()],
            memberships: vec![TeamMembership {
                team_id: team_id(),
                name: "Rowing club".into(),
                owner: "coach@example.org".into(),
                role: EnumParam(TeamRole::Reader),
                joined_at: EXAMPLE_TIME.into(),
            }],
        }
    }
}

impl Example for TeamOne {
    fn example() -> Self {
        Self { team: TeamResponse::example() }
    }
}

impl Example for TeamInvitationOne {
    fn example() -> Self {
        Self { invitation: TeamInvitationResponse::example() }
    }
}

impl Example for TeamJoined {
    fn example() -> Self {
        Self { team_id: team_id() }
    }
}
