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
        assert_eq!(read.fields.attachments, [""; 0]);
    }
}

#[test]
fn message_without_text_has_fields_and_no_text() {
    let read = message(
        "From: a@a.example\nSubject: Scan\nContent-Type: application/pdf; name=scan.pdf\n\nJVBERi0=\n",
    );
    assert_eq!(read.fields.attachments, ["scan.pdf"]);
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
