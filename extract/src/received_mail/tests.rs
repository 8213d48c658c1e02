//! Newsletters, and messages that are not valid MIME.

use super::{MailMessage, read};
use crate::{ExtractionOutcome, Warning, render};

fn message(text: &str) -> MailMessage {
    read(text.replace('\n', "\r\n").into_bytes())
}

fn text(message: &MailMessage) -> String {
    match &message.outcome {
        ExtractionOutcome::Document(document) => render::text(&document.blocks),
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields_of_a_newsletter_are_read_and_the_header_is_not_text() {
    let read = message(
        "Authentication-Results: mx.example.net; spf=pass; dkim=pass\nAuthentication-Results: forged.example; spf=pass\n\
         From: Lamps Weekly <news@lamps.example>\nTo: secret-word-1234@in.example.net\nSubject: Issue 7\n\
         Message-ID: <7@lamps.example>\nDate: Fri, 03 May 2024 10:00:00 +0200\nList-Id: Lamps Weekly <Weekly.lamps.example>\n\
         List-Unsubscribe: <mailto:off@lamps.example>, <https://lamps.example/off?u=1>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n\
         Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\nThe lamp is =93lit=94.\n",
    );
    let fields = &read.fields;
    assert_eq!(fields.message_id.as_deref(), Some("7@lamps.example"));
    assert_eq!(fields.subject.as_deref(), Some("Issue 7"));
    assert_eq!(fields.sender.as_deref(), Some("Lamps Weekly <news@lamps.example>"));
    assert_eq!(fields.sender_name.as_deref(), Some("Lamps Weekly"));
    assert_eq!(fields.sender_address.as_deref(), Some("news@lamps.example"));
    assert_eq!(fields.sent_at.as_deref(), Some("2024-05-03T10:00:00+02:00"));
    assert_eq!(fields.list_id.as_deref(), Some("weekly.lamps.example"));
    assert_eq!(fields.unsubscribe_url.as_deref(), Some("https://lamps.example/off?u=1"));
    assert!(fields.is_one_click);
    assert_eq!(fields.authentication_results[0], "mx.example.net; spf=pass; dkim=pass");
    assert_eq!(text(&read), "The lamp is \u{201c}lit\u{201d}.");
}

#[test]
fn multipart_without_boundaries_is_read_as_text() {
    for header in ["multipart/alternative", "multipart/mixed; boundary=lost"] {
        let read = message(&format!("From: a@a.example\nContent-Type: {header}\n\nThe text remains.\n"));
        assert_eq!(text(&read), "The text remains.");
        assert!(read.fields.files.is_empty());
    }
}

#[test]
fn message_without_text_has_fields_and_no_text() {
    let read = message(
        "From: a@a.example\nSubject: Scan\nContent-Type: application/pdf; name=scan.pdf\n\nJVBERi0=\n",
    );
    assert_eq!(read.fields.files[0].name, "scan.pdf");
    assert_eq!(text(&read), "Attachments: scan.pdf");
    let empty = message("From: a@a.example\nSubject: Nothing\n\n");
    assert!(matches!(empty.outcome, ExtractionOutcome::NoText { .. }));
    assert_eq!(empty.fields.subject.as_deref(), Some("Nothing"));
}

#[test]
fn deep_nesting_is_cut_with_a_warning() {
    let mut body = "Content-Type: text/plain\n\ndeepest\n".to_owned();
    for level in 0..1000 {
        body = format!(
            "Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\nContent-Type: text/plain\n\nx\n--b{level}\n{body}\n--b{level}--\n"
        );
    }
    let read = message(&format!("From: a@a.example\n{body}"));
    let ExtractionOutcome::Document(document) = read.outcome else { panic!("no text") };
    assert!(document.warnings.contains(&Warning::TruncatedSource), "{:?}", document.warnings);
    assert!(document.blocks.len() < 20);
}

#[test]
fn invalid_bytes_do_not_panic() {
    for bytes in [&b""[..], b"\0\xff\xfe", b"From:", b"%PDF-1.7", b"PK\x03\x04", b"\n\n--b\n"] {
        let _ = read(bytes.to_vec());
    }
}

#[test]
fn pictures_of_the_message_are_displayed_and_its_files_are_read_by_number() {
    let text = "From: a@a.example\nSubject: Pictures\nContent-Type: multipart/related; boundary=b\n\n\
        --b\nContent-Type: text/html\n\n\
        <p>The lighthouse keeper counted the ships before dawn.</p><p><img src=\"cid:tower@a\" alt=\"A tower by the sea at dawn\"></p>\
        <img src=\"https://a.example/open?u=1\" width=\"1\" height=\"1\"><img src=\"https://pixel.a.example/x\">\n\
        --b\nContent-Type: image/png; name=tower.png\nContent-ID: <tower@a>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n\
        --b\nContent-Type: application/pdf; name=plan.pdf\nContent-Disposition: attachment\n\n%PDF-\n--b--\n";
    let read = message(text);
    let files: Vec<(u32, &str, u64)> =
        read.fields.files.iter().map(|file| (file.number, file.name.as_str(), file.bytes)).collect();
    assert_eq!(files, [(1, "tower.png", 8), (2, "plan.pdf", 5)]);
    assert_eq!((read.fields.tracking_pixels, read.fields.further_files), (2, 0));
    let ExtractionOutcome::Document(document) = &read.outcome else { panic!("{:?}", read.outcome) };
    let html = render::html_with_pictures(&document.blocks);
    assert!(html.contains("https://mail.invalid/1\"") && !html.contains("cid:"), "{html}");
    assert!(!html.contains("open?u=1") && !html.contains("pixel.a"), "{html}");
    assert!(html.contains("Attachments: plan.pdf") && !html.contains("tower.png"), "{html}");
    let bytes = text.replace('\n', "\r\n").into_bytes();
    let picture = super::read_file(&bytes, 1).unwrap();
    assert_eq!(picture.bytes().unwrap(), b"\x89PNG\r\n\x1a\n");
    assert_eq!(super::read_file(&bytes, 2).unwrap().bytes().unwrap(), b"%PDF-");
    for number in [0, 3, u32::MAX] {
        assert_eq!(super::read_file(&bytes, number), None);
    }
}

#[test]
fn sender_without_a_name_is_named_by_the_address_if_there_is_one() {
    let name = |from: &str| message(&format!("From: {from}\n\nText\n")).fields.sender_name;
    for from in ["\"\" <a@a.example>", "<a@a.example>", "a@a.example"] {
        assert_eq!(name(from).as_deref(), Some("a@a.example"), "{from}");
    }
    assert_eq!(name("<>"), None);
}

#[test]
fn media_type_of_a_file_has_no_control_characters() {
    let read = message("From: a@a.example\nContent-Type: application/x\0y; name=a.bin\n\nbytes\n");
    assert_eq!(read.fields.files[0].media_type, "application/xy");
}

#[test]
fn one_click_requires_signed_fields_if_the_message_has_a_signature() {
    let is_one_click = |more: &str| {
        message(&format!(
            "{more}From: a@a.example\nList-Unsubscribe: <https://a.example/off>\n\
             List-Unsubscribe-Post: List-Unsubscribe=One-Click\n\nText\n"
        ))
        .fields
        .is_one_click
    };
    let signature =
        |fields: &str| format!("DKIM-Signature: v=1; a=rsa-sha256; d=a.example;\n h={fields}; b=x\n");
    let covered = signature("From:List-Unsubscribe:\n List-Unsubscribe-Post");
    assert!(is_one_click("") && is_one_click(&covered));
    assert!(!is_one_click(&signature("From:Subject:List-Unsubscribe")));
    assert!(is_one_click(&format!("{}{covered}", signature("From"))));
}

#[test]
fn link_that_confirms_a_subscription_is_reported() {
    let url = |subject: &str, kind: &str, body: &str| {
        let text = format!("From: a@a.example\nSubject: {subject}\nContent-Type: {kind}\n\n{body}\n");
        message(&text).fields.confirmation_url
    };
    let html = "<p>Welcome to the <a href=\"https://a.example/\">lamps</a>.</p><p><a href=\"https://a.example/s?t=1\">Confirm your subscription</a></p>";
    assert_eq!(url("Please confirm", "text/html", html).as_deref(), Some("https://a.example/s?t=1"));
    assert_eq!(url("Issue 7", "text/html", html), None);
    let plain = "Open this address:\n<https://a.example/confirm/1>.\n";
    assert_eq!(url("Confirm it", "text/plain", plain).as_deref(), Some("https://a.example/confirm/1"));
    assert_eq!(url("Confirm it", "text/plain", "Nothing to open."), None);
}
