//! Invitations to teams. The link contains the sealed id of the invitation, so no secret is stored. Accepting an
//! invitation deletes its row, so a link works only once.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::{AccountId, TeamId, TeamInvitationId};
use entities::team_invitation::{Column, Entity, Model};
use entities::team_member::{self, TeamRole};
use entities::{account, team};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, Value,
};
use sha2::{Digest, Sha256};

use super::access::require_owned;
use crate::accounts;
use crate::limits::window::{Charges, Counter, RatePolicy};
use crate::limits::{AccountLimits, check_plan_limit};
use crate::mail::{self, MAILS, MailKind, NewMail};
use jobs::Submitted;
use kernel::clock::DAY;
use kernel::email::{mailbox_of, normalize_email};
use kernel::retention::ExpiredRows;
use kernel::statement::{delete_existing, execute};
use kernel::{Code, Domain, Error, Millis, Result};
use language::Key;

/// Time within which an invitation must be accepted.
const LIFETIME_MS: Millis = 7 * DAY;
/// Maximum number of members of a team, in addition to the owner.
const MAX_MEMBERS: u64 = 50;
/// Maximum number of teams of which an account is a member.
const MAX_MEMBERSHIPS: u64 = 100;
/// Maximum number of pending invitations of a team.
const MAX_PENDING: u64 = 20;
/// Limit on invitations that one account sends.
const PER_ACCOUNT: [RatePolicy; 1] = [RatePolicy::sliding("team-invitation", 50, 86_400)];
/// Limit on invitations that one account mails to one mailbox. It is lower than [`PER_MAILBOX`], so that one
/// account cannot use up the mails of the mailbox's owner.
const PER_ACCOUNT_AND_MAILBOX: [RatePolicy; 1] = [RatePolicy::sliding("team-invitation", 2, 86_400)];
/// Limit on invitations mailed to one mailbox, across all accounts.
const PER_MAILBOX: [RatePolicy; 1] = [RatePolicy::sliding("team-invitation", 5, 86_400)];
const EXPIRED: ExpiredRows =
    ExpiredRows { table: "team_invitation", key: "id", condition: "expires_at <= $1" };
/// Purpose of the sealed ids in links.
const BINDING: &str = "team invitation";

#[derive(Clone, Copy, Debug)]
pub struct NewInvitation<'a> {
    pub role: TeamRole,
    /// Address to which the link is mailed. `None` if the owner passes the link on.
    pub email: Option<&'a str>,
}

/// Pending invitation, as the owner of the team sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamInvitation {
    pub id: TeamInvitationId,
    pub team_id: TeamId,
    pub role: TeamRole,
    /// Address to which the link was mailed.
    pub email: Option<String>,
    pub expires_at: Millis,
    /// URL of the page that accepts the invitation.
    pub link: String,
}

/// Invitation, as the invited person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationOffer {
    pub team_name: String,
    pub owner_email: String,
    pub role: TeamRole,
    pub expires_at: Millis,
}

/// Invites a person to a team of the account. Returns the job that mails the link.
///
/// # Errors
/// `not_found`; `invalid_request` if the address is invalid or the service sends no mail; `limit_reached` if too many
/// invitations are pending; `rate_limited`.
pub async fn invite(
    domain: &Domain,
    owner_id: AccountId,
    team_id: TeamId,
    new: NewInvitation<'_>,
) -> Result<(TeamInvitation, Option<Submitted>)> {
    require_owned(domain.db().read(), owner_id, team_id).await?;
    let email = new.email.map(normalize_email).transpose()?;
    if email.is_some() && !domain.policy().sends_mail {
        let message = "This service sends no e-mail. Create a link and pass it on.";
        return Err(Error::new(Code::InvalidRequest, message).at("email", message));
    }
    let charges = charge(domain, owner_id, email.as_deref()).await?;
    let result = write(domain, owner_id, team_id, (new.role, email)).await;
    if result.is_err() {
        domain.limits().windows().refund_each(&charges).await;
    }
    result
}

async fn charge(domain: &Domain, owner_id: AccountId, email: Option<&str>) -> Result<Charges> {
    let mut counters =
        vec![Counter { key: format!("team-invitation:{owner_id}"), policies: PER_ACCOUNT.to_vec() }];
    if let Some(email) = email {
        let mailbox = BASE64URL_NOPAD.encode(&Sha256::digest(mailbox_of(email).as_bytes()));
        counters.push(Counter {
            key: format!("team-invitation:{owner_id}:m:{mailbox}"),
            policies: PER_ACCOUNT_AND_MAILBOX.to_vec(),
        });
        counters
            .push(Counter { key: format!("team-invitation:m:{mailbox}"), policies: PER_MAILBOX.to_vec() });
    }
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    match charges.refusal() {
        Some(refusal) => {
            let error = Error::new(Code::RateLimited, "Too many invitations were sent. Try again later.");
            Err(error.retry_after(refusal.retry_after()))
        }
        None => Ok(charges),
    }
}

async fn write(
    domain: &Domain,
    owner_id: AccountId,
    team_id: TeamId,
    (role, email): (TeamRole, Option<String>),
) -> Result<(TeamInvitation, Option<Submitted>)> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, owner_id).await?;
    require_owned(&transaction, owner_id, team_id).await?;
    let now = domain.now();
    Entity::delete_many()
        .filter(Column::AccountId.eq(owner_id))
        .filter(Column::TeamId.eq(team_id))
        .filter(Column::ExpiresAt.lte(now))
        .exec(&transaction)
        .await?;
    if let Some(email) = &email {
        // The new link replaces the link that was mailed to the address before.
        Entity::delete_many()
            .filter(Column::AccountId.eq(owner_id))
            .filter(Column::TeamId.eq(team_id))
            .filter(Column::Email.eq(email.as_str()))
            .exec(&transaction)
            .await?;
    }
    let pending = Entity::owned_by(owner_id).filter(Column::TeamId.eq(team_id)).count(&transaction).await?;
    check_plan_limit("pending invitations of a team", MAX_PENDING, pending)?;
    let row = Model {
        id: domain.new_id(),
        team_id,
        account_id: owner_id,
        role,
        email,
        created_at: now,
        expires_at: now + LIFETIME_MS,
    };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    let submitted = match &row.email {
        Some(email) => {
            let new = NewMail {
                kind: MailKind::TeamInvitation,
                cause: format!("team-invitation:{}", row.id),
                to: email.clone(),
                account_id: Some(owner_id),
            };
            mail::enqueue(&transaction, domain, new).await?
        }
        None => None,
    };
    transaction.commit().await?;
    Ok((invitation(domain, row).await?, submitted))
}

async fn invitation(domain: &Domain, row: Model) -> Result<TeamInvitation> {
    Ok(TeamInvitation {
        link: link_of(domain, row.id).await?,
        id: row.id,
        team_id: row.team_id,
        role: row.role,
        email: row.email,
        expires_at: row.expires_at,
    })
}

async fn link_of(domain: &Domain, id: TeamInvitationId) -> Result<String> {
    let sealed = domain.cursor_key().await?.seal(BINDING, id.as_bytes());
    Ok(format!("{}/settings/teams/join?link={sealed}", domain.policy().account_url))
}

/// Lists the pending invitations to the teams of the account.
pub(super) async fn pending(domain: &Domain, owner_id: AccountId) -> Result<Vec<TeamInvitation>> {
    let rows =
        Entity::owned_by(owner_id).filter(Column::ExpiresAt.gt(domain.now())).all(domain.db().read()).await?;
    let mut invitations = Vec::with_capacity(rows.len());
    for row in rows {
        invitations.push(invitation(domain, row).await?);
    }
    invitations.sort_by_key(|invitation| invitation.id);
    Ok(invitations)
}

/// Revokes an invitation. Its link stops working immediately.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn revoke_invitation(domain: &Domain, owner_id: AccountId, id: TeamInvitationId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(owner_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "invitation").await
}

/// Deletes expired invitations with the addresses to which they were mailed, and returns their number.
#[boxed]
pub async fn delete_expired(domain: &Domain) -> Result<u64> {
    EXPIRED.delete(domain.db().write(), &[domain.now().into()]).await
}

/// Returns the invitation of a link, without accepting it.
///
/// # Errors
/// `not_found` if the link is invalid, used, revoked, or expired.
#[boxed]
pub async fn find_invitation(domain: &Domain, link: &str) -> Result<InvitationOffer> {
    let connection = domain.db().read();
    let row = load(connection, id_of(domain, link).await?, domain.now()).await?.ok_or_else(void)?;
    offer(connection, &row).await?.ok_or_else(void)
}

/// Accepts the invitation of a link: makes the account a member of the team. If the account already is a member, it
/// gets the role of the invitation.
///
/// # Errors
/// `not_found` if the link is invalid, used, revoked, or expired; `invalid_request` if the account owns the team;
/// `limit_reached`.
#[boxed]
pub async fn accept_invitation(domain: &Domain, account_id: AccountId, link: &str) -> Result<TeamId> {
    let (id, now) = (id_of(domain, link).await?, domain.now());
    let owner_id = load(domain.db().read(), id, now).await?.ok_or_else(void)?.account_id;
    if owner_id == account_id {
        let message = "This invitation is for other people: you own this team.";
        return Err(Error::new(Code::InvalidRequest, message).at("link", message));
    }
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, owner_id).await?;
    let row = load(&transaction, id, now).await?.ok_or_else(void)?;
    offer(&transaction, &row).await?.ok_or_else(void)?;
    let deleted = Entity::delete_many()
        .filter(Column::AccountId.eq(owner_id))
        .filter(Column::Id.eq(id))
        .exec(&transaction)
        .await?;
    if deleted.rows_affected == 0 {
        return Err(void());
    }
    check_capacity(&transaction, account_id, row.team_id).await?;
    let member = team_member::Model { team_id: row.team_id, account_id, role: row.role, joined_at: now };
    let key = [team_member::Column::TeamId, team_member::Column::AccountId];
    let on_conflict = OnConflict::columns(key).update_column(team_member::Column::Role).to_owned();
    team_member::Entity::insert(member.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(&transaction)
        .await?;
    revoke_mailed(&transaction, owner_id, (row.team_id, account_id)).await?;
    transaction.commit().await?;
    Ok(row.team_id)
}

/// Revokes the pending invitations that were mailed to a member, so that the member cannot use them to return, or to
/// regain a previous role.
pub(super) async fn revoke_mailed(
    transaction: &DatabaseTransaction,
    owner_id: AccountId,
    (team_id, member_id): (TeamId, AccountId),
) -> Result<()> {
    let sql = "DELETE FROM team_invitation WHERE account_id = $1 AND team_id = $2 \
               AND email = (SELECT email FROM account WHERE id = $3)";
    let values: [Value; 3] = [owner_id.into(), team_id.into(), member_id.into()];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Checks the limits of members and memberships, unless the account already is a member.
async fn check_capacity(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    team_id: TeamId,
) -> Result<()> {
    use team_member::{Column, Entity};
    let membership = Entity::owned_by(account_id).filter(Column::TeamId.eq(team_id)).one(transaction).await?;
    if membership.is_some() {
        return Ok(());
    }
    let members = Entity::find().filter(Column::TeamId.eq(team_id)).count(transaction).await?;
    check_plan_limit("members of a team", MAX_MEMBERS, members)?;
    let memberships = Entity::owned_by(account_id).count(transaction).await?;
    check_plan_limit("memberships in teams", MAX_MEMBERSHIPS, memberships)
}

/// Returns the subject and the text of the mail with the link. `None` if the invitation was accepted or revoked, or has
/// expired. The mail contains no text that the owner wrote, such as the name of the team.
#[boxed]
pub async fn write_invitation(domain: &Domain, cause: &str) -> Result<Option<(String, String)>> {
    let id = cause.split_once(':').and_then(|(_, id)| id.parse::<TeamInvitationId>().ok());
    let Some(id) = id else { return Ok(None) };
    let connection = domain.db().read();
    let Some(row) = load(connection, id, domain.now()).await? else { return Ok(None) };
    let Some(offer) = offer(connection, &row).await? else { return Ok(None) };
    let (origin, link) = (&domain.policy().account_url, link_of(domain, id).await?);
    let language = accounts::message_language(connection, row.account_id).await?;
    let text = MAILS
        .text(language, Key("team-body"))
        .with("owner", offer.owner_email)
        .with("origin", origin.as_str())
        .with("link", link)
        .get();
    Ok(Some((MAILS.text(language, Key("team-subject")).get(), format!("{text}\n"))))
}

/// Returns the offer of an invitation. `None` if the owner is disabled.
async fn offer(connection: &impl ConnectionTrait, row: &Model) -> Result<Option<InvitationOffer>> {
    let owner = account::Entity::find_by_id(row.account_id).one(connection).await?;
    let Some(owner) = owner.filter(|owner| owner.disabled_at.is_none()) else { return Ok(None) };
    let team = team::Entity::owned_by(row.account_id).filter(team::Column::Id.eq(row.team_id));
    let Some(team) = team.one(connection).await? else { return Ok(None) };
    Ok(Some(InvitationOffer {
        team_name: team.name,
        owner_email: owner.email,
        role: row.role,
        expires_at: row.expires_at,
    }))
}

async fn id_of(domain: &Domain, link: &str) -> Result<TeamInvitationId> {
    let payload = domain.cursor_key().await?.open(BINDING, link).ok_or_else(void)?;
    TeamInvitationId::from_slice(&payload).ok_or_else(void)
}

async fn load(connection: &impl ConnectionTrait, id: TeamInvitationId, now: Millis) -> Result<Option<Model>> {
    let row = Entity::of_any_owner(id).one(connection).await?;
    Ok(row.filter(|row| row.expires_at > now))
}

fn void() -> Error {
    Error::new(
        Code::NotFound,
        "This invitation is no longer valid. It was used, it expired, or it was revoked.",
    )
}
