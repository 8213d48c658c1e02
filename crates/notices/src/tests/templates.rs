//! Tests of templates of channels.

use super::fixture::Fixture;
use crate::*;
use kernel::testing::{on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Code};

async fn mail_has_the_text_of_the_template(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let text = "Hello! {{ monitor }}: {{ title }}";
    let preview = preview_template(domain, owner, mail.id, text).await.unwrap();
    assert_eq!(preview, "Hello! Lamp: Price fell from 120 € to 90 €");
    assert_eq!(set_template(domain, owner, mail.id, text).await.unwrap().template.as_deref(), Some(text));
    let monitor = fixture.monitor(&[mail.id]).await;
    fixture.change(monitor, "see evil.example").await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("Hello! Lamp: see evil[.]example"), "{letter}");
    let preview = preview_template(domain, owner, mail.id, "{{ title }}").await.unwrap();
    assert_eq!(preview, "see evil.example", "the newest message is the example");
    assert_eq!(set_template(domain, owner, mail.id, " ").await.unwrap().template, None);
}

async fn invalid_template_is_refused_with_its_line(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let refused = set_template(domain, owner, mail.id, "a\n{{ wrong }}").await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidRequest);
    assert!(refused.message.contains("Line 2"), "{}", refused.message);
    let (webhook, _) = fixture.webhook().await;
    assert_eq!(set_template(domain, owner, webhook.id, "x").await.unwrap_err().code, Code::InvalidRequest);
    let stranger = person(domain, Tier::Free).await;
    assert_eq!(set_template(domain, stranger, mail.id, "x").await.unwrap_err().code, Code::NotFound);
    assert_eq!(preview_template(domain, stranger, mail.id, "x").await.unwrap_err().code, Code::NotFound);
}

on_both! {
    mail_has_the_text_of_the_template,
    invalid_template_is_refused_with_its_line,
}
