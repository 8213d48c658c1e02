//! Tests of codes: unique texts and classes.

use std::collections::BTreeSet;

use super::*;

#[test]
fn codes_have_unique_texts_that_parse_back() {
    let texts: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), Code::ALL.len(), "two codes share a text");
    for code in Code::ALL {
        assert_eq!(code.as_str().parse(), Ok(*code));
        let is_plain = code.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        assert!(is_plain, "{code} is not in snake case");
    }
    assert_eq!("source_not_fuond".parse::<Code>(), Err(UnknownCode));
}

#[test]
fn source_errors_are_transient_only_if_upstream() {
    assert!(Code::SourceTlsError.is_transient() && Code::SourceTimeout.is_transient());
    assert!(!Code::SourceNotFound.is_transient() && !Code::Paywalled.is_transient());
}
