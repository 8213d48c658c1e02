//! Tests of code exchange: who may exchange a code, single use, and the resulting tokens.

use super::super::*;
use super::fixture::{CHALLENGE, Fixture, REDIRECT_URI, VERIFIER, app, network, validated};
use crate::caller::{ClientHash, Credential};
use kernel::clock::DAY;
use kernel::testing::on_both;
use kernel::{Backend, Code, Scopes, SecretKind};

async fn code_is_exchanged_for_tokens_of_the_approving_account(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let code = fixture.code(Audience::Everywhere).await;
    assert_eq!(fixture.grants().await, [], "a grant is listed only after its code is exchanged");
    let tokens = fixture.exchange(&code).await.unwrap();
    assert_eq!((tokens.expires_in, tokens.scopes), (3600, Scopes::WRITE));
    assert!(tokens.access.expose().starts_with(SecretKind::Access.prefix()));
    assert!(tokens.refresh.unwrap().expose().starts_with(SecretKind::Refresh.prefix()));
    let caller = fixture.identify(tokens.access.expose()).await.unwrap();
    let grants = fixture.grants().await;
    let client = ClientHash::of(&fixture.client.id);
    assert_eq!(caller.account_id, fixture.owner);
    assert_eq!(caller.credential, Credential::Token { grant: grants[0].id, client });
    assert_eq!(caller.require_session().unwrap_err().code, Code::OwnerRequired);
    assert_eq!((grants[0].client_name.as_str(), grants[0].client_host.as_str()), ("Reader", "this computer"));
    assert_eq!(grants[0].created_from, "192.0.2.7");
    let error = crate::keys::authenticate(fixture.domain(), tokens.access.expose()).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidCredential, "an access token is not accepted as a key");
}

async fn failed_exchange_does_not_consume_the_code(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let other = app(fixture.domain(), "Another").await;
    let code = fixture.code(Audience::Everywhere).await;
    let request = fixture.exchange_request(&code);
    for invalid_request in [
        CodeExchange { client: &other, ..request },
        CodeExchange { verifier: CHALLENGE, ..request },
        CodeExchange { verifier: "", ..request },
        CodeExchange { redirect_uri: Some("http://localhost:3119/callback"), ..request },
        CodeExchange { code: "sva_x", ..request },
    ] {
        assert_eq!(
            exchange(fixture.domain(), invalid_request).await.unwrap_err().code,
            OAuthCode::InvalidGrant
        );
    }
    let elsewhere = Some(Audience::Everywhere);
    let narrow = fixture.code(Audience::Mcp).await;
    let wide = CodeExchange { audience: elsewhere, ..fixture.exchange_request(&narrow) };
    assert_eq!(exchange(fixture.domain(), wide).await.unwrap_err().code, OAuthCode::InvalidTarget);
    let tokens = exchange(fixture.domain(), CodeExchange { redirect_uri: None, ..request }).await.unwrap();
    for invalid_request in
        [CodeExchange { client: &other, ..request }, CodeExchange { verifier: "x", ..request }]
    {
        assert_eq!(
            exchange(fixture.domain(), invalid_request).await.unwrap_err().code,
            OAuthCode::InvalidGrant
        );
    }
    assert!(
        fixture.identify(tokens.access.expose()).await.is_ok(),
        "a wrong exchange does not end the grant"
    );
    assert!(fixture.exchange(&narrow).await.is_ok());
}

async fn second_exchange_of_a_code_revokes_the_grant(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let code = fixture.code(Audience::Everywhere).await;
    let tokens = fixture.exchange(&code).await.unwrap();
    fixture.clock().advance(3 * 3_600_000);
    let new_tokens = fixture.refresh(tokens.refresh.as_ref().unwrap().expose()).await.unwrap();
    assert!(fixture.identify(new_tokens.access.expose()).await.is_ok());
    assert_eq!(fixture.exchange(&code).await.unwrap_err(), OAuthCode::InvalidGrant);
    let error = fixture.identify(new_tokens.access.expose()).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidCredential);
    assert_eq!(
        fixture.refresh(new_tokens.refresh.unwrap().expose()).await.unwrap_err(),
        OAuthCode::InvalidGrant
    );
    assert_eq!(fixture.grants().await[0].ended.unwrap().1, GrantEnd::Reuse);
}

async fn code_expires_after_a_minute(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let (late, good) = (fixture.code(Audience::Everywhere).await, fixture.code(Audience::Everywhere).await);
    fixture.clock().advance(59_999);
    assert!(fixture.exchange(&good).await.is_ok());
    fixture.clock().advance(1);
    assert_eq!(fixture.exchange(&late).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert_eq!(fixture.grants().await.len(), 1, "an expired code neither ends nor creates a grant");
}

async fn only_one_of_concurrent_code_exchanges_succeeds(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let second = fixture.test.second_handle().await;
    for round in 0..100 {
        let code = fixture.code(Audience::Everywhere).await;
        let tasks: Vec<_> = (0..16)
            .map(|number| {
                let domain = if number % 2 == 0 { fixture.domain().clone() } else { second.clone() };
                let (client, code) = (fixture.client.clone(), code.clone());
                tokio::spawn(async move {
                    let request = CodeExchange {
                        client: &client,
                        code: &code,
                        redirect_uri: Some(REDIRECT_URI),
                        verifier: VERIFIER,
                        audience: None,
                    };
                    exchange(&domain, request).await.map_err(|error| error.code)
                })
            })
            .collect();
        let mut won = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(tokens) => won.push(tokens),
                Err(code) => assert_eq!(code, OAuthCode::InvalidGrant),
            }
        }
        assert_eq!(won.len(), 1, "round {round}");
        assert!(
            fixture.identify(won[0].access.expose()).await.is_err(),
            "repeated exchanges revoke the tokens"
        );
    }
}

async fn token_is_valid_only_for_its_audience(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let wide = fixture.tokens().await;
    let narrow = fixture.code(Audience::Mcp).await;
    let narrow = fixture.exchange(&narrow).await.unwrap();
    let of_wide = fixture.code(Audience::Everywhere).await;
    let narrowed = CodeExchange { audience: Some(Audience::Mcp), ..fixture.exchange_request(&of_wide) };
    let narrowed = exchange(fixture.domain(), narrowed).await.unwrap();
    for (tokens, at_api) in [(&wide, true), (&narrow, false), (&narrowed, false)] {
        let token = tokens.access.expose();
        assert_eq!(fixture.identify_at(token, Resource::Api).await.is_ok(), at_api);
        assert!(fixture.identify_at(token, Resource::Mcp).await.is_ok());
    }
    let whole = fixture.refresh(narrowed.refresh.unwrap().expose()).await.unwrap();
    assert!(
        fixture.identify(whole.access.expose()).await.is_ok(),
        "narrowing one token does not narrow the grant"
    );
}

async fn access_token_expires_after_an_hour(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let tokens = fixture.tokens().await;
    fixture.clock().advance(3_599_999);
    assert!(fixture.identify(tokens.access.expose()).await.is_ok());
    fixture.clock().advance(1);
    let error = fixture.identify(tokens.access.expose()).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidCredential, "the reason of the refusal is not revealed");
}

async fn approval_from_a_closed_session_is_refused(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    crate::accounts::sign_out(fixture.domain(), &fixture.session.secret).await.unwrap();
    let page = fixture.page().await;
    let approval = Approval { session: &fixture.session, network: &network(), may_change: true, page: &page };
    let request = validated(&fixture.client, Audience::Everywhere);
    let error = approve(fixture.domain(), &request, approval).await.unwrap_err();
    assert_eq!(error.code, Code::FormExpired);
}

async fn approval_from_an_expired_session_is_refused(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    fixture.clock().advance(365 * DAY);
    let page = fixture.page().await;
    let approval = Approval { session: &fixture.session, network: &network(), may_change: true, page: &page };
    let request = validated(&fixture.client, Audience::Everywhere);
    let error = approve(fixture.domain(), &request, approval).await.unwrap_err();
    assert_eq!(error.code, Code::FormExpired);
}

async fn least_recently_used_grant_is_revoked_beyond_fifty(backend: Backend) {
    let fixture = Fixture::on(backend).await;
    let first = fixture.tokens().await;
    for _ in 0..49 {
        fixture.clock().advance(1);
        fixture.tokens().await;
    }
    let live = async || fixture.grants().await.iter().filter(|grant| grant.ended.is_none()).count();
    assert_eq!(live().await, 50);
    fixture.clock().advance(1);
    fixture.use_and_wait(first.access.expose()).await;
    fixture.tokens().await;
    assert_eq!(live().await, 50);
    assert!(
        fixture.identify(first.access.expose()).await.is_ok(),
        "the most recently used token is retained"
    );
}

on_both! {
    code_is_exchanged_for_tokens_of_the_approving_account,
    failed_exchange_does_not_consume_the_code,
    second_exchange_of_a_code_revokes_the_grant,
    code_expires_after_a_minute,
    only_one_of_concurrent_code_exchanges_succeeds,
    token_is_valid_only_for_its_audience,
    access_token_expires_after_an_hour,
    approval_from_a_closed_session_is_refused,
    approval_from_an_expired_session_is_refused,
    least_recently_used_grant_is_revoked_beyond_fifty,
}
