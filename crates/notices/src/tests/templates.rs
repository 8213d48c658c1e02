//! Tests of templates of channels.

use super::fixture::Fixture;
use crate::*;
use kernel::testing::{on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, ChannelId, Code, Domain, Result};

fn text(template: &str) -> TemplateEdit {
    TemplateEdit { title: None, text: Some(template.to_owned()) }
}

fn title(template: &str) -> TemplateEdit {
    TemplateEdit { title: Some(template.to_owned()), text: None }
}

async fn preview_text(
    domain: &Domain,
    owner: kernel::AccountId,
    id: ChannelId,
    template: &str,
) -> Result<Option<String>> {
    preview_templates(domain, owner, id, text(template)).await.map(|preview| preview.text)
}

async fn mail_text_is_rendered_from_the_template(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let template = "Hello! {{ monitor }}: {{ title }}, before: {{ before }}";
    let preview = preview_text(domain, owner, mail.id, template).await.unwrap();
    assert_eq!(preview.as_deref(), Some("Hello! Lamp: Price fell from 120 € to 90 €, before: 120 €"));
    let changed = set_templates(domain, owner, mail.id, text(template)).await.unwrap();
    assert_eq!(changed.template.as_deref(), Some(template));
    let monitor = fixture.monitor(&[mail.id]).await;
    fixture.change(monitor, "see evil.example").await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains(": see evil[.]example, before: 120 at shop[.]example"), "{letter}");
    let preview = preview_text(domain, owner, mail.id, "{{ title }} {{ value }}").await.unwrap();
    assert_eq!(preview.as_deref(), Some("see evil.example 90"), "the newest message is the example");
    let removed = set_templates(domain, owner, mail.id, text(" ")).await.unwrap();
    assert_eq!(removed.template, None);
}

async fn rendered_title_is_the_subject_of_changes_and_test_messages(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let template = title("Now {{ value }} ({{ kind }})");
    let preview = preview_templates(domain, owner, mail.id, template.clone()).await.unwrap();
    let expected = MessagePreview { title: "Now 90 € (monitor.changed)".to_owned(), text: None };
    assert_eq!(preview, expected);
    let changed = set_templates(domain, owner, mail.id, template).await.unwrap();
    assert_eq!(changed.title_template.as_deref(), Some("Now {{ value }} ({{ kind }})"));
    let monitor = fixture.monitor(&[mail.id]).await;
    fixture.change(monitor, "cheaper").await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert!(letter.text.contains("Subject: Now 90 (monitor.changed)"), "{}", letter.text);
    test(domain, owner, mail.id).await.unwrap();
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert!(letter.text.contains("Subject: Now 90 (test)"), "{}", letter.text);
}

async fn invalid_template_is_refused_with_its_line(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let refused = set_templates(domain, owner, mail.id, text("a\n{{ wrong }}")).await.unwrap_err();
    assert_eq!(refused.code, Code::InvalidRequest);
    assert!(refused.message.contains("Line 2: the field “wrong” is unknown."), "{}", refused.message);
    let refused = set_templates(domain, owner, mail.id, title("{{ wrong }}")).await.unwrap_err();
    let field = refused.field().unwrap();
    assert_eq!(field.path.pointer(str::to_owned), "/title_template");
    assert!(field.reason.contains("Known fields: title, text, link, monitor, url"), "{}", field.reason);
    let (webhook, _) = fixture.webhook().await;
    let code = async |owner, id| set_templates(domain, owner, id, text("x")).await.unwrap_err().code;
    assert_eq!(code(owner, webhook.id).await, Code::InvalidRequest);
    let stranger = person(domain, Tier::Free).await;
    assert_eq!(code(stranger, mail.id).await, Code::NotFound);
    assert_eq!(preview_text(domain, stranger, mail.id, "x").await.unwrap_err().code, Code::NotFound);
}

async fn templates_are_imported_for_channels_with_the_same_name_and_kind(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let edit =
        TemplateEdit { title: Some("{{ monitor }}".to_owned()), text: Some("{{ change }}".to_owned()) };
    set_templates(domain, owner, mail.id, edit).await.unwrap();
    let exported = export_templates(domain, owner).await.unwrap();
    let expected = ExportedTemplates {
        kind: "mail".to_owned(),
        name: mail.name.clone(),
        title_template: Some("{{ monitor }}".to_owned()),
        template: Some("{{ change }}".to_owned()),
    };
    assert_eq!(exported, std::slice::from_ref(&expected));
    let own = TemplateEdit { title: Some(String::new()), text: Some("own".to_owned()) };
    set_templates(domain, owner, mail.id, own).await.unwrap();
    let absent = ExportedTemplates { name: "Absent".to_owned(), ..expected.clone() };
    let wrong = ExportedTemplates { title_template: Some("{{ wrong }}".to_owned()), ..expected.clone() };
    let imported = import_templates(domain, owner, vec![absent, wrong, expected]).await.unwrap();
    assert_eq!(imported.imported, 1);
    let failed: Vec<(u64, &str, Code)> =
        imported.failed.iter().map(|failed| (failed.number, failed.name.as_str(), failed.code)).collect();
    assert_eq!(failed, [(1, "Absent", Code::NotFound), (2, mail.name.as_str(), Code::InvalidRequest)]);
    let channel = fixture.channel(mail.id).await;
    assert_eq!(channel.title_template.as_deref(), Some("{{ monitor }}"));
    assert_eq!(channel.template.as_deref(), Some("own"), "an existing template stays");
}

on_both! {
    mail_text_is_rendered_from_the_template,
    rendered_title_is_the_subject_of_changes_and_test_messages,
    invalid_template_is_refused_with_its_line,
    templates_are_imported_for_channels_with_the_same_name_and_kind,
}
