//! Refresh tokens: legitimate repeats, and detection of theft.

use super::super::*;
use super::setting::{DAY, MINUTE, Setting, app, network};
use kernel::Backend;
use kernel::scope::Scopes;
use kernel::testing::on_both;

fn next(tokens: &Tokens) -> String {
    tokens.refresh.as_ref().unwrap().expose().to_owned()
}

async fn a_refresh_token_gives_way_to_one_successor(backend: Backend) {
    let setting = Setting::on(backend).await;
    let first = setting.tokens().await;
    let second = setting.refresh(&next(&first)).await.unwrap();
    assert_ne!(next(&first), next(&second));
    assert_eq!((second.expires_in, second.scopes), (3600, Scopes::WRITE));
    for tokens in [&first, &second] {
        assert!(setting.identify(tokens.access.expose()).await.is_ok(), "an access token lives its hour");
    }
    setting.clock().advance(119_999);
    let repeated = setting.refresh(&next(&first)).await.unwrap();
    assert_eq!(next(&repeated), next(&second), "a repeat gets the same successor");
    assert_ne!(repeated.access.expose(), second.access.expose(), "and an access token of its own");
    assert_eq!(setting.grants().await[0].last_used_from.as_deref(), Some("192.0.2.7"));
}

async fn a_lost_answer_never_costs_the_login(backend: Backend) {
    let setting = Setting::on(backend).await;
    let first = setting.tokens().await;
    let second = setting.refresh(&next(&first)).await.unwrap();
    setting.clock().advance(20 * DAY);
    let repeated = setting.refresh(&next(&first)).await.unwrap();
    assert_eq!(next(&repeated), next(&second), "nothing of the successor was used");
    setting.use_noted(repeated.access.expose()).await;
    setting.clock().advance(MINUTE);
    assert_eq!(setting.refresh(&next(&first)).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert!(
        setting.identify(repeated.access.expose()).await.is_err(),
        "who comes late is a thief, or the owner"
    );
    assert_eq!(setting.refresh(&next(&second)).await.unwrap_err(), OAuthCode::InvalidGrant);
    assert_eq!(setting.grants().await[0].ended.unwrap().1, GrantEnd::Reuse);
}

async fn a_grandparent_ends_the_family(backend: Backend) {
    let setting = Setting::on(backend).await;
    let first = setting.tokens().await;
    let second = setting.refresh(&next(&first)).await.unwrap();
    let third = setting.refresh(&next(&second)).await.unwrap();
    assert_eq!(setting.refresh(&next(&first)).await.unwrap_err(), OAuthCode::InvalidGrant);
    for tokens in [&first, &second, &third] {
        assert!(setting.identify(tokens.access.expose()).await.is_err());
        assert_eq!(setting.refresh(&next(tokens)).await.unwrap_err(), OAuthCode::InvalidGrant);
    }
}

async fn a_repeat_that_asks_for_something_else_ends_the_family(backend: Backend) {
    let setting = Setting::on(backend).await;
    let first = setting.tokens().await;
    let second = setting.refresh(&next(&first)).await.unwrap();
    let other = setting.refresh_for(&next(&first), Some(Scopes::READ)).await;
    assert_eq!(other.unwrap_err(), OAuthCode::InvalidGrant);
    assert!(setting.identify(second.access.expose()).await.is_err());
}

async fn scopes_are_narrowed_for_one_token_and_never_widened(backend: Backend) {
    let setting = Setting::on(backend).await;
    let first = setting.tokens().await;
    let narrow = setting.refresh_for(&next(&first), Some(Scopes::READ)).await.unwrap();
    assert_eq!(setting.identify(narrow.access.expose()).await.unwrap().scopes, Scopes::READ);
    let whole = setting.refresh(&next(&narrow)).await.unwrap();
    assert_eq!(whole.scopes, Scopes::WRITE, "the grant stayed as it was");
    let page = setting.page().await;
    let reading = Approval { session: &setting.session, network: &network(), may_change: false, page: &page };
    let asked = super::setting::checked(&setting.client, Audience::Everywhere);
    let code = approve(setting.domain(), &asked, reading).await.unwrap().code;
    let read_only = setting.exchange(code.expose()).await.unwrap();
    assert_eq!(read_only.scopes, Scopes::READ, "the person took changing away");
    let wider = setting.refresh_for(&next(&read_only), Some(Scopes::WRITE)).await;
    assert_eq!(wider.unwrap_err(), OAuthCode::InvalidScope);
    assert!(setting.refresh(&next(&read_only)).await.is_ok(), "and nothing was used up");
}

async fn another_app_is_refused_and_ends_nothing(backend: Backend) {
    let setting = Setting::on(backend).await;
    let first = setting.tokens().await;
    let (other, network) = (app(setting.domain(), "Another").await, network());
    let token = next(&first);
    for _ in 0..2 {
        let sent = Refresh { client: &other, token: &token, scopes: None, audience: None, network: &network };
        assert_eq!(refresh(setting.domain(), sent).await.unwrap_err().code, OAuthCode::InvalidGrant);
    }
    let second = setting.refresh(&token).await.unwrap();
    setting.clock().advance(DAY);
    setting.refresh(&next(&second)).await.unwrap();
    let sent = Refresh { client: &other, token: &token, scopes: None, audience: None, network: &network };
    assert_eq!(refresh(setting.domain(), sent).await.unwrap_err().code, OAuthCode::InvalidGrant);
    assert_eq!(setting.grants().await[0].ended, None);
}

async fn a_refresh_token_lives_thirty_days_unused_and_its_grant_half_a_year(backend: Backend) {
    let setting = Setting::on(backend).await;
    let mut tokens = setting.tokens().await;
    let unused = setting.tokens().await;
    for _ in 0..6 {
        setting.clock().advance(30 * DAY - 1);
        tokens = setting.refresh(&next(&tokens)).await.unwrap();
    }
    assert_eq!(setting.refresh(&next(&unused)).await.unwrap_err(), OAuthCode::InvalidGrant);
    // 6 milliseconds are left, and a refresh does not extend them.
    assert_eq!(tokens.expires_in, 0);
    setting.clock().advance(5);
    tokens = setting.refresh(&next(&tokens)).await.unwrap();
    setting.clock().advance(1);
    assert!(setting.identify(tokens.access.expose()).await.is_err());
    assert_eq!(setting.refresh(&next(&tokens)).await.unwrap_err(), OAuthCode::InvalidGrant);
    remove_old(setting.domain()).await.unwrap();
    let mut ends: Vec<GrantEnd> =
        setting.grants().await.iter().filter_map(|grant| grant.ended).map(|(_, why)| why).collect();
    ends.sort_by_key(|why| *why == GrantEnd::Idle);
    assert_eq!(ends, [GrantEnd::Age, GrantEnd::Idle]);
}

async fn of_sixteen_refreshes_at_once_one_rotates_and_all_agree(backend: Backend) {
    let setting = Setting::on(backend).await;
    let second = setting.test.second_handle().await;
    let mut tokens = setting.tokens().await;
    for round in 0..25 {
        let token = next(&tokens);
        let tasks: Vec<_> = (0..16)
            .map(|turn| {
                let domain = if turn % 2 == 0 { setting.domain().clone() } else { second.clone() };
                let (client, token, network) = (setting.client.clone(), token.clone(), network());
                tokio::spawn(async move {
                    let network = &network;
                    let sent =
                        Refresh { client: &client, token: &token, scopes: None, audience: None, network };
                    refresh(&domain, sent).await.map_err(|error| error.code)
                })
            })
            .collect();
        let mut answers = Vec::new();
        for task in tasks {
            answers.push(task.await.unwrap().unwrap_or_else(|code| panic!("round {round}: {code:?}")));
        }
        let followers: std::collections::HashSet<String> = answers.iter().map(next).collect();
        assert_eq!(followers.len(), 1, "round {round}");
        tokens = answers.pop().unwrap();
        assert!(setting.identify(tokens.access.expose()).await.is_ok());
        // Move past the hourly refresh limit.
        setting.clock().advance(3_600_000);
    }
}

async fn renewals_of_a_grant_have_a_limit(backend: Backend) {
    let setting = Setting::on(backend).await;
    let mut tokens = setting.tokens().await;
    for _ in 0..60 {
        tokens = setting.refresh(&next(&tokens)).await.unwrap();
    }
    assert_eq!(setting.refresh(&next(&tokens)).await.unwrap_err(), OAuthCode::TemporarilyUnavailable);
    let other = setting.tokens().await;
    assert!(setting.refresh(&next(&other)).await.is_ok(), "another grant has its own");
    setting.clock().advance(60 * MINUTE);
    assert!(setting.refresh(&next(&tokens)).await.is_ok(), "nothing was ended or used up");
}

on_both! {
    a_refresh_token_gives_way_to_one_successor: a_refresh_token_gives_way_to_one_successor_on_sqlite, a_refresh_token_gives_way_to_one_successor_on_postgres;
    a_lost_answer_never_costs_the_login: a_lost_answer_never_costs_the_login_on_sqlite, a_lost_answer_never_costs_the_login_on_postgres;
    a_grandparent_ends_the_family: a_grandparent_ends_the_family_on_sqlite, a_grandparent_ends_the_family_on_postgres;
    a_repeat_that_asks_for_something_else_ends_the_family: a_repeat_that_asks_for_something_else_ends_the_family_on_sqlite, a_repeat_that_asks_for_something_else_ends_the_family_on_postgres;
    scopes_are_narrowed_for_one_token_and_never_widened: scopes_are_narrowed_for_one_token_and_never_widened_on_sqlite, scopes_are_narrowed_for_one_token_and_never_widened_on_postgres;
    another_app_is_refused_and_ends_nothing: another_app_is_refused_and_ends_nothing_on_sqlite, another_app_is_refused_and_ends_nothing_on_postgres;
    a_refresh_token_lives_thirty_days_unused_and_its_grant_half_a_year: a_refresh_token_lives_thirty_days_on_sqlite, a_refresh_token_lives_thirty_days_on_postgres;
    of_sixteen_refreshes_at_once_one_rotates_and_all_agree: of_sixteen_refreshes_at_once_one_rotates_on_sqlite, of_sixteen_refreshes_at_once_one_rotates_on_postgres;
    renewals_of_a_grant_have_a_limit: renewals_of_a_grant_have_a_limit_on_sqlite, renewals_of_a_grant_have_a_limit_on_postgres;
}
