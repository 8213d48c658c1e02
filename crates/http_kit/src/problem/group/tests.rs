//! Tests that every code has a row in every error group.

use super::*;

const GROUPS: [ErrorGroup; 3] = [ErrorGroup::Reader, ErrorGroup::Articles, ErrorGroup::Developer];

#[test]
fn every_group_has_a_complete_entry_for_every_code() {
    for code in Code::ALL {
        for group in GROUPS {
            let (entry, status) = group.entry(*code);
            assert!((400..600).contains(&status), "{code} {group:?}");
            assert_eq!(group.entry(entry.code), (entry, status), "{code} is replaced by a code of the group");
            assert!(
                !entry.title.is_empty() && entry.meaning.ends_with('.') && entry.resolution.ends_with('.')
            );
            let has_own_entry = entry.code == *code;
            // For 507 (RFC 4918, section 11.5), a retry may succeed after the operator has freed space.
            let says_retry = matches!(status, 429 | 502..=504 | 507);
            assert!(!has_own_entry || code.is_transient() == says_retry, "{code}");
        }
    }
}

#[test]
fn malformed_request_status_depends_on_group() {
    let status = |group: ErrorGroup, code| group.entry(code).1;
    for code in [Code::InvalidRequest, Code::InvalidUrl, Code::UrlNotAllowed, Code::CredentialInUrl] {
        assert_eq!((status(ErrorGroup::Articles, code), status(ErrorGroup::Developer, code)), (400, 422));
    }
    assert_eq!(status(ErrorGroup::Articles, Code::SourceNotFound), 422);
}
