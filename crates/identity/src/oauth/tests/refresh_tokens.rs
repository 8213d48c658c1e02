//! Tests of refresh tokens: legitimate repetitions, and detection of theft.

use super::super::*;
use super::fixture::{DAY, Fixture, MINUTE, app, network};
use kernel::testing::on_both;
use kernel::{Backend, Scopes};

fn refresh_token(tokens: &Tokens) -> String {
    tokens.refresh.as_ref().unwrap().expose().to_owned()
}

async fn refresh_token_rotates_to_one_successor(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    let second = fixture.refresh(&refresh_token(&first)).await.unwrap();
    assert_ne!(refresh_token(&first), refresh_token(&second));
    assert_eq!((second.expires_in, second.scopes), (3600, Scopes::WRITE));
    for tokens in [&first, &second] {
        assert!(
            fixture.identify(tokens.access.expose()).await.is_ok(),
            "an access token is valid for its full hour"
        );
    }
    fixture.clock().advance(119_999);
    let repeated = fixture.refresh(&refresh_token(&first)).await.unwrap();
    assert_eq!(
        refresh_token(&repeated),
        refresh_token(&second),
        "a repeated refresh returns the same refresh token"
    );
    assert_ne!(
        repeated.access.expose(),
        second.access.expose(),
        "a repeated refresh returns a new access token"
    );
    assert_eq!(fixture.grants().await[0].last_used_from.as_deref(), Some("192.0.2.7"));
}

async fn lost_response_can_be_repeated_until_the_successor_is_used(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    let second = fixture.refresh(&refresh_token(&first)).await.unwrap();
    fixture.clock().advance(20 * DAY);
    let repeated = fixture.refresh(&refresh_token(&first)).await.unwrap();
    assert_eq!(
        refresh_token(&repeated),
        refresh_token(&second),
        "a late repeat is accepted if the new tokens are unused"
    );
    fixture.use_and_wait(repeated.access.expose()).await;
    fixture.clock().advance(MINUTE);
    assert_eq!(fixture.refresh(&refresh_token(&first)).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert!(
        fixture.identify(repeated.access.expose()).await.is_err(),
        "a late repeat after use ends the grant"
    );
    assert_eq!(fixture.refresh(&refresh_token(&second)).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert_eq!(fixture.grants().await[0].ended.unwrap().1, GrantEnd::Reuse);
}

async fn reuse_of_an_older_refresh_token_revokes_the_grant(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    let second = fixture.refresh(&refresh_token(&first)).await.unwrap();
    let third = fixture.refresh(&refresh_token(&second)).await.unwrap();
    assert_eq!(fixture.refresh(&refresh_token(&first)).await.unwrap_err(), OAuthCode::InvalidGrant);
    for tokens in [&first, &second, &third] {
        assert!(fixture.identify(tokens.access.expose()).await.is_err());
        assert_eq!(fixture.refresh(&refresh_token(tokens)).await.unwrap_err(), OAuthCode::InvalidGrant);
    }
}

async fn repeated_refresh_with_another_scope_revokes_the_grant(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    let second = fixture.refresh(&refresh_token(&first)).await.unwrap();
    let other = fixture.refresh_for(&refresh_token(&first), Some(Scopes::READ)).await;
    assert_eq!(other.unwrap_err(), OAuthCode::InvalidGrant);
    assert!(fixture.identify(second.access.expose()).await.is_err());
}

async fn scopes_are_narrowed_for_one_token_and_never_widened(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    let narrow = fixture.refresh_for(&refresh_token(&first), Some(Scopes::READ)).await.unwrap();
    assert_eq!(fixture.identify(narrow.access.expose()).await.unwrap().scopes, Scopes::READ);
    let whole = fixture.refresh(&refresh_token(&narrow)).await.unwrap();
    assert_eq!(whole.scopes, Scopes::WRITE, "the grant is not narrowed");
    let page = fixture.page().await;
    let reading = Approval { session: &fixture.session, network: &network(), may_change: false, page: &page };
    let request = super::fixture::validated(&fixture.client, Audience::Everywhere);
    let code = approve(fixture.domain(), &request, reading).await.unwrap().code;
    let read_only = fixture.exchange(code.expose()).await.unwrap();
    assert_eq!(read_only.scopes, Scopes::READ, "the grant has the approved scope only");
    let wider = fixture.refresh_for(&refresh_token(&read_only), Some(Scopes::WRITE)).await;
    assert_eq!(wider.unwrap_err(), OAuthCode::InvalidScope);
    assert!(
        fixture.refresh(&refresh_token(&read_only)).await.is_ok(),
        "a refused request does not use up the token"
    );
}

async fn token_of_another_app_is_refused_without_revocation(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    let (other, network) = (app(fixture.domain(), "Another").await, network());
    let token = refresh_token(&first);
    for _ in 0..2 {
        let request =
            RefreshRequest { client: &other, token: &token, scopes: None, audience: None, network: &network };
        assert_eq!(refresh(fixture.domain(), request).await.unwrap_err().code, OAuthCode::InvalidGrant);
    }
    let second = fixture.refresh(&token).await.unwrap();
    fixture.clock().advance(DAY);
    fixture.refresh(&refresh_token(&second)).await.unwrap();
    let request =
        RefreshRequest { client: &other, token: &token, scopes: None, audience: None, network: &network };
    assert_eq!(refresh(fixture.domain(), request).await.unwrap_err().code, OAuthCode::InvalidGrant);
    assert_eq!(fixture.grants().await[0].ended, None);
}

async fn refresh_token_expires_after_thirty_days_unused_and_its_grant_after_half_a_year(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let mut tokens = fixture.tokens().await;
    let unused = fixture.tokens().await;
    for _ in 0..6 {
        fixture.clock().advance(30 * DAY - 1);
        tokens = fixture.refresh(&refresh_token(&tokens)).await.unwrap();
    }
    assert_eq!(fixture.refresh(&refresh_token(&unused)).await.unwrap_err(), OAuthCode::InvalidGrant);
    // The grant expires in 6 milliseconds, and a refresh does not extend it.
    assert_eq!(tokens.expires_in, 0);
    fixture.clock().advance(5);
    tokens = fixture.refresh(&refresh_token(&tokens)).await.unwrap();
    fixture.clock().advance(1);
    assert!(fixture.identify(tokens.access.expose()).await.is_err());
    assert_eq!(fixture.refresh(&refresh_token(&tokens)).await.unwrap_err(), OAuthCode::InvalidGrant);
    delete_expired(fixture.domain()).await.unwrap();
    let mut reasons: Vec<GrantEnd> =
        fixture.grants().await.iter().filter_map(|grant| grant.ended).map(|(_, why)| why).collect();
    reasons.sort_by_key(|why| *why == GrantEnd::Idle);
    assert_eq!(reasons, [GrantEnd::Age, GrantEnd::Idle]);
}

async fn concurrent_refreshes_return_the_same_successor(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let second = fixture.test.second_handle().await;
    let mut tokens = fixture.tokens().await;
    for round in 0..25 {
        let token = refresh_token(&tokens);
        let tasks: Vec<_> = (0..16)
            .map(|number| {
                let domain = if number % 2 == 0 { fixture.domain().clone() } else { second.clone() };
                let (client, token, network) = (fixture.client.clone(), token.clone(), network());
                tokio::spawn(async move {
                    let network = &network;
                    let request = RefreshRequest {
                        client: &client,
                        token: &token,
                        scopes: None,
                        audience: None,
                        network,
                    };
                    refresh(&domain, request).await.map_err(|error| error.code)
                })
            })
            .collect();
        let mut responses = Vec::new();
        for task in tasks {
            responses.push(task.await.unwrap().unwrap_or_else(|code| panic!("round {round}: {code:?}")));
        }
        let successors: std::collections::HashSet<String> = responses.iter().map(refresh_token).collect();
        assert_eq!(successors.len(), 1, "round {round}");
        tokens = responses.pop().unwrap();
        assert!(fixture.identify(tokens.access.expose()).await.is_ok());
        // Advances the clock beyond the hourly limit of refreshes.
        fixture.clock().advance(3_600_000);
    }
}

async fn refreshes_of_a_grant_are_limited(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let mut tokens = fixture.tokens().await;
    for _ in 0..60 {
        tokens = fixture.refresh(&refresh_token(&tokens)).await.unwrap();
    }
    assert_eq!(
        fixture.refresh(&refresh_token(&tokens)).await.unwrap_err(),
        OAuthCode::TemporarilyUnavailable
    );
    let other = fixture.tokens().await;
    assert!(fixture.refresh(&refresh_token(&other)).await.is_ok(), "the limit applies per grant");
    fixture.clock().advance(60 * MINUTE);
    assert!(
        fixture.refresh(&refresh_token(&tokens)).await.is_ok(),
        "the limit neither ends the grant nor uses up the token"
    );
}

on_both! {
    refresh_token_rotates_to_one_successor,
    lost_response_can_be_repeated_until_the_successor_is_used,
    reuse_of_an_older_refresh_token_revokes_the_grant,
    repeated_refresh_with_another_scope_revokes_the_grant,
    scopes_are_narrowed_for_one_token_and_never_widened,
    token_of_another_app_is_refused_without_revocation,
    refresh_token_expires_after_thirty_days_unused_and_its_grant_after_half_a_year,
    concurrent_refreshes_return_the_same_successor,
    refreshes_of_a_grant_are_limited,
}
