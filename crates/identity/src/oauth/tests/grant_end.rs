//! Tests of how grants end, by the person, the app, an operator, or expiry, and of the retention of their
//! rows.

use sea_orm::{EntityTrait, PaginatorTrait};

use super::super::*;
use super::fixture::{DAY, Fixture, app};
use crate::accounts;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::{Backend, Code, Domain};

async fn counts(domain: &Domain) -> [u64; 4] {
    let db = domain.db().read();
    [
        entities::oauth_grant::Entity::find().count(db).await.unwrap(),
        entities::oauth_code::Entity::find().count(db).await.unwrap(),
        entities::oauth_refresh::Entity::find().count(db).await.unwrap(),
        entities::oauth_access::Entity::find().count(db).await.unwrap(),
    ]
}

async fn grant_revoked_by_the_person_is_invalid_immediately(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let (first, other) = (fixture.tokens().await, fixture.tokens().await);
    let caller = fixture.identify(first.access.expose()).await.unwrap();
    let crate::caller::Credential::Token { grant, .. } = caller.credential else {
        panic!("the credential is a token")
    };
    let stranger = person(fixture.domain(), kernel::tiers::Tier::Free).await;
    assert_eq!(end(fixture.domain(), stranger, grant).await.unwrap_err().code, Code::NotFound);
    end(fixture.domain(), fixture.owner, grant).await.unwrap();
    assert_eq!(end(fixture.domain(), fixture.owner, grant).await.unwrap_err().code, Code::NotFound);
    let second = fixture.test.second_handle().await;
    let error = authenticate(&second, first.access.expose(), Resource::Api, None).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidCredential, "the grant has ended in every process");
    let token = first.refresh.unwrap();
    assert_eq!(fixture.refresh(token.expose()).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert!(fixture.identify(other.access.expose()).await.is_ok(), "another grant of the app is unaffected");
    assert_eq!(end_client(fixture.domain(), fixture.owner, &fixture.client.id).await.unwrap(), 1);
    assert!(fixture.identify(other.access.expose()).await.is_err());
    let reasons: Vec<_> = fixture.grants().await.iter().map(|grant| grant.ended.unwrap().1).collect();
    assert_eq!(reasons, [GrantEnd::Person; 2]);
}

async fn app_revokes_its_tokens(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let tokens = fixture.tokens().await;
    let (access, refresh) = (tokens.access.expose(), tokens.refresh.as_ref().unwrap().expose());
    let other = app(fixture.domain(), "Another").await;
    let domain = fixture.domain();
    for token in [access, refresh, "svr_x", "", "nonsense"] {
        revoke(domain, token, Some(&other.id)).await.unwrap();
    }
    assert!(fixture.identify(access).await.is_ok(), "the token of another app is not revoked");
    revoke(domain, access, Some(&fixture.client.id)).await.unwrap();
    assert!(fixture.identify(access).await.is_err());
    let new_tokens = fixture.refresh(refresh).await.unwrap();
    revoke(domain, new_tokens.refresh.as_ref().unwrap().expose(), None).await.unwrap();
    assert!(
        fixture.identify(new_tokens.access.expose()).await.is_err(),
        "revoking a refresh token ends its grant"
    );
    assert_eq!(fixture.grants().await[0].ended.unwrap().1, GrantEnd::App);
    for token in [access, refresh] {
        revoke(domain, token, None).await.unwrap();
    }
    let used = fixture.tokens().await;
    let parent = used.refresh.unwrap();
    fixture.refresh(parent.expose()).await.unwrap();
    revoke(domain, parent.expose(), None).await.unwrap();
    assert!(
        fixture.identify(used.access.expose()).await.is_err(),
        "revoking a used refresh token ends its grant"
    );
}

async fn grants_are_void_if_the_account_is_disabled_and_deleted_with_the_account(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let domain = fixture.domain();
    let tokens = fixture.tokens().await;
    let code = fixture.code(Audience::Everywhere).await;
    let email = fixture.session.account.email.clone();
    accounts::disable(domain, &email).await.unwrap();
    assert!(fixture.identify(tokens.access.expose()).await.is_err());
    assert_eq!(fixture.exchange(&code).await.unwrap_err(), OAuthCode::InvalidGrant);
    accounts::enable(domain, &email).await.unwrap();
    assert!(
        fixture.identify(tokens.access.expose()).await.is_err(),
        "enabling the account does not restore its grants"
    );
    assert_eq!(fixture.exchange(&code).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert_eq!(fixture.grants().await[0].ended.unwrap().1, GrantEnd::Operator);
    accounts::delete_by_email(domain, &email).await.unwrap();
    assert_eq!(counts(domain).await, [0; 4]);
}

async fn expired_rows_are_deleted_after_their_retention(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let domain = fixture.domain();
    fixture.code(Audience::Everywhere).await;
    let tokens = fixture.tokens().await;
    fixture.clock().advance(DAY / 2);
    delete_expired(domain).await.unwrap();
    assert_eq!(
        counts(domain).await,
        [1, 1, 1, 1],
        "a grant without an exchanged code is retained for half a day"
    );
    fixture.clock().advance(DAY);
    delete_expired(domain).await.unwrap();
    assert_eq!(counts(domain).await, [1, 0, 1, 1], "a used code is retained for a day");
    assert!(fixture.refresh(tokens.refresh.unwrap().expose()).await.is_ok());
    fixture.clock().advance(30 * DAY);
    delete_expired(domain).await.unwrap();
    assert_eq!(fixture.grants().await[0].ended.unwrap().1, GrantEnd::Idle);
    assert_eq!(counts(domain).await, [1, 0, 2, 0]);
    fixture.clock().advance(8 * DAY);
    delete_expired(domain).await.unwrap();
    assert_eq!(counts(domain).await, [1, 0, 0, 0]);
    fixture.clock().advance(22 * DAY);
    delete_expired(domain).await.unwrap();
    assert_eq!(counts(domain).await, [0; 4], "an ended grant is retained for a month");
}

async fn credentials_are_not_stored_in_plain_text(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let code = fixture.code(Audience::Everywhere).await;
    let tokens = fixture.exchange(&code).await.unwrap();
    let texts = [code, tokens.access.expose().to_owned(), tokens.refresh.unwrap().expose().to_owned()];
    let next = fixture.refresh(&texts[2]).await.unwrap();
    let rows = format!(
        "{:?}{:?}{:?}{:?}",
        entities::oauth_grant::Entity::find().all(fixture.domain().db().read()).await.unwrap(),
        entities::oauth_code::Entity::find().all(fixture.domain().db().read()).await.unwrap(),
        entities::oauth_refresh::Entity::find().all(fixture.domain().db().read()).await.unwrap(),
        entities::oauth_access::Entity::find().all(fixture.domain().db().read()).await.unwrap(),
    );
    for text in texts.iter().map(String::as_str).chain([next.access.expose(), super::fixture::VERIFIER]) {
        assert!(!rows.contains(&text[4..]), "{text}");
        assert!(!format!("{next:?}").contains(text));
    }
}

async fn concurrent_refresh_and_revocation_do_not_deadlock(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let second = fixture.test.second_handle().await;
    for round in 0..15 {
        let tokens = fixture.tokens().await;
        let token = tokens.refresh.unwrap().expose().to_owned();
        let grant = fixture.grants().await.into_iter().find(|grant| grant.ended.is_none()).unwrap().id;
        let mut tasks = Vec::new();
        for _ in 0..6 {
            let (domain, client, token) = (second.clone(), fixture.client.clone(), token.clone());
            tasks.push(tokio::spawn(async move {
                let network = super::fixture::network();
                let network = &network;
                let request =
                    RefreshRequest { client: &client, token: &token, scopes: None, audience: None, network };
                refresh(&domain, request).await.map_err(|error| error.code)
            }));
        }
        let (domain, owner) = (fixture.domain().clone(), fixture.owner);
        let ended = tokio::spawn(async move { end(&domain, owner, grant).await });
        for task in tasks {
            match task.await.unwrap() {
                Ok(tokens) => drop(tokens),
                Err(code) => assert_eq!(code, OAuthCode::InvalidGrant, "round {round}"),
            }
        }
        ended.await.unwrap().unwrap();
        assert!(fixture.identify(tokens.access.expose()).await.is_err());
        assert_eq!(fixture.refresh(&token).await.unwrap_err(), OAuthCode::InvalidGrant);
    }
    accounts::delete_by_email(fixture.domain(), &fixture.session.account.email).await.unwrap();
    assert_eq!(counts(fixture.domain()).await, [0; 4]);
}

on_both! {
    concurrent_refresh_and_revocation_do_not_deadlock,
    grant_revoked_by_the_person_is_invalid_immediately,
    app_revokes_its_tokens,
    grants_are_void_if_the_account_is_disabled_and_deleted_with_the_account,
    expired_rows_are_deleted_after_their_retention,
    credentials_are_not_stored_in_plain_text,
}

#[tokio::test]
async fn client_id_is_accepted_by_every_process() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let client = app(&test.domain, "Reader").await;
    let second = test.second_handle().await;
    assert_eq!(Clients::of(&second).await.unwrap().find(&client.id), Some(client));
}
