//! Tests of lock-out protection and of password recovery.

use super::*;
use crate::limits::AccountLimits;

async fn failures_from_one_network_do_not_lock_the_owner_out(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    for attempt in 0..50 {
        let email = format!("nobody{attempt}@example.org");
        let error = fixture.sign_in_from("192.0.2.66", &email, "wrong password").await.unwrap_err();
        assert_eq!(error.code, Code::InvalidCredential);
    }
    for _ in 0..200 {
        let error = fixture.sign_in_from("192.0.2.66", EMAIL, "wrong password").await.unwrap_err();
        assert_eq!(
            error.code,
            Code::RateLimited,
            "attempts from a network over its limit do not count against the account"
        );
    }
    for _ in 0..40 {
        fixture.sign_in_from("192.0.2.67", EMAIL, "wrong password").await.unwrap_err();
    }
    assert!(
        fixture.sign_in(EMAIL, PASSWORD).await.is_ok(),
        "ten wrong attempts elsewhere do not lock the account"
    );
    for machine in 68..80 {
        for _ in 0..10 {
            let from = format!("192.0.2.{machine}");
            fixture.sign_in_from(&from, EMAIL, "wrong password").await.unwrap_err();
        }
    }
    let many = fixture.sign_in(EMAIL, PASSWORD).await.unwrap_err();
    assert_eq!(many.code, Code::RateLimited, "a hundred attempts from ten networks lock the account");
}

async fn known_browser_is_not_locked_out_by_strangers(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    let home = fixture.sign_in_with(None, "192.0.2.1", EMAIL, PASSWORD).await.unwrap().browser;
    for machine in 1..=10 {
        for _ in 0..10 {
            let from = format!("192.0.2.{machine}");
            fixture.sign_in_from(&from, EMAIL, "wrong password").await.unwrap_err();
        }
    }
    assert_eq!(fixture.sign_in(EMAIL, PASSWORD).await.unwrap_err().code, Code::RateLimited);
    let from_home = |password| fixture.sign_in_with(Some(&home), "192.0.2.1", EMAIL, password);
    from_home(PASSWORD).await.unwrap();
    for _ in 0..10 {
        assert_eq!(from_home("wrong password").await.unwrap_err().code, Code::InvalidCredential);
    }
    assert_eq!(
        from_home(PASSWORD).await.unwrap_err().code,
        Code::RateLimited,
        "a known browser has its own limit"
    );
    fixture.test.clock.advance(900_000);
    set_password(&fixture.test.domain, &fixture.passwords, EMAIL, "another fine password").await.unwrap();
    for _ in 0..10 {
        fixture.sign_in(EMAIL, PASSWORD).await.unwrap_err();
    }
    let known_before = from_home("another fine password").await.unwrap_err();
    assert_eq!(known_before.code, Code::RateLimited, "a new password resets all known browsers");
}

/// An IPv6 connection can have 65,536 networks of size /64. They count as one network.
async fn failures_from_one_ipv6_48_do_not_lock_an_account(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    for subnet in 0..100 {
        let from = format!("2001:db8:1:{subnet:x}::1");
        fixture.sign_in_from(&from, EMAIL, "wrong password").await.unwrap_err();
    }
    assert!(fixture.sign_in(EMAIL, PASSWORD).await.is_ok());
}

/// Addresses without an account share 256 counters. The number of counters that one network can add is
/// bounded by the number of passwords that it may try.
#[tokio::test]
async fn sign_ins_with_unknown_addresses_use_bounded_memory() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    for machine in 0..40 {
        for attempt in 0..50 {
            let (from, email) =
                (format!("192.0.2.{machine}"), format!("nobody{machine}.{attempt}@example.org"));
            fixture.sign_in_from(&from, &email, "wrong password").await.unwrap_err();
        }
    }
    let keys = fixture.test.domain.limits().windows().keys();
    assert!(keys <= 40 + 40 * 50 + 256, "{keys}");
    for attempt in 0..1000 {
        let email = format!("nobody{attempt}@example.net");
        fixture.sign_in_from("192.0.2.1", &email, "wrong password").await.unwrap_err();
    }
    assert_eq!(
        fixture.test.domain.limits().windows().keys(),
        keys,
        "a network over its limit adds no counters"
    );
}

async fn failed_sign_ins_do_not_block_a_password_change(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (account, _) = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    for _ in 0..20 {
        fixture.sign_in_from("192.0.2.66", EMAIL, "wrong password").await.unwrap_err();
    }
    let change =
        ChangePassword { current: PASSWORD, new: "another fine password", access: ExistingAccess::Keep };
    change_password(&fixture.test.domain, &fixture.passwords, account.id, change).await.unwrap();
}

async fn forgotten_password_is_reset_by_link(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, passwords) = (&fixture.test.domain, &fixture.passwords);
    let (_, session) = fixture.sign_up(Signups::Open, EMAIL, None).await.unwrap();
    assert_eq!(create_reset(domain, "nobody@example.org").await.unwrap_err().code, Code::NotFound);
    let older = create_reset(domain, EMAIL).await.unwrap();
    let link = create_reset(domain, EMAIL).await.unwrap();
    let set = |secret: &ResetSecret, new: &'static str| {
        let secret = secret.expose().to_owned();
        async move {
            let servers = SignInServers { provider: None, has_proxy: false };
            let request = ResetPassword { secret: &secret, new, servers };
            reset_password(domain, passwords, request).await.map_err(|error| error.code)
        }
    };
    for valid_link in [&older, &link] {
        assert_eq!(
            find_reset(domain, valid_link.expose()).await.unwrap().email,
            EMAIL,
            "a new link does not revoke an older one"
        );
    }
    assert_eq!(
        set(&link, "short").await,
        Err(Code::InvalidRequest),
        "a rejected password does not use up the link"
    );
    set(&link, "another fine password").await.unwrap();
    assert!(!fixture.holds(&session).await, "a reset ends every session");
    assert!(fixture.sign_in(EMAIL, "another fine password").await.is_ok());
    assert_eq!(set(&link, "a third fine password").await, Err(Code::NotFound), "a link works only once");
    assert_eq!(
        set(&older, "a third fine password").await,
        Err(Code::NotFound),
        "a reset revokes the other links"
    );

    let late = create_reset(domain, EMAIL).await.unwrap();
    fixture.test.clock.advance(3_600_000);
    assert_eq!(
        set(&late, "a third fine password").await,
        Err(Code::NotFound),
        "a link expires after an hour"
    );
    remove_expired(domain).await.unwrap();
    set_password(domain, passwords, EMAIL, PASSWORD).await.unwrap();
    assert!(fixture.sign_in(EMAIL, PASSWORD).await.is_ok());
}

on_both! {
    known_browser_is_not_locked_out_by_strangers,
    failures_from_one_ipv6_48_do_not_lock_an_account,
    failures_from_one_network_do_not_lock_the_owner_out,
    failed_sign_ins_do_not_block_a_password_change,
    forgotten_password_is_reset_by_link,
}
