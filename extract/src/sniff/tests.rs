//! Files with missing, correct and incorrect declared types.

use super::*;

fn kind(head: &[u8], declared: &str, name: &str) -> (String, Option<&'static str>) {
    let kind = sniff(head, head, declared, name).unwrap();
    (kind.media_type, kind.format)
}

fn type_of(media_type: &str, format: &'static str) -> (String, Option<&'static str>) {
    (media_type.to_owned(), Some(format))
}

const DOCX: &[u8] =
    b"PK\x03\x04........................\0\0[Content_Types].xml....PK\x03\x04...word/document.xml";
const EPUB: &[u8] = b"PK\x03\x04..........................mimetypeapplication/epub+zipPK";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

#[test]
fn undeclared_file_is_detected_by_its_bytes_or_by_its_name_if_it_is_text() {
    for silent in ["", "application/octet-stream", "application/x-www-form-urlencoded"] {
        assert_eq!(kind(b"%PDF-1.7", silent, "a.txt"), type_of("application/pdf", "pdf"));
        assert_eq!(kind(EPUB, silent, "x"), type_of("application/epub+zip", "epub"));
        assert_eq!(kind(DOCX, silent, "x").1, Some("docx"));
        assert_eq!(kind(b"PK\x03\x04 and something", silent, "x.docx"), ("application/zip".into(), None));
        assert_eq!(kind(PNG, silent, "x.pdf"), ("image/png".into(), None));
        assert_eq!(kind(b"a,b\n1,2", silent, "x.CSV"), type_of("text/csv", "csv"));
        assert_eq!(kind(b"# A", silent, "x.md"), type_of("text/markdown", "markdown"));
        assert_eq!(kind(b"words", silent, "x"), type_of("text/plain", "text"));
        assert_eq!(kind(b"WEBVTT\n\n", silent, "x"), type_of("text/vtt", "vtt"));
        assert_eq!(kind(b"\0\x01\x02", silent, "x.pdf"), ("application/octet-stream".into(), None));
        assert_eq!(kind(b"\0\0\0\x18ftypM4A ....", silent, "x"), ("audio/mp4".into(), None));
    }
}

#[test]
fn declared_type_is_used_unless_the_bytes_contradict_it() {
    assert_eq!(kind(b"# A", "text/markdown; charset=utf-8", "x"), type_of("text/markdown", "markdown"));
    assert_eq!(kind(b"# A", "text/plain", "x.md"), type_of("text/plain", "markdown"));
    assert_eq!(kind(b"a,b", "text/csv", "x.txt"), type_of("text/csv", "csv"));
    assert_eq!(kind(b"<!doctype html><p>x", "text/plain", "x"), type_of("text/plain", "text"));
    assert_eq!(kind(DOCX, "application/zip", "x").1, Some("docx"));
    assert_eq!(kind(b"\0\x01", "application/msword", "x"), ("application/msword".into(), None));
    assert_eq!(kind(b"<svg/>", "image/svg+xml", "x"), ("image/svg+xml".into(), None));
    assert_eq!(kind(b"\0\0\0\x18ftypisom....", "audio/mp4", "x"), ("video/mp4".into(), None));
}

#[test]
fn contradicted_declared_type_is_refused_with_both_types() {
    for (head, declared, detected) in [
        (&b"%PDF-1.7"[..], "image/png", "application/pdf"),
        (PNG, "application/pdf", "image/png"),
        (b"<!doctype html>", "application/pdf", "text/html"),
        (b"\0\x01", "text/plain", "application/octet-stream"),
        (EPUB, "text/plain", "application/epub+zip"),
        (b"just text", "application/epub+zip", "text/plain"),
        (b"just text", "audio/mpeg", "text/plain"),
        (
            DOCX,
            "application/epub+zip",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
    ] {
        let mismatch = sniff(head, head, declared, "x").unwrap_err();
        assert_eq!((mismatch.declared.as_str(), mismatch.detected.as_str()), (declared, detected));
    }
}

#[test]
fn truncated_files_do_not_panic() {
    for whole in [DOCX, EPUB, PNG, b"RIFF....WEBP"] {
        for end in 0..whole.len() {
            let _ = sniff(&whole[..end], &whole[end..], "", "x");
        }
    }
}
