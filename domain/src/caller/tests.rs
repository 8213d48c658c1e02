//! Scopes, and which credential decides.

use super::*;
use crate::code::Code;
use entities::ids::{AccountId, KeyId};

#[test]
fn write_holds_read_and_read_does_not_hold_write() {
    assert!(Scopes::WRITE.allow(Scope::Read) && Scopes::WRITE.allow(Scope::Write));
    assert!(Scopes::READ.allow(Scope::Read) && !Scopes::READ.allow(Scope::Write));
    assert_eq!(Scopes::parse(["svc:read", "svc:write"]), Some(Scopes::ALL));
    assert_eq!(Scopes::parse(["svc:admin"]), None);
    assert_eq!(Scopes::parse([]), None);
    assert_eq!(Scopes::ALL.names(), ["svc:read", "svc:write"]);
}

#[test]
fn a_key_is_no_person_and_a_reader_may_not_write() {
    let caller = Caller {
        account_id: AccountId::from_u128(0),
        tier: Tier::Free,
        scopes: Scopes::READ,
        credential: Credential::Key(KeyId::from_u128(0)),
    };
    assert_eq!(caller.require(Scope::Write).unwrap_err().code, Code::InsufficientScope);
    assert!(caller.require(Scope::Read).is_ok());
    assert_eq!(caller.require_session().unwrap_err().code, Code::OwnerRequired);
}
