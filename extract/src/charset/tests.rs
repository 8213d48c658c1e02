//! Encodings from byte order marks, headers, declarations and detection.

use super::*;

#[test]
fn byte_order_mark_overrides_header() {
    let bytes = b"\xff\xfeh\0i\0";
    assert_eq!(decode(bytes, Some("text/html; charset=iso-8859-1")), "hi");
}

#[test]
fn header_overrides_declaration_in_page() {
    let bytes = b"<meta charset=windows-1252>\xc6\xe5";
    assert!(decode(bytes, Some("text/html; charset=\"windows-1251\"")).ends_with("Же"));
}

#[test]
fn charset_is_read_from_meta_and_xml_declarations() {
    assert!(decode(b"<meta charset='windows-1251'>\xc6\xe5", None).ends_with("Же"));
    let old = b"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\xc6\xe5";
    assert!(decode(old, None).ends_with("Же"));
    assert!(decode(b"<?xml version='1.0' encoding='windows-1251'?>\xc6\xe5", None).ends_with("Же"));
}

#[test]
fn valid_utf8_overrides_declared_charset() {
    assert_eq!(decode("Grüße".as_bytes(), Some("text/html; charset=iso-8859-1")), "Grüße");
}

#[test]
fn undeclared_japanese_is_detected() {
    let (bytes, _, _) =
        encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。文字コードの検出を試験します。");
    assert!(decode(&bytes, None).starts_with("これは日本語"));
}

#[test]
fn declared_iso_2022_jp_is_decoded() {
    let (bytes, _, _) = encoding_rs::ISO_2022_JP.encode("日本");
    assert_eq!(decode(&bytes, Some("text/plain; charset=iso-2022-jp")), "日本");
}

#[test]
fn utf8_with_one_broken_byte_is_still_utf8() {
    let mut bytes = "Grüße aus der Stadt. ".repeat(50).into_bytes();
    bytes.push(0xff);
    assert!(decode(&bytes, Some("text/html; charset=utf-8")).starts_with("Grüße"));
}

#[test]
fn latin1_text_declared_as_utf8_is_detected() {
    assert!(
        decode(b"caf\xe9 cr\xe8me et d\xe9j\xe0 vu", Some("text/html; charset=utf-8"))
            .starts_with("café crème")
    );
}
