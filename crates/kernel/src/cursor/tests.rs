//! Tests of signed cursors: modified cursors and cursors of another scope are rejected.

use super::*;

#[test]
fn cursor_opens_only_with_its_own_binding_and_key() {
    let key = CursorKey::new([7; 32]);
    let cursor = key.seal("read", b"here");
    assert_eq!(key.open("read", &cursor).as_deref(), Some(b"here".as_slice()));
    assert_eq!(key.open("list", &cursor), None);
    assert_eq!(CursorKey::new([8; 32]).open("read", &cursor), None);
}

#[test]
fn modified_or_forged_cursor_is_rejected() {
    let key = CursorKey::new([7; 32]);
    let cursor = key.seal("read", b"here");
    for at in 0..cursor.len() {
        let mut bytes = cursor.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        if changed != cursor {
            assert_eq!(key.open("read", &changed), None, "byte {at}");
        }
    }
    for wrong in ["", "A", "====", "not base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        assert_eq!(key.open("read", wrong), None);
    }
}

#[test]
fn debug_output_does_not_contain_the_key() {
    assert_eq!(format!("{:?}", CursorKey::new([7; 32])), "CursorKey");
}
