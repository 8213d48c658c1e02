//! Tests of scopes and of credential checks.

use super::*;
use entities::ids::{AccountId, GrantId, KeyId};
use kernel::Code;

#[test]
fn write_scope_includes_read_scope() {
    assert!(Scopes::WRITE.allow(Scope::Read) && Scopes::WRITE.allow(Scope::Write));
    assert!(Scopes::READ.allow(Scope::Read) && !Scopes::READ.allow(Scope::Write));
    assert_eq!(Scopes::parse(["svc:read", "svc:write"]), Some(Scopes::ALL));
    assert_eq!(Scopes::parse(["svc:admin"]), None);
    assert_eq!(Scopes::parse([]), None);
    assert_eq!(Scopes::ALL.names(), ["svc:read", "svc:write"]);
}

#[test]
fn keys_and_tokens_are_not_sessions_and_need_write_scope() {
    let (grant, client) = (GrantId::from_u128(0), ClientHash::of("an app"));
    for credential in [Credential::Key(KeyId::from_u128(0)), Credential::Token { grant, client }] {
        let (account_id, tier) = (AccountId::from_u128(0), Tier::Free);
        let caller = Caller { account_id, tier, scopes: Scopes::READ, credential };
        assert_eq!(caller.require(Scope::Write).unwrap_err().code, Code::InsufficientScope);
        assert!(caller.require(Scope::Read).is_ok());
        assert_eq!(caller.require_session().unwrap_err().code, Code::OwnerRequired);
    }
}

#[test]
fn token_of_an_app_is_not_a_credential_of_the_account() {
    let (grant, client) = (GrantId::from_u128(0), ClientHash::of("an app"));
    let check = |credential| {
        let (account_id, tier) = (AccountId::from_u128(0), Tier::Free);
        let caller = Caller { account_id, tier, scopes: Scopes::ALL, credential };
        caller.require_own_credential().map_err(|error| error.code)
    };
    assert_eq!(check(Credential::Session), Ok(()));
    assert_eq!(check(Credential::Key(KeyId::from_u128(0))), Ok(()));
    assert_eq!(check(Credential::Token { grant, client }), Err(Code::OwnerRequired));
}
