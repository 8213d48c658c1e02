//! Encodings from byte order marks, headers, declarations and detection.

use super::*;

#[test]
fn byte_order_mark_overrides_header() {
    let bytes = b"\xff\xfeh\0i\0";
    assert_eq!(decode(bytes, Some("text/html; charset=iso-8859-1")), "hi");
}

#[test]
fn header_overrides_declaration_in_the_page() {
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
fn utf8_with_one_invalid_byte_is_decoded_as_utf8() {
    let mut bytes = "Grüße aus der Stadt. ".repeat(50).into_bytes();
    bytes.push(0xff);
    assert!(decode(&bytes, Some("text/html; charset=utf-8")).starts_with("Grüße"));
}

#[test]
fn single_windows_1252_characters_in_utf8_are_decoded() {
    let umlauts = "ü".repeat(40);
    let pasted = [umlauts.as_bytes(), b" don\x92t \x93go\x94 a\xa0b \xe9t\xe9"].concat();
    let cut = [umlauts.as_bytes(), b" na\xc3 b\xe2\x80 \xbc"].concat();
    let short = b"Caf\xc3\xa9, caf\xe9, na\xc3\xafve, \xc3\xbcber, gr\xc3\xb6\xc3\x9fe".to_vec();
    for (bytes, expected) in [
        (short, "Café, café, naïve, über, größe".to_owned()),
        (pasted, format!("{umlauts} don’t “go” a\u{a0}b été")),
        (cut, format!("{umlauts} na\u{fffd} b\u{fffd} \u{fffd}")),
    ] {
        assert_eq!(decode(&bytes, None), expected);
        assert_eq!(decode(&bytes, Some("text/plain; charset=utf-8")), expected);
    }
    // Text in other encodings is not read as UTF-8.
    let (bytes, _, _) = encoding_rs::GBK.encode("港口是在大风暴之后建造的，那时渔民失去了船。");
    assert!(decode(&bytes, None).starts_with("港口是在"));
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode("Гавань была построена после бури");
    assert!(decode(&bytes, None).starts_with("Гавань"));
}

#[test]
fn latin1_text_declared_as_utf8_is_detected() {
    assert!(
        decode(b"caf\xe9 cr\xe8me et d\xe9j\xe0 vu", Some("text/html; charset=utf-8"))
            .starts_with("café crème")
    );
}

/// Encoding that a probe detects, and text that a decoder returns, for a text in pieces of `length` bytes.
fn probed(bytes: &[u8], length: usize) -> (&'static str, String) {
    let mut probe = EncodingProbe::default();
    for piece in bytes.chunks(length) {
        probe.push(piece);
    }
    let encoding = probe.finish();
    let mut decoder = PieceDecoder::new(encoding);
    let mut text = Vec::new();
    for piece in bytes.chunks(length) {
        text.extend_from_slice(decoder.decode(piece));
    }
    text.extend_from_slice(decoder.finish());
    (encoding.encoding.name(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn text_in_pieces_is_decoded_by_byte_order_mark_declaration_or_detection() {
    let utf16: Vec<u8> = "Größe,十六\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ascii16: Vec<u8> =
        "title,url\nSixteen ü,https://a.example/\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let latin = encoding_rs::WINDOWS_1252.encode("title,url\nGröße und Übung,u\n").0;
    let long_latin = [b"title,url\n".repeat(50_000), latin.to_vec()].concat();
    let russian = encoding_rs::WINDOWS_1251.encode("Новости и книги").0;
    let declared = [b"<META CONTENT=\"text/html; charset=windows-1251\">".as_slice(), &russian].concat();
    let damaged = ["ü".repeat(100).as_bytes(), b"\xff".as_slice()].concat();
    for length in [1, 3, 64 * 1024] {
        assert_eq!(probed("Größe, 十六".as_bytes(), length), ("UTF-8", "Größe, 十六".to_owned()));
        assert_eq!(probed(b"\xef\xbb\xbfa", length), ("UTF-8", "a".to_owned()));
        assert_eq!(probed(&[b"\xff\xfe".as_slice(), &utf16].concat(), length).1, "Größe,十六\n");
        assert_eq!(probed(&ascii16, length).0, "UTF-16BE");
        assert!(probed(&latin, length).1.ends_with("Größe und Übung,u\n"));
        assert!(probed(&long_latin, length).1.ends_with("Größe und Übung,u\n"), "few letters in a long text");
        assert!(probed(&declared, length).1.ends_with("Новости и книги"));
        assert_eq!(probed(&damaged, length).0, "UTF-8");
    }
}

#[test]
fn text_that_does_not_fit_a_detected_encoding_is_doubtful() {
    let probe = |bytes: &[u8]| {
        let mut probe = EncodingProbe::default();
        probe.push(bytes);
        probe.finish()
    };
    let russian = probe(&encoding_rs::WINDOWS_1251.encode("Новости и книги").0);
    for (text, is_doubtful) in [
        ("Новости", false),
        ("IT-отдел", false),
        ("Plain", false),
        ("GrцЯe", true),
        ("Îíîâîñòè", true),
        ("Zażółć gęślą jaźń", false),
        ("a\u{81}b", true),
        ("Webサイト", false),
        ("Grﾖﾟe", true),
    ] {
        assert_eq!(russian.doubts(text), is_doubtful, "{text}");
    }
    let german = probe(b"Gr\xf6\xdfe und \xdcbung f\xfcr Anf\xe4nger");
    for (text, is_doubtful) in [("Größe", false), ("GrÃ¶ÃŸe", true), ("Ãœbung 1", true), ("Ü", false)]
    {
        assert_eq!(german.doubts(text), is_doubtful, "{text}");
    }
    let few = probe(b"Gr\xf6\xdfe");
    assert!(few.doubts("Größe") && !few.doubts("Plain"));
    assert!(!few.is_known() && !russian.is_known());
    for known in
        [probe("Größe".as_bytes()), probe(b"<meta charset=windows-1252>Gr\xf6\xdfe"), TextEncoding::BYTES]
    {
        assert!(known.is_known() && !known.doubts("GrцЯe"));
    }
}

#[test]
fn utf16_without_byte_order_mark_is_detected() {
    let pages = [
        "<p>Größe “überall”</p>",
        "Größe\nund Übung, überall und immer.\n",
        "Гавань была построена после бури, когда рыбаки потеряли лодки.\n",
        "Το λιμάνι χτίστηκε μετά τη μεγάλη καταιγίδα.\n",
        "港は大嵐の後に建てられた。\n漁師たちは船を失った。\n",
        "一座港口，建于 1801 年的大风暴之后。\n一百名渔民失去了船。\n",
        "\u{3000}항구는 큰 폭풍이 지나간 뒤에 지어졌다.\r\n어부들은 배를 잃었다.\r\n",
        "<p>漁師たちは「船」を失い、石の壁を建てることに決めたのである。</p>",
    ];
    for page in pages {
        let little: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!((decode(&little, None).as_str(), decode(&big, None).as_str()), (page, page));
    }
    let shift_jis = encoding_rs::SHIFT_JIS.encode("港は大嵐の後に建てられた。漁師たちは船を失った。").0;
    let numbers: Vec<u8> =
        (0..400_u16).flat_map(|number| number.wrapping_mul(24_989).to_le_bytes()).collect();
    for other in [
        b"a\0b".as_slice(),
        b"text",
        &[0; 64],
        b"\x01\0\0\0\x02\0\0\0\x03\0\0\0",
        &shift_jis,
        &[&shift_jis[..], b"\0\0"].concat(),
        &numbers,
    ] {
        assert_eq!(utf16_without_mark(other), None, "{other:?}");
    }
}
