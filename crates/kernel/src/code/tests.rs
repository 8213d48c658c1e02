//! Every code has one meaning, one class and one word.

use std::collections::BTreeSet;

use super::*;

#[test]
fn every_code_has_a_text_of_its_own_that_reads_back() {
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
fn a_fault_of_the_source_is_passing_exactly_when_it_is_upstream() {
    assert!(Code::SourceTlsError.is_transient() && Code::SourceTimeout.is_transient());
    assert!(!Code::SourceNotFound.is_transient() && !Code::Paywalled.is_transient());
}
