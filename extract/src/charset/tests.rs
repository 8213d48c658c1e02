//! The encoding of a page is found by its marks, its headers and its bytes.

use super::*;

#[test]
fn a_byte_order_mark_beats_the_header() {
    let bytes = b"\xff\xfeh\0i\0";
    assert_eq!(decode(bytes, Some("text/html; charset=iso-8859-1")), "hi");
}

#[test]
fn the_header_beats_the_page() {
    let bytes = b"<meta charset=windows-1252>\xc6\xe5";
    assert!(decode(bytes, Some("text/html; charset=\"windows-1251\"")).ends_with("Же"));
}

#[test]
fn the_page_says_its_charset_in_either_way() {
    assert!(decode(b"<meta charset='windows-1251'>\xc6\xe5", None).ends_with("Же"));
    let old = b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xc6\xe5";
    assert!(decode(old, None).ends_with("Же"));
    assert!(decode(b"<?xml version='1.0' encoding='windows-1251'?>\xc6\xe5", None).ends_with("Же"));
}

#[test]
fn valid_utf8_is_utf8_whatever_is_declared() {
    assert_eq!(decode("Grüße".as_bytes(), Some("text/html; charset=iso-8859-1")), "Grüße");
}

#[test]
fn japanese_without_a_declaration_is_detected() {
    let (bytes, _, _) =
        encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。文字コードの検出を試験します。");
    assert!(decode(&bytes, None).starts_with("これは日本語"));
}

#[test]
fn escape_coded_japanese_is_decoded_when_declared() {
    let (bytes, _, _) = encoding_rs::ISO_2022_JP.encode("日本");
    assert_eq!(decode(&bytes, Some("text/plain; charset=iso-2022-jp")), "日本");
}

#[test]
fn one_broken_byte_does_not_turn_utf8_into_another_charset() {
    let mut bytes = "Grüße aus der Stadt. ".repeat(50).into_bytes();
    bytes.push(0xff);
    assert!(decode(&bytes, Some("text/html; charset=utf-8")).starts_with("Grüße"));
}

#[test]
fn latin_text_declared_as_utf8_is_detected() {
    assert!(
        decode(b"caf\xe9 cr\xe8me et d\xe9j\xe0 vu", Some("text/html; charset=utf-8"))
            .starts_with("café crème")
    );
}
