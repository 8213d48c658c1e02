//! Messages and web archives.

use super::message::MailHeader;
use crate::{
    BlockKind, Input,
    formats::tests::{read, texts},
};

const PLAIN: &str = "Return-Path: <ann@a.example>\r\nFrom: =?utf-8?q?Ann_Caf=C3=A9?= <ann@a.example>\r\nTo: max@b.example,\r\n eva@b.example\r\nSubject: =?utf-8?B?TGFtcHM=?=\r\n =?utf-8?q?_at_dusk?=\r\nDate: Fri, 03 May 2024 10:00:00 +0200 (CEST)\r\nMessage-ID: <1@a.example>\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDear Max,\r\n\r\nthe caf=E9 is open, and this line is wrapped by the soft=\r\n break.\r\n";

#[test]
fn message_is_read_with_header_and_text() {
    for kind in [Some("message/rfc822"), Some("text/plain"), None, Some("application/octet-stream")] {
        let document = read(PLAIN.as_bytes().to_vec(), kind);
        assert_eq!(document.title, "Lamps at dusk");
        assert_eq!(document.author.as_deref(), Some("Ann Café"));
        assert_eq!(document.published_at.as_deref(), Some("2024-05-03T10:00:00+02:00"));
        let text = texts(&document.blocks);
        assert_eq!(
            text[0].1,
            "From: Ann Café <ann@a.example>\nTo: max@b.example, eva@b.example\nDate: Fri, 03 May 2024 10:00:00 +0200 (CEST)"
        );
        assert_eq!(
            text[1..],
            [
                (BlockKind::Paragraph, "Dear Max,"),
                (BlockKind::Paragraph, "the café is open, and this line is wrapped by the soft break.")
            ]
        );
    }
}

#[test]
fn field_with_many_unfinished_encoded_words_is_read_as_text() {
    let subject = "=?utf-8?q?a".repeat(100_000);
    let message = format!("Subject: {subject}\r\n\r\n");
    let (header, _) = MailHeader::read(message.as_bytes());
    assert_eq!(header.text("Subject").as_deref(), Some(subject.as_str()));
}

#[test]
fn richest_alternative_is_read_and_attachments_are_named() {
    let message = "From: a@a.example\nMIME-Version: 1.0\nSubject: S\nContent-Type: multipart/mixed; boundary=\"out er\"\n\npreamble\n\
        --out er\nContent-Type: multipart/alternative; boundary=in\n\n--in\nContent-Type: text/plain\n\nplain form\n\
        --in\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\nPHA+UmljaCA8YSBo\ncmVmPSJodHRwczovL2EuZXhhbXBsZS8iPmZvcm08L2E+PC9wPg==\n--in--\n\
        --out er\nContent-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment; filename*=utf-8''caf%C3%A9.pdf\n\nJVBERi0=\n\
        --out er\nContent-Type: message/rfc822\n\nFrom: b@a.example\nSubject: Inner\n\ninner text\n--out er--\n";
    let document = read(message.as_bytes().to_vec(), Some("message/rfc822"));
    assert_eq!(
        texts(&document.blocks),
        [
            (BlockKind::Paragraph, "From: a@a.example"),
            (BlockKind::Paragraph, "Rich form"),
            (BlockKind::Heading, "Inner"),
            (BlockKind::Paragraph, "From: b@a.example"),
            (BlockKind::Paragraph, "inner text"),
            (BlockKind::Paragraph, "Attachments: café.pdf"),
        ]
    );
    assert_eq!(document.blocks[1].links[0].url, "https://a.example/");
}

#[test]
fn page_of_a_web_archive_is_read_with_its_original_url() {
    let page = "<html><head><title>Lamps</title></head><body><h1>Lamps</h1><p>The lighthouse keeper counted the ships before dawn and noted each of them in the <a href=3D\"/ledger\">long green ledger</a> by the window.</p></body></html>";
    let archive = format!(
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.example/d/x\r\nSubject: Lamps\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----b\"\r\n\r\n\r\n------b\r\nContent-Type: text/html\r\n\
         Content-Transfer-Encoding: quoted-printable\r\nContent-Location: https://a.example/d/x\r\n\r\n{page}\r\n\
         ------b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0=\r\n------b--\r\n"
    );
    for kind in [Some("multipart/related"), Some("text/plain"), None, Some("message/rfc822")] {
        let document = read(archive.clone().into_bytes(), kind);
        assert_eq!(document.title, "Lamps");
        let paragraph = document.blocks.iter().find(|block| block.kind == BlockKind::Paragraph).unwrap();
        assert!(paragraph.text.ends_with("long green ledger by the window."), "{}", paragraph.text);
        assert_eq!(paragraph.links[0].url, "https://a.example/ledger");
    }
}

#[test]
fn text_with_a_from_line_is_not_mail() {
    let memo = b"From: the keeper\nTo: the harbour office\n\nThe lamp is out.".to_vec();
    assert!(!super::is_mail(&memo));
    let input = Input { bytes: memo, content_type: Some("text/plain".into()), url: None };
    assert!(
        matches!(crate::extract(&input), crate::ExtractionOutcome::Document(document) if document.content_type == "text/plain")
    );
}

#[test]
fn truncated_message_does_not_panic() {
    for end in 0..PLAIN.len() {
        let _ = super::message::MailPart::read(&PLAIN.as_bytes()[..end]).content();
    }
}
