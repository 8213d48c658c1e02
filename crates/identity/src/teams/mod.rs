//! Teams: an owner invites members, such as a family, and shares tags of the library and monitors with them.
//!
//! - An invitation is a link that works once, expires after a week, and can be revoked. The owner passes it
//!   on, or has it mailed; mails are limited per account and per mailbox.
//! - A reader sees what the team shares. An editor also adds pages to shared tags and removes them.
//! - Each request of a member checks the membership in the database, with queries that start from the
//!   membership. Queries for owners are separate, and always require the owner. Leaving, removal, deletion of
//!   either account, and disabling the owner therefore take effect at once.
//! - Pages that members add are stored in the library of the owner and count towards the limits of the owner.
//!   The number of pages that a member adds or removes per hour is limited.
//!
//! This crate has teams, members, and invitations. Shared tags are in `library`, shared monitors in `monitors`.

mod access;
mod invitations;
mod members;

pub use access::{TeamAccess, charge_contribution, require_access, require_owned};
pub use entities::team_member::TeamRole;
pub use invitations::{
    InvitationOffer, NewInvitation, TeamInvitation, accept_invitation, delete_expired, find_invitation,
    invite, revoke_invitation, write_invitation,
};
pub use members::{
    MAX_NAME_CHARS, Membership, Team, TeamMember, create_team, delete_team, get_team, leave_team,
    list_memberships, list_teams, remove_member, set_role,
};

#[cfg(test)]
mod tests;
