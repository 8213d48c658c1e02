//! Tests of teams: invitations, memberships, and the end of access.

use entities::ids::{AccountId, TeamId};
use kernel::db::Backend;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Code, Domain};

use super::*;
use crate::accounts;

on_both! {
    accepted_invitation_is_void,
    revoked_expired_and_forged_invitations_are_void,
    access_is_lost_by_leaving_removal_and_deletion,
    teams_of_other_accounts_are_not_found,
    number_of_pending_invitations_is_limited,
    mailed_invitations_of_a_member_are_revoked,
    changes_of_a_member_are_limited_per_hour,
}

const READER: NewInvitation<'_> = NewInvitation { role: TeamRole::Reader, email: None };

/// Creates a team, and an account that is a member of it in this role.
async fn team_with(domain: &Domain, role: TeamRole) -> (AccountId, TeamId, AccountId) {
    let (owner, member) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
    let team = create_team(domain, owner, " Our\tfamily ").await.unwrap();
    assert_eq!(team.name, "Our family");
    let link = link(domain, owner, team.id, role).await;
    assert_eq!(accept_invitation(domain, member, &link).await.unwrap(), team.id);
    (owner, team.id, member)
}

async fn link(domain: &Domain, owner: AccountId, team_id: TeamId, role: TeamRole) -> String {
    let (invitation, job) = invite(domain, owner, team_id, NewInvitation { role, ..READER }).await.unwrap();
    assert!(job.is_none());
    secret(&invitation)
}

fn secret(invitation: &TeamInvitation) -> String {
    invitation.link.split_once("link=").unwrap().1.to_owned()
}

async fn access(domain: &Domain, account_id: AccountId, team_id: TeamId) -> Result<TeamRole, Code> {
    let access = require_access(domain.db().read(), account_id, team_id).await;
    access.map(|access| access.role).map_err(|error| error.code)
}

async fn accepted_invitation_is_void(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let (owner, team_id, member) = team_with(domain, TeamRole::Reader).await;
    assert_eq!(access(domain, member, team_id).await, Ok(TeamRole::Reader));
    assert_eq!(access(domain, owner, team_id).await, Err(Code::NotFound), "the owner is no member");
    let link = link(domain, owner, team_id, TeamRole::Editor).await;
    let offer = find_invitation(domain, &link).await.unwrap();
    assert_eq!((offer.team_name.as_str(), offer.role), ("Our family", TeamRole::Editor));
    let error = accept_invitation(domain, owner, &link).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidRequest);
    let third = person(domain, Tier::Free).await;
    let (one, other) =
        tokio::join!(accept_invitation(domain, third, &link), accept_invitation(domain, member, &link));
    let errors = [&one, &other].into_iter().filter_map(|result| result.as_ref().err());
    let codes: Vec<Code> = errors.map(|error| error.code).collect();
    assert_eq!(codes, [Code::NotFound]);
    assert_eq!(find_invitation(domain, &link).await.unwrap_err().code, Code::NotFound);
    assert!(get_team(domain, owner, team_id).await.unwrap().invitations.is_empty());
}

async fn revoked_expired_and_forged_invitations_are_void(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let (owner, guest) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
    let team_id = create_team(domain, owner, "Family").await.unwrap().id;
    let (revoked, _) = invite(domain, owner, team_id, READER).await.unwrap();
    let unknown = revoke_invitation(domain, guest, revoked.id).await.unwrap_err();
    assert_eq!(unknown.code, Code::NotFound, "only the owner revokes an invitation");
    revoke_invitation(domain, owner, revoked.id).await.unwrap();
    let (disabled, _) = invite(domain, owner, team_id, READER).await.unwrap();
    let email = accounts::get(domain, owner).await.unwrap().email;
    accounts::disable(domain, &email).await.unwrap();
    let links = [secret(&revoked), secret(&disabled), "x".to_owned(), String::new()];
    for link in &links {
        assert_eq!(accept_invitation(domain, guest, link).await.unwrap_err().code, Code::NotFound);
    }
    accounts::enable(domain, &email).await.unwrap();
    assert_eq!(delete_expired(domain).await.unwrap(), 0);
    test.clock.advance(7 * kernel::clock::DAY);
    assert_eq!(accept_invitation(domain, guest, &links[1]).await.unwrap_err().code, Code::NotFound);
    assert_eq!(delete_expired(domain).await.unwrap(), 1);
    assert!(list_memberships(domain, guest).await.unwrap().is_empty());
}

async fn access_is_lost_by_leaving_removal_and_deletion(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let (owner, team_id, member) = team_with(domain, TeamRole::Editor).await;
    set_role(domain, owner, (team_id, member), TeamRole::Reader).await.unwrap();
    assert_eq!(access(domain, member, team_id).await, Ok(TeamRole::Reader));
    leave_team(domain, member, team_id).await.unwrap();
    assert_eq!(access(domain, member, team_id).await, Err(Code::NotFound));
    let second_link = link(domain, owner, team_id, TeamRole::Reader).await;
    accept_invitation(domain, member, &second_link).await.unwrap();
    remove_member(domain, owner, team_id, member).await.unwrap();
    assert_eq!(access(domain, member, team_id).await, Err(Code::NotFound));

    let third_link = link(domain, owner, team_id, TeamRole::Reader).await;
    accept_invitation(domain, member, &third_link).await.unwrap();
    let email = accounts::get(domain, owner).await.unwrap().email;
    accounts::disable(domain, &email).await.unwrap();
    assert_eq!(access(domain, member, team_id).await, Err(Code::NotFound));
    assert!(list_memberships(domain, member).await.unwrap().is_empty());
    accounts::enable(domain, &email).await.unwrap();
    assert_eq!(list_memberships(domain, member).await.unwrap().len(), 1);
    accounts::delete_by_email(domain, &email).await.unwrap();
    assert_eq!(access(domain, member, team_id).await, Err(Code::NotFound));

    let (owner, team_id, member) = team_with(domain, TeamRole::Editor).await;
    let email = accounts::get(domain, member).await.unwrap().email;
    accounts::delete_by_email(domain, &email).await.unwrap();
    assert!(get_team(domain, owner, team_id).await.unwrap().members.is_empty());
}

async fn teams_of_other_accounts_are_not_found(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let (owner, team_id, member) = team_with(domain, TeamRole::Editor).await;
    let stranger = person(domain, Tier::Free).await;
    for other in [stranger, member] {
        let errors = [
            get_team(domain, other, team_id).await.map(drop),
            invite(domain, other, team_id, READER).await.map(drop),
            remove_member(domain, other, team_id, owner).await,
            set_role(domain, other, (team_id, member), TeamRole::Editor).await,
            delete_team(domain, other, team_id).await,
        ];
        for error in errors {
            assert_eq!(error.unwrap_err().code, Code::NotFound);
        }
        assert!(list_teams(domain, other).await.unwrap().is_empty());
    }
    assert_eq!(leave_team(domain, stranger, team_id).await.unwrap_err().code, Code::NotFound);
    let members = get_team(domain, owner, team_id).await.unwrap().members;
    assert_eq!(members.iter().map(|one| one.account_id).collect::<Vec<_>>(), [member]);
    assert_eq!(create_team(domain, owner, " ").await.unwrap_err().code, Code::InvalidRequest);
}

async fn number_of_pending_invitations_is_limited(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let owner = person(domain, Tier::Free).await;
    let team_id = create_team(domain, owner, "Family").await.unwrap().id;
    for _ in 0..20 {
        invite(domain, owner, team_id, READER).await.unwrap();
    }
    let error = invite(domain, owner, team_id, READER).await.unwrap_err();
    assert_eq!(error.code, Code::LimitReached);
    // Expired invitations do not count.
    test.clock.advance(7 * kernel::clock::DAY);
    invite(domain, owner, team_id, READER).await.unwrap();
    let mailed = NewInvitation { email: Some("guest@example.org"), ..READER };
    let error = invite(domain, owner, team_id, mailed).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidRequest, "this service sends no mail");
}

/// Inserts a pending invitation that was mailed to an account. Returns the secret of its link.
async fn mailed(domain: &Domain, owner: AccountId, team_id: TeamId, to: AccountId) -> String {
    let (invitation, _) = invite(domain, owner, team_id, READER).await.unwrap();
    let sql = "UPDATE team_invitation SET email = (SELECT email FROM account WHERE id = $1) WHERE id = $2";
    let values = [to.into(), invitation.id.into()];
    assert_eq!(kernel::statement::execute(domain.db().write(), sql, values).await.unwrap(), 1);
    secret(&invitation)
}

async fn mailed_invitations_of_a_member_are_revoked(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let (owner, team_id, member) = team_with(domain, TeamRole::Editor).await;
    let guest = person(domain, Tier::Free).await;
    let of_guest = mailed(domain, owner, team_id, guest).await;
    let before_change = mailed(domain, owner, team_id, member).await;
    set_role(domain, owner, (team_id, member), TeamRole::Reader).await.unwrap();
    let before_joining = mailed(domain, owner, team_id, member).await;
    let passed_on = link(domain, owner, team_id, TeamRole::Reader).await;
    accept_invitation(domain, member, &passed_on).await.unwrap();
    let before_removal = mailed(domain, owner, team_id, member).await;
    remove_member(domain, owner, team_id, member).await.unwrap();
    for link in [before_change, before_joining, before_removal] {
        assert_eq!(accept_invitation(domain, member, &link).await.unwrap_err().code, Code::NotFound);
    }
    assert_eq!(access(domain, member, team_id).await, Err(Code::NotFound));
    accept_invitation(domain, guest, &of_guest).await.unwrap();
}

async fn changes_of_a_member_are_limited_per_hour(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let (_, team_id, member) = team_with(domain, TeamRole::Editor).await;
    for _ in 0..60 {
        charge_contribution(domain, member, team_id).await.unwrap();
    }
    let error = charge_contribution(domain, member, team_id).await.unwrap_err();
    assert_eq!(error.code, Code::RateLimited);
    let other = person(domain, Tier::Free).await;
    charge_contribution(domain, other, team_id).await.unwrap();
}
